//! Dice: two players hold a hidden die each, and say in turn whether the other's is high, low or even.
//!
//! The second may not say what the first said. Whoever is right while the other is wrong wins.
#![forbid(unsafe_code)]

mod action;
mod agents;
mod kernels;
mod public;
mod rules;
mod shown;
mod view;
mod world;

pub use action::{Action, Event};
pub use agents::agents;
pub use kernels::kernels;
pub use public::Public;
pub use rules::Dice;
pub use shown::Sight;
pub use view::View;
pub use world::World;
