//! Searches with an evaluator from outside play as the searches inside do.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use oboro_catalog::{
    AnyLive, Budget, CatalogError, Evaluate, Evaluation, GuidedSearch, PlayerLimits, SearchMethod,
    SearchedAction, game,
};
use oboro_core::{Agent as _, Game, GameEncoding, GameWorld, Rng, Seat, SeatView, Seed};
use oboro_player::{Evaluator, Limits, PlayerAgent, Prediction};
use oboro_small::Leduc;
use std::sync::{Arc, Mutex};

const LIMITS: PlayerLimits =
    Limits { playouts: 60, seconds: None, candidates: 8, temperature: 1.0 };

/// Inside: any action is as likely as any other, and a position is worth what this says to the seat to move.
struct Alike(Option<f64>, Prediction<<Leduc as Game>::Action>);

impl Evaluator<Leduc> for Alike {
    fn evaluate(
        &mut self,
        view: &<Leduc as Game>::View,
        (): &<Leduc as GameEncoding>::Memory,
    ) -> &mut Prediction<<Leduc as Game>::Action> {
        let legal = view.legal_actions();
        let share = 1.0 / legal.len() as f64;
        self.1.policy = legal.into_iter().map(|action| (action, share)).collect();
        self.1.value = self.0;
        &mut self.1
    }
}

/// The same from outside; `asked` takes the sizes of the batches and the plies of the views.
fn alike(value: Option<f64>, asked: &Arc<Mutex<Vec<Vec<usize>>>>) -> Evaluate {
    let asked = Arc::clone(asked);
    Box::new(move |turns| {
        asked.lock().unwrap().push(turns.iter().map(|turn| turn.ply()).collect());
        let evaluation = |count: usize| Evaluation {
            policy: vec![1.0; count],
            // Of two seats, unless games are played out.
            values: value.map_or_else(Vec::new, |value| vec![value; 2]),
            beliefs: Vec::new(),
        };
        Ok(turns.iter().map(|turn| evaluation(turn.actions().len())).collect())
    })
}

/// Leduc after some actions, for the catalog and inside.
fn leduc(seed: u64, actions: usize) -> (Box<dyn AnyLive>, Vec<<Leduc as Game>::World>) {
    let rules = game("leduc").unwrap().rules(&[]).unwrap();
    let seeds = Seed::from_u64(seed).game(0, 0);
    let mut live = rules.live(&[None, None], 0, &seeds, "").unwrap();
    let mut world = Leduc::default().deal_numbered(0, &mut seeds.deal());
    let mut worlds = vec![world.clone()];
    for _ in 0..actions {
        let seat = live.to_act().unwrap();
        let action = live.actions().pop().unwrap();
        live.play(seat, &action).unwrap();
        let mut legal = Vec::new();
        world.legal(&mut legal);
        world.apply(*legal.last().unwrap());
        worlds.push(world.clone());
    }
    (live, worlds)
}

fn search(
    live: &dyn AnyLive,
    evaluate: Evaluate,
    batch: u32,
) -> Result<Vec<SearchedAction>, CatalogError> {
    let turn = live.view_with_past(live.to_act().unwrap()).unwrap();
    turn.search(SearchMethod::Player { limits: LIMITS, batch }, evaluate, 7)
}

#[test]
fn the_player_plays_by_an_evaluator_from_outside_as_by_one_inside() {
    for value in [None, Some(0.5)] {
        for plies in 0..4 {
            let (live, worlds) = leduc(3, plies);
            let seat = Seat::new(live.to_act().unwrap());
            let inside = Alike(value, Prediction::default());
            let mut player = PlayerAgent::new(&Leduc::default(), Box::new(inside), LIMITS);
            player.begin(&worlds[0].view(seat));
            for world in &worlds[..plies] {
                let mut legal = Vec::new();
                world.legal(&mut legal);
                let event = world.event(*legal.last().unwrap(), seat);
                player.observe_from(&|| world.view(seat), &event);
            }
            let decision = player.decide(&worlds[plies].view(seat), &mut Rng::from_u64(7));
            for batch in [1, 5, 16, 1000] {
                let asked = Arc::default();
                let found = search(live.as_ref(), alike(value, &asked), batch).unwrap();
                assert_eq!(found.len(), decision.policy.len());
                for (one, (action, share)) in found.iter().zip(&decision.policy) {
                    let tally = decision.tallies.iter().find(|tally| tally.action == *action);
                    let (visits, mean) = tally
                        .map_or((0, None), |tally| (u64::from(tally.playouts), Some(tally.mean())));
                    let expected =
                        SearchedAction { action: action.to_string(), visits, mean, share: *share };
                    assert_eq!(*one, expected, "{plies} plies, {batch} together");
                }
                let asked = asked.lock().unwrap();
                assert!(asked.iter().all(|plies| plies.len() <= batch as usize));
                assert!(batch < 5 || asked.iter().any(|plies| plies.len() > 2), "in batches");
                // The present is asked for first and once, then what led to it, then what may follow.
                assert_eq!(asked[0], [plies]);
                assert_eq!(asked.iter().filter(|asked| **asked == [plies]).count(), 1);
                assert!(asked.iter().flatten().all(|ply| *ply < plies + 10));
            }
        }
    }
}

