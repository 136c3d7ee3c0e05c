//! The last goal, reached whatever the others do.

use super::forecast::{Forecast, Rival};
use super::race::Goals;
use super::standing::Standing;
use crate::cell::{Cell, CellSet};

/// Proves that the last goal is reached in the next own turn, against any pushes and walks of the rivals.
pub(super) struct Endgame<'a> {
    pub(super) forecast: &'a Forecast,
    pub(super) goals: Goals,
    /// Pushes that may still be looked at; when they are spent nothing is proved.
    pub(super) pushes: u64,
}

impl Endgame<'_> {
    /// The cells among these from which the tile at `goal` is reached in the next own turn, whatever the rivals push
    /// and wherever they walk; none of them if a rival can win before.
    pub(super) fn sure(&mut self, table: &Standing, cells: CellSet, goal: Option<Cell>) -> CellSet {
        self.sure_after(&self.forecast.rivals, table, cells, goal)
    }

    fn sure_after(
        &mut self,
        rivals: &[Rival],
        table: &Standing,
        mut cells: CellSet,
        goal: Option<Cell>,
    ) -> CellSet {
        let tiles = table.tiles();
        let Some((rival, rest)) = rivals.split_first() else {
            return CellSet(cells.0 & tiles.sources(goal).0);
        };
        let can_win = || {
            let targets = tiles.targets(table.pawns[rival.seat]);
            self.goals[rival.seat] == 1 && rival.outlook.chance(table, &targets) > 0.0
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
            cells = entry.opposite().carry_set(self.sure_after(rest, &after, carried, goal));
        }
        cells
    }
}
