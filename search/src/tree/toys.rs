//! Toy games small enough to be solved on paper.

use super::{Evaluation, GuidedSearch, Ismcts, Observers, Pimc, Uct, best_branch};
use crate::Budget;
use oboro_core::{GameWorld, RandomPolicy, Rng, Seat};
use std::fmt;

/// A box holds a coin, heads or tails. The finder may take a sure 0.6; guess at once; open the box
/// for a fee of 0.2 and guess knowing; or shut its eyes and guess later.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Coin {
    heads: bool,
    stage: Stage,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Stage {
    Start,
    Guess { fee: bool },
    Paid(u8),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Choice {
    Sure,
    Open,
    Wait,
    Heads,
    Tails,
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:?}")
    }
}

impl fmt::Display for Coin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:?}")
    }
}

impl GameWorld for Coin {
    type Action = Choice;
    type View = ();
    type Event = (Choice, Option<bool>);

    fn to_act(&self) -> Option<Seat> {
        (!matches!(self.stage, Stage::Paid(_))).then_some(Seat::FIRST)
    }

    fn for_each_legal(&self, visit: impl FnMut(Choice)) {
        match self.stage {
            Stage::Start => [Choice::Sure, Choice::Open, Choice::Wait].into_iter().for_each(visit),
            Stage::Guess { .. } => [Choice::Heads, Choice::Tails].into_iter().for_each(visit),
            Stage::Paid(_) => (),
        }
    }

    fn apply(&mut self, action: Choice) {
        let right = (action == Choice::Heads) == self.heads;
        self.stage = match (self.stage, action) {
            (_, Choice::Sure) => Stage::Paid(6),
            (_, Choice::Open) => Stage::Guess { fee: true },
            (_, Choice::Wait) => Stage::Guess { fee: false },
            (Stage::Guess { fee: true }, _) => Stage::Paid(if right { 8 } else { 0 }),
            (_, _) => Stage::Paid(if right { 10 } else { 0 }),
        };
    }

    fn payoff(&self, _: Seat) -> f64 {
        match self.stage {
            Stage::Paid(tenths) => f64::from(tenths) / 10.0,
            _ => 0.0,
        }
    }

    fn view(&self, _: Seat) {}

    fn event(&self, action: Choice, _: Seat) -> (Choice, Option<bool>) {
        (action, (action == Choice::Open).then_some(self.heads))
    }
}

fn coin(rng: &mut Rng) -> Coin {
    Coin { heads: rng.chance(0.5), stage: Stage::Start }
}

fn settings() -> Uct {
    Uct { budget: 4000.into(), c: 1.0, expand_after: 1 }
}

fn information_sets(observers: Observers) -> Ismcts {
    let Uct { budget, c, expand_after } = settings();
    Ismcts { budget, c, expand_after, observers }
}

fn mean_of<A: Copy + PartialEq>(branches: &[super::Branch<A>], action: A) -> f64 {
    let found = branches.iter().find(|branch| branch.action == action);
    found.expect("a root action").mean
}

/// Opening shows the coin, so it is worth 0.8; waiting shows nothing, so it is worth 0.5.
#[test]
fn information_sets_know_what_will_be_seen_and_what_will_not() {
    let search = information_sets(Observers::Own);
    let branches = search.search(Seat::FIRST, coin, &mut RandomPolicy, &mut Rng::from_u64(1));
    assert_eq!(best_branch(&branches), Choice::Open);
    assert!(mean_of(&branches, Choice::Open) > 0.7);
    assert!((mean_of(&branches, Choice::Wait) - 0.5).abs() < 0.1);
}

/// Without telling observations apart the open box is no better than the shut one.
#[test]
fn a_tree_of_actions_takes_the_sure_thing() {
    let branches = settings().search(coin, &mut RandomPolicy, &mut Rng::from_u64(1));
    assert_eq!(best_branch(&branches), Choice::Sure);
    assert!((mean_of(&branches, Choice::Sure) - 0.6).abs() < 1e-9);
    assert!(mean_of(&branches, Choice::Open) < 0.5);
}

