//! The class that a game is written as, and the questions that the engine has for it.

use crate::fault::raise;
use crate::own_game::{Known, OwnAction, Position};
use oboro_core::{Channel, Rng, Seat};
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyString, PyType};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// What every such class has besides `deals` or `deal`.
const METHODS: [&str; 5] = ["to_act", "legal", "apply", "view", "payoff"];

/// So many histories are listed at most to find those that agree with a view.
const LISTED: usize = 200_000;

/// How far the probabilities of deals may be from adding up to 1.
const ROUNDING: f64 = 1e-9;

/// Where a position came from.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Start {
    /// One of the listed deals.
    Listed(usize),
    /// What `deal` gave for a generator of this seed.
    Drawn(u64),
    /// What `imagine` gave, as text.
    Imagined(String),
}

impl fmt::Display for Start {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Start::Listed(number) => write!(f, "deal {number}"),
            Start::Drawn(seed) => write!(f, "seed {seed}"),
            Start::Imagined(text) => write!(f, "imagined {}", text.replace([':', '\n'], " ")),
        }
    }
}

/// Positions by what a seat knows there, each with its probability by chance alone.
type Consistent = BTreeMap<Known, Vec<(f64, Position)>>;

/// A game as its class has it.
pub(crate) struct OwnRules {
    object: Py<PyAny>,
    name: String,
    pub(crate) seats: usize,
    pub(crate) actions: Vec<OwnAction>,
    pub(crate) payoff_sum: Option<f64>,
    pub(crate) payoff_range: f64,
    pub(crate) observation: Vec<Channel>,
    deals: Option<Vec<(f64, Py<PyAny>)>>,
    has_imagine: bool,
    consistent: PyOnceLock<Consistent>,
}

impl fmt::Debug for OwnRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

impl OwnRules {
    /// Reads what does not change during a game, and checks it.
    pub(crate) fn new(object: &Bound<'_, PyAny>) -> PyResult<OwnRules> {
        let class = object.get_type();
        let name = class.name()?.to_string();
        for method in METHODS {
            if !object.hasattr(method)? {
                return Err(PyTypeError::new_err(format!("{name} is no game: it has no {method}")));
            }
        }
        let own = |key: &str| object.getattr_opt(key);
        let need = |key: &str| {
            let missing = || PyTypeError::new_err(format!("{name} is no game: it has no {key}"));
            own(key)?.ok_or_else(missing)
        };
        let given = need("seats")?;
        let seats = small(&given)
            .map_err(|_| PyTypeError::new_err(format!("{name}.seats: expected a whole number")))?
            .filter(|seats| (1..=10).contains(seats))
            .ok_or_else(|| PyValueError::new_err(format!("{name}.seats: {given}: from 1 to 10")))?;
        let texts: Vec<String> = need("actions")?.try_iter()?.map(text).collect::<PyResult<_>>()?;
        for (place, text) in texts.iter().enumerate() {
            let is_word =
                !text.is_empty() && !text.contains(|c: char| c.is_whitespace() || c == '|');
            if !is_word || texts[..place].contains(text) {
                let said = format!("{name}.actions: `{text}`: expected words that differ");
                return Err(PyValueError::new_err(said));
            }
        }
        let deals = if object.hasattr("deals")? { Some(listed(&name, object)?) } else { None };
        if deals.is_none() && !object.hasattr("deal")? {
            let said = format!("{name} is no game: it has neither deals nor deal");
            return Err(PyTypeError::new_err(said));
        }
        let number = |key: &str| own(key)?.map(|value| value.extract::<Option<f64>>()).transpose();
        Ok(OwnRules {
            seats: seats.into(),
            actions: texts.iter().map(|text| OwnAction::new(text)).collect(),
            payoff_sum: number("payoff_sum")?.flatten(),
            payoff_range: number("payoff_range")?.flatten().unwrap_or(1.0),
            observation: channels(&name, own("observation")?)?,
            deals,
            has_imagine: object.hasattr("imagine")?,
            consistent: PyOnceLock::new(),
            object: object.clone().unbind(),
            name,
        })
    }

