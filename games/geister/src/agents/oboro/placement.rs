//! Which pieces `oboro` makes red.

use crate::action::Action;
use crate::agents::PlacementChoice;
use crate::piece::Placement;
use crate::view::View;
use oboro_core::{Rng, SeatView, SpecError};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// How the red pieces are chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub(super) enum RedPlacement {
    /// Three reds side by side in front and one in a corner behind, one of the four ways to do so.
    #[default]
    Corner,
    /// Three reds in front and one behind, one of the sixteen ways to do so.
    Front,
    /// Drawn from the net's policy.
    Learned,
    /// At random, or always the same.
    Choice(PlacementChoice),
}

impl RedPlacement {
    const CORNERS: [&str; 4] = ["ABCE", "ABCH", "BCDE", "BCDH"];

    /// The placement, if it is the view's owner's turn to place and the net does not decide.
    pub(super) fn placing(self, view: &View, rng: &mut Rng) -> Option<Action> {
        if view.public().has_placed(view.seat()) {
            return None;
        }
        let text = match self {
            RedPlacement::Learned => return None,
            RedPlacement::Choice(choice) => return choice.placing(view, rng),
            RedPlacement::Corner => {
                RedPlacement::CORNERS[rng.below(RedPlacement::CORNERS.len())].to_owned()
            }
            RedPlacement::Front => {
                let front = ["ABC", "ABD", "ACD", "BCD"][rng.below(4)];
                let behind = ["E", "F", "G", "H"][rng.below(4)];
                format!("{front}{behind}")
            }
        };
        let placement: Placement = text.parse().expect("four pieces");
        Some(Action::Place(placement))
    }
}

impl fmt::Display for RedPlacement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RedPlacement::Corner => f.write_str("corner"),
            RedPlacement::Front => f.write_str("front"),
            RedPlacement::Learned => f.write_str("learned"),
            RedPlacement::Choice(choice) => choice.fmt(f),
        }
    }
}

impl FromStr for RedPlacement {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<RedPlacement, SpecError> {
        match text {
            "corner" => Ok(RedPlacement::Corner),
            "front" => Ok(RedPlacement::Front),
            "learned" => Ok(RedPlacement::Learned),
            _ => text.parse().map(RedPlacement::Choice).map_err(|SpecError(error)| {
                SpecError(format!("`corner`, `front`, `learned`, {error}"))
            }),
        }
    }
}

serde_as_text!(RedPlacement);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Geister;
    use oboro_core::{Game, GameWorld, Seat};
    use std::collections::BTreeSet;

    #[test]
    fn placements_are_mixed_and_round_trip_as_text() {
        let view = Geister::default().deal(&mut Rng::from_u64(1)).view(Seat::FIRST);
        let mut rng = Rng::from_u64(2);
        let drawn: BTreeSet<String> = (0..60)
            .map(|_| RedPlacement::Corner.placing(&view, &mut rng).unwrap().to_string())
            .collect();
        assert_eq!(drawn.into_iter().collect::<Vec<_>>(), RedPlacement::CORNERS);
        let drawn: BTreeSet<String> = (0..400)
            .map(|_| RedPlacement::Front.placing(&view, &mut rng).unwrap().to_string())
            .collect();
        let in_front = |text: &String| text.chars().filter(|piece| "ABCD".contains(*piece)).count();
        assert!(drawn.len() == 16 && drawn.iter().all(|text| in_front(text) == 3), "{drawn:?}");
        assert_eq!(RedPlacement::Learned.placing(&view, &mut rng), None);
        for text in ["corner", "front", "learned", "random", "CEFG"] {
            assert_eq!(text.parse::<RedPlacement>().unwrap().to_string(), text);
        }
        assert!(
            "CEF"
                .parse::<RedPlacement>()
                .unwrap_err()
                .to_string()
                .contains("`corner`, `front`, `learned`")
        );
    }
}
