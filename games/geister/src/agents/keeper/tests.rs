//! Algorithm 1 step by step.

use super::{KeeperMove, keeper_moves};
use crate::{Geister, Piece, World};
use oboro_core::{Game, GameWorld};

fn world(text: &str) -> World {
    Geister::default().parse_position(text).expect("a position")
}

fn said(choices: &[KeeperMove]) -> Vec<String> {
    choices.iter().map(|c| c.action.to_string()).collect()
}

fn at(text: &str, p: f64, valued: Option<Piece>) -> Vec<KeeperMove> {
    let world = world(text);
    let view = world.view(world.to_act().expect("not over"));
    let choices = keeper_moves(&view, p, valued);
    let sum: f64 = choices.iter().map(|c| c.probability).sum();
    assert!((sum - 1.0).abs() < 1e-9, "probabilities sum to {sum}");
    choices
}

#[test]
fn step_3_sends_the_keepers_to_the_corners() {
    assert_eq!(said(&at("0 14R24R34R44B15B25B35B45R 41B31B21B11B40R30R20R10R", 0.5, None)), ["EW"]);
    assert_eq!(said(&at("2 14R24R34R44B05B25B35B45R 41B31B22B11B40R30R20R10R", 0.5, None)), ["HE"]);
}

#[test]
fn step_5_moves_the_others_and_avoids_captures() {
    let text = "20 14R99R99R99B05B99B99B55R 13B31B21B11B40R30R20R10R";
    // A could capture at (1,3), but has free squares.
    assert_eq!(said(&at(text, 0.5, None)), ["AE", "AS", "AW"]);
}

#[test]
fn step_7_wanders_onto_free_squares() {
    let text = "40 99R99R99R99B05B99B99B55R 13B31B21B99B40R99R99R99R";
    assert_eq!(said(&at(text, 0.5, None)), ["EN", "EE", "HN", "HW"]);
    // One way of H is barred by an enemy: E and H are still equally likely.
    let barred = at("40 99R99R99R99B05B99B99B55R 54B31B21B99B40R99R99R99R", 0.5, None);
    let share = |letter: char| -> f64 {
        let of = |c: &&KeeperMove| c.action.to_string().starts_with(letter);
        barred.iter().filter(of).map(|c| c.probability).sum()
    };
    assert_eq!((share('E'), share('H')), (0.5, 0.5));
}

#[test]
fn step_8_returns_to_an_empty_exit_and_captures_while_reds_are_to_spare() {
    let empty = "40 99R99R99R99B04B99B99B55R 13B31B21B99B40R99R99R99R";
    assert_eq!(said(&at(empty, 0.5, None)), ["ES"]);
    let spare = "40 99R99R99R99B04B99B99B55R 05B31B21B99B40R30R99R99R";
    assert_eq!(said(&at(spare, 0.5, None)), ["ES"]);
}

#[test]
fn step_8_tosses_a_coin_over_the_last_red() {
    let text = "40 99R99R99R99B04B99B99B55R 05B31B21B99B40R99R99R99R";
    let both = at(text, 0.25, None);
    let capture = both.iter().find(|c| c.action.to_string() == "ES").expect("a capture");
    assert!((capture.probability - 0.75).abs() < 1e-9);
    assert_eq!(capture.valued, None);
    assert!(
        both.iter().filter(|c| c.action != capture.action).all(|c| c.valued == Some(Piece::new(0)))
    );
    // A piece already taken for red stays so, and then no other is.
    assert!(!said(&at(text, 0.5, Some(Piece::new(0)))).contains(&"ES".to_owned()));
    assert_eq!(said(&at(text, 0.5, Some(Piece::new(1)))), ["ES"]);
}

#[test]
fn step_9_goes_back_to_the_exits() {
    let text = "40 99R99R99R99B04B99B99B54R 05B31B21B99B40R99R99R99R";
    assert_eq!(said(&at(text, 0.5, None)), ["HS"]);
    assert_eq!(
        said(&at("40 99R99R99R99B04B99B99B54R 05B55B21B99B40R99R99R99R", 0.5, Some(Piece::new(0)))),
        ["HS"]
    );
    let far = "40 99R99R99R99B03B99B99B54R 05B31B21B99B40R99R99R99R";
    assert!(said(&at(far, 0.5, None)).len() > 3);
}
