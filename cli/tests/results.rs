//! The same seed gives the same bytes: with any number of threads, in shards, and after a kill.

use crate::common;

use common::{command, files, refuses, works as oboro};
use std::fs;
use std::process::Stdio;
use std::time::Duration;

const EXPERIMENT: &str = r#"
id = "small"
title = "A small experiment"
game = "sevens"
seed = 5
games = { quick = 41, paper = 60, full = 80 }
published-n = 1000

[[match]]
id = "one"
agents = ["eval", "eval", "rule", "rule"]

[[match]]
id = "two"
agents = ["mc:playouts=12", "random", "rule", "random"]
seats = "rotate"
games = { quick = 12, paper = 12, full = 12 }

[[table]]
id = "1"
title = "Scores"
holm = true
[[table.row]]
label = "eval : rule"
match = "one"
cells = [
    { label = "eval", value = "payoff[a]", published = "1.18" },
    { label = "eval when first", value = "payoff[a]", where = ["first[a]=1"] },
]
tests = [{ kind = "welch", x = "payoff[a]", y = "payoff[b]" }, { kind = "paired", x = "payoff[a]", y = "payoff[b]" }]
"#;

#[test]
fn threads_and_shards_do_not_change_a_byte() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    fs::write(here.join("small.toml"), EXPERIMENT).unwrap();
    let first = oboro(here, &["experiment", "small.toml", "--threads", "1", "--out", "one"]);
    let second = oboro(here, &["experiment", "small.toml", "--threads", "2", "--out", "two"]);
    assert_eq!(first, second);
    assert_eq!(files(&here.join("one")), files(&here.join("two")));
    assert!(first.contains("eval : rule"), "{first}");

    for shard in ["1/2", "2/2"] {
        let out = format!("part-{}", &shard[..1]);
        oboro(here, &["experiment", "small.toml", "--shard", shard, "--out", &out]);
    }
    oboro(here, &["merge", "whole", "part-2", "part-1"]);
    oboro(here, &["experiment", "small.toml", "--out", "whole"]);
    assert_eq!(files(&here.join("one")), files(&here.join("whole")));
}

#[test]
fn a_part_of_an_experiment_is_the_beginning_of_the_whole() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    fs::write(here.join("small.toml"), EXPERIMENT).unwrap();
    let part = ["experiment", "small.toml", "--out", "part", "--only", "*wo", "--at-most", "5"];
    let table = oboro(here, &part);
    assert!(table.contains("not run"), "{table}");
    assert!(!here.join("part/one.jsonl").exists());
    let two = fs::read_to_string(here.join("part/two.jsonl")).unwrap();
    assert_eq!(two.lines().count(), 5);

    oboro(here, &["experiment", "small.toml", "--out", "part"]);
    oboro(here, &["experiment", "small.toml", "--out", "whole"]);
    assert_eq!(files(&here.join("part")), files(&here.join("whole")));
    // Asking for less than there is takes nothing away.
    oboro(here, &part);
    assert_eq!(files(&here.join("part")), files(&here.join("whole")));

    let error = refuses(here, &["experiment", "small.toml", "--out", "none", "--only", "twoo"]);
    assert!(error.contains("did you mean `two`"), "{error}");
    assert!(!here.join("none").exists());
}

#[test]
fn a_killed_run_goes_on_to_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let games = |out: &'static str, games: &str| {
        let base = ["match", "sevens", "mc:60", "eval", "rule", "random", "--seed", "9"];
        [&base[..], &["--out", out, "--games", games]].concat().join(" ")
    };
    // More games than anybody could play before the kill.
    let mut child = command(here, &games("killed", "1000000").split(' ').collect::<Vec<_>>())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let file = here.join("killed/games.jsonl");
    // Wait for the first games, not for a time: the machine may be slow.
    while fs::metadata(&file).map_or(0, |m| m.len()) == 0 && child.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(2));
    }
    child.kill().unwrap();
    assert!(!child.wait().unwrap().success(), "it was killed");
    // What a kill in the middle of a line leaves behind.
    let mut half = fs::read_to_string(&file).unwrap();
    let enough = (half.lines().count() + 20).to_string();
    half.push_str("{\"n\":");
    fs::write(&file, &half).unwrap();

    let run = |out| oboro(here, &games(out, &enough).split(' ').collect::<Vec<_>>());
    run("killed");
    run("straight");
    assert_eq!(files(&here.join("killed")), files(&here.join("straight")));
}

#[test]
fn a_longer_match_goes_on_from_a_shorter_one() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let play = |out: &str, games: &str| {
        let base =
            ["match", "sevens", "eval", "rule", "rule", "random", "--seed", "2", "--out", out];
        oboro(here, &[&base[..], &["--games", games]].concat())
    };
    play("grown", "10");
    play("grown", "25");
    play("straight", "25");
    assert_eq!(files(&here.join("grown")), files(&here.join("straight")));
    let before = files(&here.join("grown"));
    play("grown", "5");
    assert_eq!(files(&here.join("grown")), before, "asking for less takes nothing away");
}

#[test]
fn records_replay_and_damaged_ones_do_not() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let base = ["match", "sevens", "eval", "rule", "rule", "random", "--seed", "2", "--games", "3"];
    oboro(here, &[&base[..], &["--out", "games", "--records"]].concat());
    let record = here.join("games/records/000002.txt");
    assert!(oboro(here, &["replay", "games/records/000002.txt"]).contains("sound: "));
    let text = fs::read_to_string(&record).unwrap();
    fs::write(&record, text.replacen("result: ", "result: 2 ", 1)).unwrap();
    refuses(here, &["replay", "games/records/000002.txt"]);
}

#[test]
fn a_deal_is_checked_against_its_seed_and_the_hash_that_was_shown() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let seed = format!("0x{}", "5a".repeat(32));
    let wanted = serde_json::json!({ "game": "sevens", "seats": vec!["random"; 4], "seed": seed });
    let request: oboro_catalog::NewGame = oboro_catalog::read(wanted).unwrap();
    let mut live = request.open().unwrap();
    while live.to_act().is_some() {
        live.step().unwrap();
    }
    let record = live.record().to_string();
    let verify = |record: &str, hash: &str| {
        fs::write(here.join("game.txt"), record).unwrap();
        common::run(here, &["replay", "game.txt", "--quiet", "--verify", "--commitment", hash])
    };
    let hash = oboro_server::commitment(&seed);
    let sound = verify(&record, &hash);
    assert!(sound.status.success() && String::from_utf8_lossy(&sound.stdout).contains(&hash));
    let other = record.replace("5a5a", "5a5b");
    for (record, hash, why) in [
        (&record, oboro_server::commitment("1"), "not what was shown"),
        (&other, hash, "not the deal of the seed"),
    ] {
        let refused = verify(record, &hash);
        let said = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert!(refused.status.code() == Some(2) && said.contains(why), "{said}");
    }
}

#[test]
fn a_sequential_test_stops_early_and_always_at_the_same_game() {
    let folder = tempfile::tempdir().unwrap();
    let play = |threads: &str| {
        let base = [
            "match", "sevens", "eval", "random", "eval", "random", "--games", "5000", "--seed", "1",
        ];
        oboro(
            folder.path(),
            &[&base[..], &["--sprt", "0,50", "--json", "--threads", threads]].concat(),
        )
    };
    let one = play("1");
    assert_eq!(one, play("2"));
    assert!(one.contains("accept-h1"), "{one}");
    let games = one.lines().find(|line| line.contains("\"games\"")).expect("a count").to_owned();
    assert!(!games.contains("5000"), "it stopped before the last game: {games}");
}
