//! Oboro on the wire: the Geister tournament protocol, as a server, a client, a league and a page
//! for spectators.
//!
//! The protocol itself is plain data and functions without a socket or a clock: [`gat::Lines`] cuts
//! bytes into lines, [`gat::Command`] and [`gat::Message`] are what the two sides say,
//! [`gat::Session`] is one game as the server sees it and [`gat::Tracker`] as a client sees it.
//! Around them stand [`gat::Host`], which plays games over TCP, and [`gat::join`].
//!
//! ```
//! use oboro_core::Seat;
//! use oboro_geister::Geister;
//! use oboro_server::gat::{Line, Output, Session, SessionOptions};
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

pub mod gat;
