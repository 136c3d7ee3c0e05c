use crate::setup::Setup;
use crate::table_event::TableEvent;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OpenFlags, OptionalExtension as _, params};
use serde::de::DeserializeOwned;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The file of a data folder that holds everything.
pub(super) const FILE: &str = "tables.sqlite";
/// Held by the server that uses the folder, so that no second one does.
const LOCK: &str = "lock";
/// `obor`: a file of another program is not ours to write to.
const APPLICATION: i64 = 0x6f62_6f72;
/// A reader waits for the writer no longer than this.
const PATIENCE: Duration = Duration::from_secs(5);

/// How to get from each version of the schema to the next. The first makes an empty file a database; a version that
/// has been released is never changed.
const VERSIONS: [&str; 3] = [
    "
    CREATE TABLE tables (
        name TEXT PRIMARY KEY,
        setup TEXT NOT NULL,
        opened INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE deeds (
        name TEXT NOT NULL REFERENCES tables (name),
        number INTEGER NOT NULL,
        at INTEGER NOT NULL,
        deed TEXT NOT NULL,
        PRIMARY KEY (name, number)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE records (
        name TEXT PRIMARY KEY REFERENCES tables (name),
        at INTEGER NOT NULL,
        text TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE pulse (id INTEGER PRIMARY KEY CHECK (id = 1), at INTEGER NOT NULL) STRICT;
",
    "
    CREATE TABLE events (
        name TEXT PRIMARY KEY,
        setup TEXT NOT NULL,
        opened INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE event_deeds (
        name TEXT NOT NULL REFERENCES events (name),
        number INTEGER NOT NULL,
        at INTEGER NOT NULL,
        deed TEXT NOT NULL,
        PRIMARY KEY (name, number)
    ) STRICT, WITHOUT ROWID;
",
    "
    ALTER TABLE deeds ADD COLUMN uptime INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE event_deeds ADD COLUMN uptime INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE pulse ADD COLUMN uptime INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE pulse ADD COLUMN commits INTEGER NOT NULL DEFAULT 0;
",
];

/// Where something stands in the database.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum StoredKind {
    /// Tables.
    Tables,
    /// Events of many tables.
    Events,
}

impl StoredKind {
    pub(super) fn insert_setup(self) -> &'static str {
        match self {
            StoredKind::Tables => "INSERT INTO tables (name, setup, opened) VALUES (?1, ?2, ?3)",
            StoredKind::Events => "INSERT INTO events (name, setup, opened) VALUES (?1, ?2, ?3)",
        }
    }

    pub(super) fn insert_step(self) -> &'static str {
        match self {
            StoredKind::Tables => {
                "INSERT INTO deeds (name, number, at, deed, uptime) VALUES (?1, ?2, ?3, ?4, ?5)"
            }
            StoredKind::Events => {
                "INSERT INTO event_deeds (name, number, at, deed, uptime) VALUES (?1, ?2, ?3, ?4, ?5)"
            }
        }
    }

    fn select_setup(self) -> &'static str {
        match self {
            StoredKind::Tables => "SELECT setup FROM tables WHERE name = ?1",
            StoredKind::Events => "SELECT setup FROM events WHERE name = ?1",
        }
    }

    /// What was done, with the times that are known: an older version did not count for how long servers had run.
    pub(super) fn select_steps(self, connection: &Connection) -> String {
        let table = match self {
            StoredKind::Tables => "deeds",
            StoredKind::Events => "event_deeds",
        };
        let counted = connection
            .prepare_cached("SELECT 1 FROM pragma_table_info(?1) WHERE name = 'uptime'")
            .and_then(|mut query| query.exists([table]));
        let uptime = if counted.unwrap_or(true) { "uptime" } else { "0" };
        format!("SELECT number, {uptime}, deed, at FROM {table} WHERE name = ?1 ORDER BY number")
    }

    /// What removes one of them.
    pub(super) fn deletes(self) -> &'static [&'static str] {
        match self {
            StoredKind::Tables => &[
                "DELETE FROM deeds WHERE name = ?1",
                "DELETE FROM records WHERE name = ?1",
                "DELETE FROM tables WHERE name = ?1",
            ],
            StoredKind::Events => {
                &["DELETE FROM event_deeds WHERE name = ?1", "DELETE FROM events WHERE name = ?1"]
            }
        }
    }

    /// The table of the database that has the setups.
    pub(super) fn table(self) -> &'static str {
        match self {
            StoredKind::Tables => "tables",
            StoredKind::Events => "events",
        }
    }

    pub(super) fn what(self) -> &'static str {
        match self {
            StoredKind::Tables => "table",
            StoredKind::Events => "event",
        }
    }
}

