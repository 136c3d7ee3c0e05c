//! JSON lines for programs in any language, what UCI is to chess: they play here as agents, and our agents play for
//! other people's referees. `docs/protocol.md` is the page for whoever writes a program.
//!
//! ```
//! use oboro_catalog::game;
//! use oboro_protocol::Programs;
//! use std::sync::Arc;
//!
//! let rules = game("geister").unwrap().rules(&[]).unwrap().welcome(Arc::new(Programs::new()));
//! let spec = rules.canonical("exec:./my-bot --level 3,seconds=10").unwrap();
//! assert_eq!(spec, "exec:./my-bot --level 3");
//! ```
#![forbid(unsafe_code)]

mod message;
#[cfg(unix)]
mod peer;
#[cfg(unix)]
mod player;
#[cfg(unix)]
mod process;
#[cfg(unix)]
mod program;

pub use message::{
    Forfeit, FromProgram, Offer, PROTOCOL, Question, TimeLimits, ToProgram, Want, Weighed,
    read_line, schema, write_line,
};
#[cfg(unix)]
pub use program::{Program, ProgramParams, Programs};
