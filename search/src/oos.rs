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
/// Values of actions that were not sampled are estimated by those seen before (Schmid et al. 2019), regrets below 0 are
/// forgotten, and later playouts weigh more.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Oos {
    /// Playouts per decision.
    pub budget: Budget,
    /// The share of playouts that are led to the decision at hand.
    pub target: f64,
    /// The share of actions that are tried regardless of regrets.
    pub explore: f64,
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
    playouts: f64,
}

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
    sums: Vec<f64>,
    /// Mean values of actions, one a seat.
    values: Vec<f64>,
}

/// A decision of a sampled game.
struct Step {
    seat: usize,
    place: usize,
    chosen: usize,
    strategy: Vec<f64>,
    /// How likely this action was sampled here.
    sampled: f64,
    /// How likely the sampled game came here, and by the strategies of each seat.
    likely: f64,
    reaches: Vec<f64>,
    /// What the strategy here weighs in the average: how likely its seat came here by its own choices. Those that the
    /// searching seat has really made are made, however unlikely they look now.
    weight: f64,
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

/// A game that is being sampled.
struct Run {
    /// Whether it is led to the decision at hand.
    led: bool,
    likely: Likely,
    /// By the strategies of each seat, how likely it has come here.
    reaches: Vec<f64>,
    /// The same without what the searching seat has really done.
    weights: Vec<f64>,
    steps: Vec<Step>,
}

/// How a sampled game goes on.
enum Flow {
    On,
    /// A node that was never met before, with the places of its actions.
    Leaf(Range<usize>),
    /// Nothing agrees with what was seen.
    Lost,
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
            playouts: 0.0,
        }
    }

    fn think(&mut self, view: &G::View, rng: &mut Rng) -> Vec<(G::Action, f64)> {
        let actions = view.legal_actions();
        if let [only] = actions[..] {
            return vec![(only, 1.0)];
        }
        // Without a history the decision itself is the start.
        let start = self.start.get_or_insert_with(|| view.clone()).clone();
        self.table.make_room();
        for _ in self.oos.budget.playouts() {
            self.playouts += 1.0;
            self.sample(&start, rng);
        }
        let key = hash_of(view.seat(), view);
        let shares = match self.table.place(key, actions.len(), self.game.seats()) {
            Some((place, _)) => in_proportion(&self.table.sums[place..place + actions.len()]),
            None => in_proportion(&vec![0.0; actions.len()]),
        };
        actions.into_iter().zip(shares).collect()
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

    /// Samples one game and learns from it.
    fn sample(&mut self, start: &G::View, rng: &mut Rng) {
        let me = start.seat();
        let led = rng.chance(self.oos.target);
        let mut world = if led { start.imagine(rng) } else { self.game.deal(rng) };
        let alike = led || world.view(me) == *start;
        if !led {
            self.deals[0] += 1.0;
            self.deals[1] += f64::from(u8::from(alike));
        }
        let rare = (self.deals[0] + 2.0) / (self.deals[1] + 1.0);
        let likely = Likely { led: if alike { rare } else { 0.0 }, free: 1.0 };
        let (reaches, weights) = (vec![1.0; self.game.seats()], vec![1.0; self.game.seats()]);
        let mut run = Run { led, likely, reaches, weights, steps: Vec::new() };
        let mut fresh = 0..0;
        for ply in 0.. {
            let Some(seat) = world.to_act() else { break };
            let event = self.events.get(ply).filter(|_| run.likely.led > 0.0).cloned();
            match self.step(&mut world, seat, event.map(|event| (me, event)), &mut run, rng) {
                Flow::On => {}
                Flow::Lost => return,
                Flow::Leaf(actions) => {
                    fresh = actions;
                    break;
                }
            }
        }
        let payoffs = self.play_out(world, rng);
        // A first guess of what the actions of a new node are worth.
        let seats = payoffs.len();
        for values in self.table.values[fresh.start * seats..fresh.end * seats].chunks_mut(seats) {
            values.copy_from_slice(&payoffs);
        }
        let steps = run.steps.iter().rev();
        steps.fold(payoffs, |worth, step| self.table.learn(step, &worth, self.playouts));
    }

    /// Plays one sampled action; `known` is what the seat that searches saw of the action that was really played here.
    fn step(
        &mut self,
        world: &mut G::World,
        seat: Seat,
        known: Option<(Seat, G::Event)>,
        run: &mut Run,
        rng: &mut Rng,
    ) -> Flow {
        let mut actions = Vec::new();
        world.legal(&mut actions);
        let key = hash_of(seat, &world.view(seat));
        let Some((place, new)) = self.table.place(key, actions.len(), run.reaches.len()) else {
            return Flow::Leaf(0..0);
        };
        // The way to the decision at hand is walked to its end; elsewhere the tree grows by one node.
        if new && !(run.led && known.is_some()) {
            return Flow::Leaf(place..place + actions.len());
        }
        let fits = |action: G::Action| {
            known.as_ref().is_none_or(|(me, event)| world.event(action, *me) == *event)
        };
        let fits: Vec<bool> = actions.iter().map(|&action| fits(action)).collect();
        let strategy = in_proportion(&self.table.regrets[place..place + actions.len()]);
        let explore = self.oos.explore / actions.len() as f64;
        let share = |at: usize| explore + (1.0 - self.oos.explore) * strategy[at];
        let fitting: f64 = (0..actions.len()).filter(|&at| fits[at]).map(share).sum();
        if run.led && fitting == 0.0 {
            return Flow::Lost;
        }
        let open = (0..actions.len()).filter(|&at| !run.led || fits[at]);
        let weighed: Vec<(usize, f64)> = open.map(|at| (at, share(at))).collect();
        let chosen = draw_action(&weighed, rng);
        let before = run.likely.mixed(self.oos.target);
        run.likely.free *= share(chosen);
        run.likely.led *= if fits[chosen] { share(chosen) / fitting } else { 0.0 };
        let sampled = run.likely.mixed(self.oos.target) / before;
        let reaches = run.reaches.clone();
        let (seat, likely, weight) = (seat.index(), before, run.weights[seat.index()]);
        run.reaches[seat] *= strategy[chosen];
        let done = known.is_some_and(|(me, _)| me.index() == seat) && fits[chosen];
        run.weights[seat] *= if done { 1.0 } else { strategy[chosen] };
        run.steps.push(Step { seat, place, chosen, strategy, sampled, likely, reaches, weight });
        world.apply(actions[chosen]);
        Flow::On
    }
}

