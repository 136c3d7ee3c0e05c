//! Games written in Python, as the engine plays them: worlds, views and actions around states that only Python understands.
//!
//! A state never changes; applying an action gives another one. What the engine asks most often, whose turn it is and what is
//! legal, is asked of Python once per state. What Python raises unwinds to the border (`fault.rs`) and is raised there.

use crate::own_rules::{OwnRules, Start};
use oboro_catalog::Searchable;
use oboro_core::{
    Channel, DefaultEncoding, DefaultScenes, Game, GameWorld, NotationError, Phrase, Rng, Scoring,
    Seat, SeatView, parse_history, write_history,
};
use pyo3::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;
use std::sync::{Arc, Mutex};

/// A game written in Python. Its name is the rule option by which files tell it from others.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct OwnGame {
    /// The name of the class.
    game: String,
    #[serde(skip)]
    rules: Option<Arc<OwnRules>>,
}

impl OwnGame {
    pub(crate) fn new(rules: OwnRules) -> OwnGame {
        OwnGame { game: rules.name().to_owned(), rules: Some(Arc::new(rules)) }
    }

    pub(crate) fn rules(&self) -> &Arc<OwnRules> {
        self.rules.as_ref().expect("a game that is played was written by somebody")
    }

    fn world(&self, position: Position) -> OwnWorld {
        OwnWorld { rules: Arc::clone(self.rules()), position }
    }
}

/// An action, by its text. Texts are kept for as long as the program runs: a game has few.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct OwnAction(pub(crate) &'static str);

static TEXTS: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());

impl OwnAction {
    fn known(text: &str) -> Option<OwnAction> {
        let texts = TEXTS.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        texts.get(text).map(|text| OwnAction(text))
    }

    /// The action of a game with this text.
    pub(crate) fn new(text: &str) -> OwnAction {
        OwnAction::known(text).unwrap_or_else(|| {
            let text: &'static str = Box::leak(text.to_owned().into_boxed_str());
            TEXTS.lock().unwrap_or_else(std::sync::PoisonError::into_inner).insert(text);
            OwnAction(text)
        })
    }
}

impl fmt::Display for OwnAction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl fmt::Debug for OwnAction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl FromStr for OwnAction {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<OwnAction, NotationError> {
        let unknown = || NotationError::new(text, 0, "expected an action of the game");
        OwnAction::known(text).ok_or_else(unknown)
    }
}

/// A state of Python, how it came about, and what was asked of it.
#[derive(Clone, Debug)]
pub(crate) struct Position {
    pub(crate) start: Start,
    pub(crate) actions: Vec<OwnAction>,
    pub(crate) state: Arc<Py<PyAny>>,
    pub(crate) to_act: Option<Seat>,
    pub(crate) legal: Arc<[OwnAction]>,
}

/// See [`Game::World`]. Worlds with the same past are equal.
#[derive(Clone, Debug)]
pub(crate) struct OwnWorld {
    rules: Arc<OwnRules>,
    pub(crate) position: Position,
}

impl PartialEq for OwnWorld {
    fn eq(&self, other: &OwnWorld) -> bool {
        let (a, b) = (&self.position, &other.position);
        a.start == b.start && a.actions == b.actions
    }
}

impl Eq for OwnWorld {}

impl Hash for OwnWorld {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.position.start.hash(state);
        self.position.actions.hash(state);
    }
}

impl fmt::Display for OwnWorld {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Position { start, actions, state, to_act, .. } = &self.position;
        writeln!(f, "{}", write_history(start, actions))?;
        writeln!(f, "{}", self.rules.text_of(state))?;
        match to_act {
            Some(seat) => write!(f, "seat {seat} to move"),
            None => write!(f, "the game is over"),
        }
    }
}

impl GameWorld for OwnWorld {
    type Action = OwnAction;
    type View = OwnView;
    type Event = OwnEvent;

    fn to_act(&self) -> Option<Seat> {
        self.position.to_act
    }

    fn for_each_legal(&self, visit: impl FnMut(OwnAction)) {
        self.position.legal.iter().copied().for_each(visit);
    }

    fn apply(&mut self, action: OwnAction) {
        self.position = self.rules.apply(&self.position, action);
    }

    fn payoff(&self, seat: Seat) -> f64 {
        self.rules.payoff(&self.position.state, seat)
    }

    fn view(&self, seat: Seat) -> OwnView {
        let (value, text) = self.rules.view(&self.position.state, seat);
        let Position { to_act, ref legal, .. } = self.position;
        let legal = if to_act == Some(seat) { Arc::clone(legal) } else { Arc::default() };
        let known = Known { seat, to_act, legal, text };
        OwnView { rules: Arc::clone(&self.rules), known, value: Arc::new(value) }
    }

    /// Who acted, what the observer did itself, and what it knows then.
    fn event(&self, action: OwnAction, seat: Seat) -> OwnEvent {
        let mover = self.position.to_act.expect("somebody is to move");
        let after = self.rules.apply(&self.position, action);
        let (_, view) = self.rules.view(&after.state, seat);
        OwnEvent { seat: mover.index(), action: (mover == seat).then(|| action.to_string()), view }
    }
}

/// What makes views equal.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Known {
    pub(crate) seat: Seat,
    pub(crate) to_act: Option<Seat>,
    pub(crate) legal: Arc<[OwnAction]>,
    pub(crate) text: String,
}

