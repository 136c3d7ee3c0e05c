use super::tiles::{PUSHES, Targets, Tiles};
use crate::action::Action;
use crate::board::Board;
use crate::cell::{Cell, CellSet};
use crate::entry::Entry;
use crate::table::Goal;
use crate::tile::Rotation;
use crate::treasure::TreasureSet;
use crate::{Labyrinth, View};
use arrayvec::ArrayVec;
use oboro_core::{ActionValue, Agent, Analysis, Rng, Seat, SpecError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Parameters of [`Pathfinder`].
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct PathfinderParams {
    /// What it is worth to reach the goal one turn later, where reaching it now is worth 1.
    pub next_turn: f64,
    /// What it costs if another player reaches a treasure in its next turn.
    pub rival_treasure: f64,
    /// What it costs if another player gets home in its next turn.
    pub rival_home: f64,
}

impl Default for PathfinderParams {
    fn default() -> PathfinderParams {
        PathfinderParams { next_turn: 1.0, rival_treasure: 1.0, rival_home: 4.0 }
    }
}

/// Looks three turns ahead: its own, the next player's, and its own again.
///
/// A turn is worth 1 if it reaches the goal, plus the chance to reach the next goal in the turn
/// after, less the chances of the others to reach theirs. What the others look for is unknown, so
/// chances are averages over what they may seek; the next player is expected to make one of the
/// pushes that reach it.
///
/// Equal turns are drawn from at random: players that block each other's way home would otherwise do so
/// for ever.
#[derive(Clone, Debug)]
pub struct Pathfinder {
    params: PathfinderParams,
}

/// Where the goals lie that a player may have, all equally likely.
type Goals = ArrayVec<Option<Cell>, 24>;

fn goals(board: &Board, suspects: TreasureSet, home: Cell) -> Goals {
    if suspects.is_empty() {
        return std::iter::once(Some(home)).collect();
    }
    suspects.iter().map(|treasure| board.place(treasure)).collect()
}

/// What the next player may do: how likely each push is.
struct Replies {
    pushes: ArrayVec<(Entry, Rotation, f64), PUSHES>,
}

impl Replies {
    /// A player that can reach its goal makes one of the pushes that do it; one that cannot, any.
    fn new(tiles: &Tiles, pawn: Cell, goals: &Goals) -> Replies {
        let mut reached = ArrayVec::<(Entry, Rotation, Targets), PUSHES>::new();
        for (entry, rotation) in tiles.pushes() {
            let corridors = tiles.maze.gap(entry).filled(tiles.extra.turned(rotation));
            let mut targets = Targets::default();
            targets.add(entry, corridors.reach(entry.carry(pawn).into()));
            reached.push((entry, rotation, targets));
        }
        let mut pushes: ArrayVec<_, PUSHES> =
            reached.iter().map(|&(entry, rotation, _)| (entry, rotation, 0.0)).collect();
        let share = 1.0 / goals.len() as f64;
        for &goal in goals {
            let ways = reached.iter().filter(|(_, _, targets)| targets.contain(goal)).count();
            for (push, (_, _, targets)) in pushes.iter_mut().zip(&reached) {
                if ways == 0 {
                    push.2 += share / reached.len() as f64;
                } else if targets.contain(goal) {
                    push.2 += share / ways as f64;
                }
            }
        }
        Replies { pushes }
    }
}

impl Pathfinder {
    /// Builds the agent.
    ///
    /// # Errors
    /// If a weight is not a number.
    pub fn new(params: PathfinderParams) -> Result<Pathfinder, SpecError> {
        let weights = [params.next_turn, params.rival_treasure, params.rival_home];
        if weights.iter().any(|weight| !weight.is_finite()) {
            return Err(SpecError("weights are finite numbers".to_owned()));
        }
        Ok(Pathfinder { params })
    }

    /// Values every turn worth considering.
    fn for_each_value(&self, view: &View, mut visit: impl FnMut(Action, f64)) {
        let table = view.table();
        let own = view.seat;
        let root = Tiles::new(table);
        let goal = table.place(view.goal());
        let can_arrive = root.targets(table.pawn(own)).contain(goal);
        let is_urgent = view.others().any(|seat| table.is_going_home(seat));
        for (entry, rotation) in root.pushes() {
            let reached = table.reach_after(own, entry, rotation);
            let goal = entry.carry_tile(goal);
            let arrival = goal.filter(|&goal| reached.contains(goal));
            if can_arrive && arrival.is_none() && !is_urgent {
                continue;
            }
            let tiles = root.after(entry, rotation);
            let mut board = *table.board();
            board.push(entry, rotation);
            let threat = self.threat(view, &tiles, &board, entry);
            let replies = replies_of_next(view, &tiles, &board, entry);
            if let Some(to) = arrival {
                let chance = chance_after_arrival(view, &tiles, &board, to, &replies);
                let value = 1.0 + self.params.next_turn * chance - threat;
                visit(Action { entry, rotation, to }, value);
            } else {
                let chances = chances_of_cells(&tiles, goal, reached, &replies);
                for to in reached.iter() {
                    let value = self.params.next_turn * chances[to.index()] - threat;
                    visit(Action { entry, rotation, to }, value);
                }
            }
        }
    }

    /// What the others' chances to reach their goals cost.
    fn threat(&self, view: &View, tiles: &Tiles, board: &Board, entry: Entry) -> f64 {
        let table = view.table();
        view.others()
            .map(|seat| {
                let targets = tiles.targets(entry.carry(table.pawn(seat)));
                let goals = goals(board, view.suspects(seat), table.home(seat));
                let hits = goals.iter().filter(|goal| targets.contain(**goal)).count();
                let stake = if table.is_going_home(seat) {
                    self.params.rival_home
                } else {
                    self.params.rival_treasure
                };
                stake * hits as f64 / goals.len() as f64
            })
            .sum()
    }
}

/// The chance to reach the goal after the present one from `pawn`, which stands on it.
fn chance_after_arrival(
    view: &View,
    tiles: &Tiles,
    board: &Board,
    pawn: Cell,
    replies: &Replies,
) -> f64 {
    let next = match view.goal() {
        Goal::Home(_) => return 1.0,
        Goal::Treasure(_) if view.table().cards_left(view.seat) == 1 => TreasureSet::EMPTY,
        Goal::Treasure(_) => view.unseen(),
    };
    let goals = goals(board, next, view.table().home(view.seat));
    let mut chance = 0.0;
    for &(entry, rotation, weight) in &replies.pushes {
        if weight == 0.0 {
            continue;
        }
        let targets = tiles.after(entry, rotation).targets(entry.carry(pawn));
        let hits = goals.iter().filter(|goal| targets.contain(entry.carry_tile(**goal))).count();
        chance += weight * hits as f64 / goals.len() as f64;
    }
    chance
}

fn replies_of_next(view: &View, tiles: &Tiles, board: &Board, entry: Entry) -> Replies {
    let table = view.table();
    let next: Seat = view.others().next().expect("there are other seats");
    let goals = goals(board, view.suspects(next), table.home(next));
    Replies::new(tiles, entry.carry(table.pawn(next)), &goals)
}

/// For each of the cells reached, the chance to get from there to the goal in the next turn.
fn chances_of_cells(
    tiles: &Tiles,
    goal: Option<Cell>,
    reached: CellSet,
    replies: &Replies,
) -> [f64; Cell::COUNT] {
    let mut chances = [0.0; Cell::COUNT];
    for &(entry, rotation, weight) in &replies.pushes {
        if weight == 0.0 {
            continue;
        }
        let mut sources = CellSet::EMPTY;
        tiles.after(entry, rotation).for_each_source(entry.carry_tile(goal), |cells| {
            sources.0 |= cells.0;
        });
        let good = CellSet(entry.opposite().carry_set(sources).0 & reached.0);
        for cell in good.iter() {
            chances[cell.index()] += weight;
        }
    }
    chances
}

impl Agent<Labyrinth> for Pathfinder {
    fn act(&mut self, view: &View, rng: &mut Rng) -> Action {
        let mut best: Option<(f64, u64, Action)> = None;
        self.for_each_value(view, |action, value| {
            let rank = rng.bits();
            if best.is_none_or(|(most, top, _)| (value, rank) > (most, top)) {
                best = Some((value, rank, action));
            }
        });
        best.expect("there is a legal turn").2
    }

    fn analyse(&mut self, view: &View, rng: &mut Rng) -> Analysis<Action> {
        let mut values = Vec::new();
        self.for_each_value(view, |action, value| {
            values.push(ActionValue::new(action, value));
        });
        Analysis { choice: self.act(view, rng), measure: "goals ahead", values, drawing: None }
    }
}
