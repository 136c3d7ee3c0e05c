//! The agents, one file each.

use crate::Labyrinth;
use oboro_core::{AgentEntry, NoParams, RandomAgent, fresh};

/// Every agent of the game, weakest first.
pub fn agents() -> Vec<AgentEntry<Labyrinth>> {
    vec![AgentEntry::new::<NoParams>(
        "random",
        "Oboro",
        "plays every legal turn with the same probability",
        |_, _| Ok(fresh(RandomAgent)),
    )]
}
