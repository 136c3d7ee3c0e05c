use crate::StoreError;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead as _, BufReader, Seek as _, SeekFrom, Write as _};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

/// A file of entries, one line of JSON each, open for adding more. While it is open nobody else can open it so.
///
/// An entry that is an object ends with a checksum of its line, `"sum"`: one that was changed is named like every other
/// damage. Lines of older files have none.
///
/// ```
/// use oboro_store::Journal;
/// let folder = tempfile::tempdir().unwrap();
/// let path = folder.path().join("numbers.jsonl");
/// let rising = |number: &u64, place: u64| {
///     (*number >= place).then_some(()).ok_or_else(|| format!("{number} is too small"))
/// };
/// let (mut journal, earlier) = Journal::open(&path, rising).unwrap();
/// assert!(earlier.is_empty());
/// journal.push(&3).unwrap();
/// journal.push(&5).unwrap();
/// drop(journal);
/// assert_eq!(Journal::read(&path, rising).unwrap(), [3, 5]);
/// ```
#[derive(Debug)]
pub struct Journal<T> {
    path: PathBuf,
    file: File,
    entries: PhantomData<fn(&T)>,
}

impl<T: Serialize + DeserializeOwned> Journal<T> {
    /// Opens a journal to go on where it ends, with the entries it has. `check` is asked about each of them and
    /// its place, counted from 0. A last line without its end was being written when a run was killed: it
    /// is dropped.
    ///
    /// # Errors
    /// If it cannot be used, another run is writing to it, or an entry is damaged.
    pub fn open(
        path: &Path,
        check: impl FnMut(&T, u64) -> Result<(), String>,
    ) -> Result<(Journal<T>, Vec<T>), StoreError> {
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let mut file = options.open(path).map_err(StoreError::at(path))?;
        if file.try_lock().is_err() {
            return Err(StoreError::Busy(path.to_owned()));
        }
        let (entries, sound) = read(path, &mut file, check)?;
        file.set_len(sound).map_err(StoreError::at(path))?;
        file.seek(SeekFrom::Start(sound)).map_err(StoreError::at(path))?;
        Ok((Journal { path: path.to_owned(), file, entries: PhantomData }, entries))
    }

    /// The entries of a journal, which is left as it is; none if there is no such file.
    ///
    /// # Errors
    /// If it cannot be read, or an entry is damaged.
    pub fn read(
        path: &Path,
        check: impl FnMut(&T, u64) -> Result<(), String>,
    ) -> Result<Vec<T>, StoreError> {
        match File::open(path) {
            Ok(mut file) => read(path, &mut file, check).map(|(entries, _)| entries),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
            Err(error) => Err(StoreError::at(path)(error)),
        }
    }

    /// Adds an entry; it is with the system when this returns.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn push(&mut self, entry: &T) -> Result<(), StoreError> {
        self.file.write_all(line(entry).as_bytes()).map_err(StoreError::at(&self.path))
    }

    /// The text of a journal of these entries.
    pub fn text(entries: &[T]) -> String {
        entries.iter().map(line).collect()
    }
}

fn line(entry: &impl Serialize) -> String {
    let mut line = serde_json::to_string(entry).expect("plain data becomes JSON");
    if line.len() > 2 && line.ends_with('}') {
        let sum = checksum(line.as_bytes());
        line.pop();
        line.push_str(&format!("{MARK}{sum:08x}\"}}"));
    }
    line.push('\n');
    line
}

/// What stands before the checksum of a line.
const MARK: &str = ",\"sum\":\"";

/// The line as it was before its checksum was added, without its end.
///
/// # Errors
/// If the checksum is that of another line.
fn unsealed(line: &[u8]) -> Result<Vec<u8>, String> {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    let end = line.len().saturating_sub(MARK.len() + 10);
    let Some(sum) = line[end..].strip_prefix(MARK.as_bytes()) else { return Ok(line.to_owned()) };
    let mut entry = line[..end].to_owned();
    entry.push(b'}');
    let right = format!("{:08x}\"}}", checksum(&entry));
    if sum == right.as_bytes() {
        Ok(entry)
    } else {
        Err("it was changed after it was written".into())
    }
}

