//! How quickly games are solved on one core: `cargo run --release -p oboro-solve --example speed -- leduc cfr+ 0.0003`.
#![allow(clippy::print_stdout, clippy::disallowed_methods, reason = "it measures and prints")]

use oboro_core::Game;
use oboro_small::{GeisterRules, GeisterSmall, Goofspiel, Kuhn, Leduc, LiarsDice, Small};
use oboro_solve::{Limits, Method, Solver, Tree};
use std::time::Instant;

fn solve<G: Game>(game: &G, method: Method, target: f64) {
    let clock = Instant::now();
    let tree = Tree::new(game, Limits::default()).expect("a small game");
    println!("{} sets, grown in {:.2?}", tree.sets(), clock.elapsed());
    let clock = Instant::now();
    let mut solver = Solver::new(&tree, method);
    let mut next = 1;
    loop {
        solver.iterate();
        if solver.iterations() < next {
            continue;
        }
        next += next / 4 + 1;
        let taken = clock.elapsed();
        let left = tree.exploitability(&solver.average());
        println!("{:6} iterations {taken:8.2?} exploitability {left:.6}", solver.iterations());
        if left < target || taken.as_secs() > 60 {
            println!("value {:.9}", tree.payoffs(&solver.average())[0]);
            return;
        }
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [game, method, target] = &arguments[..] else { panic!("GAME METHOD EXPLOITABILITY") };
    let method = Method::named(method).expect("cfr, cfr+ or dcfr");
    let target: f64 = target.parse().expect("a number");
    match game.as_str() {
        "kuhn" => solve(&Kuhn::default(), method, target),
        "leduc" => solve(&Leduc::default(), method, target),
        "liars-dice" => solve(&LiarsDice::default(), method, target),
        "goofspiel" => solve(&Goofspiel::default(), method, target),
        "geister-small" => solve(&GeisterSmall::default(), method, target),
        "geister-4x4" => {
            let rules = GeisterRules { width: 4, height: 4, rows: 2, reds: 2, plies: 8 };
            solve(&Small(rules), method, target);
        }
        other => panic!("no game {other} here"),
    }
}
