//! How our own player sets its pieces up.

use super::PlacementChoice;
use crate::action::Action;
use crate::piece::Placement;
use crate::view::View;
use oboro_core::{Rng, SeatView, SpecError};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// Where the reds go.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum SetUp {
    /// Three reds side by side in front and one in a corner behind, one of the four ways to do so.
    #[default]
    Corner,
    /// Three reds in front and one behind, one of the sixteen ways to do so.
    Front,
    /// Drawn from the net's own mixed strategy.
    Learned,
    /// At random, or always the same.
    Choice(PlacementChoice),
}

impl SetUp {
    const CORNERS: [&str; 4] = ["ABCE", "ABCH", "BCDE", "BCDH"];

    /// The set-up, if it is the view's owner's turn to place and the net is not to be asked.
    pub(crate) fn placing(self, view: &View, rng: &mut Rng) -> Option<Action> {
        if view.public().has_placed(view.seat()) {
            return None;
        }
        let text = match self {
            SetUp::Learned => return None,
            SetUp::Choice(choice) => return choice.placing(view, rng),
            SetUp::Corner => SetUp::CORNERS[rng.below(SetUp::CORNERS.len())].to_owned(),
            SetUp::Front => {
                let front = ["ABC", "ABD", "ACD", "BCD"][rng.below(4)];
                let behind = ["E", "F", "G", "H"][rng.below(4)];
                format!("{front}{behind}")
            }
        };
        let placement: Placement = text.parse().expect("four pieces");
        Some(Action::Place(placement))
    }
}

impl fmt::Display for SetUp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SetUp::Corner => f.write_str("corner"),
            SetUp::Front => f.write_str("front"),
            SetUp::Learned => f.write_str("learned"),
            SetUp::Choice(choice) => choice.fmt(f),
        }
    }
}

impl FromStr for SetUp {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<SetUp, SpecError> {
        match text {
            "corner" => Ok(SetUp::Corner),
            "front" => Ok(SetUp::Front),
            "learned" => Ok(SetUp::Learned),
            _ => text.parse().map(SetUp::Choice).map_err(|SpecError(error)| {
                SpecError(format!("`corner`, `front`, `learned`, {error}"))
            }),
        }
    }
}

impl TryFrom<String> for SetUp {
    type Error = SpecError;

    fn try_from(text: String) -> Result<SetUp, SpecError> {
        text.parse()
    }
}

impl From<SetUp> for String {
    fn from(set_up: SetUp) -> String {
        set_up.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Geister;
    use oboro_core::{Game, GameWorld, Seat};
    use std::collections::BTreeSet;

    #[test]
    fn set_ups_are_mixed_and_what_is_written_is_read() {
        let view = Geister::default().deal(&mut Rng::from_u64(1)).view(Seat::FIRST);
        let mut rng = Rng::from_u64(2);
        let drawn: BTreeSet<String> =
            (0..60).map(|_| SetUp::Corner.placing(&view, &mut rng).unwrap().to_string()).collect();
        assert_eq!(drawn.into_iter().collect::<Vec<_>>(), SetUp::CORNERS);
        let drawn: BTreeSet<String> =
            (0..400).map(|_| SetUp::Front.placing(&view, &mut rng).unwrap().to_string()).collect();
        let in_front = |text: &String| text.chars().filter(|piece| "ABCD".contains(*piece)).count();
        assert!(drawn.len() == 16 && drawn.iter().all(|text| in_front(text) == 3), "{drawn:?}");
        assert_eq!(SetUp::Learned.placing(&view, &mut rng), None);
        for text in ["corner", "front", "learned", "random", "CEFG"] {
            assert_eq!(text.parse::<SetUp>().unwrap().to_string(), text);
        }
        assert!(
            "CEF"
                .parse::<SetUp>()
                .unwrap_err()
                .to_string()
                .contains("`corner`, `front`, `learned`")
        );
    }
}
