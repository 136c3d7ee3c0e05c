//! The Geister tournament protocol (GAT/GPW), which real programs have spoken since 2016: a server, a client, a league
//! and a page for spectators.
//!
//! The protocol itself is plain data and functions without a socket or a clock: lines are cut out of bytes, read and
//! written as commands and messages, and judged by a [`Session`], which is one game as the server sees it. Sockets,
//! clocks, programs and spectators stand around it, all behind [`run`].
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
mod flags;
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

pub use check::{CheckOptions, CheckResult, check_all, check_names};
pub use clock::TimeControl;
pub use error::GatError;
pub use join_games::{JoinGames, JoinSummary, join_games};
pub use league::{LeagueRow, LeagueStandings, play_league};
pub use line::{Line, Lines};
pub use message::Message;
pub use serve::{ServeOptions, Serving};
pub use session::{Output, Session, SessionOptions};
pub use tally::Tally;
pub use task::{Task, run};

use board::{BoardText, Placing};
use check::check_server;
use clock::Clock;
use connection::ConnectionTiming;
use host::{Host, HostedGame, HouseAgent, Side};
use join::{JoinOptions, join};
use message::Command;
use roster::house_agent;
use session::{End, Fault};
use spectators::Spectators;
use tracker::{TrackError, Tracker};
