//! Papers: what they are called, every table and figure they print, and what is said of them.

use crate::words::{Dictionary, Language, Words};
use oboro_lab::{Experiment, FigureKind, PaperFolder, Report, TableReport, Verdict};
use oboro_stats::{Confidence, outside_by_chance};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// A published paper.
#[derive(Clone, PartialEq, Debug)]
pub struct Paper {
    /// Its folder.
    pub folder: &'static PaperFolder,
    /// Its title: the English one is ours where it has none.
    pub title: Words,
    /// Who wrote it.
    pub authors: Words,
    /// Where and when.
    pub venue: Words,
    /// Every table and figure, in order.
    pub items: Vec<Item>,
    /// The numbers of all items once more, read off the paper by itself: a test compares.
    pub printed: Vec<String>,
    reasons: BTreeMap<String, Words>,
    pub(crate) words: Dictionary,
}

/// The file `inventory.toml` of a paper's folder.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Inventory {
    title: Words,
    authors: Words,
    venue: Words,
    #[serde(default)]
    reasons: BTreeMap<String, Words>,
    items: Vec<Item>,
    printed: Vec<String>,
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

/// Why something is not reproduced, where many papers have the same reason.
static REASONS: LazyLock<BTreeMap<String, Words>> =
    LazyLock::new(|| toml::from_str(include_str!("words/reasons.toml")).expect("a test reads it"));

static PAPERS: LazyLock<Vec<Paper>> = LazyLock::new(|| {
    PaperFolder::all().iter().map(|folder| Paper::read(folder).expect("a test reads it")).collect()
});

/// What is said of a paper before its tables, and after them.
pub(crate) struct Prose {
    pub(crate) before: &'static str,
    pub(crate) after: &'static str,
}

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
    /// All papers, by name.
    pub fn all() -> &'static [Paper] {
        &PAPERS
    }

    /// The paper of that name.
    pub fn named(id: &str) -> Option<&'static Paper> {
        PAPERS.iter().find(|paper| paper.folder.id == id)
    }

    /// Its name.
    pub fn id(&self) -> &'static str {
        self.folder.id
    }

    fn read(folder: &'static PaperFolder) -> Result<Paper, toml::de::Error> {
        let inventory: Inventory = toml::from_str(folder.file("inventory.toml").unwrap_or(""))?;
        Ok(Paper {
            folder,
            title: inventory.title,
            authors: inventory.authors,
            venue: inventory.venue,
            items: inventory.items,
            printed: inventory.printed,
            reasons: inventory.reasons,
            words: Dictionary::parse(folder.file("en.toml"), folder.file("ja.toml"))?,
        })
    }

    /// Its experiments that come with the program, the paper's own first.
    ///
    /// # Panics
    /// If one cannot be read: a test reads them all.
    pub fn experiments(&self) -> Vec<Experiment> {
        let all = self.folder.experiments().into_iter();
        all.map(|(name, text)| Experiment::parse(&name, text).expect("a test reads it")).collect()
    }

    /// What is said of it in a language.
    pub(crate) fn prose(&self, language: Language) -> Option<Prose> {
        /// Parts the prose of a paper where its tables go.
        const TABLES: &str = "<!-- tables -->";
        let text = self.folder.file(&format!("prose.{}.md", language.code()))?;
        let (before, after) = text.split_once(TABLES).unwrap_or((text, ""));
        Some(Prose { before: before.trim(), after: after.trim() })
    }

    /// Whether a table of an experiment is one of its own, not one that we added.
    pub(crate) fn has_table(&self, id: &str) -> bool {
        self.items.iter().any(|item| item.our_table() == Some(id))
    }

    /// What became of each table and figure.
    pub(crate) fn status(&self, reports: &[Report]) -> Vec<ItemReport> {
        self.items.iter().map(|item| self.status_of(item, reports)).collect()
    }

    fn reason(&self, key: &str) -> Option<Words> {
        self.reasons.get(key).or_else(|| REASONS.get(key)).cloned()
    }

    fn status_of(&self, item: &Item, reports: &[Report]) -> ItemReport {
        let report = |status, why: Option<Words>| ItemReport {
            item: item.name(),
            title: item.title.clone(),
            status,
            why,
            experiment: None,
            compared: 0,
            agree: 0,
        };
        if let Some(reason) = &item.not {
            return report(Status::NotReproducible, self.reason(reason));
        }
        if let Some(test) = &item.test {
            let why = Words {
                en: format!("checked exactly by the test {test}"),
                ja: format!("テスト {test} が厳密に確かめている"),
            };
            return report(Status::Reproduced, Some(why));
        }
        let not_run = |why: &str| report(Status::NotRun, self.reason(why));
        for filled in reports {
            let experiment = Some(filled.id.clone());
            if let Some(table) = filled.tables.iter().find(|t| item.our_table() == Some(&t.id)) {
                let verdicts =
                    || table.rows.iter().flat_map(|r| &r.cells).filter_map(|c| c.verdict);
                let compared = verdicts().filter(|v| *v != Verdict::Open).count() as u64;
                let agree = verdicts().filter(|v| *v == Verdict::Agrees).count() as u64;
                if compared == 0 {
                    return not_run("no-games");
                }
                let status =
                    if more_than_chance(table) { Status::Differs } else { Status::Reproduced };
                return ItemReport { experiment, compared, agree, ..report(status, None) };
            }
            if let Some(figure) =
                filled.figures.iter().find(|f| item.figure.as_ref() == Some(&f.id))
            {
                if figure.is_empty() {
                    let is_course = figure.kind == FigureKind::Learning;
                    return not_run(if is_course { "no-course" } else { "no-games" });
                }
                return ItemReport { experiment, ..report(Status::Redrawn, None) };
            }
        }
        not_run("no-experiment")
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
}

