//! What the command line offers for Geister besides playing it: making playout policies, and looking at them.

mod breeding;
mod evolve;
mod lessons;
mod policy;

use oboro_core::Toolbox;

/// The commands of the game.
pub(crate) fn toolboxes() -> Vec<Toolbox> {
    vec![evolve::toolbox(), policy::toolbox()]
}

/// An error with the place or the deed it belongs to.
fn about<E: std::fmt::Display>(what: impl std::fmt::Display) -> impl FnOnce(E) -> String {
    move |error| format!("{what}: {error}")
}

/// Refuses a number that is out of its range.
fn in_range(name: &str, value: u32, most: u32) -> Result<(), String> {
    if (1..=most).contains(&value) {
        return Ok(());
    }
    Err(format!("{name}={value}: from 1 to {most}"))
}
