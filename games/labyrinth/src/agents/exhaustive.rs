use crate::action::Action;
use crate::cell::{Cell, CellSet};
use crate::entry::Entry;
use crate::maze::Maze;
use crate::tile::{Rotation, Shape};
use crate::{Labyrinth, Table, View};
use arrayvec::ArrayVec;
use oboro_core::{Agent, Rng, SpecError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The longest plan that can be asked for.
pub const MAX_DEPTH: usize = 6;

/// A position as a seeker sees it that moves alone: the walls, the extra tile, where the goal lies, and
/// all cells on which the pawn can be. Walking does not branch: a state is a sequence of pushes.
#[derive(Clone, Copy, Debug)]
pub struct Quest {
    maze: Maze,
    extra: Shape,
    goal: Option<Cell>,
    cells: CellSet,
    last: Option<Entry>,
}

/// Pushes, one a turn.
type Pushes = ArrayVec<(Entry, Rotation), MAX_DEPTH>;

impl Quest {
    /// The quest of a view's seat.
    pub fn new(view: &View) -> Quest {
        let table = view.table();
        Quest {
            maze: *table.board().maze(),
            extra: table.board().extra(),
            goal: table.place(view.goal()),
            cells: table.pawn(view.seat).into(),
            last: table.last_push(),
        }
    }

    /// The quest after a push and a walk.
    #[inline]
    fn after(&self, entry: Entry, rotation: Rotation) -> Quest {
        let mut maze = self.maze;
        let fallen = maze.push(entry, self.extra.turned(rotation));
        Quest {
            maze,
            extra: fallen.shape().expect("every tile has a shape"),
            goal: entry.carry_tile(self.goal),
            cells: maze.corridors().reach(entry.carry_set(self.cells)),
            last: Some(entry),
        }
    }

    /// Looks for a plan of exactly `turns` turns, in the order of entries and rotations; it is left
    /// in `plan` if there is one. `states` counts the pushes tried.
    fn search(&self, turns: usize, plan: &mut Pushes, states: &mut u64) -> bool {
        for entry in Entry::legal_after(self.last) {
            if turns == 1 {
                let Some(goal) = entry.carry_tile(self.goal) else {
                    continue;
                };
                let gap = self.maze.gap(entry);
                let start = entry.carry_set(self.cells);
                for &rotation in self.extra.distinct_rotations() {
                    *states += 1;
                    let corridors = gap.filled(self.extra.turned(rotation));
                    if corridors.reach(start).contains(goal) {
                        plan.push((entry, rotation));
                        return true;
                    }
                }
                continue;
            }
            for &rotation in self.extra.distinct_rotations() {
                *states += 1;
                plan.push((entry, rotation));
                if self.after(entry, rotation).search(turns - 1, plan, states) {
                    return true;
                }
                plan.pop();
            }
        }
        false
    }

    /// The fewest pushes after which the goal can be stood on, if `depth` turns are enough.
    fn fewest(&self, depth: usize, states: &mut u64) -> Option<Pushes> {
        let mut plan = Pushes::new();
        (1..=depth).find_map(|turns| self.search(turns, &mut plan, states).then(|| plan.clone()))
    }

    /// Of all ways to stand on the goal after two turns, the first turn that most of them share: where
    /// another player's push spoils some of them, the others may still be open.
    fn widest_of_two(&self) -> Option<Action> {
        let mut best: Option<(u32, Action)> = None;
        for entry in Entry::legal_after(self.last) {
            for &rotation in self.extra.distinct_rotations() {
                let after = self.after(entry, rotation);
                let ways = after.ways_from_each_cell();
                for to in after.cells.iter() {
                    let count = ways[to.index()];
                    if count > best.map_or(0, |(most, _)| most) {
                        best = Some((
                            count,
                            Action {
                                entry,
                                rotation,
                                to,
                            },
                        ));
                    }
                }
            }
        }
        best.map(|(_, action)| action)
    }

    /// For each cell, how many pushes lead from there to the goal within one turn.
    fn ways_from_each_cell(&self) -> [u32; Cell::COUNT] {
        let mut ways = [0; Cell::COUNT];
        for entry in Entry::legal_after(self.last) {
            let Some(goal) = entry.carry_tile(self.goal) else {
                continue;
            };
            let gap = self.maze.gap(entry);
            for &rotation in self.extra.distinct_rotations() {
                let around = gap.filled(self.extra.turned(rotation)).reach(goal.into());
                for cell in entry.opposite().carry_set(around).iter() {
                    ways[cell.index()] += 1;
                }
            }
        }
        ways
    }

    /// The cells on which the first turn may end so that the plan still leads to the goal.
    fn first_cells(&self, plan: &[(Entry, Rotation)]) -> CellSet {
        let (entry, rotation) = plan[0];
        let after = self.after(entry, rotation);
        if plan.len() == 1 {
            return after.goal.into_iter().collect();
        }
        let leads_on = |cell: &Cell| {
            let mut quest = Quest {
                cells: (*cell).into(),
                ..after
            };
            for &(entry, rotation) in &plan[1..] {
                quest = quest.after(entry, rotation);
            }
            quest.goal.is_some_and(|goal| quest.cells.contains(goal))
        };
        after.cells.iter().filter(leads_on).collect()
    }

    /// How many states there are within so many turns, each of them pushed and flooded: the measure of
    /// speed, and a check of the rules.
    pub fn count_states(&self, turns: usize) -> u64 {
        if turns == 0 {
            return 1;
        }
        let mut count = 0;
        for entry in Entry::legal_after(self.last) {
            for &rotation in self.extra.distinct_rotations() {
                count += self.after(entry, rotation).count_states(turns - 1);
            }
        }
        count
    }
}

/// Parameters of [`Exhaustive`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct ExhaustiveParams {
    /// The longest plan it looks for, in own turns.
    pub depth: u8,
}

