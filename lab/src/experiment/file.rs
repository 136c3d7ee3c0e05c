//! Experiments as they are written: TOML, nothing of it checked but its shape. [`super::design`] makes sense of it.

use super::error::ExperimentError;
use super::readings::expand;
use super::report::FigureKind;
use super::scale::Scales;
use crate::Seating;
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct File {
    pub(super) id: String,
    pub(super) title: String,
    /// Where it was published.
    #[serde(default)]
    pub(super) source: Option<String>,
    pub(super) game: String,
    pub(super) seed: u64,
    #[serde(default)]
    pub(super) rules: toml::Table,
    pub(super) games: Scales,
    /// The sample size behind published numbers, where a cell does not say.
    #[serde(default)]
    pub(super) published_n: Option<u64>,
    /// Said at the top of every report.
    #[serde(default)]
    pub(super) notes: Vec<String>,
    /// What the rest is made for, once each ([`readings`](super::readings)).
    #[serde(default, rename = "reading")]
    readings: Vec<toml::Table>,
    #[serde(default, rename = "match")]
    pub(super) matches: Vec<MatchDef>,
    #[serde(default, rename = "pool")]
    pub(super) pools: Vec<PoolDef>,
    #[serde(default, rename = "table")]
    pub(super) tables: Vec<TableDef>,
    #[serde(default, rename = "figure")]
    pub(super) figures: Vec<FigureDef>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct MatchDef {
    pub(super) id: String,
    pub(super) agents: Vec<String>,
    #[serde(default = "random")]
    pub(super) seats: Seating,
    #[serde(default)]
    pub(super) rules: toml::Table,
    #[serde(default)]
    pub(super) games: Option<Scales>,
    #[serde(default)]
    pub(super) oracles: bool,
}

/// Games of several matches, for tables to name as one.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PoolDef {
    pub(super) id: String,
    pub(super) of: Vec<MemberDef>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MemberDef {
    #[serde(rename = "match")]
    pub(super) the_match: String,
    #[serde(default, rename = "where")]
    pub(super) filters: Vec<String>,
}

fn random() -> Seating {
    Seating::Random
}

/// A table of the paper, or one of ours.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct TableDef {
    pub(super) id: String,
    pub(super) title: String,
    #[serde(default)]
    pub(super) notes: Vec<String>,
    /// Corrects the p-values of the table's tests for their number (Holm).
    #[serde(default)]
    pub(super) holm: bool,
    #[serde(default, rename = "row")]
    pub(super) rows: Vec<RowDef>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct RowDef {
    pub(super) label: String,
    /// The match of its cells and tests, where they do not say.
    #[serde(default, rename = "match")]
    pub(super) the_match: Option<String>,
    #[serde(default)]
    pub(super) cells: Vec<CellDef>,
    #[serde(default)]
    pub(super) tests: Vec<TestDef>,
}

/// One number of a table.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct CellDef {
    /// What it is the number of, within its row.
    #[serde(default)]
    pub(super) label: String,
    #[serde(default, rename = "match")]
    pub(super) the_match: Option<String>,
    pub(super) value: String,
    #[serde(default, rename = "where")]
    pub(super) filters: Vec<String>,
    /// Takes the best of the variants that the entrant drew, not all games.
    #[serde(default)]
    pub(super) best: bool,
    /// Correlates the variants' values with their fitness instead.
    #[serde(default)]
    pub(super) fitness: Vec<FitnessDef>,
    /// As printed in the paper: `0.93`, or a count out of a sample, `17/25`.
    #[serde(default)]
    pub(super) published: Option<String>,
    #[serde(default)]
    pub(super) published_n: Option<u64>,
    /// Whether the published number counts; not if it follows from others, such as a sum, or is a second labelling.
    #[serde(default = "yes")]
    pub(super) counted: bool,
}

fn yes() -> bool {
    true
}

/// Variants whose fitness is known: those of a match are the runs of a course of evolution, as they
/// were after a generation.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FitnessDef {
    #[serde(rename = "match")]
    pub(super) the_match: String,
    pub(super) course: String,
    pub(super) generation: u64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct TestDef {
    #[serde(default)]
    pub(super) label: String,
    pub(super) kind: TestKind,
    #[serde(default, rename = "match")]
    pub(super) the_match: Option<String>,
    pub(super) x: String,
    #[serde(default)]
    pub(super) y: Option<String>,
    #[serde(default, rename = "where")]
    pub(super) filters: Vec<String>,
    /// The level at which the paper finds x significantly greater than y.
    #[serde(default)]
    pub(super) claimed: Option<f64>,
}

/// Which test.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum TestKind {
    Welch,
    Paired,
    ChiSquare,
    Binomial,
}

/// A figure of the paper, or one of ours.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct FigureDef {
    pub(super) id: String,
    pub(super) title: String,
    pub(super) kind: FigureKind,
    /// The names of the axes.
    pub(super) x: String,
    pub(super) y: String,
    /// Whether the horizontal axis of a curve is logarithmic.
    #[serde(default)]
    pub(super) logarithmic: bool,
    #[serde(default)]
    pub(super) series: Vec<SeriesDef>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct SeriesDef {
    #[serde(default)]
    pub(super) label: String,
    #[serde(default, rename = "match")]
    pub(super) the_match: Option<String>,
    #[serde(default)]
    pub(super) value: Option<String>,
    /// The vertical value of a scatter plot.
    #[serde(default)]
    pub(super) against: Option<String>,
    #[serde(default, rename = "where")]
    pub(super) filters: Vec<String>,
    /// The points of a curve.
    #[serde(default)]
    pub(super) points: Vec<PointDef>,
    /// The folder of a learning curve, below `evolve/` in the results.
    #[serde(default)]
    pub(super) course: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct PointDef {
    pub(super) x: f64,
    #[serde(rename = "match")]
    pub(super) the_match: String,
    pub(super) value: String,
    #[serde(default, rename = "where")]
    pub(super) filters: Vec<String>,
}

impl File {
    /// Reads a file; `name` is what errors call it.
    pub(super) fn parse(name: &str, text: &str) -> Result<File, ExperimentError> {
        let file: File = toml::from_str(text).map_err(|error| {
            let at = error.span().map_or(0, |span| span.start.min(text.len()));
            let before = &text[..at];
            let line = before.matches('\n').count() + 1;
            let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
            let message = error.message().replace('\n', "; ");
            ExperimentError::new(&format!("{name}:{line}:{column}"), message)
        })?;
        if file.readings.is_empty() {
            return Ok(file);
        }
        let fault = |message: String| ExperimentError::new(name, message);
        let expanded = expand(toml::from_str(text).map_err(|error| fault(error.to_string()))?);
        expanded
            .map_err(fault)?
            .try_into()
            .map_err(|error: toml::de::Error| fault(error.to_string()))
    }
}
