use oboro_catalog::CatalogError;

/// Why a browser does not get what it asks for.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Refusal {
    /// The game does not allow it, or there is no such thing.
    #[error(transparent)]
    Catalog(#[from] CatalogError),
    /// There is no such table.
    #[error("there is no table {0} here: it may have been closed")]
    NoTable(String),
    /// There is no such event.
    #[error("there is no event {0} here")]
    NoEvent(String),
    /// An event that cannot be played.
    #[error("{0}")]
    Plan(String),
    /// For the host alone.
    #[error("this is for the host of this server")]
    NotHost,
    /// What is on disk makes no sense.
    #[error("{0}")]
    Broken(String),
    /// There is no such record.
    #[error("there is no record {0} here")]
    NoRecord(String),
    /// The seat belongs to somebody else.
    #[error("seat {0} is not yours")]
    NotYours(usize),
    /// Others' eyes before the end.
    #[error("what others see is shown after the end")]
    NotYourEyes,
    /// Not here, or not now.
    #[error("{0}")]
    NotNow(&'static str),
    /// No room for more.
    #[error("{0}: try again later")]
    Full(&'static str),
    /// What was done cannot be kept, so it was not done.
    #[error("{0}")]
    Disk(String),
    /// A message of another shape.
    #[error("that message cannot be read: {0}")]
    Unreadable(String),
}
