//! The laboratory: matches, experiments and the statistics that judge them.
//!
//! A [`MatchPlan`] says who plays whom, how often and from which seed; [`run`] plays it on any number of
//! threads with the same results; a [`Folder`] keeps them, game by game, so that a killed run goes
//! on where it stopped. An [`Experiment`] is a set of matches with the tables they fill, written as TOML.
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
//! let contest = plan.prepare().unwrap();
//! let results = play_all(&contest, 2).unwrap();
//! let summary = Summary::new(&contest, &results);
//! assert!(summary.entrants[0].payoff.mean > summary.entrants[1].payoff.mean);
//! ```
#![forbid(unsafe_code)]

mod experiment;
mod league;
mod measure;
mod papers;
mod plan;
pub mod plot;
mod provenance;
pub mod reproduce;
mod result;
mod run;
pub mod stats;
mod store;
mod summary;

pub use experiment::{
    Cell, CellReport, Experiment, ExperimentError, FigureKind, FigureReport, PointReport, Report,
    RowReport, Scale, SeriesData, SeriesReport, Shard, TableReport, TestReport, Verdict, merge,
};
pub use league::{League, LeagueTable};
pub use measure::{Estimate, Filter, MeasureError, Value};
pub use papers::{paper, papers};
pub use plan::{Match, MatchPlan, Seating};
pub use provenance::{commit, version};
pub use result::{GameResult, Numbers};
pub use run::{Finished, play_all, run};
pub use store::{FORMAT, Folder, GameFile, Manifest, MatchManifest, StoreError};
pub use summary::{EntrantSummary, Summary};
