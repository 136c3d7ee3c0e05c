use crate::distribution::beta_quantile;
use crate::{Confidence, Interval};
use serde::Serialize;

/// How often something happened: `successes` of `n`.
///
/// ```
/// use oboro_stats::{Confidence, Rate};
/// let never = Rate::new(0, 20).unwrap();
/// assert_eq!(never.value(), Some(0.0));
/// assert!(never.wilson(Confidence::P95).high > 0.15); // twenty games do not prove "never"
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Rate {
    successes: u64,
    n: u64,
}

impl Rate {
    /// A rate, or `None` if there are more successes than trials.
    pub fn new(successes: u64, n: u64) -> Option<Rate> {
        (successes <= n).then_some(Rate { successes, n })
    }

    /// Counts one more trial.
    pub fn push(&mut self, success: bool) {
        self.successes += u64::from(success);
        self.n += 1;
    }

    /// Both samples taken together.
    #[must_use]
    pub fn merged(self, other: Rate) -> Rate {
        Rate { successes: self.successes + other.successes, n: self.n + other.n }
    }

    /// How many trials succeeded.
    pub fn successes(self) -> u64 {
        self.successes
    }

    /// How many trials did not succeed.
    pub fn failures(self) -> u64 {
        self.n - self.successes
    }

    /// How many trials there were.
    pub fn n(self) -> u64 {
        self.n
    }

    /// The share of successes, or `None` without trials.
    pub fn value(self) -> Option<f64> {
        (self.n > 0).then(|| self.successes as f64 / self.n as f64)
    }

    /// Wilson's score interval: covers close to its level at any rate, 0 and 1 included; without
    /// trials the whole of 0 to 1.
    pub fn wilson(self, confidence: Confidence) -> Interval {
        match self.value() {
            None => Interval { low: 0.0, high: 1.0 },
            Some(share) => wilson(share, self.n as f64, confidence),
        }
    }

    /// Clopper and Pearson's exact interval: never covers less than its level, and so is wider;
    /// without trials the whole of 0 to 1.
    pub fn clopper_pearson(self, confidence: Confidence) -> Interval {
        let (k, rest) = (self.successes as f64, self.failures() as f64);
        let tail = confidence.alpha() / 2.0;
        Interval {
            low: match self.successes {
                0 => 0.0,
                _ => beta_quantile(k, rest + 1.0, tail),
            },
            high: match self.failures() {
                0 => 1.0,
                _ => beta_quantile(k + 1.0, rest, 1.0 - tail),
            },
        }
    }
}

/// Wilson's interval of a share seen in trials whose squared distances from it add up to `squares`.
///
/// A trial that is all or nothing varies by `s(1−s)`; one that can be worth a part varies less. The trials are therefore
/// counted as often as all-or-nothing ones that would vary as much, where one more trial of full variance is added to
/// those seen, so that even trials that were all worth the same leave some doubt.
pub(crate) fn wilson_of_parts(
    share: f64,
    n: u64,
    squares: f64,
    confidence: Confidence,
) -> Interval {
    let full = share * (1.0 - share);
    let n = n as f64;
    // Values at the ends alone have their full variance, but for rounding.
    let is_full = full <= 0.0 || squares >= n * full * (1.0 - 1e-12);
    let trials = if is_full { n } else { n * full * (n + 1.0) / (squares + full) };
    wilson(share, trials, confidence)
}

/// Wilson's interval of a share seen in `n > 0` trials; `n` need not be whole.
pub(crate) fn wilson(share: f64, n: f64, confidence: Confidence) -> Interval {
    let z = confidence.z();
    let shrink = 1.0 + z * z / n;
    let centre = (share + z * z / (2.0 * n)) / shrink;
    let margin = z / shrink * (share * (1.0 - share) / n + z * z / (4.0 * n * n)).sqrt();
    Interval {
        // Exact at the ends, where rounding would leave a bound of 1e-17.
        low: if share <= 0.0 { 0.0 } else { (centre - margin).max(0.0) },
        high: if share >= 1.0 { 1.0 } else { (centre + margin).min(1.0) },
    }
}
