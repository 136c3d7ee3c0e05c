//! Games on many machines, by engines that exist already.
//!
//! What is missing of some result folders is cut into [`Chunk`]s, a few games of one match each, and listed in a folder
//! that all machines share ([`TaskList`]). A [`Queue`] (`HyperQueue`, Slurm, or whoever runs `oboro work`) has them
//! played, each by a process of its own ([`work`]) that writes its part of the results as one whole file. Whoever submitted
//! only watches the parts appear and puts them where a run on this machine would have written them ([`Collector`]).
//!
//! Nothing here depends on who plays a chunk, when, or how often: the games are the same, and so are the bytes.

mod chunk;
mod collect;
mod hyperqueue;
mod plan;
mod queue;
mod slurm;
mod work;

pub use chunk::{Chunk, TaskList};
pub use collect::{Collector, CollectorEvent};
pub use hyperqueue::HyperQueue;
pub use plan::{Missing, Planned, missing, plan};
pub use queue::{Job, ManualQueue, Queue, QueueError, QueueInfo};
pub use slurm::Slurm;
pub use work::work;

use crate::{DriveError, FolderError};
use oboro_catalog::PlayError;
use oboro_store::StoreError;
use std::path::PathBuf;

/// Why games on many machines came to an end early. What was finished before is kept.
#[derive(Debug, thiserror::Error)]
pub enum ClusterError {
    /// A result folder cannot be used.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// Games could not be played.
    #[error(transparent)]
    Drive(#[from] DriveError),
    /// The engine cannot be used.
    #[error(transparent)]
    Queue(#[from] QueueError),
    /// There are no tasks.
    #[error("{}: no tasks are listed here. Is this the folder that was submitted, and is it on a disk that this machine shares?", .0.display())]
    NoTasks(PathBuf),
    /// There is no such task.
    #[error("there is no task {0}: {path} lists {2}, from 0", path = .1.display())]
    NoSuchTask(usize, PathBuf, usize),
    /// The list does not fit the folder beside it.
    #[error("{path}: {1}", path = .0.display())]
    Unfit(PathBuf, String),
    /// A task failed again and again.
    #[error("task {task} ({chunk}) was given out {times} times and never came back{}", .said.as_ref().map_or_else(
        || format!(", without a word. {hint}"), |said| format!(": {said}")))]
    Failed {
        /// Its number.
        task: usize,
        /// What it was to play.
        chunk: Chunk,
        /// How often it was submitted.
        times: u32,
        /// What it said when it failed.
        said: Option<String>,
        /// Where to look.
        hint: String,
    },
}

impl From<StoreError> for ClusterError {
    fn from(error: StoreError) -> ClusterError {
        FolderError::from(error).into()
    }
}

impl From<PlayError> for ClusterError {
    fn from(error: PlayError) -> ClusterError {
        DriveError::from(error).into()
    }
}
