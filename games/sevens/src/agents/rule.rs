use crate::Cards;
use crate::policy::{HandPolicy, Turn};
use oboro_core::Rng;

/// The paper's rule-based player (4.2): the playable card farthest from 7, ties at random.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Rule;

impl HandPolicy for Rule {
    #[inline]
    fn choose(&self, turn: Turn<'_>, rng: &mut Rng) -> Cards {
        turn.cards.farthest().choose_one(rng)
    }

    fn options(&self, turn: Turn<'_>) -> Option<Cards> {
        Some(turn.cards.farthest())
    }
}
