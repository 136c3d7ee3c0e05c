use super::Searchable;
use super::short_game::{ShortGame, ShortPolicy};
use crate::{
    Branch, Budget, FlatMonteCarlo, Oos, TreeSearch, analysis_of, best_branch, best_tally,
};
use oboro_core::{Agent, Analysis, Estimate, Policy, Rng, SeatView, advise, draw_action};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How an agent searches.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Method {
    Flat(Budget),
    Tree(TreeSearch),
    Oos(Oos),
}

/// How an agent acts on what its search has found out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Choice {
    /// The best action, always.
    #[default]
    Best,
    /// Every action in proportion to its visits; of `mc`, whose visits are alike, and of `pimc` to its votes.
    Mixed,
}

/// A standard agent at work.
#[derive(Clone, Debug)]
pub(super) struct Searcher<P> {
    method: Method,
    choice: Choice,
    /// Plies after which playouts are broken off; 0 for never.
    depth: u32,
    /// The least and the greatest payoff.
    payoffs: (f64, f64),
    policy: P,
}

impl<P> Searcher<P> {
    pub(super) fn new(
        method: Method,
        choice: Choice,
        depth: u32,
        payoffs: (f64, f64),
        policy: P,
    ) -> Searcher<P> {
        Searcher { method, choice, depth, payoffs, policy }
    }

    /// The probabilities of the actions that were searched.
    fn shares<A: Copy>(&self, branches: &[Branch<A>]) -> Vec<(A, f64)> {
        let weight = |branch: &Branch<A>| match self.method {
            Method::Tree(TreeSearch::Uct(_) | TreeSearch::Ismcts(_)) => branch.visits as f64,
            _ => f64::from(branch.votes),
        };
        let total: f64 = branches.iter().map(weight).sum();
        branches.iter().map(|branch| (branch.action, weight(branch) / total)).collect()
    }

    fn search<G: Searchable>(
        &mut self,
        view: &G::View,
        mut actions: Vec<G::Action>,
        rng: &mut Rng,
    ) -> Vec<Branch<G::Action>>
    where
        P: Policy<G::World>,
    {
        let seat = view.seat();
        let draw = |rng: &mut Rng| ShortGame::new(G::imagine(view, rng), self.depth, G::ESTIMATE);
        let policy = &mut ShortPolicy::new(&mut self.policy);
        let budget = match self.method {
            Method::Tree(tree) => return tree.search(seat, draw, policy, rng),
            Method::Flat(budget) | Method::Oos(Oos { budget, .. }) => budget,
        };
        // Where playouts or time do not suffice for all actions, chance says which are tried.
        rng.shuffle(&mut actions);
        let tallies = FlatMonteCarlo { seat, budget }.run(&actions, draw, policy, rng);
        let best = best_tally(&tallies, rng);
        let tried = tallies.iter().filter(|tally| tally.playouts > 0);
        tried
            .map(|tally| Branch {
                action: tally.action,
                visits: tally.playouts.into(),
                mean: tally.mean(),
                votes: u32::from(tally.action == best),
            })
            .collect()
    }
}

impl<G: Searchable, P: Policy<G::World>> Agent<G> for Searcher<P> {
    fn act(&mut self, view: &G::View, rng: &mut Rng) -> G::Action {
        let actions = view.legal_actions();
        if let [only] = actions[..] {
            return only;
        }
        let branches = self.search::<G>(view, actions, rng);
        match self.choice {
            Choice::Best => best_branch(&branches),
            Choice::Mixed => draw_action(&self.shares(&branches), rng),
        }
    }

    fn policy(&mut self, view: &G::View, rng: &mut Rng) -> Option<Vec<(G::Action, f64)>> {
        let actions = view.legal_actions();
        if let [only] = actions[..] {
            return Some(vec![(only, 1.0)]);
        }
        let branches = self.search::<G>(view, actions, rng);
        Some(match self.choice {
            Choice::Best => vec![(best_branch(&branches), 1.0)],
            Choice::Mixed => self.shares(&branches),
        })
    }

    fn estimate(&mut self, view: &G::View, rng: &mut Rng) -> Option<Vec<Estimate<G::Action>>> {
        let branches = self.search::<G>(view, view.legal_actions(), rng);
        let (low, high) = self.payoffs;
        let estimate =
            |one: &Branch<_>| Estimate::of_results(one.action, one.mean, one.visits, low, high);
        let tried = branches.iter().filter(|branch| branch.visits > 0);
        Some(advise(&best_branch(&branches), tried.map(estimate).collect()))
    }

    fn analyse(&mut self, view: &G::View, rng: &mut Rng) -> Analysis<G::Action> {
        analysis_of(&self.search::<G>(view, view.legal_actions(), rng), "mean payoff")
    }
}