impl Default for ExhaustiveParams {
    fn default() -> ExhaustiveParams {
        ExhaustiveParams { depth: 4 }
    }
}

/// Finds a way to its goal in the fewest own turns, exactly, as if nobody else moved.
#[derive(Clone, Debug)]
pub struct Exhaustive {
    depth: usize,
}

impl Exhaustive {
    /// Builds the agent.
    ///
    /// # Errors
    /// If the depth is out of range.
    pub fn new(params: ExhaustiveParams) -> Result<Exhaustive, SpecError> {
        let depth = usize::from(params.depth);
        if !(1..=MAX_DEPTH).contains(&depth) {
            return Err(SpecError(format!("depth={depth}: from 1 to {MAX_DEPTH}")));
        }
        Ok(Exhaustive { depth })
    }
}

/// The turn that gets nearest to the goal, as the crow flies.
fn nearest(table: &Table, view: &View) -> Action {
    let mut best: Option<(u32, Action)> = None;
    table.for_each_legal(|action| {
        let goal = action.entry.carry_tile(table.place(view.goal()));
        let distance = goal.map_or(u32::MAX, |goal| goal.distance(action.to));
        if best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, action));
        }
    });
    best.expect("there is a legal turn").1
}

impl Agent<Labyrinth> for Exhaustive {
    fn act(&mut self, view: &View, _: &mut Rng) -> Action {
        let quest = Quest::new(view);
        let Some(plan) = quest.fewest(self.depth, &mut 0) else {
            return nearest(view.table(), view);
        };
        if plan.len() == 2 {
            return quest.widest_of_two().expect("there is a plan of two turns");
        }
        let (entry, rotation) = plan[0];
        let to = quest
            .first_cells(&plan)
            .iter()
            .next()
            .expect("the plan leads to the goal");
        Action {
            entry,
            rotation,
            to,
        }
    }
}
