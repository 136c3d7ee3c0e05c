use crate::{Token, Tree};

/// What the simplifier needs to know of a token; nothing of what leaves measure or do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// Condition, then, else.
    Choice,
    /// Both.
    And,
    /// Either.
    Or,
    /// The opposite.
    Not,
    /// A comparison of two numbers.
    Compare(Comparison),
    /// A number between two bounds, both included; a constant has equal ones, a truth value 0 and 1.
    Number(i64, i64),
    /// Anything else.
    Other,
}

/// A comparison of two numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Comparison {
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
}

impl Comparison {
    /// All of them.
    pub const ALL: [Comparison; 6] = [
        Comparison::Less,
        Comparison::LessOrEqual,
        Comparison::Greater,
        Comparison::GreaterOrEqual,
        Comparison::Equal,
        Comparison::NotEqual,
    ];

    /// How it is written.
    pub const fn symbol(self) -> &'static str {
        match self {
            Comparison::Less => "<",
            Comparison::LessOrEqual => "<=",
            Comparison::Greater => ">",
            Comparison::GreaterOrEqual => ">=",
            Comparison::Equal => "==",
            Comparison::NotEqual => "!=",
        }
    }

    /// Its answer for two numbers.
    #[inline]
    pub fn holds(self, left: i64, right: i64) -> bool {
        match self {
            Comparison::Less => left < right,
            Comparison::LessOrEqual => left <= right,
            Comparison::Greater => left > right,
            Comparison::GreaterOrEqual => left >= right,
            Comparison::Equal => left == right,
            Comparison::NotEqual => left != right,
        }
    }

    /// Its answer for all numbers in two ranges, if it is always the same.
    fn decided(self, (a, b): (i64, i64), (c, d): (i64, i64)) -> Option<bool> {
        let (always, never) = match self {
            Comparison::Less => (b < c, a >= d),
            Comparison::LessOrEqual => (b <= c, a > d),
            Comparison::Greater => (a > d, b <= c),
            Comparison::GreaterOrEqual => (a >= d, b < c),
            Comparison::Equal => (a == b && c == d && a == c, b < c || d < a),
            Comparison::NotEqual => (b < c || d < a, a == b && c == d && a == c),
        };
        match (always, never) {
            (true, _) => Some(true),
            (_, true) => Some(false),
            _ => None,
        }
    }
}

/// Tokens that can be simplified.
pub trait Meaning: Token {
    /// What the token does to its arguments.
    fn role(self) -> Role;

    /// The leaf of type `kind` that is this number, if there is one.
    fn constant(value: i64, kind: Self::Kind) -> Option<Self>;
}

/// A program that does the same with less: constants folded, dead branches cut, choices between
/// equal things made.
///
/// Inside a branch its condition is known, and so is every part of a conjunction that holds or of a
/// disjunction that does not.
#[must_use]
pub fn simplify<T: Meaning>(tree: &Tree<T>, root: T::Kind) -> Tree<T> {
    let mut tree = tree.clone();
    loop {
        let mut known = Vec::new();
        let simpler = Tree::trusted(reduce(&tree, 0, root, &mut known).tokens);
        if simpler == tree {
            return tree;
        }
        tree = simpler;
    }
}

/// A simplified part and the range of its value.
struct Part<T> {
    tokens: Vec<T>,
    range: (i64, i64),
}

const TRUTH: (i64, i64) = (0, 1);

/// Conditions that are decided here, by their tokens.
type Known<T> = Vec<(Vec<T>, bool)>;

