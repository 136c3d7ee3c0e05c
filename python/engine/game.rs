//! Games by name, with their rules chosen.

use crate::data::{
    layout_to_python, number, options, seed, symmetries_to_python, to_python, whole,
};
use crate::fault::Fault;
use crate::live::Live;
use crate::own_game::OwnGame;
use crate::own_rules::{self, OwnRules};
use crate::work::quickly;
use oboro_catalog::{AnyGame, AnyLive, AnyRules, CatalogError, own_game};
use oboro_core::Record;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use std::sync::Arc;

/// The names of all games.
#[pyfunction]
pub(crate) fn games() -> Vec<&'static str> {
    oboro_catalog::games().iter().map(|game| game.name()).collect()
}

/// A game with its rules chosen; options left out keep their defaults. A game written in Python is given as its class, which
/// is made with the rules, or as an object of it.
#[pyfunction]
#[pyo3(signature = (name, /, **rules))]
pub(crate) fn game(name: &Bound<'_, PyAny>, rules: Option<&Bound<'_, PyDict>>) -> PyResult<Game> {
    match name.cast::<PyString>() {
        Ok(name) => Game::open(name.to_str()?, &options(rules)?),
        Err(_) => Game::own(name, rules),
    }
}

/// A game with its rules chosen.
#[pyclass(frozen, module = "oboro")]
#[derive(Clone)]
pub(crate) struct Game {
    pub(crate) rules: Arc<dyn AnyRules>,
    entry: Arc<dyn AnyGame>,
    /// What it was made of, if it is written in Python.
    source: Option<Arc<Py<PyAny>>>,
}

impl Game {
    pub(crate) fn open(name: &str, options: &[(String, String)]) -> PyResult<Game> {
        let entry = oboro_catalog::game(name).map_err(Fault::from)?;
        let rules = entry.rules(options).map_err(Fault::from)?;
        Ok(Game { rules, entry: entry.into(), source: None })
    }

    /// A game written in Python.
    fn own(game: &Bound<'_, PyAny>, options: Option<&Bound<'_, PyDict>>) -> PyResult<Game> {
        let object = own_rules::instance(game, options)?;
        let is_plain = options.is_none_or(PyDictMethods::is_empty);
        let source = if is_plain { game.clone() } else { object.clone() };
        let rules = OwnRules::new(&object)?;
        let about = "A game written in Python";
        let (entry, rules) = own_game(about, OwnGame::new(rules)).map_err(Fault::from)?;
        Ok(Game { rules, entry: entry.into(), source: Some(Arc::new(source.unbind())) })
    }

    /// The game of a record.
    pub(crate) fn replay(&self, text: &str) -> Result<Box<dyn AnyLive>, Fault> {
        let record: Record = text.parse().map_err(CatalogError::Record)?;
        if (record.game.as_str(), &record.rules) != (self.rules.game(), &self.rules.changed()) {
            let said = format!(
                "a record of {} {}, not of {}",
                record.game,
                record.rules,
                self.rules.changed()
            );
            return Err(Fault::new("RecordError", said));
        }
        Ok(self.rules.live_from(&record)?)
    }

    /// Whether Python is asked in every step.
    pub(crate) fn is_own(&self) -> bool {
        self.source.is_some()
    }
}

