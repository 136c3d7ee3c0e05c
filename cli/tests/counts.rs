//! What counts in tables of results: payoffs or points, and nothing where there is nothing to count.

use crate::common;

use common::{refuses, works};
use std::path::Path;

#[test]
fn matches_of_leduc_show_payoffs() {
    let here = Path::new(".");
    let base = ["match", "leduc", "ismcts:30", "random", "--games", "60", "--seed", "1"];
    let text = works(here, &base);
    assert!(text.contains("difference of payoffs"), "{text}");
    assert!(!text.contains("Elo") && !text.contains("wins"), "{text}");
    let json: serde_json::Value =
        serde_json::from_str(&works(here, &[&base[..], &["--json"]].concat())).expect("JSON");
    assert_eq!(json["counts"], "payoffs");
    assert!(json.get("elo").is_none() && json.get("score").is_none(), "{json}");
    let sprt = ["--sprt", "-0.5,0.5", "--games", "4000"];
    let text = works(here, &[&base[..4], &["--seed", "1"], &sprt].concat());
    assert!(text.contains("stronger: difference of payoffs above 0.5"), "{text}");
}

#[test]
fn leagues_of_leduc_rate_payoffs() {
    let here = Path::new(".");
    let league =
        ["league", "leduc", "random", "mc:20", "ismcts:30", "--games", "60", "--seed", "1"];
    let text = works(here, &league);
    assert!(text.contains("payoff (95 %)") && !text.contains("Elo"), "{text}");
    let wanted = ["league", "leduc", "random", "mc:5", "mc:9", "uct:9", "--games", "8", "--levels"];
    assert!(refuses(here, &wanted).contains("payoffs count in leduc"));
}

#[test]
fn levels_are_printed_as_the_server_reads_them() {
    let here = Path::new(".");
    let wanted = ["league", "liars-dice", "random", "mc:2", "mc:9", "ismcts:90"];
    let options = ["--games", "60", "--seed", "1", "--levels"];
    let text = works(here, &[&wanted[..], &options].concat());
    let levels: toml::Table = toml::from_str(&text).expect("TOML");
    let levels = levels["liars-dice"].as_array().expect("three levels");
    let names: Vec<&str> = levels.iter().filter_map(|level| level["name"].as_str()).collect();
    assert_eq!(names, ["easy", "medium", "hard"]);
    let rated: Vec<i64> = levels.iter().filter_map(|level| level["elo"].as_integer()).collect();
    assert!(rated.is_sorted() && rated.len() == 3, "{rated:?}");
    assert!(text.starts_with("# oboro league liars-dice random mc:playouts=2"), "{text}");
    let few = ["league", "liars-dice", "mc:2", "random", "--games", "2", "--levels"];
    assert!(refuses(here, &few).contains("random EASY MEDIUM HARD"));
}

/// It once had one of −0.0000.
#[test]
fn a_coach_that_judges_last_decisions_alone_has_no_brier_score() {
    let base = ["coach", "kuhn", "--games", "20", "--positions", "0", "--seed", "1"];
    let text = works(Path::new("."), &base);
    assert!(text.contains(" – ") && !text.contains("0.0000"), "{text}");
    let json = works(Path::new("."), &[&base[..], &["--json"]].concat());
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert!(json["brier"].is_null() && json["constant"].is_null(), "{json}");
}
