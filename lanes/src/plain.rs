//! Lanes without vectors: what the others are compared with.

use crate::{LANES, Lanes, Mask};
use std::array::from_fn;
use std::ops::{Add, BitAnd, BitOr, BitXor, Not, Sub};

#[derive(Clone, Copy)]
pub(crate) struct Plain(pub(crate) [u64; LANES]);

/// One bit for each lane.
#[derive(Clone, Copy)]
pub(crate) struct Bits(u8);

impl Plain {
    fn map(self, change: impl Fn(u64) -> u64) -> Plain {
        Plain(self.0.map(change))
    }

    fn zip(self, other: Plain, join: impl Fn(u64, u64) -> u64) -> Plain {
        Plain(from_fn(|lane| join(self.0[lane], other.0[lane])))
    }

    fn ask(self, other: Plain, holds: impl Fn(u64, u64) -> bool) -> Bits {
        Bits((0..LANES).map(|lane| u8::from(holds(self.0[lane], other.0[lane])) << lane).sum())
    }

    fn zip_bytes(self, other: Plain, join: impl Fn(u8, u8) -> u8) -> Plain {
        self.zip(other, |one, other| {
            let (one, other) = (one.to_le_bytes(), other.to_le_bytes());
            u64::from_le_bytes(from_fn(|byte| join(one[byte], other[byte])))
        })
    }
}

macro_rules! operators {
    ($($operator:ident $name:ident $join:expr;)*) => {$(
        impl $operator for Plain {
            type Output = Plain;

            fn $name(self, other: Plain) -> Plain {
                self.zip(other, $join)
            }
        }
    )*};
}

operators! {
    BitAnd bitand |one, other| one & other;
    BitOr bitor |one, other| one | other;
    BitXor bitxor |one, other| one ^ other;
    Add add u64::wrapping_add;
    Sub sub u64::wrapping_sub;
}

impl Lanes for Plain {
    type Mask = Bits;

    fn every(self, word: u64) -> Plain {
        Plain([word; LANES])
    }

    fn of(self, words: [u64; LANES]) -> Plain {
        Plain(words)
    }

    fn words(self) -> [u64; LANES] {
        self.0
    }

    fn mask(self, bits: u8) -> Bits {
        Bits(bits)
    }

    fn without(self, other: Plain) -> Plain {
        self.zip(other, |one, other| one & !other)
    }

    fn up(self, by: u32) -> Plain {
        self.map(|word| word << by)
    }

    fn down(self, by: u32) -> Plain {
        self.map(|word| word >> by)
    }

    fn up_each(self, by: Plain) -> Plain {
        self.zip(by, |word, by| if by < 64 { word << by } else { 0 })
    }

    fn down_each(self, by: Plain) -> Plain {
        self.zip(by, |word, by| if by < 64 { word >> by } else { 0 })
    }

    fn count_ones(self) -> Plain {
        self.map(|word| word.count_ones().into())
    }

    fn times(self, other: Plain) -> Plain {
        self.zip(other, |one, other| u64::from(one as u32) * u64::from(other as u32))
    }

    fn meets(self, other: Plain) -> Bits {
        self.ask(other, |one, other| one & other != 0)
    }

    fn equals(self, other: Plain) -> Bits {
        self.ask(other, |one, other| one == other)
    }

    fn is_below(self, other: Plain) -> Bits {
        self.ask(other, |one, other| one < other)
    }

    fn only(self, lanes: Bits) -> Plain {
        Plain([0; LANES]).but(lanes, self)
    }

    fn but(self, lanes: Bits, other: Plain) -> Plain {
        Plain(from_fn(|lane| if lanes.0 >> lane & 1 == 1 { other.0[lane] } else { self.0[lane] }))
    }

    fn look_up(self, at: Plain) -> Plain {
        self.zip(at, |word, at| {
            let bytes = word.to_le_bytes();
            u64::from_le_bytes(at.to_le_bytes().map(|byte| bytes[usize::from(byte) & 7]))
        })
    }

    fn equal_bytes(self, other: Plain) -> Plain {
        self.zip_bytes(other, |one, other| if one == other { 0xFF } else { 0 })
    }

    fn but_bytes(self, which: Plain, other: Plain) -> Plain {
        let kept = self.zip_bytes(which, |one, which| if which >> 7 == 1 { 0 } else { one });
        let new = other.zip_bytes(which, |one, which| if which >> 7 == 1 { one } else { 0 });
        kept | new
    }
}

impl BitAnd for Bits {
    type Output = Bits;

    fn bitand(self, other: Bits) -> Bits {
        Bits(self.0 & other.0)
    }
}

impl BitOr for Bits {
    type Output = Bits;

    fn bitor(self, other: Bits) -> Bits {
        Bits(self.0 | other.0)
    }
}

impl Not for Bits {
    type Output = Bits;

    fn not(self) -> Bits {
        Bits(!self.0)
    }
}

impl Mask for Bits {
    fn bits(self) -> u8 {
        self.0
    }
}
