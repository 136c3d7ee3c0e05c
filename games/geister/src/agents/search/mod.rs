//! Searches that only agents use: alpha-beta of worst cases, and proofs of forced wins.

mod alpha_beta;
mod position;
mod prover;
mod race;
#[cfg(test)]
mod tests;

pub(crate) use alpha_beta::{AlphaBeta, FAR, WIN, Weights, WorstCase};
pub(crate) use position::Position;
pub(crate) use prover::{Proof, Prover};

use crate::bitboard::FORWARDS_FIRST;
use crate::square::{Bitboard, squares};

/// A step: where from, and the number of its direction. None starts from nowhere.
pub(crate) type Step = (Bitboard, usize);

/// The node budget is spent.
#[derive(Debug)]
pub(crate) struct Exhausted;

/// The steps of some movers, forwards first.
fn steps(movable: [Bitboard; 4], movers: Bitboard) -> impl Iterator<Item = Step> {
    FORWARDS_FIRST.into_iter().flat_map(move |direction| {
        squares(movable[direction] & movers).map(move |square| (square.bit(), direction))
    })
}

/// Whether a set has one square, or none.
#[inline]
const fn has_one(board: Bitboard) -> bool {
    board & board.wrapping_sub(1) == 0
}
