use super::PlaysBy;
use super::crowd::Crowd;
use super::mc::analysis;
use super::reading::Reading;
use super::suspects::{Cast, Likelihoods, Manners, Suspect, Suspicion};
use crate::brain::Mind;
use crate::scene::holders_believed;
use crate::{Action, Sevens, View, World};
use oboro_core::{
    ActionValue, Agent, Analysis, Belief, Factory, GameWorld, Policy, Rng, Seat, SeatView,
    SpecError, fresh,
};
use oboro_search::{Budget, Tally, halve};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt::Write as _;
use std::ops::RangeInclusive;

/// The parameters of our own player, which finds out how each of the others plays.
///
/// It takes each of the others for one of the players it knows, and holds a crowd of deals: hands that explain, with such players,
/// every card that was laid and every pass. Each deal is played out once for every action, the others
/// by manners drawn for that deal, oneself as `eval`; actions that do badly are dropped half by half. What a net, trained
/// among such players, would do counts a little beside the playouts: it plans, and `eval` does not.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Oboro {
    /// Playouts a decision; 0 for the net alone, which does what it finds likeliest.
    pub playouts: u32,
    /// Seconds after which the playouts of a decision end; for tournaments: such games cannot be played again bit for
    /// bit.
    pub seconds: Option<f64>,
    /// Deals that are held, 1 to 100000.
    pub deals: u32,
    /// Exchanges of two cards that every deal tries at a decision.
    pub exchanges: u32,
    /// How often the others are taken to do anything at all instead of what their manner tells them, 0.001 to 1.
    pub error: f64,
    /// How likely it is that all others play in the same manner, 0 to 1.
    pub alike: f64,
    /// How many points the net's liking is worth: so many times the logarithm of its probability are added to what the playouts make
    /// of an action; 0 for playouts alone. The net knows games of four players with three passes; in others it has no say.
    pub prior: f64,
}

impl Default for Oboro {
    fn default() -> Oboro {
        Oboro {
            playouts: 6000,
            seconds: None,
            deals: 1000,
            exchanges: 5,
            error: 0.01,
            alike: 0.5,
            prior: 0.03,
        }
    }
}

impl Oboro {
    pub(super) fn factory(self, rules: &Sevens) -> Result<Factory<Sevens>, SpecError> {
        const DEALS: RangeInclusive<u32> = 1..=100_000;
        if !(0.0..=10.0).contains(&self.prior) {
            return Err(SpecError(format!("prior={}: from 0 to 10", self.prior)));
        }
        let mind =
            (Mind::knows(rules) && (self.prior > 0.0 || self.playouts == 0)).then(Mind::default);
        if self.playouts == 0 {
            let unknown = "playouts=0: the net knows games of four players with three passes only";
            let mind = mind.ok_or_else(|| SpecError(unknown.to_owned()))?;
            return Ok(fresh(PolicyAgent(mind)));
        }
        let budget = Budget::new("playouts", self.playouts, self.seconds)?;
        if !DEALS.contains(&self.deals) {
            let (least, most) = (DEALS.start(), DEALS.end());
            return Err(SpecError(format!("deals={}: from {least} to {most}", self.deals)));
        }
        // An error of 0 would rule out whatever a player never does, the truth included.
        if !(0.001..=1.0).contains(&self.error) {
            return Err(SpecError(format!("error={}: from 0.001 to 1", self.error)));
        }
        if !(0.0..=1.0).contains(&self.alike) {
            return Err(SpecError(format!("alike={}: from 0 to 1", self.alike)));
        }
        let crowd = Crowd::new(self.deals as usize);
        Ok(fresh(OboroAgent { params: self, search: Search { budget }, crowd, mind }))
    }
}

/// Weighs actions by playouts in which everybody has a manner of its own, the better ones longer ([`halve`]).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Search {
    /// Playouts in all.
    pub budget: Budget,
}

impl Search {
    /// Runs the playouts; the actions that were weighed longest come first. `imagine` draws a world in which a seat may take
    /// the actions, and how the others play there; that seat plays as `eval`. `liking` is what speaks for an action beside its
    /// playouts, in points.
    pub fn run(
        &self,
        seat: Seat,
        actions: Vec<Action>,
        mut imagine: impl FnMut(&mut Rng) -> (World, Manners),
        liking: impl Fn(Action) -> f64,
        rng: &mut Rng,
    ) -> Vec<Tally<Action>> {
        let imagine = |rng: &mut Rng| {
            let (start, mut manners) = imagine(rng);
            manners[seat.index()] = Suspect::Eval;
            (start, PlaysBy(Cast::new(manners)))
        };
        let play = |(start, policy): &mut (World, PlaysBy<Cast>), action, stream: &mut Rng| {
            let mut world = *start;
            world.apply(action);
            policy.play_out(&mut world, stream);
            world.payoff(seat)
        };
        halve(self.budget, actions, imagine, play, liking, rng)
    }
}

