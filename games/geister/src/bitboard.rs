//! Steps and distances on bitboards, the home of the side that looks at the bottom.

use crate::square::{Bitboard, Square};
use oboro_core::Seat;

/// The two exits of the side at the bottom, and of the side at the top.
pub(crate) const OWN_EXITS: Bitboard = 1 | 1 << 5;
pub(crate) const ENEMY_EXITS: Bitboard = 1 << 30 | 1 << 35;

pub(crate) const LEFT: Bitboard = columns(0, 0);
pub(crate) const RIGHT: Bitboard = columns(5, 5);
const TOP: Bitboard = 0b11_1111;
const BOTTOM: Bitboard = 0b11_1111 << 30;
pub(crate) const ALL: Bitboard = (1 << 36) - 1;

/// Some columns side by side.
pub(crate) const fn columns(from: u32, to: u32) -> Bitboard {
    let mut board = 0;
    let mut square = 0;
    while square < 36 {
        if square % 6 >= from && square % 6 <= to {
            board |= 1 << square;
        }
        square += 1;
    }
    board
}

/// A bitboard from the other side of the table.
#[inline]
pub(crate) const fn turned(board: Bitboard) -> Bitboard {
    board.reverse_bits() >> 28
}

/// A board turned so that `seat` has its home at the bottom.
#[inline]
pub(crate) const fn seen_by(board: Bitboard, seat: Seat) -> Bitboard {
    if seat.index() == 0 { board } else { turned(board) }
}

/// The pieces of `own` that can step in each direction (north, east, south, west of the side at the
/// bottom), and by how much their bit then shifts.
#[inline]
pub(crate) const fn movable(own: Bitboard) -> [Bitboard; 4] {
    [
        own & !(own << 6) & !TOP,
        own & !(own >> 1) & !RIGHT,
        own & !(own >> 6) & !BOTTOM,
        own & !(own << 1) & !LEFT,
    ]
}

/// The target of a step in the direction with this number.
#[inline]
pub(crate) const fn shifted(from: Bitboard, direction: usize) -> Bitboard {
    match direction {
        0 => from >> 6,
        1 => from << 1,
        2 => (from << 6) & ALL,
        _ => from >> 1,
    }
}

/// The squares from which a step in a direction leads into `targets`. Squares at the edge may be
/// wrong: meant to be met with [`movable`].
#[inline]
pub(crate) const fn unshifted(targets: Bitboard, direction: usize) -> Bitboard {
    match direction {
        0 => targets << 6,
        1 => targets >> 1,
        2 => targets >> 6,
        _ => targets << 1,
    }
}

/// Directions in the order in which searches try them: forwards, sideways, back.
pub(crate) const FORWARDS_FIRST: [usize; 4] = [0, 1, 3, 2];
/// The same for the side at the top.
pub(crate) const BACKWARDS_FIRST: [usize; 4] = [2, 1, 3, 0];

/// The squares next to any of a set.
#[inline]
pub(crate) const fn around(board: Bitboard) -> Bitboard {
    (board >> 6) | (board << 6) & ALL | (board & !RIGHT) << 1 | (board & !LEFT) >> 1
}

/// Steps from each square to the nearer exit of the side at the bottom.
static DISTANCE: [i32; 64] = distances();

const fn distances() -> [i32; 64] {
    let mut table = [0; 64];
    let mut square = 0;
    while let Some(here) = Square::from_index(square) {
        table[square as usize] = here.distance_to_exit(Seat::FIRST) as i32;
        square += 1;
    }
    table
}

/// The steps from a square, given as a bit, to the nearer exit of the side at the bottom.
#[inline]
pub(crate) fn own_distance(bit: Bitboard) -> i32 {
    DISTANCE[bit.trailing_zeros() as usize & 63]
}

/// The same for the side at the top.
#[inline]
pub(crate) fn enemy_distance(bit: Bitboard) -> i32 {
    DISTANCE[35 - (bit.trailing_zeros() as usize).min(35)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::square::{OUT, STEPS, squares};

    #[test]
    fn shifts_agree_with_the_table_of_steps() {
        for square in 0..36 {
            let bit: Bitboard = 1 << square;
            let movable = movable(bit);
            let shifts = [0, 1, 2, 3].map(|way| shifted(movable[way], way));
            assert_eq!(shifts, STEPS[0].map(|targets| targets[square] & !OUT));
            assert_eq!(around(bit), shifts.iter().sum::<Bitboard>());
            assert_eq!(turned(turned(bit)), bit);
        }
        assert_eq!(turned(OWN_EXITS), ENEMY_EXITS);
        assert_eq!(squares(LEFT).count() + squares(RIGHT).count(), 12);
    }
}
