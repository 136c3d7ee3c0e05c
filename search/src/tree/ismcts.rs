use super::Branch;
use super::arena::{Growth, NONE, ROOT, Tree};
use super::leaves::Leaves;
use crate::Budget;
use oboro_core::{GameWorld, Policy, Rng, Seat};
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Information-set Monte Carlo tree search (Cowling, Powley and Whitehouse 2012).
///
/// A node is a sequence of observations since the decision: hidden actions that look the same lead to the same node. The
/// exploration term of an action counts the visits in which it was available.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Ismcts {
    /// Playouts per decision.
    pub budget: Budget,
    /// The factor C of the exploration term C·√(2 ln N / n).
    pub c: f64,
    /// Visits of a leaf before it is expanded.
    pub expand_after: u32,
    /// The seats whose observations separate nodes.
    pub observers: Observers,
}

/// The seats whose observations separate the nodes of an information-set search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Observers {
    /// The searching seat alone: one tree, in which the others choose by its observations, too.
    Own,
    /// All seats: a tree for each, in which that seat chooses by its own observations since the decision. What it knew
    /// before shows only in its legal actions. Exploration varies at random, so that no seat can infer hidden things from
    /// the order of the search.
    All {
        /// How many seats the game has.
        seats: usize,
    },
    /// All seats, and what each knew before the decision: a seat chooses by its own view in the sampled world. That suits
    /// small games, where views come up again and again.
    Views {
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
        W::View: Hash,
    {
        let by_views = matches!(self.observers, Observers::Views { .. });
        let seat_tree = |seat| {
            let roots = (by_views && seat != observer).then(BTreeMap::new);
            SeatTree::new(seat, self.budget.max_playouts(), roots)
        };
        match self.observers {
            Observers::Own => {
                let mut trees = [seat_tree(observer)];
                self.grow::<false, W>(&mut trees, draw, policy, rng);
                trees[0].tree.branches()
            }
            Observers::All { seats } | Observers::Views { seats } => {
                let mut trees: Vec<_> = Seat::all(seats).map(seat_tree).collect();
                self.grow::<true, W>(&mut trees, draw, policy, rng);
                trees[observer.index()].tree.branches()
            }
        }
    }

    /// Runs the playouts. With `ALL` there is a tree for each seat; otherwise one for them all.
    fn grow<const ALL: bool, W: GameWorld>(
        &self,
        trees: &mut [SeatTree<W>],
        mut draw: impl FnMut(&mut Rng) -> W,
        policy: &mut impl Policy<W>,
        rng: &mut Rng,
    ) where
        W::Event: PartialEq,
        W::View: Hash,
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
                tree.start(&world);
            }
            while let Some(mover) = world.to_act() {
                let SeatTree { tree, at, .. } = &mut trees[tree_of(mover)];
                if !tree.enter(*at, weight, &growth) {
                    break;
                }
                let edge = tree.select::<ALL, W>(*at, weight, &growth, &world, rng);
                path.push((edge, mover));
                let action = tree.action(edge);
                for tree in trees.iter_mut() {
                    tree.observe(&world, action);
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

/// A tree whose nodes are separated by the observations of one seat.
struct SeatTree<W: GameWorld> {
    seat: Seat,
    tree: Tree<W::Action>,
    /// Where the seat starts, by the hash of its view; `None` if it always starts at the same root.
    roots: Option<BTreeMap<u64, u32>>,
    /// The node of the present playout.
    at: u32,
    /// By node the first of its list of observations.
    first: Vec<u32>,
    observations: Vec<Observation<W::Event>>,
}

/// An observation at a node, and the node that it leads to.
struct Observation<E> {
    event: E,
    node: u32,
    next: u32,
}

impl<W: GameWorld> SeatTree<W>
where
    W::Event: PartialEq,
    W::View: Hash,
{
    fn new(seat: Seat, playouts: u32, roots: Option<BTreeMap<u64, u32>>) -> SeatTree<W> {
        let observations = Vec::with_capacity(playouts.min(1 << 20) as usize);
        let tree = Tree::new(playouts);
        SeatTree { seat, tree, roots, at: ROOT, first: vec![NONE], observations }
    }

    /// Goes to where a playout in `world` starts.
    #[inline]
    fn start(&mut self, world: &W) {
        self.at = ROOT;
        if let Some(roots) = &mut self.roots {
            let mut hasher = DefaultHasher::new();
            world.view(self.seat).hash(&mut hasher);
            self.at = *roots.entry(hasher.finish()).or_insert_with(|| {
                self.first.push(NONE);
                self.tree.add_node()
            });
        }
    }

    /// Goes on to the node of the seat's observation of `action` in `world`.
    #[inline]
    fn observe(&mut self, world: &W, action: W::Action) {
        let event = world.event(action, self.seat);
        let first = self.first[self.at as usize];
        let (mut before, mut found) = (NONE, first);
        while found != NONE && self.observations[found as usize].event != event {
            before = found;
            found = self.observations[found as usize].next;
        }
        if found == NONE {
            found = self.observations.len() as u32;
            let node = self.tree.add_node();
            self.first.push(NONE);
            self.observations.push(Observation { event, node, next: first });
        } else if found != first {
            // To the front: frequent observations are found soon.
            self.observations[before as usize].next = self.observations[found as usize].next;
            self.observations[found as usize].next = first;
        }
        self.first[self.at as usize] = found;
        self.at = self.observations[found as usize].node;
    }
}
