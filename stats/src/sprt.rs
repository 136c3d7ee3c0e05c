//! The sequential probability ratio test: play until the result is plain, and no longer.

use crate::distribution::bisect;
use crate::{Moments, Score, Trials, elo_of_score, score_of_elo};
use serde::Serialize;

/// How often an outcome counts that was not seen: it is rare rather than impossible.
const UNSEEN: f64 = 1e-3;

/// No test asks about differences larger than this.
const LARGEST_ELO: f64 = 2000.0;

/// Wald's sequential test of two hypotheses on an Elo difference.
///
/// H0 says the first side is `elo0` stronger, H1 that it is `elo1` stronger. `alpha` is the chance
/// to accept H1 though H0 is true, `beta` the chance to accept H0 though H1 is true. The log
/// likelihood ratio (LLR) of the games so far is held against two bounds: at or below
/// `ln(β/(1−α))` H0 is accepted, at or above `ln((1−β)/α)` H1, and between them play goes on.
///
/// The bounds are Wald's, and with draws the LLR is an approximation for many games. In simulated
/// matches the errors could not be told from the promised ones where a test took a hundred games
/// or more; where four games in five are drawn and thirty decide, 12 % was seen for 10 % promised.
///
/// ```
/// use oboro_stats::{Decision, Score, Sprt};
/// let test = Sprt::new(0.0, 20.0, 0.05, 0.05).unwrap();
/// let so_far = test.status(&Score { wins: 420, draws: 300, losses: 280 });
/// assert_eq!(so_far.decision, Decision::AcceptH1);
/// ```
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Sprt {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    /// The Elo points of the fair share, which are nobody's strength.
    offset: f64,
}

/// What the games so far say.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Decision {
    /// The difference is `elo0` rather than `elo1`: stop.
    AcceptH0,
    /// The difference is `elo1` rather than `elo0`: stop.
    AcceptH1,
    /// Not yet decided: play on.
    Continue,
}

/// The log likelihood ratio between its bounds.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct SprtStatus {
    /// The log likelihood ratio of H1 to H0.
    pub llr: f64,
    /// Where H0 is accepted.
    pub lower: f64,
    /// Where H1 is accepted.
    pub upper: f64,
    /// What follows.
    pub decision: Decision,
}

/// The bounds asked for make no test.
#[derive(Clone, Copy, PartialEq, Debug, thiserror::Error)]
pub enum SprtError {
    /// The hypotheses are not two, or not in order.
    #[error("elo0 = {0} must be below elo1 = {1}, both between -2000 and 2000")]
    Elo(f64, f64),
    /// The means are not two, or not in order.
    #[error("the lower mean {0} must be below the higher {1}")]
    Means(f64, f64),
    /// The error probabilities leave no room between the bounds.
    #[error("alpha = {0} and beta = {1} must be above 0 and together below 1")]
    Errors(f64, f64),
    /// Nobody can be compared by such a share.
    #[error("a fair share of {0} must be above 0 and below 1")]
    Fair(f64),
}

