//! Distances to the goals.

#![allow(
    clippy::inline_always,
    reason = "searches are compiled for more than one kind of processor"
)]

use super::field::{Bytes, Field};
use super::prospect::{Chances, Fails};
use super::ways::{Cards, End, Ways};
use crate::{Goal, Goals, Side, leading};
use arrayvec::ArrayVec;
use oboro_core::FastPath;

/// The distances of all cells to each goal, searched backwards from all three goals together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Search<const W: usize> {
    /// For each cell and goal a byte: the sides from which fewer cards lead to the goal, then how
    /// many levels of the search came after the one that reached it. Where no way leads it is 0.
    found: Bytes<W>,
    empty: Field<W>,
    /// For each goal the last level, and the one before it.
    reached: Field<W, 4>,
    before: Field<W, 4>,
    /// Whether there may be cells further off than it has levels.
    has_far: bool,
}

/// The number of levels of a search: the largest distance that is found.
const LEVELS: usize = Chances::NEAR - 1;

/// More than there are passable cards, goals included.
const PIECES: usize = 36;

/// The fast path of this processor.
pub(crate) fn fast_path() -> FastPath {
    #[cfg(target_arch = "x86_64")]
    let by = is_supported().then_some("AVX2");
    #[cfg(not(target_arch = "x86_64"))]
    let by = None;
    FastPath { work: "searches of foreman", by }
}

/// Whether the processor has what [`Search::avx2`] is compiled for.
#[cfg(target_arch = "x86_64")]
#[inline]
fn is_supported() -> bool {
    is_x86_feature_detected!("avx2")
}

/// Loose cards that are joined to each other.
struct Piece<const W: usize> {
    cards: Field<W, 4>,
    /// The cells that they are open to.
    mouths: Field<W, 4>,
    /// For each goal the cells that were not reached before these cards were.
    later: Field<W, 4>,
}

