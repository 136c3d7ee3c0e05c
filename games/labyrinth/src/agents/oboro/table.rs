//! The board and the pawns as they are moved about in thought, and how a rival is expected to move there.

use super::super::exhaustive::Quest;
use super::super::tiles::{PUSHES, Tiles};
use super::memo::Memo;
use super::reading::Manner;
use crate::action::Action;
use crate::board::Board;
use crate::cell::{Cell, CellSet};
use crate::entry::Entry;
use crate::public::{MAX_SEATS, Public};
use crate::tile::Rotation;
use arrayvec::ArrayVec;
use oboro_core::Rng;

/// The board and the pawns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Standing {
    pub(super) board: Board,
    pub(super) last: Option<Entry>,
    pub(super) pawns: [Cell; MAX_SEATS],
    pub(super) seats: usize,
}

impl Standing {
    pub(super) fn new(public: &Public) -> Standing {
        Standing {
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

    /// The turn of a keen player whose goal is one or two turns away: of one turn, the push that leaves the others the
    /// fewest cells; of two, the first turn that most ways share.
    pub(super) fn keen_turn(&self, seat: usize, goal: Option<Cell>) -> Option<Action> {
        let quest = Quest::of(self.tiles(), goal, self.pawns[seat]);
        let others = (0..self.seats).filter(|&other| other != seat).map(|other| self.pawns[other]);
        let others: ArrayVec<Cell, MAX_SEATS> = others.collect();
        quest.best_of_one(&others).or_else(|| quest.best_of_two())
    }

    /// Plays the turn of a rival. A seeker takes its goal where it can; where nothing is known of what somebody does,
    /// it makes any push.
    pub(super) fn reply(
        &mut self,
        seat: usize,
        goal: Option<Cell>,
        can_reach: bool,
        manner: Manner,
        memo: &mut Memo,
        rng: &mut Rng,
    ) -> Entry {
        let turn = match manner {
            Manner::Keen => memo.keen_turn(self, seat, goal, can_reach),
            Manner::Seeker | Manner::Lax if can_reach => {
                rng.choose(&self.arrivals(seat, goal)).copied()
            }
            _ => None,
        };
        if let Some(Action { entry, rotation, to }) = turn {
            self.push(entry, rotation);
            self.pawns[seat] = to;
            return entry;
        }
        let entries: ArrayVec<Entry, { Entry::COUNT }> = Entry::legal_after(self.last).collect();
        let entry = *rng.choose(&entries).expect("there are legal entries");
        self.push(entry, Rotation::ALL[rng.below(4)]);
        entry
    }
}
