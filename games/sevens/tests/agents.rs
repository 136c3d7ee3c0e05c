//! The agents: the paper's worked example to the letter, and the laws for each.

use crate::common;

use common::endgame;
use oboro_core::{
    Agent, AgentEntry, Game, GameScenes as _, GameWorld, Live, Player, Policy, RandomPolicy, Rng,
    Seat, SeatView as _, Seed, Spec,
};
use oboro_sevens::agents::{
    Eval, HandPlayer, PassLead, PlayersCounted, Random, RandomPlayer, Rule, SeriesStop, Ties,
};
use oboro_sevens::{Action, Card, Sevens, World, agents};
use oboro_testkit::{check_agent, check_policy, check_standard_agents};

/// The situation of the paper's figure 3 as its text gives it: four players; ♠4, ♦J and ♣8 can be laid. Of
/// ♠4's series one more card is the player's own and two are others'; of ♦J's none and two; of
/// ♣8's one and four. The other suits are out of the player's reach.
fn figure_3() -> World {
    Sevens::default().parse_position(FIGURE_3).expect("a position")
}

const FIGURE_3: &str = "turn=0 hands=S24DJC8T/SADQC9J/S3DKC6/CQKH8D5 passes=3/3/3/3 \
    laid=S56789TJQK/H23456A79TJQK/D234678A9T/C2A3457 ranks=-/-/-/- log=-";

fn action(text: &str) -> Action {
    text.parse().expect("an action")
}

#[test]
fn the_worked_example_of_the_evaluation_is_exact() {
    let world = figure_3();
    let view = world.view(Seat::FIRST);
    let exponent = |card: &str| {
        let card: Card = card.parse().unwrap();
        Eval::default().exponent(view.public(), view.hand(), card)
    };
    assert_eq!([exponent("S4"), exponent("DJ"), exponent("C8")], [2, -2, 0]);
    let analysis = HandPlayer(Eval::default()).analyse(&view, &mut Rng::from_u64(1));
    assert_eq!(analysis.choice, action("S4"));
    let value = |text: &str| {
        let wanted = action(text);
        analysis.values.iter().find(|v| v.action == wanted).expect("a legal action").value
    };
    assert_eq!(value("pass"), 0.99);
    assert_eq!(value("C8"), 1.0);
    assert!((value("S4") - 2f64.exp_m1() - 1.0).abs() < 1e-12);
}

#[test]
fn r_counts_the_players_that_the_parameter_names() {
    let world = figure_3();
    let view = world.view(Seat::FIRST);
    let eval = Eval { r: PlayersCounted::Others, ..Eval::default() };
    assert_eq!(eval.exponent(view.public(), view.hand(), "S4".parse().unwrap()), 1);
    // Seat 3 is out: it counts only among those who were dealt cards.
    let text = FIGURE_3.replace("CQKH8D5", "-").replace("C2A3457", "C2A3457QKH8D5");
    let world = Sevens::default().parse_position(&text.replace("ranks=-/-/-/-", "ranks=-/-/-/1"));
    let view = world.unwrap().view(Seat::FIRST);
    for (r, exponent) in [
        (PlayersCounted::All, 1),
        (PlayersCounted::Others, 0),
        (PlayersCounted::AllDealt, 2),
        (PlayersCounted::OthersDealt, 1),
    ] {
        let eval = Eval { r, ..Eval::default() };
        let card = "S4".parse().unwrap();
        assert_eq!(eval.exponent(view.public(), view.hand(), card), exponent, "{r:?}");
    }
}

#[test]
fn the_rule_lays_the_farthest_card() {
    let view = figure_3().view(Seat::FIRST);
    for seed in 0..20 {
        let chosen = HandPlayer(Rule).act(&view, &mut Rng::from_u64(seed));
        assert_eq!(chosen, action("DJ"), "the paper's example: ♦J is four from 7");
    }
}

#[test]
fn random_lays_each_playable_card_and_never_passes_by_choice() {
    let view = figure_3().view(Seat::FIRST);
    let cards = ["S4", "DJ", "C8"].map(action);
    oboro_testkit::check_uniform(&cards, 3000, |rng| HandPlayer(Random).act(&view, rng));
}

#[test]
fn random_draws_a_pass_like_a_card_with_pass_yes() {
    let view = figure_3().view(Seat::FIRST);
    let actions = ["S4", "DJ", "C8", "pass"].map(action);
    let mut agent = HandPlayer(RandomPlayer { pass: true });
    oboro_testkit::check_uniform(&actions, 4000, |rng| agent.act(&view, rng));
}

