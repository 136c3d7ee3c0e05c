//! Scenes: what screens and programs get.

use crate::scene;

use oboro_core::{Game, GameScenes, GameWorld, Seat};
use oboro_saboteur::scene::{ActionData, GoldScene};
use oboro_saboteur::{Bounds, Goal, GoalCard, Maps, Role, Saboteur};
use oboro_testkit::{Effort, check_golden, check_scene_equality, check_scenes, scene_page};
use scene::Scene as Position;

/// The third round of six players, seat 0 to move with one card of each sort.
fn middle() -> Position {
    Position {
        rules: Saboteur::default(),
        past: "3:ddsddd:322111,-:sddsdd:-",
        roles: "sddsdd",
        mine: "LURD@1,0;LR@2,0;UR@1,1;xLR@2,1",
        hands: &["LU,map,break-pick,mend-lantern+pick,rock"],
        pile: "0:LD,3:map",
        broken: "2:pick+cart",
        looks: "1:8,0;0:8,2",
        ..Position::default()
    }
}

#[test]
fn scenes_keep_their_laws() {
    let game = Saboteur::default();
    for rules in [
        Saboteur { rounds: 2, ..game },
        Saboteur::paper(),
        Saboteur { players: 3, ..game },
        Saboteur { players: 4, rounds: 2, maps: Maps::Diggers, ..game },
        Saboteur { players: 8, rounds: 1, maps: Maps::Public, bounds: Bounds::Three, ..game },
    ] {
        check_scenes(&rules, Effort { games: 5, every: 17, ..Effort::default() });
    }
}

#[test]
fn a_map_as_the_last_card_of_a_round_shows_what_the_view_then_knows() {
    for rounds in [1, 2] {
        let position = Position {
            rules: Saboteur { rounds, ..Saboteur::default() },
            hands: &["map", "-", "-", "-", "-", "-"],
            is_late: true,
            ..Position::default()
        };
        let mut world = position.world();
        let action = "map@8,0".parse().unwrap();
        let event = world.event(action, Seat::FIRST);
        world.apply(action);
        let known = world.view(Seat::FIRST).goal(Goal::Middle);
        assert_eq!(event.shown[Goal::Middle.index()], known, "{rounds} rounds");
    }
}

#[test]
fn scenes_hold_all_that_views_do() {
    let rules = Saboteur::default();
    let middle = rules.write_position(&middle().world());
    let changed = |from, to| {
        assert!(middle.contains(from), "{from} in {middle}");
        middle.replacen(from, to, 1)
    };
    let positions = [
        middle.clone(),
        changed("turn=0", "turn=1"),
        changed("roles=sddsdd", "roles=sddddd"),
        changed("goals=gold,stone-up,stone-down", "goals=gold,stone-down,stone-up"),
        changed("goals=gold,stone-up,stone-down", "goals=gold,STONE-UP:LU,stone-down"),
        changed("goals=gold,stone-up,stone-down", "goals=gold,STONE-UP:RD,stone-down"),
        changed("looks=0:8,2;1:8,0", "looks=0:8,2"),
        changed("looks=0:8,2;1:8,0", "looks=0:8,2;4:8,0"),
        changed("broken=2:pick+cart", "broken=1:pick,2:cart"),
        // A path card under rocks, one played from the deck, and cards put away by another or in another order.
        changed("xLR@2,1;", "").replacen("used=-", "used=xLR", 1),
        changed("LURD pile", "pile").replacen(",pile", " pile", 1).replacen(
            "used=-",
            "used=LURD",
            1,
        ),
        changed("pile=0:LD,3:map", "pile=0:LD,4:map"),
        changed("pile=0:LD,3:map", "pile=3:map,0:LD"),
        // The order of a hand, and the gold of a finished round.
        changed("hands=LU,map", "hands=map,LU"),
        changed("322111", "222111"),
        changed("322111", "332111"),
        changed("past=3:", "past=1:"),
        changed("past=3:ddsddd:322111,-:sddsdd:-", "past=3:ddsddd:322111"),
    ];
    check_scene_equality(&rules, &positions.each_ref().map(String::as_str));
}

#[test]
fn a_position_is_shown_as_in_the_golden_file() {
    let actions = [
        "LU@3,0",
        "rock@1,1",
        "map@8,0",
        "break-pick@5",
        "mend-lantern+pick@2=pick",
        "discard-map",
    ];
    let page = scene_page(&Saboteur::default(), &middle().world(), Seat::FIRST, &actions);
    check_golden("tests/golden/scene.json", &page);
}

