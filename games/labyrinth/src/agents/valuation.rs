use crate::board::Board;
use crate::cell::{Cell, CellSet};
use crate::tile::Sides;

/// The five evaluations of the thesis, as weights of one sum.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Valuation {
    /// Value of the goal's own cell.
    pub goal: i32,
    /// Cost of each step away from the goal, walls ignored.
    pub step: i32,
    /// Cost of a goal tile that is walled on every side that faces the cell.
    pub wall: i32,
    /// Value of a cell that no push moves.
    pub fixed: i32,
    /// Value of a cell that pushes move along one line only.
    pub two_way: i32,
    /// Value of standing on the goal.
    pub arrival: i32,
    /// Value of each unseen treasure within the own reach, and cost of each within another player's.
    pub treasure: i32,
    /// Cost of a player that has found everything and can get home.
    pub rival_home: i32,
    /// Distance term of a goal on the extra tile.
    pub extra_goal: i32,
    /// Value at which the search ends: that of standing on the goal.
    pub threshold: i32,
}

const NOTHING: Valuation = Valuation {
    goal: 0,
    step: 0,
    wall: 0,
    fixed: 0,
    two_way: 0,
    arrival: 0,
    treasure: 0,
    rival_home: 0,
    extra_goal: 0,
    threshold: 0,
};

impl Valuation {
    /// Hypothesis 1 (3.2.1): treasures within reach, own against others'.
    pub const TREASURE_COUNT: Valuation =
        Valuation { arrival: 25, treasure: 1, rival_home: 25, threshold: 25, ..NOTHING };

    /// Hypothesis 2 (3.2.2): near the goal, and on a side where it opens.
    pub const DISTANCE: Valuation =
        Valuation { goal: 15, step: 1, wall: 2, threshold: 15, ..NOTHING };

    /// Hypothesis 3 (3.2.3): the same, and better on a fixed tile.
    pub const STATIC_TILE: Valuation =
        Valuation { goal: 150, step: 10, wall: 20, fixed: 5, threshold: 150, ..NOTHING };

    /// Hypothesis 4 (3.2.4): the third and the treasures of the first together. Of a rival on its way
    /// home 3.2.4 says nothing.
    pub const HYBRID: Valuation = Valuation { treasure: 10, ..Valuation::STATIC_TILE };

    /// Hypothesis 5 (3.2.5): the third, and a tile that moves two ways better than one that moves
    /// four.
    pub const SLIDE_DIRECTION: Valuation = Valuation {
        goal: 300,
        step: 20,
        wall: 40,
        fixed: 10,
        two_way: 5,
        threshold: 300,
        ..NOTHING
    };

    /// The value of ending a turn on `cell` if the goal lies on `goal`, on a tile with these walls; `None` is the extra tile.
    #[inline]
    pub(crate) fn of_cell(&self, goal: Option<(Cell, Sides)>, cell: Cell) -> i32 {
        let place = match cell.pushable_lines() {
            0 => self.fixed,
            1 => self.two_way,
            _ => 0,
        };
        let Some((goal, walls)) = goal else {
            return self.extra_goal + place;
        };
        let facing = Board::sides_facing(goal, cell);
        let is_walled = !facing.is_empty() && facing.is_within(walls);
        let distance = goal.distance(cell) as i32;
        self.goal - self.step * distance - self.wall * i32::from(is_walled)
            + self.arrival * i32::from(cell == goal)
            + place
    }

    /// Whether the value depends on more than the cell and the goal.
    #[inline]
    pub(super) fn looks_at_reach(&self) -> bool {
        self.treasure != 0 || self.rival_home != 0
    }

