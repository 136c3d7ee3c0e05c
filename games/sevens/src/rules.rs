use crate::shuffle::Shuffle;
use crate::{Action, Cards, Event, MAX_PLAYERS, View, World};
use oboro_core::{FactInfo, FastPath, Game, NotationError, Rng, SpecError, check_range};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The rules of Sevens.
///
/// All 52 cards are dealt one by one, starting with seat 0; every 7 goes to the table before play.
/// A turn lays one playable card or passes; without a playable card one must pass. A player without
/// cards takes the best free rank. A pass with none left retires the player, who takes the worst
/// free rank and lays all cards on the table. Ranks are worth 2 to 0 points in even steps, 1 on average.
///
/// Open points of the paper are settled so:
/// - after a retirement a suit can have gaps: see [`GapRule`];
/// - a player without passes may not retire while it has a playable card.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Sevens {
    /// Number of players, 3 to 6.
    #[schemars(extend("x-public" = {"minimum": 3, "maximum": 6}))]
    pub players: u8,
    /// Passes of each player before a pass retires it, 0 to 7.
    #[schemars(extend("x-public" = {"minimum": 0, "maximum": 7}))]
    pub passes: u8,
    /// Playable cards in a suit with gaps.
    #[schemars(extend("x-public" = {}))]
    pub gaps: GapRule,
}

/// What is playable when a retirement has left gaps in a suit. The paper does not say; these are possible
/// interpretations, and `papers/sevens-2018/readings.toml` plays them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum GapRule {
    /// A card may be laid next to any card one step nearer to 7, whether there are gaps behind that or not.
    #[default]
    Bridge,
    /// A card may be laid only at the end of an unbroken run from 7.
    Strict,
    /// A card may be laid next to any card of its suit, on either side of it.
    Either,
    /// A card may be laid only beyond the outermost card of its suit; gaps are never filled.
    Ends,
}

impl Default for Sevens {
    fn default() -> Sevens {
        Sevens { players: 4, passes: 3, gaps: GapRule::Bridge }
    }
}

impl Sevens {
    /// The largest number of passes a player can have.
    pub(crate) const MAX_PASSES: u8 = 7;
}

/// The hands of a shuffled pack, dealt one card at a time from seat 0; the number of players is a constant, so that
/// nothing is divided by it. Shuffled cards come from the end.
fn deal_hands<const PLAYERS: usize>(rng: &mut Rng) -> [Cards; MAX_PLAYERS] {
    let mut hands = [Cards::EMPTY; MAX_PLAYERS];
    let mut pack = Shuffle::of_pack(rng);
    let mut give = |seat: usize| hands[seat] = hands[seat].with(pack.draw());
    // Round by round from the last one, so that registers hold the hands. The first card of the first round is left.
    (0..Cards::ALL.len() % PLAYERS).rev().for_each(&mut give);
    for _ in 1..Cards::ALL.len() / PLAYERS {
        (0..PLAYERS).rev().for_each(&mut give);
    }
    (1..PLAYERS).rev().for_each(give);
    pack.finish(rng);
    // The first place is what is left.
    hands[0] = hands[1..].iter().fold(Cards::ALL, |rest, &hand| rest.without(hand));
    hands
}

impl GapRule {
    /// All of them.
    pub const ALL: [GapRule; 4] =
        [GapRule::Bridge, GapRule::Strict, GapRule::Either, GapRule::Ends];

    /// The cards that may be laid next to those on the table.
    #[inline]
    pub fn playable(self, table: Cards) -> Cards {
        self.playable_of(Cards::ALL.without(table), table)
    }

    /// The cards of a hand, none of them on the table, that may be laid.
    #[inline]
    pub(crate) fn playable_of(self, hand: Cards, table: Cards) -> Cards {
        match self {
            GapRule::Bridge => Self::outwards(table).and(hand),
            GapRule::Strict => Self::outwards(Self::runs(table)).and(hand),
            GapRule::Either => Cards(table.0 << 1 | table.0 >> 1).and(hand),
            GapRule::Ends => {
                let filled = Self::filled(table);
                Self::outwards(filled).without(filled).and(hand)
            }
        }
    }

    /// The cards one step farther from 7 than those of a set.
    #[inline]
    fn outwards(cards: Cards) -> Cards {
        let up = Cards(cards.0 << 1).and(Cards::HIGH);
        let down = Cards(cards.0 >> 1).and(Cards::LOW);
        up.or(down)
    }

