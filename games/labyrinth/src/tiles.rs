use crate::board::Board;
use crate::cell::{Cell, CellSet};
use crate::entry::Entry;
use crate::maze::Maze;
use crate::tile::{Rotation, Shape};

/// At most 12 entries with 4 rotations.
pub(crate) const PUSHES: usize = 48;

/// All that pushes act on: the walls, the extra tile, and the last push, which may not be undone.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tiles {
    pub(crate) maze: Maze,
    pub(crate) extra: Shape,
    pub(crate) last: Option<Entry>,
}

impl Tiles {
    pub(crate) fn new(board: &Board, last: Option<Entry>) -> Tiles {
        Tiles { maze: board.maze, extra: board.extra, last }
    }

    /// The pushes that lead to different mazes.
    #[inline]
    pub(crate) fn pushes(&self) -> impl Iterator<Item = (Entry, Rotation)> + use<> {
        let rotations = self.extra.distinct_rotations();
        Entry::legal_after(self.last)
            .flat_map(move |entry| rotations.iter().map(move |&rotation| (entry, rotation)))
    }

    #[inline]
    pub(crate) fn after(&self, entry: Entry, rotation: Rotation) -> Tiles {
        let mut maze = self.maze;
        let fallen = maze.push(entry, self.extra.turned(rotation));
        let extra = fallen.shape().expect("every tile has a shape");
        Tiles { maze, extra, last: Some(entry) }
    }

    /// Calls `visit` for every push after which a goal still lies on the board, with the cells from
    /// which a pawn then gets onto it.
    #[inline]
    pub(crate) fn for_each_source(&self, goal: Option<Cell>, mut visit: impl FnMut(CellSet)) {
        for entry in Entry::legal_after(self.last) {
            let Some(goal) = entry.carry_tile(goal) else {
                continue;
            };
            let gap = self.maze.gap(entry);
            let same = gap.reach_beside(goal);
            for &rotation in self.extra.distinct_rotations() {
                let filled = || gap.filled(self.extra.turned(rotation)).reach(goal.into());
                visit(entry.opposite().carry_set(same.unwrap_or_else(filled)));
            }
        }
    }

    /// The cells from which a pawn gets onto a goal within one turn.
    #[inline]
    pub(crate) fn sources(&self, goal: Option<Cell>) -> CellSet {
        let mut sources = CellSet::EMPTY;
        for entry in Entry::legal_after(self.last) {
            if let Some(goal) = entry.carry_tile(goal) {
                let around = self.maze.gap(entry).reach_of_any_rotation(self.extra, goal.into());
                sources.0 |= entry.opposite().carry_set(around).0;
            }
        }
        sources
    }

    /// The tiles that a pawn can get onto within one turn.
    #[inline]
    pub(crate) fn targets(&self, pawn: Cell) -> Targets {
        let mut targets = Targets::default();
        for entry in Entry::legal_after(self.last) {
            let start = CellSet::from(entry.carry(pawn));
            let gap = self.maze.gap(entry);
            targets.add(entry, gap.reach_of_any_rotation(self.extra, start));
        }
        targets
    }
}

/// Tiles that can be walked on to after a push, named by the cells they lie on before it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Targets {
    cells: CellSet,
    extra: bool,
}

impl Targets {
    /// The tiles on `reached`, the cells that can be walked to after a push.
    #[inline]
    pub(crate) fn of(entry: Entry, reached: CellSet) -> Targets {
        let mut targets = Targets::default();
        targets.add(entry, reached);
        targets
    }

    /// Adds the tiles on `reached`, the cells that can be walked to after a push.
    #[inline]
    fn add(&mut self, entry: Entry, reached: CellSet) {
        self.cells.0 |= entry.opposite().slide(reached.0);
        self.extra |= reached.contains(entry.cell());
    }

    /// Whether the tile on a cell, or the extra tile, is among them.
    #[inline]
    pub(crate) fn contain(&self, place: Option<Cell>) -> bool {
        place.map_or(self.extra, |cell| self.cells.contains(cell))
    }
}
