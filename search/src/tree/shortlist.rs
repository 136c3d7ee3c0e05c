//! The statistics of a node's actions side by side in single precision. A few instructions find the actions that can have
//! the highest upper confidence bound.

use std::sync::LazyLock;

/// The number of actions side by side; their statistics fill a cache line.
const WIDTH: usize = 8;
/// The largest number of actions of a shortlist.
pub(super) const MAX_ACTIONS: usize = 32;
const ROWS: usize = MAX_ACTIONS / WIDTH;

/// The rounded statistics of some actions.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Row {
    /// Infinite for untried actions, which are better than any other.
    mean: [f32; WIDTH],
    /// One by the root of the visits.
    rarity: [f32; WIDTH],
}

/// No action: worse than any.
const EMPTY: Row = Row { mean: [f32::NEG_INFINITY; WIDTH], rarity: [0.0; WIDTH] };

/// The statistics of the actions of many nodes.
#[derive(Debug)]
pub(super) struct Shortlists {
    rows: Vec<Row>,
    /// The largest mean of them all, whatever its sign.
    widest: f32,
    logs: &'static [f32],
}

/// The actions that can have the highest bound.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Shortlist {
    /// These were never tried.
    Untried(u32),
    /// One of these, a bit each; not necessarily in this precision.
    Best(u32),
}

impl Shortlists {
    pub(super) fn new() -> Shortlists {
        Shortlists { rows: Vec::new(), widest: 0.0, logs: &LOGS }
    }

    /// Room for so many actions that were never tried. The place of the first; the others follow.
    pub(super) fn add(&mut self, actions: usize) -> u32 {
        let first = self.rows.len() * WIDTH;
        for row in 0..actions.div_ceil(WIDTH) {
            let mut new = EMPTY;
            let here = (actions - row * WIDTH).min(WIDTH);
            new.mean[..here].fill(f32::INFINITY);
            self.rows.push(new);
        }
        first as u32
    }

    /// Updates the statistics of an action.
    #[inline]
    pub(super) fn put(&mut self, place: u32, mean: f64, rarity: f64) {
        let (row, at) = (place as usize / WIDTH, place as usize % WIDTH);
        let row = &mut self.rows[row];
        row.mean[at] = mean as f32;
        row.rarity[at] = rarity as f32;
        self.widest = self.widest.max(row.mean[at].abs());
    }

    /// The actions that can have the highest bound, of so many beginning at `place`, in a node with so many visits. None
    /// where numbers are too large for this precision.
    #[inline]
    pub(super) fn among(&self, place: u32, actions: usize, visits: u32, c: f64) -> Shortlist {
        let first = place as usize / WIDTH;
        let rows = &self.rows[first..first + actions.div_ceil(WIDTH)];
        let root = match self.logs.get(visits as usize) {
            Some(&root) => root,
            None => root_of_twice_the_log(visits),
        };
        let factor = c as f32 * root;
        let scale = self.widest + factor.abs();
        if scale.is_nan() || scale > 1e30 {
            return Shortlist::Best(0);
        }
        let mut bounds = [[0.0; WIDTH]; ROWS];
        let mut highest = [f32::NEG_INFINITY; WIDTH];
        for (row, bounds) in rows.iter().zip(&mut bounds) {
            for at in 0..WIDTH {
                let bound = row.mean[at] + factor * row.rarity[at];
                bounds[at] = bound;
                highest[at] = larger(bound, highest[at]);
            }
        }
        for half in [4, 2, 1] {
            for at in 0..half {
                highest[at] = larger(highest[at], highest[at + half]);
            }
        }
        let highest = highest[0];
        // Nothing is rounded by more than a 2^-24th part. Six such errors of the exploration term and two of the mean
        // add up in each of two bounds, and rarities are at max 1.
        let rounding = scale * (1.0 / (1 << 19) as f32) + f32::MIN_POSITIVE;
        let enough = highest - rounding;
        let mut found = [0; WIDTH];
        for (bounds, bits) in bounds.iter().zip(&BITS).take(rows.len()) {
            for at in 0..WIDTH {
                found[at] |= if bounds[at] >= enough { bits[at] } else { 0 };
            }
        }
        let found = found.into_iter().fold(0, |all, bits| all | bits);
        if highest == f32::INFINITY { Shortlist::Untried(found) } else { Shortlist::Best(found) }
    }
}

