//! One player for every game of hidden information.
//!
//! | part | what it is |
//! |---|---|
//! | [`Evaluator`] | says what the actions of a position are worth to the seat to move |
//! | [`GameNet`] | a trained net as an evaluator, for any game |
//! | `solved` | the solution of a small game as an evaluator |
//! | `hypotheses` | what may be true where worlds are followed: worlds with weights |
//! | `particles` | what may be true where worlds are replayed: samples |
//! | `opponents` | how much is to be made of what others did: a mixture that doubts itself |
//! | `types` | how others may play where worlds are replayed: the simple policies of a game, with errors |
//! | `search` | compares actions by short rollouts in worlds drawn from the hypotheses |
//! | [`PlayerAgent`] | the agent made of them |
//!
//! A game gets the player with its net by one line, [`oboro`]. Every game has it without a net ([`plain_oboro`]) and with one
//! from a file ([`net_agent`]).
#![forbid(unsafe_code)]

mod agent;
mod entries;
mod evaluator;
mod hypotheses;
mod net;
mod opponents;
mod particles;
mod playable;
mod search;
mod solved;
mod types;

pub use agent::{Decision, Limits, PlayerAgent};
pub use entries::{net_agent, oboro, plain_oboro};
pub use evaluator::{Evaluator, Position, Prediction};
pub use hypotheses::all_worlds;
pub use net::{GameNet, GameNetError, ShippedNet};
pub use playable::Playable;
