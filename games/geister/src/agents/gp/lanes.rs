//! Playouts of policies, many together: see [`lanes`](crate::playout::lanes).

mod plan;

use super::field::{EAST, FARTHEST, LEFT_HALF, NORTH, RINGS, SOUTH, WEST};
use crate::bitboard::{ALL, LEFT, RIGHT};
use crate::playout::lanes::{Group, LANES, Move, draw, every_lane, low_bytes, play_all, word};
use crate::square::{Bitboard, ESCAPED, EXITS, OFFSETS, WAYS};
use crate::world::World;
use oboro_core::Rng;
use plan::{
    BLUE_NEAR_GOAL, BOARDS, CERTAINLY, COUNTS, DISTANCES, ENEMY, FREE, KEEPER, NEAREST,
    NEXT_TO_BLUE, NEXT_TO_RED, NUMBERS, OWN, PURSUED, RED_NEAR_GOAL, SAFE, WORDS, Ways,
};
use std::arch::x86_64::{
    __m512i, __mmask8, _mm512_add_epi64, _mm512_and_si512, _mm512_andnot_si512,
    _mm512_cmpeq_epi8_mask, _mm512_cmpge_epu64_mask, _mm512_cmpgt_epu64_mask,
    _mm512_mask_and_epi64, _mm512_mask_cmpge_epu64_mask, _mm512_mask_cmplt_epu64_mask,
    _mm512_mask_mov_epi8, _mm512_mask_mov_epi64, _mm512_mask_or_epi64, _mm512_mask_set1_epi64,
    _mm512_mask_sub_epi64, _mm512_maskz_and_epi64, _mm512_maskz_andnot_epi64,
    _mm512_maskz_mov_epi64, _mm512_mul_epu32, _mm512_or_si512, _mm512_popcnt_epi64,
    _mm512_rolv_epi64, _mm512_rorv_epi64, _mm512_setzero_si512, _mm512_slli_epi64,
    _mm512_srli_epi64, _mm512_test_epi64_mask, _mm512_testn_epi64_mask,
};

pub(crate) use plan::Plan;

/// Plays every world to its end by the plans of both sides, each with a stream forked for it; `alone` plays those that
/// are not placed yet.
#[target_feature(enable = "avx512f,avx512bw,avx512bitalg,avx512vbmi,avx512vpopcntdq")]
pub(super) fn play_out_all(
    [first, second]: &[Plan; 2],
    worlds: &mut [World],
    rng: &mut Rng,
    alone: impl FnMut(&mut World, &mut Rng),
) {
    let mut words = [0; WORDS];
    let mut scenes = [Scene::empty(), Scene::empty()];
    play_all(worlds, rng, alone, |one, other| {
        step::<0>([one, other], first, &mut scenes, &mut words);
        step::<1>([one, other], second, &mut scenes, &mut words);
    });
}

/// What a plan looks at in eight games; the places are those that the plan gives them.
struct Scene {
    boards: [__m512i; BOARDS],
    numbers: [__m512i; NUMBERS],
}

/// For each side the nearer half of the distances from its exits, the nearer half of each half, and so on.
static NEARER: [[Bitboard; 3]; 2] = {
    let mut nearer = [[0; 3]; 2];
    let mut at = 0;
    while at < 2 * 3 * (FARTHEST + 1) {
        let (side, half, distance) = (at / 24, at / 8 % 3, at % 8);
        if distance >> (2 - half) & 1 == 0 {
            nearer[side][half] |= RINGS[side][distance];
        }
        at += 1;
    }
    nearer
};

impl Scene {
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn empty() -> Scene {
        let none = _mm512_setzero_si512();
        Scene { boards: [none; BOARDS], numbers: [none; NUMBERS] }
    }

