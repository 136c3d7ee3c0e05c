//! Scenes: what screens and programs get.

use crate::common;

use common::{THREE, endgame, position};
use oboro_core::{Described, Game, GameScenes, GameWorld, Seat};
use oboro_sevens::scene::{ActionData, EventData, LogScene, Scene};
use oboro_sevens::{GapRule, Sevens, World};
use oboro_testkit::{Effort, check_golden, check_scene_equality, check_scenes, scene_page};

/// Four players after five turns, two of them passes.
fn opening() -> World {
    let mut world = position(
        &Sevens::default(),
        "turn=0 hands=S236JQH3D4TQCTJK/SA59H26JDA5KC268Q/S4THA58KD238JC9/S8KH49TQD69CA345 \
         passes=3/3/3/3 laid=D7/-/S7H7/C7 ranks=-/-/-/- log=-",
    );
    for action in ["S6", "pass", "H8", "D6", "pass", "S5"] {
        world.play(action.parse().expect("an action")).expect("a legal action");
    }
    world
}

#[test]
fn scenes_keep_their_laws() {
    for players in 3..=6 {
        let gaps = if players % 2 == 0 { GapRule::Bridge } else { GapRule::Strict };
        let rules = Sevens { players, gaps, ..Sevens::default() };
        check_scenes(&rules, Effort { games: 4, every: 7, ..Effort::default() });
    }
    // Without passes games are short and retirements many.
    let short = Sevens { passes: 0, ..THREE };
    check_scenes(&short, Effort { games: 12, every: 7, ..Effort::default() });
}

#[test]
fn scenes_hold_all_that_views_do() {
    let opening = Sevens::default().write_position(&opening());
    let changed = |from, to| opening.replacen(from, to, 1);
    let positions = [
        opening.clone(),
        changed("log=S6,p1,H8", "log=H8,p1,S6"),
        changed("log=S6,p1,H8", "log=p1,S6,H8"),
        changed("log=S6,", "log="),
        changed("turn=2", "turn=3"),
        changed("passes=2/2/3", "passes=2/2/2"),
        changed("laid=S6D7/S5", "laid=S5D7/S6"),
        // Cards that only their owners see, and how many they are.
        changed("S23JQH3", "SA3JQH3").replacen("SA9H26", "S29H26", 1),
        changed("S23JQH3", "S3JQH3").replacen("SA9H26", "SA29H26", 1),
    ];
    check_scene_equality(&Sevens::default(), &positions.each_ref().map(String::as_str));
}

#[test]
fn a_position_is_shown_as_in_the_golden_file() {
    let page = scene_page(&Sevens::default(), &opening(), Seat::new(2), &["S4", "pass"]);
    check_golden("tests/golden/scene.json", &page);
}

#[test]
fn hands_are_shown_to_their_owners_only() {
    let (rules, world) = (Sevens::default(), opening());
    let shown =
        |scene: Scene| scene.seats.iter().map(|seat| seat.hand.is_some()).collect::<Vec<_>>();
    assert_eq!(shown(rules.scene(&world.view(Seat::new(2)))), [false, false, true, false]);
    assert_eq!(shown(rules.public_scene(&world)), [false; 4]);
    assert_eq!(shown(rules.full_scene(&world)), [true; 4]);
}

#[test]
fn the_log_says_who_did_what() {
    let log = Sevens::default().public_scene(&opening()).log;
    let card = |text: &str| text.parse().unwrap();
    assert_eq!(log[0], LogScene::Lay { seat: Seat::FIRST, card: card("S6") });
    assert_eq!(log[1], LogScene::Pass { seat: Seat::new(1) });
    assert_eq!(log[5], LogScene::Lay { seat: Seat::new(1), card: card("S5") });
}

fn told(world: &World, action: &str) -> Described<EventData> {
    let event = THREE.public_event(world, action.parse().expect("an action"));
    THREE.narrate(&THREE.public_scene(world), &event)
}

#[test]
fn the_last_card_takes_the_best_rank() {
    let told = told(&endgame(["SK", "CA", "HA2"], "3/0/2"), "SK");
    assert_eq!(told.parts.rank, Some(1));
    assert_eq!(told.text.en, "Player 1 lays ♠K, taking rank 1");
    assert_eq!(told.text.ja, "プレイヤー1：♠Kを出す（1位で上がり）");
}

#[test]
fn a_pass_too_many_lays_everything_down_and_takes_the_worst_rank() {
    // Seat 0 cannot lay ♠A without ♠2, nor ♥10 without ♥9, and has no pass left.
    let world = endgame(["SAHT", "S2H9", "DK"], "0/3/3");
    let described = THREE.describe(&world.view(Seat::FIRST), "pass".parse().unwrap());
    let told = told(&world, "pass");
    assert_eq!(told.parts.did, described.parts);
    let cards = ["SA", "HT"].map(|card| card.parse().unwrap());
    assert_eq!(described.parts, ActionData::Retire { cards: cards.into() });
    assert_eq!(told.parts.rank, Some(3));
    assert_eq!(told.text.en, "Player 1 retires (♠A ♥10 to the table), taking rank 3");
    assert_eq!(told.text.ja, "プレイヤー1：パスが尽きて脱落、♠A ♥10を場に出す（3位）");
}

#[test]
fn secrets_share_the_unseen_cards_by_the_sizes_of_hands() {
    let (rules, world) = (Sevens::default(), opening());
    let view = world.view(Seat::new(2));
    let secrets = rules.secrets(&view);
    assert_eq!(secrets.len(), view.unknown().len());
    let two = secrets.iter().find(|secret| secret.subject == "S2").unwrap();
    // Seat 0 laid its D7 and S6 and has 11 of the 34; seats 1 and 3 have 12 and 11.
    assert_eq!(two.values.iter().map(|v| v.value.as_str()).collect::<Vec<_>>(), ["0", "1", "3"]);
    assert_eq!(two.probability("1"), 12.0 / 34.0);
    let answers = rules.answers(&world, &view);
    let at = secrets.iter().position(|secret| secret.subject == "S2").unwrap();
    assert_eq!(answers[at], "0");
    // Once only one other player holds cards, nothing is hidden.
    let mut world = endgame(["SK", "CA", "HA2"], "3/0/2");
    assert_eq!(THREE.secrets(&world.view(Seat::FIRST)).len(), 3);
    world.play("SK".parse().unwrap()).unwrap();
    assert_eq!(THREE.secrets(&world.view(Seat::new(1))), []);
}
