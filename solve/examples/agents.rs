//! How far agents can be exploited in Leduc: `cargo run --release -p oboro-solve --example agents -- SAMPLES AGENT…`.
#![allow(clippy::print_stdout, clippy::disallowed_methods, reason = "it measures and prints")]

use oboro_core::{AgentEntry, Rng};
use oboro_small::Leduc;
use oboro_solve::{Limits, Sampling, Tree};
use std::time::Instant;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let samples = arguments.next().and_then(|n| n.parse().ok()).expect("SAMPLES AGENT…");
    let tree = Tree::new(&Leduc::default(), Limits::default()).expect("Leduc is small");
    for spec in arguments {
        let clock = Instant::now();
        let spec = spec.parse().expect("a spec");
        let (name, factory) = AgentEntry::resolve(&oboro_small::agents(), &Leduc::default(), &spec)
            .expect("an agent");
        let found = tree
            .measure_agent(&factory, Sampling { samples }, &mut Rng::from_u64(1), &mut |_| {})
            .expect("it plays");
        println!(
            "{name}: {:.4} ± {:.4}, {:.1?}",
            found.exploitability,
            found.error,
            clock.elapsed()
        );
    }
}
