//! Events: people and agents meet round by round, through kills, absences and bad intentions.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

use crate::common;

use common::killed::{self, HOST};
use common::phone::{Dice, Phone, record};
use common::{Server, http};
use oboro_server::{Database, EventPlan};
use serde_json::{Value, json};
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::time::sleep;

const TYPED: &str = "content-type: application/json\r\n";

fn as_host() -> String {
    format!("{TYPED}authorization: Bearer {HOST}\r\n")
}

fn key(number: usize) -> String {
    format!("{number}").repeat(24)
}

/// Asks until a server that may be away for a while answers.
async fn ask(address: &str, method: &str, path: &str, headers: &str, body: &str) -> (u16, String) {
    loop {
        if let Some(answer) = http(address, method, path, headers, body).await {
            return answer;
        }
        sleep(Duration::from_millis(20)).await;
    }
}

async fn open(address: &str, plan: &Value) -> String {
    let (status, text) = ask(address, "POST", "/api/events", &as_host(), &plan.to_string()).await;
    assert_eq!(status, 200, "{text}");
    let answer: Value = serde_json::from_str(&text).unwrap();
    answer["event"].as_str().unwrap().to_owned()
}

async fn enter(address: &str, event: &str, number: usize) -> (u16, String) {
    let path = format!("/api/events/{event}/enter");
    let body = json!({ "name": format!("Player {number}"), "key": key(number) }).to_string();
    ask(address, "POST", &path, TYPED, &body).await
}

/// How an event stands, as somebody with a secret sees it: the report, and which entrant it is.
async fn report(address: &str, event: &str, key: &str) -> (Value, Value) {
    let headers = format!("x-oboro-key: {key}\r\n");
    loop {
        let path = format!("/api/events/{event}");
        let (status, text) = ask(address, "GET", &path, &headers, "").await;
        // An answer may break off when the server is killed.
        if status == 200
            && let Ok(mut answer) = serde_json::from_str::<Value>(&text)
        {
            return (answer["report"].take(), answer["you"].take());
        }
        sleep(Duration::from_millis(20)).await;
    }
}

/// The unfinished games of an entrant: their tables, and the seat.
fn games_of(report: &Value, you: &Value) -> Vec<(String, usize)> {
    let rounds = report["rounds"].as_array().unwrap().iter();
    let boards = rounds.flat_map(|round| round["boards"].as_array().unwrap());
    let games = boards.flat_map(|board| board["games"].as_array().unwrap());
    let open = games.filter(|game| game["payoffs"].is_null());
    open.filter_map(|game| {
        let seat = game["seats"].as_array().unwrap().iter().position(|seat| seat == you)?;
        Some((game["table"].as_str().unwrap().to_owned(), seat))
    })
    .collect()
}

/// Takes part in an event to its end; says what was played, table by table.
async fn take_part(address: String, event: String, number: usize) -> Vec<Phone> {
    let mut played: Vec<Phone> = Vec::new();
    let secret = key(number);
    loop {
        let (report, you) = report(&address, &event, &secret).await;
        if report["stage"] == "over" {
            return played;
        }
        if you.is_null() {
            let (status, text) = enter(&address, &event, number).await;
            assert_eq!(status, 204, "{text}");
        }
        for (table, seat) in games_of(&report, &you) {
            if played.iter().all(|phone| phone.table != table) {
                let mut phone = Phone::new(&address, &table, seat, &secret);
                phone.dice = Dice(number as u64 * 1000 + played.len() as u64);
                phone.pause = 5;
                played.push(phone.play().await);
            }
        }
        sleep(Duration::from_millis(30)).await;
    }
}

/// Everything of an event that is over fits together: every game was played once, its result is that of its record,
/// and everything its players were shown is there.
async fn check_whole(address: &str, report: &Value, phones: &[Phone]) -> usize {
    let mut games = 0;
    let mut points = 0.0;
    for round in report["rounds"].as_array().unwrap() {
        for board in round["boards"].as_array().unwrap() {
            let played = board["games"].as_array().unwrap();
            assert_eq!(played.len() as u64, board["of"].as_u64().unwrap(), "{board}");
            for game in played {
                let table = game["table"].as_str().unwrap();
                let record = record(address, table).await;
                oboro_catalog::open_record(&record.to_string()).unwrap();
                let result: Vec<f64> =
                    record.result.iter().map(|text| text.parse().unwrap()).collect();
                assert_eq!(game["payoffs"], json!(result), "{game}");
                let here = phones.iter().filter(|phone| phone.table == table);
                for phone in here {
                    for (ply, action) in &phone.acknowledged {
                        let (seat, played) = &record.actions[*ply];
                        assert_eq!((seat.index(), played), (phone.seat, action), "action {ply}");
                    }
                }
                games += 1;
                points += result.len() as f64 / 2.0;
            }
        }
    }
    let standings = report["standings"].as_array().unwrap();
    let made: f64 = standings.iter().map(|line| line["points"].as_f64().unwrap()).sum();
    // Whoever sits with several of the house makes points against each of them.
    assert!(made > 0.0 && made <= points + 1e-9, "{made} of {points}");
    games
}

