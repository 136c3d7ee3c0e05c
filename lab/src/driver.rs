//! Plays matches, experiments and leagues: goes on where an earlier run stopped, writes every game down before it is
//! counted, stops when a test is decided.

use crate::experiment::Wanted;
use crate::run::run;
use crate::{Folder, FolderError, GameResult, Match, SequentialTest};
use oboro_catalog::PlayError;
use oboro_core::{Record, Stop};
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
    /// A player gave a game up, and that was to end the run. The game is not kept: it will be played again.
    #[error("{name}, game {game}: {reason}")]
    GaveUp {
        /// The name of the match.
        name: String,
        /// The game's number in its match.
        game: u64,
        /// Why.
        reason: String,
        /// The game up to there.
        record: Box<Record>,
    },
    /// The switch was pulled.
    #[error("stopped from outside: the games that were finished are kept")]
    Stopped,
}

/// Plays, and tells of it.
pub struct Driver<'a> {
    threads: usize,
    progress: &'a mut dyn FnMut(Progress<'_>),
    stop: Stop,
    strict: bool,
    played: u64,
}

/// A match to be played, and how.
#[derive(Clone, Debug)]
pub struct Task<'a> {
    /// What it is called, for whoever watches; its journal in the folder too.
    pub name: &'a str,
    /// The match.
    pub the_match: &'a Match,
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
    pub fn new(name: &'a str, the_match: &'a Match) -> Task<'a> {
        let games = 0..the_match.games();
        Task { name, the_match, games, folder: None, records: false, stop: None }
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
        Driver { threads, progress, stop: Stop::new(), strict: false, played: 0 }
    }

    /// The same driver, which ends with [`DriveError::Stopped`] when this switch is pulled. Agents that think then are
    /// hurried, and their games are not kept.
    #[must_use]
    pub fn stopped_by(self, stop: &Stop) -> Driver<'a> {
        Driver { stop: stop.clone(), ..self }
    }

    /// The same driver, for which a player that gives a game up ends the run with [`DriveError::GaveUp`], instead of
    /// losing that game and playing the next.
    #[must_use]
    pub fn strict(self) -> Driver<'a> {
        Driver { strict: true, ..self }
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
        let mut thinking = vec![(0, Duration::ZERO); task.the_match.entrants().len()];
        let end = if decided.is_some() { task.games.start + done } else { task.games.end };
        let missing = task.games.start + done..end;
        let (records, stop) = (task.records || self.strict, &self.stop);
        run(task.the_match, missing, self.threads, records, stop, |finished| {
            if stop.is_pulled() {
                return Err(DriveError::Stopped);
            }
            if let (true, Some(reason)) = (self.strict, &finished.result.forfeit) {
                return Err(DriveError::GaveUp {
                    name: task.name.to_owned(),
                    game: finished.result.n,
                    reason: reason.clone(),
                    record: Box::new(finished.record.unwrap_or_default()),
                });
            }
            if let (true, Some(folder), Some(record)) =
                (task.records, task.folder, &finished.record)
            {
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
        for Wanted { id, the_match, games } in wanted {
            self.play(&Task {
                games: games.clone(),
                folder: Some(folder),
                ..Task::new(id, the_match)
            })?;
        }
        Ok(())
    }

    /// Plays what is missing of all games of some matches, such as those of a league; the results of each.
    ///
    /// # Errors
    /// As [`play`](Driver::play).
    pub fn play_all(
        &mut self,
        wanted: &[Wanted],
        folder: Option<&Folder>,
    ) -> Result<Vec<Vec<GameResult>>, DriveError> {
        let played = wanted.iter().map(|Wanted { id, the_match, games }| {
            let task = Task { games: games.clone(), folder, ..Task::new(id, the_match) };
            Ok(self.play(&task)?.results)
        });
        played.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{MatchPlan, Seating};
    use oboro_catalog::{ExternalAgent, ExternalAgents, ExternalFactory, Opening, Turn};
    use oboro_core::Seed;
    use std::sync::Arc;

    /// Plays the first action there is, and gives up at a place that its seed chooses.
    struct Quitter(u64);

    impl ExternalAgent for Quitter {
        fn begin(&mut self, opening: Opening) {
            self.0 = opening.seed;
        }

        fn act(&mut self, turn: &dyn Turn) -> Result<String, String> {
            if self.0.is_multiple_of(4) && turn.ply() > 8 {
                return Err("enough of this".to_owned());
            }
            Ok(turn.actions()[0].clone())
        }
    }

    fn the_match() -> Match {
        let factory: ExternalFactory = Arc::new(|| Box::new(Quitter(0)));
        let quitters: Arc<dyn ExternalAgents> = Arc::new(vec![("quitter".to_owned(), factory)]);
        let table =
            oboro_catalog::game("sevens").unwrap().rules(&[]).unwrap().allow_external(quitters);
        let plan = MatchPlan {
            game: "sevens".to_owned(),
            rules: vec![],
            agents: ["quitter", "random", "random", "random"].map(str::to_owned).into(),
            seating: Seating::Rotate,
            seed: Seed::from_u64(1),
            games: 40,
            allow_oracles: false,
        };
        plan.prepare_at(table).unwrap()
    }

    #[test]
    fn who_gives_up_loses_a_game_or_ends_a_strict_run_at_the_same_game() {
        let the_match = the_match();
        let mut quiet = |_: Progress<'_>| {};
        let all = Driver::new(2, &mut quiet).play(&Task::new("games", &the_match)).unwrap().results;
        let first = all.iter().find(|game| game.forfeit.is_some()).expect("one of forty").n;
        for threads in [1, 3] {
            let mut driver = Driver::new(threads, &mut quiet).strict();
            match driver.play(&Task::new("games", &the_match)) {
                Err(DriveError::GaveUp { game, reason, record, .. }) => {
                    assert_eq!((game, reason.as_str()), (first, "enough of this"));
                    assert!(record.actions.len() > 8 && record.forfeit.is_some());
                }
                other => panic!("{other:?}"),
            }
        }
    }

    #[test]
    fn a_switch_ends_a_run_and_what_was_finished_is_kept() {
        let the_match = the_match();
        let folder = tempfile::tempdir().unwrap();
        let manifest = crate::Manifest::of_match(&the_match);
        let folder = Folder::create(&folder.path().join("run"), manifest, false).unwrap();
        let task = Task { folder: Some(&folder), ..Task::new(Match::FILE, &the_match) };
        let stop = Stop::new();
        let mut games = 0;
        let mut after_ten = |progress: Progress<'_>| {
            games += u32::from(progress == Progress::Game);
            if games == 10 {
                stop.pull();
            }
        };
        let stopped = Driver::new(2, &mut after_ten).stopped_by(&stop).play(&task);
        assert!(matches!(stopped, Err(DriveError::Stopped)), "{stopped:?}");
        assert_eq!(folder.read_games(Match::FILE, 0).unwrap().len(), 10);
        let resumed = Driver::new(2, &mut |_| {}).play(&task).unwrap();
        let straight = Driver::new(1, &mut |_| {}).play(&Task::new("x", &the_match)).unwrap();
        assert_eq!(resumed.results, straight.results);
    }
}
