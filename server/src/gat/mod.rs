//! The Geister tournament protocol (GAT/GPW): what real programs have spoken since 2016.

mod board;
mod clock;
mod connection;
mod host;
mod join;
mod line;
mod message;
mod session;
mod spectators;
mod thinker;
mod tracker;

pub use board::{BoardText, Placing};
pub use clock::{Clock, TimeControl};
pub use connection::Manners;
pub use host::{Entrant, Host, HostedGame, HouseAgent};
pub use join::{JoinError, JoinOptions, Joined, join};
pub use line::{Line, Lines};
pub use message::{Command, Message};
pub use session::{End, Fault, Output, Session, SessionOptions};
pub use spectators::Spectators;
pub use tracker::{TrackError, Tracker};
