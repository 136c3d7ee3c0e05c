//! The laboratory: matches, experiments and leagues, and what they come to.
//!
//! A [`MatchPlan`] says who plays whom, how often and from which seed; a [`Driver`] plays it on any number of
//! threads with the same results; a [`Folder`] keeps them, game by game, so that a killed run goes
//! on where it stopped. An [`Experiment`] is a set of matches with the tables they fill, written as TOML. A [`League`] has
//! all pairs of its agents. The [`event`] engine pairs, counts and rates the entrants of leagues and tournaments.
//!
//! ```
//! use oboro_lab::{MatchPlan, Seating, Summary, play_all};
//! use oboro_core::Seed;
//!
//! let plan = MatchPlan {
//!     game: "sevens".into(),
//!     rules: vec![],
//!     agents: ["eval", "eval", "rule", "rule"].map(String::from).into(),
//!     seating: Seating::Random,
//!     seed: Seed::from_u64(1),
//!     games: 200,
//!     allow_oracles: false,
//! };
//! let the_match = plan.prepare().unwrap();
//! let results = play_all(&the_match, 2).unwrap();
//! let summary = Summary::new(&the_match, &results);
//! assert!(summary.entrants[0].payoff.mean > summary.entrants[1].payoff.mean);
//! ```
#![forbid(unsafe_code)]

mod belief_score;
pub mod cluster;
mod driver;
mod duel;
mod estimate;
pub mod event;
mod experiment;
mod folder;
mod infer;
mod measure;
mod papers;
mod plan;
mod population;
mod provenance;
mod result;
mod run;
mod summary;

pub use belief_score::{BeliefScore, Calibrated};
pub use driver::{DriveError, Driver, PlayedMatch, Progress, Task};
pub use duel::{Duel, DuelSummary, SequentialTest, TestError};
pub use estimate::{Estimate, Prediction};
pub use event::{GameName, League, LeagueEntry, LeagueRatings, LeagueTable, leagues};
pub use experiment::{
    CellReport, Claim, Counts, Experiment, ExperimentError, FigureKind, FigureReport, Misprint,
    PointReport, Portion, Report, RowReport, Scale, SeriesData, SeriesReport, Shard, TableReport,
    TableVerdict, TestReport, Verdict, Wanted, merge, published_value,
};
pub use folder::{FORMAT, Folder, FolderError, Manifest, MatchManifest};
pub use infer::{
    ChoicePosterior, Choices, Fit, Identification, Inference, InferencePlan, Inferring,
    NumberReport, PlayedReading, ReadingReport, StageReport, ValuePosterior,
};
pub use measure::{Filter, MeasureError, Value};
pub use oboro_core::Scoring;
pub use papers::{PaperFolder, paper, papers};
pub use plan::{Match, MatchPlan, PlanError, Seating};
pub use population::{Measure, Population, PopulationGroup, PopulationRow, PopulationTable};
pub use provenance::{commit, version};
pub use result::{GameResult, Numbers};
pub use run::{Finished, in_parallel, play_all, run};
pub use summary::{EntrantSummary, FactSummary, MeanWithInterval, Summary};
