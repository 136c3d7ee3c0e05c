//! Fills figures.

use super::design::{DataDesign, FigureDesign, PointDesign, Selection, SeriesDesign};
use super::evidence::Evidence;
use super::report::{FigureReport, PointReport, SeriesData, SeriesReport};
use crate::Estimate;
use crate::measure::{MeasureError, Value};
use std::collections::{BTreeMap, BTreeSet};

/// A figure from the games; `names` are the matches' names.
pub(super) fn fill(
    figure: &FigureDesign,
    names: &[String],
    evidence: &Evidence<'_>,
) -> Result<FigureReport, MeasureError> {
    let series = figure.series.iter().map(|series| fill_series(series, names, evidence));
    Ok(FigureReport {
        id: figure.id.clone(),
        title: figure.title.clone(),
        kind: figure.kind,
        x: figure.x.clone(),
        y: figure.y.clone(),
        logarithmic: figure.logarithmic,
        series: series.collect::<Result<_, _>>()?,
    })
}

fn fill_series(
    series: &SeriesDesign,
    names: &[String],
    evidence: &Evidence<'_>,
) -> Result<SeriesReport, MeasureError> {
    let report = |n, data| SeriesReport {
        label: series.label.clone(),
        the_match: None,
        value: None,
        against: None,
        filters: Vec::new(),
        course: None,
        n,
        data,
    };
    let of_games = |selection: &Selection, value: &Value, n, data| SeriesReport {
        the_match: Some(names[selection.the_match.index()].clone()),
        value: Some(value.to_string()),
        filters: selection.filters.iter().map(ToString::to_string).collect(),
        ..report(n, data)
    };
    Ok(match &series.data {
        DataDesign::Counts(selection, value) => {
            let tally = tally(evidence, selection, value, None)?;
            let n = tally.values().sum();
            let counts = tally.into_iter().map(|(key, n)| (key.0, n)).collect();
            of_games(selection, value, n, SeriesData::Counts(counts))
        }
        DataDesign::Pairs(selection, value, against) => {
            let tally = tally(evidence, selection, value, Some(against))?;
            let n = tally.values().sum();
            let pairs = tally.into_iter().map(|(key, n)| (key.0, key.1, n)).collect();
            let pairs = SeriesData::Pairs(pairs);
            let series = of_games(selection, value, n, pairs);
            SeriesReport { against: Some(against.to_string()), ..series }
        }
        DataDesign::Points(points) => {
            let points = points.iter().map(|point| fill_point(point, names, evidence));
            let points: Vec<PointReport> = points.collect::<Result<_, _>>()?;
            let n = points.iter().filter_map(|p| p.ours.as_ref()).map(|ours| ours.n).sum();
            report(n, SeriesData::Points(points))
        }
        DataDesign::Course(name) => {
            let (runs, points) = learning(name, evidence)?;
            let points = SeriesData::Points(points);
            SeriesReport { course: Some(name.clone()), ..report(runs, points) }
        }
    })
}

/// Numbers as keys: `total_cmp` as an order.
#[derive(PartialEq)]
struct Key(f64, f64);

impl Eq for Key {}

impl PartialOrd for Key {
    fn partial_cmp(&self, other: &Key) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Key {
    fn cmp(&self, other: &Key) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0).then(self.1.total_cmp(&other.1))
    }
}

/// How often each value, or pair of values, occurred.
fn tally(
    evidence: &Evidence<'_>,
    selection: &Selection,
    value: &Value,
    against: Option<&Value>,
) -> Result<BTreeMap<Key, u64>, MeasureError> {
    let mut tally = BTreeMap::new();
    for game in evidence.select(selection)? {
        let other = match against {
            Some(against) => against.of(game)?,
            None => Some(0.0),
        };
        if let (Some(value), Some(other)) = (value.of(game)?, other) {
            *tally.entry(Key(value, other)).or_default() += 1;
        }
    }
    Ok(tally)
}

fn fill_point(
    point: &PointDesign,
    names: &[String],
    evidence: &Evidence<'_>,
) -> Result<PointReport, MeasureError> {
    Ok(PointReport {
        x: point.x,
        the_match: Some(names[point.of.the_match.index()].clone()),
        value: Some(point.value.to_string()),
        filters: point.of.filters.iter().map(ToString::to_string).collect(),
        ours: Estimate::of(&evidence.observe(&point.of, &point.value)?),
    })
}

/// How many runs a course has, and the mean over them of the best fitness, by generation; nothing where there
/// is no such course.
fn learning(name: &str, evidence: &Evidence<'_>) -> Result<(u64, Vec<PointReport>), MeasureError> {
    let mut generations: BTreeMap<u64, Vec<f64>> = BTreeMap::new();
    let mut runs = BTreeSet::new();
    for ((run, generation), best) in evidence.best_by_run(name)?.unwrap_or_default() {
        runs.insert(run);
        generations.entry(generation).or_default().push(best);
    }
    let points = generations.into_iter().map(|(generation, best)| PointReport {
        x: generation as f64,
        the_match: None,
        value: None,
        filters: vec![],
        ours: Estimate::new(&best),
    });
    Ok((runs.len() as u64, points.collect()))
}
