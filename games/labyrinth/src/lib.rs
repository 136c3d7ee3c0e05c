//! Labyrinth: a maze of sliding tiles. Nobody knows what the others look for, nor the next card of the own pile.
//!
//! A turn pushes the extra tile into one of twelve entries and then walks. The first player to find all own treasures
//! and return home wins. Rules and agents follow a thesis of 2024 on how to choose actions in this game, and the two
//! public programs it builds on and is measured against.
//!
//! ```
//! use oboro_core::{Game, GameWorld, Rng, Seat, SeatView};
//! use oboro_labyrinth::Labyrinth;
//!
//! let rules = Labyrinth::default();
//! let mut rng = Rng::from_u64(1);
//! let mut world = rules.deal(&mut rng);
//! let turn = world.random_action(&mut rng);
//! world.apply(turn);
//! assert_eq!(world.to_act(), Some(Seat::new(1)));
//! // Seat 1 sees the board and its own top card, and can imagine the rest.
//! let view = world.view(Seat::new(1));
//! assert_eq!(view.imagine(&mut rng).view(Seat::new(1)), view);
//! ```
//!
//! Start reading at [`Labyrinth`] (the rules as options), [`Public`] (a turn, step by step) and [`Maze`]
//! (the kernel).
#![forbid(unsafe_code)]

mod action;
pub mod agents;
mod board;
mod cell;
mod drawing;
mod encoding;
mod entry;
mod game;
mod kernels;
mod maze;
mod notation;
mod public;
mod puzzles;
mod rules;
pub mod scene;
mod tile;
mod tiles;
mod treasure;
mod view;
mod world;

pub use action::{Action, Event};
pub use agents::agents;
pub use board::Board;
pub use cell::{Cell, CellSet};
pub use entry::Entry;
pub use kernels::kernels;
pub use maze::Maze;
pub use public::{Finish, Goal, Public};
pub use rules::{Corner, Labyrinth};
pub use tile::{Rotation, Shape, Side, Sides};
pub use treasure::{Treasure, TreasureSet};
pub use view::View;
pub use world::World;
