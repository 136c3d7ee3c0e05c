use super::Branch;
use super::arena::{Growth, Tree};
use crate::Budget;
use oboro_core::{GameWorld, Policy, Rng, Seat};

/// Single-observer information-set Monte Carlo tree search (Cowling, Powley and Whitehouse 2012).
///
/// A node is what the searching seat would know: below an action there is one node for each thing
/// that seat could see of it. An action competes only with as many trials as it was available.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Ismcts {
    /// How many playouts a decision takes.
    pub budget: Budget,
    /// The factor C of the exploration term C·√(2 ln N / n).
    pub c: f64,
    /// Visits a leaf takes before its actions get nodes of their own.
    pub expand_after: u32,
}

impl Ismcts {
    /// Searches for `observer`, the seat to move in all the worlds that `draw` gives.
    pub fn search<W: GameWorld>(
        &self,
        observer: Seat,
        mut draw: impl FnMut(&mut Rng) -> W,
        policy: &mut impl Policy<W>,
        rng: &mut Rng,
    ) -> Vec<Branch<W::Action>>
    where
        W::Event: PartialEq,
    {
        let growth = Growth { c: self.c, expand_after: self.expand_after, count_available: true };
        let mut tree = Tree::new(self.budget.most());
        for _ in self.budget.playouts() {
            let world = draw(rng);
            let seen = |world: &W, action| world.event(action, observer);
            tree.grow(&growth, world, policy, rng, seen);
        }
        tree.branches()
    }
}
