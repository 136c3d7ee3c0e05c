use super::Searchable;
use super::short_game::{ShortGame, ShortPolicy};
use crate::{Branch, Budget, FlatMonteCarlo, TreeSearch, analysis_of, best_branch, best_tally};
use oboro_core::{Agent, Analysis, Policy, Rng, SeatView};

/// How an agent searches.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Method {
    Flat(Budget),
    Tree(TreeSearch),
}

/// A standard agent at work.
#[derive(Clone, Debug)]
pub(super) struct Searcher<P> {
    method: Method,
    /// Plies after which playouts are broken off; 0 for never.
    depth: u32,
    policy: P,
}

impl<P> Searcher<P> {
    pub(super) fn new(method: Method, depth: u32, policy: P) -> Searcher<P> {
        Searcher { method, depth, policy }
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
            Method::Flat(budget) => budget,
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
        best_branch(&self.search::<G>(view, actions, rng))
    }

    fn analyse(&mut self, view: &G::View, rng: &mut Rng) -> Analysis<G::Action> {
        analysis_of(&self.search::<G>(view, view.legal_actions(), rng), "mean payoff")
    }
}
