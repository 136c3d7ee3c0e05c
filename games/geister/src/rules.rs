//! The rules and their options.

use crate::action::{Action, Event};
use crate::notation;
use crate::piece::Placement;
use crate::view::View;
use crate::world::World;
use oboro_core::{
    FactInfo, FastPath, Game, NotationError, Rng, SpecError, Toolbox, check_range, params,
};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

params! {
    /// The rules of Geister.
    #[derive(Eq)]
    pub struct Geister: Clone {
        /// The game is drawn after this many moves of both sides together.
        pub plies: u16 = 300 => {"minimum": 1, "maximum": 1000},
        /// Who decides which pieces are red: `chosen` by the players as their first action; `random`;
        /// `ABCD/EFGH`, the reds of the first and of the second player; `enumerate`, all 4900 pairs in an
        /// order of which every part is spread over all of them; `pairs:500`, the first 500 of a fixed shuffled list of pairs without
        /// mirror images and without exchanges of the two sides. Players never see the other side's.
        #[schemars(with = "String")]
        pub placements: Placements = Placements::Chosen => {"enum": ["chosen", "random"]},
    }
}

/// Who decides which pieces are red.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Placements {
    /// The players, as their first action.
    #[default]
    Chosen,
    /// Chance, for both sides.
    Random,
    /// These.
    Fixed([Placement; 2]),
    /// All 70 × 70 pairs in turn, by the number of the deal, each deal far from the last.
    Enumerate,
    /// The first so many of the pairs that are no mirror image or rotation of each other, in a fixed
    /// shuffled order.
    Pairs(u16),
}

impl Placements {
    /// How many pairs are left when of those that are the same board mirrored, turned round or both
    /// one is kept: by Burnside's lemma (4900 + 36 + 70 + 70) / 4.
    pub(crate) const DISTINCT_PAIRS: u16 = 1269;

    /// The pairs of which none is another mirrored or turned round, in the fixed shuffled order that
    /// `pairs:N` takes. To turn the board round is to exchange the sides: each sees its own placement
    /// from its own home.
    pub(crate) fn distinct_pairs() -> Vec<[Placement; 2]> {
        let mut pairs: Vec<[Placement; 2]> = Placement::all()
            .flat_map(|first| Placement::all().map(move |second| [first, second]))
            .filter(|pair| Placements::images(*pair).iter().all(|image| pair <= image))
            .collect();
        Rng::from_u64(2022).shuffle(&mut pairs);
        pairs
    }

    /// A pair mirrored, turned round, and both.
    fn images([first, second]: [Placement; 2]) -> [[Placement; 2]; 3] {
        let mirror = [first.mirrored(), second.mirrored()];
        [mirror, [second, first], [mirror[1], mirror[0]]]
    }
}

impl fmt::Display for Placements {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Placements::Chosen => f.write_str("chosen"),
            Placements::Random => f.write_str("random"),
            Placements::Fixed([first, second]) => write!(f, "{first}/{second}"),
            Placements::Enumerate => f.write_str("enumerate"),
            Placements::Pairs(count) => write!(f, "pairs:{count}"),
        }
    }
}

impl FromStr for Placements {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Placements, SpecError> {
        let fault = |message: String| SpecError(format!("placements `{text}`: {message}"));
        match text {
            "chosen" => return Ok(Placements::Chosen),
            "random" => return Ok(Placements::Random),
            "enumerate" => return Ok(Placements::Enumerate),
            _ => {}
        }
        if let Some(count) = text.strip_prefix("pairs:") {
            return match count.parse() {
                Ok(count @ 1..=Placements::DISTINCT_PAIRS) => Ok(Placements::Pairs(count)),
                _ => Err(fault(format!(
                    "the number of pairs is 1 to {}",
                    Placements::DISTINCT_PAIRS
                ))),
            };
        }
        let Some((first, second)) = text.split_once('/') else {
            return Err(fault(
                "expected chosen, random, enumerate, pairs:N, or the reds of both sides (ABCD/EFGH)"
                    .to_owned(),
            ));
        };
        let read = |reds: &str| reds.parse::<Placement>().map_err(|e| fault(e.to_string()));
        Ok(Placements::Fixed([read(first)?, read(second)?]))
    }
}

oboro_core::serde_as_text!(Placements);

impl Game for Geister {
    type World = World;
    type View = View;
    type Action = Action;
    type Event = Event;

