use super::inference::HandInference;
use super::mc::analysis;
use super::net::PolicyNet;
use super::opponents::{Likelihoods, OpponentModel, OpponentPolicy, PolicyBySeat, SeatPolicies};
use super::particles::ParticleSet;
use crate::policy::HandPlayer;
use crate::scene::holders_believed;
use crate::{Action, Sevens, View, World};
use oboro_core::{
    ActionValue, Agent, Analysis, Belief, Estimate, Factory, GameWorld, Policy, Rng, Seat,
    SeatView, SpecError, advise, check_range, fresh, params,
};
use oboro_search::{Budget, Tally, halve};
use std::fmt::Write as _;

params! {
    /// The parameters of `oboro`.
    ///
    /// The opponent model is a mixture over known policies. Particles hold sampled deals, weighted by how likely such
    /// opponents make every card and every pass. Each deal is played out once for every action, the others by policies
    /// drawn from the posterior, the own seat by `eval`. Sequential halving drops the worse actions. The
    /// log-probabilities of a policy net are added to the results, since the net plans and `eval` does not.
    pub(super) struct Oboro {
        /// Playouts per decision; 0 plays the most probable action of the net.
        #[schemars(extend("x-public" = {"minimum": 0, "maximum": 30000}))]
        playouts: u32 = 6000,
        /// Seconds after which the playouts of a decision end. For tournaments: such games cannot be repeated bit for
        /// bit.
        seconds: Option<f64> = None,
        /// Particles: sampled deals of the hidden cards, 1 to 100000.
        particles: u32 = 1000,
        /// Metropolis steps (exchanges of two cards) per particle and decision.
        #[schemars(extend("x-public" = {"minimum": 0, "maximum": 50}))]
        exchanges: u32 = 5,
        /// Probability that an opponent plays a random legal action instead of its policy's, 0.001 to 1.
        #[schemars(extend("x-public" = {"minimum": 0.001, "maximum": 1}))]
        error: f64 = 0.01,
        /// Prior probability that all opponents follow the same policy, 0 to 1.
        #[schemars(extend("x-public" = {"minimum": 0, "maximum": 1}))]
        same_policy: f64 = 0.5,
        /// Weight of the net's log-probability of an action, in points, 0 to 10; 0 turns the net off. The net supports
        /// games of four players with three passes; in other games it is not used.
        #[schemars(extend("x-public" = {"minimum": 0, "maximum": 10}))]
        prior: f64 = 0.03,
    }
}

impl Oboro {
    pub(super) fn factory(self, rules: &Sevens) -> Result<Factory<Sevens>, SpecError> {
        check_range("prior", self.prior, 0.0..=10.0)?;
        let uses_net = self.prior > 0.0 || self.playouts == 0;
        let net = (PolicyNet::supports(rules) && uses_net).then(PolicyNet::default);
        if self.playouts == 0 {
            let message = "playouts=0: the net supports four players with three passes only";
            let net = net.ok_or_else(|| SpecError(message.to_owned()))?;
            return Ok(fresh(NetAgent(net)));
        }
        let budget = Budget::new("playouts", self.playouts, self.seconds)?;
        check_range("particles", self.particles, 1..=100_000)?;
        // An error of 0 would rule out deals in which a player deviated from its policy, the truth included.
        check_range("error", self.error, 0.001..=1.0)?;
        check_range("same-policy", self.same_policy, 0.0..=1.0)?;
        let particles = ParticleSet::new(self.particles as usize);
        Ok(fresh(OboroAgent { params: self, search: Search { budget }, particles, net }))
    }
}

/// Evaluates actions by playouts with a policy for every seat, using sequential halving ([`halve`]).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Search {
    /// Playouts in all.
    pub budget: Budget,
}

impl Search {
    /// Runs the playouts; the actions with most playouts come first. `imagine` draws a world in which `seat` may take
    /// the actions, and the policies of the others; `seat` itself plays as `eval`. `bonus` is added to the mean
    /// payoff of an action.
    pub fn run(
        &self,
        seat: Seat,
        actions: Vec<Action>,
        mut imagine: impl FnMut(&mut Rng) -> (World, SeatPolicies),
        bonus: impl Fn(Action) -> f64,
        rng: &mut Rng,
    ) -> Vec<Tally<Action>> {
        let imagine = |rng: &mut Rng| {
            let (start, mut policies) = imagine(rng);
            policies[seat.index()] = OpponentPolicy::Eval;
            (start, HandPlayer(PolicyBySeat::new(policies)))
        };
        let play =
            |(start, policy): &mut (World, HandPlayer<PolicyBySeat>), action, stream: &mut Rng| {
                let mut world = *start;
                world.apply(action);
                policy.play_out(&mut world, stream);
                world.payoff(seat)
            };
        halve(self.budget, actions, imagine, play, bonus, rng)
    }
}

