//! Random playouts in lanes.
//!
//! Every game draws from its stream what the reference loop would. In a lane in which no drawn slot is legal nothing happens
//! until its side is up again.

use super::{Group, Move, Rounds, Side, play_all};
use crate::square::{ESCAPED, EXITS, OFFSETS, WAYS};
use crate::world::World;
use oboro_core::{GameWorld, Rng};
use oboro_lanes::{Lanes, Task};

/// A single random playout of every world in turn, each with a stream forked for it.
pub(crate) struct PlayOut<'a> {
    pub(crate) worlds: &'a mut [World],
    pub(crate) rng: &'a mut Rng,
}

impl Task for PlayOut<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, zero: L) {
        play_all(zero, self.worlds, self.rng, World::play_out_randomly, RandomRounds);
    }
}

struct RandomRounds;

impl<L: Lanes> Rounds<L> for RandomRounds {
    #[inline(always)]
    fn play(&mut self, first: &mut Group<L>, second: &mut Group<L>) {
        step::<0, L>(first);
        step::<0, L>(second);
        step::<1, L>(first);
        step::<1, L>(second);
    }
}

/// A byte of a word for every slot.
const fn every_byte(byte: u8) -> u64 {
    u64::from_le_bytes([byte; 8])
}

/// A move of one side wherever it is up.
#[inline(always)]
fn step<const SIDE: usize, L: Lanes>(group: &mut Group<L>) {
    let up = group.up::<SIDE>();
    let own = group.sides[SIDE];
    let every = |word| own.places.every(word);
    let slots = slots(group.streams.bits(up));

    // Where their pieces stand, the byte of a board and the bit in it.
    let low = every(every_byte(7));
    let places = own.places.look_up(slots & low);
    let byte = places.down(3) & low;
    let bit = every(0x8040_2010_0804_0201).look_up(places & low);
    let stuck = own.reds & every(EXITS[SIDE]);
    let north = free::<SIDE, L>(&own, 0).without(stuck).look_up(byte);
    let east = free::<SIDE, L>(&own, 1).look_up(byte);
    let south = free::<SIDE, L>(&own, 2).look_up(byte);
    let west = free::<SIDE, L>(&own, 3).look_up(byte);
    // Bits 3 and 4 of a slot are its direction.
    let (odd, late) = (slots.up(4), slots.up(3));
    let there = north.but_bytes(odd, east).but_bytes(late, south.but_bytes(odd, west));

    // The first legal one: below it all bits are clear.
    let found = (there & bit).equal_bytes(bit) & every(0x0000_FFFF_FFFF_FFFF);
    let moves = found.meets(found) & up;
    let first = (found - every(1)).without(found).count_ones();
    let slot = slots.down_each(first) & every(31);
    let shift = slot.up(3) & every(0x38);
    let from = places.down_each(first) & every(63);
    let offsets = u64::from(u32::from_le_bytes(OFFSETS[SIDE].map(|by| by as u8)));
    let to = (from + every(offsets).look_up(slot.down(3))) & every(0xFF);
    let stays = to.is_below(every(36)) & moves;
    let to = every(ESCAPED.into()).but(stays, to);

    let one = every(1);
    let (origin, target) = (one.up_each(from).only(moves), one.up_each(to).only(stays));
    let places = own.places ^ (from ^ to).up_each(shift).only(moves);
    // No place has the number that stands for no square.
    let onto = every(u64::MAX).but(stays, to);
    group.go::<SIDE>(&Move { lanes: moves, stays, places, origin, target, onto });
}

/// The slots of the reference loop: six times five bits, a byte each.
#[inline(always)]
fn slots<L: Lanes>(bits: L) -> L {
    let part = |of: L, mask: u64| of & of.every(mask);
    // Three to the left, three to the right, and each three apart.
    let threes = part(bits, 0x7FFF) | part(bits, 0x7FFF << 15).up(9);
    let both = |mask: u64| mask | mask << 24;
    part(threes, both(0x1F))
        | part(threes, both(0x1F << 5)).up(3)
        | part(threes, both(0x1F << 10)).up(6)
}

/// From which squares the side's pieces may step in a direction.
#[inline(always)]
fn free<const SIDE: usize, L: Lanes>(own: &Side<L>, direction: usize) -> L {
    let back = (-i32::from(OFFSETS[SIDE][direction])).rem_euclid(64) as u32;
    let ways = own.occupied.every(WAYS[SIDE][direction]);
    (own.occupied & ways).without(own.occupied.turned(back))
}
