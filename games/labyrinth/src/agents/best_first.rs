use super::big_brain::NODES;
use super::table::Table;
use super::valuation::Valuation;
use crate::action::Action;
use crate::board::Board;
use crate::cell::{Cell, CellSet};
use crate::drawing::draw_values;
use crate::entry::Entry;
use crate::public::Goal;
use crate::tile::{Rotation, Sides};
use crate::treasure::TreasureSet;
use crate::{Labyrinth, View};
use oboro_core::{ActionValue, Agent, Analysis, Rng, Seat, params};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BinaryHeap;

params! {
    /// Parameters of the five heuristics of the thesis.
    pub struct HeuristicParams {
        /// Board on which the goal and its walls are located.
        pub goal_board: GoalBoard = GoalBoard::After => {},
        /// Distance term of a goal on the extra tile.
        pub extra_goal: ExtraGoal = ExtraGoal::Zero => {},
        /// Cost of a position in which a player that has found everything can get home. The default is the thesis's: 25 for
        /// treasure-count, 0 for the others.
        pub rival_home: Option<u16> = None => {"minimum": 0, "maximum": 1000},
        /// Value of standing on the goal, beyond the term of the distance. The default is the thesis's: 25 for treasure-count, 0
        /// for the others. By 3.2.4 hybrid has none, and may decline a treasure within reach for others.
        pub arrival: Option<u16> = None => {"minimum": 0, "maximum": 1000},
        /// Value at which the search ends and plays the best turn found. The default is that of standing on the goal: 15 for
        /// distance, 25 for treasure-count, 150 for static-tile and hybrid, 300 for slide-direction.
        pub threshold: Option<i32> = None => {"minimum": -10000, "maximum": 10000},
        /// Choice among equally good turns.
        pub ties: Ties = Ties::First => {},
        /// Turns evaluated per decision; the first position is always expanded completely.
        pub nodes: u32 = NODES => {"minimum": 1, "maximum": 30000},
    }
}

/// Board on which the goal and its walls are located.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum GoalBoard {
    /// The board after the push that is valued.
    After,
    /// The board before that push.
    Before,
}

/// Distance term of a goal on the extra tile.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ExtraGoal {
    /// The whole term of the distance is 0, less than anywhere on the board.
    Zero,
    /// The distance is 0, as on the goal itself.
    Near,
}

/// Choice among equally good turns.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Ties {
    /// The first in the order of entries, rotations and cells.
    First,
    /// Any of them.
    Random,
}

/// Best-first search as if nobody else moved (thesis, 3.1).
///
/// It expands the best turn that is not expanded yet, until a turn reaches the threshold or the budget ends. Then it plays
/// the first turn of the best line found.
///
/// Rotations that look the same are expanded once. A position is not expanded twice: two are the same if their tiles,
/// treasures, pawns and last push are.
#[derive(Clone, Debug)]
pub struct BestFirst {
    valuation: Valuation,
    params: HeuristicParams,
}

/// The inputs of a search.
struct Task<'a> {
    view: &'a View,
    goal: Goal,
    unseen: TreasureSet,
}

/// A turn not yet expanded; the greatest is expanded first.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Leaf {
    value: i32,
    /// Decides between equal values: the earlier, or a random one.
    rank: u64,
    parent: usize,
    action: Action,
}

impl BestFirst {
    /// Builds the agent.
    pub fn new(mut valuation: Valuation, params: HeuristicParams) -> BestFirst {
        valuation.rival_home = params.rival_home.map_or(valuation.rival_home, i32::from);
        valuation.arrival = params.arrival.map_or(valuation.arrival, i32::from);
        valuation.threshold = params.threshold.unwrap_or(valuation.threshold);
        if params.extra_goal == ExtraGoal::Near {
            valuation.extra_goal = valuation.goal;
        }
        BestFirst { valuation, params }
    }

    /// The cell and the walls of the goal after a push.
    fn goal_tile(&self, goal: Goal, before: &Board, after: &Board) -> Option<(Cell, Sides)> {
        let board = match self.params.goal_board {
            GoalBoard::After => after,
            GoalBoard::Before => before,
        };
        let cell = match goal {
            Goal::Treasure(treasure) => board.place(treasure)?,
            Goal::Home(cell) => cell,
        };
        Some((cell, board.maze.sides(cell).complement()))
    }

