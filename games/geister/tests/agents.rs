//! Every agent plays by the rules and the same game twice; a few do what they are for.

use oboro_core::{
    Agent, AgentEntry, Game, GameWorld, Live, Player, Rng, SeatView as _, Seed, Spec,
};
use oboro_geister::{EagerPolicy, Geister, Placements, View, agents};
use oboro_testkit::{check_agent, check_policy, check_standard_agents};

fn factory(text: &str) -> oboro_core::Factory<Geister> {
    let spec: Spec = text.parse().expect("a spec");
    AgentEntry::resolve(&agents(), &Geister::default(), &spec).expect("an agent").1
}

fn agent(text: &str) -> Box<dyn Agent<Geister>> {
    match factory(text)() {
        Player::Agent(agent) => agent,
        Player::Oracle(_) => panic!("{text} is an oracle"),
    }
}

fn view(text: &str) -> View {
    let world = Geister::default().parse_position(text).expect("a position");
    world.view(world.to_act().expect("not over"))
}

/// Every agent, with budgets small enough for a test.
const SMALL: &[(&str, u64)] = &[
    ("random", 3),
    ("mc:playouts=30", 1),
    ("uct:playouts=30,policy=eager", 1),
    ("mcts:playouts=30", 2),
    ("mcts:playouts=30,batch=7", 2),
    ("mcts:playouts=30,batch=7,playout-plies=20,draw-value=0", 2),
    ("mcts:playouts=30,tree=information-set,policy=gp:algorithm-1,draw-value=0.2", 1),
    ("mcts:playouts=30,policy=eager", 2),
    ("mcts:playouts=30,policy=gp:algorithm-1,enemy-policy=gp:algorithm-2", 1),
    ("gp:algorithm-1", 3),
    ("mcts:playouts=30,tree=information-set", 2),
    ("ismcts:playouts=30,batch=16", 1),
    ("mcts:playouts=10,tree=per-world,worlds=3", 2),
    ("mc:playouts=50,batch=20", 1),
    ("pimc:worlds=3,playouts=10", 1),
    ("oos:playouts=20", 1),
    ("nishio:playouts=30", 2),
    ("naotti:depth=2", 2),
    ("naotti:depth=2,information=perfect", 2),
    ("keeper", 3),
    ("ssm", 2),
    ("ssm:placement=random", 3),
    ("ssm-nk:placement=random", 3),
    ("ssm:rules=none,take=any,lead=nearest,cautious=no", 2),
    ("ssm:rules=take-flee,take=any,last-red=always", 2),
    ("upp:playouts=50", 2),
    ("plan:reds", 3),
    ("plan:blues", 3),
    ("plan:nearest", 3),
    ("plan:none", 3),
    ("oboro:playouts=8", 2),
    ("oboro:0", 2),
    ("oboro:playouts=8,candidates=2,temperature=0.1", 1),
];

#[test]
fn every_agent_keeps_the_laws() {
    let rules = Geister { plies: 80, ..Geister::default() };
    let placed = Geister { placements: Placements::Random, ..rules.clone() };
    for &(spec, games) in SMALL {
        check_agent(&rules, &factory(spec), games);
        check_agent(&placed, &factory(spec), 1);
    }
    for entry in agents() {
        let tested = |(spec, _): &(&str, u64)| spec.split(':').next() == Some(entry.name);
        assert!(SMALL.iter().any(tested), "{} is tested", entry.name);
        assert!(entry.params().iter().all(|p| !p.about.is_empty()), "{}", entry.name);
    }
}

#[test]
fn the_standard_agents_keep_the_laws() {
    check_standard_agents(&Geister { plies: 60, ..Geister::default() }, 1);
}

#[test]
fn policies_choose_legal_actions() {
    check_policy(&Geister::default(), &mut EagerPolicy, 5);
}

