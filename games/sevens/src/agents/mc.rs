use super::{Eval, Random, Rule};
use crate::policy::HandPlayer;
use crate::{Action, Sevens, View, World};
use oboro_core::{Agent, Analysis, Factory, Policy, Rng, SeatView, SpecError, fresh, params};
use oboro_search::{Budget, FlatMonteCarlo, Tally, best_tally};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

params! {
    /// The parameters of flat Monte Carlo (4.4).
    pub(super) struct MonteCarlo {
        /// Playouts per decision, shared evenly among the actions. The paper sets a time of one second instead.
        #[schemars(extend("x-public" = {"minimum": 1, "maximum": 20000}))]
        playouts: u32 = 400,
        /// Seconds after which a decision ends, playouts left or not. For tournaments: such games cannot be
        /// repeated bit for bit.
        seconds: Option<f64> = None,
        /// Policy of all players inside a playout.
        #[schemars(extend("x-public" = {}))]
        policy: PolicyName = PolicyName::Random,
        /// Whether a pass is considered while a card is playable.
        #[schemars(extend("x-public" = {}))]
        voluntary_pass: bool = true,
    }
}

/// A playout policy.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(super) enum PolicyName {
    /// That of `random`.
    #[default]
    Random,
    /// That of `rule`.
    Rule,
    /// That of `eval`.
    Eval,
}

/// Calls `$body` with `$policy` bound to the policy of that name: one compiled copy for each.
macro_rules! with_policy {
    ($name:expr, $policy:ident => $body:expr) => {
        match $name {
            $crate::agents::PolicyName::Random => {
                let $policy = HandPlayer(Random);
                $body
            }
            $crate::agents::PolicyName::Rule => {
                let $policy = HandPlayer(Rule);
                $body
            }
            $crate::agents::PolicyName::Eval => {
                let $policy = HandPlayer(Eval::default());
                $body
            }
        }
    };
}
pub(super) use with_policy;

impl MonteCarlo {
    pub(super) fn factory(self) -> Result<Factory<Sevens>, SpecError> {
        let budget = Budget::new("playouts", self.playouts, self.seconds)?;
        Ok(with_policy!(self.policy, policy => fresh(McAgent { params: self, budget, policy })))
    }
}

/// The actions to evaluate: all legal ones, or without the pass where a card can be laid.
pub(super) fn candidates(view: &View, voluntary_pass: bool) -> Vec<Action> {
    let mut actions = view.legal_actions();
    if !voluntary_pass && actions.len() > 1 {
        actions.retain(|action| *action != Action::Pass);
    }
    actions
}

/// The analysis of a search that ends with one tally an action.
pub(super) fn analysis(tallies: Vec<Tally<Action>>, rng: &mut Rng) -> Analysis<Action> {
    Analysis {
        choice: best_tally(&tallies, rng),
        measure: "mean score",
        values: tallies.into_iter().map(Tally::into_value).collect(),
        drawing: None,
    }
}

#[derive(Clone, Debug)]
struct McAgent<P> {
    params: MonteCarlo,
    budget: Budget,
    policy: P,
}

impl<P: Policy<World>> McAgent<P> {
    fn search(&mut self, view: &View, actions: &[Action], rng: &mut Rng) -> Vec<Tally<Action>> {
        let search = FlatMonteCarlo { seat: view.seat(), budget: self.budget };
        search.run(actions, |rng| view.imagine(rng), &mut self.policy, rng)
    }
}

impl<P: Policy<World>> Agent<Sevens> for McAgent<P> {
    fn act(&mut self, view: &View, rng: &mut Rng) -> Action {
        let actions = candidates(view, self.params.voluntary_pass);
        if let [only] = actions[..] {
            return only;
        }
        let tallies = self.search(view, &actions, rng);
        best_tally(&tallies, rng)
    }

    fn analyse(&mut self, view: &View, rng: &mut Rng) -> Analysis<Action> {
        let actions = candidates(view, self.params.voluntary_pass);
        let tallies = self.search(view, &actions, rng);
        analysis(tallies, rng)
    }
}
