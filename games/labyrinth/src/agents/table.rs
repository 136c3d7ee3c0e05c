//! The board and the pawns inside searches.

use super::exhaustive::GoalSearch;
use crate::action::Action;
use crate::board::Board;
use crate::cell::{Cell, CellSet};
use crate::entry::Entry;
use crate::public::{MAX_SEATS, Public};
use crate::tile::Rotation;
use crate::tiles::{PUSHES, Tiles};
use arrayvec::ArrayVec;

/// The board and the pawns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Table {
    pub(super) board: Board,
    pub(super) last: Option<Entry>,
    pub(super) pawns: [Cell; MAX_SEATS],
    pub(super) seats: usize,
}

impl Table {
    pub(super) fn new(public: &Public) -> Table {
        Table {
            board: *public.board(),
            last: public.last_push(),
            pawns: public.pawns,
            seats: public.seats(),
        }
    }

    pub(super) fn tiles(&self) -> Tiles {
        Tiles::new(&self.board, self.last)
    }

    /// Pushes the extra tile in and carries the pawns along.
    #[inline]
    pub(super) fn push(&mut self, entry: Entry, rotation: Rotation) {
        self.board.push(entry, rotation);
        self.last = Some(entry);
        for pawn in &mut self.pawns[..self.seats] {
            *pawn = entry.carry(*pawn);
        }
    }

    /// The pushes that get a pawn onto the tile at `goal`, each with the cell on which that then lies.
    #[inline]
    pub(super) fn arrivals(&self, seat: usize, goal: Option<Cell>) -> ArrayVec<Action, PUSHES> {
        let mut arrivals = ArrayVec::new();
        let extra = self.board.extra;
        for entry in Entry::legal_after(self.last) {
            let Some(goal) = entry.carry_tile(goal) else { continue };
            let gap = self.board.maze.gap(entry);
            let start = CellSet::from(entry.carry(self.pawns[seat]));
            for &rotation in extra.distinct_rotations() {
                if gap.filled(extra.turned(rotation)).reach(start).contains(goal) {
                    arrivals.push(Action { entry, rotation, to: goal });
                }
            }
        }
        arrivals
    }

    /// The turn of a player that wants the fewest turns, if its goal is one or two turns away. For one turn, it is the
    /// push that leaves the others the fewest cells; for two, the first turn that most ways share.
    pub(super) fn shortest_turn(&self, seat: usize, goal: Option<Cell>) -> Option<Action> {
        let search = GoalSearch::of(self.tiles(), goal, self.pawns[seat]);
        let others = (0..self.seats).filter(|&other| other != seat).map(|other| self.pawns[other]);
        let others: ArrayVec<Cell, MAX_SEATS> = others.collect();
        search.best_of_one(&others).or_else(|| search.best_of_two())
    }
}
