//! The rules, on hand-made positions.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

use crate::scene;

use oboro_core::{Game, GameWorld, Rng, Seat};
use oboro_saboteur::{
    Action, Board, Cell, FaceDownGoals, Goal, GoalCard, Saboteur, Side, Sides, StonePaths, Tile,
    Tiles,
};
use scene::{Scene, legal, play, plays};

fn cell(x: i8, y: i8) -> Cell {
    Cell::new(x, y).unwrap()
}

#[test]
fn the_first_card_lies_next_to_the_start_with_an_open_side() {
    let world = Scene { hands: &["LR,UD,LU,xL,mend-pick"], ..Scene::default() }.world();
    assert_eq!(
        legal(&world),
        [
            "LR@-1,0",
            "LR@1,0",
            "LU@0,1",
            "LU@1,0",
            "RD@-1,0",
            "RD@0,-1",
            "UD@0,-1",
            "UD@0,1",
            "discard-LR",
            "discard-LU",
            "discard-UD",
            "discard-mend-pick",
            "discard-xL",
            "xL@1,0",
            "xR@-1,0",
        ]
    );
}

#[test]
fn bounds_keep_cards_out() {
    let rules = Saboteur::paper();
    let world = Scene { rules, hands: &["LR,UD,LU,xL,mend-pick"], ..Scene::default() }.world();
    assert_eq!(
        plays(&world),
        ["LR@1,0", "LU@0,1", "LU@1,0", "RD@0,-1", "UD@0,-1", "UD@0,1", "xL@1,0"]
    );
}

#[test]
fn nothing_can_be_laid_behind_a_blocked_card() {
    let world =
        Scene { mine: "xLURD@1,0;LURD@2,0", hands: &["LR,LR,LR,LU,LU"], ..Scene::default() }
            .world();
    let plays = plays(&world);
    assert!(!plays.is_empty());
    for text in plays {
        let Action::Dig { at, .. } = text.parse().unwrap() else {
            panic!("{text} is no path");
        };
        assert!(at.x() <= 0, "{text} is not joined to the start");
    }
}

/// Whether a tile may be laid, found out the long way: from the sides of the cards alone.
fn may_be_laid(board: &Board, at: Cell, tile: Tile) -> bool {
    // What lies at a cell: the sides, and whether a way leads through.
    let lies = |x: i8, y: i8| {
        let cell = Cell::new(x, y)?;
        Some((board.sides(cell)?, board.is_passable(cell)))
    };
    let step = |side: Side| match side {
        Side::Left => (-1, 0),
        Side::Up => (0, -1),
        Side::Right => (1, 0),
        Side::Down => (0, 1),
    };
    // Walk from the start over cards that open towards each other.
    let mut reached = vec![(0i8, 0i8)];
    let mut next = 0;
    while next < reached.len() {
        let (x, y) = reached[next];
        next += 1;
        for side in Side::ALL {
            let (dx, dy) = step(side);
            let to = (x + dx, y + dy);
            let (Some((from, true)), Some((other, true))) = (lies(x, y), lies(to.0, to.1)) else {
                continue;
            };
            if from.contains(side) && other.contains(side.opposite()) && !reached.contains(&to) {
                reached.push(to);
            }
        }
    }
    let mut is_joined = false;
    for side in Side::ALL {
        let (dx, dy) = step(side);
        let (x, y) = (at.x() + dx, at.y() + dy);
        if let Some((other, _)) = lies(x, y) {
            if other.contains(side.opposite()) != tile.sides().contains(side) {
                return false;
            }
            is_joined |= tile.sides().contains(side) && reached.contains(&(x, y));
        }
    }
    board.is_empty(at) && is_joined
}

#[test]
fn legal_placements_are_exactly_those_that_match_and_are_joined_to_the_start() {
    let rules = Saboteur::default();
    for seed in 0..12 {
        let mut rng = Rng::from_u64(seed);
        let mut world = rules.deal(&mut rng);
        for _ in 0..60 {
            let seat = world.to_act().unwrap();
            let public = world.public();
            for &card in world.hand(seat).iter() {
                for tile in Tiles::of_card(card) {
                    for x in Cell::X.0..=Cell::X.1 {
                        for y in Cell::Y.0..=Cell::Y.1 {
                            let at = cell(x, y);
                            let expected = public.broken(seat).is_empty()
                                && may_be_laid(public.board(), at, tile);
                            let action = Action::Dig { tile, at };
                            assert_eq!(world.is_legal(action), expected, "{action}\n{world}");
                        }
                    }
                }
            }
            world.apply(world.random_action(&mut rng));
        }
    }
}

#[test]
fn a_broken_tool_forbids_path_cards_only() {
    let scene = Scene {
        mine: "LR@1,0",
        hands: &["LURD,rock,map,break-cart,mend-pick"],
        broken: "0:pick",
        ..Scene::default()
    };
    let broken = plays(&scene.world());
    assert_eq!(
        broken,
        [
            "break-cart@1",
            "break-cart@2",
            "break-cart@3",
            "break-cart@4",
            "break-cart@5",
            "map@8,-2",
            "map@8,0",
            "map@8,2",
            "mend-pick@0",
            "rock@1,0",
        ]
    );
    let mut world = scene.world();
    play(&mut world, &["mend-pick@0"]);
    assert!(world.public().broken(Seat::FIRST).is_empty());
}

