use super::words::Language;
use crate::experiment::Published;
use crate::plot::{Chart, Dot, Line, Marks};
use crate::{CellReport, FigureReport, SeriesData, TableReport};

/// A table as pictures: the published numbers beside ours, one picture for each kind of measure.
pub(super) fn of_table(table: &TableReport, language: Language) -> Vec<Chart> {
    let cells = || table.rows.iter().flat_map(|row| row.cells.iter().map(move |cell| (row, cell)));
    let mut kinds: Vec<&str> = Vec::new();
    for (_, cell) in cells().filter(|(_, cell)| cell.published.is_some() && cell.ours.is_some()) {
        let kind = measure(cell);
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    kinds
        .into_iter()
        .map(|kind| {
            let shown =
                || cells().filter(|(_, cell)| measure(cell) == kind && cell.published.is_some());
            // A label that all lines share says nothing.
            let first = shown().next().map_or("", |(_, cell)| cell.label.as_str());
            let shared = shown().all(|(_, cell)| cell.label == first)
                && shown().all(|(row, _)| !row.label.is_empty());
            let rows = shown()
                .map(|(row, cell)| Dot {
                    label: join(
                        language.of(&row.label),
                        if shared { "" } else { language.of(&cell.label) },
                    ),
                    ours: cell.ours.map(|ours| ours.value),
                    interval: cell.ours.and_then(|ours| ours.interval),
                    published: cell.published.as_deref().and_then(Published::value_of),
                })
                .collect();
            Chart {
                title: language.of(&table.title).to_owned(),
                x: measure_name(kind, language).to_owned(),
                y: String::new(),
                marks: Marks::Dots { rows },
            }
        })
        .collect()
}

/// What a cell measures, whoever's it is: `payoff` of `payoff[a]`.
fn measure(cell: &CellReport) -> &str {
    cell.value.split('[').next().unwrap_or_default()
}

/// A measure in words.
fn measure_name(measure: &str, language: Language) -> &str {
    match measure {
        "payoff" => language.say("mean score", "平均得点"),
        "best payoff" => language.say("mean score of the best policy", "最良の方策の平均得点"),
        "correlation of fitness and payoff" => {
            language.say("correlation of fitness and score", "適応度と得点の相関係数")
        }
        "win" | "won" => language.say("win rate", "勝率"),
        "draw" => language.say("rate of draws", "引き分けの割合"),
        "gold" => language.say("rate of the diggers", "金鉱掘りの勝率"),
        "turns" => language.say("turns", "ターン数"),
        "cards-left" => language.say("cards left", "残り枚数"),
        other => language.of(other),
    }
}

fn join(row: &str, cell: &str) -> String {
    match (row.is_empty(), cell.is_empty()) {
        (_, true) => row.to_owned(),
        (true, _) => cell.to_owned(),
        _ => format!("{row} · {cell}"),
    }
}

/// A figure as a picture; `None` while there is nothing to draw.
pub(super) fn of_figure(figure: &FigureReport, language: Language) -> Option<Chart> {
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
                label: language.of(&series.label).to_owned(),
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
        title: language.of(&figure.title).to_owned(),
        x: language.of(&figure.x).to_owned(),
        y: language.of(&figure.y).to_owned(),
        marks: marks.unwrap_or(Marks::Lines { lines, logarithmic: figure.logarithmic }),
    })
}

/// What is worth saying below a figure of one series: the number of games and, for a histogram, the mean.
pub(super) fn figure_note(figure: &FigureReport) -> Option<String> {
    let [series] = figure.series.as_slice() else { return None };
    Some(match &series.data {
        SeriesData::Counts(counts) if series.n > 0 => {
            let sum: f64 = counts.iter().map(|(value, count)| value * *count as f64).sum();
            format!("n = {}, x̄ = {:.2}", series.n, sum / series.n as f64)
        }
        _ => format!("n = {}", series.n),
    })
}
