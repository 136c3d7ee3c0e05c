//! Fills tables.

use super::arithmetic;
use super::design::{CellDesign, RowDesign, Sample, TableDesign, Test, TestDesign};
use super::evidence::Evidence;
use super::judgement::TableVerdict;
use super::report::{CellReport, Claim, RowReport, TableReport, TestReport};
use super::variants;
use crate::Estimate;
use crate::estimate::rate_of;
use crate::measure::{MeasureError, Value};
use oboro_stats::{
    Confidence, Moments, Rate, TestResult, binomial_test, chi_square_fit, holm, paired, welch,
};

/// A table from the games; `names` are the matches' names.
pub(super) fn fill(
    table: &TableDesign,
    names: &[String],
    evidence: &Evidence<'_>,
) -> Result<TableReport, MeasureError> {
    let rows = table.rows.iter().map(|row| fill_row(row, names, evidence));
    let mut rows: Vec<RowReport> = rows.collect::<Result<_, _>>()?;
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
    let mut misprints = Vec::new();
    for (row, filled) in table.rows.iter().zip(&rows) {
        misprints.extend(arithmetic::misprints(row, &filled.cells, evidence)?);
    }
    let filled = TableReport {
        id: table.id.clone(),
        title: table.title.clone(),
        notes: table.notes.clone(),
        rows,
        misprints,
        verdict: None,
    };
    Ok(TableReport { verdict: TableVerdict::of([&filled]), ..filled })
}

fn fill_row(
    row: &RowDesign,
    names: &[String],
    evidence: &Evidence<'_>,
) -> Result<RowReport, MeasureError> {
    let cells = row.cells.iter().map(|cell| fill_cell(cell, names, evidence));
    let tests = row.tests.iter().map(|test| fill_test(test, evidence));
    Ok(RowReport {
        label: row.label.clone(),
        cells: cells.collect::<Result<_, _>>()?,
        tests: tests.collect::<Result<_, _>>()?,
    })
}

fn fill_cell(
    cell: &CellDesign,
    names: &[String],
    evidence: &Evidence<'_>,
) -> Result<CellReport, MeasureError> {
    let value = &cell.value;
    let (the_match, filters, ours, measured) = match &cell.of {
        Sample::Games(games) => {
            let ours = Estimate::of(&evidence.observe(games, value)?);
            (Some(games.the_match), &games.filters, ours, value.to_string())
        }
        Sample::BestVariant(games) => {
            let ours = variants::best(evidence.games(games.the_match), &games.filters, value)?;
            (Some(games.the_match), &games.filters, ours, format!("best {value}"))
        }
        Sample::Fitness(known, filters) => {
            let ours = variants::correlation(evidence, filters, value, known)?;
            // Of several matches the first stands for all.
            let the_match = known.first().map(|known| known.the_match);
            (the_match, filters, ours, format!("correlation of fitness and {value}"))
        }
    };
    let judged = cell.published.as_ref().map(|published| published.judge(ours.as_ref()));
    let prediction = judged.and_then(|judged| judged.prediction);
    Ok(CellReport {
        label: cell.label.clone(),
        the_match: the_match.map_or_else(String::new, |the_match| names[the_match.index()].clone()),
        value: measured,
        filters: filters.iter().map(ToString::to_string).collect(),
        ours,
        published: cell.published.as_ref().map(|published| published.text.clone()),
        published_n: cell.published.as_ref().map(|published| published.n),
        counted: cell.counted,
        expected: prediction.map(|prediction| prediction.interval),
        z: judged.and_then(|judged| judged.z),
        yardstick: prediction.map(|prediction| prediction.yardstick),
        power: prediction.map(|prediction| prediction.power),
        verdict: judged.map(|judged| judged.verdict),
    })
}

/// A test's statistic, its degrees of freedom where it has any, and p.
type Figures = Option<(f64, Option<f64>, f64)>;

fn fill_test(test: &TestDesign, evidence: &Evidence<'_>) -> Result<TestReport, MeasureError> {
    let of_test = |test: TestResult| (test.statistic, Some(test.df), test.p);
    let rate = |x: &Value| -> Result<Option<Rate>, MeasureError> {
        Ok(rate_of(&evidence.observe(&test.of, x)?.values))
    };
    let (name, figures): (&str, Figures) = match &test.kind {
        Test::Welch(x, y) => {
            let (mut first, mut second) = (Moments::default(), Moments::default());
            for game in evidence.select(&test.of)? {
                first.extend(x.each(game)?);
                second.extend(y.each(game)?);
            }
            let found = welch(&first, &second, Confidence::P95);
            ("Welch's t", found.map(|found| of_test(found.test)))
        }
        Test::Paired(x, y) => {
            let (mut first, mut second) = (Vec::new(), Vec::new());
            for game in evidence.select(&test.of)? {
                if let (Some(x), Some(y)) = (x.of(game)?, y.of(game)?) {
                    first.push(x);
                    second.push(y);
                }
            }
            let found = paired(&first, &second, Confidence::P95);
            ("paired t", found.map(|found| of_test(found.test)))
        }
        Test::ChiSquare(x) => {
            let against_halves =
                |r: Rate| chi_square_fit(&[r.successes(), r.failures()], &[0.5, 0.5]);
            ("χ² against even", rate(x)?.and_then(against_halves).map(of_test))
        }
        Test::Binomial(x) => {
            let against_half = |r: Rate| Some((r.value()?, None, binomial_test(r, 0.5)?));
            ("exact binomial", rate(x)?.and_then(against_half))
        }
    };
    Ok(TestReport {
        label: if test.label.is_empty() { name.to_owned() } else { test.label.clone() },
        statistic: figures.map(|f| f.0),
        df: figures.and_then(|f| f.1),
        p: figures.map(|f| f.2),
        p_holm: None,
        claim: test.claimed.map(|level| Claim {
            level,
            holds: figures.map(|(statistic, _, p)| statistic > 0.0 && p < level),
        }),
    })
}