#[derive(Clone, Debug)]
struct OboroAgent {
    params: Oboro,
    search: Search,
    crowd: Crowd<Likelihoods>,
    /// None where the net has no say.
    mind: Option<Mind>,
}

impl OboroAgent {
    fn suspicion(&self, view: &View) -> Suspicion {
        Suspicion::new(view, self.params.error, self.params.alike)
    }

    /// Lets the crowd learn what happened since the last decision.
    fn read<'a>(&mut self, view: &'a View, rng: &mut Rng) -> Reading<'a, Suspicion> {
        let reading = Reading::new(view, self.suspicion(view));
        self.crowd.advance(view, &reading, self.params.exchanges, rng);
        reading
    }

    /// What the net makes of the actions, in points.
    fn likings(&mut self, view: &View, actions: &[Action]) -> Vec<(Action, f64)> {
        let logs = self.mind.as_mut().map(|mind| mind.consider(view, actions));
        let logs = logs.unwrap_or_else(|| vec![0.0; actions.len()]);
        let points = logs.iter().map(|log| self.params.prior * log);
        actions.iter().copied().zip(points).collect()
    }

    fn weigh(&mut self, view: &View, rng: &mut Rng) -> Vec<Tally<Action>> {
        let actions = view.legal_actions();
        let likings = self.likings(view, &actions);
        let liking = |action: Action| {
            likings.iter().find(|(liked, _)| *liked == action).map_or(0.0, |&(_, points)| points)
        };
        let reading = self.read(view, rng);
        let deals = self.crowd.deals();
        let mut turn = 0;
        let imagine = |rng: &mut Rng| {
            let (round, number) = (turn / deals.len(), turn % deals.len());
            turn += 1;
            let deal = &mut deals[number];
            if round > 0 {
                // Each has been played out: what it becomes next is another deal.
                reading.exchange(deal, self.params.exchanges, rng);
            }
            (reading.world(deal), reading.explains.draw(&deal.of_seats, rng))
        };
        self.search.run(view.seat(), actions, imagine, liking, rng)
    }
}

impl Agent<Sevens> for OboroAgent {
    fn beliefs(&mut self, view: &View, rng: &mut Rng) -> Vec<Belief> {
        let mut learned = self.clone();
        learned.read(view, rng);
        let deals = learned.crowd.deals();
        holders_believed(view, |card, seat| {
            deals.iter().filter(|deal| deal.hands[seat.index()].has(card)).count() as f64
        })
    }

    fn act(&mut self, view: &View, rng: &mut Rng) -> Action {
        if let [only] = view.legal_actions()[..] {
            self.read(view, rng);
            return only;
        }
        self.weigh(view, rng)[0].action
    }

    fn analyse(&mut self, view: &View, rng: &mut Rng) -> Analysis<Action> {
        let tallies = self.weigh(view, rng);
        let suspicion = self.suspicion(view);
        let choice = tallies[0].action;
        let mut text = suspicion.describe(self.crowd.deals().iter().map(|deal| &deal.of_seats));
        let actions = view.legal_actions();
        if let Some(mind) = &mut self.mind {
            text.push_str("the net would choose:");
            for (action, log) in actions.iter().zip(mind.consider(view, &actions)) {
                write!(text, " {action} {:.2}", libm::exp(log)).expect("writing to a string");
            }
        }
        Analysis { choice, drawing: Some(text), ..analysis(tallies, rng) }
    }
}

/// The net's policy alone.
#[derive(Clone, Debug)]
struct PolicyAgent(Mind);

impl Agent<Sevens> for PolicyAgent {
    fn act(&mut self, view: &View, rng: &mut Rng) -> Action {
        self.analyse(view, rng).choice
    }

    fn analyse(&mut self, view: &View, _: &mut Rng) -> Analysis<Action> {
        let actions = view.legal_actions();
        let logs = self.0.consider(view, &actions);
        let mut values: Vec<_> = actions
            .iter()
            .zip(logs)
            .map(|(&action, log)| ActionValue::new(action, libm::exp(log)))
            .collect();
        values.sort_by(|a, b| b.value.total_cmp(&a.value));
        Analysis { choice: values[0].action, measure: "probability", values, drawing: None }
    }
}
