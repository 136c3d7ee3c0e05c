//! What is done at a table, as it stands in the database.

use crate::key::KeyHash;
use serde::{Deserialize, Serialize};

/// Everything that changes a table for good. Doing the steps of a table again, in order, gives the table again.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "deed", rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) enum TableEvent {
    /// Somebody takes an open seat.
    Sit { seat: usize, name: String, lock: KeyHash },
    /// Somebody gives a seat free before the game begins.
    Stand { seat: usize },
    /// Somebody who was expected has come, to a table of an event.
    Come { seat: usize },
    /// The game begins; an agent sits down wherever nobody does.
    Begin { fill: String },
    /// An action, of a person or of an agent, and the milliseconds it took.
    Play { seat: usize, action: String, spent: u64 },
    /// The last actions are taken back.
    TakeBack { plies: usize },
    /// Somebody gives the game up, or loses it by the clock: it is over.
    Forfeit { seat: usize, reason: String },
    /// An agent plays on for somebody who is away or out of time, after so many milliseconds.
    StandIn { seat: usize, spent: u64 },
    /// Somebody gives the game up, or loses it by the clock, and others play on: an agent has the seat from now on.
    Resign { seat: usize, spent: u64 },
    /// Somebody comes back to the own seat.
    Return { seat: usize },
    /// The same people go on at another table.
    Next { table: String },
}
