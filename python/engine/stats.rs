//! Numbers with their uncertainty.

use crate::data::{number, to_python, whole};
use oboro_stats::{Confidence, Moments, Rate, Score, Sprt};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use serde_json::json;

type Answer<'py> = PyResult<Bound<'py, PyAny>>;

fn confidence(level: f64) -> PyResult<Confidence> {
    Confidence::new(level)
        .ok_or_else(|| PyValueError::new_err(format!("confidence {level}: between 0 and 1")))
}

/// A rate with its Wilson interval.
#[pyfunction]
#[pyo3(signature = (successes, n, confidence = 0.95))]
pub(crate) fn rate(
    py: Python<'_>,
    #[pyo3(from_py_with = number)] successes: i128,
    #[pyo3(from_py_with = number)] n: i128,
    confidence: f64,
) -> Answer<'_> {
    let (successes, n) = (whole("successes", successes)?, whole("n", n)?);
    let rate = Rate::new(successes, n)
        .ok_or_else(|| PyValueError::new_err(format!("{successes} successes of {n}")))?;
    let interval = rate.wilson(self::confidence(confidence)?);
    to_python(py, &json!({"rate": rate.value(), "n": n, "interval": interval}))
}

/// A mean with Student's interval.
#[pyfunction]
#[pyo3(signature = (values, confidence = 0.95))]
pub(crate) fn mean(py: Python<'_>, values: Vec<f64>, confidence: f64) -> Answer<'_> {
    let moments: Moments = values.into_iter().collect();
    to_python(py, &moments.estimate(self::confidence(confidence)?))
}

/// The difference of two paired samples, with its interval and test.
#[pyfunction]
#[pyo3(signature = (a, b, confidence = 0.95))]
pub(crate) fn paired(py: Python<'_>, a: Vec<f64>, b: Vec<f64>, confidence: f64) -> Answer<'_> {
    if a.len() != b.len() {
        return Err(PyValueError::new_err(format!("pairs: {} and {} values", a.len(), b.len())));
    }
    to_python(py, &oboro_stats::paired(&a, &b, self::confidence(confidence)?))
}

/// The difference of the means of two independent samples (Welch), with its interval and test.
#[pyfunction]
#[pyo3(signature = (a, b, confidence = 0.95))]
pub(crate) fn compare(py: Python<'_>, a: Vec<f64>, b: Vec<f64>, confidence: f64) -> Answer<'_> {
    let (a, b): (Moments, Moments) = (a.into_iter().collect(), b.into_iter().collect());
    to_python(py, &oboro_stats::welch(&a, &b, self::confidence(confidence)?))
}

fn score(wins: i128, draws: i128, losses: i128) -> PyResult<Score> {
    Ok(Score {
        wins: whole("wins", wins)?,
        draws: whole("draws", draws)?,
        losses: whole("losses", losses)?,
    })
}

/// The Elo difference that games won, drawn and lost say, with its interval.
#[pyfunction]
#[pyo3(signature = (wins, draws, losses, confidence = 0.95))]
pub(crate) fn elo(
    py: Python<'_>,
    #[pyo3(from_py_with = number)] wins: i128,
    #[pyo3(from_py_with = number)] draws: i128,
    #[pyo3(from_py_with = number)] losses: i128,
    confidence: f64,
) -> Answer<'_> {
    to_python(py, &score(wins, draws, losses)?.elo(self::confidence(confidence)?))
}

/// Where a sequential test stands: is the first `elo0` stronger, or `elo1`?
#[pyfunction]
#[pyo3(signature = (wins, draws, losses, elo0, elo1, *, alpha = 0.05, beta = 0.05))]
#[allow(clippy::too_many_arguments, reason = "the Python function has keywords")]
pub(crate) fn sprt(
    py: Python<'_>,
    #[pyo3(from_py_with = number)] wins: i128,
    #[pyo3(from_py_with = number)] draws: i128,
    #[pyo3(from_py_with = number)] losses: i128,
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
) -> Answer<'_> {
    let test = Sprt::new(elo0, elo1, alpha, beta)
        .map_err(|error| PyValueError::new_err(error.to_string()))?;
    to_python(py, &test.status(&score(wins, draws, losses)?))
}

/// The p-values of several tests together, corrected after Holm.
#[pyfunction]
pub(crate) fn holm(p_values: Vec<f64>) -> Vec<f64> {
    oboro_stats::holm(&p_values)
}