    /// Takes in the position of each game; what is true of it, a word for each of what is given to a plan.
    #[inline]
    #[target_feature(enable = "avx512f,avx512vpopcntdq")]
    fn look<const SIDE: usize>(&mut self, group: &Group, plan: &Plan) -> [(u8, __mmask8); 5] {
        let [mut own, mut enemy] = [[_mm512_setzero_si512(); 3]; 2];
        for (side, boards) in [(SIDE, &mut own), (1 - SIDE, &mut enemy)] {
            let pieces = group.sides[side];
            *boards =
                [pieces.occupied, _mm512_andnot_si512(pieces.reds, pieces.occupied), pieces.reds];
        }
        let free = _mm512_andnot_si512(own[0], every_lane(ALL));
        self.boards[usize::from(OWN)..][..3].copy_from_slice(&own);
        self.boards[usize::from(ENEMY)..][..3].copy_from_slice(&enemy);
        self.boards[usize::from(FREE)] = free;
        for (place, board) in [own[1], own[2], enemy[1], enemy[2]].into_iter().enumerate() {
            self.numbers[usize::from(COUNTS) + place] = _mm512_popcnt_epi64(board);
        }
        for &one in &plan.nearest {
            let (which, enemys) = if one < 3 { (one, 0) } else { (one - 3, 1) };
            let mut pieces = self.boards[usize::from(OWN + which) % BOARDS];
            let mut distance = every_lane(FARTHEST as u64);
            for (half, steps) in NEARER[SIDE ^ enemys].into_iter().zip([4, 2, 1]) {
                let there = _mm512_test_epi64_mask(pieces, every_lane(half));
                pieces = _mm512_mask_and_epi64(pieces, there, pieces, every_lane(half));
                distance = _mm512_mask_sub_epi64(distance, there, distance, every_lane(steps));
            }
            self.boards[usize::from(NEAREST + one) % BOARDS] = pieces;
            self.numbers[usize::from(DISTANCES + one) % NUMBERS] = distance;
        }
        if plan.pursues {
            let [blue, red] = [around(enemy[1]), around(enemy[2])];
            let any = _mm512_or_si512(blue, red);
            let pursued = [any, blue, red].map(|near| _mm512_and_si512(own[0], near));
            self.boards[usize::from(PURSUED)..][..3].copy_from_slice(&pursued);
            self.boards[usize::from(SAFE)] =
                _mm512_andnot_si512(_mm512_or_si512(any, enemy[0]), free);
        }
        let near = around(own[0]);
        let corners = every_lane(plan.corners[SIDE]);
        [
            (KEEPER, _mm512_test_epi64_mask(own[0], corners)),
            (NEXT_TO_BLUE, _mm512_test_epi64_mask(near, enemy[1])),
            (NEXT_TO_RED, _mm512_test_epi64_mask(near, enemy[2])),
            (BLUE_NEAR_GOAL, _mm512_test_epi64_mask(corners, enemy[1])),
            (RED_NEAR_GOAL, _mm512_test_epi64_mask(corners, enemy[2])),
        ]
    }
}

/// What the plan of a side wants in eight games.
#[derive(Clone, Copy)]
struct Wanted {
    movers: __m512i,
    onto: __m512i,
    /// The games in which pieces may go each way; see [`Ways`].
    ways: u64,
    threshold: __m512i,
}

