use super::Branch;
use super::arena::{Growth, NONE, ROOT, Tree};
use super::leaves::Leaves;
use crate::Budget;
use oboro_core::{GameWorld, Policy, Rng, Seat};

/// Information-set Monte Carlo tree search (Cowling, Powley and Whitehouse 2012).
///
/// A node is what somebody has seen since the decision that is searched: hidden actions that look the
/// same lead to the same node. An action competes only with as many trials as it was available.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Ismcts {
    /// How many playouts a decision takes.
    pub budget: Budget,
    /// The factor C of the exploration term C·√(2 ln N / n).
    pub c: f64,
    /// Visits a leaf takes before its actions get nodes of their own.
    pub expand_after: u32,
    /// Whose eyes tell nodes apart.
    pub observers: Observers,
}

/// Whose eyes tell the nodes of an information-set search apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Observers {
    /// Those of the searching seat alone: one tree, in which the others, too, choose by what that seat
    /// has seen, as if they knew what it hid and did not know what it could not see.
    Own,
    /// Those of all seats: a tree for each, in which that seat chooses by what it has itself seen since
    /// the decision. What it knew before is told apart only by the actions it has. How much an
    /// action is explored varies at random, so that nobody can learn what another hides from the
    /// order in which the search tries things.
    All {
        /// How many seats the game has.
        seats: usize,
    },
}

impl Ismcts {
    /// Searches for `observer`, the seat to move in all the worlds that `draw` gives.
    ///
    /// # Panics
    /// If a seat is to move that is none of the [`Observers::All`].
    pub fn search<W: GameWorld>(
        &self,
        observer: Seat,
        draw: impl FnMut(&mut Rng) -> W,
        policy: &mut impl Policy<W>,
        rng: &mut Rng,
    ) -> Vec<Branch<W::Action>>
    where
        W::Event: PartialEq,
    {
        let watched = |seat| Watched::new(seat, self.budget.most());
        match self.observers {
            Observers::Own => {
                let mut trees = [watched(observer)];
                self.grow::<false, W>(&mut trees, draw, policy, rng);
                trees[0].tree.branches()
            }
            Observers::All { seats } => {
                let mut trees: Vec<_> = Seat::all(seats).map(watched).collect();
                self.grow::<true, W>(&mut trees, draw, policy, rng);
                trees[observer.index()].tree.branches()
            }
        }
    }

    /// Runs the playouts. With `ALL` there is a tree for each seat; otherwise one for them all.
    fn grow<const ALL: bool, W: GameWorld>(
        &self,
        trees: &mut [Watched<W>],
        mut draw: impl FnMut(&mut Rng) -> W,
        policy: &mut impl Policy<W>,
        rng: &mut Rng,
    ) where
        W::Event: PartialEq,
    {
        let growth = Growth { c: self.c, expand_after: self.expand_after, count_available: true };
        let tree_of = |seat: Seat| if ALL { seat.index() } else { 0 };
        let mut path = Vec::with_capacity(64);
        let mut leaves = Leaves::new();
        for batch in self.budget.batches() {
            let weight = batch.len() as u32;
            let mut world = draw(rng);
            path.clear();
            for tree in trees.iter_mut() {
                tree.at = ROOT;
            }
            while let Some(mover) = world.to_act() {
                let Watched { tree, at, .. } = &mut trees[tree_of(mover)];
                if !tree.enter(*at, weight, &growth) {
                    break;
                }
                let edge = tree.select::<ALL, W>(*at, weight, &growth, &world, rng);
                path.push((edge, mover));
                let action = tree.action(edge);
                for tree in trees.iter_mut() {
                    tree.watch(&world, action);
                }
                world.apply(action);
            }
            let ends = leaves.play_out(world, weight, policy, rng);
            for &(edge, mover) in &path {
                let total = ends.iter().map(|end| end.payoff(mover)).sum();
                trees[tree_of(mover)].tree.credit(edge, weight, total);
            }
        }
    }
}

/// A tree whose nodes are told apart by what one seat sees.
struct Watched<W: GameWorld> {
    seat: Seat,
    tree: Tree<W::Action>,
    /// Where the playout under way has come to.
    at: u32,
    /// For each node the first of the list of what can be seen there.
    first: Vec<u32>,
    sights: Vec<Sight<W::Event>>,
}

/// Something that can be seen at a node, and the node that it leads to.
struct Sight<E> {
    event: E,
    node: u32,
    next: u32,
}

impl<W: GameWorld> Watched<W>
where
    W::Event: PartialEq,
{
    fn new(seat: Seat, playouts: u32) -> Watched<W> {
        let sights = Vec::with_capacity(playouts.min(1 << 20) as usize);
        Watched { seat, tree: Tree::new(playouts), at: ROOT, first: vec![NONE], sights }
    }

    /// Goes on to the node of what the seat sees when `action` is played in `world`.
    #[inline]
    fn watch(&mut self, world: &W, action: W::Action) {
        let event = world.event(action, self.seat);
        let first = self.first[self.at as usize];
        let (mut before, mut found) = (NONE, first);
        while found != NONE && self.sights[found as usize].event != event {
            before = found;
            found = self.sights[found as usize].next;
        }
        if found == NONE {
            found = self.sights.len() as u32;
            let node = self.tree.add_node();
            self.first.push(NONE);
            self.sights.push(Sight { event, node, next: first });
        } else if found != first {
            // To the front: what is seen often is found soon.
            self.sights[before as usize].next = self.sights[found as usize].next;
            self.sights[found as usize].next = first;
        }
        self.first[self.at as usize] = found;
        self.at = self.sights[found as usize].node;
    }
}
