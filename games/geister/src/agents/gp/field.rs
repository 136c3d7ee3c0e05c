//! A position as bitboards by colour, and what the primitives read off it.
//!
//! Everything is generic over the side that moves: north is away from its home, and the compiler
//! makes shifts of it.

#![allow(clippy::inline_always, reason = "a playout is one loop; measured")]

use super::corners::Corners;
use super::pick::Pick;
use super::primitive::{Measure, MoveKind, Test, Which};
use crate::bitboard::{ALL, LEFT, RIGHT, around, columns, shifted as shifted_by};
use crate::square::{Bitboard, EXITS, OFFSETS, Square};
use crate::world::World;
use oboro_core::{Rng, Seat};

/// The left half of the board as each side sees it; the right half is the rest.
pub(super) const LEFT_HALF: [Bitboard; 2] = [columns(0, 2), columns(3, 5)];

/// How many steps a piece can be from an exit: 0 to 7.
pub(super) const FARTHEST: usize = 7;

/// The squares at each distance from a side's exits.
pub(super) static RINGS: [[Bitboard; FARTHEST + 1]; 2] = {
    let mut rings = [[0; FARTHEST + 1]; 2];
    let mut square = 0;
    while square < 36 {
        let (x, y) = (square % 6, square / 6);
        let aside = if x < 3 { x } else { 5 - x };
        rings[0][y + aside] |= 1 << square;
        rings[1][5 - y + aside] |= 1 << square;
        square += 1;
    }
    rings
};

/// The four squares around each home corner of a side: where the opponent leaves.
const HOME_CORNERS: [Bitboard; 2] = {
    let sides = columns(0, 1) | columns(4, 5);
    [sides & (ALL << 24), sides & ((1 << 12) - 1)]
};

/// The squares that the tests of corners look at when each side moves, in a search of `searcher`.
pub(crate) fn corners(reading: Corners, searcher: Option<Seat>) -> [Bitboard; 2] {
    let [first, second] = HOME_CORNERS;
    match (reading, searcher) {
        (Corners::Home, _) | (Corners::Searcher, None) => [first, second],
        (Corners::Exits, _) => [second, first],
        (Corners::Searcher, Some(seat)) => [HOME_CORNERS[seat.index()]; 2],
    }
}

/// North, east, south and west of the mover.
pub(super) const NORTH: usize = 0;
pub(super) const EAST: usize = 1;
pub(super) const SOUTH: usize = 2;
pub(super) const WEST: usize = 3;

/// Where pieces come by a step.
#[inline(always)]
const fn shifted<const SIDE: usize>(from: Bitboard, direction: usize) -> Bitboard {
    // The second side sees the board turned.
    let direction = (direction + 2 * SIDE) % 4;
    let stays = match direction {
        EAST => from & !RIGHT,
        WEST => from & !LEFT,
        _ => from,
    };
    shifted_by(stays, direction)
}

/// A set of moves: the squares reached by a step in each of the mover's directions. Pieces that
/// leave the board step north onto squares beyond it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Moves {
    to: [Bitboard; 4],
}

/// How far beyond the board the exits of each side are put, for pieces that leave.
const BEYOND: [u32; 2] = [36, 6];

/// One move of a set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Step {
    /// One square in a direction, onto a square.
    To(u8, u8),
    /// Off the board from a square.
    Leave(u8),
}

impl Moves {
    #[inline]
    pub(crate) fn count(&self) -> u32 {
        self.to.iter().map(|to| to.count_ones()).sum()
    }

    #[inline(always)]
    pub(crate) fn is_empty(&self) -> bool {
        self.to[0] | self.to[1] | self.to[2] | self.to[3] == 0
    }

    /// Whether it has a step of a side.
    #[inline]
    pub(crate) fn contains(&self, side: usize, step: Step) -> bool {
        let (direction, square) = match step {
            Step::To(direction, square) => (usize::from(direction), u32::from(square)),
            Step::Leave(square) => (NORTH, u32::from(square) + BEYOND[side]),
        };
        self.to[direction & 3] >> square & 1 == 1
    }

    /// Adds leaving the board from squares that are exits of the side.
    #[inline(always)]
    const fn or_leave<const SIDE: usize>(mut self, from: Bitboard) -> Moves {
        self.to[NORTH] |= (from & EXITS[SIDE]) << BEYOND[SIDE];
        self
    }

    /// One of them, uniformly; there must be one.
    #[inline(always)]
    pub(crate) fn draw<const SIDE: usize>(&self, rng: &mut Rng, pick: impl Pick) -> Step {
        let (direction, square) = pick.pick(self.to, rng);
        if square < 36 {
            Step::To(direction, square)
        } else {
            Step::Leave(square - BEYOND[SIDE] as u8)
        }
    }
}

