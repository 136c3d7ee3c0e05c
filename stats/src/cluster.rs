use std::collections::BTreeMap;

/// By how much the variance of a mean is larger because values come in clusters, such as games of one deal, that are
/// more like each other than like the rest: `values[i]` is of cluster `clusters[i]`.
///
/// It is the variance of the mean by cluster over that by value, and at least 1: clusters whose values offset each other
/// are not counted in favour. 1 too where there are fewer than two clusters, or no variance.
///
/// ```
/// use oboro_stats::design_effect;
/// let values = [1.0, 1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0];
/// assert!(design_effect(&values, &[0, 0, 1, 1, 2, 2, 3, 3]) > 1.7); // every value is there twice
/// assert_eq!(design_effect(&values, &[0, 1, 2, 3, 4, 5, 6, 7]), 1.0);
/// ```
///
/// # Panics
/// If the lengths differ.
pub fn design_effect(values: &[f64], clusters: &[u64]) -> f64 {
    assert_eq!(values.len(), clusters.len(), "every value has its cluster");
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let mut excess: BTreeMap<u64, f64> = BTreeMap::new();
    for (value, cluster) in values.iter().zip(clusters) {
        *excess.entry(*cluster).or_default() += value - mean;
    }
    let squares = |all: &mut dyn Iterator<Item = f64>| all.map(|x| x * x).sum::<f64>();
    let count = excess.len() as f64;
    let by_cluster = squares(&mut excess.into_values()) * count / (count - 1.0);
    let by_value = squares(&mut values.iter().map(|value| value - mean)) * n / (n - 1.0);
    let effect = by_cluster / by_value;
    if effect.is_finite() { effect.max(1.0) } else { 1.0 }
}
