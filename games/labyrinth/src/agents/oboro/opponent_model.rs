//! The opponent model: the joint posterior over an opponent's goal and policy, given its turns.

use crate::View;
use crate::action::{Action, Event};
use crate::agents::table::Table;
use crate::cell::{Cell, CellSet};
use crate::entry::Entry;
use crate::tile::Rotation;
use crate::tiles::{PUSHES, Tiles};
use crate::treasure::{Treasure, TreasureSet};
use arrayvec::ArrayVec;
use oboro_core::Seat;

/// A policy that an opponent may follow.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum OpponentPolicy {
    /// Takes the fewest turns to its goal, leaving the others few cells or itself many ways.
    Shortest,
    /// Takes its goal where it can, and mostly moves to where it could take it next.
    Greedy,
    /// The same, with frequent random turns.
    Noisy,
    /// Has no goal.
    Random,
}

impl OpponentPolicy {
    pub(super) const ALL: [OpponentPolicy; POLICIES] = [
        OpponentPolicy::Shortest,
        OpponentPolicy::Greedy,
        OpponentPolicy::Noisy,
        OpponentPolicy::Random,
    ];
}

/// The number of policies.
const POLICIES: usize = 4;

/// A number for each policy.
pub(super) type ByPolicy = [f64; POLICIES];

/// The prior over policies. One found card is enough to rule out the random policy.
pub(super) const PRIOR: ByPolicy = [0.12, 0.14, 0.14, 0.6];

/// By policy, the probability of not taking a goal within reach.
const MISSES: ByPolicy = [0.03, 0.03, 0.4, 1.0];

/// By policy, the probability of moving to where the goal could be taken next, if it cannot be taken now.
const APPROACHES: ByPolicy = [0.97, 0.7, 0.3, 0.0];

/// The rate of forgetting goals per turn, and while a player's way home has to be barred.
const FORGETTING: [f64; 2] = [0.04, 0.15];

/// The smallest weight of a policy after a find, since players change.
const MIN_WEIGHT: f64 = 1e-3;

/// The joint posterior weights of the opponent's goal and policy.
#[derive(Clone, Copy, Debug)]
pub(super) struct OpponentModel {
    weights: [[f64; Treasure::COUNT]; POLICIES],
}

impl Default for OpponentModel {
    fn default() -> OpponentModel {
        OpponentModel::new(PRIOR)
    }
}

impl OpponentModel {
    /// A uniform distribution over treasures.
    fn new(policies: ByPolicy) -> OpponentModel {
        OpponentModel { weights: policies.map(|weight| [weight / Treasure::COUNT as f64; 24]) }
    }

    /// The weight of each treasure as the goal; `possible` are those that the rules leave open.
    pub(super) fn goals(&self, possible: TreasureSet) -> [f64; Treasure::COUNT] {
        let mut goals = [0.0; Treasure::COUNT];
        for treasure in possible {
            let index = treasure as usize;
            goals[index] = self.weights.iter().map(|weights| weights[index]).sum();
        }
        let total: f64 = goals.iter().sum();
        if total <= 0.0 {
            possible.iter().for_each(|treasure| goals[treasure as usize] = 1.0);
        }
        goals
    }

    /// The weight of each policy, given this goal; without a goal, over all of them.
    pub(super) fn policies(&self, goal: Option<Treasure>) -> ByPolicy {
        match goal {
            Some(goal) => self.weights.map(|weights| weights[goal as usize]),
            None => self.weights.map(|weights| weights.iter().sum()),
        }
    }

