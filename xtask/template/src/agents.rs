//! The agents: those that every game has, and our own.

use crate::{Action, Dice, View};
use oboro_core::{Agent, AgentEntry, NoParams, Rng, SeatView, fresh};
use oboro_search::{Searchable, with_standard_agents};

impl Searchable for Dice {
    /// How far the best payoff is above the worst; searches scale their exploration with it.
    fn payoff_range(&self) -> f64 {
        1.0
    }
}

/// Every agent of the game: our own, and the searches that every game has.
pub fn agents() -> Vec<AgentEntry<Dice>> {
    with_standard_agents(vec![AgentEntry::new::<NoParams>(
        "first",
        "Oboro",
        "Says the first thing that may be said.",
        |_, _| Ok(fresh(First)),
    )])
}

#[derive(Clone, Copy, Debug)]
struct First;

impl Agent<Dice> for First {
    fn act(&mut self, view: &View, _: &mut Rng) -> Action {
        view.legal_actions()[0]
    }
}
