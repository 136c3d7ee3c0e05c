use super::ClusterError;
use crate::folder::is_due;
use crate::{GameResult, commit, version};
use oboro_store::{Journal, StoreError, read_if_there, write_whole};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

/// What one task plays: some games of one match.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Chunk {
    /// The result folder, from the folder of the whole; empty if that is it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub folder: String,
    /// The match.
    #[serde(rename = "match")]
    pub id: String,
    /// Its first game.
    pub start: u64,
    /// The game after its last.
    pub end: u64,
}

impl Chunk {
    /// How many games it has.
    pub fn games(&self) -> u64 {
        self.end.saturating_sub(self.start)
    }
}

impl fmt::Display for Chunk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let between = if self.folder.is_empty() { "" } else { "/" };
        write!(
            f,
            "{}{between}{}, games {} to {}",
            self.folder,
            self.id,
            self.start,
            self.end.saturating_sub(1)
        )
    }
}

/// The tasks of a run on many machines: a list that only grows, the parts that came back, and what was said of failures. It
/// stands in `tasks/` below the folder of the whole and goes away with the last part.
#[derive(Debug)]
pub struct TaskList {
    root: PathBuf,
    chunks: Vec<Chunk>,
}

impl TaskList {
    /// The list of a folder, to be worked on.
    ///
    /// # Errors
    /// If there is none, or it is damaged.
    pub fn read(root: &Path) -> Result<TaskList, ClusterError> {
        let chunks = Journal::read(&list(root), is_sound)?;
        if chunks.is_empty() {
            return Err(ClusterError::NoTasks(root.to_owned()));
        }
        Ok(TaskList { root: root.to_owned(), chunks })
    }

    /// The list of a folder, to be added to. While the journal is held nobody else can do so.
    pub(super) fn open(root: &Path) -> Result<(TaskList, Journal<Chunk>), ClusterError> {
        for place in [root.join("tasks/parts"), logs(root)] {
            fs::create_dir_all(&place).map_err(StoreError::at(&place))?;
        }
        let (journal, chunks) = Journal::open(&list(root), is_sound)?;
        write_whole(&program(root), &this_program())?;
        Ok((TaskList { root: root.to_owned(), chunks }, journal))
    }

    /// Whether this is the program that listed the tasks: the games of another might differ.
    pub(super) fn check_program(&self) -> Result<(), ClusterError> {
        let path = program(&self.root);
        let (theirs, ours) = (read_if_there(&path)?.unwrap_or_default(), this_program());
        if theirs == ours {
            return Ok(());
        }
        let (theirs, ours) = (theirs.trim(), ours.trim());
        let message = format!(
            "the tasks were listed by {theirs}, and this is {ours}: install the same program on every machine"
        );
        Err(ClusterError::Unfit(path, message))
    }

    pub(super) fn push(&mut self, chunk: Chunk) {
        self.chunks.push(chunk);
    }

    /// The tasks; their places are their numbers.
    pub fn chunks(&self) -> &[Chunk] {
        &self.chunks
    }

    /// Task `task`.
    ///
    /// # Errors
    /// If there is none.
    pub fn chunk(&self, task: usize) -> Result<&Chunk, ClusterError> {
        let (path, count) = (list(&self.root), self.chunks.len());
        self.chunks.get(task).ok_or(ClusterError::NoSuchTask(task, path, count))
    }

    /// The result folder of that name.
    pub(super) fn folder(&self, name: &str) -> PathBuf {
        if name.is_empty() { self.root.clone() } else { self.root.join(name) }
    }

    /// Where everything is.
    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    /// Whether the part of a task is there.
    pub fn is_done(&self, task: usize) -> bool {
        self.part(task).exists()
    }

