use crate::{
    Cell, Cells, FaceDownGoals, Goal, GoalCard, Goals, Saboteur, Side, Sides, Tile, Tiles,
};

/// The mine: the cards that lie, and what follows from them.
///
/// Besides the cards it keeps the cells that an unbroken way joins to the start, and the empty
/// cells to which such a way leads. Both are brought up to date where something changes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Board {
    cells: [Square; Cell::GRID],
    /// Path cards, without start and goals.
    paths: Cells,
    reached: Cells,
    open_ends: Cells,
}

/// What lies at a cell: open sides in the low four bits, and the flags below; 0 where nothing does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
struct Square(u8);

const PASSABLE: u8 = 1 << 4;
/// Neighbours have to match it.
const MATCHED: u8 = 1 << 5;
const FACE_DOWN: u8 = 1 << 6;

impl Square {
    const fn card(sides: Sides, passable: bool) -> Square {
        Square(sides.bits() | MATCHED | if passable { PASSABLE } else { 0 })
    }

    fn face_down(rule: FaceDownGoals) -> Square {
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
        let mut board = Board {
            cells: [Square::default(); Cell::GRID],
            paths: Cells::default(),
            reached: Cells::default(),
            open_ends: Cells::default(),
        };
        board.cells[Cell::START.index()] = Square::card(Sides::ALL, true);
        for goal in Goal::ALL {
            board.cells[goal.cell().index()] = Square::face_down(rules.face_down_goals);
        }
        board.flood(rules, Cell::START);
        board
    }

    #[inline]
    fn square(&self, cell: Cell) -> Square {
        self.cells[cell.index()]
    }

    /// The path card at a cell.
    pub fn tile(&self, cell: Cell) -> Option<Tile> {
        let square = self.square(cell);
        if !self.paths.has(cell) {
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

    /// The cells that an unbroken way joins to the start.
    #[inline]
    pub fn reached(&self) -> &Cells {
        &self.reached
    }

    /// The empty cells to which an unbroken way from the start leads: the only ones where a card
    /// can be laid.
    #[inline]
    pub fn open_ends(&self) -> &Cells {
        &self.open_ends
    }

    /// Sides of `cell` that have a neighbour to match, and those of them that must be open.
    #[inline]
    fn demand(&self, cell: Cell) -> (u8, u8) {
        let mut care = 0;
        let mut open = 0;
        for side in Side::ALL {
            let square = self.square(cell.next(side));
            care |= u8::from(square.is(MATCHED)) << side as u8;
            open |= u8::from(square.sides().has(side.opposite())) << side as u8;
        }
        (care, open & care)
    }

    /// The tiles that match everything around an open end. As one of its neighbours is joined
    /// to the start and open towards it, each of them is joined to the start, too.
    #[inline]
    pub fn fitting(&self, open_end: Cell) -> Tiles {
        let (care, open) = self.demand(open_end);
        Tiles::fitting(care, open)
    }

    /// Lays a card at an open end where it fits, then turns up the goals that it joins to the
    /// start, and those that they join in turn, as far as `card_at` knows them. Returns the goals
    /// that it turned up.
    pub(crate) fn dig(
        &mut self,
        rules: Saboteur,
        cell: Cell,
        tile: Tile,
        card_at: impl Fn(Goal) -> Option<GoalCard>,
    ) -> Goals {
        let mut turned_up = Goals::default();
        let mut touched = self.lay(rules, cell, tile);
        while let Some(goal) = touched.iter().next() {
            touched.remove(goal);
            if let Some(card) = card_at(goal) {
                turned_up.insert(goal);
                touched = touched.or(self.turn_up(rules, goal, rules.goal_sides(card)));
            }
        }
        turned_up
    }

    /// Lays a card at an open end where it fits; returns the face-down goals it joins to the start.
    pub(crate) fn lay(&mut self, rules: Saboteur, cell: Cell, tile: Tile) -> Goals {
        self.put(cell, tile);
        if tile.is_passable() { self.flood(rules, cell) } else { Goals::default() }
    }

    /// Puts a card down without asking what it joins.
    pub(crate) fn put(&mut self, cell: Cell, tile: Tile) {
        self.cells[cell.index()] = Square::card(tile.sides(), tile.is_passable());
        self.paths.insert(cell);
        self.open_ends.remove(cell);
    }

    /// Takes a path card out.
    pub(crate) fn clear(&mut self, rules: Saboteur, cell: Cell) {
        self.cells[cell.index()] = Square::default();
        self.paths.remove(cell);
        self.survey(rules);
    }

    /// Finds all that is joined to the start afresh; returns the face-down goals among it.
    pub(crate) fn survey(&mut self, rules: Saboteur) -> Goals {
        self.reached = Cells::default();
        self.open_ends = Cells::default();
        self.flood(rules, Cell::START)
    }

    /// Turns up a goal that a way leads to. It is turned round if only so it joins that way, which
    /// every curve does one way or the other; its other neighbours it need not match. Returns the
    /// face-down goals that it joins to the start in turn.
    fn turn_up(&mut self, rules: Saboteur, goal: Goal, sides: Sides) -> Goals {
        let cell = goal.cell();
        let joins = Side::ALL.into_iter().any(|side| {
            let next = cell.next(side);
            sides.has(side)
                && self.reached.has(next)
                && self.square(next).sides().has(side.opposite())
        });
        self.show(goal, if joins { sides } else { sides.turned() });
        self.flood(rules, cell)
    }

    /// Shows a goal with the sides it lies with, without asking what it joins.
    pub(crate) fn show(&mut self, goal: Goal, lying: Sides) {
        self.cells[goal.cell().index()] = Square::card(lying, true);
    }

    /// Whether laying this card would join more than itself: a goal, or ways that rocks have cut off.
    pub(crate) fn joins_more(&self, cell: Cell, tile: Tile) -> bool {
        tile.is_passable()
            && Side::ALL.into_iter().any(|side| {
                let next = cell.next(side);
                let square = self.square(next);
                tile.sides().has(side)
                    && (square.is(FACE_DOWN) || square.is(PASSABLE) && !self.reached.has(next))
            })
    }

    /// Whether two neighbouring path cards, or one and the start, disagree about a side.
    pub(crate) fn mismatch(&self) -> Option<Cell> {
        self.paths.iter().find(|&cell| {
            Side::ALL.into_iter().any(|side| {
                let next = cell.next(side);
                let counts = next == Cell::START || self.paths.has(next);
                counts
                    && self.square(cell).sides().has(side)
                        != self.square(next).sides().has(side.opposite())
            })
        })
    }

    /// Spreads from a cell that is joined to the start over all that it joins.
    fn flood(&mut self, rules: Saboteur, from: Cell) -> Goals {
        let mut touched = Goals::default();
        // Each cell is pushed once: path cards, start and goals.
        let mut stack = [from; 44];
        let mut height = 1;
        self.reached.insert(from);
        while height > 0 {
            height -= 1;
            let cell = stack[height];
            let sides = self.square(cell).sides();
            for side in Side::ALL {
                if !sides.has(side) {
                    continue;
                }
                let next = cell.next(side);
                let square = self.square(next);
                if square.is_empty() {
                    if rules.area().has(next) {
                        self.open_ends.insert(next);
                    }
                } else if square.is(FACE_DOWN) {
                    touched.insert(Goal::at(next).expect("only goals lie face down"));
                } else if square.is(PASSABLE)
                    && square.sides().has(side.opposite())
                    && !self.reached.has(next)
                {
                    self.reached.insert(next);
                    stack[height] = next;
                    height += 1;
                }
            }
        }
        touched
    }
}
