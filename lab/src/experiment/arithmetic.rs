//! Printed numbers that no games of the stated number can have.

use super::design::{RowDesign, Sample};
use super::evidence::Evidence;
use super::report::CellReport;
use super::verdict::Published;
use crate::measure::MeasureError;
use serde::Serialize;

/// Printed numbers that are impossible, whatever was played.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Misprint {
    /// The row.
    pub row: String,
    /// The numbers as printed: one that is no mean of so many whole numbers, or two that do not add up.
    pub printed: Vec<String>,
    /// From how many games they are said to be.
    pub games: u64,
}

/// The impossible numbers of a row. What games can have is read off ours: scores that add up to a constant and come in
/// steps, and counts that are whole numbers.
pub(super) fn misprints(
    row: &RowDesign,
    cells: &[CellReport],
    evidence: &Evidence<'_>,
) -> Result<Vec<Misprint>, MeasureError> {
    let mut found = Vec::new();
    let misprint = |printed: &[&Published]| Misprint {
        row: row.label.clone(),
        printed: printed.iter().map(|published| published.text.clone()).collect(),
        games: printed[0].n,
    };
    for (i, (design, cell)) in row.cells.iter().zip(cells).enumerate() {
        let (Some(published), Sample::Games(games)) = (&design.published, &design.of) else {
            continue;
        };
        if !["payoff", "win"].contains(&cell.measure()) {
            let values = evidence.observe(games, &design.value)?.values;
            let is_whole = !values.is_empty() && values.iter().all(|value| value.fract() == 0.0);
            let (low, high) = published.range();
            let n = published.n as f64;
            if is_whole && !has_whole(low * n, high * n) {
                found.push(misprint(&[published]));
            }
            continue;
        }
        for (other, beside) in row.cells.iter().zip(cells).skip(i + 1) {
            let Some(second) = other.published.as_ref().filter(|_| cell.is_beside(beside)) else {
                continue;
            };
            let Some(scores) = Scores::of(evidence, design, other) else { continue };
            if cell.measure() == "payoff" && !scores.allow(published, second) {
                found.push(misprint(&[published, second]));
            }
        }
    }
    Ok(found)
}

/// Whether there is a whole number between two, with a hair of slack for sums of decimals.
fn has_whole(low: f64, high: f64) -> bool {
    (low - 1e-6).ceil() <= (high + 1e-6).floor()
}

/// What the scores of a game can be: seats of the two sides, their sum over all seats, and their step.
struct Scores {
    seats: [f64; 2],
    sum: f64,
    step: f64,
}

impl Scores {
    fn of(
        evidence: &Evidence<'_>,
        first: &super::design::CellDesign,
        second: &super::design::CellDesign,
    ) -> Option<Scores> {
        let Sample::Games(of) = &first.of else { return None };
        let games = evidence.games(of.the_match);
        let game = games.first()?;
        let seats = [&first.value, &second.value].map(|value| {
            let entrant = value.entrant()?;
            Some(game.seats.iter().filter(|seat| **seat == entrant).count())
        });
        let [Some(a), Some(b)] = seats else { return None };
        let sum: f64 = game.payoffs.iter().sum();
        let is_constant =
            |other: &crate::GameResult| (other.payoffs.iter().sum::<f64>() - sum).abs() < 1e-9;
        if a + b != game.seats.len() || !games.iter().all(is_constant) {
            return None;
        }
        let scores = games.iter().flat_map(|game| &game.payoffs).copied();
        let step = scores.filter(|score| *score > 1e-9).fold(f64::INFINITY, f64::min);
        step.is_finite().then_some(Scores { seats: [a as f64, b as f64], sum, step })
    }

    /// Whether some games have these two means a seat.
    fn allow(&self, first: &Published, second: &Published) -> bool {
        let n = first.n as f64;
        // In steps: the first side's points, by its own number and by what the other leaves.
        let steps = |points: f64| points * n / self.step;
        let ((low, high), (other_low, other_high)) = (first.range(), second.range());
        let [a, b] = self.seats;
        let low = steps(low * a).max(steps(self.sum - other_high * b));
        let high = steps(high * a).min(steps(self.sum - other_low * b));
        has_whole(low, high)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_that_cannot_be_are_found() {
        let published = |text: &str, n| Published::parse(text, Some(n)).unwrap();
        let scores = Scores { seats: [1.0, 3.0], sum: 4.0, step: 2.0 / 3.0 };
        let allow = |a: &str, b: &str| scores.allow(&published(a, 1000), &published(b, 1000));
        assert!(!allow("1.10", "0.96") && allow("1.10", "0.97"), "table A.2 of Sevens");
        assert!(!allow("1.03", "0.90"), "a row of table A.1");
        let whole = |text: &str, n: u64| {
            let (low, high) = published(text, n).range();
            has_whole(low * n as f64, high * n as f64)
        };
        assert!(!whole("21.28", 8) && !whole("1.79", 8), "a row of table 4.2 of Labyrinth");
        assert!(whole("24.06", 17) && whole("3.18", 17));
    }
}