#[test]
fn bad_parameters_are_refused() {
    for text in [
        "naotti:depth=0",
        "naotti:information=some",
        "naotti:placement=AAAA",
        "mcts:playouts=0",
        "mcts:batch=0",
        "mcts:seconds=0",
        "mcts:c=-1",
        "mcts:policy=clever",
        "keeper:p=1.5",
        "oboro:playouts=0,seconds=1",
        "oboro:playouts=5,seconds=0",
        "oboro:candidates=1",
        "oboro:nets=3",
        "plan:run=all",
        "mcts:tree=oak",
        "mcts:worlds=0",
        "mcts:playout-plies=0",
        "mcts:draw-value=1.1",
        "oboro:temperature=0",
        "ssm:speed=9",
        "ssm:rules=run-run",
        "ssm:rules=swim",
        "ssm:take=two",
        "ssm:last-red=perhaps",
        "nobody",
    ] {
        let spec: Spec = text.parse().expect("a spec");
        let built = AgentEntry::resolve(&agents(), &Geister::default(), &spec);
        assert!(built.is_err(), "{text}");
    }
}

#[test]
fn naotti_with_perfect_information_is_an_oracle() {
    assert!(factory("naotti:information=perfect")().is_oracle());
    assert!(!factory("naotti")().is_oracle());
}

#[test]
fn searching_agents_leave_when_they_can() {
    let leaving = view("20 00R50B34R44R15B25B35B45R 41B31B21B11B40R30R20R10R");
    for spec in [
        "mc:500",
        "uct:500",
        "mcts:500",
        "mcts:500,tree=information-set",
        "mcts:200,tree=per-world,worlds=3",
        "upp:playouts=500",
        "naotti",
        "ssm",
        "oboro",
    ] {
        let action = agent(spec).act(&leaving, &mut Rng::from_u64(1));
        assert_eq!(action.to_string(), "B!", "{spec}");
    }
}

#[test]
fn seconds_end_a_decision_before_its_playouts() {
    let start = view("0 14R24R34R44R15B25B35B45B 41B31B21B11B40R30R20R10R");
    for name in ["mcts:", "mcts:tree=per-world,", "nishio:", "upp:"] {
        let spec = format!("{name}playouts=100000000,seconds=0.01");
        let action = agent(&spec).act(&start, &mut Rng::from_u64(1));
        assert!(start.legal_actions().contains(&action), "{spec}");
    }
}

#[test]
fn oboro_plays_a_forced_win_and_says_so() {
    let run = view("40 25R12B45R99R99B99B99B99R 41B99B51R99B99R99R52R99B");
    let analysis = agent("oboro").analyse(&run, &mut Rng::from_u64(1));
    assert_eq!(analysis.drawing.as_deref(), Some("a forced win, whatever is hidden"));
    let policy = agent("oboro").policy(&run, &mut Rng::from_u64(1)).expect("it knows");
    assert_eq!(policy.len(), 1);
    let estimates = agent("oboro").estimate(&run, &mut Rng::from_u64(1)).expect("it knows");
    let best = &estimates[0];
    assert_eq!((best.action, best.mean, best.error), (policy[0].0, 1.0, 0.0));
}

#[test]
fn oboro_shows_probabilities_worth_and_beliefs() {
    let start = view("0 14R24R34R44R15B25B35B45B 41B31B21B11B40R30R20R10R");
    let analysis = agent("oboro").analyse(&start, &mut Rng::from_u64(1));
    let total: f64 = analysis.values.iter().map(|value| value.value).sum();
    assert!(analysis.values.len() > 1 && (total - 1.0).abs() < 1e-9);
    assert!(analysis.values[0].note.starts_with("worth 0."), "{}", analysis.values[0].note);
    let estimates = agent("oboro").estimate(&start, &mut Rng::from_u64(1)).expect("it knows");
    assert_eq!(estimates.len(), start.legal_actions().len());
    let beliefs = agent("oboro").beliefs(&start, &mut Rng::from_u64(1));
    let reds: f64 = beliefs.iter().map(|belief| belief.probability("red")).sum();
    assert!(beliefs.len() == 8 && (reds - 4.0).abs() < 1e-9, "{reds} of 8 pieces are red");
}

