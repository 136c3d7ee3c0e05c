//! Many random playouts together, eight games a vector, for processors with the later parts of AVX-512.
//!
//! Every game has a stream of its own and draws from it what the plain loop would. In a lane in which no drawn slot is
//! legal nothing happens until its side is up again.

use super::packed::Packed;
use crate::public::Ending;
use crate::square::{CAPTURED, ESCAPED, EXITS, OFFSETS, WAYS};
use crate::world::World;
use oboro_core::{GameWorld, Rng, Seat};
use std::arch::x86_64::{
    __m512i, __mmask8, _mm_cvtsi128_si64, _mm512_add_epi64, _mm512_and_si512, _mm512_andnot_si512,
    _mm512_castsi512_si128, _mm512_cmpeq_epi8_mask, _mm512_cmpeq_epi64_mask,
    _mm512_mask_bitshuffle_epi64_mask, _mm512_mask_cmplt_epu64_mask, _mm512_mask_mov_epi8,
    _mm512_mask_mov_epi64, _mm512_mask_rol_epi64, _mm512_mask_set1_epi64, _mm512_mask_sub_epi64,
    _mm512_mask_test_epi64_mask, _mm512_mask_xor_epi64, _mm512_maskz_sllv_epi64, _mm512_movm_epi8,
    _mm512_multishift_epi64_epi8, _mm512_or_si512, _mm512_permutexvar_epi64, _mm512_popcnt_epi64,
    _mm512_rol_epi64, _mm512_rolv_epi64, _mm512_set1_epi8, _mm512_set1_epi64, _mm512_setr_epi64,
    _mm512_setzero_si512, _mm512_shuffle_epi8, _mm512_slli_epi64, _mm512_sllv_epi64,
    _mm512_srli_epi64, _mm512_srlv_epi64, _mm512_test_epi8_mask, _mm512_test_epi64_mask,
    _mm512_testn_epi64_mask, _mm512_xor_si512,
};

/// How many games a vector holds.
const LANES: usize = 8;

/// Whether the processor has what [`play_out_all`] needs.
pub(super) fn is_supported() -> bool {
    is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512bitalg")
        && is_x86_feature_detected!("avx512vbmi")
        && is_x86_feature_detected!("avx512vpopcntdq")
}

/// As a single playout for every world in turn, each with a stream forked for it.
#[target_feature(enable = "avx512f,avx512bw,avx512bitalg,avx512vbmi,avx512vpopcntdq")]
pub(super) fn play_out_all(worlds: &mut [World], rng: &mut Rng) {
    let mut queue = Queue { worlds, next: 0, rng };
    // Two groups: while one waits for its results, the other goes on.
    let (mut first, mut first_games) = (Group::empty(), [None; LANES]);
    let (mut second, mut second_games) = (Group::empty(), [None; LANES]);
    first = refill(first, &mut first_games, &mut queue);
    second = refill(second, &mut second_games, &mut queue);
    while first.playing | second.playing != 0 {
        let before = [first.playing, second.playing];
        first = step::<0>(first);
        second = step::<0>(second);
        first = step::<1>(first);
        second = step::<1>(second);
        if first.playing != before[0] {
            first = refill(first, &mut first_games, &mut queue);
        }
        if second.playing != before[1] {
            second = refill(second, &mut second_games, &mut queue);
        }
    }
}

/// The worlds that wait to be played.
struct Queue<'a> {
    worlds: &'a mut [World],
    next: usize,
    rng: &'a mut Rng,
}

impl Queue<'_> {
    /// The next world for a lane, by number, and the state of its stream. Streams are forked in order of the worlds.
    fn next(&mut self) -> Option<(usize, [u64; 4])> {
        while let Some(world) = self.worlds.get_mut(self.next) {
            self.next += 1;
            let board = &world.public;
            if board.placed == 2 && board.ending.is_none() && board.ply < board.limit {
                // What a fork draws is the state of the new stream.
                return Some((self.next - 1, [(); 4].map(|()| self.rng.bits())));
            }
            world.play_out_randomly(&mut self.rng.fork());
        }
        None
    }
}

/// The pieces of one side in eight games; see [`Packed`].
#[derive(Clone, Copy)]
struct Side {
    places: __m512i,
    occupied: __m512i,
    reds: __m512i,
}

/// Eight games.
#[derive(Clone, Copy)]
struct Group {
    stream: [__m512i; 4],
    sides: [Side; 2],
    /// Plies until the limit.
    left: __m512i,
    /// The games that go on.
    playing: __mmask8,
    /// Those in which the second side is up.
    turns: __mmask8,
}

impl Group {
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn empty() -> Group {
        let none = _mm512_setzero_si512();
        let side = Side { places: none, occupied: none, reds: none };
        Group { stream: [none; 4], sides: [side; 2], left: none, playing: 0, turns: 0 }
    }

