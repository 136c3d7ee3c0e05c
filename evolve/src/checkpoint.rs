use crate::{Breeder, Evolution, Plan, Settings};
use oboro_core::SpecError;
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

/// What went wrong with a run's file, or with its settings.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// It could not be read or written.
    #[error("{}: {source}", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// It is no checkpoint, or a damaged one.
    #[error("{}: damaged checkpoint ({reason}); delete it to start anew", .path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// It belongs to another plan.
    #[error(
        "{}: checkpoint of another run: {what} is {found} there and {wanted} here", .path.display()
    )]
    OtherPlan {
        /// The file.
        path: PathBuf,
        /// What differs.
        what: &'static str,
        /// What the file says.
        found: String,
        /// What the plan says.
        wanted: String,
    },
    /// The settings make no sense.
    #[error(transparent)]
    Settings(#[from] SpecError),
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Checkpoint<E> {
    problem: String,
    seed: String,
    settings: Settings,
    evolution: E,
}

/// Writes a run beside the old file and then puts it in its place: a kill leaves one or the other.
pub(crate) fn save<I: Serialize>(
    path: &Path,
    plan: &Plan,
    evolution: &Evolution<I>,
) -> Result<(), CheckpointError> {
    let text = serde_json::to_string(&Checkpoint {
        problem: plan.problem.clone(),
        seed: plan.seed.to_string(),
        settings: plan.settings,
        evolution,
    })
    .expect("finite numbers and plain tokens are JSON");
    let mut beside = path.as_os_str().to_owned();
    beside.push(".new");
    let beside = PathBuf::from(beside);
    let written = File::create(&beside).and_then(|mut file| {
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        fs::rename(&beside, path)
    });
    written.map_err(|source| CheckpointError::Io { path: path.to_owned(), source })
}

/// The run that a file holds, if there is a file.
pub(crate) fn load<B: Breeder>(
    path: &Path,
    plan: &Plan,
    breeder: &B,
) -> Result<Option<Evolution<B::Individual>>, CheckpointError> {
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(source) => {
            return Err(CheckpointError::Io { path: path.to_owned(), source });
        }
    };
    let damaged = |reason: String| CheckpointError::Damaged { path: path.to_owned(), reason };
    let found: Checkpoint<Evolution<B::Individual>> =
        serde_json::from_str(&text).map_err(|error| damaged(error.to_string()))?;
    // A run may be continued for more generations than it was begun with.
    let settings = Settings { generations: plan.settings.generations, ..found.settings };
    let differs = |what, found: String, wanted: String| CheckpointError::OtherPlan {
        path: path.to_owned(),
        what,
        found,
        wanted,
    };
    if found.problem != plan.problem {
        return Err(differs("the problem", found.problem, plan.problem.clone()));
    }
    if found.seed != plan.seed.to_string() {
        return Err(differs("the seed", found.seed, plan.seed.to_string()));
    }
    if settings != plan.settings {
        let text = |settings: &Settings| {
            serde_json::to_string(settings).expect("settings are plain numbers")
        };
        return Err(differs("the setting", text(&settings), text(&plan.settings)));
    }
    let evolution = found.evolution;
    if evolution.population.len() != plan.settings.population {
        return Err(damaged(format!(
            "{} individuals, not {}",
            evolution.population.len(),
            plan.settings.population
        )));
    }
    let numbers = evolution.history.iter().map(|entry| entry.generation);
    if evolution.history.is_empty() || !numbers.eq(0..evolution.history.len() as u32) {
        return Err(damaged("its generations are not counted from 0".to_owned()));
    }
    let past = evolution.history.iter().map(|entry| &entry.best);
    for one in evolution.population.iter().chain(past) {
        breeder.check(&one.individual).map_err(damaged)?;
    }
    Ok(Some(evolution))
}
