//! What a table is set up as.

use crate::Refusal;
use crate::key::KeyHash;
use crate::levels::levels;
use oboro_catalog::{AnyLive, AnyRules, CatalogError, ExternalAgents, NewGame, game, options_of};
use oboro_core::{Footprint, Seed, check_public_length};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sha2::{Digest as _, Sha256};
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
    pub seats: Vec<SeatChoice>,
    /// Where everything random comes from; drawn if it is left out.
    #[serde(default)]
    pub seed: Option<String>,
    /// A position to go on from, instead of a deal.
    #[serde(default)]
    pub position: Option<String>,
    /// The options of the room, where people come and go; none for a table without clocks and open seats.
    #[serde(default)]
    pub room: Option<RoomOptions>,
}

/// Who is to sit at a seat.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum SeatChoice {
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
pub struct RoomOptions {
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
    /// Whether agents may be asked during the game; where more than one person plays, not if it is left out.
    pub hints: Option<bool>,
}

impl Default for RoomOptions {
    fn default() -> RoomOptions {
        RoomOptions {
            listed: false,
            move_seconds: None,
            game_seconds: None,
            stand_in: None,
            away_seconds: Some(120),
            lose_on_time: false,
            lose_when_away: false,
            hints: None,
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
    pub(crate) seats: Vec<SeatHolder>,
    pub(crate) room: Option<RoomOptions>,
    /// The event that set the table; none for one that people set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) occasion: Option<EventLink>,
    /// Whether whoever runs the server set it up: its rules and agents may be any. Strangers' are public ones.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) trusted: bool,
}

/// Why a table was set by the house.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) struct EventLink {
    /// The event's name in addresses.
    pub(crate) event: String,
    /// Milliseconds between the actions of agents, where only agents play.
    pub(crate) pace: u32,
}

/// Who holds a seat.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) enum SeatHolder {
    /// Whoever has the key.
    Person { name: String, lock: KeyHash },
    /// An agent of ours.
    Agent { spec: String },
    /// Nobody yet.
    Open {},
}

/// Letters of a person's name that are kept.
const NAME_LENGTH: usize = 40;

/// A name that fits a line, a record and a screen.
pub(crate) fn clean_name(name: &str) -> String {
    let words = name.split(|c: char| c.is_whitespace() || c.is_control());
    let name: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    name.join(" ").replace('|', "/").chars().take(NAME_LENGTH).collect()
}

impl Setup {
    /// What was asked for, with the keys of the people it named. Among people the server draws the deal, whoever asks.
    ///
    /// # Errors
    /// If a stranger asks for what is not for strangers.
    pub(crate) fn new(
        wanted: &NewTable,
        trusted: bool,
    ) -> Result<(Setup, Vec<Option<String>>), Refusal> {
        let mut keys = Vec::new();
        let place = |choice: &SeatChoice| {
            let (key, place) = match choice {
                SeatChoice::Person { name } => {
                    let (key, lock) = KeyHash::new();
                    (Some(key), SeatHolder::Person { name: clean_name(name), lock })
                }
                SeatChoice::Agent { spec } => (None, SeatHolder::Agent { spec: spec.clone() }),
                SeatChoice::Open {} => (None, SeatHolder::Open {}),
            };
            keys.push(key);
            place
        };
        if wanted.seats.len() > MOST_SEATS {
            return Err(Refusal::NotNow("no game has so many seats"));
        }
        let seats: Vec<SeatHolder> = wanted.seats.iter().map(place).collect();
        let among_people = people(&seats) > 1;
        if !trusted && among_people && (wanted.seed.is_some() || wanted.position.is_some()) {
            return Err(Refusal::NotNow(
                "among people the server deals: leave seed and position out",
            ));
        }
        if wanted.position.as_ref().is_some_and(|position| position.len() > LONGEST_POSITION) {
            return Err(Refusal::NotNow("no position is as long as that"));
        }
        let is_room = wanted.room.is_some() || seats.contains(&SeatHolder::Open {});
        let setup = Setup {
            game: wanted.game.clone(),
            rules: wanted.rules.clone(),
            seed: wanted.seed.clone().unwrap_or_else(|| random_seed(among_people)),
            position: wanted.position.clone(),
            seats,
            room: is_room.then(|| wanted.room.clone().unwrap_or_default()),
            occasion: None,
            trusted,
        };
        Ok((setup, keys))
    }

