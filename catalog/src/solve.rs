//! Exact answers behind the door: how far agents can be exploited, and strategies that nobody can exploit.

use crate::CatalogError;
use crate::rules::Rules;
use crate::turn::{Turn, ViewTurn};
use oboro_core::{GameWorld, LiveError, Rng, Seat, Seed, SpecError, stopping};
use oboro_player::Playable;
use oboro_solve::{
    Limits, Measured, Method, Profile, Reached, Sampler, Sampling, Solver, Strategy, Tree,
    TreeError, Uniform,
};
use std::sync::Arc;

/// Exact answers for games that are small enough.
pub trait AnySolving {
    /// The whole tree of the game.
    ///
    /// # Errors
    /// If the game is too large under these rules, or its views are no information sets.
    fn tree(&self) -> Result<Box<dyn AnyTree>, CatalogError> {
        self.tree_within(Limits::default())
    }

    /// The whole tree of the game, if it is no larger than this.
    ///
    /// # Errors
    /// If the game is too large under these rules, or its views are no information sets.
    fn tree_within(&self, limits: Limits) -> Result<Box<dyn AnyTree>, CatalogError>;
    /// External sampling without a tree: it needs no list of deals, and keeps only the information sets that it meets. `tell` is
    /// called after some iterations, more and more apart, with how many sets were met, the last time after the last.
    ///
    /// # Errors
    /// If the game's views are no information sets.
    fn sample(
        &self,
        iterations: u32,
        seed: &Seed,
        tell: &mut dyn FnMut(u32, usize),
    ) -> Result<Solution, CatalogError>;
    /// How far an agent can be exploited that plays all seats, asked only where its own policy leads, without a tree in
    /// memory. `tell` is called with the number of information sets at which it was asked.
    ///
    /// # Errors
    /// If the agent cannot be built, fails, sees hidden things, or its policy leads too far.
    fn measure_reached(
        &self,
        spec: &str,
        samples: u32,
        seed: &Seed,
        tell: &mut dyn FnMut(usize),
    ) -> Result<Reached, CatalogError>;
    /// How far uniform play can be exploited. That needs no tree in memory, so that larger games can be measured.
    ///
    /// # Errors
    /// If the game is too large under these rules, or its views are no information sets.
    fn measure_uniform(&self) -> Result<Uniform, CatalogError>;
}

impl<G: Playable> AnySolving for Arc<Rules<G>> {
    fn tree_within(&self, limits: Limits) -> Result<Box<dyn AnyTree>, CatalogError> {
        Ok(Box::new(Solvable::within(self, limits)?))
    }

    fn sample(
        &self,
        iterations: u32,
        seed: &Seed,
        tell: &mut dyn FnMut(u32, usize),
    ) -> Result<Solution, CatalogError> {
        let mut sampler = sampler(self, seed).map_err(|error| refused(&error))?;
        for after in milestones(iterations) {
            sample_until(&mut sampler, after)?;
            tell(after, sampler.sets());
        }
        let (met, profile) = sampler.average();
        let made = made(Method::Mccfr, iterations, false);
        Ok(Box::new(Solved { tree: Arc::new(met), profile, made }))
    }

    fn measure_reached(
        &self,
        spec: &str,
        samples: u32,
        seed: &Seed,
        tell: &mut dyn FnMut(usize),
    ) -> Result<Reached, CatalogError> {
        let (_, factory) = self.build(spec)?;
        let limits = Limits { sets: 200_000_000, histories: 4_000_000_000 };
        let (sampling, mut rng) = (Sampling { samples }, asking(seed));
        let found = Reached::measure(&self.game, &factory, sampling, limits, &mut rng, tell);
        found.map_err(|error| SpecError(format!("{spec}: {error}")).into())
    }

    fn measure_uniform(&self) -> Result<Uniform, CatalogError> {
        let limits = Limits { sets: 200_000_000, histories: u64::MAX };
        Uniform::measure(&self.game, limits).map_err(|error| refused(&error))
    }
}

/// A small game as a whole tree.
pub trait AnyTree: Send + Sync {
    /// How many information sets there are.
    fn sets(&self) -> usize;
    /// How many histories there are, endings included.
    fn histories(&self) -> u64;
    /// What the seat to move sees at an information set. Sets are numbered from 0, those of the first seat first.
    ///
    /// # Errors
    /// If there is no such set.
    fn view(&self, set: usize) -> Result<Box<dyn Turn>, CatalogError>;
    /// How far a policy can be exploited that plays all seats: its probabilities at every set, in the order of the
    /// legal actions.
    ///
    /// # Errors
    /// If these are no probabilities; the set is named.
    fn measure_policy(&self, policy: &[Vec<f64>]) -> Result<Measured, CatalogError>;
    /// What the best response to a policy of the other seats is worth to a seat, and the policy in which that seat plays it.
    ///
    /// # Errors
    /// If these are no probabilities, or there is no such seat.
    fn best_response(
        &self,
        policy: &[Vec<f64>],
        seat: usize,
    ) -> Result<(f64, Vec<Vec<f64>>), CatalogError>;
    /// How far an agent can be exploited that plays all seats; `tell` is called with the share of the work that is done.
    ///
    /// # Errors
    /// If the agent cannot be built, fails, or sees hidden things.
    fn measure(
        &self,
        spec: &str,
        samples: u32,
        seed: &Seed,
        tell: &mut dyn FnMut(f64),
    ) -> Result<Measured, CatalogError>;
    /// Minimises regrets; `tell` is called after some iterations, more and more apart, with how far the average can be
    /// exploited, the last time after the last. Only sampling draws from the seed.
    ///
    /// # Errors
    /// If the game has no information sets.
    fn solve(
        &self,
        wanted: Solving,
        seed: &Seed,
        tell: &mut dyn FnMut(u32, Measured),
    ) -> Result<Solution, CatalogError>;
}