    /// The part of the value that does not depend on the cell.
    fn reach_value(&self, task: &Task<'_>, position: &Table, entry: Entry, board: &Board) -> i32 {
        if !self.valuation.looks_at_reach() {
            return 0;
        }
        let corridors = board.maze.corridors();
        let reach = |seat: Seat| corridors.reach(entry.carry(position.pawns[seat.index()]).into());
        let public = task.view.public();
        let rivals = task
            .view
            .others()
            .map(|seat| (reach(seat), public.is_going_home(seat).then(|| public.home(seat))));
        self.valuation.of_reach(board.places(task.unseen), reach(task.view.seat), rivals)
    }

    /// Calls `visit` with every turn from a position and its value.
    fn expand(&self, task: &Task<'_>, position: &Table, mut visit: impl FnMut(Action, i32)) {
        let own = task.view.seat;
        for (entry, rotation) in position.tiles().pushes() {
            let mut board = position.board;
            board.push(entry, rotation);
            let goal = self.goal_tile(task.goal, &position.board, &board);
            let shared = self.reach_value(task, position, entry, &board);
            board.maze.corridors().walk(entry.carry(position.pawns[own.index()]), |to| {
                let value = shared + self.valuation.of_cell(goal, to);
                visit(Action { entry, rotation, to }, value);
            });
        }
    }

    fn search(&self, task: &Task<'_>, root: Table, rng: &mut Rng) -> Action {
        let mut expanded: Vec<(Table, Option<Action>)> = Vec::new();
        let mut leaves = BinaryHeap::new();
        let mut best: Option<(i32, u64, Action)> = None;
        let mut seen: u64 = 0;
        let mut next = Some((root, None));
        while let Some((position, first)) = next.take() {
            let parent = expanded.len();
            expanded.push((position, first));
            self.expand(task, &position, |action, value| {
                seen += 1;
                let rank = match self.params.ties {
                    Ties::First => u64::MAX - seen,
                    Ties::Random => rng.bits(),
                };
                if best.is_none_or(|(max, top, _)| (value, rank) > (max, top)) {
                    best = Some((value, rank, first.unwrap_or(action)));
                }
                leaves.push(Leaf { value, rank, parent, action });
            });
            let is_content = best.is_some_and(|(value, _, _)| value >= self.valuation.threshold);
            if is_content || seen >= u64::from(self.params.nodes) {
                break;
            }
            while let Some(leaf) = leaves.pop() {
                let (parent, first) = &expanded[leaf.parent];
                let mut position = *parent;
                position.push(leaf.action.entry, leaf.action.rotation);
                position.pawns[task.view.seat.index()] = leaf.action.to;
                if expanded.iter().all(|(other, _)| *other != position) {
                    next = Some((position, Some(first.unwrap_or(leaf.action))));
                    break;
                }
            }
        }
        best.expect("there is a legal turn").2
    }

    /// The value of every cell after a push.
    fn cell_values(
        &self,
        task: &Task<'_>,
        root: &Table,
        entry: Entry,
        rotation: Rotation,
    ) -> [i32; Cell::COUNT] {
        let mut board = root.board;
        board.push(entry, rotation);
        let goal = self.goal_tile(task.goal, &root.board, &board);
        let shared = self.reach_value(task, root, entry, &board);
        std::array::from_fn(|i| shared + self.valuation.of_cell(goal, Cell::at(i)))
    }
}

fn start(view: &View) -> (Task<'_>, Table) {
    (Task { view, goal: view.goal(), unseen: view.unseen() }, Table::new(view.public()))
}

impl Agent<Labyrinth> for BestFirst {
    fn act(&mut self, view: &View, rng: &mut Rng) -> Action {
        let (task, root) = start(view);
        self.search(&task, root, rng)
    }

    /// The drawing shows what every cell is worth after the chosen push, as the thesis does.
    fn analyse(&mut self, view: &View, rng: &mut Rng) -> Analysis<Action> {
        let (task, root) = start(view);
        let choice = self.search(&task, root, rng);
        let mut values = Vec::new();
        self.expand(&task, &root, |action, value| {
            values.push(ActionValue::new(action, f64::from(value)));
        });
        let cells = self.cell_values(&task, &root, choice.entry, choice.rotation);
        let reached: CellSet = view.public().reach_after(view.seat, choice.entry, choice.rotation);
        let drawing = Some(draw_values(&cells, reached, choice));
        Analysis { choice, measure: "value", values, drawing }
    }
}
