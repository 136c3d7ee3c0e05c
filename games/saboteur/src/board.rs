#![allow(
    clippy::inline_always,
    reason = "playouts are compiled for more than one kind of processor"
)]

use crate::{
    Action, Bounds, Cell, Cells, FaceDownGoals, Goal, GoalCard, Goals, OpenEnds, Saboteur, Side,
    Sides, Tile, Tiles,
};

/// The mine: the cards that lie, and what follows from them.
///
/// Besides the cards it keeps which of them an unbroken way joins to the start, and the empty cells
/// to which such a way leads. Both are brought up to date where something changes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Board {
    cells: [Square; Cell::GRID],
    /// Path cards, without start and goals.
    paths: Cells,
    open_ends: OpenEnds,
    /// How many passable cards are not joined to the start.
    cut_off: u8,
}

/// What lies at a cell: open sides in the low four bits, and the flags below; 0 where nothing does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
struct Square(u8);

const PASSABLE: u8 = 1 << 4;
/// Neighbours have to match it.
const MATCHED: u8 = 1 << 5;
const FACE_DOWN: u8 = 1 << 6;
/// An unbroken way joins it to the start.
const REACHED: u8 = 1 << 7;

impl Square {
    const fn card(sides: Sides, passable: bool) -> Square {
        Square(sides.bits() | MATCHED | if passable { PASSABLE } else { 0 })
    }

    const fn face_down(rule: FaceDownGoals) -> Square {
        match rule {
            FaceDownGoals::Any => Square(FACE_DOWN),
            FaceDownGoals::Open => Square(FACE_DOWN | MATCHED | Sides::ALL.bits()),
        }
    }

    #[inline]
    fn is_empty(self) -> bool {
        self.0 == 0
    }

    #[inline]
    fn is(self, flag: u8) -> bool {
        self.0 & flag != 0
    }

    #[inline]
    fn sides(self) -> Sides {
        Sides::from_bits(self.0)
    }
}

impl Board {
    /// The mine before the first card.
    pub(crate) fn new(rules: Saboteur) -> Board {
        // By bounds and face-down goals.
        static FRESH: [[Board; 2]; 3] =
            [Board::fresh(Bounds::None), Board::fresh(Bounds::Paper), Board::fresh(Bounds::Three)];
        FRESH[rules.bounds as usize][rules.face_down_goals as usize]
    }

    /// The mines before the first card within these bounds, by the rule for face-down goals.
    const fn fresh(bounds: Bounds) -> [Board; 2] {
        let mut board = Board {
            cells: [Square(0); Cell::GRID],
            paths: Cells::EMPTY,
            open_ends: OpenEnds::EMPTY,
            cut_off: 0,
        };
        let start = Square::card(Sides::ALL, true);
        board.cells[Cell::START.index()] = Square(start.0 | REACHED);
        // In the order of open ends.
        let sides = [Side::Up, Side::Left, Side::Right, Side::Down];
        let mut i = 0;
        while i < sides.len() {
            let next = Cell::START.next(sides[i]);
            if bounds.area().contains(next) {
                board.open_ends = board.open_ends.with_last(next);
            }
            i += 1;
        }
        let mut boards = [board; 2];
        let rules = [FaceDownGoals::Any, FaceDownGoals::Open];
        let mut i = 0;
        while i < boards.len() {
            let mut goal = 0;
            while goal < Goal::ALL.len() {
                let cell = Goal::ALL[goal].cell();
                boards[i].cells[cell.index()] = Square::face_down(rules[i]);
                goal += 1;
            }
            i += 1;
        }
        boards
    }

    /// What lies around a cell.
    #[inline]
    fn around(&self, cell: Cell) -> Around {
        let up = Cell::next(cell, Side::Up).index();
        let near: &[Square; 65] =
            self.cells[up..].first_chunk().expect("cards lie within the border");
        Around(u32::from_le_bytes([near[31].0, near[0].0, near[33].0, near[64].0]))
    }

