use crate::Confidence;
use crate::distribution::binomial_at_least;
use serde::Serialize;

/// Holm's correction: p-values adjusted so that, compared with 0.05, the chance of even one false
/// alarm among them stays below 5 %.
///
/// The order is kept. NaN counts as 1: a test that could not be made found nothing.
///
/// ```
/// use oboro_stats::holm;
/// assert_eq!(holm(&[0.25, 0.0625, 0.5]), [0.5, 0.1875, 0.5]);
/// ```
pub fn holm(p_values: &[f64]) -> Vec<f64> {
    let (order, mut adjusted) = ascending(p_values);
    let mut least: f64 = 0.0;
    for (rank, &i) in order.iter().enumerate() {
        least = least.max(adjusted[i] * (order.len() - rank) as f64).min(1.0);
        adjusted[i] = least;
    }
    adjusted
}

/// Benjamini and Hochberg's correction: p-values adjusted so that, compared with 0.05, at most
/// 5 % of the findings are expected to be false.
///
/// The order is kept. NaN counts as 1.
///
/// ```
/// use oboro_stats::benjamini_hochberg;
/// assert_eq!(benjamini_hochberg(&[0.25, 0.0625, 0.5]), [0.375, 0.1875, 0.5]);
/// ```
pub fn benjamini_hochberg(p_values: &[f64]) -> Vec<f64> {
    let (order, mut adjusted) = ascending(p_values);
    let mut most: f64 = 1.0;
    for (rank, &i) in order.iter().enumerate().rev() {
        most = most.min(adjusted[i] * order.len() as f64 / (rank + 1) as f64);
        adjusted[i] = most;
    }
    adjusted
}

/// The places of the p-values in ascending order, and the p-values without NaN.
fn ascending(p_values: &[f64]) -> (Vec<usize>, Vec<f64>) {
    let clean: Vec<f64> =
        p_values.iter().map(|p| if p.is_nan() { 1.0 } else { p.clamp(0.0, 1.0) }).collect();
    let mut order: Vec<usize> = (0..clean.len()).collect();
    order.sort_by(|&i, &j| clean[i].total_cmp(&clean[j]));
    (order, clean)
}

/// How many of many numbers fell outside their intervals, against what chance alone would do.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct OutsideIntervals {
    /// How many numbers were compared.
    pub cells: u64,
    /// How many lay outside.
    pub outside: u64,
    /// How many would lie outside on average if everything agreed.
    pub expected: f64,
    /// The probability of at least as many outside if everything agreed.
    pub p: f64,
}

/// Judges a whole table of verdicts: of `cells` intervals at `confidence`, `outside` were missed.
///
/// The cells are taken as independent. If they are not (rows that add up to 100 %), misses come in
/// clusters and `p` is too small.
///
/// ```
/// use oboro_stats::{Confidence, outside_by_chance};
/// let table = outside_by_chance(40, 3, Confidence::P95);
/// assert_eq!(format!("{:.1} expected, p = {:.2}", table.expected, table.p),
///            "2.0 expected, p = 0.32");
/// ```
pub fn outside_by_chance(cells: u64, outside: u64, confidence: Confidence) -> OutsideIntervals {
    OutsideIntervals {
        cells,
        outside,
        expected: cells as f64 * confidence.alpha(),
        p: binomial_at_least(cells, confidence.alpha(), outside),
    }
}
