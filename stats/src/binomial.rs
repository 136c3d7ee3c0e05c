use crate::Rate;
use crate::distribution::{binomial_at_least, binomial_at_most, binomial_exactly};
use crate::support::probabilities;

/// Outcomes count as equally likely if their probabilities agree this closely.
const TIE: f64 = 1.0 + 1e-7;

/// The exact binomial test: how likely is an outcome no more likely than this one, if the true
/// rate is `p`? (The "minimum likelihood" two-sided p-value, as R and `SciPy` compute it.)
///
/// Without trials the answer is 1. `None` if `p` is no probability.
///
/// ```
/// use oboro_stats::{Rate, binomial_test};
/// let p = binomial_test(Rate::new(60, 100).unwrap(), 0.5).unwrap();
/// assert_eq!(format!("{p:.4}"), "0.0569");
/// ```
pub fn binomial_test(rate: Rate, p: f64) -> Option<f64> {
    if !(0.0..=1.0).contains(&p) {
        return None;
    }
    let (n, k) = (rate.n(), rate.successes());
    let mean = n as f64 * p;
    let limit = binomial_exactly(n, p, k) * TIE;
    let likely = |i: u64| binomial_exactly(n, p, i) > limit;
    // Probabilities rise up to the mean and fall beyond it, so the far tail is found by halving.
    let both = if (k as f64) < mean {
        let far = first(mean.ceil() as u64, n + 1, |i| !likely(i));
        binomial_at_most(n, p, k) + binomial_at_least(n, p, far)
    } else if k as f64 > mean {
        let near = first(0, mean.floor() as u64 + 1, likely);
        let far = near.checked_sub(1).map_or(0.0, |far| binomial_at_most(n, p, far));
        far + binomial_at_least(n, p, k)
    } else {
        1.0
    };
    Some(both.min(1.0))
}

/// The first number in `low..high` from which on `holds` is true, or `high`.
fn first(mut low: u64, mut high: u64, holds: impl Fn(u64) -> bool) -> u64 {
    while low < high {
        let middle = low + (high - low) / 2;
        if holds(middle) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    low
}

/// Fisher's exact test: the two-sided p-value for two rates being the same.
///
/// All ways to share the successes between the two samples that are no more likely than the one
/// seen are added up. It is 1 if either sample is empty. The work grows with the smaller of the
/// two counts, successes in all and size of the first sample.
///
/// ```
/// use oboro_stats::{Rate, fisher_exact};
/// let p = fisher_exact(Rate::new(8, 10).unwrap(), Rate::new(1, 6).unwrap());
/// assert_eq!(format!("{p:.4}"), "0.0350");
/// ```
pub fn fisher_exact(a: Rate, b: Rate) -> f64 {
    let (drawn, good, bad) = (a.n(), a.successes() + b.successes(), a.failures() + b.failures());
    // `a` can have got from `least` to `most` of the successes; `x` counts from `least`.
    let least = drawn.saturating_sub(bad);
    let most = drawn.min(good);
    let (least_f, drawn_f, good_f, bad_f) = (least as f64, drawn as f64, good as f64, bad as f64);
    let ratio = |x: f64| {
        let k = least_f + x;
        (good_f - k) / (k + 1.0) * ((drawn_f - k) / (bad_f - drawn_f + k + 1.0))
    };
    let mode = (drawn_f + 1.0) * (good_f + 1.0) / (good_f + bad_f + 2.0);
    let shares = probabilities(most - least, (mode as u64).saturating_sub(least), ratio);
    let limit = shares[(a.successes() - least) as usize] * TIE;
    let p: f64 = shares.iter().filter(|&&share| share <= limit).sum();
    p.min(1.0)
}
