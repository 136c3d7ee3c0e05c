//! Many random playouts of four players together, eight games a vector, for processors with the later parts of AVX-512.
//!
//! Every game has a stream of its own and draws from it what a playout alone would. A round at a time is played in all of
//! them; in lanes in which a seat is out, nothing happens at its turn.

use crate::log::{PASSED, RETIRED};
use crate::{Cards, GapRule, Public, World};
use oboro_core::Rng;
use std::arch::x86_64::{
    __m512i, __mmask8, _mm_cvtsi128_si64, _mm512_add_epi64, _mm512_and_si512, _mm512_andnot_si512,
    _mm512_castsi512_si128, _mm512_cmpeq_epi64_mask, _mm512_cmpge_epu64_mask,
    _mm512_mask_add_epi64, _mm512_mask_and_epi64, _mm512_mask_cmpeq_epi64_mask,
    _mm512_mask_cmplt_epu64_mask, _mm512_mask_mov_epi64, _mm512_mask_rol_epi64,
    _mm512_mask_set1_epi64, _mm512_mask_sub_epi64, _mm512_mask_test_epi64_mask,
    _mm512_mask_xor_epi64, _mm512_maskz_and_epi64, _mm512_maskz_mov_epi64, _mm512_mul_epu32,
    _mm512_or_si512, _mm512_permutexvar_epi64, _mm512_popcnt_epi64, _mm512_rol_epi64,
    _mm512_set1_epi64, _mm512_setzero_si512, _mm512_slli_epi64, _mm512_sllv_epi64,
    _mm512_srli_epi64, _mm512_srlv_epi64, _mm512_sub_epi64, _mm512_test_epi64_mask,
    _mm512_testn_epi64_mask,
};

/// The number of games of a vector.
const LANES: usize = 8;

/// The players of a game.
const SEATS: usize = 4;

/// More rounds than a game has: 48 cards and eight passes a seat, two seats at least a round.
const ROUNDS: usize = 64;

/// Whether the processor has what [`play_out_all`] needs.
pub(super) fn is_supported() -> bool {
    is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512vpopcntdq")
}

/// Whether a world can be played here: four players and the default rule for gaps.
pub(super) fn can_play(world: &World) -> bool {
    world.public.gaps == GapRule::Bridge && usize::from(world.public.players) == SEATS
}

/// Plays all worlds to their end as [`Random`](crate::agents::Random) does, or, with `PASSES`, by any legal action: then
/// a pass is one more thing to draw while passes are left. Every world has a stream forked for it, in order.
#[target_feature(enable = "avx512f,avx512vpopcntdq")]
pub(super) fn play_out_all<const PASSES: bool>(worlds: &mut [World], rng: &mut Rng) {
    let mut queue = Queue { worlds, next: 0, rng };
    // Two groups: while one waits for its results, the other goes on.
    let (mut first, mut first_notes) = (Group::empty(), Notes::empty());
    let (mut second, mut second_notes) = (Group::empty(), Notes::empty());
    loop {
        refill(&mut first, &mut first_notes, &mut queue);
        refill(&mut second, &mut second_notes, &mut queue);
        if first.going | second.going == 0 {
            return;
        }
        turn::<0, PASSES>(&mut first);
        turn::<0, PASSES>(&mut second);
        turn::<1, PASSES>(&mut first);
        turn::<1, PASSES>(&mut second);
        turn::<2, PASSES>(&mut first);
        turn::<2, PASSES>(&mut second);
        turn::<3, PASSES>(&mut first);
        turn::<3, PASSES>(&mut second);
        first_notes.add(first.log);
        second_notes.add(second.log);
    }
}

/// The worlds that wait to be played.
struct Queue<'a> {
    worlds: &'a mut [World],
    next: usize,
    rng: &'a mut Rng,
}

impl Queue<'_> {
    /// The next world that is not over, by number, and the state of its stream.
    fn next(&mut self) -> Option<(usize, [u64; 4])> {
        while let Some(world) = self.worlds.get(self.next) {
            self.next += 1;
            // What a fork draws is the state of the new stream.
            let state = [(); 4].map(|()| self.rng.bits());
            if world.public.to_act().is_some() {
                return Some((self.next - 1, state));
            }
        }
        None
    }
}

