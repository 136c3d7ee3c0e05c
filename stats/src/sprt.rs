//! The sequential probability ratio test: play until the result is plain, and no longer.

use crate::distribution::bisect;
use crate::{Score, score_of_elo};
use serde::Serialize;

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
    /// The error probabilities leave no room between the bounds.
    #[error("alpha = {0} and beta = {1} must be above 0 and together below 1")]
    Errors(f64, f64),
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
        Ok(Sprt { elo0, elo1, alpha, beta })
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
        let counts = [score.losses, score.draws, score.wins]
            .map(|count| if count == 0 { 1e-3 } else { count as f64 });
        let h0 = tilts(counts, score_of_elo(self.elo0));
        let h1 = tilts(counts, score_of_elo(self.elo1));
        counts
            .iter()
            .zip(h0.iter().zip(h1))
            .map(|(count, (tilt0, tilt1))| count * libm::log(tilt0 / tilt1))
            .sum()
    }

    /// The plain LLR of games that cannot be drawn (draws are left out).
    pub fn binomial_llr(&self, score: &Score) -> f64 {
        let gain =
            |sign: f64| libm::log(score_of_elo(sign * self.elo1) / score_of_elo(sign * self.elo0));
        score.wins as f64 * gain(1.0) + score.losses as f64 * gain(-1.0)
    }

    /// The GSPRT's LLR of the games so far, and what to do.
    pub fn status(&self, score: &Score) -> SprtStatus {
        self.judge(self.llr(score))
    }

    /// The plain LLR of the games so far (draws left out), and what to do.
    pub fn binomial_status(&self, score: &Score) -> SprtStatus {
        self.judge(self.binomial_llr(score))
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

/// By what each outcome's observed share must be divided to give the likeliest shares whose mean
/// is `mean`.
///
/// By Lagrange's multiplier the divisors are `1 + x (a − mean)`, where `a` is 0, ½ or 1 point and
/// `x` makes the mean right.
fn tilts(counts: [f64; 3], mean: f64) -> [f64; 3] {
    let off = [0.0 - mean, 0.5 - mean, 1.0 - mean];
    let excess = |x: f64| -> f64 {
        counts.iter().zip(off).map(|(count, off)| count * off / (1.0 + x * off)).sum()
    };
    // Between these ends all divisors are positive, and the excess falls from +∞ to −∞.
    let x = bisect(-1.0 / off[2], -1.0 / off[0], |x| excess(x) > 0.0);
    off.map(|off| 1.0 + x * off)
}