#[test]
fn a_tool_is_broken_once_and_mended_by_the_right_card() {
    let world = Scene {
        hands: &["break-cart,break-pick,mend-cart,mend-lantern+pick,mend-lantern"],
        broken: "1:cart,2:cart,3:lantern+pick",
        ..Scene::default()
    }
    .world();
    assert_eq!(
        plays(&world),
        [
            "break-cart@3",
            "break-cart@4",
            "break-cart@5",
            "break-pick@1",
            "break-pick@2",
            "break-pick@4",
            "break-pick@5",
            "mend-cart@1",
            "mend-cart@2",
            "mend-lantern+pick@3=lantern",
            "mend-lantern+pick@3=pick",
            "mend-lantern@3",
        ]
    );
}

#[test]
fn rocks_cut_a_way_off_and_a_new_card_joins_it_again() {
    let mut world = Scene {
        mine: "LR@1,0;LR@2,0;LURD@3,0",
        hands: &["rock,rock,map,map,map", "LURD,LR,xL,LU,LD"],
        ..Scene::default()
    }
    .world();
    assert!(world.is_legal("rock@3,0".parse().unwrap()));
    assert!(!world.is_legal("rock@0,0".parse().unwrap()), "the start");
    assert!(!world.is_legal("rock@8,0".parse().unwrap()), "a goal");
    assert!(!world.is_legal("rock@4,0".parse().unwrap()), "nothing");
    assert!(world.public().board().open_ends().contains(cell(4, 0)));
    play(&mut world, &["rock@2,0"]);
    let board = world.public().board();
    assert!(!board.open_ends().contains(cell(4, 0)), "cut off");
    assert!(board.open_ends().contains(cell(2, 0)));
    assert!(!world.is_legal("LR@4,0".parse().unwrap()));
    assert!(!world.is_legal("xL@2,0".parse().unwrap()), "no wall against a path");
    play(&mut world, &["LR@2,0"]);
    let board = world.public().board();
    assert!(board.is_reached(cell(3, 0)) && board.open_ends().contains(cell(4, 0)));
}

/// A way along the start row up to (7, 0), where the next card decides.
const ROW: &str = "LR@1,0;LR@2,0;LR@3,0;LURD@4,0;LURD@5,0;LURD@6,0";

#[test]
fn reaching_the_gold_ends_the_round() {
    let mut world = Scene {
        mine: ROW,
        goals: "stone-up,gold,stone-down",
        hands: &["LUR", "map", "map", "map", "map", "map"],
        is_late: true,
        ..Scene::default()
    }
    .world();
    play(&mut world, &["LUR@7,0"]);
    assert_eq!(world.to_act(), None);
    let past = world.public().past()[0];
    assert_eq!(past.reached_by, Some(Seat::FIRST));
}

#[test]
fn a_stone_is_turned_so_that_it_fits_and_can_be_built_on() {
    let mut world = Scene {
        mine: ROW,
        goals: "gold,stone-up,stone-down",
        hands: &["LUR,LU,LU,LD,LD", "UD,UD,LU,LD,LURD"],
        ..Scene::default()
    }
    .world();
    play(&mut world, &["LUR@7,0"]);
    let board = world.public().board();
    assert_eq!(world.public().turned_up(Goal::Middle), Some(GoalCard::StoneUp));
    assert_eq!(board.sides(cell(8, 0)).unwrap().to_string(), "LU");
    assert!(board.is_reached(cell(8, 0)));
    assert!(board.open_ends().contains(cell(8, -1)) && !board.open_ends().contains(cell(9, 0)));
    // The way through the stone leads to the next goal, the gold.
    play(&mut world, &["UD@8,-1"]);
    assert_eq!(world.public().past()[0].reached_by, Some(Seat::new(1)));
}

/// A way along the row below that ends left of (8, 1), under the middle goal.
const BELOW: &str = "UD@0,1;UR@0,2;LR@1,2;LR@2,2;LR@3,2;LURD@4,2;LURD@5,2;LURD@6,2;LU@7,2;LRD@7,1";

/// How the middle goal lies after a card has reached it from below, and whether it is joined.
fn reached_from_below(goals: &'static str, beside: &str) -> (String, bool) {
    let mine = format!("{BELOW};{beside}").leak();
    let mut world = Scene { mine, goals, hands: &["LU,LU,UD,map,map"], ..Scene::default() }.world();
    play(&mut world, &["LU@8,1"]);
    let public = world.public();
    assert_ne!(public.turned_up(Goal::Middle), None);
    assert_eq!(public.turned_up(Goal::Lower), None, "the card is closed towards it");
    let sides = public.board().sides(cell(8, 0)).unwrap().to_string();
    (sides, public.board().is_reached(cell(8, 0)))
}

