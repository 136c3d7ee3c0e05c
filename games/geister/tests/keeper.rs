//! Algorithm 1 step by step, and theorem 1: while both keepers stand and three reds are gone, the
//! enemy has no way to win for certain.

use oboro_core::{Game, GameWorld, Rng, Seat};
use oboro_geister::agents::keeper::{Choice, choices};
use oboro_geister::{Action, Geister, Piece, View, World};

fn world(text: &str) -> World {
    Geister::default().parse_position(text).expect("a position")
}

fn said(choices: &[Choice]) -> Vec<String> {
    choices.iter().map(|c| c.action.to_string()).collect()
}

fn at(text: &str, p: f64, valued: Option<Piece>) -> Vec<Choice> {
    let world = world(text);
    let view = world.view(world.to_act().expect("not over"));
    let choices = choices(&view, p, valued);
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
        let of = |c: &&Choice| c.action.to_string().starts_with(letter);
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

/// A world the enemy takes for possible, with what the keeper has in mind.
type Hidden = (World, Option<Piece>);

const KEEPER: Seat = Seat::FIRST;
const ENEMY: Seat = Seat::new(1);

/// Whether the enemy has a plan that wins within `depth` plies in every one of these worlds and
/// for every choice the keeper may make, using only what it sees.
fn certain_win(hidden: &[Hidden], p: f64, depth: u32) -> bool {
    let Some(mover) = hidden[0].0.to_act() else {
        return hidden.iter().all(|(world, _)| world.payoff(ENEMY) == 1.0);
    };
    if depth == 0 {
        return false;
    }
    if mover == ENEMY {
        let mut actions = Vec::new();
        hidden[0].0.legal(&mut actions);
        let after = |action: Action| {
            let next = hidden.iter().map(|&(world, valued)| {
                let mut next = world;
                next.apply(action);
                (next, valued)
            });
            all_groups(next.collect(), p, depth - 1)
        };
        return actions.into_iter().any(after);
    }
    let mut next = Vec::new();
    for &(world, valued) in hidden {
        for choice in choices(&world.view(KEEPER), p, valued) {
            let mut after = world;
            after.apply(choice.action);
            next.push((after, choice.valued));
        }
    }
    all_groups(next, p, depth - 1)
}

/// Splits worlds by what the enemy sees; it must win each group.
fn all_groups(worlds: Vec<Hidden>, p: f64, depth: u32) -> bool {
    let mut groups: Vec<(View, Vec<Hidden>)> = Vec::new();
    for (world, valued) in worlds {
        let seen = world.view(ENEMY);
        match groups.iter_mut().find(|(view, _)| *view == seen) {
            Some((_, group)) if group.contains(&(world, valued)) => {}
            Some((_, group)) => group.push((world, valued)),
            None => groups.push((seen, vec![(world, valued)])),
        }
    }
    groups.iter().all(|(_, group)| certain_win(group, p, depth))
}

/// The worlds of a position that differ in which keeper is red: E and H swap colours.
fn either_keeper(text: &str) -> Vec<Hidden> {
    let (ply, rest) = text.split_once(' ').expect("a position");
    let mut swapped = rest.to_owned();
    for at in [14, 23] {
        let other = if rest.as_bytes()[at] == b'R' { "B" } else { "R" };
        swapped.replace_range(at..=at, other);
    }
    [format!("{ply} {rest}"), format!("{ply} {swapped}")]
        .iter()
        .map(|text| (world(text), None))
        .collect()
}

/// The last red of the enemy, A, and a blue, B, stand before the corner that a keeper has left.
const AT_THE_GATE: &str = "41 99R99R99R99B04B99B99B55R 15R25B99B99B99B99R99R99R";

#[test]
fn theorem_1_holds_for_a_mixed_keeper() {
    let start = either_keeper(AT_THE_GATE);
    for p in [0.1, 0.5, 0.9] {
        assert!(!certain_win(&start, p, 7), "p = {p}");
    }
}

#[test]
fn theorem_1_fails_when_the_keeper_always_captures() {
    // The enemy offers its last red, which is then captured for certain.
    assert!(certain_win(&either_keeper(AT_THE_GATE), 0.0, 7));
}

#[test]
fn theorem_1_fails_when_the_keeper_never_captures() {
    // The enemy sends a blue, which is taken for the red and let go.
    let gate = "41 99R99R99R99B04B99B99B55R 15B25R99B99B99B99R99R99R";
    assert!(certain_win(&either_keeper(gate), 1.0, 7));
    assert!(!certain_win(&either_keeper(gate), 0.5, 7));
}

#[test]
fn theorem_1_holds_in_random_positions_of_its_condition() {
    let mut rng = Rng::from_u64(9);
    let mut checked = 0;
    while checked < 60 {
        let mut squares: Vec<usize> = (0..36).collect();
        rng.shuffle(&mut squares);
        let place = |s: usize| format!("{}{}", s % 6, s / 6);
        // Both keepers on the exits, or one beside its own as after a step of the last two; in the first
        // case there may be a blue elsewhere.
        let left = [30, 24, 31][rng.below(3)];
        let right = 35;
        squares.retain(|s| *s != left && *s != right);
        let third = if left == 30 && rng.chance(0.5) {
            format!("{}B", place(squares.pop().expect("a square")))
        } else {
            "99B".to_owned()
        };
        let mut next = || place(squares.pop().expect("a square"));
        let (a, b, c) = (next(), next(), next());
        let enemies = if rng.chance(0.7) {
            format!("{a}B{b}B{c}R99R99R99R99B99B")
        } else {
            format!("{a}B{b}B{c}R{}R99R99R99B99B", next())
        };
        let text = format!("41 99R99R99R{third}{}R99B99B{}B {enemies}", place(left), place(right));
        let Ok(start) = Geister::default().parse_position(&text) else {
            continue;
        };
        // An enemy blue already on its exit leaves at once: no position of the theorem.
        let leaves = Piece::all().any(|piece| {
            start.board().is_on_exit(ENEMY, piece)
                && start.colour(ENEMY, piece).is_some_and(|c| c.letter() == 'B')
        });
        if leaves {
            continue;
        }
        checked += 1;
        assert!(!certain_win(&either_keeper(&text), 0.5, 5), "{start}");
    }
}
