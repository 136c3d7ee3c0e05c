//! Names and descriptions of the channels, also with renamed tools.

use super::PLANES;
use crate::{Action, Card, CardKind, Goal, GoalCard, Saboteur, Tool, Tools};
use oboro_core::{Channel, Seat, Shape, Symmetry, player_channels};

/// Tools by new names: what is said of each is said of the one it becomes.
#[derive(Clone, Copy)]
pub(super) struct Renamed(pub(super) [Tool; 3]);

impl Renamed {
    pub(super) const NOT: Renamed = Renamed(Tool::ALL);

    fn tool(self, tool: Tool) -> Tool {
        self.0[tool as usize]
    }

    pub(super) fn card(self, card: Card) -> Card {
        let kind = match card.kind() {
            CardKind::Break(tool) => CardKind::Break(self.tool(tool)),
            CardKind::Mend(tools) => {
                let mut renamed = Tools::EMPTY;
                tools.iter().for_each(|tool| renamed.insert(self.tool(tool)));
                CardKind::Mend(renamed)
            }
            kind => kind,
        };
        Card::all().find(|card| card.kind() == kind).expect("every tool has the same cards")
    }

    fn action(self, action: Action) -> Action {
        match action {
            Action::Break { tool, seat } => Action::Break { tool: self.tool(tool), seat },
            Action::Mend { card, tool, seat } => {
                Action::Mend { card: self.card(card), tool: self.tool(tool), seat }
            }
            Action::Discard { card } => Action::Discard { card: self.card(card) },
            Action::Dig { .. } | Action::RockFall { .. } | Action::Look { .. } => action,
        }
    }
}

impl Saboteur {
    /// The shape with renamed cards and tools in the same places.
    pub(super) fn observation(self, renamed: Renamed) -> Shape {
        Shape::new(self.size(), self.planes(), self.features(renamed))
    }

    fn planes(self) -> Vec<Channel> {
        let mut planes: Vec<Channel> =
            PLANES.into_iter().map(|(name, about)| Channel::flag(name, about)).collect();
        planes.push(Channel::count(
            "laid at",
            Card::DECK as u8,
            "the turn of this round in which the card was laid, from 1",
        ));
        planes.push(Channel::count("rocks", 3, "how often rocks fell there in this round"));
        planes.extend((0..self.players).map(|i| {
            Channel::flag(format!("laid by {i}"), format!("a card that player {i} laid"))
        }));
        planes
    }

    fn features(self, renamed: Renamed) -> Vec<Channel> {
        let deck = Card::DECK as u8;
        let hand = self.hand_size() as u8;
        let mut features = vec![
            Channel::flag("saboteur", "the observer is a saboteur"),
            Channel::count("nuggets", 6 * self.rounds, "the nuggets it has won so far"),
            Channel::count("rounds", self.rounds, "how many rounds are over"),
            Channel::count("turns", deck, "how many turns of this round the observer has seen"),
            Channel::count("deck", deck, "how many cards can be drawn"),
        ];
        for goal in Goal::ALL {
            let name = goal.name();
            features
                .push(Channel::flag(format!("{name} up"), format!("the {name} goal lies face up")));
            features.extend(GoalCard::ALL.map(|card| {
                let about = format!("the observer knows that the {name} goal is {}", card.name());
                Channel::flag(format!("{name} {}", card.name()), about)
            }));
        }
        let counts = [
            ("hand", "how many the observer holds"),
            ("used", "how many were used up openly in this round"),
            ("unseen", "how many the observer has not seen in this round"),
        ];
        for (count, about) in counts {
            features.extend(Card::all().map(|card| {
                let name = format!("{count} {}", renamed.card(card));
                Channel::count(name, card.copies(), about)
            }));
        }
        let lists = [
            ("hand", hand, "its place in the hand, from 1; 0 if it is not there"),
            (
                "discarded",
                deck,
                "its place in the face-down pile, from 1, if the observer put it there",
            ),
        ];
        for (list, max, about) in lists {
            for card in Card::all() {
                let name = renamed.card(card);
                features.extend(
                    (1..=card.copies())
                        .map(|copy| Channel::count(format!("{list} {name} {copy}"), max, about)),
                );
            }
        }
        for i in 0..self.players {
            features.extend(self.features_of_seat(i, renamed));
        }
        features.extend((1..=deck).map(|place| {
            let about =
                "who put this card on the face-down pile: 1 the observer, 2 the next, …; 0 if none";
            Channel::count(format!("pile {place}"), self.players, about)
        }));
        for round in 1..=self.rounds {
            for i in 0..self.players {
                let about = format!("player {i} was a saboteur in round {round}, which is over");
                features.push(Channel::flag(format!("round {round} saboteur {i}"), about));
                let about = format!("player {i} reached the gold in it");
                features.push(Channel::flag(format!("round {round} reached by {i}"), about));
            }
            features.extend((1..=self.gold_cards()).map(|place| {
                Channel::count(
                    format!("round {round} gold {place}"),
                    3,
                    "the nuggets on this gold card, the most valuable first; 0 if the observer did not see it",
                )
            }));
        }
        features
    }

