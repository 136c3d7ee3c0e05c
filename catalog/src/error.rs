use oboro_core::{LiveError, NotationError, RecordError, ReplayError, SpecError};

/// Why something cannot be had as it was asked for, with the place at fault.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CatalogError {
    /// No such game, rule option or agent, or a value it does not take.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// The text of a position cannot be read.
    #[error("position: {0}")]
    Position(NotationError),
    /// The text of an action cannot be read.
    #[error("action: {0}")]
    Action(NotationError),
    /// The game does not allow it: another's turn, an illegal action, no such seat.
    #[error(transparent)]
    Live(#[from] LiveError),
    /// The text of a record cannot be read.
    #[error("record, {0}")]
    Record(#[from] RecordError),
    /// A record is no game by its rules.
    #[error("record, {0}")]
    Replay(#[from] ReplayError),
    /// Data of another shape than was asked for.
    #[error("{path}: {message}")]
    Shape {
        /// The field at fault, as in `seats[1]`; `.` for the whole.
        path: String,
        /// What is wrong with it.
        message: String,
    },
    /// No legal action has this index.
    #[error("action {index} is not legal for seat {seat}")]
    NoAction {
        /// What was given.
        index: i64,
        /// Who was to move.
        seat: usize,
    },
    /// One of many games is at fault.
    #[error("game {0}: {1}")]
    InGame(usize, Box<CatalogError>),
    /// More memory would be needed than there is.
    #[error("{what} need at least {needed} MiB of memory, and {free}")]
    Memory {
        /// What was asked for.
        what: String,
        /// How much it would take.
        needed: u64,
        /// How much there is, in words.
        free: String,
    },
    /// Somebody pulled the switch in the middle of the work.
    #[error("it was stopped in its middle")]
    Stopped,
    /// An agent that thought for another game was handed in.
    #[error("this thought belongs to another game")]
    ForeignThought,
}
