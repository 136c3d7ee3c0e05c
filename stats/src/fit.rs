use crate::TestResult;
use crate::distribution::chi_square_upper;

/// Pearson's χ² test of counts against expected shares.
///
/// `shares` need not add up to 1: only their proportions count. The approximation is good where
/// about 5 or more are expected in every cell. `None` if the lengths differ, there are fewer than
/// two cells, nothing was counted, or a share is not positive and finite.
///
/// ```
/// use oboro_stats::chi_square_fit;
/// let die = chi_square_fit(&[8, 9, 19, 5, 8, 11], &[1.0; 6]).unwrap();
/// assert_eq!(format!("{:.1} on {} df, p = {:.3}", die.statistic, die.df, die.p),
///            "11.6 on 5 df, p = 0.041");
/// ```
pub fn chi_square_fit(counts: &[u64], shares: &[f64]) -> Option<TestResult> {
    let n = counts.iter().sum::<u64>() as f64;
    let whole: f64 = shares.iter().sum();
    let usable = counts.len() == shares.len()
        && counts.len() >= 2
        && n > 0.0
        && whole.is_finite()
        && shares.iter().all(|&share| share > 0.0);
    if !usable {
        return None;
    }
    let statistic = counts
        .iter()
        .zip(shares)
        .map(|(&count, share)| {
            let expected = n * share / whole;
            let off = count as f64 - expected;
            off * off / expected
        })
        .sum::<f64>();
    let df = (counts.len() - 1) as f64;
    statistic.is_finite().then(|| TestResult { statistic, df, p: chi_square_upper(df, statistic) })
}
