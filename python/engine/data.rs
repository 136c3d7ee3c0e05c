//! Plain data between Python and the engine.

use crate::fault::Fault;
use oboro_core::{EncodingLayout, Perspective, Seat, Seed, Shape, Symmetry};
use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString};
use serde::Serialize;
use serde_json::Value;

/// Data as dicts, lists, strings and numbers.
pub(crate) fn to_python<'py>(
    py: Python<'py>,
    data: &impl Serialize,
) -> PyResult<Bound<'py, PyAny>> {
    let value = serde_json::to_value(data)
        .map_err(|error| Fault::new("EngineError", format!("no plain data: {error}")))?;
    value_to_python(py, &value)
}

fn value_to_python<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    Ok(match value {
        Value::Null => py.None().into_bound(py),
        Value::Bool(value) => PyBool::new(py, *value).to_owned().into_any(),
        Value::Number(number) => match (number.as_i64(), number.as_u64()) {
            (Some(number), _) => number.into_pyobject(py)?.into_any(),
            (None, Some(number)) => number.into_pyobject(py)?.into_any(),
            _ => PyFloat::new(py, number.as_f64().unwrap_or(f64::NAN)).into_any(),
        },
        Value::String(text) => PyString::new(py, text).into_any(),
        Value::Array(values) => {
            let list = PyList::empty(py);
            for value in values {
                list.append(value_to_python(py, value)?)?;
            }
            list.into_any()
        }
        Value::Object(entries) => {
            let dict = PyDict::new(py);
            let is_phrase = PHRASE.iter().all(|(language, ..)| entries.contains_key(*language));
            for (key, value) in entries {
                let words = PHRASE.iter().find(|(language, ..)| is_phrase && language == key);
                match (words, value) {
                    (Some((_, player, seat)), Value::String(text)) => {
                        dict.set_item(key, count_seats(text, player, seat))?;
                    }
                    _ => dict.set_item(key, value_to_python(py, value)?)?,
                }
            }
            dict.into_any()
        }
    })
}

/// What a phrase calls a player, by language, and what it calls a seat in Python.
const PHRASE: [(&str, &str, &str); 2] = [("en", "Player ", "seat "), ("ja", "プレイヤー", "席")];

/// A text for people counts players from 1, and everything in Python counts seats from 0: `Player 1` becomes `seat 0`.
fn count_seats(text: &str, player: &str, seat: &str) -> String {
    let mut parts = text.split(player);
    let mut told = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let digits = part.bytes().take_while(u8::is_ascii_digit).count();
        let (number, rest) = part.split_at(digits);
        match number.parse::<usize>().ok().and_then(|number| number.checked_sub(1)) {
            Some(number) if told.is_empty() => {
                let (first, others) = seat.split_at(seat.chars().next().map_or(0, char::len_utf8));
                told.push_str(&format!("{}{others}{number}", first.to_uppercase()));
            }
            Some(number) => told.push_str(&format!("{seat}{number}")),
            None => told.push_str(&format!("{player}{number}")),
        }
        told.push_str(rest);
    }
    told
}

/// What the numbers of a game mean, in the words of the package.
#[derive(Serialize)]
struct Layout<'a> {
    observation: &'a Shape,
    privileged: &'a Shape,
    actions: usize,
}

/// A layout as data.
pub(crate) fn layout_to_python<'py>(
    py: Python<'py>,
    layout: &EncodingLayout,
) -> PyResult<Bound<'py, PyAny>> {
    let EncodingLayout { observation, truth: privileged, actions } = layout;
    to_python(py, &Layout { observation, privileged, actions: *actions })
}

/// Symmetries as data, in the same words.
pub(crate) fn symmetries_to_python<'py>(
    py: Python<'py>,
    symmetries: &[Symmetry],
) -> PyResult<Bound<'py, PyAny>> {
    let listed = symmetries.iter().map(|symmetry| {
        let Symmetry { name, observation, truth, actions } = symmetry;
        serde_json::json!({
            "name": name, "observation": observation, "privileged": truth, "actions": actions,
        })
    });
    to_python(py, &listed.collect::<Vec<_>>())
}

/// Rule options as the command line would have them: `{"turn_limit": 100}` is `turn-limit=100`.
pub(crate) fn options(rules: Option<&Bound<'_, PyDict>>) -> PyResult<Vec<(String, String)>> {
    let Some(rules) = rules else { return Ok(Vec::new()) };
    let mut options = Vec::new();
    for (key, value) in rules {
        let key: String = key.extract()?;
        let text = if let Ok(yes) = value.cast::<PyBool>() {
            yes.is_true().to_string()
        } else if value.is_instance_of::<PyString>()
            || value.is_instance_of::<PyInt>()
            || value.is_instance_of::<PyFloat>()
        {
            value.str()?.to_string()
        } else {
            return Err(PyTypeError::new_err(format!(
                "rule option {key}: expected text, a number or a bool, found {}",
                value.get_type().name()?
            )));
        };
        options.push((key.replace('_', "-"), text));
    }
    Ok(options)
}

