//! Whatever a stranger sends gets an error or is dropped: nothing moves, nothing leaks, nothing falls over.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

use crate::common;

use common::{Server, people};
use oboro_server::{Library, Limits, Site, TableRegistry};
use serde_json::{Value, json};

#[tokio::test(flavor = "multi_thread")]
async fn seats_of_others_are_not_to_be_had() {
    let server = Server::start(Limits::default()).await;
    let opened = server.open(people("geister", 2));
    let own = opened.keys[1].as_deref().unwrap();
    let mut attacker = server.join(&opened.table, &[own, "", "x", &own[1..]]).await;
    attacker.hear_kind("update").await;
    for (request, said) in [
        (json!({ "type": "play", "seat": 0, "action": "ABCD" }), "seat 0 is not yours"),
        (json!({ "type": "play", "seat": 1, "action": "ABCD" }), "it is the turn of seat 0"),
        (json!({ "type": "play", "seat": 7, "action": "ABCD" }), "seat 7 is not yours"),
        (json!({ "type": "resign", "seat": 0 }), "seat 0 is not yours"),
        (json!({ "type": "take-back" }), "among agents only"),
        (json!({ "type": "look", "eyes": { "seat": 0 } }), "after the end"),
        (json!({ "type": "look", "eyes": "everything" }), "after the end"),
        (json!({ "type": "look", "eyes": { "seat": 1 }, "ply": 99 }), "not come that far"),
        (json!({ "type": "consult", "agent": "random", "seat": 0 }), "after the end"),
        (json!({ "type": "consult", "agent": "nobody", "seat": 1 }), "unknown geister agent"),
        (json!({ "type": "hint", "seat": 0, "ply": 0 }), "after the end"),
        (json!({ "type": "hint", "seat": 1, "ply": 0 }), "no agent is asked"),
        (json!({ "type": "curve", "agent": "random", "seat": 1 }), "after its end"),
        (json!({ "type": "hello", "keys": [] }), "cannot be read"),
        (json!({ "type": "pace", "pause": 0 }), "agents among themselves"),
        (
            json!({ "type": "play", "seat": -1, "action": "ABCD" }),
            "integer `-1`, expected a whole number from 0",
        ),
        (json!({ "type": "play", "seat": 1, "action": "ABCD", "more": 1 }), "cannot be read"),
        (json!({ "type": "conquer" }), "cannot be read"),
        (json!([1, 2, 3]), "cannot be read"),
    ] {
        attacker.say(&request).await;
        let error = attacker.hear_kind("error").await;
        let message = error["message"].as_str().unwrap();
        assert!(message.contains(said), "{request} was answered with: {message}");
    }
    let first = opened.keys[0].as_deref().unwrap();
    let mut owner = server.join(&opened.table, &[first]).await;
    assert_eq!(owner.hear_kind("update").await["plies"], 0, "nothing was moved");
}

