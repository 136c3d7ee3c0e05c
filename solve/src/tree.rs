use crate::side::Side;
use oboro_core::{Game, GameWorld, Seat};

/// How large a tree may get.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Information sets, all seats together.
    pub sets: usize,
    /// Histories that are visited, endings included.
    pub histories: u64,
}

impl Default for Limits {
    /// Trees of a few gigabytes.
    fn default() -> Limits {
        Limits { sets: 20_000_000, histories: 400_000_000 }
    }
}

/// Why a game has no tree.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TreeError {
    /// The game does not list its deals.
    #[error("{0} is not small enough to be solved: it does not list its deals")]
    NoDeals(&'static str),
    /// The game's views are no information sets.
    #[error("{0} cannot be solved: its views do not tell all that a seat has seen and done")]
    Forgets(&'static str),
    /// A seat met the same view after different actions of its own.
    #[error(
        "a seat cannot tell `{0}` from `{1}`, but it acted differently before: the game lacks perfect recall"
    )]
    Recall(String, String),
    /// A limit was passed.
    #[error("{0} is too large under these rules: more than {sets} information sets or {histories} histories", sets = .1.sets, histories = .1.histories)]
    TooLarge(&'static str, Limits),
    /// An information set has none or too many.
    #[error("an information set has {0} actions, but 1 to 65535 are possible")]
    TooManyActions(usize),
}

/// The probability of every sequence of every seat, given the information set it belongs to: a strategy of each.
#[derive(Clone, PartialEq, Debug)]
pub struct Profile(pub Vec<Vec<f64>>);

/// A game in its sequence form.
#[derive(Clone, Debug)]
pub struct Tree<G: Game> {
    game: G,
    starts: Vec<G::World>,
    sides: Vec<Side<G::Action>>,
    ends: Ends,
    histories: u64,
}

/// The endings: one sequence of each seat, and what it is worth to each, weighted by chance. Payoffs are above or below the
/// share of what the rules fix, so that draws weigh nothing and are left out.
#[derive(Clone, Debug, Default)]
struct Ends {
    sequences: Vec<Vec<u32>>,
    payoffs: Vec<Vec<f64>>,
    /// What every seat gets besides.
    share: f64,
}

/// What grows a tree.
struct Grower<'a, G: Game> {
    tree: &'a mut Tree<G>,
    limits: Limits,
    history: Vec<G::Action>,
    /// By seat, the sequence it has come to.
    at: Vec<u32>,
    deal: u32,
    chance: f64,
}

impl<G: Game> Tree<G> {
    /// Walks through the whole game.
    ///
    /// # Errors
    /// If the game is too large, or its views are no information sets.
    pub fn new(game: &G, limits: Limits) -> Result<Tree<G>, TreeError> {
        if !G::PERFECT_RECALL {
            return Err(TreeError::Forgets(G::NAME));
        }
        let deals = game.deals().ok_or(TreeError::NoDeals(G::NAME))?;
        let seats = game.seats();
        let mut tree = Tree {
            game: game.clone(),
            starts: Vec::new(),
            sides: (0..seats).map(|_| Side::new()).collect(),
            ends: Ends {
                sequences: vec![Vec::new(); seats],
                payoffs: vec![Vec::new(); seats],
                share: game.payoff_sum().unwrap_or(0.0) / seats as f64,
            },
            histories: 0,
        };
        for (deal, (chance, world)) in deals.into_iter().enumerate() {
            tree.starts.push(world.clone());
            let (deal, at) = (deal as u32, vec![0; seats]);
            Grower { tree: &mut tree, limits, history: Vec::new(), at, deal, chance }
                .grow(&world)?;
        }
        for side in &tree.sides {
            side.recalls().map_err(|(one, other)| {
                let text = |set| game.write_position(&tree.world_of(side, set));
                TreeError::Recall(text(one), text(other))
            })?;
        }
        tree.ends.merge();
        Ok(tree)
    }

    /// A tree that was grown elsewhere, without endings.
    pub(crate) fn grown(game: G, starts: Vec<G::World>, sides: Vec<Side<G::Action>>) -> Tree<G> {
        Tree { game, starts, sides, ends: Ends::default(), histories: 0 }
    }

