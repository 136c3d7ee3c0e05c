//! Experiments as data: matches, the tables they fill, and the published numbers.

mod figure;
mod file;
mod report;
mod shard;
mod text;
mod variants;
mod verdict;

pub use figure::{FigureKind, FigureReport, PointReport, SeriesData, SeriesReport};
pub(crate) use file::Scales;
pub use file::{Cell, ExperimentError, Scale};
pub use report::{CellReport, Report, RowReport, TableReport, TestReport};
pub use shard::{Shard, merge};
pub(crate) use text::p_value;
pub(crate) use verdict::Published;
pub use verdict::Verdict;

use crate::{Folder, GameResult, Manifest, MatchManifest, MatchPlan, commit, version};
use file::File;
use oboro_core::Seed;

/// An experiment that has been read and checked: every match can be played, every table filled.
#[derive(Clone, Debug)]
pub struct Experiment {
    file: File,
}

impl Experiment {
    /// Reads an experiment; `name` is its file for error messages.
    ///
    /// # Errors
    /// If it is no experiment: the file, line and column.
    pub fn parse(name: &str, text: &str) -> Result<Experiment, ExperimentError> {
        let experiment = Experiment { file: File::parse(name, text)? };
        for plan in experiment.plans(Scale::Quick, &experiment.default_seed()) {
            plan.1.prepare().map_err(|error| {
                ExperimentError::new(name, format!("match `{}`: {error}", plan.0))
            })?;
        }
        Ok(experiment)
    }

    /// Its name.
    pub fn id(&self) -> &str {
        &self.file.id
    }

    /// Its title.
    pub fn title(&self) -> &str {
        &self.file.title
    }

    /// The game it plays.
    pub fn game(&self) -> &str {
        &self.file.game
    }

    /// The seed it names.
    pub fn default_seed(&self) -> Seed {
        Seed::from_u64(self.file.seed)
    }

    /// Its matches at a scale: name and plan, in order.
    pub fn plans(&self, scale: Scale, seed: &Seed) -> Vec<(String, MatchPlan)> {
        self.file.plans(scale, seed)
    }

    /// What a folder with its results says.
    pub fn manifest(&self, scale: Scale, seed: &Seed, shard: Option<Shard>) -> Manifest {
        let matches = self
            .plans(scale, seed)
            .into_iter()
            .map(|(id, plan)| {
                let contest = plan.prepare().expect("every match was prepared once when read");
                MatchManifest::new(id, &contest, Some(plan.games))
            })
            .collect();
        Manifest {
            format: crate::FORMAT.to_owned(),
            version: version().to_owned(),
            commit: commit(),
            seed: seed.to_string(),
            experiment: Some(format!("{} {scale}", self.id())),
            shard: shard.map(|shard| shard.to_string()),
            matches,
        }
    }

    /// Fills the tables from results: `games(match)` gives the games played of a match.
    ///
    /// # Errors
    /// If a table asks for something that the games do not have.
    pub fn report(
        &self,
        scale: Scale,
        games: impl Fn(&str) -> Vec<GameResult>,
    ) -> Result<Report, ExperimentError> {
        report::fill(&self.file, scale, games, &|_| None)
    }

    /// Fills the tables from a folder.
    ///
    /// # Errors
    /// If the folder's files are damaged, or the tables do not fit them.
    pub fn report_of(&self, scale: Scale, folder: &Folder) -> Result<Report, ExperimentError> {
        let mut all = std::collections::BTreeMap::new();
        for id in self.file.match_ids() {
            let games = folder
                .read_games(&id, 0)
                .map_err(|error| ExperimentError::new(&self.file.id, error.to_string()))?;
            all.insert(id, games);
        }
        // What `oboro evolve` wrote here for its learning curves; otherwise what comes with the paper.
        let course = |name: &str| {
            let file = folder.path().join("evolve").join(name).join("progress.csv");
            std::fs::read_to_string(file).ok().or_else(|| crate::papers::course(self.id(), name))
        };
        let games = |id: &str| all.get(id).cloned().unwrap_or_default();
        report::fill(&self.file, scale, games, &course)
    }
}
