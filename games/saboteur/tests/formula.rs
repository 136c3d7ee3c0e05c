//! The scores of the paper's formula, each term on its own, exact.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

use crate::scene;

use oboro_core::{Agent, AgentEntry, GameWorld, Rng, Seat, Spec};
use oboro_saboteur::agents::agents;
use oboro_saboteur::agents::path::{Aim, Formula, Path, PathParams, Points, Weights};
use oboro_saboteur::{Action, Cell, Goal, Saboteur, View};
use scene::Scene;

/// The parameters that a spec such as `cards=true` names.
fn params(text: &str) -> PathParams {
    let spec: Spec = format!("path:{text}").parse().unwrap();
    oboro_core::from_pairs("path", &spec.args, &["weights"]).unwrap()
}

fn scene(hand: &'static [&'static str]) -> Scene {
    Scene { rules: Saboteur::paper(), hands: hand, ..Scene::default() }
}

fn view(scene: &Scene) -> View {
    scene.world().view(Seat::new(scene.turn))
}

/// The value of laying a card, written as `LUR@3,0`.
fn value(params: &PathParams, view: &View, aim: Aim, placement: &str) -> Points {
    let Action::Dig { tile, at } = placement.parse().unwrap() else {
        panic!("{placement} is no placement");
    };
    Formula::new(params, view, aim).value(tile, at)
}

const MIDDLE: Aim = Aim::At(Goal::Middle);
const HAND: &[&str] = &["LURD,LUR,LR,xLR,LU"];
const LONE_CROSSROADS: &[&str] = &["LURD,LUD,LU,LD,UD"];
const TWO_CROSSROADS: &[&str] = &["LURD,LURD,LU,LD,UD"];

fn points(numerator: i64, denominator: i64) -> Points {
    Points::ratio(numerator, denominator)
}

#[test]
fn distance_is_the_weighted_sum_of_reciprocals() {
    let base = PathParams::default();
    let view = view(&scene(HAND));
    let distance = |params: &PathParams, x, y| {
        let cell = Cell::new(x, y).unwrap();
        Formula::new(params, &view, Aim::At(Goal::Lower)).distance_value(cell)
    };
    assert_eq!(distance(&base, 4, 0), points(80, 4) + points(20, 2));
    assert_eq!(distance(&base, 1, -1), points(80, 7) + points(20, 3));
    // A distance of 0 counts as 1.
    assert_eq!(distance(&base, 7, 2), Points::whole(100));
    assert_eq!(distance(&base, 8, 1), Points::whole(100));
    let even = params("50:50");
    assert_eq!(distance(&even, 5, 0), points(50, 3) + points(50, 2));
    let only_x = params("100:0");
    assert_eq!(distance(&only_x, 5, 0), points(100, 3));
}

#[test]
fn the_point_between_two_goals_is_worth_125() {
    let view = view(&scene(HAND));
    let between = Aim::Between(Goal::Middle, Goal::Lower);
    let formula = Formula::new(&PathParams::default(), &view, between);
    let at = |x, y| formula.distance_value(Cell::new(x, y).unwrap());
    assert_eq!(at(8, 1), Points::whole(125));
    assert_eq!(at(7, 1), Points::whole(100));
    assert_eq!(at(6, 0), points(80, 2) + Points::whole(20));
}

#[test]
fn a_card_next_to_the_goal_gains_100_or_loses_50() {
    let base = PathParams::default();
    let view = view(&scene(HAND));
    let reaching = value(&base, &view, MIDDLE, "LUR@7,0");
    assert_eq!(reaching, Points::whole(80 + 20 + 100));
    let missing = value(&base, &view, MIDDLE, "LU@7,0");
    assert_eq!(missing, Points::whole(80 + 20 - 50));
    // A neighbouring goal that is not aimed at does not count, and the cell is not far.
    let aside = value(&base, &view, Aim::At(Goal::Upper), "LUR@7,0");
    assert_eq!(aside, Points::whole(80 + 10));
    let any = params("next-to=face-down");
    let aside = value(&any, &view, Aim::At(Goal::Upper), "LUR@7,0");
    assert_eq!(aside, Points::whole(80 + 10 + 100));
    // Between two goals both count, unless only goal cards do.
    let between = Aim::Between(Goal::Middle, Goal::Lower);
    let both = value(&base, &view, between, "LUR@7,0");
    assert_eq!(both, Points::whole(80 + 20 + 100));
    let none = value(&params("next-to=goal-card"), &view, between, "LUR@7,0");
    assert_eq!(none, Points::whole(80 + 20));
}

