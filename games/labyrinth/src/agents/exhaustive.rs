use super::cell_counts::CellCounts;
use super::plan::{MINUS_TURNS, draw_plan, value_of_plan};
use crate::action::Action;
use crate::cell::{Cell, CellSet};
use crate::entry::Entry;
use crate::public::MAX_SEATS;
use crate::tile::Rotation;
use crate::tiles::Tiles;
use crate::{Labyrinth, View};
use arrayvec::ArrayVec;
use oboro_core::{Agent, Analysis, Rng, SpecError, check_range, params};

/// The longest plan that can be asked for.
pub(super) const MAX_DEPTH: usize = 6;

/// A search for a goal as if nobody else moved. A state is the tiles, the cell of the goal, and all cells on which the pawn
/// can be: walking does not branch, so a state is a sequence of pushes.
#[derive(Clone, Copy, Debug)]
pub struct GoalSearch {
    tiles: Tiles,
    goal: Option<Cell>,
    cells: CellSet,
}

/// Pushes, one a turn.
type Pushes = ArrayVec<(Entry, Rotation), MAX_DEPTH>;

impl GoalSearch {
    /// The search of a view's seat.
    pub fn new(view: &View) -> GoalSearch {
        let public = view.public();
        GoalSearch {
            tiles: Tiles::new(public.board(), public.last_push()),
            goal: public.place(view.goal()),
            cells: public.pawn(view.seat).into(),
        }
    }

    /// The search of a pawn for the tile at `goal`.
    #[inline]
    pub(super) fn of(tiles: Tiles, goal: Option<Cell>, pawn: Cell) -> GoalSearch {
        GoalSearch { tiles, goal, cells: pawn.into() }
    }

    /// The state after a push and a walk.
    #[inline]
    fn after(&self, entry: Entry, rotation: Rotation) -> GoalSearch {
        let tiles = self.tiles.after(entry, rotation);
        GoalSearch {
            tiles,
            goal: entry.carry_tile(self.goal),
            cells: tiles.maze.corridors().reach(entry.carry_set(self.cells)),
        }
    }

    fn is_reached(&self) -> bool {
        self.goal.is_some_and(|goal| self.cells.contains(goal))
    }

    /// Looks for a plan of exactly `turns` turns, in the order of entries and rotations, and leaves it in `plan`. `states`
    /// counts the pushes tried.
    fn search(&self, turns: usize, plan: &mut Pushes, states: &mut u64) -> bool {
        if turns == 1 {
            return self.search_last(plan, states);
        }
        for (entry, rotation) in self.tiles.pushes() {
            *states += 1;
            plan.push((entry, rotation));
            if self.after(entry, rotation).search(turns - 1, plan, states) {
                return true;
            }
            plan.pop();
        }
        false
    }

    /// The last turn needs no maze afterwards, and no flood if the goal falls off.
    fn search_last(&self, plan: &mut Pushes, states: &mut u64) -> bool {
        let Tiles { maze, extra, last } = self.tiles;
        for entry in Entry::legal_after(last) {
            let Some(goal) = entry.carry_tile(self.goal) else {
                continue;
            };
            let gap = maze.gap(entry);
            let start = entry.carry_set(self.cells);
            for &rotation in extra.distinct_rotations() {
                *states += 1;
                if gap.filled(extra.turned(rotation)).reach(start).contains(goal) {
                    plan.push((entry, rotation));
                    return true;
                }
            }
        }
        false
    }

    /// A shortest sequence of pushes to the goal of at most `depth` turns, and the number of states searched.
    fn fewest(&self, depth: usize) -> (Option<Pushes>, u64) {
        let mut plan = Pushes::new();
        let mut states = 0;
        let found = (1..=depth).any(|turns| self.search(turns, &mut plan, &mut states));
        (found.then_some(plan), states)
    }

    /// The distance to the goal in own turns, at most `depth`, and the number of states searched.
    pub fn distance(&self, depth: usize) -> (Option<usize>, u64) {
        let (plan, states) = self.fewest(depth.min(MAX_DEPTH));
        (plan.map(|plan| plan.len()), states)
    }

    /// Of the pushes that reach the goal at once, the one that leaves `rivals` the fewest cells.
    pub(super) fn best_of_one(&self, rivals: &[Cell]) -> Option<Action> {
        let reaches = |&(entry, rotation): &(Entry, Rotation)| {
            let after = self.after(entry, rotation);
            let to = after.goal.filter(|&goal| after.cells.contains(goal))?;
            let corridors = after.tiles.maze.corridors();
            let reach = |pawn: &Cell| corridors.reach(entry.carry(*pawn).into()).len();
            let open: usize = rivals.iter().map(reach).sum();
            Some((open, Action { entry, rotation, to }))
        };
        let ways = self.tiles.pushes().filter_map(|push| reaches(&push));
        ways.min_by_key(|(open, _)| *open).map(|(_, action)| action)
    }

