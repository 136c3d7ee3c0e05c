//! One thread writes for all tables. What has piled up while it wrote is committed together, so that the disk is asked
//! to be sure a few hundred times a second however much is played.

use super::database::{Database, FolderLock, StoreError, StoredKind, commits, uptime};
use super::wall_clock;
use crate::metrics::Metrics;
use crate::progress::Progress;
use rusqlite::{Connection, params};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Entries that are committed together at most.
const GROUP: usize = 512;
/// How often the server says that it is alive: clocks do not run on while it is not.
const PULSE: Duration = Duration::from_secs(3);

/// Something that is written down from its beginning on: a table, or an event.
pub(crate) trait Persistent: Send + Sync + std::fmt::Debug {
    /// Its name in addresses.
    fn name(&self) -> &str;
    /// Where it stands in the database.
    fn kind(&self) -> StoredKind;
    /// How far it is on disk.
    fn progress(&self) -> &Progress;
    /// Something could not be written: it goes back to what is on disk, or is closed if it is not there.
    fn go_back(&self, connection: &Connection, path: &Path, why: &str);
}

/// Something to be written down.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) source: Arc<dyn Persistent>,
    /// In which epoch: what was done before a failure is not written after it.
    pub(crate) epoch: u64,
    /// Which step it is; 0 for the setup.
    pub(crate) number: u64,
    pub(crate) content: Content,
    /// What stands in the database with it or not at all, and before it: the table of a game that an event begins.
    pub(crate) with: Option<Box<Entry>>,
}

impl Entry {
    /// The entry and what comes with it, in the order in which they are written.
    fn all(&self) -> impl Iterator<Item = &Entry> {
        self.with.as_deref().into_iter().chain([self])
    }

    /// Whether its source has gone back to what is on disk since.
    fn is_late(&self) -> bool {
        self.epoch != self.source.progress().settled().epoch
    }
}

/// What an entry says.
#[derive(Debug)]
pub(crate) struct Content {
    /// The setup or the step, as JSON.
    pub(crate) text: String,
    /// What becomes of the record of the game by it.
    pub(crate) record: RecordChange,
}

/// What becomes of the record of a game.
#[derive(Debug)]
pub(crate) enum RecordChange {
    /// Nothing.
    AsIs,
    /// The game is over, and this is its record.
    Write(String),
    /// The game is not over after all.
    Remove,
}

/// The way to the writing thread.
#[derive(Clone, Debug)]
pub(crate) struct Writer {
    queue: Sender<Order>,
    thread: Arc<Mutex<Option<JoinHandle<()>>>>,
}

/// What the writing thread is told.
enum Order {
    Write(Entry),
    /// Remove these tables or events, which are nowhere else.
    Forget(StoredKind, Vec<String>),
    /// Write what has been said up to now, and give the folder free.
    Finish,
}

impl Writer {
    /// Starts writing to a database.
    pub(crate) fn start(database: Database, metrics: Arc<Metrics>) -> Writer {
        let (queue, orders) = channel();
        let Database { connection, path, lock } = database;
        let thread = std::thread::spawn(move || {
            let clock = UptimeClock { before: uptime(&connection).max(1), since: now() };
            // A database that cannot be read now cannot be written either, and says so then.
            let commits = commits(&connection, &path).unwrap_or(0);
            let mut thread = WriterThread { connection, path, metrics, clock, commits, lock };
            thread.run(&orders);
            // A folder at rest has everything in one file; what cannot be moved there now stays in the log.
            let _ = thread.connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
            // The folder is given free when nobody uses the database any more.
            let WriterThread { connection, lock, .. } = thread;
            drop(connection);
            drop(lock);
        });
        Writer { queue, thread: Arc::new(Mutex::new(Some(thread))) }
    }

    /// Writes something down, after everything that was said before.
    pub(crate) fn write(&self, entry: Entry) {
        // After the end nothing is written, and so nothing is shown.
        let _ = self.queue.send(Order::Write(entry));
    }

