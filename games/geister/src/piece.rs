//! Pieces, their colours, and the 70 ways to place them.

use crate::square::Square;
use oboro_core::{NotationError, Rng, Seat};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// One of a player's eight pieces, named A–H by where it starts; the name is public and stays.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Piece(u8);

impl Piece {
    /// How many pieces a player has.
    pub const COUNT: usize = 8;

    /// The piece with this number, modulo 8: A is 0.
    #[inline]
    pub const fn new(index: usize) -> Piece {
        Piece((index & 7) as u8)
    }

    /// All eight, A to H.
    pub fn all() -> impl DoubleEndedIterator<Item = Piece> + Clone {
        (0..Piece::COUNT).map(Piece::new)
    }

    /// The pieces of a set, one bit a piece, A to H.
    #[inline]
    pub fn of_set(set: u8) -> impl Iterator<Item = Piece> + Clone {
        let mut rest = u32::from(set);
        std::iter::from_fn(move || {
            let first = (rest != 0).then(|| Piece::new(rest.trailing_zeros() as usize));
            rest &= rest.wrapping_sub(1);
            first
        })
    }

    /// The piece of a set that follows so many others of it; some piece where there are not as many.
    #[inline]
    pub(crate) fn nth_of_set(set: u8, n: usize) -> Piece {
        static NTH: [[Piece; Piece::COUNT]; 256] = nth_of_sets();
        NTH[usize::from(set)][n & 7]
    }

    /// Its number: A is 0.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The set of this piece alone.
    #[inline]
    pub const fn bit(self) -> u8 {
        1 << self.0
    }

    /// Whether a set has it.
    #[inline]
    pub const fn is_in(self, set: u8) -> bool {
        set >> self.0 & 1 == 1
    }

    /// Its letter.
    pub const fn letter(self) -> char {
        (b'A' + self.0) as char
    }

    /// The piece of a letter A–H.
    pub fn from_letter(letter: char) -> Option<Piece> {
        ('A'..='H').position(|l| l == letter).map(Piece::new)
    }

    /// Where it starts, on the board as seat 0 sees it.
    pub(crate) const fn home(self, seat: Seat) -> Square {
        let square = Square::at(1 + self.0 % 4, 4 + self.0 / 4).expect("a home square");
        square.seen_by(seat)
    }
}

const fn nth_of_sets() -> [[Piece; Piece::COUNT]; 256] {
    let mut table = [[Piece(0); Piece::COUNT]; 256];
    let mut set = 0;
    while set < 256 {
        let (mut rest, mut n) = (set, 0);
        while rest != 0 {
            table[set][n] = Piece::new(rest.trailing_zeros() as usize);
            rest &= rest - 1;
            n += 1;
        }
        set += 1;
    }
    table
}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

/// The secret of a piece.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Colour {
    /// Good: may leave through an exit; losing all four loses.
    Blue,
    /// Bad: losing all four wins.
    Red,
}

impl Colour {
    /// Its letter.
    pub const fn letter(self) -> char {
        match self {
            Colour::Blue => 'B',
            Colour::Red => 'R',
        }
    }

    /// Its name in scenes and beliefs.
    pub const fn name(self) -> &'static str {
        match self {
            Colour::Blue => "blue",
            Colour::Red => "red",
        }
    }
}

/// Which four of a player's pieces are red, written by their letters in order: `CEFG`.
///
/// ```
/// use oboro_geister::Placement;
/// let placement: Placement = "GCEF".parse().unwrap();
/// assert_eq!(placement.to_string(), "CEFG");
/// assert_eq!(Placement::all().count(), 70);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Placement(u8);

impl Placement {
    /// How many there are.
    pub const COUNT: usize = 70;

    /// The placement with these reds, if they are four.
    pub const fn from_reds(reds: u8) -> Option<Placement> {
        if reds.count_ones() == 4 { Some(Placement(reds)) } else { None }
    }

    /// All 70, in the order of their names.
    pub fn all() -> impl Iterator<Item = Placement> + Clone {
        ORDER.iter().map(|&reds| Placement(reds))
    }

    /// The one at this place in the order of names, from 0, modulo 70.
    pub fn numbered(number: usize) -> Placement {
        Placement(ORDER[number % Placement::COUNT])
    }

    /// Its place in the order of names, from 0.
    pub fn number(self) -> usize {
        ORDER.iter().position(|&reds| reds == self.0).expect("every placement is in the list")
    }

    /// One of the 70, uniformly.
    pub fn random(rng: &mut Rng) -> Placement {
        Placement::numbered(rng.below(Placement::COUNT))
    }

    /// The set of red pieces.
    #[inline]
    pub const fn reds(self) -> u8 {
        self.0
    }

    /// The same placement in a mirror that swaps left and right.
    #[must_use]
    pub fn mirrored(self) -> Placement {
        // Rows are four letters each; a mirror reverses both.
        Placement(Piece::of_set(self.0).fold(0, |set, p| set | 1 << (p.index() ^ 3)))
    }
}

/// The red sets in the order of their names: ABCD, ABCE, … EFGH.
static ORDER: [u8; Placement::COUNT] = order();

const fn order() -> [u8; Placement::COUNT] {
    let mut table = [0; Placement::COUNT];
    let mut found = 0;
    // Names compare like the sets read with A as the highest bit, downwards.
    let mut name = 256u16;
    while name > 0 {
        name -= 1;
        let reds = (name as u8).reverse_bits();
        if reds.count_ones() == 4 {
            table[found] = reds;
            found += 1;
        }
    }
    table
}

impl fmt::Display for Placement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Piece::of_set(self.0).try_for_each(|piece| write!(f, "{piece}"))
    }
}

impl FromStr for Placement {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Placement, NotationError> {
        let mut reds = 0;
        for (at, letter) in text.char_indices() {
            let Some(piece) = Piece::from_letter(letter) else {
                return Err(NotationError::new(text, at, "a piece is a letter A to H"));
            };
            if piece.is_in(reds) {
                return Err(NotationError::new(text, at, "this piece is named twice"));
            }
            reds |= piece.bit();
        }
        Placement::from_reds(reds).ok_or_else(|| {
            NotationError::new(text, text.len(), "a placement names its four red pieces")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nth_of_set_counts_pieces_in_order() {
        for set in 0..=u8::MAX {
            for (n, piece) in Piece::of_set(set).enumerate() {
                assert_eq!(Piece::nth_of_set(set, n), piece, "{set:08b}");
            }
        }
    }

    #[test]
    fn placements_are_in_the_order_of_their_names() {
        let names: Vec<String> = Placement::all().map(|p| p.to_string()).collect();
        assert!(names.is_sorted());
        assert_eq!((names.len(), names[0].as_str(), names[69].as_str()), (70, "ABCD", "EFGH"));
        for (number, placement) in Placement::all().enumerate() {
            assert_eq!(placement.number(), number);
            assert_eq!(placement.to_string().parse(), Ok(placement));
        }
    }

    #[test]
    fn a_mirror_swaps_a_with_d_and_e_with_h() {
        let placement: Placement = "ABEF".parse().unwrap();
        assert_eq!(placement.mirrored().to_string(), "CDGH");
        let own_mirrors = Placement::all().filter(|p| p.mirrored() == *p).count();
        assert_eq!(own_mirrors, 6);
    }

    #[test]
    fn bad_placements_are_refused_with_the_place() {
        for (text, column) in
            [("", 1), ("ABC", 4), ("ABCDE", 6), ("AAB", 2), ("ABxD", 3), ("朧", 1)]
        {
            assert_eq!(text.parse::<Placement>().unwrap_err().column(), column, "{text}");
        }
    }
}
