use crate::spec::plain;
use crate::{
    Agent, Footprint, Game, Player, Spec, SpecError, from_pairs, from_public_pairs, public_schema,
};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fmt;
use std::sync::Arc;

/// Builds a fresh player for every game of a match.
pub type Factory<G> = Arc<dyn Fn() -> Player<G> + Send + Sync>;

/// A factory whose agents are clones of one prototype.
pub fn fresh<G: Game, A: Agent<G> + Clone + Sync + 'static>(prototype: A) -> Factory<G> {
    Arc::new(move || Player::Agent(Box::new(prototype.clone())))
}

/// The parameters of an agent: one plain struct, read from command lines and TOML alike, whose doc
/// comments are its help.
///
/// Derive `Default, Serialize, Deserialize, JsonSchema` and put
/// `#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]` on it.
pub trait Params:
    Default + Serialize + DeserializeOwned + JsonSchema + Send + Sync + 'static
{
}

impl<T: Default + Serialize + DeserializeOwned + JsonSchema + Send + Sync + 'static> Params for T {}

/// The parameters of an agent that has none.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct NoParams {}

/// One agent of a game: its name, what it is, and how it is built from text.
pub struct AgentEntry<G: Game> {
    /// The name in specs.
    pub name: &'static str,
    /// One sentence on how it plays.
    pub about: &'static str,
    /// The paper and section that describes it, or "Oboro".
    pub source: &'static str,
    /// The keys that values without a key stand for, in order.
    pub positional: &'static [&'static str],
    params: fn() -> Vec<ParamInfo>,
    schema: fn() -> Value,
    build: Build<G>,
    /// What it takes of memory, if strangers may ask for it.
    public: Option<Footprint>,
    public_schema: fn() -> Value,
    read_public: fn(&Spec, &[&str]) -> Result<Spec, SpecError>,
}

type Build<G> =
    Box<dyn Fn(&G, &Spec, &[&str]) -> Result<(Spec, Factory<G>), SpecError> + Send + Sync>;

impl<G: Game> fmt::Debug for AgentEntry<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AgentEntry").field("name", &self.name).finish_non_exhaustive()
    }
}

impl<G: Game> AgentEntry<G> {
    /// An agent whose parameters are `P`. `build` checks them once and returns the factory.
    pub fn new<P: Params>(
        name: &'static str,
        source: &'static str,
        about: &'static str,
        build: impl Fn(&G, &P) -> Result<Factory<G>, SpecError> + Send + Sync + 'static,
    ) -> AgentEntry<G> {
        AgentEntry {
            name,
            about,
            source,
            positional: &[],
            params: param_table::<P>,
            schema: json_schema::<P>,
            build: Box::new(move |game, spec, positional| {
                let params: P = from_pairs(&spec.name, &spec.args, positional)?;
                let factory = build(game, &params)
                    .map_err(|error| SpecError(format!("{}: {error}", spec.name)))?;
                Ok((canonical(&spec.name, &params), factory))
            }),
            public: None,
            public_schema: public_schema::<P>,
            read_public: |spec, positional| {
                let params: P = from_public_pairs(&spec.name, &spec.args, positional)?;
                Ok(canonical(&spec.name, &params))
            },
        }
    }

    /// Marks the agent as fit for strangers, who may set its public parameters. `held` and `thinking` are the
    /// kilobytes that it takes at most while it waits, and more while it thinks.
    #[must_use]
    pub fn public(self, held: u32, thinking: u32) -> AgentEntry<G> {
        AgentEntry { public: Some(Footprint { held, thinking }), ..self }
    }

    /// What it takes of memory at its public bounds; none if strangers may not ask for it.
    pub fn footprint(&self) -> Option<Footprint> {
        self.public
    }

    /// The JSON schema of its public parameters, with their bounds.
    pub fn public_schema(&self) -> Value {
        (self.public_schema)()
    }

    /// Reads the spec of a stranger; nothing is built. Its canonical form, and what it takes of memory.
    ///
    /// # Errors
    /// If there is no such public agent, or a parameter is not public or out of its public bounds.
    pub fn read_public(
        entries: &[AgentEntry<G>],
        text: &str,
    ) -> Result<(Spec, Footprint), SpecError> {
        crate::check_public_length("agent", text)?;
        let spec: Spec =
            text.parse().map_err(|error| SpecError(format!("agent `{text}`: {error}")))?;
        let public = || entries.iter().filter_map(|entry| Some((entry, entry.public?)));
        let Some((entry, footprint)) = public().find(|(entry, _)| entry.name == spec.name) else {
            let known: Vec<&str> = public().map(|(entry, _)| entry.name).collect();
            return Err(SpecError::unknown(&format!("{} agent", G::NAME), &spec.name, &known));
        };
        Ok(((entry.read_public)(&spec, entry.positional)?, footprint))
    }

