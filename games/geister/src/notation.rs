//! Positions as text: the number of moves played, then the pieces A–H of seat 0 and of seat 1.
//!
//! ```text
//! 0 14R24R34R44R15B25B35B45B 41B31B21B11B40R30R20R10R
//! ```
//! A piece is its column and row as seat 0 sees them, and its colour; `99` is captured, `88` has
//! left the board, `?` is not placed yet, and `*` after the colour marks a piece that stood on an
//! exit at its owner's turn and stayed. Seat 0 moves when the number of moves is even.

use crate::piece::{Colour, Piece};
use crate::public::{Ending, Public};
use crate::square::{CAPTURED, ESCAPED, Square};
use crate::world::World;
use oboro_core::{NotationError, Scanner, Seat};
use std::fmt::Write as _;

pub(crate) fn write_position(world: &World) -> String {
    let mut text = world.public.ply.to_string();
    for seat in Seat::all(2) {
        text.push(' ');
        for piece in Piece::all() {
            match world.public.places[seat.index()][piece.index()] {
                CAPTURED => text.push_str("99"),
                ESCAPED => text.push_str("88"),
                place => {
                    let square = Square::from_index(place).expect("a place is a square");
                    write!(text, "{square}").expect("writing to a string");
                }
            }
            text.push(world.colour(seat, piece).map_or('?', Colour::letter));
            if piece.is_in(world.public.stayed(seat)) {
                text.push('*');
            }
        }
    }
    text
}

pub(crate) fn parse_position(text: &str, limit: u16) -> Result<World, NotationError> {
    let mut s = Scanner::new(text);
    let ply: u16 = s.number("the number of moves played")?;
    let mut world = World::empty(limit);
    world.public.ply = ply;
    let mut taken = 0;
    for seat in Seat::all(2) {
        parse_side(&mut s, &mut world, seat, &mut taken)?;
    }
    s.finish()?;
    if ply > limit {
        return Err(s.error_at(0, format!("the game is drawn after {limit} moves")));
    }
    if world.public.placed < 2 {
        let start = Public { placed: world.public.placed, ..Public::start(limit) };
        if world.public != start {
            return Err(s.error("before both sides are placed, nothing has moved"));
        }
        return Ok(world);
    }
    world.public.ending = ending(&world).map_err(|message| s.error(message))?;
    Ok(world)
}

fn parse_side(
    s: &mut Scanner<'_>,
    world: &mut World,
    seat: Seat,
    taken: &mut u64,
) -> Result<(), NotationError> {
    s.skip_space();
    let side = seat.index();
    let start = s.at();
    let (mut reds, mut unknown, mut occupied) = (0u8, 0u8, 0);
    for piece in Piece::all() {
        let at = s.at();
        let mut digit = || s.take().and_then(|c| c.to_digit(10)).map(|d| d as u8);
        let place = match (digit(), digit()) {
            (Some(9), Some(9)) => CAPTURED,
            (Some(8), Some(8)) => ESCAPED,
            (Some(x), Some(y)) if let Some(square) = Square::at(x, y) => square.index() as u8,
            _ => {
                let message = format!(
                    "expected the place of piece {piece}: column and row 0 to 5, 99 captured, 88 escaped"
                );
                return Err(s.error_at(at, message));
            }
        };
        if place < CAPTURED {
            if *taken >> place & 1 == 1 {
                return Err(s.error_at(at, "two pieces on one square"));
            }
            *taken |= 1 << place;
            occupied |= 1 << place;
        } else {
            world.public.alive[side] &= !piece.bit();
        }
        world.public.places[side][piece.index()] = place;
        let at = s.at();
        match s.take() {
            Some('R') if place == ESCAPED => {
                return Err(s.error_at(at, "only a blue piece can leave the board"));
            }
            Some('R') => reds |= piece.bit(),
            Some('B') => {}
            Some('?') => unknown |= piece.bit(),
            _ => return Err(s.error_at(at, "expected a colour: R, B, or ? before the placement")),
        }
        let at = s.at();
        if s.eat("*") {
            if place >= CAPTURED {
                return Err(s.error_at(at, "a piece that is gone cannot have stayed"));
            }
            world.public.stayed[side] |= piece.bit();
        }
    }
    world.public.occupied[side] = occupied;
    let placed = match (unknown, reds.count_ones()) {
        (0, 4) => true,
        (0xff, 0) => false,
        _ => return Err(s.error_at(start, "a side has four red pieces and four blue")),
    };
    if placed {
        if usize::from(world.public.placed) < side {
            return Err(s.error_at(start, "seat 0 is placed before seat 1"));
        }
        world.public.placed += 1;
        world.reds[side] = reds;
    }
    Ok(())
}

