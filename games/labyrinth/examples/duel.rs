//! Two agents against each other, sides swapped from game to game on the same deal:
//!
//! ```text
//! cargo run --release -p oboro-labyrinth --example duel -- pathfinder exhaustive 2000 --seed 1
//! ```
//!
//! Prints the first agent's win rate with its 95 % interval (Wilson), and for each agent the average
//! time of a decision and the average turns of its wins.
#![allow(clippy::print_stdout, reason = "a program that talks to a person")]
#![allow(clippy::disallowed_methods, reason = "it measures time")]

use oboro_core::{Agent, AgentEntry, Analysis, Factory, Game, GameWorld, Player, Rng, Seat, Seed};
use oboro_core::{Spec, play_game};
use oboro_labyrinth::{Action, Event, Labyrinth, View, agents};
use std::error::Error;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Instant;

/// How long one side has thought, and over how many decisions.
#[derive(Default)]
struct Clock {
    nanos: AtomicU64,
    decisions: AtomicU64,
}

/// An agent with a clock at its side.
struct Timed {
    agent: Box<dyn Agent<Labyrinth>>,
    clock: Arc<Clock>,
}

impl Agent<Labyrinth> for Timed {
    fn observe(&mut self, event: &Event) {
        self.agent.observe(event);
    }

    fn act(&mut self, view: &View, rng: &mut Rng) -> Action {
        let start = Instant::now();
        let action = self.agent.act(view, rng);
        let nanos = start.elapsed().as_nanos() as u64;
        self.clock.nanos.fetch_add(nanos, Ordering::Relaxed);
        self.clock.decisions.fetch_add(1, Ordering::Relaxed);
        action
    }

    fn analyse(&mut self, view: &View, rng: &mut Rng) -> Analysis<Action> {
        self.agent.analyse(view, rng)
    }
}

/// What the first side's games came to.
#[derive(Default)]
struct Tally {
    points: f64,
    wins: [u64; 2],
    winner_turns: [u64; 2],
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = Vec::new();
    let mut seed = Seed::from_u64(1);
    let mut threads = 1;
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--seed" => seed = args.next().ok_or("--seed needs a number")?.parse()?,
            "--threads" => threads = args.next().ok_or("--threads needs a number")?.parse()?,
            _ => words.push(arg),
        }
    }
    let [first, second, games] = words.as_slice() else {
        return Err("usage: duel AGENT AGENT GAMES [--seed N] [--threads N]".into());
    };
    let games: u64 = games.parse()?;
    let rules = Labyrinth::default();
    let mut sides = Vec::new();
    for text in [first, second] {
        let spec: Spec = text.parse()?;
        let (spec, factory) = AgentEntry::resolve(&agents(), &rules, &spec)?;
        sides.push((spec, factory, Arc::new(Clock::default())));
    }

    let tally = Mutex::new(Tally::default());
    let next = AtomicU64::new(0);
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let game = next.fetch_add(1, Ordering::Relaxed);
                    if game >= games {
                        break;
                    }
                    play(&rules, seed, game, &sides, &tally);
                }
            });
        }
    });

    let tally = tally.into_inner()?;
    let n = games as f64;
    let (low, high) = wilson(tally.points, n);
    println!(
        "{} against {}: {:.1} % of {games} games, 95 % interval {:.1} to {:.1}",
        sides[0].0,
        sides[1].0,
        100.0 * tally.points / n,
        100.0 * low,
        100.0 * high
    );
    for (i, (spec, _, clock)) in sides.iter().enumerate() {
        let decisions = clock.decisions.load(Ordering::Relaxed);
        println!(
            "{spec}: {} wins in {:.2} turns, {:.3} ms a decision over {decisions} decisions",
            tally.wins[i],
            tally.winner_turns[i] as f64 / tally.wins[i] as f64,
            clock.nanos.load(Ordering::Relaxed) as f64 / 1e6 / decisions as f64
        );
    }
    Ok(())
}

fn play(
    rules: &Labyrinth,
    seed: Seed,
    game: u64,
    sides: &[(Spec, Factory<Labyrinth>, Arc<Clock>)],
    tally: &Mutex<Tally>,
) {
    let seeds = seed.game(game / 2, game);
    // Side 0 moves first in even games.
    let side_of = |seat: usize| (seat + game as usize) % 2;
    let mut players: Vec<Player<Labyrinth>> = (0..2)
        .map(|seat| {
            let (_, factory, clock) = &sides[side_of(seat)];
            match factory() {
                Player::Agent(agent) => {
                    Player::Agent(Box::new(Timed { agent, clock: Arc::clone(clock) }))
                }
                oracle @ Player::Oracle(_) => oracle,
            }
        })
        .collect();
    let world = rules.deal(&mut seeds.deal());
    let mut last = world;
    let outcome = play_game(rules, world, &mut players, &seeds, |step| {
        last = *step.world;
        last.apply(step.action);
    })
    .unwrap_or_else(|(seat, error)| panic!("game {game}, seat {seat}: {error}"));
    let mut tally = tally.lock().expect("no player panicked");
    tally.points += outcome.payoffs[side_of(0)];
    if let Some(winner) = last.table().winner() {
        let side = side_of(winner.index());
        tally.wins[side] += 1;
        tally.winner_turns[side] += last.table().own_turns(Seat::new(winner.index())) as u64;
    }
}

/// The 95 % interval of a rate.
fn wilson(points: f64, n: f64) -> (f64, f64) {
    let z = 1.959_964;
    let rate = points / n;
    let centre = (rate + z * z / (2.0 * n)) / (1.0 + z * z / n);
    let half = z / (1.0 + z * z / n) * (rate * (1.0 - rate) / n + z * z / (4.0 * n * n)).sqrt();
    (centre - half, centre + half)
}
