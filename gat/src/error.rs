use oboro_core::SpecError;
use oboro_store::StoreError;
use std::io;
use std::path::Path;

/// Why a task of the tournament protocol could not be done.
#[derive(Debug, thiserror::Error)]
pub enum GatError {
    /// A file, an address or a program cannot be used.
    #[error("{0}: {1}")]
    Io(String, io::Error),
    /// A file of results cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// An agent cannot be built.
    #[error(transparent)]
    Agent(#[from] SpecError),
    /// A file says something that makes no sense.
    #[error("{0}")]
    Input(String),
}

impl GatError {
    /// What to make of a system error about `what`.
    pub(crate) fn about<E: Into<io::Error>>(what: impl Into<String>) -> impl FnOnce(E) -> GatError {
        move |error| GatError::Io(what.into(), error.into())
    }

    /// What to make of a system error about a file.
    pub(crate) fn at(path: &Path) -> impl FnOnce(io::Error) -> GatError {
        GatError::about(path.display().to_string())
    }
}