impl Table {
    /// An empty table of at most so many megabytes.
    fn new(megabytes: u32, seats: usize) -> Table {
        // A vector that grows may be half empty.
        let bytes = 2 * size_of::<f64>() * (2 + seats);
        Table { most: ((megabytes as usize) << 20) / bytes, ..Table::default() }
    }

    /// Forgets everything if more than half of the table is in use.
    fn make_room(&mut self) {
        if self.regrets.len() > self.most / 2 {
            self.places.clear();
            for values in [&mut self.regrets, &mut self.sums, &mut self.values] {
                values.clear();
            }
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
        self.sums.resize(end, 0.0);
        self.values.resize(end * seats, 0.0);
        Some((start, true))
    }

    /// Learns from what a sampled action was worth to each seat; what the decision was worth.
    fn learn(&mut self, step: &Step, worth: &[f64], time: f64) -> Vec<f64> {
        /// How much of a new value goes into the mean.
        const RATE: f64 = 0.1;
        let (seats, count) = (worth.len(), step.strategy.len());
        let at = |action: usize, seat: usize| (step.place + action) * seats + seat;
        let estimate = |values: &[f64], action: usize, seat: usize| {
            let known = values[at(action, seat)];
            let seen = if action == step.chosen { worth[seat] - known } else { 0.0 };
            known + seen / step.sampled
        };
        let mean = |seat: usize| -> f64 {
            let shares = step.strategy.iter().enumerate();
            shares.map(|(action, share)| share * estimate(&self.values, action, seat)).sum()
        };
        let means: Vec<f64> = (0..seats).map(mean).collect();
        let others = (0..seats).filter(|&seat| seat != step.seat);
        let weight = others.map(|seat| step.reaches[seat]).product::<f64>() / step.likely;
        let own = time * step.weight / step.likely;
        for action in 0..count {
            let gain = estimate(&self.values, action, step.seat) - means[step.seat];
            let regret = &mut self.regrets[step.place + action];
            *regret = (*regret + weight * gain).max(0.0);
            self.sums[step.place + action] += own * step.strategy[action];
        }
        for (seat, worth) in worth.iter().enumerate() {
            let value = &mut self.values[at(step.chosen, seat)];
            *value += RATE * (worth - *value);
        }
        means
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
