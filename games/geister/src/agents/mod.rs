//! The players.

mod gp;
pub mod keeper;
mod monte_carlo;
pub mod naotti;
mod oboro;
mod oboro_2026a;
mod playouts;
mod set_up;
mod ssm;
mod standard;
mod upp;

pub use self::gp::GpParams;
pub use self::keeper::KeeperParams;
pub use self::monte_carlo::{NishioParams, PimcParams, TreeParams};
pub use self::naotti::{Information, NaottiParams};
pub use self::oboro::OboroParams;
pub use self::oboro_2026a::Oboro2026aParams;
pub use self::playouts::PolicyChoice;
pub use self::set_up::SetUp;
pub use self::ssm::{Lead, RuleOrder, SsmParams, Take};
pub use self::upp::UppParams;
use crate::Geister;
use crate::action::Action;
use crate::piece::Placement;
use crate::view::View;
use oboro_core::{AgentEntry, Rng, SeatView, SpecError};
use oboro_search::with_standard_agents;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// Every agent of the game.
pub fn agents() -> Vec<AgentEntry<Geister>> {
    let mut agents = Vec::from(monte_carlo::entries());
    agents.push(naotti::entry());
    agents.push(gp::entry());
    agents.push(oboro::entry());
    agents.push(oboro_2026a::entry());
    agents.push(keeper::entry());
    agents.extend(ssm::entries());
    agents.push(upp::entry());
    with_standard_agents(agents)
}

/// How an agent places its pieces: at random, or always the same way.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum PlacementChoice {
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

impl TryFrom<String> for PlacementChoice {
    type Error = SpecError;

    fn try_from(text: String) -> Result<PlacementChoice, SpecError> {
        text.parse()
    }
}

impl From<PlacementChoice> for String {
    fn from(choice: PlacementChoice) -> String {
        choice.to_string()
    }
}

/// Refuses a parameter out of range.
fn check_range<T: PartialOrd + fmt::Display + Copy>(
    name: &str,
    value: T,
    range: RangeInclusive<T>,
) -> Result<(), SpecError> {
    if range.contains(&value) {
        Ok(())
    } else {
        Err(SpecError(format!("{name}={value}: {} to {}", range.start(), range.end())))
    }
}
