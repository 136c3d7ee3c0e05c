use crate::{Confidence, Interval};

/// The percentile bootstrap: an interval for any statistic of a sample.
///
/// The sample is drawn anew `resamples` times with replacement, and the interval cuts the same
/// share off both ends of the statistics found. Two thousand resamples are usual. `below(n)` is the source of
/// randomness: a uniform number below `n`. `None` if the sample is empty, `resamples` is 0, or the
/// statistic was NaN or infinite for a resample.
///
/// ```
/// use oboro_core::Rng;
/// use oboro_stats::{Confidence, bootstrap, quantile};
/// let turns: Vec<f64> = (1..=99).map(f64::from).collect();
/// let median = |sample: &[f64]| quantile(sample, 0.5).unwrap();
/// let mut rng = Rng::from_u64(1);
/// let interval = bootstrap(&turns, 500, Confidence::P95, |n| rng.below(n), median).unwrap();
/// assert!(interval.contains(50.0) && interval.low > 30.0 && interval.high < 70.0);
/// ```
pub fn bootstrap<T: Clone>(
    sample: &[T],
    resamples: usize,
    confidence: Confidence,
    mut below: impl FnMut(usize) -> usize,
    mut statistic: impl FnMut(&[T]) -> f64,
) -> Option<Interval> {
    if sample.is_empty() {
        return None;
    }
    let mut resample = sample.to_vec();
    let mut found = Vec::with_capacity(resamples);
    for _ in 0..resamples {
        for slot in &mut resample {
            slot.clone_from(&sample[below(sample.len())]);
        }
        found.push(statistic(&resample));
    }
    let tail = confidence.alpha() / 2.0;
    Some(Interval { low: quantile(&found, tail)?, high: quantile(&found, 1.0 - tail)? })
}

/// The `p` quantile of a sample, interpolated between its neighbours (type 7, the default of
/// R and `NumPy`); `None` if the sample is empty, a value is not finite, or `p` not in 0 to 1.
pub fn quantile(sample: &[f64], p: f64) -> Option<f64> {
    let usable = (0.0..=1.0).contains(&p) && sample.iter().all(|value| value.is_finite());
    if sample.is_empty() || !usable {
        return None;
    }
    let mut sorted = sample.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let place = p * (sorted.len() - 1) as f64;
    let below = place.floor();
    let low = sorted[below as usize];
    let high = sorted[place.ceil() as usize];
    Some(low + (high - low) * (place - below))
}