    #[inline]
    fn square(&self, cell: Cell) -> Square {
        self.cells[cell.index()]
    }

    /// The path card at a cell.
    pub fn tile(&self, cell: Cell) -> Option<Tile> {
        let square = self.square(cell);
        if !self.paths.contains(cell) {
            return None;
        }
        Tile::new(square.sides(), square.is(PASSABLE))
    }

    /// The open sides of whatever lies face up at a cell, start and goals included.
    pub fn sides(&self, cell: Cell) -> Option<Sides> {
        let square = self.square(cell);
        (!square.is_empty() && !square.is(FACE_DOWN)).then(|| square.sides())
    }

    /// Whether nothing lies at a cell.
    #[inline]
    pub fn is_empty(&self, cell: Cell) -> bool {
        self.square(cell).is_empty()
    }

    /// Whether a way can lead through what lies at a cell.
    #[inline]
    pub fn is_passable(&self, cell: Cell) -> bool {
        self.square(cell).is(PASSABLE)
    }

    /// The cells with path cards, all of which rocks can fall on.
    #[inline]
    pub fn paths(&self) -> &Cells {
        &self.paths
    }

    /// Whether an unbroken way joins what lies at a cell to the start.
    #[inline]
    pub fn is_reached(&self, cell: Cell) -> bool {
        self.square(cell).is(REACHED)
    }

    /// How many passable cards, turned up goals included, rocks have cut off from the start.
    #[inline]
    pub(crate) fn cut_off(&self) -> usize {
        self.cut_off.into()
    }

    /// The empty cells to which an unbroken way from the start leads: the only ones where a card
    /// can be laid.
    #[inline]
    pub fn open_ends(&self) -> &OpenEnds {
        &self.open_ends
    }

    /// Sides of `cell` that have a neighbour to match, and those of them that must be open.
    #[inline]
    pub(crate) fn demand(&self, cell: Cell) -> (u8, u8) {
        let around = self.around(cell);
        let care = around.flagged(MATCHED);
        (care, around.open() & care)
    }

    /// The tiles that match everything around an open end. As one of its neighbours is joined
    /// to the start and open towards it, each of them is joined to the start, too.
    #[inline]
    pub(crate) fn fitting(&self, open_end: Cell) -> Tiles {
        let (care, open) = self.demand(open_end);
        Tiles::fitting(care, open)
    }

    /// Whether an action fits this mine, as far as it changes it.
    pub(crate) fn allows(&self, action: Action) -> bool {
        match action {
            Action::Dig { tile, at } => {
                self.open_ends.contains(at) && self.fitting(at).contains(tile)
            }
            Action::RockFall { at } => self.paths.contains(at),
            _ => true,
        }
    }

    /// Lays a card at an open end where it fits, then turns up the goals that it joins to the
    /// start, and those that they join in turn, as far as `card_at` knows them. Returns the goals
    /// that it turned up.
    #[inline(always)]
    pub(crate) fn dig(
        &mut self,
        rules: Saboteur,
        cell: Cell,
        tile: Tile,
        card_at: impl Fn(Goal) -> Option<GoalCard>,
    ) -> Goals {
        let touched = self.lay(rules, cell, tile);
        self.turn_up_all(rules, touched, card_at)
    }

    /// Turns up goals that a way leads to, and those that they join in turn, as far as `card_at` knows
    /// them. Returns those that it turned up.
    #[inline(always)]
    pub(crate) fn turn_up_all(
        &mut self,
        rules: Saboteur,
        mut touched: Goals,
        card_at: impl Fn(Goal) -> Option<GoalCard>,
    ) -> Goals {
        let mut turned_up = Goals::EMPTY;
        while let Some(goal) = touched.iter().next() {
            touched.remove(goal);
            if let Some(card) = card_at(goal) {
                turned_up.insert(goal);
                touched = touched.or(self.turn_up(rules, goal, rules.goal_sides(card)));
            }
        }
        turned_up
    }

