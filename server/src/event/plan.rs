//! What an event is to be: the file that a host writes, or the form that a host fills in.

use crate::levels::levels;
use crate::setup::clean_name;
use oboro_catalog::{AnyRules, game};
use oboro_lab::event::{EventFormat, EventKind, EventScoring};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeSet;
use std::sync::Arc;

/// An event: which games, who may play, and how.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct EventPlan {
    /// What it is called. Two events of one server have different names.
    pub name: String,
    /// Who meets whom.
    pub kind: EventKind,
    /// How many rounds a Swiss event has; a round robin has as many as it needs.
    #[serde(default)]
    pub rounds: Option<u32>,
    /// Games that those who meet play in a row, everybody one seat further on each time: two for two players, one for more,
    /// if it is left out.
    #[serde(default)]
    pub games_per_meeting: Option<u32>,
    /// How many people may enter.
    #[serde(default = "places")]
    pub people: usize,
    /// The event begins by itself when so many people have entered; else when the host says so. Without people it begins
    /// at once.
    #[serde(default)]
    pub begin_with: Option<usize>,
    /// Whether it stands in the list that everybody can see.
    #[serde(default = "yes")]
    pub listed: bool,
    /// Seconds for each move of a person.
    #[serde(default)]
    pub move_seconds: Option<u32>,
    /// Seconds for all moves of a person in a game.
    #[serde(default)]
    pub game_seconds: Option<u32>,
    /// Seconds after which somebody whose turn it is and who is not there is given up.
    #[serde(default = "two_minutes")]
    pub come_seconds: u32,
    /// What happens to whoever does not come or runs out of time.
    #[serde(default)]
    pub absent: Absent,
    /// The agent of the house, which fills seats that are left over and plays for those who are not there; the game's
    /// middle level if it is left out.
    #[serde(default)]
    pub house: Option<String>,
    /// Milliseconds between the moves of agents among themselves.
    #[serde(default)]
    pub pace: u32,
    /// The games, played in turn round by round; a round robin plays each from its first round to its last.
    #[serde(rename = "game")]
    pub games: Vec<EventGame>,
    /// The agents that take part.
    #[serde(default, rename = "agent")]
    pub agents: Vec<EventAgent>,
}

/// What happens to whoever does not come.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Absent {
    /// The agent of the house plays for them.
    #[default]
    Agent,
    /// They have lost. With more than two at a table the others want to play on, so an agent plays there all the same.
    Forfeit,
}

/// One game of an event.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct EventGame {
    /// Its name.
    pub name: String,
    /// Rule options; how many sit at a table is one of them.
    #[serde(default)]
    pub rules: Map<String, Value>,
}

/// An agent that takes part.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct EventAgent {
    /// What it is called in the event; its spec, if it is left out.
    #[serde(default)]
    pub name: Option<String>,
    /// Its spec. It has to know every game of the event.
    pub spec: String,
}

impl EventAgent {
    /// What it is called.
    pub fn name(&self) -> String {
        clean_name(self.name.as_deref().unwrap_or(&self.spec))
    }
}

fn places() -> usize {
    32
}
fn yes() -> bool {
    true
}
fn two_minutes() -> u32 {
    120
}

/// An entrant who misses so many meetings in a row takes part no longer.
const PATIENCE: u32 = 2;
/// Nobody waits for a larger event.
const MOST_ENTRANTS: usize = 128;
/// Nor for a longer one.
const MOST_ROUNDS: u32 = 100;

impl EventPlan {
    /// Reads and checks a file.
    ///
    /// # Errors
    /// What is wrong with it, and where.
    pub fn parse(text: &str) -> Result<EventPlan, String> {
        let plan: EventPlan = toml::from_str(text).map_err(|error| error.to_string())?;
        plan.check()?;
        Ok(plan)
    }

    /// Checks that it can be played.
    ///
    /// # Errors
    /// What is wrong with it, and where.
    pub fn check(&self) -> Result<(), String> {
        if clean_name(&self.name) != self.name || self.name.is_empty() {
            return Err("name: 1 to 40 letters in one line".to_owned());
        }
        if self.games.is_empty() || self.games.len() > 8 {
            return Err("game: an event has one game to eight".to_owned());
        }
        let entrants = self.agents.len() + self.people;
        if !(2..=MOST_ENTRANTS).contains(&entrants) {
            return Err(format!(
                "people and agents together: 2 to {MOST_ENTRANTS}, and not {entrants}"
            ));
        }
        match (self.kind, self.rounds) {
            (EventKind::Swiss, Some(1..=MOST_ROUNDS)) | (EventKind::RoundRobin, None) => {}
            (EventKind::Swiss, _) => {
                return Err(format!("rounds: a Swiss event has 1 to {MOST_ROUNDS}"));
            }
            _ => return Err("rounds: a round robin has as many as it needs".to_owned()),
        }
        if self.games_per_meeting.is_some_and(|games| !(1..=20).contains(&games)) {
            return Err("games-per-meeting: 1 to 20".to_owned());
        }
        if self.begin_with.is_some_and(|people| people > self.people || people == 0) {
            return Err("begin-with: 1 to the number of people who may enter".to_owned());
        }
        if self.pace > 60_000 {
            return Err("pace: up to 60000 milliseconds".to_owned());
        }
        let mut names = BTreeSet::new();
        for agent in &self.agents {
            let name = agent.name();
            if name.is_empty() || !names.insert(name.to_lowercase()) {
                return Err(format!("agent `{name}`: every agent has a name of its own"));
            }
        }
        for game in &self.games {
            let rules = game.table()?;
            let at = |error: oboro_core::SpecError| format!("{}: {error}", game.name);
            for agent in &self.agents {
                rules.canonical(&agent.spec).map_err(at)?;
            }
            rules.canonical(&self.house(game)).map_err(at)?;
        }
        Ok(())
    }

