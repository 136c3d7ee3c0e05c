//! What lies on the table for both to see.

use crate::action::Action;
use crate::bitboard::{around, seen_by};
use crate::piece::{Piece, Placement};
use crate::square::{Bitboard, CAPTURED, Direction, ESCAPED, EXITS, OUT, STEPS, Square, squares};
use oboro_core::Seat;

/// How a game ended, and for whom.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Ending {
    /// This seat left the board with a blue piece and won.
    Escape(Seat),
    /// This seat captured all four enemy blues and won.
    BluesCaptured(Seat),
    /// This seat had all four of its reds captured and won.
    RedsCaptured(Seat),
    /// Nobody won within the ply limit.
    Draw,
}

impl Ending {
    /// Who won.
    pub const fn winner(self) -> Option<Seat> {
        match self {
            Ending::Escape(seat) | Ending::BluesCaptured(seat) | Ending::RedsCaptured(seat) => {
                Some(seat)
            }
            Ending::Draw => None,
        }
    }
}

/// The public part of a game in progress: where every piece stands, by name, but no colours.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Public {
    pub(crate) places: [[u8; Piece::COUNT]; 2],
    pub(crate) occupied: [Bitboard; 2],
    /// The pieces on the board.
    pub(crate) alive: [u8; 2],
    /// See [`stayed`](Public::stayed).
    pub(crate) stayed: [u8; 2],
    /// How many seats have placed their pieces.
    pub(crate) placed: u8,
    pub(crate) ply: u16,
    pub(crate) limit: u16,
    pub(crate) ending: Option<Ending>,
}

impl Public {
    /// The board before the placements, with this ply limit.
    pub(crate) fn start(limit: u16) -> Public {
        let places = [0, 1]
            .map(|seat| std::array::from_fn(|i| Piece::new(i).home(Seat::new(seat)).index() as u8));
        Public {
            places,
            occupied: places.map(|side| side.iter().fold(0, |board, &p| board | 1 << p)),
            alive: [0xff; 2],
            stayed: [0; 2],
            placed: 0,
            ply: 0,
            limit,
            ending: None,
        }
    }

    /// Where a piece stands; `None` once it is captured or gone.
    pub fn square(&self, seat: Seat, piece: Piece) -> Option<Square> {
        Square::from_index(self.places[seat.index()][piece.index()])
    }

    /// Whose piece stands on a square, and which.
    pub(crate) fn piece_at(&self, square: Square) -> Option<(Seat, Piece)> {
        let side = self.occupied.iter().position(|board| board & square.bit() != 0)?;
        Some((Seat::new(side), self.piece_on(side, square.bit())))
    }

    /// The piece of a side that stands on the square of a bit: one does.
    #[inline]
    pub(crate) fn piece_on(&self, side: usize, bit: Bitboard) -> Piece {
        let found = self.pieces_at(side, bit.trailing_zeros() as u8);
        debug_assert!(found.is_power_of_two(), "a piece stands on every occupied square");
        Piece::new(found.trailing_zeros() as usize / 8)
    }

    /// A byte for each piece of a side: 1 if it is at this place.
    #[inline]
    fn pieces_at(&self, side: usize, place: u8) -> u64 {
        const ONES: u64 = u64::from_le_bytes([1; Piece::COUNT]);
        // Places are below 64, so the top bit of a byte stays clear where the place is the one looked for, and there alone.
        let places = u64::from_le_bytes(self.places[side]);
        let differs = (places ^ (u64::from(place) * ONES)) + 0x7f * ONES;
        !differs >> 7 & ONES
    }

    /// The piece of a side that stands on a square which `seat` sees at this bit.
    pub(crate) fn piece_seen_on(&self, seat: Seat, bit: Bitboard) -> Piece {
        let square = Square::from_index(bit.trailing_zeros() as u8).expect("a square");
        self.piece_at(square.seen_by(seat)).expect("a piece stands there").1
    }

    /// The squares of a set of a side's pieces, as `observer` sees them.
    pub(crate) fn squares_of(&self, owner: Seat, set: u8, observer: Seat) -> Bitboard {
        let squares = Piece::of_set(set).filter_map(|piece| self.square(owner, piece));
        seen_by(squares.fold(0, |all, square| all | square.bit()), observer)
    }

    /// The squares a seat's pieces stand on.
    #[inline]
    pub(crate) fn occupied(&self, seat: Seat) -> Bitboard {
        self.occupied[seat.index()]
    }

    /// The pieces a seat has on the board, as a set.
    #[inline]
    pub fn alive(&self, seat: Seat) -> u8 {
        self.alive[seat.index()]
    }

    /// The pieces a seat lost, as a set.
    #[inline]
    pub fn captured(&self, seat: Seat) -> u8 {
        self.set_at(seat, CAPTURED)
    }

    /// The pieces with which a seat left the board: one at most.
    #[inline]
    pub fn escaped(&self, seat: Seat) -> u8 {
        self.set_at(seat, ESCAPED)
    }

    #[inline]
    fn set_at(&self, seat: Seat, place: u8) -> u8 {
        // Brings byte n of the word to bit n of its topmost byte.
        const GATHER: u64 = 0x0102_0408_1020_4080;
        (self.pieces_at(seat.index(), place).wrapping_mul(GATHER) >> 56) as u8
    }

