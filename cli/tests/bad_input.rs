//! Bad input ends with one line that names the remedy, exit code 2, and nothing overwritten.

use crate::common;

use common::refuses as refuse;
use std::fs;

#[test]
fn unknown_names_are_answered_with_what_there_is() {
    let folder = tempfile::tempdir().unwrap();
    for (arguments, said) in [
        (&["agents", "seven"][..], "did you mean `sevens`?"),
        (&["agents", "sevens", "evla"], "did you mean `eval`?"),
        (&["games", "chess"], "unknown game `chess`"),
        (&["match", "sevens", "evla", "rule", "rule", "rule"], "did you mean `eval`?"),
        (&["match", "sevens", "mc:playuots=3", "rule", "rule", "rule"], "did you mean `playouts`?"),
        (&["match", "sevens", "mc:playouts=x", "rule", "rule", "rule"], "playouts=x"),
        (&["match", "sevens", "mc:", "rule", "rule", "rule"], "column 4"),
        (&["match", "sevens", "rule", "rule"], "4 seats under these rules, but 2 agents"),
        (&["match", "sevens", "rule", "rule", "--rules", "players=2"], "players=2: from 3 to 6"),
        (&["match", "sevens", "rule", "rule", "--rules", "plyers=4"], "did you mean `players`?"),
        (&["match", "sevens", "rule", "rule", "--rules", "players"], "KEY=VALUE"),
        (&["match", "sevens", "rule", "rule", "rule", "rule", "--games", "0"], "at least one"),
        (
            &["match", "sevens", "rule", "rule", "rule", "rule", "--games", "-1"],
            "invalid value '-1' for '--games <GAMES>': expected a whole number from 0 on",
        ),
        (&["show", "--record", "x", "--ply", "-1"], "invalid value '-1' for '--ply <N>'"),
        (&["show", "sevens", "--seat", "-1"], "invalid value '-1' for '--seat <SEAT>'"),
        (&["deal", "sevens", "--number", "-1"], "invalid value '-1' for '--number <NUMBER>'"),
        (&["match", "sevens", "rule", "rule", "rule", "rule", "--seed", "x"], "no seed"),
        (&["match", "sevens", "rule", "rule", "rule", "rule", "--sprt", "0,10"], "two different"),
        (&["match", "sevens", "rule", "eval", "rule", "eval", "--sprt", "10,0"], "elo"),
        (&["league", "sevens", "rule", "rule"], "twice"),
        (&["experiment", "sevens-2081"], "did you mean `sevens-2018`?"),
        (&["experiment", "sevens-2018", "--shard", "3/2"], "no shard"),
        (&["show", "sevens", "turn=0"], "position: column"),
        (&["show", "sevens"], "no position was given"),
        (&["show", "sevens", "--file", "nowhere.txt"], "nowhere.txt"),
        (&["moves", "sevens", "朧"], "expected `turn=`"),
        (&["analyse", "sevens", "x"], "which agent?"),
        (&["replay", "nowhere.txt"], "nowhere.txt"),
        (&["merge", "out", "nowhere"], "manifest.json"),
        (&["bench", "chess"], "unknown game"),
        (
            &["match", "geister", "exec:/nonexistent", "random"],
            "exec:/nonexistent: it ended (exit code 127)",
        ),
        (&["match", "geister", "tcp:127.0.0.1:1", "random"], "it could not be reached"),
    ] {
        let errors = refuse(folder.path(), arguments);
        assert!(errors.contains(said), "{arguments:?} said: {errors}");
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "nothing was written");
}

#[test]
fn every_complaint_of_ours_is_one_line() {
    let folder = tempfile::tempdir().unwrap();
    for arguments in
        [&["agents", "seven"][..], &["show", "sevens", "x"], &["experiment", "nowhere"]]
    {
        assert_eq!(refuse(folder.path(), arguments).lines().count(), 1);
    }
}

#[test]
fn experiment_files_are_checked_with_line_and_column() {
    let folder = tempfile::tempdir().unwrap();
    let good = "id = \"x\"\ntitle = \"x\"\ngame = \"sevens\"\nseed = 1\ngames = { quick = 2, paper = 2, full = 2 }\n\
        [[match]]\nid = \"m\"\nagents = [\"rule\", \"rule\", \"rule\", \"eval\"]\n\
        [[table]]\nid = \"1\"\ntitle = \"t\"\n[[table.row]]\nlabel = \"r\"\nmatch = \"m\"\n\
        cells = [{ value = \"payoff[a]\" }]\n";
    for (from, to, said) in [
        ("seed = 1", "seed = ", "x.toml:4:8"),
        ("seed = 1", "sede = 1", "x.toml:4:1"),
        ("seed = 1", "seed = \"one\"", "x.toml:4:8"),
        ("\"eval\"]", "\"evla\"]", "did you mean `eval`"),
        ("game = \"sevens\"", "game = \"chess\"", "unknown game"),
        ("match = \"m\"", "match = \"n\"", "there is no match `n`"),
        ("payoff[a]", "payoff[?]", "is no value"),
        ("payoff[a]", "payoff[c]", "the match has 2 different agents"),
        ("payoff[a]", "win[0]", "`win` needs an entrant"),
        ("full = 2 }", "fell = 2 }", "expected a number, or { quick"),
        ("payoff[a]", "glory[a]", "no `glory`"),
        ("id = \"m\"", "id = \"../m\"", "it names a file"),
        ("{ value", "{ published = \"0.5\", value", "published-n"),
    ] {
        let text = good.replacen(from, to, 1);
        assert_ne!(text, good, "{from}");
        fs::write(folder.path().join("x.toml"), text).unwrap();
        let errors = refuse(
            folder.path(),
            &["experiment", "x.toml", "--out", &format!("out-{}", said.len())],
        );
        assert!(errors.contains(said), "{to} said: {errors}");
    }
}

#[test]
fn folders_of_others_and_damaged_ones_are_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let base = ["match", "sevens", "eval", "rule", "rule", "rule", "--games", "6", "--out", "out"];
    let with = |more: &[&'static str]| [&base[..], more].concat();

    fs::create_dir(here.join("out")).unwrap();
    fs::write(here.join("out/thesis.tex"), "mine").unwrap();
    assert!(refuse(here, &with(&["--seed", "1"])).contains("choose an empty or new folder"));
    assert_eq!(fs::read_dir(here.join("out")).unwrap().count(), 1);
    fs::remove_file(here.join("out/thesis.tex")).unwrap();

    common::works(here, &with(&["--seed", "1"]));
    assert!(refuse(here, &with(&["--seed", "2"])).contains("made with seed 1, not 2"));

    let games = here.join("out/games.jsonl");
    let text = fs::read_to_string(&games).unwrap();
    let damaged = text.replacen("\"n\":3", "\"n\":x", 1);
    fs::write(&games, &damaged).unwrap();
    let errors = refuse(here, &with(&["--seed", "1"]));
    assert!(errors.contains("games.jsonl:4: damaged"), "{errors}");
    assert!(errors.contains("the 3 lines before it are sound"), "{errors}");
    assert_eq!(fs::read_to_string(&games).unwrap(), damaged, "nothing was overwritten");

    fs::write(here.join("out/manifest.json"), "{}").unwrap();
    assert!(refuse(here, &with(&["--seed", "1"])).contains("no manifest of ours"));

    fs::write(here.join("file"), "").unwrap();
    let errors = refuse(
        here,
        &["match", "sevens", "eval", "rule", "rule", "rule", "--seed", "1", "--out", "file/x"],
    );
    assert!(errors.contains("file/x"), "{errors}");
}