/// Every tree knows its own coin, so all of them vote for the blind guess: strategy fusion.
#[test]
fn a_vote_of_trees_believes_it_will_know() {
    let search = Pimc { worlds: 8, tree: Uct { budget: 1000.into(), ..settings() } };
    let branches = search.search(coin, &mut RandomPolicy, &mut Rng::from_u64(1));
    assert_eq!(best_branch(&branches), Choice::Wait);
    assert_eq!(branches.iter().map(|b| b.votes).sum::<u32>(), 8);
    assert!(mean_of(&branches, Choice::Wait) > 0.8);
}

/// Take one to three; who takes the last stone wins. In one deal of four, the second player also
/// holds a joker that takes everything.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Nim {
    stones: u8,
    turn: u8,
    joker: bool,
}

impl fmt::Display for Nim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:?}")
    }
}

impl GameWorld for Nim {
    type Action = u8;
    type View = ();
    type Event = u8;

    fn to_act(&self) -> Option<Seat> {
        (self.stones > 0).then_some(Seat::new(self.turn.into()))
    }

    fn for_each_legal(&self, visit: impl FnMut(u8)) {
        (1..=self.stones.min(3)).for_each(visit);
    }

    fn apply(&mut self, action: u8) {
        self.stones -= action;
        if self.joker && self.turn == 1 {
            self.stones = 0;
        }
        self.turn ^= 1;
    }

    fn payoff(&self, seat: Seat) -> f64 {
        // The turn has passed from the winner.
        f64::from(u8::from(seat.index() != usize::from(self.turn)))
    }

    fn view(&self, _: Seat) {}

    fn event(&self, action: u8, _: Seat) -> u8 {
        action
    }
}

#[test]
fn nim_is_played_by_the_rule_of_four() {
    for (stones, answer) in [(5, 1), (6, 2), (7, 3), (9, 1), (10, 2), (11, 3)] {
        let world = Nim { stones, turn: 0, joker: false };
        let mut rng = Rng::from_u64(stones.into());
        let branches = settings().search(|_| world.clone(), &mut RandomPolicy, &mut rng);
        assert_eq!(best_branch(&branches), answer, "{stones} stones");
        for observers in [Observers::Own, ALL] {
            let search = Ismcts { expand_after: 0, ..information_sets(observers) };
            let found = search.search(Seat::FIRST, |_| world.clone(), &mut RandomPolicy, &mut rng);
            assert_eq!(best_branch(&found), answer, "{stones} stones");
            assert_eq!(found.iter().map(|b| b.visits).sum::<u64>(), 4000);
        }
    }
}

/// An evaluator that knows nothing.
#[allow(clippy::unnecessary_wraps, reason = "evaluators may fail")]
fn ignorant<W: GameWorld>(worlds: &[W]) -> Result<Vec<Evaluation>, ()> {
    let evaluation = |world: &W| {
        let mut legal = Vec::new();
        world.legal(&mut legal);
        let policy = vec![1.0 / legal.len() as f64; legal.len()];
        Evaluation { policy, values: vec![0.5; 2], beliefs: Vec::new() }
    };
    Ok(worlds.iter().map(evaluation).collect())
}

#[test]
fn a_guided_search_plays_by_the_rule_of_four_and_by_what_is_seen() {
    for batch in [1, 16] {
        let budget = Budget::from(4000).in_batches(batch).unwrap();
        let search = GuidedSearch { budget, c: 1.0 };
        for (stones, answer) in [(5, 1), (6, 2), (7, 3), (9, 1)] {
            let world = Nim { stones, turn: 0, joker: false };
            let mut rng = Rng::from_u64(1);
            let found = search.search(Seat::FIRST, |_| world.clone(), ignorant, &mut rng).unwrap();
            assert_eq!(best_branch(&found), answer, "{stones} stones, batches of {batch}");
            assert_eq!(found.iter().map(|branch| branch.visits).sum::<u64>(), 4000);
        }
        // A sure 0.6 is better than a guess, and worse than a look for 0.2.
        let draw = |rng: &mut Rng| Coin { heads: rng.chance(0.5), stage: Stage::Start };
        let found = search.search(Seat::FIRST, draw, ignorant, &mut Rng::from_u64(2)).unwrap();
        assert_eq!(best_branch(&found), Choice::Open);
        let mean = found.iter().find(|branch| branch.action == Choice::Wait).unwrap().mean;
        assert!(mean < 0.6, "whoever shuts the eyes does not know: {mean}");
    }
}

