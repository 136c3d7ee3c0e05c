use crate::card::scan_card;
use crate::{Card, Cards};
use oboro_core::{NotationError, Scanner, Seat};
use std::fmt;
use std::str::FromStr;

/// A turn: one card, or a pass.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Action {
    /// Lay a card.
    Lay(Card),
    /// Pass; with none left, retire.
    Pass,
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Action::Lay(card) => card.fmt(f),
            Action::Pass => f.write_str("pass"),
        }
    }
}

impl FromStr for Action {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Action, NotationError> {
        let mut s = Scanner::new(text);
        let action = if s.eat("pass") { Action::Pass } else { Action::Lay(scan_card(&mut s)?) };
        s.finish()?;
        Ok(action)
    }
}

/// What everybody sees of a turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Event {
    /// Who moved.
    pub seat: Seat,
    /// What it did.
    pub action: Action,
    /// The cards it laid on the table: one, none, or all it had when it retired.
    pub laid: Cards,
}
