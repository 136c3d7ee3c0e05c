//! The agents, one file each.

mod best_first;
mod big_brain;
mod cell_counts;
mod exhaustive;
mod layout;
mod oboro;
mod pathfinder;
mod plan;
mod saboteur;
mod standard;
mod table;
mod valuation;

pub use best_first::{BestFirst, ExtraGoal, HeuristicParams};
pub use big_brain::{BigBrain, BigBrainParams, Entries, Fallback, Visited};
pub use exhaustive::{Exhaustive, ExhaustiveParams, GoalSearch};
pub use oboro::{Oboro, OboroParams};
pub use pathfinder::{Pathfinder, PathfinderParams};
pub use saboteur::{Saboteur, SaboteurParams};
pub use valuation::Valuation;

use crate::Labyrinth;
use oboro_core::{AgentEntry, NoParams, RandomAgent, fresh};
use oboro_search::with_standard_agents;

/// Every agent of the game.
pub fn agents() -> Vec<AgentEntry<Labyrinth>> {
    let quick = [
        AgentEntry::new::<NoParams>(
            "random",
            "Miyamoto 2024, section 2.2",
            "Plays every legal turn with the same probability",
            |_, _| Ok(fresh(RandomAgent)),
        ),
        AgentEntry::new::<SaboteurParams>(
            "saboteur",
            "Miyamoto 2024, section 2.2.2",
            "Leaves the others as few cells to reach as it can",
            |_, params| Ok(fresh(Saboteur::new(*params))),
        ),
        AgentEntry::new::<BigBrainParams>(
            "big-brain",
            "Miyamoto 2024, section 2.2.1",
            "Searches breadth-first for a way to its goal, as the public program is described",
            |_, params| Ok(fresh(BigBrain::new(*params))),
        ),
        heuristic(
            "treasure-count",
            "Miyamoto 2024, section 3.2.1",
            "Wants many unknown treasures within its own reach and few within the others'",
            Valuation::TREASURE_COUNT,
        ),
        heuristic(
            "distance",
            "Miyamoto 2024, section 3.2.2",
            "Gets near its goal, on a side where the goal's tile opens",
            Valuation::DISTANCE,
        ),
        heuristic(
            "static-tile",
            "Miyamoto 2024, section 3.2.3",
            "Gets near its goal and likes tiles that no push moves",
            Valuation::STATIC_TILE,
        ),
        heuristic(
            "hybrid",
            "Miyamoto 2024, section 3.2.4",
            "Adds up the treasures of treasure-count and all of static-tile",
            Valuation::HYBRID,
        ),
        heuristic(
            "slide-direction",
            "Miyamoto 2024, section 3.2.5",
            "Gets near its goal and likes tiles that few pushes move",
            Valuation::SLIDE_DIRECTION,
        ),
        AgentEntry::new::<ExhaustiveParams>(
            "exhaustive",
            "Oboro",
            "Finds a way to its goal in the fewest own turns, exactly",
            |_, params| Ok(fresh(Exhaustive::new(*params)?)),
        ),
        AgentEntry::new::<PathfinderParams>(
            "pathfinder",
            "Oboro",
            "Weighs its own chances against what the others can do next",
            |_, params| Ok(fresh(Pathfinder::new(*params)?)),
        ),
    ];
    let mut agents = Vec::from(quick.map(|entry| entry.public(16, 4_096)));
    agents.push(
        AgentEntry::new::<OboroParams>(
            "oboro",
            "Oboro",
            "Infers the others' goals from their turns, and evaluates own turns by imagined rounds",
            |_, params| Ok(fresh(Oboro::new(*params)?)),
        )
        .positional(&["nodes"])
        .public(600, 4_096),
    );
    with_standard_agents(agents)
}

fn heuristic(
    name: &'static str,
    source: &'static str,
    about: &'static str,
    valuation: Valuation,
) -> AgentEntry<Labyrinth> {
    AgentEntry::new::<HeuristicParams>(name, source, about, move |_, params| {
        Ok(fresh(BestFirst::new(valuation, *params)))
    })
}
