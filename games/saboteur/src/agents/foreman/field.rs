#![allow(
    clippy::inline_always,
    reason = "searches are compiled for more than one kind of processor"
)]

use crate::{Cell, Cells, Goal, Side};

/// A set of cells of the part of the mine in which ways are looked for: a bit each, row after row,
/// so that a step in any direction is one shift for all of them.
///
/// The number of words says which part it is; it has to be a part of the rules' bounds. An unused
/// column between the rows keeps steps to the side in their row.
///
/// There can be several such sets side by side, so that what is done to one is done to all of them
/// together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Field<const W: usize, const SETS: usize = 1>([[u64; SETS]; W]);

/// Higher than any bit of a field.
const NO_BIT: u8 = u8::MAX;

/// A rectangle of cells.
struct Frame {
    left: i8,
    top: i8,
    columns: usize,
    rows: usize,
}

impl<const W: usize> Field<W> {
    const FRAME: Frame = match W {
        1 => Frame { left: 0, top: -2, columns: 9, rows: 5 },
        2 => Frame { left: 0, top: -3, columns: 9, rows: 7 },
        // Ways further out are ignored.
        _ => Frame { left: -2, top: -5, columns: 14, rows: 11 },
    };
    const STRIDE: usize = Self::FRAME.columns + 1;
    /// The bits of the goals.
    pub(super) const GOALS: [u8; 3] = {
        let mut bits = [0; 3];
        let mut i = 0;
        while i < 3 {
            bits[i] = Self::bit(Goal::ALL[i].cell()).expect("goals lie in every field");
            i += 1;
        }
        bits
    };
    /// All of its cells.
    pub(super) const ALL: Field<W> = {
        let mut words = [[0]; W];
        let mut cell = 0;
        while cell < Cell::GRID {
            let bit = Self::BITS[cell];
            if bit != NO_BIT {
                words[bit as usize / 64][0] |= 1 << (bit % 64);
            }
            cell += 1;
        }
        Field(words)
    };
    /// The bit of the start.
    pub(super) const START: u8 = Self::bit(Cell::START).expect("the start lies in every field");
    /// By cell its bit, or `NO_BIT` where the field does not reach.
    const BITS: [u8; Cell::GRID] = {
        let mut bits = [NO_BIT; Cell::GRID];
        let mut row = 0;
        while row < Self::FRAME.rows {
            let mut column = 0;
            while column < Self::FRAME.columns {
                let x = Self::FRAME.left + column as i8;
                let cell = Cell::new(x, Self::FRAME.top + row as i8).expect("part of the grid");
                // The first row begins one row after the first bit, so that it has neighbours, too.
                bits[cell.index()] = ((row + 1) * Self::STRIDE + column) as u8;
                column += 1;
            }
            row += 1;
        }
        bits
    };

    /// The bit of a cell, if the field reaches so far.
    #[inline]
    pub(super) const fn bit(cell: Cell) -> Option<u8> {
        let bit = const { &Self::BITS }[cell.index()];
        if bit == NO_BIT { None } else { Some(bit) }
    }

    /// The bit of the cell next to a cell's.
    #[inline]
    pub(super) const fn next(bit: u8, side: Side) -> u8 {
        match side {
            Side::Left => bit - 1,
            Side::Up => bit - Self::STRIDE as u8,
            Side::Right => bit + 1,
            Side::Down => bit + Self::STRIDE as u8,
        }
    }

    /// The cell of a bit.
    pub(super) fn cell(bit: u8) -> Cell {
        let (x, y) = (usize::from(bit) % Self::STRIDE, usize::from(bit) / Self::STRIDE - 1);
        Cell::new(x as i8 + Self::FRAME.left, y as i8 + Self::FRAME.top)
            .expect("the field lies within the grid")
    }

    /// One cell.
    #[inline]
    pub(super) fn of_bit(bit: u8) -> Field<W> {
        let mut field = Self::EMPTY;
        field.insert(bit);
        field
    }