    /// Updates by a turn of the opponent. `before` is the view before it.
    pub(super) fn observe(&mut self, before: &View, event: Event) {
        let possible = before.possible_goals(event.mover);
        if possible.is_empty() {
            return;
        }
        let public = before.public();
        // A player that has to bar another's way home does not show its goal.
        let is_urgent = Seat::all(public.seats()).any(|seat| public.is_going_home(seat));
        if !is_urgent || event.found.is_some() {
            let turn = Turn::new(before, event);
            for treasure in possible {
                let likelihoods = turn.likelihoods(public.board().place(treasure));
                for (weights, likelihood) in self.weights.iter_mut().zip(likelihoods) {
                    weights[treasure as usize] *= likelihood;
                }
            }
        }
        let possible = event.found.map_or(possible, |found| std::iter::once(found).collect());
        for treasure in TreasureSet::ALL.without(possible) {
            self.weights.iter_mut().for_each(|weights| weights[treasure as usize] = 0.0);
        }
        let total: f64 = self.weights.iter().flatten().sum();
        if total <= 0.0 {
            *self = OpponentModel::default();
            return;
        }
        self.weights.iter_mut().flatten().for_each(|weight| *weight /= total);
        if event.found.is_some() {
            *self = OpponentModel::new(self.policies(None).map(|weight| weight.max(MIN_WEIGHT)));
        } else {
            self.forget(FORGETTING[usize::from(is_urgent)], possible);
        }
    }

    /// Moves the weights of possible goals towards their mean.
    fn forget(&mut self, rate: f64, possible: TreasureSet) {
        for weights in &mut self.weights {
            let even = weights.iter().sum::<f64>() / possible.len() as f64;
            for treasure in possible {
                let weight = &mut weights[treasure as usize];
                *weight += rate * (even - *weight);
            }
        }
    }
}

/// An observed turn, and its alternatives.
struct Turn {
    table: Table,
    seat: usize,
    /// All distinct pushes, with the tiles after them and the reachable cells.
    pushes: ArrayVec<(Entry, Rotation, Tiles, CellSet), PUSHES>,
    /// The number of possible turns.
    count: usize,
    /// The index of the push that was made, and the final cell.
    made: usize,
    to: Cell,
}

impl Turn {
    fn new(before: &View, event: Event) -> Turn {
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

    /// The likelihood of the turn by policy, if the goal lies at `goal`.
    fn likelihoods(&self, goal: Option<Cell>) -> ByPolicy {
        let any = 1.0 / self.count as f64;
        let arrives = |&(entry, _, _, reached): &(Entry, Rotation, Tiles, CellSet)| {
            entry.carry_tile(goal).is_some_and(|goal| reached.contains(goal))
        };
        let ways = self.pushes.iter().filter(|push| arrives(push)).count();
        if ways > 0 {
            let made = &self.pushes[self.made];
            let is_taken = arrives(made) && made.0.carry_tile(goal) == Some(self.to);
            return self.mixed(MISSES.map(|miss| 1.0 - miss), is_taken, ways, goal);
        }
        // The turns after which the goal could be taken next, if nobody else moved.
        let mut good = 0;
        let mut is_good = false;
        for (number, &(entry, _, after, reached)) in self.pushes.iter().enumerate() {
            let sources = after.sources(entry.carry_tile(goal));
            good += CellSet(reached.0 & sources.0).len();
            is_good |= number == self.made && sources.contains(self.to);
        }
        if good == 0 {
            return [any; POLICIES];
        }
        self.mixed(APPROACHES, is_good, good, goal)
    }

    /// The likelihoods if a player takes one of the good turns with a probability that depends on its policy, and any turn
    /// otherwise. The policy of the fewest turns takes one particular turn.
    fn mixed(&self, aims: ByPolicy, is_good: bool, good: usize, goal: Option<Cell>) -> ByPolicy {
        let any = 1.0 / self.count as f64;
        let mut share = [if is_good { 1.0 / good as f64 } else { 0.0 }; POLICIES];
        share[OpponentPolicy::Shortest as usize] =
            f64::from(u8::from(is_good && self.is_shortest(goal)));
        std::array::from_fn(|policy| aims[policy] * share[policy] + (1.0 - aims[policy]) * any)
    }

    /// Whether the turn is [`Table::shortest_turn`].
    fn is_shortest(&self, goal: Option<Cell>) -> bool {
        let push = &self.pushes[self.made];
        let made = Action { entry: push.0, rotation: push.1, to: self.to };
        self.table.shortest_turn(self.seat, goal) == Some(made)
    }
}
