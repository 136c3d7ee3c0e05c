//! Whole games that a person can read, replayed by the rules.

use oboro_core::{Record, Replay};
use oboro_sevens::{GapRule, Sevens};

fn replay(rules: &Sevens, text: &str) -> usize {
    let record: Record = text.parse().expect("a record");
    let mut replay = Replay::new(rules, &record).expect("a record of this game");
    let mut actions = 0;
    while replay.step().unwrap_or_else(|error| panic!("{error}")).is_some() {
        actions += 1;
    }
    actions
}

#[test]
fn golden_games_replay_to_their_results() {
    assert_eq!(replay(&Sevens::default(), include_str!("golden/four-players.txt")), 55);
    let strict = Sevens { players: 3, gaps: GapRule::Strict, ..Sevens::default() };
    assert_eq!(replay(&strict, include_str!("golden/three-players-strict.txt")), 29);
}

#[test]
fn a_game_with_its_result_changed_does_not_replay() {
    let mut record: Record = include_str!("golden/four-players.txt").parse().expect("a record");
    record.result.swap(0, 1);
    let mut replay = Replay::new(&Sevens::default(), &record).expect("readable");
    let error = loop {
        match replay.step() {
            Ok(Some(_)) => {}
            Ok(None) => panic!("the wrong result was accepted"),
            Err(error) => break error,
        }
    };
    assert!(error.to_string().contains("the rules say"), "{error}");
}
