use super::Branch;
use oboro_core::{GameWorld, Policy, Rng, Seat};

/// The end of a list.
const NONE: u32 = u32::MAX;

/// How a tree grows.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Growth {
    /// The factor of the exploration term √(2 ln N / n).
    pub(super) c: f64,
    /// A leaf gets its actions on the visit after so many.
    pub(super) expand_after: u32,
    /// Whether N counts how often an action was available, not how often its node was visited.
    pub(super) count_available: bool,
}

/// A decision: its actions are a list of edges.
#[derive(Clone, Copy, Debug)]
struct Node {
    first: u32,
    last: u32,
    visits: u32,
    expanded: bool,
}

/// An action at a node.
#[derive(Clone, Copy, Debug)]
struct Edge<A> {
    action: A,
    next: u32,
    child: u32,
    visits: u32,
    available: u32,
    total: f64,
}

/// A node below an edge, for one thing that may be observed of the action.
#[derive(Clone, Copy, Debug)]
struct Child<K> {
    key: K,
    node: u32,
    next: u32,
}

/// A search tree kept in three flat lists, so that growing it seldom allocates.
///
/// Edges carry what their own mover made of them, so any number of seats works alike. Below an edge
/// there is one node for every key `K` that the action's outcome can show.
#[derive(Debug)]
pub(super) struct Tree<A, K> {
    nodes: Vec<Node>,
    edges: Vec<Edge<A>>,
    children: Vec<Child<K>>,
    path: Vec<(u32, Seat)>,
}

impl<A: Copy + Eq, K: PartialEq> Tree<A, K> {
    pub(super) fn new(playouts: u32) -> Tree<A, K> {
        let nodes = playouts as usize + 1;
        let mut tree = Tree {
            nodes: Vec::with_capacity(nodes.min(1 << 20)),
            edges: Vec::with_capacity((4 * nodes).min(1 << 20)),
            children: Vec::with_capacity(nodes.min(1 << 20)),
            path: Vec::with_capacity(64),
        };
        let root = tree.add_node();
        tree.nodes[root as usize].expanded = true;
        tree
    }

    fn add_node(&mut self) -> u32 {
        self.nodes.push(Node { first: NONE, last: NONE, visits: 0, expanded: false });
        self.nodes.len() as u32 - 1
    }

    /// One playout: down the tree with `world`, to the end by the policy, and back up.
    #[inline]
    pub(super) fn grow<W: GameWorld<Action = A>>(
        &mut self,
        growth: &Growth,
        mut world: W,
        policy: &mut impl Policy<W>,
        rng: &mut Rng,
        key: impl Fn(&W, A) -> K,
    ) {
        self.path.clear();
        let mut node = 0;
        while let Some(seat) = world.to_act() {
            let here = &mut self.nodes[node as usize];
            here.visits += 1;
            if !here.expanded {
                if here.visits <= growth.expand_after {
                    break;
                }
                here.expanded = true;
            }
            let edge = self.select(node, growth, &world, rng);
            self.path.push((edge, seat));
            let action = self.edges[edge as usize].action;
            let key = key(&world, action);
            world.apply(action);
            node = self.child(edge, key);
        }
        policy.play_out(&mut world, rng);
        for &(edge, seat) in &self.path {
            let edge = &mut self.edges[edge as usize];
            edge.visits += 1;
            edge.total += world.payoff(seat);
        }
    }

    /// The edge to follow from an expanded node: an untried action if the world allows one,
    /// otherwise the one with the highest upper confidence bound (UCB1).
    #[inline]
    fn select<W: GameWorld<Action = A>>(
        &mut self,
        node: u32,
        growth: &Growth,
        world: &W,
        rng: &mut Rng,
    ) -> u32 {
        let (edges, here) = (&mut self.edges, &mut self.nodes[node as usize]);
        // Legal actions come in a fixed order, and so do the edges: the next edge nearly always fits.
        let mut expected = here.first;
        let (mut best, mut best_bound) = (NONE, f64::NEG_INFINITY);
        let (mut untried, mut untried_count) = (NONE, 0usize);
        let mut log = (0, 0.0);
        world.for_each_legal(|action| {
            let found = find(edges, here, expected, action);
            let edge = &mut edges[found as usize];
            expected = edge.next;
            edge.available += 1;
            if edge.visits == 0 {
                untried_count += 1;
                // Every untried action gets the same chance.
                if untried_count == 1 || rng.below(untried_count) == 0 {
                    untried = found;
                }
                return;
            }
            if untried_count > 0 {
                return;
            }
            let trials = if growth.count_available { edge.available } else { here.visits };
            if log.0 != trials {
                log = (trials, 2.0 * libm::log(f64::from(trials)));
            }
            let visits = f64::from(edge.visits);
            let bound = edge.total / visits + growth.c * (log.1 / visits).sqrt();
            if bound > best_bound {
                (best, best_bound) = (found, bound);
            }
        });
        if untried_count > 0 { untried } else { best }
    }

    /// The node below an edge that shows `key`.
    #[inline]
    fn child(&mut self, edge: u32, key: K) -> u32 {
        let first = self.edges[edge as usize].child;
        let mut at = first;
        while at != NONE {
            let child = &self.children[at as usize];
            if child.key == key {
                return child.node;
            }
            at = child.next;
        }
        let node = self.add_node();
        self.edges[edge as usize].child = self.children.len() as u32;
        self.children.push(Child { key, node, next: first });
        node
    }

    /// What was found out about the actions at the root.
    pub(super) fn branches(&self) -> Vec<Branch<A>> {
        let mut branches = Vec::new();
        let mut at = self.nodes[0].first;
        while at != NONE {
            let edge = &self.edges[at as usize];
            branches.push(Branch {
                action: edge.action,
                visits: edge.visits.into(),
                mean: if edge.visits == 0 { 0.0 } else { edge.total / f64::from(edge.visits) },
                votes: 0,
            });
            at = edge.next;
        }
        let most = branches.iter().map(|b| b.visits).max();
        if let Some(best) = branches.iter_mut().find(|b| Some(b.visits) == most) {
            best.votes = 1;
        }
        branches
    }
}

/// The edge of an action, `expected` if that fits, else from the start; a new one at the end of the
/// list if there is none.
#[inline]
fn find<A: Copy + Eq>(edges: &mut Vec<Edge<A>>, node: &mut Node, expected: u32, action: A) -> u32 {
    if expected != NONE && edges[expected as usize].action == action {
        return expected;
    }
    let mut at = node.first;
    while at != NONE {
        if edges[at as usize].action == action {
            return at;
        }
        at = edges[at as usize].next;
    }
    let new = edges.len() as u32;
    edges.push(Edge { action, next: NONE, child: NONE, visits: 0, available: 0, total: 0.0 });
    if node.first == NONE {
        node.first = new;
    } else {
        edges[node.last as usize].next = new;
    }
    node.last = new;
    new
}
