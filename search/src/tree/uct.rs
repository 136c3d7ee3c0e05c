use super::Branch;
use super::arena::{Growth, ROOT, Tree};
use super::leaves::Leaves;
use crate::Budget;
use oboro_core::{GameWorld, Policy, Rng};

/// One tree of actions, a fresh world every playout.
///
/// Actions that only some worlds allow are tried in those worlds alone. Observations do not separate nodes: positions that
/// differ only in hidden things share a node.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Uct {
    /// Playouts per decision.
    pub budget: Budget,
    /// The factor C of the exploration term C·√(2 ln N / n).
    pub c: f64,
    /// Visits of a leaf before it is expanded.
    pub expand_after: u32,
}

impl Uct {
    /// Searches from the worlds that `draw` gives, all with the same seat to move.
    pub fn search<W: GameWorld>(
        &self,
        mut draw: impl FnMut(&mut Rng) -> W,
        policy: &mut impl Policy<W>,
        rng: &mut Rng,
    ) -> Vec<Branch<W::Action>> {
        let growth = Growth { c: self.c, expand_after: self.expand_after, count_available: false };
        let mut leaves = Leaves::new();
        let mut tree = Tree::new(self.budget.max_playouts());
        let mut path = Vec::with_capacity(64);
        for batch in self.budget.batches() {
            let weight = batch.len() as u32;
            let mut world = draw(rng);
            path.clear();
            let mut node = ROOT;
            while let Some(seat) = world.to_act() {
                if !tree.enter(node, weight, &growth) {
                    break;
                }
                let edge = tree.select::<false, W>(node, weight, &growth, &world, rng);
                path.push((edge, seat));
                world.apply(tree.action(edge));
                node = tree.below(edge);
            }
            let ends = leaves.play_out(world, weight, policy, rng);
            for &(edge, seat) in &path {
                tree.credit(edge, weight, ends.iter().map(|end| end.payoff(seat)).sum());
            }
        }
        tree.branches()
    }
}
