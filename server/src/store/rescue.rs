//! Copies of a database: of a sound one while it is in use, and of what can be read of a damaged one.

use super::database::{Database, FILE, Reader, StoreError, StoredKind, make_private};
use rusqlite::backup::Backup;
use rusqlite::{Connection, params};
use std::path::Path;
use std::time::Duration;

/// What was saved of a damaged database.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Salvaged {
    /// Tables with everything done at them up to the damage.
    pub tables: usize,
    /// Events, likewise.
    pub events: usize,
    /// Steps of theirs.
    pub steps: usize,
    /// Records of finished games.
    pub records: usize,
    /// Places that could not be read.
    pub holes: usize,
    /// Tables and events whose last steps are lost, and how many of each are saved.
    pub cut: Vec<String>,
}

impl Database {
    /// Copies the database of a folder to a new file, while a server uses it or not. The copy is whole or not there.
    ///
    /// # Errors
    /// If there is none, the file is there already, or it cannot be written.
    pub fn backup(folder: &Path, to: &Path) -> Result<(), StoreError> {
        refuse_existing(to)?;
        let from = Database::reader_of(folder)?;
        let half = to.with_extension("part");
        let sql = |error| StoreError::sql(&half, error);
        refuse_existing(&half)?;
        let copied = (|| {
            make_private(&half)?;
            let mut copy = Connection::open(&half).map_err(sql)?;
            let backup = Backup::new(from.connection(), &mut copy).map_err(sql)?;
            backup.run_to_completion(1024, Duration::from_millis(5), None).map_err(sql)?;
            drop(backup);
            // A copy is one file: it needs no log beside it.
            copy.pragma_update(None, "journal_mode", "DELETE").map_err(sql)?;
            copy.close().map_err(|(_, error)| sql(error))?;
            std::fs::File::open(&half)
                .and_then(|file| file.sync_all())
                .and_then(|()| std::fs::rename(&half, to))
                .map_err(|error| StoreError::io(to, error))
        })();
        if copied.is_err() {
            let _ = std::fs::remove_file(&half);
        }
        copied
    }

