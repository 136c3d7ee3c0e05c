use crate::Card;
use oboro_core::{NotationError, Scanner, bit_set, text_form};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// One of the four sides of a card.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Side {
    /// Towards the start (smaller x).
    Left,
    /// Towards smaller y.
    Up,
    /// Towards the goals (larger x).
    Right,
    /// Towards larger y.
    Down,
}

impl Side {
    /// All four, in the order of their bits in [`Sides`].
    pub const ALL: [Side; 4] = [Side::Left, Side::Up, Side::Right, Side::Down];

    /// The side that faces it on the neighbouring card.
    #[must_use]
    pub const fn opposite(self) -> Side {
        match self {
            Side::Left => Side::Right,
            Side::Up => Side::Down,
            Side::Right => Side::Left,
            Side::Down => Side::Up,
        }
    }
}

bit_set! {
    /// A set of sides: those a path leads out of.
    pub struct Sides(u8) of Side, iterated by SidesIter;
    bit(side) = side as u8;
    // The remainder is never needed; it spares a check of the bounds.
    item(index) = Side::ALL[index % 4];
}

impl Sides {
    /// All four sides.
    pub const ALL: Sides = Sides(0b1111);

    pub(crate) const fn from_bits(bits: u8) -> Sides {
        Sides(bits & 0b1111)
    }

    pub(crate) const fn bits(self) -> u8 {
        self.0
    }

    /// The sides after a turn by 180°.
    #[must_use]
    pub const fn turned(self) -> Sides {
        Sides((self.0 << 2 | self.0 >> 2) & 0b1111)
    }
}

impl fmt::Display for Sides {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Side::ALL
            .iter()
            .zip(["L", "U", "R", "D"])
            .filter(|(side, _)| self.contains(**side))
            .try_for_each(|(_, letter)| f.write_str(letter))
    }
}

/// A path card as it lies: its open sides, and whether a way leads through its centre.
///
/// There are 26: the sixteen path cards, ten of which look different when turned. The text form
/// is the open sides in the order `LURD`, after an `x` for a blocked card: `LUR`, `xRD`.
///
/// ```
/// use oboro_saboteur::{Side, Tile};
/// let tile: Tile = "RD".parse().unwrap();
/// assert!(tile.sides().contains(Side::Down) && tile.is_passable());
/// assert_eq!(tile.card().to_string(), "LU");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Tile(u8);

struct TileData {
    sides: u8,
    passable: bool,
    card: u8,
}

/// All tiles: for each path card in order, unturned before turned.
const DATA: [TileData; Tile::COUNT] = {
    let mut data = [const { TileData { sides: 0, passable: false, card: 0 } }; Tile::COUNT];
    let mut count = 0;
    let mut card = 0;
    while card < Card::PATHS {
        let (sides, passable) = Card::path_shape(card);
        data[count] = TileData { sides: sides.0, passable, card: card as u8 };
        count += 1;
        if sides.turned().0 != sides.0 {
            data[count] = TileData { sides: sides.turned().0, passable, card: card as u8 };
            count += 1;
        }
        card += 1;
    }
    assert!(count == Tile::COUNT);
    data
};

/// For each path card the tiles it can be laid as.
const OF_CARD: [u32; Card::PATHS] = {
    let mut masks = [0; Card::PATHS];
    let mut i = 0;
    while i < Tile::COUNT {
        masks[DATA[i].card as usize] |= 1 << i;
        i += 1;
    }
    masks
};

/// For each path card the first of these tiles, the unturned one; a turned one comes next.
const FIRST: [u8; Card::PATHS] = {
    let mut first = [0; Card::PATHS];
    let mut card = 0;
    while card < Card::PATHS {
        first[card] = OF_CARD[card].trailing_zeros() as u8;
        card += 1;
    }
    first
};

/// For each demand (sides that have a neighbour in the high four bits, those of them that must be
/// open in the low four) the tiles that meet it.
const FITTING: [u32; 256] = {
    let mut masks = [0; 256];
    let mut demand = 0;
    while demand < 256 {
        let (care, open) = (demand as u8 >> 4, demand as u8 & 0b1111);
        let mut i = 0;
        while i < Tile::COUNT {
            if (DATA[i].sides ^ open) & care == 0 {
                masks[demand] |= 1 << i;
            }
            i += 1;
        }
        demand += 1;
    }
    masks
};

