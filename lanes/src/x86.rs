//! Lanes in the vectors of x86-64.
//!
//! A value of these types exists only where [`run_with_avx2`] or [`run_with_avx512`] was called, for which the processor must
//! have the instructions: so all that is made from one may use them.
#![allow(unsafe_code, reason = "eight games together take a third of the time")]

use crate::{LANES, Lanes, Mask, Task};
use std::arch::x86_64::{
    __m256i, __m512i, __mmask8, _mm_cvtsi32_si128, _mm256_add_epi8, _mm256_add_epi64,
    _mm256_and_si256, _mm256_andnot_si256, _mm256_blendv_epi8, _mm256_castsi256_pd,
    _mm256_cmpeq_epi8, _mm256_cmpeq_epi64, _mm256_cmpgt_epi64, _mm256_movemask_pd,
    _mm256_mul_epu32, _mm256_or_si256, _mm256_sad_epu8, _mm256_set1_epi64x, _mm256_setzero_si256,
    _mm256_shuffle_epi8, _mm256_sll_epi64, _mm256_sllv_epi64, _mm256_srl_epi64, _mm256_srlv_epi64,
    _mm256_sub_epi64, _mm256_xor_si256, _mm512_add_epi8, _mm512_add_epi64, _mm512_and_si512,
    _mm512_andnot_si512, _mm512_cmpeq_epi8_mask, _mm512_cmpeq_epi64_mask, _mm512_cmplt_epu64_mask,
    _mm512_mask_blend_epi8, _mm512_mask_blend_epi64, _mm512_maskz_mov_epi64, _mm512_movepi8_mask,
    _mm512_movm_epi8, _mm512_mul_epu32, _mm512_or_si512, _mm512_sad_epu8, _mm512_set1_epi64,
    _mm512_setzero_si512, _mm512_shuffle_epi8, _mm512_sll_epi64, _mm512_sllv_epi64,
    _mm512_srl_epi64, _mm512_srlv_epi64, _mm512_sub_epi64, _mm512_test_epi64_mask,
    _mm512_xor_si512,
};
use std::mem::transmute;
use std::ops::{Add, BitAnd, BitOr, BitXor, Not, Sub};

/// Runs a task compiled for AVX2.
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
pub(crate) fn run_with_avx2<T: Task>(task: T) -> T::Output {
    task.run(Avx2([_mm256_setzero_si256(); 2]))
}

/// Runs a task compiled for AVX-512.
#[target_feature(enable = "avx512f,avx512bw,avx2,bmi1,bmi2,popcnt")]
pub(crate) fn run_with_avx512<T: Task>(task: T) -> T::Output {
    task.run(Avx512(_mm512_setzero_si512()))
}

/// Four lanes in each of two vectors.
#[derive(Clone, Copy)]
struct Avx2([__m256i; 2]);

/// All bits of some lanes.
#[derive(Clone, Copy)]
struct Avx2Mask([__m256i; 2]);

#[derive(Clone, Copy)]
struct Avx512(__m512i);

#[derive(Clone, Copy)]
struct Avx512Mask(__mmask8);

/// What an instruction makes of one or two values; of AVX2's of each half of them.
macro_rules! by {
    (Avx2, $instruction:expr, $one:expr) => {{
        let [a, b] = $one;
        // SAFETY: the processor has the instructions of a value that exists.
        unsafe { [$instruction(a), $instruction(b)] }
    }};
    (Avx2, $instruction:expr, $one:expr, $other:expr) => {{
        let ([a, b], [c, d]) = ($one, $other);
        // SAFETY: the processor has the instructions of a value that exists.
        unsafe { [$instruction(a, c), $instruction(b, d)] }
    }};
    (Avx512, $instruction:expr, $($value:expr),*) => {
        // SAFETY: the processor has the instructions of a value that exists.
        unsafe { $instruction($($value),*) }
    };
}

macro_rules! operators {
    ($kind:ident $type:ident: $($operator:ident $name:ident $instruction:expr;)*) => {$(
        impl $operator for $type {
            type Output = $type;

            #[inline(always)]
            fn $name(self, other: $type) -> $type {
                $type(by!($kind, $instruction, self.0, other.0))
            }
        }
    )*};
}

operators! { Avx2 Avx2:
    BitAnd bitand _mm256_and_si256;
    BitOr bitor _mm256_or_si256;
    BitXor bitxor _mm256_xor_si256;
    Add add _mm256_add_epi64;
    Sub sub _mm256_sub_epi64;
}

operators! { Avx2 Avx2Mask:
    BitAnd bitand _mm256_and_si256;
    BitOr bitor _mm256_or_si256;
}

