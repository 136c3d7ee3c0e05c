//! The agents that follow the values of another one.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

use oboro_catalog::{AnyLive, AnyRules};
use oboro_core::{Seed, Stop};
use std::sync::Arc;

fn rules(game: &str) -> Arc<dyn AnyRules> {
    oboro_catalog::rules(game, &[], None).unwrap()
}

/// A game of an agent at every seat.
fn played(game: &str, agent: &str) -> Box<dyn AnyLive> {
    let rules = rules(game);
    let seats = vec![Some(agent); rules.seats()];
    let mut live = rules.live(&seats, 0, &Seed::from_u64(5).game(0, 0), "").unwrap();
    while live.outcome().is_none() {
        live.step().unwrap();
    }
    live
}

/// In Labyrinth the best agent plays the action of the highest value itself. So a match of the two is even, however long it is.
#[test]
fn hints_are_what_the_best_agent_plays() {
    let [hint, agent] = ["hint", "oboro"].map(|agent| played("labyrinth", agent).record().actions);
    assert_eq!(hint, agent);
}

#[test]
fn a_novice_without_mistakes_plays_what_is_advised() {
    let [novice, hint] =
        ["novice:temperature=0", "hint"].map(|agent| played("geister", agent).record().actions);
    assert_eq!(novice, hint);
}

/// What costs more is played less often, by the factor that the temperature says.
#[test]
fn mistakes_are_rarer_the_more_they_cost() {
    const TEMPERATURE: f64 = 0.2;
    let game = rules("kuhn");
    let live = game.live(&[None, None], 3, &Seed::from_u64(1).game(3, 3), "").unwrap();
    let spec = format!("novice:temperature={TEMPERATURE}");
    let asked = || live.consult(0, &spec, &Seed::from_u64(1).game(0, 0)).unwrap();
    let values = asked().evaluate(&Stop::new()).unwrap().values;
    let insight = asked().run(&Stop::new());
    let shares = insight.analysis.unwrap().values;
    let share = |action: &str| shares.iter().find(|one| one.action == action).unwrap().value;
    let [best, other] = &values[..] else { panic!("two actions: {values:?}") };
    // Payoffs in Kuhn poker go from -2 to 2.
    let expected = libm::exp((other.value - best.value) / (TEMPERATURE * 4.0));
    let ratio = share(&other.action) / share(&best.action);
    assert!(ratio < 1.0 && (ratio - expected).abs() < 1e-9, "{ratio}, not {expected}");
}

#[test]
fn strangers_may_ask_for_novices_that_follow_public_agents() {
    let geister = rules("geister");
    for (asked, read) in [
        ("novice", "novice"),
        ("novice:0.3", "novice:temperature=0.3"),
        ("novice:agent=mcts:100", "novice:agent=mcts:playouts=100"),
        ("novice:agent=(oboro:64,candidates=4)", "novice:agent=oboro:candidates=4"),
    ] {
        assert_eq!(geister.public(asked).unwrap().as_str(), read);
    }
    let footprint = |spec| geister.public(spec).unwrap().footprint();
    assert_eq!(footprint("novice:agent=mcts"), footprint("mcts"));
    assert_eq!(footprint("novice"), footprint("oboro"));
    for refused in [
        "novice:agent=net:/etc/passwd",
        "novice:agent=gp:/etc/passwd",
        "novice:agent=(mcts:seconds=1)",
        "novice:agent=novice",
        "novice:agent=(novice:agent=novice)",
        "novice:temperature=11",
        "novice:temperature=nan",
    ] {
        assert!(geister.public(refused).is_err(), "{refused}");
    }
}
