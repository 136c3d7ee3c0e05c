//! Fixed work, done several times; the best time counts, and the answers are checked.
//! `cargo bench -p oboro-geister`

use oboro_core::{Game, GameWorld, RandomPolicy, Rng, SeatView};
use oboro_geister::agents::naotti;
use oboro_geister::solver::{Solver, Verdict};
use oboro_geister::{Geister, View, kernels};
use oboro_search::Uct;
use std::time::Instant;

/// Runs short `work` many times and gives the shortest time with the answer, which must not change:
/// on a busy machine only a short run has a core to itself.
#[allow(clippy::disallowed_methods, reason = "a benchmark reads the clock")]
fn best<T: PartialEq + std::fmt::Debug>(mut work: impl FnMut() -> T) -> (f64, T) {
    let mut timed = || {
        let start = Instant::now();
        let answer = work();
        (start.elapsed().as_secs_f64(), answer)
    };
    let (mut seconds, answer) = timed();
    for _ in 0..100 {
        let (again, same) = timed();
        assert_eq!(same, answer, "a benchmark does the same work every time");
        seconds = seconds.min(again);
    }
    (seconds, answer)
}

#[allow(clippy::print_stdout, reason = "a benchmark prints its figures")]
fn main() {
    const GAMES: u64 = 1_000;
    let (seconds, (moves, won)) = best(|| kernels::random_games(GAMES, &mut Rng::from_u64(1)));
    println!(
        "random playouts   {:9.0} games/s   ({:.1} moves a game, seat 0 won {:.2} %)",
        GAMES as f64 / seconds,
        moves as f64 / GAMES as f64,
        100.0 * won as f64 / GAMES as f64
    );

    let rules = Geister::default();
    let view = |text: &str| -> View {
        let world = rules.parse_position(text).expect("a position");
        world.view(world.to_act().expect("not over"))
    };
    let start = "0 14R24R34R44R15B25B35B45B 41B31B21B11B40R30R20R10R";
    let world = rules.parse_position(start).expect("a position");
    let (seconds, count) = best(|| kernels::perft(&world, 5));
    assert_eq!(count, 118_488);
    println!(
        "perft 5           {:9.1} M moves/s",
        count as f64 / seconds / 1e6
    );

    let uct = Uct {
        playouts: 10_000,
        c: 1.0,
        expand_after: 4,
    };
    for (name, text) in [("start", start), ("middle", MIDDLE)] {
        let view = view(text);
        let (seconds, _) = best(|| {
            let mut rng = Rng::from_u64(1);
            uct.search(|rng| view.imagine(rng), &mut RandomPolicy, &mut rng)
        });
        println!(
            "mcts, {name:6}      {:9.1} ms for 10 000 playouts",
            seconds * 1e3
        );
    }

    for (name, text) in [("start", start), ("middle", MIDDLE)] {
        let view = view(text);
        let (seconds, (nodes, _)) = best(|| naotti::search_nodes(&view, 6));
        println!(
            "purple 6, {name:6}  {:9.1} M nodes/s  ({:.1} ms)",
            nodes as f64 / seconds / 1e6,
            seconds * 1e3
        );
    }

    let sharp = view(SHARP);
    let (seconds, (won, nodes)) = best(|| {
        let mut solver = Solver::new(16);
        let verdict = solver.prove(&oboro_geister::Purple::of(&sharp), 9, u64::MAX);
        (matches!(verdict, Verdict::Win { .. }), solver.nodes())
    });
    println!(
        "proof to 9 plies  {:9.1} M nodes/s  ({:.1} ms, {})",
        nodes as f64 / seconds / 1e6,
        seconds * 1e3,
        if won { "won" } else { "no forced win" }
    );
}

/// Pieces in contact, two captured on either side.
const MIDDLE: &str = "24 12B23R32B43R15B25R99B99R 22R33B42B13R40R99R20B10B";
/// Blues of both sides close to their exits.
const SHARP: &str = "30 12B23R42B43R15B25R99B99R 33R32B44B14R40R99R20B10B";
