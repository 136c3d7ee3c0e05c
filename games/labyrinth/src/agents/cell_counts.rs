use crate::cell::{Cell, CellSet};

/// A count for every cell, up to 63, one bit of all counts in a word: adding a set costs a few operations however many
/// cells it has.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tally {
    bits: [u64; 6],
}

impl Tally {
    /// Counts each cell of a set once more.
    #[inline]
    pub(super) fn add(&mut self, cells: CellSet) {
        let mut carry = cells.0;
        for bit in &mut self.bits {
            (*bit, carry) = (*bit ^ carry, *bit & carry);
        }
        debug_assert!(carry == 0, "a count has six bits");
    }

    /// How often a cell was counted.
    #[inline]
    pub(super) fn count(&self, cell: Cell) -> u32 {
        let bit = |(i, bits): (usize, &u64)| ((bits >> cell.index() & 1) as u32) << i;
        self.bits.iter().enumerate().map(bit).sum()
    }

    /// The most that any of these cells was counted, and the first that was counted so often; none of no cells.
    #[inline]
    pub(super) fn most(&self, among: CellSet) -> Option<(u32, Cell)> {
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
    fn a_tally_counts_as_counters_do() {
        let mut rng = Rng::from_u64(1);
        for _ in 0..100 {
            let (mut tally, mut plain) = (Tally::default(), [0u32; Cell::COUNT]);
            for _ in 0..rng.below(49) {
                let cells: CellSet = Cell::all().filter(|_| rng.below(3) > 0).collect();
                tally.add(cells);
                cells.iter().for_each(|cell| plain[cell.index()] += 1);
            }
            assert!(Cell::all().all(|cell| tally.count(cell) == plain[cell.index()]));
            let among: CellSet = Cell::all().filter(|_| rng.below(4) == 0).collect();
            let most = among.iter().map(|cell| plain[cell.index()]).max();
            let first = among.iter().find(|cell| Some(plain[cell.index()]) == most);
            assert_eq!(tally.most(among), most.zip(first));
        }
    }
}
