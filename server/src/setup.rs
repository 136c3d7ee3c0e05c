//! What a table is set up as.

use crate::levels::levels;
use crate::secret::Lock;
use oboro_catalog::{AnyLive, CatalogError, ExternalAgents, NewGame};
use oboro_core::Seed;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::sync::Arc;

/// What a browser asks for when it sets a table.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct NewTable {
    /// The game's name.
    pub game: String,
    /// Rule options.
    #[serde(default)]
    pub rules: Map<String, Value>,
    /// Who sits where.
    pub seats: Vec<Sitter>,
    /// Where everything random comes from; drawn if it is left out.
    #[serde(default)]
    pub seed: Option<String>,
    /// A position to go on from, instead of a deal.
    #[serde(default)]
    pub position: Option<String>,
    /// The customs of the room, where people come and go; none for a table without clocks and open seats.
    #[serde(default)]
    pub room: Option<Customs>,
}

/// Who is to sit at a seat.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Sitter {
    /// A person.
    Person {
        /// What it is called.
        #[serde(default)]
        name: String,
    },
    /// An agent of ours.
    Agent {
        /// Its spec.
        spec: String,
    },
    /// Whoever comes and takes it.
    Open {},
}

/// How people come, go and use up time in a room.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Customs {
    /// Whether the room stands in the list that everybody can see.
    pub listed: bool,
    /// Seconds for each move.
    pub move_seconds: Option<u32>,
    /// Seconds for all moves of a seat together.
    pub game_seconds: Option<u32>,
    /// The agent that fills empty seats and plays for those who are away; the game's middle level if left out.
    pub stand_in: Option<String>,
    /// Seconds after which it plays for somebody who is away and whose turn it is; none: everybody waits.
    pub away_seconds: Option<u32>,
    /// Whoever runs out of time has lost; else an agent plays on.
    pub lose_on_time: bool,
    /// Whoever is away for `away-seconds` has lost; else an agent plays on.
    pub lose_when_away: bool,
}

impl Default for Customs {
    fn default() -> Customs {
        Customs {
            listed: false,
            move_seconds: None,
            game_seconds: None,
            stand_in: None,
            away_seconds: Some(120),
            lose_on_time: false,
            lose_when_away: false,
        }
    }
}

/// A table that was set.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Opened {
    /// Its name in addresses.
    pub table: String,
    /// The key of every seat that a person holds.
    pub keys: Vec<Option<String>>,
    /// Where it is to be found.
    pub address: String,
}

/// What a table is set up as, in the database.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) struct Setup {
    pub(crate) game: String,
    pub(crate) rules: Map<String, Value>,
    pub(crate) seed: String,
    pub(crate) position: Option<String>,
    pub(crate) seats: Vec<Place>,
    pub(crate) room: Option<Customs>,
    /// The event that set the table; none for one that people set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) occasion: Option<Occasion>,
}

/// Why a table was set by the house.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) struct Occasion {
    /// The event's name in addresses.
    pub(crate) event: String,
    /// Milliseconds between the actions of agents, where only agents play.
    pub(crate) pace: u32,
}

/// Who holds a seat.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) enum Place {
    /// Whoever has the key.
    Person { name: String, lock: Lock },
    /// An agent of ours.
    Agent { spec: String },
    /// Nobody yet.
    Open {},
}

/// Letters of a person's name that are kept.
const NAME_LENGTH: usize = 40;

/// A name that fits a line, a record and a screen.
pub(crate) fn tidy(name: &str) -> String {
    let words = name.split(|c: char| c.is_whitespace() || c.is_control());
    let name: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    name.join(" ").replace('|', "/").chars().take(NAME_LENGTH).collect()
}

impl Setup {
    /// What a browser asked for, with the keys of the people it named.
    pub(crate) fn new(wanted: &NewTable) -> (Setup, Vec<Option<String>>) {
        let mut keys = Vec::new();
        let place = |sitter: &Sitter| {
            let (key, place) = match sitter {
                Sitter::Person { name } => {
                    let (key, lock) = Lock::new();
                    (Some(key), Place::Person { name: tidy(name), lock })
                }
                Sitter::Agent { spec } => (None, Place::Agent { spec: spec.clone() }),
                Sitter::Open {} => (None, Place::Open {}),
            };
            keys.push(key);
            place
        };
        let seats: Vec<Place> = wanted.seats.iter().map(place).collect();
        let people = seats.iter().filter(|place| !matches!(place, Place::Agent { .. })).count();
        let is_room = wanted.room.is_some() || seats.contains(&Place::Open {});
        let setup = Setup {
            game: wanted.game.clone(),
            rules: wanted.rules.clone(),
            seed: wanted.seed.clone().unwrap_or_else(|| random_seed(people > 1)),
            position: wanted.position.clone(),
            seats,
            room: is_room.then(|| wanted.room.clone().unwrap_or_default()),
            occasion: None,
        };
        (setup, keys)
    }

    /// The game at its start, every seat left to somebody outside.
    pub(crate) fn open(
        &self,
        external: Option<Arc<dyn ExternalAgents>>,
    ) -> Result<Box<dyn AnyLive>, CatalogError> {
        let request = NewGame {
            game: self.game.clone(),
            rules: self.rules.clone(),
            seats: vec![None; self.seats.len()],
            seed: self.seed.clone(),
            deal: 0,
            position: self.position.clone(),
        };
        request.open_among(external)
    }

    /// Random streams for agents that sit down after so many actions.
    pub(crate) fn seeds(&self, plies: usize) -> oboro_core::GameSeeds {
        let seed: Seed = self.seed.parse().expect("a game was opened with this seed");
        seed.game(0, plies as u64)
    }

    /// Checks that there is such an agent.
    pub(crate) fn check_agent(&self, spec: &str) -> Result<(), CatalogError> {
        self.open(None)?.reseat(0, Some(spec), &self.seeds(0))
    }

    /// The agent that fills empty seats and plays for people who are away.
    pub(crate) fn stand_in(&self) -> String {
        let named = self.room.as_ref().and_then(|room| room.stand_in.clone());
        let middle = || levels(&self.game).get(1).map(|level| level.agent.clone());
        named.or_else(middle).unwrap_or_else(|| "random".to_owned())
    }
}

/// A new game for people should be a new one every time; its record says which seed it was. Among people the seed is as
/// long as seeds can be: a short one could be found by dealing until one's own hand comes out.
pub(crate) fn random_seed(among_people: bool) -> String {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).expect("the system gives random numbers");
    if among_people {
        return bytes.iter().fold("0x".to_owned(), |text, byte| format!("{text}{byte:02x}"));
    }
    u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]).to_string()
}
