//! The rules and their options.

use crate::{Action, Event, View, World};
use oboro_core::{FactInfo, Game, NotationError, Rng, SpecError, parse_history, write_history};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The rules with their options.
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
    /// A view tells all that its seat has seen and done, so that the game can be solved.
    const PERFECT_RECALL: bool = true;
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

    /// All starts with their probabilities: with them `oboro solve` computes the game exactly.
    fn deals(&self) -> Option<Vec<(f64, World)>> {
        let share = 1.0 / f64::from(self.sides).powi(2);
        let pairs = (1..=self.sides).flat_map(|one| (1..=self.sides).map(move |two| [one, two]));
        Some(pairs.map(|dice| (share, World::new(dice, self.sides))).collect())
    }

    /// A position is its deal and what was said: `42: high`.
    fn write_position(&self, world: &World) -> String {
        let [one, two] = world.dice;
        write_history(&format!("{one}{two}"), world.public.said.into_iter().flatten())
    }

    fn parse_position(&self, text: &str) -> Result<World, NotationError> {
        parse_history(text, |deal| {
            let dice: Vec<u8> =
                deal.chars().filter_map(|c| c.to_digit(10)).map(|die| die as u8).collect();
            match dice[..] {
                [one, two]
                    if deal.len() == 2 && dice.iter().all(|d| (1..=self.sides).contains(d)) =>
                {
                    Ok(World::new([one, two], self.sides))
                }
                _ => Err(format!("expected two dice from 1 to {}", self.sides)),
            }
        })
    }

    /// Who gives a game up gets nothing and the other the rest, unless you write `forfeit_payoffs`: it must never
    /// be better than the worst ending.
    fn payoff_sum(&self) -> Option<f64> {
        Some(1.0)
    }

    fn facts(&self) -> &'static [FactInfo] {
        const FACTS: &[FactInfo] = &[FactInfo::seats("right", "1 for who was right, else 0")];
        FACTS
    }
}
