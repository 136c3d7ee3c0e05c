//! Rounds a second: fixed work, the best of several runs, and the answer checked.
//!
//! ```text
//! cargo bench -p oboro-saboteur [-- PART-OF-A-NAME]
//! ```
#![allow(clippy::print_stdout, reason = "a program that prints")]

use oboro_core::AgentEntry;
use oboro_saboteur::Saboteur;
use oboro_saboteur::agents::agents;
use oboro_saboteur::kernels::{agent_rounds, imagined_worlds, random_rounds};

const RUNS: u32 = 5;

/// Runs the work several times; prints how much of it is done a second and checks what came out.
#[allow(clippy::disallowed_methods, reason = "a benchmark reads the clock")]
fn measure(name: &str, amount: u64, expected: u64, work: impl Fn(u64) -> u64) {
    let wanted = std::env::args().skip(1).find(|arg| !arg.starts_with('-'));
    if wanted.is_some_and(|wanted| !name.contains(&wanted)) {
        return;
    }
    let mut best = f64::MAX;
    for _ in 0..RUNS {
        let start = std::time::Instant::now();
        let answer = work(amount);
        best = best.min(start.elapsed().as_secs_f64());
        assert_eq!(answer, expected, "{name}: the games have changed");
    }
    println!("{name:44} {:>9.0} /s", amount as f64 / best);
}

fn main() {
    let published = Saboteur { rounds: 1, ..Saboteur::default() };
    let paper = Saboteur::paper();
    let agent = |name: &str, rounds| {
        let spec = name.parse().expect("a spec");
        let (_, factory) = AgentEntry::resolve(&agents(), &paper, &spec).expect("an agent");
        agent_rounds(&paper, &factory, rounds)
    };
    measure("random rounds, published rules", 20_000, 1_339_918, |n| random_rounds(&published, n));
    measure("random rounds, the paper's rules", 20_000, 1_339_583, |n| random_rounds(&paper, n));
    measure("rounds of `path`, the paper's rules", 10_000, 79_732, |n| agent("path", n));
    measure("imagined worlds, published rules", 100_000, 900_287, |n| {
        imagined_worlds(&published, n)
    });
}