    /// Those of some cells that lie in the field.
    #[inline]
    pub(super) fn of(cells: &Cells) -> Field<W> {
        let mut field = Self::EMPTY;
        for row in 0..Self::FRAME.rows {
            let bits = cells.row_from(Self::FRAME.left, Self::FRAME.top + row as i8);
            let bits = u64::from(bits) & ((1 << Self::FRAME.columns) - 1);
            let first = (row + 1) * Self::STRIDE;
            field.0[first / 64][0] |= bits << (first % 64);
            if first % 64 + Self::FRAME.columns > 64 {
                field.0[first / 64 + 1][0] |= bits >> (64 - first % 64);
            }
        }
        field
    }

    /// Whether a bit is set; those beyond the last row never are.
    #[inline]
    pub(super) fn contains(self, bit: u8) -> bool {
        self.0.get(usize::from(bit / 64)).is_some_and(|[word]| word >> (bit % 64) & 1 == 1)
    }

    #[inline]
    pub(super) fn insert(&mut self, bit: u8) {
        self.0[usize::from(bit / 64)][0] |= 1 << (bit % 64);
    }

    #[inline]
    pub(super) fn remove(&mut self, bit: u8) {
        self.0[usize::from(bit / 64)][0] &= !(1 << (bit % 64));
    }

    /// The cell with the lowest bit, if there is one.
    #[inline]
    pub(super) fn lowest(self) -> Field<W> {
        let mut lowest = Self::EMPTY;
        if let Some(i) = self.0.iter().position(|[word]| *word != 0) {
            let [word] = self.0[i];
            lowest.0[i] = [word & word.wrapping_neg()];
        }
        lowest
    }

    /// Several sets of the same cells.
    #[inline(always)]
    pub(super) fn repeated<const SETS: usize>(self) -> Field<W, SETS> {
        Field(self.0.map(|[word]| [word; SETS]))
    }

    /// Calls `visit` with every bit that is set.
    #[inline]
    pub(super) fn for_each(self, mut visit: impl FnMut(u8)) {
        for ([mut word], first) in self.0.into_iter().zip((0..).step_by(64)) {
            while word != 0 {
                visit(first + word.trailing_zeros() as u8);
                word &= word - 1;
            }
        }
    }
}

impl<const W: usize> Field<W, 4> {
    /// A set for each goal, of that goal alone, and one more to fill a register.
    pub(super) const BY_GOAL: Field<W, 4> = {
        let mut words = [[0; 4]; W];
        let mut i = 0;
        while i < 4 {
            let bit = Field::<W>::GOALS[i % 3];
            words[bit as usize / 64][i] |= 1 << (bit % 64);
            i += 1;
        }
        Field(words)
    };

    /// One of the sets.
    pub(super) fn set(self, set: usize) -> Field<W> {
        Field(self.0.map(|sets| [sets[set]]))
    }

    /// The bits of eight fields, side by side.
    #[inline(always)]
    pub(super) fn transpose(mut rows: [Self; 8]) -> Bytes<W> {
        Self::exchange::<4>(&mut rows);
        Self::exchange::<2>(&mut rows);
        Self::exchange::<1>(&mut rows);
        Bytes(rows.map(|row| row.0.map(|sets| sets.map(u64::to_le_bytes))))
    }
}

/// A byte for each cell in each of four sets. That of bit `8 i + j` of a word is the `i`th of that word
/// in the `j`th row.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Bytes<const W: usize>([[[[u8; 8]; 4]; W]; 8]);

impl<const W: usize> Bytes<W> {
    #[inline]
    pub(super) fn at(&self, bit: u8) -> [u8; 4] {
        let sets = &self.0[usize::from(bit % 8)][usize::from(bit / 64) % W];
        std::array::from_fn(|set| sets[set][usize::from(bit / 8 % 8)])
    }
}

impl<const W: usize, const SETS: usize> Field<W, SETS> {
    /// No cell.
    pub(super) const EMPTY: Field<W, SETS> = Field([[0; SETS]; W]);

    #[inline(always)]
    pub(super) fn is_empty(self) -> bool {
        self.0.as_flattened().iter().fold(0, |all, word| all | word) == 0
    }

