use super::{Canvas, Chart, Room, Ticks, extent, gutter};

impl Chart {
    /// Columns from nought, and the mean as a dashed line.
    pub(super) fn histogram(
        &self,
        canvas: &mut Canvas,
        counts: &[(f64, u64)],
        size: (f64, f64),
        top: f64,
    ) {
        let whole = counts.iter().all(|(value, _)| libm::floor(*value) == *value);
        let (low, high) = extent(counts.iter().map(|(v, _)| *v)).unwrap_or((0.0, 1.0));
        let width = bin_width(low, high, whole);
        let bins = bins(counts, width, if whole { width / 2.0 } else { 0.0 });
        let tallest = bins.iter().map(|(_, n)| *n).max().unwrap_or(1);
        let half = width / 2.0;
        let ends =
            (bins.first().map_or(low, |b| b.0 - half), bins.last().map_or(high, |b| b.0 + half));
        let x = Ticks::around(ends.0.max(if low >= 0.0 { 0.0 } else { ends.0 }), ends.1, 6, whole);
        let y = Ticks::around(0.0, tallest as f64, 4, true);
        let room =
            Room { left: gutter(&y), right: size.0 - 14.0, top: top + 8.0, bottom: size.1 - 40.0 };
        // A column of noughts reaches below nought, where no tick is.
        let range = (x.range().0.min(ends.0), x.range().1.max(ends.1));
        let (across, down) = self.axes_over(range, canvas, &room, &x, &y);
        for (centre, count) in &bins {
            let left = across.at(centre - half);
            let (right, up) = (across.at(centre + half), down.at(*count as f64));
            let gap = ((right - left) * 0.1).min(1.0);
            canvas.rect("p-f1", (left + gap, up), (right - left - 2.0 * gap, room.bottom - up));
        }
        let n: u64 = counts.iter().map(|(_, n)| n).sum();
        if n > 0 {
            let mean = counts.iter().map(|(v, k)| v * *k as f64).sum::<f64>() / n as f64;
            canvas.line("p-m", (across.at(mean), room.top), (across.at(mean), room.bottom));
        }
    }
}

/// Columns for about thirty steps at most: whole numbers get columns of 1, 2, 5, 10 …
fn bin_width(low: f64, high: f64, whole: bool) -> f64 {
    if whole && high - low <= 40.0 {
        return 1.0;
    }
    let ticks = Ticks::around(low, high, 25, whole);
    ticks.values[1] - ticks.values[0]
}

/// The columns, rising: each column's centre and count. `offset` puts whole numbers at centres.
fn bins(counts: &[(f64, u64)], width: f64, offset: f64) -> Vec<(f64, u64)> {
    let mut bins: std::collections::BTreeMap<i64, u64> = std::collections::BTreeMap::new();
    for (value, count) in counts {
        *bins.entry(libm::floor((value + offset) / width + 1e-9) as i64).or_default() += count;
    }
    bins.into_iter().map(|(bin, count)| ((bin as f64 + 0.5) * width - offset, count)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_stand_in_the_middle_of_their_columns() {
        assert_eq!(bins(&[(2.0, 3), (4.0, 1)], 1.0, 0.5), [(2.0, 3), (4.0, 1)]);
        assert_eq!(bins(&[(0.1, 1), (0.15, 1), (0.2, 5)], 0.1, 0.0).len(), 2);
        assert_eq!(bin_width(3.0, 30.0, true), 1.0);
        assert_eq!(bin_width(0.0, 200.0, true), 10.0);
    }
}
