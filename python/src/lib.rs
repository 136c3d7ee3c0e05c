//! The engine behind the Python package `oboro`: games, live games, matches and training, thin over the catalog and the lab.
//!
//! What comes from Python is checked by the engine, whose complaint becomes a Python exception of the kind that fits
//! ([`fault`]). Python's lock is free while the engine works, Ctrl-C reaches it, and no panic crosses the border ([`work`]).
#![allow(clippy::needless_pass_by_value, reason = "PyO3 hands arguments over by value")]

mod data;
mod fault;
mod game;
mod live;
mod work;

use pyo3::prelude::*;

/// The engine of Oboro. Use the package `oboro`, which documents and wraps it.
#[pymodule]
mod _engine {
    #[pymodule_export]
    use crate::game::{Game, game, games};
    #[pymodule_export]
    use crate::live::{Live, open_record};

    /// The version of the engine.
    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");
}
