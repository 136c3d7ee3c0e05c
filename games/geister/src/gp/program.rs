//! A policy made ready to run: a graph of decisions.
//!
//! Conditions become jumps, so that only what decides the move is ever looked at: `and`, `or` and
//! `not` cost nothing, and a truth compared with a number is two comparisons with a constant, of
//! which one is made.

#![allow(clippy::inline_always, reason = "a playout is one loop; measured")]

use super::field::{Field, Moves, Step};
use super::primitive::{Chance, Measure, MoveKind, Primitive, Test};
use oboro_core::Rng;
use oboro_evolve::{Comparison, Tree};

/// A policy that can be asked.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    nodes: Vec<Node>,
    start: u32,
}

#[derive(Clone, Copy, Debug)]
enum Node {
    Do(MoveKind, Chance),
    /// Goes to the first place if the test holds, else to the second.
    Test(Test, u32, u32),
    /// The same for a comparison.
    Compare(Comparison, Leaf, Leaf, u32, u32),
}

/// A number that needs no further decision.
#[derive(Clone, Copy, Debug)]
enum Leaf {
    Number(u8),
    Get(Measure),
}

/// What a policy wants in a position: one of some moves, with a probability; otherwise any.
pub(crate) struct Wish {
    pub(crate) moves: Moves,
    pub(crate) chance: Chance,
}

impl Program {
    pub(crate) fn new(tree: &Tree<Primitive>) -> Program {
        let mut compiler = Compiler { tree, nodes: Vec::new() };
        let start = compiler.action(0);
        Program { nodes: compiler.nodes, start }
    }

    /// The move that the policy names here.
    #[inline(always)]
    fn decide<const SIDE: usize>(&self, field: &Field) -> (MoveKind, Chance) {
        let value = |leaf: Leaf| match leaf {
            Leaf::Number(number) => number.into(),
            Leaf::Get(measure) => field.measure::<SIDE>(measure),
        };
        let mut at = self.start;
        loop {
            let (holds, yes, no) = match self.nodes[at as usize] {
                Node::Do(kind, chance) => return (kind, chance),
                Node::Test(test, yes, no) => (field.test::<SIDE>(test), yes, no),
                Node::Compare(comparison, left, right, yes, no) => {
                    (comparison.holds(value(left), value(right)), yes, no)
                }
            };
            at = if holds { yes } else { no };
        }
    }

    /// The moves it wants; any legal ones if nothing fits.
    #[inline(always)]
    pub(crate) fn wish<const SIDE: usize>(&self, field: &Field) -> Wish {
        let (kind, chance) = self.decide::<SIDE>(field);
        let moves = field.moves::<SIDE>(kind);
        if moves.is_empty() {
            return Wish { moves: field.moves::<SIDE>(MoveKind::Random), chance: Chance::ALWAYS };
        }
        Wish { moves, chance }
    }

    /// The moves it wants, for either side.
    pub(crate) fn wish_of(&self, side: usize, field: &Field) -> Wish {
        if side == 0 { self.wish::<0>(field) } else { self.wish::<1>(field) }
    }

    /// A move drawn as it wants.
    #[inline(always)]
    pub(crate) fn draw<const SIDE: usize>(&self, field: &Field, rng: &mut Rng) -> Step {
        let Wish { mut moves, chance } = self.wish::<SIDE>(field);
        if chance != Chance::ALWAYS && !rng.chance(chance.probability()) {
            moves = field.moves::<SIDE>(MoveKind::Random);
        }
        moves.draw::<SIDE>(rng)
    }
}

/// Builds the graph from its ends: every part is told where to go on.
struct Compiler<'a> {
    tree: &'a Tree<Primitive>,
    nodes: Vec<Node>,
}

impl Compiler<'_> {
    fn add(&mut self, node: Node) -> u32 {
        self.nodes.push(node);
        self.nodes.len() as u32 - 1
    }

    fn action(&mut self, at: usize) -> u32 {
        if let Primitive::Do(kind, chance) = self.tree.tokens()[at] {
            return self.add(Node::Do(kind, chance));
        }
        let then = self.tree.end(at + 1);
        let yes = self.action(then);
        let no = self.action(self.tree.end(then));
        self.condition(at + 1, yes, no)
    }

    fn condition(&mut self, at: usize, yes: u32, no: u32) -> u32 {
        let (left, right) = (at + 1, || self.tree.end(at + 1));
        match self.tree.tokens()[at] {
            Primitive::Is(test) => self.add(Node::Test(test, yes, no)),
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
                self.add(Node::Compare(comparison, left, right, yes, no))
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
