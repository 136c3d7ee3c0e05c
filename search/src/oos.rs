use crate::Budget;
use oboro_core::{Agent, Analysis, Game, GameWorld, Policy, Rng, Seat, SeatView, draw_action};
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;

/// Online outcome sampling (Lisý, Lanctot and Bowling 2015): regrets are minimised by games sampled from the start, most of
/// them led to the decision at hand. Every seat chooses by its own view, and what was played weighs worlds by how likely
/// the strategies found so far would have played it. The answer is a mixed policy that comes nearer to equilibrium
/// with more playouts, in games with two seats and payoffs of constant sum.
///
/// A sampled game learns for one seat, in turn: there it branches, and the others play by their strategies (Lanctot et al. 2009;
/// Gibson et al. 2012). Values of actions that were not sampled are estimated by those seen before (Schmid et al. 2019), regrets
/// below 0 are forgotten, and later playouts weigh more. A seat that was seen to do what its strategy never does is assumed to have
/// erred, so that the search has an answer to that, too.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Oos {
    /// Playouts per decision.
    pub budget: Budget,
    /// The share of sampled games that are led to the decision at hand.
    pub target: f64,
    /// The share of actions that are tried regardless of regrets.
    pub explore: f64,
    /// How many actions of the seat that learns are tried at a decision, on average.
    pub width: f64,
    /// Megabytes of what is known of information sets. What was learnt is forgotten before a decision if it fills more
    /// than half of them.
    pub table: u32,
}

/// An agent that searches so, for one game.
#[derive(Clone, Debug)]
pub struct OosAgent<G: Game, P> {
    game: G,
    oos: Oos,
    policy: P,
    estimate: Option<Estimate<G::World>>,
    start: Option<G::View>,
    events: Vec<G::Event>,
    table: Table,
    /// Deals that were drawn freely, and how many of them the seat could not tell from its own.
    deals: [f64; 2],
    games: usize,
}

/// Events after which a search begins at the decision at hand: from where it begins it recurses, and stacks are finite.
const FAR: usize = 64;

/// After so many plies by the playout policy an unfinished game is worth what a function says.
type Estimate<W> = (u32, fn(&W, Seat) -> f64);

/// What is known of the information sets met so far.
#[derive(Clone, Debug, Default)]
struct Table {
    /// How many actions it may hold.
    most: usize,
    /// By the hash of a view, where its actions begin.
    places: BTreeMap<u64, usize>,
    regrets: Vec<f64>,
    /// Mean values of actions, one a seat.
    values: Vec<f64>,
}

/// How likely a game is sampled when it is led to the decision at hand, and when it is not.
#[derive(Clone, Copy)]
struct Likely {
    led: f64,
    free: f64,
}

impl Likely {
    fn mixed(self, target: f64) -> f64 {
        target * self.led + (1.0 - target) * self.free
    }
}

/// The way of a sampled game to a decision.
#[derive(Clone, Copy)]
struct Path {
    ply: usize,
    likely: Likely,
    /// How likely the game came here by the strategies of all seats but the one that learns.
    reach: f64,
}

/// A game that is being sampled.
struct Run {
    /// The seat whose regrets are learnt.
    learner: Seat,
    /// The seat that searches.
    searcher: Seat,
    /// Whether it is led to the decision at hand.
    led: bool,
    /// Playouts so far: it branches.
    playouts: u32,
}

/// A decision of a sampled game.
struct Node<A> {
    actions: Vec<A>,
    /// Which of them look to the seat that searches like what was really played here.
    fits: Vec<bool>,
    /// Whether something was.
    known: bool,
    strategy: Vec<f64>,
    /// How likely the sampled game came here.
    likely: f64,
    /// Where the values of its actions for the seat that learns begin, and how far one is from the next.
    values: usize,
    stride: usize,
}

fn hash_of(seat: Seat, view: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    seat.hash(&mut hasher);
    view.hash(&mut hasher);
    hasher.finish()
}

