//! Who may think when: threads and memory are shared by address, and addresses take turns.
//!
//! Every job has an owner. An owner has a few threads at most, so the others' jobs start at once or soon. Where all
//! threads are taken, owners are served in turn, and a job that has had its share ends when somebody waits who has none.

use crate::address::Address;
use crate::metrics::Metrics;
use crate::state::now;
use crate::{Limits, Refusal};
use oboro_core::Stop;
use std::collections::{BTreeMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::oneshot;

/// How often it is looked whether a job has had its share.
const LOOK: Duration = Duration::from_millis(250);

/// For whom something is thought about or held in memory.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Owner {
    /// Whoever runs the server: events.
    Host,
    /// Tables that came from disk, until somebody comes to a seat.
    Restored,
    /// Whoever set the table, or asks.
    Address(Address),
}

/// The threads on which agents think, and the memory that they take.
#[derive(Debug)]
pub(crate) struct Thinkers {
    limits: Limits,
    metrics: Arc<Metrics>,
    schedule: Mutex<Schedule>,
}

#[derive(Debug, Default)]
struct Schedule {
    /// Threads by owner, and all of them.
    running: BTreeMap<Owner, usize>,
    threads: usize,
    /// Kilobytes of those who think.
    thinking: u32,
    /// Kilobytes of agents at tables, by owner.
    held: BTreeMap<Owner, u32>,
    /// Owners whose jobs wait; the next to be served comes first.
    turns: VecDeque<Owner>,
    waiting: BTreeMap<Owner, VecDeque<Job>>,
}

#[derive(Debug)]
struct Job {
    kilobytes: u32,
    start: oneshot::Sender<Slot>,
}

/// A thread to think on; it is given back when this is dropped.
#[derive(Debug)]
struct Slot {
    /// Nothing if nobody took it.
    thinkers: Option<Arc<Thinkers>>,
    owner: Owner,
    kilobytes: u32,
}

impl Drop for Slot {
    fn drop(&mut self) {
        let Some(thinkers) = self.thinkers.take() else { return };
        let mut schedule = thinkers.lock();
        schedule.finish(self.owner, self.kilobytes);
        thinkers.dispatch(&mut schedule);
    }
}

/// Memory for the agents of a table; it is given back when this is dropped.
#[derive(Debug)]
pub(crate) struct HeldMemory {
    thinkers: Arc<Thinkers>,
    owner: Owner,
    kilobytes: u32,
}

impl Drop for HeldMemory {
    fn drop(&mut self) {
        let mut schedule = self.thinkers.lock();
        subtract(&mut schedule.held, self.owner, self.kilobytes);
    }
}

fn in_kilobytes(megabytes: u32) -> u32 {
    megabytes.saturating_mul(1024)
}

fn subtract<N: Copy + PartialEq + std::ops::Sub<Output = N> + Default>(
    counts: &mut BTreeMap<Owner, N>,
    owner: Owner,
    count: N,
) {
    if let Some(have) = counts.get_mut(&owner) {
        *have = *have - count;
        if *have == N::default() {
            counts.remove(&owner);
        }
    }
}

impl Schedule {
    fn begin(&mut self, owner: Owner, kilobytes: u32) {
        *self.running.entry(owner).or_default() += 1;
        self.threads += 1;
        self.thinking += kilobytes;
    }

    fn finish(&mut self, owner: Owner, kilobytes: u32) {
        subtract(&mut self.running, owner, 1);
        self.threads -= 1;
        self.thinking -= kilobytes;
    }

    /// Nobody waits any longer for a job whose other end is gone.
    fn drop_closed(&mut self) {
        self.waiting.retain(|_, jobs| {
            jobs.retain(|job| !job.start.is_closed());
            !jobs.is_empty()
        });
        self.turns.retain(|owner| self.waiting.contains_key(owner));
    }

    fn threads_of(&self, owner: Owner) -> usize {
        self.running.get(&owner).copied().unwrap_or(0)
    }

