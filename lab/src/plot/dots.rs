use super::{Anchor, Canvas, Chart, Dot, Room, Scale, Ticks, extent, fit, text_width};

const ROW: f64 = 18.0;

/// How tall a chart of so many rows is.
pub(super) fn height(rows: usize) -> f64 {
    rows as f64 * ROW + 52.0
}

impl Chart {
    /// One line a number: a bar for our interval, a dot for ours, a diamond for the published one.
    pub(super) fn dots(&self, canvas: &mut Canvas, rows: &[Dot], size: (f64, f64), top: f64) {
        let values = rows.iter().flat_map(|row| {
            let ends = row.interval.map_or([None, None], |i| [Some(i.low), Some(i.high)]);
            [row.ours, row.published, ends[0], ends[1]].into_iter().flatten()
        });
        let (low, high) = extent(values).unwrap_or((0.0, 1.0));
        let x = Ticks::around(low, high, 7, false);
        let widest = rows.iter().map(|row| text_width(&row.label)).fold(0.0, f64::max);
        let left = (widest * 11.0 + 16.0).min(size.0 * 0.45);
        let room = Room { left, right: size.0 - 20.0, top: top + 4.0, bottom: size.1 - 42.0 };
        let across = Scale::new(x.range(), (room.left, room.right));
        for &value in &x.values {
            canvas.line("p-g", (across.at(value), room.top), (across.at(value), room.bottom));
        }
        self.x_axis(canvas, &room, &x, &across);
        for (i, row) in rows.iter().enumerate() {
            let y = room.top + (i as f64 + 0.5) * ROW;
            let label = fit(&row.label, (left - 12.0) / 11.0);
            canvas.text("p-t", (left - 8.0, y + 4.0), Anchor::End, &label);
            if let Some(interval) = row.interval {
                canvas.line("p-i", (across.at(interval.low), y), (across.at(interval.high), y));
            }
            if let Some(ours) = row.ours {
                canvas.circle(
                    "p-f1",
                    (across.at(ours), y),
                    3.6,
                    &format!("{}: {ours:.4}", row.label),
                );
            }
            if let Some(published) = row.published {
                let title = format!("{}: {published}", row.label);
                canvas.diamond("p-d", (across.at(published), y), 4.6, &title);
            }
        }
    }
}