/// A move of one side wherever it is up, in two groups: what is true in them is kept in one word.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512bitalg,avx512vbmi,avx512vpopcntdq")]
fn step<const SIDE: usize>(
    [first, second]: [&mut Group; 2],
    plan: &Plan,
    scenes: &mut [Scene; 2],
    words: &mut [u16; WORDS],
) {
    let [one, other] = scenes;
    let given = one.look::<SIDE>(first, plan).into_iter().zip(other.look::<SIDE>(second, plan));
    for ((place, low), (_, high)) in given {
        words[usize::from(place) % WORDS] = together([low, high]);
    }
    for asked in &plan.comparisons {
        let holds = |scene: &Scene| {
            let [left, right] =
                [asked.left, asked.right].map(|place| scene.numbers[usize::from(place) % NUMBERS]);
            let pair = _mm512_add_epi64(_mm512_slli_epi64::<3>(left), right);
            let pairs = _mm512_rorv_epi64(every_lane(asked.pairs), pair);
            _mm512_test_epi64_mask(pairs, every_lane(1))
        };
        words[usize::from(asked.word) % WORDS] = together([holds(one), holds(other)]);
    }
    for gate in &plan.gates {
        let [left, right] = gate.both.map(|one| words[usize::from(one.word) % WORDS] ^ one.flip);
        words[usize::from(gate.word) % WORDS] = left & right;
    }
    let usual = &plan.usual;
    let [mut one_wants, mut other_wants] = [&*one, &*other].map(|scene| Wanted {
        movers: scene.boards[usize::from(usual.movers) % BOARDS],
        onto: scene.boards[usize::from(usual.onto) % BOARDS],
        ways: 0,
        threshold: every_lane(usual.threshold),
    });
    let mut rest = u16::MAX;
    for (literal, choice) in &plan.others {
        let chosen = words[usize::from(literal.word) % WORDS] ^ literal.flip;
        rest &= !chosen;
        let [low, high] = apart(chosen);
        let choose = |scene: &Scene, wants: &mut Wanted, here: __mmask8| {
            let [movers, onto] =
                [choice.movers, choice.onto].map(|place| scene.boards[usize::from(place) % BOARDS]);
            wants.movers = _mm512_mask_mov_epi64(wants.movers, here, movers);
            wants.onto = _mm512_mask_mov_epi64(wants.onto, here, onto);
            wants.ways |= u64::from(here) * choice.ways.0;
            wants.threshold =
                _mm512_mask_set1_epi64(wants.threshold, here, choice.threshold as i64);
        };
        choose(one, &mut one_wants, low);
        choose(other, &mut other_wants, high);
    }
    let [low, high] = apart(rest);
    one_wants.ways |= u64::from(low) * usual.ways.0;
    other_wants.ways |= u64::from(high) * usual.ways.0;
    play::<SIDE>(first, one_wants, plan.dices);
    play::<SIDE>(second, other_wants, plan.dices);
}

/// The word of both groups.
#[inline]
fn together([first, second]: [__mmask8; 2]) -> u16 {
    u16::from(first) | u16::from(second) << 8
}

/// The part of each group.
#[inline]
fn apart(word: u16) -> [__mmask8; 2] {
    [word as u8, (word >> 8) as u8]
}

/// Draws one of the wanted moves in each game in which the side is up, and makes it.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vpopcntdq")]
fn play<const SIDE: usize>(group: &mut Group, wanted: Wanted, dices: bool) {
    let up = group.up::<SIDE>();
    let own = group.sides[SIDE];
    let blues = _mm512_andnot_si512(own.reds, own.occupied);
    let mut targets =
        targets::<SIDE>(wanted.movers, wanted.onto, blues, |way| (wanted.ways >> (8 * way)) as u8);
    let free = _mm512_andnot_si512(own.occupied, every_lane(ALL));
    let any = self::targets::<SIDE>(own.occupied, free, blues, |_| !0);
    let all = targets.into_iter().reduce(|all, one| _mm512_or_si512(all, one));
    let all = all.expect("four directions");
    let mut freely = _mm512_testn_epi64_mask(all, all);
    if dices {
        let certain = every_lane(CERTAINLY);
        let asked = _mm512_mask_cmplt_epu64_mask(up & !freely, wanted.threshold, certain);
        let drawn = _mm512_srli_epi64::<11>(draw(&mut group.stream, asked));
        freely |= _mm512_mask_cmpge_epu64_mask(asked, drawn, wanted.threshold);
    }
    for (target, any) in targets.iter_mut().zip(any) {
        *target = _mm512_mask_mov_epi64(*target, freely, any);
    }

    // Which of them, counted through the four directions.
    let counts = targets.map(|board| _mm512_popcnt_epi64(board));
    let mut end = counts[0];
    let ends: [_; 3] = std::array::from_fn(|past| {
        let before = end;
        end = _mm512_add_epi64(end, counts[past + 1]);
        before
    });
    let mut number = below(&mut group.stream, up, end);
    let back = OFFSETS[SIDE].map(|offset| every_lane(i64::from(-offset) as u64 % 64));
    let (mut board, mut turn, drawn) = (targets[0], back[0], number);
    for direction in 1..4 {
        let past = _mm512_cmpge_epu64_mask(drawn, ends[direction - 1]);
        board = _mm512_mask_mov_epi64(board, past, targets[direction]);
        turn = _mm512_mask_mov_epi64(turn, past, back[direction]);
        number = _mm512_mask_sub_epi64(number, past, drawn, ends[direction - 1]);
    }
    // No direction has more than eight: seven before it at most.
    for before in 0..7 {
        let more = _mm512_cmpgt_epu64_mask(number, every_lane(before));
        let rest = _mm512_add_epi64(board, every_lane(u64::MAX));
        board = _mm512_mask_and_epi64(board, more, board, rest);
    }
    let beyond = _mm512_add_epi64(board, every_lane(u64::MAX));
    let bit = _mm512_maskz_andnot_epi64(up, beyond, board);
    let origin = _mm512_rolv_epi64(bit, turn);
    let target = _mm512_and_si512(bit, every_lane(ALL));
    // 64 where there is no square.
    let square = |bit| _mm512_popcnt_epi64(_mm512_add_epi64(bit, every_lane(u64::MAX)));
    let (from, onto) = (square(origin), square(target));
    let stays = _mm512_test_epi64_mask(target, target);
    let to = _mm512_mask_mov_epi64(every_lane(ESCAPED.into()), stays, onto);
    let moved = _mm512_cmpeq_epi8_mask(own.places, low_bytes(from));
    let places = _mm512_mask_mov_epi8(own.places, moved, low_bytes(to));
    group.go::<SIDE>(&Move { lanes: up, stays, places, origin, target, onto });
}

