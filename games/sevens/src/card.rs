use oboro_core::{NotationError, Scanner};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// A suit, in the order in which cards are listed.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs, reason = "the names say it")]
pub enum Suit {
    Spades,
    Hearts,
    Diamonds,
    Clubs,
}

impl Suit {
    /// All four.
    pub const ALL: [Suit; 4] = [Suit::Spades, Suit::Hearts, Suit::Diamonds, Suit::Clubs];

    /// Its letter in notation.
    pub fn letter(self) -> char {
        ['S', 'H', 'D', 'C'][self as usize]
    }

    /// Its symbol in drawings.
    pub fn symbol(self) -> char {
        ['♠', '♥', '♦', '♣'][self as usize]
    }
}

pub(crate) const RANKS: [char; 13] =
    ['A', '2', '3', '4', '5', '6', '7', '8', '9', 'T', 'J', 'Q', 'K'];

/// One card, written as suit and rank: `SA`, `H7`, `DT`, `CK`.
///
/// The letter of a suit is S, H, D or C; ranks are A, 2 to 9, T (10), J, Q and K.
// It is the number of its bit in `Cards`: sixteen bits a suit, the rank (1 to 13) within.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize, JsonSchema,
)]
#[serde(try_from = "String", into = "String")]
#[schemars(extend("pattern" = "^[SHDC][A2-9TJQK]$"))]
pub struct Card(u8);

impl Card {
    /// The card of a suit with a rank from 1 (ace) to 13 (king).
    ///
    /// # Panics
    /// If there is no such rank.
    pub const fn new(suit: Suit, rank: u8) -> Card {
        assert!(rank >= 1 && rank <= 13, "ranks go from 1 to 13");
        Card(suit as u8 * 16 + rank)
    }

    /// Its suit.
    pub fn suit(self) -> Suit {
        Suit::ALL[usize::from(self.0 / 16)]
    }

    /// Its rank, 1 (ace) to 13 (king).
    pub fn rank(self) -> u8 {
        self.0 % 16
    }

    /// How many steps it is from its 7.
    #[inline]
    pub fn distance(self) -> u8 {
        self.rank().abs_diff(7)
    }

    /// The six cards on its side of its 7: the paper's series.
    ///
    /// # Panics
    /// If it is a 7, which is on no side.
    #[inline]
    pub fn series(self) -> Cards {
        debug_assert!(self.rank() != 7, "a 7 is in no series");
        let suit = u64::from(self.0 & 0x30);
        let side = if self.rank() > 7 { 0x3F00 } else { 0x007E };
        Cards(side << suit)
    }

    /// The number of its bit, below 64.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    #[inline]
    pub(crate) const fn from_index(index: u32) -> Card {
        Card(index as u8)
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.suit().letter(), RANKS[usize::from(self.rank()) - 1])
    }
}

pub(crate) fn scan_suit(s: &mut Scanner<'_>) -> Option<Suit> {
    let suit = Suit::ALL.into_iter().find(|suit| s.peek() == Some(suit.letter()))?;
    s.take();
    Some(suit)
}

pub(crate) fn scan_rank(s: &mut Scanner<'_>) -> Option<u8> {
    let rank = RANKS.iter().position(|&rank| s.peek() == Some(rank))?;
    s.take();
    Some(rank as u8 + 1)
}

pub(crate) fn scan_card(s: &mut Scanner<'_>) -> Result<Card, NotationError> {
    let suit = scan_suit(s).ok_or_else(|| s.error("expected a suit: S, H, D or C"))?;
    let rank = scan_rank(s).ok_or_else(|| s.error("expected a rank: A, 2 to 9, T, J, Q or K"))?;
    Ok(Card::new(suit, rank))
}

impl FromStr for Card {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Card, NotationError> {
        let mut s = Scanner::new(text);
        let card = scan_card(&mut s)?;
        s.finish()?;
        Ok(card)
    }
}

impl TryFrom<String> for Card {
    type Error = NotationError;

    fn try_from(text: String) -> Result<Card, NotationError> {
        text.parse()
    }
}

impl From<Card> for String {
    fn from(card: Card) -> String {
        card.to_string()
    }
}

/// A set of cards in one word, written suit by suit: `SA23HTK` is ♠A ♠2 ♠3 ♥10 ♥K; `-` is none.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Cards(pub(crate) u64);

impl Cards {
    /// No card.
    pub const NONE: Cards = Cards(0);
    /// The whole pack.
    pub const ALL: Cards = Cards(0x3FFE_3FFE_3FFE_3FFE);
    /// The four 7s.
    pub const SEVENS: Cards = Cards(0x0080_0080_0080_0080);
    /// The cards above 7.
    pub const HIGH: Cards = Cards(0x3F00_3F00_3F00_3F00);
    /// The cards below 7.
    pub const LOW: Cards = Cards(0x007E_007E_007E_007E);