    /// The rules.
    pub fn game(&self) -> &G {
        &self.game
    }

    /// The information sets of each seat.
    pub fn sides(&self) -> &[Side<G::Action>] {
        &self.sides
    }

    /// How many information sets there are.
    pub fn sets(&self) -> usize {
        self.sides.iter().map(Side::len).sum()
    }

    /// How many histories there are, endings included; one is counted for every deal that it is possible in.
    pub fn histories(&self) -> u64 {
        self.histories
    }

    /// The start and the actions of a history that leads to an information set.
    pub fn history(&self, seat: usize, set: usize) -> (&G::World, &[G::Action]) {
        let (deal, actions) = self.sides[seat].history_of(set);
        (&self.starts[deal], actions)
    }

    /// A world of an information set.
    pub(crate) fn world_of(&self, side: &Side<G::Action>, set: usize) -> G::World {
        let (deal, actions) = side.history_of(set);
        let mut world = self.starts[deal].clone();
        for &action in actions {
            world.apply(action);
        }
        world
    }

    /// Every action equally likely.
    pub fn uniform(&self) -> Profile {
        Profile(self.sides.iter().map(Side::uniform).collect())
    }

    /// What the profile is worth to each seat.
    pub fn payoffs(&self, profile: &Profile) -> Vec<f64> {
        let reaches = self.reaches(profile);
        let mut values = Vec::new();
        (0..self.sides.len())
            .map(|seat| {
                self.values(seat, &reaches, &mut values);
                let side = &self.sides[seat];
                side.fold_up(&mut values, |sequences, values| {
                    sequences.map(|sequence| profile.0[seat][sequence] * values[sequence]).sum()
                });
                values[0] + self.ends.share
            })
            .collect()
    }

    /// What the best response to the other seats' strategies is worth to a seat, and the response: one action at each
    /// information set.
    pub fn best_response(&self, profile: &Profile, seat: usize) -> (f64, Vec<f64>) {
        self.respond(&self.reaches(profile), seat)
    }

    /// As [`best_response`](Tree::best_response), by the probabilities of the sequences.
    pub(crate) fn respond(&self, reaches: &[Vec<f64>], seat: usize) -> (f64, Vec<f64>) {
        let mut values = Vec::new();
        self.values(seat, reaches, &mut values);
        let mut response = vec![0.0; values.len()];
        self.sides[seat].fold_up(&mut values, |sequences, values| {
            let better = |a: &usize, b: &usize| values[*a].total_cmp(&values[*b]);
            let best = sequences.rev().max_by(better).expect("a set has an action");
            response[best] = 1.0;
            values[best]
        });
        (values[0] + self.ends.share, response)
    }

    /// By how much the seats together would gain if each answered the others best (`NashConv`).
    pub fn nash_conv(&self, profile: &Profile) -> f64 {
        let reaches = self.reaches(profile);
        let best: f64 = (0..self.sides.len()).map(|seat| self.respond(&reaches, seat).0).sum();
        best - self.payoffs(profile).iter().sum::<f64>()
    }

    /// What the best possible opponents win on average above what is fair: `NashConv` divided by the number of seats.
    pub fn exploitability(&self, profile: &Profile) -> f64 {
        self.nash_conv(profile) / self.sides.len() as f64
    }

    /// The probability of every sequence by its seat's own strategy.
    pub(crate) fn reaches(&self, profile: &Profile) -> Vec<Vec<f64>> {
        let mut all = vec![Vec::new(); self.sides.len()];
        for ((side, strategy), reaches) in self.sides.iter().zip(&profile.0).zip(&mut all) {
            side.reaches(strategy, reaches);
        }
        all
    }

    /// What the endings of each sequence of a seat are worth to it, given how likely the others come there.
    #[inline]
    pub(crate) fn values(&self, seat: usize, reaches: &[Vec<f64>], values: &mut Vec<f64>) {
        self.values_to(seat, seat, reaches, values);
    }

