use crate::cell::Cell;
use crate::tile::Shape;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// One of the 24 treasures. The first twelve lie on fixed tiles, the next six on movable corners, the
/// last six on movable T-pieces.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs, reason = "the names say it all")]
pub enum Treasure {
    Helmet,
    Candles,
    Sword,
    Gem,
    Chest,
    Ring,
    Skull,
    Keys,
    Crown,
    Map,
    GoldBag,
    Book,
    Beetle,
    Moth,
    Owl,
    Rat,
    Salamander,
    Spider,
    Bat,
    Dragon,
    Fairy,
    Genie,
    Ghost,
    Troll,
}

/// Where the twelve treasures lie that never move, as columns and rows from 0.
const FIXED: [(usize, usize); 12] = [
    (2, 0),
    (4, 0),
    (0, 2),
    (2, 2),
    (4, 2),
    (6, 2),
    (0, 4),
    (2, 4),
    (4, 4),
    (6, 4),
    (2, 6),
    (4, 6),
];

impl Treasure {
    /// How many treasures there are.
    pub const COUNT: usize = 24;

    /// How many of them lie on movable tiles.
    pub(crate) const MOVABLE: usize = 12;

    /// All of them, in the order of their letters.
    pub const ALL: [Treasure; Treasure::COUNT] = [
        Treasure::Helmet,
        Treasure::Candles,
        Treasure::Sword,
        Treasure::Gem,
        Treasure::Chest,
        Treasure::Ring,
        Treasure::Skull,
        Treasure::Keys,
        Treasure::Crown,
        Treasure::Map,
        Treasure::GoldBag,
        Treasure::Book,
        Treasure::Beetle,
        Treasure::Moth,
        Treasure::Owl,
        Treasure::Rat,
        Treasure::Salamander,
        Treasure::Spider,
        Treasure::Bat,
        Treasure::Dragon,
        Treasure::Fairy,
        Treasure::Genie,
        Treasure::Ghost,
        Treasure::Troll,
    ];

    /// The cell of a treasure on a fixed tile, or the number among the movable ones.
    #[inline]
    pub(crate) const fn home(self) -> Result<Cell, usize> {
        let index = self as usize;
        if index < FIXED.len() {
            Ok(Cell::new(FIXED[index].0, FIXED[index].1))
        } else {
            Err(index - FIXED.len())
        }
    }

    /// The treasures on movable tiles, in the order of their letters.
    pub(crate) fn movable() -> impl Iterator<Item = Treasure> {
        Treasure::ALL[FIXED.len()..].iter().copied()
    }

    /// The shape of the tile it lies on.
    pub const fn shape(self) -> Shape {
        match self as u8 {
            12..=17 => Shape::Corner,
            _ => Shape::Tee,
        }
    }

    /// Its letter in positions, `A` to `X`.
    pub const fn letter(self) -> char {
        (b'A' + self as u8) as char
    }

    /// Its Japanese name.
    pub const fn japanese(self) -> &'static str {
        match self {
            Treasure::Helmet => "兜",
            Treasure::Candles => "燭台",
            Treasure::Sword => "剣",
            Treasure::Gem => "宝石",
            Treasure::Chest => "宝箱",
            Treasure::Ring => "指輪",
            Treasure::Skull => "ドクロ",
            Treasure::Keys => "鍵",
            Treasure::Crown => "王冠",
            Treasure::Map => "地図",
            Treasure::GoldBag => "金貨の袋",
            Treasure::Book => "本",
            Treasure::Beetle => "コガネムシ",
            Treasure::Moth => "蛾",
            Treasure::Owl => "フクロウ",
            Treasure::Rat => "ネズミ",
            Treasure::Salamander => "トカゲ",
            Treasure::Spider => "クモ",
            Treasure::Bat => "コウモリ",
            Treasure::Dragon => "ドラゴン",
            Treasure::Fairy => "妖精",
            Treasure::Genie => "魔神",
            Treasure::Ghost => "幽霊",
            Treasure::Troll => "トロール",
        }
    }

    /// The treasure with this letter.
    pub fn from_letter(letter: char) -> Option<Treasure> {
        Treasure::ALL.into_iter().find(|t| t.letter() == letter)
    }
}

impl fmt::Display for Treasure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Treasure::Helmet => "helmet",
            Treasure::Candles => "candles",
            Treasure::Sword => "sword",
            Treasure::Gem => "gem",
            Treasure::Chest => "chest",
            Treasure::Ring => "ring",
            Treasure::Skull => "skull",
            Treasure::Keys => "keys",
            Treasure::Crown => "crown",
            Treasure::Map => "map",
            Treasure::GoldBag => "gold bag",
            Treasure::Book => "book",
            Treasure::Beetle => "beetle",
            Treasure::Moth => "moth",
            Treasure::Owl => "owl",
            Treasure::Rat => "rat",
            Treasure::Salamander => "salamander",
            Treasure::Spider => "spider",
            Treasure::Bat => "bat",
            Treasure::Dragon => "dragon",
            Treasure::Fairy => "fairy",
            Treasure::Genie => "genie",
            Treasure::Ghost => "ghost",
            Treasure::Troll => "troll",
        })
    }
}

/// A set of treasures, one bit each.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct TreasureSet(u32);

impl TreasureSet {
    /// No treasure.
    pub const EMPTY: TreasureSet = TreasureSet(0);

    /// All 24.
    pub const ALL: TreasureSet = TreasureSet((1 << Treasure::COUNT) - 1);

    /// Whether a treasure is in it.
    #[inline]
    pub const fn contains(self, treasure: Treasure) -> bool {
        self.0 >> treasure as u8 & 1 != 0
    }

    /// Adds a treasure.
    #[inline]
    pub const fn insert(&mut self, treasure: Treasure) {
        self.0 |= 1 << treasure as u8;
    }

    /// Takes a treasure out.
    #[inline]
    pub const fn remove(&mut self, treasure: Treasure) {
        self.0 &= !(1 << treasure as u8);
    }

    /// The treasures that are in this set and not in the other.
    #[inline]
    #[must_use]
    pub const fn without(self, other: TreasureSet) -> TreasureSet {
        TreasureSet(self.0 & !other.0)
    }

    /// How many there are.
    #[inline]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether there is none.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Its treasures, in the order of their letters.
    pub fn iter(self) -> impl Iterator<Item = Treasure> {
        Treasure::ALL.into_iter().filter(move |&t| self.contains(t))
    }
}

impl FromIterator<Treasure> for TreasureSet {
    fn from_iter<I: IntoIterator<Item = Treasure>>(treasures: I) -> TreasureSet {
        let mut set = TreasureSet::EMPTY;
        treasures.into_iter().for_each(|t| set.insert(t));
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_read_back() {
        for (i, treasure) in Treasure::ALL.into_iter().enumerate() {
            assert_eq!(treasure as usize, i);
            assert_eq!(Treasure::from_letter(treasure.letter()), Some(treasure));
        }
        assert_eq!(Treasure::from_letter('Y'), None);
    }

    #[test]
    fn half_of_the_treasures_lie_on_fixed_tiles() {
        let fixed = Treasure::ALL.into_iter().filter_map(|t| t.home().ok());
        assert!(fixed.clone().all(|cell| cell.pushable_lines() == 0));
        assert_eq!(fixed.count(), 12);
    }
}
