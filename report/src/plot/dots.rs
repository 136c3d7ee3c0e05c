use super::lines::WIDTH;
use super::{Anchor, Canvas, Chart, Dot, Room, Scale, Ticks, extent, fit, text_width};

/// The least height of a line, and what a label above it adds.
const ROW: f64 = 18.0;
const ABOVE: f64 = 13.0;

/// The width that labels need beside the marks.
fn label_width(rows: &[Dot]) -> f64 {
    rows.iter().map(|row| text_width(&row.label)).fold(0.0, f64::max) * 11.0 + 16.0
}

/// Whether labels are too long to stand beside the marks: they stand above them then.
fn is_stacked(rows: &[Dot]) -> bool {
    label_width(rows) > WIDTH * 0.42
}

fn row_height(rows: &[Dot]) -> f64 {
    if is_stacked(rows) { ROW + ABOVE } else { ROW }
}

/// How tall a chart of these rows is.
pub(super) fn height(rows: &[Dot]) -> f64 {
    rows.len() as f64 * row_height(rows) + 52.0
}

impl Chart {
    /// One line a number: a bar for our interval, a dot for ours, a diamond for the published one.
    pub(super) fn dots(&self, canvas: &mut Canvas, rows: &[Dot], size: (f64, f64), top: f64) {
        let values = rows.iter().flat_map(|row| {
            let ends = row.interval.map_or([None, None], |i| [Some(i.low), Some(i.high)]);
            [row.ours, row.published, ends[0], ends[1]].into_iter().flatten()
        });
        let (low, high) = extent(values).unwrap_or((0.0, 1.0));
        // Room for the marks at both ends, but none below nought for what is never there.
        let pad = (high - low) * 0.02;
        let least = if low >= 0.0 { (low - pad).max(0.0) } else { low - pad };
        let x = Ticks::around(least, high + pad, 7, false);
        let stacked = is_stacked(rows);
        let left = if stacked { 12.0 } else { label_width(rows) };
        let room = Room { left, right: size.0 - 20.0, top: top + 4.0, bottom: size.1 - 42.0 };
        let across = Scale::new(x.range(), (room.left, room.right));
        for &value in &x.values {
            canvas.line("p-g", (across.at(value), room.top), (across.at(value), room.bottom));
        }
        self.x_axis(canvas, &room, &x, &across);
        for (i, row) in rows.iter().enumerate() {
            let from = room.top + i as f64 * row_height(rows);
            let y = from + if stacked { ABOVE } else { 0.0 } + ROW / 2.0;
            if stacked {
                let label = fit(&row.label, (size.0 - left - 12.0) / 11.0);
                canvas.text("p-t", (left, from + ABOVE - 1.0), Anchor::Start, &label);
            } else {
                canvas.text("p-t", (left - 8.0, y + 4.0), Anchor::End, &row.label);
            }
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