/// A Swiss event of sevens at tables of three and a round robin of geister, people and agents in both, on a server that is
/// killed again and again: no result is lost or counted twice, and everybody comes back by themselves.
#[tokio::test(flavor = "multi_thread")]
async fn events_go_on_through_kills() {
    let folder = tempfile::tempdir().unwrap();
    let address = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap().to_string();
    let mut child = killed::start(folder.path(), &address);
    let swiss = json!({
        "name": "Swiss", "kind": "swiss", "rounds": 2, "people": 4, "begin-with": 4, "come-seconds": 600,
        "game": [{ "name": "sevens", "rules": { "players": 3 } }],
        "agent": [{ "spec": "rule" }, { "spec": "random", "name": "Chance" }],
    });
    let robin = json!({
        "name": "Robin", "kind": "round-robin", "people": 2, "begin-with": 2, "come-seconds": 600, "games-per-meeting": 1,
        "house": "random", "game": [{ "name": "geister", "rules": { "plies": 24 } }], "agent": [{ "spec": "random" }],
    });
    let (swiss, robin) = (open(&address, &swiss).await, open(&address, &robin).await);
    let mut playing = tokio::task::JoinSet::new();
    for number in 0..4 {
        playing.spawn(take_part(address.clone(), swiss.clone(), number));
    }
    for number in 4..6 {
        playing.spawn(take_part(address.clone(), robin.clone(), number));
    }
    let mut dice = Dice(11);
    for _ in 0..4 {
        ask(&address, "GET", "/health", "", "").await;
        sleep(Duration::from_millis(100 + dice.below(400))).await;
        child.start_kill().unwrap();
        child.wait().await.unwrap();
        child = killed::start(folder.path(), &address);
    }
    let phones: Vec<Phone> = playing.join_all().await.into_iter().flatten().collect();
    let (whole, _) = report(&address, &swiss, "").await;
    assert_eq!(check_whole(&address, &whole, &phones).await, 4, "two rounds of two tables");
    assert_eq!(whole["standings"].as_array().unwrap().len(), 6, "no seat was left over");
    let (whole, _) = report(&address, &robin, "").await;
    assert_eq!(
        check_whole(&address, &whole, &phones).await,
        6,
        "three rounds, one of two plays the house"
    );
    assert_eq!(whole["standings"][3]["entrant"], 3, "the house comes last");
    assert!(phones.iter().any(|phone| phone.connections > 1), "nobody lost a connection");
    // Killed once more, and it is all the same.
    child.start_kill().unwrap();
    child.wait().await.unwrap();
    let _child = killed::start(folder.path(), &address);
    assert_eq!(report(&address, &robin, "").await.0, whole);
    // Its results as files, while the server runs: a journal as leagues have.
    let into = folder.path().join("events");
    assert_eq!(Database::export_events(folder.path(), &into).unwrap(), 2);
    let games: Vec<oboro_lab::GameResult> =
        oboro_store::Journal::read(&into.join(format!("{robin}.jsonl")), |_, _| Ok(())).unwrap();
    assert_eq!(games.len(), 6);
    let shown = std::fs::read_to_string(into.join(format!("{robin}.json"))).unwrap();
    assert_eq!(serde_json::from_str::<Value>(&shown).unwrap(), whole);
}

async fn with_host() -> Server {
    let server = Server::start(oboro_server::Limits::default()).await;
    server.registry.set_host_key(HOST);
    server
}

