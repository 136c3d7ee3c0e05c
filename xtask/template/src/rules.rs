//! The rules and their options.

use crate::{Action, Event, View, World, notation};
use oboro_core::{FactInfo, Game, NotationError, Rng, SpecError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The rules of Dice with their options.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Dice {
    /// How many sides a die has, 4 to 9.
    pub sides: u8,
}

impl Default for Dice {
    fn default() -> Dice {
        Dice { sides: 6 }
    }
}

impl Game for Dice {
    type World = World;
    type View = View;
    type Action = Action;
    type Event = Event;
    const NAME: &'static str = "dice";
    const RULES_TEXT: [&'static str; 2] =
        [include_str!("../rules.en.md"), include_str!("../rules.ja.md")];

    fn seats(&self) -> usize {
        2
    }

    fn validate(&self) -> Result<(), SpecError> {
        if (4..=9).contains(&self.sides) {
            return Ok(());
        }
        Err(SpecError(format!("sides={}: 4 to 9", self.sides)))
    }

    /// All chance is here: a world carries what is rolled or drawn later, too.
    fn deal(&self, rng: &mut Rng) -> World {
        let dice = [(); 2].map(|()| 1 + rng.below(self.sides.into()) as u8);
        World::new(dice, self.sides)
    }

    fn write_position(&self, world: &World) -> String {
        notation::write_position(world)
    }

    fn parse_position(&self, text: &str) -> Result<World, NotationError> {
        notation::parse_position(text, self.sides)
    }

    fn payoff_sum(&self) -> Option<f64> {
        Some(1.0)
    }

    fn facts(&self) -> &'static [FactInfo] {
        const FACTS: &[FactInfo] = &[FactInfo::seats("right", "1 for who was right, else 0")];
        FACTS
    }
}