    fn features_of_seat(self, i: u8, renamed: Renamed) -> Vec<Channel> {
        let deck = Card::DECK as u8;
        let hand = self.hand_size() as u8;
        let channels = [
            ("to act #", 1, "it is the turn of player #"),
            ("first #", 1, "player # had the first turn of the game"),
            ("cards #", hand, "cards in the hand of player #"),
            ("discards #", deck, "cards that player # put away"),
        ];
        let mut features = player_channels(i, &channels);
        features.extend(Tool::ALL.map(|tool| {
            let name = renamed.tool(tool).name();
            Channel::flag(format!("{name} {i}"), format!("the {name} of player {i} is broken"))
        }));
        features.extend(Goal::ALL.map(|goal| {
            let name = goal.name();
            let about = format!("player {i} has looked at the {name} goal");
            Channel::flag(format!("looked at {name} {i}"), about)
        }));
        let counts = [
            ("ways #", 31, "passable cards laid by player #"),
            ("blocks #", 9, "blocked cards laid by player #"),
            ("rock falls #", 3, "rock falls of player #"),
            ("maps #", 6, "maps used by player #"),
        ];
        features.extend(player_channels(i, &counts));
        for verb in ["broke", "mended"] {
            features.extend((0..self.players).map(|other| {
                let about = format!("how often player {i} {verb} a tool of player {other}");
                Channel::count(format!("{i} {verb} {other}"), 9, about)
            }));
        }
        features
    }

    pub(super) fn truth(self, renamed: Renamed) -> Shape {
        let mut truth = Vec::new();
        for goal in Goal::ALL {
            truth.extend(GoalCard::ALL.map(|card| {
                let (goal, card) = (goal.name(), card.name());
                Channel::flag(format!("{goal} {card}"), format!("the {goal} goal is {card}"))
            }));
        }
        for i in 1..self.players {
            truth.push(Channel::flag(format!("saboteur {i}"), format!("player {i} is a saboteur")));
            truth.extend(Card::all().map(|card| {
                let name = format!("hand {i} {}", renamed.card(card));
                Channel::count(name, card.copies(), format!("how many player {i} holds"))
            }));
        }
        Shape::new([0, 0], vec![], truth)
    }

    pub(super) fn renaming(self, renamed: Renamed) -> Symmetry {
        let numbers: usize = self.parts().iter().sum();
        let image = |number| {
            let action = self.meaning(Seat::FIRST, number).expect("every number means something");
            self.number_of(Seat::FIRST, renamed.action(action)) as u32
        };
        Symmetry {
            name: format!("lantern, pick, cart become {}", renamed.0.map(Tool::name).join(", ")),
            observation: self.observation(Renamed::NOT).renamed(&self.observation(renamed)),
            truth: self.truth(Renamed::NOT).renamed(&self.truth(renamed)),
            actions: (0..numbers).map(image).collect(),
        }
    }
}
