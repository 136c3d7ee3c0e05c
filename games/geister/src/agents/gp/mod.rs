//! Playout policies made by genetic programming, after the 2022 paper.
//!
//! A [`Strategy`] is a small program over the paper's primitives: it looks at a world with all
//! colours (an imagined one, inside a search) and names a kind of move; a fitting move is then
//! drawn uniformly. Its text reads like the paper's listings:
//!
//! ```
//! use oboro_geister::gp::Strategy;
//! let text = "if isBlueOppNearMyGoal then doMoveBlueCloserToGoal else doCaptureRedOpponentMove end if";
//! let strategy: Strategy = text.parse().unwrap();
//! assert_eq!(
//!     strategy.to_string(),
//!     "if isBlueOppNearMyGoal then\n    doMoveBlueCloserToGoal\nelse\n    \
//!      doCaptureRedOpponentMove\nend if\n"
//! );
//! ```
//!
//! A [`TrainingSet`] has positions with a teacher's moves and values; a [`Fitness`] says how well a strategy
//! follows the teacher. Evolution runs, with their threads and files, are the work of `oboro evolve`.

mod agent;
mod corners;
mod field;
mod fitness;
mod lanes;
mod pick;
mod playout;
mod primitive;
mod program;
#[cfg(test)]
mod reference;
mod source;
mod strategy;
mod text;
mod training_set;

pub(super) use agent::entry;
pub use corners::Corners;
pub use fitness::Fitness;
pub use playout::GpPlayouts;
pub(crate) use playout::fast_paths;
pub use primitive::{Primitive, PrimitiveSet};
pub(crate) use source::Drawn;
pub use source::{Policies, StrategySource};
pub use strategy::Strategy;
pub use training_set::{EnemyColours, Teacher, TrainingPosition, TrainingSet, TrainingSetError};
