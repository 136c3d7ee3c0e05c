use super::Branch;
use crate::Budget;
use oboro_core::{GameWorld, Rng, Seat};

/// Tree search guided by an evaluator, as `AlphaZero`'s is (Silver et al. 2017), for games of hidden information: every playout
/// goes through a freshly imagined world, and nodes are what the searching seat has seen since the decision. The others choose
/// there by its knowledge, too.
///
/// A playout ends at the first position that was not evaluated yet. Those of a batch are evaluated together.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct GuidedSearch {
    /// Playouts, and how many of them go together.
    pub budget: Budget,
    /// The weight of exploration, in payoffs.
    pub c: f64,
}

/// What an evaluator says of a position.
#[derive(Clone, PartialEq, Debug)]
pub struct Evaluation {
    /// The probability of each legal action of the seat to move, in their order.
    pub policy: Vec<f64>,
    /// The expected payoff of each seat. A tree search needs them; the player plays games out where there are none.
    pub values: Vec<f64>,
    /// For the player: the log odds that the truth is so at each cell of the board; empty where nothing is said of them.
    pub beliefs: Vec<f64>,
}

/// A game that a search plays on: a world, and whatever else an evaluator needs to know of it.
pub trait Simulation {
    /// The world of the game.
    type World: GameWorld;
    /// How it stands.
    fn world(&self) -> &Self::World;
    /// Plays a legal action.
    fn play(&mut self, action: <Self::World as GameWorld>::Action);
}

impl<W: GameWorld> Simulation for W {
    type World = W;

    fn world(&self) -> &W {
        self
    }

    fn play(&mut self, action: W::Action) {
        self.apply(action);
    }
}

/// What the searching seat has seen since the decision.
struct Node<W: GameWorld> {
    /// What the position is worth to the seat to move; none if it was not evaluated yet.
    value: Option<f64>,
    edges: Vec<Edge<W::Action>>,
    /// What may be seen next, and the nodes of that.
    next: Vec<(W::Event, usize)>,
}

/// An action at a node.
struct Edge<A> {
    action: A,
    prior: f64,
    visits: u64,
    /// Playouts that went here and wait for their evaluation.
    pending: u64,
    /// The payoffs of the seat to move, added up.
    total: f64,
}

/// The way of a playout: nodes, their edges, and who chose.
type Path = Vec<(usize, usize, Seat)>;

struct Tree<W: GameWorld>(Vec<Node<W>>);

impl GuidedSearch {
    /// Runs the playouts. `draw` imagines a game that looks like the present one to the observer, whose turn it is. `evaluate`
    /// is asked for a batch of positions, each with somebody to move. Actions that were never tried are left out.
    ///
    /// # Errors
    /// What the evaluator fails with.
    ///
    /// # Panics
    /// If there are not as many evaluations as positions, probabilities as legal actions, or values as seats.
    pub fn search<S: Simulation<World: GameWorld<Event: PartialEq>>, E>(
        &self,
        observer: Seat,
        mut draw: impl FnMut(&mut Rng) -> S,
        mut evaluate: impl FnMut(&[S]) -> Result<Vec<Evaluation>, E>,
        rng: &mut Rng,
    ) -> Result<Vec<Branch<<S::World as GameWorld>::Action>>, E> {
        let mut tree = Tree(vec![Node::new()]);
        let start = [draw(rng)];
        let found = evaluate(&start)?;
        tree.expand(0, start[0].world(), &found[0]);
        for batch in self.budget.batches() {
            let (mut leaves, mut paths) = (Vec::new(), Vec::new());
            for _ in batch {
                let mut game = draw(rng);
                let path = tree.descend(observer, self.c, &mut game);
                if game.world().to_act().is_some() {
                    leaves.push(game);
                    paths.push(path);
                } else {
                    tree.back_up(&path.0, |seat| game.world().payoff(seat));
                }
            }
            if leaves.is_empty() {
                continue;
            }
            let found = evaluate(&leaves)?;
            assert_eq!(found.len(), leaves.len(), "an evaluation for each position");
            for ((leaf, (path, node)), evaluation) in leaves.iter().zip(&paths).zip(&found) {
                tree.expand(*node, leaf.world(), evaluation);
                tree.back_up(path, |seat| evaluation.values[seat.index()]);
            }
        }
        Ok(tree.branches())
    }
}

