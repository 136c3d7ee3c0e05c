//! Data to and from JSON, and texts that fit a line.

use crate::CatalogError;
use oboro_core::plain_error;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use serde_json::value::RawValue;

/// Data of our own making as JSON.
pub(crate) fn json(data: &impl Serialize) -> Value {
    serde_json::to_value(data).expect("plain data has a JSON form")
}

/// Data as JSON text.
pub(crate) fn text(data: &impl Serialize) -> Box<RawValue> {
    serde_json::value::to_raw_value(data).expect("plain data has a JSON form")
}

/// A text that fits a line of a record.
pub(crate) fn one_line(text: &str) -> String {
    text.split(|c: char| c.is_whitespace() || c.is_control())
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

/// A complaint in a line that fits a record, whatever it quotes.
pub(crate) fn shown(text: &dyn std::fmt::Display) -> String {
    const LENGTH: usize = 200;
    let text = one_line(&text.to_string());
    if text.chars().count() <= LENGTH {
        return text;
    }
    text.chars().take(LENGTH).chain(['…']).collect()
}

/// Reads data of a given shape.
///
/// # Errors
/// If it has another shape: the field at fault.
pub fn read<T: DeserializeOwned>(value: Value) -> Result<T, CatalogError> {
    serde_path_to_error::deserialize(value)
        .map_err(|error| shape(&error.path().to_string(), error.inner()))
}

/// Data of another shape than was asked for.
pub(crate) fn shape(path: &str, error: &dyn std::error::Error) -> CatalogError {
    CatalogError::Shape { path: path.to_owned(), message: plain_error(&error.to_string()) }
}
