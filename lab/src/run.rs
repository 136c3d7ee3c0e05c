use crate::{GameResult, Match};
use oboro_catalog::PlayError;
use oboro_core::{Record, Stop};
use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;
use std::time::Duration;

/// A game as it comes out of a run.
#[derive(Clone, PartialEq, Debug)]
pub struct Finished {
    /// Its result.
    pub result: GameResult,
    /// The game written down, if that was asked for.
    pub record: Option<Record>,
    /// Decisions made and time taken by each entrant.
    pub thinking: Vec<(u64, Duration)>,
}

/// Plays the games of `range` on `threads` threads and hands them to `sink` in order of their
/// numbers, whatever order they finish in. The sink may stop the run; games after the one it stopped at
/// are dropped, so the outcome does not depend on the number of threads. The switch `stop` hurries agents that
/// think; what to do with their games is for the sink. A panic in a game ends the run and keeps what it carries.
///
/// # Errors
/// If an agent plays against the rules (of the game with the lowest number), or the sink fails.
pub fn run<E: From<PlayError>>(
    the_match: &Match,
    range: Range<u64>,
    threads: usize,
    record: bool,
    stop: &Stop,
    mut sink: impl FnMut(Finished) -> Result<ControlFlow<()>, E>,
) -> Result<(), E> {
    let next = AtomicU64::new(range.start);
    let enough = AtomicBool::new(false);
    let (sender, receiver) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            let (sender, next, enough) = (sender.clone(), &next, &enough);
            scope.spawn(move || {
                while !enough.load(Ordering::Relaxed) {
                    let n = next.fetch_add(1, Ordering::Relaxed);
                    if n >= range.end {
                        return;
                    }
                    let task = || stop.watch(|| play(the_match, n, record));
                    let played = catch_unwind(AssertUnwindSafe(task));
                    let fell = played.is_err();
                    if sender.send((n, played)).is_err() || fell {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let mut waiting = BTreeMap::new();
        let mut due = range.start;
        let mut drain = || -> Result<(), E> {
            for (n, played) in &receiver {
                let finished = played.unwrap_or_else(|panic| {
                    // The others need not play on.
                    enough.store(true, Ordering::Relaxed);
                    resume_unwind(panic)
                });
                waiting.insert(n, finished);
                while let Some(finished) = waiting.remove(&due) {
                    due += 1;
                    if sink(finished?)?.is_break() {
                        return Ok(());
                    }
                }
            }
            Ok(())
        };
        let outcome = drain();
        enough.store(true, Ordering::Relaxed);
        outcome
    })
}

fn play(the_match: &Match, n: u64, record: bool) -> Result<Finished, PlayError> {
    let (seats, played) = the_match.play(n, record)?;
    let mut thinking = vec![(0, Duration::ZERO); the_match.entrants().len()];
    for (agent, (decisions, time)) in played.thinking.into_iter().enumerate() {
        let entry = &mut thinking[the_match.entrant_of(agent)];
        entry.0 += decisions;
        entry.1 += time;
    }
    let record = played.record.map(|record| Record {
        rules: the_match.rules().changed(),
        seed: format!("{} game {n}", the_match.seed()),
        ..record
    });
    let forfeit = played.forfeit.map(|(_, reason)| reason);
    let result = GameResult { forfeit, ..GameResult::new(n, seats, played.outcome) };
    Ok(Finished { result, record, thinking })
}

/// Plays a whole match in memory.
///
/// # Errors
/// If an agent plays against the rules.
pub fn play_all(the_match: &Match, threads: usize) -> Result<Vec<GameResult>, PlayError> {
    let mut results = Vec::new();
    run(the_match, 0..the_match.games(), threads, false, &Stop::new(), |finished| {
        results.push(finished.result);
        Ok::<_, PlayError>(ControlFlow::Continue(()))
    })?;
    Ok(results)
}

/// What `work` makes of every number below `count`, in their order, on so many threads. After an error nothing more is
/// begun.
///
/// # Errors
/// One of those of `work`.
pub fn in_parallel<T: Send, E: Send>(
    count: u64,
    threads: usize,
    work: impl Fn(u64) -> Result<T, E> + Sync,
) -> Result<Vec<T>, E> {
    let next = AtomicU64::new(0);
    let worker = || {
        let numbers = std::iter::from_fn(|| {
            Some(next.fetch_add(1, Ordering::Relaxed)).filter(|number| *number < count)
        });
        let one = |number| Ok((number, work(number)?));
        let done: Result<Vec<_>, E> = numbers.map(one).collect();
        done.inspect_err(|_| next.store(count, Ordering::Relaxed))
    };
    let mut done = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads.max(1)).map(|_| scope.spawn(worker)).collect();
        let done = workers
            .into_iter()
            .map(|worker| worker.join().unwrap_or_else(|panic| resume_unwind(panic)));
        done.collect::<Result<Vec<_>, E>>()
    })?;
    let mut done: Vec<_> = done.drain(..).flatten().collect();
    done.sort_unstable_by_key(|(number, _)| *number);
    Ok(done.into_iter().map(|(_, made)| made).collect())
}
