//! Whole games as text: they must replay, action by action, to the result they state.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

use oboro_core::{Game, Record, Replay, from_pairs};
use oboro_saboteur::Saboteur;

fn replay(text: &str) {
    let record: Record = text.parse().unwrap();
    assert_eq!(record.game, Saboteur::NAME);
    let pairs: Vec<(Option<String>, String)> = record
        .rules
        .split(',')
        .filter_map(|pair| pair.split_once('='))
        .map(|(key, value)| (Some(key.to_owned()), value.to_owned()))
        .collect();
    let rules: Saboteur = from_pairs("rules", &pairs, &[]).unwrap();
    rules.validate().unwrap();
    let mut replay = Replay::new(&rules, &record).unwrap();
    let mut steps = 0;
    while replay.step().unwrap_or_else(|error| panic!("{error}")).is_some() {
        steps += 1;
    }
    assert_eq!(steps, record.actions.len());
}

#[test]
fn a_round_of_path_players_by_the_papers_rules() {
    replay(include_str!("golden/path-round.txt"));
}

#[test]
fn three_rounds_of_the_published_game() {
    replay(include_str!("golden/published-game.txt"));
}