/// How a game is solved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Solving {
    /// The method.
    pub method: Method,
    /// How many iterations.
    pub iterations: u32,
    /// Whether the strategy of the last iteration is wanted, and not the average of all.
    pub last: bool,
}

/// A solved game.
pub trait AnySolution: Send {
    /// The strategy as the text of a file.
    fn text(&self) -> String;
    /// The probabilities at every information set, in the order of [`AnyTree::view`].
    fn policy(&self) -> Vec<Vec<f64>>;
}

/// What comes out of solving.
pub type Solution = Box<dyn AnySolution>;

/// What is behind [`AnyTree`].
pub(crate) struct Solvable<G: Playable> {
    rules: Arc<Rules<G>>,
    tree: Arc<Tree<G>>,
}

struct Solved<G: Playable> {
    tree: Arc<Tree<G>>,
    profile: Profile,
    made: String,
}

impl<G: Playable> AnySolution for Solved<G> {
    fn text(&self) -> String {
        Strategy::write(&self.tree, &self.profile, &self.made)
    }

    fn policy(&self) -> Vec<Vec<f64>> {
        policy_of(&self.tree, &self.profile)
    }
}

/// The probabilities of a profile, set after set.
fn policy_of<G: Playable>(tree: &Tree<G>, profile: &Profile) -> Vec<Vec<f64>> {
    let sides = tree.sides().iter().zip(&profile.0);
    sides
        .flat_map(|(side, shares)| {
            (0..side.len()).map(|set| shares[side.sequences_of(set)].to_vec())
        })
        .collect()
}

/// How far probabilities may be from adding up to 1.
const ROUNDING: f64 = 1e-6;

fn refused(error: &TreeError) -> CatalogError {
    SpecError(error.to_string()).into()
}

/// What the randomness of an agent that is asked comes from.
fn asking(seed: &Seed) -> Rng {
    seed.child("exploit").game(0, 0).deal()
}

/// How a strategy was found.
fn made(method: Method, iterations: u32, last: bool) -> String {
    format!("{} {iterations} iterations{}", method.name(), if last { ", the last" } else { "" })
}

fn sampler<G: Playable>(rules: &Rules<G>, seed: &Seed) -> Result<Sampler<G>, TreeError> {
    Sampler::new(&rules.game, seed.child("solve").game(0, 0).deal())
}

/// Samples until so many iterations are made.
fn sample_until<G: Playable>(sampler: &mut Sampler<G>, after: u32) -> Result<(), CatalogError> {
    while sampler.iterations() < after {
        if stopping() {
            return Err(CatalogError::Stopped);
        }
        sampler.iterate().map_err(|error| refused(&error))?;
    }
    Ok(())
}

impl<G: Playable> Solvable<G> {
    pub(crate) fn within(
        rules: &Arc<Rules<G>>,
        limits: Limits,
    ) -> Result<Solvable<G>, CatalogError> {
        let tree = Tree::new(&rules.game, limits).map_err(|error| refused(&error))?;
        Ok(Solvable { rules: Arc::clone(rules), tree: Arc::new(tree) })
    }

    /// The seat and the number among its sets of an information set.
    fn place(&self, set: usize) -> Result<(usize, usize), CatalogError> {
        let mut left = set;
        for (seat, side) in self.tree.sides().iter().enumerate() {
            if left < side.len() {
                return Ok((seat, left));
            }
            left -= side.len();
        }
        let sets = self.tree.sets();
        Err(SpecError(format!("there is no information set {set}: there are {sets}")).into())
    }