impl Sprt {
    /// A test of `elo0` against `elo1` with error probabilities `alpha` and `beta` (0.05 each is
    /// usual).
    ///
    /// # Errors
    /// If `elo0` is not below `elo1`, either is beyond ±2000, or `alpha` and `beta` are not
    /// positive with a sum below 1.
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64) -> Result<Sprt, SprtError> {
        if !(-LARGEST_ELO <= elo0 && elo0 < elo1 && elo1 <= LARGEST_ELO) {
            return Err(SprtError::Elo(elo0, elo1));
        }
        if !(alpha > 0.0 && beta > 0.0 && alpha + beta < 1.0) {
            return Err(SprtError::Errors(alpha, beta));
        }
        Ok(Sprt { elo0, elo1, alpha, beta, offset: 0.0 })
    }

    /// The same test where equals make a share of `fair`, not a half: sides with more seats or fewer. See
    /// [`Trials::elo`].
    ///
    /// # Errors
    /// If `fair` is not strictly between 0 and 1.
    pub fn with_fair_share(self, fair: f64) -> Result<Sprt, SprtError> {
        let offset = elo_of_score(fair).ok_or(SprtError::Fair(fair))?;
        Ok(Sprt { offset, ..self })
    }

    /// The expected share under either hypothesis.
    fn shares(&self) -> [f64; 2] {
        [self.elo0, self.elo1].map(|elo| score_of_elo(elo + self.offset))
    }

    /// The LLR at or below which H0 is accepted.
    pub fn lower(&self) -> f64 {
        libm::log(self.beta / (1.0 - self.alpha))
    }

    /// The LLR at or above which H1 is accepted.
    pub fn upper(&self) -> f64 {
        libm::log((1.0 - self.beta) / self.alpha)
    }

    /// The generalised (GSPRT) LLR of wins, draws and losses, as chess testers use it.
    ///
    /// How often games are drawn is not part of either hypothesis. So for each hypothesis the
    /// likeliest shares of wins, draws and losses with the expected score it names are taken, and
    /// their likelihoods compared. An outcome not yet seen counts as a thousandth of a game, so
    /// that it is rare rather than impossible. Without games the ratio is 0.
    pub fn llr(&self, score: &Score) -> f64 {
        if score.n() == 0 {
            return 0.0;
        }
        let weight = |count: u64| if count == 0 { UNSEEN } else { count as f64 };
        let outcomes = [(0.0, score.losses), (0.5, score.draws), (1.0, score.wins)];
        self.llr_of(&outcomes.map(|(points, count)| (points, weight(count))))
    }

    /// The same for trials that are worth any part of a point, such as deals that were played several times.
    pub fn trials_llr(&self, trials: &Trials) -> f64 {
        if trials.n() == 0 {
            return 0.0;
        }
        let mut outcomes: Vec<(f64, f64)> =
            trials.values().map(|(points, count)| (points, count as f64)).collect();
        for end in [0.0, 1.0] {
            if !outcomes.iter().any(|(points, _)| *points == end) {
                outcomes.push((end, UNSEEN));
            }
        }
        self.llr_of(&outcomes)
    }

    /// The LLR of outcomes, each with its points and how often it occurred; both ends of 0 to 1 are among them.
    fn llr_of(&self, outcomes: &[(f64, f64)]) -> f64 {
        let [x0, x1] = self.shares().map(|mean| (mean, tilt(outcomes, mean)));
        let divisor = |(mean, x): (f64, f64), points: f64| 1.0 + x * (points - mean);
        outcomes
            .iter()
            .map(|(points, count)| count * libm::log(divisor(x0, *points) / divisor(x1, *points)))
            .sum()
    }

    /// The plain LLR of games that cannot be drawn (draws are left out).
    pub fn binomial_llr(&self, score: &Score) -> f64 {
        let chance = |elo: f64, sign: f64| score_of_elo(sign * (elo + self.offset));
        let gain = |sign: f64| libm::log(chance(self.elo1, sign) / chance(self.elo0, sign));
        score.wins as f64 * gain(1.0) + score.losses as f64 * gain(-1.0)
    }

    /// The GSPRT's LLR of the games so far, and what to do.
    pub fn status(&self, score: &Score) -> SprtStatus {
        self.judge(self.llr(score))
    }

    /// The LLR of the trials so far, and what to do.
    pub fn trials_status(&self, trials: &Trials) -> SprtStatus {
        self.judge(self.trials_llr(trials))
    }

    fn judge(&self, llr: f64) -> SprtStatus {
        let (lower, upper) = (self.lower(), self.upper());
        let decision = if llr <= lower {
            Decision::AcceptH0
        } else if llr >= upper {
            Decision::AcceptH1
        } else {
            Decision::Continue
        };
        SprtStatus { llr, lower, upper, decision }
    }
}

/// The sequential test of two hypotheses on a mean, such as a difference of payoffs: is it `low`, or `high`?
///
/// The likelihood ratio is that of normal values whose variance is not known: for each hypothesis the likeliest one is
/// taken. Below [`MeanSprt::LEAST`] values nothing is decided.
///
/// ```
/// use oboro_stats::{Decision, MeanSprt, Moments};
/// let test = MeanSprt::new(0.0, 0.5, 0.05, 0.05).unwrap();
/// let so_far = Moments::from_summary(400, 0.8, 4.0).unwrap();
/// assert_eq!(test.status(&so_far).decision, Decision::AcceptH1);
/// ```
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct MeanSprt {
    low: f64,
    high: f64,
    /// The test of anything with the same errors, whose bounds are these.
    errors: Sprt,
}

