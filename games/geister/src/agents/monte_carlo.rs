//! Tree searches over imagined colourings: `mcts`, `ismcts`, `pimc` and `nishio`.

use super::playouts::{Playouts, PolicyChoice};
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

/// The parameters of `mcts` and `ismcts`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct TreeParams {
    /// Playouts a decision.
    pub playouts: u32,
    /// Seconds after which a decision ends, playouts left or not; for tournaments: such games cannot be
    /// played again bit for bit.
    pub seconds: Option<f64>,
    /// The factor C of the exploration term C·√(2 ln N / n).
    pub c: f64,
    /// Visits a leaf takes before its moves get nodes of their own.
    pub expand_after: u32,
    /// How playouts are played: `random`; `eager`, which leaves and takes blues when it can; `gp:FILE`, a
    /// policy made by genetic programming, or one that comes with the game (`gp:algorithm-1`);
    /// `rules:TEXT`, the policy itself.
    #[schemars(with = "String")]
    pub policy: PolicyChoice,
    /// How the enemy plays in playouts, where it is not as `policy` says.
    #[schemars(with = "Option<String>")]
    pub enemy_policy: Option<PolicyChoice>,
    /// Playouts that are played together from the same leaf. More than one is quicker, and gives other random numbers.
    pub batch: u32,
    /// Its red pieces, as in CEFG, or `random`.
    #[schemars(with = "String")]
    pub placement: PlacementChoice,
}

impl Default for TreeParams {
    fn default() -> TreeParams {
        TreeParams {
            playouts: 10_000,
            seconds: None,
            c: 1.0,
            expand_after: 4,
            policy: PolicyChoice::Random,
            enemy_policy: None,
            batch: 1,
            placement: PlacementChoice::Random,
        }
    }
}

/// The parameters of `pimc`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct PimcParams {
    /// Imagined worlds a decision, one tree each.
    pub worlds: u32,
    /// Playouts a tree.
    pub playouts: u32,
    /// Seconds after which a decision ends, playouts left or not; for tournaments: such games cannot be
    /// played again bit for bit.
    pub seconds: Option<f64>,
    /// The factor C of the exploration term C·√(2 ln N / n).
    pub c: f64,
    /// Visits a leaf takes before its moves get nodes of their own.
    pub expand_after: u32,
    /// How playouts are played: `random`; `eager`, which leaves and takes blues when it can; `gp:FILE`, a
    /// policy made by genetic programming, or one that comes with the game (`gp:algorithm-1`);
    /// `rules:TEXT`, the policy itself.
    #[schemars(with = "String")]
    pub policy: PolicyChoice,
    /// How the enemy plays in playouts, where it is not as `policy` says.
    #[schemars(with = "Option<String>")]
    pub enemy_policy: Option<PolicyChoice>,
    /// Playouts that are played together from the same leaf. More than one is quicker, and gives other random numbers.
    pub batch: u32,
    /// Its red pieces, as in CEFG, or `random`.
    #[schemars(with = "String")]
    pub placement: PlacementChoice,
}

impl Default for PimcParams {
    fn default() -> PimcParams {
        let tree = TreeParams::default();
        PimcParams {
            worlds: 20,
            playouts: 500,
            seconds: None,
            c: tree.c,
            expand_after: tree.expand_after,
            policy: tree.policy,
            enemy_policy: tree.enemy_policy,
            batch: tree.batch,
            placement: PlacementChoice::Random,
        }
    }
}

/// The parameters of `nishio`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct NishioParams {
    /// Playouts a decision; the original took as many as ten seconds of Python allow.
    pub playouts: u32,
    /// Seconds after which a decision ends, playouts left or not; for tournaments: such games cannot be
    /// played again bit for bit.
    pub seconds: Option<f64>,
    /// Its red pieces, as in CEFG, or `random`.
    #[schemars(with = "String")]
    pub placement: PlacementChoice,
}

