//! Tables as browsers see them: whole games, lost connections, agents, records.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

use crate::common;

use common::{Server, people};
use oboro_server::Limits;
use serde_json::{Value, json};

/// Every game, with as many people as usually play it.
fn games() -> impl Iterator<Item = (&'static str, usize)> {
    oboro_catalog::games().into_iter().map(|game| (game.name(), game.players().usual))
}

fn keys(opened: &oboro_server::Opened) -> Vec<&str> {
    opened.keys.iter().map(|key| key.as_deref().expect("a person's seat")).collect()
}

/// People hold every seat and play by their own frames alone, until the game is over for all of them.
#[tokio::test(flavor = "multi_thread")]
async fn whole_games_are_played_over_sockets() {
    /// So many actions are offered to the people at a table; games with very many are not played to the end.
    const OFFERS: usize = 20_000;
    let server = Server::start(Limits { messages_per_second: 1000, ..Limits::default() }).await;
    let mut unfinished = Vec::new();
    for (game, seats) in games() {
        let opened = server.open(people(game, seats));
        let mut clients = Vec::new();
        for key in keys(&opened) {
            clients.push(server.join(&opened.table, &[key]).await);
        }
        let mut spectator = server.join(&opened.table, &[]).await;
        let mut played = 0;
        let mut number = 12345_u64;
        let mut offered = 0;
        let last = loop {
            let mut turn = None;
            for (seat, client) in clients.iter_mut().enumerate() {
                let update = client.update_at(played).await;
                assert_eq!(update["eyes"]["seat"], seat, "{game}");
                let to_act = update["to-act"].as_u64();
                let own = to_act == Some(seat as u64);
                assert_eq!(update["actions"].is_array(), own, "{game}");
                if own {
                    turn = Some((seat, update));
                }
            }
            let Some((seat, update)) = turn else { break true };
            let actions = update["actions"].as_array().unwrap();
            offered += actions.len();
            if offered > OFFERS {
                unfinished.push(game);
                break false;
            }
            number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let action = &actions[(number >> 33) as usize % actions.len()]["action"];
            clients[seat].say(&json!({ "type": "play", "seat": seat, "action": action })).await;
            played += 1;
        };
        let seen = spectator.update_at(played).await;
        assert_eq!(seen["eyes"], "spectator");
        assert_eq!(last, !seen["outcome"].is_null(), "{game}");
        let (status, record) =
            server.http("GET", &format!("/api/tables/{}/record", opened.table), "", "").await;
        assert_eq!(status == 200, last, "a record is for after the end: {record}");
        if last {
            let study = server.http("POST", "/api/records", "", &record).await;
            assert_eq!(study.0, 200, "{}", study.1);
        }
    }
    assert!(unfinished.len() <= 1, "{unfinished:?}");
}

