//! One seat of a table, given to several agents in turn: the mean payoff of each in one role, and the difference to the
//! first of them.
//!
//! ```text
//! cargo run --release -p oboro-saboteur --example chair saboteur 1000 1 foreman foreman oboro
//! ```
//! The role, how many deals, the seed, who sits at the other chairs, then the agents to compare. One round by the paper's rules, six
//! players. The first deals in which the chair has that role are played, every one of them by every agent, with 95 % intervals.
//! `oboro population` does the same for all chairs and both roles of tables of several agents.
#![allow(clippy::print_stdout, reason = "a program that prints")]

use oboro_core::{AgentEntry, Game, GameWorld as _, Live, Seat, Seed};
use oboro_saboteur::agents::agents;
use oboro_saboteur::{Role, Saboteur};
use std::error::Error;
use std::thread;

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [role, deals, seed, other, guests @ ..] = &args[..] else {
        return Err("what is wanted: ROLE DEALS SEED OTHER AGENT…".into());
    };
    let deals: usize = deals.parse().map_err(|_| format!("{deals} is no number of deals"))?;
    let seed: u64 = seed.parse().map_err(|_| format!("{seed} is no seed: a number is"))?;
    if deals < 2 || guests.is_empty() {
        return Err("an interval needs two deals or more, and an agent to play them".into());
    }
    let role = [Role::Digger, Role::Saboteur].into_iter().find(|known| known.name() == role);
    let role = role.ok_or("the role is digger or saboteur")?;
    let seed = Seed::from_u64(seed);
    let rules = Saboteur::paper();
    let resolve = |name: &String| -> Result<_, Box<dyn Error>> {
        Ok(AgentEntry::resolve(&agents(), &rules, &name.parse()?)?.1)
    };
    let other = resolve(other)?;
    let resolved = guests.iter().map(resolve).collect::<Result<Vec<_>, _>>()?;

    let has_role = |number: &u64| {
        let world = rules.deal(&mut seed.game(*number, *number).deal());
        world.view(Seat::FIRST).role() == role
    };
    let numbers: Vec<u64> = (0..).filter(has_role).take(deals).collect();
    let play = |number: u64| -> Vec<f64> {
        let paid = resolved.iter().map(|guest| {
            let seeds = seed.game(number, number);
            let mut players = vec![other.clone(); rules.seats()];
            players[0] = guest.clone();
            let world = rules.deal(&mut seeds.deal());
            let outcome = Live::among(&rules, world, &players, &seeds).run();
            outcome.expect("agents of the laboratory play on").payoffs[0]
        });
        paid.collect()
    };
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let share = numbers.len().div_ceil(threads).max(1);
    let work = |numbers: &[u64]| numbers.iter().map(|&number| play(number)).collect();
    let work = &work;
    let results: Vec<Vec<f64>> = thread::scope(|scope| {
        let start = |numbers| scope.spawn(move || -> Vec<Vec<f64>> { work(numbers) });
        let workers: Vec<_> = numbers.chunks(share).map(start).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("no panic")).collect()
    });

    println!("{} deals", results.len());
    for (i, name) in guests.iter().enumerate() {
        let paid = interval(results.iter().map(|paid| paid[i]));
        let more = interval(results.iter().map(|paid| paid[i] - paid[0]));
        println!("{name:24} {paid}   more {more}");
    }
    Ok(())
}

/// The mean of some values and its 95 % interval, as text.
fn interval(values: impl ExactSizeIterator<Item = f64> + Clone) -> String {
    let n = values.len() as f64;
    let mean = values.clone().sum::<f64>() / n;
    let variance = values.map(|value| (value - mean).powi(2)).sum::<f64>() / (n - 1.0);
    format!("{mean:.3} ± {:.3}", 1.96 * (variance / n).sqrt())
}
