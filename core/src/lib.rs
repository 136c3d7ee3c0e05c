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
//! | live game | [`Live`]: one game in progress with its players, stepped from outside |
//! | scene | [`GameScenes`]: a view as plain data for screens and programs |
//! | encoding | [`GameEncoding`]: a view as planes and features, for programs that learn |
//! | belief | [`Belief`]: what an agent thinks of hidden things |
//!
//! A game implements [`Game`], [`GameWorld`] and [`SeatView`]; the package
//! `oboro-testkit` then checks the laws every game must keep. Agents are listed with [`AgentEntry`] so that they can be built from
//! text such as `mc:playouts=2000,policy=rule`.
#![forbid(unsafe_code)]

mod agent;
mod belief;
mod bit_set;
mod defaults;
mod encoding;
mod feature_writer;
mod game;
mod kernel;
mod lists;
mod live;
mod notation;
mod params;
mod player_channels;
mod public;
mod puzzle;
mod range;
mod record;
mod registry;
mod rng;
mod scene;
mod seat;
mod seed;
mod spec;
mod stop;
mod suggest;
mod tool;

pub use agent::{
    ActionValue, Agent, Analysis, Estimate, Oracle, Player, Policy, RandomAgent, RandomPolicy,
    advise, draw_action,
};
pub use belief::{Belief, Likelihood};
pub use defaults::{
    DefaultEncoding, DefaultParts, DefaultScene, DefaultScenes, Label, Observed, draw_seats,
    parse_history, write_history,
};
pub use encoding::{Channel, EncodingLayout, GameEncoding, ObservationBuffer, Shape, Symmetry};
pub use feature_writer::FeatureWriter;
pub use game::{Fact, FactInfo, FactValue, Game, GameWorld, IllegalAction, Scoring, SeatView};
pub use kernel::{Checksum, FastPath, Kernel, Measured, Work};
pub use lists::joined;
pub use live::{Consultation, Decision, Insight, Live, LiveError, Outcome, Thinking, Thought};
pub use notation::{NotationError, Scanner};
pub use player_channels::player_channels;
pub use public::{
    Footprint, PUBLIC_LENGTH, check_public_length, from_public_pairs, is_bounded, public_schema,
};
pub use puzzle::{Puzzle, PuzzleBook};
pub use range::check_range;
pub use record::{Record, RecordError, Replay, ReplayError};
pub use registry::{
    AgentEntry, Factory, NoParams, ParamInfo, Params, changed_params, fresh, json_schema,
    param_table, params_of,
};
pub use rng::Rng;
pub use scene::{Described, GameScenes, Perspective, Phrase, SceneData};
pub use seat::Seat;
pub use seed::{GameSeeds, ParseSeedError, Seed};
pub use spec::{Spec, SpecError, from_pairs, plain_error};
pub use stop::{Stop, stopping};
pub use suggest::did_you_mean;
pub use tool::{Tool, ToolHost, Toolbox};
