//! A small language of numbers and truths, in which truths count as numbers.

use oboro_evolve::{
    Comparison, Crossover, Meaning, Role, Shape, Token, Tree, TreeBreeder, Vocabulary,
};
use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Number,
    Truth,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) enum Toy {
    Constant(i8),
    X,
    Bit(u8),
    Add,
    Times,
    If,
    And,
    Or,
    Not,
    Less,
    Equal,
}

use Kind::{Number, Truth};
use Toy::{Add, And, Bit, Constant, Equal, If, Less, Not, Or, Times, X};

impl Token for Toy {
    type Kind = Kind;

    fn returns(self) -> Kind {
        match self {
            Constant(_) | X | Add | Times | If => Number,
            Bit(_) | And | Or | Not | Less | Equal => Truth,
        }
    }

    fn takes(self) -> &'static [Kind] {
        match self {
            Constant(_) | X | Bit(_) => &[],
            Add | Times | Less | Equal => &[Number, Number],
            If => &[Truth, Number, Number],
            And | Or => &[Truth, Truth],
            Not => &[Truth],
        }
    }

    fn fits(given: Kind, wanted: Kind) -> bool {
        given == wanted || wanted == Number
    }
}

impl Meaning for Toy {
    fn role(self) -> Role {
        match self {
            Constant(n) => Role::Number(n.into(), n.into()),
            X => Role::Number(-10, 10),
            Bit(_) => Role::Number(0, 1),
            Add | Times => Role::Other,
            If => Role::Choice,
            And => Role::And,
            Or => Role::Or,
            Not => Role::Not,
            Less => Role::Compare(Comparison::Less),
            Equal => Role::Compare(Comparison::Equal),
        }
    }

    fn constant(value: i64, kind: Kind) -> Option<Toy> {
        let value = i8::try_from(value).ok()?;
        (kind == Number).then_some(Constant(value))
    }
}

/// The value of a program where X is `x` and Bit(n) is bit n of `bits`.
pub(crate) fn value(tree: &Tree<Toy>, x: i64, bits: u8) -> i64 {
    fn at(tokens: &[Toy], place: &mut usize, x: i64, bits: u8) -> i64 {
        let token = tokens[*place];
        *place += 1;
        let mut next = || at(tokens, place, x, bits);
        match token {
            Constant(n) => n.into(),
            X => x,
            Bit(n) => i64::from(bits >> n & 1),
            Add => next().wrapping_add(next()),
            Times => next().wrapping_mul(next()),
            If => {
                let (condition, then, otherwise) = (next(), next(), next());
                if condition != 0 { then } else { otherwise }
            }
            And => next() & next(),
            Or => next() | next(),
            Not => 1 - next(),
            Less => i64::from(next() < next()),
            Equal => i64::from(next() == next()),
        }
    }
    at(tree.tokens(), &mut 0, x, bits)
}

pub(crate) fn breeder(root: Kind, groups: Vec<Vec<Toy>>) -> TreeBreeder<Toy> {
    TreeBreeder {
        vocabulary: Vocabulary::new(root, groups).expect("a leaf of every type"),
        shape: Shape::default(),
        crossover: Crossover::Node,
    }
}

/// All tokens of the language.
pub(crate) fn everything() -> Vec<Vec<Toy>> {
    let alone = [X, Add, Times, If, And, Or, Not, Less, Equal];
    let mut groups: Vec<Vec<Toy>> = alone.into_iter().map(|token| vec![token]).collect();
    groups.push((0..3).map(Bit).collect());
    groups.push((-2..6).map(Constant).collect());
    groups
}
