//! The Geister tournament protocol (GAT/GPW), which real programs have spoken since 2016: a server, a client, a league
//! and a page for spectators.
//!
//! The protocol itself is plain data and functions without a socket or a clock: [`Lines`] cuts
//! bytes into lines, [`Command`] and [`Message`] are what the two sides say, with [`BoardText`] in
//! them, [`Session`] is one game as the server sees it, with its [`Clock`], and [`Tracker`] as a
//! client sees it. Around them stand [`Host`], which plays games over TCP, [`join`] and
//! [`Spectators`]; and around those the tasks of a command line: [`Serving`], [`join_games`],
//! [`play_league`] and [`check_server`], all behind [`run`].
//!
//! ```
//! use oboro_core::Seat;
//! use oboro_geister::Geister;
//! use oboro_gat::{Line, Output, Session, SessionOptions};
//! use std::time::Duration;
//!
//! let mut session = Session::new(SessionOptions::default());
//! let now = Duration::ZERO;
//! for seat in Seat::all(2) {
//!     session.join(now, seat);
//!     session.line(now, seat, &Line::Whole(b"SET:ABCD".to_vec()));
//! }
//! let said: Vec<String> = session
//!     .outputs()
//!     .filter_map(|output| match output {
//!         Output::Send(seat, message) => Some(format!("{seat} {message}")),
//!         _ => None,
//!     })
//!     .collect();
//! assert_eq!(said[..4], ["0 SET?", "0 OK ", "1 SET?", "1 OK "]);
//! assert_eq!(said[4], "0 MOV?14R24R34R44R15B25B35B45B41u31u21u11u40u30u20u10u");
//! ```
#![forbid(unsafe_code)]

mod background;
mod board;
mod check;
mod clock;
mod connection;
mod error;
mod host;
mod join;
mod join_games;
mod league;
mod line;
mod message;
mod queues;
mod roster;
mod serve;
mod session;
mod spectators;
mod tally;
mod task;
mod tracker;
mod visitors;

pub use board::{BoardText, Placing};
pub use check::{CheckOptions, CheckResult, check_all, check_names, check_server};
pub use clock::{Clock, TimeControl};
pub use connection::ConnectionTiming;
pub use error::GatError;
pub use host::{Host, HostedGame, HouseAgent, Side};
pub use join::{JoinError, JoinOptions, Joined, join};
pub use join_games::{JoinGames, JoinSummary, join_games};
pub use league::{LeagueFile, LeagueRow, LeagueStandings, PlayerEntry, play_league};
pub use line::{Line, Lines};
pub use message::{Command, Message};
pub use roster::house_agent;
pub use serve::{ServeOptions, Serving};
pub use session::{End, Fault, Output, Session, SessionOptions};
pub use spectators::Spectators;
pub use tally::Tally;
pub use task::{Task, run};
pub use tracker::{TrackError, Tracker};
