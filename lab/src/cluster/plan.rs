use super::{Chunk, ClusterError};
use crate::experiment::Wanted;
use crate::run::run;
use crate::{Folder, Match};
use oboro_core::Stop;
use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicUsize, Ordering};
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

/// Cuts games into tasks of about so long each, at most so many. How long a game takes is measured on this machine: of each
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
    let total: f64 = times.iter().sum();
    let length = length.as_secs_f64().max(0.001);
    // Every match is rounded up to a whole task of its own.
    let room = most.saturating_sub(missing.len()).max(1) as f64;
    let length = length.max(total / room);
    let (mut chunks, mut longest) = (Vec::new(), 0_f64);
    for (missing, time) in missing.iter().zip(&times) {
        let before = chunks.len();
        let pieces = (time / length).ceil().max(1.0) as u64;
        chunks.extend(cut(missing.games.clone(), pieces).map(|games| Chunk {
            folder: missing.folder.clone(),
            id: missing.id.clone(),
            start: games.start,
            end: games.end,
        }));
        longest = longest.max(time / (chunks.len() - before).max(1) as f64);
    }
    let times = times.into_iter().map(Duration::from_secs_f64).collect();
    Ok(Planned { chunks, times, longest: Duration::from_secs_f64(longest) })
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
    let next = AtomicUsize::new(0);
    let worker = || {
        let mut found = Vec::new();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            match missing.get(at) {
                Some(missing) => found.push((at, pace(missing)?)),
                None => return Ok::<_, ClusterError>(found),
            }
        }
    };
    let mut found = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads.max(1)).map(|_| scope.spawn(worker)).collect();
        let found = workers.into_iter().map(|worker| worker.join().expect("it does not panic"));
        found.collect::<Result<Vec<_>, _>>()
    })?
    .concat();
    found.sort_unstable();
    Ok(found.into_iter().map(|(_, pace)| pace).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

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