/// For each demand as above, and sides of which one at least is to be open, the passable cards that
/// can be laid so, a bit each.
const LEADING: [[u8; 16]; 256] = {
    let mut cards = [[0; 16]; 256];
    let mut demand = 0;
    while demand < 256 {
        let mut i = 0;
        while i < Tile::COUNT && DATA[i].passable {
            if FITTING[demand] >> i & 1 == 1 {
                let mut sides = 0;
                while sides < 16 {
                    if DATA[i].sides & sides as u8 != 0 {
                        cards[demand][sides] |= 1 << DATA[i].card;
                    }
                    sides += 1;
                }
            }
            i += 1;
        }
        demand += 1;
    }
    cards
};

/// The passable cards, a bit each, that meet a demand (sides that have a neighbour in the high four
/// bits, those of them that must be open in the low four) and are open on one of `sides` at least.
#[inline]
pub(crate) fn leading(demand: u8, sides: u8) -> u8 {
    LEADING[usize::from(demand)][usize::from(sides & 0b1111)]
}

impl Tile {
    /// How many different ways a path card can lie.
    pub(crate) const COUNT: usize = 26;

    /// Its number: for each path card in order, unturned before turned.
    #[inline]
    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }

    /// The tile with a number below [`Tile::COUNT`].
    #[inline]
    pub(crate) const fn from_index(index: usize) -> Tile {
        debug_assert!(index < Tile::COUNT);
        Tile(index as u8)
    }

    /// The tile with these open sides; `None` if no card looks so.
    pub fn new(sides: Sides, passable: bool) -> Option<Tile> {
        (0..Tile::COUNT)
            .find(|&i| DATA[i].sides == sides.0 && DATA[i].passable == passable)
            .map(|i| Tile(i as u8))
    }

    /// A path card as it lies unturned (0), or turned (1) if that looks different.
    #[inline]
    pub(crate) fn of_card(card: Card, way: usize) -> Tile {
        debug_assert!(way < Tiles::of_card(card).len(), "{card} does not lie so");
        Tile(FIRST[card.index()] + way as u8)
    }

    /// Its open sides.
    #[inline]
    pub const fn sides(self) -> Sides {
        Sides(DATA[self.0 as usize].sides)
    }

    /// Whether its open sides are joined in the centre.
    #[inline]
    pub const fn is_passable(self) -> bool {
        DATA[self.0 as usize].passable
    }

    /// The card it is.
    #[inline]
    pub const fn card(self) -> Card {
        Card::from_index(DATA[self.0 as usize].card as usize)
    }
}

bit_set! {
    /// A set of [`Tile`]s.
    pub struct Tiles(u32) of Tile, iterated by TilesIter;
    bit(tile) = tile.0;
    item(index) = Tile(index as u8);
}

impl Tiles {
    /// The ways a card can be laid, unturned first; none for an action card.
    #[inline]
    #[must_use]
    pub fn of_card(card: Card) -> Tiles {
        Tiles(OF_CARD.get(card.index()).copied().unwrap_or(0))
    }

    /// The tiles that match neighbours on the sides `care`, of which exactly `open` are open.
    #[inline]
    #[must_use]
    pub(crate) fn fitting(care: u8, open: u8) -> Tiles {
        Tiles(FITTING[usize::from(care << 4 | open)])
    }
}

impl fmt::Display for Tile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", if self.is_passable() { "" } else { "x" }, self.sides())
    }
}

impl Tile {
    /// Reads a tile where a text has one.
    pub(crate) fn scan(s: &mut Scanner<'_>) -> Result<Tile, NotationError> {
        let at = s.at();
        let passable = !s.eat("x");
        let mut bits = 0;
        for (i, letter) in ["L", "U", "R", "D"].iter().enumerate() {
            if s.eat(letter) {
                bits |= 1 << i;
            }
        }
        Tile::new(Sides(bits), passable).ok_or_else(|| {
            s.error_at(
                at,
                "expected a path card: its open sides in the order LURD, after an x if it is blocked",
            )
        })
    }
}

text_form!(Tile, Tile::scan);