    /// Whether somebody else waits for whom nobody thinks.
    fn is_crowded(&self, owner: Owner) -> bool {
        self.waiting
            .iter()
            .any(|(&other, jobs)| other != owner && !jobs.is_empty() && self.threads_of(other) == 0)
    }
}

impl Thinkers {
    pub(crate) fn new(limits: Limits, metrics: Arc<Metrics>) -> Arc<Thinkers> {
        Arc::new(Thinkers { limits, metrics, schedule: Mutex::default() })
    }

    fn lock(&self) -> MutexGuard<'_, Schedule> {
        self.schedule.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Kilobytes that agents at tables hold, and that agents take which think.
    pub(crate) fn kilobytes(&self) -> (u32, u32) {
        let schedule = self.lock();
        (schedule.held.values().sum(), schedule.thinking)
    }

    /// Sets memory aside for the agents of a table.
    ///
    /// # Errors
    /// If there is none left, or the address has its share.
    pub(crate) fn hold(
        self: &Arc<Thinkers>,
        owner: Owner,
        kilobytes: u32,
    ) -> Result<HeldMemory, Refusal> {
        let mut schedule = self.lock();
        let all: u32 = schedule.held.values().sum();
        let own = schedule.held.get(&owner).copied().unwrap_or(0);
        let refused = if all + kilobytes > in_kilobytes(self.limits.held_megabytes) {
            Some("the memory for agents is taken")
        } else if matches!(owner, Owner::Address(_))
            && own + kilobytes > in_kilobytes(self.limits.held_megabytes_per_address)
        {
            Some("your address has its share of the memory for agents")
        } else {
            None
        };
        if let Some(why) = refused {
            Metrics::count(&self.metrics.refused);
            return Err(Refusal::Full(why));
        }
        *schedule.held.entry(owner).or_default() += kilobytes;
        Ok(HeldMemory { thinkers: Arc::clone(self), owner, kilobytes })
    }

    /// Starts what may start: of those who wait, whoever has the fewest threads, and of equals whoever waits longest.
    fn dispatch(self: &Arc<Thinkers>, schedule: &mut Schedule) {
        while schedule.threads < self.limits.thinkers.max(1) {
            schedule.drop_closed();
            let may_start = |owner: Owner| {
                let room =
                    in_kilobytes(self.limits.thinking_megabytes).saturating_sub(schedule.thinking);
                let job = schedule.waiting.get(&owner).and_then(VecDeque::front);
                let fits = |job: &Job| job.kilobytes <= room || schedule.threads == 0;
                schedule.threads_of(owner) < self.limits.thinkers_per_address.max(1)
                    && job.is_some_and(fits)
            };
            let waiting = schedule.turns.iter().enumerate().filter(|(_, owner)| may_start(**owner));
            let next = waiting.min_by_key(|(_, owner)| schedule.threads_of(**owner));
            let Some((at, &owner)) = next else { return };
            schedule.turns.remove(at);
            schedule.turns.push_back(owner);
            let job = schedule.waiting.get_mut(&owner).and_then(VecDeque::pop_front);
            let Some(Job { kilobytes, start }) = job else { return };
            schedule.begin(owner, kilobytes);
            let slot = Slot { thinkers: Some(Arc::clone(self)), owner, kilobytes };
            if let Err(mut slot) = start.send(slot) {
                // The schedule is locked already.
                slot.thinkers = None;
                schedule.finish(owner, kilobytes);
            }
        }
    }

    fn queue(self: &Arc<Thinkers>, owner: Owner, kilobytes: u32) -> oneshot::Receiver<Slot> {
        let (start, started) = oneshot::channel();
        let mut schedule = self.lock();
        if !schedule.turns.contains(&owner) {
            schedule.turns.push_back(owner);
        }
        schedule.waiting.entry(owner).or_default().push_back(Job { kilobytes, start });
        self.dispatch(&mut schedule);
        started
    }