    /// The pieces on the board that once stood on an exit when their owner was to move, and did
    /// not leave: hardly blue.
    #[inline]
    pub fn stayed(&self, seat: Seat) -> u8 {
        self.stayed[seat.index()]
    }

    /// How many moves have been played, placements not counted.
    #[inline]
    pub fn ply(&self) -> u16 {
        self.ply
    }

    /// The game is drawn after this many moves.
    pub(crate) fn ply_limit(&self) -> u16 {
        self.limit
    }

    /// How the game ended, if it did.
    #[inline]
    pub fn ending(&self) -> Option<Ending> {
        self.ending
    }

    /// Whether a seat has placed its pieces.
    #[inline]
    pub fn has_placed(&self, seat: Seat) -> bool {
        seat.index() < usize::from(self.placed)
    }

    /// Whose turn it is; `None` when the game is over.
    #[inline]
    pub fn to_act(&self) -> Option<Seat> {
        if self.ending.is_some() {
            None
        } else if self.placed < 2 {
            Some(Seat::new(self.placed.into()))
        } else {
            Some(Seat::new(self.mover()))
        }
    }

    /// The side that moves, while the game is played.
    #[inline]
    pub(crate) fn mover(&self) -> usize {
        usize::from(self.ply & 1)
    }

    /// The square that a step of the seat's piece leads to, if it stays on the board and is not
    /// its own side's.
    pub(crate) fn target(&self, seat: Seat, piece: Piece, direction: Direction) -> Option<Square> {
        let place = self.places[seat.index()][piece.index()];
        let target = STEPS[seat.index()][direction as usize][usize::from(place & 63)];
        squares(target & !OUT & !self.occupied[seat.index()]).next()
    }

    /// The enemy piece that a move would capture.
    #[inline]
    pub fn capture(&self, seat: Seat, piece: Piece, direction: Direction) -> Option<Piece> {
        let (side, enemy) = (seat.index(), seat.next(2).index());
        let place = usize::from(self.places[side][piece.index()] & 63);
        let target = STEPS[side][direction as usize][place] & self.occupied[enemy];
        (target != 0).then(|| self.piece_on(enemy, target))
    }

    /// Whether an enemy stands next to a square.
    pub(crate) fn is_attacked(&self, square: Square, by: Seat) -> bool {
        around(square.bit()) & self.occupied[by.index()] != 0
    }

    /// Whether a seat's piece stands on one of its exits.
    pub(crate) fn is_on_exit(&self, seat: Seat, piece: Piece) -> bool {
        self.square(seat, piece).is_some_and(|square| square.bit() & EXITS[seat.index()] != 0)
    }

    /// Calls `visit` for every legal action of a mover with these reds.
    #[inline]
    pub(crate) fn for_each_legal(&self, reds: u8, mut visit: impl FnMut(Action)) {
        if self.ending.is_some() {
            return;
        }
        if self.placed < 2 {
            Placement::all().for_each(|placement| visit(Action::Place(placement)));
            return;
        }
        let side = self.mover();
        for piece in Piece::of_set(self.alive[side]) {
            let place = usize::from(self.places[side][piece.index()] & 63);
            for direction in Direction::ALL {
                let target = STEPS[side][direction as usize][place] & !self.occupied[side];
                if target == OUT {
                    if !piece.is_in(reds) {
                        visit(Action::Escape(piece));
                    }
                } else if target != 0 {
                    visit(Action::Move(piece, direction));
                }
            }
        }
    }

    /// Moves a piece that may move so; the enemy piece it captured.
    #[inline]
    pub(crate) fn step(&mut self, piece: Piece, direction: Direction) -> Option<Piece> {
        let side = self.mover();
        let enemy = side ^ 1;
        let on_exits = self.occupied[side] & EXITS[side];
        if on_exits != 0 {
            self.note_stays(side);
        }
        let place = &mut self.places[side][piece.index()];
        let target = STEPS[side][direction as usize][usize::from(*place & 63)];
        self.occupied[side] ^= 1 << (*place & 63) | target;
        *place = target.trailing_zeros() as u8;
        self.ply += 1;
        if self.occupied[enemy] & target == 0 {
            return None;
        }
        self.occupied[enemy] ^= target;
        let captured = self.piece_on(enemy, target);
        self.places[enemy][captured.index()] = CAPTURED;
        self.alive[enemy] &= !captured.bit();
        self.stayed[enemy] &= !captured.bit();
        Some(captured)
    }

    #[cold]
    fn note_stays(&mut self, side: usize) {
        for piece in Piece::of_set(self.alive[side]) {
            if EXITS[side] >> self.places[side][piece.index()] & 1 == 1 {
                self.stayed[side] |= piece.bit();
            }
        }
    }

    /// Leaves the board with a piece that may.
    pub(crate) fn escape(&mut self, piece: Piece) {
        let side = self.mover();
        let place = &mut self.places[side][piece.index()];
        self.occupied[side] ^= 1 << (*place & 63);
        *place = ESCAPED;
        self.alive[side] &= !piece.bit();
        self.stayed[side] &= !piece.bit();
        self.ply += 1;
        self.ending = Some(Ending::Escape(Seat::new(side)));
    }
}
