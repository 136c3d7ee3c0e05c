//! What policies are made of: the functions of the paper's section 4.1.

use oboro_evolve::{Comparison, Meaning, Role, Token, Vocabulary};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// The types of a policy's parts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A whole number.
    Number,
    /// A truth value, which counts as 0 or 1 where a number is wanted.
    Truth,
    /// A choice of move.
    Move,
}

/// Pieces of either colour, or of one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Which {
    /// Whatever their colour.
    Any,
    /// Blue ones.
    Blue,
    /// Red ones.
    Red,
}

/// A number that can be read off a position; "my" is the mover's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Measure {
    /// The mover's blues on the board.
    MyBlue,
    /// The mover's reds on the board.
    MyRed,
    /// The opponent's blues on the board.
    OppBlue,
    /// The opponent's reds on the board.
    OppRed,
    /// The steps from the nearest own piece to an exit.
    DistanceToGoal(Which),
    /// The steps from the nearest own piece to a corner through which the opponent may leave.
    DistanceToMyGoal(Which),
}

/// A question that a position answers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Test {
    /// Is an own piece in the four squares around a home corner?
    HavingKeeper,
    /// Is an own piece next to an opponent's of this colour?
    NextToOpponents(Which),
    /// Is an opponent's piece of this colour in the four squares around a home corner?
    OppNearMyGoal(Which),
}

/// A kind of move; with no fitting move any legal one is played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MoveKind {
    /// Any legal move.
    Random,
    /// Takes an opponent's piece of this colour.
    Capture(Which),
    /// Brings the own pieces nearest to an exit nearer, or leaves the board.
    CloserToGoal(Which),
    /// Takes a piece that is next to an opponent's of this colour to where none is next to it.
    EscapeFrom(Which),
    /// Moves away from the exits: back, or towards the middle.
    LeavingFromGoal(Which),
    /// Brings the own pieces nearest to a home corner nearer to it.
    CloserToMyGoal(Which),
}

/// The probability, in thousandths, that a move is made as its kind says; otherwise any legal
/// move is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Chance(u16);

impl Chance {
    /// Always.
    pub(crate) const ALWAYS: Chance = Chance(1000);

    /// The nearest thousandth to a probability, if it is one.
    pub fn new(probability: f64) -> Option<Chance> {
        (0.0..=1.0).contains(&probability).then(|| Chance((probability * 1000.0).round() as u16))
    }

    /// As a number between 0 and 1.
    pub(crate) fn probability(self) -> f64 {
        f64::from(self.0) / 1000.0
    }
}

/// A node of a policy.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Primitive {
    /// `if … then … else … end if`
    IfThenElse,
    /// A comparison of two numbers.
    Compare(Comparison),
    /// Both.
    And,
    /// Either.
    Or,
    /// The opposite.
    Not,
    /// A constant.
    Number(u8),
    /// A number read off the position.
    Get(Measure),
    /// A truth read off the position.
    Is(Test),
    /// A move.
    Do(MoveKind, Chance),
}

/// Which of the paper's functions a policy may use.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum PrimitiveSet {
    /// The common ones and those that do not tell colours apart.
    Blind,
    /// The common ones and those that do.
    Aware,
    /// All.
    #[default]
    All,
}

impl PrimitiveSet {
    /// All three.
    pub const ALL: [PrimitiveSet; 3] =
        [PrimitiveSet::Blind, PrimitiveSet::Aware, PrimitiveSet::All];

    /// Its name on command lines and in files.
    pub const fn name(self) -> &'static str {
        match self {
            PrimitiveSet::Blind => "blind",
            PrimitiveSet::Aware => "aware",
            PrimitiveSet::All => "all",
        }
    }

    /// The functions that read or do something, without operators and constants.
    pub(crate) fn functions(self) -> Vec<Primitive> {
        let wanted = |which: Which| match self {
            PrimitiveSet::Blind => which == Which::Any,
            PrimitiveSet::Aware => which != Which::Any,
            PrimitiveSet::All => true,
        };
        FUNCTIONS
            .iter()
            .map(|(_, primitive)| *primitive)
            .filter(|primitive| primitive.which().is_none_or(wanted))
            .collect()
    }

    /// The functions with the operators and constants that every set has: what is evolved from.
    pub fn vocabulary(self) -> Vocabulary<Primitive> {
        let operators = [Primitive::IfThenElse, Primitive::And, Primitive::Or, Primitive::Not];
        let mut groups: Vec<Vec<Primitive>> =
            operators.into_iter().map(|token| vec![token]).collect();
        groups.push(Comparison::ALL.map(Primitive::Compare).to_vec());
        groups.push((0..6).map(Primitive::Number).collect());
        groups.extend(self.functions().into_iter().map(|token| vec![token]));
        Vocabulary::new(Kind::Move, groups).expect("each set has a leaf of every type")
    }
}

