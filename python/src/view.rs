//! What one seat knows, in the hands of Python.

use crate::data::to_python;
use crate::fault::Fault;
use crate::work::quickly;
use numpy::{IntoPyArray, PyArray1, PyArray3, PyArrayMethods};
use oboro_catalog::Turn;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyInt, PyString};

/// What one seat knows at one moment: an agent is handed nothing else, and nothing leads from here to the world.
#[pyclass(frozen, module = "oboro")]
pub(crate) struct View {
    pub(crate) turn: Box<dyn Turn>,
    game: &'static str,
    player: u64,
    rng: Py<PyAny>,
}

impl View {
    pub(crate) fn new(
        turn: Box<dyn Turn>,
        game: &'static str,
        player: u64,
        rng: Py<PyAny>,
    ) -> View {
        View { turn, game, player, rng }
    }

    /// The text of the action that an agent's answer means: a text, or the number of an action.
    pub(crate) fn answer(&self, answer: &Bound<'_, PyAny>) -> PyResult<String> {
        if let Ok(text) = answer.cast::<PyString>() {
            return Ok(text.to_str()?.to_owned());
        }
        let is_number = answer.is_instance_of::<PyInt>() || answer.hasattr("__index__")?;
        if answer.is_instance_of::<PyBool>() || !is_number {
            return Err(PyTypeError::new_err(format!(
                "an action is its text or its number, not {}",
                answer.get_type().name()?
            )));
        }
        self.action(answer.call_method0("__index__")?.extract()?)
    }
}

#[pymethods]
impl View {
    /// The game's name.
    #[getter]
    fn game(&self) -> &'static str {
        self.game
    }

    /// Whose view it is.
    #[getter]
    fn seat(&self) -> usize {
        self.turn.seat()
    }

    /// How many actions have been played.
    #[getter]
    fn ply(&self) -> usize {
        self.turn.ply()
    }

    /// Which player of a match is asked: a number for every seat of every game. A batched agent keeps what it remembers
    /// of a game under it.
    #[getter]
    fn player(&self) -> u64 {
        self.player
    }

    /// The player's own `random.Random`, seeded from the game: who draws from nothing else plays the same game again
    /// from the same seed.
    #[getter]
    fn rng(&self, py: Python<'_>) -> Py<PyAny> {
        self.rng.clone_ref(py)
    }

    /// The legal actions as text; empty if the seat is not to move.
    #[getter]
    fn actions(&self) -> Vec<String> {
        self.turn.actions()
    }

    /// The legal actions, taken apart and in words.
    fn described_actions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &self.turn.described_actions())
    }

    /// The view as data, in the shape of the game's scene schema.
    #[getter]
    fn scene<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let scene = quickly(py, || Ok(self.turn.scene()))?;
        to_python(py, &scene)
    }

    /// What is hidden from the seat, with what the rules alone say of it.
    fn secrets<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let secrets = quickly(py, || Ok(self.turn.secrets()))?;
        to_python(py, &secrets)
    }

    /// The planes of the observation, uint8 of shape (planes, rows, columns).
    #[getter]
    fn planes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray3<u8>>> {
        let shape = &self.turn.layout().observation;
        let mut row = self.turn.observation();
        row.truncate(shape.plane_bytes());
        row.into_pyarray(py).reshape([shape.planes.len(), shape.rows, shape.columns])
    }

    /// The features of the observation, uint8.
    #[getter]
    fn features<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u8>> {
        let shape = &self.turn.layout().observation;
        let row = self.turn.observation();
        row[shape.plane_bytes()..].to_vec().into_pyarray(py)
    }

    /// 1 for each number that a legal action has, uint8.
    #[getter]
    fn mask<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u8>> {
        self.turn.mask().into_pyarray(py)
    }

    /// The text of the action with this number.
    fn action(&self, number: i64) -> PyResult<String> {
        let place = usize::try_from(number).ok();
        let found = place.and_then(|number| self.turn.action_at(number));
        found.ok_or_else(|| {
            let seat = self.turn.seat();
            let said = format!("action {number} is not legal for seat {seat}");
            Fault::new("IllegalAction", said).into()
        })
    }

    /// The number of the action with this text.
    fn number(&self, action: &str) -> PyResult<usize> {
        self.turn.action_index(action).ok_or_else(|| {
            Fault::new("IllegalAction", format!("`{action}` is no legal action here")).into()
        })
    }

    fn __str__(&self, py: Python<'_>) -> PyResult<String> {
        quickly(py, || Ok(self.turn.drawing()))
    }

    fn __repr__(&self) -> String {
        format!("<oboro.View {} of seat {}, ply {}>", self.game, self.seat(), self.ply())
    }

    /// The drawing for notebooks.
    fn _repr_svg_<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.import("oboro.drawing")?.call_method1("svg", (self.game, self.scene(py)?))
    }
}
