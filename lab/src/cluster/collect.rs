use super::{Chunk, ClusterError, Job, Missing, Queue, QueueInfo, TaskList};
use crate::{Folder, GameResult};
use oboro_store::Journal;
use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

/// How long to wait before looking again.
const LOOK: Duration = Duration::from_millis(500);

/// How often tasks are given out again while nothing at all comes back.
const ROUNDS: u32 = 3;

/// What happens while others play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CollectorEvent<'a> {
    /// So many games came back; `before` if an earlier run was already told of them.
    Games {
        /// How many.
        count: u64,
        /// Whether they were there when this run began.
        before: bool,
    },
    /// So many tasks were given out.
    Submitted(usize),
    /// The engine does not answer; it is asked again.
    Silent(&'a str),
    /// The engine answers again.
    Back,
}

/// Puts the parts that others play where a run on this machine would have written them.
#[derive(Debug)]
pub struct Collector {
    list: TaskList,
    /// Held so that nobody else gathers here.
    journal: Journal<Chunk>,
}

/// A match whose games come back.
struct PendingMatch<'a> {
    missing: &'a Missing,
    /// Open from its first game to come to its last: an experiment may have more matches than a process may have files.
    journal: Option<Journal<GameResult>>,
    /// The next game it needs.
    due: u64,
    /// The game after the last one wanted.
    end: u64,
    /// The tasks that still have something for it, each after its first game.
    tasks: BTreeSet<(u64, usize)>,
}

impl Collector {
    /// Takes the tasks of a folder up, where an earlier run left some.
    ///
    /// # Errors
    /// If somebody else gathers there, or the list is damaged.
    pub fn open(root: &Path) -> Result<Collector, ClusterError> {
        let (list, journal) = TaskList::open(root)?;
        Ok(Collector { list, journal })
    }

    /// What of the missing games is in no task yet.
    pub fn unlisted(&self, missing: &[Missing]) -> Vec<Missing> {
        let mut chunks: Vec<&Chunk> = self.list.chunks().iter().collect();
        chunks.sort();
        let mut unlisted = Vec::new();
        for missing in missing {
            let mut gap = |start: u64, end: u64| {
                if start < end {
                    unlisted.push(Missing { games: start..end, ..missing.clone() });
                }
            };
            let mut due = missing.games.start;
            for chunk in chunks.iter().filter(|chunk| has_some(chunk, missing)) {
                gap(due, chunk.start);
                due = due.max(chunk.end);
            }
            gap(due, missing.games.end);
        }
        unlisted
    }

