/// An experiment that cannot be used.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{place}: {message}")]
pub struct ExperimentError {
    place: String,
    message: String,
}

impl ExperimentError {
    pub(crate) fn new(place: &str, message: impl Into<String>) -> ExperimentError {
        ExperimentError { place: place.to_owned(), message: message.into() }
    }
}
