use crate::{Sides, Tile};
use oboro_core::{NotationError, Scanner, bit_set, text_form};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A tool that can be broken and mended.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Tool {
    /// The lantern.
    Lantern,
    /// The pick.
    Pick,
    /// The cart.
    Cart,
}

impl Tool {
    /// All three.
    pub const ALL: [Tool; 3] = [Tool::Lantern, Tool::Pick, Tool::Cart];

    /// Its name in notation.
    pub const fn name(self) -> &'static str {
        match self {
            Tool::Lantern => "lantern",
            Tool::Pick => "pick",
            Tool::Cart => "cart",
        }
    }

    pub(crate) fn scan(s: &mut Scanner<'_>) -> Result<Tool, NotationError> {
        Tool::ALL
            .into_iter()
            .find(|tool| s.eat(tool.name()))
            .ok_or_else(|| s.error("expected lantern, pick or cart"))
    }
}

bit_set! {
    /// A set of tools: those that are broken, or those that a card mends.
    pub struct Tools(u8) of Tool, iterated by ToolsIter;
    bit(tool) = tool as u8;
    item(index) = Tool::ALL[index];
}

impl Tools {
    /// The first and the last of its tools, which are the same if it has one only.
    pub(crate) const fn bounds(self) -> (Tool, Tool) {
        let last = self.0.ilog2();
        (Tool::ALL[self.0.trailing_zeros() as usize], Tool::ALL[last as usize])
    }
}

impl fmt::Display for Tools {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, tool) in self.iter().enumerate() {
            write!(f, "{}{}", if i == 0 { "" } else { "+" }, tool.name())?;
        }
        Ok(())
    }
}

/// What a card does.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum CardKind {
    /// Is laid into the mine; its sides as it comes, and whether a way leads through it.
    Path(Sides, bool),
    /// Takes a path card out of the mine.
    RockFall,
    /// Looks at a goal.
    Map,
    /// Breaks a tool of another player.
    Break(Tool),
    /// Mends one of these tools of any player.
    Mend(Tools),
}

/// One of the 27 different cards of the deck. Copies are not told apart.
///
/// The text form of a path card is its open sides before it is turned, in the order `LURD`, after an
/// `x` if it is blocked: `LUR`, `xLU`. The others are `rock`, `map`, `break-pick`, `mend-cart`,
/// `mend-lantern+pick` and so on.
#[derive(
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Debug,
    Default,
    Serialize,
    Deserialize,
    JsonSchema,
)]
#[serde(try_from = "String", into = "String")]
pub struct Card(u8);

/// How many of each card there are, in the order of [`Card::all`].
const COPIES: [u8; Card::KINDS] = [
    5, 5, 5, 4, 5, 3, 4, // passable: crossroads, two T, two curves, two straights
    1, 1, 1, 1, 1, 1, 1, // the same, blocked
    1, 1, // dead ends
    3, 6, // rock falls, maps
    3, 3, 3, // broken tools
    2, 2, 2, 1, 1, 1, // mended tools, and mended pairs
];

const LEFT: u8 = 1;
const UP: u8 = 2;
const RIGHT: u8 = 4;
const DOWN: u8 = 8;

/// The seven shapes that come both passable and blocked.
const SHAPES: [u8; 7] = [
    LEFT | UP | RIGHT | DOWN,
    LEFT | UP | DOWN,
    LEFT | UP | RIGHT,
    LEFT | UP,
    LEFT | DOWN,
    LEFT | RIGHT,
    UP | DOWN,
];

const PAIRS: [u8; 3] = [0b011, 0b101, 0b110];

impl Card {
    /// How many different cards there are.
    pub const KINDS: usize = 27;
    /// How many of them are path cards; they come first.
    pub(crate) const PATHS: usize = 16;
    /// How many of the path cards are passable; they come first of all.
    pub(crate) const PASSABLE: usize = SHAPES.len();
    /// How many cards the deck has.
    pub const DECK: usize = 67;

