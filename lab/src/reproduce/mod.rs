//! The report of the papers: every published number beside ours, as a web page, Markdown and JSON.
//!
//! A report is a pure function of a results folder: the same results give the same bytes. What is not a result of
//! games (when and where they were played, how fast the kernels are) is kept there too, as `sessions.jsonl` and
//! `throughput-GAME.json`, written when it happened and only read here.

mod charts;
mod html;
mod inventory;
mod leagues;
mod markdown;
mod prose;
mod words;

pub use inventory::{Item, ItemReport, Paper, Status};
pub use leagues::{LeagueEntry, leagues};
pub use words::{Language, Words};

use crate::plot::Frame;
use crate::store::pretty;
use crate::{Experiment, Folder, LeagueTable, Manifest, Report, Scale, Verdict};
use serde::{Deserialize, Serialize};

/// A paper with its experiments, or an experiment of somebody's own.
#[derive(Clone, Debug)]
pub struct Study {
    /// What was published, for a paper.
    pub paper: Option<&'static Paper>,
    /// The experiments, the paper's own first.
    pub experiments: Vec<Experiment>,
}

impl Study {
    /// Every paper that the program has experiments for, and every experiment of its own.
    pub fn all() -> Vec<Study> {
        let own = inventory::read(inventory::orphans())
            .into_iter()
            .map(|experiment| Study { paper: None, experiments: vec![experiment] });
        Paper::all().iter().map(Study::of_paper).chain(own).collect()
    }

    /// A paper, by its name.
    pub fn named(id: &str) -> Option<Study> {
        Paper::all().iter().find(|paper| paper.id == id).map(Study::of_paper)
    }

    fn of_paper(paper: &'static Paper) -> Study {
        Study { paper: Some(paper), experiments: inventory::read(paper.experiments()) }
    }

    /// Its name.
    pub fn id(&self) -> &str {
        match (self.paper, self.experiments.first()) {
            (Some(paper), _) => &paper.id,
            (None, Some(experiment)) => experiment.id(),
            (None, None) => "",
        }
    }
}

/// Everything a report says.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Reproduction {
    /// The layout of `report.json`.
    pub format: &'static str,
    /// How large the experiments were.
    pub scale: Scale,
    /// The papers.
    pub papers: Vec<StudyReport>,
    /// A league of each game.
    pub leagues: Vec<LeagueReport>,
    /// How fast the machine of the first run is, a line a kernel.
    pub throughput: Vec<Throughput>,
    /// When, where and by what the games were played.
    pub sessions: Vec<Session>,
}

/// What became of a paper.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct StudyReport {
    /// Its name.
    pub id: String,
    /// Its title.
    pub title: Words,
    /// Who wrote it, and where.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<Words>,
    /// Published numbers compared with ours, in the paper's own tables.
    pub compared: u64,
    /// How many of them agree.
    pub agree: u64,
    /// Every table and figure that it prints.
    pub items: Vec<ItemReport>,
    /// Its experiments.
    pub experiments: Vec<ExperimentReport>,
}

/// An experiment's results and where they come from.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ExperimentReport {
    /// The folder of the results, seen from the report.
    pub folder: String,
    /// What plays it again, alone.
    pub command: String,
    /// The version that played it.
    pub version: String,
    /// The commit that played it.
    pub commit: String,
    /// Its seed.
    pub seed: String,
    /// Its tables and figures.
    pub report: Report,
}

/// A league.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct LeagueReport {
    /// The game.
    pub game: String,
    /// Games a pairing.
    pub games: u64,
    /// The folder of the results, seen from the report.
    pub folder: String,
    /// What plays it again, alone.
    pub command: String,
    /// The table.
    pub table: LeagueTable,
}

/// The speed of one kernel.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Throughput {
    /// The game.
    pub game: String,
    /// What was done.
    pub work: String,
    /// What was counted.
    pub unit: String,
    /// How many of it a second, on one core.
    pub per_second: f64,
}

/// One run of the command that played games.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Session {
    /// When it began, in universal time.
    pub began: String,
    /// How long it took, in seconds.
    pub seconds: u64,
    /// How many games it played.
    pub games: u64,
    /// The machine.
    pub machine: String,
    /// On how many threads.
    pub threads: usize,
    /// The version.
    pub version: String,
    /// The commit.
    pub commit: String,
}