/// Every action in proportion to what is regretted; all alike where nothing is.
fn in_proportion(weights: &[f64]) -> Vec<f64> {
    let total: f64 = weights.iter().sum();
    let uniform = 1.0 / weights.len() as f64;
    weights.iter().map(|weight| if total > 0.0 { weight / total } else { uniform }).collect()
}

impl<G: Game, P: Policy<G::World>> OosAgent<G, P> {
    /// An agent at the start of a game.
    pub fn new(
        game: G,
        oos: Oos,
        policy: P,
        estimate: Option<Estimate<G::World>>,
    ) -> OosAgent<G, P> {
        let table = Table::new(oos.table, game.seats());
        OosAgent {
            game,
            oos,
            policy,
            estimate,
            start: None,
            events: Vec::new(),
            table,
            deals: [0.0; 2],
            games: 0,
        }
    }

    fn think(&mut self, view: &G::View, rng: &mut Rng) -> Vec<(G::Action, f64)> {
        let actions = view.legal_actions();
        if let [only] = actions[..] {
            return vec![(only, 1.0)];
        }
        if self.events.len() > FAR {
            self.start = None;
            self.events.clear();
        }
        // Without a history the decision itself is the start.
        let start = self.start.get_or_insert_with(|| view.clone()).clone();
        self.table.make_room();
        let (key, seats) = (hash_of(view.seat(), view), self.game.seats());
        let mut sums = vec![0.0; actions.len()];
        let (mut played, mut games) = (0, 0.0);
        for playout in self.oos.budget.playouts() {
            if playout < played {
                continue;
            }
            played += self.sample(&start, rng);
            games += 1.0;
            if let Some((place, _)) = self.table.place(key, actions.len(), seats) {
                let strategy = in_proportion(&self.table.regrets[place..place + actions.len()]);
                for (sum, share) in sums.iter_mut().zip(strategy) {
                    *sum += games * games * share;
                }
            }
        }
        actions.into_iter().zip(in_proportion(&sums)).collect()
    }

    /// What a world is worth to each seat, played out.
    fn play_out(&mut self, mut world: G::World, rng: &mut Rng) -> Vec<f64> {
        let seats = Seat::all(self.game.seats());
        let Some((plies, estimate)) = self.estimate else {
            self.policy.play_out(&mut world, rng);
            return seats.map(|seat| world.payoff(seat)).collect();
        };
        for _ in 0..plies {
            if world.to_act().is_some() {
                let action = self.policy.choose(&world, rng);
                world.apply(action);
            }
        }
        let over = world.to_act().is_none();
        seats.map(|s| if over { world.payoff(s) } else { estimate(&world, s) }).collect()
    }

    /// Samples a game and learns from it; how many playouts that took.
    fn sample(&mut self, start: &G::View, rng: &mut Rng) -> u32 {
        let searcher = start.seat();
        let learner = Seat::new(self.games % self.game.seats());
        self.games += 1;
        let led = rng.chance(self.oos.target);
        let world = if led { start.imagine(rng) } else { self.game.deal(rng) };
        let alike = led || world.view(searcher) == *start;
        if !led {
            self.deals[0] += 1.0;
            self.deals[1] += f64::from(u8::from(alike));
        }
        let rare = (self.deals[0] + 2.0) / (self.deals[1] + 1.0);
        let likely = Likely { led: if alike { rare } else { 0.0 }, free: 1.0 };
        let mut run = Run { learner, searcher, led, playouts: 0 };
        self.walk(&world, Path { ply: 0, likely, reach: 1.0 }, &mut run, rng);
        run.playouts.max(1)
    }

