//! Random playouts for processors with AVX2 and BMI2.

use super::packed::{self, Packed, play_slot};
use crate::playout::processor::scatters_bits;
use crate::square::{EXITS, OFFSETS, WAYS};
use crate::world::World;
use oboro_core::Rng;
use std::arch::x86_64::{
    __m128i, _mm_and_si128, _mm_andnot_si128, _mm_cmpeq_epi8, _mm_cvtsi64_si128, _mm_movemask_epi8,
    _mm_or_si128, _mm_set_epi64x, _mm_set1_epi8, _mm_set1_epi64x, _mm_shuffle_epi8, _mm_sllv_epi64,
    _mm_srli_epi16, _mm_srlv_epi64, _mm_xor_si128, _pdep_u64,
};

/// Whether the processor has what [`play_out`] needs.
pub(super) fn is_supported() -> bool {
    is_x86_feature_detected!("avx2") && scatters_bits()
}

/// As [`reference::play_out`](super::reference::play_out).
#[target_feature(enable = "avx2,bmi1,bmi2")]
pub(super) fn play_out(world: &mut World, rng: &mut Rng) {
    packed::play_out(
        world,
        rng,
        |side| side,
        |own, enemy, rng| play_slot::<0>(draw::<0>(*own, rng), own, enemy),
        |own, enemy, rng| play_slot::<1>(draw::<1>(*own, rng), own, enemy),
        |side| side,
    );
}

/// The first legal one of the slots that are drawn, six at a time: a piece and a direction in five bits.
///
/// The pieces' squares from which each direction is free are two boards in each of two vectors; every slot looks up
/// the byte of its piece's place there, and the bit in that byte.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2")]
fn draw<const SIDE: usize>(own: Packed, rng: &mut Rng) -> u64 {
    let [north, east, south, west] = WAYS[SIDE].map(|from| from as i64);
    let all = _mm_set1_epi64x(own.occupied as i64);
    // A red stays on its exit: north of it is as good as taken.
    let stuck = _mm_cvtsi64_si128((own.reds & EXITS[SIDE]) as i64);
    let taken = _mm_or_si128(behind::<SIDE, 0>(all), stuck);
    let northeast = _mm_andnot_si128(taken, _mm_and_si128(all, _mm_set_epi64x(east, north)));
    let taken = behind::<SIDE, 2>(all);
    let southwest = _mm_andnot_si128(taken, _mm_and_si128(all, _mm_set_epi64x(west, south)));
    let places = _mm_cvtsi64_si128(own.places as i64);
    loop {
        let bits = rng.bits();
        // A byte for every slot: the piece in its low bits, the direction in bits 3 and 7.
        let slots = _mm_cvtsi64_si128(_pdep_u64(bits, 0x8f8f_8f8f_8f8f) as i64);
        let place = _mm_shuffle_epi8(places, _mm_and_si128(slots, _mm_set1_epi8(7)));
        let byte = _mm_and_si128(_mm_srli_epi16::<3>(place), _mm_set1_epi8(7));
        let byte = _mm_or_si128(byte, _mm_and_si128(slots, _mm_set1_epi8(!0x77)));
        // Where bit 7 is set nothing is found.
        let eastern = _mm_shuffle_epi8(northeast, byte);
        let western = _mm_shuffle_epi8(southwest, _mm_xor_si128(byte, _mm_set1_epi8(!0x7f)));
        let bit = _mm_shuffle_epi8(_mm_set1_epi64x(0x8040_2010_0804_0201u64 as i64), place);
        let legal = _mm_and_si128(_mm_or_si128(eastern, western), bit);
        let legal = _mm_movemask_epi8(_mm_cmpeq_epi8(legal, bit)) as u32 & 0x3f;
        if legal != 0 {
            return bits >> (5 * legal.trailing_zeros()) & 31;
        }
    }
}

/// From where a step in a direction, or in the next one, leads onto one of these squares.
#[inline]
#[target_feature(enable = "avx2")]
fn behind<const SIDE: usize, const DIRECTION: usize>(squares: __m128i) -> __m128i {
    // A step that adds to the number of a square is undone by a shift down. A shift by 64 leaves nothing.
    let [up, down] = [true, false].map(|up| {
        let by = |offset: i8| if (offset < 0) == up { offset.unsigned_abs().into() } else { 64 };
        _mm_set_epi64x(by(OFFSETS[SIDE][DIRECTION + 1]), by(OFFSETS[SIDE][DIRECTION]))
    });
    _mm_or_si128(_mm_sllv_epi64(squares, up), _mm_srlv_epi64(squares, down))
}
