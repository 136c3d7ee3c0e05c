use crate::{Budget, Tally};
use oboro_core::Rng;

/// Sequential halving: evaluates actions by playouts, the better ones with more of them.
///
/// Every world that `imagine` draws is played once for each action that is left, with common random numbers. In rounds of
/// equal cost the worse half is dropped, until two are left. `bonus` is added to the mean payoff of an action. The actions
/// with most playouts come first.
///
/// ```
/// use oboro_core::Rng;
/// use oboro_search::{Budget, halve};
/// let coins = [0.2, 0.9, 0.5];
/// let toss = |(): &(), coin: usize, rng: &mut Rng| f64::from(u8::from(rng.chance(coins[coin])));
/// let mut rng = Rng::from_u64(1);
/// let tallies = halve(Budget::from(300), vec![0, 1, 2], |_| (), toss, |_| 0.0, &mut rng);
/// assert_eq!(tallies[0].action, 1);
/// assert_eq!(tallies.iter().map(|tally| tally.playouts).sum::<u32>(), 300);
/// ```
pub fn halve<A: Copy, W>(
    budget: Budget,
    actions: Vec<A>,
    imagine: impl FnMut(&mut Rng) -> W,
    mut play: impl FnMut(&W, A, &mut Rng) -> f64,
    bonus: impl Fn(A) -> f64,
    rng: &mut Rng,
) -> Vec<Tally<A>> {
    let play_all = |worlds: &[W], playouts: &mut [Playout<A>]| {
        for one in playouts {
            one.payoff = play(&worlds[one.world], one.action, &mut one.rng);
        }
    };
    halve_together(budget, actions, imagine, play_all, bonus, rng)
}

/// A playout of several that are played together.
#[derive(Clone, Debug)]
pub struct Playout<A> {
    /// The place of its world among those that are played.
    pub world: usize,
    /// The action that it begins with.
    pub action: A,
    /// Its random stream; that of all playouts in this world.
    pub rng: Rng,
    /// What it came to: for the player of it to say.
    pub payoff: f64,
}

/// Sequential halving as [`halve`] does it, with the playouts of a budget's batch played together, or those of one world where
/// they are more. However many go together, the worlds, the random streams and so the results are the same.
pub fn halve_together<A: Copy, W>(
    budget: Budget,
    actions: Vec<A>,
    mut imagine: impl FnMut(&mut Rng) -> W,
    mut play: impl FnMut(&[W], &mut [Playout<A>]),
    bonus: impl Fn(A) -> f64,
    rng: &mut Rng,
) -> Vec<Tally<A>> {
    let best_first = |tallies: &mut [Tally<A>]| {
        let value = |tally: &Tally<A>| tally.mean() + bonus(tally.action);
        tallies.sort_by(|a, b| value(b).total_cmp(&value(a)));
    };
    let most = budget.max_playouts() as usize;
    let mut tallies: Vec<_> = actions.into_iter().map(Tally::new).collect();
    let rounds = tallies.len().next_power_of_two().ilog2().max(1) as usize;
    let (mut live, mut spent, mut round) = (tallies.len(), 0, 1);
    let (mut worlds, mut playouts) = (Vec::new(), Vec::new());
    let mut draws = budget.playouts();
    while spent < most {
        let end_of_round = most.min(most / rounds * round);
        let left = end_of_round.saturating_sub(spent).div_ceil(live.max(1));
        let together = left.min(budget.batch() as usize / live.max(1)).max(1);
        worlds.clear();
        playouts.clear();
        for _ in draws.by_ref().take(together) {
            let world = worlds.len();
            worlds.push(imagine(rng));
            let stream = rng.fork();
            let playout = |tally: &Tally<A>| Playout {
                world,
                action: tally.action,
                rng: stream.clone(),
                payoff: 0.0,
            };
            playouts.extend(tallies[..live].iter().map(playout));
        }
        if playouts.is_empty() {
            break;
        }
        play(&worlds, &mut playouts);
        for of_world in playouts.chunks_exact(live) {
            for (tally, playout) in tallies.iter_mut().zip(of_world) {
                tally.add(playout.payoff);
            }
        }
        spent += playouts.len();
        if spent < most && spent >= end_of_round {
            best_first(&mut tallies[..live]);
            live = live.div_ceil(2).max(2).min(live);
            round += 1;
        }
    }
    // Dropped actions had fewer playouts, and a less reliable mean.
    best_first(&mut tallies[..live]);
    tallies
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_results_do_not_depend_on_how_many_playouts_go_together() {
        let values = [0.2, 0.9, 0.5, 0.6, 0.1, 0.7, 0.3];
        let found = |playouts: u32, batch: u32| {
            let budget = Budget::from(playouts).in_batches(batch).unwrap();
            let mut most = 0;
            let play = |worlds: &[f64], playouts: &mut [Playout<usize>]| {
                most = most.max(playouts.len());
                for one in playouts {
                    one.payoff = worlds[one.world] * values[one.action] + one.rng.unit();
                }
            };
            let (actions, rng) = ((0..values.len()).collect(), &mut Rng::from_u64(1));
            (halve_together(budget, actions, Rng::unit, play, |_| 0.0, rng), most)
        };
        for playouts in [1, 2, 5, 40, 64, 300] {
            let (one_by_one, _) = found(playouts, 1);
            for batch in [2, 7, 16, 100] {
                let (together, most) = found(playouts, batch);
                assert_eq!(together, one_by_one, "{playouts} playouts, {batch} together");
                assert!(most <= (batch as usize).max(values.len()));
            }
        }
        assert!(found(300, 100).1 > 50, "the batches are made use of");
    }
}
