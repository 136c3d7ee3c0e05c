//! The Geister tournament protocol (GAT/GPW): what real programs have spoken since 2016.
//!
//! Without IO: [`Lines`], [`Command`], [`Message`], [`BoardText`], [`Session`], [`Clock`],
//! [`Tracker`]. With tokio around it: [`Host`], [`join`], [`Spectators`]. The commands: [`Serving`],
//! [`join_games`], [`play_league`], [`check_server`], all behind [`run`].

mod board;
mod check;
mod cli;
mod clock;
mod connection;
mod error;
mod host;
mod join;
mod join_command;
mod league;
mod line;
mod message;
mod options;
mod roster;
mod serve;
mod session;
mod spectators;
mod tally;
mod thinker;
mod tracker;
mod visitors;

pub use board::{BoardText, Placing};
pub use check::{CheckArgs, Verdict, check_all, check_names, check_server};
pub use cli::{GatArgs, run};
pub use clock::{Clock, TimeControl};
pub use connection::Manners;
pub use error::GatError;
pub use host::{Entrant, Host, HostedGame, HouseAgent};
pub use join::{JoinError, JoinOptions, Joined, join};
pub use join_command::{JoinArgs, JoinSummary, join_games};
pub use league::{
    LeagueArgs, LeagueFile, LeagueGame, LeagueOutcome, LeagueStandings, PlayerEntry, play_league,
};
pub use line::{Line, Lines};
pub use message::{Command, Message};
pub use options::GameArgs;
pub use roster::house_agent;
pub use serve::{ServeArgs, Serving};
pub use session::{End, Fault, Output, Session, SessionOptions};
pub use spectators::Spectators;
pub use tally::Tally;
pub use tracker::{TrackError, Tracker};
