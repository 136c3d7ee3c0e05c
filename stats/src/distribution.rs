//! The distributions the tests rest on: normal, Student's t, χ², beta and binomial.
//!
//! They are written here rather than taken from `statrs` 0.19, whose continued fraction for the
//! incomplete beta function stops after 140 terms and whose quantiles stop early: its 97.5 % point
//! of t with 100 000 degrees of freedom is wrong in the sixth digit (1.959 981 for 1.959 988), and
//! so is, in the seventh, the Clopper–Pearson bound of 1 in 1 000 000. It also calls the
//! platform's `ln` and `exp`, which differ between machines in the last bit.
//!
//! The common trick is Loader's: binomial and Poisson terms are computed from the *deviance*, in
//! which the huge logarithms of factorials have already been cancelled on paper.

use std::f64::consts::{PI, SQRT_2};

/// Where continued fractions and series have converged.
const EPSILON: f64 = 1e-16;
/// More terms than any sample of the lab needs (they grow as the square root of its size).
const MAX_TERMS: u32 = 100_000;

/// What Stirling's formula misses of `ln n!`.
fn stirling_error(n: f64) -> f64 {
    if n < 15.0 {
        return libm::lgamma(n + 1.0) - (n + 0.5) * libm::log(n) + n - 0.5 * libm::log(2.0 * PI);
    }
    let m = 1.0 / (n * n);
    (1.0 / 12.0 - (1.0 / 360.0 - (1.0 / 1260.0 - (1.0 / 1680.0 - m / 1188.0) * m) * m) * m) / n
}

/// The deviance `x ln(x/m) + m − x`, without cancellation where `x` is near `m`.
fn deviance(x: f64, m: f64) -> f64 {
    if (x - m).abs() >= 0.1 * (x + m) {
        return x * libm::log(x / m) + m - x;
    }
    let v = (x - m) / (x + m);
    let mut sum = (x - m) * v;
    let mut power = 2.0 * x * v;
    for odd in (3..).step_by(2) {
        power *= v * v;
        sum += power / f64::from(odd);
        if power.abs() <= sum * EPSILON {
            break;
        }
    }
    sum
}

/// `x^a y^b / B(a, b)` for `y = 1 − x`.
fn beta_front(a: f64, b: f64, x: f64, y: f64) -> f64 {
    let n = a + b;
    let exponent = stirling_error(n)
        - stirling_error(a)
        - stirling_error(b)
        - deviance(a, n * x)
        - deviance(b, n * y);
    (a * (b / n) / (2.0 * PI)).sqrt() * libm::exp(exponent)
}

/// Lentz's evaluation of the continued fraction `1/(1 + c₁/(1 + c₂/(1 + …)))`.
fn continued_fraction(coefficient: impl Fn(u32) -> f64) -> f64 {
    let safe = |x: f64| if x.abs() < 1e-300 { 1e-300 } else { x };
    let (mut c, mut d, mut value) = (1.0, 0.0, 1.0);
    for term in 1..MAX_TERMS {
        let k = coefficient(term);
        d = 1.0 / safe(1.0 + k * d);
        c = safe(1.0 + k / c);
        value *= c * d;
        if (c * d - 1.0).abs() <= EPSILON {
            break;
        }
    }
    1.0 / value
}

/// The regularised incomplete beta function `I_x(a, b)` and its complement, each precise in its
/// own tail; `y = 1 − x` is given apart, so that neither end loses digits. Needs `a, b > 0`.
///
/// ```
/// use oboro_stats::distribution::incomplete_beta;
/// let (lower, upper) = incomplete_beta(1.0, 3.0, 0.5, 0.5);
/// assert!((lower - 0.875).abs() < 1e-15 && (upper - 0.125).abs() < 1e-15);
/// ```
pub fn incomplete_beta(a: f64, b: f64, x: f64, y: f64) -> (f64, f64) {
    // The fraction converges fast below the mean; above it the roles are exchanged.
    if x <= (a + 1.0) / (a + b + 2.0) {
        let lower = lower_beta(a, b, x, y);
        (lower, 1.0 - lower)
    } else {
        let upper = lower_beta(b, a, y, x);
        (1.0 - upper, upper)
    }
}

/// `I_x(a, b)` by its continued fraction.
fn lower_beta(a: f64, b: f64, x: f64, y: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    let coefficient = |term: u32| {
        let m = f64::from(term / 2);
        if term.is_multiple_of(2) {
            m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m))
        } else {
            -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0))
        }
    };
    (beta_front(a, b, x, y) / a * continued_fraction(coefficient)).clamp(0.0, 1.0)
}

