//! What everybody knows.

use crate::Action;
use oboro_core::Seat;

/// What everybody knows: what was said, and by which dice they play.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Public {
    /// What each seat said.
    pub said: [Option<Action>; 2],
    /// How many sides a die has.
    pub sides: u8,
}

impl Public {
    /// Whose turn it is; `None` when the game is over.
    #[inline]
    pub fn to_act(&self) -> Option<Seat> {
        self.said.iter().position(Option::is_none).map(Seat::new)
    }

    /// What may be said now: anything the first has not said.
    pub(crate) fn for_each_legal(self, visit: impl FnMut(Action)) {
        if self.to_act().is_some() {
            Action::ALL.into_iter().filter(|action| self.said[0] != Some(*action)).for_each(visit);
        }
    }
}