    /// Lays the card or takes out the one that an action is about; returns the face-down goals that a
    /// card joins to the start.
    pub(crate) fn change(&mut self, rules: Saboteur, action: Action) -> Goals {
        match action {
            Action::Dig { tile, at } => return self.lay(rules, at, tile),
            Action::RockFall { at } => self.clear(rules, at),
            _ => {}
        }
        Goals::EMPTY
    }

    /// Lays a card at an open end where it fits; returns the face-down goals it joins to the start.
    #[inline(always)]
    pub(crate) fn lay(&mut self, rules: Saboteur, cell: Cell, tile: Tile) -> Goals {
        self.put(cell, tile);
        if tile.is_passable() { self.spread(rules, cell) } else { Goals::EMPTY }
    }

    /// Puts a card down without asking what it joins.
    #[inline(always)]
    pub(crate) fn put(&mut self, cell: Cell, tile: Tile) {
        self.cells[cell.index()] = Square::card(tile.sides(), tile.is_passable());
        self.paths.insert(cell);
        self.open_ends.remove(cell);
        self.cut_off += u8::from(tile.is_passable());
    }

    /// Takes a path card out.
    #[inline(always)]
    pub(crate) fn clear(&mut self, rules: Saboteur, cell: Cell) {
        let square = self.square(cell);
        let led_to = self.led_to(cell);
        self.cells[cell.index()] = Square::default();
        self.paths.remove(cell);
        self.cut_off -= u8::from(square.is(PASSABLE) && !square.is(REACHED));
        if square.is(REACHED) && (led_to & square.sides().bits()).count_ones() > 1 {
            // Others may be joined to the start by this card only.
            self.survey(rules);
            return;
        }
        if square.is(REACHED) {
            for side in square.sides() {
                let next = cell.next(side);
                // Beyond the edge of the table nothing is an open end.
                if self.open_ends.contains(next) && self.led_to(next) == 0 {
                    self.open_ends.remove(next);
                }
            }
        }
        if led_to != 0 {
            self.open_ends.insert(cell);
        }
    }

    /// The sides of a cell over which an unbroken way from the start leads to it.
    #[inline]
    fn led_to(&self, cell: Cell) -> u8 {
        let around = self.around(cell);
        around.flagged(REACHED) & around.open()
    }

    /// Finds all that is joined to the start afresh; returns the face-down goals among it.
    #[inline(always)]
    pub(crate) fn survey(&mut self, rules: Saboteur) -> Goals {
        for cell in self.paths.iter().chain(Goal::ALL.map(Goal::cell)) {
            let square = &mut self.cells[cell.index()];
            self.cut_off += u8::from(square.is(REACHED));
            square.0 &= !REACHED;
        }
        self.open_ends = OpenEnds::EMPTY;
        self.spread(rules, Cell::START)
    }

    /// Turns up a goal that a way leads to. It is turned round if only so it joins that way, which
    /// every curve does one way or the other; its other neighbours it need not match. Returns the
    /// face-down goals that it joins to the start in turn.
    fn turn_up(&mut self, rules: Saboteur, goal: Goal, sides: Sides) -> Goals {
        let cell = goal.cell();
        let joins = self.led_to(cell) & sides.bits() != 0;
        self.show(goal, if joins { sides } else { sides.turned() });
        self.flood(rules, cell)
    }

    /// Shows a goal with the sides it lies with, without asking what it joins.
    pub(crate) fn show(&mut self, goal: Goal, lying: Sides) {
        self.cells[goal.cell().index()] = Square::card(lying, true);
        self.cut_off += 1;
    }

    /// Whether laying this card would join more than itself: a goal, or ways that rocks have cut off.
    pub(crate) fn joins_more(&self, cell: Cell, tile: Tile) -> bool {
        self.joins_loose(cell, tile) || !self.touches(cell, tile).is_empty()
    }

