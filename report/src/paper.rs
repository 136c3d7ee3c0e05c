//! Papers: what they are called, every table and figure they print, and what is said of them.

use crate::stored::StoredResults;
use crate::words::{Dictionary, Language, Words};
use oboro_lab::{
    Counts, Experiment, FigureKind, Inference, PaperFolder, Report, Scale, TableReport,
    TableVerdict, Verdict,
};
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
    /// What it is called in a list: the game and the year.
    pub short: Words,
    /// What it found, in a sentence.
    pub finding: Words,
    /// Who wrote it.
    pub authors: Words,
    /// Where and when.
    pub venue: Words,
    /// The verdicts of larger runs.
    pub stored: StoredResults,
    /// Every table and figure, in order.
    pub items: Vec<Item>,
    /// The numbers of all items once more, read off the paper by itself: a test compares.
    pub printed: Vec<String>,
    /// Readings that stand beside its own experiment as equals.
    pub(crate) headlines: Vec<Headline>,
    reasons: BTreeMap<String, Words>,
    pub(crate) words: Dictionary,
}

/// A reading of a paper that stands beside the paper's own experiment as an equal.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Headline {
    /// The experiment that has it.
    pub(crate) experiment: String,
    /// The table with its numbers.
    pub(crate) table: String,
    /// What it is called.
    pub(crate) name: Words,
}

/// The published numbers that an experiment can check, and the tables that have them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Printed {
    pub(crate) numbers: u64,
    pub(crate) tables: usize,
}

/// The file `inventory.toml` of a paper's folder.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Inventory {
    title: Words,
    short: Words,
    finding: Words,
    authors: Words,
    venue: Words,
    #[serde(default)]
    headlines: Vec<Headline>,
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
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// A table whose numbers agree [together](TableVerdict), or what a test checks exactly.
    Reproduced,
    /// A figure drawn from our games; the paper prints a picture and no numbers to compare with.
    Redrawn,
    /// A table or section filled from our games; the paper describes what it did and prints no numbers to compare with.
    Measured,
    /// A table whose numbers differ, together or one of them clearly.
    Differs,
    /// A table of which it cannot be told: the games are too few, the paper's or ours.
    TooFewGames,
    /// There are no games for it at this scale.
    NotRun,
    /// It cannot be computed.
    NotReproducible,
}

impl Status {
    /// That of a table with published numbers.
    pub(crate) fn of(verdict: Verdict) -> Status {
        match verdict {
            Verdict::Agrees => Status::Reproduced,
            Verdict::Differs => Status::Differs,
            Verdict::TooFewGames => Status::TooFewGames,
            Verdict::Open => Status::NotRun,
        }
    }
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
    /// Its published numbers by verdict.
    pub counts: Counts,
    /// What a larger run that is stored with the program found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stored: Option<Status>,
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
            short: inventory.short,
            finding: inventory.finding,
            stored: StoredResults::parse(folder.file("results.toml").unwrap_or(""))?,
            authors: inventory.authors,
            venue: inventory.venue,
            items: inventory.items,
            printed: inventory.printed,
            headlines: inventory.headlines,
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