/// Eight games. Seats are counted from the one that was up first; small numbers of seats have a byte each in one word.
#[derive(Clone, Copy)]
struct Group {
    stream: [__m512i; 4],
    /// The hands; empty for seats that are out.
    hands: [__m512i; SEATS],
    table: __m512i,
    /// The passes left to each seat.
    passes: __m512i,
    /// The ranks of the seats that are out.
    ranks: __m512i,
    /// The seats' numbers in their world.
    names: __m512i,
    finished: __m512i,
    /// The worst rank that is free.
    worst: __m512i,
    /// The log bytes of the round, one a seat; 0 for nothing.
    log: __m512i,
    /// The games that go on.
    going: __mmask8,
}

impl Group {
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn empty() -> Group {
        let none = _mm512_setzero_si512();
        Group {
            stream: [none; 4],
            hands: [none; SEATS],
            table: none,
            passes: none,
            ranks: none,
            names: none,
            finished: none,
            worst: none,
            log: none,
            going: 0,
        }
    }

    /// Puts a world that is not over into a lane.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn load(&mut self, lane: usize, world: &World, state: [u64; 4]) {
        let here = 1 << lane;
        let set = |vector: &mut __m512i, value: u64| {
            *vector = _mm512_mask_set1_epi64(*vector, here, value as i64);
        };
        let public = &world.public;
        let names = [0, 1, 2, 3].map(|seat| (public.turn + seat) % SEATS as u8);
        let bytes = |of: [u8; SEATS]| u64::from(u32::from_le_bytes(of));
        for (vector, word) in self.stream.iter_mut().zip(state) {
            set(vector, word);
        }
        for (vector, name) in self.hands.iter_mut().zip(names) {
            set(vector, world.hands[usize::from(name)].0);
        }
        set(&mut self.table, public.table.0);
        set(&mut self.passes, bytes(names.map(|name| public.passes[usize::from(name)])));
        set(&mut self.ranks, bytes(names.map(|name| public.ranks[usize::from(name)])));
        set(&mut self.names, bytes(names));
        set(&mut self.finished, public.finished.into());
        set(&mut self.worst, (public.players - public.retired - 1).into());
        self.going |= here;
    }

    /// Writes the end of a lane's game into its world.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn store(&self, lane: usize, world: &mut World) {
        let public = &mut world.public;
        let get = |vector| get(vector, lane);
        let [names, passes, ranks] = [self.names, self.passes, self.ranks].map(get);
        for (seat, &hand) in self.hands.iter().enumerate() {
            let byte = |word: u64| (word >> (8 * seat)) as u8;
            let name = usize::from(byte(names)) % SEATS;
            let left = Cards(get(hand));
            // The one that has cards left takes the rank that is left.
            let is_last = !left.is_empty();
            public.ranks[name] = if is_last { get(self.finished) as u8 } else { byte(ranks) };
            public.passes[name] = byte(passes);
            public.laid[name] = public.laid[name].or(world.hands[name].without(left));
            world.hands[name] = left;
        }
        public.table = Cards(get(self.table));
        (public.finished, public.retired) = (public.players, 0);
        public.turn = Public::NOBODY;
    }
}

/// The parts of eight games that playing does not need.
struct Notes {
    /// The log bytes of the latest rounds.
    logs: [__m512i; ROUNDS],
    /// The number of the round that comes.
    round: usize,
    /// The number of each lane's world, and of the round with which it began.
    games: [Option<(usize, usize)>; LANES],
}

impl Notes {
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn empty() -> Notes {
        Notes { logs: [_mm512_setzero_si512(); ROUNDS], round: 0, games: [None; LANES] }
    }

    #[inline]
    fn add(&mut self, log: __m512i) {
        self.logs[self.round % ROUNDS] = log;
        self.round += 1;
    }
}

/// Writes down the games that are over, and begins others in their place.
#[inline(never)]
#[target_feature(enable = "avx512f")]
fn refill(group: &mut Group, notes: &mut Notes, queue: &mut Queue) {
    for lane in 0..LANES {
        if group.going >> lane & 1 == 1 {
            continue;
        }
        if let Some((number, since)) = notes.games[lane] {
            let world = &mut queue.worlds[number];
            group.store(lane, world);
            for round in since..notes.round {
                world.public.log.append(get(notes.logs[round % ROUNDS], lane) as u32);
            }
        }
        notes.games[lane] = queue.next().map(|(number, state)| {
            group.load(lane, &queue.worlds[number], state);
            (number, notes.round)
        });
    }
}

