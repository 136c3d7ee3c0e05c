//! Every agent plays by the rules, repeats itself, and does what it is for.

use crate::common;

use common::{is_on_goal, positions};
use oboro_core::{Agent, AgentEntry, Game, GameWorld, Rng, Seat, Spec};
use oboro_labyrinth::agents::{
    BestFirst, BigBrain, BigBrainParams, Entries, Exhaustive, ExhaustiveParams, GoalSearch,
    HeuristicParams, Oboro, OboroParams, Pathfinder, PathfinderParams, Valuation, Visited,
};
use oboro_labyrinth::{Action, Cell, Entry, Goal, Labyrinth, World, agents};
use oboro_testkit::{check_agent, check_standard_agents};

fn build(rules: &Labyrinth, text: &str) -> oboro_core::Factory<Labyrinth> {
    let spec: Spec = text.parse().expect("a spec");
    AgentEntry::resolve(&agents(), rules, &spec).unwrap_or_else(|error| panic!("{error}")).1
}

#[test]
fn every_agent_plays_legal_games_at_every_table() {
    for players in 2..=4 {
        let rules = Labyrinth { players, cards: Some(1), turn_limit: 40, ..Labyrinth::default() };
        for entry in agents() {
            // Those that every game has are checked below, with small budgets.
            if !["mc", "uct", "ismcts", "pimc"].contains(&entry.name) {
                check_agent(&rules, &build(&rules, entry.name), 1);
            }
        }
    }
}

#[test]
fn the_standard_agents_keep_the_laws() {
    for players in [2, 4] {
        let rules = Labyrinth { players, cards: Some(1), turn_limit: 8, ..Labyrinth::default() };
        check_standard_agents(&rules, 1);
    }
}

#[test]
fn every_parameter_can_be_set() {
    let rules = Labyrinth { cards: Some(1), turn_limit: 20, ..Labyrinth::default() };
    for text in [
        "big-brain:visited=exact,entries=legal,fallback=searched,nodes=3000",
        "big-brain:fallback=searched,nodes=0",
        "saboteur:weight=2",
        "distance:goal-board=before,ties=random,nodes=3000",
        "hybrid:goal-board=before,rival-home=250,nodes=3000",
        "slide-direction:threshold=-5,extra-goal=near",
        "exhaustive:depth=1",
        "pathfinder:next-turn=0.5,rival-treasure=0,rival-home=2",
        "oboro:500,inference=false",
    ] {
        check_agent(&rules, &build(&rules, text), 1);
    }
    for bad in [
        "exhaustive:depth=0",
        "exhaustive:depth=7",
        "big-brain:visited=never",
        "hybrid:rival-home=-1",
        "oboro:nodes=0",
        "oboro:nodes=1000000001",
        "oboro:nodes=-1",
        "nobody",
    ] {
        let spec: Spec = bad.parse().unwrap();
        assert!(AgentEntry::resolve(&agents(), &rules, &spec).is_err(), "{bad}");
    }
}

#[test]
fn searching_agents_take_a_goal_one_turn_away() {
    let heuristics = [
        Valuation::TREASURE_COUNT,
        Valuation::DISTANCE,
        Valuation::STATIC_TILE,
        Valuation::SLIDE_DIRECTION,
    ];
    let mut seekers: Vec<Box<dyn Agent<Labyrinth>>> = vec![
        Box::new(Exhaustive::new(ExhaustiveParams::default()).unwrap()),
        Box::new(Pathfinder::new(PathfinderParams::default()).unwrap()),
        Box::new(Oboro::new(OboroParams { nodes: 300, ..OboroParams::default() }).unwrap()),
        Box::new(BigBrain::new(BigBrainParams {
            entries: Entries::Legal,
            ..BigBrainParams::default()
        })),
    ];
    for valuation in heuristics {
        seekers.push(Box::new(BestFirst::new(valuation, HeuristicParams::default())));
    }
    let mut rng = Rng::from_u64(1);
    let mut near = 0;
    for world in positions(60) {
        let view = world.view(Seat::FIRST);
        let actions = world.legal_actions();
        let can = actions.iter().any(|&action| is_on_goal(&world, action));
        near += u32::from(can);
        for seeker in &mut seekers {
            let action = seeker.act(&view, &mut rng);
            assert_eq!(is_on_goal(&world, action), can, "{world}");
        }
    }
    assert!((10..50).contains(&near), "{near} of 60 positions are one turn from the goal");
}

