//! A small game is solved before it is played: regret minimisation over all there is, instead of rollouts over a sample.

use crate::evaluator::{Evaluator, Prediction, Uniform};
use oboro_core::GameEncoding;
use oboro_solve::{Limits, Method, Solver, Strategy, Tree};
use std::sync::{Arc, OnceLock};

/// The largest game that is solved: less than a second for a thousand playouts, and megabytes that a server can spare.
const LARGEST: Limits = Limits { sets: 50_000, histories: 400_000 };

/// A playout is worth so many histories of a pass over the whole game.
const HISTORIES_A_PLAYOUT: u64 = 30_000;

/// The solution of a game, found when it is first needed; nothing where the game is too large or cannot be listed.
type Solution<G> = Arc<OnceLock<Option<Strategy<G>>>>;

/// Follows a strategy that hardly anybody can exploit, for every seat. Of games that are too large it knows nothing.
pub(crate) struct Solved<G: GameEncoding> {
    game: G,
    playouts: u32,
    solution: Solution<G>,
    uniform: Uniform<G::Action>,
    prediction: Prediction<G::Action>,
}

impl<G: GameEncoding> Clone for Solved<G> {
    fn clone(&self) -> Solved<G> {
        Solved { solution: Arc::clone(&self.solution), ..Solved::new(&self.game, self.playouts) }
    }
}

impl<G: GameEncoding> Solved<G> {
    /// Clones share one solution.
    pub(crate) fn new(game: &G, playouts: u32) -> Solved<G> {
        Solved {
            game: game.clone(),
            playouts,
            solution: Solution::default(),
            uniform: Uniform::default(),
            prediction: Prediction::default(),
        }
    }
}

/// The average strategy of CFR+, with as many iterations as the playouts pay for.
fn solve<G: GameEncoding>(game: &G, playouts: u32) -> Option<Strategy<G>> {
    let tree = Tree::new(game, LARGEST).ok()?;
    let mut solver = Solver::new(&tree, Method::CfrPlus);
    let iterations = u64::from(playouts) * HISTORIES_A_PLAYOUT / tree.histories();
    for _ in 0..iterations.clamp(1, playouts.into()) {
        solver.iterate();
    }
    Some(Strategy::of(&tree, &solver.average()))
}

impl<G: GameEncoding> Evaluator<G> for Solved<G> {
    fn evaluate(&mut self, view: &G::View, memory: &G::Memory) -> &mut Prediction<G::Action> {
        let solution = self.solution.get_or_init(|| solve(&self.game, self.playouts));
        let Some(known) = solution.as_ref().and_then(|strategy| strategy.policy(view)) else {
            return Evaluator::<G>::evaluate(&mut self.uniform, view, memory);
        };
        self.prediction.policy.clear();
        self.prediction.policy.extend_from_slice(known);
        &mut self.prediction
    }

    fn is_uniform(&self) -> bool {
        matches!(self.solution.get(), Some(None))
    }

    fn is_solution(&self) -> bool {
        matches!(self.solution.get(), Some(Some(_)))
    }
}