    /// The crossroads that can be passed.
    pub(crate) const CROSSROADS: Card = Card(0);
    /// The T that opens left, up and down.
    pub(crate) const TEE_VERTICAL: Card = Card(1);
    /// The T that opens left, up and right.
    pub(crate) const TEE_HORIZONTAL: Card = Card(2);
    /// The curve that opens left and up.
    pub(crate) const CURVE_UP: Card = Card(3);
    /// The curve that opens left and down.
    pub(crate) const CURVE_DOWN: Card = Card(4);
    /// The straight from left to right.
    pub(crate) const STRAIGHT_HORIZONTAL: Card = Card(5);
    /// The straight from up to down.
    pub(crate) const STRAIGHT_VERTICAL: Card = Card(6);
    /// The rock fall.
    pub(crate) const ROCK_FALL: Card = Card(16);
    /// The map.
    pub(crate) const MAP: Card = Card(17);

    /// The card that breaks a tool.
    pub(crate) const fn breaking(tool: Tool) -> Card {
        Card(18 + tool as u8)
    }

    /// All different cards: passable paths, blocked paths, action cards.
    pub fn all() -> impl DoubleEndedIterator<Item = Card> {
        (0..Card::KINDS as u8).map(Card)
    }

    pub(crate) const fn from_index(index: usize) -> Card {
        Card(index as u8)
    }

    /// Its place in [`Card::all`], for counting.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// How many copies the deck has.
    pub const fn copies(self) -> u8 {
        COPIES[self.index()]
    }

    /// Whether it is a path card.
    #[inline]
    pub(crate) const fn is_path(self) -> bool {
        self.index() < Card::PATHS
    }

    /// Whether it is a path card with a way through its centre.
    #[inline]
    pub const fn is_passable(self) -> bool {
        self.index() < Card::PASSABLE
    }

    /// The sides of the path card at `index`, and whether it is passable.
    pub(crate) const fn path_shape(index: usize) -> (Sides, bool) {
        let bits = match index {
            0..=6 => SHAPES[index],
            7..=13 => SHAPES[index - 7],
            14 => LEFT,
            _ => UP,
        };
        (Sides::from_bits(bits), index < Card::PASSABLE)
    }

    /// What it does.
    #[inline]
    pub const fn kind(self) -> CardKind {
        match self.index() {
            index @ 0..=15 => {
                let (sides, passable) = Card::path_shape(index);
                CardKind::Path(sides, passable)
            }
            16 => CardKind::RockFall,
            17 => CardKind::Map,
            index @ 18..=20 => CardKind::Break(Tool::ALL[index - 18]),
            index @ 21..=23 => CardKind::Mend(Tools(1 << (index - 21))),
            index => CardKind::Mend(Tools(PAIRS[index - 24])),
        }
    }

    pub(crate) fn scan(s: &mut Scanner<'_>) -> Result<Card, NotationError> {
        if s.eat("rock") {
            return Ok(Card::ROCK_FALL);
        }
        if s.eat("map") {
            return Ok(Card::MAP);
        }
        if s.eat("break-") {
            return Tool::scan(s).map(Card::breaking);
        }
        let at = s.at();
        if s.eat("mend-") {
            let mut tools = Tools::EMPTY;
            tools.insert(Tool::scan(s)?);
            if s.eat("+") {
                tools.insert(Tool::scan(s)?);
                if tools.len() == 1 {
                    return Err(s.error_at(at, "a card for two tools names two different ones"));
                }
            }
            return Ok(Card::all()
                .find(|card| card.kind() == CardKind::Mend(tools))
                .expect("there is a card for every tool and every pair"));
        }
        if !s.rest().starts_with(['x', 'L', 'U', 'R', 'D']) {
            return Err(s.error_at(
                at,
                "expected a card: a path such as LUR or xLU, rock, map, break-TOOL or mend-TOOL",
            ));
        }
        let tile = Tile::scan(s)?;
        let card = tile.card();
        if CardKind::Path(tile.sides(), tile.is_passable()) != card.kind() {
            return Err(s.error_at(at, format!("a card in hand is written unturned: {card}")));
        }
        Ok(card)
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind() {
            CardKind::Path(sides, true) => write!(f, "{sides}"),
            CardKind::Path(sides, false) => write!(f, "x{sides}"),
            CardKind::RockFall => f.write_str("rock"),
            CardKind::Map => f.write_str("map"),
            CardKind::Break(tool) => write!(f, "break-{}", tool.name()),
            CardKind::Mend(tools) => write!(f, "mend-{tools}"),
        }
    }
}

