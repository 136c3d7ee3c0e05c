//! The agents, and all that only they use.

pub mod gp;
mod keeper;
pub mod naotti;
mod plan;
mod player;
mod playout_policy;
pub(crate) mod search;
mod ssm;
mod standard;
mod tree_search;
mod upp;

pub(crate) use self::player::NET;
use crate::Geister;
use crate::action::Action;
use crate::piece::Placement;
use crate::view::View;
use oboro_core::{AgentEntry, FastPath, Rng, SeatView, SpecError};
use oboro_search::with_standard_agents;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// Every agent of the game.
pub fn agents() -> Vec<AgentEntry<Geister>> {
    let mut agents = Vec::from(tree_search::entries());
    agents.extend([naotti::entry(), gp::entry(), oboro_player::oboro(&NET)]);
    agents.extend([keeper::entry(), plan::entry(), upp::entry()]);
    agents.extend(ssm::entries());
    with_standard_agents(agents)
}

/// The fast paths of evolved policies and nets.
pub(crate) fn fast_paths() -> impl Iterator<Item = FastPath> {
    let net = NET.get(&Geister::default()).expect("it is a net of the game");
    gp::fast_paths().into_iter().chain([FastPath { work: "nets", by: net.fast_path() }])
}

/// How an agent places its pieces: at random, or always the same way.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub(crate) enum PlacementChoice {
    /// One of the 70, uniformly.
    #[default]
    Random,
    /// This one.
    Fixed(Placement),
}

impl PlacementChoice {
    /// The placement, if it is the view's owner's turn to place.
    pub(crate) fn placing(self, view: &View, rng: &mut Rng) -> Option<Action> {
        (!view.public().has_placed(view.seat())).then(|| {
            Action::Place(match self {
                PlacementChoice::Random => Placement::random(rng),
                PlacementChoice::Fixed(placement) => placement,
            })
        })
    }
}

impl fmt::Display for PlacementChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlacementChoice::Random => f.write_str("random"),
            PlacementChoice::Fixed(placement) => write!(f, "{placement}"),
        }
    }
}

impl FromStr for PlacementChoice {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<PlacementChoice, SpecError> {
        if text == "random" {
            return Ok(PlacementChoice::Random);
        }
        text.parse()
            .map(PlacementChoice::Fixed)
            .map_err(|error| SpecError(format!("`random` or four red pieces (CEFG): {error}")))
    }
}

oboro_core::serde_as_text!(PlacementChoice);
