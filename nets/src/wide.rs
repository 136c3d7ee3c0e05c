//! The products of convolutions in wide vectors: nine tiles at a time, with as many outputs as there are registers for.
//! Sums of integers are the same in any order.

use crate::winograd::{GROUP, Products, Words};

/// Writes `multiply` for one kind of vectors out of `zero`, `spread`, `load`, `store` and `add_products`: a macro, since functions
/// compiled for what not every processor has cannot be handed on. Two groups of outputs take so many turns, each of so many vectors.
macro_rules! multiply {
    ($features:literal, $turns:literal, $vectors:literal) => {
        /// What the values of each tile, given by group of inputs, add up to.
        #[target_feature(enable = $features)]
        pub(crate) fn multiply(
            words: &[[Words; 2]],
            values: &[[i16; GROUP]],
            out: &mut [Products],
        ) {
            let (words, _) = words.as_chunks();
            for turn in 0..$turns {
                let mut tile = 0;
                while tile < out.len() {
                    if out.len() - tile >= 9 {
                        some::<9>(words, values, [turn, tile], out);
                        tile += 9;
                    } else {
                        some::<1>(words, values, [turn, tile], out);
                        tile += 1;
                    }
                }
            }
        }

        /// The same for some tiles.
        ///
        /// Iterators over vectors are not inlined into functions like this, so everything is counted out; and slices are
        /// cut to one length, lest each access is checked.
        #[inline]
        #[target_feature(enable = $features)]
        fn some<const TILES: usize>(
            words: &[[[Words; 2]; GROUP / 2]],
            values: &[[i16; GROUP]],
            [turn, tile]: [usize; 2],
            out: &mut [Products],
        ) {
            let mut all = [[zero(); $vectors]; TILES];
            for group in 0..words.len() {
                let words = &words[group];
                let values = &values[group * out.len() + tile..][..TILES];
                for pair in 0..GROUP / 2 {
                    let weights = load(&words[pair], turn);
                    for t in 0..TILES {
                        let [low, high] = [values[t][2 * pair], values[t][2 * pair + 1]];
                        let both = spread(i32::from(low as u16) | i32::from(high) << 16);
                        for v in 0..$vectors {
                            all[t][v] = add_products(all[t][v], both, weights[v]);
                        }
                    }
                }
            }
            for t in 0..TILES {
                store(all[t], turn, &mut out[tile + t]);
            }
        }
    };
}

/// Eight outputs in a vector.
pub(crate) mod avx2 {
    use super::{GROUP, Products, Words};
    use std::arch::x86_64::{
        __m128i, __m256i, _mm_cvtsi128_si64, _mm_unpackhi_epi64, _mm256_add_epi32,
        _mm256_extracti128_si256, _mm256_madd_epi16, _mm256_set1_epi32, _mm256_setr_epi64x,
        _mm256_setzero_si256,
    };

    pub(crate) fn is_supported() -> bool {
        is_x86_feature_detected!("avx2")
    }

    multiply!("avx2", 4, 1);

    #[inline]
    #[target_feature(enable = "avx2")]
    fn zero() -> __m256i {
        _mm256_setzero_si256()
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn spread(pair: i32) -> __m256i {
        _mm256_set1_epi32(pair)
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn load(words: &[Words; 2], turn: usize) -> [__m256i; 1] {
        let [a, b, c, d] = words[turn / 2].as_chunks().0[turn % 2];
        [_mm256_setr_epi64x(a, b, c, d)]
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn add_products(sum: __m256i, pair: __m256i, weights: __m256i) -> __m256i {
        _mm256_add_epi32(sum, _mm256_madd_epi16(pair, weights))
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn store([sums]: [__m256i; 1], turn: usize, out: &mut Products) {
        let [a, b, c, d] = quarter(_mm256_extracti128_si256::<0>(sums));
        let [e, f, g, h] = quarter(_mm256_extracti128_si256::<1>(sums));
        let (out, _) = out[turn / 2].as_chunks_mut();
        out[turn % 2] = [a, b, c, d, e, f, g, h];
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    pub(super) fn quarter(sums: __m128i) -> [i32; GROUP / 4] {
        let low = _mm_cvtsi128_si64(sums);
        let high = _mm_cvtsi128_si64(_mm_unpackhi_epi64(sums, sums));
        [low as i32, (low >> 32) as i32, high as i32, (high >> 32) as i32]
    }
}

/// Sixteen outputs in a vector, and products added up in one instruction.
pub(crate) mod vnni {
    use super::avx2::quarter;
    use super::{GROUP, Products, Words};
    use std::arch::x86_64::{
        __m512i, _mm512_dpwssd_epi32, _mm512_extracti32x4_epi32, _mm512_set1_epi32,
        _mm512_setr_epi64, _mm512_setzero_si512,
    };

    pub(crate) fn is_supported() -> bool {
        is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512vnni")
    }

    multiply!("avx2,avx512f,avx512dq,avx512vnni", 1, 2);

    #[inline]
    #[target_feature(enable = "avx512f")]
    fn zero() -> __m512i {
        _mm512_setzero_si512()
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    fn spread(pair: i32) -> __m512i {
        _mm512_set1_epi32(pair)
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    fn load([low, high]: &[Words; 2], _: usize) -> [__m512i; 2] {
        [load_one(low), load_one(high)]
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    fn load_one(&[a, b, c, d, e, f, g, h]: &Words) -> __m512i {
        _mm512_setr_epi64(a, b, c, d, e, f, g, h)
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512vnni")]
    fn add_products(sum: __m512i, pair: __m512i, weights: __m512i) -> __m512i {
        _mm512_dpwssd_epi32(sum, pair, weights)
    }

    #[inline]
    #[target_feature(enable = "avx2,avx512f")]
    fn store([low, high]: [__m512i; 2], _: usize, out: &mut Products) {
        store_one(low, &mut out[0]);
        store_one(high, &mut out[1]);
    }

    #[inline]
    #[target_feature(enable = "avx2,avx512f")]
    fn store_one(sums: __m512i, out: &mut [i32; GROUP]) {
        let [a, b, c, d] = quarter(_mm512_extracti32x4_epi32::<0>(sums));
        let [e, f, g, h] = quarter(_mm512_extracti32x4_epi32::<1>(sums));
        let [i, j, k, l] = quarter(_mm512_extracti32x4_epi32::<2>(sums));
        let [m, n, o, p] = quarter(_mm512_extracti32x4_epi32::<3>(sums));
        *out = [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p];
    }
}
