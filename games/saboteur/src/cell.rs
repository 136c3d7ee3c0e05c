use crate::Side;
use oboro_core::{NotationError, Scanner, bit_set};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A place in the mine. The start is at (0, 0), the goals at x = 8 and y = −2, 0, 2; x grows to the
/// right and y downwards.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Cell(u16);

const WIDTH: i16 = 32;
const HEIGHT: i16 = 25;
const START_COLUMN: i16 = 13;
const START_ROW: i16 = 12;

impl Cell {
    /// The start.
    pub(crate) const START: Cell = Cell((START_ROW * WIDTH + START_COLUMN) as u16);
    /// The cells of the grid, its border of never used cells included.
    pub(crate) const GRID: usize = (WIDTH * HEIGHT) as usize;
    /// The smallest and the largest x a card can have.
    pub const X: (i8, i8) = ((1 - START_COLUMN) as i8, (WIDTH - 2 - START_COLUMN) as i8);
    /// The smallest and the largest y a card can have.
    pub const Y: (i8, i8) = ((1 - START_ROW) as i8, (HEIGHT - 2 - START_ROW) as i8);

    /// The cell at these coordinates, if the grid reaches so far.
    pub const fn new(x: i8, y: i8) -> Option<Cell> {
        if x < Cell::X.0 || x > Cell::X.1 || y < Cell::Y.0 || y > Cell::Y.1 {
            return None;
        }
        Some(Cell::at(x, y))
    }

    const fn at(x: i8, y: i8) -> Cell {
        Cell(((y as i16 + START_ROW) * WIDTH + x as i16 + START_COLUMN) as u16)
    }

    /// Its column.
    #[inline]
    pub const fn x(self) -> i8 {
        (self.0 % WIDTH as u16) as i8 - START_COLUMN as i8
    }

    /// Its row; larger is further down.
    #[inline]
    pub const fn y(self) -> i8 {
        (self.0 / WIDTH as u16) as i8 - START_ROW as i8
    }

    #[inline]
    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }

    /// Its place in the grid, row after row.
    #[inline]
    pub(crate) const fn number(self) -> i16 {
        self.0.cast_signed()
    }

    /// A cell by its number, which may be larger than that of any in the grid.
    pub(crate) const fn from_number(number: i16) -> Cell {
        Cell(number.cast_unsigned())
    }

    /// The cell next to it. Called for cells inside the border only.
    #[inline]
    pub(crate) const fn next(self, side: Side) -> Cell {
        let step = match side {
            Side::Left => -1,
            Side::Up => -WIDTH,
            Side::Right => 1,
            Side::Down => WIDTH,
        };
        Cell((self.0.cast_signed() + step) as u16)
    }

    pub(crate) fn scan(s: &mut Scanner<'_>) -> Result<Cell, NotationError> {
        let at = s.at();
        let x = s.number("the column of a cell")?;
        s.expect(",")?;
        let y = s.number("the row of a cell")?;
        Cell::new(x, y).ok_or_else(|| {
            s.error_at(
                at,
                format!(
                    "the mine spans columns {} to {} and rows {} to {}",
                    Cell::X.0,
                    Cell::X.1,
                    Cell::Y.0,
                    Cell::Y.1
                ),
            )
        })
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.x(), self.y())
    }
}

/// One of the three places of goal cards.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Goal {
    /// At (8, −2).
    Upper,
    /// At (8, 0).
    Middle,
    /// At (8, 2).
    Lower,
}

impl Goal {
    /// All three, from the top.
    pub const ALL: [Goal; 3] = [Goal::Upper, Goal::Middle, Goal::Lower];

    /// Where it lies.
    #[inline]
    pub const fn cell(self) -> Cell {
        Cell::at(8, self as i8 * 2 - 2)
    }

    /// Its name in scenes and beliefs.
    pub const fn name(self) -> &'static str {
        match self {
            Goal::Upper => "upper",
            Goal::Middle => "middle",
            Goal::Lower => "lower",
        }
    }

    /// The goal at a cell.
    pub fn at(cell: Cell) -> Option<Goal> {
        Goal::ALL.into_iter().find(|goal| goal.cell() == cell)
    }

    /// Its number from the top, for arrays.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }
}

bit_set! {
    /// A set of goals.
    pub struct Goals(u8) of Goal, iterated by GoalsIter;
    bit(goal) = goal as u8;
    item(index) = Goal::ALL[index];
}

