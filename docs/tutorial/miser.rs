//! An agent that holds sixes and eights back for as long as it can.

use crate::{Action, Sevens, View};
use oboro_core::{Agent, AgentEntry, Rng, SeatView, SpecError, fresh};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The parameters of `miser`.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Miser {
    /// Probability of a random action, 0 to 1.
    pub noise: f64,
}

impl Default for Miser {
    fn default() -> Miser {
        Miser { noise: 0.05 }
    }
}

impl Agent<Sevens> for Miser {
    fn act(&mut self, view: &View, rng: &mut Rng) -> Action {
        let actions = view.legal_actions();
        if rng.chance(self.noise) {
            return *rng.choose(&actions).expect("an agent is asked only when it can act");
        }
        let worth = |action: &Action| match action {
            Action::Lay(card) => i32::from(card.distance()),
            Action::Pass => 1, // better than giving a six or an eight away
        };
        actions.into_iter().max_by_key(worth).expect("an agent is asked only when it can act")
    }
}

/// Its line in the list of agents.
pub(super) fn entry() -> AgentEntry<Sevens> {
    AgentEntry::new(
        "miser",
        "the tutorial",
        "Holds sixes and eights back for as long as it can",
        |_, params: &Miser| {
            if !(0.0..=1.0).contains(&params.noise) {
                return Err(SpecError(format!("noise={}: from 0 to 1", params.noise)));
            }
            Ok(fresh(*params))
        },
    )
}
