//! The kernel: walls as bitboards. Everything an agent searches goes through here.

use crate::cell::{COLUMN, Cell, CellSet, SIZE};
use crate::entry::Entry;
use crate::tile::{Shape, Side, Sides};
use arrayvec::ArrayVec;

const LAST_COLUMN: u64 = COLUMN << (SIZE - 1);

/// The open sides of the tiles on the board: four bitboards, one a side.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Maze {
    open: [u64; 4],
}

impl Maze {
    /// The open sides of the tile on a cell.
    #[inline]
    pub fn sides(&self, cell: Cell) -> Sides {
        let bit = |side: usize| (self.open[side] >> cell.index() & 1) as u8;
        Sides(bit(0) | bit(1) << 1 | bit(2) << 2 | bit(3) << 3)
    }

    /// Lays a tile with these open sides on a cell.
    #[inline]
    pub(crate) const fn lay(&mut self, cell: Cell, sides: Sides) {
        let mut side = 0;
        while side < 4 {
            let bit = (sides.0 as u64 >> side & 1) << cell.index();
            self.open[side] = self.open[side] & !cell.bit() | bit;
            side += 1;
        }
    }

    /// A hash.
    #[inline]
    pub(crate) fn hash_bits(&self) -> u64 {
        self.open.iter().fold(0, |mixed: u64, &side| {
            (mixed.rotate_left(23) ^ side).wrapping_mul(0x9e37_79b9_7f4a_7c15)
        })
    }

    /// Pushes a tile in and gives back the sides of the one that fell off.
    #[inline]
    pub fn push(&mut self, entry: Entry, tile: Sides) -> Sides {
        let fallen = self.sides(entry.exit());
        *self = self.slide(entry);
        self.lay(entry.cell(), tile);
        fallen
    }

    /// The maze with the line moved and a hole, closed on all sides, at the entry.
    #[inline]
    const fn slide(&self, entry: Entry) -> Maze {
        let [up, right, down, left] = self.open;
        Maze { open: [entry.slide(up), entry.slide(right), entry.slide(down), entry.slide(left)] }
    }

    /// The ways between neighbouring cells.
    #[inline]
    pub const fn corridors(&self) -> Corridors {
        let [up, right, down, left] = self.open;
        Corridors { down: down & up >> SIZE, right: right & left >> 1 & !LAST_COLUMN }
    }

    /// All pushes from one entry share their slide; the tile is then laid into the gap.
    #[inline]
    pub(crate) const fn gap(&self, entry: Entry) -> Gap {
        let maze = self.slide(entry);
        Gap { maze, corridors: maze.corridors(), cell: entry.cell() }
    }
}

/// A maze whose line has been pushed, with the extra tile not yet in its gap.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gap {
    maze: Maze,
    corridors: Corridors,
    cell: Cell,
}

impl Gap {
    /// The corridors with a tile in the gap.
    #[inline]
    pub(crate) fn filled(&self, tile: Sides) -> Corridors {
        let [up, right, down, left] = self.maze.open;
        let here = self.cell.bit();
        // Each side of the new tile is a corridor if the neighbour opens towards it.
        let to = |side: Side| (tile.contains(side) as u64).wrapping_neg();
        Corridors {
            down: self.corridors.down
                | to(Side::Down) & here & up >> SIZE
                | to(Side::Up) & here >> SIZE & down,
            right: self.corridors.right
                | (to(Side::Right) & here & left >> 1 | to(Side::Left) & here >> 1 & right)
                    & !LAST_COLUMN,
        }
    }

    /// The cells that can be walked to from a cell with the gap closed, if no tile in the gap can open a way on from
    /// there: all rotations then reach the same.
    #[inline]
    pub(crate) fn reach_beside(&self, cell: Cell) -> Option<CellSet> {
        let [open_up, open_right, open_down, open_left] = self.maze.open;
        let here = self.cell.bit();
        let around = here >> SIZE & open_down
            | (here & !LAST_COLUMN) << 1 & open_left
            | here << SIZE & open_up
            | (here & !COLUMN) >> 1 & open_right;
        if cell == self.cell {
            return None;
        }
        let reached = self.corridors.reach(cell.into());
        (reached.0 & around == 0).then_some(reached)
    }

