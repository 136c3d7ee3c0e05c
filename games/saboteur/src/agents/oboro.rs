//! Infers roles and the place of the gold jointly from all actions, and evaluates actions by playouts.

mod action_class;
mod frequencies;
mod last_actions;
mod posterior;
mod search;
mod tracker;

pub use action_class::{ActionClass, CLASS_NAMES, CLASSES, POLICIES};
pub use tracker::RoundTracker;

use super::foreman::prospect::{DrawOdds, Prospect};
use super::foreman::survey::Survey;
use super::foreman::{Foreman, ForemanParams, TRIES, card_value, fresh_paths, paths_left};
use crate::scene::beliefs;
use crate::{Action, Bounds, Event, Role, Saboteur, View};
use last_actions::LastActions;
use oboro_core::{
    Agent, Analysis, Belief, Estimate, GameWorld as _, Rng, Seat, SeatView as _, SpecError, advise,
    params,
};
use oboro_search::Searchable as _;
use posterior::Marginals;
use search::{Candidate, Simulator};

/// The mean nuggets of a seat in a round among players of this kind, for 3 to 10 players.
const NUGGETS_PER_ROUND: [f64; 8] = [1.3; 8];

params! {
    /// The parameters of `oboro`.
    pub struct OboroParams {
        /// Playouts (rounds in imagined worlds) per decision, 0 to 1000000; 0 decides by heuristic values alone.
        #[schemars(extend("x-public" = {"minimum": 0, "maximum": 2000}))]
        pub playouts: u32 = 1_000,
        /// Factor on the playouts as a saboteur, 0 to 1000.
        #[schemars(extend("x-public" = {"minimum": 0, "maximum": 4}))]
        pub saboteur_factor: u32 = 3,
        /// Hands sampled for each other player until one is consistent with its last action, 0 to 1000; 0 takes the first.
        #[schemars(extend("x-public" = {"minimum": 0, "maximum": 32}))]
        pub hand_samples: u32 = 8,
        /// Weight of the own nuggets in the payoff of a playout, 0 (only whether the own side wins) to 1 (only nuggets).
        #[schemars(extend("x-public" = {"minimum": 0, "maximum": 10}))]
        pub nugget_weight: f64 = 0.5,
        /// Discount factor per card of distance to the gold, 0 to 0.99.
        #[schemars(extend("x-public" = {"minimum": 0, "maximum": 10}))]
        pub discount: f64 = 0.3,
        /// Value of a look at a goal while the gold is not found, in cards of progress, 0 to 10.
        #[schemars(extend("x-public" = {"minimum": 0, "maximum": 10}))]
        pub map_value: f64 = 1.0,
        /// Value of breaking a tool of a certain opponent, in cards of progress, 0 to 10.
        #[schemars(extend("x-public" = {"minimum": 0, "maximum": 10}))]
        pub break_value: f64 = 2.0,
        /// Value of mending a tool of a certain friend, in cards of progress, 0 to 10.
        #[schemars(extend("x-public" = {"minimum": 0, "maximum": 10}))]
        pub mend_value: f64 = 1.0,
        /// Progress that a rock fall must bring, in cards, 0 to 10.
        #[schemars(extend("x-public" = {"minimum": 0, "maximum": 10}))]
        pub rock_threshold: f64 = 0.2,
        /// Damage in cards that a saboteur's harmful card must do while the gold is far, 0 to 100.
        #[schemars(extend("x-public" = {"minimum": 0, "maximum": 10}))]
        pub harm_threshold: f64 = 0.0,
        /// Bonus in cards of progress for a saboteur's helpful card while the gold is far, 0 to 10; it hides the role.
        #[schemars(extend("x-public" = {"minimum": 0, "maximum": 10}))]
        pub cover_bonus: f64 = 0.5,
    }
}

/// The gold is near when the diggers are no more than this many cards short of it.
const NEAR: f64 = 2.0;
/// The gold is far when they are so many more cards short.
const FAR: f64 = 6.0;
/// A saboteur does not hide above this probability that a spectator gives to its role.
const EXPOSED: f64 = 0.6;
/// A card that brings the diggers less progress does not look like a digger's.
const HELPFUL: f64 = 0.02;

