//! What rounds pay, and how they follow one another.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

use crate::scene;

use oboro_core::{FactValue, GameWorld, Rng, Seat, SeatView};
use oboro_saboteur::{Role, Saboteur, World};
use oboro_testkit::check_uniform;
use scene::{Scene, play};

const ROW: &str = "LR@1,0;LR@2,0;LR@3,0;LURD@4,0;LURD@5,0;LURD@6,0";

/// The last cards of the first of so many rounds: seat 2 can reach the gold, or discard its card.
fn end_of_a_round(rounds: u8, roles: &'static str) -> World {
    Scene {
        rules: Saboteur { rounds, ..Saboteur::default() },
        mine: ROW,
        goals: "stone-up,gold,stone-down",
        roles,
        turn: 2,
        hands: &["-", "-", "LUR", "-", "-", "-"],
        is_late: true,
        ..Scene::default()
    }
    .world()
}

fn nuggets(world: &World) -> Vec<f64> {
    Seat::all(6).map(|seat| world.payoff(seat)).collect()
}

fn fact(world: &World, name: &str) -> Vec<f64> {
    let facts = world.facts();
    let fact = facts.iter().find(|fact| fact.name == name).unwrap();
    match &fact.value {
        FactValue::Game(value) => vec![*value],
        FactValue::Seats(values) => values.clone(),
    }
}

#[test]
fn diggers_pick_the_best_card_left_against_the_direction_of_play() {
    let mut world = end_of_a_round(1, "dsddds");
    play(&mut world, &["LUR@7,0"]);
    let gold = world.view(Seat::new(2)).bundles()[0];
    let cards: Vec<f64> = gold.as_slice().iter().map(|&n| n.into()).collect();
    assert_eq!(cards.len(), 6, "table 4");
    assert!(cards.is_sorted_by(|a, b| a >= b) && cards.iter().all(|n| (1.0..=3.0).contains(n)));
    // Seats 2, 0, 4, 3 pick in turn; the first two pick again.
    let expected = [cards[1] + cards[5], 0.0, cards[0] + cards[4], cards[3], cards[2], 0.0];
    assert_eq!(nuggets(&world), expected);
    assert_eq!(fact(&world, "gold"), [1.0]);
    assert_eq!(fact(&world, "diggers"), [4.0]);
    assert_eq!(fact(&world, "saboteur"), [0.0, 1.0, 0.0, 0.0, 0.0, 1.0]);
    assert_eq!(fact(&world, "nuggets-as-digger"), expected);
    assert_eq!(fact(&world, "nuggets-as-saboteur"), [0.0; 6]);
}

#[test]
fn a_saboteur_that_reaches_the_gold_wins_none_of_it() {
    let mut world = end_of_a_round(1, "ddsdds");
    play(&mut world, &["LUR@7,0"]);
    let won = nuggets(&world);
    assert!(won[2] == 0.0 && won[5] == 0.0);
    assert!(won[1] >= 2.0, "the digger before it picks first, and again");
    assert!(won[0] >= 2.0 && won[3] >= 1.0 && won[4] >= 1.0);
}

#[test]
fn saboteurs_win_what_table_5_says() {
    for (roles, each) in [("dsddds", 3.0), ("dsdddd", 4.0)] {
        let mut world = end_of_a_round(1, roles);
        play(&mut world, &["discard-LUR"]);
        assert_eq!(world.to_act(), None);
        for (seat, role) in Seat::all(6).zip(roles.chars()) {
            let expected = if role == 's' { each } else { 0.0 };
            assert_eq!(world.payoff(seat), expected);
        }
        assert_eq!(fact(&world, "gold"), [0.0]);
    }
    assert_eq!([1, 2, 3, 4].map(Saboteur::saboteur_nuggets), [4, 3, 3, 2]);
}

#[test]
fn nobody_wins_when_there_is_no_saboteur() {
    let mut world = Scene {
        rules: Saboteur { players: 3, rounds: 1, ..Saboteur::default() },
        roles: "ddd",
        hands: &["LUR", "-", "-"],
        is_late: true,
        ..Scene::default()
    }
    .world();
    play(&mut world, &["discard-LUR"]);
    assert!(Seat::all(3).all(|seat| world.payoff(seat) == 0.0));
}

#[test]
fn tables_1_2_and_4_are_the_papers() {
    let rows = |value: fn(&Saboteur) -> usize| {
        [3, 4, 5, 6, 7, 8, 9, 10].map(|players| value(&Saboteur { players, ..Saboteur::default() }))
    };
    assert_eq!(rows(Saboteur::digger_cards), [3, 4, 4, 5, 5, 6, 7, 7]);
    assert_eq!(rows(Saboteur::saboteur_cards), [1, 1, 2, 2, 3, 3, 3, 4]);
    assert_eq!(rows(Saboteur::hand_size), [6, 6, 6, 5, 5, 4, 4, 4]);
    assert_eq!(rows(Saboteur::gold_cards), [3, 4, 5, 6, 7, 8, 9, 9]);
}

