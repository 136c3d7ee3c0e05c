use crate::board::Board;
use crate::cell::{Cell, SIZE};
use crate::entry::Entry;
use crate::tile::{Rotation, Side};

/// Which tile lies where, and how it is turned: what the public program compares, where a
/// [`Board`] says only what can be seen.
///
/// Tiles are named after the cells on which they lie at the start of a search, and rotations by their
/// number: a straight turned by 180° is another layout, and so are two equal tiles exchanged. How a
/// straight was laid before the search began cannot be seen; the smaller number stands for both.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Layout {
    /// Four times the tile's name plus the number of its quarter turns.
    cells: [u8; Cell::COUNT],
    /// The name of the tile beside the board; it gets its rotation when it is pushed in.
    extra: u8,
}

impl Layout {
    /// The layout from which a search starts.
    pub(super) fn new(board: &Board) -> Layout {
        let turns = |cell: Cell| {
            let sides = board.maze.sides(cell);
            let shape = sides.shape().expect("every tile has a shape");
            let turned = |&rotation: &Rotation| shape.turned(rotation) == sides;
            Rotation::ALL.iter().position(turned).expect("one of four")
        };
        Layout {
            cells: std::array::from_fn(|i| (4 * i + turns(Cell::at(i))) as u8),
            extra: Cell::COUNT as u8,
        }
    }

    /// The layout after a push.
    pub(super) fn after(mut self, entry: Entry, rotation: Rotation) -> Layout {
        let step = match entry.towards() {
            Side::Up => -(SIZE as isize),
            Side::Right => 1,
            Side::Down => SIZE as isize,
            Side::Left => -1,
        };
        let mut moving = 4 * self.extra + (rotation.degrees() / 90) as u8;
        let mut cell = entry.cell().index();
        for _ in 0..SIZE {
            std::mem::swap(&mut self.cells[cell], &mut moving);
            cell = cell.wrapping_add_signed(step);
        }
        self.extra = moving / 4;
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::treasure::Treasure;
    use oboro_core::Rng;

    #[test]
    fn a_layout_moves_and_turns_its_tiles_as_the_board_does() {
        let mut rng = Rng::from_u64(1);
        for _ in 0..10 {
            let start = Board::shuffled(&mut rng);
            let first = Layout::new(&start);
            let shape = |name: usize| match name {
                Cell::COUNT => start.extra,
                cell => start.maze.sides(Cell::at(cell)).shape().unwrap(),
            };
            let name = |layout: &Layout, place: Option<Cell>| {
                usize::from(place.map_or(layout.extra, |cell| layout.cells[cell.index()] / 4))
            };
            let (mut board, mut layout) = (start, first);
            for _ in 0..100 {
                let entry = Entry::new(rng.below(Entry::COUNT)).unwrap();
                let rotation = Rotation::ALL[rng.below(4)];
                board.push(entry, rotation);
                layout = layout.after(entry, rotation);
                for cell in Cell::all() {
                    let turns = layout.cells[cell.index()] % 4;
                    let sides =
                        shape(name(&layout, Some(cell))).turned(Rotation::ALL[usize::from(turns)]);
                    assert_eq!(sides, board.maze.sides(cell), "{cell}");
                }
                assert_eq!(shape(name(&layout, None)), board.extra);
                for treasure in Treasure::movable() {
                    let (before, after) = (start.place(treasure), board.place(treasure));
                    assert_eq!(name(&first, before), name(&layout, after), "{treasure}");
                }
            }
            let mut names: Vec<usize> = Cell::all().map(|c| name(&layout, Some(c))).collect();
            names.push(name(&layout, None));
            names.sort_unstable();
            assert_eq!(names, (0..=Cell::COUNT).collect::<Vec<_>>());
        }
    }

    #[test]
    fn layouts_tell_apart_what_looks_the_same() {
        let mut rng = Rng::from_u64(2);
        let board = std::iter::repeat_with(|| Board::shuffled(&mut rng))
            .find(|board| board.extra == crate::Shape::Straight)
            .unwrap();
        let start = Layout::new(&board);
        let entry = Entry::new(4).unwrap();
        let [upright, _, half_turn, _] = Rotation::ALL.map(|rotation| start.after(entry, rotation));
        assert_ne!(upright, half_turn, "a straight turned by 180°");
        assert_eq!(upright, start.after(entry, Rotation::ALL[0]));
    }
}