    /// The value of the cells within reach. `treasures` are the cells of unseen treasures; each rival comes with its home
    /// if it has found all its cards.
    pub(super) fn of_reach(
        &self,
        treasures: CellSet,
        own: CellSet,
        rivals: impl Iterator<Item = (CellSet, Option<Cell>)>,
    ) -> i32 {
        let count = |reached: CellSet| CellSet(reached.0 & treasures.0).len() as i32;
        let mut value = self.treasure * count(own);
        for (reached, home) in rivals {
            value -= self.treasure * count(reached);
            if home.is_some_and(|home| reached.contains(home)) {
                value -= self.rival_home;
            }
        }
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tile::Side;

    /// All cells with the goal in the centre, walled above and to the right, as in the figures.
    fn figure(valuation: &Valuation) -> Vec<[i32; 7]> {
        let walls = [Side::Up, Side::Right].into_iter().collect();
        let goal = Some((Cell::new(3, 3), walls));
        (0..7).map(|y| std::array::from_fn(|x| valuation.of_cell(goal, Cell::new(x, y)))).collect()
    }

    #[test]
    fn values_are_those_of_figures_3_4_to_3_6() {
        let figures = [
            (
                Valuation::DISTANCE,
                [
                    [9, 10, 11, 10, 9, 8, 7],
                    [10, 11, 12, 11, 10, 9, 8],
                    [11, 12, 13, 12, 11, 10, 9],
                    [12, 13, 14, 15, 12, 11, 10],
                    [11, 12, 13, 14, 13, 12, 11],
                    [10, 11, 12, 13, 12, 11, 10],
                    [9, 10, 11, 12, 11, 10, 9],
                ],
            ),
            (
                Valuation::STATIC_TILE,
                [
                    [95, 100, 115, 100, 95, 80, 75],
                    [100, 110, 120, 110, 100, 90, 80],
                    [115, 120, 135, 120, 115, 100, 95],
                    [120, 130, 140, 150, 120, 110, 100],
                    [115, 120, 135, 140, 135, 120, 115],
                    [100, 110, 120, 130, 120, 110, 100],
                    [95, 100, 115, 120, 115, 100, 95],
                ],
            ),
            (
                Valuation::SLIDE_DIRECTION,
                [
                    [190, 205, 230, 205, 190, 165, 150],
                    [205, 220, 245, 220, 205, 180, 165],
                    [230, 245, 270, 245, 230, 205, 190],
                    [245, 260, 285, 300, 245, 220, 205],
                    [230, 245, 270, 285, 270, 245, 230],
                    [205, 220, 245, 260, 245, 220, 205],
                    [190, 205, 230, 245, 230, 205, 190],
                ],
            ),
        ];
        for (valuation, printed) in figures {
            assert_eq!(figure(&valuation), printed);
        }
    }

    #[test]
    fn standing_on_the_goal_is_worth_the_threshold_and_nothing_else_is() {
        let valuations = [Valuation::DISTANCE, Valuation::STATIC_TILE, Valuation::SLIDE_DIRECTION];
        for valuation in valuations {
            for goal in Cell::all() {
                for cell in Cell::all() {
                    let value = valuation.of_cell(Some((goal, Sides::default())), cell);
                    assert_eq!(value >= valuation.threshold, cell == goal, "{goal} {cell}");
                }
            }
        }
    }

    /// 25 is more than the 23 treasures that can be unknown: reaching the goal beats them all.
    #[test]
    fn reaching_the_goal_outweighs_every_treasure_in_reach() {
        let valuation = Valuation::TREASURE_COUNT;
        let all: CellSet = Cell::all().take(23).collect();
        let nobody = || std::iter::empty();
        let max = valuation.of_reach(all, all, nobody());
        assert_eq!(max, 23);
        assert!(valuation.arrival > max);
        let rival = (all, Some(Cell::new(0, 0)));
        assert_eq!(valuation.of_reach(all, CellSet::EMPTY, std::iter::once(rival)), -23 - 25);
        assert_eq!(Valuation::HYBRID.of_reach(all, all, nobody()), 230);
    }

    #[test]
    fn a_goal_on_the_extra_tile_is_worth_nothing() {
        assert_eq!(Valuation::DISTANCE.of_cell(None, Cell::new(3, 3)), 0);
        assert_eq!(Valuation::STATIC_TILE.of_cell(None, Cell::new(2, 2)), 5);
        assert_eq!(Valuation::SLIDE_DIRECTION.of_cell(None, Cell::new(2, 3)), 5);
    }
}
