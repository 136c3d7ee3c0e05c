//! Experiment files, damaged a little: each is refused with the place or read, and nothing panics.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

use oboro_core::Rng;
use oboro_lab::Experiment;

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
    let mut rng = Rng::from_u64(3);
    let mut refused = 0;
    for _ in 0..600 {
        let mut characters: Vec<char> = FILE.chars().collect();
        for _ in 0..=rng.below(3) {
            let at = rng.below(characters.len());
            match rng.below(4) {
                0 => drop(characters.remove(at)),
                1 => characters[at] = ['0', '"', '=', '[', ']', '\n', '朧'][rng.below(7)],
                2 => characters.insert(at, characters[rng.below(characters.len())]),
                _ => characters.truncate(at.max(1)),
            }
        }
        let text: String = characters.into_iter().collect();
        if let Err(error) = Experiment::parse("x.toml", &text) {
            refused += 1;
            assert!(error.to_string().contains("x.toml"), "{error}");
        }
    }
    assert!(refused > 200, "only {refused} of 600 were refused");
}