    /// Plays on and learns; what this is worth to the seat that learns.
    fn walk(&mut self, world: &G::World, path: Path, run: &mut Run, rng: &mut Rng) -> f64 {
        let Some(seat) = world.to_act() else {
            run.playouts += 1;
            return world.payoff(run.learner);
        };
        let mut actions = Vec::new();
        world.legal(&mut actions);
        let (count, stride) = (actions.len(), self.game.seats());
        let event = self.events.get(path.ply).filter(|_| path.likely.led > 0.0);
        let known = event.is_some();
        let fits = |&action: &G::Action| {
            event.is_none_or(|event| world.event(action, run.searcher) == *event)
        };
        let fits: Vec<bool> = actions.iter().map(fits).collect();
        let key = hash_of(seat, &world.view(seat));
        let Some((place, new)) = self.table.place(key, count, stride) else {
            return self.leaf(world, 0..0, run, rng);
        };
        // The way to the decision at hand is walked to its end; elsewhere the tree grows by one node.
        if new && !(run.led && known) {
            return self.leaf(world, place..place + count, run, rng);
        }
        let node = Node {
            actions,
            fits,
            known,
            strategy: in_proportion(&self.table.regrets[place..place + count]),
            likely: path.likely.mixed(self.oos.target),
            values: place * stride + run.learner.index(),
            stride,
        };
        if seat == run.learner {
            self.branch(world, path, &node, place, run, rng)
        } else {
            self.follow(world, path, node, run, rng)
        }
    }

    /// The first playout of a new node, whose result is a first guess of what its actions are worth.
    fn leaf(
        &mut self,
        world: &G::World,
        actions: Range<usize>,
        run: &mut Run,
        rng: &mut Rng,
    ) -> f64 {
        run.playouts += 1;
        let payoffs = self.play_out(world.clone(), rng);
        let seats = payoffs.len();
        let values = &mut self.table.values[actions.start * seats..actions.end * seats];
        values.chunks_mut(seats).for_each(|values| values.copy_from_slice(&payoffs));
        payoffs[run.learner.index()]
    }

    /// At a decision of the seat that learns: tries several actions.
    fn branch(
        &mut self,
        world: &G::World,
        path: Path,
        node: &Node<G::Action>,
        place: usize,
        run: &mut Run,
        rng: &mut Rng,
    ) -> f64 {
        /// Playouts after which a sampled game branches no more.
        const BUSHY: u32 = 32;
        let explore = self.oos.explore / node.actions.len() as f64;
        let only = node.fits.iter().filter(|fits| **fits).count() == 1;
        let mut worth = Vec::with_capacity(node.actions.len());
        for (at, share) in node.strategy.iter().enumerate() {
            let width = if run.playouts < BUSHY { self.oos.width } else { 1.0 };
            let free = (width * (explore + (1.0 - self.oos.explore) * share)).min(1.0);
            let led = match (node.known, node.fits[at]) {
                (true, false) => 0.0,
                (true, true) if only => 1.0,
                _ => free,
            };
            let tried = rng.chance(if run.led { led } else { free });
            let path = tried.then(|| path.below([led, free], 1.0));
            let value = self.table.values[node.slot(at)];
            worth.push(path.map_or(value, |path| self.value(world, path, node, at, run, rng)));
        }
        let mean: f64 = worth.iter().zip(&node.strategy).map(|(worth, share)| worth * share).sum();
        let weight = path.reach / node.likely;
        for (regret, worth) in self.table.regrets[place..].iter_mut().zip(worth) {
            *regret = (*regret + weight * (worth - mean)).max(0.0);
        }
        mean
    }

    /// At another seat's decision: plays by its strategy.
    fn follow(
        &mut self,
        world: &G::World,
        path: Path,
        mut node: Node<G::Action>,
        run: &mut Run,
        rng: &mut Rng,
    ) -> f64 {
        /// The share of errors at decisions that were really made.
        const ERRORS: f64 = 0.05;
        let count = node.actions.len();
        if node.known {
            for share in &mut node.strategy {
                *share = (1.0 - ERRORS) * *share + ERRORS / count as f64;
            }
        }
        let share = |at: usize| node.strategy[at];
        let fitting: f64 = (0..count).filter(|&at| node.fits[at]).map(share).sum();
        let value = |at: usize| self.table.values[node.slot(at)];
        let mean: f64 = (0..count).map(|at| share(at) * value(at)).sum();
        let open = (0..count).filter(|&at| !run.led || node.fits[at]);
        let open: Vec<(usize, f64)> = open.map(|at| (at, share(at))).collect();
        if open.is_empty() {
            // Nothing agrees with what was seen.
            return mean;
        }
        let chosen = draw_action(&open, rng);
        let led = if node.fits[chosen] { share(chosen) / fitting } else { 0.0 };
        let path = path.below([led, share(chosen)], share(chosen));
        let (before, share) = (value(chosen), share(chosen));
        mean + share * (self.value(world, path, &node, chosen, run, rng) - before)
    }

