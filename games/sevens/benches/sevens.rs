//! Throughput of whole games from a fresh deal, on one core: `cargo bench -p oboro-sevens`.
//!
//! Each line is the best of several runs over the same fixed work; the answer is checked, so that a
//! change of play cannot pass for a change of speed.
#![allow(
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a benchmark prints times"
)]

use oboro_core::{Game, GameWorld, Policy, Rng, Seat};
use oboro_search::playout;
use oboro_sevens::agents::{ByHand, Eval, Random, Rule};
use oboro_sevens::{Sevens, World};
use std::time::Instant;

const GAMES: u32 = 100_000;

fn measure(name: &str, policy: &mut impl Policy<World>, expected: f64) {
    let game = Sevens::default();
    let mut best = f64::INFINITY;
    for _ in 0..5 {
        let mut rng = Rng::from_u64(1);
        let mut sum = 0.0;
        let start = Instant::now();
        for _ in 0..GAMES {
            let mut world = game.deal(&mut rng);
            playout(&mut world, policy, &mut rng);
            sum += world.payoff(Seat::FIRST);
        }
        best = best.min(start.elapsed().as_secs_f64());
        let mean = sum / f64::from(GAMES);
        assert!(
            (mean - expected).abs() < 1e-9,
            "{name}: seat 0 scored {mean}, not {expected}"
        );
    }
    println!("{name:<28}{:>12.0} games/s", f64::from(GAMES) / best);
}

fn main() {
    measure("random games", &mut ByHand(Random), 1.0071866666666696);
    measure("rule games", &mut ByHand(Rule), 0.9453333333333358);
    measure(
        "eval games",
        &mut ByHand(Eval::default()),
        0.8341133333333554,
    );
}