#[test]
fn eval_passes_when_it_stops_everybody_and_has_more_passes() {
    let choose = |eval: Eval, hands, passes| {
        let view = endgame(hands, passes).view(Seat::FIRST);
        HandPlayer(eval).act(&view, &mut Rng::from_u64(1))
    };
    // Only ♠6 can be laid, by seat 0, who also holds ♠5: ♠3 waits for ♠4.
    let next = ["S56", "S4", "S3"];
    let eval = Eval::default();
    assert_eq!(choose(eval, next, "3/2/2"), Action::Pass);
    assert_eq!(choose(eval, next, "3/3/2"), action("S6"));
    let or_equal = Eval { pass_lead: PassLead::EachOrEqual, ..eval };
    assert_eq!(choose(or_equal, next, "3/3/2"), Action::Pass);
    assert_eq!(choose(or_equal, next, "2/3/2"), action("S6"));
    let some = Eval { pass_lead: PassLead::Some, ..eval };
    assert_eq!(choose(some, next, "2/3/1"), Action::Pass);
    assert_eq!(choose(some, next, "2/3/2"), action("S6"));
    let never = Eval { pass_lead: PassLead::Never, ..eval };
    assert_eq!(choose(never, next, "3/2/2"), action("S6"));
    // ♠6 can be laid by seat 1; seat 0 has other cards of both series.
    let any = ["S389", "S6", "S2"];
    assert_eq!(choose(eval, any, "3/2/2"), action("S8"));
    assert_eq!(choose(Eval { stops: SeriesStop::Any, ..eval }, any, "3/2/2"), Action::Pass);
}

#[test]
fn equal_cards_are_drawn_or_the_first_is_laid() {
    // ♠6 and ♠8, each with another of its series.
    let view = endgame(["S5689", "S4", "ST"], "0/3/3").view(Seat::FIRST);
    let cards = ["S6", "S8"].map(action);
    oboro_testkit::check_uniform(&cards, 2000, |rng| HandPlayer(Eval::default()).act(&view, rng));
    let first = Eval { ties: Ties::First, ..Eval::default() };
    assert!((0..20).all(|i| HandPlayer(first).act(&view, &mut Rng::from_u64(i)) == cards[0]));
}

#[test]
fn a_last_card_is_laid_whatever_it_is_worth() {
    let text = "turn=0 hands=S8/S9TJ/SQK passes=3/0/0 \
         laid=SA234567/HA23456789TJQKDA23456789TJQK/CA23456789TJQK ranks=-/-/- log=-";
    let rules = Sevens { players: 3, ..Sevens::default() };
    let world = rules.parse_position(text).unwrap();
    let chosen = HandPlayer(Eval::default()).act(&world.view(Seat::FIRST), &mut Rng::from_u64(1));
    assert_eq!(chosen, action("S8"));
}

#[test]
fn every_agent_keeps_the_laws() {
    let game = Sevens::default();
    for text in [
        "random",
        "rule",
        "eval",
        "random:pass=yes",
        "eval:r=others,pass-lead=some,stops=any,ties=first",
        "eval:r=all-dealt,pass-lead=each-or-equal",
        "eval:r=others-dealt,pass-lead=never",
        "mc:20",
        "mc:20,policy=rule,voluntary-pass=no",
        "mc:20,policy=eval",
        "upp:20",
        "upp:20,policy=rule,match=own,order=fixed",
        "upp:20,policy=eval,voluntary-pass=no",
        "reader:20",
        "oboro",
        "oboro:40",
    ] {
        let spec: Spec = text.parse().unwrap();
        let (_, factory) = AgentEntry::resolve(&agents(), &game, &spec).unwrap();
        check_agent(&game, &factory, 3);
    }
    check_standard_agents(&game, 2);
    // The net is one for four players; with others games are played out.
    let three = Sevens { players: 3, ..game.clone() };
    let (_, factory) =
        AgentEntry::resolve(&agents(), &three, &"oboro:20".parse().unwrap()).unwrap();
    check_agent(&three, &factory, 2);
    check_policy(&game, &mut HandPlayer(Random), 50);
    check_policy(&game, &mut HandPlayer(Rule), 50);
    check_policy(&game, &mut HandPlayer(Eval::default()), 50);
}

