//! Follows a round from one seat and keeps the joint belief.

use super::belief::{Hypothesis, Joint, Marginals};
use super::deed::{Deed, KINDS};
use crate::agents::foreman::prospect::Outlook;
use crate::agents::foreman::{TRIES, fresh_paths, paths_left};
use crate::{Action, Event, Goal, Public, Saboteur, View};
use oboro_core::{Rng, Seat, SeatView as _};

/// How likely a stranger plays like each known kind: `path`, `foreman`, `oboro`, at random.
const KINDS_PRIOR: [f64; KINDS] = [0.2, 0.2, 0.25, 0.35];

/// A seat is suspected when a spectator thinks it a saboteur rather than a digger.
const SUSPECTED: f64 = 0.5;

/// How much a way counts that is one card longer than another, where deeds are judged.
const FADE: f64 = 0.2;

/// Somebody who watches a round and remembers what everybody's deeds say about roles and goals.
#[derive(Clone, Debug)]
pub struct Watcher {
    public: Public,
    outlook: Outlook,
    joint: Joint,
}

impl Watcher {
    /// A watcher of games by these rules.
    pub fn new(rules: Saboteur) -> Watcher {
        Watcher {
            public: Public::new(rules, Seat::FIRST),
            outlook: Outlook::new(FADE, TRIES, &fresh_paths()),
            joint: Joint::new(rules),
        }
    }

    /// Takes over what a view knows better than the events so far.
    pub fn look_around(&mut self, view: &View) {
        self.public = *view.public();
        self.outlook.update(&paths_left(view));
    }

    /// Learns from what happened; returns what was done, if it is a deed of the round that goes on.
    pub fn observe(&mut self, event: &Event) -> Option<Deed> {
        if event.round_end.is_some() {
            self.joint.clear();
            self.outlook.update(&fresh_paths());
            self.public = Public::new(self.public.rules(), Seat::FIRST);
            return None;
        }
        // Who joins a game in progress has not seen the mine before its first turn.
        if event.action.is_some_and(|action| !self.public.board.allows(action)) {
            return None;
        }
        let suspected = self.suspected(event.action);
        let deed = Deed::new(&self.public, &self.outlook, |_| suspected, event.seat, event.action);
        self.joint.learn(deed);
        self.public.change(event.seat, event.action, |goal| event.shown[goal.index()]);
        Some(deed)
    }

    /// The table, as far as deeds are judged by it and hands are read from it.
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

    /// What a spectator makes of the round.
    pub(super) fn spectator(&self) -> Marginals {
        let face_down = self.public.face_down();
        let seen = Goal::ALL.map(|goal| f64::from(u8::from(face_down.has(goal))));
        self.joint.marginals(&self.joint.weights(None, seen, &KINDS_PRIOR))
    }

    /// What the seat of a view makes of it.
    pub(super) fn marginals(&self, view: &View) -> Marginals {
        self.joint.marginals(&self.weights(view))
    }

    /// How likely every hypothesis is to the seat of a view, not scaled.
    pub(super) fn weights(&self, view: &View) -> Vec<f64> {
        let candidates = view.candidates();
        let seen = Goal::ALL.map(|goal| f64::from(u8::from(candidates.has(goal))));
        self.joint.weights(Some((view.seat(), view.role())), seen, &KINDS_PRIOR)
    }

    /// Draws one way things may stand to the seat of a view, by its weights.
    pub(super) fn draw(&self, view: &View, weights: &[f64], rng: &mut Rng) -> Hypothesis {
        self.joint.draw(weights, Some((view.seat(), view.role())), &KINDS_PRIOR, rng)
    }
}
