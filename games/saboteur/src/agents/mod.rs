//! Who plays Saboteur.

use crate::Saboteur;
use oboro_core::{AgentEntry, NoParams, RandomAgent, fresh};

/// Every agent of the game, by name.
pub fn agents() -> Vec<AgentEntry<Saboteur>> {
    vec![AgentEntry::new::<NoParams>(
        "random",
        "Oboro",
        "plays every legal action with the same probability",
        |_, _| Ok(fresh(RandomAgent)),
    )]
}