    /// Names the keys that values without a key stand for: `gp:FILE` for `gp:file=FILE`.
    #[must_use]
    pub fn positional(self, keys: &'static [&'static str]) -> AgentEntry<G> {
        AgentEntry { positional: keys, ..self }
    }

    /// Its parameters with types, defaults and help.
    pub fn params(&self) -> Vec<ParamInfo> {
        (self.params)()
    }

    /// The JSON schema of its parameters.
    pub fn schema(&self) -> Value {
        (self.schema)()
    }

    /// Builds the agent: its canonical spec (only what differs from the defaults, in declared
    /// order) and the factory.
    ///
    /// # Errors
    /// If a parameter is unknown, ill-typed or refused by the agent.
    pub fn build(&self, game: &G, spec: &Spec) -> Result<(Spec, Factory<G>), SpecError> {
        (self.build)(game, spec, self.positional)
    }

    /// Finds and builds the agent that `spec` names.
    ///
    /// # Errors
    /// If there is no such agent, or it cannot be built so.
    pub fn resolve(
        entries: &[AgentEntry<G>],
        game: &G,
        spec: &Spec,
    ) -> Result<(Spec, Factory<G>), SpecError> {
        let Some(entry) = entries.iter().find(|entry| entry.name == spec.name) else {
            let known: Vec<&str> = entries.iter().map(|entry| entry.name).collect();
            return Err(SpecError::unknown(&format!("{} agent", G::NAME), &spec.name, &known));
        };
        entry.build(game, spec)
    }
}

/// The parameters that differ from the defaults, as they would be written, in declared order.
pub fn changed_params<P: Params>(params: &P) -> Vec<(String, String)> {
    let as_map = |params: &P| match serde_json::to_value(params) {
        Ok(Value::Object(map)) => map,
        other => panic!("parameters serialise to a map of plain values, not to {other:?}"),
    };
    let defaults = as_map(&P::default());
    as_map(params)
        .into_iter()
        .filter(|(key, value)| defaults.get(key) != Some(value) && !value.is_null())
        .map(|(key, value)| (key, plain(&value)))
        .collect()
}

fn canonical<P: Params>(name: &str, params: &P) -> Spec {
    let args = changed_params(params).into_iter().map(|(key, value)| (Some(key), value)).collect();
    Spec { name: name.to_owned(), args }
}

/// One parameter, as help shows it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ParamInfo {
    /// The key.
    pub name: String,
    /// Its type in words: "whole number", "yes or no", "random | rule | eval".
    pub kind: String,
    /// The default, as it would be written.
    pub default: String,
    /// What it does.
    pub about: String,
    /// Whether its value is taken as text even if it looks like a number.
    #[serde(skip)]
    pub is_text: bool,
}

/// The JSON schema of a type, whole in one piece.
pub fn json_schema<T: JsonSchema>() -> Value {
    let mut settings = schemars::generate::SchemaSettings::draft2020_12();
    settings.inline_subschemas = true;
    settings.into_generator().into_root_schema_for::<T>().to_value()
}

/// The parameters of a struct, read from its JSON schema.
pub fn param_table<P: JsonSchema>() -> Vec<ParamInfo> {
    params_of(&json_schema::<P>())
}

/// The parameters that a JSON schema describes.
pub fn params_of(schema: &Value) -> Vec<ParamInfo> {
    let Some(Value::Object(properties)) = schema.get("properties").cloned() else {
        return Vec::new();
    };
    properties
        .into_iter()
        .map(|(name, property)| {
            let kind = kind(&property);
            ParamInfo {
                is_text: kind == "text" || is_words(&property),
                kind,
                default: match property.get("default") {
                    None | Some(Value::Null) => "none".to_owned(),
                    Some(value) => plain(value),
                },
                about: property
                    .get("description")
                    .and_then(Value::as_str)
                    .unwrap_or_default()
                    .split_whitespace()
                    .collect::<Vec<_>>()
                    .join(" "),
                name,
            }
        })
        .collect()
}

