//! What a keen player does, remembered: imagined rounds ask for the same turns again and again.

use super::standing::Standing;
use crate::action::Action;
use crate::cell::Cell;

/// How many turns are remembered.
const SIZE: usize = 1 << 12;

/// A question: the table, who is to move, and where its goal lies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Question {
    table: Standing,
    seat: usize,
    goal: Option<Cell>,
}

/// Keen turns by the table on which they are made; a newer one takes an older one's place.
#[derive(Clone, Debug, Default)]
pub(super) struct Memo {
    turns: Vec<Option<(u32, Question, Option<Action>)>>,
    /// The number of the present decision: what an earlier one found does not count, so that a decision does not
    /// depend on what was asked before.
    decision: u32,
    /// What was spent on turns that were not remembered, in imagined turns of the plain kind.
    pub(super) spent: u64,
}

/// What it costs to find a keen turn when the goal is one turn away, and when it is further.
const COSTS: [u64; 2] = [2, 14];

impl Memo {
    /// Makes room, and forgets.
    pub(super) fn prepare(&mut self) {
        if self.turns.is_empty() {
            self.turns.resize(SIZE, None);
        }
        self.decision = self.decision.wrapping_add(1);
        self.spent = 0;
    }

    /// The turn of a keen player.
    pub(super) fn keen_turn(
        &mut self,
        table: &Standing,
        seat: usize,
        goal: Option<Cell>,
        can_reach: bool,
    ) -> Option<Action> {
        let question = Question { table: *table, seat, goal };
        let slot = &mut self.turns[question.number() % SIZE];
        if let Some((decision, known, turn)) = slot
            && *decision == self.decision
            && *known == question
        {
            return *turn;
        }
        let turn = table.keen_turn(seat, goal);
        *slot = Some((self.decision, question, turn));
        self.spent += COSTS[usize::from(!can_reach)];
        turn
    }
}

impl Question {
    /// A number that differs from question to question, mostly.
    fn number(&self) -> usize {
        let place = |cell: Option<Cell>| cell.map_or(Cell::COUNT, Cell::index) as u64;
        let pawns = self.table.pawns.iter().fold(0, |sum, pawn| sum * 64 + pawn.index() as u64);
        let mut number = self.table.board.maze.mixed() ^ self.table.board.extra as u64;
        for part in [pawns, place(self.goal) * 4 + self.seat as u64] {
            number = (number ^ part).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            number ^= number >> 29;
        }
        number as usize
    }
}
