//! Geister on boards so small that how far any policy can be beaten is computed, not estimated.
//!
//! All moves are public and only the colours are private, so such a game is a *public tree* with a
//! few colourings a side: whatever is asked of a policy, it is asked for all colourings at once, a
//! row of numbers at each position. The tree is cut off by a ply limit.
//!
//! ```
//! use oboro_geister::small::{Board, Profile, Tree, exploitability};
//!
//! let board = Board { plies: 5, ..Board::smallest() };
//! let tree = Tree::new(board)?;
//! let uniform = Profile::uniform(&tree);
//! // What the best possible opponent wins against random play, above the half that is fair.
//! assert!(exploitability(&tree, &uniform) > 0.1);
//! # Ok::<(), oboro_core::SpecError>(())
//! ```

mod board;
mod cfr;
mod learn;
mod measure;
mod net;
mod players;
#[cfg(test)]
mod tests;
mod tree;
mod value;

pub use board::Board;
pub use cfr::Cfr;
pub use learn::{Learner, Learning};
pub use measure::{Candidate, Measured, Solving};
pub use tree::{LANES, Profile, Row, Tree};
pub use value::{best_response, exploitability, worth};
