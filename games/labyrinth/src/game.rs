use crate::action::{Action, Event};
use crate::board::Board;
use crate::notation;
use crate::rules::Labyrinth;
use crate::treasure::Treasure;
use crate::view::View;
use crate::world::World;
use oboro_core::{FactInfo, Game, NotationError, Rng, SpecError, Toolbox};

impl Game for Labyrinth {
    type World = World;
    type View = View;
    type Action = Action;
    type Event = Event;

    const NAME: &'static str = "labyrinth";
    const RULES_TEXT: [&'static str; 2] =
        [include_str!("../rules.en.md"), include_str!("../rules.ja.md")];
    const PUZZLES: &'static str = include_str!("../puzzles.txt");

    fn seats(&self) -> usize {
        usize::from(self.players)
    }

    fn toolboxes() -> Vec<Toolbox> {
        vec![crate::puzzles::toolbox()]
    }

    fn validate(&self) -> Result<(), SpecError> {
        self.check()
    }

    fn deal(&self, rng: &mut Rng) -> World {
        let public = self.public(Board::shuffled(rng));
        let mut deck = Treasure::ALL;
        rng.shuffle(&mut deck);
        let dealt = self.cards_each() * self.seats();
        let cards = std::array::from_fn(|i| (i < dealt).then_some(deck[i]));
        World { public, cards }
    }

    fn write_position(&self, world: &World) -> String {
        notation::write(world)
    }

    fn parse_position(&self, text: &str) -> Result<World, NotationError> {
        notation::parse(self, text)
    }

    fn payoff_sum(&self) -> Option<f64> {
        Some(1.0)
    }

    fn facts(&self) -> &'static [FactInfo] {
        const FACTS: &[FactInfo] = &[
            FactInfo::seats("won", "1 for the winner, 0 for the others and for all in a draw"),
            FactInfo::game("draw", "1 if it reached the turn limit with no winner, else 0"),
            FactInfo::seats("turns", "how many turns it had"),
            FactInfo::seats("cards-left", "the cards it has not found"),
            FactInfo::seats("cards-face-down", "the cards it has not turned up: all left but one"),
            FactInfo::game("first-won", "1 if who moved first won, 0 if another did or nobody"),
        ];
        FACTS
    }
}