impl<const W: usize> Search<W> {
    /// Searches a mine with these empty cells. Cards that rocks have cut off from the start are passed
    /// for nothing.
    #[inline]
    pub(super) fn new(loose: &Cards<W>, empty: Field<W>) -> Search<W> {
        #[cfg(target_arch = "x86_64")]
        if is_supported() {
            // SAFETY: the processor has what the function is compiled for.
            #[allow(unsafe_code, reason = "three goals fit in one register")]
            return unsafe { Search::avx2(loose, empty) };
        }
        Search::kernel(loose, empty)
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn avx2(loose: &Cards<W>, empty: Field<W>) -> Search<W> {
        Search::kernel(loose, empty)
    }

    #[inline(always)]
    fn kernel(loose: &Cards<W>, empty: Field<W>) -> Search<W> {
        let mut pieces = ArrayVec::<Piece<W>, PIECES>::new();
        let mut rest = loose.cells();
        while !rest.is_empty() {
            let cards = loose.joined_with(rest.lowest());
            let mouths = loose.led_to(cards).repeated();
            pieces.push(Piece { cards: cards.repeated(), mouths, later: Field::EMPTY });
            rest = rest.without(cards);
        }
        let all = empty.repeated();
        // For each number of cards the cells from which no more than these lead to a goal.
        let mut levels = [Field::BY_GOAL; LEVELS + 1];
        let mut reached = Field::BY_GOAL;
        if pieces.is_empty() {
            for next in &mut levels[1..] {
                reached = reached.around().and(all).or(reached);
                *next = reached;
            }
        } else {
            for next in &mut levels[1..] {
                let mut led_to = reached.around();
                for Piece { mouths, later, .. } in &mut pieces {
                    let entered = reached.meeting(*mouths);
                    led_to = led_to.or(entered.and(*mouths));
                    *later = later.or(entered.without(reached));
                }
                reached = led_to.and(all).or(reached);
                *next = reached;
            }
        }
        // A cell is in all levels from its distance on. How many these are, bit by bit: every second
        // level decides about the second bit, and so on.
        let [mut ones, mut twos, mut fours] = [Field::EMPTY; 3];
        for (i, &level) in levels[..LEVELS].iter().enumerate() {
            ones = ones.xor(level);
            if i % 2 == 1 {
                twos = twos.xor(level);
            }
            if i % 4 == 3 {
                fours = fours.xor(level);
            }
        }
        let eights = levels[7];
        // Neighbours are a card apart at most: the last two bits tell whether one is nearer.
        let mut nearer = [Field::EMPTY; 4];
        for (nearer, side) in nearer.iter_mut().zip(Side::ALL) {
            let both = reached.seen_on(side).and(reached);
            let differ = ones.seen_on(side).xor(ones);
            let carry = twos.seen_on(side).xor(twos).xor(ones);
            *nearer = both.and(differ).without(carry);
        }
        let [mut left, mut up, mut right, mut down] = nearer;
        for piece in &pieces {
            left = left.or(piece.nearer_on(Side::Left).and(reached));
            up = up.or(piece.nearer_on(Side::Up).and(reached));
            right = right.or(piece.nearer_on(Side::Right).and(reached));
            down = down.or(piece.nearer_on(Side::Down).and(reached));
        }
        let found = Field::transpose([left, up, right, down, ones, twos, fours, eights]);
        let before = levels[LEVELS - 1];
        let has_far = !reached.without(before).is_empty();
        Search { found, empty, reached, before, has_far }
    }

    /// Whether the only next step of a cell towards one of these goals is, or may be, back from this
    /// side.
    #[inline]
    pub(super) fn is_step(&self, cell: u8, side: Side, goals: Goals) -> bool {
        let found = self.found.at(cell);
        let back = 1 << side.opposite() as u8;
        // A cell that was not reached may be far off.
        let unknown = if self.has_far { 0 } else { back };
        let mut is_step = false;
        for goal in Goal::ALL {
            let nearer = sides(found[goal.index()]);
            is_step |= goals.contains(goal) && [back, unknown].contains(&nearer);
        }
        is_step
    }

    /// The chance to fail at an open end on the way to each goal, from which these sides are taken.
    #[inline(always)]
    pub(super) fn misses(&self, ways: &Ways<'_, W>, end: End, taken: u8) -> Fails {
        let found = self.found.at(end.bit);
        if self.has_far && found.iter().any(|&byte| sides(byte) == 0) {
            return self.far_misses(ways, end, taken);
        }
        let miss = |goal: Goal| {
            let byte = found[goal.index()];
            let distance = LEVELS - usize::from(byte >> 4);
            // Where no way leads no card leads on.
            ways.chances.miss(distance, leading(end.demand, byte & !taken))
        };
        let [top, middle, bottom] = Goal::ALL;
        [miss(top), miss(middle), miss(bottom), 1.0]
    }

    /// The same for an open end that was not reached from all goals.
    #[cold]
    fn far_misses(&self, ways: &Ways<'_, W>, end: End, taken: u8) -> Fails {
        let mut misses = [1.0; 4];
        for goal in Goal::ALL {
            let byte = self.found.at(end.bit)[goal.index()];
            let (mut nearer, mut distance) = (byte, LEVELS as u8 - (byte >> 4));
            if sides(byte) == 0 {
                (nearer, distance) = self.found_far(&ways.loose, end.bit, goal);
            }
            misses[goal.index()] =
                ways.chances.far_miss(distance, leading(end.demand, nearer & !taken));
        }
        misses
    }

    /// The sides from which fewer cards lead from a cell to a goal, and the number of cards, where the
    /// cell was not reached: searches on from the last level.
    fn found_far(&self, loose: &Cards<W>, bit: u8, goal: Goal) -> (u8, u8) {
        let mut near = self.before.set(goal.index());
        let mut level = self.reached.set(goal.index()).without(near);
        let nearest = near;
        loose.through(nearest, &mut near);
        near = near.or(level);
        let mut distance = LEVELS as u8;
        while !level.is_empty() {
            let led_to = loose.through(level, &mut near);
            level = level.around().or(led_to).and(self.empty).without(near);
            distance += 1;
            if level.contains(bit) {
                let is_nearer = |&side: &Side| near.contains(Field::<W>::next(bit, side));
                let nearer = Side::ALL.into_iter().filter(is_nearer);
                return (nearer.fold(0, |all, side| all | 1 << side as u8), distance);
            }
            near = near.or(level);
        }
        (0, 0)
    }
}

/// The sides that a byte of what was found begins with.
#[inline]
fn sides(found: u8) -> u8 {
    found & 0b1111
}

impl<const W: usize> Piece<W> {
    /// The cells that have one of the cards on one side, by goal those that were reached later.
    #[inline(always)]
    fn nearer_on(&self, side: Side) -> Field<W, 4> {
        self.cards.seen_on(side).and(self.later)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::foreman::prospect::{DrawOdds, Prospect};
    use crate::agents::foreman::{TRIES, fresh_paths};
    use crate::{Bounds, Saboteur};
    use oboro_core::{Game as _, GameWorld as _, Rng};

    /// Compares the searches of mines of random rounds; returns how many of them had loose cards.
    fn compare<const W: usize>(bounds: Bounds) -> usize {
        let rules = Saboteur { bounds, rounds: 1, ..Saboteur::default() };
        let odds = DrawOdds::new(0.2, TRIES, &fresh_paths());
        let prospect = Prospect { rules, gold: [1.0 / 3.0; 3], odds: &odds };
        let mut rng = Rng::from_u64(W as u64);
        let mut cut = 0;
        for _ in 0..20 {
            let mut world = rules.deal(&mut rng);
            while world.to_act().is_some() {
                let ways = Ways::<W>::new(&prospect, world.public().board());
                cut += usize::from(ways.is_cut());
                let quick = Search::new(&ways.loose, ways.empty);
                assert_eq!(quick, Search::kernel(&ways.loose, ways.empty), "\n{world}");
                world.apply(world.random_action(&mut rng));
            }
        }
        cut
    }

    #[test]
    fn searches_are_equal_on_every_processor() {
        #[cfg(target_arch = "x86_64")]
        oboro_testkit::say_not_run(&[("searches by AVX2", is_supported())]);
        assert!(compare::<1>(Bounds::Paper) > 50);
        assert!(compare::<2>(Bounds::Three) > 50);
        assert!(compare::<3>(Bounds::None) > 50);
    }
}
