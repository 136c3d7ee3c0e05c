//! What an experiment came to: its tables and figures, filled. Plain data; documents are made of it elsewhere.

use super::arithmetic::Misprint;
use super::judgement::{Counts, TableVerdict};
use super::scale::Scale;
use super::verdict::Verdict;
use crate::Estimate;
use oboro_stats::Interval;
use serde::{Deserialize, Serialize};

/// An experiment's tables, filled.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Report {
    /// The experiment's name.
    pub id: String,
    /// Its title.
    pub title: String,
    /// Where it was published.
    pub source: Option<String>,
    /// The scale it was run at.
    pub scale: Scale,
    /// What the reader should know.
    pub notes: Vec<String>,
    /// Its tables.
    pub tables: Vec<TableReport>,
    /// Its figures.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub figures: Vec<FigureReport>,
    /// How many games it rests on.
    pub games: u64,
    /// The published numbers of all tables, by verdict.
    pub counts: Counts,
}

impl Report {
    /// Of how many differences that the paper calls significant, and our games suffice to test, and how many of them are.
    pub fn claims(&self) -> (usize, usize) {
        let tests = self.tables.iter().flat_map(|table| &table.rows).flat_map(|row| &row.tests);
        let tested: Vec<bool> = tests.filter_map(|test| test.claim?.holds).collect();
        (tested.len(), tested.iter().filter(|holds| **holds).count())
    }
}

/// A table, filled.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct TableReport {
    /// Its number in the paper, or our name for it.
    pub id: String,
    /// What it shows.
    pub title: String,
    /// What the reader should know.
    pub notes: Vec<String>,
    /// Its rows.
    pub rows: Vec<RowReport>,
    /// Printed numbers that are impossible, whatever was played.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub misprints: Vec<Misprint>,
    /// What its published numbers come to; `None` if none was compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verdict: Option<TableVerdict>,
}

/// A row, filled.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct RowReport {
    /// What it is about.
    pub label: String,
    /// Its numbers.
    pub cells: Vec<CellReport>,
    /// Its tests.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tests: Vec<TestReport>,
}

/// A number of ours beside the published one.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct CellReport {
    /// What it is the number of.
    pub label: String,
    /// The match whose games it comes from: the result file `MATCH.jsonl`.
    #[serde(rename = "match")]
    pub the_match: String,
    /// What was measured.
    pub value: String,
    /// Of which games.
    #[serde(skip_serializing_if = "Vec::is_empty", rename = "where")]
    pub filters: Vec<String>,
    /// Ours; `None` before any game.
    pub ours: Option<Estimate>,
    /// As printed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub published: Option<String>,
    /// From how many games.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub published_n: Option<u64>,
    /// Whether it counts; not if it follows from others or stands for a second labelling.
    #[serde(skip_serializing_if = "Clone::clone")]
    pub counted: bool,
    /// Where the published number should lie.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected: Option<Interval>,
    /// How far it is from ours, in standard errors of the difference.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub z: Option<f64>,
    /// The difference worth telling: two published standard errors, at least one point of a rate and at most ten.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub yardstick: Option<f64>,
    /// The probability that it would lie elsewhere if it were off by the yardstick.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub power: Option<f64>,
    /// Whether it does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verdict: Option<Verdict>,
}

impl CellReport {
    /// What is measured, whoever's it is: `payoff` of `payoff[a]`.
    pub fn measure(&self) -> &str {
        self.value.split('[').next().unwrap_or_default()
    }

    /// What counts as one quantity: scores and wins of both sides add up to a constant, everything else is each side's own.
    pub(super) fn quantity(&self) -> &str {
        /// Measures whose values add up to a constant over all sides.
        const CONSTANT_SUM: [&str; 5] = ["payoff", "win", "won", "first", "rank"];
        let measure = self.measure();
        if CONSTANT_SUM.contains(&measure) { measure } else { &self.value }
    }

    /// Whether two cells are two sides of one quantity.
    pub(super) fn is_beside(&self, other: &CellReport) -> bool {
        let of = |cell: &CellReport| (cell.the_match.clone(), cell.filters.clone());
        of(self) == of(other) && self.quantity() == other.quantity() && self.value != other.value
    }
}

/// A test of ours.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct TestReport {
    /// What it tests.
    pub label: String,
    /// The statistic: t, χ² or the rate; `None` where the games do not suffice.
    pub statistic: Option<f64>,
    /// Degrees of freedom, where the test has any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub df: Option<f64>,
    /// The probability of a statistic at least as extreme by chance.
    pub p: Option<f64>,
    /// p corrected for the number of tests of the table.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub p_holm: Option<f64>,
    /// What the paper says of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub claim: Option<Claim>,
}

/// A difference that a paper calls significant.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Claim {
    /// At which level.
    pub level: f64,
    /// Whether it is with our games, and the same way round; `None` where they do not suffice for the test.
    pub holds: Option<bool>,
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
    pub the_match: Option<String>,
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
    pub the_match: Option<String>,
    /// What was measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// Of which games.
    #[serde(skip_serializing_if = "Vec::is_empty", rename = "where")]
    pub filters: Vec<String>,
    /// The mean or rate.
    pub ours: Option<Estimate>,
}
