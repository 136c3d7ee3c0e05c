//! Results of a league on disk: one line a game, written before it is reported.

use super::LeagueFile;
use crate::gat::GatError;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::{BufRead as _, BufReader, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

/// Who won a game of a league.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LeagueOutcome {
    /// The first player.
    First,
    /// The second player.
    Second,
    /// Nobody.
    Draw,
    /// Nobody, for neither came: no points for either.
    None,
}

/// One game of a league.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LeagueGame {
    /// Its number, from 1.
    pub n: u64,
    /// Who moved first.
    pub first: String,
    /// Who moved second.
    pub second: String,
    /// Who won.
    pub outcome: LeagueOutcome,
    /// How.
    pub how: String,
    /// Whether the loser forfeited it.
    pub forfeit: bool,
    /// How many moves it had.
    pub plies: u16,
    /// The record, in the same folder.
    pub record: String,
}

impl fmt::Display for LeagueGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let score = match self.outcome {
            LeagueOutcome::First => "1-0",
            LeagueOutcome::Second => "0-1",
            LeagueOutcome::Draw => "½-½",
            LeagueOutcome::None => "0-0",
        };
        let (first, second) = (&self.first, &self.second);
        write!(f, "{first} - {second} {score}, {}, {} plies", self.how, self.plies)
    }
}

/// The folder of a league.
#[derive(Debug)]
pub(super) struct LeagueStore {
    folder: PathBuf,
    games: File,
}

impl LeagueStore {
    /// Opens a new folder or one of the same league, with the games already played. A last line
    /// that was cut off is dropped; anything else that is damaged is an error.
    pub(super) fn open(
        folder: &Path,
        league: &LeagueFile,
    ) -> Result<(LeagueStore, Vec<LeagueGame>), GatError> {
        for part in ["records", "logs"] {
            let path = folder.join(part);
            fs::create_dir_all(&path).map_err(GatError::at(&path))?;
        }
        check_same(&folder.join("league.json"), league)?;
        let path = folder.join("games.jsonl");
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .map_err(GatError::at(&path))?;
        if file.try_lock().is_err() {
            return Err(GatError::Input(format!("{}: another run is writing", path.display())));
        }
        let (games, sound) = read(&path, &mut file, league)?;
        file.set_len(sound).map_err(GatError::at(&path))?;
        file.seek(SeekFrom::Start(sound)).map_err(GatError::at(&path))?;
        Ok((LeagueStore { folder: folder.to_owned(), games: file }, games))
    }

    /// Adds a game.
    pub(super) fn push(&mut self, game: &LeagueGame) -> Result<(), GatError> {
        let mut line = serde_json::to_string(game).expect("plain data becomes JSON");
        line.push('\n');
        self.games.write_all(line.as_bytes()).map_err(GatError::at(&self.folder))
    }

    /// Writes a whole file at once.
    pub(super) fn write(&self, name: &str, text: &str) -> Result<(), GatError> {
        let path = self.folder.join(name);
        let part = path.with_extension("part");
        fs::write(&part, text).map_err(GatError::at(&part))?;
        fs::rename(&part, &path).map_err(GatError::at(&path))
    }

    /// Where a program's output goes.
    pub(super) fn log(&self, player: &str) -> PathBuf {
        self.folder.join("logs").join(format!("{player}.log"))
    }
}

/// Keeps the description of the league beside its games, and refuses to mix two leagues. More games
/// a pairing are fine: the schedule only grows.
fn check_same(path: &Path, league: &LeagueFile) -> Result<(), GatError> {
    let ours = serde_json::to_value(league).expect("plain data becomes JSON");
    let differs = |field: &str| {
        let path = path.display();
        GatError::Input(format!(
            "{path}: `{field}` differs from the league file; give another --out"
        ))
    };
    if let Ok(text) = fs::read_to_string(path) {
        let theirs: serde_json::Value = serde_json::from_str(&text).map_err(|error| {
            GatError::Input(format!("{}: no league of ours ({error})", path.display()))
        })?;
        let fields = ours.as_object().expect("a league is a map");
        if let Some((field, _)) = fields
            .iter()
            .find(|(field, value)| *field != "games" && theirs.get(field.as_str()) != Some(value))
        {
            return Err(differs(field));
        }
    }
    let text = format!("{ours:#}\n");
    fs::write(path, text).map_err(GatError::at(path))
}

fn read(
    path: &Path,
    file: &mut File,
    league: &LeagueFile,
) -> Result<(Vec<LeagueGame>, u64), GatError> {
    let schedule = league.schedule();
    let mut reader = BufReader::new(file);
    let (mut games, mut sound, mut line) = (Vec::<LeagueGame>::new(), 0, Vec::new());
    loop {
        line.clear();
        reader.read_until(b'\n', &mut line).map_err(GatError::at(path))?;
        if line.last() != Some(&b'\n') {
            return Ok((games, sound));
        }
        let good = games.len();
        let damaged = |message: String| {
            GatError::Input(format!(
                "{}:{}: damaged ({message}); the {good} games before it are sound: cut the file after line {good} to go on from there",
                path.display(),
                good + 1,
            ))
        };
        let game: LeagueGame =
            serde_json::from_slice(&line).map_err(|error| damaged(error.to_string()))?;
        let due = schedule.get(good).map(|pair| pair.map(|i| league.players[i].name.as_str()));
        if game.n != good as u64 + 1 || due != Some([game.first.as_str(), game.second.as_str()]) {
            return Err(damaged("it is not the game that was due".to_owned()));
        }
        games.push(game);
        sound += line.len() as u64;
    }
}
