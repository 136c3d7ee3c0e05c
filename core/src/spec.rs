//! The text form of an agent with its parameters.
//!
//! ```text
//! spec  = name [ ":" arg { "," arg } ]
//! arg   = [ key "=" ] value
//! value = text without a comma | "(" any text with balanced parentheses ")"
//! ```
//! A value may itself be a spec: `mcts:playouts=10000,policy=gp:best.txt`; one with commas of its
//! own is put in parentheses: `ismcts:policy=(gp:file=best.txt,temp=0.5),c=0.7`.

use crate::suggest::unknown;
use crate::{NotationError, Scanner};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use std::fmt;
use std::str::FromStr;

/// An agent's name and its parameters as they were written.
///
/// ```
/// use oboro_core::Spec;
/// let spec: Spec = "mc:playouts=2000,policy=rule".parse().unwrap();
/// assert_eq!(spec.name, "mc");
/// assert_eq!(spec.args[1], (Some("policy".into()), "rule".into()));
/// assert_eq!(spec.to_string(), "mc:playouts=2000,policy=rule");
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spec {
    /// The agent's name.
    pub name: String,
    /// Its arguments: an optional key, and the text of the value.
    pub args: Vec<(Option<String>, String)>,
}

impl Spec {
    /// Whether a limit of time was asked for: games of such an agent cannot be played again bit for
    /// bit. The parameter is called `seconds` wherever there is one, or `game-seconds` and the like.
    ///
    /// ```
    /// use oboro_core::Spec;
    /// let spec: Spec = "mcts:playouts=1000000,seconds=2".parse().unwrap();
    /// assert!(spec.is_timed());
    /// ```
    pub fn is_timed(&self) -> bool {
        let timed = |key: &str| key == "seconds" || key.ends_with("-seconds");
        self.args.iter().any(|(key, _)| key.as_deref().is_some_and(timed))
    }
}

impl FromStr for Spec {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Spec, NotationError> {
        let mut s = Scanner::new(text);
        let name = s.take_while(is_name);
        if name.is_empty() {
            return Err(s.error("expected a name of letters, digits and hyphens"));
        }
        let mut spec = Spec { name: name.to_owned(), args: Vec::new() };
        if s.rest().is_empty() {
            return Ok(spec);
        }
        if !s.eat(":") {
            return Err(s.error("expected `:` and parameters, or the end"));
        }
        loop {
            spec.args.push(arg(&mut s)?);
            if s.rest().is_empty() {
                return Ok(spec);
            }
            if !s.eat(",") {
                return Err(s.error("expected `,` or the end"));
            }
        }
    }
}

fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '-' || c == '_'
}

fn arg(s: &mut Scanner<'_>) -> Result<(Option<String>, String), NotationError> {
    let mut ahead = s.clone();
    let word = ahead.take_while(is_name);
    let key = if !word.is_empty() && ahead.eat("=") {
        *s = ahead;
        Some(word.to_owned())
    } else {
        None
    };
    let start = s.at();
    let value = if s.eat("(") {
        let mut depth = 1;
        let rest = s.rest();
        let end = rest.find(|c| {
            depth += i32::from(c == '(') - i32::from(c == ')');
            depth == 0
        });
        let Some(end) = end else {
            return Err(s.error_at(start, "this parenthesis is never closed"));
        };
        for _ in rest[..=end].chars() {
            s.take();
        }
        &rest[..end]
    } else {
        s.take_while(|c| !matches!(c, ',' | '(' | ')'))
    };
    if value.is_empty() {
        return Err(s.error_at(start, "expected a value"));
    }
    Ok((key, value.to_owned()))
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        for (i, (key, value)) in self.args.iter().enumerate() {
            f.write_str(if i == 0 { ":" } else { "," })?;
            if let Some(key) = key {
                write!(f, "{key}=")?;
            }
            if value.contains([',', '(', ')']) {
                write!(f, "({value})")?;
            } else {
                f.write_str(value)?;
            }
        }
        Ok(())
    }
}

/// An agent, rule or parameter that cannot be had as it was asked for.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct SpecError(pub String);

impl SpecError {
    /// `unknown WHAT "word"`, with a guess and the list of what exists.
    pub fn unknown(what: &str, word: &str, known: &[&str]) -> SpecError {
        SpecError(unknown(what, word, known))
    }
}

impl From<SpecError> for String {
    fn from(SpecError(message): SpecError) -> String {
        message
    }
}

/// Reads `key=value` pairs into a parameter struct. `owner` names it in errors; values without a
/// key take the names of `positional` in order.
///
/// # Errors
/// An unknown, repeated or ill-typed key, in words.
pub fn from_pairs<P>(
    owner: &str,
    args: &[(Option<String>, String)],
    positional: &[&str],
) -> Result<P, SpecError>
where
    P: DeserializeOwned + schemars::JsonSchema,
{
    read_pairs(owner, args, positional, &crate::param_table::<P>())
}

