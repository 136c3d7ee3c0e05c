//! The engine behind the Python package `oboro`: games, live games, matches and training, thin over the catalog and the lab.
//!
//! What comes from Python is checked by the engine, whose complaint becomes a Python exception of the kind that fits
//! (`fault.rs`). Python's lock is free while the engine works, Ctrl-C reaches it, and no panic crosses the border (`work.rs`).
#![allow(clippy::needless_pass_by_value, reason = "PyO3 hands arguments over by value")]

mod agents;
mod data;
mod fault;
mod game;
mod guests;
mod host;
mod lab;
mod live;
mod own_game;
mod own_rules;
mod solve;
mod stats;
mod vec;
mod view;
mod work;

use pyo3::prelude::*;

/// The engine of Oboro. Use the package `oboro`, which documents and wraps it.
#[pymodule]
mod _engine {
    #[pymodule_export]
    use crate::game::{Game, game, games};
    #[pymodule_export]
    use crate::lab::{experiments, play_experiment, play_league, play_match};
    #[pymodule_export]
    use crate::live::{_restore, Live, open_record};
    #[pymodule_export]
    use crate::solve::Tree;
    #[pymodule_export]
    use crate::stats::{compare, elo, holm, mean, paired, rate, sprt};
    #[pymodule_export]
    use crate::vec::Batch;
    #[pymodule_export]
    use crate::view::View;
    #[pymodule_export]
    use crate::work::_fall_over;

    /// The version of the engine.
    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");
}