/// A seed: a whole number, or the text of one.
pub(crate) fn seed(seed: &Bound<'_, PyAny>) -> PyResult<Seed> {
    if !(seed.is_instance_of::<PyInt>() || seed.is_instance_of::<PyString>()) {
        return Err(PyTypeError::new_err(format!(
            "seed: expected a whole number or text, found {}",
            seed.get_type().name()?
        )));
    }
    let text = seed.str()?.to_string();
    text.parse().map_err(|error| Fault::new("SpecError", format!("seed: {error}")).into())
}

/// The number of an action that stands where its text may stand, too.
pub(crate) fn action_index(given: &Bound<'_, PyAny>) -> PyResult<i64> {
    let py = given.py();
    match given.extract::<i64>() {
        Ok(number) if !given.is_instance_of::<PyBool>() => Ok(number),
        Err(error) if error.is_instance_of::<PyOverflowError>(py) => {
            Err(Fault::new("IllegalAction", format!("action {given} is not legal")).into())
        }
        Err(error) if !error.is_instance_of::<PyTypeError>(py) => Err(error),
        _ => Err(PyTypeError::new_err(format!(
            "an action is its text or its number, not {}",
            given.get_type().name()?
        ))),
    }
}

/// A whole number of whatever size and sign, for `from_py_with`: [`whole`] says by its name whether it fits.
pub(crate) fn number(given: &Bound<'_, PyAny>) -> PyResult<i128> {
    match given.extract::<i128>() {
        Err(error) if error.is_instance_of::<PyOverflowError>(given.py()) => {
            Err(Fault::new("SpecError", format!("{given} is too large")).into())
        }
        other => other,
    }
}

/// The number of a parameter in the engine's type.
pub(crate) fn whole<T: TryFrom<i128>>(name: &str, number: i128) -> PyResult<T> {
    T::try_from(number).map_err(|_| {
        let said = if number < 0 {
            format!("{name}: expected at least 0, found {number}")
        } else {
            format!("{name}: {number} is too large")
        };
        Fault::new("SpecError", said).into()
    })
}

/// Random bits of a `random.Random` or a generator of `NumPy`, or a seed itself.
pub(crate) fn bits(rng: &Bound<'_, PyAny>) -> PyResult<u64> {
    if rng.is_instance_of::<PyInt>() {
        let said = || format!("rng: expected a seed from 0 to 2**64 - 1, found {rng}");
        return rng.extract().map_err(|_| Fault::new("SpecError", said()).into());
    }
    if rng.hasattr("getrandbits")? {
        return rng.call_method1("getrandbits", (64,))?.extract();
    }
    if rng.hasattr("integers")? {
        return rng.call_method1("integers", (0, i64::MAX))?.call_method0("__index__")?.extract();
    }
    Err(PyTypeError::new_err(format!(
        "rng: expected a random.Random, a numpy.random.Generator or a whole number, found {}",
        rng.get_type().name()?
    )))
}

/// Through whose eyes: a seat's number, `"spectator"` or `"truth"`.
pub(crate) fn eyes(who: &Bound<'_, PyAny>) -> PyResult<Perspective> {
    if let Ok(text) = who.cast::<PyString>() {
        return match text.to_str()? {
            "spectator" => Ok(Perspective::Spectator),
            "truth" => Ok(Perspective::Everything),
            other => Err(Fault::new(
                "SeatError",
                format!("`{other}`: expected a seat's number, \"spectator\" or \"truth\""),
            )
            .into()),
        };
    }
    let SeatNumber(seat) = who.extract()?;
    Ok(Perspective::Seat(seat))
}

/// A seat's number; whether the game has it is for the game to say.
#[derive(Clone, Copy)]
pub(crate) struct SeatNumber(pub(crate) Seat);

impl<'py> FromPyObject<'_, 'py> for SeatNumber {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<SeatNumber> {
        match given.extract::<u8>() {
            Ok(number) => Ok(SeatNumber(Seat::new(number.into()))),
            Err(error) if error.is_instance_of::<PyOverflowError>(given.py()) => {
                Err(Fault::new("SeatError", format!("there is no seat {}", &*given)).into())
            }
            Err(error) => Err(error),
        }
    }
}
