//! Many playouts together, eight games a vector, for processors with the later parts of AVX-512.
//!
//! Every game has a stream of its own and draws from it what it would draw alone.

pub(crate) mod random;

use super::packed::Packed;
use crate::public::Ending;
use crate::square::{CAPTURED, ESCAPED};
use crate::world::World;
use oboro_core::{Rng, Seat};
use std::arch::x86_64::{
    __m512i, __mmask8, _mm_cvtsi128_si64, _mm512_add_epi64, _mm512_andnot_si512,
    _mm512_castsi512_si128, _mm512_cmpeq_epi8_mask, _mm512_cmpeq_epi64_mask, _mm512_mask_mov_epi8,
    _mm512_mask_rol_epi64, _mm512_mask_set1_epi64, _mm512_mask_sub_epi64, _mm512_mask_xor_epi64,
    _mm512_or_si512, _mm512_permutexvar_epi64, _mm512_rol_epi64, _mm512_set1_epi8,
    _mm512_set1_epi64, _mm512_setr_epi64, _mm512_setzero_si512, _mm512_shuffle_epi8,
    _mm512_slli_epi64, _mm512_test_epi64_mask, _mm512_testn_epi64_mask, _mm512_xor_si512,
};

/// How many games go on more quickly one after the other than together; measured, about the same for random games and
/// for those of policies.
const FEW: u32 = 6;

/// How many games a vector holds.
pub(crate) const LANES: usize = 8;

/// Whether the processor has what [`play_all`] and its rounds need.
pub(crate) fn is_supported() -> bool {
    is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512bitalg")
        && is_x86_feature_detected!("avx512vbmi")
        && is_x86_feature_detected!("avx512vpopcntdq")
}

/// Plays every world to its end, each with a stream forked for it, in order: in lanes by rounds, in which each side may
/// move once, or alone where a world is not placed yet or over. The last few are played to their end alone, too:
/// a round takes as long for them as for all.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512bitalg,avx512vbmi,avx512vpopcntdq")]
pub(crate) fn play_all(
    worlds: &mut [World],
    rng: &mut Rng,
    alone: impl FnMut(&mut World, &mut Rng),
    mut round: impl FnMut(&mut Group, &mut Group),
) {
    let mut queue = Queue { worlds, next: 0, rng, alone };
    // Two groups: while one waits for its results, the other goes on.
    let (mut first, mut first_games) = (Group::empty(), [None; LANES]);
    let (mut second, mut second_games) = (Group::empty(), [None; LANES]);
    refill(&mut first, &mut first_games, &mut queue);
    refill(&mut second, &mut second_games, &mut queue);
    while first.playing.count_ones() + second.playing.count_ones() > FEW {
        let before = [first.playing, second.playing];
        round(&mut first, &mut second);
        if first.playing != before[0] {
            refill(&mut first, &mut first_games, &mut queue);
        }
        if second.playing != before[1] {
            refill(&mut second, &mut second_games, &mut queue);
        }
    }
    finish(&first, first_games, &mut queue);
    finish(&second, second_games, &mut queue);
}

/// The worlds that wait to be played, and how those are that no lane takes.
struct Queue<'a, F> {
    worlds: &'a mut [World],
    next: usize,
    rng: &'a mut Rng,
    alone: F,
}

impl<F: FnMut(&mut World, &mut Rng)> Queue<'_, F> {
    /// The next world for a lane, by number, and the state of its stream. Streams are forked in order of the worlds.
    fn next(&mut self) -> Option<(usize, [u64; 4])> {
        while let Some(world) = self.worlds.get_mut(self.next) {
            self.next += 1;
            let board = &world.public;
            if board.placed == 2 && board.ending.is_none() && board.ply < board.limit {
                // What a fork draws is the state of the new stream.
                return Some((self.next - 1, [(); 4].map(|()| self.rng.bits())));
            }
            (self.alone)(world, &mut self.rng.fork());
        }
        None
    }
}

/// The pieces of one side in eight games; see [`Packed`].
#[derive(Clone, Copy)]
pub(crate) struct Side {
    pub(crate) places: __m512i,
    pub(crate) occupied: __m512i,
    pub(crate) reds: __m512i,
}

/// Eight games.
#[derive(Clone, Copy)]
pub(crate) struct Group {
    pub(crate) stream: [__m512i; 4],
    pub(crate) sides: [Side; 2],
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

    /// The games in which a side is up.
    #[inline]
    pub(crate) fn up<const SIDE: usize>(&self) -> __mmask8 {
        self.playing & if SIDE == 0 { !self.turns } else { self.turns }
    }

