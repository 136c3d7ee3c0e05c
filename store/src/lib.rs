//! Files that survive a kill: whole files written at once ([`write_whole`]), and journals of one JSON line an
//! entry that only grow ([`Journal`]).
//!
//! Matches, experiments, leagues and evolution all keep their results by these two, so that a run that
//! was killed goes on where it stopped.
#![forbid(unsafe_code)]

mod journal;

pub use journal::Journal;

use serde::Serialize;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// What is wrong with a file.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// It cannot be read or written.
    #[error("{path}: {1}", path = .0.display())]
    Io(PathBuf, #[source] io::Error),
    /// A line of a journal, counted from 1, is damaged.
    #[error("{path}:{1}: damaged ({2}); the {good} lines before it are sound: cut the file after line {good} to go on from there", path = .0.display(), good = .1 - 1)]
    Damaged(PathBuf, u64, String),
    /// Somebody else writes to it.
    #[error("{}: another run is writing to this file", .0.display())]
    Busy(PathBuf),
}

impl StoreError {
    /// What to make of a system error about a file.
    pub fn at(path: &Path) -> impl FnOnce(io::Error) -> StoreError + '_ {
        move |error| StoreError::Io(path.to_owned(), error)
    }
}

/// Writes a whole file at once, and the folders above it: under another name beside it first, so that a kill
/// leaves the old file or the new one and never a half.
///
/// # Errors
/// If it cannot be written.
pub fn write_whole(path: &Path, text: &str) -> Result<(), StoreError> {
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent).map_err(StoreError::at(parent))?;
    }
    let mut beside = path.as_os_str().to_owned();
    beside.push(".part");
    let beside = PathBuf::from(beside);
    let write = || {
        let mut file = File::create(&beside)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        fs::rename(&beside, path)
    };
    write().map_err(StoreError::at(path))
}

/// The text of a file; `None` if there is no such file.
///
/// # Errors
/// If it is there and cannot be read.
pub fn read_if_there(path: &Path) -> Result<Option<String>, StoreError> {
    match fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(StoreError::at(path)(error)),
    }
}

/// JSON as files keep it: indented, with a last newline.
///
/// # Panics
/// If the value has no form in JSON, such as a map whose keys are not text.
pub fn pretty(value: &impl Serialize) -> String {
    let mut text = serde_json::to_string_pretty(value).expect("plain data becomes JSON");
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_as_a_whole_and_nothing_is_left_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a/b/file.json");
        assert_eq!(read_if_there(&path).unwrap(), None);
        write_whole(&path, "one").unwrap();
        write_whole(&path, "two").unwrap();
        assert_eq!(read_if_there(&path).unwrap().as_deref(), Some("two"));
        assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
    }

    #[test]
    fn errors_name_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        write_whole(&file, "").unwrap();
        let error = write_whole(&file.join("below"), "").unwrap_err().to_string();
        assert!(error.contains("file"), "{error}");
        assert!(read_if_there(folder.path()).is_err(), "a folder is no file");
    }
}
