use oboro_core::{NotationError, Rng, Scanner, bit_set, text_form};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::hint::select_unpredictable;

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
    pub(crate) fn symbol(self) -> char {
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

text_form!(Card, scan_card, serde);

bit_set! {
    /// A set of cards in one word, written suit by suit: `SA23HTK` is ♠A ♠2 ♠3 ♥10 ♥K; `-` is none.
    pub struct Cards(pub(crate) u64) of Card, iterated by CardsIter;
    bit(card) = card.0;
    item(index) = Card(index as u8);
}

/// The bit of a 7 within its suit.
const SEVEN: u16 = 1 << 7;
/// A factor that copies the bits of one suit to all four.
const EACH_SUIT: u64 = 0x0001_0001_0001_0001;

impl Cards {
    /// The whole pack.
    pub const ALL: Cards = Cards(0x3FFE_3FFE_3FFE_3FFE);
    /// The four 7s.
    pub const SEVENS: Cards = Cards(0x0080_0080_0080_0080);
    /// The cards above 7.
    pub(crate) const HIGH: Cards = Cards(0x3F00_3F00_3F00_3F00);
    /// The cards below 7.
    pub(crate) const LOW: Cards = Cards(0x007E_007E_007E_007E);

    /// A uniformly random card of it, as a set; none if it has none.
    #[inline]
    #[must_use]
    pub(crate) fn choose_one(self, rng: &mut Rng) -> Cards {
        let without_first = |cards: u64| cards & cards.wrapping_sub(1);
        let a = self.0;
        let b = without_first(a);
        let c = without_first(b);
        let d = without_first(c);
        if a == 0 || without_first(d) != 0 {
            return Cards(rng.choose_bit(a).map_or(0, |bit| 1 << bit));
        }
        // One to four cards, as hands that can be laid from nearly always have: the same draw without a loop, whose
        // end the processor would have to guess.
        let n = rng.below(1 + usize::from(b != 0) + usize::from(c != 0) + usize::from(d != 0));
        let pick = select_unpredictable::<u64>;
        Cards(pick(n < 2, pick(n == 0, a ^ b, b ^ c), pick(n == 2, c ^ d, d)))
    }

    /// Its first card, suit by suit from the ace, as a set; none if it has none.
    #[inline]
    #[must_use]
    pub fn first(self) -> Cards {
        Cards(self.0 & self.0.wrapping_neg())
    }

    /// Those of its cards that are farthest from their 7.
    #[inline]
    #[must_use]
    pub(crate) fn farthest(self) -> Cards {
        // All suits in one, with its 7, which is no step away.
        let halves = self.0 | self.0 >> 32;
        let suit = (halves | halves >> 16) as u16 | SEVEN;
        let low = 7 - (suit & 0x00FE).trailing_zeros();
        let high = 8 - (suit & 0x3F80).leading_zeros();
        let distance = low.max(high);
        self.and(Cards(EACH_SUIT * u64::from(SEVEN << distance | SEVEN >> distance)))
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
    let mut cards = Cards::EMPTY;
    if s.eat("-") {
        return Ok(cards);
    }
    while let Some(suit) = scan_suit(s) {
        let mut any = false;
        while let Some(rank) = scan_rank(s) {
            let card = Card::new(suit, rank);
            if cards.contains(card) {
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

text_form!(Cards, scan_cards);

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    #[test]
    fn a_pack_is_four_suits_of_thirteen() {
        assert_eq!(Cards::ALL.len(), 52);
        assert_eq!(Cards::LOW.or(Cards::HIGH).or(Cards::SEVENS), Cards::ALL);
        for card in Cards::ALL {
            assert_eq!(card.to_string().parse(), Ok(card));
            if card.rank() != 7 {
                assert!(card.series().contains(card));
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
        assert_eq!("-".parse(), Ok(Cards::EMPTY));
        for bad in ["", "S", "SA2A", "X3", "SA-", "S1"] {
            assert!(bad.parse::<Cards>().is_err(), "{bad}");
        }
    }

    /// Sets of up to thirteen cards, most of them small.
    pub(crate) fn some_sets() -> impl Iterator<Item = Cards> {
        let mut rng = Rng::from_u64(5);
        (0..2000).map(move |i| {
            let wanted = if i % 4 == 0 { 13 } else { 5 };
            (0..wanted).filter_map(|_| Card::of_bit(rng.bits() % 64)).collect()
        })
    }

    impl Card {
        fn of_bit(bit: u64) -> Option<Card> {
            let card = Card(bit as u8);
            Cards::ALL.contains(card).then_some(card)
        }
    }

    #[test]
    fn choose_one_draws_as_choose_bit() {
        let mut rng = Rng::from_u64(6);
        for set in some_sets() {
            let mut reference = rng.clone();
            let bit = reference.choose_bit(set.0);
            assert_eq!(set.choose_one(&mut rng), Cards(bit.map_or(0, |bit| 1 << bit)), "{set}");
            assert_eq!(rng, reference);
        }
    }

    #[test]
    fn the_farthest_cards_have_the_greatest_distance() {
        for set in some_sets() {
            let distance = set.iter().map(Card::distance).max();
            let farthest: Cards = set.iter().filter(|c| Some(c.distance()) == distance).collect();
            assert_eq!(
                set.without(Cards::SEVENS).farthest(),
                farthest.without(Cards::SEVENS),
                "{set}"
            );
        }
    }
}
