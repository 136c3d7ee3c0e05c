use crate::action::Action;
use crate::board::Board;
use crate::cell::{Cell, CellSet};
use crate::entry::Entry;
use crate::table::Goal;
use crate::tile::Rotation;
use crate::{Labyrinth, View};
use oboro_core::{Agent, Rng};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Parameters of [`BigBrain`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct BigBrainParams {
    /// What makes a successor count as visited.
    pub visited: Visited,
    /// Which entries it considers.
    pub entries: Entries,
    /// What it plays if it finds no way.
    pub fallback: Fallback,
    /// How many successors it looks at.
    pub nodes: u32,
}

impl Default for BigBrainParams {
    fn default() -> BigBrainParams {
        BigBrainParams {
            visited: Visited::PositionOrLayout,
            entries: Entries::Strict,
            fallback: Fallback::FirstLevel,
            nodes: NODES,
        }
    }
}

/// The public program thinks for five seconds of wall clock, in which it sees about so many.
pub(super) const NODES: u32 = 15_000;

/// What makes a successor count as visited.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Visited {
    /// The pawn stood there in an expanded node, or an expanded node had these tiles: as in the
    /// public program.
    PositionOrLayout,
    /// An expanded node had the pawn there and these tiles.
    Exact,
}

/// Which entries are considered after a push.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Entries {
    /// All but the four that share a row or column with the forbidden one: as in the public program.
    Strict,
    /// All that are legal.
    Legal,
}

/// What is played if no way is found.
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
/// pawn. The first successor on the goal ends the search, and the first turn of its plan is played.
#[derive(Clone, Debug)]
pub struct BigBrain {
    params: BigBrainParams,
}

struct Node {
    board: Board,
    pawn: Cell,
    last: Option<Entry>,
    /// The first turn of the plan that leads here; none at the root.
    first: Option<Action>,
}

impl BigBrain {
    /// Builds the agent.
    pub fn new(params: BigBrainParams) -> BigBrain {
        BigBrain { params }
    }

    fn considers(&self, entry: Entry, last: Option<Entry>) -> bool {
        let Some(forbidden) = last.map(Entry::opposite) else {
            return true;
        };
        match self.params.entries {
            Entries::Legal => entry != forbidden,
            Entries::Strict => {
                let (a, b) = (entry.cell(), forbidden.cell());
                a.x() != b.x() && a.y() != b.y()
            }
        }
    }

    /// The cells on which a successor with these tiles counts as visited.
    fn visited(&self, expanded: &[Node], board: &Board) -> CellSet {
        let pawns = |nodes: &mut dyn Iterator<Item = &Node>| nodes.map(|n| n.pawn).collect();
        let mut alike = expanded.iter().filter(|node| node.board == *board).peekable();
        match self.params.visited {
            Visited::Exact => pawns(&mut alike),
            Visited::PositionOrLayout if alike.peek().is_some() => Cell::all().collect(),
            Visited::PositionOrLayout => pawns(&mut expanded.iter()),
        }
    }
}

impl Agent<Labyrinth> for BigBrain {
    fn act(&mut self, view: &View, rng: &mut Rng) -> Action {
        let table = view.table();
        let goal = view.goal();
        let mut nodes = vec![Node {
            board: *table.board(),
            pawn: table.pawn(view.seat),
            last: table.last_push(),
            first: None,
        }];
        // The first turn of every successor seen, as far as the fallback asks for it.
        let mut seen = Vec::new();
        let mut budget = self.params.nodes as usize;
        let mut head = 0;
        while head < nodes.len() && budget > 0 {
            let Node { board, pawn, last, first } = nodes[head];
            head += 1;
            for entry in Entry::all().filter(|&entry| self.considers(entry, last)) {
                for rotation in Rotation::ALL {
                    let mut pushed = board;
                    pushed.push(entry, rotation);
                    let place = match goal {
                        Goal::Treasure(treasure) => pushed.place(treasure),
                        Goal::Home(cell) => Some(cell),
                    };
                    let from = entry.carry(pawn);
                    let corridors = pushed.maze.corridors();
                    if let Some(to) = place.filter(|to| corridors.reach(from.into()).contains(*to))
                    {
                        return first.unwrap_or(Action { entry, rotation, to });
                    }
                    let visited = self.visited(&nodes[..head], &pushed);
                    corridors.walk(from, |to| {
                        let first = first.unwrap_or(Action { entry, rotation, to });
                        budget = budget.saturating_sub(1);
                        if head == 1 || self.params.fallback == Fallback::Searched {
                            seen.push(first);
                        }
                        if budget > 0 && !visited.contains(to) {
                            let node = Node {
                                board: pushed,
                                pawn: to,
                                last: Some(entry),
                                first: Some(first),
                            };
                            nodes.push(node);
                        }
                    });
                }
            }
        }
        *rng.choose(&seen).expect("the root has successors")
    }
}