text_form!(Card, Card::scan, serde);

/// One of the three goal cards.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum GoalCard {
    /// The gold, a crossroads.
    Gold,
    /// The stone whose path turns from left to up.
    StoneUp,
    /// The stone whose path turns from left to down.
    StoneDown,
}

impl GoalCard {
    /// All three.
    pub const ALL: [GoalCard; 3] = [GoalCard::Gold, GoalCard::StoneUp, GoalCard::StoneDown];

    /// The open sides of its own path, unturned.
    pub const fn sides(self) -> Sides {
        match self {
            GoalCard::Gold => Sides::ALL,
            GoalCard::StoneUp => Sides::from_bits(LEFT | UP),
            GoalCard::StoneDown => Sides::from_bits(LEFT | DOWN),
        }
    }

    /// Its name in notation.
    pub const fn name(self) -> &'static str {
        match self {
            GoalCard::Gold => "gold",
            GoalCard::StoneUp => "stone-up",
            GoalCard::StoneDown => "stone-down",
        }
    }
}

/// A hand, the deck or another short row of cards, in order, without heap.
///
/// Places beyond the length hold the default card, so that equal rows are equal values.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Cards<const N: usize> {
    cards: [Card; N],
    len: u8,
}

impl<const N: usize> Default for Cards<N> {
    fn default() -> Cards<N> {
        Cards { cards: [Card::default(); N], len: 0 }
    }
}

impl<const N: usize> Cards<N> {
    /// The cards as a slice.
    #[inline]
    pub fn as_slice(&self) -> &[Card] {
        &self.cards[..usize::from(self.len)]
    }

    /// Something for each place of the row; the default beyond its length.
    #[inline]
    pub(crate) fn map_each<T: Copy + Default>(&self, mut map: impl FnMut(Card) -> T) -> [T; N] {
        let mut mapped = [T::default(); N];
        for (place, &card) in mapped.iter_mut().zip(self.as_slice()) {
            *place = map(card);
        }
        mapped
    }

    /// All places of the row; those beyond its length have a card that means nothing.
    #[inline]
    pub(crate) fn places(&self) -> &[Card; N] {
        &self.cards
    }

    /// These cards, if there is room for them.
    #[inline]
    pub(crate) fn from_slice(cards: &[Card]) -> Option<Cards<N>> {
        let mut row = Cards { len: cards.len() as u8, ..Cards::default() };
        row.cards.get_mut(..cards.len())?.copy_from_slice(cards);
        Some(row)
    }

    #[inline]
    pub(crate) fn push(&mut self, card: Card) {
        self.cards[usize::from(self.len)] = card;
        self.len += 1;
    }

    #[inline]
    pub(crate) fn pop(&mut self) -> Option<Card> {
        let last = self.len.checked_sub(1)?;
        self.len = last;
        Some(std::mem::take(&mut self.cards[usize::from(last)]))
    }
}

impl<const N: usize> std::ops::Deref for Cards<N> {
    type Target = [Card];

    fn deref(&self) -> &[Card] {
        self.as_slice()
    }
}

/// A player's hand: six cards or fewer, with room for as many as a machine word has bytes.
pub(crate) type Hand = Cards<8>;

