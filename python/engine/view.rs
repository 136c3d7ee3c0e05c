//! What one seat knows, in the hands of Python.

use crate::data::{action_index, bits, to_python};
use crate::fault::Fault;
use crate::live::Live;
use crate::work::{guarded, patiently, quickly};
use numpy::ndarray::{Array3, Dimension};
use numpy::{IntoPyArray, PyArray, PyArray1, PyArray3};
use oboro_catalog::{
    Budget, Evaluation, GuidedSearch, PlayerLimits, SearchMethod, SearchedAction, Turn,
};
use oboro_core::{Rng, Seed};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyString;
use std::sync::{Arc, Mutex, PoisonError};

/// Planes and features.
type Observation = (Py<PyArray3<u8>>, Py<PyArray1<u8>>);

/// What one seat knows at one moment: an agent is handed nothing else, and nothing leads from here to the world.
#[pyclass(frozen, module = "oboro")]
pub(crate) struct View {
    pub(crate) turn: Box<dyn Turn>,
    game: &'static str,
    player: u64,
    /// The player's own, or one that is made when it is asked for.
    given_rng: Option<Py<PyAny>>,
    rng: PyOnceLock<Py<PyAny>>,
    /// What was computed once.
    planes: PyOnceLock<Py<PyArray3<u8>>>,
    features: PyOnceLock<Py<PyArray1<u8>>>,
    mask: PyOnceLock<Py<PyArray1<u8>>>,
}

/// An array that everybody who looks at a view shares.
fn shared<D: Dimension>(array: Bound<'_, PyArray<u8, D>>) -> PyResult<Py<PyArray<u8, D>>> {
    array.call_method1(intern!(array.py(), "setflags"), (false,))?;
    Ok(array.unbind())
}

impl View {
    pub(crate) fn new(
        turn: Box<dyn Turn>,
        game: &'static str,
        player: u64,
        rng: Option<Py<PyAny>>,
    ) -> View {
        View {
            turn,
            game,
            player,
            given_rng: rng,
            rng: PyOnceLock::new(),
            planes: PyOnceLock::new(),
            features: PyOnceLock::new(),
            mask: PyOnceLock::new(),
        }
    }

    /// Computes the observation.
    fn observe(&self, py: Python<'_>) -> PyResult<Observation> {
        let shape = &self.turn.layout().observation;
        let mut row = guarded(|| Ok(self.turn.observation()))?;
        let features = PyArray1::from_slice(py, &row[shape.plane_bytes()..]);
        row.truncate(shape.plane_bytes());
        let sides = (shape.planes.len(), shape.rows, shape.columns);
        let planes = Array3::from_shape_vec(sides, row).expect("planes have the layout's shape");
        Ok((shared(planes.into_pyarray(py))?, shared(features)?))
    }

    /// The text of the action that an agent's answer means: a text, or the number of an action.
    pub(crate) fn answer(&self, answer: &Bound<'_, PyAny>) -> PyResult<String> {
        if let Ok(text) = answer.cast::<PyString>() {
            return Ok(text.to_str()?.to_owned());
        }
        self.action(action_index(answer)?)
    }
}

/// What a search found out of an action: its text, visits, mean payoff and probability.
type Searched = (String, u64, Option<f64>, f64);

/// A policy by legal action, the payoffs of all seats and what is believed of cells.
type Evaluated = (Vec<f64>, Vec<f64>, Vec<f64>);