    /// The same, but what they are worth to the seat `to`.
    pub(crate) fn values_to(
        &self,
        to: usize,
        seat: usize,
        reaches: &[Vec<f64>],
        values: &mut Vec<f64>,
    ) {
        values.clear();
        values.resize(self.sides[seat].sequences(), 0.0);
        let Ends { sequences, payoffs, .. } = &self.ends;
        if let [first, second] = &sequences[..] {
            let (own, others) = if seat == 0 { (first, second) } else { (second, first) };
            let reach = &reaches[1 - seat][..];
            for ((&own, &other), payoff) in own.iter().zip(others).zip(&payoffs[to]) {
                values[own as usize] += payoff * reach[other as usize];
            }
            return;
        }
        for (end, (&own, payoff)) in sequences[seat].iter().zip(&payoffs[to]).enumerate() {
            let others = (0..sequences.len()).filter(|&other| other != seat);
            let likely = others.map(|other| reaches[other][sequences[other][end] as usize]);
            values[own as usize] += payoff * likely.product::<f64>();
        }
    }
}

impl<A: Copy + Eq> Side<A> {
    /// From the last information sets to the first: `decide` says what a set is worth by its sequences, and that is
    /// added to the sequence before it.
    #[inline]
    pub(crate) fn fold_up(
        &self,
        values: &mut [f64],
        mut decide: impl FnMut(std::ops::Range<usize>, &[f64]) -> f64,
    ) {
        for set in self.sets.iter().rev() {
            let worth = decide(set.sequences(), values);
            values[set.parent as usize] += worth;
        }
    }
}

impl<G: Game> Grower<'_, G> {
    fn grow(&mut self, world: &G::World) -> Result<(), TreeError> {
        self.tree.histories += 1;
        if self.tree.histories > self.limits.histories || self.tree.sets() > self.limits.sets {
            return Err(TreeError::TooLarge(G::NAME, self.limits));
        }
        let Some(seat) = world.to_act() else {
            self.tree.ends.push(&self.at, self.chance, world);
            return Ok(());
        };
        let mover = seat.index();
        let before = self.at[mover];
        let side = &mut self.tree.sides[mover];
        let set = side.find::<G>(world, seat, before, (self.deal, &self.history))?;
        for sequence in side.sequences_of(set as usize) {
            let action = self.tree.sides[mover].action(sequence);
            let mut next = world.clone();
            next.apply(action);
            self.at[mover] = sequence as u32;
            self.history.push(action);
            self.grow(&next)?;
            self.history.pop();
        }
        self.at[mover] = before;
        Ok(())
    }
}

impl Ends {
    fn push<W: GameWorld>(&mut self, at: &[u32], chance: f64, world: &W) {
        let worth: Vec<f64> = Seat::all(at.len()).map(|s| world.payoff(s) - self.share).collect();
        if worth.iter().all(|&worth| worth == 0.0) {
            return;
        }
        for (seat, sequence) in at.iter().enumerate() {
            self.sequences[seat].push(*sequence);
            self.payoffs[seat].push(chance * worth[seat]);
        }
    }

    /// Puts endings in the order of sequences and adds up those that differ by chance only.
    fn merge(&mut self) {
        let key = |end: u32| self.sequences.iter().map(move |all| all[end as usize]);
        let mut order: Vec<u32> = (0..self.sequences[0].len() as u32).collect();
        order.sort_by(|&a, &b| key(a).cmp(key(b)));
        let mut merged = Ends { share: self.share, ..Ends::default() };
        let seats = self.sequences.len();
        merged.sequences = vec![Vec::with_capacity(order.len()); seats];
        merged.payoffs = vec![Vec::with_capacity(order.len()); seats];
        let mut last = None;
        for &end in &order {
            let same = last.is_some_and(|last| key(last).eq(key(end)));
            last = Some(end);
            for seat in 0..seats {
                let payoff = self.payoffs[seat][end as usize];
                match merged.payoffs[seat].last_mut() {
                    Some(sum) if same => *sum += payoff,
                    _ => {
                        merged.payoffs[seat].push(payoff);
                        merged.sequences[seat].push(self.sequences[seat][end as usize]);
                    }
                }
            }
        }
        *self = merged;
    }
}