/// Waits for something to hold of an event.
async fn until(address: &str, event: &str, holds: impl Fn(&Value) -> bool) -> Value {
    loop {
        let (report, _) = report(address, event, "").await;
        if holds(&report) {
            return report;
        }
        sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn agents_play_several_games_and_rotate_seats_on_equal_deals() {
    let server = with_host().await;
    let plan = json!({
        "name": "Agents", "kind": "swiss", "rounds": 2, "people": 0, "games-per-meeting": 3,
        "game": [{ "name": "sevens", "rules": { "players": 3 } }, { "name": "geister", "rules": { "plies": 12 } }],
        "agent": [{ "spec": "random", "name": "a" }, { "spec": "random", "name": "b" }, { "spec": "random", "name": "c" }],
        "house": "random",
    });
    let event = open(&server.address, &plan).await;
    let whole = until(&server.address, &event, |report| report["stage"] == "over").await;
    assert_eq!(check_whole(&server.address, &whole, &[]).await, 3 + 6);
    let first = &whole["rounds"][0]["boards"][0]["games"];
    assert_eq!(whole["rounds"][1]["game"], 1, "the games are played in turn");
    let mut deals = Vec::new();
    for game in first.as_array().unwrap() {
        deals.push(record(&server.address, game["table"].as_str().unwrap()).await.start);
    }
    assert!(deals.iter().all(|deal| *deal == deals[0]), "agents play a deal from every seat");
    let seats = |game: usize| first[game]["seats"].clone();
    assert!(seats(0) != seats(1) && seats(1) != seats(2) && seats(0) != seats(2));
    for standing in whole["standings"].as_array().unwrap() {
        let (low, high) = (&standing["interval"]["low"], &standing["interval"]["high"]);
        assert!(
            low.as_f64() <= standing["elo"].as_f64() && standing["elo"].as_f64() <= high.as_f64()
        );
    }
    server.stop().await;
}

/// In poker who wins more games may be paid less: nothing on the page says otherwise than the payoffs.
#[tokio::test(flavor = "multi_thread")]
async fn where_payoffs_count_events_stand_by_mean_payoffs() {
    let server = with_host().await;
    let plan = |name: &str, games: &[&str]| {
        let games: Vec<Value> = games.iter().map(|game| json!({ "name": game })).collect();
        json!({
            "name": name, "kind": "swiss", "rounds": 4, "people": 0, "house": "random", "game": games,
            "agent": [{ "spec": "random", "name": "a" }, { "spec": "mc:20", "name": "b" }, { "spec": "ismcts:50", "name": "c" }],
        })
    };
    let event = open(&server.address, &plan("Poker", &["leduc"])).await;
    let over = until(&server.address, &event, |report| report["stage"] == "over").await;
    assert_eq!(over["counts"], "payoffs");
    let lines = over["standings"].as_array().unwrap();
    let payoff = |line: &Value| line["payoff"].as_f64().unwrap();
    for line in lines {
        assert!(line["elo"].is_null(), "{line}");
        let paid = payoff(line) * line["games"].as_f64().unwrap();
        assert!((paid - line["points"].as_f64().unwrap()).abs() < 1e-9, "{line}");
        let [low, high] = ["low", "high"].map(|end| line["interval"][end].as_f64().unwrap());
        assert!(low <= payoff(line) && payoff(line) <= high, "{line}");
    }
    // The house is the last.
    let entrants = &lines[..3];
    assert!(entrants.is_sorted_by(|here, there| payoff(here) >= payoff(there)), "{lines:?}");
    let game = &over["rounds"][0]["boards"][0];
    let paid: f64 = game["points"].as_array().unwrap().iter().map(|p| p.as_f64().unwrap()).sum();
    assert!(paid.abs() < 1e-9, "a table shows what was paid: {game}");
    // Payoffs of one game are not added to points of another.
    let event = open(&server.address, &plan("Both", &["kuhn", "goofspiel"])).await;
    let over = until(&server.address, &event, |report| report["stage"] == "over").await;
    assert_eq!(over["counts"], "mixed");
    for line in over["standings"].as_array().unwrap() {
        assert!(line["elo"].is_null() && line["payoff"].is_null(), "{line}");
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_does_not_come_forfeits_or_is_played_for_and_is_out_after_two_rounds() {
    let server = with_host().await;
    let plan = |name: &str, game: Value| {
        json!({
            "name": name, "kind": "swiss", "rounds": 3, "people": 1, "begin-with": 1, "come-seconds": 0,
            "absent": "forfeit", "house": "random", "games-per-meeting": 1, "game": [game],
            "agent": [{ "spec": "random", "name": "x" }, { "spec": "random", "name": "y" }],
        })
    };
    // Two at a table: the game is lost.
    let event =
        open(&server.address, &plan("Two", json!({ "name": "geister", "rules": { "plies": 12 } })))
            .await;
    assert_eq!(enter(&server.address, &event, 1).await.0, 204);
    let over = until(&server.address, &event, |report| report["stage"] == "over").await;
    let line = |report: &Value, entrant: usize| {
        let lines = report["standings"].as_array().unwrap().clone();
        lines.into_iter().find(|line| line["entrant"] == entrant).unwrap()
    };
    assert_eq!((&line(&over, 2)["points"], &line(&over, 2)["faults"]), (&json!(0.0), &json!(2)));
    assert_eq!(over["entrants"][2]["left"], true, "out after two rounds");
    assert_eq!(over["rounds"].as_array().unwrap().len(), 3);
    let of_person = |round: &Value| round.to_string().contains("away");
    let rounds = over["rounds"].as_array().unwrap();
    assert!(of_person(&rounds[0]) && of_person(&rounds[1]) && !of_person(&rounds[2]));
    // Three at a table: an agent plays, the others get their points, and the absent one none.
    let event = open(
        &server.address,
        &plan("Three", json!({ "name": "sevens", "rules": { "players": 3 } })),
    )
    .await;
    assert_eq!(enter(&server.address, &event, 1).await.0, 204);
    let over = until(&server.address, &event, |report| report["stage"] == "over").await;
    assert_eq!((&line(&over, 2)["points"], &line(&over, 2)["faults"]), (&json!(0.0), &json!(2)));
    assert_eq!(over["rounds"][0]["boards"][0]["games"][0]["forfeit"], Value::Null);
    server.stop().await;
}

async fn post(address: &str, path: &str, headers: &str, body: Value) -> (u16, String) {
    ask(address, "POST", path, headers, &body.to_string()).await
}

/// Acts as the host without a secret, with guessed ones, with that of a player, and from another page.
async fn nobody_acts_as_host(address: &str, path: &str, plan: &Value) {
    let bearer = |key: &str| format!("{TYPED}authorization: Bearer {key}\r\n");
    for headers in [
        TYPED.to_owned(),
        bearer(""),
        bearer("host"),
        bearer(&key(1)),
        bearer(&HOST[1..]),
        bearer(&HOST.to_uppercase()),
    ] {
        for what in ["/begin", "/end", "/remove"] {
            let body = json!({ "entrant": 3, "name": "Player 1" });
            assert_eq!(
                post(address, &format!("{path}{what}"), &headers, body).await.0,
                403,
                "{headers}{what}"
            );
        }
        assert_eq!(post(address, "/api/events", &headers, plan.clone()).await.0, 403);
        assert_eq!(ask(address, "GET", "/api/host", &headers, "").await.0, 403);
    }
    let evil = format!("{}origin: https://evil.example\r\n", as_host());
    assert_eq!(post(address, &format!("{path}/end"), &evil, json!({})).await.0, 403);
}

/// Tries at every table of a first round to halt agents, to play again, to be advised, to end the game for everybody, and
/// to act for others; says how that was answered.
async fn attack_tables(server: &Server, begun: &Value) -> Vec<Value> {
    let mut heard = Vec::new();
    for board in begun["rounds"][0]["boards"].as_array().unwrap() {
        let table = board["games"][0]["table"].as_str().unwrap();
        let mut client = server.join(table, &[&key(1)]).await;
        client.hear_kind("update").await;
        for seat in 0..3 {
            for request in [
                json!({ "type": "pace", "pause": null }),
                json!({ "type": "again" }),
                json!({ "type": "consult", "agent": "rule", "seat": seat }),
                json!({ "type": "resign", "seat": seat }),
                json!({ "type": "take-back" }),
            ] {
                client.say(&request).await;
                heard.push(client.hear_kind("error").await);
            }
            if board["games"][0]["seats"][seat] != 3 {
                client.say(&json!({ "type": "leave", "seat": seat })).await;
                heard.push(client.hear_kind("error").await);
            }
        }
        assert_eq!(server.http("GET", &format!("/api/tables/{table}/record"), "", "").await.0, 400);
    }
    heard
}

/// Somebody who takes part tries to make results, to act as the host, and to act for others: nothing comes of it.
#[tokio::test(flavor = "multi_thread")]
async fn nobody_makes_results_but_the_games() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::durable(folder.path(), None).await;
    server.registry.set_host_key(HOST);
    let address = &server.address;
    let plan = json!({
        "name": "Fair", "kind": "swiss", "rounds": 1, "people": 3, "come-seconds": 600, "pace": 60000,
        "house": "random", "game": [{ "name": "sevens", "rules": { "players": 3 } }],
        "agent": [{ "spec": "random", "name": "x" }, { "spec": "rule", "name": "y" }, { "spec": "eval", "name": "z" }],
    });
    let event = open(address, &plan).await;
    let path = format!("/api/events/{event}");
    for number in 1..=3 {
        assert_eq!(enter(address, &event, number).await.0, 204);
    }
    assert_eq!(enter(address, &event, 3).await.0, 204, "said again after a lost answer");
    nobody_acts_as_host(address, &path, &plan).await;
    // Not others: names and secrets that are taken or guessed.
    let entry = |name: &str, key: &str| json!({ "name": name, "key": key });
    for (body, says) in [
        (entry("player 2", &"e".repeat(24)), "has this name"),
        (entry("X", &"e".repeat(24)), "has this name"),
        (entry("\u{7} ", &"e".repeat(24)), "say your name"),
        (entry("Eve", "short"), "20 to 64"),
        (entry("Eve", &"e".repeat(24)), "all places"),
        (json!({ "name": "Eve", "key": "e".repeat(24), "entrant": 0 }), "entrant"),
    ] {
        let (status, said) = post(address, &format!("{path}/enter"), TYPED, body.clone()).await;
        assert!(status == 400 && said.contains(says), "{body}: {status} {said}");
    }
    for guess in ["", "x", &key(2)[1..], &key(9)] {
        let (status, _) =
            post(address, &format!("{path}/leave"), TYPED, json!({ "key": guess })).await;
        assert_eq!(status, 400, "{guess}");
        assert_eq!(report(address, &event, guess).await.1, Value::Null);
    }
    assert_eq!(report(address, &event, &key(2)).await.1, json!(4));
    assert_eq!(post(address, &format!("{path}/begin"), &as_host(), json!({})).await.0, 204);
    let begun = until(address, &event, |report| {
        report["rounds"][0]["boards"].as_array().is_some_and(|boards| {
            boards
                .iter()
                .all(|board| board["games"].as_array().is_some_and(|games| games.len() == 1))
        })
    })
    .await;
    let (status, said) =
        post(address, &format!("{path}/enter"), TYPED, entry("Late", &key(8))).await;
    assert!(status == 400 && said.contains("has begun"), "{said}");
    // No way to say a result.
    for what in ["", "/over", "/result", "/rounds/0", "/deeds"] {
        for method in ["POST", "PUT", "PATCH", "DELETE"] {
            let body = json!({ "board": 0, "result": { "payoffs": [9, 9, 9] } }).to_string();
            let status = ask(address, method, &format!("{path}{what}"), &as_host(), &body).await.0;
            assert!(status == 404 || status == 405, "{method} {what}: {status}");
        }
    }
    let heard = attack_tables(&server, &begun).await;
    // Nothing has come of it, and no secret is told or kept.
    let (after, _) = report(address, &event, &key(1)).await;
    assert_eq!(after, begun);
    let told = format!("{after}{}", Value::from(heard));
    let stored = std::fs::read(folder.path().join("tables.sqlite-wal")).unwrap();
    for secret in [key(1), key(2), key(3), HOST.to_owned()] {
        assert!(!told.contains(&secret), "a secret is told");
        assert!(
            !stored.windows(secret.len()).any(|bytes| bytes == secret.as_bytes()),
            "a secret is kept"
        );
    }
    assert!(!told.contains("seed"), "the deals to come are told");
    assert_eq!(post(address, &format!("{path}/end"), &as_host(), json!({})).await.0, 204);
    assert_eq!(report(address, &event, "").await.0["stage"], "over");
    server.stop().await;
}

/// The same file starts the same event only once, and a changed one is refused.
#[tokio::test(flavor = "multi_thread")]
async fn an_event_from_a_file_goes_on_after_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let text = "name = \"Cup\"\nkind = \"swiss\"\nrounds = 2\npeople = 2\n\
                [[game]]\nname = \"sevens\"\n[[agent]]\nspec = \"rule\"\n";
    let plan = EventPlan::parse(text).unwrap();
    let server = Server::durable(folder.path(), None).await;
    let event = server.registry.open_event(&plan).unwrap();
    assert_eq!(enter(&server.address, &event, 1).await.0, 204);
    server.stop().await;
    let server = Server::durable(folder.path(), None).await;
    assert_eq!(server.registry.open_event(&plan).unwrap(), event);
    let (known, you) = report(&server.address, &event, &key(1)).await;
    assert_eq!((&known["entrants"][1]["name"], you), (&json!("Player 1"), json!(1)));
    let other = EventPlan { rounds: Some(3), ..plan };
    assert!(server.registry.open_event(&other).unwrap_err().to_string().contains("another event"));
    let listed = server.http("GET", "/api/events", "", "").await.1;
    assert!(listed.contains("Cup") && listed.contains("gathering"), "{listed}");
    server.stop().await;
}