/// What is wrong with a data folder.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The folder or a file of it cannot be used.
    #[error("{path}: {error}")]
    Io {
        /// Which.
        path: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// Another server uses the folder.
    #[error("{0}: another server is using this folder")]
    InUse(PathBuf),
    /// A file of another program, or of a newer Oboro.
    #[error("{path}: {found}; nothing was changed")]
    Foreign {
        /// Which.
        path: PathBuf,
        /// What it is.
        found: String,
    },
    /// The file is damaged.
    #[error(
        "{path} is damaged ({found}); nothing was changed. `oboro serve --data DIR --salvage NEW-DIR` \
             saves what can be read"
    )]
    Damaged {
        /// Which.
        path: PathBuf,
        /// What was noticed.
        found: String,
    },
    /// The database cannot do what it should.
    #[error("{path}: {error}")]
    Sql {
        /// Which.
        path: PathBuf,
        /// Why.
        error: rusqlite::Error,
    },
    /// What stands in the database cannot be read.
    #[error("{what} {name}, {place}: {error}")]
    Content {
        /// A table or an event.
        what: &'static str,
        /// Its name.
        name: String,
        /// The part of it.
        place: String,
        /// Why.
        error: String,
    },
}

impl StoreError {
    pub(crate) fn io(path: &Path, error: std::io::Error) -> StoreError {
        StoreError::Io { path: path.to_owned(), error }
    }

    /// What a failure of the database means for people.
    pub(super) fn sql(path: &Path, error: rusqlite::Error) -> StoreError {
        let path = path.to_owned();
        match error.sqlite_error_code() {
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => {
                StoreError::Damaged { path, found: error.to_string() }
            }
            _ => StoreError::Sql { path, error },
        }
    }
}

/// A table, or an event, as it stands in the database.
#[derive(Clone, Debug)]
pub(crate) struct Saved<S = Setup, D = TableEvent> {
    pub(crate) setup: S,
    /// Everything that was done, in order, and when: in milliseconds for which the server had run. 0 is not known.
    pub(crate) steps: Vec<(u64, D)>,
    /// For how long the server had run when it was last known to be alive.
    pub(crate) pulse: u64,
}

/// The database of a data folder, opened by the one server that writes to it.
#[derive(Debug)]
pub struct Database {
    pub(super) connection: Connection,
    pub(super) path: PathBuf,
    /// Gives the folder free when it is dropped.
    pub(super) lock: FolderLock,
}

impl Database {
    /// Opens the database of a folder, and makes both if there is none yet. It may grow to `most` megabytes.
    ///
    /// # Errors
    /// If the folder cannot be written, another server uses it, or the file is damaged or not ours.
    /// Nothing is changed then.
    pub fn open(folder: &Path, most: Option<u32>) -> Result<Database, StoreError> {
        std::fs::create_dir_all(folder).map_err(|error| StoreError::io(folder, error))?;
        let mut lock = FolderLock::take(folder)?;
        let path = folder.join(FILE);
        let damaged = |found: String| StoreError::Damaged { path: path.clone(), found };
        let known = lock.commits()?;
        let size = std::fs::metadata(&path).map_or(0, |file| file.len());
        if known.is_some() && size == 0 {
            return Err(damaged("it is empty, and was not before".to_owned()));
        }
        if size == 0 {
            make_private(&path)?;
        }
        let mut connection = open_quietly(&path)?;
        check(&connection, &path)?;
        make_private(&path)?;
        let commits = commits(&connection, &path)?;
        if let Some(missing) = known.and_then(|known| known.checked_sub(commits)).filter(|n| *n > 0)
        {
            return Err(damaged(format!(
                "its last {missing} commits are missing: its log was cut short, or this is an older copy; to go on with \
                 what is there, remove the file `{LOCK}`"
            )));
        }
        let sql = |error| StoreError::sql(&path, error);
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, false).map_err(sql)?;
        connection.busy_timeout(PATIENCE).map_err(sql)?;
        // Write-ahead log; a commit is on disk before it is answered.
        connection.pragma_update(None, "journal_mode", "WAL").map_err(sql)?;
        connection.pragma_update(None, "synchronous", "FULL").map_err(sql)?;
        connection.pragma_update(None, "foreign_keys", true).map_err(sql)?;
        upgrade(&mut connection, &path)?;
        if let Some(most) = most {
            let page: u32 =
                connection.pragma_query_value(None, "page_size", |row| row.get(0)).map_err(sql)?;
            let pages = u64::from(most) * (1 << 20) / u64::from(page);
            connection
                .query_row(&format!("PRAGMA max_page_count = {pages}"), [], |_| Ok(()))
                .map_err(sql)?;
        }
        Ok(Database { connection, path, lock })
    }

    /// A connection to the database of a folder, for reading only, while a server uses it or not.
    pub(crate) fn reader_of(folder: &Path) -> Result<Reader, StoreError> {
        Reader::open(&folder.join(FILE))
    }

    /// A second connection, for reading while the first one writes.
    pub(crate) fn reader(&self) -> Result<Reader, StoreError> {
        Reader::open(&self.path)
    }
}