#[test]
fn a_card_left_of_the_goal_that_cannot_go_right_loses_50() {
    let base = PathParams::default();
    let view = view(&scene(HAND));
    let closed = value(&base, &view, MIDDLE, "LU@4,0");
    assert_eq!(closed, points(80, 4) + Points::whole(20 - 50));
    let open = value(&base, &view, MIDDLE, "RD@4,0");
    assert_eq!(open, points(80, 4) + Points::whole(20));
    // In the goals' column there is nothing to the right to go to.
    let column = value(&base, &view, Aim::At(Goal::Upper), "UD@8,1");
    assert_eq!(column, Points::whole(80) + points(20, 3));
}

#[test]
fn a_far_card_off_the_start_row_loses_50() {
    let base = PathParams::default();
    let view = view(&scene(HAND));
    let off = value(&base, &view, MIDDLE, "LR@5,1");
    assert_eq!(off, points(80, 3) + Points::whole(20 - 50));
    let near = value(&base, &view, MIDDLE, "LR@6,1");
    assert_eq!(near, points(80, 2) + Points::whole(20));
}

#[test]
fn a_far_crossroads_loses_50_when_the_hand_has_a_cheaper_card() {
    let base = PathParams::default();
    let crossroads =
        |params: &PathParams, hand| value(params, &view(&scene(hand)), MIDDLE, "LURD@4,0");
    let plain = points(80, 4) + Points::whole(20);
    let waste = plain + Points::whole(-50);
    assert_eq!(crossroads(&base, HAND), waste);
    assert_eq!(crossroads(&base, LONE_CROSSROADS), plain);
    assert_eq!(crossroads(&params("crossroads=never"), HAND), plain);
    assert_eq!(crossroads(&base, TWO_CROSSROADS), plain);
    assert_eq!(crossroads(&params("crossroads=any"), TWO_CROSSROADS), waste);
    // Nothing is laid yet, so cards from left to right are left in the game.
    assert_eq!(crossroads(&params("crossroads=in-game"), LONE_CROSSROADS), waste);
    // A blocked card from left to right is no alternative.
    assert_eq!(crossroads(&base, &["LURD,xLR,LU,LD,UD"]), plain);
    let near = value(&base, &view(&scene(HAND)), MIDDLE, "LURD@6,0");
    assert_eq!(near, points(80, 2) + Points::whole(20));
}

#[test]
fn corrections_exclude_each_other_or_add_up() {
    let view = view(&scene(HAND));
    // Closed to the right, off the row, and far away.
    let first = value(&PathParams::default(), &view, MIDDLE, "LU@4,1");
    assert_eq!(first, points(80, 4) + Points::whole(20 - 50));
    let sum = value(&params("corrections=sum"), &view, MIDDLE, "LU@4,1");
    assert_eq!(sum, points(80, 4) + Points::whole(20 - 50 - 50));
    let all = value(&params("corrections=sum"), &view, MIDDLE, "LURD@4,1");
    assert_eq!(all, points(80, 4) + Points::whole(20 - 50 - 50));
}

#[test]
fn a_blocked_card_loses_300() {
    let view = view(&scene(HAND));
    let blocked = value(&PathParams::default(), &view, MIDDLE, "xLR@4,0");
    assert_eq!(blocked, points(80, 4) + Points::whole(20 - 300));
    let strict = params("not-right=closed-or-blocked");
    let blocked = value(&strict, &view, MIDDLE, "xLR@4,0");
    assert_eq!(blocked, points(80, 4) + Points::whole(20 - 50 - 300));
    // Next to the goal it does not reach it, unless it is read so.
    let next_to = value(&PathParams::default(), &view, MIDDLE, "xLR@7,0");
    assert_eq!(next_to, Points::whole(100 - 50 - 300));
    let next_to = value(&params("blocked-reaches=true"), &view, MIDDLE, "xLR@7,0");
    assert_eq!(next_to, Points::whole(100 + 100 - 300));
}

#[test]
fn a_saboteur_negates_the_value() {
    let saboteur = Scene { roles: "sddddd", ..scene(HAND) };
    let (digger, saboteur) = (view(&scene(HAND)), view(&saboteur));
    let cards = params("cards=true");
    for placement in ["LUR@7,0", "LU@4,1", "LURD@4,0", "xLR@3,0", "LR@1,0"] {
        let value = |view: &View, params: &PathParams| value(params, view, MIDDLE, placement);
        assert_eq!(value(&saboteur, &cards), -value(&digger, &cards));
    }
    let distance = value(&params("saboteur=distance"), &saboteur, MIDDLE, "xLR@4,0");
    assert_eq!(distance, -(points(80, 4) + Points::whole(20)) + Points::whole(-300));
    let with = value(&params("cards=true,saboteur=without-cards"), &saboteur, MIDDLE, "LR@4,0");
    let without = value(&PathParams::default(), &saboteur, MIDDLE, "LR@4,0");
    let share = value(&cards, &digger, MIDDLE, "LR@4,0")
        + -value(&PathParams::default(), &digger, MIDDLE, "LR@4,0");
    assert_eq!(with, without + share);
}

