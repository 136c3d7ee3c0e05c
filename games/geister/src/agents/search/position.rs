//! A position in which one side proves a win, whatever the hidden colours are.

use crate::bitboard::{ENEMY_EXITS, OWN_EXITS, around, shifted};
use crate::square::Bitboard;
use crate::view::View;
use oboro_core::SeatView;

/// One side's worst case: its own colours, and enemies of unknown colour. Its home is at the bottom.
///
/// An enemy is red if it is captured and blue if it reaches an exit. That is the worst that can happen: a colouring
/// with one blue more and one red less gives the enemy more to leave with, more to be captured before it has lost its
/// blues, and fewer to be captured before it has won by its reds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Position {
    /// The own blue pieces.
    pub(super) blues: Bitboard,
    /// The own red pieces.
    pub(super) reds: Bitboard,
    /// The enemy's pieces.
    pub(super) enemies: Bitboard,
    /// How many of them are red.
    pub(super) quota: u8,
}

impl Position {
    /// The position of a view's owner who knows none of the hidden colours.
    pub(crate) fn of(view: &View) -> Position {
        let (board, seat) = (view.public(), view.seat());
        Position {
            blues: board.squares_of(seat, view.own_blues(), seat),
            reds: board.squares_of(seat, view.own_reds(), seat),
            enemies: board.squares_of(view.enemy(), view.hidden(), seat),
            quota: view.hidden_reds() as u8,
        }
    }

    /// All own pieces.
    #[inline]
    pub(super) fn own(&self) -> Bitboard {
        self.blues | self.reds
    }

    /// Whether the enemy, to move, leaves.
    #[inline]
    pub(super) fn enemy_leaves(&self) -> bool {
        self.enemies & ENEMY_EXITS != 0
    }

    /// Whether an enemy can be captured without losing at once.
    #[inline]
    pub(super) fn may_take(&self) -> bool {
        self.quota > 1
    }

    /// After a step of the attacker, unless it captures the last red.
    #[inline]
    pub(super) fn attacker_step(&self, from: Bitboard, direction: usize) -> Option<Position> {
        let to = shifted(from, direction);
        let mut next = *self;
        if self.blues & from == 0 {
            next.reds ^= from | to;
        } else {
            next.blues ^= from | to;
        }
        if self.enemies & to == 0 {
            return Some(next);
        }
        if next.quota == 1 {
            return None;
        }
        next.enemies ^= to;
        next.quota -= 1;
        Some(next)
    }

    /// After a step of the defender; it may capture.
    #[inline]
    pub(super) fn defender_step(&self, from: Bitboard, direction: usize) -> Position {
        let to = shifted(from, direction);
        Position {
            blues: self.blues & !to,
            reds: self.reds & !to,
            enemies: self.enemies ^ (from | to),
            quota: self.quota,
        }
    }

    /// The exits that a blue can enter so that no enemy captures it there or leaves before it.
    #[inline]
    pub(super) fn safe_entries(&self) -> Bitboard {
        if self.enemy_leaves() {
            return 0;
        }
        let mut safe = 0;
        let mut exits = around(self.blues) & OWN_EXITS & !self.own();
        while exits != 0 {
            let exit = exits & exits.wrapping_neg();
            exits ^= exit;
            let may_enter = self.enemies & exit == 0 || self.may_take();
            if may_enter && around(self.enemies & !exit) & exit == 0 {
                safe |= exit;
            }
        }
        safe
    }

    /// A key for a table of positions; never 0.
    #[inline]
    pub(super) fn key(&self, attacks: bool) -> u64 {
        let rest = u64::from(self.quota) << 40 | u64::from(attacks) << 48;
        let mut hash = self.blues.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        hash = (hash ^ hash >> 32 ^ self.reds).wrapping_mul(0xd6e8_feb8_6659_fd93);
        hash = (hash ^ hash >> 32 ^ self.enemies ^ rest).wrapping_mul(0xa076_1d64_78bd_642f);
        (hash ^ hash >> 29) | 1
    }
}