/// Keeps a joint posterior over all deals of roles and all places of the gold, given everybody's actions.
///
/// As a digger it lays paths, breaks the tools of likely saboteurs and mends those of likely diggers. As a saboteur it
/// holds back harmful cards until the gold is near. The actions that are best by these heuristic values are evaluated
/// by playouts, in which the others follow policies drawn from the posterior.
#[derive(Clone, Debug)]
pub struct Oboro {
    params: OboroParams,
    tracker: RoundTracker,
    odds: DrawOdds,
    simulator: Simulator,
    last_actions: LastActions,
}

/// The inputs of a decision.
struct Decision<'a, const W: usize> {
    view: &'a View,
    marginals: Marginals,
    mine: Survey<'a, W>,
    /// How much a saboteur hides its role: 0 when the gold is near or the role is known, 1 when it is far.
    hiding: f64,
}

impl Oboro {
    /// An agent with these parameters.
    ///
    /// # Errors
    /// If a parameter is out of its range.
    pub fn new(rules: Saboteur, params: OboroParams) -> Result<Oboro, SpecError> {
        super::check_ranges(&[
            ("playouts", f64::from(params.playouts), 1e6),
            ("saboteur-factor", f64::from(params.saboteur_factor), 1e3),
            ("hand-samples", f64::from(params.hand_samples), 1e3),
            ("nugget-weight", params.nugget_weight, 1.0),
            ("discount", params.discount, 0.99),
            ("map-value", params.map_value, 10.0),
            ("break-value", params.break_value, 10.0),
            ("mend-value", params.mend_value, 10.0),
            ("rock-threshold", params.rock_threshold, 10.0),
            ("harm-threshold", params.harm_threshold, 100.0),
            ("cover-bonus", params.cover_bonus, 10.0),
        ])?;
        Ok(Oboro {
            params,
            tracker: RoundTracker::new(rules),
            odds: DrawOdds::new(params.discount, TRIES, &fresh_paths()),
            simulator: Simulator(Foreman::new(rules, ForemanParams::default())?),
            last_actions: LastActions::default(),
        })
    }

    /// The heuristic value of an action, in cards of progress for the own side.
    fn value<const W: usize>(&self, now: &mut Decision<'_, W>, action: Action) -> f64 {
        let view = now.view;
        let is_digger = view.role() == Role::Digger;
        let sign = if is_digger { 1.0 } else { -1.0 };
        let friend = |seat: Seat| sign * (1.0 - 2.0 * now.marginals.saboteur[seat.index()]);
        match action {
            Action::Dig { .. } if is_digger => now.mine.progress(action),
            Action::Dig { .. } => {
                let progress = now.mine.progress(action);
                if progress < 0.0 {
                    -progress - self.params.harm_threshold * now.hiding
                } else if progress > HELPFUL {
                    -progress + self.params.cover_bonus * now.hiding
                } else {
                    -progress
                }
            }
            Action::RockFall { .. } => {
                sign * now.mine.progress(action) - self.params.rock_threshold
            }
            Action::Look { goal } => {
                let candidates = view.candidates();
                if candidates.len() > 1 && candidates.contains(goal) {
                    self.params.map_value
                } else {
                    0.0
                }
            }
            Action::Break { seat, .. } => {
                // One broken tool stops a player; a second one only makes mending harder.
                let effect = if view.public().broken(seat).is_empty() { 1.0 } else { 0.2 };
                -friend(seat) * effect * self.params.break_value
            }
            Action::Mend { seat, .. } if seat == view.seat() => 2.0 * self.params.mend_value,
            Action::Mend { seat, .. } => friend(seat) * self.params.mend_value,
            Action::Discard { card } => -card_value(view, card),
        }
    }

    /// The values of all actions.
    fn values(&mut self, view: &View) -> Vec<(Action, f64)> {
        self.tracker.update(view);
        self.odds.update(&paths_left(view));
        match view.public().rules().bounds {
            Bounds::Paper => self.values_by::<1>(view),
            Bounds::Three => self.values_by::<2>(view),
            Bounds::None => self.values_by::<3>(view),
        }
    }

