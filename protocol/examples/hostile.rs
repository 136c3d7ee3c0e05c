//! A long run of hostile lines: a program that answers with random and mutated lines plays until it has said so many of them.
//! Every game must end with a verdict, and memory must not grow.
//!
//! ```sh
//! cargo run --release -p oboro-protocol --example hostile -- 1000000
//! ```

#[path = "../tests/tcp/mod.rs"]
mod tcp;

use oboro_testkit::damaged;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

fn main() {
    let wanted: u64 = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(1_000_000);
    let said = Arc::new(AtomicU64::new(0));
    let hostile = {
        let said = Arc::clone(&said);
        tcp::program(move |line, rng| {
            let sound = tcp::sound(line);
            if sound.is_empty() {
                return Vec::new();
            }
            said.fetch_add(1, Ordering::Relaxed);
            // Hellos are sound mostly, so that games begin.
            if rng.chance(if sound.contains("hello") { 0.98 } else { 0.5 }) {
                return sound.into();
            }
            // Only lines that end: waiting for the rest of a line would take the time of a clock.
            let mut line = damaged(&sound, rng);
            line.push(b'\n');
            line
        })
    };
    let spec = format!("{hostile},seconds=1,start-seconds=1");
    let table = tcp::table("geister", &[("plies", "40")]);
    let (mut games, mut forfeits) = (0_u64, 0_u64);
    while said.load(Ordering::Relaxed) < wanted {
        let played = tcp::play(table.as_ref(), &[&spec, "random"], games);
        assert_eq!(played.outcome.payoffs.len(), 2, "every game ends with a verdict");
        games += 1;
        forfeits += u64::from(played.forfeit.is_some());
        if games.is_power_of_two() {
            report(&said, games, forfeits);
        }
    }
    report(&said, games, forfeits);
}

#[allow(clippy::print_stdout, reason = "an example prints")]
fn report(said: &AtomicU64, games: u64, forfeits: u64) {
    let memory = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let memory = memory.lines().find(|line| line.starts_with("VmRSS")).unwrap_or("memory unknown");
    let said = said.load(Ordering::Relaxed);
    println!("{said} lines, {games} games, {forfeits} forfeited; {memory}");
}