#[test]
fn policies_know_their_probabilities() {
    let world = figure_3();
    let legal = world.view(Seat::FIRST).legal_actions();
    let mut policies: [Box<dyn Policy<World>>; 4] = [
        Box::new(HandPlayer(Random)),
        Box::new(HandPlayer(Rule)),
        Box::new(HandPlayer(Eval::default())),
        Box::new(RandomPolicy),
    ];
    for policy in &mut policies {
        let mut rng = Rng::from_u64(1);
        let mut chosen = vec![0.0; legal.len()];
        for _ in 0..4000 {
            let action = policy.choose(&world, &mut rng);
            let place = legal.iter().position(|other| *other == action).expect("a legal action");
            chosen[place] += 1.0 / 4000.0;
        }
        for (action, share) in legal.iter().zip(chosen) {
            let said = policy.probability(&world, *action);
            assert!((said - share).abs() < 0.04, "{action}: {said}, chosen {share}");
        }
    }
    // Of a policy that says nothing, as often as it is chosen when asked.
    let mut silent = HandPlayer(RandomPlayer { pass: true });
    let total: f64 = legal.iter().map(|&action| silent.probability(&world, action)).sum();
    assert!((total - 1.0).abs() < 1e-12, "{total}");
}

/// The beliefs of `oboro` about others that play like `eval` are better than counting.
#[test]
fn beliefs_learn_from_what_was_played() {
    let game = Sevens::default();
    let resolve =
        |text: &str| AgentEntry::resolve(&agents(), &game, &text.parse().unwrap()).unwrap().1;
    let (oboro, eval) = (resolve("oboro"), resolve("eval"));
    let seed = Seed::from_u64(11);
    let [mut brier, mut counting] = [0.0; 2];
    for number in 0..6 {
        let seeds = seed.game(number, number);
        let world = game.deal(&mut seeds.deal());
        let seated = [&oboro, &eval, &eval, &eval].map(Clone::clone);
        let mut live = Live::among(&game, world, &seated, &seeds);
        while let Some(seat) = live.to_act() {
            if seat == Seat::FIRST {
                let view = live.view(seat);
                let beliefs = live.beliefs(seat, &mut Rng::from_u64(1));
                let again = live.beliefs(seat, &mut Rng::from_u64(2));
                assert_eq!(beliefs, again, "asking twice changes nothing");
                let truth = game.answers(live.world(), &view);
                for ((belief, secret), truth) in beliefs.iter().zip(game.secrets(&view)).zip(truth)
                {
                    let total: f64 = belief.values.iter().map(|value| value.probability).sum();
                    assert!((total - 1.0).abs() < 1e-9, "{total}");
                    brier += belief.brier(&truth);
                    counting += secret.brier(&truth);
                }
            }
            live.step().expect("agents play by the rules");
        }
    }
    assert!(brier < 0.97 * counting, "{brier}, where counting has {counting}");
}

#[test]
fn a_time_limit_ends_a_search() {
    let view = figure_3().view(Seat::FIRST);
    for text in ["mc:100000000", "upp:100000000", "reader:100000000", "oboro:100000000"] {
        let spec: Spec = format!("{text},seconds=0.01").parse().unwrap();
        let (_, factory) = AgentEntry::resolve(&agents(), &Sevens::default(), &spec).unwrap();
        let Player::Agent(mut agent) = factory() else { panic!("{text} is an oracle") };
        let action = agent.act(&view, &mut Rng::from_u64(1));
        assert!(view.legal_actions().contains(&action), "{text}");
    }
}

#[test]
fn bad_parameters_are_refused() {
    let refuse = |text: &str| {
        let spec: Spec = text.parse().unwrap();
        AgentEntry::resolve(&agents(), &Sevens::default(), &spec).err().expect(text).to_string()
    };
    for (spec, says) in [
        ("evla", "did you mean `eval`"),
        ("mc:playouts=0", "from 1 to"),
        ("upp:c=-1", "a number from 0"),
        ("reader:error=2", "from 0.001 to 1"),
        ("reader:worlds=0", "from 1 to"),
        ("oboro:candidates=1", "candidates=1: from 2 to"),
        ("upp:seconds=-1", "from 0.001 to"),
        ("mc:policy=clever", "random"),
    ] {
        assert!(refuse(spec).contains(says), "{spec}: {}", refuse(spec));
    }
}
