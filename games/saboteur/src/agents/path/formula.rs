use super::cards::CardsToCome;
use super::params::{Corrections, Crossroads, Negated, NextTo, NotRight, PathParams};
use crate::{Card, Cell, Goal, Goals, Role, Side, Tile, View};
use std::fmt;

/// A value of the formula, exact: a multiple of 1/232 792 560 of a point.
///
/// The divisor is the least common multiple of 1 to 20, and distances on the board are no larger. The shares of `E_card`
/// have the denominators 3, 4 and 5, and a mean divides by 3 again.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Points(i64);

impl Points {
    const UNIT: i64 = 232_792_560;

    /// A whole number of points.
    pub const fn whole(points: i64) -> Points {
        Points(points * Points::UNIT)
    }

    /// `weight` points divided by a distance; one of 0 counts as 1.
    #[inline]
    fn over_distance(weight: u16, distance: u8) -> Points {
        /// The units of 1/distance, so that no division is left for the hot loop.
        const PARTS: [i64; 21] = {
            let mut parts = [Points::UNIT; 21];
            let mut distance = 1u8;
            while (distance as usize) < parts.len() {
                assert!(Points::UNIT % distance as i64 == 0);
                parts[distance as usize] /= distance as i64;
                distance += 1;
            }
            parts
        };
        Points(i64::from(weight) * PARTS[usize::from(distance)])
    }

    /// A fraction of a point; the denominator must divide 232 792 560.
    pub fn ratio(numerator: i64, denominator: i64) -> Points {
        debug_assert_eq!(Points::UNIT % denominator, 0, "not exact");
        Points(numerator * (Points::UNIT / denominator))
    }

    /// A third of it; it must be exact.
    pub(super) fn third(self) -> Points {
        debug_assert_eq!(self.0 % 3, 0, "not exact");
        Points(self.0 / 3)
    }

    /// The nearest floating-point number.
    pub(crate) fn to_f64(self) -> f64 {
        self.0 as f64 / Points::UNIT as f64
    }
}

impl std::ops::Add for Points {
    type Output = Points;

    fn add(self, other: Points) -> Points {
        Points(self.0 + other.0)
    }
}

impl std::ops::Neg for Points {
    type Output = Points;

    fn neg(self) -> Points {
        Points(-self.0)
    }
}

impl fmt::Display for Points {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_f64().fmt(f)
    }
}

/// The provisional goal of section 3.2: a goal, or the point between two.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Aim {
    /// A goal.
    At(Goal),
    /// The point between two goals.
    Between(Goal, Goal),
}

impl Aim {
    /// The column of every aim.
    const X: i8 = 8;

    /// Its row.
    fn y(self) -> i8 {
        match self {
            Aim::At(goal) => goal.cell().y(),
            Aim::Between(a, b) => i8::midpoint(a.cell().y(), b.cell().y()),
        }
    }

    /// The goals it stands for.
    fn goals(self) -> Goals {
        match self {
            Aim::At(goal) => [goal].into_iter().collect(),
            Aim::Between(a, b) => [a, b].into_iter().collect(),
        }
    }
}

/// The paper's evaluation of path cards (3.2 and 4.2), for one view and aim.
#[derive(Clone, Debug)]
pub struct Formula {
    params: PathParams,
    aim: Aim,
    is_saboteur: bool,
    /// Goals for the correction of cards next to them.
    next_to: Goals,
    crossroads_is_waste: bool,
    /// For `E_card`, where it is added.
    to_come: Option<CardsToCome>,
}

const AT_THE_POINT_BETWEEN: Points = Points::whole(125);
const REACHES_GOAL: Points = Points::whole(100);
const MISSES_GOAL: Points = Points::whole(-50);
const CANNOT_GO_RIGHT: Points = Points::whole(-50);
const OFF_THE_START_ROW: Points = Points::whole(-50);
const WASTED_CROSSROADS: Points = Points::whole(-50);
const BLOCKED: Points = Points::whole(-300);
/// The corrections for the row and for crossroads begin at this distance.
const FAR: u8 = 3;

impl Formula {
    /// Prepares the parts that are the same for all placements.
    pub fn new(params: &PathParams, view: &View, aim: Aim) -> Formula {
        Formula {
            params: *params,
            aim,
            is_saboteur: view.role() == Role::Saboteur,
            next_to: match (params.next_to, aim) {
                (NextTo::FaceDown, _) => view.public().face_down(),
                (NextTo::GoalCard, Aim::Between(..)) => Goals::EMPTY,
                (NextTo::Aim | NextTo::GoalCard, _) => aim.goals(),
            },
            crossroads_is_waste: has_better_than_crossroads(view, params.crossroads),
            to_come: params.cards.then(|| CardsToCome::new(params, view)),
        }
    }

