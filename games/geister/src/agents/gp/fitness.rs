//! What makes a policy good.

use super::strategy::Strategy;
use super::training_set::TrainingSet;
use oboro_core::Rng;

/// What makes a policy good.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fitness {
    /// The probability of making the teacher's move.
    Agreement,
    /// The expected value of the move less that of the teacher's; better moves count too.
    Loss {
        /// No difference counts more than this, for better or worse. A won or lost game is worth
        /// 10⁸ to the teacher, beside which nothing else would count.
        bound: u32,
    },
    /// The same, but moves better than the teacher's count nothing.
    ClippedLoss {
        /// No difference counts more than this.
        bound: u32,
    },
}

impl Fitness {
    /// The bound of a loss with which the conditions of the paper's losses come out.
    pub const BOUND: u32 = 5000;

    /// Its name on command lines and in files.
    pub const fn name(self) -> &'static str {
        match self {
            Fitness::Agreement => "agreement",
            Fitness::Loss { .. } => "loss",
            Fitness::ClippedLoss { .. } => "clipped-loss",
        }
    }

    /// How good a policy is by one move drawn in every position; more is better.
    pub(crate) fn drawn(self, strategy: &Strategy, examples: &TrainingSet, rng: &mut Rng) -> f64 {
        let within = |bound: u32, most: i64| {
            move |_: bool, difference: i64| difference.clamp(-i64::from(bound), most) as f64
        };
        match self {
            Fitness::Agreement => {
                examples.mean_drawn(strategy, rng, |same, _| f64::from(u8::from(same)))
            }
            Fitness::Loss { bound } => {
                examples.mean_drawn(strategy, rng, within(bound, bound.into()))
            }
            Fitness::ClippedLoss { bound } => examples.mean_drawn(strategy, rng, within(bound, 0)),
        }
    }

    /// How good a policy is; more is better.
    pub fn of(self, strategy: &Strategy, examples: &TrainingSet) -> f64 {
        match self {
            Fitness::Agreement => examples.agreement(strategy),
            Fitness::Loss { bound } => {
                examples.mean_loss(strategy, -i64::from(bound)..=bound.into())
            }
            Fitness::ClippedLoss { bound } => examples.mean_loss(strategy, -i64::from(bound)..=0),
        }
    }
}
