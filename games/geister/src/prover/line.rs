//! How a proven win is played out.

use super::position::Stepped;
use super::{Exhausted, Left, Position, Prover, Step, glance};
use crate::action::Action;
use crate::purple::{OWN_EXITS, movable, piece_on};
use crate::solver::steps;
use crate::square::Direction;
use crate::view::View;
use oboro_core::SeatView;

impl Prover {
    /// The winning line from a position won in `plies`: the attacker's proven moves, and the defence that lasts longest.
    /// The first move is always there; then it goes on for as long as the budget lasts.
    pub(super) fn line(
        &mut self,
        view: &View,
        here: &Position,
        mut plies: u32,
        budget: u64,
    ) -> Vec<Action> {
        let mut board = *view.public();
        let mut here = *here;
        let mut line = Vec::new();
        self.nodes = 0;
        self.budget = u64::MAX;
        loop {
            let leaving = here.blues & OWN_EXITS;
            if leaving != 0 {
                line.push(Action::Escape(piece_on(&board, view.seat(), leaving)));
                return line;
            }
            let Ok(Some((step, next))) = self.winning_step(&here, plies) else {
                return line;
            };
            let piece = piece_on(&board, view.seat(), step.0);
            line.push(Action::Move(piece, Direction::ALL[step.1]));
            board.step(piece, Direction::ALL[step.1]);
            self.budget = self.nodes.saturating_add(budget);
            let Stepped::On(next) = next else {
                return line;
            };
            let Ok(Some((step, next, left))) = self.longest_defence(&next, plies - 1) else {
                return line;
            };
            let piece = piece_on(&board, view.seat(), step.0);
            // The defender's directions are its own.
            let own = Direction::ALL[step.1].reversed();
            debug_assert!(board.target(view.enemy(), piece, own).is_some());
            line.push(Action::Move(piece, own));
            board.step(piece, own);
            if next.reds == 0 {
                return line;
            }
            (here, plies) = (next, left);
        }
    }

    /// A step that wins within `plies` plies and what it leads to; what is nearest to a proof is tried first.
    fn winning_step(
        &mut self,
        here: &Position,
        plies: u32,
    ) -> Result<Option<(Step, Stepped)>, Exhausted> {
        let mut open = Vec::new();
        for (direction, from) in steps(movable(here.own()), here.own()) {
            match here.attacker_step(from, direction) {
                Stepped::Won => return Ok(Some(((from, direction), Stepped::Won))),
                Stepped::Lost => {}
                Stepped::On(next) => {
                    let left = match glance(&next, plies - 1, false) {
                        Some(verdict) => Left::decided(verdict),
                        None => self.left(&next, plies - 1),
                    };
                    open.push((left.proof, (from, direction), next));
                }
            }
        }
        open.sort_by_key(|&(proof, ..)| proof);
        for (_, step, next) in open {
            if self.is_won(&next, plies - 1)? {
                return Ok(Some((step, Stepped::On(next))));
            }
        }
        Ok(None)
    }

    /// The enemy's step after which the attacker needs most plies, less than `plies`, and how many.
    fn longest_defence(
        &mut self,
        here: &Position,
        plies: u32,
    ) -> Result<Option<(Step, Position, u32)>, Exhausted> {
        let mut best: Option<(Step, Position, u32)> = None;
        for (direction, from) in steps(movable(here.enemies), here.enemies) {
            let next = here.defender_step(from, direction);
            let mut needed = 0;
            if next.reds != 0 {
                // It is won before the plies run out.
                for depth in (1..plies).step_by(2) {
                    needed = depth;
                    if self.is_won(&next, depth)? {
                        break;
                    }
                }
            }
            if best.is_none_or(|(.., most)| needed > most) {
                best = Some(((from, direction), next, needed));
            }
        }
        Ok(best)
    }
}