    /// The distances in x and y from a cell to the aim.
    #[inline]
    fn distances(&self, at: Cell) -> (u8, u8) {
        (at.x().abs_diff(Aim::X), at.y().abs_diff(self.aim.y()))
    }

    /// `E_dist` = wx/dx + wy/dy, without corrections.
    #[inline]
    pub fn distance_value(&self, at: Cell) -> Points {
        let (dx, dy) = self.distances(at);
        if (dx, dy) == (0, 0) && matches!(self.aim, Aim::Between(..)) {
            return AT_THE_POINT_BETWEEN;
        }
        let weights = self.params.weights;
        Points::over_distance(weights.x, dx) + Points::over_distance(weights.y, dy)
    }

    /// The corrections of step 4.
    #[inline]
    pub fn corrections(&self, tile: Tile, at: Cell) -> Points {
        let (dx, _) = self.distances(at);
        let right = tile.sides().contains(Side::Right)
            && (tile.is_passable() || self.params.not_right == NotRight::Closed);
        let only_first = self.params.corrections == Corrections::First;
        let mut sum = Points::default();
        if let Some(correction) = self.next_to_goal(tile, at) {
            sum = correction;
            if only_first {
                return sum;
            }
        }
        for (applies, correction) in [
            (at.x() < Aim::X && !right, CANNOT_GO_RIGHT),
            (dx >= FAR && at.y() != Cell::START.y(), OFF_THE_START_ROW),
            (
                dx >= FAR && self.crossroads_is_waste && tile.card() == Card::CROSSROADS,
                WASTED_CROSSROADS,
            ),
        ] {
            if applies {
                sum = sum + correction;
                if only_first {
                    return sum;
                }
            }
        }
        sum
    }

    /// The correction for a card next to a goal, if it is next to one.
    #[inline]
    fn next_to_goal(&self, tile: Tile, at: Cell) -> Option<Points> {
        if at.x().abs_diff(Aim::X) > 1 {
            return None;
        }
        let mut correction = None;
        for side in Side::ALL {
            let Some(goal) = Goal::at(at.next(side)) else {
                continue;
            };
            if self.next_to.contains(goal) {
                let open = tile.sides().contains(side);
                if open && (tile.is_passable() || self.params.blocked_reaches) {
                    return Some(REACHES_GOAL);
                }
                correction = Some(MISSES_GOAL);
            }
        }
        correction
    }

    /// `E_card`: how many of the cards that lead on are still to come, in per cent.
    #[inline]
    pub(crate) fn card_value(&self, tile: Tile, at: Cell) -> Points {
        let Some(to_come) = &self.to_come else {
            return Points::default();
        };
        to_come.value(tile, at, (Aim::X, self.aim.y()))
    }

    /// The whole value of laying a card.
    #[inline]
    pub fn value(&self, tile: Tile, at: Cell) -> Points {
        let distance = self.distance_value(at);
        let blocked = if tile.is_passable() { Points::default() } else { BLOCKED };
        let corrections = self.corrections(tile, at) + blocked;
        let cards = self.card_value(tile, at);
        match (self.is_saboteur, self.params.saboteur) {
            (false, _) => distance + corrections + cards,
            (true, Negated::Whole) => -(distance + corrections + cards),
            (true, Negated::WithoutCards) => -(distance + corrections) + cards,
            (true, Negated::Distance) => -distance + corrections + cards,
        }
    }
}

/// Whether there is a passable card from left to right to use instead of a crossroads.
fn has_better_than_crossroads(view: &View, rule: Crossroads) -> bool {
    let of = |wanted: Card| view.hand().iter().filter(|&&card| card == wanted).count();
    let others = of(Card::TEE_HORIZONTAL) + of(Card::STRAIGHT_HORIZONTAL);
    match rule {
        Crossroads::Other => others > 0,
        Crossroads::Any => others > 0 || of(Card::CROSSROADS) > 1,
        Crossroads::InGame => [Card::TEE_HORIZONTAL, Card::STRAIGHT_HORIZONTAL]
            .into_iter()
            .any(|card| view.public().laid(card) < card.copies()),
        Crossroads::Never => false,
    }
}