#[test]
fn hidden_cards_are_shown_to_those_who_know_them() {
    let (rules, world) = (Saboteur::default(), middle().world());
    let own = rules.scene(&world.view(Seat::new(3)));
    assert_eq!(own.seats[3].role, Some(Role::Saboteur));
    assert_eq!(own.seats[0].role, None);
    let put_away: Vec<bool> = own.discards.iter().map(|discard| discard.card.is_some()).collect();
    assert_eq!(put_away, [false, true]);
    // Seat 3 picked first and saw all the gold; seat 2, a saboteur, saw none.
    assert!(own.past[0].gold.iter().all(|gold| gold.nuggets.is_some()));
    let other = rules.scene(&world.view(Seat::new(2)));
    assert!(other.past[0].gold.iter().all(|gold| gold.nuggets.is_none()));
    let public = rules.public_scene(&world);
    assert!(public.seats.iter().all(|seat| seat.role.is_none() && seat.hand.is_none()));
    assert!(public.goals.iter().all(|goal| goal.card.is_none()));
    let full = rules.full_scene(&world);
    assert_eq!(full.goals[0].card, Some(GoalCard::Gold));
    assert_eq!(full.deck.map(|deck| deck.len()), Some(usize::from(full.deck_left)));
}

#[test]
fn gold_is_listed_with_who_took_it() {
    let scene = Saboteur::default().full_scene(&middle().world());
    // Against the direction of play from seat 3, over the saboteur of that round, seat 2.
    let taken = [(3, 3), (1, 2), (0, 2), (5, 1), (4, 1), (3, 1)];
    let gold = |(seat, nuggets)| GoldScene { seat: Seat::new(seat), nuggets: Some(nuggets) };
    assert_eq!(scene.past[0].gold, taken.map(gold));
    assert_eq!(scene.past[1].gold, [(0, 3), (3, 3)].map(gold));
}

#[test]
fn a_goal_that_is_turned_up_and_the_end_of_a_round_are_told() {
    let position = Position {
        rules: Saboteur { rounds: 1, ..Saboteur::default() },
        mine: "LR@1,0;LR@2,0;LR@3,0;LURD@4,0;LURD@5,0;LURD@6,0",
        hands: &["LURD,LURD,map,map,map"],
        goals: "stone-up,gold,stone-down",
        roles: "sdddds",
        ..Position::default()
    };
    let world = position.world();
    let rules = position.rules;
    let action = "LURD@7,0".parse().unwrap();
    let told = rules.narrate(&rules.public_scene(&world), &rules.public_event(&world, action));
    let parts = told.parts;
    assert!(matches!(parts.did, ActionData::Dig { blocked: false, .. }));
    assert_eq!((parts.shown[0].goal, parts.shown[0].card), (Goal::Middle, GoalCard::Gold));
    let end = parts.round_end.expect("the gold ends the round");
    assert_eq!(end.round.reached_by, Some(Seat::FIRST));
    assert_eq!(end.round.saboteurs, [Seat::FIRST, Seat::new(5)]);
    assert!(end.next.is_none());
    let says = "Player 1 lays a path (left, up, right, down) at (7, 0); the middle goal is the gold; \
                the gold is reached";
    assert_eq!(told.text.en, says);
    let mut after = world.clone();
    after.apply(action);
    let roles = rules.public_scene(&after).seats.into_iter().map(|seat| seat.role);
    assert!(roles.clone().all(|role| role.is_some()), "roles lie open after the last round");
    assert_eq!(roles.filter(|role| *role == Some(Role::Saboteur)).count(), 2);
}

#[test]
fn secrets_count_role_cards_and_goals() {
    let (rules, world) = (Saboteur::default(), middle().world());
    // Six players are dealt from five diggers and two saboteurs; seat 0 is one of these. It has seen a stone.
    let view = world.view(Seat::FIRST);
    let secrets = rules.secrets(&view);
    let subjects: Vec<&str> = secrets.iter().map(|secret| secret.subject.as_str()).collect();
    let expected = ["role:1", "role:2", "role:3", "role:4", "role:5", "goal:upper", "goal:middle"];
    assert_eq!(subjects, expected);
    assert_eq!(secrets[0].probability("saboteur"), 1.0 / 6.0);
    assert_eq!(secrets[6].probability("gold"), 0.5);
    let answers = rules.answers(&world, &view);
    assert_eq!(answers[2..], ["saboteur", "digger", "digger", "gold", "stone"]);
    let digger = rules.secrets(&world.view(Seat::new(2)));
    assert_eq!(digger[0].probability("saboteur"), 2.0 / 6.0);
    assert_eq!(digger[7].probability("gold"), 1.0 / 3.0);
    // Who is the only saboteur knows that all others dig.
    let three = Saboteur { players: 3, ..rules };
    let world = Position { rules: three, roles: "sdd", ..Position::default() }.world();
    assert_eq!(three.secrets(&world.view(Seat::FIRST)).len(), 3);
    assert_eq!(three.secrets(&world.view(Seat::new(1))).len(), 5);
}