impl StudyReport {
    /// A study and the results of its experiments, in order.
    pub fn new(study: &Study, experiments: Vec<ExperimentReport>) -> StudyReport {
        let reports: Vec<Report> = experiments.iter().map(|e| e.report.clone()).collect();
        let items = study.paper.map_or_else(Vec::new, |paper| paper.status(&reports));
        let verdicts: Vec<Verdict> = reports
            .iter()
            .flat_map(|report| &report.tables)
            .filter(|table| study.paper.is_none_or(|paper| paper.has_table(&table.id)))
            .flat_map(|table| table.rows.iter().flat_map(|row| &row.cells))
            .filter_map(|cell| cell.verdict)
            .collect();
        let count =
            |wanted: &[Verdict]| verdicts.iter().filter(|v| wanted.contains(v)).count() as u64;
        let title = study.paper.map_or_else(
            || {
                let title = reports.first().map_or_else(String::new, |report| report.title.clone());
                Words { en: title.clone(), ja: title }
            },
            |paper| paper.title.clone(),
        );
        let source = study.paper.map(|paper| Words {
            en: format!("{}, {}", paper.authors.en, paper.venue.en),
            ja: format!("{}、{}", paper.authors.ja, paper.venue.ja),
        });
        StudyReport {
            id: study.id().to_owned(),
            title,
            source,
            compared: count(&[Verdict::Agrees, Verdict::Differs]),
            agree: count(&[Verdict::Agrees]),
            items,
            experiments,
        }
    }
}

impl ExperimentReport {
    /// The folder for the results of an experiment, seen from the report.
    pub fn place(experiment: &Experiment, scale: Scale) -> String {
        format!("results/{}-{scale}", slug(experiment.id()))
    }

    /// The results in a folder.
    ///
    /// # Errors
    /// If files are damaged, or the tables do not fit them.
    pub fn read(
        experiment: &Experiment,
        scale: Scale,
        folder: &Folder,
    ) -> Result<ExperimentReport, crate::ExperimentError> {
        let Manifest { version, commit, seed, .. } = folder.manifest().clone();
        Ok(ExperimentReport {
            folder: ExperimentReport::place(experiment, scale),
            command: format!("oboro experiment {} --scale {scale}", experiment.id()),
            version,
            commit,
            seed,
            report: experiment.report_of(scale, folder)?,
        })
    }
}

impl Reproduction {
    /// The layout that this version writes.
    pub const FORMAT: &'static str = "oboro report 1";

    /// Whether all papers are in it; somebody may ask for one, or for an experiment of their own.
    fn is_whole(&self) -> bool {
        Paper::all().iter().all(|paper| self.papers.iter().any(|study| study.id == paper.id))
    }

    fn title(&self, language: Language) -> &'static str {
        if self.is_whole() {
            language.say("Five papers, played again", "五本の論文をもう一度")
        } else {
            language.say("Played again", "もう一度対局する")
        }
    }

    /// Every file of the report: name and text. `language` is that of `index.html` and `report.md`; the page in the
    /// other language stands beside it.
    pub fn files(&self, language: Language) -> Vec<(String, String)> {
        let mut files = Vec::new();
        for each in Language::ALL {
            let name = if each == language {
                "index.html".to_owned()
            } else {
                format!("index.{}.html", each.code())
            };
            let other = if each == language {
                let other = Language::ALL.into_iter().find(|l| *l != each).unwrap_or_default();
                format!("index.{}.html", other.code())
            } else {
                "index.html".to_owned()
            };
            files.push((name, self.to_html(each, &other)));
            files.extend(self.figures(each));
        }
        files.push(("report.md".to_owned(), self.to_markdown(language)));
        files.push(("report.json".to_owned(), pretty(self)));
        files
    }

    /// Every figure as a file of its own.
    fn figures(&self, language: Language) -> Vec<(String, String)> {
        let mut files = Vec::new();
        for report in self.papers.iter().flat_map(|paper| &paper.experiments).map(|e| &e.report) {
            let mut push = |kind: &str, id: &str, svg: String| {
                let name = format!(
                    "figures/{}/{}-{kind}-{}.svg",
                    language.code(),
                    slug(&report.id),
                    slug(id)
                );
                files.push((name, svg + "\n"));
            };
            for table in &report.tables {
                for (i, chart) in charts::of_table(table, language).iter().enumerate() {
                    let id =
                        if i == 0 { table.id.clone() } else { format!("{}-{}", table.id, i + 1) };
                    push("table", &id, chart.svg(Frame::Alone));
                }
            }
            for figure in &report.figures {
                if let Some(chart) = charts::of_figure(figure, language) {
                    push("figure", &figure.id, chart.svg(Frame::Alone));
                }
            }
        }
        files
    }
}

/// A name for a file or an anchor: letters, digits, points and hyphens.
fn slug(text: &str) -> String {
    let mut slug = String::new();
    for c in text.chars() {
        if c.is_ascii_alphanumeric() || c == '.' {
            slug.push(c.to_ascii_lowercase());
        } else if !slug.ends_with('-') {
            slug.push('-');
        }
    }
    slug.trim_matches('-').to_owned()
}

#[cfg(test)]
mod tests;