impl Default for NishioParams {
    fn default() -> NishioParams {
        NishioParams { playouts: 3000, seconds: None, placement: PlacementChoice::Random }
    }
}

pub(super) fn entries() -> [AgentEntry<Geister>; 4] {
    [
        AgentEntry::new(
            "mcts",
            "Tochikawa 2022, 3.1-3.2",
            "Monte Carlo tree search, one tree, the enemy's colours drawn afresh every playout",
            |_, params: &TreeParams| Ok(fresh(TreeAgent::new(params, TreeSearch::Uct)?)),
        )
        .positional(&["playouts"]),
        AgentEntry::new(
            "ismcts",
            "Cowling, Powley and Whitehouse 2012",
            "Single-observer information-set Monte Carlo tree search",
            |_, params: &TreeParams| {
                let search = |Uct { budget, c, expand_after }| {
                    TreeSearch::Ismcts(Ismcts {
                        budget,
                        c,
                        expand_after,
                        observers: Observers::Own,
                    })
                };
                Ok(fresh(TreeAgent::new(params, search)?))
            },
        )
        .positional(&["playouts"]),
        AgentEntry::new(
            "pimc",
            "Tochikawa 2022, figure 3.3",
            "One tree an imagined world, each as if all were known; the trees vote",
            |_, params: &PimcParams| {
                check_range("worlds", params.worlds, 1..=10_000)?;
                let tree = TreeParams {
                    playouts: params.playouts,
                    seconds: params.seconds,
                    c: params.c,
                    expand_after: params.expand_after,
                    policy: params.policy.clone(),
                    enemy_policy: params.enemy_policy.clone(),
                    batch: params.batch,
                    placement: params.placement,
                };
                let worlds = params.worlds;
                let search = move |tree| TreeSearch::Pimc(Pimc { worlds, tree });
                Ok(fresh(TreeAgent::new(&tree, search)?))
            },
        ),
        AgentEntry::new(
            "nishio",
            "Ito et al. 2019, 4.1 (the public program by Nishio)",
            "Monte Carlo tree search with random playouts and a random placement (reconstruction)",
            |_, params: &NishioParams| {
                let tree = TreeParams {
                    playouts: params.playouts,
                    seconds: params.seconds,
                    placement: params.placement,
                    ..TreeParams::default()
                };
                Ok(fresh(TreeAgent::new(&tree, TreeSearch::Uct)?))
            },
        )
        .positional(&["playouts"]),
    ]
}

#[derive(Clone, Debug)]
struct TreeAgent {
    tree: TreeSearch,
    playouts: Playouts,
    placement: PlacementChoice,
}

impl TreeAgent {
    fn new(params: &TreeParams, tree: impl Fn(Uct) -> TreeSearch) -> Result<TreeAgent, SpecError> {
        let budget = Budget::new("playouts", params.playouts, params.seconds)?;
        let budget = budget.in_batches(params.batch)?;
        check_range("c", params.c, 0.0..=1e6)?;
        Ok(TreeAgent {
            tree: tree(Uct { budget, c: params.c, expand_after: params.expand_after }),
            playouts: Playouts::new(&params.policy, params.enemy_policy.as_ref())?,
            placement: params.placement,
        })
    }

    fn search(&mut self, view: &View, rng: &mut Rng) -> Vec<Branch<Action>> {
        let (seat, draw) = (view.seat(), |rng: &mut Rng| view.imagine(rng));
        match &mut self.playouts {
            Playouts::Random => self.tree.search(seat, draw, &mut RandomPolicy, rng),
            Playouts::Eager => self.tree.search(seat, draw, &mut EagerPolicy, rng),
            Playouts::Strategies(sides) => {
                let policy = sides.playouts(seat, rng);
                self.tree.search(seat, draw, policy, rng)
            }
        }
    }
}

impl Agent<Geister> for TreeAgent {
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
        match &self.playouts {
            Playouts::Strategies(sides) => sides.variant(),
            Playouts::Random | Playouts::Eager => None,
        }
    }
}
