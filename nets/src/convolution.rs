use crate::board::{CEILING, FINEST, ONE, rounded};
use crate::winograd::{self, GROUP, Words};

/// A convolution over a cell and its eight neighbours, in integers.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Convolution {
    pub(crate) inputs: usize,
    /// By output, then by row, column and input: three runs that lie in one piece in a padded row.
    weights: Vec<i16>,
    /// The same for tiles of cells; empty if groups do not come out even.
    pub(crate) words: Vec<[Words; 2]>,
    /// What a sum of each output is worth, in 2^-32 units between layers.
    pub(crate) scales: Vec<i64>,
    pub(crate) bias: Vec<i32>,
}

/// What a layer is applied to.
pub(crate) struct Given<'a> {
    /// Rows and columns within the rim.
    pub(crate) size: [usize; 2],
    pub(crate) input: &'a [i16],
    /// What is added to each output.
    pub(crate) bias: &'a [i32],
    /// Whether what stood in a cell is added, too.
    pub(crate) on_top: bool,
}

impl Convolution {
    /// Weights are given by row, column, input and output.
    pub(crate) fn new(weights: &[f32], bias: &[f32], inputs: usize, outputs: usize) -> Convolution {
        let taps = 9 * inputs;
        // Positive and negative weights of an output each add up to less than 2^18, rounding included, and what they weigh is 0 to 2^11: no
        // sum leaves 30 bits, and no sum taken four times leaves 32.
        let heaviest = ((1 << 18) - taps as i32).max(1) as f32;
        let mut quantised = Vec::with_capacity(taps * outputs);
        let mut scales = Vec::with_capacity(outputs);
        for output in 0..outputs {
            let of_output = || (0..taps).map(|tap| weights[tap * outputs + output]);
            let largest = of_output().fold(0.0_f32, |most, weight| most.max(weight.abs()));
            let above: f32 = of_output().map(|weight| weight.max(0.0)).sum();
            let below: f32 = of_output().map(|weight| (-weight).max(0.0)).sum();
            let unit = (largest / FINEST).max(above.max(below) / heaviest).max(f32::MIN_POSITIVE);
            quantised.extend(of_output().map(|weight| (weight / unit).round() as i16));
            scales.push((f64::from(unit) * (1_u64 << 32) as f64).round() as i64);
        }
        let suits = inputs.is_multiple_of(GROUP)
            && outputs.is_multiple_of(2 * GROUP)
            && scales.iter().all(|&scale| i32::try_from(scale).is_ok());
        let words = if suits { winograd::words(&quantised, inputs) } else { Vec::new() };
        let bias = bias.iter().map(|&bias| rounded(bias * ONE)).collect();
        Convolution { inputs, weights: quantised, words, scales, bias }
    }

    pub(crate) fn outputs(&self) -> usize {
        self.bias.len()
    }

    /// Writes every cell within the rim of `out`, as any processor can.
    pub(crate) fn apply_plainly(&self, given: &Given<'_>, out: &mut [i16]) {
        let [rows, columns] = given.size;
        let (wide, run) = (columns + 2, 3 * self.inputs);
        for place in (0..rows).flat_map(|row| (0..columns).map(move |column| row * wide + column)) {
            let line = |row: usize| &given.input[(place + row * wide) * self.inputs..][..run];
            let lines = [line(0), line(1), line(2)];
            let out = &mut out[(place + wide + 1) * self.outputs()..][..self.outputs()];
            for (output, weights) in self.weights.chunks_exact(3 * run).enumerate() {
                let sum = dot(&weights[..run], lines[0])
                    + dot(&weights[run..2 * run], lines[1])
                    + dot(&weights[2 * run..], lines[2]);
                let old = if given.on_top { out[output] } else { 0 };
                out[output] = finished(sum, self.scales[output], given.bias[output], old);
            }
        }
    }
}

/// What comes out of a sum.
#[inline(always)]
pub(crate) fn finished(sum: i32, scale: i64, bias: i32, old: i16) -> i16 {
    let scaled = (i64::from(sum) * scale + (1 << 31)) >> 32;
    (scaled as i32 + bias + i32::from(old)).clamp(0, CEILING) as i16
}

/// The sum of products.
#[inline]
fn dot(a: &[i16], b: &[i16]) -> i32 {
    a.iter().zip(b).map(|(&a, &b)| i32::from(a) * i32::from(b)).sum()
}