    #[inline(always)]
    fn zip(self, other: Self, join: impl Fn(u64, u64) -> u64) -> Self {
        Field(std::array::from_fn(|i| {
            std::array::from_fn(|set| join(self.0[i][set], other.0[i][set]))
        }))
    }

    #[inline(always)]
    pub(super) fn and(self, other: Self) -> Self {
        self.zip(other, |a, b| a & b)
    }

    #[inline(always)]
    pub(super) fn or(self, other: Self) -> Self {
        self.zip(other, |a, b| a | b)
    }

    #[inline(always)]
    pub(super) fn xor(self, other: Self) -> Self {
        self.zip(other, |a, b| a ^ b)
    }

    #[inline(always)]
    pub(super) fn without(self, other: Self) -> Self {
        self.zip(other, |a, b| a & !b)
    }

    /// All bits of those sets that have a cell in common with the other's, and none of the rest.
    #[inline(always)]
    pub(super) fn meeting(self, other: Self) -> Self {
        let mut common = [0; SETS];
        for words in self.and(other).0 {
            common = std::array::from_fn(|set| common[set] | words[set]);
        }
        Field([common.map(|common| if common == 0 { 0 } else { u64::MAX }); W])
    }

    /// The cells that have a cell of the set on one side: a bit of it is set here if that of its
    /// neighbour is set there.
    #[inline(always)]
    pub(super) fn seen_on(self, side: Side) -> Self {
        let words = self.0;
        let upwards = |step: usize| {
            Field(std::array::from_fn(|i| {
                std::array::from_fn(|set| {
                    let low = if i > 0 { words[i - 1][set] >> (64 - step) } else { 0 };
                    words[i][set] << step | low
                })
            }))
        };
        let downwards = |step: usize| {
            Field(std::array::from_fn(|i| {
                std::array::from_fn(|set| {
                    let high = if i + 1 < W { words[i + 1][set] << (64 - step) } else { 0 };
                    words[i][set] >> step | high
                })
            }))
        };
        match side {
            Side::Left => upwards(1),
            Side::Up => upwards(Field::<W>::STRIDE),
            Side::Right => downwards(1),
            Side::Down => downwards(Field::<W>::STRIDE),
        }
    }

    /// The cells next to the set. Some bits that stand for no cell are among them.
    #[inline(always)]
    pub(super) fn around(self) -> Self {
        let sideways = self.seen_on(Side::Left).or(self.seen_on(Side::Right));
        sideways.or(self.seen_on(Side::Up)).or(self.seen_on(Side::Down))
    }

    /// Every other group of so many bits changes places with that of a field so many further on.
    #[inline(always)]
    fn exchange<const BITS: usize>(rows: &mut [Self; 8]) {
        let mask = const { u64::MAX / ((1 << BITS) + 1) };
        for i in (0..8).filter(|i| i & BITS == 0) {
            let differ = rows[i].zip(rows[i + BITS], |a, b| (a >> BITS ^ b) & mask);
            rows[i + BITS] = rows[i + BITS].xor(differ);
            rows[i] = rows[i].zip(differ, |a, b| a ^ b << BITS);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oboro_core::Rng;

    fn compare<const W: usize>() {
        let mut rng = Rng::from_u64(W as u64);
        let mut fields = [Field::<W, 4>::EMPTY; 8];
        for word in fields.iter_mut().flat_map(|field| field.0.as_flattened_mut()) {
            *word = rng.bits();
        }
        let rows = Field::transpose(fields);
        for &bit in Field::<W>::BITS.iter().filter(|&&bit| bit != NO_BIT) {
            assert_eq!(Field::<W>::bit(Field::<W>::cell(bit)), Some(bit));
            for set in 0..4 {
                let has = |field: &Field<W, 4>| field.set(set).contains(bit);
                let reference =
                    fields.iter().rev().fold(0, |all, field| all << 1 | u8::from(has(field)));
                assert_eq!(rows.at(bit)[set], reference, "bit {bit} of set {set}");
            }
        }
    }

    #[test]
    fn transposed_fields_have_the_bits_of_each() {
        compare::<1>();
        compare::<2>();
        compare::<3>();
    }
}