/// How a position is over, if it is; at most one thing can have ended it.
fn ending(world: &World) -> Result<Option<Ending>, String> {
    let board = &world.public;
    let mut found = Vec::new();
    for seat in Seat::all(2) {
        let (alive, reds) = (board.alive(seat), world.reds(seat));
        match board.escaped(seat).count_ones() {
            0 => {}
            1 => found.push(Ending::Escape(seat)),
            _ => return Err("a game ends with the first piece that leaves".to_owned()),
        }
        let captured = board.captured(seat);
        if captured & !reds == !reds {
            found.push(Ending::BluesCaptured(seat.next(2)));
        }
        if alive & reds == 0 {
            found.push(Ending::RedsCaptured(seat));
        }
    }
    if found.len() > 1 {
        return Err("the game would have ended twice".to_owned());
    }
    let over = found.pop();
    if let Some(Ending::Escape(seat)) = over
        && board.mover() == seat.index()
    {
        return Err("the side that left the board cannot be to move".to_owned());
    }
    Ok(over.or((board.ply == board.limit).then_some(Ending::Draw)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "0 14R24R34R44R15B25B35B45B 41B31B21B11B40R30R20R10R";

    #[test]
    fn the_start_reads_as_in_the_documentation() {
        let world = parse_position(START, 300).unwrap();
        assert_eq!(write_position(&world), START);
        let placements = ["ABCD", "EFGH"].map(|p| p.parse().unwrap());
        assert_eq!(world, World::placed(placements, 300));
    }

    #[test]
    fn impossible_positions_are_refused_with_the_place() {
        for (text, column, says) in [
            ("", 1, "number of moves"),
            ("301 14R24R34R44R15B25B35B45B 41B31B21B11B40R30R20R10R", 1, "drawn"),
            ("0 14R14R34R44R15B25B35B45B 41B31B21B11B40R30R20R10R", 6, "two pieces"),
            ("0 64R24R34R44R15B25B35B45B 41B31B21B11B40R30R20R10R", 3, "piece A"),
            ("0 14G24R34R44R15B25B35B45B 41B31B21B11B40R30R20R10R", 5, "colour"),
            ("0 14B24R34R44R15B25B35B45B 41B31B21B11B40R30R20R10R", 3, "four red"),
            ("1 88R24R34R44R15B25B35B45B 41B31B21B11B40R30R20R10R", 5, "only a blue"),
            ("1 99R*24R34R44R15B25B35B45B 41B31B21B11B40R30R20R10R", 6, "stayed"),
            ("0 14?24?34?44?15?25?35?45? 41B31B21B11B40R30R20R10R", 28, "before seat 1"),
            ("2 14?24?34?44?15?25?35?45? 41?31?21?11?40?30?20?10?", 52, "nothing has moved"),
            ("9 99R99R99R99R15B25B35B45B 41B31B21B11B99R99R99R99R", 52, "twice"),
            ("0 14R24R34R44R15B25B35B45B", 27, "piece A"),
            ("0 14R24R34R44R15B25B35B45B 41B31B21B11B40R30R20R10R x", 53, "nothing more"),
        ] {
            let error = parse_position(text, 300).unwrap_err();
            assert_eq!(error.column(), column, "{text}: {error}");
            assert!(error.message.contains(says), "{text}: {error}");
        }
    }
}