    /// The cells that can be walked to from `cells` with a tile of this shape in the gap, in one of its
    /// rotations or another.
    ///
    /// With the gap closed one flood finds the sides on which it is reached; where the tile can lead
    /// on from there depends on its shape alone.
    #[inline]
    #[must_use]
    pub(crate) fn reach_of_any_rotation(&self, shape: Shape, cells: CellSet) -> CellSet {
        let [open_up, open_right, open_down, open_left] = self.maze.open;
        let here = self.cell.bit();
        // The neighbours that open towards the gap.
        let up = here >> SIZE & open_down;
        let right = (here & !LAST_COLUMN) << 1 & open_left;
        let down = here << SIZE & open_up;
        let left = (here & !COLUMN) >> 1 & open_right;
        let around = up | right | down | left;
        if cells.0 & here != 0 {
            // Every side is open in some rotation.
            return self.corridors.reach(CellSet(cells.0 | around));
        }
        let reached = self.corridors.reach(cells).0;
        if reached & around == 0 {
            return CellSet(reached);
        }
        let when = |touched: u64| ((reached & touched != 0) as u64).wrapping_neg();
        let beyond = match shape {
            Shape::Straight => {
                when(up) & down | when(down) & up | when(left) & right | when(right) & left
            }
            Shape::Corner => when(up | down) & (left | right) | when(left | right) & (up | down),
            Shape::Tee => around,
        };
        let all = reached | here;
        if beyond & !reached == 0 {
            CellSet(all)
        } else {
            self.corridors.reach(CellSet(all | beyond))
        }
    }
}

/// The ways between neighbouring cells: two bitboards, one for steps down and one for steps to the
/// right, each kept at the upper or left cell.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Corridors {
    down: u64,
    right: u64,
}

impl Corridors {
    /// All cells that can be walked to from any of `cells`, these included.
    #[inline]
    #[must_use]
    pub const fn reach(self, cells: CellSet) -> CellSet {
        let mut reached = cells.0;
        loop {
            // Three steps between tests: most walks are longer than one.
            let next = self.step(self.step(self.step(reached)));
            if next == reached {
                return CellSet(reached);
            }
            reached = next;
        }
    }

    #[inline]
    const fn step(self, cells: u64) -> u64 {
        cells
            | (cells & self.down) << SIZE
            | cells >> SIZE & self.down
            | (cells & self.right) << 1
            | cells >> 1 & self.right
    }

    /// The shortest ways from a cell.
    pub fn ways(self, from: Cell) -> Ways {
        let mut reached = ArrayVec::from_iter([from.bit()]);
        let mut last = from.bit();
        loop {
            let next = self.step(last);
            if next == last {
                return Ways { corridors: self, reached };
            }
            reached.push(next);
            last = next;
        }
    }

    /// Calls `visit` for every cell that can be walked to, in breadth-first order: neighbours up,
    /// right, down, left, layer by layer in order of discovery.
    pub fn walk(self, from: Cell, mut visit: impl FnMut(Cell)) {
        let mut queue = [from; Cell::COUNT];
        let (mut head, mut tail) = (0, 1);
        let mut seen = from.bit();
        while head < tail {
            let cell = queue[head];
            head += 1;
            visit(cell);
            let here = cell.bit();
            let neighbours = [
                here >> SIZE & self.down,
                (here & self.right) << 1,
                (here & self.down) << SIZE,
                here >> 1 & self.right,
            ];
            for neighbour in neighbours {
                if neighbour & !seen != 0 {
                    seen |= neighbour;
                    queue[tail] = Cell::at(neighbour.trailing_zeros() as usize);
                    tail += 1;
                }
            }
        }
    }
}

/// The shortest ways from a cell.
#[derive(Clone, Debug)]
pub struct Ways {
    corridors: Corridors,
    /// By number of steps, the cells within reach.
    reached: ArrayVec<u64, { Cell::COUNT }>,
}