    /// Removes tables or events that are nowhere but on disk.
    pub(crate) fn forget(&self, kind: StoredKind, names: Vec<String>) {
        let _ = self.queue.send(Order::Forget(kind, names));
    }

    /// Waits until everything that was said is on disk and the folder is free; nothing is written after that.
    pub(crate) fn finish(&self) {
        let _ = self.queue.send(Order::Finish);
        if let Some(thread) = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take() {
            let _ = thread.join();
        }
    }
}

struct WriterThread {
    connection: Connection,
    path: PathBuf,
    metrics: Arc<Metrics>,
    clock: UptimeClock,
    commits: u64,
    lock: FolderLock,
}

/// Counts for how long the servers of a database have run. People's time is measured by it: it stands still while no
/// server runs, and nobody can set it.
struct UptimeClock {
    before: u64,
    since: Instant,
}

impl UptimeClock {
    fn read(&self) -> u64 {
        self.before + self.since.elapsed().as_millis() as u64
    }
}

impl WriterThread {
    fn run(&mut self, orders: &Receiver<Order>) {
        let mut pulse = now();
        let mut finished = false;
        while !finished {
            let first = match orders.recv_timeout(PULSE) {
                Ok(first) => Some(first),
                Err(RecvTimeoutError::Timeout) => None,
                Err(RecvTimeoutError::Disconnected) => return,
            };
            let mut group = Vec::new();
            for order in first.into_iter().chain(orders.try_iter()).take(GROUP) {
                match order {
                    Order::Write(entry) => group.push(entry),
                    Order::Forget(kind, names) => self.forget(kind, &names),
                    Order::Finish => finished = true,
                }
            }
            let beat = finished || pulse.elapsed() >= PULSE;
            if beat {
                pulse = now();
            }
            self.write(group, beat);
        }
    }

    fn write(&mut self, mut group: Vec<Entry>, beat: bool) {
        let late = group.extract_if(.., |entry| entry.is_late());
        let companions: Vec<Entry> = late.filter_map(|entry| Some(*entry.with?)).collect();
        if !companions.is_empty() {
            self.go_back(&companions, "what it belongs to was taken back");
            group.retain(|entry| !entry.is_late());
        }
        if group.is_empty() && !beat {
            return;
        }
        let began = now();
        match self.commit(&group) {
            Ok(()) => {
                let entries = || group.iter().flat_map(Entry::all);
                self.metrics.committed(entries().count(), began.elapsed());
                for entry in entries() {
                    entry.source.progress().settle(entry.number);
                }
            }
            Err(error) => {
                self.metrics.not_committed(&error.to_string());
                self.go_back(&group, &format!("this cannot be written down: {error}"));
            }
        }
    }

    fn commit(&mut self, group: &[Entry]) -> Result<(), StoreError> {
        let path = &self.path;
        let sql = |error| StoreError::sql(path, error);
        let (at, uptime) = (wall_clock() as i64, self.clock.read() as i64);
        let change = self.connection.transaction().map_err(sql)?;
        for entry in group.iter().flat_map(Entry::all) {
            insert(&change, entry, at, uptime).map_err(sql)?;
        }
        let commits = self.commits + 1;
        change
            .prepare_cached(
                "INSERT OR REPLACE INTO pulse (id, at, uptime, commits) VALUES (1, ?1, ?2, ?3)",
            )
            .and_then(|mut pulse| pulse.execute(params![at, uptime, commits as i64]))
            .map_err(sql)?;
        change.commit().map_err(sql)?;
        self.commits = commits;
        self.lock.note(commits);
        Ok(())
    }

    /// What cannot be removed now is removed another time.
    fn forget(&mut self, kind: StoredKind, names: &[String]) {
        let forgotten = (|| {
            let change = self.connection.transaction()?;
            for name in names {
                for delete in kind.deletes() {
                    change.prepare_cached(delete)?.execute([name])?;
                }
            }
            change.commit()
        })();
        if let Err(error) = forgotten {
            self.metrics.not_committed(&StoreError::sql(&self.path, error).to_string());
        }
    }