#[test]
fn a_guided_search_follows_its_evaluator_and_fails_with_it() {
    let world = Nim { stones: 100, turn: 0, joker: false };
    let prefers = |worlds: &[Nim]| {
        let evaluation = |_: &Nim| Evaluation {
            policy: vec![0.0, 1.0, 0.0],
            values: vec![0.5; 2],
            beliefs: Vec::new(),
        };
        Ok::<_, ()>(worlds.iter().map(evaluation).collect())
    };
    let search = GuidedSearch { budget: Budget::from(20), c: 1.0 };
    let found = search.search(Seat::FIRST, |_| world.clone(), prefers, &mut Rng::from_u64(1));
    let found = found.unwrap();
    assert_eq!((found.len(), found[0].action, found[0].visits), (1, 2, 20));
    let fails = |_: &[Nim]| Err("tired");
    let failed = search.search(Seat::FIRST, |_| world.clone(), fails, &mut Rng::from_u64(1));
    assert_eq!(failed.unwrap_err(), "tired");
}

#[test]
fn a_sure_loss_in_some_worlds_lowers_the_mean_by_their_share() {
    let draw = |rng: &mut Rng| Nim { stones: 5, turn: 0, joker: rng.chance(0.25) };
    let branches = settings().search(draw, &mut RandomPolicy, &mut Rng::from_u64(3));
    assert_eq!(best_branch(&branches), 1);
    assert!((mean_of(&branches, 1) - 0.75).abs() < 0.05);
}

/// The second player has the action 9 in half the worlds only; it wins there at once.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Sometimes {
    armed: bool,
    ply: u8,
    winner: u8,
}

impl fmt::Display for Sometimes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:?}")
    }
}

impl GameWorld for Sometimes {
    type Action = u8;
    type View = ();
    type Event = u8;

    fn to_act(&self) -> Option<Seat> {
        (self.ply < 2).then_some(Seat::new(self.ply.into()))
    }

    fn for_each_legal(&self, mut visit: impl FnMut(u8)) {
        visit(0);
        if self.ply == 1 && self.armed {
            visit(9);
        }
    }

    fn apply(&mut self, action: u8) {
        self.winner = u8::from(action == 9);
        self.ply += 1;
    }

    fn payoff(&self, seat: Seat) -> f64 {
        f64::from(u8::from(seat.index() == usize::from(self.winner)))
    }

    fn view(&self, _: Seat) {}

    fn event(&self, action: u8, _: Seat) -> u8 {
        action
    }
}

#[test]
fn actions_of_some_worlds_count_in_those_worlds_alone() {
    let draw = |rng: &mut Rng| Sometimes { armed: rng.chance(0.5), ply: 0, winner: 0 };
    let branches = settings().search(draw, &mut RandomPolicy, &mut Rng::from_u64(3));
    assert!((mean_of(&branches, 0) - 0.5).abs() < 0.05);
}

/// Take a sure thing, or go on to a game about a coin: its steps say who hides it, looks at it and
/// guesses it. A right guess is worth 1 to who makes it, a wrong one to the other.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Guessing {
    steps: &'static [(u8, Step)],
    /// What the sure thing is worth to seat 0, in tenths.
    sure: u8,
    done: u8,
    heads: bool,
    /// What seat 0 gets, in tenths, when it is over.
    paid: Option<u8>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Step {
    Begin,
    Hide,
    Look,
    Guess,
}

impl Guessing {
    fn step(&self) -> (u8, Step) {
        if self.done == 0 { (0, Step::Begin) } else { self.steps[usize::from(self.done) - 1] }
    }
}

impl fmt::Display for Guessing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:?}")
    }
}

impl GameWorld for Guessing {
    type Action = Choice;
    type View = ();
    /// The action if it is seen, and the coin if it is.
    type Event = (Option<Choice>, Option<bool>);

