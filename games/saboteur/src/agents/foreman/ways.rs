//! The ways of a mine.

#![allow(
    clippy::inline_always,
    reason = "searches are compiled for more than one kind of processor"
)]

use super::field::Field;
use super::prospect::{Chances, Prospect};
use crate::{Board, Cell, Goals, OpenEnds, Side};

/// The ways of a mine, for all goals.
#[derive(Clone, Debug)]
pub(super) struct Ways<'a, const W: usize> {
    pub(super) prospect: &'a Prospect<'a>,
    pub(super) chances: Chances<'a>,
    pub(super) board: &'a Board,
    /// The goals under which the gold may be.
    pub(super) likely: Goals,
    pub(super) empty: Field<W>,
    /// Passable cards that are not joined to the start, because rocks have cut them off.
    pub(super) loose: Cards<W>,
    pub(super) open_ends: Field<W>,
    /// The open ends, those with the highest bits first.
    ends: [End; OpenEnds::MAX],
    count: usize,
}

/// An open end: its bit, the sides that have a neighbour to match in the high four bits, and those
/// of them that must be open in the low four.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct End {
    pub(super) bit: u8,
    pub(super) demand: u8,
}

impl End {
    /// An end of this mine.
    #[inline]
    pub(super) fn new(board: &Board, cell: Cell, bit: u8) -> End {
        let (care, open) = board.demand(cell);
        End { bit, demand: care << 4 | open }
    }

    /// The same with one more neighbour, which is open towards it or not.
    #[inline]
    pub(super) fn beside(self, side: Side, is_open: bool) -> End {
        let taken = 1 << side as u8;
        let open = if is_open { taken } else { 0 };
        End { demand: self.demand | taken << 4 | open, ..self }
    }
}

impl<'a, const W: usize> Ways<'a, W> {
    #[inline]
    pub(super) fn new(prospect: &'a Prospect<'a>, board: &'a Board) -> Self {
        let mut taken = Field::of(board.paths());
        for bit in Field::<W>::GOALS {
            taken.insert(bit);
        }
        taken.insert(Field::<W>::START);
        let mut ways = Ways {
            prospect,
            chances: prospect.odds.chances(),
            board,
            likely: prospect.likely(),
            empty: Field::ALL.without(taken),
            loose: Cards::NONE,
            open_ends: Field::EMPTY,
            ends: [End::default(); OpenEnds::MAX],
            count: 0,
        };
        if board.cut_off() > 0 {
            ways.loose = Cards::of(board, taken, |cell| !board.is_reached(cell));
        }
        for cell in board.open_ends().iter() {
            if let Some(bit) = Field::<W>::bit(cell) {
                ways.push(End::new(board, cell, bit));
                ways.open_ends.insert(bit);
            }
        }
        ways
    }

    #[inline]
    pub(super) fn ends(&self) -> &[End] {
        &self.ends[..self.count]
    }

    /// Whether rocks have cut off a passable card from the start.
    #[inline]
    pub(super) fn is_cut(&self) -> bool {
        !self.loose.cells().is_empty()
    }

    /// The ways after a rock fall on a card.
    pub(super) fn without(&self, network: &Network<W>, fallen: u8) -> Ways<'a, W> {
        let mut ways = Ways { ends: [End::default(); OpenEnds::MAX], count: 0, ..*self };
        ways.empty.insert(fallen);
        let (reached, loose) = network.without(fallen);
        ways.loose = loose;
        ways.open_ends = reached.led_to(Field::ALL).and(ways.empty);
        // Only the cell of that card can be a new one.
        let is_end = ways.open_ends.contains(fallen);
        let after = self.ends().iter().filter(|end| end.bit < fallen).count();
        let (before, after) = self.ends().split_at(self.count - after);
        let beside = Field::of_bit(fallen).around();
        for end in before {
            ways.keep(*end, beside, fallen);
        }
        if is_end {
            ways.push(End::new(self.board, Field::<W>::cell(fallen), fallen));
        }
        for end in after {
            ways.keep(*end, beside, fallen);
        }
        ways
    }

    /// Adds an end if it still is one, freed of the card that has fallen beside it.
    #[inline]
    fn keep(&mut self, mut end: End, beside: Field<W>, fallen: u8) {
        if beside.contains(end.bit) {
            for side in Side::ALL {
                if Field::<W>::next(end.bit, side) == fallen {
                    end.demand &= !(0b1_0001 << side as u8);
                }
            }
        }
        if self.open_ends.contains(end.bit) {
            self.push(end);
        }
    }

    #[inline]
    fn push(&mut self, end: End) {
        self.ends[self.count] = end;
        self.count += 1;
    }
}

/// Some passable cards, by the sides that are open.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cards<const W: usize>([Field<W>; 4]);

impl<const W: usize> Cards<W> {
    const NONE: Cards<W> = Cards([Field::EMPTY; 4]);