#[derive(Clone, Debug)]
struct OboroAgent {
    params: Oboro,
    search: Search,
    particles: ParticleSet<Likelihoods>,
    /// None where the net is not used.
    net: Option<PolicyNet>,
}

impl OboroAgent {
    fn model(&self, view: &View) -> OpponentModel {
        OpponentModel::new(view, self.params.error, self.params.same_policy)
    }

    /// Updates the particles to what happened since the last decision.
    fn infer<'a>(&mut self, view: &'a View, rng: &mut Rng) -> HandInference<'a, OpponentModel> {
        let inference = HandInference::new(view, self.model(view));
        self.particles.advance(view, &inference, self.params.exchanges, rng);
        inference
    }

    /// The net's log-probabilities in points.
    fn bonuses(&mut self, view: &View, actions: &[Action]) -> Vec<(Action, f64)> {
        let logs = self.net.as_mut().map(|net| net.evaluate(view, actions));
        let logs = logs.unwrap_or_else(|| vec![0.0; actions.len()]);
        let points = logs.iter().map(|log| self.params.prior * log);
        actions.iter().copied().zip(points).collect()
    }

    fn evaluate(&mut self, view: &View, rng: &mut Rng) -> Vec<Tally<Action>> {
        let actions = view.legal_actions();
        let bonuses = self.bonuses(view, &actions);
        let bonus = |action: Action| {
            bonuses.iter().find(|(other, _)| *other == action).map_or(0.0, |&(_, points)| points)
        };
        let inference = self.infer(view, rng);
        let particles = self.particles.particles();
        let mut turn = 0;
        let imagine = |rng: &mut Rng| {
            let (round, number) = (turn / particles.len(), turn % particles.len());
            turn += 1;
            let particle = &mut particles[number];
            if round > 0 {
                // Every particle has been used: further steps make another sample of it.
                inference.exchange(particle, self.params.exchanges, rng);
            }
            let policies = inference.likelihood.draw(&particle.likelihoods, rng);
            (inference.world(particle), policies)
        };
        self.search.run(view.seat(), actions, imagine, bonus, rng)
    }
}

impl Agent<Sevens> for OboroAgent {
    fn beliefs(&mut self, view: &View, rng: &mut Rng) -> Vec<Belief> {
        let mut updated = self.clone();
        updated.infer(view, rng);
        let particles = updated.particles.particles();
        holders_believed(view, |card, seat| {
            particles.iter().filter(|deal| deal.hands[seat.index()].contains(card)).count() as f64
        })
    }

    fn act(&mut self, view: &View, rng: &mut Rng) -> Action {
        if let [only] = view.legal_actions()[..] {
            self.infer(view, rng);
            return only;
        }
        self.evaluate(view, rng)[0].action
    }

    fn estimate(&mut self, view: &View, rng: &mut Rng) -> Option<Vec<Estimate<Action>>> {
        let tallies = self.evaluate(view, rng);
        let advised = tallies[0].action;
        let played = tallies.iter().filter(|tally| tally.playouts > 0);
        let estimate = |tally: &Tally<Action>| {
            Estimate::of_results(tally.action, tally.mean(), tally.playouts.into(), 0.0, 2.0)
        };
        Some(advise(&advised, played.map(estimate).collect()))
    }

    fn analyse(&mut self, view: &View, rng: &mut Rng) -> Analysis<Action> {
        let tallies = self.evaluate(view, rng);
        let model = self.model(view);
        let choice = tallies[0].action;
        let mut text = model.describe(self.particles.particles().iter().map(|p| &p.likelihoods));
        let actions = view.legal_actions();
        if let Some(net) = &mut self.net {
            text.push_str("the net would choose:");
            for (action, log) in actions.iter().zip(net.evaluate(view, &actions)) {
                write!(text, " {action} {:.2}", libm::exp(log)).expect("writing to a string");
            }
        }
        Analysis { choice, drawing: Some(text), ..analysis(tallies, rng) }
    }
}

/// Plays the most probable action of the net.
#[derive(Clone, Debug)]
struct NetAgent(PolicyNet);

impl Agent<Sevens> for NetAgent {
    fn act(&mut self, view: &View, rng: &mut Rng) -> Action {
        self.analyse(view, rng).choice
    }

    fn analyse(&mut self, view: &View, _: &mut Rng) -> Analysis<Action> {
        let actions = view.legal_actions();
        let logs = self.0.evaluate(view, &actions);
        let mut values: Vec<_> = actions
            .iter()
            .zip(logs)
            .map(|(&action, log)| ActionValue::new(action, libm::exp(log)))
            .collect();
        values.sort_by(|a, b| b.value.total_cmp(&a.value));
        Analysis { choice: values[0].action, measure: "probability", values, drawing: None }
    }
}
