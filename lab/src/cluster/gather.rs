use super::{Chunk, ClusterError, Job, Missing, Queue, Worklist};
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
pub enum News<'a> {
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
pub struct Gathering {
    list: Worklist,
    /// Held so that nobody else gathers here.
    journal: Journal<Chunk>,
}

/// A match whose games come back.
struct Merging {
    journal: Journal<GameResult>,
    /// The next game it needs.
    due: u64,
    /// The game after the last one wanted.
    end: u64,
    /// The tasks that still have something for it, each after its first game.
    tasks: BTreeSet<(u64, usize)>,
}

impl Gathering {
    /// Takes the tasks of a folder up, where an earlier run left some.
    ///
    /// # Errors
    /// If somebody else gathers there, or the list is damaged.
    pub fn open(root: &Path) -> Result<Gathering, ClusterError> {
        let (list, journal) = Worklist::open(root)?;
        Ok(Gathering { list, journal })
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
        news: &mut dyn FnMut(News<'_>),
    ) -> Result<(), ClusterError> {
        let mut merging = missing
            .iter()
            .map(|missing| self.merging(missing))
            .collect::<Result<Vec<_>, ClusterError>>()?;
        let mut open = self.tasks(missing);
        let mut look = |before: bool, open: &mut Vec<usize>, news: &mut dyn FnMut(News<'_>)| {
            let came = self.look(open, &mut merging)?;
            if came > 0 {
                news(News::Games { count: came, before });
            }
            Ok::<_, ClusterError>(came > 0)
        };
        look(true, &mut open, news)?;
        let (mut rounds, mut silent, mut first) = (0, false, true);
        while !open.is_empty() {
            match queue.is_busy(job) {
                Ok(busy) => {
                    if silent {
                        news(News::Back);
                        silent = false;
                    }
                    // What ended just now may have left its part meanwhile.
                    self.list.refresh()?;
                    if look(false, &mut open, news)? {
                        rounds = 0;
                    }
                    if !busy && !open.is_empty() {
                        if rounds == ROUNDS {
                            return Err(self.failed(open[0], job, queue));
                        }
                        rounds += 1;
                        queue.submit(job, &open)?;
                        news(News::Submitted(open.len()));
                    }
                }
                Err(error) if first => return Err(error.into()),
                Err(error) => {
                    // Whatever becomes of its tasks is not their fault.
                    (silent, rounds) = (true, 0);
                    news(News::Silent(&error.to_string()));
                }
            }
            first = false;
            for _ in 0..queue.patience() {
                std::thread::sleep(LOOK);
                if look(false, &mut open, news)? {
                    rounds = 0;
                }
                if open.is_empty() {
                    break;
                }
            }
        }
        if let Some((missing, merging)) =
            missing.iter().zip(&merging).find(|(_, merging)| merging.due < merging.end)
        {
            let path = self.list.root().to_owned();
            let message = format!("no task has game {} of {}", merging.due, missing.id);
            return Err(ClusterError::Unfit { path, message });
        }
        drop(merging);
        drop(self.journal);
        self.list.clear()
    }

    fn merging(&self, missing: &Missing) -> Result<Merging, ClusterError> {
        let folder = Folder::open(&self.list.folder(&missing.folder))?;
        let chunks = self.list.chunks().iter().enumerate();
        let tasks = chunks.filter(|(_, chunk)| has_some(chunk, missing));
        let (journal, _) = folder.games(&missing.id, missing.first)?;
        Ok(Merging {
            journal,
            due: missing.games.start,
            end: missing.games.end,
            tasks: tasks.map(|(task, chunk)| (chunk.start, task)).collect(),
        })
    }

    /// Notices the parts that came and puts together what fits; how many games came. What came is no longer open.
    fn look(&self, open: &mut Vec<usize>, merging: &mut [Merging]) -> Result<u64, ClusterError> {
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
    fn merge(&self, merging: &mut Merging) -> Result<(), ClusterError> {
        while let Some((start, task)) = merging.tasks.first().copied() {
            if start > merging.due {
                return Ok(());
            }
            let Some(games) = self.list.games(task)? else { return Ok(()) };
            for game in games {
                if game.n == merging.due && game.n < merging.end {
                    merging.journal.push(&game)?;
                    merging.due += 1;
                }
            }
            merging.tasks.pop_first();
        }
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