    /// Those among the cells that are taken for which `is_one` holds.
    fn of(board: &Board, taken: Field<W>, is_one: impl Fn(Cell) -> bool) -> Cards<W> {
        let mut cards = Cards::NONE;
        taken.for_each(|bit| {
            let cell = Field::<W>::cell(bit);
            if board.is_passable(cell) && is_one(cell) {
                let sides = board.sides(cell).unwrap_or_default();
                for side in Side::ALL.into_iter().filter(|&side| sides.contains(side)) {
                    cards.0[side as usize].insert(bit);
                }
            }
        });
        cards
    }

    /// Their cells; every passable card is open somewhere.
    #[inline]
    pub(super) fn cells(&self) -> Field<W> {
        self.0.into_iter().fold(Field::EMPTY, Field::or)
    }

    #[inline]
    fn map(&self, map: impl Fn(Field<W>) -> Field<W>) -> Cards<W> {
        Cards(self.0.map(map))
    }

    /// Those that are open on one side.
    #[inline(always)]
    fn open<const SETS: usize>(&self, side: Side) -> Field<W, SETS> {
        self.0[side as usize].repeated()
    }

    /// The cells that some of them are open to.
    #[inline(always)]
    pub(super) fn led_to<const SETS: usize>(&self, some: Field<W, SETS>) -> Field<W, SETS> {
        let mut cells = Field::EMPTY;
        for side in Side::ALL {
            cells = cells.or(self.open(side).and(some).seen_on(side.opposite()));
        }
        cells
    }

    /// Those that are open to some cells.
    #[inline(always)]
    fn open_to<const SETS: usize>(&self, cells: Field<W, SETS>) -> Field<W, SETS> {
        let mut cards = Field::EMPTY;
        for side in Side::ALL {
            cards = cards.or(cells.seen_on(side).and(self.open(side)));
        }
        cards
    }

    /// Those that some of them are joined to.
    #[inline(always)]
    fn joined_to<const SETS: usize>(&self, some: Field<W, SETS>) -> Field<W, SETS> {
        let mut cards = Field::EMPTY;
        for side in Side::ALL {
            let behind = side.opposite();
            let led_to = self.open(side).and(some).seen_on(behind);
            cards = cards.or(led_to.and(self.open(behind)));
        }
        cards
    }

    /// One of them and all that it is joined to, over others as well.
    #[inline]
    pub(super) fn joined_with(&self, one: Field<W>) -> Field<W> {
        let [mut all, mut last] = [one; 2];
        while !last.is_empty() {
            last = self.joined_to(last).without(all);
            all = all.or(last);
        }
        all
    }

    /// Goes from a set of cells through the cards that open to it, and on through others that they
    /// are joined to. Adds those cards to `passed`, and returns the cells they lead to.
    #[inline(always)]
    pub(super) fn through<const SETS: usize>(
        &self,
        from: Field<W, SETS>,
        passed: &mut Field<W, SETS>,
    ) -> Field<W, SETS> {
        let mut led_to = Field::EMPTY;
        let mut entered = self.open_to(from);
        loop {
            entered = entered.without(*passed);
            if entered.is_empty() {
                return led_to;
            }
            *passed = passed.or(entered);
            led_to = led_to.or(self.led_to(entered));
            entered = self.joined_to(entered);
        }
    }
}

/// All passable cards of a mine, start and goals included, and those that the start is joined to.
#[derive(Clone, Debug)]
pub(super) struct Network<const W: usize> {
    cards: Cards<W>,
    reached: Field<W>,
}

impl<const W: usize> Network<W> {
    /// That of a mine; `None` if it has cards beyond the field.
    pub(super) fn new(ways: &Ways<'_, W>) -> Option<Network<W>> {
        let board = ways.board;
        let mut count = 0;
        Field::<W>::of(board.paths()).for_each(|_| count += 1);
        if count < board.paths().len() {
            return None;
        }
        let taken = Field::ALL.without(ways.empty);
        let cards = Cards::of(board, taken, |_| true);
        let reached = cards.cells().without(ways.loose.cells());
        Some(Network { cards, reached })
    }

    /// The cards that the start is joined to once rocks have fallen on one, and the loose ones.
    fn without(&self, fallen: u8) -> (Cards<W>, Cards<W>) {
        let fallen = Field::of_bit(fallen);
        let cards = self.cards.map(|cards| cards.without(fallen));
        let mut reached = self.reached.without(fallen);
        let is_end = {
            let joined = self.cards.joined_to(fallen).and(self.reached);
            joined == joined.lowest()
        };
        if !is_end && self.reached != reached {
            // Others may be joined to the start by this card only.
            reached = cards.joined_with(Field::of_bit(Field::<W>::START));
        }
        (cards.map(|cards| cards.and(reached)), cards.map(|cards| cards.without(reached)))
    }
}
