//! Follows a round from one seat and keeps the joint posterior.

use super::action_class::{ActionClass, POLICIES};
use super::posterior::{Hypothesis, Marginals, RolePosterior};
use crate::agents::foreman::prospect::DrawOdds;
use crate::agents::foreman::{TRIES, fresh_paths, paths_left};
use crate::{Action, Event, Goal, Public, Saboteur, View};
use oboro_core::{Rng, Seat, SeatView as _};

/// The prior over policies: `path`, `foreman`, `oboro`, random.
const PRIOR: [f64; POLICIES] = [0.2, 0.2, 0.25, 0.35];

/// A seat is suspected above this probability that a spectator gives to its being a saboteur.
const SUSPECTED: f64 = 0.5;

/// The discount factor per card where actions are classified.
const DISCOUNT: f64 = 0.2;

/// Tracks a round and the posterior over roles and goals.
#[derive(Clone, Debug)]
pub struct RoundTracker {
    public: Public,
    odds: DrawOdds,
    posterior: RolePosterior,
}

impl RoundTracker {
    /// A tracker for games by these rules.
    pub fn new(rules: Saboteur) -> RoundTracker {
        RoundTracker {
            public: Public::new(rules, Seat::FIRST),
            odds: DrawOdds::new(DISCOUNT, TRIES, &fresh_paths()),
            posterior: RolePosterior::new(rules),
        }
    }

    /// Takes over what a view knows beyond the events so far.
    pub fn update(&mut self, view: &View) {
        self.public = *view.public();
        self.odds.update(&paths_left(view));
    }

    /// Updates by an event; returns the class of the action, unless the round has ended.
    pub fn observe(&mut self, event: &Event) -> Option<ActionClass> {
        if event.round_end.is_some() {
            self.posterior.clear();
            self.odds.update(&fresh_paths());
            self.public = Public::new(self.public.rules(), Seat::FIRST);
            return None;
        }
        // An agent that joins a game in progress does not know the mine before its first turn.
        if event.action.is_some_and(|action| !self.public.board.allows(action)) {
            return None;
        }
        let suspected = self.suspected(event.action);
        let class =
            ActionClass::new(&self.public, &self.odds, |_| suspected, event.seat, event.action);
        self.posterior.update(class);
        self.public.change(event.seat, event.action, |goal| event.shown[goal.index()]);
        Some(class)
    }

    /// The public table.
    pub(super) fn public(&self) -> &Public {
        &self.public
    }

    /// Whether a spectator suspects the seat whose tool is broken or mended.
    fn suspected(&self, action: Option<Action>) -> bool {
        match action {
            Some(Action::Break { seat, .. } | Action::Mend { seat, .. }) => {
                self.spectator().saboteur[seat.index()] > SUSPECTED
            }
            _ => false,
        }
    }

    /// The marginals of a spectator.
    pub(super) fn spectator(&self) -> Marginals {
        let face_down = self.public.face_down();
        let seen = Goal::ALL.map(|goal| f64::from(u8::from(face_down.contains(goal))));
        self.posterior.marginals(&self.posterior.weights(None, seen, &PRIOR))
    }

    /// The marginals of the seat of a view.
    pub(super) fn marginals(&self, view: &View) -> Marginals {
        self.posterior.marginals(&self.weights(view))
    }

    /// The posterior weights of all hypotheses for the seat of a view, not scaled.
    pub(super) fn weights(&self, view: &View) -> Vec<f64> {
        let candidates = view.candidates();
        let seen = Goal::ALL.map(|goal| f64::from(u8::from(candidates.contains(goal))));
        self.posterior.weights(Some((view.seat(), view.role())), seen, &PRIOR)
    }

    /// Draws a hypothesis by the weights of the seat of a view.
    pub(super) fn draw(&self, view: &View, weights: &[f64], rng: &mut Rng) -> Hypothesis {
        self.posterior.draw(weights, Some((view.seat(), view.role())), &PRIOR, rng)
    }
}
