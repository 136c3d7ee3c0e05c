//! Work of the engine while Python's lock is free.

use crate::fault::Fault;
use oboro_core::Stop;
use pyo3::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::time::Duration;

/// How long a signal such as Ctrl-C may wait.
pub(crate) const PATIENCE: Duration = Duration::from_millis(50);

/// Runs something quick.
pub(crate) fn quickly<T: Send>(
    py: Python<'_>,
    task: impl FnOnce() -> Result<T, Fault> + Send,
) -> PyResult<T> {
    Ok(py.detach(|| guarded(task))?)
}

/// Runs something that may take long, on another thread: Ctrl-C pulls the switch and raises `KeyboardInterrupt` when the
/// task has come to its end.
pub(crate) fn patiently<T: Send>(
    py: Python<'_>,
    task: impl FnOnce(&Stop) -> Result<T, Fault> + Send,
) -> PyResult<T> {
    let stop = Stop::new();
    py.detach(|| {
        std::thread::scope(|scope| {
            let (sender, receiver) = sync_channel(1);
            let switch = &stop;
            scope.spawn(move || {
                // Nobody but the loop below holds the receiver, and it waits for this.
                let _ = sender.send(guarded(|| switch.watch(|| task(switch))));
            });
            let mut interrupted = None;
            loop {
                match receiver.recv_timeout(PATIENCE) {
                    Ok(done) => return interrupted.map_or_else(|| Ok(done?), Err),
                    Err(RecvTimeoutError::Disconnected) => {
                        return Err(Fault::new(
                            "EngineError",
                            "the engine's thread ended without a word",
                        )
                        .into());
                    }
                    Err(RecvTimeoutError::Timeout) => {
                        if let Err(error) = Python::attach(signals) {
                            stop.pull();
                            interrupted = Some(error);
                        }
                    }
                }
            }
        })
    })
}

fn signals(py: Python<'_>) -> PyResult<()> {
    py.check_signals()
}

/// Falls over inside the engine: for the test that a panic becomes an exception.
#[pyfunction]
pub(crate) fn _fall_over(py: Python<'_>) -> PyResult<()> {
    quickly(py, || panic!("on purpose"))
}

/// Turns a panic into a complaint.
pub(crate) fn guarded<T>(task: impl FnOnce() -> Result<T, Fault>) -> Result<T, Fault> {
    catch_unwind(AssertUnwindSafe(task)).unwrap_or_else(|panic| Err(Fault::panic(panic)))
}