    /// Copies what can be read of a damaged database into a new folder; the damaged file is only read.
    ///
    /// # Errors
    /// If nothing can be read at all, or the new folder has a database already or cannot be written.
    pub fn salvage(folder: &Path, into: &Path) -> Result<Salvaged, StoreError> {
        refuse_existing(&into.join(FILE))?;
        let from = Database::reader_of(folder)?;
        let path = folder.join(FILE);
        let tables = stories(&from, StoredKind::Tables)?;
        let events = stories(&from, StoredKind::Events)?;
        if tables.found.is_empty() && tables.holes > 0 {
            let found = "nothing in it can be read".to_owned();
            return Err(StoreError::Damaged { path, found });
        }
        let mut copy = Database::open(into, None)?;
        let path = copy.path.clone();
        let sql = |error| StoreError::sql(&path, error);
        let change = copy.connection.transaction().map_err(sql)?;
        let mut saved = Salvaged { holes: tables.holes + events.holes, ..Salvaged::default() };
        let counted = (tables.found.len(), events.found.len());
        (saved.tables, saved.events) = counted;
        let all = tables.found.into_iter().map(|row| (StoredKind::Tables, row));
        let all = all.chain(events.found.into_iter().map(|row| (StoredKind::Events, row)));
        for (kind, (name, setup, opened)) in all {
            change.execute(kind.insert_setup(), params![name, setup, opened]).map_err(sql)?;
            let steps =
                rows(from.connection(), &kind.select_steps(from.connection()), &name, |row| {
                    let times = (row.get::<_, i64>(1)?, row.get::<_, i64>(3)?);
                    Ok((row.get::<_, i64>(0)?, times, row.get::<_, String>(2)?))
                });
            saved.holes += steps.holes;
            let (found, before) = (steps.found.len(), saved.steps);
            // A step after a hole means nothing: the table goes back to before it.
            for (expected, (number, (uptime, at), step)) in (1..).zip(steps.found) {
                if number != expected {
                    break;
                }
                change
                    .execute(kind.insert_step(), params![name, number, at, step, uptime])
                    .map_err(sql)?;
                saved.steps += 1;
            }
            let kept = saved.steps - before;
            if steps.holes > 0 || kept < found {
                saved.cut.push(format!("{} {name}: its first {kept} steps", kind.what()));
            }
            if kind == StoredKind::Events {
                continue;
            }
            let records = rows(
                from.connection(),
                "SELECT at, text FROM records WHERE name = ?1",
                &name,
                |row| Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?)),
            );
            saved.holes += records.holes;
            for (at, text) in records.found {
                change
                    .execute("INSERT INTO records VALUES (?1, ?2, ?3)", params![name, at, text])
                    .map_err(sql)?;
                saved.records += 1;
            }
        }
        change.commit().map_err(sql)?;
        Ok(saved)
    }

    /// Writes the record of every finished game of a folder's database into a new folder, one file each.
    ///
    /// # Errors
    /// If there is no database, or the new folder cannot be written.
    pub fn export(folder: &Path, into: &Path) -> Result<usize, StoreError> {
        let path = folder.join(FILE);
        let reader = Reader::open(&path)?;
        let sql = |error| StoreError::sql(&path, error);
        std::fs::create_dir_all(into).map_err(|error| StoreError::io(into, error))?;
        let mut query = reader
            .connection()
            .prepare("SELECT name, text FROM records ORDER BY name")
            .map_err(sql)?;
        let mut rows = query.query([]).map_err(sql)?;
        let mut count = 0;
        while let Some(row) = rows.next().map_err(sql)? {
            let (name, text): (String, String) =
                (row.get(0).map_err(sql)?, row.get(1).map_err(sql)?);
            let file = into.join(format!("{name}.txt"));
            std::fs::write(&file, text).map_err(|error| StoreError::io(&file, error))?;
            count += 1;
        }
        Ok(count)
    }
}

fn refuse_existing(path: &Path) -> Result<(), StoreError> {
    if path.exists() {
        let error = std::io::Error::new(
            std::io::ErrorKind::AlreadyExists,
            "is there already; nothing was changed",
        );
        return Err(StoreError::io(path, error));
    }
    Ok(())
}

/// What could be read, and how often something could not.
struct Found<T> {
    found: Vec<T>,
    holes: usize,
}

type SetupRow = (String, String, i64);

/// All tables or events that can be read: forwards up to the damage, and backwards from the other end.
fn stories(from: &Reader, kind: StoredKind) -> Result<Found<SetupRow>, StoreError> {
    if !from.has_kind(kind)? {
        return Ok(Found { found: Vec::new(), holes: 0 });
    }
    let (connection, what) = (from.connection(), kind.table());
    let read = |order: &str| {
        let query =
            format!("SELECT name, setup, opened FROM {what} WHERE ?1 = '' ORDER BY name {order}");
        rows(connection, &query, "", |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
    };
    let mut all = read("ASC");
    if all.holes > 0 {
        let rest = read("DESC").found.into_iter().filter(|row| !all.found.contains(row));
        let rest: Vec<SetupRow> = rest.collect();
        all.found.extend(rest);
    }
    Ok(all)
}

/// The rows of a query up to the first that cannot be read.
fn rows<T>(
    connection: &Connection,
    query: &str,
    parameter: &str,
    read: impl Fn(&rusqlite::Row<'_>) -> rusqlite::Result<T>,
) -> Found<T> {
    let mut found = Vec::new();
    let Ok(mut query) = connection.prepare(query) else { return Found { found, holes: 1 } };
    let Ok(mut rows) = query.query([parameter]) else { return Found { found, holes: 1 } };
    loop {
        match rows.next() {
            Ok(Some(row)) => match read(row) {
                Ok(row) => found.push(row),
                Err(_) => return Found { found, holes: 1 },
            },
            Ok(None) => return Found { found, holes: 0 },
            Err(_) => return Found { found, holes: 1 },
        }
    }
}
