//! Our own strongest player: it weighs every deal of the roles by how well it explains what everybody did.

mod belief;
mod deed;
mod frequencies;
mod hands;
mod search;
mod watcher;

pub use deed::{CLASS_NAMES, CLASSES, Deed, KINDS};
pub use watcher::Watcher;

use super::foreman::prospect::{Outlook, Prospect};
use super::foreman::survey::Survey;
use super::foreman::{Foreman, Habits, TRIES, fresh_paths, paths_left, use_of};
use crate::scene::beliefs;
use crate::{Action, Bounds, Event, Role, Saboteur, View};
use belief::Marginals;
use hands::Moments;
use oboro_core::{Agent, Analysis, Belief, Rng, Seat, SeatView as _, SpecError};
use schemars::JsonSchema;
use search::{Candidate, Crew};
use serde::{Deserialize, Serialize};

/// The parameters of `oboro`.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Manner {
    /// How many rounds it plays out in imagined worlds for one decision; 0 decides by values alone.
    pub nodes: u32,
    /// How many times as many it plays out as a saboteur, who gains more by it.
    pub plots: u32,
    /// How many hands it imagines for each of the others until one explains what that player did last; 0 takes the first.
    pub hands: u32,
    /// How much its own nuggets count in the rounds it plays out, between 0 (only whether its side wins) and 1
    /// (nothing else).
    pub greed: f64,
    /// How much a way counts that is one card longer than another, between 0 (nothing) and 1 (as
    /// much).
    pub fade: f64,
    /// How many cards of progress a look at a goal is worth while the gold is not found.
    pub map: f64,
    /// How many cards of progress it is worth to break a tool of a certain opponent.
    pub tools: f64,
    /// How many cards of progress it is worth to mend a tool of a certain friend.
    pub mend: f64,
    /// How many cards of progress a rock fall must bring.
    pub rocks: f64,
    /// How many cards a card that gives a saboteur away must cost while the gold is far.
    pub patience: f64,
    /// How many cards of progress a saboteur gives away to look like a digger while the gold is far.
    pub cover: f64,
}

impl Default for Manner {
    fn default() -> Manner {
        Manner {
            nodes: 1_000,
            plots: 3,
            hands: 8,
            greed: 0.5,
            fade: 0.3,
            map: 1.0,
            tools: 2.0,
            mend: 1.0,
            rocks: 0.2,
            patience: 0.0,
            cover: 0.5,
        }
    }
}

/// The gold is near when the diggers are no more than this many cards short of it.
const NEAR: f64 = 2.0;
/// The gold is as far as it can be when they are so many more short.
const FAR: f64 = 6.0;
/// A saboteur whom a spectator suspects as much as this need not hide.
const EXPOSED: f64 = 0.6;
/// A card that brings the diggers less than this does not look like a digger's.
const HELPFUL: f64 = 0.02;

/// A player that knows how likely every deal of roles and every place of the gold is, by all that everybody did.
///
/// As a digger it lays what brings the way forward, breaks the tools of those who are saboteurs rather than diggers and
/// mends the others'. As a saboteur it digs harmlessly and holds back what would give it away until the gold is near.
/// What looks best by these values is played out, everybody as the kind of player it seems to be.
#[derive(Clone, Debug)]
pub struct Oboro {
    manner: Manner,
    watcher: Watcher,
    outlook: Outlook,
    crew: Crew,
    moments: Moments,
}

/// What a decision is made by.
struct Situation<'a, const W: usize> {
    view: &'a View,
    marginals: Marginals,
    mine: Survey<'a, W>,
    /// How much a saboteur has to hide: 0 when the gold is near or everybody knows, 1 when it is far.
    hiding: f64,
}

impl Oboro {
    /// A player of this manner.
    ///
    /// # Errors
    /// If a parameter is not a number in its range.
    pub fn new(rules: Saboteur, manner: Manner) -> Result<Oboro, SpecError> {
        super::check_ranges(&[
            ("nodes", f64::from(manner.nodes), 1e6),
            ("plots", f64::from(manner.plots), 1e3),
            ("hands", f64::from(manner.hands), 1e3),
            ("greed", manner.greed, 1.0),
            ("fade", manner.fade, 0.99),
            ("map", manner.map, 10.0),
            ("tools", manner.tools, 10.0),
            ("mend", manner.mend, 10.0),
            ("rocks", manner.rocks, 10.0),
            ("patience", manner.patience, 100.0),
            ("cover", manner.cover, 10.0),
        ])?;
        Ok(Oboro {
            manner,
            watcher: Watcher::new(rules),
            outlook: Outlook::new(manner.fade, TRIES, &fresh_paths()),
            crew: Crew::new(Foreman::new(rules, Habits::default())?),
            moments: Moments::default(),
        })
    }

