use crate::{Breeder, Evolution, Plan, Settings};
use oboro_core::SpecError;
use oboro_store::{StoreError, read_if_there, write_whole};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// What went wrong with a run's file, or with its settings.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// It could not be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// It is no checkpoint, or a damaged one.
    #[error("{path}: damaged checkpoint ({1}); delete it to start anew", path = .0.display())]
    Damaged(PathBuf, String),
    /// It belongs to another plan: what differs, what the file says, and what the plan says.
    #[error("{path}: checkpoint of another run: {1} is {2} there and {3} here", path = .0.display())]
    OtherPlan(PathBuf, &'static str, String, String),
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

/// Writes a run to its file.
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
    });
    Ok(write_whole(path, &text.expect("finite numbers and plain tokens are JSON"))?)
}

/// The run that a file holds, if there is a file.
pub(crate) fn load<B: Breeder>(
    path: &Path,
    plan: &Plan,
    breeder: &B,
) -> Result<Option<Evolution<B::Individual>>, CheckpointError> {
    let Some(text) = read_if_there(path)? else { return Ok(None) };
    let damaged = |reason: String| CheckpointError::Damaged(path.to_owned(), reason);
    let found: Checkpoint<Evolution<B::Individual>> =
        serde_json::from_str(&text).map_err(|error| damaged(error.to_string()))?;
    // A run may be continued for more generations than it was begun with.
    let settings = Settings { generations: plan.settings.generations, ..found.settings };
    let differs =
        |what, found, wanted| CheckpointError::OtherPlan(path.to_owned(), what, found, wanted);
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
