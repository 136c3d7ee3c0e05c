use super::{Anchor, Canvas, Chart, Line, Room, Ticks, extent, gutter, text_width};

/// As wide as a chart may be and still be read on a phone.
pub(super) const WIDTH: f64 = 500.0;
const ENTRY: f64 = 17.0;
const COLOURS: usize = 6;

/// Where each entry of the legend goes, from its top left corner, and how tall the whole is.
fn legend(lines: &[Line]) -> (Vec<(f64, f64)>, f64) {
    let (mut x, mut y) = (0.0, 0.0);
    let mut places = Vec::new();
    for line in lines {
        let width = 36.0 + text_width(&line.label) * 11.0 + 14.0;
        if x > 0.0 && x + width > WIDTH - 60.0 {
            (x, y) = (0.0, y + ENTRY);
        }
        places.push((x, y));
        x += width;
    }
    (places, if lines.is_empty() { 0.0 } else { y + ENTRY })
}

pub(super) fn legend_height(lines: &[Line]) -> f64 {
    legend(lines).1
}

impl Chart {
    /// Curves, their intervals as bands, and a legend below: no label can hide a curve.
    pub(super) fn lines(
        &self,
        canvas: &mut Canvas,
        (lines, logarithmic): (&[Line], bool),
        size: (f64, f64),
        top: f64,
    ) {
        let points = || lines.iter().flat_map(|line| &line.points);
        // An empty chart, or one with an x that has no logarithm, gets the plain axis.
        let logarithmic =
            logarithmic && points().next().is_some() && points().all(|point| point.0 > 0.0);
        let place = |x: f64| if logarithmic { libm::log10(x) } else { x };
        let heights = points().flat_map(|(_, y, interval)| {
            [Some(*y), interval.map(|i| i.low), interval.map(|i| i.high)].into_iter().flatten()
        });
        let (low, high) = extent(heights).unwrap_or((0.0, 1.0));
        let y = Ticks::around(low, high, 6, false);
        let (low, high) = extent(points().map(|p| p.0)).unwrap_or((0.0, 1.0));
        let x = if logarithmic {
            Ticks::logarithmic(low, high)
        } else {
            Ticks::around(low, high, 8, true)
        };
        let (places, legend_height) = legend(lines);
        let room = Room {
            left: gutter(&y),
            right: size.0 - 20.0,
            top: top + 8.0,
            bottom: size.1 - 44.0 - legend_height,
        };
        let (across, down) = self.axes(canvas, &room, &x, &y);
        for (i, (line, entry)) in lines.iter().zip(places).enumerate() {
            let colour = i % COLOURS + 1;
            let side = |end: fn(&oboro_stats::Interval) -> f64| -> Vec<(f64, f64)> {
                let ends = line.points.iter().filter_map(|(x, _, i)| Some((*x, end(i.as_ref()?))));
                ends.map(|(x, y)| (across.at(place(x)), down.at(y))).collect()
            };
            let mut band = side(|i| i.low);
            band.extend(side(|i| i.high).into_iter().rev());
            if band.len() > 2 {
                canvas.path(&format!("p-b p-f{colour}"), &band, true);
            }
            let curve: Vec<(f64, f64)> =
                line.points.iter().map(|(x, y, _)| (across.at(place(*x)), down.at(*y))).collect();
            canvas.path(&format!("p-l{colour}"), &curve, false);
            if curve.len() <= 20 {
                for (at, (x, y, _)) in curve.iter().zip(&line.points) {
                    let title = format!("{}: {x}, {y:.4}", line.label);
                    canvas.circle(&format!("p-f{colour}"), *at, 3.0, &title);
                }
            }
            let (left, mid) = (room.left + entry.0, room.bottom + 48.0 + entry.1);
            canvas.line(&format!("p-l{colour}"), (left, mid - 4.0), (left + 28.0, mid - 4.0));
            canvas.text("p-t", (left + 34.0, mid), Anchor::Start, &line.label);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_of_the_legend_do_not_overlap_nor_leave_the_picture() {
        let line = |label: &str| Line { label: label.to_owned(), points: vec![] };
        let lines: Vec<Line> = [
            "one",
            "a rather long name of a curve",
            "日本語の凡例",
            "another one that is long",
            "last",
        ]
        .map(line)
        .into();
        let (places, height) = legend(&lines);
        assert!(height >= 2.0 * ENTRY, "they do not fit into one line");
        for (i, (x, y)) in places.iter().enumerate() {
            let right = x + 36.0 + text_width(&lines[i].label) * 11.0;
            assert!(right <= WIDTH - 60.0 && y + ENTRY <= height);
            if let Some(next) = places.get(i + 1).filter(|next| next.1 == *y) {
                assert!(next.0 >= right);
            }
        }
    }
}
