//! Many games stepped together, in buffers that `NumPy` holds and the engine writes into.

use crate::data::{SeatNumber, layout_to_python, seed};
use crate::fault::Fault;
use crate::game::Game;
use crate::guests::{BATCH, Guests};
use crate::host::Host;
use crate::view::View;
use crate::work::{patiently, quickly};
use numpy::{Element, PyArray1, PyArray2, PyArray4, PyArrayMethods, PyReadonlyArray1};
use oboro_catalog::{AnyBatch, BatchRows, NewBatch};
use oboro_core::{EncodingLayout, Stop};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PySlice;
use std::sync::{Arc, Mutex};

/// n games stepped together. The arrays are made once and written anew by every step.
#[pyclass(frozen, module = "oboro._engine")]
pub(crate) struct Batch {
    state: Mutex<State>,
    layout: EncodingLayout,
    game: &'static str,
    games: usize,
    seats: usize,
    /// Whether agents hold seats: a step may then take long.
    has_agents: bool,
    /// Answers for the agents that are written in Python, if there are any.
    host: Option<Host>,
    /// The bytes of all arrays below but the rewards, one after the other: asking for one array takes less time than
    /// asking for five, which is most of what a step of a single game costs.
    bytes: Py<PyArray1<u8>>,
    /// uint8 (n, planes, rows, columns): what the seat to move sees.
    #[pyo3(get)]
    observations: Py<PyArray4<u8>>,
    /// uint8 (n, features).
    #[pyo3(get)]
    features: Py<PyArray2<u8>>,
    /// uint8 (n, actions): 1 for each legal action.
    #[pyo3(get)]
    masks: Py<PyArray2<u8>>,
    /// uint8 (n,): whose turn it is.
    #[pyo3(get)]
    to_act: Py<PyArray1<u8>>,
    /// float32 (n, seats): what the game was worth that the last step ended.
    #[pyo3(get)]
    rewards: Py<PyArray2<f32>>,
    /// uint8 (n,): 1 where the last step ended a game, 2 where it truncated one.
    #[pyo3(get)]
    done: Py<PyArray1<u8>>,
}

struct State {
    batch: Box<dyn AnyBatch>,
    /// The actions of a step, in the engine's type.
    actions: Vec<i64>,
}

/// What a step of the engine is: it fails as games do.
type Step<'a> = &'a (dyn Fn(&mut State, BatchRows<'_>) -> Result<(), Fault> + Sync);

impl Batch {
    /// Lets the engine write into the arrays.
    fn write(&self, py: Python<'_>, step: Step<'_>) -> PyResult<()> {
        let mut bytes = self.bytes.bind(py).try_readwrite().map_err(in_use)?;
        let mut rewards = self.rewards.bind(py).try_readwrite().map_err(in_use)?;
        let mut rest = bytes.as_slice_mut().map_err(in_use)?;
        let [planes, features, masks, seats, done] =
            widths(&self.layout).map(|width| rest.split_off_mut(..width * self.games));
        let (Some(planes), Some(features), Some(masks), Some(seats), Some(done)) =
            (planes, features, masks, seats, done)
        else {
            return Err(in_use("an array of another length"));
        };
        let rewards = rewards.as_slice_mut().map_err(in_use)?;
        let rows = BatchRows { planes, features, masks, seats, rewards, done };
        if !self.has_agents {
            return quickly(py, || step(&mut *self.lock()?, rows));
        }
        let task = |stop: &Stop| {
            let mut state = self.lock()?;
            state.batch.watch(stop.clone());
            step(&mut state, rows)
        };
        match &self.host {
            Some(host) => host.run(py, task),
            None => patiently(py, task),
        }
    }

    fn lock(&self) -> Result<std::sync::MutexGuard<'_, State>, Fault> {
        self.state.lock().map_err(|_| {
            Fault::new("EngineError", "these games broke in an earlier call: make new ones")
        })
    }

    fn read_actions(&self, actions: &Bound<'_, PyAny>) -> PyResult<()> {
        let mut state = self.lock()?;
        let into = &mut state.actions;
        let mut is_read = |actions: &Bound<'_, PyAny>| {
            take(actions, into, |action: i64| action)
                || take(actions, into, |action: i32| action.into())
                || take(actions, into, |action: u32| action.into())
                // What is too large is no action anyway.
                || take(actions, into, |action: u64| action.try_into().unwrap_or(i64::MAX))
        };
        if !is_read(actions) {
            let given = actions.py().import("numpy")?.call_method1("asarray", (actions,))?;
            let kind: String = given.getattr("dtype")?.getattr("kind")?.extract()?;
            if kind != "i" && kind != "u" {
                return Err(PyTypeError::new_err("actions are whole numbers, one for each game"));
            }
            let kind = if kind == "i" { "int64" } else { "uint64" };
            is_read(&given.call_method1("astype", (kind,))?.call_method0("ravel")?);
        }
        if into.len() != self.games {
            let said = format!("{} actions for {} games", into.len(), self.games);
            return Err(PyValueError::new_err(said));
        }
        Ok(())
    }
}

