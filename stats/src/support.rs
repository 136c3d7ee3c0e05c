//! Discrete distributions written out over their support.

/// The probabilities of `0..=last`, from the ratio of each to the one before.
///
/// `ratio(i)` is `P(i + 1) / P(i)`. The walk starts near the mode with weight 1 and underflows to
/// 0 in the tails, so no factorial is ever formed; then everything is divided by the sum.
pub(crate) fn probabilities(last: u64, mode: u64, ratio: impl Fn(f64) -> f64) -> Vec<f64> {
    let mut weights = vec![0.0; last as usize + 1];
    let mode = mode.min(last) as usize;
    weights[mode] = 1.0;
    for i in mode..last as usize {
        weights[i + 1] = weights[i] * ratio(i as f64);
    }
    for i in (0..mode).rev() {
        weights[i] = weights[i + 1] / ratio(i as f64);
    }
    let sum: f64 = weights.iter().sum();
    for weight in &mut weights {
        *weight /= sum;
    }
    weights
}
