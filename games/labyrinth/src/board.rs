use crate::cell::{Cell, CellSet};
use crate::entry::Entry;
use crate::maze::{Corridors, Maze};
use crate::tile::{Rotation, Shape, Side, Sides};
use crate::treasure::{Treasure, TreasureSet};
use oboro_core::Rng;

/// The movable tiles: how many of each shape, those with treasures included.
pub(crate) const MOVABLE_TILES: [(Shape, usize); 3] =
    [(Shape::Straight, 12), (Shape::Corner, 16), (Shape::Tee, 6)];

/// The tiles on the board, the extra tile beside it, and the treasures on them.
///
/// Tiles of one shape without a treasure are not told apart, and the extra tile has no rotation
/// until it is pushed in.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Board {
    pub(crate) maze: Maze,
    pub(crate) extra: Shape,
    /// Where the movable treasures lie; `None` is the extra tile.
    pub(crate) treasures: [Option<Cell>; Treasure::MOVABLE],
}

impl Board {
    /// The open sides of the tile that is fixed on a cell, if one is.
    pub(crate) fn fixed(cell: Cell) -> Option<Sides> {
        const T: [u16; 16] = [
            90, 90, 90, 180, //
            0, 0, 90, 180, //
            0, 270, 180, 180, //
            0, 270, 270, 270,
        ];
        if cell.pushable_lines() > 0 {
            return None;
        }
        let is_home = cell.x().is_multiple_of(6) && cell.y().is_multiple_of(6);
        let shape = if is_home { Shape::Corner } else { Shape::Tee };
        let degrees = T[cell.y() / 2 * 4 + cell.x() / 2];
        Some(shape.turned(Rotation::from_degrees(degrees).expect("a quarter turn")))
    }

    /// A board with the movable tiles shuffled and turned at random.
    pub(crate) fn shuffled(rng: &mut Rng) -> Board {
        let mut tiles: Vec<(Shape, Option<Treasure>)> =
            Treasure::movable().map(|treasure| (treasure.shape(), Some(treasure))).collect();
        for (shape, count) in MOVABLE_TILES {
            let with_treasure = tiles.iter().filter(|(s, t)| *s == shape && t.is_some()).count();
            tiles.extend((with_treasure..count).map(|_| (shape, None)));
        }
        rng.shuffle(&mut tiles);

        let mut board = Board {
            maze: Maze::default(),
            extra: Shape::Straight,
            treasures: [None; Treasure::MOVABLE],
        };
        for cell in Cell::all() {
            let sides = Board::fixed(cell).unwrap_or_else(|| {
                let (shape, treasure) = tiles.pop().expect("33 movable tiles lie on the board");
                if let Some(Err(number)) = treasure.map(Treasure::home) {
                    board.treasures[number] = Some(cell);
                }
                shape.turned(Rotation::ALL[rng.below(4)])
            });
            board.maze.lay(cell, sides);
        }
        board.extra = tiles.pop().expect("the 34th tile is the extra one").0;
        board
    }

    /// The walls.
    #[inline]
    pub fn maze(&self) -> &Maze {
        &self.maze
    }

    /// The shape of the extra tile.
    #[inline]
    pub fn extra(&self) -> Shape {
        self.extra
    }

    /// The treasure on the extra tile, if there is one.
    pub(crate) fn extra_treasure(&self) -> Option<Treasure> {
        Treasure::movable().find(|&treasure| self.place(treasure).is_none())
    }

    /// The cell on which a treasure lies; `None` for the extra tile.
    #[inline]
    pub fn place(&self, treasure: Treasure) -> Option<Cell> {
        match treasure.home() {
            Ok(cell) => Some(cell),
            Err(number) => self.treasures[number],
        }
    }

    /// The treasure on a cell.
    #[inline]
    pub fn treasure_at(&self, cell: Cell) -> Option<Treasure> {
        Treasure::ALL.into_iter().find(|&treasure| self.place(treasure) == Some(cell))
    }

    /// The cells on which these treasures lie.
    pub fn places(&self, treasures: TreasureSet) -> CellSet {
        treasures.iter().filter_map(|treasure| self.place(treasure)).collect()
    }

    /// Pushes the extra tile in; the one that falls off is the next extra tile.
    #[inline]
    pub fn push(&mut self, entry: Entry, rotation: Rotation) {
        let fallen = self.maze.push(entry, self.extra.turned(rotation));
        self.extra = fallen.shape().expect("every tile has a shape");
        for place in &mut self.treasures {
            *place = entry.carry_tile(*place);
        }
    }

    /// The corridors after a push.
    #[inline]
    pub(crate) fn corridors_after(&self, entry: Entry, rotation: Rotation) -> Corridors {
        self.maze.gap(entry).filled(self.extra.turned(rotation))
    }