    /// Runs something long on a thread, as soon as it is the owner's turn, and pulls its switch when it takes too long.
    /// What falls over there is an answer, not the end of the server.
    pub(crate) async fn run<T: Send + 'static>(
        self: &Arc<Thinkers>,
        owner: Owner,
        kilobytes: u32,
        stop: &Stop,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, String> {
        let panicked = || "the agent panicked".to_owned();
        let slot = self.queue(owner, kilobytes).await.map_err(|_| panicked())?;
        self.metrics.thinking.fetch_add(1, Ordering::Relaxed);
        let metrics = Arc::clone(&self.metrics);
        let mut thread = tokio::task::spawn_blocking(move || {
            let done = catch_unwind(AssertUnwindSafe(work));
            metrics.thinking.fetch_sub(1, Ordering::Relaxed);
            drop(slot);
            done
        });
        let began = now();
        let (most, share) = (self.limits.think_seconds, self.limits.share_seconds);
        loop {
            if let Ok(done) = tokio::time::timeout(LOOK, &mut thread).await {
                return done.ok().and_then(Result::ok).ok_or_else(panicked);
            }
            let seconds = began.elapsed().as_secs();
            if seconds >= most || (seconds >= share && self.lock().is_crowded(owner)) {
                stop.pull();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(number: u8) -> Owner {
        Owner::Address(Address::new([10, 0, 0, number].into()))
    }

    fn thinkers(limits: Limits) -> Arc<Thinkers> {
        Thinkers::new(limits, Arc::default())
    }

    #[test]
    fn addresses_take_turns_and_nobody_has_more_than_its_share() {
        let limits = Limits { thinkers: 3, thinkers_per_address: 2, ..Limits::default() };
        let thinkers = thinkers(limits);
        let (greedy, other, third) = (address(1), address(2), address(3));
        let mut first: Vec<_> = (0..20).map(|_| thinkers.queue(greedy, 1)).collect();
        let mut second: Vec<_> = (0..2).map(|_| thinkers.queue(other, 1)).collect();
        let mut late = thinkers.queue(third, 1);
        let mut slots: Vec<Slot> =
            first.iter_mut().chain(&mut second).filter_map(|job| job.try_recv().ok()).collect();
        assert_eq!(slots.iter().filter(|slot| slot.owner == greedy).count(), 2);
        assert_eq!(slots.iter().filter(|slot| slot.owner == other).count(), 1);
        assert!(thinkers.lock().is_crowded(greedy), "somebody waits for whom nobody thinks");
        slots.remove(0);
        let next: Slot = late.try_recv().expect("eighteen of the greedy wait, but it has a thread");
        assert_eq!(next.owner, third);
        assert!(!thinkers.lock().is_crowded(greedy));
        drop((slots, next, second));
        assert_eq!(thinkers.lock().threads_of(greedy), 2);
        drop(first);
        assert_eq!(thinkers.lock().threads, 0);
        assert_eq!(thinkers.kilobytes(), (0, 0));
    }

    #[test]
    fn memory_is_bounded_in_all_and_by_address() {
        let limits = Limits {
            held_megabytes: 10,
            held_megabytes_per_address: 6,
            thinking_megabytes: 10,
            thinkers: 8,
            thinkers_per_address: 8,
            ..Limits::default()
        };
        let thinkers = thinkers(limits);
        let first = thinkers.hold(address(1), 6 << 10).unwrap();
        assert!(thinkers.hold(address(1), 1).unwrap_err().to_string().contains("your address"));
        let _second = thinkers.hold(address(2), 4 << 10).unwrap();
        assert!(thinkers.hold(Owner::Host, 1).unwrap_err().to_string().contains("is taken"));
        drop(first);
        assert_eq!(thinkers.kilobytes(), (4 << 10, 0));
        let mut jobs: Vec<_> = (0..3).map(|_| thinkers.queue(address(1), 4 << 10)).collect();
        let slots: Vec<Slot> = jobs.iter_mut().filter_map(|job| job.try_recv().ok()).collect();
        assert_eq!((slots.len(), thinkers.kilobytes().1), (2, 8 << 10));
        drop(slots);
        assert!(jobs[2].try_recv().is_ok());
        // One job that is larger than the bound runs alone.
        assert!(thinkers.queue(address(2), 40 << 10).try_recv().is_ok());
    }
}
