use super::figure::FigureReport;
use super::file::{Cell, ExperimentError, File, RowDef, Scale, TableDef, TestDef, TestKind};
use super::variants;
use super::verdict::{Published, Verdict};
use crate::measure::{Filter, MeasureError, Value, select};
use crate::stats::{
    Confidence, Interval, Moments, Outside, TestResult, binomial_test, chi_square_fit, holm,
    outside_by_chance, paired, welch,
};
use crate::{Estimate, GameResult};
use serde::Serialize;
use std::collections::BTreeMap;

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
    /// Published numbers compared and outside of what we expect, with the chance of so many.
    pub verdicts: Outside,
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
    pub contest: String,
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
    /// Where the published number should lie.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected: Option<Interval>,
    /// Whether it does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verdict: Option<Verdict>,
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
}

pub(super) fn fill(
    file: &File,
    scale: Scale,
    games: impl Fn(&str) -> Vec<GameResult>,
    course: Course<'_>,
) -> Result<Report, ExperimentError> {
    let games: BTreeMap<String, Vec<GameResult>> =
        file.match_ids().into_iter().map(|id| (id.clone(), games(&id))).collect();
    let mut tables = Vec::new();
    for table in &file.tables {
        tables.push(fill_table(file, table, &games, course).map_err(|error| {
            ExperimentError::new(&file.id, format!("table {}: {error}", table.id))
        })?);
    }
    let figures =
        file.figures.iter().map(|figure| figure.fill(&games, course)).collect::<Result<_, _>>()?;
    let cells =
        || tables.iter().flat_map(|t| &t.rows).flat_map(|r| &r.cells).filter_map(|c| c.verdict);
    let compared = cells().filter(|v| *v != Verdict::Open).count() as u64;
    let outside = cells().filter(|v| *v == Verdict::Differs).count() as u64;
    Ok(Report {
        id: file.id.clone(),
        title: file.title.clone(),
        source: file.source.clone(),
        scale,
        notes: file.notes.clone(),
        tables,
        figures,
        verdicts: outside_by_chance(compared, outside, Confidence::P95),
    })
}

pub(super) type Games = BTreeMap<String, Vec<GameResult>>;

/// The text of a course of evolution, a `progress.csv`, by its name.
pub(super) type Course<'a> = &'a dyn Fn(&str) -> Option<String>;

fn fill_table(
    file: &File,
    table: &TableDef,
    games: &Games,
    course: Course<'_>,
) -> Result<TableReport, MeasureError> {
    let mut rows = Vec::new();
    for row in &table.rows {
        let cells = row
            .cells
            .iter()
            .map(|cell| fill_cell(file, row, cell, games, course))
            .collect::<Result<_, _>>()?;
        let tests =
            row.tests.iter().map(|test| fill_test(row, test, games)).collect::<Result<_, _>>()?;
        rows.push(RowReport { label: row.label.clone(), cells, tests });
    }
    if table.holm {
        let mut tests: Vec<&mut TestReport> = rows
            .iter_mut()
            .flat_map(|row: &mut RowReport| &mut row.tests)
            .filter(|test| test.p.is_some())
            .collect();
        let p: Vec<f64> = tests.iter().filter_map(|test| test.p).collect();
        for (test, corrected) in tests.iter_mut().zip(holm(&p)) {
            test.p_holm = Some(corrected);
        }
    }
    Ok(TableReport {
        id: table.id.clone(),
        title: table.title.clone(),
        notes: table.notes.clone(),
        rows,
    })
}

pub(super) fn parse_filters(filters: &[String]) -> Result<Vec<Filter>, MeasureError> {
    filters.iter().map(|filter| filter.parse()).collect()
}

fn fill_cell(
    file: &File,
    row: &RowDef,
    cell: &Cell,
    games: &Games,
    course: Course<'_>,
) -> Result<CellReport, MeasureError> {
    // Of a correlation over several matches the first stands for all.
    let contest = cell.fitness.first().map(|known| &known.contest);
    let contest = contest.or(cell.contest.as_ref()).or(row.contest.as_ref());
    let contest = contest.expect("checked when read");
    let value: Value = cell.value.parse()?;
    let filters = parse_filters(&cell.filters)?;
    let (ours, measured) = if !cell.fitness.is_empty() {
        let found = variants::correlation(games, &filters, &value, &cell.fitness, course)?;
        (found, format!("correlation of fitness and {}", cell.value))
    } else if cell.best {
        (variants::best(&games[contest], &filters, &value)?, format!("best {}", cell.value))
    } else {
        let mut values = Vec::new();
        for game in select(&games[contest], &filters)? {
            values.extend(value.of(game)?);
        }
        (Estimate::new(&values), cell.value.clone())
    };
    let judged = cell.published.as_ref().map(|text| {
        Published::parse(text, cell.published_n.or(file.published_n))
            .expect("checked when read")
            .judge(ours.as_ref())
    });
    Ok(CellReport {
        label: cell.label.clone(),
        contest: contest.clone(),
        value: measured,
        filters: cell.filters.clone(),
        ours,
        published: cell.published.clone(),
        expected: judged.and_then(|(_, expected)| expected),
        verdict: judged.map(|(verdict, _)| verdict),
    })
}

fn fill_test(row: &RowDef, test: &TestDef, games: &Games) -> Result<TestReport, MeasureError> {
    let contest = test.contest.as_ref().or(row.contest.as_ref()).expect("checked when read");
    let selected = select(&games[contest], &parse_filters(&test.filters)?)?;
    let x: Value = test.x.parse()?;
    let y: Option<Value> = test.y.as_ref().map(|y| y.parse()).transpose()?;
    let mut pairs = (Vec::new(), Vec::new());
    let mut singles = (Moments::default(), Moments::default());
    for game in selected {
        let other = y.as_ref().map(|y| y.of(game)).transpose()?.flatten();
        if let Some(value) = x.of(game)? {
            pairs.0.push(value);
            pairs.1.extend(other);
        }
        x.each(game)?.into_iter().for_each(|v| singles.0.push(v));
        if let Some(y) = &y {
            y.each(game)?.into_iter().for_each(|v| singles.1.push(v));
        }
    }
    let rate = || Estimate::new(&pairs.0).and_then(|estimate| estimate.rate());
    let of_test = |test: TestResult| (test.statistic, Some(test.df), test.p);
    let (name, figures) = match test.kind {
        TestKind::Welch => {
            ("Welch's t", welch(&singles.0, &singles.1, Confidence::P95).map(|d| of_test(d.test)))
        }
        TestKind::Paired => {
            ("paired t", paired(&pairs.0, &pairs.1, Confidence::P95).map(|d| of_test(d.test)))
        }
        TestKind::ChiSquare => (
            "χ² against even",
            rate()
                .and_then(|r| chi_square_fit(&[r.successes(), r.failures()], &[0.5, 0.5]))
                .map(of_test),
        ),
        TestKind::Binomial => (
            "exact binomial",
            rate().and_then(|r| Some((r.value()?, None, binomial_test(r, 0.5)?))),
        ),
    };
    Ok(TestReport {
        label: if test.label.is_empty() { name.to_owned() } else { test.label.clone() },
        statistic: figures.map(|f| f.0),
        df: figures.and_then(|f| f.1),
        p: figures.map(|f| f.2),
        p_holm: None,
    })
}
