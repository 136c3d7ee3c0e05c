//! The results of events as files: a journal of games, as those of matches and leagues are, and how everybody stands.

use super::EventState;
use super::report::report;
use crate::store::{Database, StoreError};
use oboro_lab::GameResult;
use oboro_store::{Journal, pretty, write_whole};
use std::path::Path;

impl Database {
    /// Writes every event of a folder's database into a new folder: `NAME.jsonl` has its games, one line each, and
    /// `NAME.json` everything that its page shows. Tells how many there are.
    ///
    /// # Errors
    /// If there is no database, an event makes no sense, or the new folder cannot be written.
    pub fn export_events(folder: &Path, into: &Path) -> Result<usize, StoreError> {
        let reader = Database::reader_of(folder)?;
        let names = reader.events()?;
        for name in &names {
            let Some(saved) = reader.event(name)? else { continue };
            let state = EventState::restore(saved).map_err(|error| StoreError::Content {
                what: "event",
                name: name.clone(),
                place: "its steps".to_owned(),
                error: error.to_string(),
            })?;
            let games: Vec<GameResult> = state.event.results().cloned().collect();
            for (ending, text) in
                [("jsonl", Journal::text(&games)), ("json", pretty(&report(name, &state)))]
            {
                let path = into.join(format!("{name}.{ending}"));
                write_whole(&path, &text)
                    .map_err(|error| StoreError::io(&path, std::io::Error::other(error)))?;
            }
        }
        Ok(names.len())
    }
}
