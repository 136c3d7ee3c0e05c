//! The speed of the kernel and of two agents on one core:
//!
//! ```text
//! cargo bench -p oboro-labyrinth
//! ```
//!
//! Every figure is the best of several runs of the same work, and every run must give the same answer.
#![allow(
    missing_docs,
    clippy::print_stdout,
    reason = "a program that talks to a person"
)]
#![allow(clippy::disallowed_methods, reason = "it measures time")]

use oboro_core::{Agent, Game, GameWorld, Rng, Seat};
use oboro_labyrinth::agents::{BigBrain, BigBrainParams, Pathfinder, PathfinderParams, Quest};
use oboro_labyrinth::{Entry, Labyrinth, Rotation, View, World, reach_of_all_pushes};
use std::hint::black_box;
use std::time::Instant;

const RUNS: usize = 7;

/// Prints the best time of `RUNS` runs for each of `units` of work, and checks the answer.
fn measure(
    what: &str,
    unit: &str,
    scale: f64,
    expected: u64,
    mut work: impl FnMut() -> (u64, u64),
) {
    let mut best = f64::INFINITY;
    for _ in 0..RUNS {
        let start = Instant::now();
        let (units, answer) = work();
        best = best.min(start.elapsed().as_secs_f64() / units as f64);
        assert_eq!(answer, expected, "{what}: the answer has changed");
    }
    println!("{what}: {:.3} {unit}", best * scale);
}

/// Positions from games between two quick seekers, in which the board is as open as in real play.
fn positions() -> Vec<World> {
    let rules = Labyrinth::default();
    let mut positions = Vec::new();
    for number in 0..40 {
        let mut rng = Rng::from_u64(number);
        let mut world = rules.deal(&mut rng);
        let mut brain = BigBrain::new(BigBrainParams::default());
        for _ in 0..20 {
            let Some(mover) = world.to_act() else { break };
            positions.push(world);
            world.apply(brain.act(&world.view(mover), &mut rng));
        }
    }
    positions
}

fn main() {
    let worlds = positions();
    let views: Vec<View> = worlds
        .iter()
        .map(|world| world.view(world.to_act().expect("not over")))
        .collect();

    measure("push and flood fill", "ns", 1e9, 2_254_604, || {
        let (mut count, mut cells) = (0, 0);
        for world in &worlds {
            for entry in Entry::all() {
                for rotation in Rotation::ALL {
                    let mut maze = *black_box(world.table().board().maze());
                    maze.push(entry, world.table().board().extra().turned(rotation));
                    let pawn = entry.carry(world.table().pawn(Seat::FIRST));
                    cells += maze.corridors().reach(pawn.into()).len() as u64;
                    count += 1;
                }
            }
        }
        (count, cells)
    });

    measure(
        "all legal pushes of a position with their reach",
        "µs",
        1e6,
        2_070_000,
        || {
            let mut cells = 0;
            for world in &worlds {
                let table = black_box(world).table();
                let pawn = table.pawn(Seat::FIRST);
                reach_of_all_pushes(table.board(), table.last_push(), pawn, |_, _, reached| {
                    cells += reached.len() as u64;
                });
            }
            (worlds.len() as u64, cells)
        },
    );

    // Goals that are three turns away make the search look at everything within two.
    let far: Vec<Quest> = views
        .iter()
        .map(Quest::new)
        .filter(|quest| quest.distance(2).0.is_none())
        .collect();
    let mut per_second = 0.0f64;
    for _ in 0..RUNS {
        let start = Instant::now();
        let states: u64 = far.iter().map(|quest| black_box(quest).distance(3).1).sum();
        per_second = per_second.max(states as f64 / start.elapsed().as_secs_f64());
        assert_eq!(states, 0, "exhaustive: the number of states has changed");
    }
    println!(
        "exhaustive: {:.1} million push-and-flood states a second",
        per_second / 1e6
    );

    let mut brain = BigBrain::new(BigBrainParams::default());
    measure("big-brain", "ms a decision", 1e3, 0, || {
        decide(&mut brain, &views)
    });
    let mut pathfinder = Pathfinder::new(PathfinderParams::default()).expect("defaults are valid");
    measure("pathfinder", "ms a decision", 1e3, 0, || {
        decide(&mut pathfinder, &views)
    });
}

/// One decision for every view, and a checksum of what was played.
fn decide(agent: &mut impl Agent<Labyrinth>, views: &[View]) -> (u64, u64) {
    let mut rng = Rng::from_u64(1);
    let checksum = views.iter().fold(0u64, |sum, view| {
        let action = agent.act(view, &mut rng);
        let number = action.entry.index() * Rotation::ALL.len() * 49
            + action.rotation.degrees() as usize / 90 * 49
            + action.to.index();
        sum.wrapping_mul(31).wrapping_add(number as u64)
    });
    (views.len() as u64, checksum)
}
