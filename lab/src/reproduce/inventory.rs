use super::words::Words;
use crate::stats::{Confidence, outside_by_chance};
use crate::{Experiment, Report, TableReport, Verdict, papers};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// A published paper: what it is called and every table and figure it prints.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Paper {
    /// Its name here; its experiments are called so, or so with `-something` after it.
    pub id: String,
    /// Its title: the English one is ours where it has none.
    pub title: Words,
    /// Who wrote it.
    pub authors: Words,
    /// Where and when.
    pub venue: Words,
    /// Every table and figure, in order.
    pub items: Vec<Item>,
}

/// A table or figure of a paper, or a section with numbers of its own.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Item {
    /// Its number, for a table.
    #[serde(default)]
    pub table: Option<String>,
    /// Its number, for a figure.
    #[serde(default)]
    pub figure: Option<String>,
    /// Its number, for a section that prints its numbers in the text alone.
    #[serde(default)]
    pub section: Option<String>,
    /// What it shows.
    pub title: Words,
    /// Why it is not reproduced: a key of the reasons.
    #[serde(default)]
    not: Option<String>,
    /// The file of the test that checks it exactly.
    #[serde(default)]
    test: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Inventory {
    reasons: BTreeMap<String, Words>,
    paper: Vec<Paper>,
}

static INVENTORY: LazyLock<Inventory> = LazyLock::new(|| {
    toml::from_str(include_str!("../../../papers/inventory.toml")).expect("a test reads it")
});

/// What became of a table or figure.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// A table of which no more numbers differ than chance explains, or what a test checks exactly.
    Reproduced,
    /// A figure drawn from our games; the paper prints a picture and no numbers to compare with.
    Redrawn,
    /// A table of which more numbers differ than chance explains.
    Differs,
    /// There are no games for it at this scale.
    NotRun,
    /// It cannot be computed.
    NotReproducible,
}

/// A table or figure and what became of it.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ItemReport {
    /// `Table` or `Figure` and its number.
    pub item: String,
    /// What it shows.
    pub title: Words,
    /// What became of it.
    pub status: Status,
    /// Why, where the status does not say it all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<Words>,
    /// The experiment that has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub experiment: Option<String>,
    /// How many of its numbers were compared with ours.
    pub compared: u64,
    /// How many of those lie where we expect them.
    pub agree: u64,
}

impl Paper {
    /// All papers, in the order of the report.
    pub fn all() -> &'static [Paper] {
        &INVENTORY.paper
    }

    /// Whether an experiment belongs to it.
    pub fn owns(&self, experiment: &str) -> bool {
        experiment
            .strip_prefix(self.id.as_str())
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
    }

    /// Its experiments that come with the program: name and text.
    pub fn experiments(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        papers().iter().copied().filter(|(name, _)| self.owns(name))
    }

    /// Whether a table or figure of an experiment is one of its own, not one that we added.
    pub(super) fn has_table(&self, id: &str) -> bool {
        self.items.iter().any(|item| item.our_table() == Some(id))
    }

    /// What became of each table and figure.
    pub(super) fn status(&self, reports: &[Report]) -> Vec<ItemReport> {
        self.items.iter().map(|item| item.status(reports)).collect()
    }
}

impl Item {
    /// `Table 1`, `Figure 4.2`, `Section 6.3`.
    pub fn name(&self) -> String {
        match (&self.table, &self.figure, &self.section) {
            (Some(table), ..) => format!("Table {table}"),
            (_, Some(figure), _) => format!("Figure {figure}"),
            (.., Some(section)) => format!("Section {section}"),
            _ => String::new(),
        }
    }

    /// The name of the table of ours that has its numbers; a section's is called as the section.
    fn our_table(&self) -> Option<&str> {
        self.table.as_deref().or(self.section.as_deref())
    }

    fn status(&self, reports: &[Report]) -> ItemReport {
        let report =
            |status, why: Option<Words>, experiment: Option<&str>, counts: (u64, u64)| ItemReport {
                item: self.name(),
                title: self.title.clone(),
                status,
                why,
                experiment: experiment.map(str::to_owned),
                compared: counts.0,
                agree: counts.1,
            };
        if let Some(reason) = &self.not {
            return report(
                Status::NotReproducible,
                Some(INVENTORY.reasons[reason].clone()),
                None,
                (0, 0),
            );
        }
        if let Some(test) = &self.test {
            let why = Words {
                en: format!("checked exactly by the test {test}"),
                ja: format!("テスト {test} が厳密に確かめている"),
            };
            return report(Status::Reproduced, Some(why), None, (0, 0));
        }
        let not_run =
            |why: &str| report(Status::NotRun, Some(INVENTORY.reasons[why].clone()), None, (0, 0));
        for filled in reports {
            if let Some(table) = filled.tables.iter().find(|t| self.our_table() == Some(&t.id)) {
                let verdicts =
                    || table.rows.iter().flat_map(|r| &r.cells).filter_map(|c| c.verdict);
                let compared = verdicts().filter(|v| *v != Verdict::Open).count() as u64;
                let agree = verdicts().filter(|v| *v == Verdict::Agrees).count() as u64;
                if compared == 0 {
                    return not_run("no-games");
                }
                let status =
                    if more_than_chance(table) { Status::Differs } else { Status::Reproduced };
                return report(status, None, Some(&filled.id), (compared, agree));
            }
            if let Some(figure) =
                filled.figures.iter().find(|f| self.figure.as_ref() == Some(&f.id))
            {
                if figure.is_empty() {
                    return not_run(if figure.kind == crate::FigureKind::Learning {
                        "no-course"
                    } else {
                        "no-games"
                    });
                }
                return report(Status::Redrawn, None, Some(&filled.id), (0, 0));
            }
        }
        not_run("no-experiment")
    }
}

