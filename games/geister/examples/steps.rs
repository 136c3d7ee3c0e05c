//! What a step of a playout costs, random and by every policy that comes with the game, one at a time and many together:
//! `cargo run --release -p oboro-geister --example steps`. An argument is the number of worlds in a batch.
#![allow(clippy::print_stdout, reason = "it prints what it measures")]

use oboro_core::{Policy, RandomPolicy, Rng};
use oboro_geister::gp::{GpPlayouts, StrategySource};
use oboro_geister::{Placement, World};
use std::time::Instant;

/// How often everything is measured, in turn.
const ROUNDS: usize = 15;

/// How many steps are measured at a time, about.
const STEPS: u64 = 40_000;

/// Nanoseconds a step: of one playout after the other, and of batches.
fn measure(policy: &mut impl Policy<World>, batch: usize, together: bool) -> f64 {
    let mut rng = Rng::from_u64(1);
    let (mut steps, mut nanoseconds) = (0, 0.0);
    let mut worlds = Vec::with_capacity(batch);
    while steps < STEPS {
        worlds.clear();
        worlds.extend((0..batch).map(|_| {
            World::placed([Placement::random(&mut rng), Placement::random(&mut rng)], 300)
        }));
        #[allow(clippy::disallowed_methods, reason = "a benchmark")]
        let start = Instant::now();
        if together {
            policy.play_out_all(&mut worlds, &mut rng);
        } else {
            for world in &mut worlds {
                policy.play_out(world, &mut rng);
            }
        }
        nanoseconds += start.elapsed().as_nanos() as f64;
        steps += worlds.iter().map(|world| u64::from(world.public().ply())).sum::<u64>();
    }
    nanoseconds / steps as f64
}

fn quickest(times: &[f64]) -> f64 {
    times.iter().copied().fold(f64::INFINITY, f64::min)
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn main() {
    let batch = std::env::args().nth(1).map_or(Ok(500), |text| text.parse::<usize>());
    let Ok(batch @ 1..) = batch else {
        println!("steps BATCH: how many worlds are played together, 1 or more");
        return;
    };
    let mut policies: Vec<(String, GpPlayouts)> = Vec::new();
    for name in StrategySource::names() {
        let squad = StrategySource::Named(name.to_owned()).load().expect("it comes with the game");
        for (number, strategy) in squad.strategies().iter().enumerate() {
            policies.push((format!("{name}/{}", number + 1), strategy.playouts()));
        }
    }
    // Of random play and of each policy: alone and together, round by round.
    let mut times = vec![[Vec::new(), Vec::new()]; policies.len() + 1];
    for _ in 0..ROUNDS {
        for (ways, one) in times.iter_mut().enumerate() {
            for (together, times) in one.iter_mut().enumerate() {
                times.push(match ways.checked_sub(1) {
                    None => measure(&mut RandomPolicy, batch, together == 1),
                    Some(policy) => measure(&mut policies[policy].1, batch, together == 1),
                });
            }
        }
    }
    let random = times[0][0].clone();
    let names = policies.iter().map(|(name, _)| name.as_str());
    let mut ratios = [Vec::new(), Vec::new()];
    println!(
        "batches of {batch}; nanoseconds a step, quickest and median; ratio to random play one at a time"
    );
    for (name, one) in std::iter::once("random").chain(names).zip(&times) {
        print!("{name:40}");
        for (way, times) in one.iter().enumerate() {
            let ratio = quickest(times) / quickest(&random);
            let pairs = times.iter().zip(&random).map(|(one, other)| one / other).collect();
            print!(
                "  {:6.2} {:6.2}  {ratio:5.2} {:5.2}",
                quickest(times),
                median(times.clone()),
                median(pairs)
            );
            if name != "random" && !name.starts_with("algorithm") {
                ratios[way].push(ratio);
            }
        }
        println!();
    }
    for (way, ratios) in ["one at a time", "many together"].into_iter().zip(ratios) {
        let longest = ratios.iter().copied().fold(0.0, f64::max);
        println!(
            "evolved, {way}: {:.2} to {longest:.2}, median {:.2}",
            quickest(&ratios),
            median(ratios.clone())
        );
    }
}