impl Hand {
    /// Takes out the first copy of a card; the others close up.
    #[inline]
    pub(crate) fn remove(&mut self, card: Card) -> bool {
        // All places at once: the first byte that is 0 once the card is subtracted from each.
        const ONES: u64 = u64::MAX / 255;
        let bytes = u64::from_le_bytes(self.cards.map(|card| card.0));
        let differing = bytes ^ (ONES * u64::from(card.0));
        let equal = differing.wrapping_sub(ONES) & !differing & ONES << 7;
        let place = equal.trailing_zeros() / 8;
        if place >= u32::from(self.len) {
            return false;
        }
        let before = (1 << (8 * place)) - 1;
        let closed_up = bytes & before | bytes >> 8 & !before;
        self.cards = closed_up.to_le_bytes().map(Card);
        self.len -= 1;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Tiles;

    #[test]
    fn the_deck_is_the_published_one() {
        let count = |keep: &dyn Fn(CardKind) -> bool| -> u32 {
            Card::all().filter(|card| keep(card.kind())).map(|card| u32::from(card.copies())).sum()
        };
        assert_eq!(count(&|_| true) as usize, Card::DECK);
        assert_eq!(count(&|kind| matches!(kind, CardKind::Path(_, true))), 31);
        assert_eq!(count(&|kind| matches!(kind, CardKind::Path(_, false))), 9);
        assert_eq!(count(&|kind| kind == CardKind::RockFall), 3);
        assert_eq!(count(&|kind| kind == CardKind::Map), 6);
        assert_eq!(count(&|kind| matches!(kind, CardKind::Break(_))), 9);
        assert_eq!(count(&|kind| matches!(kind, CardKind::Mend(_))), 9);
    }

    #[test]
    fn path_cards_are_those_of_table_3() {
        let public: Vec<(String, u8)> = Card::all()
            .filter(|card| card.is_path())
            .map(|card| (card.to_string(), card.copies()))
            .collect();
        let expected = [
            ("LURD", 5),
            ("LUD", 5),
            ("LUR", 5),
            ("LU", 4),
            ("LD", 5),
            ("LR", 3),
            ("UD", 4),
            ("xLURD", 1),
            ("xLUD", 1),
            ("xLUR", 1),
            ("xLU", 1),
            ("xLD", 1),
            ("xLR", 1),
            ("xUD", 1),
            ("xL", 1),
            ("xU", 1),
        ];
        assert!(public.iter().map(|(name, n)| (name.as_str(), *n)).eq(expected));
    }

    #[test]
    fn a_card_lies_in_one_or_two_ways() {
        let ways = |text: &str| -> Vec<String> {
            Tiles::of_card(text.parse().unwrap()).into_iter().map(|tile| tile.to_string()).collect()
        };
        assert_eq!(ways("LURD"), ["LURD"]);
        assert_eq!(ways("UD"), ["UD"]);
        assert_eq!(ways("LU"), ["LU", "RD"]);
        assert_eq!(ways("LD"), ["LD", "UR"]);
        assert_eq!(ways("xLUR"), ["xLUR", "xLRD"]);
        assert_eq!(ways("xU"), ["xU", "xD"]);
        assert!(ways("rock").is_empty());
    }

    #[test]
    fn cards_survive_writing_and_reading() {
        for card in Card::all() {
            assert_eq!(card.to_string().parse(), Ok(card));
        }
        for bad in
            ["", "RD", "x", "L", "LRU", "mend-pick+pick+cart", "mend-", "break-leg", "朧", "rocks"]
        {
            assert!(bad.parse::<Card>().is_err(), "{bad}");
        }
    }

    #[test]
    fn removing_closes_up_and_leaves_no_trace() {
        let mut hand = Hand::default();
        for index in [3, 5, 3, 7] {
            hand.push(Card::from_index(index));
        }
        assert!(hand.remove(Card::from_index(3)));
        let mut other = Hand::default();
        for index in [5, 3, 7] {
            other.push(Card::from_index(index));
        }
        assert_eq!(hand, other);
        assert!(!hand.remove(Card::from_index(9)));
    }
}
