//! Evaluates actions by playouts from imagined worlds, with sequential halving.

use super::action_class::{PATH, RANDOM};
use super::posterior::Hypothesis;
use super::{Oboro, OboroParams};
use crate::agents::foreman::Foreman;
use crate::agents::path::Path;
use crate::{Action, Event, GoalCard, Role, Saboteur, View, World};
use oboro_core::{ActionValue, Agent as _, Estimate, GameWorld as _, Rng, SeatView as _};
use std::array::from_fn;

/// The largest number of actions that are played out.
const WIDTH: usize = 16;
/// Weight of a card of heuristic value, in won rounds.
const VALUE_WEIGHT: f64 = 0.03;
/// The number of nuggets that counts as much as a won round.
const NUGGETS_PER_WIN: f64 = 2.5;
/// The largest difference to the best value that counts, in cards.
const WORST: f64 = 4.0;

/// Plays every seat in imagined worlds. One `foreman` infers the roles for all seats, since nearly everything they see
/// is public.
#[derive(Clone, Debug)]
pub(super) struct Simulator(pub(super) Foreman);

impl Simulator {
    /// Updates by the public part of an event.
    pub(super) fn observe(&mut self, event: &Event) {
        let mut event = *event;
        if matches!(event.action, Some(Action::Look { .. })) {
            event.shown = [None; 3];
        }
        self.0.observe(&event);
    }

    /// Plays the round out after an action of the seat to move, which goes on as `foreman`. Returns whether the gold is
    /// found, and the nuggets of that seat.
    fn play_out(
        &self,
        mut world: World,
        policies: [usize; Saboteur::MAX_PLAYERS],
        first: Action,
        rng: &mut Rng,
    ) -> (bool, f64) {
        let own = world.to_act().expect("the round is not over");
        let before = world.payoff(own);
        let mut public = self.0.clone();
        let mut actor = self.0.clone();
        let mut paths: [Path; Saboteur::MAX_PLAYERS] = from_fn(|_| Path::default());
        let round = world.public().past().len();
        // The next round does not depend on this one.
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
            action = match policies[seat.index()] {
                PATH if own != seat => paths[seat.index()].act(&world.view(seat), rng),
                RANDOM if own != seat => world.random_action(rng),
                _ => {
                    actor.set_log_odds(public.log_odds());
                    actor.act(&world.view(seat), rng)
                }
            };
        }
    }
}

/// Evaluates actions, given with their heuristic values and the best first; returns those that were played out, the best
/// first.
///
/// The first few, and the first with each card or against each seat, are played out from the same worlds, drawn from the
/// posterior. After each share of the playouts the worse half is dropped. Candidates are compared by wins and nuggets,
/// and with a small weight by their heuristic values.
pub(super) fn evaluate(
    agent: &Oboro,
    view: &View,
    values: &[(Action, f64)],
    params: &OboroParams,
    estimates: bool,
    rng: &mut Rng,
) -> Vec<Candidate> {
    let Oboro { simulator, tracker, last_actions, .. } = agent;
    let best = values[0].1;
    let mut candidates: Vec<Candidate> =
        candidates(values).map(|(action, value)| Candidate::new(action, value, best)).collect();
    let mut dropped = Vec::new();
    let weights = tracker.weights(view);
    let OboroParams { playouts, nugget_weight, hand_samples, .. } = *params;
    let wanted = view.role() == Role::Digger;
    let halvings = candidates.len().next_power_of_two().trailing_zeros().max(1);
    // A single action is played out only where its value is asked for.
    while candidates.len() > 1 || (estimates && candidates[0].played == 0) {
        let worlds = (playouts / halvings / candidates.len() as u32).max(1);
        for _ in 0..worlds {
            let mut world = view.imagine(rng);
            let Hypothesis { saboteurs, gold, policies } = tracker.draw(view, &weights, rng);
            world.saboteurs = saboteurs;
            let dealt = world.goals.iter().position(|&card| card == GoalCard::Gold);
            world.goals.swap(dealt.expect("one goal is the gold"), gold.index());
            last_actions.redraw(
                view.seat(),
                &simulator.0,
                &mut world,
                &policies,
                hand_samples,
                rng,
            );
            // Common random numbers for all candidates.
            let stream = rng.fork();
            for candidate in &mut candidates {
                let (found, nuggets) = simulator.play_out(
                    world.clone(),
                    policies,
                    candidate.action,
                    &mut stream.clone(),
                );
                let won = f64::from(u8::from(found == wanted));
                candidate.nuggets += nuggets;
                candidate.payoff +=
                    (1.0 - nugget_weight) * won + nugget_weight * nuggets / NUGGETS_PER_WIN;
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
    /// Its value minus the best, not positive.
    worse: f64,
    payoff: f64,
    nuggets: f64,
    played: u32,
}

impl Candidate {
    fn new(action: Action, value: f64, best: f64) -> Candidate {
        Candidate { action, value, worse: value - best, payoff: 0.0, nuggets: 0.0, played: 0 }
    }

    /// The nuggets of the round that the seat may expect, at most `most`; none if it was not played out.
    pub(super) fn estimate(&self, most: f64) -> Option<Estimate<Action>> {
        let mean = self.nuggets / f64::from(self.played.max(1));
        let estimate = Estimate::of_results(self.action, mean, self.played.into(), 0.0, most);
        (self.played > 0).then_some(estimate)
    }

    fn mean_payoff(&self) -> f64 {
        self.payoff / f64::from(self.played.max(1))
    }

    fn score(&self) -> f64 {
        self.mean_payoff() + VALUE_WEIGHT * self.worse.max(-WORST)
    }

    /// As an analysis shows it.
    pub(super) fn into_value(self) -> ActionValue<Action> {
        ActionValue {
            action: self.action,
            value: self.mean_payoff(),
            visits: Some(self.played.into()),
            note: format!("{:+.2} cards of progress", self.value),
        }
    }
}

/// The actions to play out: half of them by value alone, the others the first with their card or against their seat.
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
