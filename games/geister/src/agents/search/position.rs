//! A position in which one side proves a win, with the colours it knows.

use crate::bitboard::{ENEMY_EXITS, OWN_EXITS, around, shifted};
use crate::square::Bitboard;
use crate::view::View;
use oboro_core::SeatView;

/// One side's worst case: its own colours, and enemies that are red, blue or of unknown colour. Its home is at the bottom.
///
/// An unknown piece is red if it is captured and blue if it reaches an exit. That is the worst that can happen: a colouring
/// with one blue more and one red less gives the enemy more to leave with, more to be captured before it has lost its
/// blues, and fewer to be captured before it has won by its reds. Once all reds among them were captured, the others are
/// known to be blue.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Position {
    /// The own blue pieces.
    pub(super) blues: Bitboard,
    /// The own red pieces.
    pub(super) reds: Bitboard,
    /// All enemy pieces.
    pub(super) enemies: Bitboard,
    /// Those known to be red.
    pub(super) known_reds: Bitboard,
    /// Those known to be blue.
    pub(super) known_blues: Bitboard,
    /// How many of unknown colour are red.
    pub(super) quota: u8,
}

/// What an attacker's step leads to.
pub(super) enum Stepped {
    /// The enemy's last blue was captured.
    Won,
    /// Its last red was.
    Lost,
    On(Position),
}

impl Position {
    /// The position of a view's owner who knows none of the hidden colours.
    pub(crate) fn of(view: &View) -> Position {
        let (board, seat) = (view.public(), view.seat());
        Position {
            blues: board.squares_of(seat, view.own_blues(), seat),
            reds: board.squares_of(seat, view.own_reds(), seat),
            enemies: board.squares_of(view.enemy(), view.hidden(), seat),
            known_reds: 0,
            known_blues: 0,
            quota: view.hidden_reds() as u8,
        }
    }

    /// The position of a view's owner who knows that these hidden pieces are red and those are blue. None if that cannot
    /// be: a piece that is both, or not hidden, more of a colour than there are, or nothing left of it to capture.
    pub(crate) fn knowing(view: &View, reds: u8, blues: u8) -> Option<Position> {
        let here = Position::of(view);
        let squares = |set| view.public().squares_of(view.enemy(), set, view.seat());
        let known = reds | blues;
        (reds & blues == 0 && known & !view.hidden() == 0)
            .then(|| here.with_known(squares(reds), squares(blues)))
            .flatten()
    }

    /// The same with these of its enemies known to be red and those known to be blue, if that can be.
    pub(super) fn with_known(self, reds: Bitboard, blues: Bitboard) -> Option<Position> {
        let hidden_reds = u32::from(self.quota).checked_sub(reds.count_ones())?;
        let unknown = self.enemies & !reds & !blues;
        let hidden_blues = unknown.count_ones().checked_sub(hidden_reds)?;
        let (known_reds, known_blues) = match (hidden_reds, hidden_blues) {
            (_, 0) => (reds | unknown, blues),
            (0, _) => (reds, blues | unknown),
            _ => (reds, blues),
        };
        let quota = if hidden_blues == 0 { 0 } else { hidden_reds as u8 };
        (known_reds != 0 || quota != 0)
            .then_some(Position { known_reds, known_blues, quota, ..self })
            .filter(|here| here.leavers() != 0)
    }

    /// All own pieces.
    #[inline]
    pub(super) fn own(&self) -> Bitboard {
        self.blues | self.reds
    }

    /// The enemies that may leave through an exit.
    #[inline]
    pub(super) fn leavers(&self) -> Bitboard {
        self.enemies & !self.known_reds
    }

    /// Whether nothing is known of the enemy's colours.
    #[inline]
    pub(super) fn is_unknown(&self) -> bool {
        self.known_reds | self.known_blues == 0
    }

    /// Whether the enemy, to move, leaves.
    #[inline]
    pub(super) fn enemy_leaves(&self) -> bool {
        self.leavers() & ENEMY_EXITS != 0
    }

    /// Whether the attacker may have captured all blues of the enemy within so many plies: one of unknown colour is red as
    /// long as there can be another, and that the last red is not among them must be known. Each capture takes
    /// a move, and no two pieces meet in fewer plies than there are steps between them.
    #[inline]
    pub(super) fn may_take_all(&self, plies: u32) -> bool {
        let blues = self.leavers();
        if self.known_reds == 0 || blues.count_ones() > plies.div_ceil(2) {
            return false;
        }
        let mut reached = self.own();
        for _ in 0..plies.min(10) {
            reached |= around(reached);
        }
        blues & !reached == 0
    }

    /// Whether the enemy on this square can be captured without losing at once.
    #[inline]
    pub(super) fn may_take(&self, square: Bitboard) -> bool {
        let reds = self.known_reds.count_ones() + u32::from(self.quota);
        square & self.known_blues != 0 || reds > 1
    }

    /// After a step of the attacker.
    #[inline]
    pub(super) fn attacker_step(&self, from: Bitboard, direction: usize) -> Stepped {
        let to = shifted(from, direction);
        let mut next = *self;
        if self.blues & from == 0 {
            next.reds ^= from | to;
        } else {
            next.blues ^= from | to;
        }
        if self.enemies & to == 0 {
            return Stepped::On(next);
        }
        next.enemies ^= to;
        if self.known_blues & to != 0 {
            next.known_blues ^= to;
            return if next.leavers() == 0 { Stepped::Won } else { Stepped::On(next) };
        }
        if self.known_reds & to == 0 {
            next.quota -= 1;
        } else {
            next.known_reds ^= to;
        }
        if next.quota == 0 {
            if next.known_reds == 0 {
                return Stepped::Lost;
            }
            next.known_blues = next.leavers();
        }
        Stepped::On(next)
    }

    /// After a step of the defender; it may capture.
    #[inline]
    pub(super) fn defender_step(&self, from: Bitboard, direction: usize) -> Position {
        let to = shifted(from, direction);
        let moved = |set: Bitboard| if set & from == 0 { set } else { set ^ (from | to) };
        Position {
            blues: self.blues & !to,
            reds: self.reds & !to,
            enemies: self.enemies ^ (from | to),
            known_reds: moved(self.known_reds),
            known_blues: moved(self.known_blues),
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
            let may_enter = self.enemies & exit == 0 || self.may_take(exit);
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
        if !self.is_unknown() {
            hash = (hash ^ hash >> 32 ^ self.known_reds).wrapping_mul(0xe703_7ed1_a0b4_28db);
            hash = (hash ^ hash >> 32 ^ self.known_blues).wrapping_mul(0x8ebc_6af0_9c88_c6e3);
        }
        (hash ^ hash >> 29) | 1
    }
}