const fn get(measure: Measure) -> Primitive {
    Primitive::Get(measure)
}

const fn is(test: Test) -> Primitive {
    Primitive::Is(test)
}

const fn act(kind: MoveKind) -> Primitive {
    Primitive::Do(kind, Chance::ALWAYS)
}

/// The functions by the names the paper prints.
#[rustfmt::skip]
static FUNCTIONS: [(&str, Primitive); 33] = {
    use Measure::{DistanceToGoal, DistanceToMyGoal, MyBlue, MyRed, OppBlue, OppRed};
    use MoveKind::{Capture, CloserToGoal, CloserToMyGoal, EscapeFrom, LeavingFromGoal, Random};
    use Test::{HavingKeeper, NextToOpponents, OppNearMyGoal};
    use Which::{Any, Blue, Red};
    [
        // 4.1.1: in every set.
        ("getNumOfMyBlue", get(MyBlue)),
        ("getNumOfMyRed", get(MyRed)),
        ("getNumOfOppBlue", get(OppBlue)),
        ("getNumOfOppRed", get(OppRed)),
        ("isHavingKeeper", is(HavingKeeper)),
        ("doRandomMove", act(Random)),
        // 4.1.2: colours are not told apart.
        ("getMinimumDistanceToGoal", get(DistanceToGoal(Any))),
        ("getMinimumDistanceToMyGoal", get(DistanceToMyGoal(Any))),
        ("isNextToOpponents", is(NextToOpponents(Any))),
        ("isOppNearMyGoal", is(OppNearMyGoal(Any))),
        ("doCaptureMove", act(Capture(Any))),
        ("doMoveCloserToGoal", act(CloserToGoal(Any))),
        ("doEscapeMoveFromOpponents", act(EscapeFrom(Any))),
        ("doMoveLeavingFromGoal", act(LeavingFromGoal(Any))),
        ("doMoveCloserToMyGoal", act(CloserToMyGoal(Any))),
        // 4.1.3: colours are told apart.
        ("getMinimumDistanceOfBlueToGoal", get(DistanceToGoal(Blue))),
        ("getMinimumDistanceOfRedToGoal", get(DistanceToGoal(Red))),
        ("getMinimumDistanceOfBlueToMyGoal", get(DistanceToMyGoal(Blue))),
        ("getMinimumDistanceOfRedToMyGoal", get(DistanceToMyGoal(Red))),
        ("isNextToBlueOpponents", is(NextToOpponents(Blue))),
        ("isNextToRedOpponents", is(NextToOpponents(Red))),
        ("isBlueOppNearMyGoal", is(OppNearMyGoal(Blue))),
        ("isRedOppNearMyGoal", is(OppNearMyGoal(Red))),
        ("doCaptureBlueOpponentMove", act(Capture(Blue))),
        ("doCaptureRedOpponentMove", act(Capture(Red))),
        ("doMoveBlueCloserToGoal", act(CloserToGoal(Blue))),
        ("doMoveRedCloserToGoal", act(CloserToGoal(Red))),
        // The paper describes these two the other way round; the names rule here.
        ("doEscapeMoveFromBlueOpponents", act(EscapeFrom(Blue))),
        ("doEscapeMoveFromRedOpponent", act(EscapeFrom(Red))),
        ("doMoveBlueLeavingFromGoal", act(LeavingFromGoal(Blue))),
        ("doMoveRedLeavingFromGoal", act(LeavingFromGoal(Red))),
        ("doMoveBlueCloserToMyGoal", act(CloserToMyGoal(Blue))),
        ("doMoveRedCloserToMyGoal", act(CloserToMyGoal(Red))),
    ]
};

impl Primitive {
    /// The function of a name the paper prints.
    pub(crate) fn function(name: &str) -> Option<Primitive> {
        FUNCTIONS.iter().find(|(known, _)| *known == name).map(|(_, primitive)| *primitive)
    }

    /// The names of all functions.
    pub(crate) fn function_names() -> impl Iterator<Item = &'static str> {
        FUNCTIONS.iter().map(|(name, _)| *name)
    }

    /// The colour it tells apart, for functions that exist for both and for each.
    fn which(self) -> Option<Which> {
        match self {
            Primitive::Get(Measure::DistanceToGoal(which) | Measure::DistanceToMyGoal(which))
            | Primitive::Is(Test::NextToOpponents(which) | Test::OppNearMyGoal(which))
            | Primitive::Do(
                MoveKind::Capture(which)
                | MoveKind::CloserToGoal(which)
                | MoveKind::EscapeFrom(which)
                | MoveKind::LeavingFromGoal(which)
                | MoveKind::CloserToMyGoal(which),
                _,
            ) => Some(which),
            _ => None,
        }
    }
}

