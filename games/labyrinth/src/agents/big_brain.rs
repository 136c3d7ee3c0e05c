use super::layout::Layout;
use super::plan::{MINUS_TURNS, draw_plan, value_of_plan};
use crate::action::Action;
use crate::cell::{Cell, CellSet};
use crate::entry::Entry;
use crate::tile::Rotation;
use crate::tiles::Tiles;
use crate::{Labyrinth, View};
use oboro_core::{ActionValue, Agent, Analysis, Rng, params};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

params! {
    /// Parameters of [`BigBrain`].
    pub struct BigBrainParams {
        /// Condition under which a successor counts as visited.
        pub visited: Visited = Visited::PositionOrLayout => {},
        /// Entries that are considered.
        pub entries: Entries = Entries::Strict => {},
        /// Turn that is played if no way is found.
        pub fallback: Fallback = Fallback::FirstLevel => {},
        /// Successors generated per decision. A node is always expanded completely, and so is the position itself.
        pub nodes: u32 = NODES => {"minimum": 1, "maximum": 30000},
    }
}

/// The public program thinks for five seconds of wall clock, in which it sees about so many.
pub(super) const NODES: u32 = 15_000;

/// Condition under which a successor counts as visited. Nodes are visited from the moment they are queued.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Visited {
    /// A visited node has the pawn there, or a visited node has each tile there and turned so: as in
    /// the public program.
    PositionOrLayout,
    /// A visited node has the pawn there and each tile there and turned so.
    Exact,
}

/// Entries that are considered after a push.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Entries {
    /// All but the four that share a row or column with the forbidden one: as in the public program.
    Strict,
    /// All that are legal.
    Legal,
}

impl Entries {
    fn include(self, entry: Entry, last: Option<Entry>) -> bool {
        let Some(forbidden) = last.map(Entry::opposite) else {
            return true;
        };
        match self {
            Entries::Legal => entry != forbidden,
            Entries::Strict => {
                let (a, b) = (entry.cell(), forbidden.cell());
                a.x() != b.x() && a.y() != b.y()
            }
        }
    }
}

/// Turn that is played if no way is found.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Fallback {
    /// A random successor of the position: as in the public program.
    FirstLevel,
    /// The first turn of a random node among all that were searched: as the thesis words it.
    Searched,
}

/// Looks for the shortest way to its goal by breadth-first search over whole own turns, as if nobody
/// else moved.
///
/// Expands entries from 0 to 11, rotations from 0° to 270°, and cells in breadth-first order from the
/// pawn. The first successor on the goal ends the search, and the first turn of its plan is played. A
/// successor is queued unless it counts as visited; where the pawn's cell alone is enough for that, as it is
/// by default, there are never more than 49 nodes.
#[derive(Clone, Debug)]
pub struct BigBrain {
    params: BigBrainParams,
}

/// A position that was queued.
#[derive(Clone, Copy)]
struct Node {
    tiles: Tiles,
    layout: Layout,
    /// Where the goal lies.
    goal: Option<Cell>,
    pawn: Cell,
    /// The turn that leads here; none at the root.
    by: Option<Successor>,
    /// How many turns lead here.
    depth: usize,
}

/// A turn from one of the nodes.
#[derive(Clone, Copy)]
struct Successor {
    parent: usize,
    action: Action,
}

/// The nodes that were queued, as successors are compared with them.
struct VisitedNodes {
    rule: Visited,
    positions: CellSet,
    layouts: BTreeMap<Layout, CellSet>,
}

impl VisitedNodes {
    fn add(&mut self, layout: Layout, pawn: Cell) {
        self.positions.insert(pawn);
        self.layouts.entry(layout).or_default().insert(pawn);
    }

    /// Whether successors with a pawn on any of these cells are visited, whatever their layout.
    fn contain_all(&self, cells: CellSet) -> bool {
        self.rule == Visited::PositionOrLayout && cells.is_within(self.positions)
    }

    fn contain(&self, layout: &Layout, pawn: Cell) -> bool {
        match self.rule {
            Visited::PositionOrLayout => {
                self.positions.contains(pawn) || self.layouts.contains_key(layout)
            }
            Visited::Exact => self.layouts.get(layout).is_some_and(|cells| cells.contains(pawn)),
        }
    }
}

/// How far a search goes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extent {
    /// To the first way to the goal.
    FirstWay,
    /// To all ways that are as short.
    ShortestWays,
}

/// A search and what it has seen.
struct Search {
    params: BigBrainParams,
    extent: Extent,
    nodes: Vec<Node>,
    visited: VisitedNodes,
    /// Successors that stand on the goal, in order of discovery.
    ways: Vec<Successor>,
    /// What the fallback draws from.
    draws: Vec<Successor>,
    /// How many nodes were expanded.
    expanded: usize,
    /// How many successors were looked at.
    successors: usize,
}

