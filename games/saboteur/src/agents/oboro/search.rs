//! Plays rounds out from imagined worlds, everybody as the kind of player it seems to be.

use super::Manner;
use super::belief::Hypothesis;
use super::deed::{PATH, RANDOM};
use super::hands::Moments;
use super::watcher::Watcher;
use crate::agents::foreman::Foreman;
use crate::agents::path::Path;
use crate::{Action, Event, GoalCard, Role, Saboteur, View, World};
use oboro_core::{ActionValue, Agent as _, GameWorld as _, Rng, SeatView as _};
use std::array::from_fn;

/// How many actions are played out.
const WIDTH: usize = 16;
/// How much of a won round one card of value counts for, among actions that were played out.
const PRIOR: f64 = 0.03;
/// How many nuggets count as much as a won round.
const PAY: f64 = 2.5;
/// Values that are worse than the best by more cards than this count the same.
const WORST: f64 = 4.0;

/// Whoever plays every seat in imagined worlds. What one `foreman` suspects everybody does, which is nearly so, as all see
/// the same.
#[derive(Clone, Debug)]
pub(super) struct Crew(pub(super) Foreman);

impl Crew {
    /// The crew, by one who has seen nothing yet.
    pub(super) fn new(foreman: Foreman) -> Crew {
        Crew(foreman)
    }

    /// Learns what everybody sees of an event.
    pub(super) fn observe(&mut self, event: &Event) {
        let mut event = *event;
        if matches!(event.action, Some(Action::Look { .. })) {
            event.shown = [None; 3];
        }
        self.0.observe(&event);
    }

    /// What becomes of the round with an action of the seat to move, who goes on as a `foreman` does: whether the gold
    /// is found, and what that seat wins.
    fn play_out(
        &self,
        mut world: World,
        kinds: [usize; Saboteur::MAX_PLAYERS],
        first: Action,
        rng: &mut Rng,
    ) -> (bool, f64) {
        let own = world.to_act().expect("the round is not over");
        let before = world.payoff(own);
        let mut public = self.0.clone();
        let mut actor = self.0.clone();
        let mut paths: [Path; Saboteur::MAX_PLAYERS] = from_fn(|_| Path::default());
        let round = world.public().past().len();
        // This round is the last: the next does not depend on it.
        world.public.rules.rounds = world.public.past_len + 1;
        let mut action = first;
        loop {
            let event = world.seen(action, None);
            world.apply(action);
            let Some(seat) = world.to_act() else {
                let found = world.public().past()[round].reached_by.is_some();
                return (found, world.payoff(own) - before);
            };
            public.observe(&event);
            action = match kinds[seat.index()] {
                PATH if own != seat => paths[seat.index()].act(&world.view(seat), rng),
                RANDOM if own != seat => world.random_action(rng),
                _ => {
                    actor.suspect(public.suspicions());
                    actor.act(&world.view(seat), rng)
                }
            };
        }
    }
}

/// Tries actions out, given with their values and the best first; returns those that were tried, the best first.
///
/// The first few, and the first with each card or against each seat, are played out from worlds drawn from the belief, all
/// of them from the same. Half of them are dropped when a share of the rounds has been played, and so on; those that are left at last
/// are told apart by how often they won and what they were paid, and a little by their values.
pub(super) fn try_out(
    crew: &Crew,
    watcher: &Watcher,
    moments: &Moments,
    view: &View,
    values: &[(Action, f64)],
    manner: &Manner,
    rng: &mut Rng,
) -> Vec<Candidate> {
    let best = values[0].1;
    let mut candidates: Vec<Candidate> =
        candidates(values).map(|(action, value)| Candidate::new(action, value, best)).collect();
    let mut dropped = Vec::new();
    let weights = watcher.weights(view);
    let Manner { nodes, greed, hands, .. } = *manner;
    let wanted = view.role() == Role::Digger;
    let halvings = candidates.len().next_power_of_two().trailing_zeros().max(1);
    while candidates.len() > 1 {
        let worlds = (nodes / halvings / candidates.len() as u32).max(1);
        for _ in 0..worlds {
            let mut world = view.imagine(rng);
            let Hypothesis { saboteurs, gold, kinds } = watcher.draw(view, &weights, rng);
            world.saboteurs = saboteurs;
            let dealt = world.goals.iter().position(|&card| card == GoalCard::Gold);
            world.goals.swap(dealt.expect("one goal is the gold"), gold.index());
            moments.redraw(view.seat(), &crew.0, &mut world, &kinds, hands, rng);
            // With the same random numbers for all, they differ by what they do and not by luck.
            let stream = rng.fork();
            for candidate in &mut candidates {
                let (found, nuggets) =
                    crew.play_out(world.clone(), kinds, candidate.action, &mut stream.clone());
                let won = f64::from(u8::from(found == wanted));
                candidate.won += (1.0 - greed) * won + greed * nuggets / PAY;
                candidate.played += 1;
            }
        }
        // Equals stay in order.
        candidates.sort_by(|a, b| b.score().total_cmp(&a.score()));
        let worse = candidates.drain(candidates.len().div_ceil(2)..);
        dropped.splice(..0, worse);
    }
    candidates.append(&mut dropped);
    candidates
}

/// An action that is played out.
pub(super) struct Candidate {
    pub(super) action: Action,
    value: f64,
    /// How much worse its value is than the best.
    worse: f64,
    won: f64,
    played: u32,
}

impl Candidate {
    fn new(action: Action, value: f64, best: f64) -> Candidate {
        Candidate { action, value, worse: value - best, won: 0.0, played: 0 }
    }

    /// How often it won, and what it was paid.
    fn share(&self) -> f64 {
        self.won / f64::from(self.played.max(1))
    }

    fn score(&self) -> f64 {
        self.share() + PRIOR * self.worse.max(-WORST)
    }

    /// It, for an analysis.
    pub(super) fn into_value(self) -> ActionValue<Action> {
        ActionValue {
            action: self.action,
            value: self.share(),
            visits: Some(self.played.into()),
            note: format!("{:+.2} cards of progress", self.value),
        }
    }
}

/// The actions that are worth playing out: half of them by value alone, the others the first with their card or against
/// their seat.
fn candidates(values: &[(Action, f64)]) -> impl Iterator<Item = (Action, f64)> {
    let mut seen = Vec::new();
    let chosen = values.iter().enumerate().filter(move |(rank, (action, _))| {
        let about = match *action {
            Action::Dig { tile, .. } => tile.card().index(),
            Action::RockFall { .. } => 0,
            Action::Look { goal } => goal.index(),
            Action::Break { seat, .. } | Action::Mend { seat, .. } => seat.index(),
            Action::Discard { card } => card.index(),
        };
        let sort = (std::mem::discriminant(action), about);
        let is_new = !seen.contains(&sort);
        if is_new {
            seen.push(sort);
        }
        is_new || *rank < WIDTH / 2
    });
    chosen.map(|(_, &value)| value).take(WIDTH)
}
