//! The sums of convolutions in wide vectors: six cells of a row at a time, with as many outputs as there are registers for.
//! Sums of integers are the same in any order.

use crate::convolution::{Convolution, GROUP};

/// Writes `sums` for one kind of vectors out of `zero`, `spread`, `load`, `store` and `add_products`: a macro, since functions
/// compiled for what not every processor has cannot be handed on. A tile has so many groups of outputs, each of so many vectors.
macro_rules! sums {
    ($features:literal, $groups:literal, $vectors:literal) => {
        /// Whether the layer comes out even.
        pub(crate) fn suits(layer: &Convolution) -> bool {
            layer.inputs.is_multiple_of(2) && layer.outputs().is_multiple_of($groups * GROUP)
        }

        /// As [`Convolution::plain_sums`], for layers that suit.
        #[target_feature(enable = $features)]
        pub(crate) fn sums(layer: &Convolution, lines: [&[i16]; 3], out: &mut [i32]) {
            let columns = out.len() / layer.outputs();
            let [above, here, below] = lines;
            let lines = [above.as_chunks().0, here.as_chunks().0, below.as_chunks().0];
            for group in (0..layer.outputs() / GROUP).step_by($groups) {
                let mut cell = 0;
                while cell < columns {
                    if columns - cell >= 6 {
                        tile::<6>(layer, group, cell, lines, out);
                        cell += 6;
                    } else {
                        tile::<1>(layer, group, cell, lines, out);
                        cell += 1;
                    }
                }
            }
        }

        /// The sums of a few groups of outputs for some cells side by side.
        ///
        /// Iterators over vectors are not inlined into functions like this, so everything is counted out; and slices are
        /// cut to one length, lest each access is checked.
        #[inline]
        #[target_feature(enable = $features)]
        fn tile<const CELLS: usize>(
            layer: &Convolution,
            group: usize,
            cell: usize,
            lines: [&[[i16; 2]]; 3],
            out: &mut [i32],
        ) {
            let pairs = layer.inputs / 2;
            let reach = 3 * pairs;
            let mut all = [[[zero(); $vectors]; $groups]; CELLS];
            for (row, line) in lines.into_iter().enumerate() {
                let mut inputs = [&line[..0]; CELLS];
                for c in 0..CELLS {
                    inputs[c] = &line[(cell + c) * pairs..][..reach];
                }
                let mut weights = [&layer.words[..0]; $groups];
                for g in 0..$groups {
                    weights[g] = &layer.words[((group + g) * 3 + row) * reach..][..reach];
                }
                for pair in 0..reach {
                    let mut loaded = [[zero(); $vectors]; $groups];
                    for g in 0..$groups {
                        loaded[g] = load(&weights[g][pair]);
                    }
                    for c in 0..CELLS {
                        let [low, high] = inputs[c][pair];
                        let both = spread(i32::from(low as u16) | i32::from(high) << 16);
                        for g in 0..$groups {
                            for v in 0..$vectors {
                                all[c][g][v] = add_products(all[c][g][v], both, loaded[g][v]);
                            }
                        }
                    }
                }
            }
            for c in 0..CELLS {
                for g in 0..$groups {
                    let first = (cell + c) * layer.outputs() + (group + g) * GROUP;
                    store(all[c][g], &mut out[first..][..GROUP]);
                }
            }
        }
    };
}

/// Eight outputs in a vector.
pub(crate) mod avx2 {
    use super::{Convolution, GROUP};
    use std::arch::x86_64::{
        __m128i, __m256i, _mm_cvtsi128_si64, _mm_unpackhi_epi64, _mm256_add_epi32,
        _mm256_extracti128_si256, _mm256_madd_epi16, _mm256_set1_epi32, _mm256_setr_epi64x,
        _mm256_setzero_si256,
    };

    pub(crate) fn is_supported() -> bool {
        is_x86_feature_detected!("avx2")
    }

    sums!("avx2", 1, 2);

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
    fn load(&[a, b, c, d, e, f, g, h]: &[i64; 8]) -> [__m256i; 2] {
        [_mm256_setr_epi64x(a, b, c, d), _mm256_setr_epi64x(e, f, g, h)]
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn add_products(sum: __m256i, pair: __m256i, weights: __m256i) -> __m256i {
        _mm256_add_epi32(sum, _mm256_madd_epi16(pair, weights))
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn store([low, high]: [__m256i; 2], out: &mut [i32]) {
        store_quarter(_mm256_extracti128_si256::<0>(low), &mut out[..4]);
        store_quarter(_mm256_extracti128_si256::<1>(low), &mut out[4..8]);
        store_quarter(_mm256_extracti128_si256::<0>(high), &mut out[8..12]);
        store_quarter(_mm256_extracti128_si256::<1>(high), &mut out[12..]);
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    pub(super) fn store_quarter(sum: __m128i, out: &mut [i32]) {
        let low = _mm_cvtsi128_si64(sum);
        let high = _mm_cvtsi128_si64(_mm_unpackhi_epi64(sum, sum));
        out.copy_from_slice(&[low as i32, (low >> 32) as i32, high as i32, (high >> 32) as i32]);
    }
}

/// Sixteen outputs in a vector, and products added up in one instruction.
pub(crate) mod vnni {
    use super::avx2::store_quarter;
    use super::{Convolution, GROUP};
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

    sums!("avx2,avx512f,avx512dq,avx512vnni", 4, 1);

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
    fn load(&[a, b, c, d, e, f, g, h]: &[i64; 8]) -> [__m512i; 1] {
        [_mm512_setr_epi64(a, b, c, d, e, f, g, h)]
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512vnni")]
    fn add_products(sum: __m512i, pair: __m512i, weights: __m512i) -> __m512i {
        _mm512_dpwssd_epi32(sum, pair, weights)
    }

    #[inline]
    #[target_feature(enable = "avx2,avx512f")]
    fn store([sum]: [__m512i; 1], out: &mut [i32]) {
        store_quarter(_mm512_extracti32x4_epi32::<0>(sum), &mut out[..4]);
        store_quarter(_mm512_extracti32x4_epi32::<1>(sum), &mut out[4..8]);
        store_quarter(_mm512_extracti32x4_epi32::<2>(sum), &mut out[8..12]);
        store_quarter(_mm512_extracti32x4_epi32::<3>(sum), &mut out[12..]);
    }
}