/// Held by the server that uses a folder. The file also says how many commits there are, so that it shows if the
/// database has lost some. It is written after each of them and not waited for: it never says more than is on disk.
#[derive(Debug)]
pub(super) struct FolderLock {
    file: File,
    path: PathBuf,
}

impl FolderLock {
    fn take(folder: &Path) -> Result<FolderLock, StoreError> {
        let path = folder.join(LOCK);
        let file =
            OpenOptions::new().create(true).truncate(false).read(true).write(true).open(&path);
        let file = file.map_err(|error| StoreError::io(&path, error))?;
        match file.try_lock() {
            Ok(()) => Ok(FolderLock { file, path }),
            Err(TryLockError::WouldBlock) => Err(StoreError::InUse(folder.to_owned())),
            Err(TryLockError::Error(error)) => Err(StoreError::io(&path, error)),
        }
    }

    /// How many commits there were; nothing if nobody has noted it yet.
    fn commits(&mut self) -> Result<Option<u64>, StoreError> {
        let mut text = String::new();
        let read = (&mut self.file).take(64).read_to_string(&mut text);
        read.map_err(|error| StoreError::io(&self.path, error))?;
        Ok(text.trim().parse().ok())
    }

    /// Notes how many commits there are. What cannot be noted only makes a loss harder to see.
    pub(super) fn note(&mut self, commits: u64) {
        let _ = self.file.rewind().and_then(|()| writeln!(self.file, "{commits:020}"));
    }
}

/// Makes a file that only its owner can read, or makes it so: it holds what nobody else may see before the end of a
/// game. What the database keeps beside it gets the same rights.
pub(super) fn make_private(path: &Path) -> Result<(), StoreError> {
    let at = |error| StoreError::io(path, error);
    let mut options = OpenOptions::new();
    options.create(true).truncate(false).write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let file = options.open(path).map_err(at)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let private = || std::fs::Permissions::from_mode(0o600);
        file.set_permissions(private()).map_err(at)?;
        for ending in ["-wal", "-shm"] {
            let mut beside = path.as_os_str().to_owned();
            beside.push(ending);
            let _ = std::fs::set_permissions(beside, private()); // most often it is not there
        }
    }
    drop(file);
    Ok(())
}

/// Opens a database; as long as nobody says otherwise, its log is left as it is when it is closed.
fn open_quietly(path: &Path) -> Result<Connection, StoreError> {
    let sql = |error| StoreError::sql(path, error);
    let connection = Connection::open(path).map_err(sql)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true).map_err(sql)?;
    Ok(connection)
}

/// How many commits a database has.
pub(super) fn commits(connection: &Connection, path: &Path) -> Result<u64, StoreError> {
    let version: i64 = connection
        .pragma_query_value(None, "user_version", |row| row.get(0))
        .map_err(|error| StoreError::sql(path, error))?;
    if version < 3 {
        return Ok(0); // They were not counted.
    }
    let count: Option<i64> = connection
        .query_row("SELECT commits FROM pulse", [], |row| row.get(0))
        .optional()
        .map_err(|error| StoreError::sql(path, error))?;
    Ok(count.unwrap_or(0).max(0) as u64)
}

