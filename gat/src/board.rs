//! The board string: 16 triples `x y c`, as one side sees them.

use oboro_core::Seat;
use oboro_geister::{Colour, Piece, Public, Square};
use std::fmt;

/// The 48 characters that say where every piece stands, seen from one side: its own A–H, then the
/// other side's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BoardText([u8; 48]);

/// Where a piece is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Placing {
    /// On a square, in the frame of the side that sees it.
    On(Square),
    /// Captured: `99`.
    Captured,
    /// Gone through an exit: `88`.
    Escaped,
}

impl BoardText {
    /// What `observer` sees of a board. Enemy colours on the board are hidden unless `open`. A piece
    /// whose colour is not chosen yet counts as blue.
    pub(crate) fn new(
        board: &Public,
        observer: Seat,
        open: bool,
        colour: impl Fn(Seat, Piece) -> Option<Colour>,
    ) -> BoardText {
        let mut text = [0; 48];
        for (i, triple) in text.chunks_exact_mut(3).enumerate() {
            let own = i < Piece::COUNT;
            let owner = if own { observer } else { observer.next(2) };
            let piece = Piece::new(i);
            let square = board.square(owner, piece);
            let (x, y) = match square.map(|square| square.seen_by(observer)) {
                Some(square) => (square.x(), square.y()),
                None if piece.is_in(board.escaped(owner)) => (8, 8),
                None => (9, 9),
            };
            let letter = colour(owner, piece).unwrap_or(Colour::Blue).letter() as u8;
            triple[0] = b'0' + x;
            triple[1] = b'0' + y;
            triple[2] = match (own, square.is_some()) {
                (true, true) => letter,
                (false, true) if !open => b'u',
                _ => letter.to_ascii_lowercase(),
            };
        }
        BoardText(text)
    }

    /// Reads 48 characters of the right kind; `None` if they are not.
    pub(crate) fn parse(text: &[u8]) -> Option<BoardText> {
        let text: [u8; 48] = text.try_into().ok()?;
        let board = BoardText(text);
        let sound = text.chunks_exact(3).enumerate().all(|(i, triple)| {
            let place_is_known = place(triple).is_some();
            let colours: &[u8] = if i < Piece::COUNT { b"RBrb" } else { b"rbuRB" };
            place_is_known && colours.contains(&triple[2])
        });
        sound.then_some(board)
    }

    /// Where the observer's piece (`own`) or the other side's is.
    pub(crate) fn place(&self, own: bool, piece: Piece) -> Placing {
        place(self.triple(own, piece)).expect("a board text is checked when it is made")
    }

    /// The colour of a piece as the text says it; `None` for a hidden one.
    pub(crate) fn colour(&self, own: bool, piece: Piece) -> Option<Colour> {
        match self.triple(own, piece)[2].to_ascii_uppercase() {
            b'R' => Some(Colour::Red),
            b'B' => Some(Colour::Blue),
            _ => None,
        }
    }

    fn triple(&self, own: bool, piece: Piece) -> &[u8] {
        let at = 3 * (piece.index() + if own { 0 } else { Piece::COUNT });
        &self.0[at..at + 3]
    }

    /// The same text with the colours of all pieces on the board hidden.
    #[must_use]
    pub(crate) fn masked(&self) -> BoardText {
        let mut text = self.0;
        for triple in text.chunks_exact_mut(3) {
            if matches!(place(triple), Some(Placing::On(_))) {
                triple[2] = b'u';
            }
        }
        BoardText(text)
    }

    /// The characters.
    pub(crate) fn as_str(&self) -> &str {
        std::str::from_utf8(&self.0).expect("a board text is ASCII")
    }
}

fn place(triple: &[u8]) -> Option<Placing> {
    match (triple[0].wrapping_sub(b'0'), triple[1].wrapping_sub(b'0')) {
        (9, 9) => Some(Placing::Captured),
        (8, 8) => Some(Placing::Escaped),
        (x, y) => Square::at(x, y).map(Placing::On),
    }
}

impl fmt::Display for BoardText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oboro_core::{Game, GameWorld};
    use oboro_geister::{Geister, World};

    fn text(world: &World, seat: usize, open: bool) -> String {
        let colour = |seat, piece| world.colour(seat, piece);
        BoardText::new(world.public(), Seat::new(seat), open, colour).to_string()
    }

    #[test]
    fn the_start_is_the_one_of_the_protocol_page() {
        let world = World::placed(["ABCD", "AEFG"].map(|p| p.parse().unwrap()), 300);
        assert_eq!(text(&world, 0, false), "14R24R34R44R15B25B35B45B41u31u21u11u40u30u20u10u");
        assert_eq!(text(&world, 1, false), "14R24B34B44B15R25R35R45B41u31u21u11u40u30u20u10u");
        assert_eq!(text(&world, 0, true), "14R24R34R44R15B25B35B45B41r31b21b11b40r30r20r10b");
    }

    #[test]
    fn captured_and_escaped_pieces_are_not_turned_and_are_open() {
        let rules = Geister::default();
        let mut world =
            rules.parse_position("10 14R99R34R44R00B25B35B99B 41B31B21B11B40R99R20R10R").unwrap();
        assert_eq!(text(&world, 0, false), "14R99r34R44R00B25B35B99b41u31u21u11u40u99r20u10u");
        world.play("E!".parse().unwrap()).unwrap();
        assert_eq!(text(&world, 0, true), "14R99r34R44R88b25B35B99b41b31b21b11b40r99r20r10r");
        assert_eq!(text(&world, 1, true), "14B24B34B44B15R99r35R45R41r99r21r11r88b30b20b99b");
    }

    #[test]
    fn texts_of_the_wrong_kind_are_refused() {
        let good = "14R24R34R44R15B25B35B45B41u31u21u11u40u30u20u10u";
        let read = BoardText::parse(good.as_bytes()).unwrap();
        assert_eq!(read.place(false, Piece::new(0)), Placing::On(Square::at(4, 1).unwrap()));
        assert_eq!(read.colour(false, Piece::new(0)), None);
        assert_eq!(read.colour(true, Piece::new(0)), Some(Colour::Red));
        for bad in ["", "14R", &good[1..], &good.replace("14R", "64R"), &good.replace("14R", "14u")]
        {
            assert_eq!(BoardText::parse(bad.as_bytes()), None, "{bad}");
        }
    }
}
