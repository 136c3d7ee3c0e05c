#![allow(
    clippy::inline_always,
    reason = "playouts are compiled for more than one kind of processor"
)]

use crate::Cell;

/// The open ends of a mine: a few cells, in order.
///
/// All places are looked at and moved together, without a branch: that is quicker than to stop
/// at the right one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct OpenEnds {
    /// From the first row downwards and each row from left to right, then nothing.
    cells: [Cell; OpenEnds::MAX],
    len: u8,
}

/// Comes after all cells.
const NO_CELL: Cell = Cell::from_number(i16::MAX);

impl OpenEnds {
    /// Room for the largest possible number, and two more. Every open side of a joined card is an open end unless it
    /// joins another card, and every card but the start uses two sides to be joined. So there are at most 4 for the
    /// start, 2 for each of 5 crossroads and 3 goals, and 1 for each of 10 T.
    pub(crate) const MAX: usize = 32;
    pub(crate) const EMPTY: OpenEnds = OpenEnds { cells: [NO_CELL; OpenEnds::MAX], len: 0 };

    /// The number of open ends.
    #[inline]
    pub const fn len(&self) -> usize {
        self.len as usize
    }

    /// Whether there is none.
    #[inline]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Whether a cell is one.
    #[inline]
    pub fn contains(&self, cell: Cell) -> bool {
        self.as_slice().contains(&cell)
    }

    /// The open ends, from the first row downwards and each row from left to right.
    #[inline]
    pub(crate) fn as_slice(&self) -> &[Cell] {
        &self.cells[..self.len()]
    }

    /// The list with one more cell, which comes after all the others.
    pub(crate) const fn with_last(mut self, cell: Cell) -> OpenEnds {
        self.cells[self.len as usize] = cell;
        self.len += 1;
        self
    }

    #[inline(always)]
    pub(crate) fn insert(&mut self, cell: Cell) {
        // Mostly the first half of the places is enough.
        let is_new = match self.cells.first_chunk_mut::<{ OpenEnds::MAX / 2 }>() {
            Some(half) if self.len < 15 => insert(half, cell),
            _ => insert(&mut self.cells, cell),
        };
        self.len += u8::from(is_new);
    }

    #[inline(always)]
    pub(crate) fn remove(&mut self, cell: Cell) {
        let is_old = match self.cells.first_chunk_mut::<{ OpenEnds::MAX / 2 }>() {
            Some(half) if self.len < 15 => remove(half, cell),
            _ => remove(&mut self.cells, cell),
        };
        self.len -= u8::from(is_old);
    }

    /// Its cells, from the last row upwards and each row from right to left.
    #[inline]
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = Cell> + ExactSizeIterator + use<'_> {
        self.as_slice().iter().rev().copied()
    }
}

/// How many cells of a sorted list come before a cell.
#[inline]
fn place<const N: usize>(cells: &[Cell; N], cell: Cell) -> i16 {
    let cell = cell.number();
    cells.iter().map(|other| i16::from(other.number() < cell)).sum()
}

/// Takes the cells from a place on from another list.
#[inline]
fn replace_from<const N: usize>(cells: &mut [Cell; N], place: i16, others: [Cell; N]) {
    for (i, (cell, other)) in (0..).zip(cells.iter_mut().zip(others)) {
        *cell = if i < place { *cell } else { other };
    }
}

/// Inserts a cell into a sorted list whose last place is free; false if it is there.
#[inline(always)]
fn insert<const N: usize>(cells: &mut [Cell; N], cell: Cell) -> bool {
    let place = place(cells, cell);
    let at = place as usize % N;
    let is_new = cells[at] != cell;
    if is_new {
        let mut moved = [cell; N];
        moved[1..].copy_from_slice(&cells[..N - 1]);
        replace_from(cells, place, moved);
        cells[at] = cell;
    }
    is_new
}

/// Takes a cell out of a sorted list; false if it is not there.
#[inline(always)]
fn remove<const N: usize>(cells: &mut [Cell; N], cell: Cell) -> bool {
    let place = place(cells, cell);
    let is_old = cells[place as usize % N] == cell;
    if is_old {
        let mut moved = [NO_CELL; N];
        moved[..N - 1].copy_from_slice(&cells[1..]);
        replace_from(cells, place, moved);
    }
    is_old
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn open_ends_are_kept_in_order_and_leave_no_trace() {
        let cell = |x, y| Cell::new(x, y).unwrap();
        let mut ends = OpenEnds::EMPTY;
        for (x, y) in [(3, 0), (1, 1), (5, -1), (3, 0), (2, 0)] {
            ends.insert(cell(x, y));
        }
        assert_eq!(
            ends.iter().collect::<Vec<_>>(),
            [cell(1, 1), cell(3, 0), cell(2, 0), cell(5, -1)]
        );
        assert!(ends.contains(cell(3, 0)) && !ends.contains(cell(4, 0)) && ends.len() == 4);
        for (x, y) in [(1, 1), (4, 0), (3, 0), (5, -1), (2, 0)] {
            ends.remove(cell(x, y));
        }
        assert_eq!(ends, OpenEnds::EMPTY);
        // As many as there can be.
        let columns = [7, 0, 14, 3, 9, 1, 12, 5, 10, 2, 13, 4, 8, 6, 11];
        for (i, x) in columns.into_iter().enumerate() {
            ends.insert(cell(x, 1));
            ends.insert(cell(x, -1));
            assert_eq!(ends.len(), 2 * (i + 1));
            assert!(ends.as_slice().is_sorted());
        }
        for (i, x) in columns.into_iter().enumerate() {
            assert!(ends.contains(cell(x, 1)) && ends.contains(cell(x, -1)));
            ends.remove(cell(x, 1));
            ends.remove(cell(x, -1));
            assert_eq!(ends.len(), 2 * (columns.len() - i - 1));
            assert!(ends.as_slice().is_sorted() && !ends.contains(cell(x, 1)));
        }
        assert_eq!(ends, OpenEnds::EMPTY);
    }
}