#[test]
fn cards_still_to_come_count_by_their_mean_share() {
    // In the mine: one crossroads, one T left-up-right, one straight up-down; in the hand a
    // crossroads, a T left-up-right, and a straight left-right.
    let scene = Scene { mine: "LURD@1,0;LUR@2,0;UD@0,1", ..scene(HAND) };
    let view = view(&scene);
    let with = params("cards=true");
    let cards = |aim, placement: &str| {
        value(&with, &view, aim, placement) + -value(&PathParams::default(), &view, aim, placement)
    };
    // Crossroads 3 of 5, T left-up-right 3 of 5, straights left-right 2 of 3.
    let horizontal = points(300, 15) + points(300, 15) + points(200, 9);
    assert_eq!(cards(MIDDLE, "LR@3,0"), horizontal);
    // Crossroads 3 of 5, T left-up-down 5 of 5, straights up-down 3 of 4.
    let vertical = points(300, 15) + points(500, 15) + points(300, 12);
    assert_eq!(cards(Aim::At(Goal::Upper), "LU@3,0"), vertical);
    // Not open to the right, and away from the goal's row or already in it: nothing.
    assert_eq!(cards(Aim::At(Goal::Lower), "LU@3,0"), Points::default());
    assert_eq!(cards(MIDDLE, "LU@3,0"), Points::default());
    // In the goals' column only the row counts.
    assert_eq!(cards(Aim::At(Goal::Upper), "LUR@8,1"), vertical);
    let sum = params("cards=true,shares=sum");
    let all = value(&sum, &view, MIDDLE, "LR@3,0")
        + -value(&PathParams::default(), &view, MIDDLE, "LR@3,0");
    assert_eq!(all, points(300, 5) + points(300, 5) + points(200, 3));
}

#[test]
fn cards_still_to_come_as_printed_are_summed_over_the_shortest_ways() {
    // In the mine: one crossroads, one T left-up-right, one straight up-down; in the hand a
    // crossroads, a T left-up-right, a straight left-right and a curve left-up.
    let scene = Scene { mine: "LURD@1,0;LUR@2,0;UD@0,1", ..scene(HAND) };
    let view = view(&scene);
    let cards = |text: &str, aim, placement: &str| {
        value(&params(text), &view, aim, placement)
            + -value(&PathParams::default(), &view, aim, placement)
    };
    let printed = |aim, placement: &str| cards("cards=true,shares=routes", aim, placement);
    let (crossroads, tee_horizontal, tee_vertical) =
        (points(300, 5), points(300, 5), points(500, 5));
    let (straight, upright) = (points(200, 3), points(300, 4));
    let (curve_up, curve_down) = (points(300, 4), points(500, 5));
    // Straight on along the row: the three kinds from left to right.
    let horizontal = crossroads + tee_horizontal + straight;
    assert_eq!(printed(MIDDLE, "LR@3,0"), horizontal);
    // To another row as well: those from up to down, and those that lead round the corner.
    let all = horizontal + tee_vertical + upright;
    assert_eq!(printed(Aim::At(Goal::Upper), "LR@3,0"), all + curve_up);
    assert_eq!(printed(Aim::At(Goal::Lower), "LR@3,0"), all + curve_down);
    // One row and one column away, open to the right: one corner is left.
    let corner = crossroads + tee_horizontal + tee_vertical + curve_up;
    assert_eq!(printed(Aim::At(Goal::Upper), "LR@7,-1"), corner);
    // Nothing is needed any more, or the card does not lead there.
    assert_eq!(printed(MIDDLE, "LR@7,0"), Points::default());
    assert_eq!(printed(MIDDLE, "LU@3,0"), Points::default());
    // With the own hand among the unused cards each of the three has one more.
    let with_hand = cards("cards=true,shares=routes,unused=not-laid", MIDDLE, "LR@3,0");
    assert_eq!(with_hand, points(400, 5) + points(400, 5) + points(300, 3));
}