/// As [`from_pairs`], where only the parameters of `table` exist.
pub(crate) fn read_pairs<P: DeserializeOwned>(
    owner: &str,
    args: &[(Option<String>, String)],
    positional: &[&str],
    table: &[crate::ParamInfo],
) -> Result<P, SpecError> {
    let known: Vec<&str> = table.iter().map(|p| p.name.as_str()).collect();
    let mut map = Map::new();
    let mut free = positional.iter();
    for (key, text) in args {
        let key = match key {
            Some(key) => key.as_str(),
            None => free.next().copied().ok_or_else(|| {
                SpecError(format!(
                    "{owner}: `{text}` needs a key, as in KEY={text} (keys: {})",
                    known.join(", ")
                ))
            })?,
        };
        let Some(param) = table.iter().find(|p| p.name == key) else {
            return Err(SpecError(format!("{owner}: {}", unknown("key", key, &known))));
        };
        if map.insert(key.to_owned(), scalar(text, param.is_text)).is_some() {
            return Err(SpecError(format!("{owner}: `{key}` is given twice")));
        }
    }
    let pairs = map.clone();
    serde_json::from_value(Value::Object(map)).map_err(|error| {
        // Serde names the fault but not the key: find the key whose value alone is refused.
        let culprit = pairs.iter().find_map(|(key, value)| {
            let one = Map::from_iter([(key.clone(), value.clone())]);
            let error = serde_json::from_value::<P>(Value::Object(one)).err()?;
            Some(format!("{key}={}: {}", plain(value), in_words(&error.to_string())))
        });
        SpecError(format!("{owner}: {}", culprit.unwrap_or_else(|| error.to_string())))
    })
}

/// What was expected instead of a value, for readers who know no Rust: Serde calls numbers by their types there.
fn in_words(error: &str) -> String {
    let wanted = error.rsplit_once(", expected ").and_then(|(_, wanted)| number_in_words(wanted));
    wanted.map_or_else(|| error.to_owned(), |wanted| format!("expected {wanted}"))
}

/// A type of numbers in words.
fn number_in_words(wanted: &str) -> Option<String> {
    Some(match wanted {
        "u8" => format!("a whole number from 0 to {}", u8::MAX),
        "u16" => format!("a whole number from 0 to {}", u16::MAX),
        "u32" => format!("a whole number from 0 to {}", u32::MAX),
        "u64" | "usize" => format!("a whole number from 0 to {}", u64::MAX),
        "i8" | "i16" | "i32" | "i64" | "isize" => "a whole number".to_owned(),
        "f32" | "f64" => "a number".to_owned(),
        _ => return None,
    })
}

/// An error of Serde in words for readers who know no Rust: what was found is said as it was written, and what was
/// expected without the name of a type.
///
/// ```
/// let error = serde_json::from_str::<u8>("-1").unwrap_err().to_string();
/// let said = oboro_core::plain_error(&error);
/// assert!(said.starts_with("invalid value: integer `-1`, expected a whole number from 0 to 255"));
/// ```
pub fn plain_error(error: &str) -> String {
    let Some((found, rest)) = error.rsplit_once(", expected ") else { return error.to_owned() };
    let (wanted, place) = rest.split_at(rest.find(' ').unwrap_or(rest.len()));
    match number_in_words(wanted) {
        Some(wanted) => format!("{found}, expected {wanted}{place}"),
        None => error.to_owned(),
    }
}

/// The JSON value a word stands for: a number, a truth value, or text.
fn scalar(text: &str, is_text: bool) -> Value {
    if is_text {
        return Value::from(text);
    }
    match text {
        "true" | "yes" | "on" => Value::from(true),
        "false" | "no" | "off" => Value::from(false),
        _ => text
            .parse::<u64>()
            .map(Value::from)
            .or_else(|_| text.parse::<i64>().map(Value::from))
            .ok()
            // JSON has no other numbers: `nan` would be read as a value that was left out.
            .or_else(|| {
                text.parse().ok().filter(|number: &f64| number.is_finite()).map(Value::from)
            })
            .unwrap_or_else(|| Value::from(text)),
    }
}

/// The word for a JSON value: the inverse of [`scalar`].
pub(crate) fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Bool(true) => "yes".to_owned(),
        Value::Bool(false) => "no".to_owned(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_round_trips() {
        for text in [
            "random",
            "mc:playouts=2000,policy=rule",
            "mcts:policy=gp:best.txt",
            "ismcts:policy=(gp:file=best.txt,temp=0.5),c=0.7",
            "gp:dir/best-policy.txt",
            "a:b=(c:d=(e:f,g),h)",
        ] {
            let spec: Spec = text.parse().unwrap();
            assert_eq!(spec.to_string(), text);
            assert_eq!(spec.to_string().parse(), Ok(spec));
        }
    }

    #[test]
    fn faults_are_located() {
        for (text, column) in [
            ("", 1),
            ("mc:", 4),
            ("mc:a=", 6),
            ("mc:a=(b", 6),
            ("mc x", 3),
            ("mc:a=1,", 8),
            ("mc:a=b)", 7),
        ] {
            let error = text.parse::<Spec>().unwrap_err();
            assert_eq!(error.column(), column, "{text}: {error}");
        }
    }
}
