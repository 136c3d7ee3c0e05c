//! What the command line offers for Geister besides playing it: making playout policies, looking at them, and making puzzles.

mod breeding;
mod evolve;
mod lessons;
mod policy;
mod puzzles;

use oboro_core::Toolbox;
use std::fs;
use std::path::Path;

/// The commands of the game.
pub(crate) fn toolboxes() -> Vec<Toolbox> {
    vec![evolve::toolbox(), policy::toolbox(), puzzles::toolbox()]
}

/// An error with the place or the deed it belongs to.
fn about<E: std::fmt::Display>(what: impl std::fmt::Display) -> impl FnOnce(E) -> String {
    move |error| format!("{what}: {error}")
}

/// Writes a file beside its old self and then puts it in its place.
fn write(path: &Path, text: &str) -> Result<(), String> {
    let mut beside = path.as_os_str().to_owned();
    beside.push(".new");
    fs::write(&beside, text)
        .and_then(|()| fs::rename(&beside, path))
        .map_err(about(format!("cannot write {}", path.display())))
}
