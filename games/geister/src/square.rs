//! Squares, directions and bitboards.
//!
//! Squares are counted from seat 0's point of view, its home at the bottom: `x` to the right, `y`
//! down, both from 0, as in the tournament protocol; a bitboard has bit `6y + x`. Directions are
//! always the mover's own: north is away from home.

use oboro_core::Seat;
use std::fmt;

/// A set of squares, one bit a square.
pub(crate) type Bitboard = u64;

/// One of the 36 squares, as seat 0 sees them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Square(u8);

impl Square {
    /// How many squares there are.
    pub const COUNT: usize = 36;

    /// The square in column `x` and row `y`, if there is one.
    pub const fn at(x: u8, y: u8) -> Option<Square> {
        if x < 6 && y < 6 { Some(Square(6 * y + x)) } else { None }
    }

    /// The square with this number, if there is one.
    pub(crate) const fn from_index(index: u8) -> Option<Square> {
        if index < 36 { Some(Square(index)) } else { None }
    }

    /// Its number, `6y + x`.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Its column, from the left.
    #[inline]
    pub const fn x(self) -> u8 {
        self.0 % 6
    }

    /// Its row, from the top.
    #[inline]
    pub const fn y(self) -> u8 {
        self.0 / 6
    }

    /// The bitboard of this square alone.
    #[inline]
    pub const fn bit(self) -> Bitboard {
        1 << self.0
    }

    /// The same square from the other side of the table; also what `seat` sees of it.
    #[inline]
    #[must_use]
    pub const fn seen_by(self, seat: Seat) -> Square {
        if seat.index() == 0 { self } else { Square(35 - self.0) }
    }

    /// The same square in a mirror that swaps left and right.
    #[inline]
    #[must_use]
    pub const fn mirrored(self) -> Square {
        Square(self.0 - self.x() + (5 - self.x()))
    }

    /// The square that a step of `seat` leads to, if it stays on the board.
    pub fn step(self, seat: Seat, direction: Direction) -> Option<Square> {
        squares(STEPS[seat.index()][direction as usize][self.index()] & !OUT).next()
    }

    /// The steps from here to the nearest exit of `seat`, over an empty board.
    #[inline]
    pub(crate) const fn distance_to_exit(self, seat: Seat) -> u8 {
        let own = self.seen_by(seat);
        let side = if own.x() < 3 { own.x() } else { 5 - own.x() };
        own.y() + side
    }

    /// The number of steps between two squares.
    #[inline]
    pub(crate) const fn distance(self, other: Square) -> u8 {
        self.x().abs_diff(other.x()) + self.y().abs_diff(other.y())
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.x(), self.y())
    }
}

/// A step to a neighbouring square, in the mover's own frame.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Direction {
    /// Away from home.
    North,
    /// To the right.
    East,
    /// Towards home.
    South,
    /// To the left.
    West,
}

impl Direction {
    /// All four, in order.
    pub const ALL: [Direction; 4] =
        [Direction::North, Direction::East, Direction::South, Direction::West];

    /// The direction with this number, modulo 4.
    #[inline]
    pub(crate) const fn from_bits(bits: u64) -> Direction {
        Direction::ALL[(bits & 3) as usize]
    }

    /// Its letter.
    pub const fn letter(self) -> char {
        match self {
            Direction::North => 'N',
            Direction::East => 'E',
            Direction::South => 'S',
            Direction::West => 'W',
        }
    }

    /// The direction of a letter.
    pub fn from_letter(letter: char) -> Option<Direction> {
        Direction::ALL.into_iter().find(|d| d.letter() == letter)
    }

    /// The same step in a mirror that swaps left and right.
    #[must_use]
    pub const fn mirrored(self) -> Direction {
        match self {
            Direction::East => Direction::West,
            Direction::West => Direction::East,
            other => other,
        }
    }

    /// The step back.
    #[must_use]
    pub const fn reversed(self) -> Direction {
        Direction::ALL[(self as usize + 2) % 4]
    }
}

/// A place number for a captured piece; no step leads from it.
pub(crate) const CAPTURED: u8 = 36;
/// A place number for a piece that has left the board.
pub(crate) const ESCAPED: u8 = 37;
/// The bit that stands for leaving the board through an exit.
pub(crate) const OUT: Bitboard = 1 << 40;

/// The two exits of each seat: the corners far from its home.
pub(crate) const EXITS: [Bitboard; 2] = [1 | 1 << 5, 1 << 30 | 1 << 35];

/// The target of every step as a bit, by seat, direction and place: 0 where the board ends,
/// [`OUT`] where a step north leads through an exit. Sixty-four places, so that an index needs no check.
pub(crate) static STEPS: [[[Bitboard; 64]; 4]; 2] = steps();

const fn steps() -> [[[Bitboard; 64]; 4]; 2] {
    let mut table = [[[0; 64]; 4]; 2];
    let mut seat = 0;
    while seat < 2 {
        let mut square = 0;
        while square < 36 {
            // Seat 1 sees the board turned, so its north is seat 0's south.
            let turn = if seat == 0 { 0 } else { 2 };
            let (x, y) = (square % 6, square / 6);
            let mut direction = 0;
            while direction < 4 {
                table[seat][direction][square] = match (direction + turn) % 4 {
                    0 if y > 0 => 1 << (square - 6),
                    1 if x < 5 => 1 << (square + 1),
                    2 if y < 5 => 1 << (square + 6),
                    3 if x > 0 => 1 << (square - 1),
                    _ if direction == 0 && EXITS[seat] >> square & 1 == 1 => OUT,
                    _ => 0,
                };
                direction += 1;
            }
            square += 1;
        }
        seat += 1;
    }
    table
}

/// The squares from which a step leads somewhere, by seat and direction; out through an exit counts.
pub(crate) const WAYS: [[Bitboard; 4]; 2] = {
    let steps = steps();
    let mut ways = [[0; 4]; 2];
    let mut at = 0;
    while at < 2 * 4 * 36 {
        let (seat, direction, square) = (at / 144, at / 36 % 4, at % 36);
        if steps[seat][direction][square] != 0 {
            ways[seat][direction] |= 1 << square;
        }
        at += 1;
    }
    ways
};

/// What a step adds to the number of a square, by seat and direction.
pub(crate) const OFFSETS: [[i8; 4]; 2] = [[-6, 1, 6, -1], [6, -1, -6, 1]];

/// The squares of a bitboard, in order.
pub(crate) fn squares(board: Bitboard) -> impl Iterator<Item = Square> {
    let mut rest = board;
    std::iter::from_fn(move || {
        if rest == 0 {
            return None;
        }
        let square = Square(rest.trailing_zeros() as u8);
        rest &= rest - 1;
        Some(square)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_counted_from_the_own_side() {
        let corner = Square::at(0, 0).unwrap();
        assert_eq!(corner.distance_to_exit(Seat::new(0)), 0);
        assert_eq!(corner.distance_to_exit(Seat::new(1)), 5);
        let home = Square::at(2, 5).unwrap();
        assert_eq!(home.distance_to_exit(Seat::new(0)), 7);
        assert_eq!(home.distance_to_exit(Seat::new(1)), 2);
        assert_eq!(home.distance(corner), 7);
    }

    #[test]
    fn only_a_step_north_from_an_own_exit_leads_out() {
        for seat in 0..2 {
            for direction in Direction::ALL {
                let targets = &STEPS[seat][direction as usize][..36];
                for (square, &target) in targets.iter().enumerate() {
                    let exit = EXITS[seat] >> square & 1 == 1;
                    assert_eq!(target == OUT, exit && direction == Direction::North);
                }
            }
        }
    }
}
