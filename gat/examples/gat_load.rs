//! Plays games between joined agents on many servers at once, over TCP, and watches the memory.
//!
//! ```text
//! gat_load SERVERS GAMES PLIES
//! ```
//! plays so many games on each server, and prints the resident memory of the process (Linux) as the
//! games go by.
#![allow(clippy::print_stdout, reason = "a program of its own")]
#![allow(clippy::disallowed_methods, reason = "it measures time")]

#[path = "../tests/common/mod.rs"]
mod common;

use common::{Server, games};
use oboro_gat::{JoinGames, join_games};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

async fn join(port: u16, games: u64, plies: u16, done: Arc<AtomicU64>) {
    let games = JoinGames { port, games, plies, ..JoinGames::new("random") };
    let mut say = |line: &str| {
        done.fetch_add(u64::from(line.starts_with("game ")), Ordering::Relaxed);
    };
    let summary = join_games(&games, None, &mut say).await.expect("games");
    assert_eq!(summary.failed, 0, "every game has a result");
}

fn resident_kilobytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().strip_suffix(" kB")?.trim().parse().ok()
}

#[tokio::main]
async fn main() {
    let words: Vec<u64> = std::env::args()
        .skip(1)
        .map(|word| word.parse().expect("usage: gat_load SERVERS GAMES PLIES"))
        .collect();
    let [servers, per_server, plies] = words[..] else {
        panic!("usage: gat_load SERVERS GAMES PLIES")
    };
    let plies = u16::try_from(plies).expect("a small number of plies");
    let start = Instant::now();
    let done = Arc::new(AtomicU64::new(0));
    let mut tasks = Vec::new();
    for _ in 0..servers {
        let server = Server::start(&games(per_server, plies)).await;
        for side in [0, 1] {
            tasks.push(tokio::spawn(join(server.port(side), per_server, plies, done.clone())));
        }
        tasks.push(tokio::spawn(async move { drop(server.finish().await) }));
    }
    let total = servers * per_server;
    for tenth in 1..=10 {
        // Each game is counted by both of its players.
        while done.load(Ordering::Relaxed) < 2 * total * tenth / 10 {
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
        let memory = resident_kilobytes().map_or("unknown".to_owned(), |kb| format!("{kb} kB"));
        println!("{} games: {memory}, {:.1} s", total * tenth / 10, start.elapsed().as_secs_f64());
    }
    for task in tasks {
        task.await.expect("no panic");
    }
}
