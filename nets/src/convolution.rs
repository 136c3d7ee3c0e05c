use crate::board::{CEILING, FINEST, HEAVIEST, ONE, rounded};

/// Outputs whose weights lie side by side for wide vectors.
pub(crate) const GROUP: usize = 16;

/// A convolution over a cell and its eight neighbours, in integers.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Convolution {
    pub(crate) inputs: usize,
    /// By output, then by row, column and input: three runs that lie in one piece in a padded row.
    weights: Vec<i16>,
    /// The same for wide vectors: by group of outputs, then by pair of inputs, the two weights of each output side by side and four
    /// in a word. Empty if groups or pairs do not come out even.
    pub(crate) words: Vec<[i64; GROUP / 2]>,
    /// What a sum of each output is worth, in 2^-32 units between layers.
    scales: Vec<i64>,
    bias: Vec<i32>,
}

impl Convolution {
    pub(crate) fn new(weights: &[f32], bias: &[f32], inputs: usize, outputs: usize) -> Convolution {
        let taps = 9 * inputs;
        let mut quantised = Vec::with_capacity(taps * outputs);
        let mut scales = Vec::with_capacity(outputs);
        for output in 0..outputs {
            let of_output = || (0..taps).map(|tap| weights[tap * outputs + output]);
            let largest = of_output().fold(0.0_f32, |most, weight| most.max(weight.abs()));
            let together: f32 = of_output().map(f32::abs).sum();
            let unit = (largest / FINEST).max(together / HEAVIEST).max(f32::MIN_POSITIVE);
            quantised.extend(of_output().map(|weight| (weight / unit).round() as i16));
            scales.push((f64::from(unit) * (1_u64 << 32) as f64).round() as i64);
        }
        let is_even = inputs.is_multiple_of(2) && outputs.is_multiple_of(GROUP);
        let words = if is_even { words(&quantised, taps) } else { Vec::new() };
        let bias = bias.iter().map(|&bias| rounded(bias * ONE)).collect();
        Convolution { inputs, weights: quantised, words, scales, bias }
    }

    pub(crate) fn outputs(&self) -> usize {
        self.bias.len()
    }

    /// Writes every cell within the rim of `out`. `sums` computes the sums of a row of cells from the three padded rows it
    /// reads; `finish` gets an output's number, its sum and what stood there.
    #[inline(always)]
    pub(crate) fn apply(
        &self,
        [rows, columns]: [usize; 2],
        input: &[i16],
        out: &mut [i16],
        row_sums: &mut [i32],
        sums: impl Fn(&Convolution, [&[i16]; 3], &mut [i32]),
        finish: impl Fn(usize, i32, i16) -> i32,
    ) {
        let (wide, outputs) = (columns + 2, self.outputs());
        let line = wide * self.inputs;
        for row in 0..rows {
            let lines = [0, 1, 2].map(|r| &input[(row + r) * line..(row + r + 1) * line]);
            sums(self, lines, row_sums);
            let place = ((row + 1) * wide + 1) * outputs;
            let (scales, bias) = (&self.scales[..outputs], &self.bias[..outputs]);
            for cell in 0..columns {
                let values = &mut out[place + cell * outputs..][..outputs];
                let sums = &row_sums[cell * outputs..][..outputs];
                for output in 0..outputs {
                    let scaled = (i64::from(sums[output]) * scales[output] + (1 << 31)) >> 32;
                    let sum = finish(output, scaled as i32 + bias[output], values[output]);
                    values[output] = sum.clamp(0, CEILING) as i16;
                }
            }
        }
    }

    /// The sums of a row of cells, as any processor can compute them.
    pub(crate) fn plain_sums(&self, lines: [&[i16]; 3], out: &mut [i32]) {
        let run = 3 * self.inputs;
        for (cell, out) in out.chunks_exact_mut(self.outputs()).enumerate() {
            let runs = lines.map(|line| &line[cell * self.inputs..][..run]);
            for (sum, weights) in out.iter_mut().zip(self.weights.chunks_exact(3 * run)) {
                *sum = dot(&weights[..run], runs[0])
                    + dot(&weights[run..2 * run], runs[1])
                    + dot(&weights[2 * run..], runs[2]);
            }
        }
    }
}

/// The sum of products.
#[inline]
fn dot(a: &[i16], b: &[i16]) -> i32 {
    a.iter().zip(b).map(|(&a, &b)| i32::from(a) * i32::from(b)).sum()
}

/// Weights by output and tap, as [`Convolution::words`] has them.
fn words(weights: &[i16], taps: usize) -> Vec<[i64; GROUP / 2]> {
    let two = |output: &[i16], tap: usize| {
        i64::from(output[tap] as u16) | i64::from(output[tap + 1] as u16) << 16
    };
    let word = |group: &[i16], of: usize, tap: usize| {
        let (a, b) = group[2 * of * taps..][..2 * taps].split_at(taps);
        two(a, tap) | two(b, tap) << 32
    };
    let groups = weights.chunks_exact(GROUP * taps);
    groups
        .flat_map(|group| {
            let taps = (0..taps).step_by(2);
            taps.map(move |tap| std::array::from_fn(|of| word(group, of, tap)))
        })
        .collect()
}