/// How many bytes a game has of each kind, in the order in which they lie in one array: planes, features, masks, whose
/// turn it is, whether it is over.
fn widths(layout: &EncodingLayout) -> [usize; 5] {
    let shape = &layout.observation;
    [shape.plane_bytes(), shape.features.len(), layout.actions, 1, 1]
}

fn in_use(_: impl std::fmt::Debug) -> PyErr {
    PyValueError::new_err("the arrays of these games are in use by another step")
}

/// Copies the actions of an array of this type; whether it is one that can be read where it lies: `NumPy` copies others.
fn take<T: Element + Copy>(
    actions: &Bound<'_, PyAny>,
    into: &mut Vec<i64>,
    number: impl Fn(T) -> i64,
) -> bool {
    let Ok(array) = actions.extract::<PyReadonlyArray1<'_, T>>() else { return false };
    let readable = array.data().is_aligned().then(|| array.as_slice().ok()).flatten();
    let Some(all) = readable else { return false };
    into.clear();
    into.extend(all.iter().map(|action| number(*action)));
    true
}

#[pymethods]
impl Batch {
    #[new]
    #[pyo3(signature = (game, games, agents, seed, threads, truncation, zero_sum))]
    #[allow(clippy::too_many_arguments, reason = "Python names them")]
    fn new(
        py: Python<'_>,
        game: &Game,
        games: usize,
        agents: &Bound<'_, PyAny>,
        seed: &Bound<'_, PyAny>,
        threads: usize,
        truncation: Option<u32>,
        zero_sum: bool,
    ) -> PyResult<Batch> {
        let seed = self::seed(seed)?;
        let mut rules = Arc::clone(&game.rules);
        if rules.layout().observation.is_empty() {
            let said = format!(
                "{game} shows learners nothing: it needs `observation` and `encode`",
                game = rules.changed()
            );
            return Err(Fault::new("SpecError", said).into());
        }
        let (guests, agents) = Guests::seated(agents, rules.as_ref())?;
        // A batched agent is asked for all games that wait: the more, the fuller its batches.
        let threads = match threads {
            0 if guests.has_batched() => games.min(BATCH),
            0 if game.is_own() => 1,
            threads => threads,
        };
        let mut host = None;
        if !guests.guests.is_empty() {
            let (made, at_table) = Host::new(guests, &rules);
            (host, rules) = (Some(made), at_table);
        }
        let has_agents = agents.iter().any(Option::is_some);
        let open = |stop: Option<Stop>| {
            let seats: Vec<Option<&str>> = agents.iter().map(Option::as_deref).collect();
            let seats = &seats[..];
            let wanted = NewBatch { games, seats, seed, threads, truncation, zero_sum, stop };
            Ok(rules.batch(&wanted)?)
        };
        let batch = match &host {
            Some(host) => host.run(py, |stop| open(Some(stop.clone())))?,
            None if has_agents => patiently(py, |stop| open(Some(stop.clone())))?,
            None => quickly(py, || open(None))?,
        };
        let layout = batch.layout().clone();
        let seats = batch.seats();
        let shape = &layout.observation;
        let planes = [games, shape.planes.len(), shape.rows, shape.columns];
        // By NumPy itself, which raises where memory will not do.
        let zeros = py.import("numpy")?.getattr("zeros")?;
        let bytes = zeros.call1((widths(&layout).iter().sum::<usize>() * games, "uint8"))?;
        let bytes = bytes.cast_into::<PyArray1<u8>>()?;
        let mut from = 0;
        let mut part = |width: usize| {
            let end = from + width * games;
            let part = bytes.get_item(PySlice::new(py, from as isize, end as isize, 1));
            from = end;
            part?.cast_into::<PyArray1<u8>>().map_err(PyErr::from)
        };
        let [observations, features, masks, to_act, done] = widths(&layout).map(&mut part);
        let made = Batch {
            observations: observations?.reshape(planes)?.unbind(),
            features: features?.reshape([games, shape.features.len()])?.unbind(),
            masks: masks?.reshape([games, layout.actions])?.unbind(),
            to_act: to_act?.unbind(),
            done: done?.unbind(),
            bytes: bytes.unbind(),
            rewards: PyArray2::zeros(py, [games, seats], false).unbind(),
            state: Mutex::new(State { batch, actions: Vec::with_capacity(games) }),
            layout,
            game: rules.game(),
            games,
            seats,
            has_agents,
            host,
        };
        made.write(py, &|state, rows| Ok(state.batch.show(rows)?))?;
        Ok(made)
    }

