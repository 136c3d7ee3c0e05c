//! The agents, one file each.

mod big_brain;
mod exhaustive;
mod pathfinder;
mod saboteur;
mod tiles;

pub use big_brain::{BigBrain, BigBrainParams, Entries, Fallback, Visited};
pub use exhaustive::{Exhaustive, ExhaustiveParams, MAX_DEPTH, Quest};
pub use pathfinder::{Pathfinder, PathfinderParams};
pub use saboteur::{Saboteur, SaboteurParams};

use crate::Labyrinth;
use oboro_core::{AgentEntry, NoParams, RandomAgent, fresh};

const THESIS: &str = "Miyamoto 2024";

/// Every agent of the game.
pub fn agents() -> Vec<AgentEntry<Labyrinth>> {
    vec![
        AgentEntry::new::<NoParams>(
            "random",
            THESIS,
            "plays every legal turn with the same probability",
            |_, _| Ok(fresh(RandomAgent)),
        ),
        AgentEntry::new::<SaboteurParams>(
            "saboteur",
            "Miyamoto 2024, section 2.2.2",
            "leaves the others as few cells to reach as it can",
            |_, params| Ok(fresh(Saboteur::new(*params))),
        ),
        AgentEntry::new::<BigBrainParams>(
            "big-brain",
            "Miyamoto 2024, section 2.2.1",
            "searches breadth-first for a way to its goal, as the public program does",
            |_, params| Ok(fresh(BigBrain::new(*params))),
        ),
        AgentEntry::new::<ExhaustiveParams>(
            "exhaustive",
            "Oboro",
            "finds a way to its goal in the fewest own turns, exactly",
            |_, params| Ok(fresh(Exhaustive::new(*params)?)),
        ),
        AgentEntry::new::<PathfinderParams>(
            "pathfinder",
            "Oboro",
            "weighs its own chances against what the others can do next",
            |_, params| Ok(fresh(Pathfinder::new(*params)?)),
        ),
    ]
}