/// What the frames of a seat say is determined by what the seat knows: a table at which everything hidden from it is
/// exchanged for something else that agrees with its view sends the same frames.
#[tokio::test(flavor = "multi_thread")]
async fn nobody_peeks() {
    let server = Server::start(Limits { tables: 100_000, ..Limits::default() }).await;
    let mut exchanged = 0;
    for (game, _) in games() {
        let rules = oboro_catalog::game(game).unwrap().rules(&[]).unwrap();
        for number in 0..26_u64 {
            let seed = oboro_core::Seed::from_u64(number);
            let seeds = seed.game(number, number);
            let mut live = rules.live(&vec![None; rules.seats()], number, &seeds, "").unwrap();
            for step in 0..number * 2 {
                let Some(seat) = live.to_act() else { break };
                let actions = live.actions();
                let action = &actions[(number * 31 + step * 17) as usize % actions.len()];
                live.play(seat, action).unwrap();
            }
            if live.to_act().is_none() {
                // The record of a finished game is for everybody, and so is what it counted.
                continue;
            }
            let position = live.position();
            for seat in [0, rules.seats() - 1] {
                let other = live.view(seat).unwrap().position();
                exchanged += u32::from(other != position);
                let mut frames = Vec::new();
                // Whoever is at a table is told to others: they stay until all have been asked.
                let mut here = Vec::new();
                for position in [&position, &other] {
                    let mut wanted = people(game, rules.seats());
                    wanted["position"] = json!(position);
                    let opened = server.open(wanted);
                    for keys in [vec![keys(&opened)[seat]], Vec::new()] {
                        let mut client = server.join(&opened.table, &keys).await;
                        let mut table = client.hear_kind("table").await;
                        table["table"] = Value::Null;
                        frames.push((table, client.hear_kind("update").await));
                        here.push(client);
                    }
                }
                assert_eq!(frames[0], frames[2], "{game}, seat {seat}: {position} and {other}");
                assert_eq!(frames[1], frames[3], "{game}, a spectator: {position} and {other}");
            }
        }
    }
    assert!(exchanged > 100, "only {exchanged} of the positions had something hidden");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lost_connection_goes_on_and_a_second_window_takes_over() {
    let server = Server::start(Limits::default()).await;
    let opened = server.open(people("sevens", 4));
    let key = keys(&opened)[0];
    let mut first = server.join(&opened.table, &[key]).await;
    let update = first.hear_kind("update").await;
    let action = &update["actions"][0]["action"];
    first.say(&json!({ "type": "play", "seat": 0, "action": action })).await;
    first.update_at(1).await;
    drop(first);
    let mut again = server.join(&opened.table, &[key]).await;
    let update = again.hear_kind("update").await;
    assert_eq!((&update["plies"], &update["events-from"]), (&json!(1), &json!(0)));
    assert_eq!(update["events"].as_array().unwrap().len(), 1, "the story is told again");

    let mut second = server.join(&opened.table, &[key]).await;
    second.hear_kind("update").await;
    again.hear_kind("taken-over").await;
    assert!(again.hear().await.is_none());
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_answers_moves_are_taken_back_and_the_game_is_played_again() {
    let server = Server::start(Limits::default()).await;
    let seats = json!([{ "kind": "person", "name": "Aki" }, { "kind": "agent", "spec": "random" }]);
    let opened = server.open(json!({ "game": "geister", "seats": seats }));
    let key = opened.keys[0].as_deref().unwrap();
    let mut client = server.join(&opened.table, &[key]).await;
    let table = client.hear_kind("table").await;
    assert_eq!((&table["seats"][0]["name"], &table["take-back"]), (&json!("Aki"), &json!(true)));
    let update = client.hear_kind("update").await;
    assert_eq!(update["actions"].as_array().unwrap().len(), 70);
    client.say(&json!({ "type": "play", "seat": 0, "action": "ABCD" })).await;
    client.update_at(2).await;
    client.say(&json!({ "type": "take-back" })).await;
    loop {
        let update = client.hear_kind("update").await;
        if update["plies"] == 0 {
            assert_eq!(update["actions"].as_array().unwrap().len(), 70);
            break;
        }
    }
    client.say(&json!({ "type": "resign", "seat": 0 })).await;
    loop {
        let update = client.hear_kind("update").await;
        if !update["outcome"].is_null() {
            assert_eq!(update["outcome"]["payoffs"], json!([0.0, 1.0]));
            break;
        }
    }
    client.say(&json!({ "type": "again", "swap": true })).await;
    let moved = client.hear_kind("moved").await;
    let key = moved["keys"][0].as_str().unwrap();
    let mut client = server.join(moved["table"].as_str().unwrap(), &[key]).await;
    let table = client.hear_kind("table").await;
    assert_eq!(
        (&table["seats"][1]["name"], &table["seats"][1]["you"]),
        (&json!("Aki"), &json!(true))
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn an_analysis_deepens_and_a_curve_judges_every_decision() {
    let server = Server::start(Limits::default()).await;
    let record = oboro_catalog::game("sevens")
        .unwrap()
        .rules(&[])
        .unwrap()
        .lineup(&["rule", "rule", "rule", "rule"])
        .unwrap()
        .play(
            &[0, 1, 2, 3],
            0,
            &oboro_core::Seed::from_u64(1).game(0, 0),
            oboro_catalog::Keep { record: true, beliefs: false },
        )
        .unwrap()
        .record
        .unwrap();
    let study = server.registry.study(&record.to_string()).unwrap();
    let mut client = server.join(&study.table, &[]).await;
    let update = client.hear_kind("update").await;
    assert_eq!(update["eyes"], "everything");
    client.say(&json!({ "type": "look", "ply": 0, "eyes": { "seat": 0 } })).await;
    let update = client.hear_kind("update").await;
    assert_eq!((&update["ply"], &update["eyes"]), (&json!(0), &json!({ "seat": 0 })));
    client.say(&json!({ "type": "consult", "agent": "mc:80", "seat": 0, "ply": 0 })).await;
    let shallow = client.hear_kind("insight").await;
    let deep = client.hear_kind("insight").await;
    let playouts = |insight: &Value| -> u64 {
        insight["values"].as_array().unwrap().iter().map(|v| v["visits"].as_u64().unwrap()).sum()
    };
    assert!(playouts(&shallow) < playouts(&deep));
    client.say(&json!({ "type": "consult", "agent": "reader:20", "seat": 0, "ply": 8 })).await;
    loop {
        let insight = client.hear_kind("insight").await;
        if insight["for-ply"] == 8 {
            assert!(!insight["beliefs"].as_array().unwrap().is_empty());
            assert!(!insight["baseline"].as_array().unwrap().is_empty());
            break;
        }
    }
    client.say(&json!({ "type": "curve", "agent": "mc:20", "seat": 2 })).await;
    loop {
        let point = client.hear_kind("point").await;
        let value = point["value"].as_f64().unwrap();
        assert!((0.0..=2.0).contains(&value) && point["error"].as_f64().unwrap() >= 0.0);
        assert!(point["played"].as_f64().is_none_or(|played| played <= value));
        assert_ne!(point["best"]["ja"], "");
        if point["done"] == point["of"] {
            assert!(point["of"].as_u64() > Some(5));
            break;
        }
    }
}
