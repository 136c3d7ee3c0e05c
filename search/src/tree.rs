//! Trees over imagined worlds.
//!
//! Three ways to search a game whose state is hidden, all grown from worlds that the caller draws:
//!
//! - [`Uct`]: one tree of actions, a fresh world every playout;
//! - [`Ismcts`]: one tree of what the searching seat would see, or one such tree for each seat
//!   (information-set Monte Carlo tree search with a single observer or several);
//! - [`Pimc`]: one tree a world, each as if everything were known, and a vote.
//!
//! Every seat maximises its own payoff at its own nodes. Payoffs should lie between 0 and 1, or
//! the exploration constants be scaled with their range.

mod arena;
mod ismcts;
mod pimc;
mod uct;

pub use ismcts::{Ismcts, Observers};
pub use pimc::Pimc;
pub use uct::Uct;

/// What a search found out about one action at the root.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Branch<A> {
    /// The action.
    pub action: A,
    /// The playouts that began with it.
    pub visits: u64,
    /// The mean payoff of those playouts to the searching seat.
    pub mean: f64,
    /// The trees in which it was visited most: 1 or 0 where there is one tree only.
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

#[cfg(test)]
mod toys;
