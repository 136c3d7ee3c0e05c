//! The posterior over hidden cards: the opponents' goals and policies, and the next card of the own pile.

use super::opponent_model::{ByPolicy, OpponentModel, OpponentPolicy, PRIOR};
use crate::View;
use crate::agents::table::Table;
use crate::cell::Cell;
use crate::public::{Finish, Goal, MAX_SEATS};
use crate::tiles::Targets;
use crate::treasure::{Treasure, TreasureSet};
use arrayvec::ArrayVec;
use oboro_core::{Rng, Seat};

/// Treasures with their probabilities.
type Odds = ArrayVec<(Treasure, f64), { Treasure::COUNT }>;

/// The posterior over a player's goal.
#[derive(Clone, Debug)]
#[allow(clippy::large_enum_variant, reason = "a handful for each decision, and none on the heap")]
pub(super) enum GoalPosterior {
    /// No goal is left: the game is won.
    Won,
    /// The home corner.
    Home(Cell),
    /// One of these treasures.
    Treasures(Odds),
}

impl GoalPosterior {
    /// The probability that the goal is among these tiles.
    #[inline]
    pub(super) fn chance(&self, table: &Table, targets: &Targets) -> f64 {
        match self {
            GoalPosterior::Won => 1.0,
            GoalPosterior::Home(home) => f64::from(u8::from(targets.contain(Some(*home)))),
            GoalPosterior::Treasures(odds) => {
                let hit = |treasure: Treasure| targets.contain(table.board.place(treasure));
                odds.iter().filter(|(treasure, _)| hit(*treasure)).map(|(_, chance)| chance).sum()
            }
        }
    }
}

/// The posterior over one opponent.
#[derive(Clone, Debug)]
pub(super) struct Opponent {
    pub(super) seat: usize,
    pub(super) posterior: GoalPosterior,
    model: OpponentModel,
}

/// A goal and a policy drawn for an opponent.
#[derive(Clone, Copy, Debug)]
pub(super) struct OpponentSample {
    pub(super) goal: Goal,
    pub(super) policy: OpponentPolicy,
}

impl Opponent {
    /// The posterior over policies, given that it looks for this treasure or goes home.
    pub(super) fn policies(&self, goal: Option<Treasure>) -> ByPolicy {
        let mut weights = self.model.policies(goal);
        if goal.is_none() {
            // The random policy does not find all cards.
            weights[OpponentPolicy::Random as usize] = 0.0;
        }
        let total: f64 = weights.iter().sum();
        if total > 0.0 { weights.map(|weight| weight / total) } else { PRIOR }
    }

    /// Whether it most likely follows the policy of the fewest turns, so that its turns are predictable.
    pub(super) fn is_predictable(&self) -> bool {
        self.policies(None)[OpponentPolicy::Shortest as usize] > 0.5
    }

    /// Draws a goal and a policy.
    pub(super) fn imagine(&self, rng: &mut Rng) -> OpponentSample {
        let (goal, treasure) = match &self.posterior {
            GoalPosterior::Treasures(odds) => {
                let mut rest = rng.unit();
                let drawn = odds.iter().find(|(_, chance)| {
                    rest -= chance;
                    rest < 0.0
                });
                let treasure = drawn.or(odds.last()).expect("an opponent looks for something").0;
                (Goal::Treasure(treasure), Some(treasure))
            }
            GoalPosterior::Home(home) => (Goal::Home(*home), None),
            GoalPosterior::Won => unreachable!("the game goes on"),
        };
        let mut rest = rng.unit();
        let drawn =
            OpponentPolicy::ALL.into_iter().zip(self.policies(treasure)).find(|(_, weight)| {
                rest -= weight;
                rest < 0.0
            });
        OpponentSample { goal, policy: drawn.map_or(OpponentPolicy::Greedy, |(policy, _)| policy) }
    }
}

