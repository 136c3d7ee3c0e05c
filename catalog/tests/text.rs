//! What is said of games to people.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

use oboro_catalog::{Players, games};

/// That both languages have as many rules is asserted where they are read.
#[test]
fn every_game_has_its_rules_in_both_languages() {
    for game in games() {
        let (text, name) = (game.text(), game.name());
        assert!(text.rules.len() >= 3, "{name}");
        assert_ne!(text.tagline.en, text.tagline.ja, "{name}");
        let both = |rule: &oboro_core::Phrase| !rule.ja.is_ascii() && rule.en != rule.ja;
        assert!(text.rules.iter().all(both), "{name}");
    }
}

#[test]
fn numbers_of_players_are_those_of_the_rules() {
    let of = |name: &str| oboro_catalog::game(name).unwrap().players();
    assert_eq!(of("saboteur"), Players { least: 3, most: 10, usual: 6 });
    assert_eq!(of("leduc"), Players { least: 2, most: 2, usual: 2 });
}