operators! { Avx512 Avx512:
    BitAnd bitand _mm512_and_si512;
    BitOr bitor _mm512_or_si512;
    BitXor bitxor _mm512_xor_si512;
    Add add _mm512_add_epi64;
    Sub sub _mm512_sub_epi64;
}

/// The number of bits of each half byte.
const BITS_OF_HALF: [u64; 2] = [0x0302_0201_0201_0100, 0x0403_0302_0302_0201];
/// Where the bytes of each of two lanes begin that are looked up together.
const LANE_OF_TWO: [u64; 2] = [0, 0x0808_0808_0808_0808];

impl Avx2 {
    /// Two words over and over.
    #[inline(always)]
    fn two(self, [even, odd]: [u64; 2]) -> Avx2 {
        self.of([even, odd, even, odd, even, odd, even, odd])
    }

    #[inline(always)]
    fn shuffled(self, at: Avx2) -> Avx2 {
        Avx2(by!(Avx2, _mm256_shuffle_epi8, self.0, at.0))
    }
}

impl Lanes for Avx2 {
    type Mask = Avx2Mask;

    #[inline(always)]
    fn every(self, word: u64) -> Avx2 {
        Avx2(by!(Avx2, _mm256_set1_epi64x, [word as i64; 2]))
    }

    #[inline(always)]
    fn of(self, words: [u64; LANES]) -> Avx2 {
        // SAFETY: both are 64 bytes, and any bytes are words.
        Avx2(unsafe { transmute::<[u64; LANES], [__m256i; 2]>(words) })
    }

    #[inline(always)]
    fn words(self) -> [u64; LANES] {
        // SAFETY: both are 64 bytes, and any bytes are words.
        unsafe { transmute::<[__m256i; 2], [u64; LANES]>(self.0) }
    }

    #[inline(always)]
    fn mask(self, bits: u8) -> Avx2Mask {
        let own = self.of([1, 2, 4, 8, 16, 32, 64, 128]);
        (self.every(bits.into()) & own).equals(own)
    }

    #[inline(always)]
    fn without(self, other: Avx2) -> Avx2 {
        Avx2(by!(Avx2, _mm256_andnot_si256, other.0, self.0))
    }

    #[inline(always)]
    fn up(self, by: u32) -> Avx2 {
        Avx2(by!(Avx2, |word| _mm256_sll_epi64(word, _mm_cvtsi32_si128(by as i32)), self.0))
    }

    #[inline(always)]
    fn down(self, by: u32) -> Avx2 {
        Avx2(by!(Avx2, |word| _mm256_srl_epi64(word, _mm_cvtsi32_si128(by as i32)), self.0))
    }

    #[inline(always)]
    fn up_each(self, by: Avx2) -> Avx2 {
        Avx2(by!(Avx2, _mm256_sllv_epi64, self.0, by.0))
    }

    #[inline(always)]
    fn down_each(self, by: Avx2) -> Avx2 {
        Avx2(by!(Avx2, _mm256_srlv_epi64, self.0, by.0))
    }

    #[inline(always)]
    fn count_ones(self) -> Avx2 {
        let (bits, half) = (self.two(BITS_OF_HALF), self.every(0x0F0F_0F0F_0F0F_0F0F));
        let (low, high) = (bits.shuffled(self & half), bits.shuffled(self.down(4) & half));
        let bytes = by!(Avx2, _mm256_add_epi8, low.0, high.0);
        Avx2(by!(Avx2, _mm256_sad_epu8, bytes, self.every(0).0))
    }

    #[inline(always)]
    fn times(self, other: Avx2) -> Avx2 {
        Avx2(by!(Avx2, _mm256_mul_epu32, self.0, other.0))
    }

    #[inline(always)]
    fn meets(self, other: Avx2) -> Avx2Mask {
        !(self & other).is_zero()
    }

    #[inline(always)]
    fn equals(self, other: Avx2) -> Avx2Mask {
        Avx2Mask(by!(Avx2, _mm256_cmpeq_epi64, self.0, other.0))
    }

    #[inline(always)]
    fn is_below(self, other: Avx2) -> Avx2Mask {
        Avx2Mask(by!(Avx2, _mm256_cmpgt_epi64, other.0, self.0))
    }

    #[inline(always)]
    fn only(self, lanes: Avx2Mask) -> Avx2 {
        Avx2(by!(Avx2, _mm256_and_si256, self.0, lanes.0))
    }

    #[inline(always)]
    fn but(self, lanes: Avx2Mask, other: Avx2) -> Avx2 {
        self.but_bytes(Avx2(lanes.0), other)
    }

    #[inline(always)]
    fn look_up(self, at: Avx2) -> Avx2 {
        self.shuffled(at | self.two(LANE_OF_TWO))
    }