/// Whether more of a table's numbers differ than chance explains.
///
/// Numbers of one row and measure from the same games (both sides' scores, which add up to a constant) count as one: it
/// differs if any of them does.
fn more_than_chance(table: &TableReport) -> bool {
    let mut groups: BTreeMap<(usize, &str, &[String], &str), bool> = BTreeMap::new();
    for (i, row) in table.rows.iter().enumerate() {
        for cell in &row.cells {
            let differs = match cell.verdict {
                Some(Verdict::Agrees) => false,
                Some(Verdict::Differs) => true,
                Some(Verdict::Open) | None => continue,
            };
            let measure = crate::charts::measure(cell);
            *groups.entry((i, &cell.contest, &cell.filters, measure)).or_default() |= differs;
        }
    }
    let outside = groups.values().filter(|differs| **differs).count() as u64;
    outside_by_chance(groups.len() as u64, outside, Confidence::P95).p < 0.05
}

#[cfg(test)]
mod tests {
    use super::*;
    use oboro_lab::Scale;

    /// `Figure 2.1 to 2.3` as three names.
    fn expand(printed: &str) -> Vec<String> {
        let Some((first, last)) = printed.split_once(" to ") else {
            return vec![printed.to_owned()];
        };
        let digits = first.len() - first.trim_end_matches(|c: char| c.is_ascii_digit()).len();
        let (prefix, first) = first.split_at(first.len() - digits);
        let last = last.rsplit(|c: char| !c.is_ascii_digit()).next().unwrap();
        let number = |text: &str| text.parse::<u32>().unwrap_or_else(|_| panic!("{printed}"));
        (number(first)..=number(last)).map(|n| format!("{prefix}{n}")).collect()
    }

    #[test]
    fn every_table_and_figure_that_a_paper_prints_is_listed_once() {
        for paper in Paper::all() {
            let mut expected: Vec<String> = paper.printed.iter().flat_map(|p| expand(p)).collect();
            let mut listed: Vec<String> = paper.items.iter().map(Item::name).collect();
            listed.sort();
            expected.sort();
            assert_eq!(listed, expected, "{}", paper.id());
        }
    }

    #[test]
    fn reasons_and_tests_that_items_name_exist() {
        let tree = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        for paper in Paper::all() {
            for item in &paper.items {
                let place = format!("{} {}", paper.id(), item.name());
                if let Some(reason) = &item.not {
                    assert!(paper.reason(reason).is_some(), "{place}: {reason}");
                }
                if let Some(test) = &item.test {
                    assert!(tree.join(test).exists(), "{place}: {test}");
                }
            }
        }
    }

    #[test]
    fn a_paper_with_experiments_has_all_that_it_promises() {
        let missing = REASONS["no-experiment"].clone();
        for paper in Paper::all() {
            let reports: Vec<Report> = paper
                .experiments()
                .iter()
                .map(|e| e.report(Scale::Quick, |_| vec![]).unwrap())
                .collect();
            for item in paper.status(&reports).iter().filter(|_| !reports.is_empty()) {
                assert_ne!(item.why.as_ref(), Some(&missing), "{} {}", paper.id(), item.item);
            }
        }
    }

    #[test]
    fn every_paper_has_prose_in_both_languages_before_and_after_its_tables() {
        for paper in Paper::all() {
            let id = paper.id();
            let count = |text: &str| text.matches("## ").count();
            let [english, japanese] = Language::ALL.map(|language| paper.prose(language).unwrap());
            assert_eq!(count(english.before), count(japanese.before), "{id}");
            assert_eq!(count(english.after), count(japanese.after), "{id}");
            assert!(count(english.before) >= 3 && count(english.after) >= 2, "{id}");
        }
    }
}
