use crate::ends::Ends;
use crate::grow::Grower;
use crate::side::Side;
use oboro_core::{Game, GameWorld};

/// How large a tree may get.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Information sets, all seats together.
    pub sets: usize,
    /// Histories that are visited, endings included. Where a game says what its worlds share, that is what seats may have done
    /// and found out wherever a game may come to, and not all combinations.
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
    /// What seats have found out is not independent, though the game says so.
    #[error("{0} says what its worlds share, but more than that decides what actions lead to")]
    Entangled(&'static str),
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
    pub(crate) sides: Vec<Side<G::Action>>,
    pub(crate) ends: Ends,
    pub(crate) histories: u64,
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
        let grouped = deals.first().is_some_and(|(_, world)| world.shared().is_some());
        let share = game.payoff_sum().unwrap_or(0.0) / seats as f64;
        let sides = (0..seats).map(|_| Side::new()).collect();
        let mut tree = Tree::grown(game.clone(), Vec::new(), sides);
        tree.ends = Ends::new(seats, share, grouped);
        let mut walked = 0;
        for (deal, (chance, world)) in deals.into_iter().enumerate() {
            tree.starts.push(world.clone());
            let deal = deal as u32;
            let mut grower = Grower { tree: &mut tree, limits, deal, chance, walked };
            grower.start(&world)?;
            walked = grower.walked;
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
        self.ends.add_to(to, seat, reaches, values);
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
