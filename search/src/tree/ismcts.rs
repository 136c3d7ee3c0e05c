use super::Branch;
use super::arena::{Growth, NONE, ROOT, Tree};
use super::leaves::Leaves;
use crate::Budget;
use oboro_core::{GameWorld, Policy, Rng, Seat};
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
    /// All seats: a tree for each, in which that seat chooses by its own view in the sampled world and its observations
    /// since. Until such a node is expanded, the node of the observations alone decides. Exploration varies at random, so that
    /// no seat can infer hidden things from the order of the search.
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
        W::Event: Clone + PartialEq,
        W::View: Hash,
    {
        let seat_tree = |seat| SeatTree::new(seat, self.budget.max_playouts());
        match self.observers {
            Observers::Own => {
                let mut trees = [seat_tree(observer)];
                self.grow::<false, W>(observer, &mut trees, draw, policy, rng);
                trees[0].tree.branches()
            }
            Observers::All { seats } => {
                let mut trees: Vec<_> = Seat::all(seats).map(seat_tree).collect();
                self.grow::<true, W>(observer, &mut trees, draw, policy, rng);
                trees[observer.index()].tree.branches()
            }
        }
    }

    /// Runs the playouts. With `ALL` there is a tree for each seat; otherwise one for them all.
    fn grow<const ALL: bool, W: GameWorld>(
        &self,
        observer: Seat,
        trees: &mut [SeatTree<W>],
        mut draw: impl FnMut(&mut Rng) -> W,
        policy: &mut impl Policy<W>,
        rng: &mut Rng,
    ) where
        W::Event: Clone + PartialEq,
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
                // Sampled worlds all look the same to the observer.
                tree.start((ALL && tree.seat != observer).then_some(&world));
            }
            while let Some(mover) = world.to_act() {
                let SeatTree { tree, by_view, by_events, .. } = &mut trees[tree_of(mover)];
                let known = by_view.filter(|&node| tree.enter(node, weight, &growth));
                let expanded = tree.enter(*by_events, weight, &growth);
                let Some(node) = known.or(expanded.then_some(*by_events)) else { break };
                let edge = tree.select::<ALL, W>(node, weight, &growth, &world, rng);
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
    /// Where the seat starts with a view.
    roots: Roots,
    /// The node of the present playout by the view at its start and observations since, if views are told apart.
    by_view: Option<u32>,
    /// The node by observations alone.
    by_events: u32,
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
    W::Event: Clone + PartialEq,
    W::View: Hash,
{
    fn new(seat: Seat, playouts: u32) -> SeatTree<W> {
        let room = playouts.min(1 << 20) as usize;
        let mut first = Vec::with_capacity(2 * room + 1);
        first.push(NONE);
        SeatTree {
            seat,
            tree: Tree::new(playouts),
            roots: Roots::default(),
            by_view: None,
            by_events: ROOT,
            first,
            observations: Vec::with_capacity(room),
        }
    }

    /// Goes to where a playout starts, for a seat that is told apart by its view in `world` if one is given.
    #[inline]
    fn start(&mut self, world: Option<&W>) {
        self.by_events = ROOT;
        self.by_view = world.map(|world| {
            let mut hasher = DefaultHasher::new();
            world.view(self.seat).hash(&mut hasher);
            self.roots.find(hasher.finish(), || {
                self.first.push(NONE);
                self.tree.add_node()
            })
        });
    }

    /// Goes on to the nodes of the seat's observation of `action` in `world`.
    #[inline]
    fn observe(&mut self, world: &W, action: W::Action) {
        let event = world.event(action, self.seat);
        self.by_view = self.by_view.map(|node| self.below(node, &event));
        self.by_events = self.below(self.by_events, &event);
    }

    /// The node below another after an observation.
    #[inline]
    fn below(&mut self, node: u32, event: &W::Event) -> u32 {
        let first = self.first[node as usize];
        let (mut before, mut found) = (NONE, first);
        while found != NONE && self.observations[found as usize].event != *event {
            before = found;
            found = self.observations[found as usize].next;
        }
        if found == NONE {
            found = self.observations.len() as u32;
            let below = self.tree.add_node();
            self.first.push(NONE);
            self.observations.push(Observation { event: event.clone(), node: below, next: first });
        } else if found != first {
            // To the front: frequent observations are found soon.
            self.observations[before as usize].next = self.observations[found as usize].next;
            self.observations[found as usize].next = first;
        }
        self.first[node as usize] = found;
        self.observations[found as usize].node
    }
}

/// Nodes by the hashes of views, in one list that doubles: growing seldom allocates.
#[derive(Default)]
struct Roots {
    slots: Vec<(u64, u32)>,
    used: usize,
}

impl Roots {
    /// The node of a hash, which is made if it is new.
    fn find(&mut self, hash: u64, make: impl FnOnce() -> u32) -> u32 {
        if 2 * self.used >= self.slots.len() {
            let more = vec![(0, NONE); (2 * self.slots.len()).max(256)];
            for slot in std::mem::replace(&mut self.slots, more) {
                if slot.1 != NONE {
                    let at = self.place(slot.0);
                    self.slots[at] = slot;
                }
            }
        }
        let at = self.place(hash);
        if self.slots[at].1 == NONE {
            self.used += 1;
            self.slots[at] = (hash, make());
        }
        self.slots[at].1
    }

    /// Where a hash is, or where it goes.
    fn place(&self, hash: u64) -> usize {
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        while self.slots[at].1 != NONE && self.slots[at].0 != hash {
            at = (at + 1) & mask;
        }
        at
    }
}