/// Where the pieces of each side stand, by colour.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Field {
    pub(crate) blues: [Bitboard; 2],
    pub(crate) reds: [Bitboard; 2],
}

/// Everything that is true or false of a position for the side that moves, a bit each.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Conditions(u8);

impl Conditions {
    /// How many there can be.
    pub(crate) const COUNT: usize = 32;

    /// All that there can be, in order of their numbers.
    pub(crate) fn all() -> [Conditions; Conditions::COUNT] {
        std::array::from_fn(|number| Conditions(number as u8))
    }

    /// Their number.
    #[inline(always)]
    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }

    /// The answer to a test.
    pub(crate) const fn say(self, test: Test) -> bool {
        let (both, first) = match test {
            Test::HavingKeeper => return self.0 & 1 != 0,
            Test::NextToOpponents(which) => (which, 1),
            Test::OppNearMyGoal(which) => (which, 3),
        };
        let colours = match both {
            Which::Any => 0b11,
            Which::Blue => 0b01,
            Which::Red => 0b10,
        };
        self.0 >> first & colours != 0
    }
}

impl Field {
    pub(crate) fn of(world: &World) -> Field {
        let mut field = Field { blues: [0; 2], reds: [0; 2] };
        for side in 0..2 {
            for (piece, place) in world.public.places[side].iter().enumerate() {
                let square = u64::from(world.public.alive[side] >> piece & 1) << (place & 63);
                let is_red = u64::from(world.reds[side] >> piece & 1).wrapping_neg();
                field.reds[side] |= square & is_red;
                field.blues[side] |= square & !is_red;
            }
        }
        field
    }

    #[inline(always)]
    pub(crate) const fn all(&self, side: usize) -> Bitboard {
        self.blues[side] | self.reds[side]
    }

    #[inline(always)]
    fn pieces(&self, side: usize, which: Which) -> Bitboard {
        match which {
            Which::Any => self.all(side),
            Which::Blue => self.blues[side],
            Which::Red => self.reds[side],
        }
    }

    /// What is true for the side that moves, all at once; `corners` is where the tests of corners
    /// look.
    #[inline(always)]
    pub(crate) fn conditions<const SIDE: usize>(&self, corners: Bitboard) -> Conditions {
        let (own, blues, reds) = (self.all(SIDE), self.blues[1 - SIDE], self.reds[1 - SIDE]);
        let near = around(own);
        let conditions =
            [own & corners, near & blues, near & reds, corners & blues, corners & reds];
        let bits =
            conditions.iter().enumerate().map(|(place, there)| u8::from(*there != 0) << place);
        Conditions(bits.sum())
    }

    // Not inlined into the loop of decisions: there all measures would be taken ahead of it, asked
    // for or not.
    #[inline(never)]
    pub(crate) fn measure<const SIDE: usize>(&self, measure: Measure) -> u32 {
        let distance = |which, exits_of| nearest(self.pieces(SIDE, which), exits_of).0;
        match measure {
            Measure::MyBlue => self.blues[SIDE].count_ones(),
            Measure::MyRed => self.reds[SIDE].count_ones(),
            Measure::OppBlue => self.blues[1 - SIDE].count_ones(),
            Measure::OppRed => self.reds[1 - SIDE].count_ones(),
            Measure::DistanceToGoal(which) => distance(which, SIDE),
            Measure::DistanceToMyGoal(which) => distance(which, 1 - SIDE),
        }
    }

    /// The moves of a kind; none if nothing fits.
    #[inline(always)]
    pub(crate) fn moves<const SIDE: usize>(&self, kind: MoveKind) -> Moves {
        let own = self.all(SIDE);
        match kind {
            MoveKind::Random => every_way::<SIDE>(own, !own).or_leave::<SIDE>(self.blues[SIDE]),
            MoveKind::Capture(which) => every_way::<SIDE>(own, self.pieces(1 - SIDE, which)),
            MoveKind::CloserToGoal(which) => {
                let (_, movers) = nearest(self.pieces(SIDE, which), SIDE);
                outwards::<SIDE>(movers, NORTH, !own).or_leave::<SIDE>(movers & self.blues[SIDE])
            }
            MoveKind::EscapeFrom(which) => {
                let enemies = self.all(1 - SIDE);
                let movers = own & around(self.pieces(1 - SIDE, which));
                every_way::<SIDE>(movers, !(own | enemies | around(enemies)))
            }
            MoveKind::LeavingFromGoal(which) => {
                let movers = self.pieces(SIDE, which);
                let (left, right) = halves::<SIDE>(movers);
                let mut moves = Moves::default();
                moves.to[SOUTH] = shifted::<SIDE>(movers, SOUTH) & !own;
                moves.to[EAST] = shifted::<SIDE>(left, EAST) & !own;
                moves.to[WEST] = shifted::<SIDE>(right, WEST) & !own;
                moves
            }
            MoveKind::CloserToMyGoal(which) => {
                let (_, movers) = nearest(self.pieces(SIDE, which), 1 - SIDE);
                outwards::<SIDE>(movers, SOUTH, !own)
            }
        }
    }

