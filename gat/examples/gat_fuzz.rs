//! Sends millions of random and mutated inputs through the tournament protocol and compares every line,
//! answer and board with a second implementation.
//!
//! ```text
//! gat_fuzz codec 10000000 [SEED]     through the codec and the session
//! gat_fuzz socket 100000 [SEED]      to a live server, over TCP
//! ```
#![allow(clippy::print_stdout, reason = "a program of its own")]

#[path = "../tests/common/mod.rs"]
mod common;
#[path = "../tests/fuzzing/mod.rs"]
mod fuzzing;

use common::{Server, quick};

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize, default: u64| {
        words.get(at).map_or(default, |word| word.parse().expect("a whole number"))
    };
    let seed = number(2, 1);
    let met = match words.first().map(String::as_str) {
        Some("codec") => fuzzing::codec(number(1, 10_000_000), seed),
        Some("socket") => {
            let runtime = tokio::runtime::Runtime::new().expect("threads");
            runtime.block_on(async {
                let mut options = quick(300);
                options.session.ng_terminates = false;
                let server = Server::start(&options).await;
                let ports = [server.port(0), server.port(1)];
                let met = fuzzing::socket("127.0.0.1", ports, 300, number(1, 100_000), seed).await;
                server.stop().await;
                met
            })
        }
        _ => panic!("usage: gat_fuzz codec|socket INPUTS [SEED]"),
    };
    println!(
        "{} inputs, {} lines, {} accepted, {} games: no difference",
        met.inputs, met.lines, met.accepted, met.games
    );
}
