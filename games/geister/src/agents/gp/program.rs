//! A policy made ready to run: a graph of decisions.
//!
//! Conditions become jumps, so that only what decides the move is ever looked at: `and`, `or` and
//! `not` cost nothing, and a truth compared with a number is two comparisons with a constant, of
//! which one is made. A jump that depends on the position is often guessed wrong, though, which
//! costs more than looking at something in vain. So everything that is true or false is looked at
//! first, and for each combination there is a graph that has numbers left to compare, at most.

#![allow(clippy::inline_always, reason = "a playout is one loop; measured")]

use super::field::{Conditions, Field, Moves, Step};
use super::pick::Pick;
use super::primitive::{Measure, MoveKind, Primitive};
use crate::square::Bitboard;
use oboro_core::Rng;
use oboro_evolve::{Comparison, Tree};

/// A policy that can be asked.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    nodes: Vec<Node>,
    /// Where to begin, by the conditions of the position.
    starts: Box<[u32; Conditions::COUNT]>,
    /// Where the tests of corners look when each side moves.
    corners: [Bitboard; 2],
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Node {
    /// Makes a move of a kind with a probability; otherwise any.
    Do(MoveKind, f64),
    /// Goes to the first place if a comparison holds, else to the second.
    Compare(NumberTest, u32, u32),
}

/// A comparison of a number with another or with a constant, as the set of pairs for which it holds:
/// bit `8a + b` for the pair of `a` and `b`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct NumberTest {
    pub(super) left: Measure,
    /// None counts as 0.
    pub(super) right: Option<Measure>,
    pub(super) pairs: u64,
}

/// What a comparison comes to before there is a position.
pub(super) enum TestOutcome {
    Certain(bool),
    Asks(NumberTest),
}

impl NumberTest {
    fn new(left: Measure, right: Option<Measure>, holds: impl Fn(i64, i64) -> bool) -> NumberTest {
        let pairs = (0..64).filter(|pair| holds(pair / 8, pair % 8)).map(|pair| 1 << pair).sum();
        NumberTest { left, right, pairs }
    }

    /// The test that a comparison of two leaves is.
    pub(super) fn of(comparison: Comparison, left: Leaf, right: Leaf) -> TestOutcome {
        TestOutcome::Asks(match (left, right) {
            (Leaf::Get(left), Leaf::Get(right)) => {
                NumberTest::new(left, Some(right), |a, b| comparison.holds(a, b))
            }
            (Leaf::Get(left), Leaf::Number(right)) => {
                NumberTest::new(left, None, |a, _| comparison.holds(a, right.into()))
            }
            (Leaf::Number(left), Leaf::Get(right)) => {
                NumberTest::new(right, None, |b, _| comparison.holds(left.into(), b))
            }
            (Leaf::Number(left), Leaf::Number(right)) => {
                return TestOutcome::Certain(comparison.holds(left.into(), right.into()));
            }
        })
    }

    #[inline(always)]
    fn holds<const SIDE: usize>(&self, field: &Field) -> bool {
        let mut pair = 8 * field.measure::<SIDE>(self.left);
        if let Some(right) = self.right {
            pair += field.measure::<SIDE>(right);
        }
        self.pairs >> (pair & 63) & 1 == 1
    }
}

/// A number that needs no further decision.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Leaf {
    Number(u8),
    Get(Measure),
}

/// What a policy wants in a position: one of some moves, with a probability; otherwise any.
pub(crate) struct Preference {
    pub(crate) moves: Moves,
    pub(crate) probability: f64,
}

impl Program {
    /// The program of a tree whose tests of corners look at these squares when each side moves.
    pub(crate) fn new(tree: &Tree<Primitive>, corners: [Bitboard; 2]) -> Program {
        let mut nodes = Vec::new();
        let starts = Conditions::all()
            .map(|conditions| Compiler { tree, conditions, nodes: &mut nodes }.action(0));
        Program { nodes, starts: Box::new(starts), corners }
    }

    /// The move that the policy names here.
    #[inline(always)]
    fn decide<const SIDE: usize>(&self, field: &Field) -> (MoveKind, f64) {
        let mut at = self.starts[field.conditions::<SIDE>(self.corners[SIDE]).index()];
        loop {
            match &self.nodes[at as usize] {
                Node::Do(kind, probability) => return (*kind, *probability),
                Node::Compare(test, yes, no) => {
                    at = if test.holds::<SIDE>(field) { *yes } else { *no };
                }
            }
        }
    }

    /// The moves it wants; any legal ones if nothing fits.
    #[inline(always)]
    fn preference<const SIDE: usize>(&self, field: &Field) -> Preference {
        let (kind, probability) = self.decide::<SIDE>(field);
        let moves = field.moves::<SIDE>(kind);
        if moves.is_empty() {
            return Preference { moves: field.moves::<SIDE>(MoveKind::Random), probability: 1.0 };
        }
        Preference { moves, probability }
    }