    /// Whether laying this card would join ways to the start that rocks have cut off.
    #[inline]
    pub(crate) fn joins_loose(&self, cell: Cell, tile: Tile) -> bool {
        if self.cut_off == 0 || !tile.is_passable() {
            return false;
        }
        let around = self.around(cell);
        let loose = around.flagged(PASSABLE) & !around.flagged(REACHED);
        loose & tile.sides().bits() != 0
    }

    /// The face-down goals that this card would join to the start by itself.
    #[inline]
    pub(crate) fn touches(&self, cell: Cell, tile: Tile) -> Goals {
        let face_down = self.around(cell).flagged(FACE_DOWN) & tile.sides().bits();
        if face_down == 0 || !tile.is_passable() {
            return Goals::EMPTY;
        }
        Sides::from_bits(face_down).iter().filter_map(|side| Goal::at(cell.next(side))).collect()
    }

    /// Whether two neighbouring path cards, or one and the start, disagree about a side.
    pub(crate) fn mismatch(&self) -> Option<Cell> {
        self.paths.iter().find(|&cell| {
            Side::ALL.into_iter().any(|side| {
                let next = cell.next(side);
                let counts = next == Cell::START || self.paths.contains(next);
                counts
                    && self.square(cell).sides().contains(side)
                        != self.square(next).sides().contains(side.opposite())
            })
        })
    }

    #[inline]
    fn reach(&mut self, cell: Cell) {
        let square = &mut self.cells[cell.index()];
        self.cut_off -= u8::from(!square.is(REACHED));
        square.0 |= REACHED;
    }

    /// As [`spread`](Board::spread), for where it is seldom called.
    fn flood(&mut self, rules: Saboteur, from: Cell) -> Goals {
        self.spread(rules, from)
    }

    /// Joins a passable card to the start, and all that it joins in turn; returns the face-down
    /// goals among it.
    #[inline(always)]
    fn spread(&mut self, rules: Saboteur, from: Cell) -> Goals {
        let mut touched = Goals::EMPTY;
        // Each card is pushed once: path cards, start and goals.
        let mut stack = [from; 44];
        let mut height = 1;
        self.reach(from);
        while height > 0 {
            height -= 1;
            let cell = stack[height];
            let around = self.around(cell);
            let open = self.square(cell).sides().bits();
            for side in Sides::from_bits(open & around.empty()) {
                let next = cell.next(side);
                if rules.area().contains(next) {
                    self.open_ends.insert(next);
                }
            }
            for side in Sides::from_bits(open & around.flagged(FACE_DOWN)) {
                touched.insert(Goal::at(cell.next(side)).expect("only goals lie face down"));
            }
            let joined = around.flagged(PASSABLE) & !around.flagged(REACHED) & around.open();
            for side in Sides::from_bits(open & joined) {
                let next = cell.next(side);
                self.reach(next);
                stack[height] = next;
                height += 1;
            }
        }
        touched
    }
}

/// The squares on the four sides of a cell, a byte each in the order of [`Side::ALL`]. Its methods give a bit for
/// each side.
#[derive(Clone, Copy)]
struct Around(u32);

/// A 1 in every byte.
const ONES: u32 = u32::MAX / 255;

impl Around {
    /// The lowest bits of the bytes, side by side.
    #[inline]
    fn gather(bytes: u32) -> u8 {
        // Bit 8 i goes to bit 28 + i, and nothing else goes there.
        (bytes.wrapping_mul(1 << 28 | 1 << 21 | 1 << 14 | 1 << 7) >> 28) as u8
    }

    /// The sides with this flag.
    #[inline]
    fn flagged(self, flag: u8) -> u8 {
        Around::gather(self.0 >> flag.trailing_zeros() & ONES)
    }

    /// The sides with nothing.
    #[inline]
    fn empty(self) -> u8 {
        // The highest bit of a byte comes to be 1 if any of its bits is.
        let any = ((self.0 & !(ONES << 7)) + !(ONES << 7)) | self.0;
        Around::gather(!any >> 7 & ONES)
    }