    /// Puts a game into a lane.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn load(&mut self, lane: usize, world: &World, state: [u64; 4]) {
        let here = 1 << lane;
        let set = |vector: &mut __m512i, value: u64| {
            *vector = _mm512_mask_set1_epi64(*vector, here, value as i64);
        };
        for (vector, word) in self.stream.iter_mut().zip(state) {
            set(vector, word);
        }
        for (side, vectors) in self.sides.iter_mut().enumerate() {
            let Packed { places, occupied, reds } = Packed::of(world, side);
            set(&mut vectors.places, places);
            set(&mut vectors.occupied, occupied);
            set(&mut vectors.reds, reds);
        }
        set(&mut self.left, (world.public.limit - world.public.ply).into());
        self.playing |= here;
        self.turns = self.turns & !here | (world.public.ply as u8 & 1) << lane;
    }

    /// Writes the end of a lane's game into its world.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn store(&self, lane: usize, world: &mut World) {
        let lane = _mm512_set1_epi64(lane as i64);
        let get = |vector: __m512i| {
            _mm_cvtsi128_si64(_mm512_castsi512_si128(_mm512_permutexvar_epi64(lane, vector))) as u64
        };
        let mut ending = Ending::Draw;
        for (side, vectors) in self.sides.iter().enumerate() {
            let (own, enemy) = (Seat::new(side), Seat::new(1 - side));
            let places = get(vectors.places);
            let (occupied, reds) = (get(vectors.occupied), get(vectors.reds));
            if places.to_le_bytes().contains(&ESCAPED) {
                ending = Ending::Escape(own);
            } else if reds == occupied {
                ending = Ending::BluesCaptured(enemy);
            } else if reds == 0 {
                ending = Ending::RedsCaptured(own);
            }
            Packed { places, occupied, reds }.put_back(world, side);
        }
        world.public.ply = world.public.limit - get(self.left) as u16;
        world.public.ending = Some(ending);
    }
}

/// Writes down the games that are over, and begins others in their place.
#[inline(never)]
#[target_feature(enable = "avx512f")]
fn refill(mut group: Group, games: &mut [Option<usize>; LANES], queue: &mut Queue) -> Group {
    for (lane, game) in games.iter_mut().enumerate() {
        if group.playing >> lane & 1 == 1 {
            continue;
        }
        if let Some(number) = *game {
            group.store(lane, &mut queue.worlds[number]);
        }
        *game = queue.next().map(|(number, state)| {
            group.load(lane, &queue.worlds[number], state);
            number
        });
    }
    group
}

/// A move of one side wherever it is up.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512bitalg,avx512vbmi,avx512vpopcntdq")]
fn step<const SIDE: usize>(mut group: Group) -> Group {
    let up = group.playing & if SIDE == 0 { !group.turns } else { group.turns };
    let mut own = group.sides[SIDE];
    let mut enemy = group.sides[1 - SIDE];
    let bits = draw(&mut group.stream, up);

    // The slots of the plain loop, a byte each, and where their pieces stand.
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
    let way = _mm512_or_si512(origin, target);
    let red = _mm512_test_epi64_mask(own.reds, origin);
    let change = _mm512_sllv_epi64(_mm512_xor_si512(from, to), shift);
    own.places = _mm512_mask_xor_epi64(own.places, moves, own.places, change);
    own.occupied = _mm512_xor_si512(own.occupied, way);
    own.reds = _mm512_mask_xor_epi64(own.reds, red, own.reds, way);

    // Whoever stands there is captured. No place has the number that stands for no square.
    let onto = _mm512_mask_mov_epi64(every_lane(u64::MAX), stays, to);
    let low_bytes = _mm512_shuffle_epi8(onto, low_byte_of_each());
    let captured = _mm512_cmpeq_epi8_mask(enemy.places, low_bytes);
    let gone = _mm512_set1_epi8(CAPTURED as i8);
    enemy.places = _mm512_mask_mov_epi8(enemy.places, captured, gone);
    enemy.occupied = _mm512_andnot_si512(target, enemy.occupied);
    enemy.reds = _mm512_andnot_si512(target, enemy.reds);

    group.left = _mm512_mask_sub_epi64(group.left, moves, group.left, one);
    group.sides[SIDE] = own;
    group.sides[1 - SIDE] = enemy;
    group.turns ^= moves;
    group.playing &= !(moves & !stays
        | _mm512_testn_epi64_mask(enemy.reds, enemy.reds)
        | _mm512_cmpeq_epi64_mask(enemy.reds, enemy.occupied)
        | _mm512_testn_epi64_mask(group.left, group.left));
    group
}

/// 64 random bits from the streams of some lanes (Xoshiro256++, as [`Rng`] has it).
#[inline]
#[target_feature(enable = "avx512f")]
fn draw(stream: &mut [__m512i; 4], lanes: __mmask8) -> __m512i {
    let [mut a, mut b, mut c, mut d] = *stream;
    let xor = |to: __m512i, by| _mm512_mask_xor_epi64(to, lanes, to, by);
    let bits = _mm512_add_epi64(_mm512_rol_epi64::<23>(_mm512_add_epi64(a, d)), a);
    let shifted = _mm512_slli_epi64::<17>(b);
    c = xor(c, a);
    d = xor(d, b);
    b = xor(b, c);
    a = xor(a, d);
    c = xor(c, shifted);
    d = _mm512_mask_rol_epi64::<45>(d, lanes, d);
    *stream = [a, b, c, d];
    bits
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

#[inline]
#[target_feature(enable = "avx512f")]
fn every_lane(value: u64) -> __m512i {
    _mm512_set1_epi64(value as i64)
}

/// The lowest byte of each lane, eight times.
#[inline]
#[target_feature(enable = "avx512f")]
fn low_byte_of_each() -> __m512i {
    let (even, odd) = (0, 0x0808_0808_0808_0808);
    _mm512_setr_epi64(even, odd, even, odd, even, odd, even, odd)
}