    /// Adds tasks to the list.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn add(&mut self, chunks: Vec<Chunk>) -> Result<(), ClusterError> {
        for chunk in chunks {
            self.journal.push(&chunk)?;
            self.list.push(chunk);
        }
        Ok(())
    }

    /// The tasks that have something of the missing games.
    pub fn tasks(&self, missing: &[Missing]) -> Vec<usize> {
        let chunks = self.list.chunks().iter().enumerate();
        let of_use = |chunk: &Chunk| missing.iter().any(|missing| has_some(chunk, missing));
        chunks.filter(|(_, chunk)| of_use(chunk)).map(|(task, _)| task).collect()
    }

    /// Has what is missing played and puts it together as it comes; then takes the list away.
    ///
    /// # Errors
    /// If results cannot be kept, the engine cannot be used from the start, or a task fails for good.
    pub fn run(
        self,
        missing: &[Missing],
        job: &Job,
        queue: &dyn Queue,
        news: &mut dyn FnMut(CollectorEvent<'_>),
    ) -> Result<(), ClusterError> {
        let mut merging: Vec<_> = missing.iter().map(|missing| self.merging(missing)).collect();
        let mut open = self.tasks(missing);
        let mut look =
            |before: bool, open: &mut Vec<usize>, news: &mut dyn FnMut(CollectorEvent<'_>)| {
                let came = self.look(open, &mut merging)?;
                if came > 0 {
                    news(CollectorEvent::Games { count: came, before });
                }
                Ok::<_, ClusterError>(came > 0)
            };
        look(true, &mut open, news)?;
        let (mut rounds, mut silent, mut first) = (0, false, true);
        let QueueInfo { patience, .. } = queue.info();
        let mut wait = patience;
        while !open.is_empty() {
            let busy = queue.is_busy(job);
            // What is done shows in the folder. An engine that goes on working is asked less and less often: its answers
            // may take a noticeable part of a core that could play.
            wait = if matches!(busy, Ok(true)) { 2 * wait } else { 0 };
            wait = wait.clamp(patience, 10 * patience);
            // What ended just now may have left its part meanwhile.
            self.list.refresh()?;
            if look(false, &mut open, news)? {
                rounds = 0;
            }
            let answer = match busy {
                Ok(false) if !open.is_empty() => {
                    if rounds == ROUNDS {
                        return Err(self.failed(open[0], job, queue));
                    }
                    rounds += 1;
                    queue.submit(job, &open).map(|()| news(CollectorEvent::Submitted(open.len())))
                }
                other => other.map(drop),
            };
            match answer {
                Ok(()) if silent => {
                    news(CollectorEvent::Back);
                    silent = false;
                }
                Ok(()) => {}
                Err(error) if first => return Err(error.into()),
                Err(error) => {
                    // Whatever becomes of its tasks is not their fault.
                    (silent, rounds) = (true, 0);
                    news(CollectorEvent::Silent(&error.to_string()));
                }
            }
            first = false;
            for _ in 0..wait {
                std::thread::sleep(LOOK);
                if look(false, &mut open, news)? {
                    rounds = 0;
                }
                if open.is_empty() {
                    break;
                }
            }
        }
        if let Some(merging) = merging.iter().find(|merging| merging.due < merging.end) {
            let path = self.list.root().to_owned();
            let message = format!("no task has game {} of {}", merging.due, merging.missing.id);
            return Err(ClusterError::Unfit(path, message));
        }
        drop(merging);
        drop(self.journal);
        self.list.clear()
    }

    fn merging<'a>(&self, missing: &'a Missing) -> PendingMatch<'a> {
        let chunks = self.list.chunks().iter().enumerate();
        let tasks = chunks.filter(|(_, chunk)| has_some(chunk, missing));
        PendingMatch {
            missing,
            journal: None,
            due: missing.games.start,
            end: missing.games.end,
            tasks: tasks.map(|(task, chunk)| (chunk.start, task)).collect(),
        }
    }

    /// Notices the parts that came and puts together what fits; how many games came. What came is no longer open.
    fn look(
        &self,
        open: &mut Vec<usize>,
        merging: &mut [PendingMatch<'_>],
    ) -> Result<u64, ClusterError> {
        let done: BTreeSet<usize> = self.list.done()?.into_iter().collect();
        let mut came = 0;
        open.retain(|task| {
            let is_done = done.contains(task);
            came += if is_done { self.list.chunks()[*task].games() } else { 0 };
            !is_done
        });
        if came > 0 {
            for merging in merging {
                self.merge(merging)?;
            }
        }
        Ok(came)
    }

    /// Adds the parts that are due to the journal of their match.
    fn merge(&self, merging: &mut PendingMatch<'_>) -> Result<(), ClusterError> {
        while let Some((start, task)) = merging.tasks.first().copied() {
            if start > merging.due {
                return Ok(());
            }
            let Some(games) = self.list.games(task)? else { return Ok(()) };
            if merging.journal.is_none() {
                let Missing { folder, id, first, .. } = merging.missing;
                let folder = Folder::open(&self.list.folder(folder))?;
                merging.journal = Some(folder.games(id, *first)?.0);
            }
            for game in games {
                if let (Some(journal), true) = (&mut merging.journal, game.n == merging.due)
                    && game.n < merging.end
                {
                    journal.push(&game)?;
                    merging.due += 1;
                }
            }
            merging.tasks.pop_first();
        }
        merging.journal = None;
        Ok(())
    }

    fn failed(&self, task: usize, job: &Job, queue: &dyn Queue) -> ClusterError {
        ClusterError::Failed {
            task,
            chunk: self.list.chunks()[task].clone(),
            times: ROUNDS,
            said: self.list.complaints(task),
            hint: queue.hint(job),
        }
    }
}

/// Whether a task has something of the games that are missing.
fn has_some(chunk: &Chunk, missing: &Missing) -> bool {
    (&chunk.folder, &chunk.id) == (&missing.folder, &missing.id)
        && chunk.start < missing.games.end
        && chunk.end > missing.games.start
}

#[cfg(test)]
mod tests {
    use super::super::{QueueError, missing, work};
    use super::*;
    use crate::{Driver, Experiment, Manifest, Portion, Scale, Wanted};
    use std::cell::{Cell, RefCell};
    use std::fs;
    use std::path::PathBuf;

    const EXPERIMENT: &str = r#"
id = "small"
title = "A small experiment"
game = "sevens"
seed = 5
games = { quick = 41, paper = 60, full = 80 }
published-n = 1000
[[match]]
id = "one"
agents = ["eval", "eval", "rule", "rule"]
[[match]]
id = "two"
agents = ["random", "random", "rule", "random"]
"#;

    fn wanted(at_most: Option<u64>) -> (Vec<Wanted>, Manifest) {
        let experiment = Experiment::parse("small", EXPERIMENT).unwrap();
        let seed = experiment.default_seed();
        let portion = Portion { at_most, ..Portion::default() };
        let wanted = portion.of(&experiment, Scale::Quick, &seed).unwrap();
        (wanted, experiment.manifest(Scale::Quick, &seed, None))
    }

    fn play(place: &Path, at_most: Option<u64>) {
        let (wanted, manifest) = wanted(at_most);
        let folder = Folder::create(place, manifest, false).unwrap();
        Driver::new(1, &mut |_| {}).play_experiment(&wanted, &folder).unwrap();
    }

    /// Plays the last task it is given and forgets the others; every third time it does not answer.
    #[derive(Default)]
    struct Forgetful {
        asked: Cell<u32>,
        given: RefCell<Vec<usize>>,
        lazy: bool,
    }

