//! Papers: what they are called, every table and figure they print, and what is said of them.

use crate::charts::measure;
use crate::words::{Dictionary, Language, Words};
use oboro_lab::{Experiment, FigureKind, Inference, PaperFolder, Report, TableReport, Verdict};
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
    /// A table or section filled from our games; the paper describes what it did and prints no numbers to compare with.
    Measured,
    /// A table of which more numbers differ than chance explains.
    Differs,
    /// A table of which no more numbers differ than chance explains, where hardly more would if they were all off: most
    /// of them rest on too few games to tell, and so do all of them together.
    TooFewGames,
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
    /// How many of those lie where we expect them, on enough games to tell.
    pub agree: u64,
    /// How many lie there on too few.
    pub too_few: u64,
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

    /// What was inferred of its open choices, if anything.
    pub(crate) fn inference(&self) -> Option<Inference> {
        let text = self.folder.file("inferred.json")?;
        Some(serde_json::from_str(text).expect("a test reads it"))
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
            too_few: 0,
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
                let count = |wanted: Verdict| {
                    verdicts().filter(|verdict| *verdict == wanted).count() as u64
                };
                let compared = verdicts().count() as u64 - count(Verdict::Open);
                if compared == 0 {
                    let mut cells = table.rows.iter().flat_map(|row| &row.cells);
                    if verdicts().next().is_some() || cells.all(|cell| cell.ours.is_none()) {
                        return not_run("no-games");
                    }
                    return ItemReport { experiment, ..report(Status::Measured, None) };
                }
                let status = status_of_table(table);
                let why = (status == Status::TooFewGames).then(|| self.reason("too-few-games"));
                return ItemReport {
                    experiment,
                    compared,
                    agree: count(Verdict::Agrees),
                    too_few: count(Verdict::TooFewGames),
                    ..report(status, why.flatten())
                };
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

/// What became of a table, by the verdicts on its numbers.
///
/// Numbers of one row and measure from the same games (both sides' scores, which add up to a constant) count as one: it
/// differs if any of them does.
fn status_of_table(table: &TableReport) -> Status {
    /// Numbers that count as one.
    #[derive(Default)]
    struct Group {
        differs: bool,
        power: f64,
    }
    let mut groups: BTreeMap<(usize, &str, &[String], &str), Group> = BTreeMap::new();
    for (i, row) in table.rows.iter().enumerate() {
        for cell in &row.cells {
            if let (Some(verdict), Some(power)) = (cell.verdict, cell.power) {
                let key = (i, cell.the_match.as_str(), cell.filters.as_slice(), measure(cell));
                let group = groups.entry(key).or_default();
                group.differs |= verdict == Verdict::Differs;
                group.power = group.power.max(power);
            }
        }
    }
    let outside = groups.values().filter(|group| group.differs).count() as u64;
    let powers: Vec<f64> = groups.values().map(|group| group.power).collect();
    let is_told = powers.iter().filter(|power| **power >= 0.5).count() * 2 > powers.len();
    if is_surprising(powers.len(), outside) {
        Status::Differs
    } else if is_told || power_of_all(&powers) >= 0.5 {
        Status::Reproduced
    } else {
        Status::TooFewGames
    }
}

/// Whether so many of so many numbers outside of their 95 % intervals are more than chance explains.
fn is_surprising(numbers: usize, outside: u64) -> bool {
    // A hair of slack: one of one has a probability of exactly 0.05.
    outside_by_chance(numbers as u64, outside, Confidence::P95).p <= 0.05 + 1e-9
}

/// The probability that a table is found to differ if every number of it is off, by the probabilities that each is found
/// outside.
fn power_of_all(powers: &[f64]) -> f64 {
    // The distribution of how many are found outside, number by number.
    let mut found = vec![1.0];
    for power in powers {
        let mut next = vec![0.0; found.len() + 1];
        for (count, chance) in found.iter().enumerate() {
            next[count] += chance * (1.0 - power);
            next[count + 1] += chance * power;
        }
        found = next;
    }
    let counts = found.iter().enumerate();
    counts.filter(|(n, _)| is_surprising(powers.len(), *n as u64)).map(|(_, chance)| chance).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use oboro_lab::{CellReport, RowReport, Scale};

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

    fn table(verdicts: &[(Verdict, f64)]) -> TableReport {
        let cell = |(verdict, power): &(Verdict, f64)| CellReport {
            label: String::new(),
            the_match: "m".to_owned(),
            value: "win[a]".to_owned(),
            filters: vec![],
            ours: None,
            published: Some("0.5".to_owned()),
            expected: None,
            power: Some(*power),
            verdict: Some(*verdict),
        };
        let row = |one| RowReport { label: String::new(), cells: vec![cell(one)], tests: vec![] };
        TableReport {
            id: String::new(),
            title: String::new(),
            notes: vec![],
            rows: verdicts.iter().map(row).collect(),
        }
    }

    #[test]
    fn a_table_is_reproduced_only_if_it_could_have_differed() {
        use Verdict::{Agrees, Differs, TooFewGames};
        let status = |verdicts: &[(Verdict, f64)]| status_of_table(&table(verdicts));
        assert_eq!(status(&[(Agrees, 0.9); 6]), Status::Reproduced);
        assert_eq!(status(&[(Agrees, 0.6); 2]), Status::Reproduced, "each could have differed");
        assert_eq!(status(&[(TooFewGames, 0.1); 6]), Status::TooFewGames);
        assert_eq!(status(&[(TooFewGames, 0.4); 30]), Status::Reproduced, "together they tell");
        assert_eq!(status(&[(Differs, 0.1)]), Status::Differs, "the only number differs");
        let mixed = [vec![(Differs, 0.1); 1], vec![(TooFewGames, 0.1); 5]].concat();
        assert_eq!(status(&mixed), Status::TooFewGames, "one of six may be chance");
        assert!((power_of_all(&[0.5]) - 0.5).abs() < 1e-12);
        assert!((power_of_all(&[0.5; 2]) - 0.25).abs() < 1e-12, "one of two may be chance");
    }

    #[test]
    fn what_was_inferred_is_of_the_choices_that_the_paper_has() {
        for paper in Paper::all() {
            let Some(inference) = paper.inference() else { continue };
            let text = paper.folder.file("choices.toml").expect("the choices that were inferred");
            let choices: toml::Table = toml::from_str(text).unwrap();
            let names: Vec<&str> = choices["choice"]
                .as_array()
                .unwrap()
                .iter()
                .map(|choice| choice["name"].as_str().unwrap())
                .collect();
            let inferred: Vec<&str> = inference.choices.iter().map(|c| c.name.as_str()).collect();
            assert_eq!(inferred, names, "{}", paper.id());
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