impl View {
    /// Searches. `evaluate` is given a list of views and returns what it says of each.
    fn search(
        &self,
        evaluate: Py<PyAny>,
        method: SearchMethod,
        seed: u64,
    ) -> PyResult<Vec<Searched>> {
        let raised: Arc<Mutex<Option<PyErr>>> = Arc::default();
        let (noted, game, player) = (Arc::clone(&raised), self.game, self.player);
        let ask = move |turns: Vec<Box<dyn Turn>>| {
            let answers = |py: Python<'_>| -> PyResult<Vec<Evaluated>> {
                py.check_signals()?;
                let view = |turn| Py::new(py, View::new(turn, game, player, None));
                let views: Vec<Py<View>> = turns.into_iter().map(view).collect::<PyResult<_>>()?;
                evaluate.call1(py, (views,))?.extract(py)
            };
            let told = |(policy, values, beliefs)| Evaluation { policy, values, beliefs };
            match Python::attach(answers) {
                Ok(found) => Ok(found.into_iter().map(told).collect()),
                Err(error) => {
                    let said = error.to_string();
                    *noted.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                    Err(said)
                }
            }
        };
        let found = guarded(|| Ok(self.turn.search(method, Box::new(ask), seed)))?;
        if let Some(error) = raised.lock().unwrap_or_else(PoisonError::into_inner).take() {
            return Err(error);
        }
        let told = |one: SearchedAction| (one.action, one.visits, one.mean, one.share);
        Ok(found.map_err(Fault::from)?.into_iter().map(told).collect())
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
    fn rng(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        if let Some(rng) = &self.given_rng {
            return Ok(rng.clone_ref(py));
        }
        let make = || Ok(py.import("random")?.getattr("Random")?.call1((0,))?.unbind());
        self.rng.get_or_try_init(py, make).map(|rng| rng.clone_ref(py))
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

    /// The view as text: equal exactly when views are, so that it names an information state.
    #[getter]
    fn information_state(&self) -> String {
        let mut text = Vec::new();
        self.turn.write_scene(&mut text);
        String::from_utf8_lossy(&text).into_owned()
    }

    /// A game that agrees with the view, its hidden things drawn at random by a `random.Random`, a generator of `NumPy` or
    /// a seed; without one by `rng`. It begins here, and all seats are left to the caller of `play`.
    #[pyo3(signature = (rng = None))]
    fn imagine(&self, py: Python<'_>, rng: Option<&Bound<'_, PyAny>>) -> PyResult<Live> {
        let own = self.rng(py)?;
        let bits = bits(rng.unwrap_or(own.bind(py)))?;
        let turn = &self.turn;
        let live = quickly(py, || Ok(turn.imagine(&mut Rng::from_u64(bits))))?;
        Ok(Live::new(live, Seed::from_u64(bits)))
    }

    /// All games that agree with the view, each with its probability by the rules alone; none where the game does not list
    /// them. They begin here, and all seats are left to the caller of `play`.
    fn hypotheses(&self, py: Python<'_>) -> PyResult<Option<Vec<(f64, Live)>>> {
        let turn = &self.turn;
        let Some(games) = patiently(py, |_| Ok(turn.hypotheses()))? else { return Ok(None) };
        let live = |(share, game)| (share, Live::new(game, Seed::from_u64(0)));
        Ok(Some(games.into_iter().map(live).collect()))
    }

    /// What an agent of the engine would play here, shown this view alone.
    fn _choose(&self, py: Python<'_>, agent: &str, seed: u64) -> PyResult<String> {
        patiently(py, |_| Ok(self.turn.choose(agent, seed)?))
    }

    /// What a tree search finds out of the actions. The budget is playouts in all and in a batch.
    fn _grow_tree(
        &self,
        evaluate: Py<PyAny>,
        budget: (u32, u32),
        c: f64,
        seed: u64,
    ) -> PyResult<Vec<Searched>> {
        let (playouts, batch) = budget;
        let budget = Budget::new("playouts", playouts, None).and_then(|all| all.in_batches(batch));
        let search = GuidedSearch { budget: budget.map_err(Fault::from)?, c };
        self.search(evaluate, SearchMethod::Tree(search), seed)
    }

    /// What the player of every game finds out of them.
    fn _ask_player(
        &self,
        evaluate: Py<PyAny>,
        budget: (u32, u32),
        candidates: usize,
        temperature: f64,
        seed: u64,
    ) -> PyResult<Vec<Searched>> {
        let (playouts, batch) = budget;
        let limits = PlayerLimits { playouts, seconds: None, candidates, temperature };
        self.search(evaluate, SearchMethod::Player { limits, batch }, seed)
    }

    /// What is hidden from the seat, with what the rules alone say of it.
    fn secrets<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let secrets = quickly(py, || Ok(self.turn.secrets()))?;
        to_python(py, &secrets)
    }

    /// The planes of the observation, uint8 of shape (planes, rows, columns).
    #[getter]
    fn planes(&self, py: Python<'_>) -> PyResult<Py<PyArray3<u8>>> {
        if self.planes.get(py).is_none() {
            let (planes, features) = self.observe(py)?;
            // Another thread may have been quicker; its arrays are the same.
            let _ = (self.planes.set(py, planes), self.features.set(py, features));
        }
        Ok(self.planes.get(py).expect("set above").clone_ref(py))
    }

    /// The features of the observation, uint8.
    #[getter]
    fn features(&self, py: Python<'_>) -> PyResult<Py<PyArray1<u8>>> {
        self.planes(py)?;
        Ok(self.features.get(py).expect("set with the planes").clone_ref(py))
    }

    /// 1 for each number that a legal action has, uint8.
    #[getter]
    fn mask(&self, py: Python<'_>) -> PyResult<Py<PyArray1<u8>>> {
        let make = || shared(PyArray1::from_slice(py, &self.turn.mask()));
        self.mask.get_or_try_init(py, make).map(|mask| mask.clone_ref(py))
    }

    /// The text of the action with this number.
    fn action(&self, #[pyo3(from_py_with = action_index)] number: i64) -> PyResult<String> {
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
