//! What the engine complains of, as Python exceptions.

use oboro_catalog::CatalogError;
use oboro_core::{LiveError, SpecError};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::any::Any;
use std::panic::resume_unwind;
use std::sync::Arc;

/// A complaint of the engine: the name of a class in `oboro.errors`, and what it says.
#[derive(Clone, Debug)]
pub(crate) struct Fault {
    class: &'static str,
    message: String,
    place: Option<Box<Place>>,
    /// What a game written in Python raised.
    raised: Option<Arc<PyErr>>,
}

/// What a game written in Python raised, on its way to the border: the engine's games cannot fail.
struct Raised(PyErr);

/// Leaves the engine with what Python raised.
pub(crate) fn raise(error: PyErr) -> ! {
    resume_unwind(Box::new(Raised(error)))
}

/// Where an agent failed.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    /// The number of the game in its match.
    pub(crate) game: u64,
    /// How many actions had been played.
    pub(crate) ply: usize,
    /// The game up to there.
    pub(crate) record: String,
    /// What stands in the record.
    pub(crate) reason: String,
}

impl Fault {
    pub(crate) fn new(class: &'static str, message: impl ToString) -> Fault {
        Fault { class, message: message.to_string(), place: None, raised: None }
    }

    /// The same, of an agent that failed somewhere.
    pub(crate) fn at(self, place: Place) -> Fault {
        Fault { place: Some(Box::new(place)), ..self }
    }

    /// Where an agent failed, if one did.
    pub(crate) fn place(&self) -> Option<&Place> {
        self.place.as_deref()
    }

    /// What a game written in Python raised, or a broken promise of the engine itself.
    pub(crate) fn panic(panic: Box<dyn Any + Send>) -> Fault {
        let panic = match panic.downcast::<Raised>() {
            Ok(raised) => {
                let fault = Fault::new("EngineError", &raised.0);
                return Fault { raised: Some(Arc::new(raised.0)), ..fault };
            }
            Err(panic) => panic,
        };
        let said = panic
            .downcast_ref::<String>()
            .map(String::as_str)
            .or_else(|| panic.downcast_ref::<&str>().copied())
            .unwrap_or("it did not say why");
        Fault::new("EngineError", format!("a fault of the engine, please report it: {said}"))
    }
}

impl From<Fault> for PyErr {
    fn from(fault: Fault) -> PyErr {
        Python::attach(|py| {
            if let Some(raised) = &fault.raised {
                return raised.clone_ref(py);
            }
            let class = py.import("oboro.errors").and_then(|errors| errors.getattr(fault.class));
            let error = class.and_then(|class| {
                let error = class.call1((fault.message.as_str(),))?;
                if let Some(place) = &fault.place {
                    error.setattr("game", place.game)?;
                    error.setattr("ply", place.ply)?;
                    error.setattr("record", &place.record)?;
                }
                Ok(error)
            });
            match error {
                Ok(error) => PyErr::from_value(error),
                // Somebody took the package apart; what happened is still told.
                Err(_) => PyRuntimeError::new_err(fault.message),
            }
        })
    }
}

impl From<SpecError> for Fault {
    fn from(error: SpecError) -> Fault {
        Fault::new("SpecError", error)
    }
}

impl From<LiveError> for Fault {
    fn from(error: LiveError) -> Fault {
        let class = match &error {
            LiveError::Over => "GameOver",
            LiveError::GaveUp(..) => "AgentError",
            LiveError::NoSeat(..) => "SeatError",
            LiveError::Illegal(..) => "IllegalAction",
            LiveError::Oracle => "SpecError",
            LiveError::Turn(..)
            | LiveError::Held(_)
            | LiveError::Outside(_)
            | LiveError::Busy(_)
            | LiveError::Stale
            | LiveError::TakeBack(..) => "TurnError",
        };
        Fault::new(class, error)
    }
}

impl From<CatalogError> for Fault {
    fn from(error: CatalogError) -> Fault {
        let class = match &error {
            CatalogError::Live(error) => return error.clone().into(),
            CatalogError::Spec(_) | CatalogError::Shape { .. } => "SpecError",
            CatalogError::Position(_) => "PositionError",
            CatalogError::Action(_) | CatalogError::NoAction { .. } => "IllegalAction",
            CatalogError::InGame(_, inner) => {
                return Fault { message: error.to_string(), ..Fault::from((**inner).clone()) };
            }
            CatalogError::Memory { .. } => "OutOfMemory",
            CatalogError::Stopped => "OboroError",
            CatalogError::Record(_) | CatalogError::Replay(_) => "RecordError",
            CatalogError::ForeignThought => "TurnError",
        };
        Fault::new(class, error)
    }
}