/// Two independent searches agree on how far away the goal is: Big Brain without its flaws plays
/// whole plans, and a goal that is n turns away for one is n turns away for the other.
#[test]
fn the_exact_searches_agree_on_the_distance() {
    let exact = BigBrainParams {
        visited: Visited::Exact,
        entries: Entries::Legal,
        nodes: 1_000_000,
        ..BigBrainParams::default()
    };
    let mut brain = BigBrain::new(exact);
    let mut rng = Rng::from_u64(1);
    for world in positions(40) {
        let distance = GoalSearch::new(&world.view(Seat::FIRST)).distance(3).0;
        if distance != Some(2) {
            continue;
        }
        let mut after = world;
        after.apply(brain.act(&world.view(Seat::FIRST), &mut rng));
        // Nobody moves in between: give the turn back to seat 0 by reading the position anew.
        let text = Labyrinth::default().write_position(&after);
        let ply = after.public().turns_played();
        let text = text.replacen(&format!("ply={ply}"), &format!("ply={}", ply + 1), 1);
        let again = Labyrinth::default().parse_position(&text).unwrap();
        assert_eq!(GoalSearch::new(&again.view(Seat::FIRST)).distance(3).0, Some(1), "{world}");
    }
}

#[test]
fn strict_entries_share_no_line_with_the_forbidden_one() {
    // After a push from entry 8 (up column b), entry 0 is forbidden; 1, 2 and 8 share a row or column
    // with it. Big Brain uses none of the four.
    let mut brain = BigBrain::new(BigBrainParams { nodes: 1, ..BigBrainParams::default() });
    let mut rng = Rng::from_u64(1);
    let rules = Labyrinth::default();
    for seed in 0..200 {
        let mut world = rules.deal(&mut Rng::from_u64(seed));
        let first = "8/0/a1".parse().unwrap();
        world.apply(first);
        let action = brain.act(&world.view(Seat::new(1)), &mut rng);
        assert!(![0, 1, 2, 8].contains(&action.entry.index()), "{action}");
    }
}

/// The rival has found everything. Where some push keeps it from getting home next turn, the agents make such a push.
#[test]
fn pathfinder_and_oboro_bar_the_way_home() {
    let rules = Labyrinth { cards: Some(2), ..Labyrinth::default() };
    let mut barriers: [Box<dyn Agent<Labyrinth>>; 2] = [
        Box::new(Pathfinder::new(PathfinderParams::default()).unwrap()),
        Box::new(Oboro::new(OboroParams::default()).unwrap()),
    ];
    let rival = Seat::new(1);
    let is_one_turn_from_home =
        |world: &World| GoalSearch::new(&world.view(rival)).distance(1).0.is_some();
    let (mut open, mut barred) = (0, 0);
    for seed in 0..60 {
        let mut rng = Rng::from_u64(seed);
        let text = rules.write_position(&rules.deal(&mut rng));
        let (rest, cards) = text.rsplit_once(" g7:|").unwrap();
        let pawn = Cell::all().nth(rng.below(Cell::COUNT - 1)).unwrap();
        let world = rules.parse_position(&format!("{rest} {pawn}:{cards}|")).unwrap();
        let leaves_open = |action: Action| {
            let mut after = world;
            after.apply(action);
            is_one_turn_from_home(&after)
        };
        let actions = world.legal_actions();
        let can_bar = actions.iter().any(|&action| !leaves_open(action));
        for agent in &mut barriers {
            let leaves_it_open = leaves_open(agent.act(&world.view(Seat::FIRST), &mut rng));
            assert_eq!(leaves_it_open, !can_bar, "{world}");
        }
        open += u32::from(actions.iter().any(|&action| leaves_open(action)));
        barred += u32::from(can_bar);
    }
    assert!(open > 20 && barred > 20, "{open} and {barred} of 60 positions put it to the test");
}

