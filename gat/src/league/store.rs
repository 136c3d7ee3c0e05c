//! A league on disk: one line a game, written before it is reported.

use super::LeagueFile;
use crate::GatError;
use oboro_lab::event::{ABSENT, Event, EventChange, FORFEITED};
use oboro_lab::{GameResult, Numbers};
use oboro_store::{Journal, pretty, read_if_there, write_whole};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

/// Who won a game of a league.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum LeagueOutcome {
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
pub(super) struct LeagueGame {
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

impl LeagueGame {
    /// Adds the game to the league after so many others, if it is the one that is due.
    fn add_to(&self, event: &mut Event, others: u64) -> Result<(), String> {
        let not_due = || "it is not the game that was due".to_owned();
        let (board, seats) = event.advance().ok_or_else(not_due)?;
        let players: Vec<usize> = seats.iter().flatten().copied().collect();
        let names = players.iter().map(|&player| event.entrants()[player].name.as_str());
        if self.n != others + 1 || !names.eq([self.first.as_str(), self.second.as_str()]) {
            return Err(not_due());
        }
        let (payoffs, mark) = match self.outcome {
            LeagueOutcome::First => ([1.0, 0.0], self.forfeit.then_some((FORFEITED, [0.0, 1.0]))),
            LeagueOutcome::Second => ([0.0, 1.0], self.forfeit.then_some((FORFEITED, [1.0, 0.0]))),
            LeagueOutcome::Draw => ([0.5, 0.5], None),
            LeagueOutcome::None => ([0.0, 0.0], Some((ABSENT, [1.0, 1.0]))),
        };
        let fact =
            |(name, seats): (&str, [f64; 2])| (name.to_owned(), Numbers::Seats(seats.to_vec()));
        let result = GameResult {
            n: self.n,
            seats: players,
            payoffs: payoffs.to_vec(),
            plies: self.plies.into(),
            facts: mark.map(fact).into_iter().collect(),
            forfeit: self.forfeit.then(|| self.how.clone()),
        };
        let open = EventChange::Open { board, table: self.record.clone(), seats };
        let added =
            event.apply(&open).and_then(|()| event.apply(&EventChange::Over { board, result }));
        added.map_err(|error| error.to_string())
    }
}

/// A league in progress, and the folder that keeps it.
#[derive(Debug)]
pub(super) struct LeagueStore {
    folder: PathBuf,
    games: Journal<LeagueGame>,
    pub(super) event: Event,
    /// How many games have been played.
    pub(super) played: u64,
}

impl LeagueStore {
    /// Opens a new folder or one of the same league, with the games already played.
    pub(super) fn open(folder: &Path, league: &LeagueFile) -> Result<LeagueStore, GatError> {
        for part in ["records", "logs"] {
            let path = folder.join(part);
            fs::create_dir_all(&path).map_err(GatError::at(&path))?;
        }
        keep_description(&folder.join("league.json"), league)?;
        let mut event = league.event();
        let add = |game: &LeagueGame, place| game.add_to(&mut event, place);
        let (games, earlier) = Journal::open(&folder.join("games.jsonl"), add)?;
        let played = earlier.len() as u64;
        Ok(LeagueStore { folder: folder.to_owned(), games, event, played })
    }

    /// Adds the game that was due.
    pub(super) fn push(&mut self, game: &LeagueGame) -> Result<(), GatError> {
        self.games.push(game)?;
        game.add_to(&mut self.event, self.played).map_err(GatError::Input)?;
        self.played += 1;
        Ok(())
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
