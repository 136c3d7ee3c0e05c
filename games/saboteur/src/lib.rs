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
//! assert!(view.public().past().len() == 1 && view.to_act().is_none());
//! ```
//!
//! Cards, tables and the `path` agent are those of Ohata, Ito and Tajima, "Examination of path
//! creation heuristics in the board game Saboteur" (2019). Where rulebook and paper leave a choice:
//!
//! - A goal that is turned up lies so that it joins the way that reached it (unturned if it does so
//!   both ways), and may clash with its other neighbours; a way leads on through it only where both
//!   sides are open.
//! - Of the gold everybody takes the most valuable card left, so that sharing it is no decision.
//!   Only the player that is handed the bundle sees what is left in it.
//! - Saboteurs take their nuggets in as few gold cards as there are.
//! - Roles are shown at the end of a round; cards in hands and under the pile are not.
//! - Everybody knows who put how many cards away, and which goals each player has looked at.
//!
//! Start reading at [`Board`] for what may be laid where, at [`Public`] for the legal actions, at
//! [`World`] for their effects, and at [`mod@agents`] for the agents.

mod action;
pub mod agents;
mod board;
mod card;
mod cell;
mod draw;
mod drawing;
mod encoding;
mod gold;
mod kernels;
mod notation;
mod open_ends;
mod playout;
mod public;
mod rules;
pub mod scene;
mod tile;
mod view;
mod world;

pub use action::Action;
pub use agents::agents;
pub use board::Board;
pub use card::{Card, GoalCard};
pub use cell::{Cell, Goal};
pub use kernels::kernels;
pub use public::{Public, Seats};
pub use rules::{Bounds, FaceDownGoals, Maps, Saboteur, StonePaths};
pub use tile::{Side, Sides, Tile, Tiles};
pub use view::{Event, Role, View};
pub use world::World;

pub(crate) use card::{CardKind, Cards, Hand, Tool, Tools};
pub(crate) use cell::{Cells, Goals};
pub(crate) use open_ends::OpenEnds;
pub(crate) use public::FinishedRound;
pub(crate) use tile::leading;
pub(crate) use view::RoundEnd;
