//! Whatever a stranger sends gets an error or is dropped: nothing moves, nothing leaks, nothing falls over.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

mod common;

use common::{Server, people};
use oboro_server::Limits;
use serde_json::json;

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
        (json!({ "type": "curve", "agent": "random", "seat": 1 }), "after its end"),
        (json!({ "type": "hello", "keys": [] }), "hello was said already"),
        (json!({ "type": "pace", "pause": 0 }), "agents among themselves"),
        (json!({ "type": "play", "seat": -1, "action": "ABCD" }), "cannot be read"),
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
        ("/api/records/7", "", 404, "no record 7"),
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