    impl Queue for Forgetful {
        fn info(&self) -> QueueInfo {
            QueueInfo { name: "a forgetful engine", most_tasks: 1000, patience: 0 }
        }

        fn submit(&self, job: &Job, tasks: &[usize]) -> Result<(), QueueError> {
            self.given.borrow_mut().extend(tasks);
            if !self.lazy {
                work(&job.root, tasks[tasks.len() - 1], None).unwrap();
            }
            Ok(())
        }

        fn is_busy(&self, _: &Job) -> Result<bool, QueueError> {
            self.asked.set(self.asked.get() + 1);
            if self.asked.get().is_multiple_of(3) && !self.lazy {
                return Err(QueueError::NoProgram("forgetful", "wait"));
            }
            Ok(false)
        }

        fn hint(&self, _: &Job) -> String {
            "Ask somebody else".to_owned()
        }
    }

    fn chunks(missing: &[Missing], games: u64) -> Vec<Chunk> {
        let cut = |missing: &Missing| {
            let Missing { folder, id, games: range, .. } = missing.clone();
            let starts = range.clone().step_by(games as usize);
            starts
                .map(|start| Chunk {
                    folder: folder.clone(),
                    id: id.clone(),
                    start,
                    end: range.end.min(start + games),
                })
                .collect::<Vec<_>>()
        };
        missing.iter().flat_map(cut).collect()
    }

    /// What is to be gathered in a folder that has five games of each match.
    fn begun(place: &Path) -> (Collector, Vec<Missing>, Job) {
        play(place, Some(5));
        let folder = Folder::open(place).unwrap();
        let missing = missing("", Some(&folder), &wanted(None).0).unwrap();
        let job = Job::new(PathBuf::from("oboro"), place.to_owned());
        (Collector::open(place).unwrap(), missing, job)
    }

    #[test]
    fn parts_in_any_order_from_a_forgetful_engine_make_the_same_bytes() {
        let folder = tempfile::tempdir().unwrap();
        let (one, many) = (folder.path().join("one"), folder.path().join("many"));
        play(&one, None);
        let (mut gathering, missing, job) = begun(&many);
        gathering.add(chunks(&missing, 7)).unwrap();
        assert!(gathering.unlisted(&missing).is_empty());
        assert!(Collector::open(&many).is_err(), "two cannot gather in one folder");
        // A run before this one was killed: its list is there, and one part.
        work(&many, 2, None).unwrap();
        drop(gathering);
        let gathering = Collector::open(&many).unwrap();
        assert!(gathering.unlisted(&missing).is_empty());
        let engine = Forgetful::default();
        let (mut before, mut came, mut silent) = (0, 0, 0);
        let mut news = |news: CollectorEvent<'_>| match news {
            CollectorEvent::Games { count, before: true } => before += count,
            CollectorEvent::Games { count, before: false } => came += count,
            CollectorEvent::Silent(_) => silent += 1,
            CollectorEvent::Submitted(_) | CollectorEvent::Back => {}
        };
        gathering.run(&missing, &job, &engine, &mut news).unwrap();
        assert_eq!((before, came), (7, 2 * 36 - 7));
        assert!(silent > 0 && engine.given.borrow().len() > 20);
        for file in ["one.jsonl", "two.jsonl", "manifest.json"] {
            assert_eq!(
                fs::read_to_string(one.join(file)).unwrap(),
                fs::read_to_string(many.join(file)).unwrap()
            );
        }
        assert!(!many.join("tasks").exists());
    }

    #[test]
    fn what_nobody_plays_is_said_with_its_reason() {
        let folder = tempfile::tempdir().unwrap();
        let many = folder.path().join("many");
        let lazy = Forgetful { lazy: true, ..Forgetful::default() };
        let (mut gathering, missing, job) = begun(&many);
        gathering.add(chunks(&missing, 100)).unwrap();
        let error = gathering.run(&missing, &job, &lazy, &mut |_| {}).unwrap_err().to_string();
        assert!(error.contains("task 0 (one, games 5 to 40) was given out 3 times"), "{error}");
        assert!(error.contains("Ask somebody else"), "{error}");
        let gathering = Collector::open(&many).unwrap();
        gathering.list.complain(0, "no room on the disk").unwrap();
        let error = gathering.run(&missing, &job, &lazy, &mut |_| {}).unwrap_err().to_string();
        assert!(error.ends_with("never came back: no room on the disk"), "{error}");
    }

    #[test]
    fn only_what_is_in_no_task_is_planned_anew() {
        let folder = tempfile::tempdir().unwrap();
        let (mut gathering, missing, _) = begun(folder.path());
        let listed = |start, end| Chunk { folder: String::new(), id: "one".to_owned(), start, end };
        gathering.add(vec![listed(30, 35), listed(3, 9), listed(12, 20)]).unwrap();
        let unlisted = gathering.unlisted(&missing);
        let ranges: Vec<_> = unlisted.iter().map(|m| (m.id.as_str(), m.games.clone())).collect();
        assert_eq!(ranges, [("one", 9..12), ("one", 20..30), ("one", 35..41), ("two", 5..41)]);
        assert_eq!(gathering.tasks(&missing), [0, 1, 2]);
    }
}
