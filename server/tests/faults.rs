//! Servers that are killed, lines that break, and clients with bad intentions.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

use crate::common;

use common::killed;
use common::line::bad_line;
use common::phone::{Dice, Phone, check_record, record};
use common::{Server, http, people};
use oboro_server::Opened;
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::time::sleep;

/// Not a test by itself: the server that the next test kills, in a process of its own.
#[tokio::test(flavor = "multi_thread")]
async fn the_server_that_is_killed() {
    killed::serve_if_told().await;
}

/// A server is killed at random moments while many play. Everything that was ever shown as played is in the record of its
/// game, at its place and once; the scripted phones come back by themselves. `OBORO_KILLS=100` kills it more often.
#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_killed_forgets_nothing() {
    let kills: usize = std::env::var("OBORO_KILLS").map_or(4, |text| text.parse().unwrap());
    let folder = tempfile::tempdir().unwrap();
    let address = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap().to_string();
    let mut child = killed::start(folder.path(), &address);
    let enough = Arc::new(AtomicBool::new(false));
    let (games, actions) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let mut tables = tokio::task::JoinSet::new();
    for number in 0..5 {
        let (address, enough) = (address.clone(), Arc::clone(&enough));
        let (games, actions) = (Arc::clone(&games), Arc::clone(&actions));
        tables.spawn(async move {
            while !enough.load(Ordering::Relaxed) {
                let typed = "content-type: application/json\r\n";
                let wanted = people("sevens", 4).to_string();
                let Some((200, text)) = http(&address, "POST", "/api/tables", typed, &wanted).await
                else {
                    sleep(Duration::from_millis(20)).await;
                    continue;
                };
                let opened: Value = serde_json::from_str(&text).unwrap();
                let name = opened["table"].as_str().unwrap();
                let mut playing = tokio::task::JoinSet::new();
                for seat in 0..4 {
                    let key = opened["keys"][seat].as_str().unwrap();
                    let mut phone = Phone::new(&address, name, seat, key);
                    (phone.pause, phone.dice) = (10, Dice(number * 10 + seat as u64));
                    playing.spawn(phone.play());
                }
                let phones = playing.join_all().await;
                let record = record(&address, name).await;
                check_record(&record, &phones);
                games.fetch_add(1, Ordering::Relaxed);
                actions.fetch_add(record.actions.len(), Ordering::Relaxed);
            }
        });
    }
    let mut dice = Dice(7);
    for _ in 0..kills {
        // Wait until it answers, then for a moment that nobody has chosen.
        while http(&address, "GET", "/health", "", "").await.is_none() {
            sleep(Duration::from_millis(10)).await;
        }
        sleep(Duration::from_millis(50 + dice.below(400))).await;
        child.start_kill().unwrap();
        child.wait().await.unwrap();
        child = killed::start(folder.path(), &address);
    }
    enough.store(true, Ordering::Relaxed);
    while let Some(table) = tables.join_next().await {
        table.unwrap();
    }
    let (games, actions) = (games.load(Ordering::Relaxed), actions.load(Ordering::Relaxed));
    println!("{kills} kills, {games} games, {actions} actions: all there, once");
    assert!(games >= 5);
}

/// Ten phones play whole games of Saboteur over lines that are slow and break.
#[tokio::test(flavor = "multi_thread")]
async fn ten_phones_play_saboteur_over_bad_lines() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::durable(folder.path(), None).await;
    let seats = vec![json!({ "kind": "open" }); 10];
    let rules = json!({ "players": 10, "rounds": 1 });
    let opened = server.open(json!({ "game": "saboteur", "rules": rules, "seats": seats, "room": { "away-seconds": null } }));
    let mut playing = tokio::task::JoinSet::new();
    for seat in 0..10 {
        let line = bad_line(&server.address, 8, 60, seat as u64).await;
        let key = format!("{seat}").repeat(24);
        playing.spawn(Phone::new(&line, &opened.table, seat, &key).play());
    }
    let phones = playing.join_all().await;
    check_record(&record(&server.address, &opened.table).await, &phones);
    let connections: usize = phones.iter().map(|phone| phone.connections).sum();
    assert!(connections > 20, "the lines were too good: {connections} connections");
    server.stop().await;
}

