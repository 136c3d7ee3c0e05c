//! Rooms: seats taken by name, agents in empty ones, clocks, leaving and coming back.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

use crate::common;

use common::{Client, Server, http};
use oboro_server::{Library, Limits, Site, TableRegistry};
use serde_json::{Value, json};

fn key(letter: char) -> String {
    letter.to_string().repeat(24)
}

fn sit(seat: usize, name: &str, letter: char) -> Value {
    json!({ "type": "sit", "seat": seat, "name": name, "key": key(letter) })
}

/// A room for sevens whose opener sits at seat 0.
fn room(options: &Value) -> Value {
    let host = json!({ "kind": "person", "name": "Host" });
    let open = json!({ "kind": "open" });
    json!({ "game": "sevens", "seats": [host, open, open, open], "room": options })
}

async fn error(client: &mut Client, request: &Value) -> String {
    client.say(request).await;
    client.hear_kind("error").await["message"].as_str().unwrap().to_owned()
}

/// The next description of a table for which something holds.
async fn table_where(client: &mut Client, holds: impl Fn(&Value) -> bool) -> Value {
    loop {
        let table = client.hear_kind("table").await;
        if holds(&table) {
            return table;
        }
    }
}

/// Agents play at once, and yet every action is told by itself, so that a browser can show one after the other.
#[tokio::test(flavor = "multi_thread")]
async fn actions_are_told_one_by_one_where_people_play() {
    let server = Server::start(Limits::default()).await;
    let opened = server.open(room(&json!({ "stand-in": "rule" })));
    let mut host = server.join(&opened.table, &[opened.keys[0].as_deref().unwrap()]).await;
    let mut guest = server.join(&opened.table, &[]).await;
    guest.say(&sit(3, "Ben", 'b')).await;
    table_where(&mut guest, |table| table["seats"][3]["you"] == true).await;
    host.say(&json!({ "type": "begin" })).await;
    let start = host.hear_kind("update").await;
    let action = &start["actions"][0]["action"];
    host.say(&json!({ "type": "play", "seat": 0, "action": action, "ply": 0 })).await;
    let mut shown = vec![0];
    while shown.last() != Some(&3) {
        let update = host.hear_kind("update").await;
        assert_eq!(update["ply"], update["plies"]);
        let ply = update["plies"].as_u64().unwrap();
        if shown.last() != Some(&ply) {
            assert_eq!(update["events"].as_array().unwrap().len(), 1, "{update}");
            shown.push(ply);
        }
    }
    assert_eq!(shown, [0, 1, 2, 3]);
}

