//! Hand-made positions: what a test says, and all other cards somewhere out of the way.
#![allow(dead_code, reason = "each test file uses a part of it")]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

use oboro_core::{Game, GameWorld, SeatView};
use oboro_saboteur::{Action, Card, Saboteur, Tile, World};

/// A position in words; every field has a plain default.
#[derive(Clone, Debug)]
pub(crate) struct Scene {
    pub(crate) rules: Saboteur,
    pub(crate) past: &'static str,
    pub(crate) turn: usize,
    pub(crate) roles: &'static str,
    pub(crate) goals: &'static str,
    pub(crate) mine: &'static str,
    /// Hands from seat 0; seats that are not named get any cards that are left.
    pub(crate) hands: &'static [&'static str],
    pub(crate) pile: &'static str,
    pub(crate) broken: &'static str,
    pub(crate) looks: &'static str,
    /// Whether the cards that are not named are used up instead of dealt: nothing is left to draw.
    pub(crate) is_late: bool,
}

impl Default for Scene {
    fn default() -> Scene {
        Scene {
            rules: Saboteur { rounds: 1, ..Saboteur::default() },
            past: "-",
            turn: 0,
            roles: "dddddss",
            goals: "gold,stone-up,stone-down",
            mine: "-",
            hands: &[],
            pile: "-",
            broken: "-",
            looks: "-",
            is_late: false,
        }
    }
}

impl Scene {
    /// A way along the start row that one card joins to the middle goal, where seat 0 knows the gold.
    pub(crate) fn near_the_gold() -> Scene {
        Scene {
            mine: "LR@1,0;LR@2,0;LR@3,0;LURD@4,0;LURD@5,0;LURD@6,0",
            goals: "stone-up,gold,stone-down",
            looks: "0:8,0",
            ..Scene::default()
        }
    }

    pub(crate) fn world(&self) -> World {
        let players = usize::from(self.rules.players);
        let mut rest = self.rest();
        let mut take = |count: usize| {
            let taken: Vec<String> = rest.drain(..count).map(|card| card.to_string()).collect();
            list(&taken)
        };
        let mut hands: Vec<String> = self.hands.iter().map(|&hand| hand.to_owned()).collect();
        while hands.len() < players {
            hands.push(take(self.rules.hand_size()));
        }
        let rest: Vec<String> = rest.iter().map(Card::to_string).collect();
        let (deck, used) = if self.is_late {
            ("-".to_owned(), list(&rest))
        } else {
            (list(&rest), "-".to_owned())
        };
        let text = format!(
            "past={} turn={} roles={} goals={} mine={} hands={} deck={deck} pile={} used={used} \
             broken={} looks={} chance=0123456789abcdef",
            self.past,
            self.turn,
            &self.roles[..players],
            self.goals,
            self.mine,
            hands.join("/"),
            self.pile,
            self.broken,
            self.looks,
        );
        self.rules.parse_position(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))
    }

    /// The cards that the scene does not name, path cards last.
    fn rest(&self) -> Vec<Card> {
        let mut counts: Vec<usize> = Card::all().map(|card| card.copies().into()).collect();
        let mut remove = |card: Card| counts[card.index()] -= 1;
        let items =
            |text: &'static str, separator: char| text.split(separator).filter(|item| *item != "-");
        for item in items(self.mine, ';') {
            let (tile, _) = item.split_once('@').unwrap();
            remove(tile.parse::<Tile>().unwrap().card());
        }
        for card in self.hands.iter().flat_map(|hand| items(hand, ',')) {
            remove(card.parse().unwrap());
        }
        for item in items(self.pile, ',') {
            remove(item.split_once(':').unwrap().1.parse().unwrap());
        }
        for item in items(self.broken, ',') {
            for tool in item.split_once(':').unwrap().1.split('+') {
                remove(format!("break-{tool}").parse().unwrap());
            }
        }
        Card::all().rev().flat_map(|card| std::iter::repeat_n(card, counts[card.index()])).collect()
    }
}

fn list(items: &[String]) -> String {
    if items.is_empty() { "-".to_owned() } else { items.join(",") }
}

/// The legal actions as text, sorted.
pub(crate) fn legal(world: &World) -> Vec<String> {
    let actions = world.legal_actions();
    let seat = world.to_act().unwrap();
    assert_eq!(world.view(seat).legal_actions(), actions);
    let mut texts: Vec<String> = actions.iter().map(Action::to_string).collect();
    texts.sort();
    texts
}

/// The legal actions other than discards.
pub(crate) fn plays(world: &World) -> Vec<String> {
    let mut texts = legal(world);
    texts.retain(|text| !text.starts_with("discard"));
    texts
}

/// Plays actions in turn, each of which must be legal.
pub(crate) fn play(world: &mut World, actions: &[&str]) {
    for action in actions {
        world.play(action.parse().unwrap()).unwrap_or_else(|error| panic!("{error}\n{world}"));
    }
}