/// Somebody with a seat of its own tries everything with the seats of others: nothing moves and nothing leaks.
#[tokio::test(flavor = "multi_thread")]
async fn an_attacker_with_a_seat_moves_nothing_and_learns_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::durable(folder.path(), None).await;
    let opened: Opened = server.open(people("sevens", 4));
    let key = |seat: usize| opened.keys[seat].clone().unwrap();
    let mut victims = Vec::new();
    for seat in [0, 1, 3] {
        victims.push(server.join(&opened.table, &[&key(seat)]).await);
    }
    let mut attacker = server.join(&opened.table, &[&key(2)]).await;
    let own_view = attacker.hear_kind("update").await["scene"].clone();
    let action = victims[0].hear_kind("update").await["actions"][0]["action"].clone();

    let mut heard = Vec::new();
    for seat in [0, 1, 3, 4, 255, 1_000_000] {
        for request in [
            json!({ "type": "play", "seat": seat, "action": action }),
            json!({ "type": "play", "seat": seat, "action": action, "ply": 0 }),
            json!({ "type": "resign", "seat": seat }),
            json!({ "type": "leave", "seat": seat }),
            json!({ "type": "return", "seat": seat }),
            json!({ "type": "sit", "seat": seat, "name": "Eve", "key": "e".repeat(24) }),
            json!({ "type": "look", "eyes": { "seat": seat } }),
            json!({ "type": "look", "eyes": { "seat": seat }, "ply": 0 }),
            json!({ "type": "consult", "agent": "rule", "seat": seat }),
            json!({ "type": "curve", "agent": "rule", "seat": seat }),
        ] {
            attacker.say(&request).await;
            heard.push(attacker.hear_kind("error").await);
            // As slowly as one who does not want to be thrown out.
            sleep(Duration::from_millis(50)).await;
        }
    }
    for request in [
        json!({ "type": "look", "eyes": "everything" }),
        json!({ "type": "take-back" }),
        json!({ "type": "begin" }),
        json!({ "type": "again", "swap": true }),
        json!({ "type": "pace", "pause": 0 }),
        json!({ "type": "hello", "keys": [key(0)] }),
        json!({ "type": "play", "seat": 2, "action": action }),
    ] {
        attacker.say(&request).await;
        heard.push(attacker.hear_kind("error").await);
    }

    // Guessed, old and changed secrets, and those of another table, open nothing.
    let other: Opened = server.open(people("sevens", 4));
    let cut = key(0)[1..].to_owned();
    let mut guesses: Vec<String> = vec![String::new(), "0".to_owned(), key(0).to_uppercase(), cut];
    guesses.push(other.keys[0].clone().unwrap());
    guesses.push(format!("{}\u{0}", key(0)));
    let guesses: Vec<&str> = guesses.iter().map(String::as_str).collect();
    let mut guessing = server.join(&opened.table, &guesses).await;
    let table = guessing.hear_kind("table").await;
    assert!(table["seats"].as_array().unwrap().iter().all(|seat| seat["you"] == false), "{table}");
    let seen = guessing.hear_kind("update").await;
    assert_eq!(seen["eyes"], "spectator");
    assert!(seen["scene"]["seats"].as_array().unwrap().iter().all(|seat| seat["hand"].is_null()));
    let many = vec![key(0); 1000];
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    let mut greedy = server.join(&opened.table, &many).await;
    assert_eq!(greedy.hear().await.unwrap()["type"], "closed");

    // Pages of other servers get no socket and no answer; a record is not to be had before the end.
    for origin in
        ["https://evil.example", "null", &format!("http://{}.evil.example", server.address)]
    {
        assert!(server.refused_socket(&opened.table, origin).await, "{origin}");
        let headers = format!("origin: {origin}\r\ncontent-type: application/json\r\n");
        assert_eq!(server.http("POST", "/api/tables", &headers, "{}").await.0, 403);
    }
    let path = format!("/api/tables/{}/record", opened.table);
    assert_eq!(server.http("GET", &path, "", "").await.0, 400);

    // Nothing has moved, no secret and no hand was told, and everybody is still at the table.
    let mut owner = server.join(&opened.table, &[&key(0)]).await;
    let update = owner.hear_kind("update").await;
    assert_eq!(update["plies"], 0);
    let told = Value::from(heard).to_string();
    for seat in [0, 1, 3] {
        assert!(!told.contains(&key(seat)));
    }
    let mut again = server.join(&opened.table, &[&key(2)]).await;
    assert_eq!(again.hear_kind("update").await["scene"], own_view);
    // A frame that was played is not played twice.
    let ply0 = json!({ "type": "play", "seat": 0, "action": action, "ply": 0 });
    owner.say(&ply0).await;
    owner.update_at(1).await;
    owner.say(&ply0).await;
    assert!(owner.hear_kind("error").await["message"].as_str().unwrap().contains("gone on since"));
    let stored = std::fs::read(folder.path().join("tables.sqlite-wal")).unwrap();
    let kept = key(0);
    assert!(
        !stored.windows(kept.len()).any(|bytes| bytes == kept.as_bytes()),
        "a secret is on disk"
    );
    server.stop().await;
}