    /// Of all ways to the goal in two turns, the first turn that most of them share, since another player's push may spoil
    /// some of them.
    pub(super) fn best_of_two(&self) -> Option<Action> {
        let mut best: Option<(u32, Action)> = None;
        for (entry, rotation) in self.tiles.pushes() {
            let after = self.after(entry, rotation);
            let mut ways = CellCounts::default();
            after.tiles.for_each_source(after.goal, |cells| ways.add(cells));
            if let Some((count, to)) = ways.max(after.cells)
                && count > best.map_or(0, |(max, _)| max)
            {
                best = Some((count, Action { entry, rotation, to }));
            }
        }
        best.map(|(_, action)| action)
    }

    /// The first turn of a plan: its push, and the first cell from which the plan leads on.
    fn first_of(&self, plan: &[(Entry, Rotation)]) -> Option<Action> {
        let (entry, rotation) = plan[0];
        let after = self.after(entry, rotation);
        let leads_on = |cell: &Cell| {
            let start = GoalSearch { cells: (*cell).into(), ..after };
            let end = plan[1..].iter().fold(start, |search, push| search.after(push.0, push.1));
            end.is_reached()
        };
        let to = after.cells.iter().find(leads_on)?;
        Some(Action { entry, rotation, to })
    }

    /// A shortest plan of at most `depth` turns that starts with this push and, if a cell is given,
    /// with a walk to it.
    fn plan_by(
        &self,
        (entry, rotation): (Entry, Rotation),
        to: Option<Cell>,
        depth: usize,
    ) -> Option<Vec<Action>> {
        let mut after = self.after(entry, rotation);
        after.cells = to.map_or(after.cells, CellSet::from);
        let mut pushes: Pushes = std::iter::once((entry, rotation)).collect();
        if !after.is_reached() {
            pushes.extend(after.fewest(depth - 1).0?);
        }
        let first = match to {
            Some(to) => Action { entry, rotation, to },
            None => self.first_of(&pushes)?,
        };
        let mut plan = vec![first];
        for number in 1..pushes.len() {
            after.cells = plan[number - 1].to.into();
            let next = after.first_of(&pushes[number..])?;
            plan.push(next);
            after = after.after(next.entry, next.rotation);
        }
        Some(plan)
    }

    /// The number of states after exactly so many turns: a check of the rules.
    pub fn count_states(&self, turns: usize) -> u64 {
        if turns == 0 {
            return 1;
        }
        let pushes = self.tiles.pushes();
        pushes.map(|(entry, rotation)| self.after(entry, rotation).count_states(turns - 1)).sum()
    }
}

params! {
    /// Parameters of [`Exhaustive`].
    pub struct ExhaustiveParams {
        /// Longest plan, in own turns, 1 to 6.
        pub depth: u8 = 4 => {"minimum": 1, "maximum": 4},
    }
}

/// Finds a way to its goal in the fewest own turns, as if nobody else moved.
///
/// Among ways of one turn it takes the push that leaves the others the fewest cells. Among ways of two turns it takes the
/// first turn that most ways share. Otherwise it takes the first way in the order of entries, rotations and cells.
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
        check_range("depth", depth, 1..=MAX_DEPTH)?;
        Ok(Exhaustive { depth })
    }
}

/// The turn that ends nearest to the goal, walls ignored.
fn nearest(view: &View) -> Action {
    let public = view.public();
    let mut best: Option<(u32, Action)> = None;
    public.for_each_legal(|action| {
        let goal = action.entry.carry_tile(public.place(view.goal()));
        let distance = goal.map_or(u32::MAX, |goal| goal.distance(action.to));
        if best.is_none_or(|(min, _)| distance < min) {
            best = Some((distance, action));
        }
    });
    best.expect("there is a legal turn").1
}

impl Agent<Labyrinth> for Exhaustive {
    fn act(&mut self, view: &View, _: &mut Rng) -> Action {
        let search = GoalSearch::new(view);
        let (Some(plan), _) = search.fewest(self.depth) else {
            return nearest(view);
        };
        let action = match plan.len() {
            1 => {
                let rivals = view.others().map(|seat| view.public().pawn(seat));
                search.best_of_one(&rivals.collect::<ArrayVec<Cell, MAX_SEATS>>())
            }
            2 => search.best_of_two(),
            _ => search.first_of(&plan),
        };
        action.expect("the plan leads to the goal")
    }

    /// The values are those of all pushes that lead to the goal within the depth, each with the first
    /// of its shortest plans.
    fn analyse(&mut self, view: &View, rng: &mut Rng) -> Analysis<Action> {
        let search = GoalSearch::new(view);
        let choice = self.act(view, rng);
        let chosen = (choice.entry, choice.rotation);
        let plan = search.plan_by(chosen, Some(choice.to), self.depth);
        let others = search.tiles.pushes().filter(|push| *push != chosen);
        let plans = plan.clone().into_iter();
        let plans = plans.chain(others.filter_map(|push| search.plan_by(push, None, self.depth)));
        let values = plans.map(|plan| value_of_plan(&plan)).collect();
        let mut drawing = draw_plan(view, plan.as_deref());
        if plan.is_none() {
            drawing += &format!("no way within {} turns; goes as near as it can\n", self.depth);
        }
        Analysis { choice, measure: MINUS_TURNS, values, drawing: Some(drawing) }
    }
}