    /// What an experiment of its folder can check: of the paper's own one, the numbers of the paper's own tables.
    pub(crate) fn printed(&self, experiment: &str) -> Option<Printed> {
        let all = self.folder.experiments().into_iter();
        let (name, text) = all.into_iter().find(|(name, _)| name == experiment)?;
        let parsed = Experiment::parse(&name, text).expect("a test reads it");
        let report = parsed.report(Scale::Quick, |_| Vec::new()).expect("a test fills it");
        let is_own = experiment == self.id();
        let is_wanted = |table: &&TableReport| !is_own || self.has_table(&table.id);
        let tables: Vec<&TableReport> = report.tables.iter().filter(is_wanted).collect();
        let has_numbers = |table: &&&TableReport| Counts::printed([**table]) > 0;
        Some(Printed {
            numbers: Counts::printed(tables.iter().copied()),
            tables: tables.iter().filter(has_numbers).count(),
        })
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

    /// What a larger run found of a table, if one is stored.
    fn stored_status(&self, report: &Report, table: &str) -> Option<Status> {
        let stored = self.stored.of(&report.id).filter(|stored| stored.games > report.games)?;
        stored.tables.iter().find(|known| known.id == table).map(|known| known.status)
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
            counts: Counts::default(),
            stored: None,
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
                let Some(verdict) = &table.verdict else {
                    let mut cells = table.rows.iter().flat_map(|row| &row.cells);
                    let is_open = cells.clone().any(|cell| cell.verdict.is_some());
                    if is_open || cells.all(|cell| cell.ours.is_none()) {
                        return not_run("no-games");
                    }
                    return ItemReport { experiment, ..report(Status::Measured, None) };
                };
                let stored = self.stored_status(filled, &table.id);
                let (status, why) = judged(verdict, stored);
                return ItemReport {
                    experiment,
                    counts: Counts::of([table]),
                    stored,
                    ..report(status, why.and_then(|why| self.reason(why)))
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

/// What became of a table, and why if that needs saying. What a larger run found to differ is never reproduced.
fn judged(verdict: &TableVerdict, stored: Option<Status>) -> (Status, Option<&'static str>) {
    match (Status::of(verdict.verdict), stored) {
        (Status::Reproduced, Some(Status::Differs)) => {
            (Status::TooFewGames, Some("differs-at-large"))
        }
        (Status::TooFewGames, _) if !verdict.is_paper_sized => {
            (Status::TooFewGames, Some("fewer-games"))
        }
        (Status::TooFewGames, _) if !verdict.reversed.is_empty() => {
            (Status::TooFewGames, Some("reversed"))
        }
        (Status::TooFewGames, _) => (Status::TooFewGames, Some("too-few-games")),
        (status, _) => (status, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn what_differs_in_a_larger_run_is_never_reproduced_in_a_smaller_one() {
        let verdict = |verdict, is_paper_sized| TableVerdict {
            quantities: 6,
            outside: 0,
            largest_z: 1.0,
            chi_square: 3.0,
            p: 0.8,
            p_holm: 1.0,
            power: 0.9,
            is_paper_sized,
            reversed: vec![],
            verdict,
        };
        let agrees = verdict(Verdict::Agrees, true);
        assert_eq!(judged(&agrees, None), (Status::Reproduced, None));
        assert_eq!(judged(&agrees, Some(Status::Reproduced)), (Status::Reproduced, None));
        let (status, why) = judged(&agrees, Some(Status::Differs));
        assert_eq!((status, why), (Status::TooFewGames, Some("differs-at-large")));
        let few = judged(&verdict(Verdict::TooFewGames, false), None);
        assert_eq!(few, (Status::TooFewGames, Some("fewer-games")));
        for why in ["differs-at-large", "fewer-games", "reversed", "too-few-games"] {
            assert!(REASONS.contains_key(why), "{why}");
        }
        let differs = verdict(Verdict::Differs, true);
        assert_eq!(judged(&differs, Some(Status::Reproduced)), (Status::Differs, None));
    }

    #[test]
    fn what_an_experiment_can_check_is_counted_whether_it_was_played_or_not() {
        for paper in Paper::all() {
            let printed = paper.printed(paper.id()).unwrap();
            let stored = paper.stored.of(paper.id()).unwrap();
            assert!(printed.numbers >= stored.counts.compared, "{}", paper.id());
            assert!(printed.tables >= stored.tables.len(), "{}", paper.id());
            assert_eq!(paper.printed("nothing"), None);
            for headline in &paper.headlines {
                let stored = paper.stored.of(&headline.experiment).expect("a stored experiment");
                assert!(stored.tables.iter().any(|table| table.id == headline.table));
            }
        }
        let printed = |id: &str| Paper::named(id).unwrap().printed(id).unwrap().numbers;
        assert_eq!((printed("geister-gp-2022"), printed("labyrinth-2024")), (157, 50));
    }

    #[test]
    fn what_was_inferred_is_of_the_choices_that_the_paper_has() {
        for paper in Paper::all() {
            let Some(inference) = paper.inference() else { continue };
            let text = paper.folder.file("choices.toml").expect("the choices that were inferred");
            let choices: toml::Table = toml::from_str(text).unwrap();
            let written =
                |value: &toml::Value| value.as_str().map_or(value.to_string(), str::to_owned);
            let names: Vec<(&str, Vec<String>)> = choices["choice"]
                .as_array()
                .unwrap()
                .iter()
                .map(|choice| {
                    let values = choice["values"].as_array().unwrap().iter().map(written);
                    (choice["name"].as_str().unwrap(), values.collect())
                })
                .collect();
            let inferred: Vec<(&str, Vec<String>)> = inference
                .choices
                .iter()
                .map(|c| (c.name.as_str(), c.values.iter().map(|v| v.value.clone()).collect()))
                .collect();
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
