//! Sevens (七並べ): every 7 lies on the table, and players lay down the cards that follow on.
//!
//! Rules and the four basic agents are those of Ishikawa and Fujita, "Strategies of play in Sevens" (2018);
//! [`Sevens`] lists the options, and how open points of the paper are settled.
//!
//! ```
//! use oboro_core::{Game, GameWorld, Rng};
//! use oboro_sevens::Sevens;
//!
//! let game = Sevens::default();
//! let mut rng = Rng::from_u64(1);
//! let mut world = game.deal(&mut rng);
//! while world.to_act().is_some() {
//!     world.apply(world.random_action(&mut rng));
//! }
//! println!("{world}");
//! ```

mod action;
pub mod agents;
mod card;
mod drawing;
mod encoding;
mod kernels;
mod log;
mod notation;
mod playout;
mod policy;
mod public;
mod rules;
pub mod scene;
mod shuffle;
mod view;
mod world;

pub use action::{Action, Event};
pub use agents::agents;
pub use card::{Card, Cards};
pub use kernels::kernels;
pub use public::Public;
pub use rules::{GapRule, Sevens};
pub use view::View;
pub use world::World;

pub(crate) use card::Suit;
pub(crate) use log::{Log, LogEntry};

/// The largest number of players.
pub const MAX_PLAYERS: usize = 6;