/// The posterior over all hidden cards.
#[derive(Clone, Debug)]
pub(super) struct Hypotheses {
    /// In order of play after the own seat.
    pub(super) opponents: ArrayVec<Opponent, { MAX_SEATS - 1 }>,
    /// The goal after the present one.
    pub(super) next: GoalPosterior,
}

impl Hypotheses {
    pub(super) fn new(view: &View, models: &[OpponentModel; MAX_SEATS]) -> Hypotheses {
        let public = view.public();
        let odds = goal_posteriors(view, models);
        let mut taken = [0.0; Treasure::COUNT];
        let opponents = view.others().zip(&odds).map(|(seat, odds)| {
            let posterior = if public.is_going_home(seat) {
                GoalPosterior::Home(public.home(seat))
            } else {
                odds.iter().for_each(|&(treasure, chance)| taken[treasure as usize] += chance);
                GoalPosterior::Treasures(odds.clone())
            };
            Opponent { seat: seat.index(), posterior, model: models[seat.index()] }
        });
        let opponents = opponents.collect();
        let is_last = public.cards_left(view.seat) <= 1;
        let next = match view.goal() {
            Goal::Home(_) => GoalPosterior::Won,
            Goal::Treasure(_) if is_last && public.finish == Finish::LastCard => GoalPosterior::Won,
            Goal::Treasure(_) if is_last => GoalPosterior::Home(public.home(view.seat)),
            Goal::Treasure(_) => {
                // A treasure on no pile top may lie anywhere below.
                let free = |treasure: Treasure| (1.0 - taken[treasure as usize]).max(0.0);
                GoalPosterior::Treasures(scaled(view.unseen().iter().map(|t| (t, free(t)))))
            }
        };
        Hypotheses { opponents, next }
    }
}

fn scaled(weights: impl Iterator<Item = (Treasure, f64)>) -> Odds {
    let mut odds: Odds = weights.filter(|(_, weight)| *weight > 0.0).collect();
    let total: f64 = odds.iter().map(|(_, weight)| weight).sum();
    odds.iter_mut().for_each(|(_, weight)| *weight /= total);
    odds
}

/// The posterior over each opponent's goal, in order of play: no two look for the same treasure.
fn goal_posteriors(
    view: &View,
    models: &[OpponentModel; MAX_SEATS],
) -> ArrayVec<Odds, { MAX_SEATS - 1 }> {
    let weights = |seat: Seat| models[seat.index()].goals(view.possible_goals(seat));
    let seekers: ArrayVec<(Seat, [f64; Treasure::COUNT]), { MAX_SEATS - 1 }> = view
        .others()
        .filter(|&seat| !view.public().is_going_home(seat))
        .map(|seat| (seat, weights(seat)))
        .collect();
    let odds = |seat: Seat| {
        let own = seekers.iter().find(|(seeker, _)| *seeker == seat)?;
        let mut others = seekers.iter().filter(|(seeker, _)| *seeker != seat).map(|(_, w)| w);
        let (a, b) = (others.next(), others.next());
        // The weight of all assignments in which the others look for different treasures, and not for this one.
        let ways = |treasure: Treasure| {
            let without = |w: &[f64; Treasure::COUNT]| w.iter().sum::<f64>() - w[treasure as usize];
            let both = |a: &[f64; Treasure::COUNT], b: &[f64; Treasure::COUNT]| {
                let same = |t: &Treasure| a[*t as usize] * b[*t as usize];
                Treasure::ALL.iter().filter(|t| **t != treasure).map(same).sum::<f64>()
            };
            match (a, b) {
                (Some(a), Some(b)) => without(a) * without(b) - both(a, b),
                (Some(a), None) => without(a),
                _ => 1.0,
            }
        };
        let possible: TreasureSet = view.possible_goals(seat);
        let weight = |t: Treasure| own.1[t as usize] * ways(t).max(f64::MIN_POSITIVE);
        Some(scaled(possible.iter().map(|t| (t, weight(t)))))
    };
    view.others().map(|seat| odds(seat).unwrap_or_default()).collect()
}
