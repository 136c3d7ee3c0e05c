use super::figure::FigureDef;
use super::variants::Fitness;
use crate::measure::{Filter, Value};
use crate::{MatchPlan, Seating};
use oboro_core::Seed;
use serde::{Deserialize, Serialize};
use std::fmt;

/// How large an experiment is run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scale {
    /// Minutes: enough to see the shape.
    #[default]
    Quick,
    /// As many games as the paper played.
    Paper,
    /// More than the paper: narrow intervals.
    Full,
}

impl fmt::Display for Scale {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Scale::Quick => "quick",
            Scale::Paper => "paper",
            Scale::Full => "full",
        })
    }
}

/// An experiment file that cannot be used.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{place}: {message}")]
pub struct ExperimentError {
    place: String,
    message: String,
}

impl ExperimentError {
    pub(crate) fn new(place: &str, message: impl Into<String>) -> ExperimentError {
        ExperimentError { place: place.to_owned(), message: message.into() }
    }
}

/// Games at each scale.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Scales {
    quick: u64,
    paper: u64,
    full: u64,
}

impl Scales {
    pub(crate) fn at(self, scale: Scale) -> u64 {
        match scale {
            Scale::Quick => self.quick,
            Scale::Paper => self.paper,
            Scale::Full => self.full,
        }
    }
}

#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct File {
    pub(crate) id: String,
    pub(crate) title: String,
    /// Where it was published.
    #[serde(default)]
    pub(crate) source: Option<String>,
    pub(crate) game: String,
    pub(crate) seed: u64,
    #[serde(default)]
    rules: toml::Table,
    games: Scales,
    /// The sample size behind published numbers, where a cell does not say.
    #[serde(default)]
    pub(crate) published_n: Option<u64>,
    /// Said at the top of every report.
    #[serde(default)]
    pub(crate) notes: Vec<String>,
    #[serde(default, rename = "match")]
    matches: Vec<MatchDef>,
    #[serde(default, rename = "table")]
    pub(crate) tables: Vec<TableDef>,
    #[serde(default, rename = "figure")]
    pub(crate) figures: Vec<FigureDef>,
}

#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct MatchDef {
    id: String,
    agents: Vec<String>,
    #[serde(default = "random")]
    seats: Seating,
    #[serde(default)]
    rules: toml::Table,
    #[serde(default)]
    games: Option<Scales>,
    #[serde(default)]
    oracles: bool,
}

fn random() -> Seating {
    Seating::Random
}

/// A table of the paper, or one of ours.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct TableDef {
    pub(crate) id: String,
    pub(crate) title: String,
    #[serde(default)]
    pub(crate) notes: Vec<String>,
    /// Corrects the p-values of the table's tests for their number (Holm).
    #[serde(default)]
    pub(crate) holm: bool,
    #[serde(default, rename = "row")]
    pub(crate) rows: Vec<RowDef>,
}

#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct RowDef {
    pub(crate) label: String,
    /// The match of its cells and tests, where they do not say.
    #[serde(default, rename = "match")]
    pub(crate) contest: Option<String>,
    #[serde(default)]
    pub(crate) cells: Vec<Cell>,
    #[serde(default)]
    pub(crate) tests: Vec<TestDef>,
}

/// One number of a table.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Cell {
    /// What it is the number of, within its row.
    #[serde(default)]
    pub label: String,
    #[serde(default, rename = "match")]
    pub(crate) contest: Option<String>,
    pub(crate) value: String,
    #[serde(default, rename = "where")]
    pub(crate) filters: Vec<String>,
    /// Takes the best of the variants that the entrant drew, not all games.
    #[serde(default)]
    pub(crate) best: bool,
    /// Correlates the variants' values with their fitness instead.
    #[serde(default)]
    pub(crate) fitness: Vec<Fitness>,
    /// As printed in the paper: `0.93`, or a count out of a sample, `17/25`.
    #[serde(default)]
    pub(crate) published: Option<String>,
    #[serde(default)]
    pub(crate) published_n: Option<u64>,
}

#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct TestDef {
    #[serde(default)]
    pub(crate) label: String,
    pub(crate) kind: TestKind,
    #[serde(default, rename = "match")]
    pub(crate) contest: Option<String>,
    pub(crate) x: String,
    #[serde(default)]
    pub(crate) y: Option<String>,
    #[serde(default, rename = "where")]
    pub(crate) filters: Vec<String>,
}

/// Which test.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum TestKind {
    /// Welch's t between the single values of x and y.
    Welch,
    /// Student's t on x − y, game by game.
    Paired,
    /// χ² of the counts of x and not x against halves.
    ChiSquare,
    /// Exact binomial of the rate of x against one half.
    Binomial,
}