    const NAME: &'static str = "geister";
    const RULES_TEXT: [&'static str; 2] =
        [include_str!("../rules.en.md"), include_str!("../rules.ja.md")];
    const PUZZLES: &'static str = include_str!("../puzzles.txt");

    fn seats(&self) -> usize {
        2
    }

    fn toolboxes() -> Vec<Toolbox> {
        crate::tools::toolboxes()
    }

    fn fast_paths() -> Vec<FastPath> {
        let mut paths = Vec::from(crate::playout::fast_paths());
        paths.extend(crate::agents::fast_paths());
        paths
    }

    fn validate(&self) -> Result<(), SpecError> {
        check_range("plies", self.plies, 1..=10_000)
    }

    fn deal(&self, rng: &mut Rng) -> World {
        let number = match self.placements {
            Placements::Enumerate => rng.below(Placement::COUNT * Placement::COUNT),
            Placements::Pairs(count) => rng.below(count.into()),
            _ => 0,
        };
        self.deal_numbered(number as u64, rng)
    }

    fn deal_numbered(&self, number: u64, rng: &mut Rng) -> World {
        let pair = match self.placements {
            Placements::Chosen => return World::empty(self.plies),
            Placements::Random => [Placement::random(rng), Placement::random(rng)],
            Placements::Fixed(pair) => pair,
            Placements::Enumerate => {
                // The step has no divisor in common with the number of pairs, and is near its golden section.
                let pairs = (Placement::COUNT * Placement::COUNT) as u64;
                let number = (number % pairs * 1873 % pairs) as usize;
                [
                    Placement::numbered(number / Placement::COUNT),
                    Placement::numbered(number % Placement::COUNT),
                ]
            }
            Placements::Pairs(count) => {
                Placements::distinct_pairs()[(number % u64::from(count.max(1))) as usize]
            }
        };
        World::placed(pair, self.plies)
    }

    fn write_position(&self, world: &World) -> String {
        notation::write_position(world)
    }

    fn parse_position(&self, text: &str) -> Result<World, NotationError> {
        notation::parse_position(text, self.plies)
    }

    fn payoff_sum(&self) -> Option<f64> {
        Some(1.0)
    }

    fn facts(&self) -> &'static [FactInfo] {
        const FACTS: &[FactInfo] = &[
            FactInfo::seats("won", "1 for the winner, 0 for the loser and for both in a draw"),
            FactInfo::game("draw", "1 if the ply limit ended the game, 0 otherwise"),
            FactInfo::seats("won-by-escape", "1 if it won by leaving the board with a blue piece"),
            FactInfo::seats("won-by-blues", "1 if it won by capturing all enemy blues"),
            FactInfo::seats("won-by-reds", "1 if it won by having all its reds captured"),
            FactInfo::game("moves", "how many moves both played together, placements not counted"),
            FactInfo::seats(
                "placement",
                "its placement's place in the order of names, from 0 (ABCD) to 69",
            ),
            FactInfo::seats(
                "inner-reds",
                "how many of its reds started on the inner columns (B, C, F, G)",
            ),
            FactInfo::seats("front-reds", "how many of its reds started in the front row (A to D)"),
            FactInfo::seats("keeper-reds", "how many of its reds started where keepers do (E, H)"),
        ];
        FACTS
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::piece::Piece;
    use oboro_core::Seat;
    use std::collections::BTreeSet;

    #[test]
    fn placements_round_trip_as_text() {
        for text in ["chosen", "random", "enumerate", "pairs:500", "ABCD/EFGH"] {
            assert_eq!(text.parse::<Placements>().unwrap().to_string(), text);
        }
        for bad in ["", "all", "pairs:0", "pairs:1270", "pairs:x", "ABCD", "ABCD/EFG", "ABCD/EFGI"]
        {
            assert!(bad.parse::<Placements>().is_err(), "{bad}");
        }
    }

    #[test]
    fn enumeration_meets_every_pair_once() {
        let rules = Geister { placements: Placements::Enumerate, ..Geister::default() };
        let mut rng = Rng::from_u64(0);
        let seen: BTreeSet<[u8; 2]> =
            (0..4900).map(|n| rules.deal_numbered(n, &mut rng).reds).collect();
        assert_eq!(seen.len(), 4900);
        // A tenth of the deals has every placement of either side about seven times.
        for side in 0..2 {
            let mut counts = std::collections::BTreeMap::new();
            for n in 0..490 {
                *counts.entry(rules.deal_numbered(n, &mut rng).reds[side]).or_insert(0) += 1;
            }
            assert!(
                counts.len() == 70 && counts.values().all(|n| (5..=8).contains(n)),
                "{counts:?}"
            );
        }
        assert_eq!(rules.deal_numbered(4900, &mut rng), rules.deal_numbered(0, &mut rng));
    }

    #[test]
    fn distinct_pairs_have_no_mirror_images_or_rotations() {
        let pairs = Placements::distinct_pairs();
        assert_eq!(pairs.len(), usize::from(Placements::DISTINCT_PAIRS));
        // The boards that a pair stands for, written out square by square.
        let board = |[first, second]: [Placement; 2]| {
            let mut squares = [0u8; 36];
            for (seat, placement) in [(Seat::new(0), first), (Seat::new(1), second)] {
                let world = World::placed([first, second], 300);
                for piece in Piece::all() {
                    let square = world.public().square(seat, piece).expect("placed");
                    squares[square.index()] = 1 + u8::from(piece.is_in(placement.reds()));
                }
            }
            squares
        };
        let all: BTreeSet<[u8; 36]> = pairs.iter().map(|pair| board(*pair)).collect();
        assert_eq!(all.len(), pairs.len());
        for squares in &all {
            let mut turned = *squares;
            turned.reverse();
            let mirror =
                |squares: [u8; 36]| std::array::from_fn(|at| squares[at / 6 * 6 + 5 - at % 6]);
            for image in [turned, mirror(*squares), mirror(turned)] {
                assert!(image == *squares || !all.contains(&image));
            }
        }
    }
}
