//! Results of a league on disk: one line a game, written before it is reported.

use super::LeagueFile;
use crate::GatError;
use oboro_store::{Journal, pretty, read_if_there, write_whole};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::fs;
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
    games: Journal<LeagueGame>,
}

impl LeagueStore {
    /// Opens a new folder or one of the same league, with the games already played.
    pub(super) fn open(
        folder: &Path,
        league: &LeagueFile,
    ) -> Result<(LeagueStore, Vec<LeagueGame>), GatError> {
        for part in ["records", "logs"] {
            let path = folder.join(part);
            fs::create_dir_all(&path).map_err(GatError::at(&path))?;
        }
        keep_description(&folder.join("league.json"), league)?;
        let schedule = league.schedule();
        let is_due = |game: &LeagueGame, place: u64| {
            let pairing = schedule.get(place as usize);
            let due = pairing.map(|pair| pair.map(|i| league.players[i].name.as_str()));
            let is_due =
                game.n == place + 1 && due == Some([game.first.as_str(), game.second.as_str()]);
            is_due.then_some(()).ok_or_else(|| "it is not the game that was due".to_owned())
        };
        let (journal, games) = Journal::open(&folder.join("games.jsonl"), is_due)?;
        Ok((LeagueStore { folder: folder.to_owned(), games: journal }, games))
    }

    /// Adds a game.
    pub(super) fn push(&mut self, game: &LeagueGame) -> Result<(), GatError> {
        Ok(self.games.push(game)?)
    }

    /// Writes a whole file at once.
    pub(super) fn write(&self, name: &str, text: &str) -> Result<(), GatError> {
        Ok(write_whole(&self.folder.join(name), text)?)
    }

    /// Where a program's output goes.
    pub(super) fn log(&self, player: &str) -> PathBuf {
        self.folder.join("logs").join(format!("{player}.log"))
    }
}

/// Keeps the description of the league beside its games, and refuses to mix two leagues. More games
/// a pairing are fine: the schedule only grows.
fn keep_description(path: &Path, league: &LeagueFile) -> Result<(), GatError> {
    let ours = serde_json::to_value(league).expect("plain data becomes JSON");
    if let Some(text) = read_if_there(path)? {
        let theirs: serde_json::Value = serde_json::from_str(&text).map_err(|error| {
            GatError::Input(format!("{}: no league of ours ({error})", path.display()))
        })?;
        let fields = ours.as_object().expect("a league is a map");
        if let Some((field, _)) = fields
            .iter()
            .find(|(field, value)| *field != "games" && theirs.get(field.as_str()) != Some(value))
        {
            return Err(GatError::Input(format!(
                "{}: `{field}` differs from the league file: choose another folder",
                path.display()
            )));
        }
    }
    Ok(write_whole(path, &pretty(&ours))?)
}
