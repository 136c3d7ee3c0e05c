//! Trees over imagined worlds.
//!
//! Three ways to search a game whose state is hidden, all grown from worlds that the caller draws:
//!
//! - [`Uct`]: one tree of actions, a fresh world every playout;
//! - [`Ismcts`]: one tree of what the searching seat would see, or one such tree for each seat
//!   (information-set Monte Carlo tree search with a single observer or several);
//! - [`Pimc`]: one tree a world, each as if everything were known, and a vote.
//!
//! A fourth, [`GuidedSearch`], plays no playouts: an evaluator says what positions are worth.
//!
//! Every seat maximises its own payoff at its own nodes. Payoffs should lie between 0 and 1, or
//! the exploration constants be scaled with their range.

mod arena;
mod guided;
mod ismcts;
mod leaves;
mod pimc;
mod shortlist;
mod uct;

pub use guided::{Evaluation, GuidedSearch, Simulation};
pub use ismcts::{Ismcts, Observers};
pub use pimc::Pimc;
pub use uct::Uct;

use oboro_core::{ActionValue, Analysis, GameWorld, Policy, Rng, Seat};

/// One of the tree searches.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum TreeSearch {
    /// One tree of actions.
    Uct(Uct),
    /// Trees of what can be seen.
    Ismcts(Ismcts),
    /// One tree per world.
    Pimc(Pimc),
}

impl TreeSearch {
    /// Searches for `seat`, which is to move in all the worlds that `draw` gives.
    pub fn search<W: GameWorld>(
        &self,
        seat: Seat,
        draw: impl FnMut(&mut Rng) -> W,
        policy: &mut impl Policy<W>,
        rng: &mut Rng,
    ) -> Vec<Branch<W::Action>>
    where
        W::Event: Clone + PartialEq,
        W::View: std::hash::Hash,
    {
        match self {
            TreeSearch::Uct(uct) => uct.search(draw, policy, rng),
            TreeSearch::Ismcts(ismcts) => ismcts.search(seat, draw, policy, rng),
            TreeSearch::Pimc(pimc) => pimc.search(draw, policy, rng),
        }
    }
}

/// What a search found out about one action at the root.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Branch<A> {
    /// The action.
    pub action: A,
    /// The playouts that began with it.
    pub visits: u64,
    /// The mean payoff of those playouts to the searching seat.
    pub mean: f64,
    /// The trees that would choose it, as it was visited most there: 1 or 0 where there is one tree
    /// only.
    pub votes: u32,
}

/// The action with most votes, then most visits; the first of equals.
///
/// # Panics
/// If there is none.
pub fn best_branch<A: Copy>(branches: &[Branch<A>]) -> A {
    let mut best = branches.first().expect("a position to move in has an action");
    for branch in branches {
        if (branch.votes, branch.visits) > (best.votes, best.visits) {
            best = branch;
        }
    }
    best.action
}

/// What a search found out, as an analysis shows it; `measure` says what its means are.
///
/// # Panics
/// If there is no branch.
pub fn analysis_of<A: Copy>(branches: &[Branch<A>], measure: &'static str) -> Analysis<A> {
    let value = |branch: &Branch<A>| ActionValue {
        visits: Some(branch.visits),
        ..ActionValue::new(branch.action, branch.mean)
    };
    Analysis {
        measure,
        values: branches.iter().map(value).collect(),
        ..Analysis::of_choice(best_branch(branches))
    }
}

#[cfg(test)]
mod toys;