#[test]
fn values_that_cancel_are_exactly_zero() {
    // The spec's cases: −50 against dx = 6 at 60:40, dx = 2 at 100:0, dx = dy = 2 from 60:40 on.
    let view = view(&scene(LONE_CROSSROADS));
    let closed = |weights, aim, placement| value(&params(weights), &view, aim, placement);
    assert_eq!(closed("60:40", MIDDLE, "LU@2,0"), Points::default());
    assert_eq!(closed("100:0", MIDDLE, "LU@6,0"), Points::default());
    for weights in ["60:40", "70:30", "80:20", "90:10", "100:0"] {
        let upper = Aim::At(Goal::Upper);
        assert_eq!(closed(weights, upper, "LU@6,0"), Points::default(), "{weights}");
    }
}

/// What the program does in a scene.
fn act(text: &str, scene: &Scene) -> String {
    let mut path = Path::new(params(text));
    path.act(&view(scene), &mut Rng::from_u64(1)).to_string()
}

#[test]
fn maps_come_first_while_the_gold_is_not_found() {
    let holding_map = scene(&["LR,map,LURD,LU,LD"]);
    assert!(act("maps=middle-first", &holding_map) == "map@8,0");
    assert!(act("80:20", &holding_map).starts_with("map@"));
    let found = Scene { looks: "0:8,-2", ..holding_map };
    assert_eq!(act("80:20", &found), "LR@1,0");
}

#[test]
fn a_value_of_zero_is_not_played_unless_asked() {
    // The only placement: a curve at (2, 0), closed to the right, worth 60/6 + 40 − 50 = 0.
    let scene = Scene {
        mine: "LR@1,0;xUD@0,1;xD@0,-1",
        looks: "0:8,0",
        goals: "stone-up,gold,stone-down",
        ..scene(&["LU,rock,rock,rock,map"])
    };
    assert_eq!(act("60:40,play-zero=true", &scene), "LU@2,0");
    assert_eq!(act("60:40", &scene), "discard-LU", "the best placeable card");
    assert_eq!(act("50:50", &scene), "LU@2,0");
}

#[test]
fn the_card_that_is_put_away_is_an_option() {
    // The only place is (2, 0): the curve is worth 0 there, the blocked card −250.
    let held = |hand| Scene {
        mine: "LR@1,0;xUD@0,1;xD@0,-1",
        looks: "0:8,0",
        goals: "stone-up,gold,stone-down",
        ..scene(hand)
    };
    let blocked_first = held(&["xLR,LU,rock,rock,rock"]);
    assert_eq!(act("60:40,discard=best", &blocked_first), "discard-LU");
    assert_eq!(act("60:40,discard=first", &blocked_first), "discard-xLR");
    assert_eq!(act("60:40,discard=action-first", &blocked_first), "discard-rock");
    let blocked_last = held(&["rock,LU,xLR,rock,rock"]);
    assert_eq!(act("60:40,discard=worst", &blocked_last), "discard-xLR");
    assert_eq!(act("60:40,discard=first", &blocked_last), "discard-LU");
    let no_action = held(&["xLR,LU,xLU,xLD,xLUR"]);
    assert_eq!(act("60:40,discard=action-first", &no_action), "discard-LU", "as `best`");
}

#[test]
fn ties_go_to_the_first_in_scanning_order() {
    // Two open ends of equal value: (0, 1) comes before (0, −1), and LUD before UD in the hand.
    let scene = Scene {
        mine: "xL@1,0",
        looks: "0:8,0",
        goals: "stone-up,gold,stone-down",
        roles: "sddddd",
        ..scene(&["LUD,UD,rock,rock,rock"])
    };
    assert_eq!(act("80:20", &scene), "LUD@0,1");
}

#[test]
fn broken_tools_leave_only_discards() {
    let scene = Scene { broken: "0:cart", looks: "0:8,-2", ..scene(&["LR,LR,rock,LU,LD"]) };
    assert_eq!(act("80:20", &scene), "discard-rock", "an action card first");
}

#[test]
fn weights_are_read_and_refused() {
    let weights = |text: &str| Weights::try_from(text.to_owned());
    assert_eq!(weights("70:30"), Ok(Weights { x: 70, y: 30 }));
    for bad in ["", "80", "80:", ":20", "80:-1", "1001:0", "a:b", "1:2:3"] {
        let error = weights(bad).unwrap_err().to_string();
        assert!(error.contains("80:20"), "{error}");
    }
    let spec = "path:weights=100:0,cards=true".parse().unwrap();
    let (canonical, _) = AgentEntry::resolve(&agents(), &Saboteur::paper(), &spec).unwrap();
    assert_eq!(canonical.to_string(), "path:weights=100:0,cards=yes");
}
