//! Tables for browsers: people play, watch and look into live games.
//!
//! A [`TableRegistry`] holds the tables. A table is a live game of the catalog with the keys of its seats; every connection is
//! shown the scene of its seat and nothing else. With a [`Database`] everything done at a table is on disk before it is
//! shown to anybody. Agents think on threads of their own and never hold a socket up.
//!
//! `message.rs` has what is said over a socket; `docs/reference/browser-protocol.md` describes it for people.
#![forbid(unsafe_code)]

mod accept;
mod address;
mod connections;
mod deepen;
mod error;
mod event;
mod forms;
mod host;
mod http;
mod key;
mod levels;
mod library;
mod limits;
mod message;
mod metrics;
mod progress;
mod registry;
mod session;
mod setup;
mod state;
mod store;
mod table;
mod table_event;
mod thinking;
mod timed_stream;
mod websocket;

pub use accept::{serve, serve_admin};
pub use error::Refusal;
pub use event::{Absent, EventAgent, EventGame, EventKind, EventPlan};
pub use host::{host_key, new_host_key};
pub use http::Site;
pub use library::{Entry, Library};
pub use limits::Limits;
pub use registry::{Restored, TableRegistry};
pub use setup::{NewTable, Opened, RoomOptions, SeatChoice, commitment};
pub use store::{Database, Salvaged, StoreError};

/// The browser app, built by `web/` and kept in the repository.
#[derive(rust_embed::RustEmbed)]
#[folder = "../web/dist"]
struct Assets;