/// The turns of the plan that an analysis draws, and how far away it says the goal is.
fn drawn_plan(drawing: &str) -> Vec<Action> {
    let numbered = |line: &str| {
        let (number, action) = line.split_once(". ")?;
        number.parse::<usize>().ok()?;
        Some(action.parse().expect("a turn"))
    };
    drawing.lines().filter_map(numbered).collect()
}

/// Whether the turns, played without anybody else's, end on the goal of seat 0.
fn leads_to_the_goal(world: &World, plan: &[Action]) -> bool {
    let mut board = *world.public().board();
    let mut pawn = world.public().pawn(Seat::FIRST);
    let mut last = world.public().last_push();
    for turn in plan {
        assert!(Entry::legal_after(last).any(|entry| entry == turn.entry), "{turn}");
        board.push(turn.entry, turn.rotation);
        let start = turn.entry.carry(pawn);
        assert!(board.maze().corridors().reach(start.into()).contains(turn.to), "{turn}");
        (pawn, last) = (turn.to, Some(turn.entry));
    }
    match world.goal(Seat::FIRST) {
        Goal::Treasure(treasure) => board.place(treasure) == Some(pawn),
        Goal::Home(home) => pawn == home,
    }
}

#[test]
fn planning_agents_show_their_plans() {
    let mut rng = Rng::from_u64(1);
    let mut lengths = [0; 5];
    let exhaustive = |depth| Exhaustive::new(ExhaustiveParams { depth }).unwrap();
    let big_brain = |nodes| BigBrain::new(BigBrainParams { nodes, ..BigBrainParams::default() });
    for world in positions(60) {
        let view = world.view(Seat::FIRST);
        let planners: [(Box<dyn Agent<Labyrinth>>, Option<usize>); 4] = [
            (Box::new(exhaustive(4)), Some(4)),
            (Box::new(exhaustive(1)), Some(1)),
            (Box::new(big_brain(15_000)), None),
            (Box::new(big_brain(1)), None),
        ];
        for (mut planner, depth) in planners {
            let choice = planner.act(&view, &mut rng.clone());
            let analysis = planner.analyse(&view, &mut rng);
            assert_eq!(analysis.choice, choice, "showing changes nothing");
            let drawing = analysis.drawing.unwrap();
            let plan = drawn_plan(&drawing);
            let turns = plan.len();
            lengths[turns] += 1;
            if let Some(depth) = depth {
                let distance = GoalSearch::new(&view).distance(depth).0;
                assert_eq!((turns > 0).then_some(turns), distance, "{drawing}");
            }
            if turns == 0 {
                assert!(drawing.contains("no way") && analysis.values.is_empty(), "{drawing}");
                continue;
            }
            assert!(leads_to_the_goal(&world, &plan), "{drawing}");
            assert!(drawing.contains(&format!("{turns} turn")), "{drawing}");
            assert_eq!(analysis.values[0].action, choice, "{drawing}");
            for thought in &analysis.values {
                // The note is the rest of the plan.
                let mut plan = vec![thought.action];
                let rest = thought.note.strip_prefix("then ").unwrap_or_default();
                plan.extend(rest.split(", ").filter_map(|turn| turn.parse::<Action>().ok()));
                assert!(leads_to_the_goal(&world, &plan), "{}: {}", thought.action, thought.note);
                assert_eq!(thought.value, -(plan.len() as f64));
                assert!(plan.len() >= turns, "nothing is shorter than what is chosen");
            }
        }
    }
    assert!(lengths[..3].iter().all(|count| *count > 20), "{lengths:?}");
}
