//! Figures as data: what is drawn, and of which games.

use super::file::ExperimentError;
use super::report::{Course, Games, parse_filters};
use crate::Estimate;
use crate::measure::{MeasureError, Value, select};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A figure of the paper, or one of ours.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct FigureDef {
    pub(crate) id: String,
    pub(crate) title: String,
    pub(crate) kind: FigureKind,
    /// The names of the axes.
    pub(crate) x: String,
    pub(crate) y: String,
    /// Whether the horizontal axis of a curve is logarithmic.
    #[serde(default)]
    pub(crate) logarithmic: bool,
    #[serde(default)]
    pub(crate) series: Vec<SeriesDef>,
}

/// What kind of figure.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FigureKind {
    /// How often each value occurred.
    Histogram,
    /// One value against another, a point a game.
    Scatter,
    /// A mean or rate against a number that the series gives.
    Curve,
    /// The best fitness by generation, from the folders that `oboro evolve` writes.
    Learning,
}

#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct SeriesDef {
    #[serde(default)]
    pub(crate) label: String,
    #[serde(default, rename = "match")]
    pub(crate) contest: Option<String>,
    #[serde(default)]
    pub(crate) value: Option<String>,
    /// The vertical value of a scatter plot.
    #[serde(default)]
    pub(crate) against: Option<String>,
    #[serde(default, rename = "where")]
    pub(crate) filters: Vec<String>,
    /// The points of a curve.
    #[serde(default)]
    pub(crate) points: Vec<PointDef>,
    /// The folder of a learning curve, below `evolve/` in the results.
    #[serde(default)]
    pub(crate) course: Option<String>,
}

#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct PointDef {
    pub(crate) x: f64,
    #[serde(rename = "match")]
    pub(crate) contest: String,
    pub(crate) value: String,
    #[serde(default, rename = "where")]
    pub(crate) filters: Vec<String>,
}

/// A figure's data.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct FigureReport {
    /// Its number in the paper, or our name for it.
    pub id: String,
    /// What it shows.
    pub title: String,
    /// How it is drawn.
    pub kind: FigureKind,
    /// The name of the horizontal axis.
    pub x: String,
    /// The name of the vertical axis.
    pub y: String,
    /// Whether the horizontal axis is logarithmic.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub logarithmic: bool,
    /// What is drawn.
    pub series: Vec<SeriesReport>,
}

impl FigureReport {
    /// Whether there is anything to draw.
    pub fn is_empty(&self) -> bool {
        self.series.iter().all(|series| series.n == 0)
    }
}

/// One series of a figure.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SeriesReport {
    /// What it is.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub label: String,
    /// The match whose games it shows.
    #[serde(skip_serializing_if = "Option::is_none", rename = "match")]
    pub contest: Option<String>,
    /// What was measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// Against what, in a scatter plot.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub against: Option<String>,
    /// Of which games.
    #[serde(skip_serializing_if = "Vec::is_empty", rename = "where")]
    pub filters: Vec<String>,
    /// The folder of a learning curve.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub course: Option<String>,
    /// How many games, or runs of a learning curve, it shows.
    pub n: u64,
    /// Its numbers.
    #[serde(flatten)]
    pub data: SeriesData,
}

/// The numbers of a series.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum SeriesData {
    /// Values, rising, each with its count.
    Counts(Vec<(f64, u64)>),
    /// Pairs of values, rising, each with its count.
    Pairs(Vec<(f64, f64, u64)>),
    /// Points of a curve.
    Points(Vec<PointReport>),
}

/// A point of a curve.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct PointReport {
    /// Where it stands.
    pub x: f64,
    /// The match whose games it comes from.
    #[serde(skip_serializing_if = "Option::is_none", rename = "match")]
    pub contest: Option<String>,
    /// What was measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// Of which games.
    #[serde(skip_serializing_if = "Vec::is_empty", rename = "where")]
    pub filters: Vec<String>,
    /// The mean or rate.
    pub ours: Option<Estimate>,
}

/// What is measured of which games: a match, one or two values, and conditions.
pub(crate) type Measure<'a> = (&'a str, Vec<&'a str>, &'a [String]);

