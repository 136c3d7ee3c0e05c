//! Plain data between Python and the engine.

use crate::fault::Fault;
use oboro_core::{Perspective, Seat, Seed};
use pyo3::exceptions::PyTypeError;
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
            for (key, value) in entries {
                dict.set_item(key, value_to_python(py, value)?)?;
            }
            dict.into_any()
        }
    })
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
    let is_number = given.is_instance_of::<PyInt>() || given.hasattr("__index__")?;
    if given.is_instance_of::<PyBool>() || !is_number {
        return Err(PyTypeError::new_err(format!(
            "an action is its text or its number, not {}",
            given.get_type().name()?
        )));
    }
    given.call_method0("__index__")?.extract()
}

/// Random bits of a `random.Random` or a generator of `NumPy`, or a seed itself.
pub(crate) fn bits(rng: &Bound<'_, PyAny>) -> PyResult<u64> {
    if rng.is_instance_of::<PyInt>() {
        return rng
            .extract()
            .map_err(|_| Fault::new("SpecError", "rng: a seed is from 0 to 2**64 - 1").into());
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
    Ok(Perspective::Seat(seat(who.extract()?)?))
}

/// A seat's number; whether the game has it is for the game to say.
pub(crate) fn seat(number: i64) -> PyResult<Seat> {
    u8::try_from(number)
        .map(|number| Seat::new(number.into()))
        .map_err(|_| Fault::new("SeatError", format!("there is no seat {number}")).into())
}
