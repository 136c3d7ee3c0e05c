use crate::agents::{
    BestFirst, BigBrain, BigBrainParams, Exhaustive, ExhaustiveParams, GoalSearch, HeuristicParams,
    Pathfinder, PathfinderParams, Valuation,
};
use crate::board::reach_of_all_pushes;
use crate::entry::Entry;
use crate::rules::Labyrinth;
use crate::tile::Rotation;
use crate::view::View;
use oboro_core::{Agent, Checksum, Game, GameWorld, Kernel, Rng, Work};
use std::hint::black_box;
use std::sync::OnceLock;

/// The work whose speed is worth knowing.
pub fn kernels() -> Vec<Kernel> {
    vec![
        Kernel::new("push and flood fill", "pushes", 0x5834_f3d6_94cc_2c70, push_and_flood),
        Kernel::new(
            "all legal pushes with their reach",
            "positions",
            0x8544_9cfa_89c4_dab5,
            reach_of_positions,
        ),
        Kernel::new("exhaustive search", "states", 0x7642_e249_4198_c673, search_states),
        Kernel::new("exhaustive", "decisions", 0x2774_8dd8_a962_10da, || {
            decide(Exhaustive::new(ExhaustiveParams::default()).expect("defaults"))
        }),
        Kernel::new("big-brain", "decisions", 0x2dc2_dce9_1a07_0e16, || {
            decide(BigBrain::new(BigBrainParams::default()))
        }),
        Kernel::new("static-tile", "decisions", 0x599b_121a_ddcd_3dba, || {
            decide(BestFirst::new(Valuation::STATIC_TILE, HeuristicParams::default()))
        }),
        Kernel::new("pathfinder", "decisions", 0x38d3_7554_ae46_f733, || {
            decide(Pathfinder::new(PathfinderParams::default()).expect("defaults"))
        }),
    ]
}

/// Positions from games of Big Brain against itself, in which the board is as open as in real play.
/// They are made once, so that the best run does not count their making.
fn positions() -> &'static [View] {
    static POSITIONS: OnceLock<Vec<View>> = OnceLock::new();
    POSITIONS.get_or_init(|| {
        let rules = Labyrinth::default();
        let mut brain = BigBrain::new(BigBrainParams::default());
        let mut views = Vec::new();
        for number in 0..20 {
            let mut rng = Rng::from_u64(number);
            let mut world = rules.deal(&mut rng);
            for _ in 0..20 {
                let Some(mover) = world.to_act() else { break };
                views.push(world.view(mover));
                world.apply(brain.act(&world.view(mover), &mut rng));
            }
        }
        views
    })
}

/// Passes over the positions where one would be too quick to measure.
const ROUNDS: u64 = 5;

fn push_and_flood() -> Work {
    let mut checksum = Checksum::default();
    let mut count = 0;
    for view in positions() {
        let board = view.public().board();
        let mut cells = 0;
        for _ in 0..ROUNDS {
            for entry in Entry::all() {
                for rotation in Rotation::ALL {
                    let mut maze = *black_box(board.maze());
                    maze.push(entry, board.extra().turned(rotation));
                    let pawn = entry.carry(view.public().pawn(view.seat));
                    cells += maze.corridors().reach(pawn.into()).len() as u64;
                    count += 1;
                }
            }
        }
        checksum.add(cells);
    }
    Work { count, checksum: checksum.value() }
}

fn reach_of_positions() -> Work {
    let mut checksum = Checksum::default();
    let mut count = 0;
    for view in positions() {
        let mut cells = 0;
        for _ in 0..ROUNDS {
            let public = black_box(view.public());
            let pawn = public.pawn(view.seat);
            reach_of_all_pushes(public.board(), public.last_push(), pawn, |_, _, reached| {
                cells += reached.len() as u64;
            });
            count += 1;
        }
        checksum.add(cells);
    }
    Work { count, checksum: checksum.value() }
}

fn search_states() -> Work {
    let mut checksum = Checksum::default();
    let mut count = 0;
    for search in positions().iter().map(GoalSearch::new) {
        for _ in 0..ROUNDS {
            let (distance, states) = black_box(search).distance(4);
            checksum.add(distance.unwrap_or(0) as u64);
            count += states;
        }
    }
    Work { count, checksum: checksum.value() }
}

fn decide(mut agent: impl Agent<Labyrinth>) -> Work {
    let views = positions();
    let mut rng = Rng::from_u64(1);
    let mut checksum = Checksum::default();
    for view in views {
        let action = agent.act(view, &mut rng);
        checksum.add(action.entry.index() as u64);
        checksum.add(action.rotation.degrees().into());
        checksum.add(action.to.index() as u64);
    }
    Work { count: views.len() as u64, checksum: checksum.value() }
}
