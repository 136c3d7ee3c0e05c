//! What a rival looks for and how it plays, read from its turns.

use super::super::tiles::{PUSHES, Tiles};
use super::standing::Standing;
use crate::View;
use crate::action::{Action, Event};
use crate::cell::{Cell, CellSet};
use crate::entry::Entry;
use crate::tile::Rotation;
use crate::treasure::{Treasure, TreasureSet};
use arrayvec::ArrayVec;
use oboro_core::Seat;

/// The ways in which a rival may play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Manner {
    /// Gets to its goal in the fewest turns; leaves the others few cells, or itself many ways.
    Keen,
    /// Takes its goal where it can, and mostly gets to where it could take it next.
    Seeker,
    /// The same, but often it does something else.
    Lax,
    /// Does whatever it does without a goal.
    Idle,
}

impl Manner {
    pub(super) const ALL: [Manner; MANNERS] =
        [Manner::Keen, Manner::Seeker, Manner::Lax, Manner::Idle];
}

/// How many manners there are.
const MANNERS: usize = 4;

/// Something for each manner, in their order.
pub(super) type ByManner = [f64; MANNERS];

/// How likely each manner is before anything was seen. One card that is found is enough to take its finder for no idler.
pub(super) const PRIOR: ByManner = [0.12, 0.14, 0.14, 0.6];

/// How often a player in each manner does not take a goal that it can take.
const SLIPS: ByManner = [0.03, 0.03, 0.4, 1.0];

/// How often one that cannot take its goal gets to where it could take it next; the keen ones to the very cell.
const APPROACHES: ByManner = [0.97, 0.7, 0.3, 0.0];

/// How much of what was read is forgotten with every turn, and while somebody's way home is to be barred.
const FORGOTTEN: [f64; 2] = [0.04, 0.15];

/// The least that evidence leaves of a manner: players change.
const LEAST: f64 = 1e-3;

/// How likely a rival is to look for each treasure and to play in each manner.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reading {
    weights: [[f64; Treasure::COUNT]; MANNERS],
}

impl Default for Reading {
    fn default() -> Reading {
        Reading::new(PRIOR)
    }
}

impl Reading {
    /// Any treasure is as likely as any other.
    fn new(manners: ByManner) -> Reading {
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
    pub(super) fn manners(&self, goal: Option<Treasure>) -> ByManner {
        match goal {
            Some(goal) => self.weights.map(|weights| weights[goal as usize]),
            None => self.weights.map(|weights| weights.iter().sum()),
        }
    }

    /// Takes in a turn of the rival. `before` is what was known before it.
    pub(super) fn observe(&mut self, before: &View, event: Event) {
        let suspects = before.suspects(event.mover);
        if suspects.is_empty() {
            return;
        }
        let public = before.public();
        // Whoever has to bar another's way home does not show what it looks for.
        let is_urgent = Seat::all(public.seats()).any(|seat| public.is_going_home(seat));
        if !is_urgent || event.found.is_some() {
            let turn = Turn::new(before, event);
            for treasure in suspects.iter() {
                let likelihoods = turn.likelihoods(public.board().place(treasure));
                for (weights, likelihood) in self.weights.iter_mut().zip(likelihoods) {
                    weights[treasure as usize] *= likelihood;
                }
            }
        }
        let possible = event.found.map_or(suspects, |found| std::iter::once(found).collect());
        for treasure in TreasureSet::ALL.without(possible).iter() {
            self.weights.iter_mut().for_each(|weights| weights[treasure as usize] = 0.0);
        }
        let total: f64 = self.weights.iter().flatten().sum();
        if total <= 0.0 {
            *self = Reading::default();
            return;
        }
        self.weights.iter_mut().flatten().for_each(|weight| *weight /= total);
        if event.found.is_some() {
            *self = Reading::new(self.manners(None).map(|weight| weight.max(LEAST)));
        } else {
            self.forget(FORGOTTEN[usize::from(is_urgent)], suspects);
        }
    }

    /// Spreads a part of what was read of goals evenly over all that are possible.
    fn forget(&mut self, part: f64, suspects: TreasureSet) {
        for weights in &mut self.weights {
            let even = weights.iter().sum::<f64>() / suspects.len() as f64;
            for treasure in suspects.iter() {
                let weight = &mut weights[treasure as usize];
                *weight += part * (even - *weight);
            }
        }
    }
}

/// A turn that was seen, and all that could have been done instead.
struct Turn {
    table: Standing,
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
    fn new(before: &View, event: Event) -> Turn {
        let table = Standing::new(before.public());
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
    fn likelihoods(&self, goal: Option<Cell>) -> ByManner {
        let any = 1.0 / self.count as f64;
        let arrives = |&(entry, _, _, reached): &(Entry, Rotation, Tiles, CellSet)| {
            entry.carry_tile(goal).is_some_and(|goal| reached.contains(goal))
        };
        let ways = self.pushes.iter().filter(|push| arrives(push)).count();
        if ways > 0 {
            let made = &self.pushes[self.made];
            let is_taken = arrives(made) && made.0.carry_tile(goal) == Some(self.to);
            return self.mixed(SLIPS.map(|slip| 1.0 - slip), is_taken, ways, goal);
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
            return [any; MANNERS];
        }
        self.mixed(APPROACHES, is_good, good, goal)
    }

    /// The likelihoods where a player makes one of so many good turns with a probability that depends on its manner, and
    /// else any turn. A keen one makes but one of the good ones.
    fn mixed(&self, aims: ByManner, is_good: bool, good: usize, goal: Option<Cell>) -> ByManner {
        let any = 1.0 / self.count as f64;
        let mut share = [if is_good { 1.0 / good as f64 } else { 0.0 }; MANNERS];
        share[Manner::Keen as usize] = f64::from(u8::from(is_good && self.is_keen(goal)));
        std::array::from_fn(|manner| aims[manner] * share[manner] + (1.0 - aims[manner]) * any)
    }

    /// Whether the turn is the one that a keen player makes.
    fn is_keen(&self, goal: Option<Cell>) -> bool {
        let push = &self.pushes[self.made];
        let made = Action { entry: push.0, rotation: push.1, to: self.to };
        self.table.keen_turn(self.seat, goal) == Some(made)
    }
}
