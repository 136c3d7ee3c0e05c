//! The file that describes a league.

use crate::{GatError, SessionOptions, TimeControl};
use oboro_core::{Game as _, Seed};
use oboro_geister::Geister;
use oboro_lab::event::{Entrant, Event, EventFormat, EventKind, all_pairs};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Duration;

/// A league: who plays, and how.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct LeagueFile {
    /// What it is called in records.
    pub(crate) name: String,
    /// Games a pairing: an even number, half of them with swapped sides.
    pub(crate) games: u32,
    /// A player's time for a whole game, in seconds.
    budget: f64,
    /// A player's time for a move, in seconds.
    timeout: f64,
    /// The pause after a move, in milliseconds.
    wait: f64,
    /// The least time between two messages to one program, in milliseconds.
    spacing: f64,
    /// The ply limit.
    plies: u16,
    /// Whether a program that sent a bad line may try again.
    no_ng_terminate: bool,
    /// Whether programs may give names; results always use the names of this file.
    names: bool,
    /// How long a program may take to connect, and again to place its pieces, in seconds.
    start: f64,
    /// How long a program may take to close and exit after a game, in seconds.
    leave: f64,
    /// Where programs connect to.
    pub(super) host: String,
    /// The port of the first player; 0 takes a free one for every game. Programs with hard-wired
    /// ports need 10000.
    pub(super) first_port: u16,
    /// The port of the second player; programs with hard-wired ports need 10001.
    pub(super) second_port: u16,
    /// Where the randomness of our agents comes from.
    seed: String,
    /// The players.
    #[serde(rename = "player")]
    pub(crate) players: Vec<PlayerEntry>,
}

impl Default for LeagueFile {
    fn default() -> LeagueFile {
        LeagueFile {
            name: "league".to_owned(),
            games: 2,
            budget: 600.0,
            timeout: 10.0,
            wait: 0.0,
            spacing: 50.0,
            plies: 300,
            no_ng_terminate: false,
            names: false,
            start: 30.0,
            leave: 2.0,
            host: "127.0.0.1".to_owned(),
            first_port: 0,
            second_port: 0,
            seed: "1".to_owned(),
            players: Vec::new(),
        }
    }
}

/// One player of a league: an agent of ours, or a program.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct PlayerEntry {
    /// Its name in results; letters, digits and `-_.` only, for it names a file too.
    pub(crate) name: String,
    /// The spec of an agent of ours.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) agent: Option<String>,
    /// The program and its arguments; `{host}` and `{port}` are filled in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) command: Option<Vec<String>>,
    /// The folder to start it in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) directory: Option<String>,
    /// What it reads on its standard input, for programs that ask questions at their start; nothing if it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) input: Option<String>,
    /// Variables that are added to its environment.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) environment: BTreeMap<String, String>,
}

impl PlayerEntry {
    /// Only a program has an input and an environment, and a variable has a name.
    fn check_surroundings(&self) -> Result<(), String> {
        if self.command.is_none() && (self.input.is_some() || !self.environment.is_empty()) {
            return Err("`input` and `environment` are for a `command`".to_owned());
        }
        let is_bad = |name: &&String| name.is_empty() || name.contains(['=', '\0']);
        match self.environment.keys().find(is_bad) {
            Some(name) => Err(format!("environment: `{name}` is no name of a variable")),
            None => Ok(()),
        }
    }
}

impl LeagueFile {
    /// Reads and checks a file.
    pub(crate) fn read(path: &Path) -> Result<LeagueFile, GatError> {
        let text = std::fs::read_to_string(path).map_err(GatError::at(path))?;
        LeagueFile::parse(&text)
            .map_err(|message| GatError::Input(format!("{}: {message}", path.display())))
    }