    /// The rules, after a check that everything in the setup may be asked for by whoever did.
    ///
    /// # Errors
    /// If there is no such game, rule or agent, or it is not for strangers.
    pub(crate) fn rules(
        &self,
        external: Option<Arc<dyn ExternalAgents>>,
    ) -> Result<Arc<dyn AnyRules>, CatalogError> {
        let keys = self.rules.keys().map(|key| ("rules", key));
        for (what, text) in keys.chain([("game", &self.game), ("seed", &self.seed)]) {
            check_public_length(what, text)?;
        }
        // What an event sets up is its host's.
        let trusted = self.trusted || self.occasion.is_some();
        let (game, options) = (game(&self.game)?, options_of(&self.rules));
        let mut rules = if trusted { game.rules(&options)? } else { game.public_rules(&options)? };
        if let Some(external) = external {
            rules = rules.allow_external(external);
        }
        if !trusted {
            for spec in self.agents() {
                rules.public(&spec)?;
            }
        }
        Ok(rules)
    }

    /// The agents that may come to sit here, seat by seat: its own, or the one that plays for people.
    fn agents(&self) -> Vec<String> {
        let stand_in = || self.room.as_ref().map(|_| self.stand_in());
        let agent = |holder: &SeatHolder| match holder {
            SeatHolder::Agent { spec } => Some(spec.clone()),
            _ => stand_in(),
        };
        self.seats.iter().filter_map(agent).collect()
    }

    /// What its agents take of memory: all of them while they wait, and the largest of them while it thinks.
    pub(crate) fn footprint(&self, rules: &dyn AnyRules) -> Footprint {
        let footprints = self.agents().into_iter().map(|spec| {
            // Of the host's own choice it is only known that the host wanted it so.
            rules.public(&spec).map_or(UNKNOWN, |spec| spec.footprint())
        });
        footprints.fold(Footprint::default(), |all, one| Footprint {
            held: all.held + one.held,
            thinking: all.thinking.max(one.thinking),
        })
    }

    /// The game at its start, every seat left to somebody outside.
    pub(crate) fn open(&self, rules: &dyn AnyRules) -> Result<Box<dyn AnyLive>, CatalogError> {
        let request = NewGame {
            game: self.game.clone(),
            rules: self.rules.clone(),
            seats: vec![None; self.seats.len()],
            seed: self.seed.clone(),
            deal: 0,
            position: self.position.clone(),
        };
        request.open_by(rules)
    }

    /// Whether agents may be asked during the game.
    pub(crate) fn allows_hints(&self) -> bool {
        let chosen = self.room.as_ref().and_then(|room| room.hints);
        self.occasion.is_none() && chosen.unwrap_or_else(|| people(&self.seats) <= 1)
    }

    /// What is shown of the deal before anybody takes a seat: the hash of the seed. The record has the seed itself, so
    /// that everybody can check that the deal was fixed before. None where a position was given instead of a deal.
    pub(crate) fn commitment(&self) -> Option<String> {
        self.position.is_none().then(|| commitment(&self.seed))
    }

    /// Random streams for agents that sit down after so many actions.
    pub(crate) fn seeds(&self, plies: usize) -> oboro_core::GameSeeds {
        let seed: Seed = self.seed.parse().expect("a game was opened with this seed");
        seed.game(0, plies as u64)
    }

    /// The agent that fills empty seats and plays for people who are away.
    pub(crate) fn stand_in(&self) -> String {
        let named = self.room.as_ref().and_then(|room| room.stand_in.clone());
        let middle = || levels(&self.game).get(1).map(|level| level.agent.clone());
        named.or_else(middle).unwrap_or_else(|| "random".to_owned())
    }
}

/// What is shown of a seed before anybody takes a seat: its SHA-256, in hexadecimal digits.
pub fn commitment(seed: &str) -> String {
    let hash = Sha256::digest(seed.as_bytes());
    hash.iter().fold(String::new(), |text, byte| format!("{text}{byte:02x}"))
}

/// No game has more.
const MOST_SEATS: usize = 16;
/// No game writes a longer one, in bytes.
const LONGEST_POSITION: usize = 8 * 1024;
/// What an agent of the host may take that strangers may not ask for.
const UNKNOWN: Footprint = Footprint { held: 8_192, thinking: 65_536 };

/// How many seats are for people.
fn people(seats: &[SeatHolder]) -> usize {
    seats.iter().filter(|holder| !matches!(holder, SeatHolder::Agent { .. })).count()
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

impl Setup {
    /// The same table with a new deal, everybody one seat further on if they swap.
    pub(crate) fn again(&self, mut seats: Vec<SeatHolder>, swap: bool) -> Setup {
        seats.rotate_right(usize::from(swap));
        let seed = random_seed(people(&seats) > 1);
        Setup { seats, seed, position: None, ..self.clone() }
    }
}
