use super::Branch;
use super::shortlist::{MAX_ACTIONS, Shortlist, Shortlists};
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
    /// How many actions it had at first: their edges lie one after the other, and so do their places.
    actions: u8,
    /// Where they are in the shortlists, if they are.
    place: u32,
    /// What they were told from ([`GameWorld::legal_word`]).
    word: u64,
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
    /// Where it is in the shortlists, if it is.
    place: u32,
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
    shortlists: Shortlists,
}

impl<A: Copy + Eq> Tree<A> {
    /// A tree of one node, with room for about as many as there will be playouts.
    pub(super) fn new(playouts: u32) -> Tree<A> {
        let nodes = playouts as usize + 1;
        let mut tree = Tree {
            nodes: Vec::with_capacity(nodes.min(1 << 20)),
            edges: Vec::with_capacity((4 * nodes).min(1 << 20)),
            legal: Vec::new(),
            shortlists: Shortlists::new(),
        };
        let root = tree.add_node();
        tree.nodes[root as usize].expanded = true;
        tree
    }

    #[inline]
    pub(super) fn add_node(&mut self) -> u32 {
        self.nodes.push(Node {
            first: NONE,
            last: NONE,
            visits: 0,
            expanded: false,
            actions: 0,
            place: NONE,
            word: 0,
        });
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
        if edge.place != NONE {
            self.shortlists.put(edge.place, edge.mean, edge.rarity);
        }
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
        let word = if VARY || growth.count_available { None } else { world.legal_word() };
        if let Some(word) = word {
            let here = &self.nodes[node as usize];
            if here.word == word
                && here.place != NONE
                && let Some(edge) = self.select_listed(here, growth, rng)
            {
                return edge;
            }
        }
        let is_new = self.nodes[node as usize].first == NONE;
        let edge = self.select_legal::<VARY, W>(node, playouts, growth, world, rng);
        if let Some(word) = word
            && is_new
            && self.legal.len() <= MAX_ACTIONS
        {
            self.list(node, word);
        }
        edge
    }

    /// Puts the actions of a new node, which were just found to be legal, into the shortlists.
    fn list(&mut self, node: u32, word: u64) {
        let here = &mut self.nodes[node as usize];
        here.actions = self.legal.len() as u8;
        here.word = word;
        here.place = self.shortlists.add(self.legal.len());
        let edges = &mut self.edges[here.first as usize..][..self.legal.len()];
        for (edge, place) in edges.iter_mut().zip(here.place..) {
            edge.place = place;
        }
    }

    /// As [`select_legal`](Tree::select_legal) at a node whose actions are those of its shortlist, if that can tell.
    #[inline]
    fn select_listed(&self, here: &Node, growth: &Growth, rng: &mut Rng) -> Option<u32> {
        let among = self.shortlists.among(here.place, here.actions.into(), here.visits, growth.c);
        let chosen = match among {
            Shortlist::Untried(mut rest) => {
                let mut chosen = rest;
                for seen in 2..=rest.count_ones() as usize {
                    rest &= rest - 1;
                    // Every untried action gets the same chance.
                    chosen = if rng.below(seen) == 0 { rest } else { chosen };
                }
                chosen
            }
            Shortlist::Best(few) if few & few.wrapping_sub(1) == 0 => few,
            Shortlist::Best(some) => self.best_exactly(here, some, growth),
        };
        (chosen != 0).then(|| here.first + chosen.trailing_zeros())
    }

    /// The first of the best of some actions of a node.
    fn best_exactly(&self, here: &Node, some: u32, growth: &Growth) -> u32 {
        let edge = |bit: u32| &self.edges[(here.first + bit.trailing_zeros()) as usize];
        let (mut best, mut best_bound) = (some, None);
        let mut log = None;
        let mut bound = |edge: &Edge<A>| {
            let log = *log.get_or_insert_with(|| twice_the_log(here.visits));
            edge.mean + growth.c * (log / f64::from(edge.visits)).sqrt()
        };
        let mut rest = some & (some - 1);
        while rest != 0 {
            let (known, other) = (edge(best), edge(rest));
            // Mostly they are equal because what is known of them is.
            if (other.visits, other.mean) != (known.visits, known.mean) {
                let best_so_far = *best_bound.get_or_insert_with(|| bound(known));
                let bound = bound(other);
                if bound > best_so_far {
                    (best, best_bound) = (rest, Some(bound));
                }
            }
            rest &= rest - 1;
        }
        best
    }

    /// The same by looking at one legal action after the other.
    fn select_legal<const VARY: bool, W: GameWorld<Action = A>>(
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
            // The luckiest action is chosen: with a mean of 1 that would explore more than `c` says.
            let vary = if VARY { rng.unit() } else { 1.0 };
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
        let max = branches.iter().map(|b| b.visits).max();
        if let Some(best) = branches.iter_mut().find(|b| Some(b.visits) == max) {
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
        place: NONE,
    });
    if node.first == NONE {
        node.first = new;
    } else {
        edges[node.last as usize].next = new;
    }
    node.last = new;
    new
}
