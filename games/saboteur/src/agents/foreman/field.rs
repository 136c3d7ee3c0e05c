use crate::{Board, Cell, Cells, Goal, Side, Sides};

/// A set of cells of the part of the mine in which ways are looked for: a bit each, row after row,
/// so that a step in any direction is one shift for all of them.
///
/// The number of words says which part it is; it has to be a part of the rules' bounds. An unused
/// column between the rows keeps steps to the side in their row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Field<const W: usize>([u64; W]);

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
    /// No cell.
    pub(super) const EMPTY: Field<W> = Field([0; W]);

    /// The bit of a cell, if the field reaches so far.
    pub(super) const fn bit(cell: Cell) -> Option<u8> {
        let frame = Self::FRAME;
        let (x, y) = (cell.x() - frame.left, cell.y() - frame.top);
        if x < 0 || y < 0 || x as usize >= frame.columns || y as usize >= frame.rows {
            return None;
        }
        // The first row begins one row after the first bit, so that it has neighbours, too.
        Some(((y as usize + 1) * Self::STRIDE + x as usize) as u8)
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

    /// How many bits above this one are set.
    #[inline]
    pub(super) fn above(self, bit: u8) -> usize {
        let word = usize::from(bit / 64);
        let rest = (self.0[word] >> (bit % 64) >> 1).count_ones();
        let count = self.0[word + 1..].iter().fold(rest, |sum, word| sum + word.count_ones());
        count as usize
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

    /// Goes from a set of empty cells through the cards of `loose` that it opens to, and on through
    /// others of them. Adds those cards to `passed`, and returns the cells they lead to.
    pub(super) fn through(self, board: &Board, loose: Field<W>, passed: &mut Field<W>) -> Field<W> {
        let mut led_to = Self::EMPTY;
        let mut from = self;
        loop {
            // The cards that the last ones, or the empty cells at first, open to.
            let mut entered = Self::EMPTY;
            from.around().and(loose).without(*passed).for_each(|bit| {
                let cell = Self::cell(bit);
                let is_entered = Side::ALL.into_iter().any(|side| {
                    sides(board, cell).has(side)
                        && from.seen_on(side).has(bit)
                        && (from == self || sides(board, cell.next(side)).has(side.opposite()))
                });
                if is_entered {
                    entered.insert(bit);
                }
            });
            if entered.is_empty() {
                return led_to;
            }
            *passed = passed.or(entered);
            entered.for_each(|bit| {
                let mut card = Self::EMPTY;
                card.insert(bit);
                let sides = sides(board, Self::cell(bit));
                for side in Side::ALL.into_iter().filter(|&side| sides.has(side)) {
                    led_to = led_to.or(card.seen_on(side.opposite()));
                }
            });
            from = entered;
        }
    }
}

/// The open sides of what lies face up at a cell.
fn sides(board: &Board, cell: Cell) -> Sides {
    board.sides(cell).unwrap_or_default()
}
