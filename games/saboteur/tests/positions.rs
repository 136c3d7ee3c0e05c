//! Position texts that must be refused, and drawings.

use crate::scene;

use oboro_core::{Game, GameWorld, Seat};
use oboro_saboteur::Saboteur;
use scene::Scene;

#[test]
fn positions_that_cannot_be_are_refused_with_a_reason() {
    let rules = Scene::default().rules;
    let good = rules.write_position(&Scene::default().world());
    assert!(rules.parse_position(&good).is_ok());
    for (from, to, reason) in [
        ("turn=0", "turn=6", "the table has seats 0 to 5"),
        ("turn=0", "turn=-", "a game is over after its last round"),
        ("roles=ddddds", "roles=dddddd", "0 saboteurs"),
        ("roles=ddddds", "roles=dddsss", "3 saboteurs"),
        ("roles=ddddds", "roles=dddd", "one letter d or s"),
        ("goals=gold,stone-up", "goals=gold,gold", "exists once"),
        ("goals=gold", "goals=GOLD:LURD", "the gold is turned up when"),
        ("goals=gold", "goals=silver", "expected gold"),
        ("mine=-", "mine=LR@0,0", "taken, or outside"),
        ("mine=-", "mine=LR@8,0", "taken, or outside"),
        ("mine=-", "mine=UD@1,0", "does not match"),
        ("mine=-", "mine=xL@1,0;xL@2,0", "only 1 cards"),
        ("mine=-", "mine=LR@50,0", "the mine spans"),
        ("mine=-", "mine=LR@1,0", "in all places together"),
        ("pile=-", "pile=0:LU", "in all places together"),
        ("pile=-", "pile=9:LU", "the table has seats"),
        ("broken=-", "broken=0:hat", "expected lantern"),
        ("looks=-", "looks=0:7,0", "expected a goal"),
        ("chance=0", "chance=", "16 hexadecimal digits"),
        ("past=-", "past=1:ddddds:111111", "a game is over after"),
        ("past=-", "past=1:ddddds:123111", "most valuable"),
        ("past=-", "past=1:ddddds:33", "share 6 gold cards"),
        ("past=-", "past=1:ddddds:333332", "not so many"),
    ] {
        assert!(good.contains(from), "{from}");
        let bad = good.replacen(from, to, 1);
        let error = rules.parse_position(&bad).expect_err(to).to_string();
        assert!(error.contains(reason), "{to}: {error}");
    }
    assert!(rules.parse_position("").is_err());
    assert!(rules.parse_position(&format!("{good} x")).is_err());
}

#[test]
fn a_way_to_a_face_down_goal_is_refused() {
    let row = "LR@1,0;LR@2,0;LR@3,0;LURD@4,0;LURD@5,0;LURD@6,0";
    let rules = Scene::default().rules;
    let scene = Scene { mine: row, hands: &["LUR,LU,LU,LD,LD"], ..Scene::default() };
    let text = rules.write_position(&scene.world());
    let bad = text.replacen("mine=", "mine=LUR@7,0;", 1).replacen("hands=LUR,", "hands=", 1);
    let error = rules.parse_position(&bad).unwrap_err().to_string();
    assert!(error.contains("not turned up"), "{error}");
}

#[test]
fn the_drawing_shows_the_mine_and_hides_what_is_hidden() {
    let world = Scene {
        rules: Saboteur::paper(),
        mine: "LURD@1,0;xLU@2,0;UD@0,1",
        hands: &["map,LU,LD,rock,xL"],
        broken: "3:pick",
        looks: "0:8,0",
        ..Scene::default()
    }
    .world();
    let expected = "
    0  1  2  3  4  5  6  7  8
                           ┌─┐
-2                         │?│
                           └─┘

-1  ·  ·

    │  │  │                ┌─┐
 0 ─S──┼──x                │o│
    │  │                   └─┘
    │
 1  │  ·
    │
                           ┌─┐
 2  ·                      │?│
                           └─┘
round 1 of 1, deck 33, pile 0, seat 0 to move
seat 0: digger   map LU LD rock xL
seat 1: ?        5 cards
seat 2: ?        5 cards
seat 3: ?        5 cards  broken: pick
seat 4: ?        5 cards
seat 5: ?        5 cards
";
    let drawn = format!("\n{}", world.view(Seat::FIRST));
    assert_eq!(drawn, expected, "{drawn}");
}
