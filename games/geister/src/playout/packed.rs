//! Playouts with one side in three words, and whole vectors of slots.

#![allow(
    clippy::inline_always,
    reason = "a playout is one loop that is kept in registers; measured"
)]

use crate::piece::Piece;
use crate::public::Ending;
use crate::square::{Bitboard, CAPTURED, ESCAPED, OFFSETS};
use crate::world::World;
use oboro_core::{Rng, Seat};

/// A byte of a word for every piece.
pub(super) const EVERY_PIECE: u64 = 0x0101_0101_0101_0101;

/// One side's pieces.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Packed {
    /// The place of every piece, a byte each.
    pub(super) places: u64,
    pub(super) occupied: Bitboard,
    /// Where the reds stand.
    pub(super) reds: Bitboard,
}

impl Packed {
    #[inline]
    pub(super) fn of(world: &World, side: usize) -> Packed {
        let board = &world.public;
        let pieces = board.places[side].iter().enumerate();
        let red = |piece: usize| u64::from(board.alive[side] & world.reds[side]) >> piece & 1;
        Packed {
            places: u64::from_le_bytes(board.places[side]),
            occupied: board.occupied[side],
            reds: pieces.map(|(piece, place)| red(piece) << (place & 63)).sum(),
        }
    }

    /// Writes into a world what became of the side.
    #[inline]
    pub(super) fn put_back(self, world: &mut World, side: usize) {
        let board = &mut world.public;
        let places = self.places.to_le_bytes();
        let on_board = |piece: usize| u8::from(places[piece] < CAPTURED) << piece;
        let alive = (0..Piece::COUNT).map(on_board).sum();
        board.places[side] = places;
        board.occupied[side] = self.occupied;
        board.alive[side] = alive;
        board.stayed[side] &= alive;
    }

    /// Takes away the piece that stands on a square.
    #[inline(always)]
    fn lose(&mut self, square: u64) {
        let target = 1 << square;
        self.occupied &= !target;
        self.reds &= !target;
        // Places are below 64, so the top bit of a byte stays clear where the place is the square, and there alone.
        let differs = (self.places ^ (square * EVERY_PIECE)) + 0x7f * EVERY_PIECE;
        let there = !differs >> 7 & EVERY_PIECE;
        self.places ^= there * (square ^ u64::from(CAPTURED));
    }
}

/// The loop of [`reference::play_out`](super::reference::play_out), for functions that play a move of each side, its own pieces
/// first, and say how the game ended, if it did. Sides may be kept in another way than packed.
#[inline(always)]
pub(super) fn play_out<S>(
    world: &mut World,
    rng: &mut Rng,
    unpack: impl Fn(Packed) -> S,
    play_first: impl Fn(&mut S, &mut S, &mut Rng) -> Option<Ending>,
    play_second: impl Fn(&mut S, &mut S, &mut Rng) -> Option<Ending>,
    pack: impl Fn(S) -> Packed,
) {
    if world.public.ending.is_some() {
        return;
    }
    let (mut first, mut second) = (unpack(Packed::of(world, 0)), unpack(Packed::of(world, 1)));
    let (mut ply, limit) = (world.public.ply, world.public.limit);
    let mut stream = rng.clone();
    // One round of the loop is a move of each side, so that neither has to ask whose turn it is.
    let mut second_begins = ply & 1 == 1;
    let ending = loop {
        if !second_begins {
            if ply >= limit {
                break Ending::Draw;
            }
            ply += 1;
            if let Some(ending) = play_first(&mut first, &mut second, &mut stream) {
                break ending;
            }
        }
        second_begins = false;
        if ply >= limit {
            break Ending::Draw;
        }
        ply += 1;
        if let Some(ending) = play_second(&mut second, &mut first, &mut stream) {
            break ending;
        }
    };
    *rng = stream;
    world.public.ply = ply;
    world.public.ending = Some(ending);
    pack(first).put_back(world, 0);
    pack(second).put_back(world, 1);
}

/// Plays a legal slot: its low three bits are the piece, the next two the direction. How the game ended, if it did.
#[inline(always)]
pub(super) fn play_slot<const SIDE: usize>(
    slot: u64,
    own: &mut Packed,
    enemy: &mut Packed,
) -> Option<Ending> {
    // Modulo 64, which takes the direction out.
    let shift = (8 * slot) & 63;
    let from = own.places >> shift & 63;
    let offset = (u32::from_le_bytes(OFFSETS[SIDE].map(|by| by as u8)) >> (slot & 0x18)) as i8;
    let to = from.wrapping_add_signed(offset.into());
    if to >= 36 {
        own.occupied ^= 1 << from;
        own.places ^= (from ^ u64::from(ESCAPED)) << shift;
        return Some(Ending::Escape(Seat::new(SIDE)));
    }
    let target = 1u64 << to;
    let way = 1 << from | target;
    let is_red = (own.reds >> from & 1).wrapping_neg();
    own.places ^= (from ^ to) << shift;
    own.occupied ^= way;
    own.reds ^= way & is_red;
    if enemy.occupied & target == 0 {
        return None;
    }
    enemy.lose(to);
    ending_of_capture::<SIDE>(enemy.occupied, enemy.reds)
}

/// How a capture by a side ended the game, if it did: what the enemy has left.
#[inline(always)]
pub(super) fn ending_of_capture<const SIDE: usize>(
    occupied: Bitboard,
    reds: Bitboard,
) -> Option<Ending> {
    if reds == occupied {
        Some(Ending::BluesCaptured(Seat::new(SIDE)))
    } else if reds == 0 {
        Some(Ending::RedsCaptured(Seat::new(1 - SIDE)))
    } else {
        None
    }
}