    #[inline(always)]
    fn equal_bytes(self, other: Avx2) -> Avx2 {
        Avx2(by!(Avx2, _mm256_cmpeq_epi8, self.0, other.0))
    }

    #[inline(always)]
    fn but_bytes(self, which: Avx2, other: Avx2) -> Avx2 {
        let ([a, b], [c, d], [e, f]) = (self.0, other.0, which.0);
        // SAFETY: the processor has the instructions of a value that exists.
        Avx2(unsafe { [_mm256_blendv_epi8(a, c, e), _mm256_blendv_epi8(b, d, f)] })
    }
}

impl Not for Avx2Mask {
    type Output = Avx2Mask;

    #[inline(always)]
    fn not(self) -> Avx2Mask {
        let all = Avx2(self.0).every(u64::MAX);
        Avx2Mask((Avx2(self.0) ^ all).0)
    }
}

impl Mask for Avx2Mask {
    #[inline(always)]
    fn bits(self) -> u8 {
        let [low, high] = by!(Avx2, |half| _mm256_movemask_pd(_mm256_castsi256_pd(half)), self.0);
        (low | high << 4) as u8
    }
}

impl Avx512 {
    /// Two words over and over.
    #[inline(always)]
    fn two(self, [even, odd]: [u64; 2]) -> Avx512 {
        self.of([even, odd, even, odd, even, odd, even, odd])
    }

    #[inline(always)]
    fn shuffled(self, at: Avx512) -> Avx512 {
        Avx512(by!(Avx512, _mm512_shuffle_epi8, self.0, at.0))
    }
}

impl Lanes for Avx512 {
    type Mask = Avx512Mask;

    #[inline(always)]
    fn every(self, word: u64) -> Avx512 {
        Avx512(by!(Avx512, _mm512_set1_epi64, word as i64))
    }

    #[inline(always)]
    fn of(self, words: [u64; LANES]) -> Avx512 {
        // SAFETY: both are 64 bytes, and any bytes are words.
        Avx512(unsafe { transmute::<[u64; LANES], __m512i>(words) })
    }

    #[inline(always)]
    fn words(self) -> [u64; LANES] {
        // SAFETY: both are 64 bytes, and any bytes are words.
        unsafe { transmute::<__m512i, [u64; LANES]>(self.0) }
    }

    #[inline(always)]
    fn mask(self, bits: u8) -> Avx512Mask {
        Avx512Mask(bits)
    }

    #[inline(always)]
    fn without(self, other: Avx512) -> Avx512 {
        Avx512(by!(Avx512, _mm512_andnot_si512, other.0, self.0))
    }

    #[inline(always)]
    fn up(self, by: u32) -> Avx512 {
        Avx512(by!(Avx512, |word| _mm512_sll_epi64(word, _mm_cvtsi32_si128(by as i32)), self.0))
    }

    #[inline(always)]
    fn down(self, by: u32) -> Avx512 {
        Avx512(by!(Avx512, |word| _mm512_srl_epi64(word, _mm_cvtsi32_si128(by as i32)), self.0))
    }

    #[inline(always)]
    fn up_each(self, by: Avx512) -> Avx512 {
        Avx512(by!(Avx512, _mm512_sllv_epi64, self.0, by.0))
    }

    #[inline(always)]
    fn down_each(self, by: Avx512) -> Avx512 {
        Avx512(by!(Avx512, _mm512_srlv_epi64, self.0, by.0))
    }

    #[inline(always)]
    fn count_ones(self) -> Avx512 {
        let (bits, half) = (self.two(BITS_OF_HALF), self.every(0x0F0F_0F0F_0F0F_0F0F));
        let (low, high) = (bits.shuffled(self & half), bits.shuffled(self.down(4) & half));
        let bytes = by!(Avx512, _mm512_add_epi8, low.0, high.0);
        Avx512(by!(Avx512, _mm512_sad_epu8, bytes, self.every(0).0))
    }

    #[inline(always)]
    fn times(self, other: Avx512) -> Avx512 {
        Avx512(by!(Avx512, _mm512_mul_epu32, self.0, other.0))
    }

    #[inline(always)]
    fn meets(self, other: Avx512) -> Avx512Mask {
        Avx512Mask(by!(Avx512, _mm512_test_epi64_mask, self.0, other.0))
    }

    #[inline(always)]
    fn equals(self, other: Avx512) -> Avx512Mask {
        Avx512Mask(by!(Avx512, _mm512_cmpeq_epi64_mask, self.0, other.0))
    }

    #[inline(always)]
    fn is_below(self, other: Avx512) -> Avx512Mask {
        Avx512Mask(by!(Avx512, _mm512_cmplt_epu64_mask, self.0, other.0))
    }

