//! Every game and agent by name, without type parameters.
//!
//! ```
//! use oboro_catalog::game;
//! use oboro_core::Seed;
//!
//! let sevens = game("sevens").unwrap();
//! let rules = sevens.rules(&[]).unwrap();
//! let seeds = Seed::from_u64(1).game(0, 0);
//! let mut live = rules.live(&[Some("eval"), Some("rule"), Some("rule"), None], 0, &seeds, "").unwrap();
//! while let Some(seat) = live.to_act() {
//!     if live.seats()[seat].agent {
//!         live.step().unwrap();
//!     } else {
//!         let theirs = live.actions()[0].clone(); // what the person at seat 3 chose
//!         live.play(seat, &theirs).unwrap();
//!     }
//! }
//! assert_eq!(live.outcome().unwrap().payoffs.len(), 4);
//! ```
//!
//! Dynamic dispatch happens here, once per match ([`Lineup`]) or once per step from outside ([`AnyLive`]);
//! everything below is compiled for its game.
#![forbid(unsafe_code)]

mod batch;
mod belief_score;
mod data;
mod delegate;
mod error;
mod external;
mod game;
mod guided;
mod hint;
mod lineup;
mod live;
mod memory;
mod public;
mod report;
mod request;
mod rules;
mod solve;
mod text;
mod turn;

pub use batch::{AnyBatch, AnyBatches, BatchRows, NewBatch};
pub use belief_score::CLASSES;
pub use data::read;
pub use delegate::{AnyDelegate, AnyDelegates};
pub use error::CatalogError;
pub use external::{
    Allowed, Ending, ExternalAgent, ExternalAgents, ExternalFactory, Opening, external_agent,
};
pub use game::{AgentInfo, AnyGame, AnyRules, OwnGame, PublicForm, Schemas, own_game};
pub use guided::{Evaluate, SearchMethod, SearchedAction};
pub use lineup::{AnyLineups, Keep, Lineup, PlayError, Played};
pub use live::{AnyConsultation, AnyLive, AnyTables, AnyThinking, AnyThought, ReplayVisitor};
pub use oboro_player::Limits as PlayerLimits;
pub use oboro_search::{Budget, Evaluation, GuidedSearch, Searchable};
pub use public::PublicSpec;
pub use report::{
    ActionReport, AnalysisReport, EndingReport, EstimateReport, EvaluationReport, EventReport,
    ForfeitReport, InsightReport, OutcomeReport, SeatReport, ValueReport,
};
pub use request::{NewGame, open_public_record, open_record, options_of, rule_options};
pub use solve::{AnySolution, AnySolving, AnyTree, Solution, Solving};
pub use text::{GameText, Players};
pub use turn::Turn;

pub use oboro_solve::{Measured, Method};

use game::GameEntry;
use oboro_core::SpecError;
use std::sync::Arc;

/// All games, in alphabetical order. Adding a game is one entry here.
pub fn games() -> Vec<Box<dyn AnyGame>> {
    let mut games = vec![
        GameEntry::boxed(
            "Dark hex: 2 players connect the sides of a board of 3 × 3 and do not see each other's stones",
            "ismcts",
            oboro_small::agents::<oboro_small::GridRules<oboro_small::Hex>>,
            oboro_small::kernels::<oboro_small::GridRules<oboro_small::Hex>>,
        ),
        GameEntry::boxed(
            "Geister: 2 players move eight ghosts each, half of them good, and only their owner knows which",
            "oboro",
            oboro_geister::agents,
            oboro_geister::kernels,
        ),
        GameEntry::boxed(
            "Geister on boards small enough to be solved exactly, for 2 players",
            "ismcts",
            oboro_small::geister_agents,
            oboro_small::kernels::<oboro_small::GeisterRules>,
        ),
        GameEntry::boxed(
            "Goofspiel: 2 players bid for prizes with cards that the other does not see",
            "ismcts",
            oboro_small::agents::<oboro_small::GoofspielRules>,
            oboro_small::kernels::<oboro_small::GoofspielRules>,
        ),
        GameEntry::boxed(
            "Kuhn poker: 2 players, three cards, one bet",
            "ismcts",
            oboro_small::agents::<oboro_small::KuhnRules>,
            oboro_small::kernels::<oboro_small::KuhnRules>,
        ),
        GameEntry::boxed(
            "Labyrinth: 2 to 4 players push a maze about and look for treasures that others cannot see",
            "oboro",
            oboro_labyrinth::agents,
            oboro_labyrinth::kernels,
        ),
        GameEntry::boxed(
            "Leduc hold'em: 2 players, six cards, two rounds of bets",
            "ismcts",
            oboro_small::agents::<oboro_small::LeducRules>,
            oboro_small::kernels::<oboro_small::LeducRules>,
        ),
        GameEntry::boxed(
            "Liar's Dice: 2 players bid on what a hidden die each shows, until one doubts it",
            "ismcts",
            oboro_small::agents::<oboro_small::LiarsDiceRules>,
            oboro_small::kernels::<oboro_small::LiarsDiceRules>,
        ),
        GameEntry::boxed(
            "Phantom tic-tac-toe: 2 players who do not see each other's stones",
            "ismcts",
            oboro_small::agents::<oboro_small::GridRules<oboro_small::TicTacToe>>,
            oboro_small::kernels::<oboro_small::GridRules<oboro_small::TicTacToe>>,
        ),
        GameEntry::boxed(
            "Saboteur (お邪魔者): 3 to 10 players dig for gold, and some of them secretly prevent it",
            "oboro",
            oboro_saboteur::agents,
            oboro_saboteur::kernels,
        ),
        GameEntry::boxed(
            "Sevens (七並べ): 3 to 6 players lay cards next to the 7s and hold back what helps others",
            "oboro",
            oboro_sevens::agents,
            oboro_sevens::kernels,
        ),
    ];
    games.sort_by_key(|game| game.name());
    games
}

/// The game with this name.
///
/// # Errors
/// If there is none: what there is, and what may have been meant.
pub fn game(name: &str) -> Result<Box<dyn AnyGame>, SpecError> {
    let games = games();
    let known: Vec<&str> = games.iter().map(|game| game.name()).collect();
    let error = SpecError::unknown("game", name, &known);
    games.into_iter().find(|game| game.name() == name).ok_or(error)
}

/// The rules of a game with these options. Specs may also name the external agents that are allowed here; who runs the
/// program decides which, so that what comes over a network can name none of them.
///
/// # Errors
/// If there is no such game, or an option is unknown, ill-typed or out of range.
pub fn rules(
    name: &str,
    options: &[(String, String)],
    external: Allowed<'_>,
) -> Result<Arc<dyn AnyRules>, SpecError> {
    let rules = game(name)?.rules(options)?;
    Ok(match external {
        Some(external) => rules.allow_external(Arc::clone(external)),
        None => rules,
    })
}
