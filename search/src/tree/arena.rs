use super::Branch;
use oboro_core::{GameWorld, Rng};

/// The end of a list.
pub(super) const NONE: u32 = u32::MAX;
/// The node of the decision that is searched.
pub(super) const ROOT: u32 = 0;

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
    /// See [`Tree::below`].
    child: u32,
    visits: u32,
    available: u32,
    total: f64,
    /// The total by the visits, and one by their root: an edge is looked at far more often than it is followed.
    mean: f64,
    rarity: f64,
}

/// Decisions and what became of them, kept in flat lists, so that growing seldom allocates.
///
/// Edges carry what their own mover made of them, so any number of seats works alike. What leads from
/// an edge to the next node is the search's to say: the action alone ([`Tree::below`]), or what
/// somebody saw of it.
#[derive(Debug)]
pub(super) struct Tree<A> {
    nodes: Vec<Node>,
    edges: Vec<Edge<A>>,
    /// The legal actions of the node at hand: choosing among them is quicker in a loop of its own than in calls back.
    legal: Vec<A>,
}

impl<A: Copy + Eq> Tree<A> {
    /// A tree of one node, with room for about as many as there will be playouts.
    pub(super) fn new(playouts: u32) -> Tree<A> {
        let nodes = playouts as usize + 1;
        let mut tree = Tree {
            nodes: Vec::with_capacity(nodes.min(1 << 20)),
            edges: Vec::with_capacity((4 * nodes).min(1 << 20)),
            legal: Vec::new(),
        };
        let root = tree.add_node();
        tree.nodes[root as usize].expanded = true;
        tree
    }

    #[inline]
    pub(super) fn add_node(&mut self) -> u32 {
        self.nodes.push(Node { first: NONE, last: NONE, visits: 0, expanded: false });
        self.nodes.len() as u32 - 1
    }

    /// Counts the visit of so many playouts at a node; says whether an action is to be selected there, or whether the
    /// tree ends here for now.
    #[inline]
    pub(super) fn enter(&mut self, node: u32, playouts: u32, growth: &Growth) -> bool {
        let here = &mut self.nodes[node as usize];
        here.expanded |= here.visits >= growth.expand_after;
        here.visits += playouts;
        here.expanded
    }

    /// The action of an edge.
    #[inline]
    pub(super) fn action(&self, edge: u32) -> A {
        self.edges[edge as usize].action
    }

    /// Counts playouts that went through an edge, with what they were worth together.
    #[inline]
    pub(super) fn credit(&mut self, edge: u32, playouts: u32, payoffs: f64) {
        let edge = &mut self.edges[edge as usize];
        edge.visits += playouts;
        edge.total += payoffs;
        edge.mean = edge.total / f64::from(edge.visits);
        edge.rarity = 1.0 / f64::from(edge.visits).sqrt();
    }

    /// The edge to follow from an expanded node: an untried action if the world allows one,
    /// otherwise the one with the highest upper confidence bound (UCB1).
    ///
    /// With `VARY` the exploration term is drawn between none and twice its size. Seats that cannot see
    /// each other's choices would else fall into step, and one would always be right.
    #[inline]
    pub(super) fn select<const VARY: bool, W: GameWorld<Action = A>>(
        &mut self,
        node: u32,
        playouts: u32,
        growth: &Growth,
        world: &W,
        rng: &mut Rng,
    ) -> u32 {
        let (edges, here) = (&mut self.edges, &mut self.nodes[node as usize]);
        self.legal.clear();
        world.legal(&mut self.legal);
        // Legal actions come in a fixed order, and so do the edges: the next edge nearly always fits.
        let mut expected = here.first;
        let (mut best, mut best_bound) = (NONE, f64::NEG_INFINITY);
        let (mut untried, mut untried_count) = (NONE, 0usize);
        let mut log = (0, 0.0, 0.0);
        for &action in &self.legal {
            let found = match edges.get(expected as usize) {
                Some(edge) if edge.action == action => expected,
                _ => find(edges, here, action),
            };
            let edge = &mut edges[found as usize];
            expected = edge.next;
            if growth.count_available {
                edge.available += playouts;
            }
            if edge.visits == 0 {
                untried_count += 1;
                // Every untried action gets the same chance.
                if untried_count == 1 || rng.below(untried_count) == 0 {
                    untried = found;
                }
                continue;
            }
            if untried_count > 0 {
                continue;
            }
            let trials = if growth.count_available { edge.available } else { here.visits };
            if log.0 != trials {
                let twice = twice_the_log(trials);
                log = (trials, twice, growth.c * twice.sqrt() * ABOVE);
            }
            let vary = if VARY { 2.0 * rng.unit() } else { 1.0 };
            // Never below the bound, and no root or division: it spares most edges the bound itself.
            if edge.mean + log.2 * edge.rarity * vary <= best_bound {
                continue;
            }
            let exploration = growth.c * (log.1 / f64::from(edge.visits)).sqrt();
            let bound = edge.mean + if VARY { exploration * vary } else { exploration };
            if bound > best_bound {
                (best, best_bound) = (found, bound);
            }
        }
        if untried_count > 0 { untried } else { best }
    }

    /// The node below an edge, in a tree that tells nodes apart by actions alone.
    #[inline]
    pub(super) fn below(&mut self, edge: u32) -> u32 {
        let known = self.edges[edge as usize].child;
        if known != NONE {
            return known;
        }
        let node = self.add_node();
        self.edges[edge as usize].child = node;
        node
    }

    /// What was found out about the actions at the root.
    pub(super) fn branches(&self) -> Vec<Branch<A>> {
        let mut branches = Vec::new();
        let mut at = self.nodes[ROOT as usize].first;
        while at != NONE {
            let edge = &self.edges[at as usize];
            branches.push(Branch {
                action: edge.action,
                visits: edge.visits.into(),
                mean: edge.mean,
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

/// What makes up for all rounding in another way to compute an exploration term: sums are rounded alike, so what was larger
/// before stays no smaller.
const ABOVE: f64 = 1.0 + 1e-9;

/// Once a visit of a node, so it had better not be compiled into the loop over its edges.
#[inline(never)]
fn twice_the_log(trials: u32) -> f64 {
    2.0 * libm::log(f64::from(trials))
}

/// The edge of an action; a new one at the end of the list if there is none.
fn find<A: Copy + Eq>(edges: &mut Vec<Edge<A>>, node: &mut Node, action: A) -> u32 {
    let mut at = node.first;
    while at != NONE {
        if edges[at as usize].action == action {
            return at;
        }
        at = edges[at as usize].next;
    }
    let new = edges.len() as u32;
    edges.push(Edge {
        action,
        next: NONE,
        child: NONE,
        visits: 0,
        available: 0,
        total: 0.0,
        mean: 0.0,
        rarity: 0.0,
    });
    if node.first == NONE {
        node.first = new;
    } else {
        edges[node.last as usize].next = new;
    }
    node.last = new;
    new
}
