use oboro_core::{SpecError, params};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

params! {
    /// The parameters of `path`: the paper's two, and an option for every point it leaves open.
    ///
    /// The defaults come nearest to the published rates. They were found by a search scored on these rates, so they are a
    /// fit. In three points they depart from what is printed: a card of value 0 is not laid, `E_card` is a mean and no sum,
    /// and the own hand does not count as still to come.
    pub struct PathParams {
        /// Weights of the distances in x and y, written x:y.
        pub weights: Weights = Weights { x: 80, y: 20 } => {"maxLength": 11},
        /// Whether `E_card`, the share of useful cards that are still to come, is added.
        pub cards: bool = false => {},
        /// Aim while nothing is known about the goals.
        pub unknown_goals: UnknownGoals = UnknownGoals::Drawn => {},
        /// Aim when the gold is under one of the outer goals.
        pub outer_goals: OuterGoals = OuterGoals::Redrawn => {},
        /// Aim when the gold is under the middle goal or one of the outer ones.
        pub adjacent_goals: AdjacentGoals = AdjacentGoals::Between => {},
        /// Goals to which the correction for a card next to the goal applies.
        pub next_to: NextTo = NextTo::Aim => {},
        /// Whether a blocked card that is open towards the goal next to it reaches it.
        pub blocked_reaches: bool = false => {},
        /// Combination of several corrections.
        pub corrections: Corrections = Corrections::First => {},
        /// Cards that cannot go right.
        pub not_right: NotRight = NotRight::Closed => {},
        /// Condition under which a crossroads is wasted.
        pub crossroads: Crossroads = Crossroads::Other => {},
        /// Part of the value that a saboteur negates.
        pub saboteur: Negated = Negated::Whole => {},
        /// Whether a card of value 0 is laid; as printed, only a negative one is discarded (3.2, step 7).
        pub play_zero: bool = false => {},
        /// Choice among equally valued placements.
        pub ties: Ties = Ties::First => {},
        /// Unknown goal on which a map is used.
        pub maps: MapUse = MapUse::Random => {},
        /// Card that is discarded when none is laid.
        pub discard: Discarded = Discarded::Best => {},
        /// Computation of `E_card` from the shares of the useful cards.
        pub shares: Shares = Shares::Mean => {},
        /// Cards that count as still to come for `E_card`.
        pub unused: Unused = Unused::Unseen => {},
    }
}

/// The weights of the distances in x and y, written `80:20`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(with = "String")]
pub struct Weights {
    /// The weight of 1/dx.
    pub x: u16,
    /// The weight of 1/dy.
    pub y: u16,
}

impl fmt::Display for Weights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.x, self.y)
    }
}

impl FromStr for Weights {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Weights, SpecError> {
        let read = |part: &str| part.parse().ok().filter(|weight| *weight <= 1000);
        text.split_once(':')
            .and_then(|(x, y)| Some(Weights { x: read(x)?, y: read(y)? }))
            .ok_or_else(|| {
                SpecError(format!(
                    "`{text}` is no pair of weights: write two whole numbers up to 1000, such as 80:20"
                ))
            })
    }
}

oboro_core::serde_as_text!(Weights);

/// Aim while nothing is known about the goals.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum UnknownGoals {
    /// At a goal that each player draws for itself at its first turn of the round.
    Drawn,
    /// At the upper goal.
    Upper,
    /// At the middle goal.
    Middle,
    /// Between the upper and the middle goal.
    Between,
}

/// Aim when the gold is under one of the outer goals.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum OuterGoals {
    /// At one of them, drawn anew each turn.
    Redrawn,
    /// At the upper one.
    Upper,
    /// At the point between them, where the middle goal lies.
    Between,
}

/// Aim when the gold is under the middle goal or one of the outer ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum AdjacentGoals {
    /// At the point between them.
    Between,
    /// At the middle goal.
    Middle,
}

/// Goals to which the correction for a card next to the goal applies.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum NextTo {
    /// The goal aimed at, or both when the aim lies between two.
    Aim,
    /// Any goal that lies face down.
    FaceDown,
    /// The goal aimed at, but none when the aim lies between two.
    GoalCard,
}

/// Combination of several corrections.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Corrections {
    /// The first counts: next to the goal, cannot go right, off the start row, crossroads.
    First,
    /// They add up.
    Sum,
}

/// Cards that cannot go right.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum NotRight {
    /// Those whose right side is closed as they lie.
    Closed,
    /// Those, and all blocked ones.
    ClosedOrBlocked,
}

/// Condition under which a crossroads far from the goal is wasted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Crossroads {
    /// When the hand has a passable card from left to right that is none.
    Other,
    /// When the hand has any other passable card from left to right, a second crossroads included.
    Any,
    /// When the game has a passable card from left to right left that is none: one that is not in the mine.
    InGame,
    /// Never.
    Never,
}

/// Part of the value that a saboteur negates.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Negated {
    /// The whole value.
    Whole,
    /// All but `E_card`.
    WithoutCards,
    /// The distance only; corrections keep their sign.
    Distance,
}

/// Choice among equally valued placements.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Ties {
    /// The first: cells from the last row upwards and each row from right to left; at a cell the
    /// hand in order, unturned before turned.
    First,
    /// Any, with the same probability.
    Random,
}

/// Unknown goal on which a map is used.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum MapUse {
    /// Any, with the same probability.
    Random,
    /// The middle one if it is unknown, else any.
    MiddleFirst,
}

/// Card that is discarded when none is laid.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Discarded {
    /// The card of the best-valued placement, whose value was not good enough; without any a
    /// random action card, else a random card.
    Best,
    /// The card of the worst-valued placement; without any as above.
    Worst,
    /// The first card of the hand that can be laid, each of which was valued too low; without any as above.
    First,
    /// A random action card; without any the card of the best-valued placement, else a random card.
    ActionFirst,
    /// A random card.
    Random,
}

/// Computation of `E_card` from the shares of the useful cards.
///
/// The paper prints a sum over the kinds of card that the shortest way to the goal needs ([`Shares::Routes`]). The default
/// fits the published rates best.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Shares {
    /// The mean share of the three kinds that lead straight on from the card laid.
    Mean,
    /// The sum of the shares of these three kinds.
    Sum,
    /// As printed: the sum of the shares of all kinds that can lie on a shortest way from the card
    /// laid to the aim.
    Routes,
}

/// Cards that count as still to come for `E_card`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Unused {
    /// Those neither in the mine nor in the own hand.
    Unseen,
    /// As printed: all that are not in the mine, the own hand included.
    NotLaid,
}