impl Goals {
    /// The goals that are not in the set.
    #[must_use]
    pub(crate) const fn complement(self) -> Goals {
        Goals(!self.0 & 0b111)
    }
}

const WORDS: usize = Cell::GRID.div_ceil(64);

/// A set of cells, which knows how many they are.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Cells {
    words: [u64; WORDS],
    count: u16,
}

impl Cells {
    pub(crate) const EMPTY: Cells = Cells { words: [0; WORDS], count: 0 };

    /// The cells of a rectangle, its corners included.
    pub(crate) const fn rectangle(x: (i8, i8), y: (i8, i8)) -> Cells {
        let mut cells = Cells::EMPTY;
        let mut row = y.0;
        while row <= y.1 {
            let mut column = x.0;
            while column <= x.1 {
                cells.insert(Cell::at(column, row));
                column += 1;
            }
            row += 1;
        }
        cells
    }

    /// Whether a cell is in the set.
    #[inline]
    pub const fn contains(&self, cell: Cell) -> bool {
        self.words[cell.index() / 64] >> (cell.index() % 64) & 1 == 1
    }

    /// The number of cells.
    #[inline]
    pub fn len(&self) -> usize {
        self.count.into()
    }

    /// Whether no cell is in the set.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    #[inline]
    pub(crate) const fn insert(&mut self, cell: Cell) {
        self.count += !self.contains(cell) as u16;
        self.words[cell.index() / 64] |= 1 << (cell.index() % 64);
    }

    #[inline]
    pub(crate) fn remove(&mut self, cell: Cell) {
        self.count -= u16::from(self.contains(cell));
        self.words[cell.index() / 64] &= !(1 << (cell.index() % 64));
    }

    /// A cell of the set by its number, counted in any fixed order.
    #[inline]
    pub(crate) fn nth(&self, mut number: usize) -> Option<Cell> {
        for (i, &word) in self.words.iter().enumerate().filter(|(_, word)| **word != 0) {
            let count = word.count_ones() as usize;
            if number < count {
                let mut rest = word;
                for _ in 0..number {
                    rest &= rest - 1;
                }
                return Some(Cell((i * 64) as u16 + rest.trailing_zeros() as u16));
            }
            number -= count;
        }
        None
    }

    /// The cells of a row from a column on to the right, a bit each; then those of the next row.
    #[inline]
    pub(crate) const fn row_from(&self, x: i8, y: i8) -> u32 {
        let first = Cell::at(x, y).index();
        (self.words[first / 64] >> (first % 64)) as u32
    }

    /// Its cells, from the last row upwards and each row from right to left.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = Cell> + use<> {
        let (mut words, mut at) = (self.words, WORDS - 1);
        std::iter::from_fn(move || {
            while words[at] == 0 {
                at = at.checked_sub(1)?;
            }
            let bit = words[at].ilog2();
            words[at] &= !(1 << bit);
            Some(Cell((at as u32 * 64 + bit) as u16))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_round_trip_and_neighbours_are_next() {
        for x in Cell::X.0..=Cell::X.1 {
            for y in Cell::Y.0..=Cell::Y.1 {
                let cell = Cell::new(x, y).unwrap();
                assert_eq!((cell.x(), cell.y()), (x, y));
                for side in Side::ALL {
                    assert_eq!(cell.next(side).next(side.opposite()), cell);
                }
            }
        }
        assert_eq!((Cell::START.x(), Cell::START.y()), (0, 0));
        assert_eq!(Cell::new(Cell::X.0 - 1, 0), None);
        assert_eq!(Cell::new(0, Cell::Y.1 + 1), None);
        let rows: Vec<_> = Goal::ALL.iter().map(|g| (g.cell().x(), g.cell().y())).collect();
        assert_eq!(rows, [(8, -2), (8, 0), (8, 2)]);
    }

    #[test]
    fn cells_are_listed_from_the_bottom_right() {
        let cells = Cells::rectangle((0, 1), (-1, 1));
        let listed: Vec<_> = cells.iter().map(|c| (c.x(), c.y())).collect();
        assert_eq!(listed, [(1, 1), (0, 1), (1, 0), (0, 0), (1, -1), (0, -1)]);
        assert_eq!(cells.len(), 6);
    }
}
