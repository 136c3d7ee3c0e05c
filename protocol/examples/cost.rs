//! Plays games of a program against random players, and says what a decision of it takes: the time from the moment it is its
//! turn until its action is played, with everything in between, the program's own thinking included.
//!
//! ```sh
//! cargo run --release -p oboro-protocol --example cost -- 1000 exec:./my-bot
//! ```

use oboro_catalog::{ExternalAgents, Keep, games};
use oboro_core::Seed;
use oboro_protocol::Programs;
use std::sync::Arc;
use std::time::Duration;

fn main() {
    let mut args = std::env::args().skip(1);
    let count: u64 = args.next().and_then(|n| n.parse().ok()).expect("how many games, then specs");
    let specs: Vec<String> = args.collect();
    for spec in &specs {
        for game in games() {
            let programs = Arc::new(Programs::new());
            let rules = game.rules(&[]).expect("the standard rules");
            let table = rules.allow_external(Arc::clone(&programs) as Arc<dyn ExternalAgents>);
            let mut agents = vec!["random"; table.seats()];
            agents[0] = spec;
            let lineup = table.lineup(&agents).expect("a program");
            let (mut decisions, mut time, mut forfeits) = (0, Duration::ZERO, 0);
            for n in 0..count {
                let mut seating: Vec<usize> = (0..agents.len()).collect();
                seating.rotate_left(n as usize % agents.len());
                let seeds = Seed::from_u64(1).game(n, n);
                let played = lineup.play(&seating, n, &seeds, Keep::default()).expect("a game");
                decisions += played.thinking[0].0;
                time += played.thinking[0].1;
                forfeits += u64::from(played.forfeit.is_some());
            }
            say(&format!(
                "{spec} {}: {count} games, {forfeits} forfeited, {decisions} decisions, {:.1} µs each",
                game.name(),
                time.as_secs_f64() * 1e6 / decisions.max(1) as f64
            ));
        }
    }
}

#[allow(clippy::print_stdout, reason = "an example prints")]
fn say(line: &str) {
    println!("{line}");
}