    /// The values of all actions, by a survey of so many words.
    fn values_by<const W: usize>(&self, view: &View) -> Vec<(Action, f64)> {
        let marginals = self.tracker.marginals(view);
        let public = view.public();
        let prospect = Prospect { rules: public.rules(), gold: marginals.gold, odds: &self.odds };
        let mine = Survey::<W>::new(&prospect, public.board());
        let is_hidden = view.role() == Role::Saboteur
            && self.tracker.spectator().saboteur[view.seat().index()] <= EXPOSED;
        let far = ((mine.short() - NEAR) / FAR).clamp(0.0, 1.0);
        let hiding = if is_hidden { far } else { 0.0 };
        let mut now = Decision { view, marginals, mine, hiding };
        let mut values = Vec::with_capacity(64);
        view.for_each_legal(|action| values.push((action, self.value(&mut now, action))));
        values
    }

    /// The values of all actions, the best first.
    fn ranked(&mut self, view: &View) -> Vec<(Action, f64)> {
        let mut values = self.values(view);
        // Equals stay in order.
        values.sort_by(|a, b| b.1.total_cmp(&a.1));
        values
    }

    /// The best of them evaluated by playouts, the best first; none without playouts.
    fn play_out(
        &self,
        view: &View,
        values: &[(Action, f64)],
        estimates: bool,
        rng: &mut Rng,
    ) -> Vec<Candidate> {
        let factor = if view.role() == Role::Saboteur { self.params.saboteur_factor } else { 1 };
        let params = OboroParams { playouts: self.params.playouts * factor, ..self.params };
        if params.playouts == 0 {
            return Vec::new();
        }
        search::evaluate(self, view, values, &params, estimates, rng)
    }
}

impl Agent<Saboteur> for Oboro {
    fn begin(&mut self, view: &View) {
        self.tracker.update(view);
    }

    fn observe(&mut self, event: &Event) {
        self.last_actions.note(self.tracker.public(), self.simulator.0.log_odds(), event);
        self.tracker.observe(event);
        self.simulator.observe(event);
    }

    fn beliefs(&mut self, view: &View, _: &mut Rng) -> Vec<Belief> {
        let marginals = self.tracker.marginals(view);
        beliefs(view, |seat| marginals.saboteur[seat.index()], marginals.gold)
    }

    fn act(&mut self, view: &View, rng: &mut Rng) -> Action {
        let values = self.ranked(view);
        self.play_out(view, &values, false, rng).first().map_or(values[0].0, |best| best.action)
    }

    /// The nuggets won so far, those of this round, and what further rounds are worth on average.
    fn estimate(&mut self, view: &View, rng: &mut Rng) -> Option<Vec<Estimate<Action>>> {
        let values = self.ranked(view);
        let played = self.play_out(view, &values, true, rng);
        let rules = view.public().rules();
        let rounds_left = f64::from(rules.rounds) - 1.0 - view.public().past().len() as f64;
        let sure = view.imagine(rng).payoff(view.seat())
            + rounds_left * NUGGETS_PER_ROUND[usize::from(rules.players) - 3];
        let most = rules.payoff_range();
        let estimates = played.iter().filter_map(|candidate| candidate.estimate(most));
        let estimates: Vec<Estimate<Action>> =
            estimates.map(|one| Estimate { mean: one.mean + sure, ..one }).collect();
        let advised = played.first()?.action;
        Some(advise(&advised, estimates))
    }

    fn analyse(&mut self, view: &View, rng: &mut Rng) -> Analysis<Action> {
        let values = self.ranked(view);
        let played = self.play_out(view, &values, false, rng);
        match played.first() {
            None => super::by_progress(values[0].0, values),
            Some(best) => Analysis {
                choice: best.action,
                measure: "won and paid",
                values: played.into_iter().map(Candidate::into_value).collect(),
                drawing: None,
            },
        }
    }
}
