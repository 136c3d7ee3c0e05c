//! What actions are worth is said in every game, the same whenever it is asked, and the advised action is the best.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

use oboro_catalog::{AnyLive, EvaluationReport, games};
use oboro_core::{Perspective, Rng, Seed, Stop};

fn evaluate(live: &dyn AnyLive) -> EvaluationReport {
    let seat = live.to_act().unwrap();
    let coach = live.coach(seat, &Seed::from_u64(1).game(0, 0)).unwrap();
    coach.evaluate(&Stop::new()).unwrap()
}

#[test]
fn every_game_says_what_actions_are_worth() {
    for game in games() {
        let rules = game.rules(&[]).unwrap();
        let seats = vec![None; rules.seats()];
        let mut live = rules.live(&seats, 0, &Seed::from_u64(3).game(0, 0), "").unwrap();
        let mut rng = Rng::from_u64(2);
        for _ in 0..3 {
            let Some(seat) = live.to_act() else { break };
            let said = evaluate(live.as_ref());
            let name = game.name();
            assert_eq!(said, evaluate(live.as_ref()), "{name}: the same again");
            assert_eq!(said.best, said.values[0].action, "{name}");
            assert!(said.values.iter().all(|one| one.value <= said.value), "{name}: the best");
            assert!(
                said.values.iter().all(|one| one.error.is_finite() && one.error >= 0.0),
                "{name}"
            );
            let legal = live.actions();
            assert!(said.values.iter().all(|one| legal.contains(&one.action)), "{name}");
            let action = rng.choose(&legal).unwrap().clone();
            live.play(seat, &action).unwrap();
        }
    }
}

/// A piece that can leave wins, whatever else is possible.
#[test]
fn a_win_at_once_is_worth_a_whole_game() {
    let rules = oboro_catalog::rules("geister", &[], None).unwrap();
    let text = "10 15R25B35B45B55R44R34R00B 14B10B20R30R40R50R11B21B";
    let live = rules.live_at(text, &[None, None], &Seed::from_u64(1).game(0, 0)).unwrap();
    let said = evaluate(live.as_ref());
    assert_eq!((said.value, said.error), (1.0, 0.0), "{said:?}");
    assert!(said.values.iter().any(|one| one.value < 1.0), "{said:?}");
}

#[test]
fn games_say_why_they_ended() {
    for game in games().into_iter().filter(|game| !matches!(game.name(), "goofspiel")) {
        let rules = game.rules(&[]).unwrap();
        let seats = vec![Some("random"); rules.seats()];
        let mut live = rules.live(&seats, 0, &Seed::from_u64(1).game(0, 0), "").unwrap();
        assert!(live.ending(Perspective::Spectator).is_none());
        while live.outcome().is_none() {
            live.step().unwrap();
        }
        let ending = live.ending(Perspective::Spectator).unwrap();
        let said = !ending.reasons.is_empty();
        // Games without a deal have nothing to add to their last move.
        let silent = matches!(game.name(), "phantom-ttt" | "dark-hex" | "geister-small");
        assert_eq!(said, !silent, "{}", game.name());
        assert!(ending.reasons.iter().all(|reason| reason.en != reason.ja));
        assert_eq!(ending.forfeit, None);
    }
}

#[test]
fn whoever_gives_up_is_named() {
    let rules = oboro_catalog::rules("geister", &[], None).unwrap();
    let seeds = Seed::from_u64(1).game(0, 0);
    let mut live = rules.live(&[None, None], 0, &seeds, "").unwrap();
    live.forfeit(1, "resigned").unwrap();
    let forfeit = live.ending(Perspective::Everything).unwrap().forfeit.unwrap();
    assert_eq!((forfeit.seat, forfeit.reason.as_str()), (1, "resigned"));
}