/// The squares reached by a step in each direction, for pieces that may go the ways of some games. Pieces that leave the
/// board come to where the rotation of a step leads, beyond it.
#[inline]
#[target_feature(enable = "avx512f")]
fn targets<const SIDE: usize>(
    movers: __m512i,
    onto: __m512i,
    blues: __m512i,
    ways: impl Fn(usize) -> __mmask8,
) -> [__m512i; 4] {
    let step = |from, direction: usize| {
        let by = i64::from(OFFSETS[SIDE][direction]) as u64 % 64;
        _mm512_rolv_epi64(from, every_lane(by))
    };
    let aside = |direction: usize, left, right| {
        let way = WAYS[SIDE][direction];
        let [left_half, right_half] =
            [LEFT_HALF[SIDE], !LEFT_HALF[SIDE]].map(|half| every_lane(half & way));
        let from = _mm512_maskz_mov_epi64(ways(left), left_half);
        let from = _mm512_mask_or_epi64(from, ways(right), from, right_half);
        _mm512_and_si512(step(_mm512_and_si512(movers, from), direction), onto)
    };
    let north = _mm512_maskz_and_epi64(ways(Ways::NORTH), step(movers, NORTH), onto);
    let leavers = _mm512_and_si512(blues, every_lane(EXITS[SIDE]));
    let leavers = _mm512_maskz_and_epi64(ways(Ways::OUT), leavers, movers);
    [
        _mm512_or_si512(north, step(leavers, NORTH)),
        aside(EAST, Ways::LEFT_EAST, Ways::RIGHT_EAST),
        _mm512_maskz_and_epi64(ways(Ways::SOUTH), step(movers, SOUTH), onto),
        aside(WEST, Ways::LEFT_WEST, Ways::RIGHT_WEST),
    ]
}

/// The squares next to those of a board, and perhaps some beyond the board.
#[inline]
#[target_feature(enable = "avx512f")]
fn around(board: __m512i) -> __m512i {
    let across = _mm512_or_si512(_mm512_slli_epi64::<6>(board), _mm512_srli_epi64::<6>(board));
    let east = _mm512_slli_epi64::<1>(_mm512_andnot_si512(every_lane(RIGHT), board));
    let west = _mm512_srli_epi64::<1>(_mm512_andnot_si512(every_lane(LEFT), board));
    _mm512_or_si512(across, _mm512_or_si512(east, west))
}

/// A uniform number below another, which is at most 32, from the streams of some lanes; as [`Rng::below`].
#[inline]
#[target_feature(enable = "avx512f")]
fn below(stream: &mut [__m512i; 4], lanes: __mmask8, counts: __m512i) -> __m512i {
    let bits = draw(stream, lanes);
    let (number, doubtful) = scaled(bits, counts);
    if lanes & doubtful == 0 { number } else { below_again(stream, lanes, counts, bits) }
}