#[tokio::test(flavor = "multi_thread")]
async fn garbage_floods_and_strangers_are_dropped() {
    let server = Server::start(Limits::default()).await;
    let opened = server.open(people("sevens", 4));
    let mut rude = server.connect(&opened.table).await;
    rude.say_text("not even JSON").await;
    rude.hear_kind("closed").await;
    assert!(rude.hear().await.is_none());

    let mut flood = server.join(&opened.table, &[]).await;
    for _ in 0..400 {
        let text = json!({ "type": "play", "seat": 0, "action": "SA" }).to_string();
        if !flood.try_say_text(&text).await {
            break;
        }
    }
    // It is told why, if it still listens, and hung up on.
    while flood.hear().await.is_some() {}

    let mut huge = server.join(&opened.table, &[]).await;
    huge.hear_kind("update").await;
    huge.try_say_text(&"x".repeat(100_000)).await;
    while huge.hear().await.is_some() {}

    assert!(server.refused_socket(&opened.table, "http://elsewhere.example").await);
    let own = format!("http://{}", server.address);
    assert!(!server.refused_socket(&opened.table, &own).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_that_make_no_sense_are_refused_in_one_line() {
    let server = Server::start(Limits { tables: 3, ..Limits::default() }).await;
    let typed = "content-type: application/json\r\n";
    for (path, body, status, said) in [
        ("/api/tables", "{}", 400, "missing field `game`"),
        ("/api/tables", r#"{"game":"chess","seats":[]}"#, 400, "unknown game `chess`"),
        ("/api/tables", r#"{"game":"sevens","seats":[]}"#, 400, "4 seats"),
        ("/api/tables", r#"{"game":"sevens","seats":[{"kind":"cat"}]}"#, 400, "seats[0]"),
        ("/api/tables", r#"{"game":"sevens","seats":[],"rules":{"players":99}}"#, 400, "3 to 6"),
        ("/api/records", "oboro record 1\ngame: chess\nstart: x\n", 400, "unknown game"),
        ("/api/records", "hello", 400, "a record starts with"),
        ("/api/records/7.txt", "", 404, "no record 7.txt"),
    ] {
        let (found, answer) = server.http("POST", path, typed, body).await;
        assert_eq!(found, status, "{path} {body}: {answer}");
        assert!(answer.contains(said), "{path} {body}: {answer}");
    }
    assert_eq!(server.http("GET", "/api/nothing", "", "").await.0, 404);
    assert_eq!(server.http("GET", "/api/tables/nothere/record", "", "").await.0, 404);
    assert_eq!(server.http("GET", "/../../Cargo.toml", "", "").await.0, 404);
    let foreign = "origin: http://elsewhere.example\r\n";
    assert_eq!(server.http("GET", "/api/games", foreign, "").await.0, 403);
    for _ in 0..3 {
        server.open(people("sevens", 4));
    }
    let wanted = people("sevens", 4).to_string();
    let (status, answer) = server.http("POST", "/api/tables", typed, &wanted).await;
    assert_eq!((status, answer.contains("try again later")), (503, true), "{answer}");
}

const TYPED: &str = "content-type: application/json\r\n";

/// A table of Geister with an agent at its second seat.
fn with_agent(spec: &str) -> Value {
    json!({ "game": "geister", "seats": [{ "kind": "person" }, { "kind": "agent", "spec": spec }] })
}

#[tokio::test(flavor = "multi_thread")]
async fn no_spec_reads_a_file_or_takes_what_it_likes() {
    let folder = tempfile::tempdir().unwrap();
    let secret = folder.path().join("secret.txt");
    std::fs::write(&secret, "the secret of the server").unwrap();
    let path = secret.display().to_string();
    let limits = Limits { requests_per_minute: 1000, ..Limits::default() };
    let server = Server::start(limits).await;
    let long = "x".repeat(60_000);
    let specs = [
        format!("gp:{path}"),
        format!("gp:file={path}"),
        format!("mcts:policy=gp:{path}"),
        format!("mcts:enemy-policy=gp:{path}"),
        "gp:/dev/zero".to_owned(),
        "oboro:playouts=100000000".to_owned(),
        format!("net:{path}"),
        "mcts:playouts=100000000".to_owned(),
        "mcts:seconds=nan".to_owned(),
        "mcts:c=nan".to_owned(),
        "pimc:worlds=10000,playouts=100000".to_owned(),
        "naotti:information=perfect".to_owned(),
        "exec:touch /tmp/x".to_owned(),
        long,
    ];
    for spec in &specs {
        let stand_in = json!({
            "game": "geister", "seats": [{ "kind": "person" }, { "kind": "open" }], "room": { "stand-in": spec },
        });
        for wanted in [with_agent(spec), stand_in] {
            let (status, answer) =
                server.http("POST", "/api/tables", TYPED, &wanted.to_string()).await;
            assert_eq!(status, 400, "{spec:.40}: {answer}");
            assert!(!answer.contains("the secret") && answer.len() < 2000, "{answer}");
        }
    }
    let opened = server.open(with_agent("random"));
    let mut client = server.join(&opened.table, &[opened.keys[0].as_deref().unwrap()]).await;
    client.hear_kind("update").await;
    for spec in &specs {
        for kind in ["consult", "curve"] {
            client.say(&json!({ "type": kind, "agent": spec, "seat": 0 })).await;
            let error = client.hear_kind("error").await.to_string();
            assert!(!error.contains("the secret") && error.len() < 2000, "{error}");
            // One message is not counted against the next for long.
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
    }
    // What is too long is not even read: it may be hung up on while it still speaks.
    let huge = with_agent(&"x".repeat(4 << 20)).to_string();
    let answer = common::http(&server.address, "POST", "/api/tables", TYPED, &huge).await;
    assert!(answer.is_none_or(|(status, _)| status == 413));
}

#[tokio::test(flavor = "multi_thread")]
async fn browsers_are_told_the_bounds_that_are_kept() {
    let server = Server::start(Limits::default()).await;
    let (_, text) = server.http("GET", "/api/games/geister", "", "").await;
    let game: Value = serde_json::from_str(&text).unwrap();
    let agents = game["agents"].as_array().unwrap();
    let mcts = agents.iter().find(|agent| agent["name"] == "mcts").unwrap();
    let properties = mcts["schema"]["properties"].as_object().unwrap();
    assert!(!properties.contains_key("seconds") && properties.contains_key("playouts"));
    let most = properties["playouts"]["maximum"].as_u64().unwrap();
    for (playouts, status) in [(most, 200), (most + 1, 400)] {
        let wanted = with_agent(&format!("mcts:{playouts}")).to_string();
        assert_eq!(server.http("POST", "/api/tables", TYPED, &wanted).await.0, status);
    }
    let most = game["schemas"]["rules"]["properties"]["plies"]["maximum"].as_u64().unwrap();
    let mut wanted = with_agent("random");
    wanted["rules"] = json!({ "plies": most + 1 });
    assert_eq!(server.http("POST", "/api/tables", TYPED, &wanted.to_string()).await.0, 400);
}

#[tokio::test(flavor = "multi_thread")]
async fn watchers_lock_nobody_out_of_the_own_game() {
    let server = Server::start(Limits { watchers: 3, ..Limits::default() }).await;
    let opened = server.open(people("geister", 2));
    let mut watchers = Vec::new();
    for _ in 0..3 {
        let mut watcher = server.join(&opened.table, &[]).await;
        watcher.hear_kind("update").await;
        watchers.push(watcher);
    }
    let mut late = server.join(&opened.table, &[]).await;
    assert!(late.hear_kind("closed").await["message"].as_str().unwrap().contains("watchers"));
    for key in &opened.keys {
        let mut player = server.join(&opened.table, &[key.as_deref().unwrap()]).await;
        player.hear_kind("update").await;
        watchers.push(player);
    }
}

/// Nobody chooses the deal of a room that others join, and everybody can check afterwards that it was fixed before.
#[tokio::test(flavor = "multi_thread")]
async fn deals_among_people_are_the_servers_and_can_be_checked() {
    let server = Server::start(Limits::default()).await;
    let open = json!([{ "kind": "person", "name": "Aki" }, { "kind": "open" }]);
    for extra in [json!({ "seed": "1" }), json!({ "position": "x" })] {
        let mut wanted = json!({ "game": "geister", "seats": open });
        wanted.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
        let (status, answer) = server.http("POST", "/api/tables", TYPED, &wanted.to_string()).await;
        assert_eq!((status, answer.contains("the server deals")), (400, true), "{answer}");
    }
    // Colours that the opener writes into the rules would be known to everybody.
    let wanted =
        json!({ "game": "geister", "seats": open, "rules": { "placements": "ABCD/EFGH" } });
    assert_eq!(server.http("POST", "/api/tables", TYPED, &wanted.to_string()).await.0, 400);

    let wanted = json!({ "game": "geister", "seats": open, "rules": { "placements": "random" } });
    let (_, text) = server.http("POST", "/api/tables", TYPED, &wanted.to_string()).await;
    let opened: Value = serde_json::from_str(&text).unwrap();
    let own = opened["keys"][0].as_str().unwrap();
    let mut aki = server.join(opened["table"].as_str().unwrap(), &[own]).await;
    let first = aki.hear_kind("table").await["commitment"].clone();
    // Again before anybody has come: a new room, and still no short seed.
    aki.say(&json!({ "type": "again" })).await;
    let table = aki.hear_kind("moved").await["table"].as_str().unwrap().to_owned();
    let mut aki = server.join(&table, &[own]).await;
    let shown = aki.hear_kind("table").await["commitment"].as_str().unwrap().to_owned();
    assert_ne!(first, json!(shown));
    let mut ben = server.join(&table, &[]).await;
    assert_eq!(ben.hear_kind("table").await["commitment"], json!(shown), "before a seat is taken");
    let key = "b".repeat(24);
    ben.say(&json!({ "type": "sit", "seat": 1, "name": "Ben", "key": key })).await;
    aki.hear_kind("update").await;
    aki.say(&json!({ "type": "consult", "agent": "random", "seat": 0 })).await;
    let error = aki.hear_kind("error").await["message"].to_string();
    assert!(error.contains("before the end"), "{error}");
    aki.say(&json!({ "type": "resign", "seat": 0 })).await;
    while aki.hear_kind("update").await["outcome"].is_null() {}
    let (_, record) = server.http("GET", &format!("/api/tables/{table}/record"), "", "").await;
    let seed = record.lines().find_map(|line| line.strip_prefix("seed: ")).unwrap();
    let (seed, deal) = seed.split_once('/').unwrap();
    assert_eq!((seed.len(), deal), (66, "0"), "256 bits");
    assert_eq!(oboro_server::commitment(seed), shown);
}

#[tokio::test(flavor = "multi_thread")]
async fn names_that_are_not_ours_and_pings_without_end_are_refused() {
    let server = Server::start(Limits::default()).await;
    let ask = async |host: &str| {
        use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
        let mut stream = tokio::net::TcpStream::connect(&server.address).await.unwrap();
        let request =
            format!("GET /api/games HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.unwrap();
        answer.split(' ').nth(1).unwrap().parse::<u16>().unwrap()
    };
    for (host, status) in [
        ("127.0.0.1:8080", 200),
        ("[::1]:8080", 200),
        ("localhost", 200),
        ("Localhost:1", 200),
        ("box.local", 200),
        ("attacker.example", 421),
        ("127.0.0.1.attacker.example:80", 421),
        ("localhost.attacker.example", 421),
    ] {
        assert_eq!(ask(host).await, status, "{host}");
    }
    let opened = server.open(people("sevens", 4));
    let mut client = server.connect(&opened.table).await;
    while client.ping().await {}
}

/// Half-open requests of one address: others are served, and so is whoever comes from the same address.
#[tokio::test(flavor = "multi_thread")]
#[cfg(target_os = "linux")]
async fn half_open_requests_shut_nobody_out() {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    let limits = Limits { connections_per_address: 20, ..Limits::default() };
    let server = Server::start(limits).await;
    let say = async |own: &str, text: &str| {
        let socket = tokio::net::TcpSocket::new_v4().unwrap();
        socket.bind(format!("{own}:0").parse().unwrap()).unwrap();
        let mut stream = socket.connect(server.address.parse().unwrap()).await.unwrap();
        stream.write_all(text.as_bytes()).await.unwrap();
        stream
    };
    let mut half = Vec::new();
    for _ in 0..100 {
        half.push(say("127.0.0.2", "GET /app.js HT").await);
    }
    for own in ["127.0.0.3", "127.0.0.2"] {
        let whole = "GET /health HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n";
        let mut answer = String::new();
        say(own, whole).await.read_to_string(&mut answer).await.unwrap();
        assert!(answer.starts_with("HTTP/1.1 200"), "{own}: {answer}");
    }
    for mut stream in half.into_iter().take(80) {
        // It is ended at once; the head of a request may take much longer.
        let mut byte = [0];
        let read = tokio::time::timeout(std::time::Duration::from_secs(10), stream.read(&mut byte));
        assert!(!matches!(read.await, Ok(Ok(1)) | Err(_)), "it is still open");
    }
}

/// Twenty tables of agents that think for long, of one address, before somebody of another address plays.
#[tokio::test(flavor = "multi_thread")]
async fn greedy_tables_of_one_address_silence_nobody_else() {
    let limits = Limits { thinkers: 2, thinkers_per_address: 1, ..Limits::default() };
    let site = Site { behind_proxy: true, ..Site::default() };
    let server = Server::of(TableRegistry::new(limits, Library::empty()), site).await;
    let agent = |spec: &str| json!({ "kind": "agent", "spec": spec });
    let greedy = agent("mcts:playouts=50000");
    let greedy = json!({ "game": "geister", "seats": [greedy, greedy] });
    for _ in 0..20 {
        let opened = server.open_from("10.0.0.1", &greedy).await;
        let path = opened["path"].as_str().unwrap();
        let mut client = server.join_from("10.0.0.1", path, &[]).await;
        client.say(&json!({ "type": "pace", "pause": 0 })).await;
    }
    let wanted = json!({ "game": "geister", "seats": [{ "kind": "person" }, agent("random")] });
    let opened = server.open_from("10.0.0.2", &wanted).await;
    let (path, key) = (opened["path"].as_str().unwrap(), opened["keys"][0].as_str().unwrap());
    let mut client = server.join_from("10.0.0.2", path, &[key]).await;
    let mut update = client.hear_kind("update").await;
    for _ in 0..5 {
        let (plies, action) = (update["plies"].as_u64().unwrap(), &update["actions"][0]["action"]);
        client.say(&json!({ "type": "play", "seat": 0, "action": action, "ply": plies })).await;
        // It waits for a minute: one queue for all would take longer.
        update = client.update_at(plies + 2).await;
    }
    server.stop().await;
}
