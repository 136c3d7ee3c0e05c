//! What a player does, and what a seat sees of it.

use oboro_core::{NotationError, Seat};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// What is said of the other's die.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Action {
    /// It is in the upper half.
    High,
    /// It is not.
    Low,
    /// It is even.
    Even,
}

impl Action {
    /// All that can be said.
    pub const ALL: [Action; 3] = [Action::High, Action::Low, Action::Even];

    /// Whether it is so.
    pub fn is_right(self, die: u8, sides: u8) -> bool {
        match self {
            Action::High => die > sides / 2,
            Action::Low => die <= sides / 2,
            Action::Even => die.is_multiple_of(2),
        }
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Action::High => "high",
            Action::Low => "low",
            Action::Even => "even",
        })
    }
}

impl FromStr for Action {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Action, NotationError> {
        let found = Action::ALL.into_iter().find(|action| action.to_string() == text);
        found.ok_or_else(|| NotationError::new(text, 0, "expected high, low or even"))
    }
}

/// What one seat sees of an action: exactly what its view gains by it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Event {
    /// Who spoke.
    pub seat: Seat,
    /// What it said.
    pub action: Action,
    /// Both dice, which are shown after the last word.
    pub shown: Option<[u8; 2]>,
}
