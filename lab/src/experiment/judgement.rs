//! What the published numbers of a table, or of several, come to together.

use super::report::{CellReport, RowReport, TableReport};
use super::verdict::{Verdict, published_value};
use oboro_stats::distribution::{
    chi_square_critical, chi_square_upper, noncentral_chi_square_upper, normal_critical,
    normal_two_sided,
};
use oboro_stats::{Confidence, holm, outside_by_chance};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// The level at which a table is found to differ, by each of three rules.
const LEVEL: f64 = 0.05;

/// How many published numbers there are of each verdict. A number that is printed twice counts once; numbers that an
/// experiment does not count (`counted = false`) are left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Counts {
    /// All that were compared.
    pub compared: u64,
    /// Inside, on enough games to tell.
    pub agree: u64,
    /// Inside, on too few.
    pub too_few: u64,
    /// Outside.
    pub differ: u64,
}

impl Counts {
    /// The numbers of some tables.
    pub fn of<'a>(tables: impl IntoIterator<Item = &'a TableReport>) -> Counts {
        let mut seen = BTreeSet::new();
        let mut counts = Counts::default();
        for cell in tables.into_iter().flat_map(|table| &table.rows).flat_map(counted) {
            let number = (&cell.the_match, &cell.value, &cell.filters, &cell.published);
            if seen.insert(number) {
                counts.add(cell.verdict);
            }
        }
        counts
    }

    /// How many published numbers some tables have, with games or without.
    pub fn printed<'a>(tables: impl IntoIterator<Item = &'a TableReport>) -> u64 {
        let cells = tables.into_iter().flat_map(|table| &table.rows).flat_map(counted);
        let cells = cells.filter(|cell| cell.published.is_some());
        let numbers: BTreeSet<_> = cells
            .map(|cell| (&cell.the_match, &cell.value, &cell.filters, &cell.published))
            .collect();
        numbers.len() as u64
    }

    fn add(&mut self, verdict: Option<Verdict>) {
        let of_verdict = match verdict {
            Some(Verdict::Agrees) => &mut self.agree,
            Some(Verdict::Differs) => &mut self.differ,
            Some(Verdict::TooFewGames) => &mut self.too_few,
            Some(Verdict::Open) | None => return,
        };
        *of_verdict += 1;
        self.compared += 1;
    }

    /// Those that lie where we expect them, on enough games or not.
    pub fn inside(&self) -> u64 {
        self.agree + self.too_few
    }
}

/// What the published numbers of a table come to together, counted by independent quantities.
///
/// Both sides' scores or wins of the same games add up to a constant and are one quantity. Cells that follow from others,
/// such as sums, are none (`counted = false` in the experiment). Each quantity has the largest |z| of its cells.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct TableVerdict {
    /// How many quantities were compared.
    pub quantities: u64,
    /// How many of them lie outside.
    pub outside: u64,
    /// The largest distance from ours, in standard errors.
    pub largest_z: f64,
    /// The sum of the squared distances.
    pub chi_square: f64,
    /// The probability of such a sum, if everything agrees.
    pub p: f64,
    /// The smallest p of a single quantity, corrected for their number (Holm).
    pub p_holm: f64,
    /// The probability that the sum shows it if every quantity is off by its yardstick.
    pub power: f64,
    /// Whether our games are as many as the paper's, all quantities together, within a tenth.
    pub is_paper_sized: bool,
    /// Rows in which the paper has one side clearly ahead and our games the other.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reversed: Vec<String>,
    /// What follows. It *differs* if the smallest p is below 0.05, the sum of squares is beyond its bound of 95 %, or more quantities lie outside
    /// than chance explains. Otherwise it *agrees* if our games are as many as the paper's, no order is reversed and the sum could have
    /// shown a difference; else there are *too few games*.
    pub verdict: Verdict,
}

/// One independent quantity.
#[derive(Clone, Default)]
struct Quantity {
    z: f64,
    is_outside: bool,
    power: f64,
    ours: u64,
    published: u64,
}

