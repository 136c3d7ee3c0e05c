use super::Manner;
use crate::{Cards, Public};
use oboro_core::{Rng, Seat};

/// The paper's rule-based player (4.2): the playable card farthest from 7, ties at random.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Rule;

impl Manner for Rule {
    #[inline]
    fn choose(&self, _: &Public, _: Seat, _: Cards, cards: Cards, rng: &mut Rng) -> Cards {
        cards.farthest().choose_one(rng)
    }
}
