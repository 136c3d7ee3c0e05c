//! The actions of a node side by side in single precision, which tells in a few instructions who has the highest upper
//! confidence bound, or at least who alone can have it.

use std::sync::LazyLock;

/// How many actions lie side by side: what is known of them fills a line of the cache.
const WIDTH: usize = 8;
/// The most actions that a shortlist is made for.
pub(super) const MOST: usize = 32;
const ROWS: usize = MOST / WIDTH;

/// What is known of some actions, rounded.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Row {
    /// Infinite for those that were never tried; they are better than any other.
    mean: [f32; WIDTH],
    /// One by the root of the visits.
    rarity: [f32; WIDTH],
}

/// Nobody: worse than any action.
const EMPTY: Row = Row { mean: [f32::NEG_INFINITY; WIDTH], rarity: [0.0; WIDTH] };

/// What is known of the actions of many nodes.
#[derive(Debug)]
pub(super) struct Shortlists {
    rows: Vec<Row>,
    /// The largest mean of them all, whatever its sign.
    widest: f32,
    logs: &'static [f32],
}

/// Who can have the highest bound.
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

    /// Writes down what is known of an action now.
    #[inline]
    pub(super) fn put(&mut self, place: u32, mean: f64, rarity: f64) {
        let (row, at) = (place as usize / WIDTH, place as usize % WIDTH);
        let row = &mut self.rows[row];
        row.mean[at] = mean as f32;
        row.rarity[at] = rarity as f32;
        self.widest = self.widest.max(row.mean[at].abs());
    }

    /// Who can have the highest bound of so many actions, the first of which has this place, in a node that was
    /// visited so often. None can where something is not a number.
    #[inline]
    pub(super) fn among(&self, place: u32, actions: usize, visits: u32, c: f64) -> Shortlist {
        let first = place as usize / WIDTH;
        let rows = &self.rows[first..first + actions.div_ceil(WIDTH)];
        let root = match self.logs.get(visits as usize) {
            Some(&root) => root,
            None => root_of_twice_the_log(visits),
        };
        let factor = c as f32 * root;
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
        // add up in each of two bounds, and rarities are at most 1.
        let rounding = (self.widest + factor) * (1.0 / (1 << 19) as f32) + f32::MIN_POSITIVE;
        let enough = highest - rounding;
        let mut found = [0; WIDTH];
        for (bounds, bits) in bounds.iter().zip(&BITS).take(rows.len()) {
            for at in 0..WIDTH {
                found[at] |= if bounds[at] >= enough { bits[at] } else { 0 };
            }
        }
        let found = found.into_iter().fold(0, |all, bits| all | bits);
        let found = found & (u32::MAX >> (MOST - actions)); // where payoffs are infinite, nobody is as good as somebody
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
    while at < MOST {
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
