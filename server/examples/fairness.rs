//! Measures whether one address can starve another: twenty tables of greedy agents play for one address, and somebody at
//! another address waits for the answers of `random`. `cargo run --release -p oboro-server --example fairness`.
#![allow(clippy::print_stdout, reason = "a program that prints its figures")]
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "a measurement by the clock")]

#[path = "../tests/common/mod.rs"]
mod common;

use common::Server;
use oboro_server::{Library, Limits, Site, TableRegistry};
use serde_json::json;
use std::time::Instant;

/// Tables of the greedy address, and the agent that plays at all their seats: its most playouts.
const TABLES: usize = 20;
const GREEDY: &str = "mcts:playouts=50000";
/// Answers that are waited for.
const ANSWERS: usize = 200;

/// Milliseconds until `random` has answered each of a person's actions, the shortest first.
async fn wait_for_answers(server: &Server) -> Vec<f64> {
    let mut times = Vec::new();
    while times.len() < ANSWERS {
        let seats = json!([{ "kind": "person" }, { "kind": "agent", "spec": "random" }]);
        let wanted = json!({ "game": "geister", "seats": seats });
        let opened = server.open_from("10.0.0.2", &wanted).await;
        let (path, key) = (opened["path"].as_str().unwrap(), opened["keys"][0].as_str().unwrap());
        let mut client = server.join_from("10.0.0.2", path, &[key]).await;
        let mut update = client.hear_kind("update").await;
        while update["outcome"].is_null() && times.len() < ANSWERS {
            let (plies, action) =
                (update["plies"].as_u64().unwrap(), &update["actions"][0]["action"]);
            let began = Instant::now();
            client.say(&json!({ "type": "play", "seat": 0, "action": action, "ply": plies })).await;
            update = loop {
                let update = client.hear_kind("update").await;
                if update["plies"].as_u64() >= Some(plies + 2) || !update["outcome"].is_null() {
                    break update;
                }
            };
            times.push(began.elapsed().as_secs_f64() * 1000.0);
        }
    }
    times.sort_by(f64::total_cmp);
    times
}

fn describe(what: &str, times: &[f64]) {
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
    println!(
        "{what}: {} answers of random, median {:.1} ms, 95 % {:.1}, longest {:.1}",
        times.len(),
        at(0.5),
        at(0.95),
        at(1.0)
    );
}

#[tokio::main]
async fn main() {
    let limits =
        Limits { requests_per_minute: u32::MAX, messages_per_second: 10_000, ..Limits::default() };
    let site = Site { behind_proxy: true, ..Site::default() };
    let server = Server::of(TableRegistry::new(limits, Library::empty()), site).await;
    describe("alone", &wait_for_answers(&server).await);
    let mut greedy = Vec::new();
    for _ in 0..TABLES {
        let agent = json!({ "kind": "agent", "spec": GREEDY });
        let wanted = json!({ "game": "geister", "seats": [agent, agent] });
        let opened = server.open_from("10.0.0.1", &wanted).await;
        let path = opened["path"].as_str().unwrap();
        let mut client = server.join_from("10.0.0.1", path, &[]).await;
        client.say(&json!({ "type": "pace", "pause": 0 })).await;
        greedy.push(tokio::spawn(async move { while client.hear().await.is_some() {} }));
    }
    describe(&format!("beside {TABLES} tables of {GREEDY}"), &wait_for_answers(&server).await);
}
