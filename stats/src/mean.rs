use crate::distribution::t_two_sided;
use crate::rate::wilson_of_parts;
use crate::{Confidence, Interval, Moments, TestResult};
use serde::Serialize;

/// A sample mean with its uncertainty.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct MeanEstimate {
    /// The sample mean.
    pub mean: f64,
    /// The sample standard deviation; `None` for a single value.
    pub sd: Option<f64>,
    /// How many values.
    pub n: u64,
    /// Student's interval for the true mean; `None` for a single value.
    pub interval: Option<Interval>,
}

impl Moments {
    /// The mean with Student's t interval; `None` without values or if one was not finite.
    ///
    /// ```
    /// use oboro_stats::{Confidence, Moments};
    /// let turns: Moments = [31.0, 28.0, 35.0, 30.0].into_iter().collect();
    /// let estimate = turns.estimate(Confidence::P95).unwrap();
    /// let interval = estimate.interval.unwrap();
    /// assert_eq!(format!("{} ({:.1} to {:.1})", estimate.mean, interval.low, interval.high),
    ///            "31 (26.3 to 35.7)");
    /// ```
    pub fn estimate(&self, confidence: Confidence) -> Option<MeanEstimate> {
        let mean = self.mean()?;
        let sd = self.sd();
        let interval = sd.map(|sd| {
            let error = sd / (self.n() as f64).sqrt();
            Interval::around(mean, error * confidence.t((self.n() - 1) as f64))
        });
        Some(MeanEstimate { mean, sd, n: self.n(), interval })
    }

    /// The interval of a mean of values that can only lie in `range`, as points of a game do: it never leaves the
    /// range, and it has a width even if all values were the same.
    ///
    /// It is Wilson's interval of the mean as a share of the range, with as many all-or-nothing trials as would vary as
    /// much as the values did, one of full variance added. Of values that are all at the ends of the range it is exactly
    /// Wilson's; of many values well inside it is close to Student's. `None` without values or if one was not finite or
    /// not in the range.
    ///
    /// ```
    /// use oboro_stats::{Confidence, Interval, Moments};
    /// // Ten deals of two games each; one game was lost.
    /// let deals: Moments = [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.5].into_iter().collect();
    /// let range = Interval { low: 0.0, high: 1.0 };
    /// let interval = deals.within(range, Confidence::P95).unwrap();
    /// assert_eq!(format!("{:.3} to {:.3}", interval.low, interval.high), "0.758 to 0.991");
    /// ```
    pub fn within(&self, range: Interval, confidence: Confidence) -> Option<Interval> {
        let (mean, width) = (self.mean()?, range.high - range.low);
        if !(width > 0.0 && width.is_finite() && range.contains(mean)) {
            return None;
        }
        let squares = self.squares()? / (width * width);
        let shares = wilson_of_parts((mean - range.low) / width, self.n(), squares, confidence);
        let scaled = |share: f64| (range.low + share * width).clamp(range.low, range.high);
        Some(Interval { low: scaled(shares.low), high: scaled(shares.high) })
    }

    /// Student's one-sample test of the mean against `expected`; `None` below two values, if they
    /// are all the same, or if one was not finite.
    pub fn t_test(&self, expected: f64) -> Option<TestResult> {
        let error = (self.variance()? / self.n() as f64).sqrt();
        t_test(self.mean()? - expected, error, (self.n() - 1) as f64)
    }
}

/// How much two means differ, and whether that can be chance.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Difference {
    /// The first mean less the second.
    pub difference: f64,
    /// The interval for the true difference.
    pub interval: Interval,
    /// The test of no difference.
    pub test: TestResult,
}

/// Welch's t: two independent samples whose variances may differ.
///
/// `None` if either sample has fewer than two values, if neither varies, or if a value was not
/// finite. Printed summaries can be compared too, with [`Moments::from_summary`].
///
/// ```
/// use oboro_stats::{Confidence, Moments, welch};
/// let ours = Moments::from_summary(1000, 2.31, 1.10).unwrap();
/// let theirs = Moments::from_summary(1000, 2.45, 1.12).unwrap();
/// let found = welch(&ours, &theirs, Confidence::P95).unwrap();
/// assert_eq!(format!("t = {:.2}, p = {:.4}", found.test.statistic, found.test.p),
///            "t = -2.82, p = 0.0048");
/// ```
pub fn welch(a: &Moments, b: &Moments, confidence: Confidence) -> Option<Difference> {
    let (share_a, share_b) = (a.variance()? / a.n() as f64, b.variance()? / b.n() as f64);
    let square = share_a + share_b;
    // Satterthwaite's degrees of freedom, in shares so that nothing underflows.
    let (part_a, part_b) = (share_a / square, share_b / square);
    let df = 1.0 / (part_a * part_a / (a.n() - 1) as f64 + part_b * part_b / (b.n() - 1) as f64);
    difference(a.mean()? - b.mean()?, square.sqrt(), df, confidence)
}

/// Student's t of paired values: the same deals, or the same positions, under two agents.
///
/// `None` if the lengths differ, there are fewer than two pairs, all differences are the same, or
/// a value is not finite.
///
/// ```
/// use oboro_stats::{Confidence, paired};
/// let found = paired(&[12.0, 9.0, 15.0], &[10.0, 8.0, 12.0], Confidence::P95).unwrap();
/// assert_eq!(found.difference, 2.0);
/// assert!(found.interval.contains(0.0)); // three pairs are few
/// ```
pub fn paired(a: &[f64], b: &[f64], confidence: Confidence) -> Option<Difference> {
    if a.len() != b.len() {
        return None;
    }
    let differences: Moments = a.iter().zip(b).map(|(a, b)| a - b).collect();
    let error = (differences.variance()? / differences.n() as f64).sqrt();
    let df = (differences.n() - 1) as f64;
    difference(differences.mean()?, error, df, confidence)
}

fn difference(difference: f64, error: f64, df: f64, confidence: Confidence) -> Option<Difference> {
    Some(Difference {
        difference,
        test: t_test(difference, error, df)?,
        interval: Interval::around(difference, error * confidence.t(df)),
    })
}

fn t_test(difference: f64, error: f64, df: f64) -> Option<TestResult> {
    let statistic = difference / error;
    (error > 0.0 && statistic.is_finite()).then(|| TestResult {
        statistic,
        df,
        p: t_two_sided(df, statistic),
    })
}
