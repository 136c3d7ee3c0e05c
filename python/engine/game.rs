//! Games by name, with their rules chosen.

use crate::data::{options, seed, to_python};
use crate::fault::Fault;
use crate::live::Live;
use crate::work::quickly;
use oboro_catalog::AnyRules;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::Arc;

/// The names of all games.
#[pyfunction]
pub(crate) fn games() -> Vec<&'static str> {
    oboro_catalog::games().iter().map(|game| game.name()).collect()
}

/// A game with its rules chosen; options left out keep their defaults.
#[pyfunction]
#[pyo3(signature = (name, /, **rules))]
pub(crate) fn game(name: &str, rules: Option<&Bound<'_, PyDict>>) -> PyResult<Game> {
    Game::open(name, &options(rules)?)
}

/// A game with its rules chosen.
#[pyclass(frozen, module = "oboro")]
#[derive(Clone)]
pub(crate) struct Game {
    pub(crate) rules: Arc<dyn AnyRules>,
}

impl Game {
    pub(crate) fn open(name: &str, options: &[(String, String)]) -> PyResult<Game> {
        let game = oboro_catalog::game(name).map_err(Fault::from)?;
        Ok(Game { rules: game.rules(options).map_err(Fault::from)? })
    }

    fn entry(&self) -> Box<dyn oboro_catalog::AnyGame> {
        oboro_catalog::game(self.rules.game()).expect("a game that was opened has a name")
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
        self.entry().about()
    }

    /// The agent we would recommend to a person who wants a good opponent.
    #[getter]
    fn champion(&self) -> &'static str {
        self.entry().champion()
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
        to_python(py, &self.entry().options())
    }

    /// The agents that can sit down, with their parameters.
    #[getter]
    fn agents<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &self.entry().agents())
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
        to_python(py, &self.entry().schemas())
    }

    /// What the numbers of its views, actions and truths mean.
    #[getter]
    fn layout<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &*self.rules.layout())
    }

    /// The ways to turn or rename everything that leave the game the same game, as places and numbers.
    fn symmetries<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &self.rules.symmetries())
    }

    /// The canonical form of an agent's spec, after checking it.
    fn canonical(&self, spec: &str) -> PyResult<String> {
        Ok(self.rules.canonical(spec).map_err(Fault::from)?)
    }

    /// A new live game. `agents[s]` is the spec of the agent at seat `s`, or None for whoever calls `play`.
    #[pyo3(signature = (agents = None, *, seed = None, deal = 0, position = None))]
    fn new_game(
        &self,
        py: Python<'_>,
        agents: Option<Vec<Option<String>>>,
        seed: Option<&Bound<'_, PyAny>>,
        deal: u64,
        position: Option<String>,
    ) -> PyResult<Live> {
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
    fn deal(&self, seed: &Bound<'_, PyAny>, deal: u64) -> PyResult<String> {
        Ok(self.rules.deal(deal, &self::seed(seed)?))
    }

    fn __repr__(&self) -> String {
        let changed = self.rules.changed();
        let rules = if changed.is_empty() { changed } else { format!(", {changed}") };
        format!("<oboro.Game {}{rules}>", self.rules.game())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        // For other processes: the name and what was changed make it again.
        let rules = PyDict::new(py);
        for option in self.rules.changed().split(',').filter(|option| !option.is_empty()) {
            let (key, value) = option.split_once('=').unwrap_or((option, ""));
            rules.set_item(key, value)?;
        }
        let make = py.import("oboro")?.getattr("_make_game")?;
        Ok((make, (self.rules.game(), rules)).into_pyobject(py)?.into_any())
    }
}