/// As processors say which is larger: `f32::max` takes longer, as it minds what is not a number.
#[inline]
fn larger(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

/// A bit for every action, as rows have them.
static BITS: [[u32; WIDTH]; ROWS] = {
    let mut bits = [[0; WIDTH]; ROWS];
    let mut at = 0;
    while at < MAX_ACTIONS {
        bits[at / WIDTH][at % WIDTH] = 1 << at;
        at += 1;
    }
    bits
};

/// √(2 ln n) of the first numbers.
static LOGS: LazyLock<Vec<f32>> =
    LazyLock::new(|| (0..1 << 14).map(|n| root_of_twice_the_log(n.max(1))).collect());

fn root_of_twice_the_log(n: u32) -> f32 {
    (2.0 * libm::log(f64::from(n))).sqrt() as f32
}

#[cfg(test)]
mod tests {
    use super::*;
    use oboro_core::Rng;

    /// Actions by mean and visits in a node, the exact way.
    fn best(actions: &[(f64, u32)], visits: u32, c: f64) -> usize {
        let log = 2.0 * libm::log(f64::from(visits));
        let bound = |(mean, visits): (f64, u32)| mean + c * (log / f64::from(visits)).sqrt();
        let mut best = 0;
        for at in 1..actions.len() {
            if bound(actions[at]) > bound(actions[best]) {
                best = at;
            }
        }
        best
    }

    #[test]
    fn the_best_is_always_on_the_list_and_mostly_alone() {
        let mut rng = Rng::from_u64(1);
        let (mut alone, mut rounds) = (0, 0);
        for scale in [1.0, 1e-12, 40.0, 1e20] {
            for c in [0.0, 0.3, 1.0, 1e6].map(|c: f64| c * scale) {
                for _ in 0..500 {
                    let count = 1 + rng.below(MAX_ACTIONS);
                    let max = 1 << rng.below(16);
                    let actions: Vec<(f64, u32)> = (0..count)
                        .map(|_| {
                            let visits = 1 + rng.below(max) as u32;
                            ((rng.unit() - 0.3) * scale, visits)
                        })
                        .collect();
                    let visits = actions.iter().map(|(_, visits)| visits).sum();
                    let mut lists = Shortlists::new();
                    lists.add(3);
                    let place = lists.add(count);
                    for (&(mean, visits), place) in actions.iter().zip(place..) {
                        lists.put(place, mean, 1.0 / f64::from(visits).sqrt());
                    }
                    let Shortlist::Best(found) = lists.among(place, count, visits, c) else {
                        panic!("all were tried");
                    };
                    let best = best(&actions, visits, c);
                    assert!(found >> best & 1 == 1, "{best} of {actions:?} with {c}");
                    assert!(count == MAX_ACTIONS || found < 1 << count);
                    alone += u32::from(found.is_power_of_two());
                    rounds += 1;
                }
            }
        }
        assert!(alone > rounds / 2, "{alone} of {rounds}");
    }

    #[test]
    fn those_never_tried_come_first() {
        let mut lists = Shortlists::new();
        let place = lists.add(11);
        for at in [0, 3, 9] {
            lists.put(place + at, 1.0, 1.0);
        }
        assert_eq!(lists.among(place, 11, 3, 1.0), Shortlist::Untried(0b101_1111_0110));
        assert_eq!(lists.among(place, 11, 1, 0.0), Shortlist::Untried(0b101_1111_0110));
    }

    #[test]
    fn what_is_too_large_for_single_precision_is_left_to_others() {
        let mut lists = Shortlists::new();
        let place = lists.add(2);
        lists.put(place, 1e300, 1.0);
        lists.put(place + 1, 1.0, 1.0);
        assert_eq!(lists.among(place, 2, 2, 1.0), Shortlist::Best(0));
        assert_eq!(Shortlists::new().among(0, 0, 2, 1e300), Shortlist::Best(0));
    }
}
