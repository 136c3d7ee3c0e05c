use crate::{Token, Tree, Vocabulary};
use oboro_core::Rng;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fmt::Debug;

/// How individuals come about.
pub trait Breeder: Sync {
    /// What evolves.
    type Individual: Clone + PartialEq + Debug + Send + Sync + Serialize + DeserializeOwned;

    /// Individual `number` of the first generation.
    fn create(&self, number: usize, rng: &mut Rng) -> Self::Individual;

    /// A child of two.
    fn cross(
        &self,
        first: &Self::Individual,
        second: &Self::Individual,
        rng: &mut Rng,
    ) -> Self::Individual;

    /// A changed copy of one.
    fn mutate(&self, one: &Self::Individual, rng: &mut Rng) -> Self::Individual;

    /// Whether this could be one of ours: checkpoints may hold anything.
    ///
    /// # Errors
    /// What is wrong.
    fn check(&self, one: &Self::Individual) -> Result<(), String>;

    /// How large an individual is, for reports.
    fn size(&self, one: &Self::Individual) -> usize;
}

/// How deep programs grow; depth counts the steps from the root to the deepest leaf.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Shape {
    /// The least depth of ramped half-and-half.
    pub ramp_from: usize,
    /// The greatest depth of ramped half-and-half.
    pub ramp_to: usize,
    /// No program ever grows deeper.
    pub depth_limit: usize,
    /// The greatest depth of a subtree that a mutation grows.
    pub mutation_depth: usize,
}

impl Shape {
    /// First programs of two to four steps.
    pub const RAMPED: Shape = Shape { ramp_from: 2, ramp_to: 4, depth_limit: 8, mutation_depth: 2 };

    /// First programs of one or two steps, and room to grow: what the examples of the Python library
    /// DEAP do.
    pub const SHALLOW: Shape =
        Shape { ramp_from: 1, ramp_to: 2, depth_limit: 17, mutation_depth: 2 };
}

impl Default for Shape {
    fn default() -> Shape {
        Shape::RAMPED
    }
}

/// Where two programs are cut and joined.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Crossover {
    /// At any node of the first, and at one of the second that fits in type and depth.
    #[default]
    Node,
    /// At nodes of one type, drawn from the types that both have; a child that is too deep gives way to its parent. So does
    /// the Python library DEAP (`cxOnePoint` with `staticLimit`).
    Type,
}

/// Genetic programming: trees of typed tokens.
#[derive(Clone, Debug)]
pub struct TreeBreeder<T: Token> {
    /// What programs are made of.
    pub vocabulary: Vocabulary<T>,
    /// How deep they grow.
    pub shape: Shape,
    /// How two of them are joined.
    pub crossover: Crossover,
}

impl<T: Token> TreeBreeder<T> {
    fn cross_by_node(&self, first: &Tree<T>, second: &Tree<T>, rng: &mut Rng) -> Tree<T> {
        let at = match first.size() {
            1 => 0,
            size => 1 + rng.below(size - 1),
        };
        let slot = first.slots(self.vocabulary.root())[at];
        let heights = second.heights();
        let fitting: Vec<usize> = (0..second.size())
            .filter(|&from| {
                T::fits(second.tokens()[from].returns(), slot.wanted)
                    && slot.level + heights[from] <= self.shape.depth_limit
            })
            .collect();
        match rng.choose(&fitting) {
            Some(&from) => first.replaced(at, &second.tokens()[from..second.end(from)]),
            None => first.clone(),
        }
    }

    fn cross_by_type(&self, first: &Tree<T>, second: &Tree<T>, rng: &mut Rng) -> Tree<T> {
        // The roots stay where they are.
        let of_type = |tree: &Tree<T>, kind: T::Kind| -> Vec<usize> {
            (1..tree.size()).filter(|&at| tree.tokens()[at].returns() == kind).collect()
        };
        let mut common: Vec<T::Kind> = Vec::new();
        for kind in first.tokens().iter().skip(1).map(|token| token.returns()) {
            if !common.contains(&kind) && !of_type(second, kind).is_empty() {
                common.push(kind);
            }
        }
        let Some(&kind) = rng.choose(&common) else { return first.clone() };
        let pick = |tree: &Tree<T>, rng: &mut Rng| rng.choose(&of_type(tree, kind)).copied();
        let (Some(at), Some(from)) = (pick(first, rng), pick(second, rng)) else {
            return first.clone();
        };
        let child = first.replaced(at, &second.tokens()[from..second.end(from)]);
        if child.depth() > self.shape.depth_limit { first.clone() } else { child }
    }
}

impl<T: Token> Breeder for TreeBreeder<T> {
    type Individual = Tree<T>;

    /// Ramped half-and-half: depths in turn, every other program full.
    fn create(&self, number: usize, rng: &mut Rng) -> Tree<T> {
        let Shape { ramp_from, ramp_to, .. } = self.shape;
        let steps = ramp_to.saturating_sub(ramp_from) + 1;
        let depth = (ramp_from + number / 2 % steps).min(self.shape.depth_limit);
        self.vocabulary.program(depth, number.is_multiple_of(2), rng)
    }

    /// Subtree crossover: a node of the first, the root only if it is alone, gives way to a node of the second.
    fn cross(&self, first: &Tree<T>, second: &Tree<T>, rng: &mut Rng) -> Tree<T> {
        match self.crossover {
            Crossover::Node => self.cross_by_node(first, second, rng),
            Crossover::Type => self.cross_by_type(first, second, rng),
        }
    }

    /// Subtree mutation: any node gives way to a newly grown subtree.
    fn mutate(&self, one: &Tree<T>, rng: &mut Rng) -> Tree<T> {
        let at = rng.below(one.size());
        let slot = one.slots(self.vocabulary.root())[at];
        let room = self.shape.depth_limit.saturating_sub(slot.level);
        let depth = rng.below(self.shape.mutation_depth + 1).min(room);
        let grown = self.vocabulary.subtree(slot.wanted, depth, true, rng);
        one.replaced(at, &grown)
    }

    fn check(&self, one: &Tree<T>) -> Result<(), String> {
        one.check(self.vocabulary.root()).map_err(|error| error.to_string())?;
        let depth = one.depth();
        if depth > self.shape.depth_limit {
            return Err(format!(
                "the program is {depth} deep, the limit is {}",
                self.shape.depth_limit
            ));
        }
        let known = |token| {
            let mut groups = self.vocabulary.groups().iter();
            groups.any(|group| group.contains(token))
        };
        match one.tokens().iter().find(|token| !known(token)) {
            Some(token) => Err(format!("{token:?} is not in the vocabulary")),
            None => Ok(()),
        }
    }

    fn size(&self, one: &Tree<T>) -> usize {
        one.size()
    }
}
