//! Experiment files, damaged a little: each is refused with the place or read, and nothing panics.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

use oboro_lab::Experiment;
use oboro_testkit::{damaged_text, fuzz};

const FILE: &str = r#"
id = "x"
title = "x"
game = "sevens"
seed = 1
games = { quick = 2, paper = 2, full = 2 }
notes = ["a note"]

[[match]]
id = "m"
agents = ["rule", "rule", "rule", "eval"]
seats = "rotate"
rules = { players = 4 }

[[table]]
id = "1"
title = "t"
[[table.row]]
label = "r"
match = "m"
cells = [{ value = "payoff[a]", published = "0.5", published-n = 100 }]
"#;

#[test]
fn mangled_experiments_are_refused_or_read() {
    Experiment::parse("x.toml", FILE).unwrap();
    let (mut tried, mut refused) = (0, 0);
    fuzz(600, |rng| {
        let text = damaged_text(FILE, rng);
        tried += 1;
        if let Err(error) = Experiment::parse("x.toml", &text) {
            refused += 1;
            assert!(error.to_string().contains("x.toml"), "{error}");
        }
    });
    assert!(3 * refused > tried, "only {refused} of {tried} were refused");
}