/// The CRC-32 of ISO 3309, as in PNG and gzip.
fn checksum(bytes: &[u8]) -> u32 {
    let step = |sum: u32, _| if sum & 1 == 1 { sum >> 1 ^ 0xedb8_8320 } else { sum >> 1 };
    !bytes.iter().fold(!0, |sum, byte| (0..8).fold(sum ^ u32::from(*byte), step))
}

/// The entries of the whole lines, and how many bytes they take.
fn read<T: DeserializeOwned>(
    path: &Path,
    file: &mut File,
    mut check: impl FnMut(&T, u64) -> Result<(), String>,
) -> Result<(Vec<T>, u64), StoreError> {
    let mut reader = BufReader::new(file);
    let (mut entries, mut sound, mut line) = (Vec::new(), 0, Vec::new());
    loop {
        line.clear();
        reader.read_until(b'\n', &mut line).map_err(StoreError::at(path))?;
        if line.last() != Some(&b'\n') {
            return Ok((entries, sound));
        }
        let good = entries.len() as u64;
        let damaged = |message| StoreError::Damaged(path.to_owned(), good + 1, message);
        let entry = unsealed(&line).map_err(damaged)?;
        let entry: T =
            serde_json::from_slice(&entry).map_err(|error| damaged(error.to_string()))?;
        check(&entry, good).map_err(damaged)?;
        entries.push(entry);
        sound += line.len() as u64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    const ANY: fn(&u64, u64) -> Result<(), String> = |_, _| Ok(());

    #[test]
    fn a_half_line_is_dropped_and_the_journal_goes_on() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("j");
        fs::write(&path, "1\n2\n3").unwrap();
        assert_eq!(Journal::read(&path, ANY).unwrap(), [1, 2]);
        assert_eq!(fs::read_to_string(&path).unwrap(), "1\n2\n3", "reading changes nothing");
        let (mut journal, earlier) = Journal::open(&path, ANY).unwrap();
        assert_eq!(earlier, [1, 2]);
        journal.push(&4).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "1\n2\n4\n");
        assert_eq!(Journal::text(&[1_u64, 2, 4]), "1\n2\n4\n");
    }

    #[test]
    fn damage_is_named_and_left_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("j");
        for (text, said) in
            [("1\nx\n3\n", "j:2: damaged"), ("1\n7\n", "j:2: damaged (7 is not due")]
        {
            fs::write(&path, text).unwrap();
            let due = |entry: &u64, place: u64| {
                if *entry == place + 1 { Ok(()) } else { Err(format!("{entry} is not due")) }
            };
            let error = Journal::open(&path, due).unwrap_err().to_string();
            assert!(error.contains(said) && error.contains("the 1 lines before"), "{error}");
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
    }

    #[test]
    fn an_entry_that_was_changed_is_named() {
        type Game = std::collections::BTreeMap<String, Vec<f64>>;
        let any = |_: &Game, _: u64| Ok(());
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("j");
        let game = |payoff: f64| Game::from([("payoffs".to_owned(), vec![payoff, 1.0 - payoff])]);
        let text = Journal::text(&[game(1.0), game(0.0)]);
        assert!(text.starts_with("{\"payoffs\":[1.0,0.0],\"sum\":\""), "{text}");
        fs::write(&path, &text).unwrap();
        assert_eq!(Journal::read(&path, any).unwrap(), [game(1.0), game(0.0)]);
        fs::write(&path, text.replace("[0.0,1.0]", "[1.0,0.0]")).unwrap();
        let error = Journal::read(&path, any).unwrap_err().to_string();
        assert!(error.contains("j:2: damaged (it was changed"), "{error}");
        // A line of an older file.
        fs::write(&path, "{\"payoffs\":[1.0,0.0]}\n").unwrap();
        assert_eq!(Journal::read(&path, any).unwrap(), [game(1.0)]);
        assert_eq!(checksum(b"123456789"), 0xcbf4_3926);
    }

    #[test]
    fn two_runs_cannot_write_to_one_journal() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("j");
        let (first, _) = Journal::open(&path, ANY).unwrap();
        assert!(matches!(Journal::open(&path, ANY), Err(StoreError::Busy(_))));
        drop(first);
        assert!(Journal::open(&path, ANY).is_ok());
    }
}
