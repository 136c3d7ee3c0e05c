//! Who plays Saboteur.

pub mod foreman;
pub mod oboro;
pub mod path;
mod standard;

use crate::{Action, Saboteur};
use foreman::{Foreman, Habits};
use oboro::{Manner, Oboro};
use oboro_core::{ActionValue, AgentEntry, Analysis, SpecError, fresh};
use oboro_search::with_standard_agents;
use path::{Path, Readings};

/// Every agent of the game, by name.
pub fn agents() -> Vec<AgentEntry<Saboteur>> {
    with_standard_agents(vec![
        AgentEntry::new::<Readings>(
            "path",
            "Ohata, Ito and Tajima 2019, sections 3 and 4",
            "Lays paths by their distance to the goal, uses maps, and never plays rocks or tools",
            |_, readings| Ok(fresh(Path::new(*readings))),
        )
        .positional(&["weights"]),
        AgentEntry::new::<Habits>(
            "foreman",
            "Oboro",
            "Judges actions by the ways they open or close, uses rocks and tools, and infers roles",
            |rules, habits| Foreman::new(*rules, *habits).map(fresh),
        ),
        AgentEntry::new::<Manner>(
            "oboro",
            "Oboro",
            "Weighs every deal of roles and every place of the gold by all that everybody did",
            |rules, manner| Oboro::new(*rules, *manner).map(fresh),
        ),
    ])
}

/// Refuses the first of some parameters (name, value, most) that is no number between 0 and its most.
fn check_ranges(params: &[(&str, f64, f64)]) -> Result<(), SpecError> {
    match params.iter().find(|(_, value, most)| !(0.0..=*most).contains(value)) {
        None => Ok(()),
        Some((name, value, most)) => {
            Err(SpecError(format!("{name}: {value} is out of range; it lies between 0 and {most}")))
        }
    }
}

/// An analysis by what actions are worth in cards of progress.
fn by_progress(
    choice: Action,
    values: impl IntoIterator<Item = (Action, f64)>,
) -> Analysis<Action> {
    Analysis {
        choice,
        measure: "cards of progress",
        values: values.into_iter().map(|(action, value)| ActionValue::new(action, value)).collect(),
        drawing: None,
    }
}
