//! Plays matches, experiments and leagues: goes on where an earlier run stopped, writes every game down before it is
//! counted, stops when a test is decided.

use crate::experiment::Wanted;
use crate::run::run;
use crate::{Folder, FolderError, GameResult, League, Match, SequentialTest};
use oboro_catalog::PlayError;
use oboro_stats::SprtStatus;
use oboro_store::Journal;
use std::ops::{ControlFlow, Range};
use std::time::Duration;

/// What a run tells whoever watches it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Progress<'a> {
    /// A match is taken up; so many of its games are there already.
    Match {
        /// Its name.
        name: &'a str,
        /// How many of its games need not be played.
        done: u64,
    },
    /// A game was played, and written down where there is a folder.
    Game,
}

/// Why a run ended early. What was finished before is kept.
#[derive(Debug, thiserror::Error)]
pub enum DriveError {
    /// The results cannot be kept.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// An agent played against the rules.
    #[error(transparent)]
    Play(#[from] PlayError),
}

/// Plays, and tells of it.
pub struct Driver<'a> {
    threads: usize,
    progress: &'a mut dyn FnMut(Progress<'_>),
    played: u64,
}

/// A match to be played, and how.
#[derive(Clone, Debug)]
pub struct Task<'a> {
    /// What it is called, for whoever watches; its journal in the folder too.
    pub name: &'a str,
    /// The match.
    pub contest: &'a Match,
    /// Which of its games.
    pub games: Range<u64>,
    /// Where results are kept, and earlier ones found.
    pub folder: Option<&'a Folder>,
    /// Whether every game is written down as a record, too; only where there is a folder.
    pub records: bool,
    /// Stops as soon as this is decided.
    pub stop: Option<SequentialTest>,
}

impl<'a> Task<'a> {
    /// All games of a match, kept in memory only.
    pub fn new(name: &'a str, contest: &'a Match) -> Task<'a> {
        let games = 0..contest.games();
        Task { name, contest, games, folder: None, records: false, stop: None }
    }
}

/// The games of a match.
#[derive(Clone, PartialEq, Debug)]
pub struct PlayedMatch {
    /// All of them, those of earlier runs included.
    pub results: Vec<GameResult>,
    /// Decisions made and time taken by each entrant, in this run.
    pub thinking: Vec<(u64, Duration)>,
    /// What the test says that was to stop it.
    pub test: Option<SprtStatus>,
}

impl std::fmt::Debug for Driver<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Driver").field("threads", &self.threads).finish_non_exhaustive()
    }
}

impl<'a> Driver<'a> {
    /// A driver of so many threads; results do not depend on their number.
    pub fn new(threads: usize, progress: &'a mut dyn FnMut(Progress<'_>)) -> Driver<'a> {
        Driver { threads, progress, played: 0 }
    }

    /// How many games it has played so far, those of earlier runs not counted.
    pub fn played(&self) -> u64 {
        self.played
    }

    /// Plays what is missing of a match.
    ///
    /// # Errors
    /// If results cannot be kept or an agent breaks the rules.
    pub fn play(&mut self, task: &Task<'_>) -> Result<PlayedMatch, DriveError> {
        let mut journal: Option<Journal<GameResult>> = None;
        let mut results = Vec::new();
        if let Some(folder) = task.folder {
            let (opened, earlier) = folder.games(task.name, task.games.start)?;
            (journal, results) = (Some(opened), earlier);
        }
        // An earlier run may have been longer, or may have been decided already.
        results.truncate((task.games.end - task.games.start) as usize);
        let mut test = task.stop.clone();
        let mut decides = |game: &GameResult| test.as_mut().is_some_and(|test| test.push(game));
        let decided = results.iter().position(&mut decides);
        if let Some(last) = decided {
            results.truncate(last + 1);
        }
        let done = results.len() as u64;
        (self.progress)(Progress::Match { name: task.name, done });
        let mut thinking = vec![(0, Duration::ZERO); task.contest.entrants().len()];
        let end = if decided.is_some() { task.games.start + done } else { task.games.end };
        let missing = task.games.start + done..end;
        run(task.contest, missing, self.threads, task.records, |finished| {
            if let (Some(folder), Some(record)) = (task.folder, &finished.record) {
                let name = format!("records/{:06}.txt", finished.result.n);
                folder.write_file(&name, &record.to_string())?;
            }
            if let Some(journal) = &mut journal {
                journal.push(&finished.result).map_err(FolderError::from)?;
            }
            for (total, one) in thinking.iter_mut().zip(&finished.thinking) {
                total.0 += one.0;
                total.1 += one.1;
            }
            let decided = decides(&finished.result);
            results.push(finished.result);
            self.played += 1;
            (self.progress)(Progress::Game);
            Ok::<_, DriveError>(if decided {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            })
        })?;
        Ok(PlayedMatch { results, thinking, test: test.map(|test| test.status()) })
    }

    /// Plays what a folder lacks of some matches of an experiment.
    ///
    /// # Errors
    /// As [`play`](Driver::play).
    pub fn play_experiment(
        &mut self,
        wanted: &[Wanted],
        folder: &Folder,
    ) -> Result<(), DriveError> {
        for Wanted { id, contest, games } in wanted {
            self.play(&Task {
                games: games.clone(),
                folder: Some(folder),
                ..Task::new(id, contest)
            })?;
        }
        Ok(())
    }

    /// Plays what is missing of a league: the games of each pairing.
    ///
    /// # Errors
    /// As [`play`](Driver::play).
    pub fn play_league(
        &mut self,
        league: &League,
        folder: Option<&Folder>,
    ) -> Result<Vec<Vec<GameResult>>, DriveError> {
        let played = league.pairings.iter().map(|pairing| {
            let task = Task { folder, ..Task::new(&pairing.id, &pairing.contest) };
            Ok(self.play(&task)?.results)
        });
        played.collect()
    }
}
