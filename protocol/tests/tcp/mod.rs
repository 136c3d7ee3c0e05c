//! Programs that are threads of the test and speak over TCP, and what a table with one of them needs.
#![allow(dead_code, reason = "not every test needs all of it")]

use oboro_catalog::{AnyRules, ExternalAgents, Keep, Played, game};
use oboro_core::{Rng, Seed};
use oboro_protocol::Programs;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::time::Duration;

/// Listens, lets `serve` speak with whoever connects, and says where: the spec of the program.
pub(crate) fn listen(serve: impl Fn(TcpStream) + Send + Sync + 'static) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("it listens");
    let serve = Arc::new(serve);
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let serve = Arc::clone(&serve);
            std::thread::spawn(move || serve(stream));
        }
    });
    format!("tcp:{address}")
}

/// A program that answers lines with bytes, as they are.
pub(crate) fn program(
    answer: impl Fn(&str, &mut Rng) -> Vec<u8> + Clone + Send + Sync + 'static,
) -> String {
    listen(move |stream| {
        let mut rng = Rng::from_u64(stream.peer_addr().map_or(0, |peer| peer.port().into()));
        let mut output = stream.try_clone().expect("a socket can be held twice");
        for line in BufReader::new(stream).lines().map_while(Result::ok) {
            let said = answer(&line, &mut rng);
            if !said.is_empty() && output.write_all(&said).is_err() {
                return;
            }
        }
    })
}

/// A sound answer: the first action, for whoever is to move.
pub(crate) fn sound(line: &str) -> String {
    let message: serde_json::Value = serde_json::from_str(line).expect("referees speak JSON");
    match message["type"].as_str() {
        Some("hello") => "{\"type\":\"hello\",\"protocol\":1}\n".to_owned(),
        Some("turn") => {
            format!("{}\n", serde_json::json!({"type": "action", "action": message["actions"][0]}))
        }
        _ => String::new(),
    }
}

/// A table that programs may come to.
pub(crate) fn table(name: &str, options: &[(&str, &str)]) -> Arc<dyn AnyRules> {
    let options: Vec<(String, String)> =
        options.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
    let rules = game(name).expect("a game").rules(&options).expect("rules");
    rules.allow_external(Arc::new(Programs::new()))
}

/// A table of Geister, and the programs that may come to it.
pub(crate) fn programs() -> (Arc<dyn AnyRules>, Arc<Programs>) {
    let programs = Arc::new(Programs::new());
    let rules = game("geister").expect("a game").rules(&[]).expect("rules");
    (rules.allow_external(Arc::clone(&programs) as Arc<dyn ExternalAgents>), programs)
}

/// Whether something happens within some seconds.
pub(crate) fn soon(mut happens: impl FnMut() -> bool) -> bool {
    (0..500).any(|_| {
        std::thread::sleep(Duration::from_millis(10));
        happens()
    })
}

/// Game `n` of a match of these agents.
pub(crate) fn play(table: &dyn AnyRules, specs: &[&str], n: u64) -> Played {
    let lineup = table.lineup(specs).expect("agents");
    let seating: Vec<usize> = (0..specs.len()).collect();
    let keep = Keep { record: true, beliefs: false };
    lineup.play(&seating, n, &Seed::from_u64(1).game(n, n), keep).expect("a game")
}

/// Why a game was forfeited.
pub(crate) fn reason(played: &Played) -> &str {
    played.forfeit.as_ref().map_or("nobody forfeited", |(_, reason)| reason)
}