impl File {
    pub(crate) fn parse(name: &str, text: &str) -> Result<File, ExperimentError> {
        let file: File = toml::from_str(text).map_err(|error| {
            let at = error.span().map_or(0, |span| span.start.min(text.len()));
            let before = &text[..at];
            let line = before.matches('\n').count() + 1;
            let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
            let message = error.message().replace('\n', "; ");
            ExperimentError::new(&format!("{name}:{line}:{column}"), message)
        })?;
        file.check().map_err(|message| ExperimentError::new(name, message))?;
        Ok(file)
    }

    fn check(&self) -> Result<(), String> {
        let ids = self.match_ids();
        for (i, id) in ids.iter().enumerate() {
            let is_name = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
            if id.is_empty() || id.starts_with('.') || !id.chars().all(is_name) {
                return Err(format!(
                    "match id `{id}`: letters, digits, - _ and . only (it names a file)"
                ));
            }
            if ids[..i].contains(id) {
                return Err(format!("two matches are called `{id}`"));
            }
        }
        if let Some(id) = ["manifest", "tables", "report", "evolve"]
            .iter()
            .find(|id| ids.iter().any(|i| i == *id))
        {
            return Err(format!(
                "a match cannot be called `{id}`: the folder has another file of that name"
            ));
        }
        for table in &self.tables {
            for row in &table.rows {
                let place = format!("table {}, row `{}`", table.id, row.label);
                let of_row = |contest: &Option<String>| {
                    contest.clone().or(row.contest.clone()).ok_or(format!("{place}: which match?"))
                };
                for cell in &row.cells {
                    if cell.best && !cell.fitness.is_empty() {
                        return Err(format!("{place}: a cell has `best` or `fitness`, not both"));
                    }
                    let contests = match cell.fitness.as_slice() {
                        [] => vec![of_row(&cell.contest)?],
                        known => known.iter().map(|known| known.contest.clone()).collect(),
                    };
                    for contest in &contests {
                        check_measure(&ids, &place, contest, &[&cell.value], &cell.filters)?;
                    }
                    if let Some(published) = &cell.published {
                        super::verdict::Published::parse(
                            published,
                            cell.published_n.or(self.published_n),
                        )
                        .map_err(|message| format!("{place}: {message}"))?;
                    }
                }
                for test in &row.tests {
                    let values: Vec<&str> =
                        [Some(test.x.as_str()), test.y.as_deref()].into_iter().flatten().collect();
                    let pair = matches!(test.kind, TestKind::Welch | TestKind::Paired);
                    if pair != test.y.is_some() {
                        let count = if pair { "x and y" } else { "x alone" };
                        return Err(format!("{place}: this test takes {count}"));
                    }
                    let contest = of_row(&test.contest)?;
                    check_measure(&ids, &place, &contest, &values, &test.filters)?;
                }
            }
        }
        for figure in &self.figures {
            let place = format!("figure {}", figure.id);
            for (contest, values, filters) in figure.measures()? {
                check_measure(&ids, &place, contest, &values, filters)?;
            }
        }
        Ok(())
    }

    pub(crate) fn match_ids(&self) -> Vec<String> {
        self.matches.iter().map(|m| m.id.clone()).collect()
    }

    pub(crate) fn plans(&self, scale: Scale, seed: &Seed) -> Vec<(String, MatchPlan)> {
        self.matches
            .iter()
            .map(|def| {
                let mut rules = self.rules.clone();
                rules.extend(def.rules.clone());
                let plan = MatchPlan {
                    game: self.game.clone(),
                    rules: rules.iter().map(|(key, value)| (key.clone(), plain(value))).collect(),
                    agents: def.agents.clone(),
                    seating: def.seats,
                    seed: seed.child(&def.id),
                    games: def.games.unwrap_or(self.games).at(scale),
                    allow_oracles: def.oracles,
                };
                (def.id.clone(), plan)
            })
            .collect()
    }
}

fn plain(value: &toml::Value) -> String {
    match value {
        toml::Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

fn check_measure(
    ids: &[String],
    place: &str,
    contest: &str,
    values: &[&str],
    filters: &[String],
) -> Result<(), String> {
    if !ids.iter().any(|id| id == contest) {
        return Err(format!("{place}: there is no match `{contest}`"));
    }
    for value in values {
        value.parse::<Value>().map_err(|error| format!("{place}: {error}"))?;
    }
    for filter in filters {
        filter.parse::<Filter>().map_err(|error| format!("{place}: {error}"))?;
    }
    Ok(())
}
