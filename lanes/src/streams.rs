//! Random numbers of eight games, each from a stream of its own.

use crate::{LANES, Lanes, Mask};
use oboro_core::Rng;

/// Eight random streams. Each gives what [`Rng`] gives from the same state.
#[derive(Clone, Copy, Debug)]
pub struct Streams<L>([L; 4]);

impl<L: Lanes> Streams<L> {
    /// Streams that have not begun.
    #[inline(always)]
    pub fn new(zero: L) -> Streams<L> {
        Streams([zero; 4])
    }

    /// Begins the stream of a lane as [`Rng::fork`] would: what a fork draws is the state of the new stream.
    #[inline]
    pub fn fork(&mut self, lane: usize, from: &mut Rng) {
        for part in &mut self.0 {
            let mut words = part.words();
            words[lane] = from.bits();
            *part = part.of(words);
        }
    }

    /// The stream of a lane by itself.
    #[inline]
    pub fn stream(&self, lane: usize) -> Rng {
        let mut seed = [0; 32];
        for (bytes, part) in seed.chunks_exact_mut(8).zip(self.0) {
            bytes.copy_from_slice(&part.words()[lane].to_le_bytes());
        }
        Rng::from_seed(seed)
    }

    /// 64 random bits from the streams of some lanes (Xoshiro256++); the others stay where they are.
    #[inline(always)]
    pub fn bits(&mut self, lanes: L::Mask) -> L {
        let [a, b, c, d] = self.0;
        let bits = (a + d).turned(23) + a;
        let (c, d) = (c ^ a.only(lanes), d ^ b.only(lanes));
        let (new_b, new_a) = (b ^ c.only(lanes), a ^ d.only(lanes));
        let c = c ^ b.up(17).only(lanes);
        self.0 = [new_a, new_b, c, d.but(lanes, d.turned(45))];
        bits
    }

    /// A uniform number below another, which is from 1 to 2³² − 1, from the streams of some lanes; as [`Rng::below`].
    #[inline(always)]
    pub fn below(&mut self, lanes: L::Mask, counts: L) -> L {
        let bits = self.bits(lanes);
        let (number, doubtful) = scaled(bits, counts);
        if (lanes & doubtful).any() { self.below_again(lanes, counts, bits) } else { number }
    }

    /// The same, from bits that may have to be drawn again: it happens once in 2³² draws or less.
    #[cold]
    #[inline(never)]
    fn below_again(&mut self, lanes: L::Mask, counts: L, mut bits: L) -> L {
        loop {
            let (drawn, wanted) = (bits.words(), counts.words());
            let is_rejected = |lane: &usize| {
                let count = wanted[*lane];
                drawn[*lane].wrapping_mul(count) < count.wrapping_neg() % count
            };
            let asked = (0..LANES).filter(|lane| lanes.bits() >> lane & 1 == 1);
            let again = asked.filter(is_rejected).map(|lane| 1 << lane).sum::<u8>();
            if again == 0 {
                return scaled(bits, counts).0;
            }
            let again = bits.mask(again);
            bits = bits.but(again, self.bits(again));
        }
    }
}

/// The upper half of a product of 64 bits with a number below 2³². Whether the lower half is small, too.
#[inline(always)]
fn scaled<L: Lanes>(bits: L, by: L) -> (L, L::Mask) {
    let sum = bits.down(32).times(by) + bits.times(by).down(32);
    (sum.down(32), !sum.meets(sum.every(u32::MAX.into())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Kind, Task};

    /// Draws below some numbers from eight streams, and then what each gives next.
    struct Draw {
        states: [[u64; 4]; LANES],
        lanes: u8,
        counts: [u64; LANES],
    }

    impl Task for Draw {
        type Output = [[u64; LANES]; 2];

        #[inline(always)]
        fn run<L: Lanes>(self, zero: L) -> [[u64; LANES]; 2] {
            let parts = [0, 1, 2, 3].map(|part| zero.of(self.states.map(|state| state[part])));
            let mut streams = Streams(parts);
            let number = streams.below(zero.mask(self.lanes), zero.of(self.counts));
            [number.words(), streams.bits(zero.mask(!0)).words()]
        }
    }

    #[test]
    fn lanes_draw_what_one_stream_draws_and_reject_what_it_rejects() {
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
            for kind in Kind::supported() {
                let [numbers, next] = kind.run(Draw { states, lanes, counts });
                for lane in 0..LANES {
                    let mut seed = [0; 32];
                    for (bytes, word) in seed.chunks_exact_mut(8).zip(states[lane]) {
                        bytes.copy_from_slice(&word.to_le_bytes());
                    }
                    let mut stream = Rng::from_seed(seed);
                    let mut once = stream.clone();
                    once.bits();
                    if lanes >> lane & 1 == 1 {
                        assert_eq!(numbers[lane], stream.below(counts[lane] as usize) as u64);
                        rejected += u32::from(stream != once);
                    }
                    assert_eq!(next[lane], stream.bits(), "{kind:?}: lane {lane} of {lanes:b}");
                }
            }
        }
        assert!(rejected > 1000, "{rejected} are drawn again");
    }
}
