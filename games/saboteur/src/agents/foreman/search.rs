//! How far cells are from the goals.

use super::field::Field;
use super::prospect::Chances;
use super::ways::{Cards, End};
use crate::{Goal, Side, leading};

/// How far all cells are from each goal, searched backwards from all three goals together.
#[derive(Clone, Debug)]
pub(super) struct Search<const W: usize> {
    /// For each cell and goal a byte: the sides from which fewer cards lead to the goal, then how
    /// many levels of the search came after it was reached. Where no way leads it is 0.
    found: [Field<W, 4>; 8],
    empty: Field<W>,
    loose: Cards<W>,
    /// Whether there may be cells further off than it has levels.
    has_far: bool,
}

/// How many levels a search has: as many cards, and no more, are counted.
const LEVELS: usize = 15;

/// What was found of a cell; nothing if no way leads there.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Found {
    /// The number of cards to the goal, its own included.
    distance: u8,
    /// The sides from which fewer cards lead to it.
    pub(super) nearer: u8,
}

impl<const W: usize> Search<W> {
    /// Searches a mine with these empty cells. Cards that rocks have cut off from the start are passed
    /// for nothing.
    #[inline]
    pub(super) fn new(loose: &Cards<W>, empty: Field<W>) -> Search<W> {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has what the function is compiled for.
            #[allow(unsafe_code, reason = "three goals fit in one register")]
            return unsafe { Search::avx2(loose, empty) };
        }
        Search::plain(loose, empty)
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn avx2(loose: &Cards<W>, empty: Field<W>) -> Search<W> {
        Search::plain(loose, empty)
    }

    #[allow(
        clippy::inline_always,
        reason = "searches are compiled for more than one kind of processor"
    )]
    #[inline(always)]
    fn plain(loose: &Cards<W>, empty: Field<W>) -> Search<W> {
        let mut nearer = [Field::EMPTY; 4];
        let is_cut = !loose.cells().is_empty();
        let levels =
            if is_cut { levels_through(loose, empty, &mut nearer) } else { levels(empty) };
        // A cell is in all levels from its distance on: how many these are, bit by bit.
        let [mut ones, mut twos, mut fours] = [Field::EMPTY; 3];
        let eights = levels[7];
        for (i, &level) in levels[..LEVELS].iter().enumerate() {
            ones = ones.xor(level);
            if i % 2 == 1 {
                twos = twos.xor(level);
            }
            if i % 4 == 3 {
                fours = fours.xor(level);
            }
        }
        if !is_cut {
            // Neighbours are one card apart: the last two bits tell which of them is nearer.
            let (reached, further) = (levels[LEVELS], ones.xor(twos));
            for (nearer, side) in nearer.iter_mut().zip(Side::ALL) {
                let both = reached.seen_on(side).and(reached);
                *nearer = both.without(twos.seen_on(side).xor(further));
            }
        }
        let [left, up, right, down] = nearer;
        let found = Field::transpose([left, up, right, down, ones, twos, fours, eights]);
        let has_far = levels[LEVELS] != levels[LEVELS - 1];
        Search { found, empty, loose: *loose, has_far }
    }

    /// What was found of an empty cell.
    #[inline]
    pub(super) fn found(&self, bit: u8, goal: Goal) -> Found {
        let byte = Field::byte(&self.found, bit, goal.index());
        let (nearer, after) = (byte & 0b1111, byte >> 4);
        if nearer == 0 && self.has_far {
            return self.found_far(bit, goal);
        }
        Found { distance: LEVELS as u8 - after, nearer }
    }

    /// The same for a cell that was not reached.
    #[cold]
    fn found_far(&self, bit: u8, goal: Goal) -> Found {
        let mut level = Field::of_bit(Field::<W>::GOALS[goal.index()]);
        let (mut near, mut distance) = (level, 0);
        while !level.is_empty() {
            let led_to = self.loose.through(level, &mut near);
            level = level.around().or(led_to).and(self.empty).without(near);
            distance += 1;
            if level.has(bit) {
                let is_nearer = |&side: &Side| near.has(Field::<W>::next(bit, side));
                let nearer = Side::ALL.into_iter().filter(is_nearer);
                return Found { distance, nearer: nearer.fold(0, |all, side| all | 1 << side as u8) };
            }
            near = near.or(level);
        }
        Found::default()
    }

    /// The chance to fail at an open end on the way to a goal, from which these sides are taken.
    #[inline]
    pub(super) fn miss(&self, chances: Chances<'_>, end: End, goal: Goal, taken: u8) -> f64 {
        self.found(end.bit, goal).miss(chances, end, taken)
    }
}

impl Found {
    /// The chance to fail at an open end there, from which these sides are taken.
    #[inline]
    pub(super) fn miss(self, chances: Chances<'_>, end: End, taken: u8) -> f64 {
        // Where no way leads no card leads on.
        chances.miss(self.distance, leading(end.demand, self.nearer & !taken))
    }
}

/// For each number of cards the cells from which no more than these lead to a goal.
type Levels<const W: usize> = [Field<W, 4>; LEVELS + 1];

/// The levels of a mine without loose cards.
#[allow(
    clippy::inline_always,
    reason = "searches are compiled for more than one kind of processor"
)]
#[inline(always)]
fn levels<const W: usize>(empty: Field<W>) -> Levels<W> {
    let empty = empty.repeated();
    let mut levels = [Field::BY_GOAL; LEVELS + 1];
    let mut level = Field::BY_GOAL;
    for next in &mut levels[1..] {
        level = level.around().and(empty).or(level);
        *next = level;
    }
    levels
}

/// The levels of a mine with loose cards, and the cells from which fewer cards lead to a goal over each
/// side.
#[allow(
    clippy::inline_always,
    reason = "searches are compiled for more than one kind of processor"
)]
#[inline(always)]
fn levels_through<const W: usize>(
    loose: &Cards<W>,
    empty: Field<W>,
    nearer: &mut [Field<W, 4>; 4],
) -> Levels<W> {
    let empty = empty.repeated();
    let mut levels = [Field::BY_GOAL; LEVELS + 1];
    let [mut level, mut near, mut reached] = [Field::BY_GOAL; 3];
    for next in &mut levels[1..] {
        let led_to = loose.through(level, &mut near);
        level = level.around().or(led_to).and(empty).without(near);
        for (nearer, side) in nearer.iter_mut().zip(Side::ALL) {
            *nearer = nearer.or(near.seen_on(side).and(level));
        }
        near = near.or(level);
        reached = reached.or(level);
        *next = reached;
    }
    levels
}

#[cfg(test)]
mod tests {
    use super::*;
}
