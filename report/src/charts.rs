//! Tables and figures as pictures.

use crate::plot::{Chart, Dot, Line, Marks};
use crate::words::Tongue;
use oboro_lab::{FigureReport, SeriesData, TableReport, published_value};

/// A table as pictures: the published numbers beside ours, one picture for each kind of measure.
pub(crate) fn of_table(table: &TableReport, tongue: Tongue<'_>) -> Vec<Chart> {
    let cells = || table.rows.iter().flat_map(|row| row.cells.iter().map(move |cell| (row, cell)));
    let mut kinds: Vec<&str> = Vec::new();
    for (_, cell) in cells().filter(|(_, cell)| cell.published.is_some() && cell.ours.is_some()) {
        let kind = cell.measure();
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    kinds
        .into_iter()
        .map(|kind| {
            let shown =
                || cells().filter(|(_, cell)| cell.measure() == kind && cell.published.is_some());
            // A label that all lines share says nothing.
            let first = shown().next().map_or("", |(_, cell)| cell.label.as_str());
            let shared = shown().all(|(_, cell)| cell.label == first)
                && shown().all(|(row, _)| !row.label.is_empty());
            let rows = shown()
                .map(|(row, cell)| Dot {
                    label: join(
                        tongue.of(&row.label),
                        if shared { "" } else { tongue.of(&cell.label) },
                    ),
                    ours: cell.ours.map(|ours| ours.value),
                    interval: cell.ours.and_then(|ours| ours.interval),
                    published: cell.published.as_deref().and_then(published_value),
                })
                .collect();
            Chart {
                title: tongue.of(&table.title).to_owned(),
                x: tongue.measure(kind),
                y: String::new(),
                marks: Marks::Dots { rows },
            }
        })
        .collect()
}

fn join(row: &str, cell: &str) -> String {
    match (row.is_empty(), cell.is_empty()) {
        (_, true) => row.to_owned(),
        (true, _) => cell.to_owned(),
        _ => format!("{row} · {cell}"),
    }
}

/// A figure as a picture; `None` while there is nothing to draw.
pub(crate) fn of_figure(figure: &FigureReport, tongue: Tongue<'_>) -> Option<Chart> {
    if figure.is_empty() {
        return None;
    }
    let mut lines = Vec::new();
    let mut marks = None;
    for series in &figure.series {
        match &series.data {
            SeriesData::Counts(counts) => marks = Some(Marks::Histogram { counts: counts.clone() }),
            SeriesData::Pairs(points) => marks = Some(Marks::Scatter { points: points.clone() }),
            SeriesData::Points(points) => lines.push(Line {
                label: tongue.of(&series.label).to_owned(),
                points: points
                    .iter()
                    .filter_map(|point| {
                        let ours = point.ours?;
                        Some((point.x, ours.value, ours.interval))
                    })
                    .collect(),
            }),
        }
    }
    Some(Chart {
        title: tongue.of(&figure.title).to_owned(),
        x: tongue.of(&figure.x).to_owned(),
        y: tongue.of(&figure.y).to_owned(),
        marks: marks.unwrap_or(Marks::Lines { lines, logarithmic: figure.logarithmic }),
    })
}

/// What is worth saying below a figure of one series: the number of games and, for a histogram, the mean.
pub(crate) fn figure_note(figure: &FigureReport) -> Option<String> {
    let [series] = figure.series.as_slice() else { return None };
    Some(match &series.data {
        SeriesData::Counts(counts) if series.n > 0 => {
            let sum: f64 = counts.iter().map(|(value, count)| value * *count as f64).sum();
            format!("n = {}, x̄ = {:.2}", series.n, sum / series.n as f64)
        }
        _ => format!("n = {}", series.n),
    })
}
