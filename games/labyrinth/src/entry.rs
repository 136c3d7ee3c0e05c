use crate::cell::{COLUMN, Cell, CellSet, ROW, SIZE};
use crate::tile::Side;
use oboro_core::{NotationError, Scanner};
use std::fmt;

/// One of the twelve places where the extra tile is pushed in, numbered clockwise from the top left:
/// 0–2 push columns b, d, f down, 3–5 rows 2, 4, 6 to the left, 6–8 columns f, d, b up, and 9–11
/// rows 6, 4, 2 to the right.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Entry(u8);

/// The line that a push from an entry moves.
struct Line {
    /// The cells of the pushed line.
    cells: u64,
    /// Which way they go.
    towards: Side,
    /// The cell that the extra tile comes to lie on.
    first: Cell,
    /// The cell whose tile falls off.
    last: Cell,
}

const LINES: [Line; 12] = {
    const EMPTY: Line = Line { cells: 0, towards: Side::Up, first: Cell::at(0), last: Cell::at(0) };
    const ODD: [usize; 3] = [1, 3, 5];
    const END: usize = SIZE - 1;
    let mut lines = [EMPTY; 12];
    let mut i = 0;
    while i < 3 {
        let near = ODD[i];
        let far = ODD[2 - i];
        lines[i] = Line {
            cells: COLUMN << near,
            towards: Side::Down,
            first: Cell::new(near, 0),
            last: Cell::new(near, END),
        };
        lines[3 + i] = Line {
            cells: ROW << (near * SIZE),
            towards: Side::Left,
            first: Cell::new(END, near),
            last: Cell::new(0, near),
        };
        lines[6 + i] = Line {
            cells: COLUMN << far,
            towards: Side::Up,
            first: Cell::new(far, END),
            last: Cell::new(far, 0),
        };
        lines[9 + i] = Line {
            cells: ROW << (far * SIZE),
            towards: Side::Right,
            first: Cell::new(0, far),
            last: Cell::new(END, far),
        };
        i += 1;
    }
    lines
};

impl Entry {
    /// The number of entries.
    pub const COUNT: usize = 12;

    /// The entry with this number.
    pub const fn new(number: usize) -> Option<Entry> {
        if number < Entry::COUNT { Some(Entry(number as u8)) } else { None }
    }

    /// All entries, clockwise from the top left.
    pub fn all() -> impl DoubleEndedIterator<Item = Entry> + Clone {
        (0..Entry::COUNT as u8).map(Entry)
    }

    /// The entries that may be used after a push from `last`: all but its opposite.
    pub fn legal_after(last: Option<Entry>) -> impl Iterator<Item = Entry> + Clone {
        let forbidden = last.map(Entry::opposite);
        Entry::all().filter(move |&entry| Some(entry) != forbidden)
    }

    /// Its number.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The entry at the other end of the line, whose push would undo this one's.
    #[inline]
    #[must_use]
    pub const fn opposite(self) -> Entry {
        // Columns (0–2, 6–8) and rows (3–5, 9–11) each mirror within their own numbers.
        if (self.0 / 3).is_multiple_of(2) { Entry(8 - self.0) } else { Entry(14 - self.0) }
    }

    /// The cell on which the pushed-in tile comes to lie.
    #[inline]
    pub const fn cell(self) -> Cell {
        LINES[self.0 as usize].first
    }

    /// The cell whose tile falls off the board.
    #[inline]
    pub const fn exit(self) -> Cell {
        LINES[self.0 as usize].last
    }

    /// Which way the line is pushed.
    #[inline]
    pub(crate) const fn towards(self) -> Side {
        LINES[self.0 as usize].towards
    }

    /// Moves the line's bits by one cell. The bit that falls off is lost, the entry's own is 0.
    #[inline]
    pub(crate) const fn slide(self, bits: u64) -> u64 {
        let line = &LINES[self.0 as usize];
        let moving = bits & line.cells;
        let moved = match line.towards {
            Side::Up => moving >> SIZE,
            Side::Right => moving << 1,
            Side::Down => moving << SIZE,
            Side::Left => moving >> 1,
        };
        (bits & !line.cells) | (moved & line.cells)
    }

    /// The cells of pawns after a push that stood on `cells` before. Pawns travel with the line; one that falls off comes
    /// back at the entry.
    #[inline]
    #[must_use]
    pub(crate) const fn carry_set(self, cells: CellSet) -> CellSet {
        let line = &LINES[self.0 as usize];
        let fallen = cells.0 >> line.last.index() & 1;
        CellSet(self.slide(cells.0) | fallen << line.first.index())
    }

    /// The cell of a pawn after a push.
    #[inline]
    #[must_use]
    pub const fn carry(self, cell: Cell) -> Cell {
        let set = self.carry_set(CellSet(cell.bit()));
        Cell::at(set.0.trailing_zeros() as usize)
    }

    /// The place of a tile after a push: a cell, or beside the board (`None`).
    #[inline]
    #[must_use]
    pub const fn carry_tile(self, place: Option<Cell>) -> Option<Cell> {
        let line = &LINES[self.0 as usize];
        match place {
            None => Some(line.first),
            Some(cell) if cell.index() == line.last.index() => None,
            Some(cell) => Some(self.carry(cell)),
        }
    }
}

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const NAMES: [&str; 12] = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11"];
        f.write_str(NAMES[usize::from(self.0)])
    }
}

/// Reads the number of an entry; `what` names what was wanted.
pub(crate) fn scan_entry(s: &mut Scanner<'_>, what: &str) -> Result<Entry, NotationError> {
    let start = s.at();
    Entry::new(s.number(what)?)
        .ok_or_else(|| s.error_at(start, "there is no such entry: they go from 0 to 11"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_lie_where_the_rules_say() {
        let cells: Vec<String> = Entry::all().map(|e| e.cell().to_string()).collect();
        let expected = "b1 d1 f1 g2 g4 g6 f7 d7 b7 a6 a4 a2";
        assert_eq!(cells.join(" "), expected);
        for entry in Entry::all() {
            assert_eq!(entry.opposite().opposite(), entry);
            assert_eq!(entry.opposite().cell(), entry.exit());
        }
    }

    #[test]
    fn only_the_reverse_entry_is_forbidden() {
        for last in Entry::all() {
            let legal: Vec<Entry> = Entry::legal_after(Some(last)).collect();
            assert_eq!(legal.len(), 11);
            assert!(!legal.contains(&last.opposite()));
        }
        assert_eq!(Entry::legal_after(None).count(), 12);
    }

    #[test]
    fn pawns_wrap_around_the_line() {
        let down = Entry::new(0).unwrap();
        let at = |text: &str| text.parse::<Cell>().unwrap();
        assert_eq!(down.carry(at("b3")), at("b4"));
        assert_eq!(down.carry(at("b7")), at("b1"));
        assert_eq!(down.carry(at("c7")), at("c7"));
        let left = Entry::new(4).unwrap();
        assert_eq!(left.carry(at("a4")), at("g4"));
        assert_eq!(left.carry(at("g4")), at("f4"));
        assert_eq!(left.carry_tile(Some(at("a4"))), None);
        assert_eq!(left.carry_tile(None), Some(at("g4")));
    }

    #[test]
    fn the_opposite_push_carries_everything_back() {
        for entry in Entry::all() {
            for cell in Cell::all() {
                assert_eq!(entry.opposite().carry(entry.carry(cell)), cell);
            }
        }
    }
}
