//! Reconstruction by inference: what a paper leaves open is a parameter, what it printed is evidence.
//!
//! A paper's folder names its open [`Choices`]. A *reading* gives each of them a value. Readings are judged in stages
//! (successive halving): all of them by few games, the best of them by more, by χ² over the printed numbers that are for
//! fitting. The reading that the experiment itself plays is judged in every stage, however it fits. The last stage gives
//! every reading a weight, prior × exp(−χ²/2R²). R is Birge's ratio: where even the best reading is farther off than chance
//! explains, all errors are widened until it is not.
//!
//! The best readings then play games that judged nobody. From those, each printed number, those held out included, gets
//! its predictive probability. What comes out is *inferred*: a statement about the readings that were tried.

mod choices;
mod inference;
mod judge;
mod plan;

pub use choices::Choices;
pub use inference::{
    ChoicePosterior, Fit, Identification, Inference, NumberReport, PlayedReading, ReadingReport,
    StageReport, ValuePosterior,
};
pub use judge::Inferring;
pub use plan::InferencePlan;
