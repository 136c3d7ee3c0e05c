//! Who knows what.

mod scene;

use oboro_core::testkit::check_uniform;
use oboro_core::{Game, GameWorld, Seat, SeatView};
use oboro_saboteur::{Goal, GoalCard, Maps, Saboteur};
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
            assert!(view.table().looks(Seat::FIRST).has(Goal::Upper));
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
    assert_eq!(world.view(Seat::new(1)).candidates().count(), 3);
}