impl Search {
    fn run(params: BigBrainParams, view: &View, extent: Extent) -> Search {
        let public = view.public();
        let root = Node {
            tiles: Tiles::new(public.board(), public.last_push()),
            layout: Layout::new(public.board()),
            goal: public.place(view.goal()),
            pawn: public.pawn(view.seat),
            by: None,
            depth: 0,
        };
        let mut visited = VisitedNodes {
            rule: params.visited,
            positions: CellSet::EMPTY,
            layouts: BTreeMap::new(),
        };
        visited.add(root.layout, root.pawn);
        let mut search = Search {
            params,
            extent,
            nodes: vec![root],
            visited,
            ways: Vec::new(),
            draws: Vec::new(),
            expanded: 0,
            successors: 0,
        };
        while search.goes_on() {
            search.expand();
        }
        search
    }

    fn goes_on(&self) -> bool {
        let Some(node) = self.nodes.get(self.expanded) else {
            return false;
        };
        if let Some(way) = self.ways.first() {
            let shortest = self.nodes[way.parent].depth;
            return self.extent == Extent::ShortestWays && node.depth == shortest;
        }
        self.expanded == 0 || self.successors < self.params.nodes as usize
    }

    /// Looks at the successors of the next node in the queue.
    fn expand(&mut self) {
        let parent = self.expanded;
        self.expanded += 1;
        let node = self.nodes[parent];
        let may_be_drawn = parent == 0 || self.params.fallback == Fallback::Searched;
        let entries = self.params.entries;
        for entry in Entry::all().filter(|&entry| entries.include(entry, node.tiles.last)) {
            let gap = node.tiles.maze.gap(entry);
            let from = entry.carry(node.pawn);
            let goal = entry.carry_tile(node.goal);
            for rotation in Rotation::ALL {
                let corridors = gap.filled(node.tiles.extra.turned(rotation));
                let reached = corridors.reach(from.into());
                let successor = |to| Successor { parent, action: Action { entry, rotation, to } };
                if let Some(to) = goal.filter(|&goal| reached.contains(goal)) {
                    self.ways.push(successor(to));
                    if self.extent == Extent::FirstWay {
                        return;
                    }
                }
                self.successors += reached.len();
                if !may_be_drawn && self.visited.contain_all(reached) {
                    continue;
                }
                let tiles = node.tiles.after(entry, rotation);
                let layout = node.layout.after(entry, rotation);
                corridors.walk(from, |to| {
                    if may_be_drawn {
                        self.draws.push(successor(to));
                    }
                    if !self.visited.contain(&layout, to) {
                        self.visited.add(layout, to);
                        let by = Some(successor(to));
                        let depth = node.depth + 1;
                        self.nodes.push(Node { tiles, layout, goal, pawn: to, by, depth });
                    }
                });
            }
        }
    }

    /// The turns that lead to a successor.
    fn plan(&self, mut end: Successor) -> Vec<Action> {
        let mut plan = vec![end.action];
        while let Some(by) = self.nodes[end.parent].by {
            plan.push(by.action);
            end = by;
        }
        plan.reverse();
        plan
    }

    /// The turn to play.
    fn choice(&self, rng: &mut Rng) -> Action {
        let first_way = self.ways.first();
        let end = first_way.or_else(|| rng.choose(&self.draws)).expect("the root has successors");
        self.plan(*end)[0]
    }

    /// Where the goal lies, the way to it, and how much was searched for that.
    fn draw(&self, view: &View) -> String {
        let plan = self.ways.first().map(|way| self.plan(*way));
        let outcome =
            if plan.is_some() { "" } else { "no way found, so any of the turns may be played; " };
        format!(
            "{}{outcome}{} successors of {} nodes looked at\n",
            draw_plan(view, plan.as_deref()),
            self.successors,
            self.expanded
        )
    }
}

impl BigBrain {
    /// Builds the agent.
    pub fn new(params: BigBrainParams) -> BigBrain {
        BigBrain { params }
    }
}

impl Agent<Labyrinth> for BigBrain {
    fn act(&mut self, view: &View, rng: &mut Rng) -> Action {
        Search::run(self.params, view, Extent::FirstWay).choice(rng)
    }

    /// The values are those of all first turns from which the search sees a way as short as its own.
    fn analyse(&mut self, view: &View, rng: &mut Rng) -> Analysis<Action> {
        let search = Search::run(self.params, view, Extent::ShortestWays);
        let mut values: Vec<ActionValue<Action>> = Vec::new();
        for plan in search.ways.iter().map(|way| search.plan(*way)) {
            if values.iter().all(|value| value.action != plan[0]) {
                values.push(value_of_plan(&plan));
            }
        }
        let choice = search.choice(rng);
        Analysis { choice, measure: MINUS_TURNS, values, drawing: Some(search.draw(view)) }
    }
}
