//! What a report says, read from result folders.

use crate::document::Document;
use crate::exploit::ExploitReport;
use crate::paper::{ItemReport, Paper};
use crate::plot::Frame;
use crate::slug;
use crate::stored::StoredExperiment;
use crate::words::{Language, Words};
use oboro_lab::{
    Counts, Experiment, ExperimentError, Folder, FolderError, LeagueEntry, LeagueTable, Manifest,
    Report, Scale, TableReport, TableVerdict,
};
use oboro_store::{Journal, StoreError, pretty, read_if_there, write_whole};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// A paper with its experiments, or an experiment of somebody's own.
#[derive(Clone, Debug)]
pub struct Study {
    /// What was published, for a paper.
    pub paper: Option<&'static Paper>,
    /// The experiments, the paper's own first.
    pub experiments: Vec<Experiment>,
}

impl Study {
    /// Every paper that comes with the program.
    pub fn all() -> Vec<Study> {
        Paper::all().iter().map(Study::of_paper).collect()
    }

    /// A paper, by its name.
    pub fn named(id: &str) -> Option<Study> {
        Paper::named(id).map(Study::of_paper)
    }

    fn of_paper(paper: &'static Paper) -> Study {
        Study { paper: Some(paper), experiments: paper.experiments() }
    }

    /// Its name.
    pub fn id(&self) -> &str {
        match (self.paper, self.experiments.first()) {
            (Some(paper), _) => paper.id(),
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
    /// How many games it rests on, of all sessions together.
    pub games: u64,
    /// The papers.
    pub papers: Vec<StudyReport>,
    /// A league of each game.
    pub leagues: Vec<LeagueReport>,
    /// How far policies can be beaten, a small board each.
    pub exploitability: Vec<ExploitReport>,
    /// How fast the machine of the first run is, a line a kernel.
    pub throughput: Vec<Throughput>,
    /// When, where and by what the games were played.
    pub sessions: Vec<Run>,
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
    /// Published numbers in the paper's own tables, by verdict.
    pub counts: Counts,
    /// What they come to together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verdict: Option<TableVerdict>,
    /// The verdicts of a larger run, stored with the program.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stored: Option<StoredExperiment>,
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
pub struct Run {
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

/// The results below a report: one folder an experiment or league, and what is known besides.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Results {
    /// Where the report is.
    report: PathBuf,
}

impl Results {
    /// The results of the report in a folder.
    pub fn of(report: &Path) -> Results {
        Results { report: report.to_owned() }
    }

    /// Where a folder of results is that the report calls `place`.
    pub fn path(&self, place: &str) -> PathBuf {
        self.report.join(place)
    }

    /// The folder for the results of an experiment, seen from the report.
    pub fn of_experiment(experiment: &Experiment, scale: Scale) -> String {
        format!("results/{}-{scale}", slug(experiment.id()))
    }

    /// The folder for the results of a league, seen from the report.
    pub fn of_league(entry: &LeagueEntry, scale: Scale) -> String {
        format!("results/league-{}-{scale}", slug(&entry.game))
    }

    /// Adds a run that played games.
    ///
    /// # Errors
    /// If it cannot be kept.
    pub fn add_run(&self, run: &Run) -> Result<(), StoreError> {
        let (mut journal, _) = Journal::open(&self.sessions_file(), |_, _| Ok(()))?;
        journal.push(run)
    }

    /// The runs that played games.
    ///
    /// # Errors
    /// If the file is damaged.
    pub fn runs(&self) -> Result<Vec<Run>, StoreError> {
        Journal::read(&self.sessions_file(), |_, _| Ok(()))
    }

    fn sessions_file(&self) -> PathBuf {
        self.path("results/sessions.jsonl")
    }

    /// How fast the kernels of a game are: what was measured once, or what `measure` finds now.
    ///
    /// # Errors
    /// If the file is damaged or cannot be kept.
    pub fn throughput(
        &self,
        game: &str,
        measure: impl FnOnce() -> Vec<Throughput>,
    ) -> Result<Vec<Throughput>, FolderError> {
        let path = self.path(&format!("results/throughput-{game}.json"));
        if let Some(text) = read_if_there(&path)? {
            return serde_json::from_str(&text).map_err(|error| FolderError::Manifest {
                path: path.clone(),
                message: format!("{error}; remove the file to measure again"),
            });
        }
        let measured = measure();
        write_whole(&path, &pretty(&measured))?;
        Ok(measured)
    }
}

impl StudyReport {
    /// A study and the results of its experiments, in order.
    pub fn new(study: &Study, experiments: Vec<ExperimentReport>) -> StudyReport {
        let reports: Vec<Report> = experiments.iter().map(|e| e.report.clone()).collect();
        let items = study.paper.map_or_else(Vec::new, |paper| paper.status(&reports));
        let tables: Vec<&TableReport> = reports
            .iter()
            .flat_map(|report| &report.tables)
            .filter(|table| study.paper.is_none_or(|paper| paper.has_table(&table.id)))
            .collect();
        let games = reports.first().map_or(0, |report| report.games);
        let stored = study.paper.and_then(|paper| paper.stored.of(paper.id()));
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
            counts: Counts::of(tables.iter().copied()),
            verdict: TableVerdict::of(tables),
            stored: stored.filter(|stored| stored.games > games).cloned(),
            items,
            experiments,
        }
    }
}

impl ExperimentReport {
    /// The results in a folder.
    ///
    /// # Errors
    /// If files are damaged, or the tables do not fit them.
    pub fn read(
        experiment: &Experiment,
        scale: Scale,
        folder: &Folder,
    ) -> Result<ExperimentReport, ExperimentError> {
        let Manifest { version, commit, seed, .. } = folder.manifest().clone();
        Ok(ExperimentReport {
            folder: Results::of_experiment(experiment, scale),
            command: format!("oboro experiment {} --scale {scale}", experiment.id()),
            version,
            commit,
            seed,
            report: experiment.report_of(scale, folder)?,
        })
    }
}

impl LeagueReport {
    /// A league that was played at a scale.
    pub fn new(entry: &LeagueEntry, scale: Scale, table: LeagueTable) -> LeagueReport {
        LeagueReport {
            game: entry.game.clone(),
            games: entry.games(scale),
            folder: Results::of_league(entry, scale),
            command: entry.command(scale),
            table,
        }
    }
}

impl Reproduction {
    /// The layout that this version writes.
    pub const FORMAT: &'static str = "oboro report 1";

    /// Every file of the report: name and text. `language` is that of `index.html` and `report.md`; pages in the
    /// other language stand beside them.
    pub fn files(&self, language: Language) -> Vec<(String, String)> {
        let mut files = Vec::new();
        for each in Language::ALL {
            let pages = self.pages(each, language);
            files.extend(pages.into_iter().map(|(name, page)| (name, page.to_html())));
            let document = self.document(each, "index.html");
            files.extend(figure_files(&document));
            if each == language {
                files.push(("report.md".to_owned(), document.to_markdown()));
            }
        }
        files.push(("report.json".to_owned(), pretty(self)));
        files
    }
}

/// Every figure of a document as a file of its own.
fn figure_files(document: &Document) -> impl Iterator<Item = (String, String)> {
    let code = document.language.code();
    document.figures().into_iter().filter_map(move |figure| {
        let svg = figure.chart.as_ref()?.svg(Frame::Alone);
        Some((format!("figures/{code}/{}.svg", figure.file), svg + "\n"))
    })
}
