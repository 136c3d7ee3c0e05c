//! The agents.

pub mod foreman;
pub mod oboro;
pub mod path;
mod standard;

use crate::{Action, Saboteur};
use foreman::{Foreman, ForemanParams};
use oboro::{Oboro, OboroParams};
use oboro_core::{ActionValue, AgentEntry, Analysis, SpecError, check_range, fresh};
use oboro_search::with_standard_agents;
use path::{Path, PathParams};

/// Every agent of the game, by name.
pub fn agents() -> Vec<AgentEntry<Saboteur>> {
    with_standard_agents(vec![
        AgentEntry::new::<PathParams>(
            "path",
            "Ohata, Ito and Tajima 2019, sections 3 and 4",
            "Lays paths by their distance to the goal, uses maps, and never plays rocks or tools",
            |_, params| Ok(fresh(Path::new(*params))),
        )
        .positional(&["weights"])
        .public(600, 1_024),
        AgentEntry::new::<ForemanParams>(
            "foreman",
            "Oboro",
            "Judges actions by the ways they open or close, uses rocks and tools, and infers roles",
            |rules, params| Foreman::new(*rules, *params).map(fresh),
        )
        .public(600, 1_024),
        AgentEntry::new::<OboroParams>(
            "oboro",
            "Oboro",
            "Infers roles and the place of the gold jointly from all actions, and evaluates by playouts",
            |rules, params| Oboro::new(*rules, *params).map(fresh),
        )
        .public(600, 1_024),
    ])
}

/// Refuses the first of some parameters (name, value, maximum) that does not lie between 0 and its maximum.
fn check_ranges(params: &[(&str, f64, f64)]) -> Result<(), SpecError> {
    params.iter().try_for_each(|&(name, value, max)| check_range(name, value, 0.0..=max))
}

/// An analysis by values in cards of progress.
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
