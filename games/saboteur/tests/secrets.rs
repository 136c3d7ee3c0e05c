//! Who knows what.

use crate::scene;

use oboro_core::{Game, GameWorld, Rng, Seat, SeatView};
use oboro_saboteur::{Goal, GoalCard, Maps, Saboteur};
use oboro_testkit::check_uniform;
use scene::{Scene, play};

#[test]
fn imagined_worlds_are_uniform_over_all_that_agree() {
    // Three players with their last cards. Seat 0 holds a map, has looked at nothing and put a rock
    // away; LU, LU and LD are in the other two hands and under the pile.
    let scene = Scene {
        rules: Saboteur { players: 3, rounds: 1, ..Saboteur::default() },
        roles: "ddd",
        hands: &["map", "LU", "LU"],
        pile: "0:rock,1:LD",
        is_late: true,
        ..Scene::default()
    };
    let without_chance = |text: String| text.split(" chance=").next().unwrap().to_owned();
    let rules = scene.rules;
    let mut expected = Vec::new();
    for roles in ["ddd", "dsd", "dds"] {
        for goals in [
            "gold,stone-up,stone-down",
            "gold,stone-down,stone-up",
            "stone-up,gold,stone-down",
            "stone-down,gold,stone-up",
            "stone-up,stone-down,gold",
            "stone-down,stone-up,gold",
        ] {
            for (hands, pile) in [
                (&["map", "LU", "LU"], "0:rock,1:LD"),
                (&["map", "LU", "LD"], "0:rock,1:LU"),
                (&["map", "LD", "LU"], "0:rock,1:LU"),
            ] {
                let world = Scene { roles, goals, hands, pile, ..scene.clone() }.world();
                expected.push(without_chance(rules.write_position(&world)));
            }
        }
    }
    let view = scene.world().view(Seat::FIRST);
    check_uniform(&expected, 60 * expected.len(), |rng| {
        without_chance(rules.write_position(&view.imagine(rng)))
    });
}

#[test]
fn what_a_map_shows_is_for_those_whom_the_rules_tell() {
    for (maps, tells) in [
        (Maps::Private, [true, false, false]),
        (Maps::Public, [true, true, true]),
        (Maps::Diggers, [true, true, false]),
    ] {
        // Seat 0 looks, seat 1 is a digger, seat 5 a saboteur.
        let mut world = Scene {
            rules: Saboteur { maps, rounds: 1, ..Saboteur::default() },
            roles: "dddddss",
            hands: &["map,LU,LU,LD,LD"],
            ..Scene::default()
        }
        .world();
        let look = "map@8,-2".parse().unwrap();
        let seats = [0, 1, 5].map(Seat::new);
        let shown = seats.map(|seat| {
            let event = world.event(look, seat);
            assert_eq!(event.action, Some(look), "that a map was used is public");
            event.shown[0].is_some()
        });
        assert_eq!(shown, tells, "{maps:?}");
        play(&mut world, &["map@8,-2"]);
        for (seat, told) in seats.into_iter().zip(tells) {
            let view = world.view(seat);
            assert!(view.public().looks(Seat::FIRST).contains(Goal::Upper));
            let expected = told.then_some(GoalCard::Gold);
            assert_eq!(view.goal(Goal::Upper), expected, "{maps:?} seat {seat}");
        }
    }
}

#[test]
fn discards_and_drawn_cards_are_secret() {
    let world = Scene { hands: &["map,LU,LU,LD,LD"], ..Scene::default() }.world();
    let discard = "discard-LD".parse().unwrap();
    let own = world.event(discard, Seat::FIRST);
    assert_eq!(own.action, Some(discard));
    assert_eq!(own.drawn, world.deck().last().copied());
    let others = world.event(discard, Seat::new(3));
    assert_eq!((others.action, others.drawn), (None, None));
    let other = "discard-map".parse().unwrap();
    assert_eq!(others, world.event(other, Seat::new(3)));
}

#[test]
fn two_stones_known_tell_where_the_gold_is() {
    let world = Scene { looks: "0:8,0;0:8,2", ..Scene::default() }.world();
    let candidates: Vec<Goal> = world.view(Seat::FIRST).candidates().iter().collect();
    assert_eq!(candidates, [Goal::Upper]);
    assert_eq!(world.view(Seat::new(1)).candidates().len(), 3);
}

/// Checks, for all seats and many imagined worlds, that an action gives equal events if and only if
/// it leads to equal views. Returns how often they were equal, and how often not.
fn check_events(scene: &Scene) -> [u32; 2] {
    let world = scene.world();
    let seats = usize::from(scene.rules.players);
    let mut rng = Rng::from_u64(7);
    let actions = world.legal_actions();
    let mut counts = [0; 2];
    for seat in Seat::all(seats) {
        for _ in 0..40 {
            let imagined = world.view(seat).imagine(&mut rng);
            assert_eq!(imagined.view(seat), world.view(seat));
            for &action in actions.iter().filter(|action| imagined.is_legal(**action)) {
                let same_event = world.event(action, seat) == imagined.event(action, seat);
                let (mut here, mut there) = (world.clone(), imagined.clone());
                here.apply(action);
                there.apply(action);
                let same_view = here.view(seat) == there.view(seat);
                assert_eq!(same_event, same_view, "seat {seat}, {action}\n{world}\n{imagined}");
                counts[usize::from(!same_event)] += 1;
            }
        }
    }
    counts
}

#[test]
fn events_tell_what_views_learn_where_goals_are_turned_up_and_rounds_end() {
    let row = "LR@1,0;LR@2,0;LR@3,0;LURD@4,0;LURD@5,0;LURD@6,0";
    let below = "UD@0,1;UR@0,2;LR@1,2;LR@2,2;LR@3,2;LURD@4,2;LURD@5,2;LURD@6,2;LU@7,2;LRD@7,1";
    let mut all = [0; 2];
    let mut check = |scene: &Scene| {
        let [equal, different] = check_events(scene);
        all = [all[0] + equal, all[1] + different];
    };
    for rounds in [1, 3] {
        let rules = Saboteur { rounds, ..Saboteur::default() };
        let scene = Scene { rules, ..Scene::default() };
        // A card that turns the middle goal up, or both the middle and the lower one.
        let middle: (_, &[_]) = (row, &["LUR,LU,LD,map,rock"]);
        let both: (_, &[_]) = (below, &["LUD,LU,LD,map,rock"]);
        for (mine, hands) in [middle, both] {
            for goals in ["gold,stone-up,stone-down", "stone-up,gold,stone-down"] {
                check(&Scene { goals, mine, hands, ..scene.clone() });
            }
        }
        // The last card of a round, after a round that the diggers won or not.
        for past in ["-", "2:ddsdds:332111", "-:ddsdds:-"] {
            if rounds == 1 && past != "-" {
                continue;
            }
            let hands = &["LUR", "-", "-", "-", "-", "-"];
            let pile = "1:LU,2:LD,0:map";
            check(&Scene { mine: row, past, hands, pile, is_late: true, ..scene.clone() });
        }
    }
    assert!(all.iter().all(|count| *count > 100), "both cases occur: {all:?}");
}
