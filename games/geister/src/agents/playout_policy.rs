//! The policies of playouts, as written in parameters.

use super::gp::{GpPlayouts, Policies, StrategySource};
use oboro_core::{Rng, Seat, SpecError};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// A policy of playouts: `random`, `eager`, `gp:FILE` or `rules:TEXT`.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub(super) enum PolicyChoice {
    /// Every legal action with the same probability.
    #[default]
    Random,
    /// Leaves and takes blues when it can, otherwise random.
    Eager,
    /// A policy over the primitives of genetic programming.
    Strategy(StrategySource),
}

/// The policies that strangers may name: none that is a file or a text of their own.
pub(super) fn public_policies() -> Vec<String> {
    let included = StrategySource::names().into_iter().map(|name| format!("gp:{name}"));
    ["random", "eager"].map(str::to_owned).into_iter().chain(included).collect()
}

impl fmt::Display for PolicyChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PolicyChoice::Random => f.write_str("random"),
            PolicyChoice::Eager => f.write_str("eager"),
            PolicyChoice::Strategy(StrategySource::Named(name)) => write!(f, "gp:{name}"),
            PolicyChoice::Strategy(StrategySource::Text(text)) => write!(f, "rules:{text}"),
        }
    }
}

impl FromStr for PolicyChoice {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<PolicyChoice, SpecError> {
        let source = match text.split_once(':') {
            None if text == "random" => return Ok(PolicyChoice::Random),
            None if text == "eager" => return Ok(PolicyChoice::Eager),
            Some(("gp", name)) if !name.is_empty() => StrategySource::Named(name.to_owned()),
            Some(("rules", rules)) => StrategySource::Text(rules.to_owned()),
            _ => {
                return Err(SpecError(format!(
                    "policy `{text}`: expected random, eager, gp:FILE or rules:TEXT"
                )));
            }
        };
        Ok(PolicyChoice::Strategy(source))
    }
}

oboro_core::serde_as_text!(PolicyChoice);

/// The policies of both sides, loaded.
#[derive(Clone, Debug)]
pub(super) enum PlayoutPolicies {
    Random,
    Eager,
    Evolved(Sides),
}

impl PlayoutPolicies {
    /// Loads what both sides play by; the enemy plays as the own side does if nothing else is said.
    pub(super) fn new(
        own: &PolicyChoice,
        enemy: Option<&PolicyChoice>,
    ) -> Result<PlayoutPolicies, SpecError> {
        let load = |choice: &PolicyChoice| match choice {
            PolicyChoice::Random => Ok(None),
            PolicyChoice::Strategy(source) => source.load().map(Some),
            PolicyChoice::Eager => Err(SpecError(
                "eager plays for both sides or for none; leave enemy-policy out".to_owned(),
            )),
        };
        match (own, enemy.unwrap_or(own)) {
            (PolicyChoice::Random, PolicyChoice::Random) => Ok(PlayoutPolicies::Random),
            (PolicyChoice::Eager, PolicyChoice::Eager) => Ok(PlayoutPolicies::Eager),
            (own, other) => Ok(PlayoutPolicies::Evolved(Sides {
                own: load(own)?,
                enemy: load(other)?,
                alike: enemy.is_none(),
                drawn: None,
                variant: None,
            })),
        }
    }
}

/// Policies by side.
#[derive(Clone, Debug)]
pub(super) struct Sides {
    /// How the own side plays; none is random play.
    own: Option<Policies>,
    /// How the enemy plays, where it does not follow the very policy of the own side.
    enemy: Option<Policies>,
    alike: bool,
    /// What was drawn for this game.
    drawn: Option<GpPlayouts>,
    /// Which of several policies the own side drew.
    variant: Option<u32>,
}

impl Sides {
    /// The playouts of this game for the searches of a seat.
    pub(super) fn playouts(&mut self, seat: Seat, rng: &mut Rng) -> &mut GpPlayouts {
        self.drawn.get_or_insert_with(|| {
            let own = self.own.as_ref().map(|policies| policies.draw(rng));
            let enemy = if self.alike {
                own.clone()
            } else {
                self.enemy.as_ref().map(|policies| policies.draw(rng))
            };
            self.variant = own.as_ref().and_then(|own| own.variant);
            let mut by_seat =
                [&own, &enemy].map(|side| side.as_ref().map(|drawn| &*drawn.strategy));
            by_seat.rotate_left(seat.index());
            GpPlayouts::new(by_seat, Some(seat))
        })
    }

    /// Which of several policies the own side drew for this game.
    pub(super) fn variant(&self) -> Option<u32> {
        self.variant
    }
}
