use oboro_core::{NotationError, Scanner, bit_set, text_form};
use std::fmt::{self, Write as _};

/// The side of the board.
pub(crate) const SIZE: usize = 7;

/// The bits of the leftmost column.
pub(crate) const COLUMN: u64 = 0x0408_1020_4081;

/// The bits of the top row.
pub(crate) const ROW: u64 = 0x7f;

/// One of the 49 cells of the board, written as a column `a`–`g` and a row `1`–`7` from the top.
///
/// ```
/// use oboro_labyrinth::Cell;
/// let centre: Cell = "d4".parse().unwrap();
/// assert_eq!((centre.x(), centre.y()), (3, 3));
/// assert_eq!(Cell::new(0, 0).distance(Cell::new(6, 6)), 12);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Cell(u8);

impl Cell {
    /// The number of cells.
    pub const COUNT: usize = SIZE * SIZE;

    /// The cell in column `x` from the left and row `y` from the top, both from 0.
    ///
    /// # Panics
    /// If it lies off the board.
    pub const fn new(x: usize, y: usize) -> Cell {
        assert!(x < SIZE && y < SIZE, "a cell lies on the board");
        Cell((y * SIZE + x) as u8)
    }

    /// The cell with this number, row by row.
    #[inline]
    pub(crate) const fn at(index: usize) -> Cell {
        debug_assert!(index < Cell::COUNT);
        Cell(index as u8)
    }

    /// All cells, row by row.
    pub fn all() -> impl DoubleEndedIterator<Item = Cell> + Clone {
        (0..Cell::COUNT).map(Cell::at)
    }

    /// Its number, row by row from the top left.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Its column, from 0 at the left.
    #[inline]
    pub const fn x(self) -> usize {
        self.0 as usize % SIZE
    }

    /// Its row, from 0 at the top.
    #[inline]
    pub const fn y(self) -> usize {
        self.0 as usize / SIZE
    }

    #[inline]
    pub(crate) const fn bit(self) -> u64 {
        1 << self.0
    }

    /// The distance of two cells on a board without walls.
    #[inline]
    pub const fn distance(self, other: Cell) -> u32 {
        (self.x().abs_diff(other.x()) + self.y().abs_diff(other.y())) as u32
    }

    /// How many of the two lines through the cell can be pushed: 0 for a fixed tile, 1 for a tile
    /// that moves two ways, 2 for one that moves all four.
    #[inline]
    pub(crate) const fn pushable_lines(self) -> usize {
        self.x() % 2 + self.y() % 2
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char(char::from(b'a' + self.x() as u8))?;
        f.write_char(char::from(b'1' + self.y() as u8))
    }
}

pub(crate) fn scan_cell(s: &mut Scanner<'_>) -> Result<Cell, NotationError> {
    let start = s.at();
    let column = s.take().filter(|c| ('a'..='g').contains(c));
    let row = s.take().filter(|c| ('1'..='7').contains(c));
    match (column, row) {
        (Some(column), Some(row)) => {
            Ok(Cell::new(column as usize - 'a' as usize, row as usize - '1' as usize))
        }
        _ => Err(s.error_at(start, "expected a cell from a1 (top left) to g7")),
    }
}

text_form!(Cell, scan_cell);

bit_set! {
    /// A set of cells, one bit each.
    pub struct CellSet(pub(crate) u64) of Cell, iterated by CellSetIter;
    bit(cell) = cell.0;
    item(index) = Cell::at(index);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_written_and_read() {
        for cell in Cell::all() {
            assert_eq!(cell.to_string().parse(), Ok(cell));
        }
        for bad in ["", "a", "a0", "a8", "h1", "a11", "朧1"] {
            assert!(bad.parse::<Cell>().is_err(), "{bad}");
        }
    }

    #[test]
    fn a_set_lists_its_cells_in_order() {
        let cells = [Cell::new(1, 0), Cell::new(0, 3), Cell::new(6, 6)];
        let set: CellSet = cells.into_iter().collect();
        assert_eq!(set.iter().collect::<Vec<_>>(), cells);
        assert_eq!(set.len(), 3);
        let mut more = set;
        more.insert(Cell::new(2, 2));
        assert!(set.is_within(more) && !more.is_within(set));
    }
}