impl FigureDef {
    /// Every measure in it, for checking: match, values, filters.
    pub(crate) fn measures(&self) -> Result<Vec<Measure<'_>>, String> {
        let mut measures = Vec::new();
        for series in &self.series {
            let needs = |what: &str| format!("figure {}: a series of it needs {what}", self.id);
            match self.kind {
                FigureKind::Histogram | FigureKind::Scatter => {
                    let contest = series.contest.as_deref().ok_or_else(|| needs("a match"))?;
                    let value = series.value.as_deref().ok_or_else(|| needs("a value"))?;
                    let mut values = vec![value];
                    values.extend(series.against.as_deref());
                    if (values.len() == 2) != (self.kind == FigureKind::Scatter) {
                        return Err(needs("`against` in a scatter plot, and only there"));
                    }
                    measures.push((contest, values, series.filters.as_slice()));
                }
                FigureKind::Curve => {
                    for point in &series.points {
                        let values = vec![point.value.as_str()];
                        measures.push((&point.contest, values, point.filters.as_slice()));
                    }
                }
                FigureKind::Learning => {
                    let course = series.course.as_deref().ok_or_else(|| needs("a course"))?;
                    let is_name = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
                    if course.is_empty() || !course.chars().all(is_name) {
                        return Err(needs("a course of letters, digits, - and _ (it is a folder)"));
                    }
                }
            }
        }
        Ok(measures)
    }

    /// The data, from games and from the texts of `progress.csv` files.
    pub(super) fn fill(
        &self,
        games: &Games,
        course: Course<'_>,
    ) -> Result<FigureReport, ExperimentError> {
        let series = self.series.iter().map(|series| {
            let (n, data) = match self.kind {
                FigureKind::Histogram => series.counts(games),
                FigureKind::Scatter => series.pairs(games),
                FigureKind::Curve => series.curve(games),
                FigureKind::Learning => series.learning(course),
            }
            .map_err(|error| {
                ExperimentError::new(&format!("figure {}", self.id), error.to_string())
            })?;
            Ok(SeriesReport {
                label: series.label.clone(),
                contest: series.contest.clone(),
                value: series.value.clone(),
                against: series.against.clone(),
                filters: series.filters.clone(),
                course: series.course.clone(),
                n,
                data,
            })
        });
        Ok(FigureReport {
            id: self.id.clone(),
            title: self.title.clone(),
            kind: self.kind,
            x: self.x.clone(),
            y: self.y.clone(),
            logarithmic: self.logarithmic,
            series: series.collect::<Result<_, ExperimentError>>()?,
        })
    }
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

/// The best fitness by run and generation of a course of evolution.
pub(super) fn best_by_run(
    name: &str,
    text: &str,
) -> Result<BTreeMap<(u64, u64), f64>, MeasureError> {
    let mut all = BTreeMap::new();
    for (i, line) in text.lines().enumerate().skip(1) {
        let damaged = || {
            MeasureError::new(format!(
                "evolve/{name}/progress.csv:{}: expected run,generation,best,…",
                i + 1
            ))
        };
        let mut fields = line.split(',');
        let mut next = || fields.next().ok_or_else(damaged);
        let run = next()?.parse().map_err(|_| damaged())?;
        let generation = next()?.parse().map_err(|_| damaged())?;
        let best = next()?.parse().map_err(|_| damaged())?;
        all.insert((run, generation), best);
    }
    Ok(all)
}

type Filled = Result<(u64, SeriesData), MeasureError>;

impl SeriesDef {
    /// The values of the games, one or two a game.
    fn tally(&self, games: &Games) -> Result<BTreeMap<Key, u64>, MeasureError> {
        let contest = self.contest.as_ref().expect("checked when read");
        let value: Value = self.value.as_ref().expect("checked when read").parse()?;
        let against: Option<Value> = self.against.as_ref().map(|v| v.parse()).transpose()?;
        let mut tally = BTreeMap::new();
        for game in select(&games[contest], &parse_filters(&self.filters)?)? {
            let other = match &against {
                Some(against) => against.of(game)?,
                None => Some(0.0),
            };
            if let (Some(value), Some(other)) = (value.of(game)?, other) {
                *tally.entry(Key(value, other)).or_default() += 1;
            }
        }
        Ok(tally)
    }

    fn counts(&self, games: &Games) -> Filled {
        let tally = self.tally(games)?;
        let n = tally.values().sum();
        Ok((n, SeriesData::Counts(tally.into_iter().map(|(key, n)| (key.0, n)).collect())))
    }

    fn pairs(&self, games: &Games) -> Filled {
        let tally = self.tally(games)?;
        let n = tally.values().sum();
        Ok((n, SeriesData::Pairs(tally.into_iter().map(|(key, n)| (key.0, key.1, n)).collect())))
    }

    fn curve(&self, games: &Games) -> Filled {
        let mut points = Vec::new();
        for point in &self.points {
            let value: Value = point.value.parse()?;
            let mut values = Vec::new();
            for game in select(&games[&point.contest], &parse_filters(&point.filters)?)? {
                values.extend(value.of(game)?);
            }
            points.push(PointReport {
                x: point.x,
                contest: Some(point.contest.clone()),
                value: Some(point.value.clone()),
                filters: point.filters.clone(),
                ours: Estimate::new(&values),
            });
        }
        let n = points.iter().filter_map(|p| p.ours.as_ref()).map(|ours| ours.n).sum();
        Ok((n, SeriesData::Points(points)))
    }

    /// The mean over the runs of the best fitness, by generation; nothing where `oboro evolve` has not run.
    fn learning(&self, course: Course<'_>) -> Filled {
        let name = self.course.as_ref().expect("checked when read");
        let Some(text) = course(name) else { return Ok((0, SeriesData::Points(vec![]))) };
        let mut generations: BTreeMap<u64, Vec<f64>> = BTreeMap::new();
        let mut runs = std::collections::BTreeSet::new();
        for ((run, generation), best) in best_by_run(name, &text)? {
            runs.insert(run);
            generations.entry(generation).or_default().push(best);
        }
        let points = generations
            .into_iter()
            .map(|(generation, best)| PointReport {
                x: generation as f64,
                contest: None,
                value: None,
                filters: vec![],
                ours: Estimate::new(&best),
            })
            .collect();
        Ok((runs.len() as u64, SeriesData::Points(points)))
    }
}
