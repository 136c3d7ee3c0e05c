//! Scenes: what screens and programs get.

use oboro_core::{Game, GameScenes, GameWorld, Seat, SeatView};
use oboro_labyrinth::scene::ActionData;
use oboro_labyrinth::{Finish, Labyrinth, Treasure, View, World};
use oboro_testkit::{Effort, check_golden, check_scene_equality, check_scenes, scene_page};
use std::collections::BTreeMap;

fn three_players() -> Labyrinth {
    Labyrinth { players: 3, cards: Some(4), ..Labyrinth::default() }
}

/// Three players, two of them with cards found; seat 1 is to move and can reach what it seeks.
const MIDDLE: &str = "┌┐┬│┬│┐/└└└┘└┘─/├┘├│┬┐┤/─┴┴┬│┬└/├┌┴└┤─┤/─│┴┘─└─/└─┴┐┴┌┘ T \
    g4,b1,f6,b5,a2,f3,f4,c4,b4,d4,c6,+ last=0 ply=31 e3:|SHUO-EIRX g2:B|FNL-TX e3:GD|JA-E";

fn position(rules: &Labyrinth, text: &str) -> World {
    rules.parse_position(text).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn scenes_keep_their_laws() {
    for players in 2..=4 {
        let rules = Labyrinth { players, cards: Some(2), turn_limit: 12, ..Labyrinth::default() };
        check_scenes(&rules, Effort { games: 6, every: 12, ..Effort::default() });
    }
    check_scenes(
        &Labyrinth { turn_limit: 8, ..Labyrinth::default() },
        Effort { games: 3, every: 5, ..Effort::default() },
    );
}

#[test]
fn scenes_hold_all_that_views_do() {
    let changed = |from, to| MIDDLE.replacen(from, to, 1);
    let positions = [
        MIDDLE.to_owned(),
        changed("last=0", "last=-"),
        changed("last=0", "last=1"),
        changed("ply=31", "ply=34"),
        changed("-EIRX", "-EIR"),
        changed("-EIRX", ""),
        changed("e3:|", "e4:|"),
        // What seat 1 seeks, what it will seek, and the order of what seat 2 has found.
        changed("|FNL", "|NFL"),
        changed("|FNL", "|FLN"),
        changed("GD|JA", "DG|JA"),
        changed("GD|JA", "G|DJA"),
        // A tile turned, treasures exchanged on the board and with the extra tile.
        changed("┌┐┬│┬│┐", "┌┘┬│┬│┐"),
        changed("b4,d4", "d4,b4"),
        changed("c6,+", "+,c6"),
    ];
    check_scene_equality(&three_players(), &positions.each_ref().map(String::as_str));
}

#[test]
fn a_position_is_shown_as_in_the_golden_file() {
    let rules = three_players();
    let page = scene_page(&rules, &position(&rules, MIDDLE), Seat::new(1), &["3/90/g3", "5/0/g2"]);
    check_golden("tests/golden/scene.json", &page);
}

#[test]
fn what_comes_later_is_in_the_whole_truth_only() {
    let rules = three_players();
    let world = position(&rules, MIDDLE);
    let own = &rules.scene(&world.view(Seat::new(1))).seats;
    let seeks: Vec<_> = own.iter().map(|seat| seat.seeks).collect();
    assert_eq!(seeks, [None, Some(Treasure::Ring), None]);
    assert!(own.iter().all(|seat| seat.later.is_none()));
    assert!(rules.public_scene(&world).seats.iter().all(|seat| seat.seeks.is_none()));
    let all = &rules.full_scene(&world).seats;
    assert_eq!(all[2].seeks, Some(Treasure::Map));
    assert_eq!(all[2].later, Some(vec![Treasure::Helmet]));
}

#[test]
fn the_next_card_is_told_to_its_owner_only() {
    let rules = three_players();
    let world = position(&rules, MIDDLE);
    let action = "3/90/g3".parse().unwrap();
    let told = |seat: Seat| {
        let scene = rules.scene(&world.view(seat));
        rules.narrate(&scene, &world.event(action, seat))
    };
    assert_eq!(told(Seat::new(1)).parts.next, Some(Treasure::Moth));
    let others = told(Seat::FIRST);
    assert_eq!(others.parts.next, None);
    let ActionData::Turn { finds, wins, ref walk, .. } = others.parts.did;
    assert_eq!((finds, wins), (Some(Treasure::Ring), false));
    assert_eq!(walk.len(), 3);
    assert_eq!(others.text.en, "Player 2 pushes in at 3 (90°), walking to g3, finding the ring");
    assert_eq!(others.text.ja, "プレイヤー2：3番から90°で押し込み、g3へ（指輪を発見）");
}

#[test]
fn getting_home_is_told_as_the_win() {
    let rules = three_players();
    let text = MIDDLE.replace("g2:B|FNL-TX", "g2:BFNL|");
    let world = position(&rules, &text);
    let view = world.view(Seat::new(1));
    let home = view.legal_actions().into_iter().find(|action| action.to.to_string() == "g1");
    let home = home.expect("seat 1 can get home");
    let ActionData::Turn { finds, wins, .. } = rules.describe(&view, home).parts;
    assert_eq!((finds, wins), (None, true));
    let told = rules.narrate(&rules.public_scene(&world), &rules.public_event(&world, home));
    assert!(matches!(told.parts.did, ActionData::Turn { wins: true, .. }), "{told:?}");
}

#[test]
fn the_last_card_is_told_as_the_win_where_it_is_one() {
    let text = MIDDLE.replace("g2:B|FNL-TX", "g2:BNL|F-TX");
    let action = "3/90/g3".parse().unwrap();
    for (finish, expected) in [(Finish::Home, false), (Finish::LastCard, true)] {
        let rules = Labyrinth { finish, ..three_players() };
        let world = position(&rules, &text);
        let described = rules.describe(&world.view(Seat::new(1)), action);
        let told = rules.narrate(&rules.public_scene(&world), &rules.public_event(&world, action));
        assert_eq!(told.parts.did, described.parts);
        let ActionData::Turn { finds, wins, .. } = told.parts.did;
        assert_eq!((finds, wins), (Some(Treasure::Ring), expected), "{finish:?}");
        assert_eq!(told.text.en.ends_with("finding the ring, the last card"), expected);
    }
}

/// Every way to give the others different treasures that they may seek, counted one by one.
fn counted(view: &View) -> BTreeMap<(Seat, Treasure), f64> {
    let [a, b, c] = view.others().collect::<Vec<_>>()[..] else { panic!("three others") };
    let mut counts = BTreeMap::new();
    let mut total = 0.0;
    for first in view.possible_goals(a) {
        for second in view.possible_goals(b).iter().filter(|t| *t != first) {
            for third in view.possible_goals(c).iter().filter(|t| *t != first && *t != second) {
                for key in [(a, first), (b, second), (c, third)] {
                    *counts.entry(key).or_insert(0.0) += 1.0;
                }
                total += 1.0;
            }
        }
    }
    counts.into_iter().map(|(key, count)| (key, count / total)).collect()
}

#[test]
fn what_the_others_seek_is_counted_exactly() {
    let rules = Labyrinth { players: 4, cards: Some(4), ..Labyrinth::default() };
    let board = MIDDLE.split_once(" last").unwrap().0;
    // Seat 1 can only seek A, E, F, J, K or N, and seat 2 only J or K.
    let seats = "a1:|SHUO-EIRX g2:B|FNL-CDGHILMOPQRSTUVWX g7:GD|JA-ABCEFHILMNOPQRSTUVWX a7:|KETV";
    let world = position(&rules, &format!("{board} last=0 ply=31 {seats}"));
    let view = world.view(Seat::FIRST);
    let secrets = rules.secrets(&view);
    let subjects: Vec<&str> = secrets.iter().map(|secret| secret.subject.as_str()).collect();
    assert_eq!(subjects, ["seeks:1", "seeks:2", "seeks:3"]);
    let expected = counted(&view);
    let values: usize = secrets.iter().map(|secret| secret.values.len()).sum();
    assert_eq!(values, expected.len());
    for ((seat, treasure), share) in expected {
        let secret = &secrets[seat.index() - 1];
        let value = treasure.to_string().replace(' ', "-");
        assert!((secret.probability(&value) - share).abs() < 1e-12, "{seat} {treasure}");
    }
    assert_eq!(rules.answers(&world, &view), ["ring", "map", "gold-bag"]);
}

#[test]
fn a_player_on_its_way_home_has_no_secret() {
    let rules = three_players();
    let world = position(&rules, &MIDDLE.replace("g2:B|FNL-TX", "g2:BFNL|"));
    let secrets = rules.secrets(&world.view(Seat::FIRST));
    let subjects: Vec<&str> = secrets.iter().map(|secret| secret.subject.as_str()).collect();
    assert_eq!(subjects, ["seeks:2"]);
}