    /// The profile of a policy that came from outside.
    fn profile(&self, policy: &[Vec<f64>]) -> Result<Profile, CatalogError> {
        let sets = self.tree.sets();
        let fail = |message: String| CatalogError::Spec(SpecError(message));
        if policy.len() != sets {
            return Err(fail(format!("a policy for {} of {sets} information sets", policy.len())));
        }
        let mut profile = self.tree.uniform();
        for (number, given) in policy.iter().enumerate() {
            let (seat, set) = self.place(number)?;
            let side = &self.tree.sides()[seat];
            let shares = &mut profile.0[seat][side.sequences_of(set)];
            let total: f64 = given.iter().sum();
            let is_policy = given.len() == shares.len()
                && given.iter().all(|share| *share >= 0.0)
                && (total - 1.0).abs() <= ROUNDING;
            if !is_policy {
                let actions: Vec<String> =
                    side.actions_of(set).iter().map(ToString::to_string).collect();
                return Err(fail(format!(
                    "information set {number}, seat {seat}: {given:?} are no probabilities of {}",
                    actions.join(", ")
                )));
            }
            for (share, given) in shares.iter_mut().zip(given) {
                *share = given / total;
            }
        }
        Ok(profile)
    }

    /// External sampling, measured on the whole tree.
    fn sample(
        &self,
        iterations: u32,
        seed: &Seed,
        tell: &mut dyn FnMut(u32, Measured),
    ) -> Result<Profile, CatalogError> {
        let mut sampler = sampler(&self.rules, seed).map_err(|error| refused(&error))?;
        let mut profile = self.tree.uniform();
        for after in milestones(iterations) {
            sample_until(&mut sampler, after)?;
            let (met, average) = sampler.average();
            profile = self.tree.profile_of(&Strategy::of(&met, &average));
            tell(after, self.tree.measure(&profile));
        }
        Ok(profile)
    }
}

impl<G: Playable> AnyTree for Solvable<G> {
    fn sets(&self) -> usize {
        self.tree.sets()
    }

    fn histories(&self) -> u64 {
        self.tree.histories()
    }

    fn view(&self, set: usize) -> Result<Box<dyn Turn>, CatalogError> {
        let (seat, set) = self.place(set)?;
        let (start, actions) = self.tree.history(seat, set);
        let (game, seat, mut world) = (&self.rules.game, Seat::new(seat), start.clone());
        let mut memory = game.memory(&world.view(seat));
        for &action in actions {
            game.remember(&mut memory, &world.view(seat), &world.event(action, seat));
            world.apply(action);
        }
        let (view, now) = (world.view(seat), (actions.len(), 0));
        Ok(ViewTurn::new(&self.rules, &view, &memory, now).keep())
    }

    fn measure_policy(&self, policy: &[Vec<f64>]) -> Result<Measured, CatalogError> {
        Ok(self.tree.measure(&self.profile(policy)?))
    }

    fn best_response(
        &self,
        policy: &[Vec<f64>],
        seat: usize,
    ) -> Result<(f64, Vec<Vec<f64>>), CatalogError> {
        let seats = self.tree.sides().len();
        if seat >= seats {
            return Err(LiveError::NoSeat(seat, seats - 1).into());
        }
        let mut profile = self.profile(policy)?;
        let (value, response) = self.tree.best_response(&profile, seat);
        profile.0[seat] = response;
        Ok((value, policy_of(&self.tree, &profile)))
    }

    fn measure(
        &self,
        spec: &str,
        samples: u32,
        seed: &Seed,
        tell: &mut dyn FnMut(f64),
    ) -> Result<Measured, CatalogError> {
        let (_, factory) = self.rules.build(spec)?;
        let mut rng = asking(seed);
        let measured = self.tree.measure_agent(&factory, Sampling { samples }, &mut rng, tell);
        measured.map_err(|error| SpecError(format!("{spec}: {error}")).into())
    }

    fn solve(
        &self,
        Solving { method, iterations, last }: Solving,
        seed: &Seed,
        tell: &mut dyn FnMut(u32, Measured),
    ) -> Result<Solution, CatalogError> {
        let profile = if method == Method::Mccfr {
            if last {
                let message = "mccfr gives the average of its iterations, and not the last";
                return Err(SpecError(message.to_owned()).into());
            }
            self.sample(iterations, seed, tell)?
        } else {
            let mut solver = Solver::new(&self.tree, method);
            let wanted = |solver: &Solver<'_, G>| {
                if last { solver.last() } else { solver.average() }
            };
            for after in milestones(iterations) {
                while solver.iterations() < after {
                    if stopping() {
                        return Err(CatalogError::Stopped);
                    }
                    solver.iterate();
                }
                tell(after, self.tree.measure(&wanted(&solver)));
            }
            wanted(&solver)
        };
        let made = made(method, iterations, last);
        Ok(Box::new(Solved { tree: Arc::clone(&self.tree), profile, made }))
    }
}

/// 1, 3, 10, 30 … as far as they are more than a thousandth of the last, and the last.
fn milestones(last: u32) -> Vec<u32> {
    let tens = std::iter::successors(Some(1u32), |ten| ten.checked_mul(10));
    let series = tens.flat_map(|ten| [ten, ten.saturating_mul(3)]);
    let mut chosen: Vec<u32> =
        series.take_while(|&at| at < last).filter(|&at| at > last / 1000).collect();
    chosen.push(last);
    chosen
}