    /// How many games are played at once.
    #[getter]
    fn games(&self) -> usize {
        self.games
    }

    /// How many seats each has.
    #[getter]
    fn seats(&self) -> usize {
        self.seats
    }

    /// What the numbers mean.
    #[getter]
    fn layout<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        layout_to_python(py, &self.layout)
    }

    /// Deals all games anew.
    fn reset(&self, py: Python<'_>, seed: &Bound<'_, PyAny>) -> PyResult<()> {
        let seed = self::seed(seed)?;
        self.write(py, &|state, rows| {
            state.batch.reset(&seed)?;
            Ok(state.batch.show(rows)?)
        })
    }

    /// Plays one action in every game.
    fn step(&self, py: Python<'_>, actions: &Bound<'_, PyAny>) -> PyResult<()> {
        self.read_actions(actions)?;
        self.write(py, &|state, rows| Ok(state.batch.step(&state.actions, rows)?))
    }

    /// Writes what is hidden from the seat to move of each game, planes first.
    fn privileged(&self, py: Python<'_>, rows: &Bound<'_, PyArray2<u8>>) -> PyResult<()> {
        let mut rows = rows.try_readwrite().map_err(in_use)?;
        let rows = rows.as_slice_mut().map_err(in_use)?;
        quickly(py, || Ok(self.lock()?.batch.privileged(rows)?))
    }

    /// Writes a random legal action for each game.
    fn sample(&self, py: Python<'_>, actions: &Bound<'_, PyArray1<i64>>) -> PyResult<()> {
        let mut actions = actions.try_readwrite().map_err(in_use)?;
        let actions = actions.as_slice_mut().map_err(in_use)?;
        quickly(py, || Ok(self.lock()?.batch.sample(actions)?))
    }

    /// Writes what one seat of one game sees, planes first; or saw at the end of the game that the last step ended.
    fn look(
        &self,
        py: Python<'_>,
        game: usize,
        seat: SeatNumber,
        row: &Bound<'_, PyArray1<u8>>,
        at_end: bool,
    ) -> PyResult<()> {
        let seat = seat.0.index();
        let mut row = row.try_readwrite().map_err(in_use)?;
        let row = row.as_slice_mut().map_err(in_use)?;
        quickly(py, || {
            let state = self.lock()?;
            let batch = &state.batch;
            Ok(if at_end {
                batch.look_at_end(game, seat, row)
            } else {
                batch.look(game, seat, row)
            }?)
        })
    }

    /// What one seat of one game knows now, as an agent is handed it.
    fn view(&self, py: Python<'_>, game: usize, seat: SeatNumber) -> PyResult<View> {
        let seat = seat.0.index();
        let turn = quickly(py, || Ok(self.lock()?.batch.view(game, seat)?))?;
        Ok(View::new(turn, self.game, 0, None))
    }

    /// One of the games written down as far as it has gone; or the game that the last step ended there.
    fn record(&self, py: Python<'_>, game: usize, at_end: bool) -> PyResult<String> {
        quickly(py, || {
            let state = self.lock()?;
            let batch = &state.batch;
            let record = if at_end { batch.record_of_end(game) } else { batch.record(game) };
            Ok(record?.to_string())
        })
    }

    fn __repr__(&self) -> String {
        format!("<{} games of {} seats>", self.games, self.seats)
    }
}
