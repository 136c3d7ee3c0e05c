use crate::{Cell, Cells, Goal, Side};

/// A set of cells of the part of the mine in which ways are looked for: a bit each, row after row,
/// so that a step in any direction is one shift for all of them.
///
/// The number of words says which part it is; it has to be a part of the rules' bounds. An unused
/// column between the rows keeps steps to the side in their row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Field<const W: usize>([u64; W]);

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
        // Ways further out than this are not worth a thought.
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
        let mut words = [0; W];
        let mut cell = 0;
        while cell < Cell::GRID {
            let bit = Self::BITS[cell];
            if bit != NO_BIT {
                words[bit as usize / 64] |= 1 << (bit % 64);
            }
            cell += 1;
        }
        Field(words)
    };
    /// The bit of the start.
    pub(super) const START: u8 = Self::bit(Cell::START).expect("the start lies in every field");
    /// No cell.
    pub(super) const EMPTY: Field<W> = Field([0; W]);

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
            field.0[first / 64] |= bits << (first % 64);
            if first % 64 + Self::FRAME.columns > 64 {
                field.0[first / 64 + 1] |= bits >> (64 - first % 64);
            }
        }
        field
    }

    #[inline]
    pub(super) fn is_empty(self) -> bool {
        self.0.iter().fold(0, |all, word| all | word) == 0
    }

    /// Whether a bit is set; those beyond the last row never are.
    #[inline]
    pub(super) fn has(self, bit: u8) -> bool {
        self.0.get(usize::from(bit / 64)).is_some_and(|word| word >> (bit % 64) & 1 == 1)
    }

    #[inline]
    pub(super) fn insert(&mut self, bit: u8) {
        self.0[usize::from(bit / 64)] |= 1 << (bit % 64);
    }

    #[inline]
    pub(super) fn remove(&mut self, bit: u8) {
        self.0[usize::from(bit / 64)] &= !(1 << (bit % 64));
    }

    #[inline]
    pub(super) fn remove_lowest(&mut self) {
        if let Some(word) = self.0.iter_mut().find(|word| **word != 0) {
            *word &= *word - 1;
        }
    }

    #[inline]
    fn zip(self, other: Field<W>, join: impl Fn(u64, u64) -> u64) -> Field<W> {
        Field(std::array::from_fn(|i| join(self.0[i], other.0[i])))
    }

    #[inline]
    pub(super) fn and(self, other: Field<W>) -> Field<W> {
        self.zip(other, |a, b| a & b)
    }

    #[inline]
    pub(super) fn or(self, other: Field<W>) -> Field<W> {
        self.zip(other, |a, b| a | b)
    }

    #[inline]
    pub(super) fn without(self, other: Field<W>) -> Field<W> {
        self.zip(other, |a, b| a & !b)
    }

    /// The sides on which a cell of the field has one of the set, a bit each in the order of
    /// [`Side::ALL`].
    #[inline]
    pub(super) fn sides_of(self, bit: u8) -> u8 {
        let stride = const { Self::STRIDE as u8 };
        let up = bit - stride;
        let (word, shift) = (usize::from(up / 64), up % 64);
        let mut near = self.0[word] >> shift;
        if word + 1 < W {
            near |= self.0[word + 1] << 1 << (63 - shift);
        }
        // Bits 0, stride - 1, stride + 1 and 2 stride go to 2 stride and those above it, and nothing
        // else goes there.
        near &= 1 | 1 << (stride - 1) | 1 << (stride + 1) | 1 << (2 * stride);
        let spread = 1 << (2 * stride + 1) | 1 << (stride + 1) | 1 << 3;
        (near.wrapping_mul(spread) >> (2 * stride)) as u8 & 0b1111
    }

    /// The cells that have a cell of the set on one side: a bit of it is set here if that of its
    /// neighbour is set there.
    #[inline]
    pub(super) fn seen_on(self, side: Side) -> Field<W> {
        let words = self.0;
        let upwards = |step: usize| {
            Field(std::array::from_fn(|i| {
                words[i] << step | if i > 0 { words[i - 1] >> (64 - step) } else { 0 }
            }))
        };
        let downwards = |step: usize| {
            Field(std::array::from_fn(|i| {
                words[i] >> step | if i + 1 < W { words[i + 1] << (64 - step) } else { 0 }
            }))
        };
        match side {
            Side::Left => upwards(1),
            Side::Up => upwards(Self::STRIDE),
            Side::Right => downwards(1),
            Side::Down => downwards(Self::STRIDE),
        }
    }

    /// The cells next to the set. Some bits that stand for no cell are among them.
    #[inline]
    pub(super) fn around(self) -> Field<W> {
        let [left, up, right, down] = Side::ALL.map(|side| self.seen_on(side));
        left.or(up).or(right).or(down)
    }

    /// Calls `visit` with every bit that is set.
    #[inline]
    pub(super) fn for_each(self, mut visit: impl FnMut(u8)) {
        for (mut word, first) in self.0.into_iter().zip((0..).step_by(64)) {
            while word != 0 {
                visit(first + word.trailing_zeros() as u8);
                word &= word - 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oboro_core::Rng;

    fn compare<const W: usize>() {
        let mut rng = Rng::from_u64(W as u64);
        for _ in 0..200 {
            let field = Field::<W>([0; W].map(|_| rng.bits()));
            for &bit in Field::<W>::BITS.iter().filter(|&&bit| bit != NO_BIT) {
                let sides = Side::ALL.map(|side| field.has(Field::<W>::next(bit, side)));
                let plain = sides.into_iter().rev().fold(0, |all, has| all << 1 | u8::from(has));
                assert_eq!(field.sides_of(bit), plain, "bit {bit} of {field:?}");
                assert_eq!(Field::<W>::bit(Field::<W>::cell(bit)), Some(bit));
            }
        }
    }

    #[test]
    fn the_sides_of_a_cell_are_told_at_once() {
        compare::<1>();
        compare::<2>();
        compare::<3>();
    }
}
