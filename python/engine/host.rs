//! Agents written in Python at tables that outlive a call: those of a batch.

use crate::agents::{Call, Desk};
use crate::fault::Fault;
use crate::guests::Guests;
use oboro_catalog::AnyRules;
use oboro_core::Stop;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};

/// Hosts the agents of a batch: the caller of the batch answers for them until the engine is done.
pub(crate) struct Host {
    desk: Mutex<(Desk, Receiver<Call>)>,
    sender: Sender<Call>,
}

impl Host {
    /// A host of these agents, and the rules by which they may play.
    pub(crate) fn new(guests: Guests, rules: &Arc<dyn AnyRules>) -> (Host, Arc<dyn AnyRules>) {
        let (sender, calls) = channel();
        let rules = rules.allow_external(guests.external(&sender));
        let desk = Desk::new(&Arc::new(guests), &Stop::new());
        (Host { desk: Mutex::new((desk, calls)), sender }, rules)
    }

    /// Lets the engine work on another thread, and answers for the agents meanwhile. Ctrl-C ends it.
    pub(crate) fn run<T: Send>(
        &self,
        py: Python<'_>,
        task: impl FnOnce(&Stop) -> Result<T, Fault> + Send,
    ) -> PyResult<T> {
        let stop = Stop::new();
        let in_use = |_| PyValueError::new_err("these games are in use by another step");
        let mut held = self.desk.try_lock().map_err(in_use)?;
        let (desk, calls) = &mut *held;
        desk.continue_with(&stop);
        let task = || stop.watch(|| task(&stop));
        desk.serve(py, (&self.sender, calls), task, |_| ())?.map_err(|fault| {
            let error = PyErr::from(fault);
            if let Some(cause) = desk.last_raised() {
                error.set_cause(py, Some(cause));
            }
            error
        })
    }
}
