use crate::{Fact, Game, GameWorld, IllegalAction, Live, LiveError, NotationError, Seat};
use std::fmt;
use std::str::FromStr;

const HEADER: &str = "oboro record 1";

/// One game written down so that it can be replayed and checked. Its text form:
///
/// ```text
/// oboro record 1
/// game: sevens
/// rules: players=4
/// seed: 1/17
/// agents: eval | rule | rule | eval
/// start: …
///
/// 1. 0 S8
/// 2. 1 pass
///
/// result: 2 1.3333333333333333 0.6666666666666666 0
/// ```
/// A game that a player forfeited has the line `forfeit: SEAT REASON` before its result: it may
/// stop anywhere, and its result is the one recorded. A game in progress has no result line.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Record {
    /// The game's name.
    pub game: String,
    /// Its rules where they differ from the defaults, as `key=value` pairs.
    pub rules: String,
    /// Where it came from, for people: seed and game number, or anything else in one line.
    pub seed: String,
    /// Who sat where.
    pub agents: Vec<String>,
    /// The position it started from.
    pub start: String,
    /// Who moved, and what.
    pub actions: Vec<(Seat, String)>,
    /// Who forfeited the game, and why, if it ended so and not by the rules.
    pub forfeit: Option<(Seat, String)>,
    /// What it was worth to each seat, as text so that it compares exactly; empty while it goes on.
    pub result: Vec<String>,
}

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{HEADER}")?;
        writeln!(f, "game: {}", self.game)?;
        writeln!(f, "rules: {}", self.rules)?;
        writeln!(f, "seed: {}", self.seed)?;
        writeln!(f, "agents: {}", self.agents.join(" | "))?;
        writeln!(f, "start: {}\n", self.start)?;
        for (i, (seat, action)) in self.actions.iter().enumerate() {
            writeln!(f, "{}. {seat} {action}", i + 1)?;
        }
        writeln!(f)?;
        if let Some((seat, reason)) = &self.forfeit {
            writeln!(f, "forfeit: {seat} {reason}")?;
        }
        if self.result.is_empty() {
            return Ok(());
        }
        writeln!(f, "result: {}", self.result.join(" "))
    }
}

/// A record whose text cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct RecordError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub message: String,
}

impl FromStr for Record {
    type Err = RecordError;

    fn from_str(text: &str) -> Result<Record, RecordError> {
        let fail = |line: usize, message: String| RecordError { line, message };
        let mut lines = text.lines().enumerate().map(|(i, line)| (i + 1, line.trim()));
        if lines.next().is_none_or(|(_, line)| line != HEADER) {
            return Err(fail(1, format!("a record starts with the line `{HEADER}`")));
        }
        let mut record = Record::default();
        let mut last = 1;
        let mut ended = false;
        for (number, line) in lines.filter(|(_, line)| !line.is_empty()) {
            last = number;
            if ended {
                return Err(fail(number, "nothing may follow the result".to_owned()));
            }
            if let Some((key, value)) = line.split_once(':') {
                let value = value.trim().to_owned();
                match key {
                    "game" => record.game = value,
                    "rules" => record.rules = value,
                    "seed" => record.seed = value,
                    "agents" if value.is_empty() => {}
                    "agents" => record.agents = value.split(" | ").map(str::to_owned).collect(),
                    "start" => record.start = value,
                    "forfeit" => {
                        let (seat, reason) = value.split_once(' ').unwrap_or((&value, ""));
                        let seat: u8 = seat.parse().map_err(|_| {
                            fail(number, format!("expected `forfeit: SEAT REASON`, found `{line}`"))
                        })?;
                        record.forfeit = Some((Seat::new(seat.into()), reason.to_owned()));
                    }
                    "result" => {
                        record.result = value.split_whitespace().map(str::to_owned).collect();
                        ended = true;
                    }
                    _ => return Err(fail(number, format!("unknown key `{key}`"))),
                }
                continue;
            }
            let expected = record.actions.len() + 1;
            let action = line.split_once(". ").and_then(|(n, rest)| {
                let (seat, action) = rest.split_once(' ')?;
                let seat: u8 = seat.parse().ok()?;
                (n.parse() == Ok(expected))
                    .then(|| (Seat::new(seat.into()), action.trim().to_owned()))
            });
            record.actions.push(action.ok_or_else(|| {
                fail(
                    number,
                    format!("expected `{expected}. SEAT ACTION` or `KEY: VALUE`, found `{line}`"),
                )
            })?);
        }
        for (key, missing) in [("game", record.game.is_empty()), ("start", record.start.is_empty())]
        {
            if missing {
                return Err(fail(last, format!("the record has no `{key}:` line")));
            }
        }
        Ok(record)
    }
}