impl TableVerdict {
    /// The verdict on the published numbers of some tables; `None` if none was compared.
    pub fn of<'a>(tables: impl IntoIterator<Item = &'a TableReport>) -> Option<TableVerdict> {
        let mut quantities: BTreeMap<(&str, &[String], &str), Quantity> = BTreeMap::new();
        let mut reversed = Vec::new();
        for row in tables.into_iter().flat_map(|table| &table.rows) {
            for cell in counted(row) {
                let (Some(verdict), Some(z), Some(power)) = (cell.verdict, cell.z, cell.power)
                else {
                    continue;
                };
                let key = (cell.the_match.as_str(), cell.filters.as_slice(), cell.quantity());
                let quantity = quantities.entry(key).or_default();
                quantity.z = quantity.z.max(z.abs());
                quantity.is_outside |= verdict == Verdict::Differs;
                quantity.power = quantity.power.max(power);
                quantity.ours = quantity.ours.max(cell.ours.map_or(0, |ours| ours.n));
                quantity.published = quantity.published.max(cell.published_n.unwrap_or(0));
            }
            if is_reversed(row) {
                reversed.push(row.label.clone());
            }
        }
        let all: Vec<&Quantity> = quantities.values().collect();
        (!all.is_empty()).then(|| TableVerdict::new(&all, reversed))
    }

    fn new(all: &[&Quantity], reversed: Vec<String>) -> TableVerdict {
        let df = all.len() as f64;
        let chi_square: f64 = all.iter().map(|quantity| quantity.z * quantity.z).sum();
        let p = chi_square_upper(df, chi_square);
        let single: Vec<f64> = all.iter().map(|quantity| normal_two_sided(quantity.z)).collect();
        let p_holm = holm(&single).into_iter().fold(1.0, f64::min);
        let outside = all.iter().filter(|quantity| quantity.is_outside).count() as u64;
        // A hair of slack: one of one has a probability of exactly 0.05.
        let by_chance = outside_by_chance(all.len() as u64, outside, Confidence::P95).p;
        let is_off = p < LEVEL || p_holm < LEVEL || by_chance <= LEVEL + 1e-9;
        // How far each would be if it were off by its yardstick, in standard errors.
        let shift = |power: f64| Confidence::P95.z() - upper_quantile(power);
        let lambda = all.iter().map(|quantity| shift(quantity.power).powi(2)).sum();
        let power = noncentral_chi_square_upper(df, lambda, chi_square_critical(df, LEVEL));
        let games = |count: fn(&Quantity) -> u64| all.iter().map(|q| count(q)).sum::<u64>();
        let is_paper_sized = 10 * games(|q| q.ours) >= 9 * games(|q| q.published);
        let can_tell = power >= 0.5 && is_paper_sized && reversed.is_empty();
        let verdict = match (is_off, can_tell) {
            (true, _) => Verdict::Differs,
            (false, true) => Verdict::Agrees,
            (false, false) => Verdict::TooFewGames,
        };
        TableVerdict {
            quantities: all.len() as u64,
            outside,
            largest_z: all.iter().map(|quantity| quantity.z).fold(0.0, f64::max),
            chi_square,
            p,
            p_holm,
            power,
            is_paper_sized,
            reversed,
            verdict,
        }
    }
}

/// The cells of a row that count.
fn counted(row: &RowReport) -> impl Iterator<Item = &CellReport> {
    row.cells.iter().filter(|cell| cell.counted)
}

/// Whether the paper has one of two sides ahead by more than their yardstick, and our games the other.
fn is_reversed(row: &RowReport) -> bool {
    let sides = |cell: &CellReport| {
        let published = published_value(cell.published.as_deref()?)?;
        Some((published, cell.ours?.value, cell.yardstick?))
    };
    counted(row).enumerate().any(|(i, first)| {
        counted(row).skip(i + 1).filter(|second| first.is_beside(second)).any(|second| {
            let (Some((a, our_a, yardstick)), Some((b, our_b, _))) = (sides(first), sides(second))
            else {
                return false;
            };
            (a - b).abs() > yardstick && (a - b) * (our_a - our_b) < 0.0
        })
    })
}

