use crate::Budget;
use crate::playout::play_out_batch;
use oboro_core::{ActionValue, GameWorld, Policy, Rng, Seat};

/// The results of an action's playouts.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Tally<A> {
    /// The action.
    pub action: A,
    /// The sum of payoffs.
    pub total: f64,
    /// The number of playouts.
    pub playouts: u32,
}

impl<A> Tally<A> {
    /// An action not tried yet.
    pub fn new(action: A) -> Tally<A> {
        Tally { action, total: 0.0, playouts: 0 }
    }

    /// Counts one playout.
    #[inline]
    pub fn add(&mut self, payoff: f64) {
        self.total += payoff;
        self.playouts += 1;
    }

    /// The mean payoff; below everything for an action never tried.
    #[inline]
    pub fn mean(&self) -> f64 {
        if self.playouts == 0 { f64::NEG_INFINITY } else { self.total / f64::from(self.playouts) }
    }

    /// As an analysis shows it.
    pub fn into_value(self) -> ActionValue<A> {
        ActionValue {
            value: self.mean(),
            visits: Some(self.playouts.into()),
            action: self.action,
            note: String::new(),
        }
    }
}

/// The action with the highest mean; ties are broken at random.
///
/// # Panics
/// If there is no action.
pub fn best_tally<A: Copy>(tallies: &[Tally<A>], rng: &mut Rng) -> A {
    let mut ties = 0;
    let mut best = &tallies[0];
    for tally in tallies {
        if ties == 0 || tally.mean() > best.mean() {
            best = tally;
            ties = 1;
        } else if tally.mean().total_cmp(&best.mean()).is_eq() {
            ties += 1;
            // Each of the tied ones ends up chosen with the same probability.
            if rng.below(ties) == 0 {
                best = tally;
            }
        }
    }
    best.action
}

/// Flat Monte Carlo: every action gets an equal share of playouts, each in a freshly imagined
/// world, and the highest mean payoff wins.
///
/// ```
/// # use oboro_core::*;
/// # use oboro_search::*;
/// fn think<G: Game>(view: &G::View, rng: &mut Rng) -> G::Action {
///     let actions = view.legal_actions();
///     let search = FlatMonteCarlo { seat: view.seat(), budget: 1000.into() };
///     let tallies = search.run(&actions, |rng| view.imagine(rng), &mut RandomPolicy, rng);
///     best_tally(&tallies, rng)
/// }
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FlatMonteCarlo {
    /// Whose payoff counts.
    pub seat: Seat,
    /// Playouts in all; shares differ by one at most.
    pub budget: Budget,
}

impl FlatMonteCarlo {
    /// Runs the playouts. `imagine` draws a world in which the actions are legal.
    pub fn run<W: GameWorld>(
        &self,
        actions: &[W::Action],
        mut imagine: impl FnMut(&mut Rng) -> W,
        policy: &mut impl Policy<W>,
        rng: &mut Rng,
    ) -> Vec<Tally<W::Action>> {
        let mut tallies: Vec<_> = actions.iter().map(|&action| Tally::new(action)).collect();
        let choices = tallies.len();
        let mut worlds = Vec::new();
        for batch in self.budget.batches() {
            for i in batch.clone() {
                let mut world = imagine(rng);
                world.apply(tallies[i as usize % choices].action);
                worlds.push(world);
            }
            play_out_batch(&mut worlds, policy, rng);
            for (i, world) in batch.zip(worlds.drain(..)) {
                tallies[i as usize % choices].add(world.payoff(self.seat));
            }
        }
        tallies
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_are_broken_evenly_and_untried_actions_lose() {
        let tally = |action, total, playouts| Tally { action, total, playouts };
        let tallies =
            [tally('a', 1.0, 2), tally('b', 2.0, 4), tally('c', 0.0, 0), tally('d', 0.4, 1)];
        oboro_testkit::check_uniform(&['a', 'b'], 1000, |rng| best_tally(&tallies, rng));
    }
}
