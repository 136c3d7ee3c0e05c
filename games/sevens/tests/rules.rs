//! The rules of Sevens on hand-made positions.

use crate::common;

use common::{THREE, endgame, position};
use oboro_core::{Game, GameWorld, Rng, Seat, SeatView};
use oboro_sevens::{Action, Cards, GapRule, Sevens, World};
use oboro_testkit::{Effort, census, check_game, check_golden, check_random_action, check_uniform};

fn legal(world: &World) -> Vec<String> {
    let mut actions = Vec::new();
    world.legal(&mut actions);
    actions.iter().map(Action::to_string).collect()
}

fn play(world: &mut World, actions: &[&str]) {
    for action in actions {
        world
            .play(action.parse().expect("an action"))
            .unwrap_or_else(|error| panic!("{action}: {error}"));
    }
}

#[test]
fn the_laws_hold_for_every_number_of_players_and_every_gap_rule() {
    for players in 3..=6 {
        for gaps in GapRule::ALL {
            let rules = Sevens { players, gaps, ..Sevens::default() };
            check_game(&rules, Effort { games: 10, max_plies: 100, every: 1 });
        }
    }
    check_game(&Sevens { passes: 0, ..Sevens::default() }, Effort::default());
    check_random_action(&Sevens::default(), 20);
}

#[test]
fn cards_are_dealt_one_by_one_from_the_first_seat() {
    for (players, sizes) in [
        (3, vec![18, 17, 17]),
        (4, vec![13; 4]),
        (5, vec![11, 11, 10, 10, 10]),
        (6, vec![9, 9, 9, 9, 8, 8]),
    ] {
        let rules = Sevens { players, ..Sevens::default() };
        let world = rules.deal(&mut Rng::from_u64(5));
        let dealt: Vec<usize> = Seat::all(players.into())
            .map(|seat| world.hand(seat).len() + world.public().laid[seat.index()].len())
            .collect();
        assert_eq!(dealt, sizes);
        assert_eq!(world.public().table, Cards::SEVENS);
    }
}

#[test]
fn a_pass_is_offered_while_passes_are_left_or_nothing_fits() {
    assert_eq!(legal(&endgame(["SAH2", "SK", "HA"], "1/3/3")), ["SA", "H2", "pass"]);
    assert_eq!(legal(&endgame(["SAH2", "SK", "HA"], "0/3/3")), ["SA", "H2"]);
    assert_eq!(legal(&endgame(["SA", "S2", "HA"], "0/3/3")), ["pass"]);
}

#[test]
fn going_out_takes_the_best_free_rank_and_retiring_the_worst() {
    let mut world = endgame(["SA", "HA", "S2"], "0/3/3");
    // Seat 0 cannot lay ♠A without ♠2, has no pass left, and retires with its ace.
    play(&mut world, &["pass"]);
    assert!(world.public().table.contains("SA".parse().unwrap()));
    assert_eq!(world.payoff(Seat::new(0)), 0.0);
    play(&mut world, &["HA"]);
    assert_eq!(world.to_act(), None, "one player is left");
    assert_eq!([0, 1, 2].map(|i| world.payoff(Seat::new(i))), [0.0, 2.0, 1.0]);
}

#[test]
fn points_run_evenly_from_two_to_zero() {
    let mut world = position(
        &Sevens::default(),
        "turn=0 hands=SA/HA/DA/CA passes=3/3/3/3 \
         laid=S23456789TJQKH23456789TJQKD23456789TJQKC23456789TJQK/-/-/- ranks=-/-/-/- log=-",
    );
    play(&mut world, &["SA", "HA", "DA"]);
    let points = [0, 1, 2, 3].map(|i| world.payoff(Seat::new(i)));
    assert_eq!(points, [2.0, 4.0 / 3.0, 2.0 / 3.0, 0.0]);
}

