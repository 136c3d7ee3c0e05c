//! The vocabulary of Oboro, a laboratory for games in which nobody sees everything.
//!
//! | word | here |
//! |---|---|
//! | world | [`GameWorld`]: the whole truth of a game in progress |
//! | seat | [`Seat`]: a player's place; seat 0 moves first |
//! | view | [`SeatView`]: all that one seat knows |
//! | action | [`Game::Action`]: one complete decision, small and `Copy` |
//! | imagine | [`SeatView::imagine`]: draw a world from those that agree with a view |
//! | agent | [`Agent`]: chooses an action from a view, never from a world |
//! | policy | [`Policy`]: a cheap chooser inside simulations, over imagined worlds |
//! | record | [`Record`]: one game written down so that it can be replayed |
//!
//! A game implements [`Game`], [`GameWorld`] and [`SeatView`]; [`testkit`] then checks the laws
//! every game must keep. Agents are listed with [`AgentEntry`] so that they can be built from
//! text such as `mc:playouts=2000,policy=rule`.
#![forbid(unsafe_code)]

mod agent;
mod arena;
mod game;
mod kernel;
mod notation;
mod record;
mod registry;
mod rng;
mod seat;
mod seed;
mod spec;
mod suggest;
pub mod testkit;

pub use agent::{ActionValue, Agent, Analysis, Oracle, Player, Policy, RandomAgent, RandomPolicy};
pub use arena::{Outcome, Step, play_game};
pub use game::{Fact, FactValue, Game, GameWorld, IllegalAction, SeatView};
pub use kernel::{Checksum, Kernel, Measured, Work};
pub use notation::{NotationError, Scanner};
pub use record::{Record, RecordError, Replay, ReplayError};
pub use registry::{
    AgentEntry, Factory, NoParams, ParamInfo, Params, changed_params, fresh, param_table,
};
pub use rng::Rng;
pub use seat::Seat;
pub use seed::{GameSeeds, ParseSeedError, Seed};
pub use spec::{Spec, SpecError, from_pairs};
pub use suggest::did_you_mean;
