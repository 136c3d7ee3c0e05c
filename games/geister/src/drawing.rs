//! Boards for a terminal. Pieces are letters, capitals for seat 0; after the letter `r` or `b` for
//! the colour, `?` where it is hidden. `·` is an empty square, `<` and `>` mark the exits.

use crate::piece::{Colour, Piece};
use crate::public::{Ending, Public};
use crate::square::Square;
use crate::view::View;
use crate::world::World;
use oboro_core::Seat;
use std::fmt;

impl fmt::Display for World {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        draw(f, &self.public, Seat::FIRST, |seat, piece| self.colour(seat, piece))
    }
}

impl fmt::Display for View {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        draw(f, &self.public, self.seat, |seat, piece| self.colour(seat, piece))
    }
}

fn name(seat: Seat, piece: Piece, colour: Option<Colour>) -> String {
    let letter = piece.letter();
    let letter = if seat == Seat::FIRST { letter } else { letter.to_ascii_lowercase() };
    let colour = match colour {
        None => '?',
        Some(Colour::Red) => 'r',
        Some(Colour::Blue) => 'b',
    };
    format!("{letter}{colour}")
}

/// Draws the board as `observer` sees it, home at the bottom.
fn draw(
    f: &mut fmt::Formatter<'_>,
    board: &Public,
    observer: Seat,
    colour: impl Fn(Seat, Piece) -> Option<Colour>,
) -> fmt::Result {
    for y in 0..6 {
        let (left, right) = if y == 0 || y == 5 { ('<', '>') } else { (' ', ' ') };
        write!(f, "{left}")?;
        for x in 0..6 {
            let square = Square::at(x, y).expect("on the board").seen_by(observer);
            match board.piece_at(square) {
                None => write!(f, " · ")?,
                Some((seat, piece)) => write!(f, " {}", name(seat, piece, colour(seat, piece)))?,
            }
        }
        writeln!(f, " {right}")?;
    }
    for seat in Seat::all(2) {
        let gone = Piece::of_set(board.captured(seat))
            .map(|piece| name(seat, piece, colour(seat, piece)))
            .collect::<Vec<_>>();
        if !gone.is_empty() {
            writeln!(f, "lost by seat {seat}: {}", gone.join(" "))?;
        }
    }
    match (board.ending(), board.to_act()) {
        (Some(ending), _) => write!(f, "after {} moves: {ending}", board.ply()),
        (None, Some(seat)) if board.has_placed(Seat::new(1)) => {
            write!(f, "move {}, seat {seat} to move", board.ply() + 1)
        }
        (None, Some(seat)) => write!(f, "seat {seat} places its pieces"),
        (None, None) => unreachable!("a game without an end goes on"),
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ending::Escape(seat) => write!(f, "seat {seat} escaped and won"),
            Ending::BluesCaptured(seat) => {
                write!(f, "seat {seat} captured every blue and won")
            }
            Ending::RedsCaptured(seat) => write!(f, "seat {seat} lost every red and won"),
            Ending::Draw => f.write_str("a draw"),
        }
    }
}
