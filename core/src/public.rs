//! What a stranger may ask for: agents and parameters that a game marks as public, within bounds declared beside them.
//!
//! A parameter is public if its field carries `#[schemars(extend("x-public" = {…}))]`, which [`params!`](crate::params)
//! writes as `=> {…}`. The value is a piece of JSON schema that narrows the field's own: `{"minimum": 1, "maximum": 1000}`
//! for a number, `{"enum": […]}` or `{"maxLength": 8}` for text, `{}` for a closed set. What is not marked does not exist
//! for strangers. Parameters that name files, sizes of tables or seconds are never marked.

use crate::{ParamInfo, Params, SpecError, json_schema};
use serde::Serialize;
use serde_json::{Map, Value};

/// The key in a field's schema that marks a parameter as public.
const MARK: &str = "x-public";

/// The longest spec or rule option of a stranger, in bytes. It is checked before anything is parsed.
pub const PUBLIC_LENGTH: usize = 200;

/// The memory that an agent may take at its public bounds, in kilobytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Footprint {
    /// While it waits for its turn.
    pub held: u32,
    /// More than that while it thinks.
    pub thinking: u32,
}

/// Refuses a text that is too long to be parsed for a stranger.
///
/// # Errors
/// If it is longer than [`PUBLIC_LENGTH`].
pub fn check_public_length(what: &str, text: &str) -> Result<(), SpecError> {
    if text.len() <= PUBLIC_LENGTH {
        return Ok(());
    }
    Err(SpecError(format!("{what}: {} bytes, at most {PUBLIC_LENGTH} are read", text.len())))
}

/// The schema that strangers get of some parameters: the public ones, narrowed to their bounds.
pub fn public_schema<P: Params>() -> Value {
    let mut schema = json_schema::<P>();
    let narrowed: Map<String, Value> = match schema.get_mut("properties").map(Value::take) {
        Some(Value::Object(properties)) => properties.into_iter().filter_map(narrow).collect(),
        _ => Map::new(),
    };
    schema["properties"] = Value::Object(narrowed);
    schema
}

fn narrow((name, mut property): (String, Value)) -> Option<(String, Value)> {
    let fields = property.as_object_mut()?;
    let Value::Object(bounds) = fields.remove(MARK)? else { return None };
    fields.extend(bounds);
    Some((name, property))
}

/// Whether the values of a parameter of strangers are bounded: a closed set, a short text, or a number with both ends.
pub fn is_bounded(property: &Value) -> bool {
    let has = |key: &str| property.get(key).is_some_and(|value| !value.is_null());
    let number = has("minimum") && has("maximum");
    let closed = has("enum") || has("const") || has("oneOf") || has("maxLength");
    let boolean = property.get("type") == Some(&Value::from("boolean"));
    number || closed || boolean
}

/// Checks values against the bounds of a schema for strangers.
pub(crate) fn check_bounds<P: Params>(
    owner: &str,
    schema: &Value,
    params: &P,
) -> Result<(), SpecError> {
    let values = serde_json::to_value(params).unwrap_or_default();
    let properties = schema.get("properties").and_then(Value::as_object);
    for (name, property) in properties.into_iter().flatten() {
        let value = &values[name.as_str()];
        if let Err(bounds) = check_value(property, value) {
            let value = crate::spec::plain(value);
            return Err(SpecError(format!("{owner}: {name}={value}: {bounds}")));
        }
    }
    Ok(())
}

fn check_value(property: &Value, value: &Value) -> Result<(), String> {
    match value {
        Value::Number(number) => {
            let end = |key: &str| property.get(key).and_then(Value::as_f64);
            let number = number.as_f64().unwrap_or(f64::NAN);
            let (least, most) = (end("minimum"), end("maximum"));
            let (Some(least), Some(most)) = (least, most) else { return Err("no number".into()) };
            if (least..=most).contains(&number) {
                return Ok(());
            }
            Err(format!("from {least} to {most} here"))
        }
        Value::String(text) => {
            let longest = property.get("maxLength").and_then(Value::as_u64);
            if longest.is_some_and(|longest| text.chars().count() as u64 > longest) {
                return Err("too long".to_owned());
            }
            match property.get("enum").and_then(Value::as_array) {
                Some(known) if !known.contains(value) => {
                    let known: Vec<String> = known.iter().map(crate::spec::plain).collect();
                    Err(format!("one of {} here", known.join(", ")))
                }
                _ => Ok(()),
            }
        }
        // Truth values and what was left out. Closed sets have been read by their own types.
        _ => Ok(()),
    }
}

/// Reads the `key=value` pairs of a stranger into a parameter struct: only public keys exist, within their bounds.
///
/// # Errors
/// An unknown, repeated, ill-typed or unbounded value, in words.
pub fn from_public_pairs<P: Params>(
    owner: &str,
    args: &[(Option<String>, String)],
    positional: &[&str],
) -> Result<P, SpecError> {
    for (_, text) in args {
        check_public_length(owner, text)?;
    }
    let schema = public_schema::<P>();
    let table: Vec<ParamInfo> = crate::registry::params_of(&schema);
    let params: P = crate::spec::read_pairs(owner, args, positional, &table)?;
    check_bounds(owner, &schema, &params)?;
    Ok(params)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Spec;

    crate::params! {
        struct Example: Clone {
            playouts: u32 = 100 => {"minimum": 1, "maximum": 1000},
            net: String = "one".to_owned() => {"enum": ["one", "two"]},
            brave: bool = false => {},
            seconds: Option<f64> = None,
            file: String = "none".to_owned(),
        }
    }

    fn read(text: &str) -> Result<Example, SpecError> {
        let spec: Spec = text.parse().unwrap();
        from_public_pairs("x", &spec.args, &["playouts"])
    }

    #[test]
    fn only_marked_parameters_within_their_bounds_can_be_read() {
        assert_eq!(read("x:7,net=two,brave=yes").unwrap().playouts, 7);
        for (text, said) in [
            ("x:seconds=1", "unknown key `seconds`"),
            ("x:seconds=nan", "unknown key `seconds`"),
            ("x:file=/etc/passwd", "unknown key `file`"),
            ("x:playouts=0", "from 1 to 1000"),
            ("x:1001", "from 1 to 1000"),
            ("x:playouts=nan", "playouts"),
            ("x:playouts=1e99", "playouts"),
            ("x:net=/dev/zero", "one of one, two"),
            ("x:brave=perhaps", "brave"),
        ] {
            let error = read(text).unwrap_err().to_string();
            assert!(error.contains(said), "{text}: {error}");
        }
        assert!(read(&format!("x:net={}", "n".repeat(PUBLIC_LENGTH + 1))).is_err());
    }

    #[test]
    fn strangers_get_the_bounds_that_are_checked() {
        let schema = public_schema::<Example>();
        let properties = schema["properties"].as_object().unwrap();
        let names: Vec<&str> = properties.keys().map(String::as_str).collect();
        assert_eq!(names, ["playouts", "net", "brave"]);
        assert_eq!(schema["properties"]["playouts"]["maximum"], 1000);
        assert!(properties.values().all(is_bounded));
    }
}