impl fmt::Display for Primitive {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plain = match *self {
            Primitive::Do(kind, _) => act(kind),
            other => other,
        };
        match plain {
            Primitive::IfThenElse => f.write_str("if_then_else")?,
            Primitive::Compare(comparison) => f.write_str(comparison.symbol())?,
            Primitive::And => f.write_str("and")?,
            Primitive::Or => f.write_str("or")?,
            Primitive::Not => f.write_str("not")?,
            Primitive::Number(number) => write!(f, "{number}")?,
            function => {
                let named = FUNCTIONS.iter().find(|(_, known)| *known == function);
                f.write_str(named.expect("every function has a name").0)?;
            }
        }
        match *self {
            Primitive::Do(_, chance) if chance != Chance::ALWAYS => {
                write!(f, " with {}", chance.probability())
            }
            _ => Ok(()),
        }
    }
}

/// No node of a policy has this name.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{0}` is no primitive")]
pub struct ParsePrimitiveError(String);

impl FromStr for Primitive {
    type Err = ParsePrimitiveError;

    fn from_str(text: &str) -> Result<Primitive, ParsePrimitiveError> {
        let fault = || ParsePrimitiveError(text.to_owned());
        if let Some((name, chance)) = text.split_once(" with ") {
            let chance: f64 = chance.parse().map_err(|_| fault())?;
            return match (Primitive::function(name), Chance::new(chance)) {
                (Some(Primitive::Do(kind, _)), Some(chance)) => Ok(Primitive::Do(kind, chance)),
                _ => Err(fault()),
            };
        }
        let comparison = Comparison::ALL.into_iter().find(|c| c.symbol() == text);
        match text {
            "if_then_else" => Ok(Primitive::IfThenElse),
            "and" => Ok(Primitive::And),
            "or" => Ok(Primitive::Or),
            "not" => Ok(Primitive::Not),
            _ => comparison
                .map(Primitive::Compare)
                .or_else(|| Primitive::function(text))
                .or_else(|| text.parse().ok().map(Primitive::Number))
                .ok_or_else(fault),
        }
    }
}

oboro_core::serde_as_text!(Primitive);

impl Token for Primitive {
    type Kind = Kind;

    fn returns(self) -> Kind {
        match self {
            Primitive::IfThenElse | Primitive::Do(..) => Kind::Move,
            Primitive::Number(_) | Primitive::Get(_) => Kind::Number,
            _ => Kind::Truth,
        }
    }

    fn takes(self) -> &'static [Kind] {
        match self {
            Primitive::IfThenElse => &[Kind::Truth, Kind::Move, Kind::Move],
            Primitive::Compare(_) => &[Kind::Number, Kind::Number],
            Primitive::And | Primitive::Or => &[Kind::Truth, Kind::Truth],
            Primitive::Not => &[Kind::Truth],
            _ => &[],
        }
    }

    fn fits(given: Kind, wanted: Kind) -> bool {
        given == wanted || (given, wanted) == (Kind::Truth, Kind::Number)
    }
}

impl Meaning for Primitive {
    fn role(self) -> Role {
        match self {
            Primitive::IfThenElse => Role::Choice,
            Primitive::Compare(comparison) => Role::Compare(comparison),
            Primitive::And => Role::And,
            Primitive::Or => Role::Or,
            Primitive::Not => Role::Not,
            Primitive::Number(number) => Role::Number(number.into(), number.into()),
            // While a game goes on each side has pieces of both colours.
            Primitive::Get(
                Measure::MyBlue | Measure::MyRed | Measure::OppBlue | Measure::OppRed,
            ) => Role::Number(1, 4),
            Primitive::Get(Measure::DistanceToGoal(_) | Measure::DistanceToMyGoal(_)) => {
                Role::Number(0, 7)
            }
            Primitive::Is(_) => Role::Number(0, 1),
            Primitive::Do(..) => Role::Other,
        }
    }

    fn constant(value: i64, kind: Kind) -> Option<Primitive> {
        let value = u8::try_from(value).ok()?;
        (kind == Kind::Number).then_some(Primitive::Number(value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sets_have_as_many_functions_as_the_paper_lists() {
        let counts = PrimitiveSet::ALL.map(|set| set.functions().len());
        assert_eq!(counts, [6 + 9, 6 + 18, 6 + 9 + 18]);
    }

    #[test]
    fn primitives_round_trip_as_text() {
        for group in PrimitiveSet::All.vocabulary().groups() {
            for primitive in group {
                assert_eq!(primitive.to_string().parse(), Ok(*primitive));
            }
        }
        let rarely = Primitive::Do(MoveKind::Random, Chance::new(0.125).unwrap());
        assert_eq!(rarely.to_string(), "doRandomMove with 0.125");
        assert_eq!(rarely.to_string().parse(), Ok(rarely));
        for bad in [
            "",
            "doNothing",
            "256",
            "-1",
            "isHavingKeeper with 0.5",
            "doRandomMove with 2",
            "doRandomMove with NaN",
        ] {
            assert!(bad.parse::<Primitive>().is_err(), "{bad}");
        }
    }
}
