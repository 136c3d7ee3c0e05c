//! A check from outside: what an agent should be paid, by the policy that it states from views alone, is what live games pay it.
//! Whoever sees more in a game than in a view is paid otherwise.

use oboro_core::{
    Agent, AgentEntry, Factory, Game, GameWorld, Live, Rng, Seat, SeatView, Seed, fresh,
};
use oboro_small::{Leduc, LeducRules, Move, View};
use oboro_solve::{Limits, Sampling, Tree};
use std::cell::Cell;

thread_local! {
    /// What the game under way will pay seat 0 if nobody raises: nothing that an agent may know.
    static TRUTH: Cell<Option<f64>> = const { Cell::new(None) };
}

/// How many standard errors the mean payoff of seat 0 in live games is above what the agent's policy predicts.
fn surprise(game: Leduc, tree: &Tree<Leduc>, agent: &Factory<Leduc>, samples: u32) -> f64 {
    const GAMES: u64 = 4000;
    TRUTH.set(None);
    let measure = |seed| {
        let sampling = Sampling { samples };
        let measured = tree.measure_agent(agent, sampling, &mut Rng::from_u64(seed), &mut |_| {});
        measured.expect("an agent that plays").payoffs[0]
    };
    // Two measurements, to see how far sampling moves them.
    let predicted = [measure(1), measure(2)];
    let (mut sum, mut squares) = (0.0, 0.0);
    for number in 0..GAMES {
        let seeds = Seed::from_u64(7).game(number, number);
        let start = game.deal(&mut seeds.deal());
        let mut called = start.clone();
        while called.to_act().is_some() {
            let call = called.view(called.to_act().expect("a turn")).legal_actions();
            called.apply(*call.iter().find(|action| action.to_string() == "call").expect("a call"));
        }
        TRUTH.set(Some(called.payoff(Seat::FIRST)));
        let agents = vec![Some(agent.clone()); 2];
        let mut live = Live::new(game, start, agents, &seeds);
        while live.to_act().is_some() {
            live.step().expect("a legal action");
        }
        let payoff = live.outcome().expect("an end").payoffs[0];
        sum += payoff;
        squares += payoff * payoff;
    }
    let (n, mean) = (GAMES as f64, sum / GAMES as f64);
    let variance = (squares / n - mean * mean) / n;
    let between = (predicted[0] - predicted[1]).powi(2);
    (mean - f64::midpoint(predicted[0], predicted[1])) / (variance + between).sqrt()
}

/// Raises with the better hand and folds with the worse, if it finds out which it has.
#[derive(Clone, Copy)]
struct Cheat;

impl Agent<Leduc> for Cheat {
    fn act(&mut self, view: &View<LeducRules>, rng: &mut Rng) -> Move<LeducRules> {
        let actions = view.legal_actions();
        match TRUTH.get().filter(|_| view.seat() == Seat::FIRST) {
            Some(payoff) if payoff > 0.0 => actions[actions.len() - 1],
            Some(_) => actions[0],
            None => actions[rng.below(actions.len())],
        }
    }
}

#[test]
fn live_games_pay_what_policies_predict() {
    let game = Leduc::default();
    let tree = Tree::new(&game, Limits::default()).expect("Leduc is small");
    for (spec, samples) in [("random", 1), ("uct:20,choice=mixed", 20), ("mc:20", 20)] {
        let entries = oboro_small::agents::<LeducRules>();
        let spec = spec.parse().expect("a spec");
        let (spec, agent) = AgentEntry::resolve(&entries, &game, &spec).expect("an agent");
        let z = surprise(game, &tree, &agent, samples);
        assert!(z.abs() < 4.0, "{spec}: {z:.1} standard errors");
    }
    let z = surprise(game, &tree, &fresh(Cheat), 20);
    assert!(z > 10.0, "an agent that knows the truth is noticed: {z:.1} standard errors");
}
