//! Tree searches over imagined colourings: `mcts` and `nishio`.

use super::playout_policy::{PlayoutPolicies, PolicyChoice, public_policies};
use super::{PlacementChoice, check_range};
use crate::Geister;
use crate::action::Action;
use crate::policy::EagerPolicy;
use crate::view::View;
use oboro_core::{Agent, AgentEntry, Analysis, RandomPolicy, Rng, SeatView, SpecError, fresh};
use oboro_search::{
    Branch, Budget, Ismcts, Observers, Pimc, TreeSearch, Uct, analysis_of, best_branch,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The parameters of `mcts`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
struct MctsParams {
    /// Playouts per decision, or per tree where there are several.
    #[schemars(extend("x-public" = {"minimum": 1, "maximum": 50000}))]
    playouts: u32,
    /// Seconds after which a decision ends, for tournaments. Such games cannot be replayed bit for bit.
    seconds: Option<f64>,
    /// Factor C of the exploration term C·√(2 ln N / n).
    #[schemars(extend("x-public" = {"minimum": 0, "maximum": 100}))]
    c: f64,
    /// Visits of a leaf before its moves get nodes of their own.
    #[schemars(extend("x-public" = {"minimum": 4, "maximum": 1000}))]
    expand_after: u32,
    /// Policy of playouts: `random`; `eager`, which leaves and takes blues when it can; `gp:FILE`, a policy made by genetic
    /// programming, or one that comes with the game (`gp:algorithm-1`); `rules:TEXT`, the policy itself.
    #[schemars(with = "String", extend("x-public" = {"enum": public_policies()}))]
    policy: PolicyChoice,
    /// Policy of the enemy in playouts, where it is not `policy`.
    #[schemars(with = "Option<String>", extend("x-public" = {"enum": public_policies()}))]
    enemy_policy: Option<PolicyChoice>,
    /// Playouts made together from the same leaf. More than one is quicker, and gives other random numbers.
    #[schemars(extend("x-public" = {"minimum": 1, "maximum": 64}))]
    batch: u32,
    /// Its red pieces, as in CEFG, or `random`.
    #[schemars(with = "String", extend("x-public" = {"maxLength": 6}))]
    placement: PlacementChoice,
    /// What is built from the playouts.
    #[schemars(extend("x-public" = {}))]
    tree: TreeKind,
    /// Imagined worlds per decision, where each has a tree of its own.
    #[schemars(extend("x-public" = {"minimum": 1, "maximum": 50}))]
    worlds: u32,
}

impl Default for MctsParams {
    fn default() -> MctsParams {
        MctsParams {
            playouts: 10_000,
            seconds: None,
            c: 1.0,
            expand_after: 4,
            policy: PolicyChoice::Random,
            enemy_policy: None,
            batch: 1,
            placement: PlacementChoice::Random,
            tree: TreeKind::Shared,
            worlds: 20,
        }
    }
}

/// What is built from the playouts of a decision.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum TreeKind {
    /// One tree of actions, the enemy's colours drawn afresh every playout (Tochikawa 2022, 3.1-3.2).
    Shared,
    /// One tree of what the searching seat sees (Cowling, Powley and Whitehouse 2012).
    InformationSet,
    /// One tree per imagined world, as if all were known; the trees vote (Tochikawa 2022, figure 3.3).
    PerWorld,
}

/// The parameters of `nishio`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
struct NishioParams {
    /// Playouts per decision; the original made as many as ten seconds of Python allow.
    #[schemars(extend("x-public" = {"minimum": 1, "maximum": 50000}))]
    playouts: u32,
    /// Seconds after which a decision ends, for tournaments. Such games cannot be replayed bit for bit.
    seconds: Option<f64>,
    /// Its red pieces, as in CEFG, or `random`.
    #[schemars(with = "String", extend("x-public" = {"maxLength": 6}))]
    placement: PlacementChoice,
}

impl Default for NishioParams {
    fn default() -> NishioParams {
        NishioParams { playouts: 3000, seconds: None, placement: PlacementChoice::Random }
    }
}

pub(super) fn entries() -> [AgentEntry<Geister>; 2] {
    [
        AgentEntry::new(
            "mcts",
            "Tochikawa 2022, 3",
            "Monte Carlo tree search with a choice of playout policy, tree and placement",
            |_, params: &MctsParams| Ok(fresh(MctsAgent::new(params)?)),
        )
        .positional(&["playouts"])
        .public(128, 16_384),
        AgentEntry::new(
            "nishio",
            "Ito et al. 2019, 4.1 (the public program by Nishio)",
            "Monte Carlo tree search with random playouts and a random placement (reconstruction)",
            |_, &NishioParams { playouts, seconds, placement }: &NishioParams| {
                let params = MctsParams { playouts, seconds, placement, ..MctsParams::default() };
                Ok(fresh(MctsAgent::new(&params)?))
            },
        )
        .positional(&["playouts"])
        .public(128, 16_384),
    ]
}

#[derive(Clone, Debug)]
struct MctsAgent {
    tree: TreeSearch,
    policies: PlayoutPolicies,
    placement: PlacementChoice,
}

impl MctsAgent {
    fn new(params: &MctsParams) -> Result<MctsAgent, SpecError> {
        let &MctsParams { c, expand_after, worlds, placement, .. } = params;
        let budget = Budget::new("playouts", params.playouts, params.seconds)?;
        let budget = budget.in_batches(params.batch)?;
        check_range("c", c, 0.0..=1e6)?;
        check_range("worlds", worlds, 1..=10_000)?;
        let uct = Uct { budget, c, expand_after };
        Ok(MctsAgent {
            tree: match params.tree {
                TreeKind::Shared => TreeSearch::Uct(uct),
                TreeKind::InformationSet => {
                    let observers = Observers::Own;
                    TreeSearch::Ismcts(Ismcts { budget, c, expand_after, observers })
                }
                TreeKind::PerWorld => TreeSearch::Pimc(Pimc { worlds, tree: uct }),
            },
            policies: PlayoutPolicies::new(&params.policy, params.enemy_policy.as_ref())?,
            placement,
        })
    }

    fn search(&mut self, view: &View, rng: &mut Rng) -> Vec<Branch<Action>> {
        let (seat, draw) = (view.seat(), |rng: &mut Rng| view.imagine(rng));
        match &mut self.policies {
            PlayoutPolicies::Random => self.tree.search(seat, draw, &mut RandomPolicy, rng),
            PlayoutPolicies::Eager => self.tree.search(seat, draw, &mut EagerPolicy, rng),
            PlayoutPolicies::Evolved(sides) => {
                let policy = sides.playouts(seat, rng);
                self.tree.search(seat, draw, policy, rng)
            }
        }
    }
}

impl Agent<Geister> for MctsAgent {
    fn act(&mut self, view: &View, rng: &mut Rng) -> Action {
        self.placement.placing(view, rng).unwrap_or_else(|| best_branch(&self.search(view, rng)))
    }

    fn analyse(&mut self, view: &View, rng: &mut Rng) -> Analysis<Action> {
        if let Some(placement) = self.placement.placing(view, rng) {
            return Analysis::of_choice(placement);
        }
        analysis_of(&self.search(view, rng), "win rate")
    }

    fn variant(&self) -> Option<u32> {
        match &self.policies {
            PlayoutPolicies::Evolved(sides) => sides.variant(),
            PlayoutPolicies::Random | PlayoutPolicies::Eager => None,
        }
    }
}
