//! Result folders: a manifest that says what was played, and append-only files of games.

use crate::experiment::Wanted;
use crate::{GameResult, Match, Seating, commit, version};
use oboro_core::Seed;
use oboro_store::{Journal, StoreError, pretty, read_if_there, write_whole};
use serde::{Deserialize, Serialize};
use std::fs;
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
    pub seating: Seating,
    /// The seed of this match.
    pub seed: String,
    /// How many games it has, if that is fixed beforehand.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub games: Option<u64>,
    /// Whether an agent plays by the clock, so that the games cannot be played again bit for bit.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub timed: bool,
    /// Whether the agents' beliefs were scored.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub beliefs: bool,
}

impl MatchManifest {
    /// What a folder says of a match.
    pub fn new(id: String, the_match: &Match, games: Option<u64>) -> MatchManifest {
        MatchManifest {
            id,
            game: the_match.rules().game().to_owned(),
            rules: the_match.rules().changed(),
            agents: the_match.agents().to_vec(),
            seating: the_match.seating(),
            seed: the_match.seed().to_string(),
            games,
            timed: the_match.is_timed(),
            beliefs: the_match.scores_beliefs(),
        }
    }
}

/// The layout this version writes.
pub const FORMAT: &str = "oboro results 1";

/// What is wrong with a result folder.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// A file cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
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
    #[error("{}: made with {field} {theirs}, not {ours}: choose another folder", .path.display())]
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
    /// Shards do not make a whole.
    #[error("{0}")]
    Shards(String),
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
    pub fn create(
        path: &Path,
        manifest: Manifest,
        any_commit: bool,
    ) -> Result<Folder, FolderError> {
        fs::create_dir_all(path).map_err(StoreError::at(path))?;
        let file = path.join("manifest.json");
        if file.exists() {
            let folder = Folder::open(path)?;
            folder.manifest.check_same(&manifest, &file, any_commit)?;
            return Ok(folder);
        }
        let mut entries = fs::read_dir(path).map_err(StoreError::at(path))?;
        if entries.next().is_some() {
            return Err(FolderError::Foreign(path.to_owned()));
        }
        let folder = Folder { path: path.to_owned(), manifest };
        folder.write_file("manifest.json", &pretty(&folder.manifest))?;
        Ok(folder)
    }

    /// Opens a folder that was made before.
    ///
    /// # Errors
    /// If it holds no results.
    pub fn open(path: &Path) -> Result<Folder, FolderError> {
        let file = path.join("manifest.json");
        let text = fs::read_to_string(&file).map_err(StoreError::at(&file))?;
        let manifest: Manifest = serde_json::from_str(&text).map_err(|error| {
            FolderError::Manifest { path: file.clone(), message: error.to_string() }
        })?;
        if manifest.format != FORMAT {
            let message = format!("its format is `{}`, ours `{FORMAT}`", manifest.format);
            return Err(FolderError::Manifest { path: file, message });
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

    /// The journal of games of a match, opened to go on where it ends, with the games it has. `first` is the
    /// number of its first game.
    ///
    /// # Errors
    /// If it is damaged or in use.
    pub fn games(
        &self,
        id: &str,
        first: u64,
    ) -> Result<(Journal<GameResult>, Vec<GameResult>), FolderError> {
        Ok(Journal::open(&self.journal(id), |game, place| is_due(game, first + place))?)
    }

    /// The games of a match, read only.
    ///
    /// # Errors
    /// If the file is damaged.
    pub fn read_games(&self, id: &str, first: u64) -> Result<Vec<GameResult>, FolderError> {
        Ok(Journal::read(&self.journal(id), |game, place| is_due(game, first + place))?)
    }

    fn journal(&self, id: &str) -> PathBuf {
        self.path.join(format!("{id}.jsonl"))
    }

    /// Writes a whole file at once, so that it is never half there.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write_file(&self, name: &str, text: &str) -> Result<(), FolderError> {
        Ok(write_whole(&self.path.join(name), text)?)
    }

    /// The course of evolution that somebody put into the folder, if there is one: what `oboro evolve` wrote, below
    /// `evolve/NAME`.
    ///
    /// # Errors
    /// If it is there and cannot be read.
    pub fn course(&self, name: &str) -> Result<Option<String>, FolderError> {
        Ok(read_if_there(&self.path.join("evolve").join(name).join("progress.csv"))?)
    }
}

/// Whether a line of a journal is game `due` and makes sense.
pub(crate) fn is_due(game: &GameResult, due: u64) -> Result<(), String> {
    if game.n != due {
        return Err(format!("game {} where {due} was due", game.n));
    }
    if game.seats.len() != game.payoffs.len() {
        return Err("as many payoffs as seats are needed".to_owned());
    }
    Ok(())
}

impl Manifest {
    /// What a folder says that this program makes now.
    pub(crate) fn new(
        experiment: Option<String>,
        seed: &Seed,
        matches: Vec<MatchManifest>,
    ) -> Manifest {
        Manifest {
            format: FORMAT.to_owned(),
            version: version().to_owned(),
            commit: commit(),
            seed: seed.to_string(),
            experiment,
            shard: None,
            matches,
        }
    }

    /// What a folder says of all games of some matches, which together are called so.
    pub(crate) fn of_all(name: &str, seed: &Seed, wanted: &[Wanted]) -> Manifest {
        let entry = |Wanted { id, the_match, games }: &Wanted| {
            MatchManifest::new(id.clone(), the_match, Some(games.end))
        };
        Manifest::new(Some(name.to_owned()), seed, wanted.iter().map(entry).collect())
    }

    /// What a folder says of one match, whose games are in `games.jsonl`; how many may grow from run to run.
    pub fn of_match(the_match: &Match) -> Manifest {
        let entry = MatchManifest::new(Match::FILE.to_owned(), the_match, None);
        Manifest::new(None, the_match.seed(), vec![entry])
    }

    fn check_same(
        &self,
        ours: &Manifest,
        path: &Path,
        any_commit: bool,
    ) -> Result<(), FolderError> {
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
                return Err(FolderError::Differs { path: path.to_owned(), field, theirs, ours });
            }
        }
        Ok(())
    }
}
