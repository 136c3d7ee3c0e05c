//! Random playouts in lanes.
//!
//! Every game draws from its stream what the reference loop would. In a lane in which no drawn slot is legal nothing happens
//! until its side is up again.

use super::{Group, Move, Side, draw, every_lane, play_all};
use crate::square::{ESCAPED, EXITS, OFFSETS, WAYS};
use crate::world::World;
use oboro_core::{GameWorld, Rng};
use std::arch::x86_64::{
    __m512i, _mm512_add_epi64, _mm512_and_si512, _mm512_andnot_si512,
    _mm512_mask_bitshuffle_epi64_mask, _mm512_mask_cmplt_epu64_mask, _mm512_mask_mov_epi64,
    _mm512_mask_test_epi64_mask, _mm512_mask_xor_epi64, _mm512_maskz_sllv_epi64, _mm512_movm_epi8,
    _mm512_multishift_epi64_epi8, _mm512_permutexvar_epi64, _mm512_popcnt_epi64, _mm512_rolv_epi64,
    _mm512_set1_epi8, _mm512_setr_epi64, _mm512_slli_epi64, _mm512_sllv_epi64, _mm512_srli_epi64,
    _mm512_srlv_epi64, _mm512_test_epi8_mask, _mm512_xor_si512,
};

/// As a single playout for every world in turn, each with a stream forked for it.
#[target_feature(enable = "avx512f,avx512bw,avx512bitalg,avx512vbmi,avx512vpopcntdq")]
pub(crate) fn play_out_all(worlds: &mut [World], rng: &mut Rng) {
    play_all(worlds, rng, World::play_out_randomly, |first, second| {
        step::<0>(first);
        step::<0>(second);
        step::<1>(first);
        step::<1>(second);
    });
}

/// A move of one side wherever it is up.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512bitalg,avx512vbmi,avx512vpopcntdq")]
fn step<const SIDE: usize>(group: &mut Group) {
    let up = group.up::<SIDE>();
    let own = group.sides[SIDE];
    let bits = draw(&mut group.stream, up);

    // The slots of the reference loop, a byte each, and where their pieces stand.
    let slots = _mm512_multishift_epi64_epi8(every_lane(0x0000_1914_0f0a_0500), bits);
    let pieces = _mm512_and_si512(_mm512_slli_epi64::<3>(slots), _mm512_set1_epi8(0x38));
    let places = _mm512_multishift_epi64_epi8(pieces, own.places);
    let [odd, late] = [8, 16].map(|bit| _mm512_test_epi8_mask(slots, _mm512_set1_epi8(bit)));
    let legal = |asked, free| _mm512_mask_bitshuffle_epi64_mask(asked, free, places);
    let free = |direction| free::<SIDE>(&own, direction);
    let stuck = _mm512_and_si512(own.reds, every_lane(EXITS[SIDE]));
    let legal = legal(!odd & !late, _mm512_andnot_si512(stuck, free(0)))
        | legal(odd & !late, free(1))
        | legal(!odd & late, free(2))
        | legal(odd & late, free(3));

    // The first legal one: below it all bits are clear.
    let found = _mm512_movm_epi8(legal & 0x3f3f_3f3f_3f3f_3f3f);
    let moves = _mm512_mask_test_epi64_mask(up, found, found);
    let below = _mm512_andnot_si512(found, _mm512_add_epi64(found, every_lane(u64::MAX)));
    let first = _mm512_popcnt_epi64(below);
    let direction = _mm512_srli_epi64::<3>(_mm512_srlv_epi64(slots, first));
    let shift = _mm512_and_si512(_mm512_srlv_epi64(pieces, first), every_lane(0x38));
    let from = _mm512_and_si512(_mm512_srlv_epi64(places, first), every_lane(0x3f));
    let [north, east, south, west] = OFFSETS[SIDE].map(i64::from);
    let offsets = _mm512_setr_epi64(north, east, south, west, north, east, south, west);
    let to = _mm512_add_epi64(from, _mm512_permutexvar_epi64(direction, offsets));
    let stays = _mm512_mask_cmplt_epu64_mask(moves, to, every_lane(36));
    let to = _mm512_mask_mov_epi64(every_lane(ESCAPED.into()), stays, to);

    let one = every_lane(1);
    let (origin, target) =
        (_mm512_maskz_sllv_epi64(moves, one, from), _mm512_maskz_sllv_epi64(stays, one, to));
    let change = _mm512_sllv_epi64(_mm512_xor_si512(from, to), shift);
    let places = _mm512_mask_xor_epi64(own.places, moves, own.places, change);
    // No place has the number that stands for no square.
    let onto = _mm512_mask_mov_epi64(every_lane(u64::MAX), stays, to);
    group.go::<SIDE>(&Move { lanes: moves, stays, places, origin, target, onto });
}

/// From which squares the side's pieces may step in a direction.
#[inline]
#[target_feature(enable = "avx512f")]
fn free<const SIDE: usize>(own: &Side, direction: usize) -> __m512i {
    let back = (-i64::from(OFFSETS[SIDE][direction])) as u64 % 64;
    let taken = _mm512_rolv_epi64(own.occupied, every_lane(back));
    let ways = every_lane(WAYS[SIDE][direction]);
    _mm512_andnot_si512(taken, _mm512_and_si512(own.occupied, ways))
}