#[test]
fn a_retirement_leaves_gaps_that_are_bridged_or_not() {
    // Seat 0 holds ♠3 and must retire; ♠4 is still in a hand, so the suit has a gap.
    let held: Cards = "SA234".parse().unwrap();
    for (gaps, expected) in [
        (GapRule::Bridge, vec!["S2", "S4", "pass"]),
        (GapRule::Strict, vec!["S4", "pass"]),
        (GapRule::Either, vec!["S2", "S4", "pass"]),
        (GapRule::Ends, vec!["S2", "pass"]),
    ] {
        let text = format!(
            "turn=0 hands=S3/S24/SA passes=0/3/3 laid=-/-/{} ranks=-/-/- log=-",
            Cards::ALL.without(held)
        );
        let mut world = position(&Sevens { gaps, ..THREE }, &text);
        play(&mut world, &["pass"]);
        assert_eq!(legal(&world), expected);
    }
}

#[test]
fn imagined_hands_are_uniform() {
    let world = endgame(["SA", "S2HA", "DA"], "3/3/3");
    let view = world.view(Seat::new(0));
    let deals: Vec<[Cards; 2]> = ["S2", "HA", "DA"]
        .map(|single| single.parse::<Cards>().unwrap())
        .map(|single| [view.unknown().without(single), single])
        .to_vec();
    check_uniform(&deals, 3000, |rng| {
        let imagined = view.imagine(rng);
        [imagined.hand(Seat::new(1)), imagined.hand(Seat::new(2))]
    });
}

#[test]
fn a_view_remembers_what_was_playable_at_every_pass() {
    let mut world = Sevens::default().deal(&mut Rng::from_u64(11));
    let mut expected = Vec::new();
    let mut rng = Rng::from_u64(12);
    while let Some(seat) = world.to_act() {
        let action = world.random_action(&mut rng);
        if action == Action::Pass {
            expected.push((seat, world.public().playable()));
        }
        world.apply(action);
    }
    assert!(expected.len() > 5, "a random game has many passes");
    assert_eq!(world.view(Seat::new(2)).passes_made(), expected);
}

/// Counts the leaves of the game tree to a depth: pins the rules as a whole.
fn perft(world: &World, depth: u32) -> u64 {
    if depth == 0 || world.to_act().is_none() {
        return 1;
    }
    let mut leaves = 0;
    world.for_each_legal(|action| {
        let mut next = *world;
        next.apply(action);
        leaves += perft(&next, depth - 1);
    });
    leaves
}

#[test]
fn game_trees_have_the_counted_number_of_leaves() {
    let counts = |players, seed| {
        let rules = Sevens { players, ..Sevens::default() };
        let world = rules.deal(&mut Rng::from_u64(seed));
        [1, 2, 4, 6].map(|depth| perft(&world, depth))
    };
    assert_eq!(counts(4, 1), [4, 8, 97, 824]);
    assert_eq!(counts(4, 2), [3, 12, 116, 1050]);
    assert_eq!(counts(3, 1), [3, 10, 141, 2528]);
    assert_eq!(counts(6, 1), [2, 4, 32, 192]);
}

#[test]
fn bad_positions_are_refused_with_the_place() {
    let rules = THREE;
    let good = rules.write_position(&endgame(["SA", "S2HA", "DA"], "3/3/3"));
    for (from, to, said) in [
        ("turn=0", "turn=7", "still in the game"),
        ("turn=0", "turn=x", "the seat to move"),
        ("hands=SA/", "hands=-/", "SA is nowhere"),
        ("hands=SA/", "hands=SAHA/", "HA is in two places"),
        ("hands=SA/", "hands=SAX/", "expected `/` and seat 1"),
        ("passes=3/", "passes=9/", "the rules give 3 passes"),
        ("ranks=-/-/-", "ranks=2/-/-", "one by one"),
        ("ranks=-/-/-", "ranks=1/-/-", "can hold no cards"),
        ("log=-", "log=p0", "more passes left"),
        ("log=-", "log=SA", "not on the table"),
        ("log=-", "log=r1", "cannot have retired"),
        ("log=-", "log=- x", "nothing more"),
    ] {
        assert!(good.contains(from), "{good}");
        let error = rules.parse_position(&good.replacen(from, to, 1)).unwrap_err();
        assert!(error.to_string().contains(said), "{to}: {error}");
    }
    for bad in ["", "S", "S1", "XX", "pass!", "S2 "] {
        assert_eq!(bad.parse::<Action>().is_err(), bad != "S2 ", "{bad}");
    }
}

/// What each seat can imagine is pinned: a leak changes the file.
#[test]
fn nothing_leaks() {
    check_golden("tests/golden/census.txt", &census(&Sevens::default()));
}
