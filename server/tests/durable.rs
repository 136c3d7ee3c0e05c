//! Tables on disk: restarts, full and damaged disks, copies. Nothing acknowledged is ever lost, nothing is overwritten.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

use crate::common;

use common::{Server, people};
use oboro_server::{Database, Library, Limits, Site, StoreError, TableRegistry};
use serde_json::json;
use std::fs;
use std::path::Path;

fn file(folder: &Path) -> std::path::PathBuf {
    folder.join("tables.sqlite")
}

/// Plays the first legal action of whoever is to move, so many times; tells how many have been played in all.
async fn play_some(server: &Server, table: &str, keys: &[&str], times: u64) -> u64 {
    let mut client = server.join(table, keys).await;
    let mut update = client.hear_kind("update").await;
    for _ in 0..times {
        let plies = update["plies"].as_u64().unwrap();
        let action = &update["actions"][0]["action"];
        client.say(&json!({ "type": "play", "seat": update["to-act"], "action": action, "ply": plies })).await;
        update = client.update_at(plies + 1).await;
    }
    update["plies"].as_u64().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_restart_brings_tables_seats_and_stories_back() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::durable(folder.path(), None).await;
    let opened = server.open(people("sevens", 4));
    let keys: Vec<&str> = opened.keys.iter().map(|key| key.as_deref().unwrap()).collect();
    let with_agent = server.open(json!({
        "game": "geister", "seats": [{ "kind": "person", "name": "Aki" }, { "kind": "agent", "spec": "random" }],
    }));
    let own = with_agent.keys[0].as_deref().unwrap();
    let mut client = server.join(&with_agent.table, &[own]).await;
    client.hear_kind("update").await;
    client.say(&json!({ "type": "play", "seat": 0, "action": "ABCD", "ply": 0 })).await;
    client.update_at(2).await;
    assert_eq!(play_some(&server, &opened.table, &keys, 6).await, 6);
    server.stop().await;
    assert!(
        client.hear_kind_or_end("closed").await.is_none(),
        "browsers are to come back, not told that all is over"
    );

    let server = Server::durable(folder.path(), None).await;
    let mut again = server.join(&opened.table, &keys).await;
    let update = again.hear_kind("update").await;
    assert_eq!((&update["plies"], update["events"].as_array().unwrap().len()), (&json!(6), 6));
    let mut stranger = server.join(&opened.table, &["x".repeat(24).as_str()]).await;
    assert_eq!(stranger.hear_kind("update").await["eyes"], "spectator");
    let mut client = server.join(&with_agent.table, &[own]).await;
    let table = client.hear_kind("table").await;
    assert_eq!(
        (&table["seats"][0]["name"], &table["seats"][1]["agent"]),
        (&json!("Aki"), &json!(true))
    );
    let update = client.hear_kind("update").await;
    assert_eq!((&update["plies"], &update["to-act"]), (&json!(2), &json!(0)));
    // The agent goes on, moves are still taken back, and the end is on disk, too.
    let action = &update["actions"][0]["action"];
    client.say(&json!({ "type": "play", "seat": 0, "action": action, "ply": 1 })).await;
    assert!(client.hear_kind("error").await["message"].as_str().unwrap().contains("gone on"));
    client.say(&json!({ "type": "play", "seat": 0, "action": action, "ply": 2 })).await;
    client.update_at(4).await;
    client.say(&json!({ "type": "take-back" })).await;
    while client.hear_kind("update").await["plies"] != 2 {}
    client.say(&json!({ "type": "resign", "seat": 0 })).await;
    while client.hear_kind("update").await["outcome"].is_null() {}
    server.stop().await;

    let server = Server::durable(folder.path(), None).await;
    let path = format!("/api/tables/{}/record", with_agent.table);
    let (status, text) = server.http("GET", &path, "", "").await;
    assert_eq!(status, 200, "{text}");
    assert!(
        text.contains("forfeit: 0 resigned") && text.contains("agents: Aki | random"),
        "{text}"
    );
    let mut client = server.join(&with_agent.table, &[own]).await;
    assert_eq!(client.hear_kind("update").await["outcome"]["payoffs"], json!([0.0, 1.0]));
    server.stop().await;
    let records = folder.path().join("records");
    assert_eq!(Database::export(folder.path(), &records).unwrap(), 1);
    assert_eq!(
        fs::read_to_string(records.join(format!("{}.txt", with_agent.table))).unwrap(),
        text
    );
}