/// A record stepped through from its start: a live game whose actions come from the record.
#[derive(Debug)]
pub struct Replay<G: Game> {
    live: Live<G>,
    steps: Vec<(Seat, G::Action)>,
    forfeit: Option<(Seat, String)>,
    result: Vec<String>,
}

/// A record that is no game by the rules.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ReplayError {
    /// The start is no position.
    #[error("start: {0}")]
    Start(NotationError),
    /// An action cannot be read.
    #[error("action {0}: {1}")]
    Action(usize, NotationError),
    /// It is another seat's turn.
    #[error("action {0}: seat {1} moves, but it is {2}'s turn")]
    Turn(usize, Seat, String),
    /// An action is against the rules.
    #[error("action {0}: {1}")]
    Illegal(usize, IllegalAction),
    /// The game was over when it is said to have been forfeited.
    #[error("the record says the game was forfeited, but it was over")]
    Forfeit,
    /// The seat that is said to have forfeited does not exist.
    #[error("forfeit: {0}")]
    Seat(LiveError),
    /// The actions run out before the game is over, yet the record has a result.
    #[error("the record ends after {0} actions, but the game is not over")]
    Unfinished(usize),
    /// The game is worth something else than the record says.
    #[error("the record says the result is {0}, the rules say {1}")]
    Result(String, String),
}

impl<G: Game> Replay<G> {
    /// Reads the start and the actions of a record of this game.
    ///
    /// # Errors
    /// If either cannot be read.
    pub fn new(game: &G, record: &Record) -> Result<Replay<G>, ReplayError> {
        let world = game.parse_position(&record.start).map_err(ReplayError::Start)?;
        let steps = record
            .actions
            .iter()
            .enumerate()
            .map(|(i, (seat, text))| {
                let action = text.parse().map_err(|error| ReplayError::Action(i + 1, error))?;
                Ok((*seat, action))
            })
            .collect::<Result<_, ReplayError>>()?;
        Ok(Replay {
            live: Live::open(game.clone(), world),
            steps,
            forfeit: record.forfeit.clone(),
            result: record.result.clone(),
        })
    }

    /// The game as far as it has been replayed.
    pub fn live(&self) -> &Live<G> {
        &self.live
    }

    /// The truth after the steps taken.
    pub fn world(&self) -> &G::World {
        self.live.world()
    }

    /// Plays the next action; `None` after the last, when the end and the result are checked.
    ///
    /// # Errors
    /// If the record breaks the rules here.
    pub fn step(&mut self) -> Result<Option<(Seat, G::Action)>, ReplayError> {
        let number = self.live.plies() + 1;
        let Some(&(seat, action)) = self.steps.get(self.live.plies()) else {
            return self.check_end().map(|()| None);
        };
        if self.live.to_act() != Some(seat) {
            let turn = self.live.to_act().map_or("nobody".to_owned(), |s| format!("seat {s}"));
            return Err(ReplayError::Turn(number, seat, turn));
        }
        match self.live.play(seat, action) {
            Ok(()) => Ok(Some((seat, action))),
            Err(LiveError::Illegal(_, error)) => Err(ReplayError::Illegal(number, error)),
            Err(other) => unreachable!("the seat is outside and to move: {other}"),
        }
    }

    /// Replays all that is left and hands the live game over, forfeited if the record says so.
    ///
    /// # Errors
    /// If the record breaks the rules.
    pub fn finish(mut self) -> Result<Live<G>, ReplayError> {
        while self.step()?.is_some() {}
        if let Some((seat, reason)) = self.forfeit {
            self.live.forfeit(seat, reason).map_err(ReplayError::Seat)?;
        }
        Ok(self.live)
    }

    fn check_end(&self) -> Result<(), ReplayError> {
        match (self.live.to_act(), &self.forfeit) {
            (Some(_), Some(_)) => return Ok(()),
            (None, Some(_)) => return Err(ReplayError::Forfeit),
            (Some(_), None) if self.result.is_empty() => return Ok(()),
            (Some(_), None) => return Err(ReplayError::Unfinished(self.live.plies())),
            (None, None) => {}
        }
        let payoffs = self.live.outcome().expect("nobody is to move: it is over").payoffs;
        let ours: Vec<String> = payoffs.iter().map(f64::to_string).collect();
        if !self.result.is_empty() && ours != self.result {
            return Err(ReplayError::Result(self.result.join(" "), ours.join(" ")));
        }
        Ok(())
    }

    /// What the finished game says besides its payoffs.
    pub fn facts(&self) -> Vec<Fact> {
        self.world().facts()
    }
}