#[test]
fn oboro_beats_opponents_of_several_kinds() {
    let rules = Geister::default();
    // By chance, by care, by evolved rules, and by plain plans.
    let rivals = ["random", "naotti:depth=2", "gp:algorithm-1", "plan:reds", "plan:blues"];
    for (rival, least) in rivals.into_iter().zip([9, 7, 9, 8, 8]) {
        let (mut won, factories) = (0, [factory("oboro:playouts=16"), factory(rival)]);
        for number in 0..10 {
            let seeds = Seed::from_u64(4).game(number / 2, number);
            let swap = (number % 2) as usize;
            let players = [factories[swap].clone(), factories[swap ^ 1].clone()];
            let world = rules.deal(&mut seeds.deal());
            let outcome = Live::among(&rules, world, &players, &seeds).run();
            won += u32::from(outcome.expect("by the rules").payoffs[swap] > 0.75);
        }
        assert!(won >= least, "{won} of 10 against {rival}");
    }
}

#[test]
fn draws_of_playouts_are_worth_what_is_said() {
    // Nobody can win within four plies: every playout is drawn.
    let start = view("0 14R24R34R44R15B25B35B45B 41B31B21B11B40R30R20R10R");
    for policy in ["random", "eager", "gp:algorithm-1"] {
        for (draw_value, batch) in [("0", 1), ("0.5", 1), ("0.25", 8), ("1", 3)] {
            let playouts = 40 * batch;
            let spec = format!(
                "mcts:playouts={playouts},policy={policy},batch={batch},playout-plies=4,draw-value={draw_value}"
            );
            let analysis = agent(&spec).analyse(&start, &mut Rng::from_u64(1));
            let worth: f64 = draw_value.parse().unwrap();
            let tried = analysis.values.iter().filter(|value| value.value.is_finite());
            let values: Vec<f64> = tried.map(|value| value.value).collect();
            assert!(
                values.len() > 4 && values.iter().all(|v| (v - worth).abs() < 1e-9),
                "{values:?}"
            );
        }
    }
}

/// What an agent does in a position.
fn choice(spec: &str, position: &str) -> String {
    agent(spec).act(&view(position), &mut Rng::from_u64(1)).to_string()
}

#[test]
fn ssm_flees_to_empty_squares_only() {
    // The blue on 22 could flee by capturing the enemy north of it, which is the last red.
    let attacked = "20 22B99B99B45B15R25R35R05R 21R41B51B50B40B99R99R99R";
    assert_eq!(choice("ssm-nk:rules=flee,last-red=always", attacked), "AW");
    // Where only that capture is left, another piece moves.
    let cornered = "20 02B99B99B45B12R03R35R05R 01R41B51B50B40B99R99R99R";
    assert_ne!(choice("ssm-nk:rules=flee,cautious=no", cornered), "AN");
}

#[test]
fn ssm_captures_what_may_be_the_last_red_only_as_told() {
    let on_exit = "20 04R33B99B99B99B99R99R99R 05B99B41B99B51R99R99R99R";
    let before_exit = "20 14R33B99B99B99B99R99R99R 15B99B41B99B51R99R99R99R";
    let stayed = "20 04R33B99B99B99B99R99R99R 05R*99B41B99B51B99R99R99R";
    let two_reds = "20 14R33B99B99B99B99R99R99R 15B99B41B99B51R30R99R99R";
    for rules in ["stop", "take"] {
        let captures = |last_red: &str, position: &str| {
            let spec = format!("ssm-nk:rules={rules},take=any,last-red={last_red}");
            choice(&spec, position) == "AS"
        };
        let answers = |position| ["never", "exit", "always"].map(|which| captures(which, position));
        assert_eq!(answers(on_exit), [false, true, true], "{rules}");
        assert_eq!(answers(before_exit), [false, false, true], "{rules}");
        assert_eq!(answers(stayed), [false; 3], "{rules}: it is the last red");
        assert_eq!(answers(two_reds), [true; 3], "{rules}: it cannot be the last");
    }
}