/// The time that somebody had left, as a browser is told it.
async fn time_left(server: &Server, table: &str, key: &str) -> u64 {
    let mut client = server.join(table, &[key]).await;
    client.hear_kind("update").await["clock"]["seats"][0].as_u64().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn clocks_go_on_where_they_were_and_stand_still_while_the_server_is_away() {
    use tokio::time::{Duration, Instant, sleep};
    let folder = tempfile::tempdir().unwrap();
    let server = Server::durable(folder.path(), None).await;
    let person = |name: &str| json!({ "kind": "person", "name": name });
    let opened = server.open(json!({
        "game": "sevens", "rules": { "players": 3 }, "room": { "game-seconds": 3600, "away-seconds": null },
        "seats": [person("Aki"), person("Ben"), { "kind": "open" }],
    }));
    let key = opened.keys[0].as_deref().unwrap();
    let mut host = server.join(&opened.table, &[key]).await;
    host.hear_kind("table").await;
    let begun = Instant::now();
    host.say(&json!({ "type": "begin" })).await;
    host.hear_kind("update").await;
    let writing = begun.elapsed();
    sleep(Duration::from_millis(300)).await;
    let awake = Instant::now();
    let before = time_left(&server, &opened.table, key).await;
    assert!(before <= 3_600_000 - 300, "the clock runs: {before}");
    server.stop().await;
    let mut ran = awake.elapsed();
    sleep(Duration::from_secs(2)).await;
    let awake = Instant::now();
    let server = Server::durable(folder.path(), None).await;
    let after = time_left(&server, &opened.table, key).await;
    ran += awake.elapsed();
    // A turn that is read from the disk began when it was written there, which is before anybody heard of it.
    let most = before + writing.as_millis() as u64;
    assert!(after <= most, "nobody gains time: {before}, {writing:?} to write, {after}");
    // One millisecond for rounding.
    let least = before.saturating_sub(ran.as_millis() as u64 + 1);
    assert!(after >= least, "nobody loses time: {before}, {ran:?} awake, {after}");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_of_the_first_version_is_brought_up_to_date() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::durable(folder.path(), None).await;
    let opened = server.open(people("sevens", 4));
    let keys: Vec<&str> = opened.keys.iter().map(|key| key.as_deref().unwrap()).collect();
    assert_eq!(play_some(&server, &opened.table, &keys, 3).await, 3);
    server.stop().await;
    // What the first version had not: events, and a count of commits and of the time that servers had run.
    let old = rusqlite::Connection::open(file(folder.path())).unwrap();
    old.execute_batch(
        "DROP TABLE event_deeds; DROP TABLE events; ALTER TABLE deeds DROP COLUMN uptime;
         ALTER TABLE pulse DROP COLUMN uptime; ALTER TABLE pulse DROP COLUMN commits; PRAGMA user_version = 1;",
    )
    .unwrap();
    old.close().unwrap();
    fs::write(folder.path().join("lock"), "").unwrap();
    let saved_to = tempfile::tempdir().unwrap();
    let saved = Database::salvage(folder.path(), saved_to.path()).unwrap();
    assert_eq!((saved.tables, saved.events, saved.steps, saved.holes), (1, 0, 3, 0));
    let server = Server::durable(folder.path(), None).await;
    assert_eq!(play_some(&server, &opened.table, &keys, 1).await, 4);
    let plan = "name = \"Cup\"\nkind = \"swiss\"\nrounds = 1\n[[game]]\nname = \"sevens\"\n";
    let plan = oboro_server::EventPlan::parse(plan).unwrap();
    let event = server.registry.open_event(&plan).unwrap();
    server.registry.flush_event(&event).await.unwrap();
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn old_tables_are_removed_and_those_in_use_are_not() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::durable(folder.path(), None).await;
    let (done, open) = (server.open(people("geister", 2)), server.open(people("sevens", 4)));
    let own = done.keys[0].as_deref().unwrap();
    let mut client = server.join(&done.table, &[own]).await;
    client.hear_kind("update").await;
    client.say(&json!({ "type": "resign", "seat": 0 })).await;
    while client.hear_kind("update").await["outcome"].is_null() {}
    let event = "name = \"Cup\"\nkind = \"round-robin\"\npeople = 0\n[[game]]\nname = \"geister\"\nrules = { plies = 6 }\n\
                 [[agent]]\nspec = \"random\"\n[[agent]]\nname = \"other\"\nspec = \"random\"\n";
    let event =
        server.registry.open_event(&oboro_server::EventPlan::parse(event).unwrap()).unwrap();
    let path = format!("/api/events/{event}");
    while !server.http("GET", &path, "", "").await.1.contains("\"stage\":\"over\"") {
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    server.stop().await;

    let server = Server::durable(folder.path(), None).await;
    let day = std::time::Duration::from_hours(24);
    assert_eq!(server.registry.prune(day).unwrap(), 0, "all of it is new");
    // The milliseconds of the last steps are not yet old.
    tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    let removed = server.registry.prune(std::time::Duration::ZERO).unwrap();
    assert_eq!(removed, 2, "the game that is over, and the event; its tables go when it has gone");
    let gone = format!("/api/tables/{}/record", done.table);
    assert_eq!(server.http("GET", &format!("/api/tables/{}", done.table), "", "").await.0, 404);
    assert_eq!(server.http("GET", &path, "", "").await.0, 404);
    assert_eq!(server.http("GET", &format!("/api/tables/{}", open.table), "", "").await.0, 204);
    server.stop().await;
    let server = Server::durable(folder.path(), None).await;
    assert_eq!(server.http("GET", &gone, "", "").await.0, 404);
    assert_eq!(
        server.registry.prune(std::time::Duration::ZERO).unwrap(),
        2,
        "the tables of the event"
    );
    let keys: Vec<&str> = open.keys.iter().map(|key| key.as_deref().unwrap()).collect();
    assert_eq!(play_some(&server, &open.table, &keys, 1).await, 1);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_shown_that_a_full_disk_did_not_take() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::durable(folder.path(), Some(1)).await;
    let opened = server.open(people("labyrinth", 2));
    server.registry.flush(&opened.table).await.unwrap();
    let keys: Vec<&str> = opened.keys.iter().map(|key| key.as_deref().unwrap()).collect();
    // Other tables fill the disk.
    let seat = json!({ "kind": "person", "name": "朧".repeat(40) });
    let rules = json!({ "players": 10 });
    let wanted = json!({ "game": "saboteur", "rules": rules, "seats": vec![seat; 10] });
    let full = loop {
        // Some at a time: the disk is asked once for all of them.
        let opened: Vec<_> = (0..25).map(|_| server.open(wanted.clone())).collect();
        let opened = &opened[24];
        if let Err(refusal) = server.registry.flush(&opened.table).await {
            break refusal.to_string();
        }
    };
    assert!(full.contains("cannot be written down") && full.contains("full"), "{full}");
    // What little is left of the last page is used up by actions; then one is refused, and nobody sees it.
    let mut client = server.join(&opened.table, &keys).await;
    let mut update = client.hear_kind("update").await;
    loop {
        let (seat, plies) = (&update["to-act"], &update["plies"]);
        let action = &update["actions"][0]["action"];
        client.say(&json!({ "type": "play", "seat": seat, "action": action })).await;
        let answer = client.hear().await.unwrap();
        if answer["message"] == "too many messages: slow down" {
            tokio::time::sleep(std::time::Duration::from_millis(200)).await;
            continue;
        }
        if answer["type"] == "error" {
            assert_eq!(answer["message"], full);
            let shown = client.hear_kind("update").await;
            assert_eq!(&shown["plies"], plies, "the action is not shown");
            update = shown;
            break;
        }
        update = answer;
    }
    let typed = "content-type: application/json\r\n";
    while server.http("POST", "/api/tables", typed, &wanted.to_string()).await.0 != 503 {}
    assert_eq!(server.http("GET", "/health", "", "").await.0, 503);
    // What was acknowledged is still there, and goes on when there is room again.
    let before = update["plies"].as_u64().unwrap();
    server.stop().await;
    let server = Server::durable(folder.path(), None).await;
    assert_eq!(play_some(&server, &opened.table, &keys, 2).await, before + 2);
    assert_eq!(server.http("GET", "/health", "", "").await, (200, "ok\n".to_owned()));
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_damaged_or_foreign_file_is_left_as_it_is_and_what_can_be_read_is_saved() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::durable(folder.path(), None).await;
    let mut opened = Vec::new();
    for _ in 0..60 {
        opened.push(server.open(people("sevens", 4)));
    }
    for table in &opened[..10] {
        let keys: Vec<&str> = table.keys.iter().map(|key| key.as_deref().unwrap()).collect();
        play_some(&server, &table.table, &keys, 8).await;
    }
    let copy = folder.path().join("copy.sqlite");
    Database::backup(folder.path(), &copy).unwrap();
    assert!(
        matches!(Database::backup(folder.path(), &copy), Err(StoreError::Io { .. })),
        "it is there already"
    );
    assert!(matches!(Database::open(folder.path(), None), Err(StoreError::InUse(_))));
    server.stop().await;

    // The copy is a whole database.
    let elsewhere = tempfile::tempdir().unwrap();
    fs::copy(&copy, file(elsewhere.path())).unwrap();
    let server = Server::durable(elsewhere.path(), None).await;
    let own = opened[0].keys[0].as_deref().unwrap();
    let mut client = server.join(&opened[0].table, &[own]).await;
    assert_eq!(client.hear_kind("update").await["plies"], 8);
    server.stop().await;

    // A page of the file is overwritten: said, not touched, and the rest saved.
    let path = file(folder.path());
    let mut bytes = fs::read(&path).unwrap();
    let page = u16::from_be_bytes([bytes[16], bytes[17]]) as usize;
    let at = bytes.len() / page / 2 * page;
    bytes[at..at + page].fill(0xa5);
    fs::write(&path, &bytes).unwrap();
    let error = Database::open(folder.path(), None).unwrap_err().to_string();
    assert!(error.contains("is damaged") && error.contains("--salvage"), "{error}");
    assert_eq!(fs::read(&path).unwrap(), bytes, "nothing was changed");
    let saved_to = tempfile::tempdir().unwrap();
    let saved = Database::salvage(folder.path(), saved_to.path()).unwrap();
    assert!(saved.holes > 0 && saved.tables > 30, "{saved:?}");
    assert_eq!(fs::read(&path).unwrap(), bytes, "nothing was changed");
    let server = Server::durable(saved_to.path(), None).await;
    server.stop().await;

    let diary = b"my diary, which is no database at all, but dear to me";
    let foreign = tempfile::tempdir().unwrap();
    fs::write(file(foreign.path()), diary).unwrap();
    let error = Database::open(foreign.path(), None).unwrap_err().to_string();
    assert!(error.contains("is damaged"), "{error}");
    assert_eq!(fs::read(file(foreign.path())).unwrap(), diary);
    let newer = tempfile::tempdir().unwrap();
    drop(Database::open(newer.path(), None).unwrap());
    let mut bytes = fs::read(file(newer.path())).unwrap();
    bytes[63] = 99; // the version of the schema, by SQLite's file format
    fs::write(file(newer.path()), &bytes).unwrap();
    let error = Database::open(newer.path(), None).unwrap_err().to_string();
    assert!(error.contains("newer Oboro"), "{error}");

    // A folder that cannot be one, and a file that cannot be written.
    let error = Database::open(&copy, None).unwrap_err().to_string();
    assert!(error.contains("copy.sqlite"), "{error}");
    let blocked = tempfile::tempdir().unwrap();
    fs::create_dir(file(blocked.path())).unwrap();
    let error = Database::open(blocked.path(), None).unwrap_err().to_string();
    assert!(error.contains("tables.sqlite"), "{error}");
}

/// Every table that was acknowledged is there after a restart, however many could not be written.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_acknowledged_on_a_full_disk_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let database = Database::open(folder.path(), Some(1)).unwrap();
    let limits = Limits { tables: 100_000, requests_per_minute: 1_000_000, ..Limits::default() };
    let (registry, _) = TableRegistry::durable(limits, Library::empty(), database).unwrap();
    let server = Server::of(registry, Site::default()).await;
    let wanted = json!({
        "game": "geister",
        "seats": [{ "kind": "person" }, { "kind": "agent", "spec": "random" }],
        // Something that fills the disk quickly.
        "room": { "stand-in": format!("ssm:placement={}", "ABCD") },
        "position": null,
    })
    .to_string();
    let typed = "content-type: application/json\r\n";
    let (mut written, mut refused) = (Vec::new(), 0);
    // Several at a time, so that a failure meets some that are not written yet.
    while refused < 40 {
        let ask = || server.http("POST", "/api/tables", typed, &wanted);
        let answers = futures_util::future::join_all((0..16).map(|_| ask())).await;
        for (status, text) in answers {
            match status {
                200 => {
                    let opened: serde_json::Value = serde_json::from_str(&text).unwrap();
                    written.push(opened["table"].as_str().unwrap().to_owned());
                }
                503 => refused += 1,
                status => panic!("{status}: {text}"),
            }
        }
        assert!(written.len() < 100_000, "the disk is never full");
    }
    server.stop().await;
    let saved = rusqlite::Connection::open(file(folder.path())).unwrap();
    for name in &written {
        let found = saved.query_row("SELECT 1 FROM tables WHERE name = ?1", [name], |_| Ok(()));
        assert!(found.is_ok(), "{name} was acknowledged and is not there");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_loses_a_game_because_the_clock_of_the_machine_was_set() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::durable(folder.path(), None).await;
    let opened = server.open(json!({
        "game": "geister", "seats": [{ "kind": "person" }, { "kind": "person" }],
        "room": { "move-seconds": 600, "lose-on-time": true, "away-seconds": null },
    }));
    let keys: Vec<&str> = opened.keys.iter().map(|key| key.as_deref().unwrap()).collect();
    assert_eq!(play_some(&server, &opened.table, &keys, 3).await, 3);
    server.stop().await;
    // The clock was an hour behind when the last move was made.
    let saved = rusqlite::Connection::open(file(folder.path())).unwrap();
    saved.execute("UPDATE deeds SET at = at - 3600000", []).unwrap();
    saved.close().unwrap();
    let server = Server::durable(folder.path(), None).await;
    let mut client = server.join(&opened.table, &keys).await;
    let update = client.hear_kind("update").await;
    assert!(update["outcome"].is_null(), "{}", update["outcome"]);
    assert!(update["clock"]["for-move"].as_u64().unwrap() > 500_000, "{}", update["clock"]);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
#[cfg(unix)]
async fn only_the_owner_reads_the_files() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().unwrap();
    let server = Server::durable(folder.path(), None).await;
    let opened = server.open(people("sevens", 4));
    server.registry.flush(&opened.table).await.unwrap();
    let copy = folder.path().join("copy.sqlite");
    Database::backup(folder.path(), &copy).unwrap();
    for name in ["tables.sqlite", "tables.sqlite-wal", "copy.sqlite"] {
        let mode = fs::metadata(folder.path().join(name)).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode, 0o600, "{name}: {mode:o}");
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_emptied_database_and_a_log_that_was_cut_are_damage() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::durable(folder.path(), None).await;
    for _ in 0..20 {
        let opened = server.open(people("sevens", 4));
        server.registry.flush(&opened.table).await.unwrap();
    }
    // As after a kill: everything is in the log.
    let copy = |cut: u64| {
        let to = tempfile::tempdir().unwrap();
        for name in ["tables.sqlite", "tables.sqlite-wal", "lock"] {
            fs::copy(folder.path().join(name), to.path().join(name)).unwrap();
        }
        let log = fs::OpenOptions::new().write(true).open(to.path().join("tables.sqlite-wal"));
        let log = log.unwrap();
        log.set_len(log.metadata().unwrap().len() / 4 * cut).unwrap();
        to
    };
    let whole = copy(4);
    drop(Database::open(whole.path(), None).unwrap());
    let half = copy(3);
    let said = Database::open(half.path(), None).unwrap_err().to_string();
    assert!(said.contains("commits are missing") && said.contains("--salvage"), "{said}");
    let saved_to = tempfile::tempdir().unwrap();
    let saved = Database::salvage(half.path(), saved_to.path()).unwrap();
    assert!((1..20).contains(&saved.tables), "{saved:?}");
    server.stop().await;
    fs::write(file(folder.path()), "").unwrap();
    let said = Database::open(folder.path(), None).unwrap_err().to_string();
    assert!(said.contains("it is empty, and was not before"), "{said}");
}
