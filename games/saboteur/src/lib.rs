//! Saboteur: diggers lay paths to a hidden gold, saboteurs among them try to prevent it, and nobody
//! knows who is who.
//!
//! [`Saboteur`] holds the rules, with the published game as default. Deviations that a paper needs
//! are its fields. A way into the crate, a game of random players seen by seat 0:
//!
//! ```
//! use oboro_core::{Game, GameWorld, Rng, Seat, SeatView};
//! use oboro_saboteur::Saboteur;
//!
//! let game = Saboteur { rounds: 1, ..Saboteur::default() };
//! let mut rng = Rng::from_u64(1);
//! let mut world = game.deal(&mut rng);
//! while world.to_act().is_some() {
//!     world.apply(world.random_action(&mut rng));
//! }
//! let view = world.view(Seat::FIRST);
//! println!("{view}");
//! assert!(view.table().past().len() == 1 && view.to_act().is_none());
//! ```
//!
//! Start reading at [`Board`] for what may be laid where, at [`Table`] for the legal actions, at
//! [`World`] for what they do, and at [`agents`] for who plays.
#![forbid(unsafe_code)]

mod action;
pub mod agents;
mod board;
mod card;
mod cell;
mod drawing;
mod gold;
mod kernels;
mod position;
mod rules;
mod table;
mod tile;
mod view;
mod world;

pub use action::Action;
pub use agents::agents;
pub use board::Board;
pub use card::{Card, CardKind, Cards, GoalCard, Hand, Tool, Tools};
pub use cell::{Cell, Cells, CellsIter, Goal, Goals};
pub use gold::Bundle;
pub use kernels::kernels;
pub use rules::{Bounds, FaceDownGoals, Maps, Saboteur, Stones};
pub use table::{Past, Seats, Table};
pub use tile::{Side, Sides, Tile, Tiles, TilesIter};
pub use view::{Event, Role, RoundEnd, View};
pub use world::World;
