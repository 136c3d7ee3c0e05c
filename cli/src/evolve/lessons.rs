//! A teacher's lessons: made on all threads, and kept in a file.

use anyhow::{Context, Result};
use oboro_core::Seed;
use oboro_geister::gp::{Teacher, TrainingPosition, TrainingSet};
use rayon::prelude::*;
use std::fs;
use std::path::Path;

/// Plays the teacher's games until there are enough positions. The same seed gives the same lessons
/// for any number of threads.
pub(super) fn teach(teacher: &Teacher, seed: Seed) -> TrainingSet {
    const BATCH: u64 = 32;
    let mut lessons: Vec<TrainingPosition> = Vec::new();
    let mut games = 0;
    while lessons.len() < teacher.positions {
        let batch: Vec<Vec<TrainingPosition>> = (games..games + BATCH)
            .into_par_iter()
            .map(|number| teacher.game(seed, number))
            .collect();
        games += BATCH;
        lessons.extend(batch.into_iter().flatten());
    }
    lessons.truncate(teacher.positions);
    lessons.into_iter().collect()
}

/// The lessons of a file.
pub(crate) fn read(path: &Path) -> Result<TrainingSet> {
    let text =
        fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    text.parse::<TrainingSet>().with_context(|| path.display().to_string())
}