impl MeanSprt {
    /// The fewest values that are judged: the variance of fewer is hardly known.
    pub const LEAST: u64 = 16;

    /// A test with these hypotheses and error rates.
    ///
    /// # Errors
    /// If `low` is not below `high`, or the errors make no test.
    pub fn new(low: f64, high: f64, alpha: f64, beta: f64) -> Result<MeanSprt, SprtError> {
        if !(low < high && low.is_finite() && high.is_finite()) {
            return Err(SprtError::Means(low, high));
        }
        Ok(MeanSprt { low, high, errors: Sprt::new(0.0, 1.0, alpha, beta)? })
    }

    /// The LLR of the values so far, and what to do.
    pub fn status(&self, values: &Moments) -> SprtStatus {
        self.errors.judge(self.llr(values))
    }

    fn llr(&self, values: &Moments) -> f64 {
        let (Some(mean), Some(squares)) = (values.mean(), values.squares()) else { return 0.0 };
        if values.n() < MeanSprt::LEAST || squares <= 0.0 {
            return 0.0;
        }
        let n = values.n() as f64;
        let spread = |expected: f64| squares / n + (mean - expected).powi(2);
        n / 2.0 * libm::log(spread(self.low) / spread(self.high))
    }
}

/// By what each outcome's observed share must be divided to give the likeliest shares whose mean
/// is `mean`: by Lagrange's multiplier the divisors are `1 + x (a − mean)`, where `a` are the outcome's points. This
/// is the `x` that makes the mean right.
fn tilt(outcomes: &[(f64, f64)], mean: f64) -> f64 {
    let excess = |x: f64| -> f64 {
        let off = |points: f64| points - mean;
        outcomes.iter().map(|(a, count)| count * off(*a) / (1.0 + x * off(*a))).sum()
    };
    // Between these ends all divisors are positive, and the excess falls from +∞ to −∞.
    bisect(-1.0 / (1.0 - mean), 1.0 / mean, |x| excess(x) > 0.0)
}

#[cfg(test)]
mod mean_tests {
    use super::*;

    /// A stream of numbers that are not normal at all: most deals are small, one in twenty is large.
    fn values(seed: u64, mean: f64) -> impl Iterator<Item = f64> {
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        std::iter::repeat_with(move || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            let unit = (state >> 11) as f64 / (1u64 << 53) as f64;
            let size = if state.is_multiple_of(20) { 12.0 } else { 2.0 };
            mean + size * (2.0 * unit - 1.0)
        })
    }

    #[test]
    fn errors_are_as_promised() {
        let test = MeanSprt::new(0.0, 0.5, 0.05, 0.05).unwrap();
        for (mean, wrong) in [(0.0, Decision::AcceptH1), (0.5, Decision::AcceptH0)] {
            let decide = |seed: u64| {
                let mut so_far = Moments::default();
                for value in values(seed, mean) {
                    so_far.push(value);
                    let decision = test.status(&so_far).decision;
                    if decision != Decision::Continue {
                        return decision;
                    }
                }
                unreachable!("the stream has no end");
            };
            let errors = (1..=1000).filter(|&seed| decide(seed) == wrong).count();
            // 50 are promised; 21 are three standard deviations.
            assert!(errors <= 71, "{errors} of 1000 at {mean}");
        }
    }

    #[test]
    fn few_values_and_values_without_variance_decide_nothing() {
        let test = MeanSprt::new(0.0, 1.0, 0.05, 0.05).unwrap();
        let few: Moments = [5.0, 6.0, 5.0].into_iter().collect();
        let same: Moments = [5.0; 50].into_iter().collect();
        assert_eq!(test.status(&few).decision, Decision::Continue);
        assert_eq!(test.status(&same).decision, Decision::Continue);
        assert!(MeanSprt::new(1.0, 0.0, 0.05, 0.05).is_err());
    }
}