fn reduce<T: Meaning>(tree: &Tree<T>, at: usize, wanted: T::Kind, known: &mut Known<T>) -> Part<T> {
    let token = tree.tokens()[at];
    let mut places = vec![at + 1];
    for _ in token.takes() {
        places.push(tree.end_or_last(*places.last().expect("one at least")));
    }
    let argument = |number: usize, known: &mut Known<T>| {
        reduce(tree, places[number], token.takes()[number], known)
    };
    let part = match token.role() {
        Role::Choice => choice(token, &argument, known),
        Role::And | Role::Or => {
            let (left, right) = (argument(0, known), argument(1, known));
            junction(token, left, right)
        }
        Role::Not => {
            let Part { tokens: inner, range: (low, high) } = argument(0, known);
            let tokens = if inner[0].role() == Role::Not {
                inner[1..].to_vec()
            } else {
                joined(token, [inner])
            };
            Part { tokens, range: (1 - high, 1 - low) }
        }
        Role::Compare(comparison) => {
            let (left, right) = (argument(0, known), argument(1, known));
            let decided = if left.tokens == right.tokens {
                Some(comparison.holds(0, 0))
            } else {
                comparison.decided(left.range, right.range)
            };
            Part {
                tokens: joined(token, [left.tokens, right.tokens]),
                range: decided.map_or(TRUTH, certain),
            }
        }
        Role::Number(low, high) => Part { tokens: vec![token], range: (low, high) },
        Role::Other => Part {
            tokens: joined(
                token,
                (0..token.takes().len()).map(|number| argument(number, known).tokens),
            ),
            range: (i64::MIN, i64::MAX),
        },
    };
    settle(part, wanted, known)
}

/// Puts in what is known of a part: its truth inside a branch, or its constant value.
fn settle<T: Meaning>(mut part: Part<T>, wanted: T::Kind, known: &Known<T>) -> Part<T> {
    if part.range == TRUTH {
        let fact = known.iter().find(|(tokens, _)| *tokens == part.tokens);
        if let Some(&(_, holds)) = fact {
            part.range = certain(holds);
        }
    }
    let (low, high) = part.range;
    if low == high
        && let Some(constant) = T::constant(low, wanted)
    {
        part.tokens = vec![constant];
    }
    part
}

fn choice<T: Meaning>(
    token: T,
    argument: &impl Fn(usize, &mut Known<T>) -> Part<T>,
    known: &mut Known<T>,
) -> Part<T> {
    let condition = argument(0, known);
    match condition.range {
        (0, 0) => return argument(2, known),
        (low, _) if low != 0 => return argument(1, known),
        _ => {}
    }
    let depth = known.len();
    let mut branch = |number: usize, holds: bool| {
        learn(&condition.tokens, holds, known);
        let part = argument(number, known);
        known.truncate(depth);
        part
    };
    let (then, otherwise) = (branch(1, true), branch(2, false));
    if then.tokens == otherwise.tokens {
        return then;
    }
    Part {
        range: (then.range.0.min(otherwise.range.0), then.range.1.max(otherwise.range.1)),
        tokens: joined(token, [condition.tokens, then.tokens, otherwise.tokens]),
    }
}

/// `and` or `or` of two simplified truths.
fn junction<T: Meaning>(token: T, left: Part<T>, right: Part<T>) -> Part<T> {
    // A truth that leaves the other to decide, and one that decides alone.
    let (neutral, decisive) = match token.role() {
        Role::And => (certain(true), certain(false)),
        _ => (certain(false), certain(true)),
    };
    if left.range == decisive || right.range == neutral || left.tokens == right.tokens {
        return left;
    }
    if right.range == decisive || left.range == neutral {
        return right;
    }
    Part { tokens: joined(token, [left.tokens, right.tokens]), range: TRUTH }
}

/// Adds what a decided condition says of its parts.
fn learn<T: Meaning>(condition: &[T], holds: bool, known: &mut Known<T>) {
    let tree = Tree::trusted(condition.to_vec());
    let first = 1..tree.end_or_last(1);
    match (condition[0].role(), holds) {
        (Role::Not, _) => learn(&condition[1..], !holds, known),
        (Role::And, true) | (Role::Or, false) => {
            learn(&condition[first.clone()], holds, known);
            learn(&condition[first.end..], holds, known);
        }
        _ => {}
    }
    known.push((condition.to_vec(), holds));
}

const fn certain(truth: bool) -> (i64, i64) {
    (truth as i64, truth as i64)
}

fn joined<T>(token: T, parts: impl IntoIterator<Item = Vec<T>>) -> Vec<T> {
    let mut tokens = vec![token];
    tokens.extend(parts.into_iter().flatten());
    tokens
}

impl<T: Token> Tree<T> {
    /// The end of the subtree at `at`, or the end of the list if nothing starts there.
    fn end_or_last(&self, at: usize) -> usize {
        if at < self.size() { self.end(at) } else { self.size() }
    }
}
