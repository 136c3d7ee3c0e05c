//! Two agents, sides swapped after every game: who wins how often, and how long they think.
//!
//! ```text
//! cargo run --release -p oboro-geister --example duel -- naotti random 1000 [SEED]
//! ```

use oboro_core::{AgentEntry, Factory, Game, GameSeeds, Seed, Spec, play_game};
use oboro_geister::{Geister, agents};
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

type Error = Box<dyn std::error::Error>;

/// Wins, draws and losses of the first agent, one row a seat, with how games ended.
#[derive(Default)]
struct Tally {
    rows: [[u32; 3]; 2],
    endings: BTreeMap<String, u32>,
    moves: u64,
    nanoseconds: [u64; 2],
}

#[allow(clippy::print_stdout, reason = "an example prints its result")]
fn main() -> Result<(), Error> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [first, second, games, rest @ ..] = words.as_slice() else {
        return Err("duel AGENT AGENT GAMES [SEED]".into());
    };
    let games: u64 = games.parse()?;
    let seed = Seed::from_u64(rest.first().map_or(Ok(1), |seed| seed.parse())?);
    let rules = Geister::default();
    let entries = agents();
    let build = |text: &str| -> Result<Factory<Geister>, Error> {
        let spec: Spec = text.parse()?;
        Ok(AgentEntry::resolve(&entries, &rules, &spec)?.1)
    };
    let players = [build(first)?, build(second)?];
    let next = AtomicU64::new(0);
    let tally = Mutex::new(Tally::default());
    let threads = std::thread::available_parallelism()?.get();
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= games {
                        break;
                    }
                    play(&rules, &players, &seed.game(number / 2, number), number, &tally);
                }
            });
        }
    });
    let tally = tally.into_inner().map_err(|_| "a game failed")?;
    report(first, second, &tally);
    Ok(())
}

/// One game; the first agent has seat 0 in even ones.
#[allow(clippy::disallowed_methods, reason = "thinking time is shown, and decides nothing")]
fn play(
    rules: &Geister,
    factories: &[Factory<Geister>; 2],
    seeds: &GameSeeds,
    number: u64,
    tally: &Mutex<Tally>,
) {
    let swap = (number % 2) as usize;
    let mut players = [factories[swap](), factories[swap ^ 1]()];
    let world = rules.deal_numbered(number / 2, &mut seeds.deal());
    let mut last = Instant::now();
    let mut spent = [0u64; 2];
    let mut moves = 0;
    let outcome = play_game(rules, world, &mut players, seeds, |step| {
        spent[step.seat.index() ^ swap] += last.elapsed().as_nanos() as u64;
        moves += 1;
        last = Instant::now();
    });
    let outcome = outcome.expect("agents play by the rules");
    let mut tally = tally.lock().expect("no game panicked");
    let row = match outcome.payoffs[swap] {
        p if p > 0.75 => 0,
        p if p > 0.25 => 1,
        _ => 2,
    };
    tally.rows[swap][row] += 1;
    tally.moves += moves;
    for (sum, spent) in tally.nanoseconds.iter_mut().zip(spent) {
        *sum += spent;
    }
    let how = outcome.facts.iter().filter_map(|fact| match &fact.value {
        oboro_core::FactValue::Seats(v) if fact.name.starts_with("won-by") && v.contains(&1.0) => {
            let who = if v[swap] == 1.0 { "first" } else { "second" };
            Some(format!("{who} {}", fact.name))
        }
        _ => None,
    });
    for how in how.collect::<Vec<_>>() {
        *tally.endings.entry(how).or_default() += 1;
    }
}

#[allow(clippy::print_stdout, reason = "an example prints its result")]
fn report(first: &str, second: &str, tally: &Tally) {
    println!("{first} v {second}");
    let mut sums = [0; 3];
    for (seat, row) in tally.rows.iter().enumerate() {
        println!("  seat {seat}: won {:4}  drawn {:4}  lost {:4}", row[0], row[1], row[2]);
        for (sum, count) in sums.iter_mut().zip(row) {
            *sum += count;
        }
    }
    let games = f64::from(sums.iter().sum::<u32>());
    for (what, successes) in
        [("wins", f64::from(sums[0])), ("score", f64::from(sums[0]) + 0.5 * f64::from(sums[1]))]
    {
        let (low, high) = wilson(successes, games);
        println!(
            "  {what:5} {:5.1} %  (95 % interval {:.1} to {:.1}, n = {games})",
            100.0 * successes / games,
            100.0 * low,
            100.0 * high
        );
    }
    for (how, count) in &tally.endings {
        println!("  {how}: {count}");
    }
    let decisions = tally.moves as f64 / 2.0;
    println!(
        "  {:.1} decisions a game; {:.2} and {:.2} ms a decision",
        tally.moves as f64 / games,
        tally.nanoseconds[0] as f64 / decisions / 1e6,
        tally.nanoseconds[1] as f64 / decisions / 1e6
    );
}

/// Wilson's 95 % interval of a rate.
fn wilson(successes: f64, n: f64) -> (f64, f64) {
    let z = 1.959_964;
    let p = successes / n;
    let middle = p + z * z / (2.0 * n);
    let spread = z * (p * (1.0 - p) / n + z * z / (4.0 * n * n)).sqrt();
    let scale = 1.0 + z * z / n;
    ((middle - spread) / scale, (middle + spread) / scale)
}
