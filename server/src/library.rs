//! Recorded games in a folder.

use crate::Refusal;
use oboro_core::Record;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// The records below a folder: of matches, experiments, leagues, and of one's own games.
#[derive(Clone, Debug, Default)]
pub struct Library {
    folder: Option<PathBuf>,
    files: Vec<PathBuf>,
}

/// One recorded game, as a list shows it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Entry {
    /// Where it lies in the folder: by this it is opened, today and after a restart.
    pub path: String,
    /// The game.
    pub game: String,
    /// Who sat where.
    pub agents: Vec<String>,
    /// What it was worth to each seat.
    pub result: Vec<String>,
    /// How many actions were played.
    pub plies: usize,
}

/// Records listed; a folder of more is listed in part.
const MOST: usize = 5000;
/// No record is near this long.
const LONGEST: u64 = 4 << 20;

impl Library {
    /// A library without records.
    pub fn empty() -> Library {
        Library::default()
    }

    /// The records below a folder, or one record.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn open(path: &Path) -> std::io::Result<Library> {
        let mut files = Vec::new();
        if path.is_file() {
            let folder = path.parent().map(Path::to_owned);
            return Ok(Library { folder, files: vec![path.to_owned()] });
        }
        let mut folders = vec![path.to_owned()];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(&folder)? {
                let path = entry?.path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|ending| ending == "txt") {
                    files.push(path);
                }
            }
        }
        files.sort();
        files.truncate(MOST);
        Ok(Library { folder: Some(path.to_owned()), files })
    }

    /// How many files there are to list.
    pub fn len(&self) -> usize {
        self.files.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// The records; files that are none are left out.
    pub fn entries(&self) -> Vec<Entry> {
        let entry = |path: &PathBuf| {
            let record: Record = read(path)?.parse().ok()?;
            Some(Entry {
                path: self.name(path),
                game: record.game,
                agents: record.agents,
                result: record.result,
                plies: record.actions.len(),
            })
        };
        self.files.iter().filter_map(entry).collect()
    }

    /// Where a file lies in the folder, with `/` on every system.
    fn name(&self, path: &Path) -> String {
        let shown = self.folder.as_ref().and_then(|folder| path.strip_prefix(folder).ok());
        shown.unwrap_or(path).display().to_string().replace('\\', "/")
    }

    /// The text of a record.
    ///
    /// # Errors
    /// If there is no such record.
    pub(crate) fn text(&self, name: &str) -> Result<String, Refusal> {
        let path = self.files.iter().find(|path| self.name(path) == name);
        path.and_then(|path| read(path)).ok_or_else(|| Refusal::NoRecord(name.to_owned()))
    }
}

fn read(path: &Path) -> Option<String> {
    let size = std::fs::metadata(path).ok()?.len();
    if size > LONGEST { None } else { std::fs::read_to_string(path).ok() }
}
