//! Forced wins: the last goal is reached whatever the others do.

use super::hypotheses::{Hypotheses, Opponent};
use super::race::Goals;
use crate::agents::table::Table;
use crate::cell::{Cell, CellSet};

/// Proves that the last goal is reached in the next own turn, against all pushes and walks of the opponents.
pub(super) struct Endgame<'a> {
    pub(super) hypotheses: &'a Hypotheses,
    pub(super) goals: Goals,
    /// The remaining budget of pushes; without it nothing is proved.
    pub(super) pushes: u64,
}

impl Endgame<'_> {
    /// The cells among these from which the tile at `goal` is reached in the next own turn by force; none if an opponent
    /// can win before.
    pub(super) fn forced(&mut self, table: &Table, cells: CellSet, goal: Option<Cell>) -> CellSet {
        self.forced_after(&self.hypotheses.opponents, table, cells, goal)
    }

    fn forced_after(
        &mut self,
        opponents: &[Opponent],
        table: &Table,
        mut cells: CellSet,
        goal: Option<Cell>,
    ) -> CellSet {
        let tiles = table.tiles();
        let Some((opponent, rest)) = opponents.split_first() else {
            return CellSet(cells.0 & tiles.sources(goal).0);
        };
        let can_win = || {
            let targets = tiles.targets(table.pawns[opponent.seat]);
            self.goals[opponent.seat] == 1 && opponent.posterior.chance(table, &targets) > 0.0
        };
        if can_win() {
            return CellSet::EMPTY;
        }
        for (entry, rotation) in tiles.pushes() {
            if self.pushes == 0 || cells.is_empty() {
                return CellSet::EMPTY;
            }
            self.pushes -= 1;
            let mut after = *table;
            after.push(entry, rotation);
            let (carried, goal) = (entry.carry_set(cells), entry.carry_tile(goal));
            cells = entry.opposite().carry_set(self.forced_after(rest, &after, carried, goal));
        }
        cells
    }
}
