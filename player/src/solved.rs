//! A small game is solved before it is played: regret minimisation over all there is, instead of rollouts over a sample.

use crate::evaluator::{Evaluator, Prediction, Uniform};
use oboro_core::GameEncoding;
use oboro_solve::{Limits, Method, Solver, Strategy, Tree};
use std::sync::Arc;

/// The largest game that is solved: a second or two, and some megabytes.
const LARGEST: Limits = Limits { sets: 50_000, histories: 400_000 };

/// A rollout is worth this many histories of a pass over the whole game.
const HISTORIES_A_PLAYOUT: u64 = 30_000;

/// Follows a strategy that few can exploit, for every seat. What a position is worth it does not say.
pub(crate) struct Solved<G: GameEncoding> {
    strategy: Arc<Strategy<G>>,
    /// What is said of a view that the strategy does not know.
    uniform: Uniform<G::Action>,
    prediction: Prediction<G::Action>,
}

impl<G: GameEncoding> Clone for Solved<G> {
    fn clone(&self) -> Solved<G> {
        let (uniform, prediction) = (Uniform::default(), Prediction::default());
        Solved { strategy: Arc::clone(&self.strategy), uniform, prediction }
    }
}

impl<G: GameEncoding> Solved<G> {
    /// The average strategy of CFR+, with as many iterations as the playouts pay for; nothing if the game is too large or
    /// cannot be listed.
    pub(crate) fn of(game: &G, playouts: u32) -> Option<Solved<G>> {
        let tree = Tree::new(game, LARGEST).ok()?;
        let mut solver = Solver::new(&tree, Method::CfrPlus);
        let iterations = u64::from(playouts) * HISTORIES_A_PLAYOUT / tree.histories();
        for _ in 0..iterations.clamp(1, playouts.into()) {
            solver.iterate();
        }
        let strategy = Arc::new(Strategy::of(&tree, &solver.average()));
        Some(Solved { strategy, uniform: Uniform::default(), prediction: Prediction::default() })
    }
}

impl<G: GameEncoding> Evaluator<G> for Solved<G> {
    fn evaluate(&mut self, view: &G::View, memory: &G::Memory) -> &mut Prediction<G::Action> {
        let Some(known) = self.strategy.policy(view) else {
            return Evaluator::<G>::evaluate(&mut self.uniform, view, memory);
        };
        self.prediction.policy.clear();
        self.prediction.policy.extend_from_slice(known);
        &mut self.prediction
    }
}
