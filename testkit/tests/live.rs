//! A game that is stopped, looked at and gone on with.

use crate::dice;

use dice::{Dice, Event, Guess, View};
use oboro_core::{
    ActionValue, Agent, Analysis, Belief, Factory, Game, Live, LiveError, Player, RandomAgent,
    Record, Replay, ReplayError, Rng, Seat, SeatView, Seed, Stop, fresh, stopping,
};
use std::sync::Arc;

const SECOND: Seat = Seat::new(1);

/// Remembers everything it is told, and says so when it is asked.
#[derive(Clone, Default)]
struct Witness {
    began: Option<View>,
    seen: Vec<Event>,
}

impl Agent<Dice> for Witness {
    fn begin(&mut self, view: &View) {
        self.began = Some(*view);
    }

    fn observe(&mut self, event: &Event) {
        self.seen.push(event.clone());
    }

    fn act(&mut self, view: &View, rng: &mut Rng) -> Guess {
        *rng.choose(&view.legal_actions()).expect("asked only when it may act")
    }

    fn analyse(&mut self, view: &View, _: &mut Rng) -> Analysis<Guess> {
        assert!(self.began.is_some(), "told where it sits first");
        let choice = view.legal_actions()[0];
        let seen = self.seen.len() as f64;
        let values = vec![ActionValue::new(choice, seen)];
        Analysis { choice, measure: "events seen", values, drawing: None }
    }

    fn beliefs(&mut self, _: &View, _: &mut Rng) -> Vec<Belief> {
        vec![Belief::weighted("events", [(self.seen.len(), 1.0)])]
    }
}

fn witness() -> Factory<Dice> {
    Arc::new(|| Player::Agent(Box::new(Witness::default())))
}

fn game(seats: Vec<Option<Factory<Dice>>>) -> Live<Dice> {
    let seeds = Seed::from_u64(5).game(0, 0);
    let world = Dice::default().deal(&mut seeds.deal());
    Live::new(Dice::default(), world, seats, &seeds)
}

#[test]
fn a_person_and_an_agent_play_a_game_to_its_end() {
    let mut live = game(vec![None, Some(fresh(RandomAgent))]);
    assert_eq!(live.to_act(), Some(Seat::FIRST));
    assert_eq!(live.step(), Err(LiveError::Outside(Seat::FIRST)));
    assert_eq!(live.play(SECOND, Guess::High), Err(LiveError::Turn(SECOND, Seat::FIRST)));
    assert_eq!(live.play(Seat::new(9), Guess::High), Err(LiveError::NoSeat(9, 1)));
    assert!(matches!(live.play(Seat::FIRST, Guess::Odd), Err(LiveError::Illegal(Seat::FIRST, _))));
    assert_eq!(live.plies(), 0, "nothing that was refused was played");
    live.play(Seat::FIRST, Guess::High).unwrap();
    assert!(live.outcome().is_none());
    assert_eq!(live.play(SECOND, Guess::Low), Err(LiveError::Held(SECOND)));
    let (seat, action) = live.step().unwrap();
    assert_eq!(seat, SECOND);
    assert_eq!(live.step(), Err(LiveError::Over));
    assert_eq!(live.outcome().unwrap().payoffs.iter().sum::<f64>(), 1.0);
    assert_eq!(live.record().actions[1], (SECOND, action.to_string()));
    assert!(live.legal_actions().is_empty());
}

#[test]
fn thinking_elsewhere_plays_what_thinking_here_plays() {
    let agents = || vec![Some(fresh(RandomAgent)), Some(fresh(RandomAgent))];
    let (mut here, mut elsewhere) = (game(agents()), game(agents()));
    let outcome = here.run().unwrap();
    while elsewhere.to_act().is_some() {
        let thinking = elsewhere.start_thinking().unwrap();
        assert!(matches!(elsewhere.start_thinking(), Err(LiveError::Busy(_))));
        let thought = std::thread::spawn(move || thinking.run(&Stop::new())).join().unwrap();
        elsewhere.finish_thinking(thought).unwrap();
    }
    assert_eq!(elsewhere.outcome(), Some(outcome));
    assert_eq!(elsewhere.record(), here.record());
}