    /// Whether a card is in it.
    #[inline]
    pub const fn has(self, card: Card) -> bool {
        self.0 >> card.0 & 1 != 0
    }

    /// The set with a card more.
    #[inline]
    #[must_use]
    pub const fn with(self, card: Card) -> Cards {
        Cards(self.0 | 1 << card.0)
    }

    /// The cards of this set that are not in another.
    #[inline]
    #[must_use]
    pub const fn minus(self, other: Cards) -> Cards {
        Cards(self.0 & !other.0)
    }

    /// The cards in both sets.
    #[inline]
    #[must_use]
    pub const fn and(self, other: Cards) -> Cards {
        Cards(self.0 & other.0)
    }

    /// The cards in either set.
    #[inline]
    #[must_use]
    pub const fn or(self, other: Cards) -> Cards {
        Cards(self.0 | other.0)
    }

    /// How many cards it has.
    #[inline]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether it has none.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Its cards, suit by suit from the ace.
    #[inline]
    pub fn iter(self) -> CardsIter {
        self.into_iter()
    }

    /// A uniformly random card of it.
    #[inline]
    pub fn choose(self, rng: &mut oboro_core::Rng) -> Option<Card> {
        rng.choose_bit(self.0).map(Card::from_index)
    }
}

impl IntoIterator for Cards {
    type Item = Card;
    type IntoIter = CardsIter;

    #[inline]
    fn into_iter(self) -> CardsIter {
        CardsIter(self.0)
    }
}

/// The cards of a set, suit by suit from the ace.
#[derive(Clone, Debug)]
pub struct CardsIter(u64);

impl Iterator for CardsIter {
    type Item = Card;

    #[inline]
    fn next(&mut self) -> Option<Card> {
        if self.0 == 0 {
            return None;
        }
        let card = Card::from_index(self.0.trailing_zeros());
        self.0 &= self.0 - 1;
        Some(card)
    }
}

impl FromIterator<Card> for Cards {
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> Cards {
        cards.into_iter().fold(Cards::NONE, Cards::with)
    }
}

impl fmt::Display for Cards {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        for suit in Suit::ALL {
            let mut of_suit = self.iter().filter(|card| card.suit() == suit).peekable();
            if of_suit.peek().is_some() {
                text.push(suit.letter());
                text.extend(of_suit.map(|card| RANKS[usize::from(card.rank()) - 1]));
            }
        }
        f.pad(if text.is_empty() { "-" } else { &text })
    }
}

pub(crate) fn scan_cards(s: &mut Scanner<'_>) -> Result<Cards, NotationError> {
    let mut cards = Cards::NONE;
    if s.eat("-") {
        return Ok(cards);
    }
    while let Some(suit) = scan_suit(s) {
        let mut any = false;
        while let Some(rank) = scan_rank(s) {
            let card = Card::new(suit, rank);
            if cards.has(card) {
                return Err(s.error(format!("{card} is there twice")));
            }
            cards = cards.with(card);
            any = true;
        }
        if !any {
            return Err(s.error("expected a rank: A, 2 to 9, T, J, Q or K"));
        }
    }
    if cards.is_empty() {
        return Err(s.error("expected cards, such as SA23HTK, or - for none"));
    }
    Ok(cards)
}

impl FromStr for Cards {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Cards, NotationError> {
        let mut s = Scanner::new(text);
        let cards = scan_cards(&mut s)?;
        s.finish()?;
        Ok(cards)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pack_is_four_suits_of_thirteen() {
        assert_eq!(Cards::ALL.len(), 52);
        assert_eq!(Cards::LOW.or(Cards::HIGH).or(Cards::SEVENS), Cards::ALL);
        for card in Cards::ALL {
            assert_eq!(card.to_string().parse(), Ok(card));
            if card.rank() != 7 {
                assert!(card.series().has(card));
                assert_eq!(card.series().len(), 6);
                assert!(card.series().iter().all(|c| c.suit() == card.suit()));
            }
        }
    }

    #[test]
    fn sets_are_read_and_written() {
        let cards: Cards = "SA23HTK".parse().unwrap();
        assert_eq!(cards.len(), 5);
        assert_eq!(cards.to_string(), "SA23HTK");
        assert_eq!("-".parse(), Ok(Cards::NONE));
        for bad in ["", "S", "SA2A", "X3", "SA-", "S1"] {
            assert!(bad.parse::<Cards>().is_err(), "{bad}");
        }
    }
}