    /// The square a step of a side starts from.
    #[inline(always)]
    pub(crate) const fn origin(side: usize, direction: u8, square: u8) -> u8 {
        square.wrapping_sub(OFFSETS[side][direction as usize & 3] as u8)
    }
}

/// The distance of the pieces nearest to a side's exits, and those pieces. It seldom differs from
/// one move to the next, so a loop that is left early is guessed right more often than not.
#[inline(always)]
fn nearest(pieces: Bitboard, exits_of: usize) -> (u32, Bitboard) {
    for (distance, ring) in RINGS[exits_of].iter().enumerate() {
        if pieces & ring != 0 {
            return (distance as u32, pieces & ring);
        }
    }
    (FARTHEST as u32, 0)
}

#[inline(always)]
const fn halves<const SIDE: usize>(pieces: Bitboard) -> (Bitboard, Bitboard) {
    (pieces & LEFT_HALF[SIDE], pieces & !LEFT_HALF[SIDE])
}

/// Steps in all directions onto some squares.
#[inline(always)]
const fn every_way<const SIDE: usize>(movers: Bitboard, onto: Bitboard) -> Moves {
    Moves {
        to: [
            shifted::<SIDE>(movers, NORTH) & onto,
            shifted::<SIDE>(movers, EAST) & onto,
            shifted::<SIDE>(movers, SOUTH) & onto,
            shifted::<SIDE>(movers, WEST) & onto,
        ],
    }
}

/// Steps along the board's length, and to the edge of the half a piece stands in.
#[inline(always)]
fn outwards<const SIDE: usize>(movers: Bitboard, along: usize, free: Bitboard) -> Moves {
    let (left, right) = halves::<SIDE>(movers);
    let mut moves = Moves::default();
    moves.to[along] = shifted::<SIDE>(movers, along) & free;
    moves.to[WEST] = shifted::<SIDE>(left, WEST) & free;
    moves.to[EAST] = shifted::<SIDE>(right, EAST) & free;
    moves
}

/// Where a square number lies on the board.
pub(crate) fn square(number: u8) -> Square {
    Square::from_index(number).expect("a square of the board")
}

#[cfg(test)]
mod tests {
    use super::super::pick::ByBytes;
    use super::*;
    use crate::bitboard::turned;
    use oboro_testkit::check_uniform;

    #[test]
    fn every_move_of_a_set_is_drawn_equally_often() {
        let every_eighth = ALL & (u64::MAX / 255);
        let moves = Moves { to: [0b1011 << 30, 0, 1, every_eighth] }.or_leave::<1>(ALL);
        let mut all = vec![(2, 0), (4, 30), (4, 35)];
        all.extend([30, 31, 33].map(|square| (0, square)));
        all.extend([0, 8, 16, 24, 32].map(|square| (3, square)));
        assert_eq!(moves.count() as usize, all.len());
        check_uniform(&all, 11_000, |rng| {
            let step = moves.draw::<1>(rng, ByBytes);
            assert!(moves.contains(1, step));
            match step {
                Step::To(direction, square) => (direction, square),
                Step::Leave(square) => (4, square),
            }
        });
    }

    #[test]
    fn the_board_looks_the_same_from_both_sides() {
        for side in 0..2 {
            assert_eq!(turned(HOME_CORNERS[side]), HOME_CORNERS[1 - side]);
            assert_eq!(turned(LEFT_HALF[side]), LEFT_HALF[1 - side]);
            assert_eq!(RINGS[side].map(turned), RINGS[1 - side]);
            assert_eq!(RINGS[side][0], EXITS[side]);
        }
        for square in 0..36 {
            let here: Bitboard = 1 << square;
            for direction in 0..4 {
                let there = shifted::<0>(here, direction);
                assert_eq!(turned(there), shifted::<1>(turned(here), direction));
                if there != 0 {
                    let number = there.trailing_zeros() as u8;
                    assert_eq!(Field::origin(0, direction as u8, number), square);
                }
            }
        }
    }
}