    /// The name of the class.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// What Python answers; what it raises unwinds to the border.
    fn ask<T>(&self, question: impl FnOnce(&Bound<'_, PyAny>) -> PyResult<T>) -> T {
        Python::attach(|py| question(self.object.bind(py))).unwrap_or_else(|error| raise(error))
    }

    /// A complaint about what a method gave.
    fn wrong(&self, method: &str, said: impl fmt::Display) -> PyErr {
        PyValueError::new_err(format!("{}.{method}: {said}", self.name))
    }

    /// A state, with whose turn it is and what is legal.
    fn position(
        &self,
        object: &Bound<'_, PyAny>,
        start: Start,
        actions: Vec<OwnAction>,
        state: Bound<'_, PyAny>,
    ) -> PyResult<Position> {
        let to_act = object.call_method1("to_act", (&state,))?;
        let to_act = if to_act.is_none() {
            None
        } else {
            let seat = small(&to_act)?.map(usize::from).filter(|seat| *seat < self.seats);
            let said = || format!("seat {to_act}: seats go from 0 to {}", self.seats - 1);
            Some(seat.ok_or_else(|| self.wrong("to_act", said()))?)
        };
        let mut legal = Vec::new();
        if to_act.is_some() {
            for action in object.call_method1("legal", (&state,))?.try_iter()? {
                let text = text(action)?;
                let action = self.actions.iter().find(|action| action.0 == text).copied();
                let action = action.filter(|action| !legal.contains(action));
                let unknown = || {
                    self.wrong("legal", format!("`{text}`: expected some of `actions`, each once"))
                };
                legal.push(action.ok_or_else(unknown)?);
            }
            if legal.is_empty() {
                return Err(self.wrong("legal", "expected an action for the seat to move"));
            }
        }
        let to_act = to_act.map(Seat::new);
        Ok(Position {
            start,
            actions,
            state: Arc::new(state.unbind()),
            to_act,
            legal: legal.into(),
        })
    }

    /// The start of a game.
    pub(crate) fn deal(&self, rng: &mut Rng) -> Position {
        match &self.deals {
            Some(deals) => {
                let mut left = rng.unit();
                let drawn = deals.iter().position(|(chance, _)| {
                    left -= chance;
                    left < 0.0
                });
                self.listed(drawn.unwrap_or(deals.len() - 1))
            }
            None => self.drawn(rng.bits()),
        }
    }

    fn listed(&self, number: usize) -> Position {
        let deals = self.deals.as_ref().expect("only listed deals have numbers");
        self.ask(|object| {
            let state = deals[number].1.bind(object.py()).clone();
            self.position(object, Start::Listed(number), Vec::new(), state)
        })
    }

    fn drawn(&self, seed: u64) -> Position {
        self.ask(|object| {
            let state = object.call_method1("deal", (random(object.py(), seed)?,))?;
            self.position(object, Start::Drawn(seed), Vec::new(), state)
        })
    }

    /// The start that a position's text names.
    pub(crate) fn start(&self, text: &str) -> Result<Position, String> {
        let listed = self.deals.as_ref().map_or(0, Vec::len);
        let number = |prefix: &str| text.strip_prefix(prefix).and_then(|n| n.parse::<u64>().ok());
        match (number("deal "), number("seed ")) {
            (Some(deal), _) if deal < listed as u64 => Ok(self.listed(deal as usize)),
            (_, Some(seed)) if self.deals.is_none() => Ok(self.drawn(seed)),
            _ if listed > 0 => Err(format!("expected `deal 0` to `deal {}`", listed - 1)),
            _ => Err("expected `seed` and its number".to_owned()),
        }
    }

    /// All starts with their probabilities.
    pub(crate) fn deals(&self) -> Option<Vec<(f64, Position)>> {
        let deals = self.deals.as_ref()?.iter().enumerate();
        Some(deals.map(|(number, (chance, _))| (*chance, self.listed(number))).collect())
    }

    pub(crate) fn apply(&self, position: &Position, action: OwnAction) -> Position {
        self.ask(|object| {
            let state =
                object.call_method1("apply", (position.state.bind(object.py()), action.0))?;
            if state.is_none() {
                return Err(self.wrong("apply", "expected the next state, found None"));
            }
            let actions = position.actions.iter().copied().chain([action]).collect();
            self.position(object, position.start.clone(), actions, state)
        })
    }

    /// What a seat knows, and that as text.
    pub(crate) fn view(&self, state: &Py<PyAny>, seat: Seat) -> (Py<PyAny>, String) {
        self.ask(|object| {
            let value = object.call_method1("view", (state.bind(object.py()), seat.index()))?;
            let text =
                if value.is_instance_of::<PyString>() { value.str()? } else { value.repr()? };
            Ok((value.clone().unbind(), text.to_string()))
        })
    }

    pub(crate) fn payoff(&self, state: &Py<PyAny>, seat: Seat) -> f64 {
        self.ask(|object| {
            object.call_method1("payoff", (state.bind(object.py()), seat.index()))?.extract()
        })
    }

    pub(crate) fn text_of(&self, state: &Py<PyAny>) -> String {
        self.ask(|object| Ok(state.bind(object.py()).str()?.to_string()))
    }

    /// Writes the numbers of a view.
    pub(crate) fn encode(&self, value: &Py<PyAny>, seat: Seat, out: &mut [u8]) {
        self.ask(|object| {
            let given = object.call_method1("encode", (value.bind(object.py()), seat.index()))?;
            let mut given = given.try_iter()?;
            for (channel, out) in self.observation.iter().zip(out) {
                let few = || self.wrong("encode", format!("no number for {}", channel.name));
                let number = given.next().ok_or_else(few)??;
                let fits = small(&number)?.filter(|number| *number <= channel.max);
                let said = || format!("{} is {number}: from 0 to {}", channel.name, channel.max);
                *out = fits.ok_or_else(|| self.wrong("encode", said()))?;
            }
            let count = self.observation.len();
            let many = |_| Err(self.wrong("encode", format!("more than {count} numbers")));
            given.next().map_or(Ok(()), many)
        });
    }

    /// A position that agrees with a view: what `imagine` draws, or one of all there are.
    pub(crate) fn imagine(&self, known: &Known, value: &Py<PyAny>, rng: &mut Rng) -> Position {
        if self.has_imagine {
            return self.ask(|object| {
                let (py, seat) = (object.py(), known.seat.index());
                let rng = random(py, rng.bits())?;
                let state = object.call_method1("imagine", (value.bind(py), seat, rng))?;
                let text = state.repr()?.to_string();
                let position = self.position(object, Start::Imagined(text), Vec::new(), state)?;
                let (_, seen) = self.view(&position.state, known.seat);
                if seen == known.text && position.to_act == known.to_act {
                    return Ok(position);
                }
                let said = format!("a state of which seat {seat} sees {seen}, not {}", known.text);
                Err(self.wrong("imagine", said))
            });
        }
        self.ask(|object| {
            let py = object.py();
            if self.consistent.get(py).is_none() {
                // Another thread may have been quicker; its list is the same.
                let _ = self.consistent.set(py, self.list()?);
            }
            let all = self.consistent.get(py).expect("set above");
            let possible = all.get(known).map_or(&[][..], Vec::as_slice);
            let mut left = rng.unit() * possible.iter().map(|(chance, _)| chance).sum::<f64>();
            let drawn = possible.iter().find(|(chance, _)| {
                left -= chance;
                left < 0.0
            });
            let drawn = drawn.or(possible.last()).map(|(_, position)| position.clone());
            drawn
                .ok_or_else(|| self.wrong("view", format!("no history agrees with {}", known.text)))
        })
    }

    /// All positions of the game, by what each seat knows there.
    fn list(&self) -> PyResult<Consistent> {
        let Some(deals) = self.deals() else {
            return Err(self.wrong("imagine", "missing, and without deals the game is not listed"));
        };
        let (mut all, mut waiting, mut count) = (Consistent::new(), deals, 0);
        while let Some((chance, position)) = waiting.pop() {
            count += 1;
            if count > LISTED {
                let said = format!("missing, and there are more than {LISTED} histories to list");
                return Err(self.wrong("imagine", said));
            }
            for seat in Seat::all(self.seats) {
                let (_, text) = self.view(&position.state, seat);
                let to_act = position.to_act;
                let own = to_act == Some(seat);
                let legal = if own { Arc::clone(&position.legal) } else { Arc::default() };
                let known = Known { seat, to_act, legal, text };
                all.entry(known).or_default().push((chance, position.clone()));
            }
            for &action in position.legal.iter() {
                waiting.push((chance, self.apply(&position, action)));
            }
        }
        Ok(all)
    }
}

/// A generator of Python.
fn random(py: Python<'_>, seed: u64) -> PyResult<Bound<'_, PyAny>> {
    py.import("random")?.getattr("Random")?.call1((seed,))
}

/// The text of an action.
fn text(action: PyResult<Bound<'_, PyAny>>) -> PyResult<String> {
    let action = action?;
    let other = |_| PyTypeError::new_err(format!("an action is a text, not {}", kind(&action)));
    Ok(action.cast::<PyString>().map_err(other)?.to_str()?.to_owned())
}

/// A whole number from 0 to 255; `None` for others.
fn small(given: &Bound<'_, PyAny>) -> PyResult<Option<u8>> {
    match given.extract() {
        Ok(number) => Ok(Some(number)),
        Err(error) if PyErr::is_instance_of::<PyOverflowError>(&error, given.py()) => Ok(None),
        Err(error) => Err(error),
    }
}

fn kind(value: &Bound<'_, PyAny>) -> String {
    value.get_type().name().map_or_else(|_| "something else".to_owned(), |name| name.to_string())
}

/// What `deals` lists.
fn listed(name: &str, object: &Bound<'_, PyAny>) -> PyResult<Vec<(f64, Py<PyAny>)>> {
    let mut deals: Vec<(f64, Py<PyAny>)> = Vec::new();
    for deal in object.call_method0("deals")?.try_iter()? {
        deals.push(deal?.extract()?);
    }
    let total: f64 = deals.iter().map(|(chance, _)| chance).sum();
    if deals.iter().any(|(chance, _)| *chance <= 0.0) || (total - 1.0).abs() > ROUNDING {
        let said = format!("{name}.deals: expected probabilities that add up to 1, found {total}");
        return Err(PyValueError::new_err(said));
    }
    Ok(deals)
}

/// What `observation` says of the numbers that `encode` gives.
fn channels(name: &str, given: Option<Bound<'_, PyAny>>) -> PyResult<Vec<Channel>> {
    let Some(given) = given else { return Ok(Vec::new()) };
    let given = given.cast_into::<PyDict>().map_err(|_| {
        PyTypeError::new_err(format!(
            "{name}.observation: expected a dict of names and largest values"
        ))
    })?;
    let channel = |(key, max): (Bound<'_, PyAny>, Bound<'_, PyAny>)| {
        let key: String = key.extract()?;
        let about = format!("{key}, as {name} encodes it");
        let said = || format!("{name}.observation: the largest {key} is {max}: from 0 to 255");
        let number = small(&max)?.ok_or_else(|| PyValueError::new_err(said()))?;
        Ok(Channel::count(key, number, about))
    };
    given.iter().map(channel).collect()
}

/// The rules object of a class, made with rule options, or the object itself.
pub(crate) fn instance<'py>(
    game: &Bound<'py, PyAny>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    if game.is_instance_of::<PyType>() {
        return game.call((), options);
    }
    match options {
        Some(options) if !options.is_empty() => {
            Err(PyTypeError::new_err("rules: an object has its rules already; give its class"))
        }
        _ => Ok(game.clone()),
    }
}
