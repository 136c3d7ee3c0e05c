use crate::card::scan_card;
use crate::{Card, Cards};
use oboro_core::{NotationError, Scanner, Seat, text_form};
use std::fmt;

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

text_form!(Action, scan);

fn scan(s: &mut Scanner<'_>) -> Result<Action, NotationError> {
    if s.eat("pass") { Ok(Action::Pass) } else { scan_card(s).map(Action::Lay) }
}

/// A turn as everybody sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Event {
    /// The seat that moved.
    pub seat: Seat,
    /// Its action.
    pub action: Action,
    /// The cards it laid on the table: one, none, or all it had when it retired.
    pub laid: Cards,
}
