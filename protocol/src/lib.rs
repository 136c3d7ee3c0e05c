//! JSON lines for programs in any language, what UCI is to chess: they play here as agents, and our agents play for
//! other people's referees. `docs/reference/protocol.md` is the page for whoever writes a program.
//!
//! ```
//! use oboro_catalog::game;
//! use oboro_protocol::Programs;
//! use std::sync::Arc;
//!
//! let rules = game("geister").unwrap().rules(&[]).unwrap().allow_external(Arc::new(Programs::new()));
//! let spec = rules.canonical("exec:./my-bot --level 3,seconds=10").unwrap();
//! assert_eq!(spec, "exec:./my-bot --level 3");
//! ```
#![forbid(unsafe_code)]

mod check;
#[cfg(target_os = "linux")]
mod descendants;
mod message;
mod peer;
mod player;
mod process;
mod program;
mod speak;

pub use check::{Conformity, Finding, check};
pub use message::{
    Forfeit, FromProgram, Offer, PROTOCOL, ProgramValue, Question, TimeLimits, ToProgram, Want,
    read_line, schema, write_line,
};
pub use process::Process;
pub use program::{Program, ProgramParams, Programs};
pub use speak::{SpeakError, speak};
