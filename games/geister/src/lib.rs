//! Geister: eight pieces a side, four blue and four red; the colours of the other side are hidden.
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
mod bitboard;
mod drawing;
mod encoding;
mod kernels;
mod notation;
mod piece;
mod playout;
mod policy;
mod public;
mod rules;
pub mod scene;
mod square;
mod tools;
mod view;
mod world;

pub use action::{Action, Event};
pub use agents::{agents, gp};
pub use encoding::Memory;
pub use kernels::{kernels, perft};
pub use piece::{Colour, Piece, Placement};
pub use policy::EagerPolicy;
pub use public::{Ending, Public};
pub use rules::{Geister, Placements};
pub use square::{Direction, Square};
pub use view::View;
pub use world::World;
