use oboro_core::{GameWorld, Seat};
use std::borrow::Cow;

/// The endings: one group of sequences of each seat, and what it is worth to each, weighted by chance. Payoffs are above or below
/// the share of what the rules fix, so that draws weigh nothing and are left out.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ends {
    groups: Vec<Vec<u32>>,
    payoffs: Vec<Vec<f64>>,
    /// What every seat gets besides.
    pub(crate) share: f64,
    /// By seat, the sequences of each group; absent where each group is one sequence and has its number.
    members: Option<Vec<Members>>,
}

/// Groups of sequences of one seat.
#[derive(Clone, Debug)]
struct Members {
    sequences: Vec<u32>,
    /// Where each group begins, and the end of the last.
    starts: Vec<usize>,
}

impl Ends {
    /// No endings yet. Where `grouped`, those that differ only in what single seats have found out are one.
    pub(crate) fn new(seats: usize, share: f64, grouped: bool) -> Ends {
        let none = || vec![Members { sequences: Vec::new(), starts: vec![0] }; seats];
        let (groups, payoffs) = (vec![Vec::new(); seats], vec![Vec::new(); seats]);
        Ends { groups, payoffs, share, members: grouped.then(none) }
    }

    /// The number of some sequences of a seat that end a game alike.
    pub(crate) fn group(&mut self, seat: usize, mut sequences: impl Iterator<Item = u32>) -> u32 {
        let Some(members) = &mut self.members else {
            return sequences.next().expect("a history has a sequence of each seat");
        };
        let Members { sequences: all, starts } = &mut members[seat];
        all.extend(sequences);
        starts.push(all.len());
        starts.len() as u32 - 2
    }

    /// What an ending is worth to each seat; nothing if it weighs nothing.
    pub(crate) fn worth<W: GameWorld>(&self, seats: usize, world: &W) -> Option<Vec<f64>> {
        let worth: Vec<f64> = Seat::all(seats).map(|s| world.payoff(s) - self.share).collect();
        worth.iter().any(|&worth| worth != 0.0).then_some(worth)
    }

    /// One more ending.
    pub(crate) fn push(&mut self, groups: &[u32], chance: f64, worth: &[f64]) {
        for (seat, (group, worth)) in groups.iter().zip(worth).enumerate() {
            self.groups[seat].push(*group);
            self.payoffs[seat].push(chance * worth);
        }
    }

    /// Puts endings in the order of sequences and adds up those that differ by chance only.
    pub(crate) fn merge(&mut self) {
        let key = |end: u32| self.groups.iter().map(move |all| all[end as usize]);
        let mut order: Vec<u32> = (0..self.groups[0].len() as u32).collect();
        order.sort_by(|&a, &b| key(a).cmp(key(b)));
        let seats = self.groups.len();
        let mut groups = vec![Vec::with_capacity(order.len()); seats];
        let mut payoffs: Vec<Vec<f64>> = vec![Vec::with_capacity(order.len()); seats];
        let mut last = None;
        for &end in &order {
            let same = last.is_some_and(|last| key(last).eq(key(end)));
            last = Some(end);
            for seat in 0..seats {
                let payoff = self.payoffs[seat][end as usize];
                match payoffs[seat].last_mut() {
                    Some(sum) if same => *sum += payoff,
                    _ => {
                        payoffs[seat].push(payoff);
                        groups[seat].push(self.groups[seat][end as usize]);
                    }
                }
            }
        }
        (self.groups, self.payoffs) = (groups, payoffs);
    }

    /// Adds to each sequence of `seat` what its endings are worth to the seat `to`, given how likely the others come there.
    #[inline]
    pub(crate) fn add_to(&self, to: usize, seat: usize, reaches: &[Vec<f64>], values: &mut [f64]) {
        let Some(members) = &self.members else {
            return self.add_to_groups(to, seat, &|other| Cow::Borrowed(&reaches[other]), values);
        };
        let sums = |other: usize| Cow::Owned(members[other].sums(&reaches[other]));
        let mut worth = vec![0.0; members[seat].starts.len() - 1];
        self.add_to_groups(to, seat, &sums, &mut worth);
        for (group, worth) in members[seat].groups().zip(worth) {
            for &sequence in group {
                values[sequence as usize] += worth;
            }
        }
    }

    /// The same for groups, by how likely those of the others are.
    #[inline]
    fn add_to_groups<'a>(
        &self,
        to: usize,
        seat: usize,
        likely: &dyn Fn(usize) -> Cow<'a, [f64]>,
        values: &mut [f64],
    ) {
        if let [first, second] = &self.groups[..] {
            let (own, others) = if seat == 0 { (first, second) } else { (second, first) };
            let likely = &likely(1 - seat)[..];
            for ((&own, &other), payoff) in own.iter().zip(others).zip(&self.payoffs[to]) {
                values[own as usize] += payoff * likely[other as usize];
            }
            return;
        }
        let others = (0..self.groups.len()).filter(|&other| other != seat);
        let others: Vec<_> = others.map(|other| (&self.groups[other], likely(other))).collect();
        for (end, (&own, payoff)) in self.groups[seat].iter().zip(&self.payoffs[to]).enumerate() {
            let likely = others.iter().map(|(groups, likely)| likely[groups[end] as usize]);
            values[own as usize] += payoff * likely.product::<f64>();
        }
    }
}

impl Members {
    fn groups(&self) -> impl Iterator<Item = &[u32]> {
        self.starts.windows(2).map(|ends| &self.sequences[ends[0]..ends[1]])
    }

    /// How likely each group is.
    fn sums(&self, reaches: &[f64]) -> Vec<f64> {
        let sum = |group: &[u32]| group.iter().map(|&sequence| reaches[sequence as usize]).sum();
        self.groups().map(sum).collect()
    }
}
