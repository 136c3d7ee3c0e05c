use crate::cell::Cell;
use crate::tile::Shape;
use oboro_core::bit_set;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Defines the treasures from their English and Japanese names, in the order of their letters.
macro_rules! treasures {
    ($($Name:ident: $english:literal $japanese:literal,)*) => {
        /// One of the 24 treasures. The first twelve lie on fixed tiles, the next six on movable corners, the
        /// last six on movable T-pieces.
        #[derive(
            Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize, JsonSchema,
        )]
        #[serde(rename_all = "kebab-case")]
        #[allow(missing_docs, reason = "the names say it all")]
        pub enum Treasure {
            $($Name,)*
        }

        impl Treasure {
            /// All of them, in the order of their letters.
            pub const ALL: [Treasure; Treasure::COUNT] = [$(Treasure::$Name,)*];
        }

        const NAMES: [(&str, &str); Treasure::COUNT] = [$(($english, $japanese),)*];
    };
}

treasures! {
    Helmet: "helmet" "兜",
    Candles: "candles" "燭台",
    Sword: "sword" "剣",
    Gem: "gem" "宝石",
    Chest: "chest" "宝箱",
    Ring: "ring" "指輪",
    Skull: "skull" "ドクロ",
    Keys: "keys" "鍵",
    Crown: "crown" "王冠",
    Map: "map" "地図",
    GoldBag: "gold bag" "金貨の袋",
    Book: "book" "本",
    Beetle: "beetle" "コガネムシ",
    Moth: "moth" "蛾",
    Owl: "owl" "フクロウ",
    Rat: "rat" "ネズミ",
    Salamander: "salamander" "トカゲ",
    Spider: "spider" "クモ",
    Bat: "bat" "コウモリ",
    Dragon: "dragon" "ドラゴン",
    Fairy: "fairy" "妖精",
    Genie: "genie" "魔神",
    Ghost: "ghost" "幽霊",
    Troll: "troll" "トロール",
}

/// The cells of the twelve treasures on fixed tiles, as columns and rows from 0.
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
    /// The number of treasures.
    pub const COUNT: usize = 24;

    /// The number of treasures on movable tiles.
    pub(crate) const MOVABLE: usize = 12;

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
        NAMES[self as usize].1
    }

    /// The treasure with this letter.
    pub(crate) fn from_letter(letter: char) -> Option<Treasure> {
        Treasure::ALL.into_iter().find(|t| t.letter() == letter)
    }
}

impl fmt::Display for Treasure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(NAMES[*self as usize].0)
    }
}

bit_set! {
    /// A set of treasures, one bit each.
    pub struct TreasureSet(u32) of Treasure, iterated by TreasureSetIter;
    bit(treasure) = treasure as u8;
    item(index) = Treasure::ALL[index];
}

impl TreasureSet {
    /// All 24.
    pub const ALL: TreasureSet = TreasureSet((1 << Treasure::COUNT) - 1);
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
