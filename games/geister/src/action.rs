//! What a player does, and what a seat sees of it.

use crate::piece::{Colour, Piece, Placement};
use crate::square::Direction;
use oboro_core::{NotationError, Seat};
use std::fmt;
use std::str::FromStr;

/// One decision: `CEFG` places the reds, `AN` moves piece A north, `A!` leaves the board with it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Action {
    /// Chooses which pieces are red; each seat's first decision, hidden from the other.
    Place(Placement),
    /// Moves a piece one square, in the mover's own frame.
    Move(Piece, Direction),
    /// Leaves the board with a blue piece that stands on an exit, and wins.
    Escape(Piece),
}

impl Action {
    /// The same action in a mirror that swaps left and right.
    #[must_use]
    pub fn mirrored(self) -> Action {
        let other = |piece: Piece| Piece::new(piece.index() ^ 3);
        match self {
            Action::Place(placement) => Action::Place(placement.mirrored()),
            Action::Move(piece, direction) => Action::Move(other(piece), direction.mirrored()),
            Action::Escape(piece) => Action::Escape(other(piece)),
        }
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Action::Place(placement) => write!(f, "{placement}"),
            Action::Move(piece, direction) => write!(f, "{piece}{}", direction.letter()),
            Action::Escape(piece) => write!(f, "{piece}!"),
        }
    }
}

impl FromStr for Action {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Action, NotationError> {
        let mut letters = text.char_indices();
        let (Some((_, first)), Some((at, second)), None) =
            (letters.next(), letters.next(), letters.next())
        else {
            return text.parse().map(Action::Place).map_err(|error: NotationError| {
                let message = format!(
                    "{}; an action is a placement (CEFG), a move (AN) or an escape (A!)",
                    error.message
                );
                NotationError { message, ..error }
            });
        };
        let piece = Piece::from_letter(first)
            .ok_or_else(|| NotationError::new(text, 0, "a piece is a letter A to H"))?;
        if second == '!' {
            return Ok(Action::Escape(piece));
        }
        Direction::from_letter(second)
            .map(|direction| Action::Move(piece, direction))
            .ok_or_else(|| NotationError::new(text, at, "after the piece comes N, E, S, W or !"))
    }
}

/// What one seat sees of an action.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Event {
    /// A seat placed its pieces; only that seat sees how.
    Placed {
        /// Who.
        seat: Seat,
        /// How, if the observer may know.
        placement: Option<Placement>,
    },
    /// A piece moved.
    Moved {
        /// Whose.
        seat: Seat,
        /// Which.
        piece: Piece,
        /// Where to, in its owner's frame.
        direction: Direction,
        /// The enemy piece it captured, with the colour both then see.
        captured: Option<(Piece, Colour)>,
    },
    /// A blue piece left the board.
    Escaped {
        /// Whose.
        seat: Seat,
        /// Which.
        piece: Piece,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn actions_round_trip_as_text() {
        for text in ["CEFG", "AN", "HW", "D!"] {
            assert_eq!(text.parse::<Action>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn bad_actions_are_refused_with_the_place() {
        for (text, column) in [("", 1), ("A", 2), ("IN", 1), ("Ax", 2), ("ABCC", 4), ("A!!", 2)] {
            assert_eq!(text.parse::<Action>().unwrap_err().column(), column, "{text}");
        }
    }
}