impl Ways {
    /// A shortest way to a cell, both ends included; `None` if there is none.
    pub fn to(&self, to: Cell) -> Option<ArrayVec<Cell, { Cell::COUNT }>> {
        let steps = self.reached.iter().position(|cells| cells & to.bit() != 0)?;
        // Back from the end, each step into what was reached one step before.
        let mut way = ArrayVec::from_iter([to]);
        let mut here = to;
        for before in self.reached[..steps].iter().rev() {
            here = Cell::at((self.corridors.step(here.bit()) & before).trailing_zeros() as usize);
            way.push(here);
        }
        way.reverse();
        Some(way)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tile::{Rotation, Shape};
    use oboro_core::Rng;

    fn random_tile(rng: &mut Rng) -> Sides {
        let shape = *rng.choose(&[Shape::Straight, Shape::Corner, Shape::Tee]).unwrap();
        shape.turned(*rng.choose(&Rotation::ALL).unwrap())
    }

    fn random_maze(rng: &mut Rng) -> Maze {
        let mut maze = Maze::default();
        for cell in Cell::all() {
            maze.lay(cell, random_tile(rng));
        }
        maze
    }

    /// The reference: step between neighbours whose sides both open.
    fn reference_reach(maze: &Maze, from: Cell) -> CellSet {
        let mut reached = CellSet::from(from);
        loop {
            let before = reached;
            for a in before {
                for b in Cell::all().filter(|b| a.distance(*b) == 1) {
                    let (out, back) = match (b.x().cmp(&a.x()), b.y().cmp(&a.y())) {
                        (std::cmp::Ordering::Greater, _) => (Side::Right, Side::Left),
                        (std::cmp::Ordering::Less, _) => (Side::Left, Side::Right),
                        (_, std::cmp::Ordering::Greater) => (Side::Down, Side::Up),
                        _ => (Side::Up, Side::Down),
                    };
                    if maze.sides(a).contains(out) && maze.sides(b).contains(back) {
                        reached.0 |= b.bit();
                    }
                }
            }
            if reached == before {
                return reached;
            }
        }
    }

    /// Ways lead from neighbour to neighbour, and none is shorter than one to a cell found before it.
    fn check_paths(corridors: Corridors, from: Cell, walked: &[Cell]) {
        let mut longest = 0;
        for to in Cell::all() {
            let path = corridors.ways(from).to(to);
            assert_eq!(path.is_some(), walked.contains(&to));
            let Some(path) = path else { continue };
            assert_eq!((path[0], path[path.len() - 1]), (from, to));
            for step in path.windows(2) {
                assert!(step[0] != step[1]);
                assert!(CellSet(corridors.step(step[0].bit())).contains(step[1]));
            }
        }
        for &to in walked {
            let length = corridors.ways(from).to(to).expect("it was walked to").len();
            assert!(length == longest || length == longest + 1);
            longest = length;
        }
    }

    #[test]
    fn a_flood_fill_equals_walking_step_by_step() {
        let mut rng = Rng::from_u64(1);
        for _ in 0..200 {
            let maze = random_maze(&mut rng);
            for from in Cell::all() {
                let reached = maze.corridors().reach(from.into());
                assert_eq!(reached, reference_reach(&maze, from));
                let mut walked = Vec::new();
                maze.corridors().walk(from, |cell| walked.push(cell));
                assert_eq!(walked[0], from);
                assert_eq!(walked.len(), reached.len());
                assert_eq!(walked.iter().copied().collect::<CellSet>(), reached);
                check_paths(maze.corridors(), from, &walked);
            }
        }
    }

    #[test]
    fn filling_the_gap_equals_pushing() {
        let mut rng = Rng::from_u64(2);
        for _ in 0..200 {
            let maze = random_maze(&mut rng);
            for entry in Entry::all() {
                let tile = random_tile(&mut rng);
                let mut pushed = maze;
                pushed.push(entry, tile);
                assert_eq!(maze.gap(entry).filled(tile), pushed.corridors());
            }
        }
    }

    #[test]
    fn any_rotation_reaches_what_all_rotations_reach_together() {
        let mut rng = Rng::from_u64(4);
        for _ in 0..200 {
            let maze = random_maze(&mut rng);
            for entry in Entry::all() {
                let gap = maze.gap(entry);
                let from: CellSet = Cell::all().filter(|_| rng.below(40) == 0).collect();
                for shape in [Shape::Straight, Shape::Corner, Shape::Tee] {
                    let each = |r: Rotation| gap.filled(shape.turned(r)).reach(from).0;
                    let together = Rotation::ALL.into_iter().fold(0, |all, r| all | each(r));
                    assert_eq!(gap.reach_of_any_rotation(shape, from), CellSet(together));
                }
            }
        }
    }

    #[test]
    fn beside_the_gap_all_rotations_reach_the_same() {
        let mut rng = Rng::from_u64(5);
        let mut beside = 0;
        for _ in 0..50 {
            let maze = random_maze(&mut rng);
            for entry in Entry::all() {
                let gap = maze.gap(entry);
                for from in Cell::all() {
                    let Some(reached) = gap.reach_beside(from) else { continue };
                    beside += 1;
                    for shape in [Shape::Straight, Shape::Corner, Shape::Tee] {
                        for rotation in Rotation::ALL {
                            let each = gap.filled(shape.turned(rotation)).reach(from.into());
                            assert_eq!(each, reached);
                        }
                    }
                }
            }
        }
        assert!(beside > 1000, "{beside} of 29400 cells put it to the test");
    }

    #[test]
    fn a_push_and_its_undoing_give_the_maze_back() {
        let mut rng = Rng::from_u64(3);
        for _ in 0..200 {
            let maze = random_maze(&mut rng);
            let tile = random_tile(&mut rng);
            for entry in Entry::all() {
                let mut pushed = maze;
                let fallen = pushed.push(entry, tile);
                assert_eq!(pushed.push(entry.opposite(), fallen), tile);
                assert_eq!(pushed, maze);
            }
        }
    }
}