    /// What an action is worth to the seat that learns, by playing on and by what is known of it.
    fn value(
        &mut self,
        world: &G::World,
        path: Path,
        node: &Node<G::Action>,
        at: usize,
        run: &mut Run,
        rng: &mut Rng,
    ) -> f64 {
        /// How much of a new value goes into the mean.
        const RATE: f64 = 0.1;
        let mut next = world.clone();
        next.apply(node.actions[at]);
        let worth = self.walk(&next, path, run, rng);
        let sampled = path.likely.mixed(self.oos.target) / node.likely;
        let value = &mut self.table.values[node.slot(at)];
        let estimate = *value + (worth - *value) / sampled;
        *value += RATE * (worth - *value);
        estimate
    }
}

impl Path {
    /// The way on, by an action that is sampled so likely when the game is led and when it is not, and that is so likely by
    /// the strategy of a seat that does not learn.
    fn below(self, [led, free]: [f64; 2], reach: f64) -> Path {
        let likely = Likely { led: self.likely.led * led, free: self.likely.free * free };
        Path { ply: self.ply + 1, likely, reach: self.reach * reach }
    }
}

impl<A> Node<A> {
    /// Where the value of an action for the seat that learns is.
    fn slot(&self, at: usize) -> usize {
        self.values + at * self.stride
    }
}

impl Table {
    /// An empty table of at most so many megabytes.
    fn new(megabytes: u32, seats: usize) -> Table {
        // A vector that grows may be half empty.
        let bytes = 2 * size_of::<f64>() * (1 + seats);
        Table { most: ((megabytes as usize) << 20) / bytes, ..Table::default() }
    }

    /// Forgets everything if more than half of the table is in use.
    fn make_room(&mut self) {
        if self.regrets.len() > self.most / 2 {
            self.places.clear();
            self.regrets.clear();
            self.values.clear();
        }
    }

    /// Where the actions of a view begin, and whether it was never met before; nothing if there is no room for it.
    fn place(&mut self, key: u64, actions: usize, seats: usize) -> Option<(usize, bool)> {
        if let Some(&place) = self.places.get(&key) {
            return Some((place, false));
        }
        let (start, end) = (self.regrets.len(), self.regrets.len() + actions);
        if end > self.most {
            return None;
        }
        self.places.insert(key, start);
        self.regrets.resize(end, 0.0);
        self.values.resize(end * seats, 0.0);
        Some((start, true))
    }
}

impl<G: Game, P: Policy<G::World> + Clone> Agent<G> for OosAgent<G, P> {
    fn begin(&mut self, view: &G::View) {
        self.start = Some(view.clone());
    }

    fn observe(&mut self, event: &G::Event) {
        self.events.push(event.clone());
    }

    fn act(&mut self, view: &G::View, rng: &mut Rng) -> G::Action {
        let policy = self.think(view, rng);
        draw_action(&policy, rng)
    }

    fn policy(&mut self, view: &G::View, rng: &mut Rng) -> Option<Vec<(G::Action, f64)>> {
        Some(self.clone().think(view, rng))
    }

    fn analyse(&mut self, view: &G::View, rng: &mut Rng) -> Analysis<G::Action> {
        let policy = self.clone().think(view, rng);
        Analysis::of_policy(draw_action(&policy, rng), policy)
    }
}
