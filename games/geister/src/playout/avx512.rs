//! Random playouts for processors with the later parts of AVX-512, one at a time: as with AVX2, in fewer instructions.

use super::packed::{self, Packed, ending_of_capture};
use crate::public::Ending;
use crate::square::{Bitboard, CAPTURED, ESCAPED, EXITS, OFFSETS, Square, WAYS};
use crate::world::World;
use oboro_core::{Rng, Seat};
use std::arch::x86_64::{
    __m128i, __m256i, _mm_add_epi8, _mm_cvtsi64_si128, _mm_cvtsi128_si64, _mm_shuffle_epi8,
    _mm_xor_si128, _mm256_andnot_si256, _mm256_castsi128_si256, _mm256_castsi256_si128,
    _mm256_cmpeq_epi8_mask, _mm256_mask_mov_epi8, _mm256_mask_xor_epi64,
    _mm256_multishift_epi64_epi8, _mm256_permutexvar_epi8, _mm256_rolv_epi64, _mm256_set1_epi8,
    _mm256_set1_epi64x, _mm256_setr_epi64x, _mm256_ternarylogic_epi64, _mm256_test_epi64_mask,
    _mm256_xor_si256, _pdep_u64,
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

/// As [`reference::play_out`](super::reference::play_out).
#[target_feature(enable = "avx2,bmi1,bmi2,avx512f,avx512bw,avx512vl,avx512vbmi")]
pub(super) fn play_out(world: &mut World, rng: &mut Rng) {
    packed::play_out(
        world,
        rng,
        |side| Wide::of(side),
        |own, enemy, rng| play::<0>(own, enemy, rng),
        |own, enemy, rng| play::<1>(own, enemy, rng),
        |side| side.packed(),
    );
}

/// One side's pieces, most words four times in a vector: registers of the other kind are too few for two sides and a
/// random stream.
#[derive(Clone, Copy, Debug)]
struct Wide {
    occupied: Bitboard,
    /// The same four times.
    everywhere: __m256i,
    reds: __m256i,
    places: __m256i,
}

impl Wide {
    #[inline]
    #[target_feature(enable = "avx2")]
    fn of(side: Packed) -> Wide {
        Wide {
            occupied: side.occupied,
            everywhere: four(side.occupied),
            reds: four(side.reds),
            places: four(side.places),
        }
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn packed(self) -> Packed {
        Packed { places: word(self.places), occupied: self.occupied, reds: word(self.reds) }
    }

    /// Takes away the piece that stands on a square.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl")]
    fn lose(&mut self, square: u64, bit: Bitboard) {
        let place = _mm256_set1_epi8(square as i8);
        let there = _mm256_cmpeq_epi8_mask(self.places, place);
        self.places = _mm256_mask_mov_epi8(self.places, there, _mm256_set1_epi8(CAPTURED as i8));
        self.occupied ^= bit;
        self.everywhere = _mm256_andnot_si256(four(bit), self.everywhere);
        self.reds = _mm256_andnot_si256(four(bit), self.reds);
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn four(word: u64) -> __m256i {
    _mm256_set1_epi64x(word as i64)
}

/// The first of four words.
#[inline]
#[target_feature(enable = "avx2")]
fn word(four: __m256i) -> u64 {
    _mm_cvtsi128_si64(_mm256_castsi256_si128(four)) as u64
}

/// Plays the first legal one of the slots that are drawn, six at a time: a piece and a direction in five bits.
///
/// What takes longest is the way from one move of a side to its next one, so as little as possible lies on it: which
/// of all 32 slots are legal is known before any is looked up, and where the pieces of the slots stand and where they
/// would go is gathered meanwhile.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,avx512f,avx512bw,avx512vl,avx512vbmi")]
fn play<const SIDE: usize>(own: &mut Wide, enemy: &mut Wide, rng: &mut Rng) -> Option<Ending> {
    // Four words, one for every direction.
    let vector =
        |[north, east, south, west]: [i64; 4]| _mm256_setr_epi64x(north, east, south, west);
    let ways = vector(WAYS[SIDE].map(|from| from as i64));
    let exits = vector([EXITS[SIDE] as i64, 0, 0, 0]);
    // A red stays on its exit: no way leads north from there.
    let ways = _mm256_ternarylogic_epi64::<0x70>(ways, own.reds, exits);
    let back = vector(OFFSETS[SIDE].map(|offset| i64::from(-offset).rem_euclid(64)));
    let free = _mm256_andnot_si256(_mm256_rolv_epi64(own.everywhere, back), ways);
    // A byte for every slot; its lowest bit says whether it is legal. No way leads from where captured pieces are.
    let legal = _mm256_multishift_epi64_epi8(own.places, free);
    let offsets = vector(OFFSETS[SIDE].map(|by| i64::from_ne_bytes([by as u8; 8])));
    let (bits, slots, found) = loop {
        let bits = rng.bits();
        let slots = _mm_cvtsi64_si128(_pdep_u64(bits, 0x1f1f_1f1f_1f1f) as i64);
        let found = _mm256_permutexvar_epi8(_mm256_castsi128_si256(slots), legal);
        let found = word(found) & 0x0101_0101_0101;
        if found != 0 {
            break (bits, slots, found);
        }
    };
    // The low four bits of a slot count here, and the places are there twice.
    let from = _mm_shuffle_epi8(_mm256_castsi256_si128(own.places), slots);
    let offset = _mm256_permutexvar_epi8(_mm256_castsi128_si256(slots), offsets);
    let to = _mm_add_epi8(from, _mm256_castsi256_si128(offset));
    let at = found.trailing_zeros();
    let first = |all: __m128i| _mm_cvtsi128_si64(all) as u64 >> at;
    // Eight times the piece, modulo 64.
    let shift = _pdep_u64(bits, 0xf8f8_f8f8_f8f8) >> at;
    let move_by = |change: u64| four((change & 63) << (shift & 63));
    let to_bit = 1 << (first(to) & 63);
    let from_bit = 1 << (first(from) & 63);
    if to_bit >> Square::COUNT != 0 {
        own.places = _mm256_xor_si256(own.places, move_by(first(from) ^ u64::from(ESCAPED)));
        own.occupied ^= from_bit;
        return Some(Ending::Escape(Seat::new(SIDE)));
    }
    own.places = _mm256_xor_si256(own.places, move_by(first(_mm_xor_si128(from, to))));
    own.occupied ^= from_bit | to_bit;
    let way = four(from_bit | to_bit);
    own.everywhere = _mm256_xor_si256(own.everywhere, way);
    // No own piece is where it goes, so a red on the way is the one that goes.
    let is_red = _mm256_test_epi64_mask(own.reds, way);
    own.reds = _mm256_mask_xor_epi64(own.reds, is_red, own.reds, way);
    if enemy.occupied & to_bit == 0 {
        return None;
    }
    enemy.lose(first(to) & 63, to_bit);
    ending_of_capture::<SIDE>(enemy.occupied, word(enemy.reds))
}
