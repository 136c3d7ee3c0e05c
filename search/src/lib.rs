//! Search for any game of hidden information: playouts, flat Monte Carlo over imagined worlds, trees
//! over them, and the UPP belief update.
//!
//! Everything here is generic over the game and its playout [`Policy`](oboro_core::Policy), compiled once a
//! game, and free of heap allocation inside a playout.
#![forbid(unsafe_code)]

mod budget;
mod flat;
mod playout;
mod tree;
mod upp;

pub use budget::Budget;
pub use flat::{FlatMonteCarlo, Tally, best_tally};
pub use playout::playout;
pub use tree::{Branch, Ismcts, Observers, Pimc, Uct, best_branch};
pub use upp::{DealOrder, OwnerWeights};