#[test]
fn a_stone_joins_the_way_that_reached_it_whatever_else_is_around_it() {
    let joined = |sides: &str| (sides.to_owned(), true);
    // Left-up must be turned to join a way from below: also into a wall to its right, or against
    // a way that waits above it.
    let up = "gold,stone-up,stone-down";
    for beside in ["xLR@10,0", "xU@9,0", "UD@8,-1"] {
        assert_eq!(reached_from_below(up, beside), joined("RD"), "{beside}");
    }
    // Left-down joins it as it is, also into a wall to its left.
    let down = "gold,stone-down,stone-up";
    for beside in ["xLR@10,0", "xU@7,0", "UD@8,-1"] {
        assert_eq!(reached_from_below(down, beside), joined("LD"), "{beside}");
    }
}

#[test]
fn a_stone_that_is_reached_from_two_sides_at_once_lies_unturned() {
    // The card at (7, 1) joins two ways again that lead to the middle goal, from its left and from
    // below.
    let mut world = Scene {
        mine: "UD@0,1;UR@0,2;LR@1,2;LR@2,2;LR@3,2;LURD@4,2;LURD@5,2;LU@6,2;RD@6,1;RD@7,0;LU@8,1",
        goals: "gold,stone-up,stone-down",
        hands: &["LUR,LD,UD,map,map"],
        ..Scene::default()
    }
    .world();
    play(&mut world, &["LUR@7,1"]);
    assert_eq!(world.public().board().sides(cell(8, 0)).unwrap().to_string(), "LU");
    assert!(world.public().board().is_reached(cell(8, 0)));
}

#[test]
fn a_card_between_two_goals_turns_both_up() {
    let mut world = Scene {
        mine: BELOW,
        goals: "gold,stone-up,stone-down",
        hands: &["LUD,LU,UD,map,map"],
        ..Scene::default()
    }
    .world();
    play(&mut world, &["LUD@8,1"]);
    let public = world.public();
    assert_eq!(public.turned_up(Goal::Middle), Some(GoalCard::StoneUp));
    assert_eq!(public.turned_up(Goal::Lower), Some(GoalCard::StoneDown));
    assert_eq!(public.turned_up(Goal::Upper), None);
    // Left-up was turned to open downwards; left-down, turned, opens upwards.
    assert_eq!(public.board().sides(cell(8, 0)).unwrap().to_string(), "RD");
    assert_eq!(public.board().sides(cell(8, 2)).unwrap().to_string(), "UR");
}

#[test]
fn a_blocked_card_next_to_a_goal_turns_nothing_up() {
    let mut world =
        Scene { mine: ROW, hands: &["xLURD,LU,UD,map,map"], ..Scene::default() }.world();
    play(&mut world, &["xLURD@7,0"]);
    assert_eq!(world.public().turned_up(Goal::Middle), None);
}

#[test]
fn the_rule_for_face_down_goals_decides_about_walls() {
    let scene = |face_down_goals, stones| Scene {
        rules: Saboteur { rounds: 1, face_down_goals, stones, ..Saboteur::default() },
        mine: ROW,
        goals: "gold,stone-up,stone-down",
        hands: &["LU,LUR,xLR,map,map"],
        ..Scene::default()
    };
    let wall: Action = "LU@7,0".parse().unwrap();
    assert!(scene(FaceDownGoals::Any, StonePaths::Curves).world().is_legal(wall));
    let mut open = scene(FaceDownGoals::Open, StonePaths::Open).world();
    assert!(!open.is_legal(wall));
    play(&mut open, &["LUR@7,0"]);
    assert_eq!(open.public().board().sides(cell(8, 0)), Some(Sides::ALL));
    assert!(open.public().board().open_ends().contains(cell(9, 0)));
}

#[test]
fn a_map_is_for_face_down_goals() {
    let mut world = Scene {
        mine: ROW,
        goals: "gold,stone-up,stone-down",
        hands: &["LUR,LU,UD,LU,LD", "map,xL,xU,xLU,xLD"],
        ..Scene::default()
    }
    .world();
    play(&mut world, &["LUR@7,0"]);
    let looks: Vec<String> =
        plays(&world).into_iter().filter(|text| text.starts_with("map")).collect();
    assert_eq!(looks, ["map@8,-2", "map@8,2"]);
}

#[test]
fn counts_of_positions_are_pinned() {
    fn count(world: &oboro_saboteur::World, depth: u32) -> u64 {
        if depth == 0 || world.to_act().is_none() {
            return 1;
        }
        let mut total = 0;
        world.for_each_legal(|action| {
            let mut next = world.clone();
            next.apply(action);
            total += count(&next, depth - 1);
        });
        total
    }
    let counts = |rules: Saboteur| {
        let world = rules.deal(&mut Rng::from_u64(1));
        [1, 2, 3].map(|depth| count(&world, depth))
    };
    assert_eq!(counts(Saboteur::default()), [16, 442, 9615]);
    assert_eq!(counts(Saboteur::paper()), [14, 301, 5395]);
}