#[pymethods]
impl Game {
    /// Its name.
    #[getter]
    fn name(&self) -> &'static str {
        self.rules.game()
    }

    /// One sentence about it.
    #[getter]
    fn about(&self) -> &'static str {
        self.entry.about()
    }

    /// The agent we would recommend to a person who wants a good opponent.
    #[getter]
    fn champion(&self) -> &'static str {
        self.entry.champion()
    }

    /// The class or object that it was made of; None for a game of the engine.
    #[getter]
    fn source(&self, py: Python<'_>) -> Option<Py<PyAny>> {
        self.source.as_ref().map(|source| source.clone_ref(py))
    }

    /// How many seats there are under these rules.
    #[getter]
    fn seats(&self) -> usize {
        self.rules.seats()
    }

    /// The rule options that differ from the defaults, as `key=value` separated by commas.
    #[getter]
    fn changed(&self) -> String {
        self.rules.changed()
    }

    /// The rule options there are.
    #[getter]
    fn options<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &self.entry.options())
    }

    /// The agents that can sit down, with their parameters.
    #[getter]
    fn agents<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &self.entry.agents())
    }

    /// The figures that finished games report besides payoffs.
    #[getter]
    fn facts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let facts = self.rules.facts().iter();
        let facts: Vec<_> =
            facts.map(|fact| serde_json::json!({"name": fact.name, "per-seat": fact.per_seat, "about": fact.about})).collect();
        to_python(py, &facts)
    }

    /// The JSON schemas of its data: rules, scene, action, event.
    #[getter]
    fn schemas<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &self.entry.schemas())
    }

    /// What the numbers of its views, actions and privileged states mean.
    #[getter]
    fn layout<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        layout_to_python(py, &self.rules.layout())
    }

    /// The ways to turn or rename everything that leave the game the same game, as places and numbers.
    fn symmetries<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        symmetries_to_python(py, &self.rules.symmetries())
    }

    /// The canonical form of an agent's spec, after checking it.
    fn canonical(&self, spec: &str) -> PyResult<String> {
        Ok(self.rules.canonical(spec).map_err(Fault::from)?)
    }

    /// A new live game. `agents[s]` is the spec of the agent at seat `s`, or None for the caller of `play`.
    #[pyo3(signature = (agents = None, *, seed = None, deal = 0, position = None))]
    fn new_game(
        &self,
        py: Python<'_>,
        agents: Option<Vec<Option<String>>>,
        seed: Option<&Bound<'_, PyAny>>,
        #[pyo3(from_py_with = number)] deal: i128,
        position: Option<String>,
    ) -> PyResult<Live> {
        let deal = whole("deal", deal)?;
        let seed = seed.map_or_else(|| Ok(oboro_core::Seed::from_u64(1)), crate::data::seed)?;
        let agents = agents.unwrap_or_else(|| vec![None; self.rules.seats()]);
        let rules = &self.rules;
        quickly(py, || {
            let seats: Vec<Option<&str>> = agents.iter().map(Option::as_deref).collect();
            let seeds = seed.game(deal, deal);
            let live = match &position {
                Some(position) => rules.live_at(position, &seats, &seeds)?,
                None => rules.live(&seats, deal, &seeds, &format!("{seed}/{deal}"))?,
            };
            Ok(Live::new(live, seed))
        })
    }

    /// The position of a deal, in one line.
    #[pyo3(signature = (seed, deal = 0))]
    fn deal(
        &self,
        seed: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = number)] deal: i128,
    ) -> PyResult<String> {
        let deal = whole("deal", deal)?;
        Ok(self.rules.deal(deal, &self::seed(seed)?))
    }

    fn __repr__(&self) -> String {
        let changed = self.rules.changed();
        let rules = if changed.is_empty() { changed } else { format!(", {changed}") };
        format!("<oboro.Game {}{rules}>", self.rules.game())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        // For other processes: the name and what was changed make it again, or the class.
        let rules = PyDict::new(py);
        if let Some(source) = &self.source {
            let make = py.import("oboro")?.getattr("_make_game")?;
            return Ok((make, (source.bind(py), rules)).into_pyobject(py)?.into_any());
        }
        for option in self.rules.changed().split(',').filter(|option| !option.is_empty()) {
            let (key, value) = option.split_once('=').unwrap_or((option, ""));
            rules.set_item(key, value)?;
        }
        let make = py.import("oboro")?.getattr("_make_game")?;
        Ok((make, (self.rules.game(), rules)).into_pyobject(py)?.into_any())
    }
}
