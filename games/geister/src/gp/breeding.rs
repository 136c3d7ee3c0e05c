//! Evolution of policies from lessons.

use super::lessons::Lessons;
use super::primitive::{Chance, Kind, Primitive, PrimitiveSet};
use super::strategy::Strategy;
use oboro_core::Seed;
use oboro_evolve::{
    CheckpointError, Evolution, GenomeBreeder, Plan, Settings, Shape, Tree, TreeBreeder,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// What makes a policy good.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Fitness {
    /// The probability of making the teacher's move.
    #[default]
    Agreement,
    /// The expected value of the move less that of the teacher's; better moves count too.
    Loss,
    /// The same, but moves better than the teacher's count nothing.
    ClippedLoss,
}

impl Fitness {
    /// Its name on command lines and in files.
    pub const fn name(self) -> &'static str {
        match self {
            Fitness::Agreement => "agreement",
            Fitness::Loss => "loss",
            Fitness::ClippedLoss => "clipped-loss",
        }
    }

    /// How good a policy is; more is better.
    pub fn of(self, strategy: &Strategy, lessons: &Lessons) -> f64 {
        match self {
            Fitness::Agreement => lessons.agreement(strategy),
            Fitness::Loss => lessons.mean_loss(strategy, false),
            Fitness::ClippedLoss => lessons.mean_loss(strategy, true),
        }
    }
}

/// Evolves policies from a set of primitives (the paper's 5.1.1).
///
/// `lessons` is named by `teacher` in checkpoints, so that none is continued with other lessons.
///
/// # Errors
/// If the settings make no sense, or the checkpoint cannot be used.
pub fn evolve(
    primitives: PrimitiveSet,
    fitness: Fitness,
    (teacher, lessons): (&str, &Lessons),
    (settings, seed): (Settings, Seed),
    checkpoint: Option<&Path>,
    watch: impl FnMut(&Evolution<Tree<Primitive>>),
) -> Result<Evolution<Tree<Primitive>>, CheckpointError> {
    let breeder = TreeBreeder { vocabulary: primitives.vocabulary(), shape: Shape::default() };
    let plan = Plan {
        problem: format!(
            "geister policy, {} primitives, {}, {teacher}",
            primitives.name(),
            fitness.name()
        ),
        settings,
        seed,
    };
    let good = |tree: &Tree<Primitive>| fitness.of(&Strategy::new(tree.clone()), lessons);
    plan.run(&breeder, good, checkpoint, watch)
}

/// Tunes the probabilities with which the moves of a policy are made (the paper's 5.1.2): one gene
/// for each, in the order of the text.
///
/// # Errors
/// If the settings make no sense, or the checkpoint cannot be used.
pub fn tune(
    strategy: &Strategy,
    fitness: Fitness,
    (teacher, lessons): (&str, &Lessons),
    (settings, seed): (Settings, Seed),
    checkpoint: Option<&Path>,
    watch: impl FnMut(&Evolution<Vec<f64>>),
) -> Result<Evolution<Vec<f64>>, CheckpointError> {
    let moves = strategy.tree().tokens().iter();
    let breeder = GenomeBreeder { length: moves.filter(|token| is_move(**token)).count() };
    let text = strategy.to_string();
    let plan = Plan {
        problem: format!(
            "geister probabilities, {}, {teacher}, {}",
            fitness.name(),
            text.split_whitespace().collect::<Vec<_>>().join(" ")
        ),
        settings,
        seed,
    };
    let good = |genes: &Vec<f64>| fitness.of(&with_chances(strategy, genes), lessons);
    plan.run(&breeder, good, checkpoint, watch)
}

/// A policy whose moves are made with these probabilities, to a thousandth; what has no
/// probability stays as it is.
#[must_use]
pub fn with_chances(strategy: &Strategy, probabilities: &[f64]) -> Strategy {
    let mut next = probabilities.iter();
    let tokens = strategy.tree().tokens().iter().map(|&token| match token {
        Primitive::Do(kind, chance) => {
            let given = next.next().copied().and_then(Chance::new);
            Primitive::Do(kind, given.unwrap_or(chance))
        }
        other => other,
    });
    let tree = Tree::new(tokens.collect(), Kind::Move);
    Strategy::new(tree.expect("only probabilities have changed"))
}

const fn is_move(token: Primitive) -> bool {
    matches!(token, Primitive::Do(..))
}
