//! Search for any game of hidden information: playouts, flat Monte Carlo over imagined worlds, sequential
//! halving, trees over them, agents made of these for every game, and the UPP belief update.
//!
//! Everything here is generic over the game and its playout [`Policy`](oboro_core::Policy), compiled once a
//! game, and free of heap allocation inside a playout.
#![forbid(unsafe_code)]

mod agents;
mod budget;
mod flat;
mod halving;
mod oos;
mod playout;
mod tree;
mod upp;

pub use agents::{
    ByView, Defaults, PlayoutPolicy, Prover, Searchable, standard_agents, with_standard_agents,
};
pub use budget::Budget;
pub use flat::{FlatMonteCarlo, Tally, best_tally};
pub use halving::{Playout, halve, halve_together};
pub use oos::{Oos, OosAgent};
pub use playout::playout;
pub use tree::{
    Branch, Evaluation, GuidedSearch, Ismcts, Observers, Pimc, Simulation, TreeSearch, Uct,
    analysis_of, best_branch,
};
pub use upp::{DealOrder, OwnerWeights};
