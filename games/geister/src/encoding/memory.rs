//! What a seat remembers of the moves it saw, laid out as its observations show it.

use super::{COUNTER, ENEMY, EXIT, LAST, NAMES, OWN_BLUE, OWN_RED, PLANES, STAYED};
use crate::bitboard::around;
use crate::piece::{Piece, Placement};
use crate::public::Public;
use crate::square::{Direction, EXITS, OUT, STEPS, Square, squares};
use crate::view::View;
use oboro_core::Seat;

/// What pieces did, counted by piece and shown where the piece stands.
pub(super) const COUNTERS: [(&str, &str); 8] = [
    ("steps", "how often the piece moved"),
    ("steps forward", "how often it moved away from home"),
    ("steps back", "how often it moved towards home"),
    ("captures", "how many pieces it captured"),
    ("approached", "how often it stepped next to an enemy piece"),
    ("fled", "how often it stepped from beside an enemy piece to where none was"),
    ("stood", "how often it stood next to an enemy piece and another piece moved"),
    ("passed by", "how often it could have captured and did not"),
];

/// The planes of those that are counted for pieces that do not move, too.
pub(super) const STOOD: usize = COUNTER + 6;
pub(super) const PASSED_BY: usize = COUNTER + 7;

/// Counts go no further.
pub(super) const MANY: u8 = 15;

/// Counts one more, or nothing.
#[inline]
const fn plus(count: u8, one: bool) -> u8 {
    let sum = count + one as u8;
    sum - sum / (MANY + 1)
}

/// The square of an observation on which a side sees a square of the board.
#[inline]
pub(super) const fn cell<const SIDE: usize>(square: u8) -> usize {
    let last = Square::COUNT - 1;
    let square = if square as usize > last { last } else { square as usize };
    if SIDE == 0 { square } else { last - square }
}

/// The planes of an observation.
pub(super) type Planes = [[u8; Square::COUNT]; PLANES];

/// What a seat remembers of the moves it saw.
///
/// It keeps the planes of its observation as of the last event it took in: a move changes a few bytes of them, and to
/// write an observation is to copy them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Memory {
    seat: Seat,
    planes: Planes,
    /// The cells that each side's last move led from and to; 0 before it has moved.
    last: [[u8; 2]; 2],
}

impl Memory {
    /// What a seat remembers that has seen nothing but this.
    pub(super) fn of(view: &View) -> Memory {
        let mut planes = [[0; Square::COUNT]; PLANES];
        let board = &view.public;
        for (i, seat) in [view.seat, view.enemy()].into_iter().enumerate() {
            for exit in squares(EXITS[seat.index()]) {
                planes[EXIT + i][exit.seen_by(view.seat).index()] = 1;
            }
            for piece in Piece::of_set(board.alive(seat)) {
                let square = board.square(seat, piece).expect("it is on the board");
                let cell = square.seen_by(view.seat).index();
                let colour = match (i, piece.is_in(view.reds)) {
                    (0, false) => OWN_BLUE,
                    (0, true) => OWN_RED,
                    _ => ENEMY,
                };
                planes[colour][cell] = 1;
                planes[STAYED][cell] = u8::from(piece.is_in(board.stayed(seat)));
                planes[NAMES + i * Piece::COUNT + piece.index()][cell] = 1;
            }
        }
        Memory { seat: view.seat, planes, last: [[0; 2]; 2] }
    }

    /// The planes of the seat's observation.
    #[inline]
    pub(super) fn planes(&self) -> &Planes {
        &self.planes
    }

    /// The plane of a named piece.
    #[inline]
    fn named(&mut self, seat: Seat, piece: Piece) -> &mut [u8; Square::COUNT] {
        let owner = if seat == self.seat { 0 } else { Piece::COUNT };
        &mut self.planes[NAMES + owner + piece.index()]
    }

    /// The seat itself places its pieces, which were all blue so far, on these places.
    pub(super) fn saw_placement(&mut self, places: [u8; Piece::COUNT], placement: Placement) {
        for piece in Piece::of_set(placement.reds()) {
            if let Some(square) = Square::from_index(places[piece.index()]) {
                let cell = square.seen_by(self.seat).index();
                self.planes[OWN_BLUE][cell] = 0;
                self.planes[OWN_RED][cell] = 1;
            }
        }
    }

    /// A piece moves one square on this board.
    #[inline]
    pub(super) fn saw_move(&mut self, before: &Public, seat: Seat, piece: Piece, way: Direction) {
        match self.seat.index() {
            0 => self.saw::<0>(before, seat, piece, way),
            _ => self.saw::<1>(before, seat, piece, way),
        }
    }

    fn saw<const SIDE: usize>(
        &mut self,
        before: &Public,
        seat: Seat,
        piece: Piece,
        way: Direction,
    ) {
        let side = seat.index();
        let place = before.places[side][piece.index()] & 63;
        let target = STEPS[side][way as usize][usize::from(place)] & !OUT;
        if target == 0 {
            return;
        }
        let (own, enemies) = (before.occupied[side], before.occupied[side ^ 1]);
        let [from, to] = [place, target.trailing_zeros() as u8].map(cell::<SIDE>);
        for square in squares(own & EXITS[side]) {
            self.planes[STAYED][cell::<SIDE>(square.index() as u8)] = 1;
        }
        let captures = enemies & target != 0;
        if captures {
            self.named(seat.next(2), before.piece_on(side ^ 1, target))[to] = 0;
        }
        let beside = around(enemies);
        for square in squares(own & beside) {
            let cell = cell::<SIDE>(square.index() as u8);
            let [stood, passed] = [STOOD, PASSED_BY].map(|counter| self.planes[counter][cell]);
            self.planes[STOOD][cell] = plus(stood, square.index() != usize::from(place));
            self.planes[PASSED_BY][cell] = plus(passed, !captures);
        }
        // Whatever is said of the piece goes with it, over what was said of one it captures.
        let carried = [OWN_BLUE, OWN_RED, ENEMY, STAYED, STOOD, PASSED_BY];
        for plane in carried {
            self.planes[plane][to] = self.planes[plane][from];
            self.planes[plane][from] = 0;
        }
        let threatened = beside >> place & 1 == 1;
        let still = around(target) & enemies != 0;
        let more = [
            true,
            matches!(way, Direction::North),
            matches!(way, Direction::South),
            captures,
            still,
            threatened && !captures && !still,
        ];
        for (plane, more) in self.planes[COUNTER..].iter_mut().zip(more) {
            plane[to] = plus(plane[from], more);
            plane[from] = 0;
        }
        let name = self.named(seat, piece);
        name[from] = 0;
        name[to] = 1;
        let first = LAST + if side == SIDE { 0 } else { 2 };
        for (end, cell) in [from, to].into_iter().enumerate() {
            let plane = &mut self.planes[first + end];
            plane[usize::from(self.last[side][end]).min(Square::COUNT - 1)] = 0;
            plane[cell] = 1;
            self.last[side][end] = cell as u8;
        }
    }

    /// A piece leaves the board.
    pub(super) fn saw_escape(&mut self, from: Square) {
        let cell = from.seen_by(self.seat).index();
        let colours = [OWN_BLUE, OWN_RED, ENEMY, STAYED];
        colours.into_iter().chain(COUNTER..PLANES).for_each(|plane| self.planes[plane][cell] = 0);
    }
}