/// The z that a standard normal variable exceeds with probability `p`.
fn upper_quantile(p: f64) -> f64 {
    let p = p.clamp(1e-12, 1.0 - 1e-12);
    if p <= 0.5 { normal_critical(2.0 * p) } else { -normal_critical(2.0 * (1.0 - p)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Estimate;

    /// A cell of a match of its own, `z` standard errors off, with as many games as the paper has.
    fn cell(the_match: usize, z: f64, power: f64) -> CellReport {
        let verdict = match (z.abs() > 1.96, power >= 0.5) {
            (true, _) => Verdict::Differs,
            (false, true) => Verdict::Agrees,
            (false, false) => Verdict::TooFewGames,
        };
        CellReport {
            label: String::new(),
            the_match: the_match.to_string(),
            value: "win[a]".to_owned(),
            filters: vec![],
            ours: Estimate::new(&[0.0, 1.0].repeat(500)),
            published: Some("0.5".to_owned()),
            published_n: Some(1000),
            counted: true,
            expected: None,
            z: Some(z),
            yardstick: Some(0.03),
            power: Some(power),
            verdict: Some(verdict),
        }
    }

    fn table(rows: Vec<Vec<CellReport>>) -> TableReport {
        let row = |cells| RowReport { label: "row".to_owned(), cells, tests: vec![] };
        TableReport {
            id: "1".to_owned(),
            title: String::new(),
            notes: vec![],
            rows: rows.into_iter().map(row).collect(),
            misprints: vec![],
            verdict: None,
        }
    }

    fn judge(zs: &[f64], power: f64) -> TableVerdict {
        let rows = zs.iter().enumerate().map(|(i, z)| vec![cell(i, *z, power)]);
        TableVerdict::of([&table(rows.collect())]).unwrap()
    }

    /// Saboteur's tables 10 and 11 once passed for reproduced so.
    #[test]
    fn one_of_two_numbers_seven_errors_off_differs() {
        let judged = judge(&[0.1, 7.2], 0.9);
        assert_eq!((judged.verdict, judged.outside, judged.largest_z), (Verdict::Differs, 1, 7.2));
        assert_eq!(judge(&[0.1, 4.1], 0.9).verdict, Verdict::Differs);
        assert_eq!(judge(&[0.1, 2.0], 0.9).verdict, Verdict::Agrees, "one of two may be chance");
        assert_eq!(judge(&[2.0], 0.9).verdict, Verdict::Differs, "the only number differs");
    }

    #[test]
    fn many_numbers_that_are_all_a_little_off_differ() {
        let judged = judge(&[1.8; 6], 0.9);
        assert_eq!((judged.verdict, judged.outside), (Verdict::Differs, 0));
        assert!(judged.p < 0.01 && judged.p_holm > 0.05, "{judged:?}");
        assert_eq!(judge(&[0.9; 6], 0.9).verdict, Verdict::Agrees);
    }

    #[test]
    fn a_table_agrees_only_if_it_could_have_differed() {
        assert_eq!(judge(&[0.5; 6], 0.05).verdict, Verdict::TooFewGames);
        assert_eq!(judge(&[0.5; 6], 0.3).verdict, Verdict::Agrees, "together they tell");
        assert_eq!(judge(&[0.5; 1], 0.3).verdict, Verdict::TooFewGames);
        assert_eq!(TableVerdict::of([&table(vec![])]), None);
        let open = CellReport { verdict: Some(Verdict::Open), z: None, ..cell(0, 0.0, 0.5) };
        assert_eq!(TableVerdict::of([&table(vec![vec![open]])]), None);
    }

    #[test]
    fn fewer_games_than_the_papers_never_agree() {
        let few = |cell: CellReport| CellReport { published_n: Some(10_000), ..cell };
        let rows = (0..6).map(|i| vec![few(cell(i, 0.1, 0.9))]);
        let judged = TableVerdict::of([&table(rows.collect())]).unwrap();
        assert_eq!((judged.verdict, judged.is_paper_sized), (Verdict::TooFewGames, false));
    }

    #[test]
    fn two_sides_of_a_game_are_one_quantity_and_sums_are_none() {
        let other = |z| CellReport { value: "win[b]".to_owned(), ..cell(0, z, 0.9) };
        let sum = CellReport { counted: false, ..cell(1, 9.0, 0.9) };
        let both = table(vec![vec![cell(0, 1.0, 0.9), other(-1.1), sum]]);
        let judged = TableVerdict::of([&both]).unwrap();
        assert_eq!((judged.quantities, judged.largest_z), (1, 1.1));
        let counts = Counts::of([&both, &both]);
        assert_eq!((counts.compared, counts.agree), (2, 2), "a repeated number counts once");
        let open = CellReport { verdict: Some(Verdict::Open), ..cell(7, 0.0, 0.5) };
        let open = table(vec![vec![open]]);
        assert_eq!(Counts::of([&both, &open]).compared, 2, "without games nothing is compared");
        assert_eq!(Counts::printed([&both, &open, &open]), 3, "but it is printed");
        let turns =
            |side: &str| CellReport { value: format!("turns[{side}]"), ..cell(0, 1.0, 0.9) };
        let judged = TableVerdict::of([&table(vec![vec![turns("a"), turns("b")]])]).unwrap();
        assert_eq!(judged.quantities, 2, "turns add up to nothing");
    }

    /// The first row of Sevens' table 1 once had its two sides exchanged and passed.
    #[test]
    fn a_reversed_order_is_not_reproduced() {
        let side = |value: &str, published: &str, ours: f64| CellReport {
            value: value.to_owned(),
            published: Some(published.to_owned()),
            ours: Estimate::new(&[ours - 0.5, ours + 0.5].repeat(500)),
            ..cell(0, 1.5, 0.9)
        };
        let judge = |a: &str, b: &str| {
            let sides = vec![side("payoff[a]", a, 1.01), side("payoff[b]", b, 0.99)];
            let rest = (1..6).map(|i| vec![cell(i, 0.2, 0.9)]);
            TableVerdict::of([&table(std::iter::once(sides).chain(rest).collect())]).unwrap()
        };
        let judged = judge("0.93", "1.07");
        assert_eq!((judged.verdict, judged.reversed.len()), (Verdict::TooFewGames, 1));
        assert_eq!(judge("1.07", "0.93").verdict, Verdict::Agrees);
        assert_eq!(judge("0.99", "1.01").verdict, Verdict::Agrees, "the paper has hardly an order");
    }
}
