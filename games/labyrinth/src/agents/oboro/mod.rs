//! Infers the others' goals and policies from their turns, and evaluates own turns by imagined rounds.

mod endgame;
mod hypotheses;
mod opponent_model;
mod race;
mod replies;
mod search;
mod turn_cache;

use crate::action::{Action, Event};
use crate::agents::table::Table;
use crate::public::MAX_SEATS;
use crate::scene::goals_believed;
use crate::{Labyrinth, View};
use arrayvec::ArrayVec;
use hypotheses::{GoalPosterior, Hypotheses};
use oboro_core::{
    ActionValue, Agent, Analysis, Belief, Estimate, Rng, SpecError, advise, check_range, params,
};
use opponent_model::OpponentModel;
use race::{Race, goals_left};
use search::{Candidate, Candidates, Search};
use turn_cache::TurnCache;

params! {
    /// Parameters of [`Oboro`].
    pub struct OboroParams {
        /// Imagined turns per decision, 1 to 1000000000.
        pub nodes: u64 = 4000 => {"minimum": 1, "maximum": 20000},
        /// Whether the others' goals and policies are inferred from their turns.
        pub inference: bool = true => {},
    }
}

/// The number of own turns over which repeated positions are recognised.
const PAST: usize = 12;

/// At a repeated position, turns are drawn from those with at least this share of the best value.
const AS_GOOD: f64 = 0.95;

/// The agent.
#[derive(Clone, Debug)]
pub struct Oboro {
    params: OboroParams,
    /// By seat.
    models: [OpponentModel; MAX_SEATS],
    race: Race,
    cache: TurnCache,
    /// The tables before the last own turns.
    past: ArrayVec<Table, PAST>,
}

impl Oboro {
    /// Builds the agent.
    ///
    /// # Errors
    /// If a parameter is out of range.
    pub fn new(params: OboroParams) -> Result<Oboro, SpecError> {
        check_range("nodes", params.nodes, 1..=1_000_000_000)?;
        Ok(Oboro {
            params,
            models: Default::default(),
            race: Race::default(),
            cache: TurnCache::default(),
            past: ArrayVec::new(),
        })
    }

    fn evaluate(&mut self, view: &View, rng: &mut Rng) -> Candidates {
        let public = view.public();
        if !self.race.is_for(public, view.seat) {
            self.race = Race::new(public, view.seat);
        }
        let hypotheses = Hypotheses::new(view, &self.models);
        let search = Search {
            own: view.seat.index(),
            goals: goals_left(public),
            hypotheses: &hypotheses,
            race: &self.race,
        };
        let mut candidates = Candidate::all(view);
        self.cache.prepare();
        search.evaluate(&mut candidates, self.params.nodes, &mut self.cache, rng);
        // Players that answer each other in the same way would repeat a position for ever.
        let table = Table::new(public);
        let again = self.past.iter().filter(|past| **past == table).count();
        let min = candidates[0].best().0 * AS_GOOD;
        let good = candidates.iter().take_while(|candidate| candidate.best().0 >= min).count();
        let drawn = rng.below(good.min(1 + again).max(1));
        candidates.swap(0, drawn);
        candidates
    }
}

impl Agent<Labyrinth> for Oboro {
    fn begin(&mut self, view: &View) {
        self.race = Race::new(view.public(), view.seat);
        self.cache.prepare();
    }

    fn observe_from(&mut self, before: &dyn Fn() -> View, event: &Event) {
        let before = before();
        if event.mover == before.seat {
            if self.past.is_full() {
                self.past.remove(0);
            }
            self.past.push(Table::new(before.public()));
        } else if self.params.inference {
            self.models[event.mover.index()].observe(&before, *event);
        }
    }

    fn act(&mut self, view: &View, rng: &mut Rng) -> Action {
        self.evaluate(view, rng)[0].choice()
    }

    fn estimate(&mut self, view: &View, rng: &mut Rng) -> Option<Vec<Estimate<Action>>> {
        let candidates = self.evaluate(view, rng);
        let turns = candidates.iter().flat_map(Candidate::turns);
        let estimates = turns.map(|(action, value, rounds)| {
            Estimate::of_results(action, value, rounds.into(), 0.0, 1.0)
        });
        Some(advise(&candidates[0].choice(), estimates.collect()))
    }

    fn analyse(&mut self, view: &View, rng: &mut Rng) -> Analysis<Action> {
        let candidates = self.evaluate(view, rng);
        let values = candidates
            .iter()
            .flat_map(Candidate::turns)
            .map(|(action, value, rounds)| ActionValue {
                visits: Some(u64::from(rounds)),
                ..ActionValue::new(action, value)
            })
            .collect();
        Analysis { choice: candidates[0].choice(), measure: "chance to win", values, drawing: None }
    }

    fn beliefs(&mut self, view: &View, _: &mut Rng) -> Vec<Belief> {
        let hypotheses = Hypotheses::new(view, &self.models);
        goals_believed(view, |seat, treasure| {
            let opponent =
                hypotheses.opponents.iter().find(|opponent| opponent.seat == seat.index());
            match opponent.map(|opponent| &opponent.posterior) {
                Some(GoalPosterior::Treasures(odds)) => {
                    odds.iter().find(|(t, _)| *t == treasure).map_or(0.0, |(_, chance)| *chance)
                }
                _ => 0.0,
            }
        })
    }
}