/// The upper half of a product of 64 bits with a number below 2³². Whether the lower half is small, too.
#[inline]
#[target_feature(enable = "avx512f")]
fn scaled(bits: __m512i, by: __m512i) -> (__m512i, __mmask8) {
    let low = _mm512_mul_epu32(bits, by);
    let high = _mm512_mul_epu32(_mm512_srli_epi64::<32>(bits), by);
    let sum = _mm512_add_epi64(high, _mm512_srli_epi64::<32>(low));
    (_mm512_srli_epi64::<32>(sum), _mm512_testn_epi64_mask(sum, every_lane(u32::MAX.into())))
}

/// As [`below`], from bits that may have to be drawn again: it happens once in 2³² draws or less.
#[cold]
#[inline(never)]
#[target_feature(enable = "avx512f")]
fn below_again(
    stream: &mut [__m512i; 4],
    lanes: __mmask8,
    counts: __m512i,
    mut bits: __m512i,
) -> __m512i {
    let rejected = |bits| {
        let is_rejected = |lane: &usize| {
            let (bits, count) = (word(bits, *lane), word(counts, *lane));
            bits.wrapping_mul(count) < count.wrapping_neg() % count
        };
        let lanes = (0..LANES).filter(|lane| lanes >> lane & 1 == 1);
        lanes.filter(is_rejected).map(|lane| 1 << lane).sum::<__mmask8>()
    };
    loop {
        let again = rejected(bits);
        if again == 0 {
            return scaled(bits, counts).0;
        }
        bits = _mm512_mask_mov_epi64(bits, again, draw(stream, again));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::playout::lanes::is_supported;
    use oboro_testkit::say_not_run;
    use std::arch::x86_64::_mm512_setr_epi64;

    /// Draws from eight streams, and then what each gives next.
    #[target_feature(enable = "avx512f")]
    fn draw_below(
        states: [[u64; 4]; LANES],
        lanes: __mmask8,
        counts: [u64; LANES],
    ) -> [[u64; 2]; LANES] {
        let vector = |words: [u64; LANES]| {
            let [a, b, c, d, e, f, g, h] = words.map(|word| word as i64);
            _mm512_setr_epi64(a, b, c, d, e, f, g, h)
        };
        let mut stream = [0, 1, 2, 3].map(|part| vector(states.map(|state| state[part])));
        let number = below(&mut stream, lanes, vector(counts));
        let next = draw(&mut stream, !0);
        std::array::from_fn(|lane| [word(number, lane), word(next, lane)])
    }

    #[test]
    fn lanes_draw_what_one_stream_draws_and_reject_what_it_rejects() {
        if !is_supported() {
            return say_not_run(&[("draws in lanes of AVX-512", false)]);
        }
        let mut rng = Rng::from_u64(8);
        let mut rejected = 0;
        for round in 0..4000u64 {
            let counts = [(); LANES].map(|()| 1 + rng.below(32) as u64);
            let states: [[u64; 4]; LANES] = std::array::from_fn(|lane| {
                let mut state = [(); 4].map(|()| rng.bits());
                // A state whose next bits are these: nothing, or a product with the count that just is 2⁶⁴ or not.
                let (count, few) = (u128::from(counts[lane]), u128::from(round % 3));
                let part = (rng.below(counts[lane] as usize) as u128) << 64;
                let bits = (part.div_ceil(count) + few) as u64;
                if rng.chance(0.7) {
                    (state[0], state[3]) = (0, bits.rotate_right(23));
                }
                state
            });
            let lanes = rng.bits() as u8;
            // SAFETY: the processor has what the function is compiled for.
            #[allow(unsafe_code, reason = "it is what is tested")]
            let drawn = unsafe { draw_below(states, lanes, counts) };
            for (lane, [number, next]) in drawn.into_iter().enumerate() {
                let mut seed = [0; 32];
                for (bytes, word) in seed.chunks_exact_mut(8).zip(states[lane]) {
                    bytes.copy_from_slice(&word.to_le_bytes());
                }
                let mut stream = Rng::from_seed(seed);
                let mut once = stream.clone();
                once.bits();
                if lanes >> lane & 1 == 1 {
                    assert_eq!(number, stream.below(counts[lane] as usize) as u64);
                    rejected += u32::from(stream != once);
                }
                assert_eq!(next, stream.bits(), "lane {lane} of {lanes:b}");
            }
        }
        assert!(rejected > 1000, "{rejected} are drawn again");
    }
}