/// The turn of a seat in all games that have it in play.
#[inline]
#[target_feature(enable = "avx512f,avx512vpopcntdq")]
fn turn<const SEAT: usize, const PASSES: bool>(group: &mut Group) {
    let one = every_lane(1);
    let hand = group.hands[SEAT];
    let is_up = _mm512_mask_test_epi64_mask(group.going, hand, hand);
    let may_pass = _mm512_test_epi64_mask(group.passes, every_lane(0xFF << (8 * SEAT)));
    let playable = _mm512_maskz_and_epi64(is_up, outwards(group.table), hand);

    let mut choices = _mm512_popcnt_epi64(playable);
    if PASSES {
        let passes = is_up & (may_pass | _mm512_testn_epi64_mask(playable, playable));
        choices = _mm512_mask_add_epi64(choices, passes, choices, one);
    }
    let choice = below(&mut group.stream, choices);
    let mut cards = playable;
    let mut skipped = one;
    let mut skip = |lanes: __mmask8| {
        cards = _mm512_mask_and_epi64(cards, lanes, cards, _mm512_sub_epi64(cards, one));
        skipped = _mm512_add_epi64(skipped, one);
        _mm512_cmpge_epu64_mask(choice, skipped)
    };
    // As often as nearly all need it, then as often as any does: the processor would have to guess how often.
    let mut more = skip(_mm512_test_epi64_mask(choice, choice));
    for _ in 0..3 {
        more = skip(more);
    }
    while more != 0 {
        more = skip(more);
    }

    let card = _mm512_and_si512(cards, _mm512_sub_epi64(_mm512_setzero_si512(), cards));
    let lays = _mm512_test_epi64_mask(card, card);
    let passes = is_up & !lays & may_pass;
    let retires = is_up & !lays & !may_pass;
    let laid = _mm512_mask_mov_epi64(card, retires, hand);
    let is_out = _mm512_mask_cmpeq_epi64_mask(is_up, laid, hand);
    group.hands[SEAT] = _mm512_andnot_si512(laid, hand);
    group.table = _mm512_or_si512(group.table, laid);
    let byte = every_lane(8 * SEAT as u64);
    let one_pass = every_lane(1 << (8 * SEAT));
    group.passes = _mm512_mask_sub_epi64(group.passes, passes, group.passes, one_pass);
    let rank = _mm512_mask_mov_epi64(group.finished, retires, group.worst);
    // As yet all its bits are set.
    let rank = _mm512_or_si512(_mm512_sllv_epi64(rank, byte), every_lane(!(0xFF << (8 * SEAT))));
    group.ranks = _mm512_mask_and_epi64(group.ranks, is_out, group.ranks, rank);
    group.worst = _mm512_mask_sub_epi64(group.worst, retires, group.worst, one);
    let finishes = is_out & !retires;
    group.finished = _mm512_mask_add_epi64(group.finished, finishes, group.finished, one);
    group.going &= !_mm512_cmpeq_epi64_mask(group.finished, group.worst);

    // The number of a card is that of the bits below its own.
    let number = _mm512_popcnt_epi64(_mm512_sub_epi64(card, one));
    let name = _mm512_and_si512(_mm512_srlv_epi64(group.names, byte), every_lane(0xFF));
    let passed = _mm512_add_epi64(name, every_lane(PASSED.into()));
    let retired = _mm512_add_epi64(name, every_lane(RETIRED.into()));
    let entry = _mm512_mask_mov_epi64(number, passes, passed);
    let entry = _mm512_mask_mov_epi64(entry, retires, retired);
    let entry = _mm512_maskz_mov_epi64(is_up, _mm512_sllv_epi64(entry, byte));
    group.log = if SEAT == 0 { entry } else { _mm512_or_si512(group.log, entry) };
}

/// As [`GapRule`] has it.
#[inline]
#[target_feature(enable = "avx512f")]
fn outwards(table: __m512i) -> __m512i {
    let up = _mm512_and_si512(_mm512_slli_epi64::<1>(table), every_lane(Cards::HIGH.0));
    let down = _mm512_and_si512(_mm512_srli_epi64::<1>(table), every_lane(Cards::LOW.0));
    _mm512_or_si512(up, down)
}

/// As [`Rng::below`] in all lanes in which the number is not 0; the others draw nothing and get 0.
#[inline]
#[target_feature(enable = "avx512f")]
fn below(stream: &mut [__m512i; 4], n: __m512i) -> __m512i {
    let draws = _mm512_test_epi64_mask(n, n);
    let (choice, rest) = multiply(draw(stream, draws), n);
    let unsure = _mm512_mask_cmplt_epu64_mask(draws, rest, n);
    if unsure == 0 { choice } else { below_again(stream, n, choice, rest, unsure) }
}

