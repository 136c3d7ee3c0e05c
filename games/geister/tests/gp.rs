//! Policies made by genetic programming: what the primitives mean, the text form, playouts,
//! examples and evolution.

use oboro_core::{AgentEntry, FactValue, Game, GameWorld, Live, Policy, Rng, Seat, Seed, Spec};
use oboro_evolve::{Crossover, Shape, TreeBreeder};
use oboro_geister::agents::naotti::{Information, Search};
use oboro_geister::gp::{
    Corners, Fitness, GpPlayouts, PrimitiveSet, Strategy, StrategySource, Teacher, TrainingSet,
};
use oboro_geister::{Geister, Placements, World, agents};
use oboro_testkit::{check_agent, check_policy};
use std::collections::BTreeSet;

/// Seat 0 to move: C, blue, four steps from the left exit; E, red, at home in the left corner; the enemy's
/// a, blue, next to C; its b, red, near seat 0's right corner.
const POSITION: &str = "20 99R99R13B34B05R99B45R44B 12B54R99B99B30R31R21B99R";

fn position(text: &str) -> World {
    Geister::default().parse_position(text).expect("a position")
}

fn strategy(text: &str) -> Strategy {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// The moves that a policy makes with some probability.
fn moves(policy: &str, world: &World) -> Vec<String> {
    let chosen = strategy(policy).probabilities(world).into_iter();
    let mut moves: Vec<String> =
        chosen.filter(|(_, p)| *p > 0.0).map(|(action, _)| action.to_string()).collect();
    moves.sort();
    moves
}

fn random_worlds(seed: u64, count: usize) -> Vec<World> {
    let rules = Geister { placements: Placements::Random, ..Geister::default() };
    let mut rng = Rng::from_u64(seed);
    let mut worlds = Vec::new();
    while worlds.len() < count {
        let mut world = rules.deal(&mut rng);
        for _ in 0..rng.below(120) {
            world.apply(world.random_action(&mut rng));
            if world.to_act().is_none() {
                break;
            }
        }
        if world.to_act().is_some() {
            worlds.push(world);
        }
    }
    worlds
}

/// The first policy of a name that comes with the game.
fn included(name: &str) -> Strategy {
    let policies = StrategySource::Named(name.to_owned()).load().expect("it comes with the game");
    Strategy::clone(&policies.strategies()[0])
}

/// Random policies, as the first generation has them.
fn random_strategies(count: usize) -> Vec<Strategy> {
    use oboro_evolve::Breeder as _;
    let breeder = TreeBreeder {
        vocabulary: PrimitiveSet::All.vocabulary(),
        shape: Shape::default(),
        crossover: Crossover::Node,
    };
    let mut rng = Rng::from_u64(9);
    (0..count).map(|n| Strategy::new(breeder.create(n, &mut rng))).collect()
}

#[test]
fn moves_are_those_the_paper_describes() {
    let world = position(POSITION);
    let all = moves("doRandomMove", &world);
    let legal = {
        let actions = world.legal_actions();
        let mut texts: Vec<String> = actions.iter().map(ToString::to_string).collect();
        texts.sort();
        texts
    };
    assert_eq!(all, legal);
    for (policy, wanted) in [
        ("doCaptureMove", vec!["CN", "HE"]),
        ("doCaptureBlueOpponentMove", vec!["CN"]),
        ("doCaptureRedOpponentMove", vec!["HE"]),
        // C is four steps from an exit, D five: C goes north or to its side.
        ("doMoveCloserToGoal", vec!["CN", "CW"]),
        ("doMoveBlueCloserToGoal", vec!["CN", "CW"]),
        ("doMoveRedCloserToGoal", vec!["EN"]),
        // C flees to where nobody stands next to it; H cannot but west or north.
        ("doEscapeMoveFromBlueOpponents", vec!["CE", "CS", "CW"]),
        ("doMoveRedLeavingFromGoal", vec!["EE", "GW"]),
        // E stands in the corner: nothing brings it nearer, so anything goes.
        ("doMoveCloserToMyGoal", legal.iter().map(String::as_str).collect()),
        ("doMoveBlueCloserToMyGoal", vec!["HE"]),
    ] {
        assert_eq!(moves(policy, &world), wanted, "{policy}");
    }
}

#[test]
fn values_are_those_the_paper_describes() {
    let world = position(POSITION);
    for (condition, holds) in [
        ("getNumOfMyBlue == 3", true),
        ("getNumOfMyRed == 2", true),
        ("getNumOfOppBlue == 2", true),
        ("getNumOfOppRed == 3", true),
        ("getMinimumDistanceToGoal == 4", true),
        ("getMinimumDistanceOfRedToGoal == 5", true),
        ("getMinimumDistanceToMyGoal == 0", true),
        ("getMinimumDistanceOfBlueToMyGoal == 2", true),
        ("isHavingKeeper", true),
        ("isNextToOpponents", true),
        ("isNextToBlueOpponents", true),
        ("isNextToRedOpponents", true),
        ("isOppNearMyGoal", true),
        ("isBlueOppNearMyGoal", false),
        ("isRedOppNearMyGoal", true),
        ("not isBlueOppNearMyGoal", true),
        ("isBlueOppNearMyGoal or (getNumOfMyRed < 2)", false),
        // A truth counts as 0 or 1 beside a number.
        ("isHavingKeeper == 1", true),
        ("getNumOfMyBlue > (isHavingKeeper and isOppNearMyGoal)", true),
        ("(1 < 2) == (2 < 1)", false),
    ] {
        let policy = format!(
            "corners home if {condition} then doCaptureRedOpponentMove else doMoveCloserToGoal end if"
        );
        let expected = if holds { vec!["HE"] } else { vec!["CN", "CW"] };
        assert_eq!(moves(&policy, &world), expected, "{condition}");
    }
}

/// Whether a test of corners holds for the first move of a playout, in the search of a seat.
fn holds(condition: &str, corners: Corners, searcher: Option<Seat>, world: &World) -> bool {
    let policy = format!("if {condition} then doCaptureRedOpponentMove else doRandomMove end if");
    let policy = strategy(&policy).with_corners(corners);
    let mut playouts = GpPlayouts::new([Some(&policy); 2], searcher);
    let mut rng = Rng::from_u64(3);
    // The one capture of a red is never missed, or often.
    (0..20).all(|_| playouts.choose(world, &mut rng).to_string() == "HE")
}

#[test]
fn corners_are_those_of_the_reading() {
    // A red of the enemy is near the right corner of seat 0's home, none near the corners it leaves by.
    let world = position(POSITION);
    let condition = "isRedOppNearMyGoal";
    let [first, second] = [Seat::new(0), Seat::new(1)];
    for searcher in [None, Some(first), Some(second)] {
        assert!(holds(condition, Corners::Home, searcher, &world));
        assert!(!holds(condition, Corners::Exits, searcher, &world));
        let looks_home = searcher != Some(second);
        assert_eq!(holds(condition, Corners::Searcher, searcher, &world), looks_home);
    }
    // Keepers are looked for in the same squares.
    assert!(holds("isHavingKeeper", Corners::Home, None, &world));
    assert!(!holds("isHavingKeeper", Corners::Exits, None, &world));
}

#[test]
fn a_reading_of_corners_is_part_of_the_policy() {
    for corners in Corners::ALL {
        let named = StrategySource::Named(format!("algorithm-2@{corners}")).load().unwrap();
        let policy = &named.strategies()[0];
        assert_eq!(policy.corners(), corners);
        assert_eq!(strategy(&policy.to_string()), **policy);
        assert_eq!(policy.simplified().corners(), corners);
        assert_eq!(policy.with_chances(&[0.5, 0.5]).corners(), corners);
    }
    let second = StrategySource::Named("perfect-agreement-aware-50/2@home".to_owned());
    assert_eq!(second.load().unwrap().strategies()[0].corners(), Corners::Home);
    assert!(StrategySource::Named("algorithm-2@away".to_owned()).load().is_err());
}

#[test]
fn moves_closer_to_the_goal_take_a_blue_off_the_board() {
    let world = position("20 00B50R99R99R99B99R99B35B 41B31B21B11B40R30R20R10R");
    assert_eq!(moves("doMoveBlueCloserToGoal", &world), ["A!"]);
    assert_eq!(moves("doMoveCloserToGoal", &world), ["A!"]);
}

#[test]
fn probabilities_add_up_to_one() {
    for world in random_worlds(1, 100) {
        for policy in random_strategies(8) {
            let sum: f64 = policy.probabilities(&world).iter().map(|(_, p)| p).sum();
            assert!((sum - 1.0).abs() < 1e-12, "{world}\n{policy}");
        }
    }
}

#[test]
fn policies_round_trip_as_text() {
    for policy in random_strategies(400) {
        let text = policy.to_string();
        assert_eq!(strategy(&text), policy, "{text}");
        let tuned = policy.with_chances(&[0.25, 0.0, 1.0, 0.125, 0.777]);
        assert_eq!(strategy(&tuned.to_string()), tuned);
    }
}

#[test]
fn the_printed_policies_read_like_the_paper() {
    for policy in ["algorithm-1", "algorithm-2"].map(included) {
        assert_eq!(policy.simplified(), policy, "the paper simplified them already");
    }
    let first = included("algorithm-1");
    assert_eq!(
        first.to_string(),
        "if getMinimumDistanceToGoal == isHavingKeeper then\n    doMoveCloserToMyGoal\nelse\n    \
         doMoveBlueCloserToGoal\nend if\n"
    );
}

#[test]
fn bad_policies_are_refused_with_line_and_column() {
    for (text, line, column, said) in [
        ("", 1, 1, "expected `if` or a move"),
        ("doRandomMov", 1, 1, "did you mean `doRandomMove`?"),
        ("isHavingKeeper", 1, 1, "not a value"),
        ("if getNumOfMyRed then", 1, 4, "expected a truth value, not a number"),
        ("if not getNumOfMyRed", 1, 8, "expected a truth value"),
        ("if isHavingKeeper\n  thn", 2, 3, "expected `then`"),
        ("if doRandomMove then", 1, 4, "not a move"),
        ("if 1 < 2 < 3 then", 1, 10, "expected `then`"),
        ("if 300 < 2 then", 1, 4, "a whole number below 256"),
        ("doRandomMove\n# more\ndoRandomMove", 3, 1, "nothing more"),
        ("corners away doRandomMove", 1, 9, "home, exits or searcher"),
        ("doRandomMove with 1.5", 1, 19, "between 0 and 1"),
        ("if isHavingKeeper then doRandomMove else doRandomMove end", 1, 58, "expected `if`"),
        ("朧", 1, 1, "expected `if` or a move"),
    ] {
        let error = text.parse::<Strategy>().unwrap_err();
        assert_eq!((error.line, error.fault.column()), (line, column), "{text}: {error}");
        assert!(error.to_string().contains(said), "{text}: {error}");
    }
    let deep = "if not ".to_owned() + &"(".repeat(100_000);
    assert!(deep.parse::<Strategy>().unwrap_err().to_string().contains("inside each other"));
}

#[test]
fn simplified_policies_play_the_same() {
    let worlds = random_worlds(2, 60);
    let mut saved = 0;
    for policy in random_strategies(300) {
        let simple = policy.simplified();
        saved += policy.tree().size() - simple.tree().size();
        for world in &worlds {
            let (long, short) = (policy.probabilities(world), simple.probabilities(world));
            assert_eq!(long, short, "{policy}\n{simple}");
        }
    }
    assert!(saved > 1000, "{saved}");
}

#[test]
fn whole_playouts_are_the_single_choices_in_turn() {
    let policies = random_strategies(40);
    let mut rng = Rng::from_u64(5);
    for (number, start) in random_worlds(3, 200).into_iter().enumerate() {
        let pair = [&policies[number % 40], &policies[(number * 7 + 1) % 40]];
        let mut playouts = GpPlayouts::new(pair.map(Some), None);
        let mut again = rng.clone();
        let (mut whole, mut single) = (start, start);
        playouts.play_out(&mut whole, &mut rng);
        while single.to_act().is_some() {
            let action = playouts.choose(&single, &mut again);
            assert!(single.is_legal(action));
            single.apply(action);
        }
        assert_eq!(rng, again);
        let rules = Geister::default();
        let written = |world: &World| rules.write_position(world).replace('*', "");
        assert_eq!(written(&whole), written(&single));
        assert_eq!(whole.public().ending(), single.public().ending());
    }
}

#[test]
fn policies_and_their_agents_keep_the_rules() {
    for name in StrategySource::names() {
        check_policy(&Geister::default(), &mut included(name).playouts(), 5);
    }
    for spec in [
        "gp:algorithm-2",
        "gp:imperfect-agreement-all-50",
        "mcts:playouts=20,policy=gp:perfect-agreement-blind-30",
        "mcts:playouts=20,policy=gp:algorithm-1",
        "mcts:playouts=20,policy=rules:doCaptureMove,enemy-policy=random",
        "mcts:playouts=20,policy=random,enemy-policy=gp:algorithm-1",
    ] {
        let spec: Spec = spec.parse().unwrap();
        let (canonical, factory) =
            AgentEntry::resolve(&agents(), &Geister::default(), &spec).unwrap();
        check_agent(&Geister::default(), &factory, 2);
        let again = AgentEntry::resolve(&agents(), &Geister::default(), &canonical).unwrap();
        assert_eq!(again.0, canonical);
    }
}

#[test]
fn results_name_the_policy_that_was_drawn() {
    let rules = Geister { placements: Placements::Random, ..Geister::default() };
    let variants = |spec: &str, game: u64| {
        let resolved = AgentEntry::resolve(&agents(), &rules, &spec.parse().unwrap());
        let factory = resolved.unwrap().1;
        let seeds = Seed::from_u64(1).game(game, game);
        let world = rules.deal(&mut seeds.deal());
        let players = [factory.clone(), factory];
        let outcome = Live::among(&rules, world, &players, &seeds).run().unwrap();
        let fact = outcome.facts.into_iter().find(|fact| fact.name == "variant");
        fact.map(|fact| fact.value)
    };
    for spec in ["gp:imperfect-agreement-all-50", "mcts:playouts=5,policy=gp:tuned-loss-30"] {
        let mut seen = BTreeSet::new();
        for game in 0..20 {
            let Some(FactValue::Seats(drawn)) = variants(spec, game) else { panic!("{spec}") };
            seen.extend(drawn.iter().map(|number| *number as u32));
        }
        assert_eq!(seen, (1..=5).collect(), "{spec}: each of five in 40 draws");
    }
    for spec in ["gp:imperfect-agreement-all-50/2", "mcts:playouts=5,policy=gp:algorithm-1"] {
        assert_eq!(variants(spec, 0), None, "{spec}: there is one alone");
    }
}

#[test]
fn agents_with_bad_policies_are_refused() {
    for (spec, said) in [
        ("gp:algoritm-1", "did you mean `algorithm-1`?"),
        ("mcts:policy=best", "expected random, eager, gp:FILE or rules:TEXT"),
        ("mcts:policy=rules:doNothing", "line 1, column 1"),
        ("mcts:policy=gp:no-such-file", "no-such-file"),
        ("mcts:policy=eager,enemy-policy=random", "eager plays for both sides"),
    ] {
        let spec: Spec = spec.parse().unwrap();
        let error = AgentEntry::resolve(&agents(), &Geister::default(), &spec).err().unwrap();
        assert!(error.to_string().contains(said), "{error}");
    }
}

/// Few examples, quickly made.
fn examples(information: Information) -> TrainingSet {
    let search = Search::new(2);
    let teacher =
        Teacher { information, positions: 150, search, value_depth: 3, whole_games: false };
    let games = (0..).flat_map(|number| teacher.game(Seed::from_u64(4), number));
    games.take(teacher.positions).collect()
}

#[test]
fn agreement_is_what_sampling_estimates() {
    const DRAWS: u32 = 300;
    let examples = examples(Information::Imperfect);
    let tuned = strategy("doMoveCloserToGoal").with_chances(&[0.6]);
    let mut policies = random_strategies(6);
    policies.push(tuned);
    let mut rng = Rng::from_u64(6);
    for policy in policies {
        let mut playouts = policy.playouts();
        let (mut hits, mut lost) = (0.0, 0.0);
        for example in examples.iter() {
            let value = |action| example.values().iter().find(|(a, _)| *a == action).unwrap().1;
            for _ in 0..DRAWS {
                let drawn = playouts.choose(example.world(), &mut rng);
                hits += f64::from(u8::from(drawn == example.choice()));
                lost += f64::from((value(drawn) - value(example.choice())).signum().min(0));
            }
        }
        let draws = f64::from(DRAWS) * examples.len() as f64;
        let exact = examples.agreement(&policy);
        // Four standard errors of a rate at its worst.
        assert!((hits / draws - exact).abs() < 4.0 * 0.5 / draws.sqrt(), "{policy}");
        let losing: f64 = examples
            .iter()
            .flat_map(|example| {
                let value = |action| example.values().iter().find(|(a, _)| *a == action).unwrap().1;
                let least = value(example.choice());
                let worse = policy.probabilities(example.world()).into_iter();
                worse.filter(move |(a, _)| value(*a) < least).map(|(_, p)| p)
            })
            .sum();
        let mean = losing / examples.len() as f64;
        assert!((-lost / draws - mean).abs() < 4.0 * 0.5 / draws.sqrt(), "{policy}");
    }
}

#[test]
fn a_loss_is_the_expected_difference_of_values() {
    let examples = examples(Information::Perfect);
    let (mut clips, mut cuts) = (0, 0);
    for policy in random_strategies(10) {
        let by_hand = |least: f64, most: f64| {
            let losses = examples.iter().map(|example| {
                let value = |action| example.values().iter().find(|(a, _)| *a == action).unwrap().1;
                let best = f64::from(value(example.choice()));
                let moves = policy.probabilities(example.world()).into_iter();
                let differences = moves.map(|(action, p)| {
                    let difference = f64::from(value(action)) - best;
                    p * difference.max(least).min(most)
                });
                differences.sum::<f64>()
            });
            losses.sum::<f64>() / examples.len() as f64
        };
        let [whole, cut, clipped] = [
            (Fitness::Loss { bound: 200_000_000 }, -3e8, 3e8),
            (Fitness::Loss { bound: 900 }, -900.0, 900.0),
            (Fitness::ClippedLoss { bound: 900 }, -900.0, 0.0),
        ]
        .map(|(fitness, least, most)| {
            let exact = fitness.of(&policy, &examples);
            let difference = (exact - by_hand(least, most)).abs();
            assert!(difference <= 1e-9 * exact.abs().max(1.0), "{policy}");
            exact
        });
        assert!(clipped <= cut && (-900.0..=0.0).contains(&clipped));
        clips += u32::from(clipped < cut);
        cuts += u32::from(whole < cut);
    }
    assert!(cuts > 0, "games are lost now and then, which is worth more than any bound");
    assert!(clips > 0, "values of another depth than the moves exceed the teacher's now and then");
}

#[test]
fn training_sets_round_trip_as_text_and_faults_are_located() {
    for information in [Information::Imperfect, Information::Perfect] {
        let examples = examples(information);
        assert_eq!(examples.len(), 150);
        assert_eq!(examples.to_string().parse::<TrainingSet>().unwrap(), examples);
    }
    let good = examples(Information::Imperfect).to_string();
    let first = good.lines().next().unwrap();
    for (spoilt, said) in [
        (first.replace(" | ", " "), "expected POSITION | MOVE"),
        (first.replacen("| ", "| ZZ", 1), "expected a legal move"),
        (first.replacen('=', "~", 1), "expected MOVE=VALUE"),
        (first.replacen('=', "=x", 1), "expected a whole number"),
        (first.rsplit_once(' ').unwrap().0.to_owned(), "expected a value for each"),
        ("0 x | AN | AN=1".to_owned(), "line 2"),
    ] {
        let error = format!("{first}\n{spoilt}").parse::<TrainingSet>().unwrap_err();
        assert_eq!(error.line, 2);
        assert!(error.to_string().contains(said), "{error}");
    }
}