#[test]
fn taking_back_brings_position_and_random_streams_back() {
    let mut live = game(vec![Some(witness()), Some(witness())]);
    live.run().unwrap();
    let record = live.record();
    live.take_back(1).unwrap();
    assert_eq!(live.to_act(), Some(SECOND));
    assert_eq!(live.beliefs(SECOND, &mut Rng::from_u64(0))[0].probability("1"), 1.0);
    live.run().unwrap();
    assert_eq!(live.record(), record, "the same stream chooses the same again");
    assert_eq!(live.take_back(3), Err(LiveError::TakeBack(2, 3)));

    live.take_back(2).unwrap();
    let thought = live.start_thinking().unwrap().run(&Stop::new());
    live.take_back(0).unwrap();
    live.finish_thinking(thought).unwrap();
    live.take_back(1).unwrap();
    let thought = live.start_thinking().unwrap().run(&Stop::new());
    live.reseat(Seat::FIRST, Some(witness()), Rng::from_u64(1)).unwrap();
    assert_eq!(live.finish_thinking(thought), Err(LiveError::Stale));
}

#[test]
fn whoever_is_consulted_has_seen_the_whole_game() {
    let mut live = game(vec![None, None]);
    live.play(Seat::FIRST, Guess::Even).unwrap();
    let consult = |live: &Live<Dice>, seat| {
        live.consult(seat, &witness(), Rng::from_u64(1)).unwrap().run(&Stop::new())
    };
    let second = consult(&live, SECOND);
    assert_eq!(second.analysis.unwrap().values[0].value, 1.0, "one event was seen");
    let first = consult(&live, Seat::FIRST);
    assert!(first.analysis.is_none() && first.beliefs[0].probability("1") == 1.0);
    assert!(consult(&live.at(0).unwrap(), SECOND).beliefs[0].probability("0") == 1.0);
    assert!(live.consult(Seat::new(4), &witness(), Rng::from_u64(1)).is_err());
}

#[test]
fn a_seat_changes_hands_in_the_middle() {
    let mut live = game(vec![None, None]);
    live.play(Seat::FIRST, Guess::Even).unwrap();
    live.reseat(SECOND, Some(witness()), Rng::from_u64(1)).unwrap();
    assert_eq!(live.beliefs(SECOND, &mut Rng::from_u64(0))[0].probability("1"), 1.0);
    live.step().unwrap();
    assert!(live.outcome().is_some());
}

#[test]
fn a_forfeit_ends_the_game_and_can_be_replayed() {
    let mut live = game(vec![None, None]);
    live.play(Seat::FIRST, Guess::Even).unwrap();
    live.forfeit(SECOND, "left").unwrap();
    assert_eq!(live.to_act(), None);
    assert_eq!(live.outcome().unwrap().payoffs, [1.0, 0.0]);
    assert_eq!(live.forfeit(SECOND, "again"), Err(LiveError::Over));
    let text = live.record().to_string();
    let record: Record = text.parse().unwrap();
    let again = Replay::new(&Dice::default(), &record).unwrap().finish().unwrap();
    assert_eq!(again.record(), record);
    live.take_back(0).unwrap();
    assert_eq!(live.to_act(), Some(SECOND), "a resignation can be taken back");
}

#[test]
fn a_game_in_progress_is_written_down_and_gone_on_with() {
    let mut live = game(vec![None, None]);
    live.play(Seat::FIRST, Guess::Even).unwrap();
    let text = live.record().to_string();
    assert!(!text.contains("result"));
    let record: Record = text.parse().unwrap();
    let mut again = Replay::new(&Dice::default(), &record).unwrap().finish().unwrap();
    again.play(SECOND, Guess::Low).unwrap();
    assert!(again.outcome().is_some());
    let broken: Record = text.replace("1. 0 even", "1. 1 even").parse().unwrap();
    let refused = Replay::new(&Dice::default(), &broken).unwrap().finish();
    assert!(matches!(refused, Err(ReplayError::Turn(1, SECOND, _))));
}

/// Thinks until it is stopped.
#[derive(Clone, Copy)]
struct Ponderer;

impl Agent<Dice> for Ponderer {
    fn act(&mut self, view: &View, _: &mut Rng) -> Guess {
        while !stopping() {
            std::thread::yield_now();
        }
        view.legal_actions()[0]
    }
}

#[test]
fn thinking_is_stopped_from_outside() {
    let mut live = game(vec![Some(fresh(Ponderer)), None]);
    let thinking = live.start_thinking().unwrap();
    let stop = Stop::new();
    let switch = stop.clone();
    let thread = std::thread::spawn(move || thinking.run(&switch));
    stop.pull();
    live.finish_thinking(thread.join().unwrap()).unwrap();
    assert_eq!(live.to_act(), Some(SECOND));
}