/// Draws again where a draw would favour some numbers, until none does.
#[cold]
#[target_feature(enable = "avx512f")]
fn below_again(
    stream: &mut [__m512i; 4],
    n: __m512i,
    mut choice: __m512i,
    mut rest: __m512i,
    mut unsure: __mmask8,
) -> __m512i {
    loop {
        let rejected = (0..LANES).filter(|&lane| {
            let (n, rest) = (get(n, lane), get(rest, lane));
            unsure >> lane & 1 == 1 && rest < n.wrapping_neg() % n
        });
        unsure = rejected.fold(0, |lanes, lane| lanes | 1 << lane);
        if unsure == 0 {
            return choice;
        }
        let again = multiply(draw(stream, unsure), n);
        choice = _mm512_mask_mov_epi64(choice, unsure, again.0);
        rest = again.1;
    }
}

/// The upper and the lower halves of products with small numbers.
#[inline]
#[target_feature(enable = "avx512f")]
fn multiply(bits: __m512i, n: __m512i) -> (__m512i, __m512i) {
    let high = _mm512_mul_epu32(_mm512_srli_epi64::<32>(bits), n);
    let low = _mm512_mul_epu32(bits, n);
    let upper = _mm512_srli_epi64::<32>(_mm512_add_epi64(high, _mm512_srli_epi64::<32>(low)));
    (upper, _mm512_add_epi64(_mm512_slli_epi64::<32>(high), low))
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

#[inline]
#[target_feature(enable = "avx512f")]
fn every_lane(value: u64) -> __m512i {
    _mm512_set1_epi64(value as i64)
}

/// The number in a lane.
#[inline]
#[target_feature(enable = "avx512f")]
fn get(vector: __m512i, lane: usize) -> u64 {
    let first = _mm512_permutexvar_epi64(_mm512_set1_epi64(lane as i64), vector);
    _mm_cvtsi128_si64(_mm512_castsi512_si128(first)) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Four draws of eight streams below these numbers.
    #[target_feature(enable = "avx512f")]
    fn draws(states: [[u64; 4]; LANES], numbers: [u64; LANES]) -> [[u64; LANES]; 4] {
        let vector = |of: &dyn Fn(usize) -> u64| {
            (0..LANES).fold(_mm512_setzero_si512(), |vector, lane| {
                _mm512_mask_set1_epi64(vector, 1 << lane, of(lane) as i64)
            })
        };
        let mut stream = [0, 1, 2, 3].map(|word: usize| vector(&|lane| states[lane][word]));
        let numbers = vector(&|lane| numbers[lane]);
        [(); 4].map(|()| {
            let drawn = below(&mut stream, numbers);
            [0, 1, 2, 3, 4, 5, 6, 7].map(|lane| get(drawn, lane))
        })
    }

    #[test]
    fn biased_draws_are_drawn_again() {
        if !is_supported() {
            return oboro_testkit::say_not_run(&[("draws in lanes of AVX-512", false)]);
        }
        let mut rng = Rng::from_u64(5);
        // Of the first and the last word the first draw is made: where both are 0, so is it, and some numbers reject that.
        let mut states = [[0; 4]; LANES].map(|_| [0, rng.bits(), rng.bits(), 0]);
        states[5] = [(); 4].map(|()| rng.bits());
        let numbers = [3, 4, 5, 0, 7, 7, 1, 24];
        // SAFETY: the processor has what the function is compiled for.
        #[allow(unsafe_code, reason = "it cannot be called otherwise")]
        let drawn = unsafe { draws(states, numbers) };
        for lane in 0..LANES {
            let mut seed = [0; 32];
            for (bytes, word) in seed.chunks_exact_mut(8).zip(states[lane]) {
                bytes.copy_from_slice(&word.to_le_bytes());
            }
            let mut reference = Rng::from_seed(seed);
            let rejects = reference.clone().bits() == 0 && ![1, 4].contains(&numbers[lane]);
            assert_eq!(rejects, lane != 5 && lane != 1 && lane != 6, "lane {lane}");
            for drawn in drawn {
                let n = numbers[lane] as usize;
                let expected = if n == 0 { 0 } else { reference.below(n) };
                assert_eq!(drawn[lane], expected as u64, "lane {lane}");
            }
        }
    }
}
