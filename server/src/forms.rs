//! What browsers are told of a game. It is made once: the schemas of many agents take milliseconds.

use crate::levels::levels;
use oboro_catalog::{AnyGame, PublicForm, game};
use oboro_core::{Puzzle, SpecError};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// What browsers are told of a game.
#[derive(Debug)]
pub(crate) struct GameForm {
    /// What strangers may ask for.
    pub(crate) public: PublicForm,
    /// Everything that is told, as JSON.
    pub(crate) text: String,
}

static FORMS: Mutex<BTreeMap<&'static str, Arc<GameForm>>> = Mutex::new(BTreeMap::new());

/// What browsers are told of the game of that name.
///
/// # Errors
/// If there is none.
pub(crate) fn game_form(name: &str) -> Result<Arc<GameForm>, SpecError> {
    let mut forms = FORMS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(form) = forms.get(name) {
        return Ok(Arc::clone(form));
    }
    let game = game(name)?;
    let public = game.public_form();
    let mut told = outline(game.as_ref());
    told["schemas"] = json!(game.schemas());
    told["schemas"]["rules"] = json!(public.rules);
    told["agents"] = json!(public.agents);
    let form = Arc::new(GameForm { text: told.to_string(), public });
    forms.insert(game.name(), Arc::clone(&form));
    Ok(form)
}

/// What a list of games says of one.
pub(crate) fn outline(game: &dyn AnyGame) -> Value {
    json!({
        "name": game.name(),
        "text": game.text(),
        "players": game.players(),
        "champion": game.champion(),
        "levels": levels(game.name()),
        "puzzles": game.puzzles().puzzles.len(),
    })
}

/// The puzzles of a game, with the rules they are played by.
pub(crate) fn puzzles(game: &dyn AnyGame) -> Value {
    let book = game.puzzles();
    let one = |puzzle: &Puzzle| json!({"moves": puzzle.moves, "solution": puzzle.solution, "position": puzzle.position});
    let rules: BTreeMap<_, _> = book.rules.into_iter().collect();
    json!({ "rules": rules, "puzzles": book.puzzles.iter().map(one).collect::<Vec<_>>() })
}