    /// What an action is worth to this player, in cards of progress for its side.
    fn worth<const W: usize>(&self, now: &mut Situation<'_, W>, action: Action) -> f64 {
        let view = now.view;
        let is_digger = view.role() == Role::Digger;
        let sign = if is_digger { 1.0 } else { -1.0 };
        let friend = |seat: Seat| sign * (1.0 - 2.0 * now.marginals.saboteur[seat.index()]);
        match action {
            Action::Dig { .. } if is_digger => now.mine.progress(action),
            Action::Dig { .. } => {
                let progress = now.mine.progress(action);
                if progress < 0.0 {
                    -progress - self.manner.patience * now.hiding
                } else if progress > HELPFUL {
                    -progress + self.manner.cover * now.hiding
                } else {
                    -progress
                }
            }
            Action::RockFall { .. } => sign * now.mine.progress(action) - self.manner.rocks,
            Action::Look { goal } => {
                let candidates = view.candidates();
                if candidates.count() > 1 && candidates.has(goal) { self.manner.map } else { 0.0 }
            }
            Action::Break { seat, .. } => {
                // One broken tool stops a player; a second one only makes mending harder.
                let effect = if view.public().broken(seat).is_empty() { 1.0 } else { 0.2 };
                -friend(seat) * effect * self.manner.tools
            }
            Action::Mend { seat, .. } if seat == view.seat() => 2.0 * self.manner.mend,
            Action::Mend { seat, .. } => friend(seat) * self.manner.mend,
            Action::Discard { card } => -use_of(view, card),
        }
    }

    /// The values of all actions.
    fn values(&mut self, view: &View) -> Vec<(Action, f64)> {
        self.watcher.look_around(view);
        self.outlook.update(&paths_left(view));
        match view.public().rules().bounds {
            Bounds::Paper => self.values_by::<1>(view),
            Bounds::Three => self.values_by::<2>(view),
            Bounds::None => self.values_by::<3>(view),
        }
    }

    /// The values of all actions, by a survey of so many words.
    fn values_by<const W: usize>(&self, view: &View) -> Vec<(Action, f64)> {
        let marginals = self.watcher.marginals(view);
        let public = view.public();
        let prospect =
            Prospect { rules: public.rules(), gold: marginals.gold, outlook: &self.outlook };
        let mine = Survey::<W>::new(&prospect, public.board());
        let is_hidden = view.role() == Role::Saboteur
            && self.watcher.spectator().saboteur[view.seat().index()] <= EXPOSED;
        let far = ((mine.short() - NEAR) / FAR).clamp(0.0, 1.0);
        let hiding = if is_hidden { far } else { 0.0 };
        let mut now = Situation { view, marginals, mine, hiding };
        let mut values = Vec::with_capacity(64);
        view.for_each_legal(|action| values.push((action, self.worth(&mut now, action))));
        values
    }
}

impl Oboro {
    /// The values of all actions, the best first.
    fn ranked(&mut self, view: &View) -> Vec<(Action, f64)> {
        let mut values = self.values(view);
        // Equals stay in order.
        values.sort_by(|a, b| b.1.total_cmp(&a.1));
        values
    }

    /// Plays the best of them out, the best first; none if it decides by values alone.
    fn try_out(&self, view: &View, values: &[(Action, f64)], rng: &mut Rng) -> Vec<Candidate> {
        let times = if view.role() == Role::Saboteur { self.manner.plots } else { 1 };
        let manner = Manner { nodes: self.manner.nodes * times, ..self.manner };
        if manner.nodes == 0 {
            return Vec::new();
        }
        let Oboro { crew, watcher, moments, .. } = self;
        search::try_out(crew, watcher, moments, view, values, &manner, rng)
    }
}

impl Agent<Saboteur> for Oboro {
    fn begin(&mut self, view: &View) {
        self.watcher.look_around(view);
    }

    fn observe(&mut self, event: &Event) {
        self.moments.note(self.watcher.public(), self.crew.0.suspicions(), event);
        self.watcher.observe(event);
        self.crew.observe(event);
    }

    fn beliefs(&mut self, view: &View, _: &mut Rng) -> Vec<Belief> {
        let marginals = self.watcher.marginals(view);
        beliefs(view, |seat| marginals.saboteur[seat.index()], marginals.gold)
    }

    fn act(&mut self, view: &View, rng: &mut Rng) -> Action {
        let values = self.ranked(view);
        self.try_out(view, &values, rng).first().map_or(values[0].0, |best| best.action)
    }

    fn analyse(&mut self, view: &View, rng: &mut Rng) -> Analysis<Action> {
        let values = self.ranked(view);
        let tried = self.try_out(view, &values, rng);
        match tried.first() {
            None => super::by_progress(values[0].0, values),
            Some(best) => Analysis {
                choice: best.action,
                measure: "won and paid",
                values: tried.into_iter().map(Candidate::into_value).collect(),
                drawing: None,
            },
        }
    }
}
