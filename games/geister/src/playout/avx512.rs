//! Random playouts for processors with the later parts of AVX-512, one at a time: as with AVX2, in fewer instructions.

use super::packed::{self, Packed};
use crate::square::{EXITS, OFFSETS, WAYS};
use crate::world::World;
use oboro_core::Rng;
use std::arch::x86_64::{
    _mm_and_si128, _mm_cvtsi64_si128, _mm_mask_test_epi8_mask, _mm_multishift_epi64_epi8,
    _mm_set1_epi8, _mm_set1_epi64x, _mm_shuffle_epi8, _mm_srli_epi16, _mm_ternarylogic_epi64,
    _mm256_and_si256, _mm256_andnot_si256, _mm256_castsi128_si256, _mm256_castsi256_si128,
    _mm256_or_si256, _mm256_permutexvar_epi8, _mm256_rolv_epi64, _mm256_set1_epi64x,
    _mm256_setr_epi64x, _mm256_zextsi128_si256,
};

/// Whether the processor has what [`play_out`] needs.
pub(super) fn is_supported() -> bool {
    is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512vl")
        && is_x86_feature_detected!("avx512vbmi")
}

/// As [`plain::play_out`](super::plain::play_out).
#[target_feature(enable = "avx2,bmi1,bmi2,avx512f,avx512bw,avx512vl,avx512vbmi")]
pub(super) fn play_out(world: &mut World, rng: &mut Rng) {
    packed::play_out(world, rng, |own, rng| draw::<0>(own, rng), |own, rng| draw::<1>(own, rng));
}

/// The first legal one of the slots that are drawn, six at a time: a piece and a direction in five bits.
///
/// The pieces' squares from which each direction is free are four boards of a vector; every slot looks up the byte of
/// its piece's place there, and the bit in that byte.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,avx512f,avx512bw,avx512vl,avx512vbmi")]
fn draw<const SIDE: usize>(own: Packed, rng: &mut Rng) -> u64 {
    // Four words, one for every direction.
    let vector =
        |[north, east, south, west]: [i64; 4]| _mm256_setr_epi64x(north, east, south, west);
    let all = _mm256_set1_epi64x(own.occupied as i64);
    let back = vector(OFFSETS[SIDE].map(|offset| i64::from(-offset).rem_euclid(64)));
    // A red stays on its exit: north of it is as good as taken.
    let stuck = _mm_cvtsi64_si128((own.reds & EXITS[SIDE]) as i64);
    let taken = _mm256_or_si256(_mm256_rolv_epi64(all, back), _mm256_zextsi128_si256(stuck));
    let ways = vector(WAYS[SIDE].map(|from| from as i64));
    let free = _mm256_andnot_si256(taken, _mm256_and_si256(all, ways));
    let places = _mm_cvtsi64_si128(own.places as i64);
    loop {
        let bits = rng.bits();
        // A byte for every slot; its high bits are those of the next.
        let five_each = _mm_cvtsi64_si128(0x1914_0f0a_0500);
        let slots = _mm_multishift_epi64_epi8(five_each, _mm_cvtsi64_si128(bits as i64));
        let place = _mm_shuffle_epi8(places, _mm_and_si128(slots, _mm_set1_epi8(7)));
        // The direction from the slot, all else from the place: five bits of it count.
        let byte =
            _mm_ternarylogic_epi64::<0xca>(_mm_set1_epi8(0x18), slots, _mm_srli_epi16::<3>(place));
        let byte = _mm256_permutexvar_epi8(_mm256_castsi128_si256(byte), free);
        let bit = _mm_shuffle_epi8(_mm_set1_epi64x(0x8040_2010_0804_0201u64 as i64), place);
        let legal = _mm_mask_test_epi8_mask(0x3f, _mm256_castsi256_si128(byte), bit);
        if legal != 0 {
            return bits >> (5 * legal.trailing_zeros()) & 31;
        }
    }
}
