//! `oboro evolve` and `oboro policy`: equal bytes, continued runs, and policies one can read.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

use crate::common;

use common::{files, refuses};
use std::fs;
use std::path::Path;

fn works(folder: &Path, arguments: &str) -> String {
    common::works(folder, &arguments.split_whitespace().collect::<Vec<_>>())
}

const SMALL: &str = "--positions 60 --depth 2 --value-depth 2 --population 20 --runs 2 --seed 3";

/// The agreement that the heading of a policy's file names.
fn shown_agreement(policy: &Path) -> String {
    let text = fs::read_to_string(policy).unwrap();
    let (_, rest) = text.split_once("agreement ").expect("it was bred by agreement");
    rest.split(',').next().unwrap().to_owned()
}

#[test]
fn threads_and_interruptions_leave_the_same_files() {
    let folder = tempfile::tempdir().unwrap();
    let run = |out: &str, more: &str| {
        works(
            folder.path(),
            &format!("evolve geister --primitives aware {SMALL} {more} --out {out}"),
        )
    };
    run("whole", "--generations 4 --keep 2 --threads 1");
    run("parts", "--generations 2 --keep 2 --threads 3");
    run("parts", "--generations 4 --keep 2 --threads 2");
    let (whole, parts) = (files(&folder.path().join("whole")), files(&folder.path().join("parts")));
    assert_eq!(whole.keys().collect::<Vec<_>>(), parts.keys().collect::<Vec<_>>());
    for (name, bytes) in &whole {
        assert!(*bytes == parts[name], "{} differs", name.display());
    }
    for name in ["progress.csv", "run-1.json", "run-2.txt", "run-2-generation-2.txt"] {
        assert!(whole.contains_key(Path::new(name)), "{name} is missing: {:?}", whole.keys());
    }
    // What was evolved can be shown, tuned and played.
    let shown = works(folder.path(), "policy show whole/run-1.txt");
    assert_eq!(shown, works(folder.path(), "policy simplify whole/run-1.txt"));
    let lessons = "whole/lessons-imperfect-square-first-depth-2-values-2-positions-60-seed-3.txt";
    let scores = works(folder.path(), &format!("policy score whole/run-1.txt --lessons {lessons}"));
    let agreement = shown_agreement(&folder.path().join("whole/run-1.txt"));
    assert!(scores.contains(&agreement), "{agreement} is not in\n{scores}");
    works(
        folder.path(),
        &format!("evolve tune whole/run-1.txt {SMALL} --generations 2 --fitness loss --out tuned"),
    );
    works(
        folder.path(),
        "match geister mcts:playouts=10,policy=gp:tuned/run-1.txt gp:whole/run-2.txt --games 2 --seed 1",
    );
}

#[test]
fn bad_input_is_refused_with_a_reason() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("bad.txt"), "if isHavingKeeper then\n  doNothing").unwrap();
    for (arguments, said) in [
        ("policy show nowhere.txt", "nowhere.txt"),
        ("policy score algorithm-1 --lessons nowhere.txt", "cannot read nowhere.txt"),
        ("policy score algorithm-1 --lessons bad.txt", "bad.txt: line 1"),
        ("policy show algorithm-3", "did you mean `algorithm-"),
        ("policy show bad.txt", "bad.txt: line 2, column 3"),
        ("evolve geister --population 1 --out x", "population=1"),
        ("evolve geister --fitness speed --out x", "speed"),
        ("evolve geister --elites 100 --out x", "elites=100"),
        ("evolve geister --corners away --out x", "home, exits or searcher"),
        ("evolve geister --shape deep --out x", "shallow"),
        ("evolve geister --bound 0 --out x", "bound=0: from 1 to"),
        ("evolve tune imperfect-loss-all-30 --out x", "5 policies; one is tuned"),
    ] {
        let errors = refuses(folder.path(), &arguments.split_whitespace().collect::<Vec<_>>());
        assert!(errors.contains(said), "{arguments} said: {errors}");
    }
    assert!(!folder.path().join("x").exists(), "nothing was written");
}

/// The fixture of Geister 2022: bred by agreement, the printed policies must agree with the thesis's positions no less than any single
/// function. On ours they do not.
#[test]
fn printed_policies_agree_less_than_a_single_function_on_our_positions() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = "policy agreement --positions 400 --depth 2 --colours true --seed 1";
    let table = works(folder.path(), arguments);
    let share = |policy: &str| -> f64 {
        let row = table.lines().find(|line| line.contains(policy)).expect("its row");
        let cells: Vec<&str> = row.split(['│', '┆']).map(str::trim).collect();
        cells[3].parse().expect("its share of the best function")
    };
    assert!(share("algorithm-1") < 0.8 && share("algorithm-2") < 0.8, "{table}");
    assert_eq!(share("best single function"), 1.0, "{table}");
}