    /// The sides whose card is open towards the cell.
    #[inline]
    fn open(self) -> u8 {
        // Side i of the cell faces side (i + 2) % 4 of the card: bits 2, 11, 16 and 25.
        let facing = self.0 & (1 << 2 | 1 << 11 | 1 << 16 | 1 << 25);
        // They go to bits 28 to 31, and nothing else goes there.
        (facing.wrapping_mul(1 << 26 | 1 << 18 | 1 << 14 | 1 << 6) >> 28) as u8
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]
mod tests {
    use super::*;
    use oboro_core::{Game, GameWorld, Rng};

    #[test]
    fn incremental_updates_equal_a_full_survey() {
        for bounds in [Bounds::None, Bounds::Paper] {
            let rules = Saboteur { bounds, rounds: 1, ..Saboteur::default() };
            let mut rng = Rng::from_u64(3);
            for _ in 0..60 {
                let mut world = rules.deal(&mut rng);
                while world.to_act().is_some() {
                    // Rocks fall more often than by chance, so that all kinds of cards are hit.
                    let mut action = world.random_action(&mut rng);
                    world.for_each_legal(|other| {
                        if matches!(other, Action::RockFall { .. }) && rng.chance(0.3) {
                            action = other;
                        }
                    });
                    world.apply(action);
                    let board = *world.public().board();
                    let mut again = board;
                    again.survey(rules);
                    assert_eq!(again, board, "after {action}\n{world}");
                }
            }
        }
    }

    #[test]
    fn a_card_at_the_edge_of_the_table_can_be_taken_out() {
        let rules = Saboteur::default();
        let tile = Tile::new(Sides::from_bits(0b1010), true).unwrap();
        assert!(tile.sides().contains(Side::Up) && tile.sides().contains(Side::Down));
        let mut board = Board::new(rules);
        let column = || (1..=Cell::Y.1).map(|y| Cell::new(0, y).unwrap());
        for cell in column() {
            board.lay(rules, cell, tile);
        }
        for cell in column().rev() {
            board.clear(rules, cell);
        }
        assert_eq!(board, Board::new(rules));
    }

    #[test]
    fn neighbours_are_read_for_all_sides_at_once() {
        let mut rng = Rng::from_u64(4);
        for _ in 0..2000 {
            let squares = [0; 4].map(|_: u8| rng.bits() as u8 * u8::from(rng.chance(0.7)));
            let around = Around(u32::from_le_bytes(squares));
            for side in Side::ALL {
                let square = Square(squares[side as usize]);
                let is = |bits: u8| bits >> side as u8 & 1 == 1;
                assert_eq!(is(around.empty()), square.is_empty());
                assert_eq!(is(around.open()), square.sides().contains(side.opposite()));
                for flag in [PASSABLE, MATCHED, FACE_DOWN, REACHED] {
                    assert_eq!(is(around.flagged(flag)), square.is(flag));
                }
            }
        }
    }

    #[test]
    fn a_fresh_mine_equals_a_full_survey() {
        for bounds in [Bounds::None, Bounds::Paper, Bounds::Three] {
            for face_down_goals in [FaceDownGoals::Any, FaceDownGoals::Open] {
                let rules = Saboteur { bounds, face_down_goals, ..Saboteur::default() };
                let fresh = Board::new(rules);
                let mut board = fresh;
                assert!(board.survey(rules).is_empty());
                assert_eq!(board, fresh, "{rules:?}");
                assert_eq!(board.open_ends().len(), if bounds == Bounds::None { 4 } else { 3 });
                let goal = board.square(Goal::Lower.cell());
                assert!(goal.is(FACE_DOWN));
                assert_eq!(goal.is(MATCHED), face_down_goals == FaceDownGoals::Open);
            }
        }
    }
}