#[tokio::test(flavor = "multi_thread")]
async fn people_take_seats_by_name_and_agents_fill_the_rest() {
    let server = Server::start(Limits::default()).await;
    let typed = "content-type: application/json\r\n";
    let wanted = room(&json!({ "listed": true, "stand-in": "rule" })).to_string();
    let (status, answer) = server.http("POST", "/api/tables", typed, &wanted).await;
    assert_eq!(status, 200, "{answer}");
    let opened: Value = serde_json::from_str(&answer).unwrap();
    let name = opened["table"].as_str().unwrap();
    assert_eq!(
        (name.len(), &opened["keys"][1]),
        (6, &Value::Null),
        "a short code, and no keys of others"
    );
    let unlisted = server.open(room(&json!({})));

    let listed = async || -> Value {
        serde_json::from_str(&server.http("GET", "/api/rooms", "", "").await.1).unwrap()
    };
    let rooms = listed().await;
    assert_eq!(rooms.as_array().unwrap().len(), 1, "{rooms}");
    assert_eq!((&rooms[0]["table"], &rooms[0]["gathering"]), (&json!(name), &json!(true)));
    assert!(!rooms.to_string().contains(&unlisted.table));

    let mut client = server.join(name, &[]).await;
    let table = client.hear_kind("table").await;
    assert_eq!(
        (&table["seats"][0]["name"], &table["seats"][1]["open"]),
        (&json!("Host"), &json!(true))
    );
    let long = "x".repeat(100);
    for (request, said) in [
        (sit(0, "Ben", 'b'), "this seat is taken"),
        (sit(9, "Ben", 'b'), "seat 9 is not yours"),
        (sit(1, "  host ", 'b'), "has this name already"),
        (sit(1, "\u{7}\n ", 'b'), "say your name"),
        (json!({ "type": "sit", "seat": 1, "name": "Ben", "key": "short" }), "20 to 64"),
        (json!({ "type": "begin" }), "whoever opened the room"),
        (json!({ "type": "look", "eyes": "spectator" }), "has not begun"),
        (json!({ "type": "consult", "agent": "rule", "seat": 1 }), "has not begun"),
        (json!({ "type": "play", "seat": 1, "action": "pass" }), "seat 1 is not yours"),
        (json!({ "type": "leave", "seat": 0 }), "seat 0 is not yours"),
    ] {
        let found = error(&mut client, &request).await;
        assert!(found.contains(said), "{request} was answered with: {found}");
    }
    client.say(&sit(1, &format!("Ben {long}"), 'b')).await;
    let table = table_where(&mut client, |table| table["seats"][1]["you"] == true).await;
    assert_eq!(table["seats"][1]["name"].as_str().unwrap().chars().count(), 40);
    assert!(error(&mut client, &sit(2, "Ben again", 'c')).await.contains("a seat here already"));
    // Once more, after the answer was lost: nothing changes.
    client.say(&sit(1, "Ben", 'b')).await;
    assert!(error(&mut client, &json!({ "type": "begin" })).await.contains("whoever opened"));
    client.say(&json!({ "type": "leave", "seat": 1 })).await;
    table_where(&mut client, |table| table["seats"][1]["open"] == true).await;
    client.say(&sit(2, "Ben", 'd')).await;
    table_where(&mut client, |table| table["seats"][2]["you"] == true).await;

    let mut watcher = server.join(name, &[]).await;
    watcher.hear_kind("table").await;
    let own = opened["keys"][0].as_str().unwrap();
    let mut host = server.join(name, &[own]).await;
    let table = host.hear_kind("table").await;
    assert_eq!(table["room"]["host"], true);
    host.say(&json!({ "type": "begin" })).await;
    let update = host.hear_kind("update").await;
    assert_eq!(update["eyes"]["seat"], 0);
    assert!(
        update["scene"]["seats"][0]["hand"].is_array()
            && update["scene"]["seats"][2]["hand"].is_null()
    );
    let theirs = client.hear_kind("update").await;
    assert!(
        theirs["scene"]["seats"][2]["hand"].is_array()
            && theirs["scene"]["seats"][0]["hand"].is_null()
    );
    let seen = watcher.hear_kind("update").await;
    assert!(seen["scene"]["seats"].as_array().unwrap().iter().all(|seat| seat["hand"].is_null()));
    assert!(error(&mut watcher, &sit(1, "Late", 'l')).await.contains("has begun"));
    assert_eq!(listed().await[0]["gathering"], false);
    // Agents hold the seats that nobody took.
    host.say(
        &json!({ "type": "play", "seat": 0, "action": update["actions"][0]["action"], "ply": 0 }),
    )
    .await;
    host.update_at(2).await;
    // Whoever resigns among several ends the game for nobody else: an agent has the seat, and they look on.
    host.say(&json!({ "type": "resign", "seat": 0 })).await;
    let left = table_where(&mut host, |table| table["seats"][0]["agent"] == true).await;
    let seat = &left["seats"][0];
    assert_eq!((&seat["you"], &seat["stand-in"]), (&json!(false), &json!(false)));
    let update = host.hear_kind("update").await;
    assert_eq!((&update["eyes"], &update["outcome"]), (&json!("spectator"), &Value::Null));
    assert!(error(&mut host, &json!({ "type": "return", "seat": 0 })).await.contains("not yours"));
    let mut back = server.join(name, &[own]).await;
    assert_eq!(back.hear_kind("table").await["seats"][0]["you"], false);
    // With nobody left who plays, it is over.
    client.say(&json!({ "type": "resign", "seat": 2 })).await;
    while client.hear_kind("update").await["outcome"].is_null() {}

    // The same people again: everybody is told where, and the old keys open the new seats.
    client.say(&json!({ "type": "again", "swap": true })).await;
    let moved = client.hear_kind("moved").await;
    let next = table_where(&mut host, |table| table["next"].is_string()).await["next"].clone();
    assert_eq!(moved["table"], next);
    let mut client = server.join(next.as_str().unwrap(), &[&key('d')]).await;
    let table = client.hear_kind("table").await;
    assert_eq!(
        (&table["seats"][3]["you"], &table["seats"][1]["name"]),
        (&json!(true), &json!("Host"))
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn who_leaves_or_runs_out_of_time_is_stood_in_for_and_comes_back() {
    let server = Server::start(Limits::default()).await;
    let two = |options: Value| {
        let person = |name: &str| json!({ "kind": "person", "name": name });
        let seats = json!([person("Aki"), person("Ben")]);
        json!({ "game": "geister", "rules": { "placements": "ABCD/ABCD" }, "seats": seats, "room": options })
    };
    // Aki is never there; Ben watches an agent take over, and Aki comes back.
    let opened = server.open(two(json!({ "away-seconds": 0, "stand-in": "random" })));
    let key = |seat: usize| opened.keys[seat].as_deref().unwrap();
    let mut ben = server.join(&opened.table, &[key(1)]).await;
    let table = table_where(&mut ben, |table| table["seats"][0]["stand-in"] == true).await;
    assert_eq!(
        (&table["seats"][0]["name"], &table["seats"][0]["agent"]),
        (&json!("Aki"), &json!(true))
    );
    let update = ben.update_at(1).await;
    let mut aki = server.join(&opened.table, &[key(0)]).await;
    table_where(&mut ben, |table| table["seats"][0]["stand-in"] == false).await;
    ben.say(
        &json!({ "type": "play", "seat": 1, "action": update["actions"][0]["action"], "ply": 1 }),
    )
    .await;
    let update = aki.update_at(2).await;
    assert!(update["actions"].is_array(), "Aki plays again");
    // Leaving on purpose: an agent plays on at once, and nothing can be played for it.
    aki.say(&json!({ "type": "leave", "seat": 0 })).await;
    let action = &update["actions"][0]["action"];
    let said = error(&mut aki, &json!({ "type": "play", "seat": 0, "action": action })).await;
    assert!(said.contains("come back first"), "{said}");
    ben.update_at(3).await;
    aki.say(&json!({ "type": "return", "seat": 0 })).await;
    table_where(&mut aki, |table| table["seats"][0]["stand-in"] == false).await;

    // A second for every move: whoever lets it pass is stood in for, though present.
    let opened = server.open(two(json!({ "move-seconds": 1, "stand-in": "random" })));
    let key = |seat: usize| opened.keys[seat].as_deref().unwrap();
    let mut aki = server.join(&opened.table, &[key(0)]).await;
    let update = aki.hear_kind("update").await;
    assert!(
        update["clock"]["for-move"].as_u64() <= Some(1000) && update["clock"]["running"] == 0,
        "{update}"
    );
    table_where(&mut aki, |table| table["seats"][0]["stand-in"] == true).await;
    aki.update_at(1).await;

    // A second for the whole game, and it is lost.
    let opened = server.open(two(json!({ "game-seconds": 1, "lose-on-time": true })));
    let mut aki = server.join(&opened.table, &[opened.keys[0].as_deref().unwrap()]).await;
    let update = aki.hear_kind("update").await;
    assert_eq!(update["clock"]["seats"][1], 1000);
    let end = loop {
        let update = aki.hear_kind("update").await;
        if !update["outcome"].is_null() {
            break update;
        }
    };
    assert_eq!(end["outcome"]["payoffs"], json!([0.0, 1.0]));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_house_keeps_its_limits_and_works_below_a_path() {
    let limits = Limits { sockets_per_address: 2, requests_per_minute: 3, ..Limits::default() };
    let registry = TableRegistry::new(limits, Library::empty());
    let site = Site {
        base: "/club/games".to_owned(),
        behind_proxy: true,
        origins: vec!["https://club.example".to_owned()],
        hosts: Vec::new(),
    };
    let server = Server::of(registry, site).await;
    let opened = server.open(room(&json!({})));
    let from = |address: &str| format!("x-forwarded-for: 6.6.6.6, {address}\r\n");
    let ask = async |path: &str, headers: String| {
        http(&server.address, "GET", path, &headers, "").await.unwrap()
    };
    let (status, page) = ask("/club/games/", from("10.0.0.1")).await;
    assert!(
        status == 200 && page.contains("=\"/club/games/app.js\"") && !page.contains("=\"/app.js\""),
        "{page}"
    );
    assert_eq!(ask("/club/games", from("10.0.0.1")).await.0, 200);
    assert_eq!(ask("/club/games/t/abc", from("10.0.0.1")).await.0, 200);
    assert_eq!(ask("/club/games/app.js", from("10.0.0.1")).await.0, 200);
    assert_eq!(ask("/api/games", from("10.0.0.1")).await.0, 404, "nothing is outside");
    let origin = |origin: &str| format!("origin: {origin}\r\n{}", from("10.0.0.1"));
    assert_eq!(ask("/club/games/api/games", origin("https://club.example")).await.0, 200);
    assert_eq!(
        ask("/club/games/api/games", origin(&format!("http://{}", server.address))).await.0,
        403
    );
    // Whoever guesses names is stopped; others are not.
    for _ in 0..3 {
        assert_eq!(ask("/club/games/api/tables/aaaaaa", from("10.0.0.1")).await.0, 404);
    }
    assert_eq!(ask("/club/games/api/tables/aaaaaa", from("10.0.0.1")).await.0, 503);
    assert_eq!(ask("/club/games/api/tables/aaaaaa", from("10.0.0.2")).await.0, 404);
    let path = format!("/club/games/api/tables/{}", opened.table);
    assert_eq!(ask(&path, from("10.0.0.1")).await.0, 204, "what is there can still be had");
    // Two watching browsers of an address, and no third.
    let connect = async |address: &str, keys: &[&str]| {
        let mut client = server.join_from(address, &path, keys).await;
        let kind = client.hear().await.unwrap()["type"].clone();
        (client, kind)
    };
    let (first, kind) = connect("10.0.0.1", &[]).await;
    assert_eq!(kind, "table");
    let (_second, _) = connect("10.0.0.1", &[]).await;
    assert_eq!(connect("10.0.0.1", &[]).await.1, "closed");
    let own = opened.keys[0].as_deref().unwrap();
    assert_eq!(connect("10.0.0.1", &[own]).await.1, "table", "whoever holds a seat gets in");
    assert_eq!(connect("10.0.0.2", &[]).await.1, "table");
    drop(first);
    while connect("10.0.0.1", &[]).await.1 == "closed" {
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn silent_browsers_are_dropped_and_what_happens_is_counted() {
    let server = Server::start(Limits { silence_seconds: 1, ..Limits::default() }).await;
    let opened = server.open(common::people("sevens", 4));
    let mut watcher = server.join(&opened.table, &[]).await;
    // Connected, but never heard of again: it does not even answer pings.
    let _silent = server.join(&opened.table, &[opened.keys[0].as_deref().unwrap()]).await;
    table_where(&mut watcher, |table| table["seats"][0]["here"] == true).await;
    table_where(&mut watcher, |table| table["seats"][0]["here"] == false).await;
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    tokio::spawn(oboro_server::serve_admin(std::sync::Arc::clone(&server.registry), listener));
    let (status, text) = http(&address, "GET", "/metrics", "", "").await.unwrap();
    assert_eq!(status, 200);
    for line in [
        "oboro_tables 1",
        "oboro_sockets 1",
        "oboro_sockets_total 2",
        "oboro_commit_failing 0",
        "oboro_agents_thinking_megabytes_limit 512",
    ] {
        assert!(text.lines().any(|found| found == line), "{line} is not in\n{text}");
    }
    let public = server.http("GET", "/metrics", "", "").await.1;
    assert!(!public.contains("oboro_tables"), "not for everybody");
}

/// Phrases reach everybody at the table once; nobody speaks for others, in other words, or where there is nobody to talk to.
#[tokio::test(flavor = "multi_thread")]
async fn people_talk_by_phrases() {
    let server = Server::start(Limits::default()).await;
    let opened = server.open(room(&json!({})));
    let mut host = server.join(&opened.table, &[opened.keys[0].as_deref().unwrap()]).await;
    let mut watcher = server.join(&opened.table, &[]).await;
    assert_eq!(watcher.hear_kind("table").await["talk"], true);
    let hello = json!({ "type": "say", "seat": 0, "phrase": "hello" });
    host.say(&hello).await;
    for client in [&mut host, &mut watcher] {
        let said = client.hear_kind("said").await;
        assert_eq!((&said["seat"], &said["phrase"]), (&json!(0), &json!("hello")));
    }
    assert!(error(&mut watcher, &hello).await.contains("not yours"));
    let free = json!({ "type": "say", "seat": 0, "phrase": "buy gold at example.com" });
    assert!(error(&mut host, &free).await.contains("unknown variant"));
    host.say(&json!({ "type": "say", "seat": 0, "phrase": "thanks" })).await;
    assert_eq!(watcher.hear_kind("said").await["number"], 2, "nothing is told twice");
    // Whoever comes later hears what is said from then on.
    let mut late = server.join(&opened.table, &[]).await;
    late.hear_kind("table").await;
    host.say(&json!({ "type": "say", "seat": 0, "phrase": "oops" })).await;
    assert_eq!(late.hear_kind("said").await["number"], 3);

    let person = json!({ "kind": "person", "name": "" });
    let agent = json!({ "kind": "agent", "spec": "random" });
    let alone = server.open(json!({ "game": "geister", "seats": [person, agent] }));
    let mut one = server.join(&alone.table, &[alone.keys[0].as_deref().unwrap()]).await;
    assert!(error(&mut one, &hello).await.contains("nobody here to talk to"));
}
