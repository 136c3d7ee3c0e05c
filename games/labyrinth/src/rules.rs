use crate::board::Board;
use crate::cell::Cell;
use crate::public::{Finish, MAX_SEATS, Public};
use crate::treasure::{Treasure, TreasureSet};
use oboro_core::{SpecError, check_range, params};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

params! {
    /// The rules of Labyrinth with their options.
    ///
    /// A win is worth 1 and a loss 0. A game that reaches the turn limit is shared equally.
    #[derive(Eq)]
    pub struct Labyrinth: Clone {
        /// Number of players, 2 to 4. Two sit at opposite corners, more clockwise.
        pub players: u8 = 2 => {"minimum": 2, "maximum": 4},
        /// Cards dealt to each player; none deals all 24 evenly.
        pub cards: Option<u8> = None => {"minimum": 1, "maximum": 12},
        /// The corner of the player who moves first.
        pub first_corner: Corner = Corner::TopLeft => {},
        /// Condition that wins.
        pub finish: Finish = Finish::Home => {},
        /// Turns per player after which the game is a draw, 1 to 10000. The published game has no limit, but some agents
        /// never look for their treasures.
        pub turn_limit: u16 = 1000 => {"minimum": 1, "maximum": 1000},
    }
}

/// A corner of the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Corner {
    /// Cell a1.
    TopLeft,
    /// Cell g1.
    TopRight,
    /// Cell g7.
    BottomRight,
    /// Cell a7.
    BottomLeft,
}

impl Labyrinth {
    /// The number of cards dealt to each player.
    pub(crate) fn cards_each(&self) -> usize {
        let even = Treasure::COUNT / usize::from(self.players);
        self.cards.map_or(even, usize::from)
    }

    pub(crate) fn check(&self) -> Result<(), SpecError> {
        check_range("players", self.players, 2..=MAX_SEATS as u8)?;
        let max = Treasure::COUNT / usize::from(self.players);
        check_range("cards", self.cards_each(), 1..=max)?;
        check_range("turn-limit", self.turn_limit, 1..=10_000)
    }

    /// The table with nobody having moved yet.
    pub(crate) fn public(&self, board: Board) -> Public {
        // Clockwise from the top left.
        let corners = [Cell::new(0, 0), Cell::new(6, 0), Cell::new(6, 6), Cell::new(0, 6)];
        let step = if self.players == 2 { 2 } else { 1 };
        let homes = std::array::from_fn(|i| {
            if i < usize::from(self.players) {
                corners[(self.first_corner as usize + i * step) % 4]
            } else {
                corners[0]
            }
        });
        Public {
            board,
            seats: self.players,
            cards: self.cards_each() as u8,
            homes,
            pawns: homes,
            found: [0; MAX_SEATS],
            refused: [TreasureSet::EMPTY; MAX_SEATS],
            last: None,
            finish: self.finish,
            ply: 0,
            ply_limit: self.turn_limit * u16::from(self.players),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oboro_core::{Game, Rng};

    #[test]
    fn impossible_rules_are_refused() {
        let good = Labyrinth::default();
        assert_eq!(good.validate(), Ok(()));
        for bad in [
            Labyrinth { players: 1, ..good },
            Labyrinth { players: 5, ..good },
            Labyrinth { cards: Some(0), ..good },
            Labyrinth { cards: Some(13), ..good },
            Labyrinth { players: 4, cards: Some(7), ..good },
            Labyrinth { turn_limit: 0, ..good },
            Labyrinth { turn_limit: 10_001, ..good },
        ] {
            assert!(bad.validate().is_err(), "{bad:?}");
        }
    }

    #[test]
    fn cards_are_dealt_evenly() {
        for (players, cards) in [(2, 12), (3, 8), (4, 6)] {
            let rules = Labyrinth { players, ..Labyrinth::default() };
            assert_eq!(rules.cards_each(), cards);
            let world = rules.deal(&mut Rng::from_u64(1));
            let mut dealt: Vec<Treasure> = world.cards.into_iter().flatten().collect();
            dealt.sort();
            assert_eq!(dealt, Treasure::ALL);
        }
    }

    #[test]
    fn two_sit_at_opposite_corners_and_more_clockwise() {
        let homes = |players, first_corner| {
            let rules = Labyrinth { players, first_corner, ..Labyrinth::default() };
            let public = rules.deal(&mut Rng::from_u64(1)).public;
            let homes = &public.homes[..public.seats()];
            homes.iter().map(Cell::to_string).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(homes(2, Corner::TopLeft), "a1 g7");
        assert_eq!(homes(2, Corner::BottomRight), "g7 a1");
        assert_eq!(homes(3, Corner::TopLeft), "a1 g1 g7");
        assert_eq!(homes(4, Corner::BottomRight), "g7 a7 a1 g1");
    }
}
