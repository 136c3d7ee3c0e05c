use crate::distribution::{normal_critical, t_critical};
use serde::Serialize;

/// A range of values, both ends included.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Interval {
    /// The interval that reaches `margin` to both sides of `centre`.
    pub fn around(centre: f64, margin: f64) -> Interval {
        Interval { low: centre - margin, high: centre + margin }
    }

    /// Whether `value` lies in the interval or on its ends.
    pub fn contains(&self, value: f64) -> bool {
        self.low <= value && value <= self.high
    }

    /// The interval with both ends moved outwards by `margin`.
    #[must_use]
    pub fn widened(&self, margin: f64) -> Interval {
        Interval { low: self.low - margin, high: self.high + margin }
    }
}

/// How sure an interval is to cover the truth: a number strictly between 0 and 1.
///
/// ```
/// use oboro_stats::Confidence;
/// assert_eq!(Confidence::default(), Confidence::P95);
/// assert!(Confidence::new(95.0).is_none());
/// ```
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[serde(transparent)]
pub struct Confidence(f64);

impl Confidence {
    /// 95 %, the level of everything the lab prints.
    pub const P95: Confidence = Confidence(0.95);

    /// A level strictly between 0 and 1, or `None`.
    pub fn new(level: f64) -> Option<Confidence> {
        (level > 0.0 && level < 1.0).then_some(Confidence(level))
    }

    /// The level, such as 0.95.
    pub fn level(self) -> f64 {
        self.0
    }

    /// What remains outside the interval, on both sides together, such as 0.05.
    pub fn alpha(self) -> f64 {
        1.0 - self.0
    }

    /// How many standard errors a normal interval reaches to each side: 1.96 for 95 %.
    pub fn z(self) -> f64 {
        normal_critical(self.alpha())
    }

    /// The same for Student's t with `df` degrees of freedom.
    pub fn t(self, df: f64) -> f64 {
        t_critical(df, self.alpha())
    }
}

impl Default for Confidence {
    fn default() -> Confidence {
        Confidence::P95
    }
}

/// What a test found.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct TestResult {
    /// The test statistic: t or χ².
    pub statistic: f64,
    /// Degrees of freedom; Welch's are seldom whole.
    pub df: f64,
    /// The probability of a statistic at least as extreme if nothing but chance is at work.
    pub p: f64,
}
