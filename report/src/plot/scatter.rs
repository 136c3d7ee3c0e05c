use super::{Canvas, Chart, Room, Ticks, extent, gutter};

impl Chart {
    /// Dots whose area is the count: equal pairs do not hide each other.
    pub(super) fn scatter(
        &self,
        canvas: &mut Canvas,
        points: &[(f64, f64, u64)],
        size: (f64, f64),
        top: f64,
    ) {
        let whole = |v: f64| libm::floor(v) == v;
        let ends = |values: &mut dyn Iterator<Item = f64>| extent(values).unwrap_or((0.0, 1.0));
        let (low, high) = ends(&mut points.iter().map(|p| p.0));
        let x = Ticks::around(low, high, 6, points.iter().all(|p| whole(p.0)));
        let (low, high) = ends(&mut points.iter().map(|p| p.1));
        let y = Ticks::around(low.min(0.0), high, 4, points.iter().all(|p| whole(p.1)));
        let room =
            Room { left: gutter(&y), right: size.0 - 14.0, top: top + 10.0, bottom: size.1 - 40.0 };
        let (across, down) = self.axes(canvas, &room, &x, &y);
        for (x, y, count) in points {
            let radius = (2.6 * libm::sqrt(*count as f64)).min(11.0);
            let title = format!("{x}, {y}: {count}");
            canvas.circle("p-o", (across.at(*x), down.at(*y)), radius, &title);
        }
    }
}
