//! Intervals, tests, ratings and verdicts: every number with its uncertainty.
//!
//! | question | answer |
//! |---|---|
//! | how often does it win? | [`Rate::wilson`], [`Rate::clopper_pearson`] |
//! | is a rate the one expected? are two rates the same? | [`binomial_test`], [`fisher_exact`] |
//! | do counts follow a distribution? | [`chi_square_fit`] |
//! | what is the mean? do two means differ? | [`Moments::estimate`], [`Moments::within`], [`welch`], [`paired`] |
//! | an interval for any other statistic | [`bootstrap`] |
//! | what if values come in clusters? | [`design_effect`], [`Moments::thinned`] |
//! | do two quantities go together? | [`pearson`] |
//! | who is stronger, and by how much? | [`Score::elo`], [`Trials::elo`], [`CrossTable::ratings`], [`Sprt`] |
//! | does a published number agree with ours? | [`predict_mean`], [`predict_share`], [`predict_correlation`] |
//! | and with many numbers at once? | [`holm`], [`benjamini_hochberg`], [`outside_by_chance`] |
//!
//! # Conventions
//! - No function here panics or returns NaN or an infinity for data that is empty, constant or
//!   too small: what cannot be said is `None`, and each item says when.
//! - Tests are two-sided unless their name says otherwise.
//! - Everything is computed from [`libm`] and IEEE arithmetic, so that the same data gives the
//!   same bits on every machine.
//!
//! ```
//! use oboro_stats::{Confidence, Rate};
//!
//! let won = Rate::new(57, 100).unwrap();
//! let interval = won.wilson(Confidence::P95);
//! assert_eq!(format!("{:.3} to {:.3}", interval.low, interval.high), "0.472 to 0.663");
//! ```
#![forbid(unsafe_code)]

mod binomial;
mod bootstrap;
mod bradley_terry;
mod cluster;
mod correlation;
pub mod distribution;
mod fit;
mod interval;
mod mean;
mod moments;
mod multiplicity;
mod payoff_ratings;
mod prediction;
mod rate;
mod score;
mod sprt;
mod support;
#[cfg(test)]
mod tests;
mod trials;

pub use binomial::{binomial_test, fisher_exact};
pub use bootstrap::{bootstrap, quantile};
pub use bradley_terry::{CrossTable, Rating, Ratings};
pub use cluster::design_effect;
pub use correlation::{Correlation, pearson};
pub use fit::chi_square_fit;
pub use interval::{Confidence, Interval, TestResult};
pub use mean::{Difference, MeanEstimate, paired, welch};
pub use moments::Moments;
pub use multiplicity::{OutsideIntervals, benjamini_hochberg, holm, outside_by_chance};
pub use payoff_ratings::{PayoffRating, PayoffRatings, PayoffTable};
pub use prediction::{predict_correlation, predict_mean, predict_share};
pub use rate::Rate;
pub use score::{Elo, Score, elo_of_score, score_of_elo};
pub use sprt::{Decision, MeanSprt, Sprt, SprtError, SprtStatus};
pub use trials::Trials;
