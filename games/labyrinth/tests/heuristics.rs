//! The five heuristics of the thesis: what they value, and when they are content.

use crate::common;

use common::{is_on_goal, positions};
use oboro_core::{Agent, GameWorld, Rng, Seat};
use oboro_labyrinth::agents::{BestFirst, ExtraGoal, HeuristicParams, Valuation};
use oboro_labyrinth::{Action, Cell, Goal, Side, World};

/// The sums of 3.2.1 and 3.2.4 for one turn, counted anew: unseen treasures within the own reach less those
/// within the others', and either 25 on the goal or the terms of static-tile.
fn value_by_hand(world: &World, action: Action, is_hybrid: bool) -> f64 {
    let view = world.view(Seat::FIRST);
    let mut board = *world.public().board();
    board.push(action.entry, action.rotation);
    let treasures_of = |seat: Seat| {
        let from = action.entry.carry(world.public().pawn(seat));
        let reached = board.maze().corridors().reach(from.into());
        let is_reached = |cell: Cell| reached.contains(cell);
        view.unseen().iter().filter(|t| board.place(*t).is_some_and(is_reached)).count() as i32
    };
    let treasures = treasures_of(Seat::FIRST) - treasures_of(Seat::new(1));
    let goal = match world.goal(Seat::FIRST) {
        Goal::Treasure(treasure) => board.place(treasure),
        Goal::Home(home) => Some(home),
    };
    let to = action.to;
    if !is_hybrid {
        return f64::from(treasures + if goal == Some(to) { 25 } else { 0 });
    }
    let fixed = if to.x().is_multiple_of(2) && to.y().is_multiple_of(2) { 5 } else { 0 };
    let near = goal.map_or(0, |goal| {
        let mut facing = Vec::new();
        facing.extend((to.x() > goal.x()).then_some(Side::Right));
        facing.extend((to.x() < goal.x()).then_some(Side::Left));
        facing.extend((to.y() > goal.y()).then_some(Side::Down));
        facing.extend((to.y() < goal.y()).then_some(Side::Up));
        let is_wall = |side: &Side| !board.maze().sides(goal).contains(*side);
        let walled = !facing.is_empty() && facing.iter().all(is_wall);
        150 - 10 * goal.distance(to) as i32 - if walled { 20 } else { 0 }
    });
    f64::from(10 * treasures + near + fixed)
}

#[test]
fn treasures_within_reach_are_counted_as_the_thesis_does() {
    for (valuation, is_hybrid) in [(Valuation::TREASURE_COUNT, false), (Valuation::HYBRID, true)] {
        let mut agent = BestFirst::new(valuation, HeuristicParams::default());
        for world in positions(10) {
            let analysis = agent.analyse(&world.view(Seat::FIRST), &mut Rng::from_u64(1));
            for thought in &analysis.values {
                let by_hand = value_by_hand(&world, thought.action, is_hybrid);
                assert_eq!(thought.value, by_hand, "{} in\n{world}", thought.action);
            }
        }
    }
}

/// Nothing in 3.2.4 makes the goal outweigh the treasures: `hybrid` passes it by where a turn is valued
/// higher, and only there.
#[test]
fn hybrid_takes_the_goal_unless_treasures_outweigh_it() {
    let mut agent = BestFirst::new(Valuation::HYBRID, HeuristicParams::default());
    let (mut taken, mut passed_by) = (0, 0);
    for world in positions(150) {
        let analysis = agent.analyse(&world.view(Seat::FIRST), &mut Rng::from_u64(1));
        let best = |on_goal: bool| {
            let values = analysis.values.iter();
            let values = values.filter(|v| is_on_goal(&world, v.action) == on_goal);
            values.map(|v| v.value).fold(f64::NEG_INFINITY, f64::max)
        };
        let (arriving, passing) = (best(true), best(false));
        if arriving.max(passing) < 150.0 {
            continue; // it looks further ahead
        }
        if is_on_goal(&world, analysis.choice) {
            assert!(arriving >= passing, "{world}");
            taken += 1;
        } else {
            assert!(passing >= arriving, "{world}");
            passed_by += u32::from(arriving.is_finite());
        }
    }
    assert!(taken > 20 && passed_by > 5, "taken {taken} times, passed by {passed_by} times");
}

/// A threshold of 1 is content with nearly any turn of the position itself.
#[test]
fn a_low_threshold_ends_the_search_at_once() {
    let params = HeuristicParams { threshold: Some(1), ..HeuristicParams::default() };
    let mut content = BestFirst::new(Valuation::DISTANCE, params);
    let mut patient = BestFirst::new(Valuation::DISTANCE, HeuristicParams::default());
    let mut rng = Rng::from_u64(1);
    let mut apart = 0;
    for world in positions(40) {
        let view = world.view(Seat::FIRST);
        let analysis = content.analyse(&view, &mut rng);
        let max = analysis.values.iter().map(|v| v.value).fold(f64::NEG_INFINITY, f64::max);
        let chosen = analysis.values.iter().find(|v| v.action == analysis.choice).unwrap();
        assert_eq!(chosen.value, max);
        apart += u32::from(patient.act(&view, &mut rng) != analysis.choice);
    }
    assert!(apart > 0, "the default threshold chooses another turn {apart} of 40 times");
}

#[test]
fn a_goal_on_the_extra_tile_is_worth_what_the_parameter_says() {
    let near = HeuristicParams { extra_goal: ExtraGoal::Near, ..HeuristicParams::default() };
    let mut seen = 0;
    for world in positions(40) {
        let Goal::Treasure(treasure) = world.goal(Seat::FIRST) else { continue };
        let view = world.view(Seat::FIRST);
        for (params, worth) in [(HeuristicParams::default(), 0.0), (near, 15.0)] {
            let mut agent = BestFirst::new(Valuation::DISTANCE, params);
            let values = agent.analyse(&view, &mut Rng::from_u64(1)).values;
            for thought in values {
                let mut after = world;
                after.apply(thought.action);
                if after.public().board().place(treasure).is_none() {
                    assert_eq!(thought.value, worth);
                    seen += 1;
                }
            }
        }
    }
    assert!(seen > 50, "{seen} turns push the goal off the board");
}

#[test]
fn a_heuristic_draws_the_values_of_its_cells() {
    let world = positions(1).next().unwrap();
    let mut agent = BestFirst::new(Valuation::STATIC_TILE, HeuristicParams::default());
    let analysis = agent.analyse(&world.view(Seat::FIRST), &mut Rng::from_u64(1));
    let drawing = analysis.drawing.unwrap();
    let numbers =
        |text: &str| text.split(|c: char| !c.is_ascii_digit()).filter(|w| !w.is_empty()).count();
    let rows: Vec<usize> = drawing.lines().skip(1).map(numbers).collect();
    assert_eq!(rows, [7; 7], "{drawing}");
    let max = analysis.values.iter().map(|v| v.value).fold(f64::MIN, f64::max);
    let chosen = analysis.values.iter().find(|v| v.action == analysis.choice).unwrap();
    if max >= 150.0 {
        assert!((chosen.value - max).abs() < 1e-9);
    }
}