#[test]
fn the_player_after_the_last_one_starts_the_next_round() {
    for ending in ["LUR@7,0", "discard-LUR"] {
        let mut world = end_of_a_round(2, "dsddds");
        play(&mut world, &[ending]);
        assert_eq!(world.to_act(), Some(Seat::new(3)));
        assert!(Seat::all(6).all(|seat| world.hand(seat).len() == 5));
        assert_eq!(world.deck().len(), 37);
        assert!(world.public().board().paths().is_empty());
    }
}

#[test]
fn a_player_sees_the_gold_that_passes_through_its_hands() {
    let mut world = end_of_a_round(2, "dsddds");
    play(&mut world, &["LUR@7,0"]);
    let all = world.view(Seat::new(2)).bundles()[0];
    let seen = |seat: usize| {
        let gold = world.view(Seat::new(seat)).bundles()[0];
        let hidden = gold.as_slice().iter().take_while(|n| **n == 0).count();
        assert_eq!(gold.as_slice()[hidden..], all.as_slice()[hidden..]);
        hidden
    };
    assert_eq!([2, 0, 4, 3].map(seen), [0, 1, 2, 3], "in order of picking");
    assert_eq!([1, 5].map(seen), [6, 6], "saboteurs see nothing");
}

/// How many ways there are to choose `k` of `n` things.
fn choose(n: usize, k: usize) -> usize {
    (0..k).fold(1, |product, i| product * (n - i) / (i + 1))
}

#[test]
fn gold_that_was_not_seen_is_imagined_as_it_is_drawn() {
    // Three players share three of 28 cards: 3276 draws, all as likely. Seat 0 was a saboteur.
    let world = Scene {
        rules: Saboteur { players: 3, rounds: 2, ..Saboteur::default() },
        past: "1:sdd:211",
        roles: "ddd",
        ..Scene::default()
    }
    .world();
    let view = world.view(Seat::FIRST);
    let ways = |gold: &[u8]| {
        let of = |nuggets: u8| gold.iter().map(|&n| usize::from(n == nuggets)).sum();
        choose(16, of(1)) * choose(8, of(2)) * choose(4, of(3))
    };
    let mut draws = Vec::new();
    for a in 1..=3 {
        for b in 1..=a {
            for c in 1..=b {
                draws.extend((0..ways(&[a, b, c])).map(|number| ([a, b, c], number)));
            }
        }
    }
    assert_eq!(draws.len(), 3276);
    let imagined_gold = |rng: &mut Rng| {
        let world = view.imagine(rng);
        let gold = world.view(Seat::new(1)).bundles()[0];
        <[u8; 3]>::try_from(gold.as_slice()).unwrap()
    };
    check_uniform(&draws, 40 * draws.len(), |rng| {
        let gold = imagined_gold(rng);
        (gold, rng.below(ways(&gold)))
    });
}

#[test]
fn a_card_that_was_not_seen_is_worth_no_less_than_those_that_were() {
    // Seat 2 picked second and saw two cards of 2 nuggets: the first one has 2 or 3.
    let world = Scene {
        rules: Saboteur { players: 3, rounds: 2, ..Saboteur::default() },
        past: "0:dsd:322",
        roles: "ddd",
        ..Scene::default()
    }
    .world();
    let view = world.view(Seat::new(2));
    assert_eq!(view.bundles()[0].as_slice(), [0, 2, 2]);
    // 2 is one of C(8, 3) draws, 3 one of C(8, 2) · 4: as 56 to 112.
    check_uniform(&[(2, 0), (3, 0), (3, 1)], 3000, |rng| {
        let world = view.imagine(rng);
        let first = world.view(Seat::FIRST).bundles()[0].as_slice()[0];
        (first, if first == 3 { rng.below(2) } else { 0 })
    });
}

#[test]
fn roles_are_dealt_from_one_card_more_than_players() {
    // Seven cards for six players: five diggers with probability 2/7.
    let rules = Saboteur::default();
    let cases: Vec<(usize, usize)> = [(5, 2), (4, 5)]
        .into_iter()
        .flat_map(|(diggers, parts)| (0..parts).map(move |part| (diggers, part)))
        .collect();
    check_uniform(&cases, 7000, |rng| {
        use oboro_core::Game;
        let world = rules.deal(rng);
        let diggers = Seat::all(6).filter(|&seat| world.role(seat) == Role::Digger).count();
        (diggers, rng.below(if diggers == 5 { 2 } else { 5 }))
    });
}
