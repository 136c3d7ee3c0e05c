//! Who of the agents of a match is written in Python.

use crate::agents::{Call, Seat};
use crate::fault::Fault;
use oboro_catalog::{AnyRules, ExternalAgents, ExternalFactory};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyString, PyType};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::Sender;

/// So many games at the same time fill the batches of a batched agent.
pub(crate) const BATCH: usize = 64;

/// How a Python object plays.
pub(crate) enum Kind {
    /// A class or a function, called for every game.
    Factory,
    /// An object with `act`, copied for every game.
    Prototype,
    /// An object with `act_batch`, asked for all games.
    Batched,
}

/// An agent written in Python.
pub(crate) struct Guest {
    pub(crate) object: Py<PyAny>,
    name: String,
    pub(crate) kind: Kind,
}

/// The agents of a match: specs of the engine's own, and guests.
pub(crate) struct Guests {
    pub(crate) guests: Vec<Guest>,
    /// One name a seat, or one an entrant of a league.
    pub(crate) specs: Vec<String>,
}

impl Guests {
    /// Sorts out who is who.
    pub(crate) fn new(agents: &Bound<'_, PyAny>, rules: &dyn AnyRules) -> PyResult<Guests> {
        let (guests, specs) = Guests::seated(agents, rules)?;
        let missing = || PyTypeError::new_err("agents: None is no agent here");
        let specs = specs.into_iter().map(|spec| spec.ok_or_else(missing));
        Ok(Guests { specs: specs.collect::<PyResult<_>>()?, ..guests })
    }

    /// The same, where a seat may be left to the caller.
    pub(crate) fn seated(
        agents: &Bound<'_, PyAny>,
        rules: &dyn AnyRules,
    ) -> PyResult<(Guests, Vec<Option<String>>)> {
        if agents.is_instance_of::<PyString>() {
            return Err(PyTypeError::new_err("agents: expected a list, one agent per seat"));
        }
        let mut guests = Guests::none();
        let mut specs = Vec::new();
        for agent in agents.try_iter()? {
            let agent = agent?;
            specs.push(if agent.is_none() { None } else { Some(guests.invite(agent, rules)?) });
        }
        Ok((guests, specs))
    }

    /// The spec of an agent, which is one of the guests unless it is a spec already.
    fn invite(&mut self, agent: Bound<'_, PyAny>, rules: &dyn AnyRules) -> PyResult<String> {
        if let Ok(spec) = agent.cast::<PyString>() {
            return Ok(spec.to_str()?.to_owned());
        }
        let guests = &mut self.guests;
        let known = guests.iter().find(|guest| guest.object.bind(agent.py()).is(&agent));
        if let Some(guest) = known {
            return Ok(guest.name.clone());
        }
        let kind = kind(&agent)?;
        let name = name(&agent)?;
        if rules.canonical(&name).is_ok() {
            let said = format!("{} has an agent `{name}`: give yours another name", rules.game());
            return Err(Fault::new("SpecError", said).into());
        }
        let name = (1..=guests.len() + 1)
            .map(|n| if n == 1 { name.clone() } else { format!("{name}#{n}") })
            .find(|name| guests.iter().all(|guest| guest.name != *name))
            .expect("one name more than there are guests is free");
        guests.push(Guest { object: agent.unbind(), name: name.clone(), kind });
        Ok(name)
    }

    /// Nobody.
    pub(crate) fn none() -> Guests {
        Guests { guests: Vec::new(), specs: Vec::new() }
    }

    /// How many games are worth playing at the same time: a batched agent gains by many.
    pub(crate) fn has_batched(&self) -> bool {
        self.guests.iter().any(|guest| matches!(guest.kind, Kind::Batched))
    }

    /// The way for the engine to reach them.
    pub(crate) fn external(&self, desk: &Sender<Call>) -> Arc<dyn ExternalAgents> {
        let numbers = Arc::new(AtomicU64::new(0));
        let entry = |(guest, Guest { name, .. }): (usize, &Guest)| {
            let (desk, numbers) = (desk.clone(), Arc::clone(&numbers));
            let factory: ExternalFactory = Arc::new(move || {
                let number = numbers.fetch_add(1, Ordering::Relaxed);
                Box::new(Seat::new(guest, number, desk.clone()))
            });
            (name.clone(), factory)
        };
        Arc::new(self.guests.iter().enumerate().map(entry).collect::<Vec<_>>())
    }
}

fn kind(agent: &Bound<'_, PyAny>) -> PyResult<Kind> {
    if agent.is_instance_of::<PyType>() {
        let is_agent = agent.hasattr("act")? || agent.hasattr("act_batch")?;
        return if is_agent { Ok(Kind::Factory) } else { Err(no_agent(agent)?) };
    }
    if agent.hasattr("act_batch")? {
        Ok(Kind::Batched)
    } else if agent.hasattr("act")? {
        Ok(Kind::Prototype)
    } else if agent.is_callable() {
        Ok(Kind::Factory)
    } else {
        Err(no_agent(agent)?)
    }
}

fn no_agent(agent: &Bound<'_, PyAny>) -> PyResult<PyErr> {
    Ok(PyTypeError::new_err(format!(
        "{} is no agent: write a spec, such as \"random\", or a class with act(view)",
        agent.repr()?
    )))
}

/// What an agent is called in results.
fn name(agent: &Bound<'_, PyAny>) -> PyResult<String> {
    let own = agent.getattr_opt("name")?.filter(PyAnyMethods::is_instance_of::<PyString>);
    let name = match own {
        Some(name) => name.str()?.to_string(),
        None => match agent.getattr_opt("__name__")? {
            Some(name) => name.str()?.to_string(),
            None => agent.get_type().name()?.to_string(),
        },
    };
    let words: Vec<&str> = name.split(|c: char| c.is_whitespace() || c == '|').collect();
    let name = words.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join("-");
    if name.is_empty() {
        return Err(PyValueError::new_err("an agent's name is empty"));
    }
    Ok(name)
}
