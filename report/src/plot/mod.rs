//! Charts as SVG: deterministic text in colours that everybody can tell apart (Okabe and Ito's), light and dark.
//!
//! ```
//! use oboro_report::plot::{Chart, Frame, Marks};
//!
//! let chart = Chart {
//!     title: "Length of the games".into(),
//!     x: "turns".into(),
//!     y: "games".into(),
//!     marks: Marks::Histogram { counts: vec![(17.0, 3), (18.0, 5), (21.0, 1)] },
//! };
//! assert!(chart.svg(Frame::Alone).starts_with("<svg"));
//! ```

mod canvas;
mod dots;
mod histogram;
mod lines;
mod scale;
mod scatter;

pub(crate) use canvas::escape;

use canvas::{Anchor, Canvas, fit, text_width};
use oboro_stats::Interval;
use scale::{Scale, Ticks};

/// A chart.
#[derive(Clone, PartialEq, Debug)]
pub struct Chart {
    /// What it shows.
    pub title: String,
    /// What the horizontal axis counts.
    pub x: String,
    /// What the vertical axis counts.
    pub y: String,
    /// What is drawn.
    pub marks: Marks,
}

/// What a chart draws.
#[derive(Clone, PartialEq, Debug)]
pub enum Marks {
    /// How often each value occurred.
    Histogram {
        /// Values, rising, each with its count.
        counts: Vec<(f64, u64)>,
    },
    /// Pairs of values; the area of a dot is its count.
    Scatter {
        /// x, y and the count.
        points: Vec<(f64, f64, u64)>,
    },
    /// One line a number: ours with its interval, the published one beside it.
    Dots {
        /// The lines, from the top.
        rows: Vec<Dot>,
    },
    /// Curves with their intervals as bands.
    Lines {
        /// The curves.
        lines: Vec<Line>,
        /// Whether the horizontal axis is logarithmic: every x is above nought then.
        logarithmic: bool,
    },
}

/// A line of [`Marks::Dots`].
#[derive(Clone, PartialEq, Debug)]
pub struct Dot {
    /// What it is the number of.
    pub label: String,
    /// Ours.
    pub ours: Option<f64>,
    /// Its interval.
    pub interval: Option<Interval>,
    /// The published number.
    pub published: Option<f64>,
}

/// A curve of [`Marks::Lines`].
#[derive(Clone, PartialEq, Debug)]
pub struct Line {
    /// What it is the curve of.
    pub label: String,
    /// x, y and the interval of y, x rising.
    pub points: Vec<(f64, f64, Option<Interval>)>,
}

/// Where a chart will stand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Frame {
    /// In a file of its own: with its title, background and style.
    Alone,
    /// In a page that has [`STYLE`] and says the title itself.
    Page,
}

/// The style sheet of charts, for pages that hold them.
pub const STYLE: &str = concat!(
    ":root{--p-ink:#1b1b1f;--p-soft:#6b6b76;--p-grid:#dedee4;--p-paper:#fff;",
    "--p-1:#0072b2;--p-2:#d55e00;--p-3:#009e73;--p-4:#cc79a7;--p-5:#e69f00;--p-6:#56b4e9}",
    "@media screen and (prefers-color-scheme:dark){:root{--p-ink:#ececf1;--p-soft:#a2a2ad;--p-grid:#3a3a44;--p-paper:#17171c;",
    "--p-1:#56b4e9;--p-2:#ff8a3d;--p-3:#2cc79a;--p-4:#e6a3c8;--p-5:#f0c04a;--p-6:#b9a3f5}}",
    ".p-t{font:11px system-ui,sans-serif;fill:var(--p-ink)}.p-s{font:10px system-ui,sans-serif;fill:var(--p-soft)}",
    ".p-h{font:600 13px system-ui,sans-serif;fill:var(--p-ink)}",
    ".p-bg{fill:var(--p-paper)}.p-g{stroke:var(--p-grid);stroke-width:1}.p-a{stroke:var(--p-soft);stroke-width:1}",
    ".p-m{stroke:var(--p-2);stroke-width:1.5;stroke-dasharray:4 3}",
    ".p-f1{fill:var(--p-1)}.p-f2{fill:var(--p-2)}.p-f3{fill:var(--p-3)}.p-f4{fill:var(--p-4)}.p-f5{fill:var(--p-5)}.p-f6{fill:var(--p-6)}",
    ".p-o{fill:var(--p-1);fill-opacity:.65}.p-d{fill:var(--p-paper);stroke:var(--p-2);stroke-width:1.8}",
    ".p-i{stroke:var(--p-1);stroke-width:2}",
    ".p-l1,.p-l2,.p-l3,.p-l4,.p-l5,.p-l6{fill:none;stroke-width:2}",
    ".p-l1{stroke:var(--p-1)}.p-l2{stroke:var(--p-2);stroke-dasharray:7 3}.p-l3{stroke:var(--p-3);stroke-dasharray:2 3}",
    ".p-l4{stroke:var(--p-4);stroke-dasharray:10 3 2 3}.p-l5{stroke:var(--p-5);stroke-dasharray:5 2}.p-l6{stroke:var(--p-6);stroke-dasharray:14 4}",
    ".p-b{fill-opacity:.15}",
);