/// See [`Game::View`].
#[derive(Clone, Debug)]
pub(crate) struct OwnView {
    rules: Arc<OwnRules>,
    known: Known,
    /// What the class gave.
    value: Arc<Py<PyAny>>,
}

impl PartialEq for OwnView {
    fn eq(&self, other: &OwnView) -> bool {
        self.known == other.known
    }
}

impl Eq for OwnView {}

impl Hash for OwnView {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.known.hash(state);
    }
}

impl fmt::Display for OwnView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "seat {}: {}", self.known.seat, self.known.text)
    }
}

impl SeatView for OwnView {
    type Action = OwnAction;
    type World = OwnWorld;

    fn seat(&self) -> Seat {
        self.known.seat
    }

    fn to_act(&self) -> Option<Seat> {
        self.known.to_act
    }

    fn for_each_legal(&self, visit: impl FnMut(OwnAction)) {
        self.known.legal.iter().copied().for_each(visit);
    }

    fn imagine(&self, rng: &mut Rng) -> OwnWorld {
        let position = self.rules.imagine(&self.known, &self.value, rng);
        OwnWorld { rules: Arc::clone(&self.rules), position }
    }
}

/// See [`Game::Event`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub(crate) struct OwnEvent {
    /// Who acted.
    seat: usize,
    /// What it did, for that seat itself; the others learn what their views show.
    action: Option<String>,
    /// What the observer knows now; empty for a spectator.
    view: String,
}

/// What an observer knows, as data.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub(crate) struct OwnSight {
    /// The view as text; empty for a spectator.
    view: String,
    /// The legal actions of the observer.
    legal: Vec<String>,
}

impl Game for OwnGame {
    type World = OwnWorld;
    type View = OwnView;
    type Action = OwnAction;
    type Event = OwnEvent;
    const NAME: &'static str = "python";
    // The solver checks it.
    const PERFECT_RECALL: bool = true;
    const SCORING: Scoring = Scoring::Payoffs;

    fn seats(&self) -> usize {
        self.rules().seats
    }

    fn deal(&self, rng: &mut Rng) -> OwnWorld {
        self.world(self.rules().deal(rng))
    }

    fn deals(&self) -> Option<Vec<(f64, OwnWorld)>> {
        let deals = self.rules().deals()?;
        Some(deals.into_iter().map(|(chance, position)| (chance, self.world(position))).collect())
    }

    fn write_position(&self, world: &OwnWorld) -> String {
        write_history(&world.position.start, &world.position.actions)
    }

    fn parse_position(&self, text: &str) -> Result<OwnWorld, NotationError> {
        parse_history(text, |start| Ok(self.world(self.rules().start(start)?)))
    }

    fn payoff_sum(&self) -> Option<f64> {
        self.rules().payoff_sum
    }

    /// The worst there is, and equal shares of the rest for the others.
    fn forfeit_payoffs(&self, seat: Seat) -> Vec<f64> {
        let (seats, sum) = (self.seats(), self.payoff_sum().unwrap_or(0.0));
        let worst = sum / seats as f64 - self.payoff_range() / 2.0;
        let share = (sum - worst) / (seats - 1).max(1) as f64;
        Seat::all(seats).map(|other| if other == seat { worst } else { share }).collect()
    }
}

impl Searchable for OwnGame {
    fn payoff_range(&self) -> f64 {
        self.rules().payoff_range
    }
}

impl DefaultScenes for OwnGame {
    type Sight = OwnSight;

    fn sight(&self, view: &OwnView) -> OwnSight {
        let legal = view.known.legal.iter().map(ToString::to_string).collect();
        OwnSight { view: view.known.text.clone(), legal }
    }

    fn public_sight(&self, _: &OwnWorld) -> OwnSight {
        OwnSight::default()
    }

    fn public_event(&self, world: &OwnWorld, _: OwnAction) -> OwnEvent {
        let seat = world.position.to_act.expect("somebody is to move").index();
        OwnEvent { seat, action: None, view: String::new() }
    }

    fn tell(&self, event: &OwnEvent) -> Phrase {
        let action = event.action.as_deref();
        let (en, ja) = (action.unwrap_or("an action"), action.unwrap_or("行動"));
        Phrase::action(Some(Seat::new(event.seat)), ["play", "plays"], en, ja)
    }
}

impl DefaultEncoding for OwnGame {
    fn action_count(&self) -> usize {
        self.rules.as_ref().map_or(0, |rules| rules.actions.len())
    }

    fn action_index(&self, action: OwnAction) -> usize {
        let mut all = self.rules().actions.iter();
        all.position(|one| *one == action).expect("legal actions are actions of the game")
    }

    fn view_channels(&self) -> Vec<Channel> {
        self.rules.as_ref().map_or(Vec::new(), |rules| rules.observation.clone())
    }

    fn write_view(&self, view: &OwnView, out: &mut [u8]) {
        if !out.is_empty() {
            self.rules().encode(&view.value, view.known.seat, out);
        }
    }

    fn hidden_channels(&self) -> Vec<Channel> {
        Vec::new()
    }

    fn write_hidden(&self, _: &OwnWorld, _: Seat, _: &mut [u8]) {}
}
