//! Tables on disk: an embedded database that only grows while games go on, written in groups.
//!
//! A table is what it was set up as and everything that was done at it, in order; restoring it is doing all that again.
//! An event is kept in the same way.
//! Positions are never stored, so there is nothing that could disagree with the steps.

mod database;
mod rescue;
mod writer;

pub use database::{Database, StoreError};
pub(crate) use database::{Reader, Saved, StoredKind, load};
pub use rescue::Salvaged;
pub(crate) use writer::{Content, Entry, Persistent, RecordChange, Writer};

/// Milliseconds since 1970, for the database: the times of steps, and how long the server was away.
#[allow(clippy::disallowed_methods, reason = "people's clocks go on by the clock")]
pub(crate) fn wall_clock() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    now.map_or(0, |now| now.as_millis() as u64)
}