    /// Nobody has been shown what could not be written: tables and events go back to what is on disk.
    fn go_back(&mut self, group: &[Entry], why: &str) {
        let mut sources: Vec<&Arc<dyn Persistent>> =
            group.iter().flat_map(Entry::all).map(|entry| &entry.source).collect();
        let key = |source: &&Arc<dyn Persistent>| (source.kind(), source.name().to_owned());
        sources.sort_by_key(key);
        sources.dedup_by_key(|source| key(source));
        for source in sources {
            source.go_back(&self.connection, &self.path, why);
        }
    }
}

fn insert(connection: &Connection, entry: &Entry, at: i64, uptime: i64) -> rusqlite::Result<()> {
    let (kind, name) = (entry.source.kind(), entry.source.name());
    let Content { text, record } = &entry.content;
    if entry.number == 0 {
        connection.prepare_cached(kind.insert_setup())?.execute(params![name, text, at])?;
    } else {
        let number = entry.number as i64;
        connection
            .prepare_cached(kind.insert_step())?
            .execute(params![name, number, at, text, uptime])?;
    }
    match record {
        RecordChange::AsIs => 0,
        RecordChange::Write(record) => connection
            .prepare_cached("INSERT OR REPLACE INTO records (name, at, text) VALUES (?1, ?2, ?3)")?
            .execute(params![name, at, record])?,
        RecordChange::Remove => {
            connection.execute("DELETE FROM records WHERE name = ?1", [name])?
        }
    };
    Ok(())
}

#[allow(clippy::disallowed_methods, reason = "how long the disk takes is measured")]
fn now() -> Instant {
    Instant::now()
}

#[cfg(test)]
mod tests {
    use super::super::database::FILE;
    use super::*;

    /// Something that is written down and says so.
    #[derive(Debug)]
    struct Note {
        name: String,
        kind: StoredKind,
        progress: Progress,
    }

    impl Note {
        fn new(kind: StoredKind, name: &str) -> Arc<Note> {
            Arc::new(Note { name: name.to_owned(), kind, progress: Progress::new(0) })
        }

        fn entry(self: &Arc<Note>, number: u64, with: Option<Entry>) -> Entry {
            let content = Content { text: "{}".to_owned(), record: RecordChange::AsIs };
            let (source, with) = (Arc::clone(self) as _, with.map(Box::new));
            Entry { source, epoch: 0, number, content, with }
        }
    }

    impl Persistent for Note {
        fn name(&self) -> &str {
            &self.name
        }

        fn kind(&self) -> StoredKind {
            self.kind
        }

        fn progress(&self) -> &Progress {
            &self.progress
        }

        fn go_back(&self, _: &Connection, _: &Path, why: &str) {
            self.progress.fail(1, 1, why);
        }
    }

    #[tokio::test]
    async fn the_table_of_an_event_is_written_with_it_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let writer = Writer::start(Database::open(folder.path(), None).unwrap(), Arc::default());
        let event = Note::new(StoredKind::Events, "cup");
        let table = |name: &str| Note::new(StoredKind::Tables, name);
        writer.write(event.entry(0, None));
        let first = table("first");
        writer.write(event.entry(1, Some(first.entry(0, None))));
        event.progress.wait(1, 0).await.unwrap();
        assert!(first.progress.has(0));
        // A table that cannot be written, here for its name: the event has not begun that game.
        let again = table("first");
        writer.write(event.entry(2, Some(again.entry(0, None))));
        assert!(event.progress.wait(2, 0).await.is_err());
        assert!(again.progress.wait(0, 0).await.is_err());
        // What the event did before it heard of that is not written, and so its table is not either.
        let late = table("late");
        writer.write(event.entry(2, Some(late.entry(0, None))));
        assert!(late.progress.wait(0, 0).await.is_err());
        writer.finish();
        let written = Connection::open(folder.path().join(FILE)).unwrap();
        let count = |sql: &str| written.query_row(sql, [], |row| row.get::<_, i64>(0)).unwrap();
        let found = ["SELECT count(*) FROM tables", "SELECT count(*) FROM event_deeds"].map(count);
        assert_eq!(found, [1, 1]);
    }
}