    /// Reads and checks the text of a file.
    pub(crate) fn parse(text: &str) -> Result<LeagueFile, String> {
        let league: LeagueFile = toml::from_str(text).map_err(|error| error.to_string())?;
        if league.players.len() < 2 {
            return Err("a league needs at least two [[player]] entries".to_owned());
        }
        if league.games == 0 || league.games % 2 == 1 {
            return Err(format!("games = {}: an even number, for swapped sides", league.games));
        }
        for (field, value) in [
            ("budget", league.budget),
            ("timeout", league.timeout),
            ("wait", league.wait),
            ("spacing", league.spacing),
            ("start", league.start),
            ("leave", league.leave),
        ] {
            if !(0.0..=1e7).contains(&value) {
                return Err(format!("{field} = {value}: 0 to 10000000"));
            }
        }
        league.seed.parse::<Seed>().map_err(|error| format!("seed: {error}"))?;
        let mut names = BTreeSet::new();
        for player in &league.players {
            let name = &player.name;
            let plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
            if name.is_empty() || name.len() > 32 || !name.chars().all(plain) {
                return Err(format!(
                    "player `{name}`: a name is 1 to 32 letters, digits, `-`, `_` or `.`"
                ));
            }
            if !names.insert(name) {
                return Err(format!("player `{name}` is there twice"));
            }
            match (&player.agent, &player.command) {
                (Some(_), None) => {}
                (None, Some(command)) if !command.is_empty() => {}
                _ => return Err(format!("player `{name}`: give either `agent` or `command`")),
            }
            player.check_surroundings().map_err(|error| format!("player `{name}`: {error}"))?;
        }
        league.rules().validate().map_err(|error| error.to_string())?;
        Ok(league)
    }

    fn rules(&self) -> Geister {
        Geister { plies: self.plies, ..Geister::default() }
    }

    /// How its games are played.
    pub(super) fn session(&self) -> Result<SessionOptions, GatError> {
        let rules = self.rules();
        rules.validate()?;
        Ok(SessionOptions {
            rules,
            time: TimeControl {
                budget: Duration::from_secs_f64(self.budget),
                timeout: Duration::from_secs_f64(self.timeout),
            },
            wait: Duration::from_secs_f64(self.wait / 1000.0),
            ng_terminates: !self.no_ng_terminate,
            names: self.names,
            set_limit: self.start(),
        })
    }

    pub(super) fn seed(&self) -> Seed {
        self.seed.parse().expect("checked when the file was read")
    }

    pub(super) fn spacing(&self) -> Duration {
        Duration::from_secs_f64(self.spacing / 1000.0)
    }

    pub(super) fn start(&self) -> Duration {
        Duration::from_secs_f64(self.start)
    }

    pub(super) fn leave(&self) -> Duration {
        Duration::from_secs_f64(self.leave)
    }

    /// How many games it has in all.
    pub(super) fn total(&self) -> u64 {
        all_pairs(self.players.len()).count() as u64 * u64::from(self.games)
    }

    /// The league before its first game. Each round has every pairing twice, with both sides, so that a league that is cut
    /// short is balanced, and a longer one starts like a shorter one.
    pub(super) fn event(&self) -> Event {
        let format = EventFormat {
            kind: EventKind::AllPairs,
            rounds: Some(self.games / 2),
            seats: vec![2],
            ..EventFormat::default()
        };
        let entrants = self.players.iter().map(|one| Entrant::agent(&one.name, &one.name));
        Event::new(format, self.seed(), entrants.collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TWO: &str = "[[player]]\nname = \"a\"\nagent = \"random\"\n\
                       [[player]]\nname = \"b\"\ncommand = [\"b\", \"{port}\"]\n";

    #[test]
    fn bad_files_are_refused_with_a_reason() {
        for (text, says) in [
            ("", "player"),
            (&format!("games = 3\n{TWO}"), "even"),
            (&format!("timeout = -1\n{TWO}"), "timeout"),
            (&format!("plies = 0\n{TWO}"), "plies"),
            (&format!("gmaes = 2\n{TWO}"), "gmaes"),
            (&TWO.replace("\"b\"\nc", "\"a\"\nc"), "twice"),
            (&TWO.replace("\"b\"\nc", "\"../b\"\nc"), "letters"),
            (&TWO.replace("agent = \"random\"", ""), "either"),
            (&TWO.replace("[\"b\", \"{port}\"]", "[]"), "either"),
            (&TWO.replace("\"random\"\n", "\"random\"\ninput = \"1\"\n"), "for a `command`"),
            (&format!("{TWO}environment = {{ \"A=B\" = \"1\" }}\n"), "no name of a variable"),
            ("[[player]]\nname = \"a\"\nagent = \"random\"\n", "two"),
        ] {
            let error = LeagueFile::parse(text).unwrap_err();
            assert!(error.contains(says), "{text}: {error}");
        }
    }
}
