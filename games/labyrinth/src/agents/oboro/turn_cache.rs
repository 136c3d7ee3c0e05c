//! A cache of [`Table::shortest_turn`], which imagined rounds ask for again and again.

use crate::action::Action;
use crate::agents::table::Table;
use crate::cell::Cell;

/// The number of cached turns.
const SIZE: usize = 1 << 12;

/// The table, the seat to move, and the cell of its goal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct CacheKey {
    table: Table,
    seat: usize,
    goal: Option<Cell>,
}

/// Cached turns; a newer one replaces an older one with the same slot.
#[derive(Clone, Debug, Default)]
pub(super) struct TurnCache {
    turns: Vec<Option<(u32, CacheKey, Option<Action>)>>,
    /// The number of the present decision. Entries of earlier decisions do not count, so that a decision does not depend
    /// on what was asked before.
    decision: u32,
    /// The cost of turns that were not cached, in imagined turns.
    pub(super) spent: u64,
}

/// The cost of a turn that was not cached, when the goal is one turn away and when it is further.
const COSTS: [u64; 2] = [2, 14];

impl TurnCache {
    /// Allocates, and forgets.
    pub(super) fn prepare(&mut self) {
        if self.turns.is_empty() {
            self.turns.resize(SIZE, None);
        }
        self.decision = self.decision.wrapping_add(1);
        self.spent = 0;
    }

    /// As [`Table::shortest_turn`].
    pub(super) fn shortest_turn(
        &mut self,
        table: &Table,
        seat: usize,
        goal: Option<Cell>,
        can_reach: bool,
    ) -> Option<Action> {
        let key = CacheKey { table: *table, seat, goal };
        let slot = &mut self.turns[key.hash() % SIZE];
        if let Some((decision, known, turn)) = slot
            && *decision == self.decision
            && *known == key
        {
            return *turn;
        }
        let turn = table.shortest_turn(seat, goal);
        *slot = Some((self.decision, key, turn));
        self.spent += COSTS[usize::from(!can_reach)];
        turn
    }
}

impl CacheKey {
    fn hash(&self) -> usize {
        let place = |cell: Option<Cell>| cell.map_or(Cell::COUNT, Cell::index) as u64;
        let pawns = self.table.pawns.iter().fold(0, |sum, pawn| sum * 64 + pawn.index() as u64);
        let mut number = self.table.board.maze.hash_bits() ^ self.table.board.extra as u64;
        for part in [pawns, place(self.goal) * 4 + self.seat as u64] {
            number = (number ^ part).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            number ^= number >> 29;
        }
        number as usize
    }
}