/// The room a drawing has inside its picture.
struct Room {
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
}

impl Chart {
    /// The chart as SVG; equal charts give equal text.
    pub fn svg(&self, frame: Frame) -> String {
        let (width, height) = self.size();
        let mut canvas = Canvas::default();
        let top = if frame == Frame::Alone { 26.0 } else { 4.0 };
        let size = (width, height + top);
        if frame == Frame::Alone {
            canvas.rect("p-bg", (0.0, 0.0), size);
            canvas.text(
                "p-h",
                (10.0, 18.0),
                Anchor::Start,
                &fit(&self.title, (width - 20.0) / 13.0),
            );
        }
        match &self.marks {
            Marks::Histogram { counts } => self.histogram(&mut canvas, counts, size, top),
            Marks::Scatter { points } => self.scatter(&mut canvas, points, size, top),
            Marks::Dots { rows } => self.dots(&mut canvas, rows, size, top),
            Marks::Lines { lines, logarithmic } => {
                self.lines(&mut canvas, (lines, *logarithmic), size, top);
            }
        }
        canvas.finish(size, &self.title, if frame == Frame::Alone { STYLE } else { "" })
    }

    fn size(&self) -> (f64, f64) {
        match &self.marks {
            Marks::Histogram { .. } | Marks::Scatter { .. } => (320.0, 200.0),
            Marks::Dots { rows } => (lines::WIDTH, dots::height(rows)),
            Marks::Lines { lines, .. } => (lines::WIDTH, 280.0 + lines::legend_height(lines)),
        }
    }

    /// Both axes with their ticks and names, and the two scales.
    fn axes(&self, canvas: &mut Canvas, room: &Room, x: &Ticks, y: &Ticks) -> (Scale, Scale) {
        self.axes_over(x.range(), canvas, room, x, y)
    }

    /// The same over a given range of x, which may reach beyond the ticks.
    fn axes_over(
        &self,
        range: (f64, f64),
        canvas: &mut Canvas,
        room: &Room,
        x: &Ticks,
        y: &Ticks,
    ) -> (Scale, Scale) {
        let across = Scale::new(range, (room.left, room.right));
        let down = Scale::new(y.range(), (room.bottom, room.top));
        for &value in &y.values {
            let at = down.at(value);
            canvas.line("p-g", (room.left, at), (room.right, at));
            canvas.text("p-s", (room.left - 6.0, at + 3.5), Anchor::End, &y.label(value));
        }
        self.x_axis(canvas, room, x, &across);
        let middle = f64::midpoint(room.top, room.bottom);
        canvas.text_up("p-t", (13.0, middle), &fit(&self.y, (room.bottom - room.top) / 11.0 + 4.0));
        (across, down)
    }

    fn x_axis(&self, canvas: &mut Canvas, room: &Room, x: &Ticks, across: &Scale) {
        canvas.line("p-a", (room.left, room.bottom), (room.right, room.bottom));
        for &value in &x.values {
            let at = across.at(value);
            canvas.line("p-a", (at, room.bottom), (at, room.bottom + 4.0));
            canvas.text("p-s", (at, room.bottom + 15.0), Anchor::Middle, &x.label(value));
        }
        let middle = f64::midpoint(room.left, room.right);
        let name = fit(&self.x, (room.right - room.left) / 11.0);
        canvas.text("p-t", (middle, room.bottom + 31.0), Anchor::Middle, &name);
    }
}

/// The room left of the vertical axis that its labels need.
fn gutter(ticks: &Ticks) -> f64 {
    let widest = ticks.values.iter().map(|v| text_width(&ticks.label(*v))).fold(0.0, f64::max);
    28.0 + widest * 10.0
}

/// Least and greatest; `None` without any.
fn extent(values: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    values.fold(None, |ends: Option<(f64, f64)>, v| {
        Some(ends.map_or((v, v), |(low, high)| (low.min(v), high.max(v))))
    })
}

#[cfg(test)]
mod tests;
