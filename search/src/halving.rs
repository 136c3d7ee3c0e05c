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
/// let toss = |_: &mut (), coin: usize, rng: &mut Rng| f64::from(u8::from(rng.chance(coins[coin])));
/// let mut rng = Rng::from_u64(1);
/// let tallies = halve(Budget::from(300), vec![0, 1, 2], |_| (), toss, |_| 0.0, &mut rng);
/// assert_eq!(tallies[0].action, 1);
/// assert_eq!(tallies.iter().map(|tally| tally.playouts).sum::<u32>(), 300);
/// ```
pub fn halve<A: Copy, W>(
    budget: Budget,
    actions: Vec<A>,
    mut imagine: impl FnMut(&mut Rng) -> W,
    mut play: impl FnMut(&mut W, A, &mut Rng) -> f64,
    bonus: impl Fn(A) -> f64,
    rng: &mut Rng,
) -> Vec<Tally<A>> {
    let best_first = |tallies: &mut [Tally<A>]| {
        let value = |tally: &Tally<A>| tally.mean() + bonus(tally.action);
        tallies.sort_by(|a, b| value(b).total_cmp(&value(a)));
    };
    let playouts = budget.max_playouts();
    let mut tallies: Vec<_> = actions.into_iter().map(Tally::new).collect();
    let rounds = tallies.len().next_power_of_two().ilog2().max(1);
    let (mut live, mut spent, mut round) = (tallies.len(), 0, 1);
    for _ in budget.playouts() {
        let mut world = imagine(rng);
        let stream = rng.fork();
        for tally in &mut tallies[..live] {
            tally.add(play(&mut world, tally.action, &mut stream.clone()));
        }
        spent += live as u32;
        if spent >= playouts {
            break;
        }
        if spent >= playouts / rounds * round {
            best_first(&mut tallies[..live]);
            live = live.div_ceil(2).max(2).min(live);
            round += 1;
        }
    }
    // Dropped actions had fewer playouts, and a less reliable mean.
    best_first(&mut tallies[..live]);
    tallies
}
