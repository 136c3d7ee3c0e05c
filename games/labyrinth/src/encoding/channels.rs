//! Names and descriptions of the channels, also with renamed treasures.

use super::{ACTIONS, MANY};
use crate::cell::SIZE;
use crate::rules::Labyrinth;
use crate::treasure::Treasure;
use oboro_core::{Channel, Shape, Symmetry, player_channels};

/// A treasure by the cell of its fixed tile, as the observer sees it, or by its own name.
fn name(treasure: Treasure) -> String {
    treasure.home().map_or_else(|_| treasure.to_string(), |cell| cell.to_string())
}

type Renamed<'a> = &'a dyn Fn(Treasure) -> Treasure;

impl Labyrinth {
    /// The shape with renamed treasures in the same places.
    pub(super) fn observation(&self, renamed: Renamed<'_>) -> Shape {
        Shape::new([SIZE, SIZE], self.planes(renamed), self.features(renamed))
    }

    fn planes(&self, renamed: Renamed<'_>) -> Vec<Channel> {
        let flags = [
            ("open up", "a tile that opens upwards"),
            ("open right", "a tile that opens to the right"),
            ("open down", "a tile that opens downwards"),
            ("open left", "a tile that opens to the left"),
            ("goal", "what the observer looks for"),
            ("unseen", "a treasure that nobody has found and that the observer does not look for"),
            ("forbidden", "where the extra tile may not be pushed in now"),
        ];
        let mut planes: Vec<Channel> =
            flags.into_iter().map(|(name, about)| Channel::flag(name, about)).collect();
        let channels = [
            ("pawn #", 1, "the pawn of player #"),
            ("home #", 1, "the home of player #"),
            ("walked from #", 1, "where the last walk of player # began"),
            ("pushed #", 1, "where player # last pushed the extra tile in"),
            (
                "passed up #",
                MANY,
                "in how many turns since its last find player # could have walked to the treasure and did not",
            ),
        ];
        planes.extend((0..self.players).flat_map(|i| player_channels(i, &channels)));
        planes.extend((1..self.players).map(|i| {
            let about = format!("a treasure that player {i} may be looking for");
            Channel::flag(format!("suspect {i}"), about)
        }));
        planes.extend(Treasure::movable().map(|treasure| {
            let treasure = renamed(treasure);
            Channel::flag(treasure.to_string(), format!("where the {treasure} lies"))
        }));
        planes
    }

    fn features(&self, renamed: Renamed<'_>) -> Vec<Channel> {
        let name = |treasure| name(renamed(treasure));
        let mut features = vec![
            Channel::flag("extra goal", "the extra tile has what the observer looks for"),
            Channel::flag("extra unseen", "it has an unseen treasure"),
        ];
        features.extend((0..self.players).map(|i| {
            let about = format!("how often player {i} passed up the treasure on the extra tile");
            Channel::count(format!("extra passed up {i}"), MANY, about)
        }));
        features.extend((1..self.players).map(|i| {
            let about = format!("player {i} may be looking for the treasure on the extra tile");
            Channel::flag(format!("extra suspect {i}"), about)
        }));
        features.extend(Treasure::ALL.map(|treasure| {
            let name = name(treasure);
            Channel::flag(format!("goal {name}"), "the observer looks for this treasure")
        }));
        features.extend(["straight", "corner", "tee"].map(|shape| {
            Channel::flag(format!("extra {shape}"), format!("the extra tile is a {shape}"))
        }));
        features.extend(Treasure::movable().map(|treasure| {
            let name = name(treasure);
            Channel::flag(format!("extra {name}"), format!("the {name} is on the extra tile"))
        }));
        features.extend([
            Channel::count(
                "turns, high byte",
                u8::MAX,
                "how many turns were played, divided by 256",
            ),
            Channel::count("turns, low byte", u8::MAX, "how many turns were played, modulo 256"),
            Channel::count("turns left", u8::MAX, "how many turns are left, up to 255"),
        ]);
        for i in 0..self.players {
            let cards = self.cards_each() as u8;
            let channels = [
                ("to act #", 1, "it is the turn of player #"),
                ("first #", 1, "player # had the first turn"),
                ("won #", 1, "player # has won"),
                ("cards #", cards, "cards player # has still to find"),
            ];
            features.extend(player_channels(i, &channels));
            features.extend(Treasure::ALL.map(|treasure| {
                Channel::count(
                    format!("found {i} {}", name(treasure)),
                    cards,
                    format!("which of its finds this was for player {i}, from 1; 0 if it has not found it"),
                )
            }));
            features.extend(Treasure::ALL.map(|treasure| {
                Channel::flag(
                    format!("refused {i} {}", name(treasure)),
                    format!("player {i} ended a turn on it since its last find, so it is not what it looks for"),
                )
            }));
        }
        features
    }

    pub(super) fn truth(&self, renamed: Renamed<'_>) -> Shape {
        let planes = (1..self.players)
            .map(|i| Channel::flag(format!("goal {i}"), format!("what player {i} looks for")));
        let mut features = Vec::new();
        for i in 0..self.players {
            features.extend(Treasure::ALL.map(|treasure| {
                Channel::count(
                    format!("order {i} {}", name(renamed(treasure))),
                    self.cards_each() as u8,
                    format!("when player {i} will look for it: 1 now, 2 next, …; 0 never"),
                )
            }));
        }
        Shape::new([SIZE, SIZE], planes.collect(), features)
    }

    /// The symmetry that exchanges two treasures. A turn does not say where treasures lie, so it is its own image.
    pub(super) fn exchange(&self, a: Treasure, b: Treasure) -> Symmetry {
        let renamed = |treasure| match treasure {
            _ if treasure == a => b,
            _ if treasure == b => a,
            _ => treasure,
        };
        let same = |treasure| treasure;
        Symmetry {
            name: format!("{a} and {b} exchanged"),
            observation: self.observation(&same).renamed(&self.observation(&renamed)),
            truth: self.truth(&same).renamed(&self.truth(&renamed)),
            actions: (0..ACTIONS as u32).collect(),
        }
    }
}
