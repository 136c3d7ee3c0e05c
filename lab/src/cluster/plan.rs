use super::{Chunk, ClusterError};
use crate::experiment::Wanted;
use crate::run::{in_parallel, run};
use crate::{Folder, Match};
use oboro_core::Stop;
use std::ops::{ControlFlow, Range};
use std::time::Duration;

/// Games of one match that are still to be played.
#[derive(Clone, Debug)]
pub struct Missing {
    /// The result folder, from the folder of the whole.
    pub folder: String,
    /// The name of the match.
    pub id: String,
    /// The match.
    pub the_match: Match,
    /// Which games.
    pub games: Range<u64>,
    /// The number of the first game in the journal of the match: not 0 in a shard.
    pub first: u64,
}

impl Missing {
    /// How many games.
    pub fn count(&self) -> u64 {
        self.games.end.saturating_sub(self.games.start)
    }
}

/// Games to be played, with how long they take.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Planned {
    /// The tasks.
    pub chunks: Vec<Chunk>,
    /// What the games of each match take, on one core of this machine.
    pub times: Vec<Duration>,
    /// What the longest task takes.
    pub longest: Duration,
}

impl Planned {
    /// How many games.
    pub fn games(&self) -> u64 {
        self.chunks.iter().map(Chunk::games).sum()
    }

    /// What all of them take, on one core of this machine.
    pub fn time(&self) -> Duration {
        self.times.iter().sum()
    }

    /// What they take on so many such cores.
    pub fn time_on(&self, cores: usize) -> Duration {
        let cores = u32::try_from(cores.max(1)).unwrap_or(u32::MAX);
        self.longest.max(self.time() / cores)
    }
}

/// What is missing of the wanted games of a result folder; all of it without one.
///
/// # Errors
/// If the results that are there cannot be read.
pub fn missing(
    name: &str,
    folder: Option<&Folder>,
    wanted: &[Wanted],
) -> Result<Vec<Missing>, ClusterError> {
    let missing = wanted.iter().map(|Wanted { id, the_match, games }| {
        let done = folder.map(|folder| folder.read_games(id, games.start)).transpose()?;
        let due = games.start + done.map_or(0, |games| games.len() as u64);
        Ok(Missing {
            folder: name.to_owned(),
            id: id.clone(),
            the_match: the_match.clone(),
            games: due.min(games.end)..games.end,
            first: games.start,
        })
    });
    let missing: Result<Vec<_>, ClusterError> = missing.collect();
    Ok(missing?.into_iter().filter(|missing| !missing.games.is_empty()).collect())
}

/// Cuts games into tasks of about so long each, at most so many; the last eighth of the work, and at least two tasks of it, into
/// tasks of a quarter of that, so that nobody waits long for the last. How long a game takes is measured on this machine: of each
/// match at least one game is played and thrown away.
///
/// # Errors
/// If an agent breaks the rules.
pub fn plan(
    missing: &[Missing],
    length: Duration,
    most: usize,
    threads: usize,
) -> Result<Planned, ClusterError> {
    let paces = paces(missing, threads)?;
    let times: Vec<f64> = missing
        .iter()
        .zip(&paces)
        .map(|(missing, pace)| missing.count() as f64 * pace.as_secs_f64())
        .collect();
    let games: Vec<_> = missing.iter().map(|missing| missing.games.clone()).collect();
    let (pieces, longest) = divide(&games, &times, length.as_secs_f64(), most);
    let chunk = |(number, games): (usize, Range<u64>)| Chunk {
        folder: missing[number].folder.clone(),
        id: missing[number].id.clone(),
        start: games.start,
        end: games.end,
    };
    Ok(Planned {
        chunks: pieces.into_iter().map(chunk).collect(),
        times: times.into_iter().map(Duration::from_secs_f64).collect(),
        longest: Duration::from_secs_f64(longest),
    })
}

