use crate::data::shape;
use crate::{AnyLive, AnyRules, CatalogError, ExternalAgents, game};
use oboro_core::{Record, Seed, SpecError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::sync::Arc;

/// What a new live game is to be.
///
/// ```
/// use oboro_catalog::{NewGame, read};
/// let request: NewGame = read(serde_json::json!({
///     "game": "sevens", "rules": {"players": 3}, "seats": [null, "eval", "rule"], "seed": "7"
/// })).unwrap();
/// let mut live = request.open().unwrap();
/// assert_eq!(live.to_act(), Some(0));
/// let error = live.play(1, "S8").unwrap_err();
/// assert_eq!(error.to_string(), "seat 1 cannot move: it is the turn of seat 0");
/// ```
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct NewGame {
    /// The game's name.
    pub game: String,
    /// Rule options; those left out keep their defaults.
    #[serde(default)]
    pub rules: Map<String, Value>,
    /// Who holds each seat: the spec of an agent, or null for somebody outside.
    pub seats: Vec<Option<String>>,
    /// Where everything random comes from: a whole number, or 0x and 64 hexadecimal digits.
    #[serde(default = "one")]
    pub seed: String,
    /// Which deal of that seed.
    #[serde(default)]
    pub deal: u64,
    /// A position to start from instead of a deal.
    #[serde(default)]
    pub position: Option<String>,
}

fn one() -> String {
    "1".to_owned()
}

impl NewGame {
    /// Starts the game.
    ///
    /// # Errors
    /// If there is no such game, rule, agent or position.
    pub fn open(&self) -> Result<Box<dyn AnyLive>, CatalogError> {
        self.open_among(None)
    }

    /// Starts the game, in which these players from outside may sit.
    ///
    /// # Errors
    /// As [`open`](NewGame::open).
    pub fn open_among(
        &self,
        external: Option<Arc<dyn ExternalAgents>>,
    ) -> Result<Box<dyn AnyLive>, CatalogError> {
        let mut rules = game(&self.game)?.rules(&options_of(&self.rules))?;
        if let Some(external) = external {
            rules = rules.allow_external(external);
        }
        self.open_by(rules.as_ref())
    }

    /// Starts the game by rules that were read already.
    ///
    /// # Errors
    /// If there is no such agent, seed or position.
    pub fn open_by(&self, rules: &dyn AnyRules) -> Result<Box<dyn AnyLive>, CatalogError> {
        let seed: Seed = self.seed.parse().map_err(|error| shape("seed", &error))?;
        let seeds = seed.game(self.deal, self.deal);
        let seats: Vec<Option<&str>> = self.seats.iter().map(Option::as_deref).collect();
        match &self.position {
            Some(position) => rules.live_at(position, &seats, &seeds),
            None => rules.live(&seats, self.deal, &seeds, &format!("{seed}/{}", self.deal)),
        }
    }
}

/// The game of a record, whatever game it is, replayed to where it ends, all seats left to somebody outside.
///
/// # Errors
/// If the text is no record, or the record is no game by its rules.
pub fn open_record(text: &str) -> Result<Box<dyn AnyLive>, CatalogError> {
    let record: Record = text.parse()?;
    game(&record.game)?.rules(&rule_options(&record.rules)?)?.live_from(&record)
}

/// As [`open_record`], for a record of a stranger: its rules have to be public ones.
///
/// # Errors
/// As [`open_record`].
pub fn open_public_record(text: &str) -> Result<Box<dyn AnyLive>, CatalogError> {
    let record: Record = text.parse()?;
    game(&record.game)?.public_rules(&rule_options(&record.rules)?)?.live_from(&record)
}

/// Rule options that came as data, as text.
pub fn options_of(rules: &Map<String, Value>) -> Vec<(String, String)> {
    let text = |value: &Value| match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    rules.iter().map(|(key, value)| (key.clone(), text(value))).collect()
}

/// Rule options as records have them, `key=value,key=value`, taken apart.
///
/// # Errors
/// If they are not `key=value` pairs.
pub fn rule_options(text: &str) -> Result<Vec<(String, String)>, SpecError> {
    let pair = |text: &str| {
        let (key, value) = text.split_once('=').ok_or_else(|| {
            SpecError(format!("rules: `{text}`: expected KEY=VALUE, such as players=3"))
        })?;
        Ok((key.trim().to_owned(), value.trim().to_owned()))
    };
    text.split(',').filter(|option| !option.is_empty()).map(pair).collect()
}