impl<W: GameWorld> Node<W> {
    fn new() -> Node<W> {
        Node { value: None, edges: Vec::new(), next: Vec::new() }
    }

    /// The edge of an action, which is made if the node does not have it: what others may do differs from world to world. The
    /// place where it is likely to be makes it quick.
    fn edge(&mut self, action: W::Action, place: usize, prior: f64) -> usize {
        if self.edges.get(place).is_some_and(|edge| edge.action == action) {
            return place;
        }
        let found = self.edges.iter().position(|edge| edge.action == action);
        found.unwrap_or_else(|| {
            self.edges.push(Edge { action, prior, visits: 0, pending: 0, total: 0.0 });
            self.edges.len() - 1
        })
    }

    /// The edge to follow in a world, by PUCT among the actions that are legal there. An action that was not tried yet counts
    /// as much as the position does.
    fn select(&mut self, c: f64, world: &W) -> usize {
        let mut legal = Vec::new();
        world.legal(&mut legal);
        let share = 1.0 / legal.len() as f64;
        let places: Vec<usize> = legal
            .iter()
            .enumerate()
            .map(|(place, &action)| self.edge(action, place, share))
            .collect();
        let tried = |place: usize| self.edges[place].visits + self.edges[place].pending;
        let spread = ((1 + places.iter().map(|&place| tried(place)).sum::<u64>()) as f64).sqrt();
        let value = self.value.unwrap_or_default();
        let score = |place: usize| {
            let edge = &self.edges[place];
            let mean = if edge.visits == 0 { value } else { edge.total / edge.visits as f64 };
            mean + c * edge.prior * spread / (1 + tried(place)) as f64
        };
        // The first of equals.
        let best = places.iter().copied().rev().max_by(|&a, &b| score(a).total_cmp(&score(b)));
        best.expect("a game that is not over has a legal action")
    }
}

impl<W: GameWorld> Tree<W>
where
    W::Event: PartialEq,
{
    /// Plays on to the end of the game, or to a node that was not evaluated yet.
    fn descend(
        &mut self,
        observer: Seat,
        c: f64,
        game: &mut impl Simulation<World = W>,
    ) -> (Path, usize) {
        let (mut path, mut node) = (Vec::new(), 0);
        while let Some(mover) = game.world().to_act() {
            if self.0[node].value.is_none() {
                break;
            }
            let edge = self.0[node].select(c, game.world());
            self.0[node].edges[edge].pending += 1;
            path.push((node, edge, mover));
            let action = self.0[node].edges[edge].action;
            let event = game.world().event(action, observer);
            game.play(action);
            node = self.below(node, event);
        }
        (path, node)
    }

    /// The node of what is seen next.
    fn below(&mut self, node: usize, event: W::Event) -> usize {
        let seen = self.0[node].next.iter().find(|(other, _)| *other == event);
        if let Some(&(_, next)) = seen {
            return next;
        }
        let next = self.0.len();
        self.0.push(Node::new());
        self.0[node].next.push((event, next));
        next
    }

    /// Notes an evaluation; a second one of the same node says nothing new.
    fn expand(&mut self, node: usize, world: &W, evaluation: &Evaluation) {
        let node = &mut self.0[node];
        let (Some(mover), None) = (world.to_act(), node.value) else { return };
        node.value = Some(evaluation.values[mover.index()]);
        let mut legal = Vec::new();
        world.legal(&mut legal);
        assert_eq!(legal.len(), evaluation.policy.len(), "a probability for each legal action");
        for (place, (&action, &prior)) in legal.iter().zip(&evaluation.policy).enumerate() {
            node.edge(action, place, prior);
        }
    }

    fn back_up(&mut self, path: &Path, payoff: impl Fn(Seat) -> f64) {
        for &(node, edge, mover) in path {
            let edge = &mut self.0[node].edges[edge];
            edge.pending -= 1;
            edge.visits += 1;
            edge.total += payoff(mover);
        }
    }

    /// The actions at the root that were tried.
    fn branches(&self) -> Vec<Branch<W::Action>> {
        let most = self.0[0].edges.iter().map(|edge| edge.visits).max().unwrap_or_default();
        let tried = self.0[0].edges.iter().filter(|edge| edge.visits > 0);
        let branch = |edge: &Edge<W::Action>| Branch {
            action: edge.action,
            visits: edge.visits,
            mean: edge.total / edge.visits as f64,
            votes: u32::from(edge.visits == most),
        };
        tried.map(branch).collect()
    }
}
