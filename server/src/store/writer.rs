//! One thread writes for all tables. What has piled up while it wrote is committed together, so that the disk is asked
//! to be sure a few hundred times a second however much is played.

use super::database::{Database, StoreError, load};
use super::{Saved, wall_clock};
use crate::deed::Deed;
use crate::metrics::Metrics;
use crate::table::Table;
use rusqlite::{Connection, params};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Entries that are committed together at most.
const GROUP: usize = 512;
/// How often the server says that it is alive: clocks do not run on while it is not.
const PULSE: Duration = Duration::from_secs(3);

/// Something to be written down.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) table: Arc<Table>,
    /// In which telling of the table: what was done before a failure is not written after it.
    pub(crate) epoch: u64,
    /// Which deed it is; 0 for the table's setup.
    pub(crate) number: u64,
    pub(crate) content: Content,
}

/// What an entry says.
#[derive(Debug)]
pub(crate) enum Content {
    /// A new table, as JSON.
    Setup(String),
    /// Something done at it, and the record if the game is over by it.
    Deed(Deed, Option<String>),
}

/// How far a table is on disk.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Settled {
    /// How many of its entries are: its setup, then its deeds.
    pub(crate) on_disk: u64,
    /// Counts the times when something could not be written and the table went back to what was.
    pub(crate) epoch: u64,
    /// Why, the last time.
    pub(crate) failure: Option<String>,
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
    /// Write what has been said up to now, and give the folder free.
    Finish,
}

impl Writer {
    /// Starts writing to a database.
    pub(crate) fn start(database: Database, metrics: Arc<Metrics>) -> Writer {
        let (queue, orders) = channel();
        let Database { connection, path, lock } = database;
        let thread = std::thread::spawn(move || {
            let mut scribe = Scribe { connection, path, metrics };
            scribe.run(&orders);
            // A folder at rest has everything in one file; what cannot be moved there now stays in the log.
            let _ = scribe.connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
            drop(scribe);
            drop(lock);
        });
        Writer { queue, thread: Arc::new(Mutex::new(Some(thread))) }
    }

    /// Writes something down, after everything that was said before.
    pub(crate) fn write(&self, entry: Entry) {
        // After the end nothing is written, and so nothing is shown.
        let _ = self.queue.send(Order::Write(entry));
    }

    /// Waits until everything that was said is on disk and the folder is free; nothing is written after that.
    pub(crate) fn finish(&self) {
        let _ = self.queue.send(Order::Finish);
        if let Some(thread) = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take() {
            let _ = thread.join();
        }
    }
}

struct Scribe {
    connection: Connection,
    path: PathBuf,
    metrics: Arc<Metrics>,
}

impl Scribe {
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
        group.retain(|entry| entry.epoch == entry.table.settled().epoch);
        if group.is_empty() && !beat {
            return;
        }
        let began = now();
        match self.commit(&group, beat) {
            Ok(()) => {
                self.metrics.committed(group.len(), began.elapsed());
                for entry in &group {
                    entry.table.settle(entry.number);
                }
            }
            Err(error) => {
                self.metrics.not_committed(&error.to_string());
                self.go_back(group, &error);
            }
        }
    }

    fn commit(&mut self, group: &[Entry], beat: bool) -> Result<(), StoreError> {
        let path = &self.path;
        let sql = |error| StoreError::sql(path, error);
        let at = wall_clock() as i64;
        let change = self.connection.transaction().map_err(sql)?;
        for entry in group {
            insert(&change, entry, at).map_err(sql)?;
        }
        if beat {
            change
                .prepare_cached("INSERT OR REPLACE INTO pulse (id, at) VALUES (1, ?1)")
                .and_then(|mut beat| beat.execute([at]))
                .map_err(sql)?;
        }
        change.commit().map_err(sql)
    }

    /// Nobody has been shown what could not be written: the tables go back to what is on disk.
    fn go_back(&mut self, group: Vec<Entry>, error: &StoreError) {
        let mut tables: Vec<Arc<Table>> = group.into_iter().map(|entry| entry.table).collect();
        tables.sort_by(|a, b| a.name.cmp(&b.name));
        tables.dedup_by(|a, b| a.name == b.name);
        for table in tables {
            let saved: Option<Saved> =
                load(&self.connection, &self.path, &table.name).ok().flatten();
            table.go_back(saved, &format!("this cannot be written down: {error}"));
        }
    }
}

fn insert(connection: &Connection, entry: &Entry, at: i64) -> rusqlite::Result<()> {
    let name = &entry.table.name;
    match &entry.content {
        Content::Setup(setup) => connection
            .prepare_cached("INSERT INTO tables (name, setup, opened) VALUES (?1, ?2, ?3)")?
            .execute(params![name, setup, at])?,
        Content::Deed(deed, record) => {
            let text = serde_json::to_string(deed).expect("deeds have a JSON form");
            connection
                .prepare_cached(
                    "INSERT INTO deeds (name, number, at, deed) VALUES (?1, ?2, ?3, ?4)",
                )?
                .execute(params![name, entry.number as i64, at, text])?;
            if let Some(record) = record {
                connection
                    .prepare_cached(
                        "INSERT OR REPLACE INTO records (name, at, text) VALUES (?1, ?2, ?3)",
                    )?
                    .execute(params![name, at, record])?
            } else if matches!(deed, Deed::TakeBack { .. }) {
                // The game goes on after all.
                connection.execute("DELETE FROM records WHERE name = ?1", [name])?
            } else {
                0
            }
        }
    };
    Ok(())
}

#[allow(clippy::disallowed_methods, reason = "how long the disk takes is measured")]
fn now() -> Instant {
    Instant::now()
}
