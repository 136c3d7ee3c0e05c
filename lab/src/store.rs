//! Result folders: a manifest that says what was played, and append-only files of games.

use crate::GameResult;
use serde::{Deserialize, Serialize};
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// What a result folder holds, and what it was made from. It is written once and never changes, so
/// equal runs give equal bytes.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// The layout of the folder.
    pub format: String,
    /// The version of Oboro.
    pub version: String,
    /// The commit it was built from, `+changes` if the tree had any.
    pub commit: String,
    /// The seed of the whole.
    pub seed: String,
    /// The experiment and its scale, for an experiment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub experiment: Option<String>,
    /// Which part of the games is here, for a shard: `2/8`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<String>,
    /// The matches, one file of games each.
    pub matches: Vec<MatchManifest>,
}

/// One match of a result folder.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MatchManifest {
    /// Its name; the games are in `NAME.jsonl`.
    pub id: String,
    /// The game.
    pub game: String,
    /// Rule options that differ from the defaults.
    pub rules: String,
    /// Canonical specs, one a seat.
    pub agents: Vec<String>,
    /// How they are seated.
    pub seating: crate::Seating,
    /// The seed of this match.
    pub seed: String,
    /// How many games it has, if that is fixed beforehand.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub games: Option<u64>,
    /// Whether an agent plays by the clock, so that the games cannot be played again bit for bit.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub timed: bool,
}

impl MatchManifest {
    /// What a folder says of a match.
    pub fn new(id: String, contest: &crate::Match, games: Option<u64>) -> MatchManifest {
        MatchManifest {
            id,
            game: contest.table().game().to_owned(),
            rules: contest.table().changed(),
            agents: contest.agents().to_vec(),
            seating: contest.seating(),
            seed: contest.seed().to_string(),
            games,
            timed: contest.is_timed(),
        }
    }
}

/// The layout this version writes.
pub const FORMAT: &str = "oboro results 1";

/// What is wrong with a result folder.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// A file cannot be read or written.
    #[error("{}: {error}", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// The folder holds something else.
    #[error("{} holds files but no manifest.json of ours: choose an empty or new folder", .0.display())]
    Foreign(PathBuf),
    /// The manifest cannot be read.
    #[error("{}: no manifest of ours ({message}): choose another folder, or move this one away", .path.display())]
    Manifest {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        message: String,
    },
    /// The folder was made from something else.
    #[error("{}: made with {field} {theirs}, not {ours}: choose another folder{}", .path.display(), remedy(.field))]
    Differs {
        /// The manifest.
        path: PathBuf,
        /// What differs.
        field: &'static str,
        /// What the folder has.
        theirs: String,
        /// What was asked for.
        ours: String,
    },
    /// A line of a result file is damaged.
    #[error("{}:{line}: damaged ({message}); the {good} games before it are sound: cut the file after line {good} to go on from there", .path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: u64,
        /// What is wrong.
        message: String,
        /// How many lines before it are sound.
        good: u64,
    },
    /// Somebody else writes to it.
    #[error("{}: another run is writing to this file", .0.display())]
    Busy(PathBuf),
    /// Shards do not make a whole.
    #[error("{0}")]
    Shards(String),
}

fn remedy(field: &str) -> &'static str {
    if field == "commit" { ", or give --any-commit to mix the two" } else { "" }
}

pub(crate) fn io_error(path: &Path) -> impl FnOnce(io::Error) -> StoreError + '_ {
    move |error| StoreError::Io { path: path.to_owned(), error }
}

/// A folder of results.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    manifest: Manifest,
}

impl Folder {
    /// Opens a folder for a run: a new or empty one is started, one that was made from the same
    /// things is gone on with, anything else is refused untouched.
    ///
    /// # Errors
    /// If it cannot be used.
    pub fn create(path: &Path, manifest: Manifest, any_commit: bool) -> Result<Folder, StoreError> {
        fs::create_dir_all(path).map_err(io_error(path))?;
        let file = path.join("manifest.json");
        if file.exists() {
            let folder = Folder::open(path)?;
            folder.manifest.check_same(&manifest, &file, any_commit)?;
            return Ok(folder);
        }
        let mut entries = fs::read_dir(path).map_err(io_error(path))?;
        if entries.next().is_some() {
            return Err(StoreError::Foreign(path.to_owned()));
        }
        let folder = Folder { path: path.to_owned(), manifest };
        folder.write_file("manifest.json", &pretty(&folder.manifest))?;
        Ok(folder)
    }

    /// Opens a folder that was made before.
    ///
    /// # Errors
    /// If it holds no results.
    pub fn open(path: &Path) -> Result<Folder, StoreError> {
        let file = path.join("manifest.json");
        let text = fs::read_to_string(&file).map_err(io_error(&file))?;
        let manifest: Manifest = serde_json::from_str(&text).map_err(|error| {
            StoreError::Manifest { path: file.clone(), message: error.to_string() }
        })?;
        if manifest.format != FORMAT {
            let message = format!("its format is `{}`, ours `{FORMAT}`", manifest.format);
            return Err(StoreError::Manifest { path: file, message });
        }
        Ok(Folder { path: path.to_owned(), manifest })
    }