/// For how long the servers of a database have run, in milliseconds, as far as it is known.
pub(super) fn uptime(connection: &Connection) -> u64 {
    let found = connection.query_row("SELECT uptime FROM pulse", [], |row| row.get::<_, i64>(0));
    found.unwrap_or(0).max(0) as u64
}

/// Whether a file is a sound database of ours, or still empty.
fn check(connection: &Connection, path: &Path) -> Result<(), StoreError> {
    let sql = |error| StoreError::sql(path, error);
    let number = |name: &str| connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
    let tables: i64 = connection
        .query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))
        .map_err(sql)?;
    let (application, version) =
        (number("application_id").map_err(sql)?, number("user_version").map_err(sql)?);
    if application != APPLICATION && (application != 0 || version != 0 || tables != 0) {
        let found = "this is the database of another program".to_owned();
        return Err(StoreError::Foreign { path: path.to_owned(), found });
    }
    if version > VERSIONS.len() as i64 {
        let found = format!(
            "a newer Oboro wrote this (schema {version}; this one knows {})",
            VERSIONS.len()
        );
        return Err(StoreError::Foreign { path: path.to_owned(), found });
    }
    let found: String =
        connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0)).map_err(sql)?;
    if found == "ok" { Ok(()) } else { Err(StoreError::Damaged { path: path.to_owned(), found }) }
}

/// Brings the schema up to date, one version at a time, each of them whole or not at all.
fn upgrade(connection: &mut Connection, path: &Path) -> Result<(), StoreError> {
    let sql = |error| StoreError::sql(path, error);
    let version: i64 =
        connection.pragma_query_value(None, "user_version", |row| row.get(0)).map_err(sql)?;
    for (from, steps) in VERSIONS.iter().enumerate().skip(version as usize) {
        let change = connection.transaction().map_err(sql)?;
        change.execute_batch(steps).map_err(sql)?;
        change.pragma_update(None, "application_id", APPLICATION).map_err(sql)?;
        change.pragma_update(None, "user_version", from as i64 + 1).map_err(sql)?;
        change.commit().map_err(sql)?;
    }
    Ok(())
}

/// Reads tables and records.
#[derive(Debug)]
pub(crate) struct Reader {
    connection: Connection,
    path: PathBuf,
}

impl Reader {
    /// Opens a database that is there, for reading only.
    pub(super) fn open(path: &Path) -> Result<Reader, StoreError> {
        let sql = |error| StoreError::sql(path, error);
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(path, flags).map_err(sql)?;
        connection.busy_timeout(PATIENCE).map_err(sql)?;
        Ok(Reader { connection, path: path.to_owned() })
    }

    pub(super) fn connection(&self) -> &Connection {
        &self.connection
    }

    fn sql(&self, error: rusqlite::Error) -> StoreError {
        StoreError::sql(&self.path, error)
    }

    /// Whether there is a table of that name.
    pub(crate) fn has(&self, name: &str) -> Result<bool, StoreError> {
        let found = self
            .connection
            .prepare_cached("SELECT 1 FROM tables WHERE name = ?1")
            .and_then(|mut query| query.exists([name]));
        found.map_err(|error| self.sql(error))
    }

    /// A table, if there is one of that name.
    pub(crate) fn table(&self, name: &str) -> Result<Option<Saved>, StoreError> {
        load(&self.connection, &self.path, StoredKind::Tables, name)
    }

    /// Some names of tables, or of events, at which nothing was done since `before`. The tables of an event go when it
    /// has gone.
    pub(crate) fn stale(&self, kind: StoredKind, before: u64) -> Result<Vec<String>, StoreError> {
        let query = match kind {
            StoredKind::Tables => {
                "SELECT name FROM tables t WHERE opened < ?1
                 AND coalesce((SELECT at FROM deeds d WHERE d.name = t.name ORDER BY number DESC LIMIT 1), 0) < ?1
                 AND coalesce(json_extract(setup, '$.occasion.event'), '') NOT IN (SELECT name FROM events)
                 LIMIT 1000"
            }
            StoredKind::Events => {
                "SELECT name FROM events t WHERE opened < ?1
                 AND coalesce((SELECT at FROM event_deeds d WHERE d.name = t.name ORDER BY number DESC LIMIT 1), 0) < ?1
                 LIMIT 1000"
            }
        };
        let names = self
            .connection
            .prepare(query)
            .and_then(|mut query| query.query_map([before as i64], |row| row.get(0))?.collect());
        names.map_err(|error| self.sql(error))
    }