    fn to_act(&self) -> Option<Seat> {
        self.paid.is_none().then(|| Seat::new(self.step().0.into()))
    }

    fn for_each_legal(&self, visit: impl FnMut(Choice)) {
        match self.step().1 {
            Step::Begin => [Choice::Sure, Choice::Wait].into_iter().for_each(visit),
            Step::Look => [Choice::Open].into_iter().for_each(visit),
            Step::Hide | Step::Guess => [Choice::Heads, Choice::Tails].into_iter().for_each(visit),
        }
    }

    fn apply(&mut self, action: Choice) {
        let heads = action == Choice::Heads;
        match self.step() {
            (_, Step::Begin) => self.paid = (action == Choice::Sure).then_some(self.sure),
            (_, Step::Hide) => self.heads = heads,
            (_, Step::Look) => (),
            (seat, Step::Guess) => {
                self.paid = Some(if (heads == self.heads) == (seat == 0) { 10 } else { 0 });
            }
        }
        self.done += 1;
    }

    fn payoff(&self, seat: Seat) -> f64 {
        let first = f64::from(self.paid.unwrap_or(0)) / 10.0;
        if seat == Seat::FIRST { first } else { 1.0 - first }
    }

    fn view(&self, _: Seat) {}

    fn event(&self, action: Choice, seat: Seat) -> (Option<Choice>, Option<bool>) {
        let (mover, step) = self.step();
        let own = seat.index() == usize::from(mover);
        let seen = own || step != Step::Hide;
        (seen.then_some(action), (own && step == Step::Look).then_some(self.heads))
    }
}

/// What going on is worth to seat 0 by a search, and what the search prefers.
fn guessing(steps: &'static [(u8, Step)], sure: u8, search: Ismcts) -> (f64, Choice) {
    let draw =
        |rng: &mut Rng| Guessing { steps, sure, done: 0, heads: rng.chance(0.5), paid: None };
    let branches = search.search(Seat::FIRST, draw, &mut RandomPolicy, &mut Rng::from_u64(1));
    (mean_of(&branches, Choice::Wait), best_branch(&branches))
}

const ALL: Observers = Observers::All { seats: 2 };

/// Guessing what the opponent has hidden is worth 0.5: the two ways to hide look the same.
#[test]
fn hidden_actions_of_others_are_not_told_apart() {
    for observers in [Observers::Own, ALL] {
        let search = information_sets(observers);
        let (value, choice) = guessing(&[(1, Step::Hide), (0, Step::Guess)], 7, search);
        assert!((value - 0.5).abs() < 0.1, "{value}, {observers:?}");
        assert_eq!(choice, Choice::Sure, "{observers:?}");
    }
}

/// An opponent that guesses what the searching seat has hidden is right half the time, however much
/// is explored; in a tree of the searching seat's own it always is.
#[test]
fn with_all_observers_the_opponent_does_not_know_what_was_hidden_from_it() {
    const STEPS: &[(u8, Step)] = &[(0, Step::Hide), (1, Step::Guess)];
    for c in [0.3, 0.7, 1.0, 2.0] {
        let (value, choice) = guessing(STEPS, 3, Ismcts { c, ..information_sets(ALL) });
        assert!((value - 0.5).abs() < 0.1, "{value} with c={c}");
        assert_eq!(choice, Choice::Wait, "with c={c}");
    }
    let (value, choice) = guessing(STEPS, 3, information_sets(Observers::Own));
    assert!(value < 0.1, "{value}");
    assert_eq!(choice, Choice::Sure);
}

/// An opponent that looks at the coin guesses right; in a tree of the searching seat's own it has
/// seen nothing.
#[test]
fn with_all_observers_the_opponent_uses_what_it_alone_has_seen() {
    const STEPS: &[(u8, Step)] = &[(1, Step::Look), (1, Step::Guess)];
    let (value, choice) = guessing(STEPS, 3, information_sets(ALL));
    assert!(value < 0.1, "{value}");
    assert_eq!(choice, Choice::Sure);
    let (value, choice) = guessing(STEPS, 3, information_sets(Observers::Own));
    assert!((value - 0.5).abs() < 0.1, "{value}");
    assert_eq!(choice, Choice::Wait);
}