    /// The sides of a cell that face another: none for itself, two for one off its row and column.
    pub(crate) fn sides_facing(cell: Cell, other: Cell) -> Sides {
        let faces = |side: &Side| match side {
            Side::Up => other.y() < cell.y(),
            Side::Right => other.x() > cell.x(),
            Side::Down => other.y() > cell.y(),
            Side::Left => other.x() < cell.x(),
        };
        Side::ALL.into_iter().filter(faces).collect()
    }
}

/// Cells that can be walked to after each push, in the order entries × rotations: the whole of what a
/// pawn can do in one turn.
///
/// Rotations that look the same are computed once.
#[inline]
pub(crate) fn reach_of_all_pushes(
    board: &Board,
    last: Option<Entry>,
    pawn: Cell,
    mut visit: impl FnMut(Entry, Rotation, CellSet),
) {
    for entry in Entry::legal_after(last) {
        let gap = board.maze.gap(entry);
        let start = CellSet::from(entry.carry(pawn));
        let mut reached = [CellSet::EMPTY; 4];
        let distinct = board.extra.distinct_rotations();
        for (i, rotation) in Rotation::ALL.into_iter().enumerate() {
            reached[i] = if i < distinct.len() {
                gap.filled(board.extra.turned(rotation)).reach(start)
            } else {
                reached[i - distinct.len()]
            };
            visit(entry, rotation, reached[i]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shapes(board: &Board) -> Vec<Shape> {
        let mut shapes: Vec<Shape> =
            Cell::all().map(|cell| board.maze.sides(cell).shape().unwrap()).collect();
        shapes.push(board.extra);
        shapes.sort();
        shapes
    }

    #[test]
    fn the_fixed_tiles_map_onto_themselves_under_a_quarter_turn() {
        for cell in Cell::all() {
            let turned = Cell::new(6 - cell.y(), cell.x());
            let quarter = Rotation::from_degrees(90).unwrap();
            assert_eq!(
                Board::fixed(turned),
                Board::fixed(cell).map(|sides| sides.turned(quarter)),
                "{cell}"
            );
        }
    }

    #[test]
    fn fixed_tiles_are_those_of_the_game() {
        let row = |y| -> String {
            (0..7).step_by(2).map(|x| Board::fixed(Cell::new(x, y)).unwrap().glyph()).collect()
        };
        assert_eq!([row(0), row(2), row(4), row(6)], ["┌┬┬┐", "├├┬┤", "├┴┤┤", "└┴┴┘"]);
    }

    #[test]
    fn tiles_are_conserved() {
        let mut rng = Rng::from_u64(1);
        for _ in 0..20 {
            let mut board = Board::shuffled(&mut rng);
            let before = shapes(&board);
            let count = |shape| before.iter().filter(|s| **s == shape).count();
            assert_eq!(
                [count(Shape::Straight), count(Shape::Corner), count(Shape::Tee)],
                [12, 20, 18]
            );
            for _ in 0..200 {
                let entry = Entry::new(rng.below(12)).unwrap();
                board.push(entry, Rotation::ALL[rng.below(4)]);
                assert_eq!(shapes(&board), before);
                for treasure in Treasure::ALL {
                    let shape = match board.place(treasure) {
                        Some(cell) => board.maze.sides(cell).shape(),
                        None => Some(board.extra),
                    };
                    assert_eq!(shape, Some(treasure.shape()), "{treasure}");
                }
                assert!(
                    Cell::all().all(|c| Board::fixed(c).is_none_or(|s| s == board.maze.sides(c)))
                );
            }
        }
    }

    #[test]
    fn a_push_and_its_undoing_give_the_board_back() {
        let mut rng = Rng::from_u64(2);
        for _ in 0..100 {
            let board = Board::shuffled(&mut rng);
            for entry in Entry::all() {
                let mut pushed = board;
                let fallen = board.maze.sides(entry.exit());
                pushed.push(entry, Rotation::ALL[rng.below(4)]);
                let back = Rotation::ALL
                    .into_iter()
                    .find(|&rotation| pushed.extra.turned(rotation) == fallen)
                    .unwrap();
                // Undo twice over: push back, and the tile that was put in falls off again.
                pushed.push(entry.opposite(), back);
                assert_eq!(pushed, board);
            }
        }
    }

    #[test]
    fn all_pushes_reach_what_single_pushes_reach() {
        let mut rng = Rng::from_u64(3);
        for _ in 0..50 {
            let board = Board::shuffled(&mut rng);
            let pawn = Cell::at(rng.below(Cell::COUNT));
            let last = Entry::new(rng.below(14));
            let mut pairs = 0;
            reach_of_all_pushes(&board, last, pawn, |entry, rotation, reached| {
                let mut pushed = board;
                pushed.push(entry, rotation);
                assert_eq!(reached, pushed.maze.corridors().reach(entry.carry(pawn).into()));
                pairs += 1;
            });
            assert_eq!(pairs, if last.is_some() { 44 } else { 48 });
        }
    }
}