#[test]
fn a_failure_ends_the_search_and_is_told() {
    let (live, _) = leduc(3, 2);
    for failing in [1, 2, 3, 5] {
        let asked = Arc::new(Mutex::new(0));
        let counted = Arc::clone(&asked);
        let evaluate: Evaluate = Box::new(move |turns| {
            *counted.lock().unwrap() += 1;
            if *counted.lock().unwrap() == failing {
                return Err("on purpose".to_owned());
            }
            let evaluation = |count| Evaluation {
                policy: vec![1.0; count],
                values: Vec::new(),
                beliefs: Vec::new(),
            };
            Ok(turns.iter().map(|turn| evaluation(turn.actions().len())).collect())
        });
        let error = search(live.as_ref(), evaluate, 4).unwrap_err();
        assert_eq!(error.to_string(), "evaluation: on purpose");
        assert_eq!(*asked.lock().unwrap(), failing, "it is asked no more");
    }
}

#[test]
fn evaluations_are_checked() {
    let (live, _) = leduc(3, 0);
    let count = live.actions().len();
    let said = |policy: Vec<f64>, values: Vec<f64>, beliefs: Vec<f64>, method| {
        let answer = Evaluation { policy, values, beliefs };
        let evaluate: Evaluate = Box::new(move |turns| Ok(vec![answer.clone(); turns.len()]));
        let found = live.view(live.to_act().unwrap()).unwrap().search(method, evaluate, 1);
        found.unwrap_err().to_string()
    };
    let player = SearchMethod::Player { limits: LIMITS, batch: 4 };
    let budget = Budget::from(10);
    let tree = SearchMethod::Tree(GuidedSearch { budget, c: 1.0 });
    for method in [player, tree] {
        let policy = said(vec![0.5; count + 1], vec![0.0; 2], Vec::new(), method);
        assert!(policy.contains("numbers from 0 on"), "{policy}");
        let values = said(vec![0.5; count], vec![0.0; 3], Vec::new(), method);
        assert!(values.contains("2 payoffs, one for each seat"), "{values}");
    }
    assert!(said(vec![0.5; count], Vec::new(), Vec::new(), tree).contains("2 payoffs"));
    let beliefs = said(vec![0.5; count], vec![0.0; 2], vec![0.0; 3], player);
    assert!(beliefs.contains("beliefs: "), "{beliefs}");
    let limits = Limits { candidates: 1, ..LIMITS };
    let method = SearchMethod::Player { limits, batch: 4 };
    assert!(said(Vec::new(), Vec::new(), Vec::new(), method).contains("candidates"));
    let method = SearchMethod::Player { limits: LIMITS, batch: 0 };
    assert!(said(Vec::new(), Vec::new(), Vec::new(), method).contains("batch"));
}

#[test]
fn every_game_is_searched_by_the_player() {
    for game in oboro_catalog::games() {
        let rules = game.rules(&[]).unwrap();
        let seats = vec![None; rules.seats()];
        let mut live = rules.live(&seats, 0, &Seed::from_u64(1).game(0, 0), "").unwrap();
        let action = live.actions().remove(0);
        live.play(live.to_act().unwrap(), &action).unwrap();
        let evaluate = alike(None, &Arc::default());
        let limits = Limits { playouts: 8, ..LIMITS };
        let turn = live.view_with_past(live.to_act().unwrap()).unwrap();
        let found = turn.search(SearchMethod::Player { limits, batch: 8 }, evaluate, 1).unwrap();
        let total: f64 = found.iter().map(|one| one.share).sum();
        assert!((total - 1.0).abs() < 1e-9, "{}", game.name());
        let legal = live.actions();
        assert!(found.iter().all(|one| legal.contains(&one.action)), "{}", game.name());
    }
}