/// A JSON schema's type in words.
fn kind(schema: &Value) -> String {
    let words = |values: &Vec<Value>| values.iter().map(plain).collect::<Vec<_>>().join(" | ");
    if let Some(Value::Array(values)) = schema.get("enum") {
        return words(&values.iter().filter(|v| !v.is_null()).cloned().collect());
    }
    if let Some(value) = schema.get("const") {
        return plain(value);
    }
    for key in ["oneOf", "anyOf"] {
        if let Some(Value::Array(options)) = schema.get(key) {
            let kinds: Vec<String> =
                options.iter().map(kind).filter(|k| !k.is_empty() && k != "null").collect();
            return kinds.join(" | ");
        }
    }
    let types: Vec<&str> = match schema.get("type") {
        Some(Value::String(one)) => vec![one],
        Some(Value::Array(many)) => many.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    match types.into_iter().find(|t| *t != "null") {
        Some("integer") => "whole number",
        Some("number") => "number",
        Some("boolean") => "yes or no",
        Some("string") => "text",
        Some(other) => return other.to_owned(),
        None => "",
    }
    .to_owned()
}

/// Whether a value is one of some words, `true` and `no` among them.
fn is_words(schema: &Value) -> bool {
    let options = |key: &str| schema.get(key).and_then(Value::as_array);
    let is_word = |value: &Value| value.is_string();
    options("enum").is_some_and(|values| values.iter().all(is_word))
        || schema.get("const").is_some_and(is_word)
        || options("oneOf").is_some_and(|kinds| kinds.iter().all(is_words))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "kebab-case")]
    enum Kind {
        /// Documented variants become `oneOf` in a schema.
        Plain,
        /// They are listed in order.
        VeryFancy,
        /// A word, and no truth value.
        True,
    }

    #[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
    #[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
    struct Example {
        /// How many
        /// playouts.
        playouts: u32,
        kind: Kind,
        may_pass: bool,
        weights: String,
        limit: Option<f64>,
    }

    impl Default for Example {
        fn default() -> Example {
            Example {
                playouts: 100,
                kind: Kind::Plain,
                may_pass: true,
                weights: "80:20".into(),
                limit: None,
            }
        }
    }

    fn read(text: &str) -> Result<Example, SpecError> {
        let spec: Spec = text.parse().unwrap();
        from_pairs("example", &spec.args, &["playouts"])
    }

    #[test]
    fn parameters_are_read_and_written_back() {
        let params = read("x:5,kind=very-fancy,may-pass=no,weights=60,limit=0.5").unwrap();
        assert_eq!((params.playouts, params.kind, params.may_pass), (5, Kind::VeryFancy, false));
        assert_eq!((params.weights.as_str(), params.limit), ("60", Some(0.5)));
        assert_eq!(
            canonical("x", &params).to_string(),
            "x:playouts=5,kind=very-fancy,may-pass=no,weights=60,limit=0.5"
        );
        assert_eq!(canonical("x", &Example::default()).to_string(), "x");
        let of_word = read("x:kind=true").unwrap();
        assert_eq!(
            (of_word.kind, canonical("x", &of_word).to_string()),
            (Kind::True, "x:kind=true".into())
        );
    }

    #[test]
    fn bad_parameters_are_explained() {
        let said = |text: &str| read(text).unwrap_err().to_string();
        assert_eq!(
            said("x:playuots=3"),
            "example: unknown key `playuots`; did you mean `playouts`? \
             (there is: playouts, kind, may-pass, weights, limit)"
        );
        let whole = |value| {
            format!("example: playouts={value}: expected a whole number from 0 to 4294967295")
        };
        for value in ["many", "-1", "1.5", "4294967296"] {
            assert_eq!(said(&format!("x:kind=plain,playouts={value}")), whole(value));
        }
        assert_eq!(said("x:limit=no"), "example: limit=no: expected a number");
        assert!(said("x:1,2").contains("needs a key"));
        assert!(said("x:playouts=1,playouts=2").contains("given twice"));
        assert!(said("x:kind=odd").contains("plain"));
    }

    #[test]
    fn help_knows_types_and_defaults() {
        let table = param_table::<Example>();
        let row =
            |i: usize| (table[i].name.as_str(), table[i].kind.as_str(), table[i].default.as_str());
        assert_eq!(row(0), ("playouts", "whole number", "100"));
        assert_eq!(table[0].about, "How many playouts.");
        assert_eq!(row(1), ("kind", "plain | very-fancy | true", "plain"));
        assert_eq!(row(2), ("may-pass", "yes or no", "yes"));
        assert_eq!(row(3), ("weights", "text", "80:20"));
        assert_eq!(row(4), ("limit", "number", "none"));
    }
}