    /// Makes a move of a side in some games.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    pub(crate) fn go<const SIDE: usize>(&mut self, step: &Move) {
        let Move { lanes, stays, places, origin, target, onto } = *step;
        let own = &mut self.sides[SIDE];
        let way = _mm512_or_si512(origin, target);
        let red = _mm512_test_epi64_mask(own.reds, origin);
        own.places = places;
        own.occupied = _mm512_xor_si512(own.occupied, way);
        own.reds = _mm512_mask_xor_epi64(own.reds, red, own.reds, way);

        // Whoever stands there is captured.
        let enemy = &mut self.sides[1 - SIDE];
        let captured = _mm512_cmpeq_epi8_mask(enemy.places, low_bytes(onto));
        let gone = _mm512_set1_epi8(CAPTURED as i8);
        enemy.places = _mm512_mask_mov_epi8(enemy.places, captured, gone);
        enemy.occupied = _mm512_andnot_si512(target, enemy.occupied);
        enemy.reds = _mm512_andnot_si512(target, enemy.reds);

        self.left = _mm512_mask_sub_epi64(self.left, lanes, self.left, every_lane(1));
        self.turns ^= lanes;
        self.playing &= !(lanes & !stays
            | _mm512_testn_epi64_mask(enemy.reds, enemy.reds)
            | _mm512_cmpeq_epi64_mask(enemy.reds, enemy.occupied)
            | _mm512_testn_epi64_mask(self.left, self.left));
    }

    /// Writes the position of a lane's game into its world, and how it ended if it is over.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn store(&self, lane: usize, world: &mut World) {
        let get = |vector: __m512i| word(vector, lane);
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
        world.public.ending = (self.playing >> lane & 1 == 0).then_some(ending);
    }

    /// The stream of a lane's game.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn stream(&self, lane: usize) -> Rng {
        let mut seed = [0; 32];
        for (bytes, &part) in seed.chunks_exact_mut(8).zip(&self.stream) {
            bytes.copy_from_slice(&word(part, lane).to_le_bytes());
        }
        Rng::from_seed(seed)
    }
}

/// A move in some of eight games.
#[derive(Clone, Copy)]
pub(crate) struct Move {
    pub(crate) lanes: __mmask8,
    /// Those in which the piece stays on the board.
    pub(crate) stays: __mmask8,
    /// Where the mover's pieces are after it.
    pub(crate) places: __m512i,
    /// The square it starts from as a bit, and where it leads; none for a piece that leaves.
    pub(crate) origin: __m512i,
    pub(crate) target: __m512i,
    /// The number of the square it leads to; elsewhere one that no piece has.
    pub(crate) onto: __m512i,
}

/// Writes down the games that are over, and begins others in their place.
#[inline(never)]
#[target_feature(enable = "avx512f")]
fn refill(
    group: &mut Group,
    games: &mut [Option<usize>; LANES],
    queue: &mut Queue<impl FnMut(&mut World, &mut Rng)>,
) {
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
}

/// Plays the games that still go on to their end, one after the other.
#[inline(never)]
#[target_feature(enable = "avx512f")]
fn finish(
    group: &Group,
    games: [Option<usize>; LANES],
    queue: &mut Queue<impl FnMut(&mut World, &mut Rng)>,
) {
    for (lane, game) in games.into_iter().enumerate() {
        if let Some(number) = game {
            let world = &mut queue.worlds[number];
            group.store(lane, world);
            (queue.alone)(world, &mut group.stream(lane));
        }
    }
}

/// 64 random bits from the streams of some lanes (Xoshiro256++, as [`Rng`] has it).
#[inline]
#[target_feature(enable = "avx512f")]
pub(crate) fn draw(stream: &mut [__m512i; 4], lanes: __mmask8) -> __m512i {
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

#[inline]
#[target_feature(enable = "avx512f")]
pub(crate) fn every_lane(value: u64) -> __m512i {
    _mm512_set1_epi64(value as i64)
}

/// What a lane holds.
#[inline]
#[target_feature(enable = "avx512f")]
pub(crate) fn word(vector: __m512i, lane: usize) -> u64 {
    let first = _mm512_permutexvar_epi64(every_lane(lane as u64), vector);
    _mm_cvtsi128_si64(_mm512_castsi512_si128(first)) as u64
}

/// The lowest byte of each lane, eight times.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
pub(crate) fn low_bytes(vector: __m512i) -> __m512i {
    let (even, odd) = (0, 0x0808_0808_0808_0808);
    let first = _mm512_setr_epi64(even, odd, even, odd, even, odd, even, odd);
    _mm512_shuffle_epi8(vector, first)
}
