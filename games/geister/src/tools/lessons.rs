//! A teacher's lessons: made on all threads, and kept in a file.

use super::about;
use crate::gp::{Teacher, TrainingPosition, TrainingSet};
use oboro_core::Seed;
use oboro_evolve::in_parallel;
use std::fs;
use std::path::Path;

/// Plays the teacher's games until there are enough positions. The same seed gives the same lessons
/// for any number of threads.
pub(super) fn teach(teacher: &Teacher, seed: Seed) -> TrainingSet {
    const BATCH: u64 = 32;
    let mut lessons: Vec<TrainingPosition> = Vec::new();
    let mut games = 0;
    while lessons.len() < teacher.positions {
        let batch = in_parallel(games..games + BATCH, |number| teacher.game(seed, number));
        games += BATCH;
        lessons.extend(batch.into_iter().flatten());
    }
    lessons.truncate(teacher.positions);
    lessons.into_iter().collect()
}

/// The lessons of a file.
pub(super) fn read(path: &Path) -> Result<TrainingSet, String> {
    let text =
        fs::read_to_string(path).map_err(about(format!("cannot read {}", path.display())))?;
    text.parse::<TrainingSet>().map_err(about(path.display()))
}
