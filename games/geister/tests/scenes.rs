//! Scenes: what screens and programs get.

use oboro_core::{Game, GameScenes, GameWorld, Phrase, Seat};
use oboro_geister::scene::{ActionData, How, Point};
use oboro_geister::{Geister, Placements, World};
use oboro_testkit::{Effort, check_golden, check_scene_equality, check_scenes, scene_page};

fn position(text: &str) -> World {
    Geister::default().parse_position(text).expect("a position")
}

/// Seat 0 to move: A may escape, B may take a blue; seat 1 has lost C and H, and its E once stayed on an exit.
const MIDDLE: &str = "30 00B23R34R44R15B25B35B45R 22B31B99R11B40R*30R20R99B";

#[test]
fn scenes_keep_their_laws() {
    check_scenes(&Geister::default(), Effort { games: 4, every: 10, ..Effort::default() });
    let short = Geister { plies: 60, placements: Placements::Random };
    check_scenes(&short, Effort { games: 20, every: 10, ..Effort::default() });
}

#[test]
fn scenes_hold_all_that_views_do() {
    let changed = |from, to| MIDDLE.replacen(from, to, 1);
    let positions = [
        MIDDLE.to_owned(),
        changed("30 ", "32 "),
        changed("15B", "15B*"),
        changed("40R*", "40R"),
        // Colours that one side knows, and one that both know.
        changed("15B25B35B45R", "15R25B35B45B"),
        changed("40R*30R20R99B", "40R*30R20B99R"),
        // The exchange of two pieces, and a piece that has left the board.
        changed("15B25B", "25B15B"),
        changed("30 00B", "31 88B"),
        "0 14?24?34?44?15?25?35?45? 41?31?21?11?40?30?20?10?".to_owned(),
        "0 14R24R34R44R15B25B35B45B 41?31?21?11?40?30?20?10?".to_owned(),
    ];
    check_scene_equality(&Geister::default(), &positions.each_ref().map(String::as_str));
}

#[test]
fn a_position_is_shown_as_in_the_golden_file() {
    let page = scene_page(&Geister::default(), &position(MIDDLE), Seat::FIRST, &["A!", "BN", "HE"]);
    check_golden("tests/golden/scene.json", &page);
}

#[test]
fn scenes_hide_the_colours_of_the_other_side() {
    let (rules, world) = (Geister::default(), position(MIDDLE));
    let known = |scene: oboro_geister::scene::Scene| {
        scene.pieces.iter().filter(|piece| piece.colour.is_some()).count()
    };
    assert_eq!(known(rules.scene(&world.view(Seat::FIRST))), 8 + 2);
    assert_eq!(known(rules.scene(&world.view(Seat::new(1)))), 8);
    assert_eq!(known(rules.public_scene(&world)), 2);
    assert_eq!(known(rules.full_scene(&world)), 16);
}

#[test]
fn a_placement_is_told_to_its_owner_only() {
    let rules = Geister::default();
    let world = rules.deal(&mut oboro_core::Rng::from_u64(0));
    let action = "CEFG".parse().unwrap();
    let described = rules.describe(&world.view(Seat::FIRST), action);
    assert_eq!(described.text, Phrase::new("Choose C, E, F, G as reds", "赤をC・E・F・Gにする"));
    let told = |seat| {
        let scene = rules.scene(&world.view(seat));
        rules.narrate(&scene, &world.event(action, seat))
    };
    assert_eq!(told(Seat::FIRST).parts.did, described.parts);
    assert_eq!(told(Seat::new(1)).parts.did, ActionData::Place { reds: None });
    let hidden = Phrase::new("Player 1 chooses the reds", "プレイヤー1：赤を決める");
    assert_eq!(told(Seat::new(1)).text, hidden);
}

#[test]
fn moves_of_both_seats_are_told_in_the_frame_of_seat_0() {
    let rules = Geister::default();
    let mut world = position(MIDDLE);
    world.play("HE".parse().unwrap()).unwrap();
    let happening = rules
        .narrate(&rules.public_scene(&world), &rules.public_event(&world, "BN".parse().unwrap()));
    let ActionData::Move { from, to, .. } = happening.parts.did else { panic!("a move") };
    // North of seat 1 is down the board.
    assert_eq!((from, to), (Point { x: 3, y: 1 }, Point { x: 3, y: 2 }));
    assert_eq!(happening.text.en, "Player 2 moves B from d2 to d3");
    assert_eq!(happening.text.ja, "プレイヤー2：Bをd2からd3へ");
}

#[test]
fn an_escape_shows_how_the_game_ended() {
    let rules = Geister::default();
    let mut world = position(MIDDLE);
    world.play("A!".parse().unwrap()).unwrap();
    let scene = rules.public_scene(&world);
    let ending = scene.ending.expect("it is over");
    assert_eq!((ending.how, ending.winner), (How::Escape, Some(Seat::FIRST)));
    assert_eq!(scene.seats[0].blues_left, 3);
    assert_eq!((scene.pieces[0].square, scene.pieces[0].captured), (None, false));
}

#[test]
fn secrets_count_the_colours_that_are_left() {
    let (rules, world) = (Geister::default(), position(MIDDLE));
    let secrets = rules.secrets(&world.view(Seat::FIRST));
    let subjects: Vec<&str> = secrets.iter().map(|secret| secret.subject.as_str()).collect();
    assert_eq!(subjects, ["1:A", "1:B", "1:D", "1:E", "1:F", "1:G"]);
    assert!(secrets.iter().all(|secret| secret.probability("red") == 0.5));
    let answers = rules.answers(&world, &world.view(Seat::FIRST));
    assert_eq!(answers, ["blue", "blue", "blue", "red", "red", "red"]);
    // Nothing is hidden before it is chosen, nor when all that is left is of one colour.
    let start = rules.deal(&mut oboro_core::Rng::from_u64(0));
    assert_eq!(rules.secrets(&start.view(Seat::FIRST)), []);
    let over = position("31 00B23R34R44R15B25B35B45R 22B31B99R11B99R99R99R99B");
    assert_eq!(rules.secrets(&over.view(Seat::FIRST)), []);
}