/// The tasks, each with the number of its match, and how long the longest takes, if the games of each match take so many seconds.
fn divide(
    games: &[Range<u64>],
    times: &[f64],
    length: f64,
    most: usize,
) -> (Vec<(usize, Range<u64>)>, f64) {
    let total: f64 = times.iter().sum();
    // Every match is rounded up to a whole task of its own, and what is cut finer makes up to half as many again, and a few.
    let room = (most.saturating_sub(games.len() + 12) / 3 * 2).max(1) as f64;
    let length = length.max(0.001).max(total / room);
    let (mut tasks, mut after, mut longest) = (Vec::new(), 0.0, 0_f64);
    // From the end: all others wait for whoever has one of the last tasks.
    for (number, time) in times.iter().enumerate().rev() {
        let pieces: Vec<_> =
            cut(games[number].clone(), (time / length).ceil().max(1.0) as u64).collect();
        let each = time / pieces.len() as f64;
        for piece in pieces.into_iter().rev() {
            let finer = after < (total / 8.0).max(2.0 * length);
            let parts = if finer { (4.0 * each / length).ceil().max(1.0) as u64 } else { 1 };
            let parts: Vec<_> = cut(piece, parts).collect();
            longest = longest.max(each / parts.len() as f64);
            tasks.extend(parts.into_iter().rev().map(|games| (number, games)));
            after += each;
        }
    }
    tasks.reverse();
    (tasks, longest)
}

/// Cuts a range into so many pieces of nearly the same length, none of them empty.
fn cut(range: Range<u64>, pieces: u64) -> impl Iterator<Item = Range<u64>> {
    let games = range.end - range.start;
    let pieces = pieces.min(games);
    let at = move |piece: u64| {
        range.start + (u128::from(games) * u128::from(piece) / u128::from(pieces)) as u64
    };
    (0..pieces).map(move |piece| at(piece)..at(piece + 1))
}

/// How long a game of each match takes: the agents' thinking in a few of them.
fn paces(missing: &[Missing], threads: usize) -> Result<Vec<Duration>, ClusterError> {
    const ENOUGH: Duration = Duration::from_millis(200);
    let pace = |missing: &Missing| {
        let (mut games, mut time) = (0_u32, Duration::ZERO);
        run(&missing.the_match, missing.games.clone(), 1, false, &Stop::new(), |finished| {
            games += 1;
            time += finished.thinking.iter().map(|(_, time)| *time).sum::<Duration>();
            // Never more than a small part of what there is to do.
            let enough = time >= ENOUGH || u64::from(games) * 20 >= missing.count().min(1000);
            let flow = if enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
            Ok::<_, ClusterError>(flow)
        })?;
        Ok::<_, ClusterError>(time / games.max(1))
    };
    in_parallel(missing.len() as u64, threads, |number| pace(&missing[number as usize]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tasks_are_as_long_as_asked_for_and_shorter_in_the_end() {
        let games = [10..6010, 0..1000];
        for most in [usize::MAX, 1000, 60, 40] {
            let (tasks, longest) = divide(&games, &[3000.0, 500.0], 60.0, most);
            assert!(tasks.len() <= most, "{} of {most}", tasks.len());
            for (number, games) in games.iter().enumerate() {
                let own = tasks.iter().filter(|task| task.0 == number).map(|task| task.1.clone());
                assert!(own.flatten().eq(games.clone()), "{tasks:?}");
            }
            let seconds = |task: &(usize, Range<u64>)| (task.1.end - task.1.start) as f64 / 2.0;
            let worst = tasks.iter().map(seconds).fold(0.0, f64::max);
            assert!(
                (worst - longest).abs() < 1.0 && (most < 1000 || longest <= 60.0),
                "{worst} {longest}"
            );
            let last = tasks[tasks.len() - 8..].iter().map(seconds).fold(0.0, f64::max);
            assert!(last <= longest / 4.0 + 1.0, "{last} {longest}");
        }
    }

    #[test]
    fn pieces_cover_a_range_and_none_is_empty() {
        for (range, pieces) in [(3..10, 3), (0..5, 5), (0..5, 9), (7..8, 1), (0..1000, 7)] {
            let cut: Vec<_> = cut(range.clone(), pieces).collect();
            assert!(cut.iter().all(|piece| piece.start < piece.end), "{cut:?}");
            assert!(cut.windows(2).all(|two| two[0].end == two[1].start), "{cut:?}");
            assert_eq!((cut[0].start, cut[cut.len() - 1].end), (range.start, range.end));
            assert_eq!(cut.len() as u64, pieces.min(range.end - range.start));
        }
    }
}
