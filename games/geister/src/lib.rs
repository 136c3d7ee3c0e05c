//! Geister: eight ghosts a side, half of them good, and nobody knows which of the other's.
//!
//! ```
//! use oboro_core::{Game, GameWorld, Rng, Seat, SeatView};
//! use oboro_geister::Geister;
//!
//! let rules = Geister::default();
//! let mut rng = Rng::from_u64(1);
//! let mut world = rules.deal(&mut rng);
//! world.play("CEFG".parse()?)?;
//! world.play("ABCD".parse()?)?;
//! world.play("BN".parse()?)?;
//! // Seat 1 may imagine any of the 70 placements of seat 0.
//! let view = world.view(Seat::new(1));
//! assert_eq!(view.colourings().count(), 70);
//! assert_eq!(view.imagine(&mut rng).view(Seat::new(1)), view);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![deny(unsafe_code)]

mod action;
pub mod agents;
mod belief;
mod belief_search;
mod brain;
mod drawing;
mod feared;
pub mod gp;
mod kernels;
mod notation;
mod encoding;
mod piece;
mod playout;
mod policy;
#[cfg(target_arch = "x86_64")]
mod processor;
pub mod prover;
mod public;
mod purple;
mod race;
mod rehearsal;
mod rules;
pub mod scene;
pub mod small;
pub mod solver;
mod square;
mod tools;
mod trust;
mod view;
mod world;

pub use action::{Action, Event};
pub use agents::agents;
pub use kernels::{kernels, perft};
pub use encoding::Memory;
pub use piece::{Colour, Piece, Placement};
pub use policy::EagerPolicy;
pub use public::{Ending, Public};
pub use purple::Purple;
pub use rules::{Geister, Placements};
pub use square::{Bitboard, Direction, EXITS, Square, squares};
pub use view::View;
pub use world::World;
