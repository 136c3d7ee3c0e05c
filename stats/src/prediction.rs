//! Verdicts on published numbers: what should a paper have found, if our result is the truth?
//!
//! A published figure rests on a sample of its own and was rounded when printed. It agrees with
//! ours if it lies where a sample of *its* size, drawn from what *our* games showed, is expected
//! to fall, allowing for half a step of the last printed digit. Both samples' chance is counted:
//! with a million games of ours, a paper's hundred games still may miss by much.

use crate::support::probabilities;
use crate::{Confidence, Correlation, Interval, Moments};

/// The largest published sample that is distinguished from an infinite one.
const LARGEST: u64 = 1_000_000;

/// Where a published mean of `published_n` games, printed in steps of `step`, should lie:
/// `m ± z·s·√(1/n + 1/k)`, widened by half a step.
///
/// `None` if we have fewer than two values, one was not finite, or `published_n` is 0. A step that
/// is negative or not finite counts as 0.
///
/// ```
/// use oboro_stats::{Confidence, Moments, predict_mean};
/// let ours = Moments::from_summary(10_000, 31.4, 8.0).unwrap();
/// let expected = predict_mean(&ours, 100, 0.1, Confidence::P95).unwrap();
/// assert!(expected.contains(32.9)); // the paper's 100 games may well have missed by 1.5
/// assert!(!expected.contains(33.1));
/// ```
pub fn predict_mean(
    ours: &Moments,
    published_n: u64,
    step: f64,
    confidence: Confidence,
) -> Option<Interval> {
    if published_n == 0 {
        return None;
    }
    let error = ours.sd()? * (1.0 / ours.n() as f64 + 1.0 / published_n as f64).sqrt();
    Some(Interval::around(ours.mean()?, confidence.z() * error).widened(half(step)))
}

/// Where a published rate of `published_n` games, printed in steps of `step`, should lie.
///
/// Our games leave the true rate a beta distribution (Jeffreys' prior: half a success and half a
/// failure beforehand), and the paper's count given the rate is binomial: together the
/// beta-binomial distribution, whose `alpha / 2` and `1 − alpha / 2` quantiles, divided by
/// `published_n` and widened by half a step, are the answer. It behaves at rates of 0 and 1, where
/// the normal formula would leave no room at all. Samples above a million count as a million.
///
/// `None` if `published_n` is 0. A step that is negative or not finite counts as 0.
///
/// Successes and failures need not be whole: those of games that share deals are worth fewer than they are. `None` too if
/// either is negative or not finite.
///
/// ```
/// use oboro_stats::{Confidence, predict_share};
/// let expected = predict_share((0.0, 1000.0), 100, 0.01, Confidence::P95).unwrap();
/// assert!(expected.contains(0.01)); // one surprise in the paper's 100 games is no contradiction
/// assert!(!expected.contains(0.03));
/// ```
pub fn predict_share(
    (successes, failures): (f64, f64),
    published_n: u64,
    step: f64,
    confidence: Confidence,
) -> Option<Interval> {
    let is_count = |count: f64| count >= 0.0 && count.is_finite();
    if published_n == 0 || !is_count(successes) || !is_count(failures) {
        return None;
    }
    let (a, b) = (successes + 0.5, failures + 0.5);
    let trials = published_n.min(LARGEST);
    let k = trials as f64;
    let ratio = |y: f64| (k - y) * (y + a) / ((y + 1.0) * (k - y - 1.0 + b));
    // With Jeffreys' prior alone the two ends are the likeliest; any start will do then.
    let chances = probabilities(trials, (k * (a / (a + b))) as u64, ratio);
    let tail = confidence.alpha() / 2.0;
    let share = |p: f64| quantile(&chances, p) as f64 / k;
    let interval = Interval { low: share(tail), high: share(1.0 - tail) };
    Some(interval.widened(half(step)))
}

/// Where a published correlation of `published_n` pairs, printed in steps of `step`, should lie:
/// Fisher's z of ours `± z·√(1/(n − 3) + 1/(k − 3))`, turned back and widened by half a step.
///
/// `None` for three pairs or fewer on either side. A step that is negative or not finite counts as 0.
///
/// ```
/// use oboro_stats::{Confidence, pearson, predict_correlation};
/// let ours = pearson(&[1.0, 2.0, 3.0, 4.0], &[1.0, 3.0, 2.0, 4.0], Confidence::P95).unwrap();
/// let expected = predict_correlation(ours, 30, 0.001, Confidence::P95).unwrap();
/// assert!(expected.contains(0.0)); // four pairs say little
/// ```
pub fn predict_correlation(
    ours: Correlation,
    published_n: u64,
    step: f64,
    confidence: Confidence,
) -> Option<Interval> {
    if ours.n <= 3 || published_n <= 3 {
        return None;
    }
    let error = (1.0 / (ours.n as f64 - 3.0) + 1.0 / (published_n as f64 - 3.0)).sqrt();
    let z = Interval::around(libm::atanh(ours.r), confidence.z() * error);
    Some(Interval { low: libm::tanh(z.low), high: libm::tanh(z.high) }.widened(half(step)))
}

/// The first outcome up to which the probabilities add to at least `p`.
fn quantile(chances: &[f64], p: f64) -> usize {
    let mut sum = 0.0;
    chances
        .iter()
        .position(|chance| {
            sum += chance;
            sum >= p
        })
        .unwrap_or(chances.len() - 1)
}

fn half(step: f64) -> f64 {
    if step.is_finite() { step.max(0.0) / 2.0 } else { 0.0 }
}