    /// The games of a task, if it is done.
    pub(super) fn games(&self, task: usize) -> Result<Option<Vec<GameResult>>, ClusterError> {
        if !self.is_done(task) {
            return Ok(None);
        }
        let (path, chunk) = (self.part(task), self.chunk(task)?);
        let games = Journal::read(&path, |game, place| is_due(game, chunk.start + place))?;
        if games.len() as u64 != chunk.games() {
            let message = format!("{} games of {}: delete it to go on", games.len(), chunk.games());
            return Err(ClusterError::Unfit(path, message));
        }
        Ok(Some(games))
    }

    /// Keeps the games of a task. They appear as a whole, even if several processes play the same task; and not at all
    /// where everything was put together meanwhile.
    pub(super) fn keep(&self, task: usize, games: &[GameResult]) -> Result<(), ClusterError> {
        if !list(&self.root).exists() {
            return Ok(());
        }
        let part = self.part(task);
        let own = format!("{}-{}", hostname(), std::process::id());
        let beside = self.root.join("tasks/parts").join(format!("writing-{task:06}-{own}"));
        write_whole(&beside, &Journal::text(games))?;
        Ok(fs::rename(&beside, &part).map_err(StoreError::at(&part))?)
    }

    /// Makes a network file system look again: it does so when something was changed.
    pub(super) fn refresh(&self) -> Result<(), ClusterError> {
        let fresh = self.root.join("tasks/parts/looking");
        let touch = fs::write(&fresh, "").and_then(|()| fs::remove_file(&fresh));
        Ok(touch.map_err(StoreError::at(&fresh))?)
    }

    /// The tasks whose parts are there.
    pub(super) fn done(&self) -> Result<Vec<usize>, ClusterError> {
        let parts = self.root.join("tasks/parts");
        let entries = fs::read_dir(&parts).map_err(StoreError::at(&parts))?;
        let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        Ok(names.filter_map(|name| name.strip_suffix(".jsonl")?.parse().ok()).collect())
    }

    /// Keeps what is to be said of a failure, for whoever submitted.
    pub(super) fn complain(&self, task: usize, message: &str) -> Result<(), ClusterError> {
        Ok(write_whole(&self.complaint(task), message)?)
    }

    /// What was said of the failure of a task: by itself, or what it wrote on standard error when it came to a sudden end.
    pub(super) fn complaints(&self, task: usize) -> Option<String> {
        let read = |path: &Path| read_if_there(path).ok().flatten();
        let log = || read(&logs(&self.root).join(format!("{task}.txt")));
        let said = read(&self.complaint(task)).or_else(log)?;
        let said = said.trim();
        (!said.is_empty()).then(|| said.chars().take(1000).collect())
    }

    /// Takes everything away.
    pub(super) fn clear(self) -> Result<(), ClusterError> {
        let place = self.root.join("tasks");
        // A task that was given out twice may still be writing: then the folder is taken away the next time.
        match fs::remove_dir_all(&place) {
            Err(error) if error.kind() != std::io::ErrorKind::DirectoryNotEmpty => {
                Err(StoreError::at(&place)(error).into())
            }
            _ => Ok(()),
        }
    }

    fn part(&self, task: usize) -> PathBuf {
        self.root.join("tasks/parts").join(format!("{task:06}.jsonl"))
    }

    fn complaint(&self, task: usize) -> PathBuf {
        self.root.join("tasks/failed").join(format!("{task:06}.txt"))
    }
}

fn program(root: &Path) -> PathBuf {
    root.join("tasks/program.txt")
}

fn this_program() -> String {
    format!("oboro {} of commit {}\n", version(), commit())
}

fn list(root: &Path) -> PathBuf {
    root.join("tasks/list.jsonl")
}

/// Where engines put what tasks write on standard error, each under its number.
pub(super) fn logs(root: &Path) -> PathBuf {
    root.join("tasks/logs")
}

fn is_sound(chunk: &Chunk, _: u64) -> Result<(), String> {
    (chunk.start < chunk.end).then_some(()).ok_or_else(|| "a task without games".to_owned())
}

/// The name of this machine, as far as it goes; only to tell files of several machines apart.
fn hostname() -> String {
    let name = fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let name: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
    if name.is_empty() { "here".to_owned() } else { name }
}
