//! Experiments as data: matches, the tables they fill, and the published numbers.
//!
//! A file is read ([`file`]) and made sense of ([`design`]); its matches are played; games and courses of evolution
//! ([`evidence`]) then fill its [`tables`] and [`figures`], and what comes out is plain data ([`report`]).

mod arithmetic;
mod design;
mod error;
mod evidence;
mod figures;
mod file;
mod judgement;
mod portion;
mod readings;
mod report;
mod scale;
mod shard;
mod tables;
mod variants;
mod verdict;

pub use arithmetic::Misprint;
pub use error::ExperimentError;
pub use judgement::{Counts, TableVerdict};
pub(crate) use portion::fits;
pub use portion::{Portion, Wanted};
pub(crate) use readings::{expand, set, written};
pub use report::{
    CellReport, Claim, FigureKind, FigureReport, PointReport, Report, RowReport, SeriesData,
    SeriesReport, TableReport, TestReport,
};
pub use scale::Scale;
pub(crate) use scale::Scales;
pub use shard::{Shard, merge};
pub use verdict::{Verdict, published_value};

use crate::measure::MeasureError;
use crate::{Folder, GameResult, Manifest, Match, MatchManifest};
use design::Design;
use evidence::{Course, Evidence};
use oboro_catalog::Allowed;
use oboro_core::Seed;

/// An experiment that has been read and checked: every match can be played, every table filled.
#[derive(Clone, Debug)]
pub struct Experiment {
    design: Design,
}

impl Experiment {
    /// Reads an experiment; `name` is its file for error messages.
    ///
    /// # Errors
    /// If it is no experiment: the file, line and column.
    pub fn parse(name: &str, text: &str) -> Result<Experiment, ExperimentError> {
        Experiment::parse_among(name, text, None)
    }

    /// Reads an experiment whose matches may name the external agents that are allowed here.
    ///
    /// # Errors
    /// As [`parse`](Experiment::parse).
    pub fn parse_among(
        name: &str,
        text: &str,
        external: Allowed<'_>,
    ) -> Result<Experiment, ExperimentError> {
        Ok(Experiment { design: Design::parse(name, text, external)? })
    }

    /// Its name.
    pub fn id(&self) -> &str {
        &self.design.id
    }

    /// Its title.
    pub fn title(&self) -> &str {
        &self.design.title
    }

    /// The game it plays.
    pub fn game(&self) -> &str {
        &self.design.game
    }

    /// The seed it names.
    pub fn default_seed(&self) -> Seed {
        Seed::from_u64(self.design.seed)
    }

    /// Its matches at a scale, each with its name, in order.
    pub fn matches(&self, scale: Scale, seed: &Seed) -> Vec<(String, Match)> {
        let planned = self.design.matches.iter().map(|planned| {
            let the_match =
                planned.the_match.with(seed.child(&planned.id), planned.games.at(scale));
            (planned.id.clone(), the_match)
        });
        planned.collect()
    }

    /// What a folder with its results says.
    pub fn manifest(&self, scale: Scale, seed: &Seed, shard: Option<Shard>) -> Manifest {
        let matches = self.matches(scale, seed).into_iter();
        let matches = matches.map(|(id, the_match)| {
            let games = the_match.games();
            MatchManifest::new(id, &the_match, Some(games))
        });
        Manifest {
            shard: shard.map(|shard| shard.to_string()),
            ..Manifest::new(Some(format!("{} {scale}", self.id())), seed, matches.collect())
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
        self.fill(scale, self.design.matches.iter().map(|m| games(&m.id)).collect(), &|_| Ok(None))
    }

    /// Fills the tables from a folder.
    ///
    /// # Errors
    /// If the folder's files are damaged, or the tables do not fit them.
    pub fn report_of(&self, scale: Scale, folder: &Folder) -> Result<Report, ExperimentError> {
        let matches = self.design.matches.iter();
        let games = matches
            .map(|planned| folder.read_games(&planned.id, 0))
            .collect::<Result<_, _>>()
            .map_err(|error| ExperimentError::new(self.id(), error.to_string()))?;
        // What `oboro evolve` wrote here for its learning curves; otherwise what comes with the paper.
        let course = |name: &str| {
            let here = folder.course(name).map_err(|error| MeasureError::new(error.to_string()))?;
            Ok(here.or_else(|| crate::papers::course(self.id(), name)))
        };
        self.fill(scale, games, &course)
    }

    fn fill(
        &self,
        scale: Scale,
        games: Vec<Vec<GameResult>>,
        course: Course<'_>,
    ) -> Result<Report, ExperimentError> {
        let Design { id, title, source, notes, matches, pools, tables, figures, .. } = &self.design;
        let mut names: Vec<String> = matches.iter().map(|planned| planned.id.clone()).collect();
        let played = games.iter().map(|games| games.len() as u64).sum();
        let games_per_deal = matches.iter().map(|planned| {
            let the_match = &planned.the_match;
            the_match.seating().games_per_deal(the_match.agents().len())
        });
        let mut evidence = Evidence { games, games_per_deal: games_per_deal.collect(), course };
        for pool in pools {
            evidence
                .add_pool(&pool.of)
                .map_err(|error| ExperimentError::new(id, error.to_string()))?;
            let members = pool.of.iter().map(|member| names[member.the_match.index()].clone());
            names.push(members.collect::<Vec<_>>().join("+"));
        }
        let tables = tables.iter().map(|table| {
            tables::fill(table, &names, &evidence)
                .map_err(|error| ExperimentError::new(id, format!("table {}: {error}", table.id)))
        });
        let tables: Vec<TableReport> = tables.collect::<Result<_, _>>()?;
        let figures = figures.iter().map(|figure| {
            figures::fill(figure, &names, &evidence)
                .map_err(|error| ExperimentError::new(id, format!("figure {}: {error}", figure.id)))
        });
        Ok(Report {
            id: id.clone(),
            title: title.clone(),
            source: source.clone(),
            scale,
            notes: notes.clone(),
            figures: figures.collect::<Result<_, _>>()?,
            games: played,
            counts: Counts::of(&tables),
            tables,
        })
    }
}
