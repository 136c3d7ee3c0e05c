//! The table as it is moved about in thought, and how a rival is expected to move on it.

use super::super::tiles::{PUSHES, Tiles};
use super::reading::Manner;
use crate::board::Board;
use crate::cell::{Cell, CellSet};
use crate::entry::Entry;
use crate::public::{MAX_SEATS, Public};
use crate::tile::Rotation;
use arrayvec::ArrayVec;
use oboro_core::Rng;

/// The board and the pawns.
#[derive(Clone, Copy, Debug)]
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
    pub(super) fn arrivals(
        &self,
        seat: usize,
        goal: Option<Cell>,
    ) -> ArrayVec<(Entry, Rotation, Cell), PUSHES> {
        let mut arrivals = ArrayVec::new();
        let extra = self.board.extra;
        for entry in Entry::legal_after(self.last) {
            let Some(goal) = entry.carry_tile(goal) else { continue };
            let gap = self.board.maze.gap(entry);
            let start = CellSet::from(entry.carry(self.pawns[seat]));
            for &rotation in extra.distinct_rotations() {
                if gap.filled(extra.turned(rotation)).reach(start).contains(goal) {
                    arrivals.push((entry, rotation, goal));
                }
            }
        }
        arrivals
    }

    /// How many cells the pawns of all seats but one can walk to after a push, added up.
    #[inline]
    pub(super) fn open_to_others(&self, seat: usize, entry: Entry, rotation: Rotation) -> usize {
        let corridors = self.board.corridors_after(entry, rotation);
        let reach = |pawn: Cell| corridors.reach(entry.carry(pawn).into()).len();
        (0..self.seats).filter(|&other| other != seat).map(|other| reach(self.pawns[other])).sum()
    }

    /// Plays the turn of a rival that can reach its goal, or any push for one that cannot.
    pub(super) fn reply(
        &mut self,
        seat: usize,
        goal: Option<Cell>,
        can_reach: bool,
        manner: Manner,
        rng: &mut Rng,
    ) -> Entry {
        if can_reach && manner != Manner::Idle {
            let arrivals = self.arrivals(seat, goal);
            let arrival = if manner == Manner::Keen {
                let open = |&&(entry, rotation, _): &&_| self.open_to_others(seat, entry, rotation);
                arrivals.iter().min_by_key(open)
            } else {
                rng.choose(&arrivals)
            };
            if let Some(&(entry, rotation, to)) = arrival {
                self.push(entry, rotation);
                self.pawns[seat] = to;
                return entry;
            }
        }
        let entries: ArrayVec<Entry, { Entry::COUNT }> = Entry::legal_after(self.last).collect();
        let entry = *rng.choose(&entries).expect("there are legal entries");
        self.push(entry, Rotation::ALL[rng.below(4)]);
        entry
    }
}
