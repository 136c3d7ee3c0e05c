use crate::distribution::incomplete_beta;
use crate::{Confidence, Interval};
use serde::Serialize;

/// How closely two quantities follow a straight line.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Correlation {
    /// Pearson's coefficient, from −1 to 1.
    pub r: f64,
    /// How many pairs.
    pub n: u64,
    /// The p-value of no correlation.
    pub p: f64,
    /// Fisher's z interval for the true coefficient; −1 to 1 for three pairs.
    pub interval: Interval,
}

/// Pearson's correlation of pairs.
///
/// `None` if the lengths differ, there are fewer than three pairs, either side does not vary, or a
/// value is not finite.
///
/// ```
/// use oboro_stats::{Confidence, pearson};
/// let found = pearson(&[1.0, 2.0, 3.0, 4.0], &[1.0, 3.0, 2.0, 4.0], Confidence::P95).unwrap();
/// assert!((found.r - 0.8).abs() < 1e-15);
/// assert!(found.interval.contains(0.0)); // four pairs are few
/// ```
pub fn pearson(x: &[f64], y: &[f64], confidence: Confidence) -> Option<Correlation> {
    if x.len() != y.len() || x.len() < 3 {
        return None;
    }
    let n = x.len() as f64;
    let mean_x = x.iter().sum::<f64>() / n;
    let mean_y = y.iter().sum::<f64>() / n;
    let (mut xx, mut xy, mut yy) = (0.0, 0.0, 0.0);
    for (x, y) in x.iter().zip(y) {
        let (dx, dy) = (x - mean_x, y - mean_y);
        xx += dx * dx;
        xy += dx * dy;
        yy += dy * dy;
    }
    let r = xy / (xx.sqrt() * yy.sqrt());
    if !r.is_finite() {
        return None;
    }
    let r = r.clamp(-1.0, 1.0);
    // t² = r² (n − 2) / (1 − r²) in Student's distribution is the same as this in the beta's.
    let p = incomplete_beta(n / 2.0 - 1.0, 0.5, (1.0 - r) * (1.0 + r), r * r).0;
    let interval = if x.len() == 3 {
        Interval { low: -1.0, high: 1.0 }
    } else {
        // At ±1 the arc tangent is infinite and both ends come back as ±1.
        let z = Interval::around(libm::atanh(r), confidence.z() / (n - 3.0).sqrt());
        Interval { low: libm::tanh(z.low), high: libm::tanh(z.high) }
    };
    Some(Correlation { r, n: x.len() as u64, p, interval })
}
