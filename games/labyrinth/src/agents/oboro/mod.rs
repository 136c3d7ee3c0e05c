//! Our own player: reads what the others look for from how they move, imagines rounds of their turns, and
//! plays what wins the race most often.

mod endgame;
mod forecast;
mod memo;
mod race;
mod reading;
mod replies;
mod search;
mod standing;

use crate::action::{Action, Event};
use crate::public::MAX_SEATS;
use crate::scene::goals_believed;
use crate::{Labyrinth, View};
use arrayvec::ArrayVec;
use forecast::{Forecast, Outlook};
use memo::Memo;
use oboro_core::{ActionValue, Agent, Analysis, Belief, Rng, SpecError};
use race::{Race, goals_left};
use reading::Reading;
use schemars::JsonSchema;
use search::{Candidate, Candidates, Search};
use serde::{Deserialize, Serialize};
use standing::Standing;

/// Parameters of [`Oboro`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct OboroParams {
    /// Turns imagined for a decision.
    pub nodes: u64,
    /// Whether it reads from their turns what the others look for.
    pub reading: bool,
}

impl Default for OboroParams {
    fn default() -> OboroParams {
        OboroParams { nodes: 4000, reading: true }
    }
}

/// The most turns that can be asked for.
const MOST_NODES: u64 = 1_000_000_000;

/// How many own turns back a position is known again.
const PAST: usize = 12;

/// Where a position comes again, turns are drawn from that are worth at least so much of the best.
const AS_GOOD: f64 = 0.95;

/// Our own player.
#[derive(Clone, Debug)]
pub struct Oboro {
    params: OboroParams,
    readings: [Reading; MAX_SEATS],
    race: Race,
    memo: Memo,
    /// The tables before the last own turns.
    past: ArrayVec<Standing, PAST>,
}

impl Oboro {
    /// Builds the agent.
    ///
    /// # Errors
    /// If a parameter is out of range.
    pub fn new(params: OboroParams) -> Result<Oboro, SpecError> {
        if !(1..=MOST_NODES).contains(&params.nodes) {
            let nodes = params.nodes;
            return Err(SpecError(format!("nodes={nodes}: from 1 to {MOST_NODES}")));
        }
        Ok(Oboro {
            params,
            readings: Default::default(),
            race: Race::default(),
            memo: Memo::default(),
            past: ArrayVec::new(),
        })
    }

    fn think(&mut self, view: &View, rng: &mut Rng) -> Candidates {
        let public = view.public();
        if !self.race.is_for(public, view.seat) {
            self.race = Race::new(public, view.seat);
        }
        let forecast = Forecast::new(view, &self.readings);
        let search = Search {
            own: view.seat.index(),
            goals: goals_left(public),
            forecast: &forecast,
            race: &self.race,
        };
        let mut candidates = Candidate::all(view);
        self.memo.prepare();
        search.weigh(&mut candidates, self.params.nodes, &mut self.memo, rng);
        // Players who answer each other in the same way would do so for ever.
        let table = Standing::new(public);
        let again = self.past.iter().filter(|past| **past == table).count();
        let least = candidates[0].best().0 * AS_GOOD;
        let good = candidates.iter().take_while(|candidate| candidate.best().0 >= least).count();
        let drawn = rng.below(good.min(1 + again).max(1));
        candidates.swap(0, drawn);
        candidates
    }
}

impl Agent<Labyrinth> for Oboro {
    fn begin(&mut self, view: &View) {
        self.race = Race::new(view.public(), view.seat);
        self.memo.prepare();
    }

    fn observe_from(&mut self, before: &dyn Fn() -> View, event: &Event) {
        let before = before();
        if event.mover == before.seat {
            if self.past.is_full() {
                self.past.remove(0);
            }
            self.past.push(Standing::new(before.public()));
        } else if self.params.reading {
            self.readings[event.mover.index()].observe(&before, *event);
        }
    }

    fn act(&mut self, view: &View, rng: &mut Rng) -> Action {
        self.think(view, rng)[0].choice()
    }

    fn analyse(&mut self, view: &View, rng: &mut Rng) -> Analysis<Action> {
        let candidates = self.think(view, rng);
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
        let forecast = Forecast::new(view, &self.readings);
        goals_believed(view, |seat, treasure| {
            let rival = forecast.rivals.iter().find(|rival| rival.seat == seat.index());
            match rival.map(|rival| &rival.outlook) {
                Some(Outlook::Treasures(odds)) => {
                    odds.iter().find(|(t, _)| *t == treasure).map_or(0.0, |(_, chance)| *chance)
                }
                _ => 0.0,
            }
        })
    }
}