    #[inline(always)]
    fn only(self, lanes: Avx512Mask) -> Avx512 {
        Avx512(by!(Avx512, _mm512_maskz_mov_epi64, lanes.0, self.0))
    }

    #[inline(always)]
    fn but(self, lanes: Avx512Mask, other: Avx512) -> Avx512 {
        Avx512(by!(Avx512, _mm512_mask_blend_epi64, lanes.0, self.0, other.0))
    }

    #[inline(always)]
    fn look_up(self, at: Avx512) -> Avx512 {
        self.shuffled(at | self.two(LANE_OF_TWO))
    }

    #[inline(always)]
    fn equal_bytes(self, other: Avx512) -> Avx512 {
        let equal = by!(Avx512, _mm512_cmpeq_epi8_mask, self.0, other.0);
        Avx512(by!(Avx512, _mm512_movm_epi8, equal))
    }

    #[inline(always)]
    fn but_bytes(self, which: Avx512, other: Avx512) -> Avx512 {
        let which = by!(Avx512, _mm512_movepi8_mask, which.0);
        Avx512(by!(Avx512, _mm512_mask_blend_epi8, which, self.0, other.0))
    }
}

impl BitAnd for Avx512Mask {
    type Output = Avx512Mask;

    #[inline(always)]
    fn bitand(self, other: Avx512Mask) -> Avx512Mask {
        Avx512Mask(self.0 & other.0)
    }
}

impl BitOr for Avx512Mask {
    type Output = Avx512Mask;

    #[inline(always)]
    fn bitor(self, other: Avx512Mask) -> Avx512Mask {
        Avx512Mask(self.0 | other.0)
    }
}

impl Not for Avx512Mask {
    type Output = Avx512Mask;

    #[inline(always)]
    fn not(self) -> Avx512Mask {
        Avx512Mask(!self.0)
    }
}

impl Mask for Avx512Mask {
    #[inline(always)]
    fn bits(self) -> u8 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Kind;
    use oboro_core::Rng;

    /// All that can be done with two values, in words.
    struct Everything([[u64; LANES]; 3], u8);

    impl Task for Everything {
        type Output = Vec<[u64; LANES]>;

        #[inline(always)]
        fn run<L: Lanes>(self, zero: L) -> Vec<[u64; LANES]> {
            let Everything(words, bits) = self;
            let [a, b, small] = words.map(|words| zero.of(words));
            let lanes = zero.mask(bits);
            let count = small & zero.every(0x7F);
            let numbers = zero.every(0x0707_0707_0707_0707) & b;
            let sum = [a & b, a | b, a ^ b, a + b, a - b, a.without(b), a.times(b)];
            let turned = [a.up(17), a.down(3), a.turned(0), a.turned(41), a.low_bytes()];
            let each =
                [a.up_each(count), a.down_each(count), a.turned_each(small & zero.every(63))];
            let rest = [a.count_ones(), a.only(lanes), a.but(lanes, b), a.look_up(numbers)];
            let bytes = [a.equal_bytes(b), a.equal_bytes(a ^ small), a.but_bytes(b, small)];
            let asked = [
                a.meets(b),
                a.meets(small),
                a.equals(b),
                a.equals(a.but(lanes, b)),
                a.down(1).is_below(b.down(1)),
                (a & small).is_zero(),
                !lanes,
                lanes & a.meets(small),
                lanes | a.meets(small),
            ];
            let asked = asked.map(|lanes| zero.every(lanes.bits().into()));
            let all = [&sum[..], &turned, &each, &rest, &bytes, &asked];
            all.concat().into_iter().map(L::words).collect()
        }
    }

    #[test]
    fn every_kind_of_vector_computes_what_plain_loops_compute() {
        let kinds = Kind::supported();
        for (name, _) in Kind::coverage().into_iter().filter(|(_, is_there)| !is_there) {
            eprintln!("skipped: {name} is not there");
        }
        let mut rng = Rng::from_u64(3);
        for round in 0..500 {
            let mut words = [(); 3].map(|()| [(); LANES].map(|()| rng.bits()));
            // Few bits, so that some are equal and some have nothing in common.
            words[2] = words[2].map(|word| if round % 2 == 0 { word & 0x41 } else { word >> 57 });
            let bits = rng.bits() as u8;
            let [plain, others @ ..] = &kinds[..] else {
                unreachable!("plain loops are everywhere")
            };
            let expected = plain.run(Everything(words, bits));
            for kind in others {
                assert_eq!(kind.run(Everything(words, bits)), expected, "{kind:?}");
            }
        }
    }
}