    /// Whether there is such a kind: an older version has no events.
    pub(super) fn has_kind(&self, kind: StoredKind) -> Result<bool, StoreError> {
        let query = "SELECT 1 FROM sqlite_schema WHERE name = ?1";
        let found =
            self.connection.prepare(query).and_then(|mut query| query.exists([kind.table()]));
        found.map_err(|error| self.sql(error))
    }

    /// The names of all events.
    pub(crate) fn events(&self) -> Result<Vec<String>, StoreError> {
        if !self.has_kind(StoredKind::Events)? {
            return Ok(Vec::new());
        }
        let mut query = self
            .connection
            .prepare("SELECT name FROM events ORDER BY opened, name")
            .map_err(|error| self.sql(error))?;
        let names = query.query_map([], |row| row.get(0));
        names.and_then(Iterator::collect).map_err(|error| self.sql(error))
    }

    /// An event, if there is one of that name.
    pub(crate) fn event<S: DeserializeOwned, D: DeserializeOwned>(
        &self,
        name: &str,
    ) -> Result<Option<Saved<S, D>>, StoreError> {
        load(&self.connection, &self.path, StoredKind::Events, name)
    }

    /// The record of a finished game.
    pub(crate) fn record(&self, name: &str) -> Result<Option<String>, StoreError> {
        self.connection
            .query_row("SELECT text FROM records WHERE name = ?1", [name], |row| row.get(0))
            .optional()
            .map_err(|error| self.sql(error))
    }

    /// The names of the tables at which a game goes on and something was done since `since`, the liveliest first.
    pub(crate) fn unfinished(&self, since: u64) -> Result<Vec<String>, StoreError> {
        let mut query = self
            .connection
            .prepare(
                "SELECT t.name, max(t.opened, coalesce((SELECT max(at) FROM deeds d WHERE d.name = t.name), 0)) AS last
                 FROM tables t WHERE t.name NOT IN (SELECT name FROM records) AND last >= ?1 ORDER BY last DESC",
            )
            .map_err(|error| self.sql(error))?;
        let names = query.query_map(params![since as i64], |row| row.get(0));
        names.and_then(Iterator::collect).map_err(|error| self.sql(error))
    }
}

/// Reads a table or an event; nothing if there is none of that name.
pub(crate) fn load<S: DeserializeOwned, D: DeserializeOwned>(
    connection: &Connection,
    path: &Path,
    kind: StoredKind,
    name: &str,
) -> Result<Option<Saved<S, D>>, StoreError> {
    let sql = |error| StoreError::sql(path, error);
    let content = |place: String, error: String| StoreError::Content {
        what: kind.what(),
        name: name.to_owned(),
        place,
        error,
    };
    let found: Option<String> = connection
        .prepare_cached(kind.select_setup())
        .and_then(|mut query| query.query_row([name], |row| row.get(0)).optional())
        .map_err(sql)?;
    let Some(setup) = found else { return Ok(None) };
    let setup: S = serde_json::from_str(&setup)
        .map_err(|error| content("its setup".to_owned(), error.to_string()))?;
    let mut steps = Vec::new();
    let mut query = connection.prepare_cached(&kind.select_steps(connection)).map_err(sql)?;
    let mut rows = query.query([name]).map_err(sql)?;
    while let Some(row) = rows.next().map_err(sql)? {
        let (number, at): (i64, i64) = (row.get(0).map_err(sql)?, row.get(1).map_err(sql)?);
        if number != steps.len() as i64 + 1 {
            return Err(content(format!("step {number}"), "an earlier one is missing".to_owned()));
        }
        let text: String = row.get(2).map_err(sql)?;
        let step = serde_json::from_str(&text)
            .map_err(|error| content(format!("step {number}"), error.to_string()))?;
        steps.push((at.max(0) as u64, step));
    }
    Ok(Some(Saved { setup, steps, pulse: uptime(connection) }))
}
