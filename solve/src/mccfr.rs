use crate::cfr::{match_regrets, normalised};
use crate::side::Side;
use crate::tree::{Profile, Tree, TreeError};
use oboro_core::{Game, GameWorld, Rng, Seat};

/// External-sampling Monte Carlo CFR: in every iteration each seat in turn tries all of its actions in one deal, in which
/// the others act at random by their current strategies. It needs no list of deals, and keeps only the information
/// sets that it has met.
#[derive(Clone, Debug)]
pub struct Sampler<G: Game> {
    game: G,
    starts: Vec<G::World>,
    sides: Vec<Side<G::Action>>,
    regrets: Vec<Vec<f64>>,
    sums: Vec<Vec<f64>>,
    rng: Rng,
    iterations: u32,
}

/// Where a walk has come to.
struct Walk<A> {
    traverser: Seat,
    history: Vec<A>,
    /// By seat, its sequence.
    at: Vec<u32>,
}

impl<G: Game> Sampler<G> {
    /// Before the first iteration.
    ///
    /// # Errors
    /// If the game's views are no information sets.
    pub fn new(game: &G, rng: Rng) -> Result<Sampler<G>, TreeError> {
        if !G::PERFECT_RECALL {
            return Err(TreeError::Forgets(G::NAME));
        }
        let seats = game.seats();
        Ok(Sampler {
            game: game.clone(),
            starts: Vec::new(),
            sides: (0..seats).map(|_| Side::new()).collect(),
            regrets: vec![vec![0.0]; seats],
            sums: vec![vec![0.0]; seats],
            rng,
            iterations: 0,
        })
    }

    /// How many iterations were made.
    pub fn iterations(&self) -> u32 {
        self.iterations
    }

    /// How many information sets were met.
    pub fn sets(&self) -> usize {
        self.sides.iter().map(Side::len).sum()
    }

    /// One iteration.
    ///
    /// # Errors
    /// If an information set has too many actions.
    pub fn iterate(&mut self) -> Result<(), TreeError> {
        self.iterations += 1;
        for traverser in Seat::all(self.sides.len()) {
            let world = self.game.deal(&mut self.rng);
            let met = self.sets();
            self.starts.push(world.clone());
            let at = vec![0; self.sides.len()];
            self.walk(&world, &mut Walk { traverser, history: Vec::new(), at })?;
            if self.sets() == met {
                self.starts.pop();
            }
        }
        Ok(())
    }

    /// What a world is worth to the traverser.
    fn walk(&mut self, world: &G::World, walk: &mut Walk<G::Action>) -> Result<f64, TreeError> {
        let Some(seat) = world.to_act() else { return Ok(world.payoff(walk.traverser)) };
        let mover = seat.index();
        let (side, before) = (&mut self.sides[mover], walk.at[mover]);
        let deal = self.starts.len() as u32 - 1;
        let set = side.find::<G>(world, seat, before, (deal, &walk.history))?;
        let range = side.sequences_of(set as usize);
        let known = side.sequences();
        self.regrets[mover].resize(known, 0.0);
        self.sums[mover].resize(known, 0.0);
        let mut strategy = vec![0.0; range.len()];
        match_regrets(&self.regrets[mover][range.clone()], &mut strategy);
        let worth = if seat == walk.traverser {
            let mut values = Vec::with_capacity(range.len());
            for sequence in range.clone() {
                values.push(self.step(world, sequence, mover, walk)?);
            }
            let mean: f64 = strategy.iter().zip(&values).map(|(share, value)| share * value).sum();
            for (regret, value) in self.regrets[mover][range].iter_mut().zip(&values) {
                *regret += value - mean;
            }
            mean
        } else {
            for (sum, share) in self.sums[mover][range.clone()].iter_mut().zip(&strategy) {
                *sum += share;
            }
            let mut left = self.rng.unit();
            let past = |share: &f64| {
                left -= share;
                left < 0.0
            };
            let chosen = strategy.iter().position(past).unwrap_or(range.len() - 1);
            self.step(world, range.start + chosen, mover, walk)?
        };
        walk.at[mover] = before;
        Ok(worth)
    }

    fn step(
        &mut self,
        world: &G::World,
        sequence: usize,
        mover: usize,
        walk: &mut Walk<G::Action>,
    ) -> Result<f64, TreeError> {
        let action = self.sides[mover].action(sequence);
        let mut next = world.clone();
        next.apply(action);
        walk.at[mover] = sequence as u32;
        walk.history.push(action);
        let worth = self.walk(&next, walk);
        walk.history.pop();
        worth
    }

    /// The information sets that were met, and the average strategies there.
    pub fn average(&self) -> (Tree<G>, Profile) {
        let seats = self.sides.iter().zip(&self.sums);
        let profile = Profile(seats.map(|(side, sums)| normalised(side, sums)).collect());
        (Tree::grown(self.game.clone(), self.starts.clone(), self.sides.clone()), profile)
    }
}
