//! What a rival looks for and how it plays, read from its turns.

use super::super::tiles::{PUSHES, Tiles};
use super::table::Table;
use crate::View;
use crate::action::{Action, Event};
use crate::cell::{Cell, CellSet};
use crate::entry::Entry;
use crate::tile::Rotation;
use crate::treasure::{Treasure, TreasureSet};
use arrayvec::ArrayVec;

/// The ways in which a rival may play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Manner {
    /// Gets to its goal in the fewest turns; leaves the others few cells, or itself many ways.
    Keen,
    /// Takes its goal where it can, and mostly gets to where it could take it next.
    Seeker,
    /// Does whatever it does without a goal.
    Idle,
}

impl Manner {
    pub(super) const ALL: [Manner; 3] = [Manner::Keen, Manner::Seeker, Manner::Idle];
}

/// How likely each manner is before anything was seen.
const PRIOR: [f64; 3] = [0.3, 0.5, 0.2];

/// How often a keen player or a seeker does something else than it is expected to.
const SLIP: f64 = 0.03;

/// How often a seeker that cannot take its goal gets to where it could take it next.
const APPROACH: f64 = 0.7;

/// The least that evidence leaves of a manner: players change.
const LEAST: f64 = 1e-4;

/// How likely a rival is to look for each treasure and to play in each manner.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reading {
    weights: [[f64; Treasure::COUNT]; 3],
}

impl Default for Reading {
    fn default() -> Reading {
        Reading::new(PRIOR)
    }
}

impl Reading {
    /// Any treasure is as likely as any other.
    fn new(manners: [f64; 3]) -> Reading {
        Reading { weights: manners.map(|weight| [weight / Treasure::COUNT as f64; 24]) }
    }

    /// How likely it looks for each treasure; `suspects` are those the rules leave open.
    pub(super) fn goals(&self, suspects: TreasureSet) -> [f64; Treasure::COUNT] {
        let mut goals = [0.0; Treasure::COUNT];
        for treasure in suspects.iter() {
            let index = treasure as usize;
            goals[index] = self.weights.iter().map(|weights| weights[index]).sum();
        }
        let total: f64 = goals.iter().sum();
        if total <= 0.0 {
            suspects.iter().for_each(|treasure| goals[treasure as usize] = 1.0);
        }
        goals
    }

    /// How likely it plays in each manner if it looks for this treasure; for one on its way home, for any.
    pub(super) fn manners(&self, goal: Option<Treasure>) -> [f64; 3] {
        match goal {
            Some(goal) => self.weights.map(|weights| weights[goal as usize]),
            None => self.weights.map(|weights| weights.iter().sum()),
        }
    }

    /// Takes in a turn of the rival. `before` is what was known before it.
    pub(super) fn observe(&mut self, before: &View, event: &Event) {
        let suspects = before.suspects(event.mover);
        if suspects.is_empty() {
            return;
        }
        let turn = Turn::new(before, event);
        for index in 0..Treasure::COUNT {
            let treasure = Treasure::ALL[index];
            if !suspects.contains(treasure) || event.found.is_some_and(|found| found != treasure) {
                self.weights.iter_mut().for_each(|weights| weights[index] = 0.0);
                continue;
            }
            let likelihoods = turn.likelihoods(before.public().board().place(treasure));
            for (weights, likelihood) in self.weights.iter_mut().zip(likelihoods) {
                weights[index] *= likelihood;
            }
        }
        let total: f64 = self.weights.iter().flatten().sum();
        if event.found.is_some() {
            let manners = self.manners(None).map(|weight| (weight / total).max(LEAST));
            *self = Reading::new(manners);
        } else if total > 0.0 {
            self.weights.iter_mut().flatten().for_each(|weight| *weight /= total);
        } else {
            *self = Reading::default();
        }
    }
}

/// A turn that was seen, and all that could have been done instead.
struct Turn {
    table: Table,
    seat: usize,
    /// All pushes that look different, with the tiles after them and the cells that could be walked to.
    pushes: ArrayVec<(Entry, Rotation, Tiles, CellSet), PUSHES>,
    /// How many turns could have been played.
    count: usize,
    /// The push that was made, by its place in the list, and the cell walked to.
    made: usize,
    to: Cell,
}

impl Turn {
    fn new(before: &View, event: &Event) -> Turn {
        let table = Table::new(before.public());
        let tiles = table.tiles();
        let seat = event.mover.index();
        let action = event.action;
        let tile = tiles.extra.turned(action.rotation);
        let mut pushes = ArrayVec::new();
        let (mut count, mut made) = (0, 0);
        for (entry, rotation) in tiles.pushes() {
            let after = tiles.after(entry, rotation);
            let reached = after.maze.corridors().reach(entry.carry(table.pawns[seat]).into());
            count += reached.len();
            if entry == action.entry && tiles.extra.turned(rotation) == tile {
                made = pushes.len();
            }
            pushes.push((entry, rotation, after, reached));
        }
        Turn { table, seat, pushes, count, made, to: action.to }
    }

    /// How likely the turn is in each manner, if the goal lies at `goal`.
    fn likelihoods(&self, goal: Option<Cell>) -> [f64; 3] {
        let any = 1.0 / self.count as f64;
        let arrives = |&(entry, _, _, reached): &(Entry, Rotation, Tiles, CellSet)| {
            entry.carry_tile(goal).is_some_and(|goal| reached.contains(goal))
        };
        let ways = self.pushes.iter().filter(|push| arrives(push)).count();
        if ways > 0 {
            let made = &self.pushes[self.made];
            let did = arrives(made) && made.0.carry_tile(goal) == Some(self.to);
            let seeker = if did { (1.0 - SLIP) / ways as f64 } else { 0.0 } + SLIP * any;
            let keen = if did && self.is_keen(goal) { 1.0 - SLIP } else { 0.0 };
            return [keen + SLIP * any, seeker, any];
        }
        // All turns after which the goal could be taken next, if nobody else moved.
        let mut good = 0;
        let mut is_good = false;
        for (number, &(entry, _, after, reached)) in self.pushes.iter().enumerate() {
            let sources = after.sources(entry.carry_tile(goal));
            good += CellSet(reached.0 & sources.0).len();
            is_good |= number == self.made && sources.contains(self.to);
        }
        if good == 0 {
            return [any; 3];
        }
        let seeker = if is_good { APPROACH / good as f64 } else { 0.0 } + (1.0 - APPROACH) * any;
        let keen = if is_good && self.is_keen(goal) { 1.0 - SLIP } else { 0.0 };
        [keen + SLIP * any, seeker, any]
    }

    /// Whether the turn is the one that a keen player makes.
    fn is_keen(&self, goal: Option<Cell>) -> bool {
        let push = &self.pushes[self.made];
        let made = Action { entry: push.0, rotation: push.1, to: self.to };
        self.table.keen_turn(self.seat, goal) == Some(made)
    }
}