    /// Checks what a form may ask for: public rules and agents alone. A file of whoever runs the server may name any.
    ///
    /// # Errors
    /// What is not public, and where.
    pub(crate) fn check_public(&self) -> Result<(), String> {
        for game in self.games.iter().take(8) {
            let at = |error: oboro_core::SpecError| format!("game {}: {error}", game.name);
            let options = oboro_catalog::options_of(&game.rules);
            let rules = oboro_catalog::game(&game.name).map_err(at)?.public_rules(&options);
            let rules = rules.map_err(at)?;
            for spec in self.agents.iter().map(|agent| &agent.spec).chain(&self.house) {
                rules.public(spec).map_err(at)?;
            }
        }
        Ok(())
    }

    /// The agent of the house at a game.
    pub(crate) fn house(&self, game: &EventGame) -> String {
        let middle = || levels(&game.name).get(1).map(|level| level.agent.clone());
        self.house.clone().or_else(middle).unwrap_or_else(|| "random".to_owned())
    }

    /// By what it is decided; a game that it names twice is one.
    fn scoring(&self) -> EventScoring {
        let games = self.games.iter().enumerate();
        let distinct = games.filter(|(number, game)| !self.games[..*number].contains(game));
        let scoring = distinct.filter_map(|(_, game)| Some(game.table().ok()?.scoring()));
        EventScoring::of(&scoring.collect::<Vec<_>>())
    }

    /// How it is played.
    pub(crate) fn format(&self) -> EventFormat {
        EventFormat {
            kind: self.kind,
            rounds: self.rounds,
            games_per_meeting: self.games_per_meeting,
            seats: self.games.iter().map(EventGame::seats).collect(),
            scoring: self.scoring(),
            people: self.people,
            begin_with: self.begin_with,
            patience: Some(PATIENCE),
            repeat_deals: true,
        }
    }
}

impl EventGame {
    /// The game with its rules.
    pub(crate) fn table(&self) -> Result<Arc<dyn AnyRules>, String> {
        let options = oboro_catalog::options_of(&self.rules);
        let at = |error: oboro_core::SpecError| format!("game {}: {error}", self.name);
        game(&self.name).map_err(at)?.rules(&options).map_err(at)
    }

    /// How many sit at a table.
    fn seats(&self) -> usize {
        self.table().map_or(2, |rules| rules.seats())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CUP: &str = "name = \"Cup\"\nkind = \"swiss\"\nrounds = 3\n\
                       [[game]]\nname = \"sevens\"\n[[agent]]\nspec = \"rule\"\n";

    #[test]
    fn the_example_can_be_played() {
        let plan = EventPlan::parse(include_str!("../../../examples/event.toml")).unwrap();
        assert_eq!((plan.games.len(), plan.agents.len(), plan.begin_with), (2, 2, Some(8)));
    }

    #[test]
    fn plans_are_read_and_bad_ones_refused_with_a_reason() {
        let cup = EventPlan::parse(CUP).unwrap();
        assert_eq!((cup.people, cup.format().seats), (32, vec![4]));
        assert_eq!(cup.house(&cup.games[0]), levels("sevens")[1].agent);
        for (text, says) in [
            ("", "name"),
            (&CUP.replace("rounds = 3", "rounds = 0"), "rounds"),
            (&CUP.replace("rounds = 3", ""), "rounds"),
            (&CUP.replace("swiss", "round-robin"), "as many as it needs"),
            (&CUP.replace("swiss", "knock-out"), "knock-out"),
            (&CUP.replace("\"Cup\"", "\"\""), "name"),
            (&CUP.replace("\"Cup\"", "\"a\\nb\""), "name"),
            (&CUP.replace("sevens", "chess"), "chess"),
            (&CUP.replace("\"rule\"", "\"grandmaster\""), "grandmaster"),
            (&CUP.replace("\"sevens\"", "\"sevens\"\nrules = { players = 99 }"), "players"),
            (&format!("people = 0\n{CUP}"), "together"),
            (&format!("people = 500\n{CUP}"), "together"),
            (&format!("begin-with = 40\n{CUP}"), "begin-with"),
            (&format!("house = \"x\"\n{CUP}"), "x"),
            (&format!("{CUP}[[agent]]\nname = \"RULE\"\nspec = \"eval\"\n"), "of its own"),
            (&format!("prize = 1\n{CUP}"), "prize"),
        ] {
            let error = EventPlan::parse(text).unwrap_err();
            assert!(error.contains(says), "{text}: {error}");
        }
    }
}
