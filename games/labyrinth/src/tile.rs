use oboro_core::bit_set;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// One side of a tile, in clockwise order.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Side {
    /// Towards row 1.
    Up,
    /// Towards column g.
    Right,
    /// Towards row 7.
    Down,
    /// Towards column a.
    Left,
}

impl Side {
    /// All four, clockwise from the top.
    pub const ALL: [Side; 4] = [Side::Up, Side::Right, Side::Down, Side::Left];
}

bit_set! {
    /// A set of sides of a tile.
    pub struct Sides(pub(crate) u8) of Side, iterated by SidesIter;
    bit(side) = side as u8;
    item(index) = Side::ALL[index];
}

impl Sides {
    /// The sides that are not in it: the walls of a tile with these openings.
    #[must_use]
    #[inline]
    pub(crate) const fn complement(self) -> Sides {
        Sides(!self.0 & 0b1111)
    }

    /// Turned clockwise.
    #[must_use]
    #[inline]
    pub const fn turned(self, by: Rotation) -> Sides {
        let doubled = (self.0 as u16 | (self.0 as u16) << 4) << by.0;
        Sides((doubled >> 4) as u8 & 0b1111)
    }

    /// The shape of a tile that opens on these sides, if there is one.
    pub const fn shape(self) -> Option<Shape> {
        match self.0 {
            0b0101 | 0b1010 => Some(Shape::Straight),
            0b0011 | 0b0110 | 0b1100 | 0b1001 => Some(Shape::Corner),
            0b0111 | 0b1110 | 0b1101 | 0b1011 => Some(Shape::Tee),
            _ => None,
        }
    }

    /// The line that draws a tile with these openings.
    pub(crate) fn glyph(self) -> char {
        [' ', '╵', '╶', '└', '╷', '│', '┌', '├', '╴', '┘', '─', '┴', '┐', '┤', '┬', '┼']
            [self.0 as usize]
    }

    /// The openings of the tile that a line draws.
    pub(crate) fn from_glyph(glyph: char) -> Option<Sides> {
        (0..16).map(Sides).find(|s| s.shape().is_some() && s.glyph() == glyph)
    }
}

/// The way through a tile.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Shape {
    /// Opens up and down when it is not turned.
    Straight,
    /// Opens up and right when it is not turned.
    Corner,
    /// Opens up, right and down when it is not turned.
    Tee,
}

impl Shape {
    /// The open sides of a tile of this shape, turned clockwise.
    #[inline]
    pub const fn turned(self, by: Rotation) -> Sides {
        let upright = match self {
            Shape::Straight => Sides(0b0101),
            Shape::Corner => Sides(0b0011),
            Shape::Tee => Sides(0b0111),
        };
        upright.turned(by)
    }

    /// The rotations that look different: a straight has two, the others four.
    #[inline]
    pub const fn distinct_rotations(self) -> &'static [Rotation] {
        match self {
            Shape::Straight => &[Rotation(0), Rotation(1)],
            Shape::Corner | Shape::Tee => &Rotation::ALL,
        }
    }

    /// Its letter in positions.
    pub const fn letter(self) -> char {
        match self {
            Shape::Straight => 'S',
            Shape::Corner => 'C',
            Shape::Tee => 'T',
        }
    }
}

/// A clockwise turn by a multiple of 90°.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Rotation(u8);

impl Rotation {
    /// All four, from no turn at all.
    pub const ALL: [Rotation; 4] = [Rotation(0), Rotation(1), Rotation(2), Rotation(3)];

    /// The turn by so many degrees.
    pub(crate) const fn from_degrees(degrees: u16) -> Option<Rotation> {
        match degrees {
            0 | 90 | 180 | 270 => Some(Rotation((degrees / 90) as u8)),
            _ => None,
        }
    }

    /// In degrees.
    pub const fn degrees(self) -> u16 {
        self.0 as u16 * 90
    }
}

impl fmt::Display for Rotation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(["0", "90", "180", "270"][usize::from(self.0)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_open_as_the_rules_say() {
        let turned =
            |shape: Shape, degrees| shape.turned(Rotation::from_degrees(degrees).unwrap()).glyph();
        let all = |shape| [0, 90, 180, 270].map(|degrees| turned(shape, degrees));
        assert_eq!(all(Shape::Straight), ['│', '─', '│', '─']);
        assert_eq!(all(Shape::Corner), ['└', '┌', '┐', '┘']);
        assert_eq!(all(Shape::Tee), ['├', '┬', '┤', '┴']);
    }

    #[test]
    fn glyphs_are_read_back() {
        for shape in [Shape::Straight, Shape::Corner, Shape::Tee] {
            for rotation in Rotation::ALL {
                let sides = shape.turned(rotation);
                assert_eq!(sides.shape(), Some(shape));
                assert_eq!(Sides::from_glyph(sides.glyph()), Some(sides));
            }
        }
        assert_eq!(Sides::from_glyph('┼'), None);
    }
}
