use super::{Branch, Uct};
use oboro_core::{GameWorld, Policy, Rng};

/// Perfect-information Monte Carlo: one tree a world, searched as if nothing were hidden; the trees
/// then vote for the action they visited most.
///
/// It overrates actions that need to know the world later (strategy fusion); that is what it is
/// here to be compared with.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Pimc {
    /// How many worlds, and trees.
    pub worlds: u32,
    /// How each tree is searched; a limit of time is for all of them together.
    pub tree: Uct,
}

impl Pimc {
    /// Searches the worlds that `draw` gives, all with the same seat to move and the same actions.
    pub fn search<W: GameWorld>(
        &self,
        mut draw: impl FnMut(&mut Rng) -> W,
        policy: &mut impl Policy<W>,
        rng: &mut Rng,
    ) -> Vec<Branch<W::Action>> {
        let mut sums: Vec<Branch<W::Action>> = Vec::new();
        let tree = Uct { budget: self.tree.budget.time_shared(self.worlds), ..self.tree };
        for _ in 0..self.worlds {
            let world = draw(rng);
            for branch in tree.search(|_| world.clone(), policy, rng) {
                match sums.iter_mut().find(|sum| sum.action == branch.action) {
                    None => sums.push(branch),
                    Some(sum) => {
                        let total =
                            sum.mean * sum.visits as f64 + branch.mean * branch.visits as f64;
                        sum.visits += branch.visits;
                        sum.votes += branch.votes;
                        sum.mean = total / (sum.visits as f64).max(1.0);
                    }
                }
            }
        }
        sums
    }
}