/// The probability that χ² with `df` degrees of freedom is at least `x`. Needs `df > 0`.
pub fn chi_square_upper(df: f64, x: f64) -> f64 {
    if x <= 0.0 {
        return 1.0;
    }
    let (a, x) = (df / 2.0, x / 2.0);
    let front = libm::exp(-stirling_error(a) - deviance(a, x)) / (2.0 * PI * a).sqrt();
    if x < a + 1.0 {
        let (mut term, mut sum) = (1.0, 1.0);
        for k in 1..MAX_TERMS {
            term *= x / (a + f64::from(k));
            sum += term;
            if term <= sum * EPSILON {
                break;
            }
        }
        return (1.0 - front * sum).clamp(0.0, 1.0);
    }
    // Legendre's fraction 1/(b₀ + 1(a − 1)/(b₁ + 2(a − 2)/(b₂ + …))) with bᵢ = x + 2i + 1 − a,
    // each level divided through by its b.
    let b = |i: f64| x + 2.0 * i + 1.0 - a;
    let coefficient = |term: u32| {
        let i = f64::from(term);
        i * (a - i) / (b(i - 1.0) * b(i))
    };
    (front * a / b(0.0) * continued_fraction(coefficient)).clamp(0.0, 1.0)
}

/// The `x` that χ² with `df` degrees of freedom exceeds with probability `alpha`. Needs `df > 0`.
pub fn chi_square_critical(df: f64, alpha: f64) -> f64 {
    let mut high = 2.0 * df;
    while chi_square_upper(df, high) > alpha && high < 1e100 {
        high *= 2.0;
    }
    bisect(0.0, high, |x| chi_square_upper(df, x) > alpha)
}

/// The probability that noncentral χ² with `df` degrees of freedom and noncentrality `lambda` is at least `x`, by the
/// normal approximation to its cube root (Abdel-Aty 1954), good to about a point. Needs `df > 0` and `lambda ≥ 0`.
pub fn noncentral_chi_square_upper(df: f64, lambda: f64, x: f64) -> f64 {
    if x <= 0.0 {
        return 1.0;
    }
    let mean = df + lambda;
    let variance = 2.0 * (df + 2.0 * lambda) / (9.0 * mean * mean);
    let z = (libm::cbrt(x / mean) - (1.0 - variance)) / variance.sqrt();
    normal_upper(z)
}

/// The probability that a standard normal variable is at least `z`.
pub fn normal_upper(z: f64) -> f64 {
    libm::erfc(z / SQRT_2) / 2.0
}

/// The probability that a standard normal variable lies at least `z` from 0 on either side.
pub fn normal_two_sided(z: f64) -> f64 {
    libm::erfc(z.abs() / SQRT_2)
}

/// The probability that Student's t with `df` degrees of freedom lies at least `t` from 0 on
/// either side. Needs `df > 0`.
pub fn t_two_sided(df: f64, t: f64) -> f64 {
    let square = t * t;
    if square.is_infinite() {
        return 0.0;
    }
    let total = df + square;
    incomplete_beta(df / 2.0, 0.5, df / total, square / total).0
}

/// The `z` that a standard normal variable exceeds, on either side, with probability `alpha`.
pub fn normal_critical(alpha: f64) -> f64 {
    bisect(0.0, 40.0, |z| normal_two_sided(z) > alpha)
}

/// The `t` that Student's t with `df` degrees of freedom exceeds, on either side, with
/// probability `alpha`. Needs `df > 0`.
pub fn t_critical(df: f64, alpha: f64) -> f64 {
    let mut high = 2.0;
    while t_two_sided(df, high) > alpha && high < 1e100 {
        high *= 2.0;
    }
    bisect(0.0, high, |t| t_two_sided(df, t) > alpha)
}

/// The `p` quantile of the beta distribution. Needs `a, b > 0` and `0 ≤ p ≤ 1`.
pub fn beta_quantile(a: f64, b: f64, p: f64) -> f64 {
    bisect(0.0, 1.0, |x| {
        let (lower, upper) = incomplete_beta(a, b, x, 1.0 - x);
        if p < 0.5 { lower < p } else { upper > 1.0 - p }
    })
}

/// The probability of exactly `k` successes in `n` trials of probability `p`.
pub fn binomial_exactly(n: u64, p: f64, k: u64) -> f64 {
    let failures = match n.checked_sub(k) {
        None => return 0.0,
        Some(0) => return libm::pow(p, n as f64),
        Some(failures) => failures as f64,
    };
    let (n, k, q) = (n as f64, k as f64, 1.0 - p);
    if k == 0.0 {
        libm::exp(n * libm::log1p(-p))
    } else if p <= 0.0 || q <= 0.0 {
        0.0
    } else {
        beta_front(k, failures, p, q) * n / (k * failures)
    }
}

/// The probability of at most `k` successes in `n` trials of probability `p`.
pub fn binomial_at_most(n: u64, p: f64, k: u64) -> f64 {
    if k >= n {
        return 1.0;
    }
    incomplete_beta((n - k) as f64, k as f64 + 1.0, 1.0 - p, p).0
}

/// The probability of at least `k` successes in `n` trials of probability `p`.
pub fn binomial_at_least(n: u64, p: f64, k: u64) -> f64 {
    match k {
        0 => 1.0,
        _ if k > n => 0.0,
        _ => incomplete_beta(k as f64, (n - k) as f64 + 1.0, p, 1.0 - p).0,
    }
}

/// Where `left` changes from true to false between `low` and `high`, to the last bit.
pub(crate) fn bisect(mut low: f64, mut high: f64, left: impl Fn(f64) -> bool) -> f64 {
    loop {
        let middle = low + (high - low) / 2.0;
        if middle <= low || middle >= high {
            return middle;
        }
        if left(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
}