    /// The moves it wants, for either side.
    pub(crate) fn preference_of(&self, side: usize, field: &Field) -> Preference {
        if side == 0 { self.preference::<0>(field) } else { self.preference::<1>(field) }
    }

    /// A move drawn as it wants.
    #[inline(always)]
    pub(crate) fn draw<const SIDE: usize>(
        &self,
        field: &Field,
        rng: &mut Rng,
        pick: impl Pick,
    ) -> Step {
        let Preference { mut moves, probability } = self.preference::<SIDE>(field);
        if probability < 1.0 && !rng.chance(probability) {
            moves = field.moves::<SIDE>(MoveKind::Random);
        }
        moves.draw::<SIDE>(rng, pick)
    }
}

/// Builds the graph for some conditions from its ends: every part is told where to go on.
struct Compiler<'a> {
    tree: &'a Tree<Primitive>,
    conditions: Conditions,
    nodes: &'a mut Vec<Node>,
}

impl Compiler<'_> {
    /// The place of a node; equal ones share it.
    fn place(&mut self, node: Node) -> u32 {
        let known = self.nodes.iter().position(|known| *known == node);
        known.unwrap_or_else(|| {
            self.nodes.push(node);
            self.nodes.len() - 1
        }) as u32
    }

    fn action(&mut self, at: usize) -> u32 {
        if let Primitive::Do(kind, chance) = self.tree.tokens()[at] {
            return self.place(Node::Do(kind, chance.probability()));
        }
        let then = self.tree.end(at + 1);
        let yes = self.action(then);
        let no = self.action(self.tree.end(then));
        self.condition(at + 1, yes, no)
    }

    fn condition(&mut self, at: usize, yes: u32, no: u32) -> u32 {
        if yes == no {
            return yes;
        }
        let (left, right) = (at + 1, || self.tree.end(at + 1));
        match self.tree.tokens()[at] {
            Primitive::Is(test) => {
                if self.conditions.say(test) {
                    yes
                } else {
                    no
                }
            }
            Primitive::Not => self.condition(left, no, yes),
            Primitive::And => {
                let right = self.condition(right(), yes, no);
                self.condition(left, right, no)
            }
            Primitive::Or => {
                let right = self.condition(right(), yes, no);
                self.condition(left, yes, right)
            }
            Primitive::Compare(comparison) => {
                let (left, right) = (self.operand(left), self.operand(right()));
                self.compare(comparison, left, right, yes, no)
            }
            other => unreachable!("{other} is no condition"),
        }
    }

    fn compare(
        &mut self,
        comparison: Comparison,
        left: Operand,
        right: Operand,
        yes: u32,
        no: u32,
    ) -> u32 {
        let (one, zero) = (Operand::Leaf(Leaf::Number(1)), Operand::Leaf(Leaf::Number(0)));
        match (left, right) {
            (Operand::Leaf(left), Operand::Leaf(right)) => {
                match NumberTest::of(comparison, left, right) {
                    TestOutcome::Certain(holds) if holds => yes,
                    TestOutcome::Certain(_) => no,
                    TestOutcome::Asks(test) => self.place(Node::Compare(test, yes, no)),
                }
            }
            // Of two truths the larger is decided first: what comes after it is needed twice.
            (Operand::Truth(at, size), right) if size >= right.size() => {
                let held = self.compare(comparison, one, right, yes, no);
                let failed = self.compare(comparison, zero, right, yes, no);
                self.condition(at, held, failed)
            }
            (left, Operand::Truth(at, _)) => {
                let held = self.compare(comparison, left, one, yes, no);
                let failed = self.compare(comparison, left, zero, yes, no);
                self.condition(at, held, failed)
            }
            (Operand::Truth(..), Operand::Leaf(_)) => unreachable!("a truth is larger than a leaf"),
        }
    }

    fn operand(&self, at: usize) -> Operand {
        match self.tree.tokens()[at] {
            Primitive::Number(number) => Operand::Leaf(Leaf::Number(number)),
            Primitive::Get(measure) => Operand::Leaf(Leaf::Get(measure)),
            _ => Operand::Truth(at, self.tree.end(at) - at),
        }
    }
}

/// One side of a comparison.
#[derive(Clone, Copy)]
enum Operand {
    Leaf(Leaf),
    /// A truth, by its place and size in the tree.
    Truth(usize, usize),
}

impl Operand {
    const fn size(self) -> usize {
        match self {
            Operand::Leaf(_) => 0,
            Operand::Truth(_, size) => size,
        }
    }
}