/// Whether more of a table's numbers differ than chance explains.
///
/// Numbers of one row and measure from the same games (both sides' scores, which add up to a constant) count as one: it
/// differs if any of them does.
fn more_than_chance(table: &TableReport) -> bool {
    let mut groups: BTreeMap<(usize, &str, &[String], &str), bool> = BTreeMap::new();
    for (i, row) in table.rows.iter().enumerate() {
        for cell in &row.cells {
            let measure = cell.value.split('[').next().unwrap_or_default();
            let differs = match cell.verdict {
                Some(Verdict::Agrees) => false,
                Some(Verdict::Differs) => true,
                Some(Verdict::Open) | None => continue,
            };
            *groups.entry((i, &cell.contest, &cell.filters, measure)).or_default() |= differs;
        }
    }
    let outside = groups.values().filter(|differs| **differs).count() as u64;
    outside_by_chance(groups.len() as u64, outside, Confidence::P95).p < 0.05
}

/// The experiments of the program that belong to no paper.
pub(super) fn orphans() -> impl Iterator<Item = (&'static str, &'static str)> {
    papers().iter().copied().filter(|(name, _)| !Paper::all().iter().any(|paper| paper.owns(name)))
}

/// Reads the experiments of a paper, the one that is called as the paper first.
///
/// # Panics
/// If one that comes with the program cannot be read.
pub(super) fn read(
    experiments: impl Iterator<Item = (&'static str, &'static str)>,
) -> Vec<Experiment> {
    let mut read: Vec<Experiment> = experiments
        .map(|(name, text)| {
            Experiment::parse(name, text).expect("what comes with the program is sound")
        })
        .collect();
    read.sort_by(|a, b| a.id().cmp(b.id()));
    read
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers `first` to `last` after a prefix.
    fn range(prefix: &str, first: u32, last: u32) -> Vec<String> {
        (first..=last).map(|n| format!("{prefix}{n}")).collect()
    }

    /// Every table and figure, read off the printed papers.
    fn printed() -> Vec<(&'static str, Vec<String>)> {
        vec![
            (
                "labyrinth-2024",
                [
                    range("Figure 1.", 1, 1),
                    range("Figure 2.", 1, 8),
                    range("Figure 3.", 1, 6),
                    range("Figure 4.", 1, 61),
                    range("Table 2.", 1, 3),
                    range("Table 4.", 1, 2),
                ]
                .concat(),
            ),
            ("saboteur-2019", range("Table ", 1, 14)),
            (
                "geister-gp-2022",
                [
                    range("Figure 2.", 1, 1),
                    range("Figure 3.", 1, 4),
                    range("Figure 5.", 1, 4),
                    range("Table 5.", 1, 7),
                    range("Table 6.", 1, 1),
                    range("Section 6.", 3, 3),
                ]
                .concat(),
            ),
            (
                "geister-keeper-2019",
                [range("Figure ", 1, 4), range("Section ", 3, 3), range("Table ", 1, 9)].concat(),
            ),
            (
                "sevens-2018",
                [range("Figure ", 1, 3), range("Table ", 1, 2), range("Table A.", 1, 2)].concat(),
            ),
        ]
    }

    #[test]
    fn every_table_and_figure_of_the_five_papers_is_listed_once() {
        assert_eq!(Paper::all().len(), 5);
        for (id, mut expected) in printed() {
            let paper = Paper::all().iter().find(|paper| paper.id == id).unwrap();
            let mut listed: Vec<String> = paper.items.iter().map(Item::name).collect();
            listed.sort();
            expected.sort();
            assert_eq!(listed, expected, "{id}");
        }
    }

    #[test]
    fn reasons_and_tests_that_items_name_exist() {
        let tree = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        for item in Paper::all().iter().flat_map(|paper| &paper.items) {
            if let Some(reason) = &item.not {
                assert!(INVENTORY.reasons.contains_key(reason), "{}: {reason}", item.name());
            }
            if let Some(test) = &item.test {
                assert!(tree.join(test).exists(), "{}: {test}", item.name());
            }
        }
    }

    #[test]
    fn a_paper_with_experiments_has_all_that_it_promises() {
        for paper in Paper::all().iter().filter(|paper| paper.experiments().next().is_some()) {
            let experiments = read(paper.experiments());
            let reports: Vec<Report> = experiments
                .iter()
                .map(|e| e.report(crate::Scale::Quick, |_| vec![]).unwrap())
                .collect();
            for item in &paper.items {
                let report = item.status(&reports);
                let why = report.why.map(|why| why.en).unwrap_or_default();
                assert_ne!(
                    why,
                    INVENTORY.reasons["no-experiment"].en,
                    "{} {}",
                    paper.id,
                    item.name()
                );
            }
        }
    }

    #[test]
    fn experiments_belong_to_the_paper_whose_name_they_begin_with() {
        let sevens = Paper::all().iter().find(|paper| paper.id == "sevens-2018").unwrap();
        assert!(sevens.owns("sevens-2018") && sevens.owns("sevens-2018-beyond"));
        assert!(!sevens.owns("sevens-20181") && !sevens.owns("sevens"));
    }
}