    /// What it holds.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The file of games of a match, opened to go on where it ends. `first` is the number of its first
    /// game.
    ///
    /// # Errors
    /// If it is damaged or in use.
    pub fn games(&self, id: &str, first: u64) -> Result<(GameFile, Vec<GameResult>), StoreError> {
        GameFile::append(&self.path.join(format!("{id}.jsonl")), first)
    }

    /// The games of a match, read only.
    ///
    /// # Errors
    /// If the file is damaged.
    pub fn read_games(&self, id: &str, first: u64) -> Result<Vec<GameResult>, StoreError> {
        let path = self.path.join(format!("{id}.jsonl"));
        match File::open(&path) {
            Ok(mut file) => read_games(&path, &mut file, first).map(|(games, _)| games),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
            Err(error) => Err(io_error(&path)(error)),
        }
    }

    /// Writes a whole file at once: under another name first, so that it is never half there.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write_file(&self, name: &str, text: &str) -> Result<(), StoreError> {
        let path = self.path.join(name);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(io_error(parent))?;
        }
        let temporary = path.with_extension("part");
        fs::write(&temporary, text).map_err(io_error(&temporary))?;
        fs::rename(&temporary, &path).map_err(io_error(&path))
    }
}

/// JSON as files keep it: indented, with a last newline.
pub(crate) fn pretty(value: &impl Serialize) -> String {
    let mut text = serde_json::to_string_pretty(value).expect("plain data becomes JSON");
    text.push('\n');
    text
}

impl Manifest {
    fn check_same(&self, ours: &Manifest, path: &Path, any_commit: bool) -> Result<(), StoreError> {
        let show = |text: &Option<String>| text.clone().unwrap_or_else(|| "none".to_owned());
        let matches = |manifest: &Manifest| {
            serde_json::to_string(&manifest.matches).expect("plain data becomes JSON")
        };
        let fields = [
            ("version", self.version.clone(), ours.version.clone()),
            ("experiment", show(&self.experiment), show(&ours.experiment)),
            ("shard", show(&self.shard), show(&ours.shard)),
            ("seed", self.seed.clone(), ours.seed.clone()),
            ("matches", matches(self), matches(ours)),
            ("commit", self.commit.clone(), ours.commit.clone()),
        ];
        for (field, theirs, ours) in fields {
            if theirs != ours && !(any_commit && field == "commit") {
                return Err(StoreError::Differs { path: path.to_owned(), field, theirs, ours });
            }
        }
        Ok(())
    }
}

/// A file of games, one line each, open for adding more.
#[derive(Debug)]
pub struct GameFile {
    path: PathBuf,
    file: File,
}

impl GameFile {
    fn append(path: &Path, first: u64) -> Result<(GameFile, Vec<GameResult>), StoreError> {
        let mut options = OpenOptions::new();
        let mut file = options
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(io_error(path))?;
        if file.try_lock().is_err() {
            return Err(StoreError::Busy(path.to_owned()));
        }
        let (games, sound) = read_games(path, &mut file, first)?;
        // A line without its end is a game that was being written when the run was killed.
        file.set_len(sound).map_err(io_error(path))?;
        file.seek(SeekFrom::Start(sound)).map_err(io_error(path))?;
        Ok((GameFile { path: path.to_owned(), file }, games))
    }

    /// Adds one game; it is with the system when this returns.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn push(&mut self, game: &GameResult) -> Result<(), StoreError> {
        let mut line = serde_json::to_string(game).expect("plain data becomes JSON");
        line.push('\n');
        self.file.write_all(line.as_bytes()).map_err(io_error(&self.path))
    }
}

/// The whole lines of a file of games, and how many bytes they take.
fn read_games(
    path: &Path,
    file: &mut File,
    first: u64,
) -> Result<(Vec<GameResult>, u64), StoreError> {
    let mut reader = BufReader::new(file);
    let mut games = Vec::new();
    let mut sound = 0;
    let mut line = Vec::new();
    loop {
        line.clear();
        reader.read_until(b'\n', &mut line).map_err(io_error(path))?;
        if line.last() != Some(&b'\n') {
            return Ok((games, sound));
        }
        let good = games.len() as u64;
        let damaged =
            |message| StoreError::Damaged { path: path.to_owned(), line: good + 1, message, good };
        let game: GameResult =
            serde_json::from_slice(&line).map_err(|error| damaged(error.to_string()))?;
        let due = first + good;
        if game.n != due {
            return Err(damaged(format!("game {} where {due} was due", game.n)));
        }
        if game.seats.len() != game.payoffs.len() {
            return Err(damaged("as many payoffs as seats are needed".to_owned()));
        }
        games.push(game);
        sound += line.len() as u64;
    }
}