    /// The cards that are joined to their 7 without a gap.
    fn runs(table: Cards) -> Cards {
        let mut runs = Cards::SEVENS.and(table);
        for _ in 0..6 {
            runs = runs.or(Self::outwards(runs).and(table));
        }
        runs
    }

    /// The table with its gaps filled.
    fn filled(table: Cards) -> Cards {
        let mut high = table.and(Cards::HIGH).0;
        let mut low = table.and(Cards::LOW).0;
        for _ in 0..5 {
            high |= high >> 1;
            low |= low << 1;
        }
        table.or(Cards(high).and(Cards::HIGH)).or(Cards(low).and(Cards::LOW))
    }
}

impl Game for Sevens {
    type World = World;
    type View = View;
    type Action = Action;
    type Event = Event;
    const NAME: &'static str = "sevens";
    const RULES_TEXT: [&'static str; 2] =
        [include_str!("../rules.en.md"), include_str!("../rules.ja.md")];

    fn seats(&self) -> usize {
        self.players.into()
    }

    fn fast_paths() -> Vec<FastPath> {
        vec![crate::playout::fast_path()]
    }

    fn validate(&self) -> Result<(), SpecError> {
        check_range("players", self.players, 3..=MAX_PLAYERS as u8)?;
        check_range("passes", self.passes, 0..=Self::MAX_PASSES)
    }

    fn deal(&self, rng: &mut Rng) -> World {
        let hands = match self.players {
            3 => deal_hands::<3>(rng),
            4 => deal_hands::<4>(rng),
            5 => deal_hands::<5>(rng),
            6 => deal_hands::<6>(rng),
            players => unreachable!("{players} players: rules are validated before a deal"),
        };
        World::start(self, hands)
    }

    fn write_position(&self, world: &World) -> String {
        crate::notation::write(world)
    }

    fn parse_position(&self, text: &str) -> Result<World, NotationError> {
        crate::notation::parse(self, text)
    }

    fn payoff_sum(&self) -> Option<f64> {
        Some(self.players.into())
    }

    fn facts(&self) -> &'static [FactInfo] {
        const FACTS: &[FactInfo] = &[
            FactInfo::seats("rank", "its final rank, 1 the best"),
            FactInfo::seats("retired", "1 if it passed with none left and retired, 0 otherwise"),
        ];
        FACTS
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Card;

    fn cards(text: &str) -> Cards {
        text.parse().unwrap()
    }

    #[test]
    fn a_deal_is_a_shuffled_pack_given_out_one_by_one() {
        let mut rng = Rng::from_u64(7);
        for players in 3..=6 {
            let mut reference = rng.clone();
            let mut pack: Vec<Card> = Cards::ALL.iter().collect();
            reference.shuffle(&mut pack);
            let mut hands = [Cards::EMPTY; MAX_PLAYERS];
            for (i, &card) in pack.iter().enumerate() {
                hands[i % usize::from(players)] = hands[i % usize::from(players)].with(card);
            }
            let rules = Sevens { players, ..Sevens::default() };
            assert_eq!(rules.deal(&mut rng), World::start(&rules, hands));
            assert_eq!(rng, reference, "both streams stand at the same place");
        }
    }

    #[test]
    fn at_first_the_sixes_and_eights_are_playable() {
        for gaps in GapRule::ALL {
            assert_eq!(gaps.playable(Cards::SEVENS), cards("S68H68D68C68"));
        }
    }

    #[test]
    fn gaps_are_bridged_or_not() {
        // ♠3 and ♠K were laid by a retiring player.
        let table = Cards::SEVENS.or(cards("S368K"));
        assert_eq!(GapRule::Bridge.playable(table), cards("S259H68D68C68"));
        assert_eq!(GapRule::Strict.playable(table), cards("S59H68D68C68"));
        assert_eq!(GapRule::Either.playable(table), cards("S2459QH68D68C68"));
        assert_eq!(GapRule::Ends.playable(table), cards("S2H68D68C68"));
    }

    #[test]
    fn nothing_follows_an_ace_or_a_king() {
        let spades = Cards::ALL.and(Cards(0xFFFF));
        for gaps in GapRule::ALL {
            assert_eq!(gaps.playable(Cards::SEVENS.or(spades)), cards("H68D68C68"));
        }
    }
}
