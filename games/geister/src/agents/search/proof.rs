//! What a search for a forced win finds, and how the win is played out.

use super::Step;
use super::position::{Position, Stepped};
use crate::action::Action;
use crate::bitboard::OWN_EXITS;
use crate::square::Direction;
use crate::view::View;
use oboro_core::SeatView;

/// What a search for a forced win found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Proof {
    /// A forced win, in no fewer plies than these if the defender resists longest.
    Win {
        /// Plies to the end, the last one included.
        plies: u32,
        /// The attacker's moves and the longest defence, in turn.
        line: Vec<Action>,
    },
    /// No forced win within so many plies.
    NoWinWithin(u32),
    /// The budget ran out; there is no forced win within so many plies.
    Undecided(u32),
}

/// A search that can play out the wins it has proved.
pub(super) trait PlayOut {
    /// A step that wins within `plies` plies, and what it leads to.
    fn winning_step(&mut self, here: &Position, plies: u32) -> Option<(Step, Stepped)>;

    /// The enemy's step after which the attacker needs most plies, at most `plies`, what it leads to, and how many.
    fn longest_defence(&mut self, here: &Position, plies: u32) -> Option<(Step, Position, u32)>;

    /// The winning line from a position won in `plies`: the attacker's proven moves, and the defence that lasts longest.
    fn line(&mut self, view: &View, mut here: Position, mut plies: u32) -> Vec<Action> {
        let (mut board, seat) = (*view.public(), view.seat());
        let mut line = Vec::new();
        loop {
            let leaving = here.blues & OWN_EXITS;
            if leaving != 0 {
                line.push(Action::Escape(board.piece_seen_on(seat, leaving)));
                return line;
            }
            let mut play = |(from, direction): Step, reversed: bool| {
                let (piece, way) = (board.piece_seen_on(seat, from), Direction::ALL[direction]);
                // The defender's directions are its own.
                let way = if reversed { way.reversed() } else { way };
                line.push(Action::Move(piece, way));
                board.step(piece, way);
            };
            let Some((step, next)) = self.winning_step(&here, plies) else { return line };
            play(step, false);
            let Stepped::On(next) = next else { return line };
            let Some((step, next, left)) = self.longest_defence(&next, plies - 2) else {
                return line;
            };
            play(step, true);
            if next.reds == 0 {
                return line;
            }
            (here, plies) = (next, left);
        }
    }
}
