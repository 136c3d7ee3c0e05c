//! One of the squares on four boards, uniformly.

#![allow(clippy::inline_always, reason = "a playout is one loop; measured")]

use crate::piece::Piece;
use crate::square::Bitboard;
use oboro_core::Rng;

/// A way to draw one of the squares on four boards. All draw the same.
pub(crate) trait Pick: Copy {
    /// The board and the square. One board at least is not empty, and none has more than eight squares.
    fn pick(self, boards: [Bitboard; 4], rng: &mut Rng) -> (u8, u8);
}

const EVERY_BYTE: u64 = u64::MAX / 255;

/// By counting squares byte by byte, on any processor.
#[derive(Clone, Copy)]
pub(crate) struct ByBytes;

impl Pick for ByBytes {
    #[inline(always)]
    fn pick(self, boards: [Bitboard; 4], rng: &mut Rng) -> (u8, u8) {
        // No board has more than eight, so that two of them are added up in one go: one in the low, one in the high
        // half of every byte.
        let counts = boards.map(byte_counts);
        let [even, odd] = [counts[0] | counts[2] << 4, counts[1] | counts[3] << 4]
            .map(|both| both.wrapping_mul(EVERY_BYTE) >> 56);
        let drawn = Drawn::new([even & 15, odd & 15, even >> 4, odd >> 4], rng);
        (drawn.board(), nth_square(drawn.pick(boards), drawn.pick(counts), drawn.number))
    }
}

/// By instructions that count bits and scatter them: the function puts the low bits of a word where the bits of
/// another are set.
#[derive(Clone, Copy)]
pub(crate) struct ByBits<F>(pub(crate) F);

impl<F: Fn(u64, Bitboard) -> u64 + Copy> Pick for ByBits<F> {
    #[inline(always)]
    fn pick(self, boards: [Bitboard; 4], rng: &mut Rng) -> (u8, u8) {
        let drawn = Drawn::new(boards.map(|board| board.count_ones().into()), rng);
        let square = (self.0)(1 << (drawn.number & 63), drawn.pick(boards)).trailing_zeros();
        (drawn.board(), square as u8)
    }
}

/// Which square is drawn. No branch depends on it: guessing it wrong would cost more than the few operations.
struct Drawn {
    /// Masks: whether it comes after each of the first three boards.
    past: [u64; 3],
    /// Its number among the squares of its board.
    number: u64,
}

impl Drawn {
    #[inline(always)]
    fn new(totals: [u64; 4], rng: &mut Rng) -> Drawn {
        let first = totals[0];
        let second = first + totals[1];
        let third = second + totals[2];
        let number = rng.below((third + totals[3]) as usize) as u64;
        let past = [first, second, third].map(|end| u64::from(number >= end).wrapping_neg());
        let before = (totals[0] & past[0]) + (totals[1] & past[1]) + (totals[2] & past[2]);
        Drawn { past, number: number - before }
    }

    /// What belongs to the board: picked by masks, not from a list, which would have to be written to memory first.
    #[inline(always)]
    fn pick(&self, [a, b, c, d]: [u64; 4]) -> u64 {
        a ^ (a ^ b) & self.past[0] ^ (b ^ c) & self.past[1] ^ (c ^ d) & self.past[2]
    }

    #[inline(always)]
    fn board(&self) -> u8 {
        self.pick([0, 1, 2, 3]) as u8
    }
}

/// How many squares are set in each byte of a board.
#[inline(always)]
const fn byte_counts(board: Bitboard) -> u64 {
    let pairs = board - ((board >> 1) & (EVERY_BYTE * 0x55));
    let nibbles = (pairs & (EVERY_BYTE * 0x33)) + ((pairs >> 2) & (EVERY_BYTE * 0x33));
    (nibbles + (nibbles >> 4)) & (EVERY_BYTE * 0x0f)
}

/// The square of the set bit with this number, from 0, by the counts of the board's bytes.
#[inline(always)]
fn nth_square(board: Bitboard, counts: u64, number: u64) -> u8 {
    const TOPS: u64 = EVERY_BYTE * 0x80;
    // In each byte and those below it.
    let counts = counts.wrapping_mul(EVERY_BYTE);
    let bytes_below = ((((EVERY_BYTE * number) | TOPS) - counts) & TOPS) >> 7;
    let place = (bytes_below.wrapping_mul(EVERY_BYTE) >> 56) * 8;
    let rest = number - (counts << 8 >> place & 0xff);
    let byte = board >> place & 0xff;
    place as u8 + Piece::nth_of_set(byte as u8, rest as usize).index() as u8
}
