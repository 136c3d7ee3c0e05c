use crate::cell::{Cell, CellSet};

/// A count for every cell, up to 63. A word holds one bit of all counts, so that adding a set takes a few operations.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct CellCounts {
    bits: [u64; 6],
}

impl CellCounts {
    /// Counts each cell of a set once more.
    #[inline]
    pub(super) fn add(&mut self, cells: CellSet) {
        let mut carry = cells.0;
        for bit in &mut self.bits {
            (*bit, carry) = (*bit ^ carry, *bit & carry);
        }
        debug_assert!(carry == 0, "a count has six bits");
    }

    /// The count of a cell.
    #[inline]
    pub(super) fn count(&self, cell: Cell) -> u32 {
        let bit = |(i, bits): (usize, &u64)| ((bits >> cell.index() & 1) as u32) << i;
        self.bits.iter().enumerate().map(bit).sum()
    }

    /// The largest count among these cells, and the first cell that has it; none without cells.
    #[inline]
    pub(super) fn max(&self, among: CellSet) -> Option<(u32, Cell)> {
        let mut cells = among.0;
        for &bit in self.bits.iter().rev() {
            if cells & bit != 0 {
                cells &= bit;
            }
        }
        let first = CellSet(cells).iter().next()?;
        Some((self.count(first), first))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oboro_core::Rng;

    #[test]
    fn counts_equal_a_reference() {
        let mut rng = Rng::from_u64(1);
        for _ in 0..100 {
            let (mut counts, mut reference) = (CellCounts::default(), [0u32; Cell::COUNT]);
            for _ in 0..rng.below(49) {
                let cells: CellSet = Cell::all().filter(|_| rng.below(3) > 0).collect();
                counts.add(cells);
                cells.iter().for_each(|cell| reference[cell.index()] += 1);
            }
            assert!(Cell::all().all(|cell| counts.count(cell) == reference[cell.index()]));
            let among: CellSet = Cell::all().filter(|_| rng.below(4) == 0).collect();
            let max = among.iter().map(|cell| reference[cell.index()]).max();
            let first = among.iter().find(|cell| Some(reference[cell.index()]) == max);
            assert_eq!(counts.max(among), max.zip(first));
        }
    }
}
