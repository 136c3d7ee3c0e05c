use crate::tensors::{NetError, Tensors};

/// A residual net over a small board.
///
/// It reads planes and features of bytes and answers some numbers for each cell and some for the board as a whole:
///
/// - a convolution of the planes, plus a linear map of the features added to every cell;
/// - blocks of two convolutions whose result is added to what went in;
/// - for each cell a linear map; for the board a linear map of the mean over all cells, clipped, and another.
///
/// All convolutions reach one cell in every direction, and all values between layers are clipped to 0 to 8. Values are
/// kept in units of 1/256 and weights in units of their own per output, chosen so that no sum can leave 32 bits.
#[derive(Clone, PartialEq, Debug)]
pub struct BoardNet {
    rows: usize,
    columns: usize,
    planes: usize,
    channels: usize,
    /// The value of each input byte, by plane and by feature.
    plane_units: Vec<[i16; 256]>,
    feature_units: Vec<[i16; 256]>,
    input: Convolution,
    /// By output, then by feature; in the units of `input`'s sums there is no common scale, so floating point serves.
    features: Vec<f32>,
    blocks: Vec<[Convolution; 2]>,
    cell: Linear,
    pool: Linear,
    board: Linear,
}

/// One in the units of values between layers.
const ONE: f32 = 256.0;
/// The largest value between layers, in these units.
const CEILING: i32 = 8 * 256;
/// Weights are multiples of their unit, up to this.
const FINEST: f32 = 2047.0;
/// Sums of products stay below 2^31 if the weights of an output add up to less than this.
const HEAVIEST: f32 = (1 << 20) as f32 - 1024.0;

/// What a net says of a position.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Answers {
    /// Cell after cell, the numbers of each.
    pub cells: Vec<f32>,
    /// The numbers of the board.
    pub board: Vec<f32>,
}

/// Memory for evaluations, to be used again and again.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Scratch {
    planes: Vec<i16>,
    trunk: Vec<i16>,
    inner: Vec<i16>,
    told: Vec<i32>,
    sums: Vec<i32>,
    pooled: Vec<f32>,
    answers: Answers,
}

impl BoardNet {
    /// Reads a net for a board of this size. `plane_most` and `feature_most` give the largest value of each input byte,
    /// which stands for 1.
    ///
    /// # Errors
    /// If an array is missing or has another shape.
    pub fn read(
        tensors: &Tensors,
        [rows, columns]: [usize; 2],
        plane_most: &[u8],
        feature_most: &[u8],
    ) -> Result<BoardNet, NetError> {
        let planes = plane_most.len();
        let channels = tensors.any("in.bias")?.values.len();
        let layer = |name: &str, inputs: usize| {
            let weights = tensors.get(&format!("{name}.weight"), &[3, 3, inputs, channels])?;
            let bias = tensors.get(&format!("{name}.bias"), &[channels])?;
            Ok(Convolution::new(weights, bias, inputs, channels))
        };
        let blocks = tensors.names().filter(|name| name.ends_with(".first.bias")).count();
        let block = |number: usize| {
            Ok([
                layer(&format!("{number}.first"), channels)?,
                layer(&format!("{number}.second"), channels)?,
            ])
        };
        let features = tensors.get("in.features", &[feature_most.len(), channels])?;
        let by_output = (0..channels)
            .flat_map(|c| (0..feature_most.len()).map(move |f| features[f * channels + c]));
        Ok(BoardNet {
            rows,
            columns,
            planes,
            channels,
            plane_units: plane_most.iter().map(|&most| units(most)).collect(),
            feature_units: feature_most.iter().map(|&most| units(most)).collect(),
            input: layer("in", planes)?,
            features: by_output.collect(),
            blocks: (0..blocks).map(block).collect::<Result<_, NetError>>()?,
            cell: Linear::read(tensors, "cell", channels)?,
            pool: Linear::read(tensors, "pool", channels)?,
            board: Linear::read(tensors, "board", channels)?,
        })
    }

    /// How many numbers it answers for each cell, and for the board.
    pub fn outputs(&self) -> [usize; 2] {
        [self.cell.bias.len(), self.board.bias.len()]
    }

    /// Evaluates a position given as bytes: plane after plane, each row after row, and the features.
    ///
    /// # Panics
    /// If there are more or fewer bytes than the net reads.
    pub fn evaluate<'a>(
        &self,
        planes: &[u8],
        features: &[u8],
        scratch: &'a mut Scratch,
    ) -> &'a Answers {
        let (cells, channels) = (self.rows * self.columns, self.channels);
        assert_eq!(planes.len(), self.planes * cells, "bytes of the planes");
        assert_eq!(features.len(), self.feature_units.len(), "bytes of the features");
        let wide = self.columns + 2;
        let padded = (self.rows + 2) * wide;
        let Scratch { planes: read, trunk, inner, told, .. } = scratch;
        // The rim stays zero; everything within is written before it is read.
        clear(read, padded * self.planes);
        clear(trunk, padded * channels);
        clear(inner, padded * channels);
        for (plane, (bytes, units)) in planes.chunks_exact(cells).zip(&self.plane_units).enumerate()
        {
            for (cell, &byte) in bytes.iter().enumerate() {
                let place = (cell / self.columns + 1) * wide + cell % self.columns + 1;
                read[place * self.planes + plane] = units[usize::from(byte)];
            }
        }
        told.clear();
        told.extend(self.features.chunks_exact(features.len().max(1)).map(|weights| {
            let values = features.iter().zip(&self.feature_units);
            let sum: f32 = weights
                .iter()
                .zip(values)
                .map(|(weight, (&byte, units))| weight * f32::from(units[usize::from(byte)]))
                .sum();
            rounded(sum)
        }));
        told.resize(channels, 0);
        self.body(read, trunk, inner, told);
        self.answer(scratch);
        &scratch.answers
    }

    /// The convolutions, with the widest vectors that the processor has.
    fn body(&self, read: &[i16], trunk: &mut [i16], inner: &mut [i16], told: &[i32]) {
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has what the function is compiled for. It holds the same code as `convolve`, and
            // takes less than half the time; sums of integers are the same in any order, and a test compares the two.
            #[allow(unsafe_code, reason = "nine tenths of a decision are spent here")]
            return unsafe { self.convolve_avx2(read, trunk, inner, told) };
        }
        self.convolve(read, trunk, inner, told);
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn convolve_avx2(&self, read: &[i16], trunk: &mut [i16], inner: &mut [i16], told: &[i32]) {
        self.convolve(read, trunk, inner, told);
    }

    #[inline(always)]
    fn convolve(&self, read: &[i16], trunk: &mut [i16], inner: &mut [i16], told: &[i32]) {
        let size = [self.rows, self.columns];
        self.input.apply(size, read, trunk, |c, sum, _| sum + told[c]);
        for [first, second] in &self.blocks {
            first.apply(size, trunk, inner, |_, sum, _| sum);
            second.apply(size, inner, trunk, |_, sum, before| sum + i32::from(before));
        }
    }

    fn answer(&self, scratch: &mut Scratch) {
        let (channels, wide) = (self.channels, self.columns + 2);
        let Scratch { trunk, sums, pooled, answers, .. } = scratch;
        answers.cells.clear();
        sums.clear();
        sums.resize(channels, 0);
        for row in 1..=self.rows {
            for column in 1..=self.columns {
                let place = (row * wide + column) * channels;
                let values = &trunk[place..place + channels];
                for (sum, &value) in sums.iter_mut().zip(values.iter()) {
                    *sum += i32::from(value);
                }
                self.cell.apply(values.iter().map(|&v| f32::from(v) / ONE), &mut answers.cells);
            }
        }
        let cells = (self.rows * self.columns) as f32;
        pooled.clear();
        self.pool.apply(sums.iter().map(|&sum| sum as f32 / ONE / cells), pooled);
        answers.board.clear();
        self.board.apply(pooled.iter().map(|v| v.clamp(0.0, 8.0)), &mut answers.board);
    }
}

/// What each byte of a channel is worth, in units between layers.
fn units(most: u8) -> [i16; 256] {
    let most = f32::from(most.max(1));
    std::array::from_fn(|byte| rounded(ONE * byte as f32 / most).min(CEILING) as i16)
}

fn rounded(value: f32) -> i32 {
    value.round() as i32
}

fn clear(buffer: &mut Vec<i16>, len: usize) {
    buffer.clear();
    buffer.resize(len, 0);
}

/// A convolution over a cell and its eight neighbours, in integers.
#[derive(Clone, PartialEq, Debug)]
struct Convolution {
    inputs: usize,
    /// By output, then by row, column and input: three runs that lie in one piece in a padded row.
    weights: Vec<i16>,
    /// What a sum of each output is worth, in 2^-32 units between layers.
    scales: Vec<i64>,
    bias: Vec<i32>,
}

impl Convolution {
    fn new(weights: &[f32], bias: &[f32], inputs: usize, outputs: usize) -> Convolution {
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
        let bias = bias.iter().map(|&bias| rounded(bias * ONE)).collect();
        Convolution { inputs, weights: quantised, scales, bias }
    }

    /// Writes every cell within the rim of `out`. `finish` gets the output's number, its sum and what stood there.
    #[inline(always)]
    fn apply(
        &self,
        [rows, columns]: [usize; 2],
        input: &[i16],
        out: &mut [i16],
        finish: impl Fn(usize, i32, i16) -> i32,
    ) {
        let (wide, run, outputs) = (columns + 2, 3 * self.inputs, self.bias.len());
        for row in 0..rows {
            for column in 0..columns {
                let starts = [0, 1, 2].map(|r| ((row + r) * wide + column) * self.inputs);
                let runs = starts.map(|start| &input[start..start + run]);
                let place = ((row + 1) * wide + column + 1) * outputs;
                let cell = &mut out[place..place + outputs];
                let weights = self.weights.chunks_exact(3 * run);
                for (output, (value, weights)) in cell.iter_mut().zip(weights).enumerate() {
                    let sum = dot(&weights[..run], runs[0])
                        + dot(&weights[run..2 * run], runs[1])
                        + dot(&weights[2 * run..], runs[2]);
                    let scaled = (i64::from(sum) * self.scales[output] + (1 << 31)) >> 32;
                    let sum = finish(output, scaled as i32 + self.bias[output], *value);
                    *value = sum.clamp(0, CEILING) as i16;
                }
            }
        }
    }
}

/// The sum of products; written so that the compiler uses whatever vectors the processor has, which cannot change an
/// integer sum.
#[inline(always)]
fn dot(a: &[i16], b: &[i16]) -> i32 {
    a.iter().zip(b).map(|(&a, &b)| i32::from(a) * i32::from(b)).sum()
}

/// A linear map in floating point, summed in the order of its inputs.
#[derive(Clone, PartialEq, Debug)]
struct Linear {
    /// By input, then by output.
    weights: Vec<f32>,
    bias: Vec<f32>,
}

impl Linear {
    fn read(tensors: &Tensors, name: &str, inputs: usize) -> Result<Linear, NetError> {
        let outputs = tensors.any(&format!("{name}.bias"))?.values.len();
        Ok(Linear {
            weights: tensors.get(&format!("{name}.weight"), &[inputs, outputs])?.to_vec(),
            bias: tensors.get(&format!("{name}.bias"), &[outputs])?.to_vec(),
        })
    }

    fn apply(&self, inputs: impl Iterator<Item = f32>, out: &mut Vec<f32>) {
        let start = out.len();
        out.extend(&self.bias);
        let out = &mut out[start..];
        for (value, weights) in inputs.zip(self.weights.chunks_exact(out.len().max(1))) {
            for (sum, weight) in out.iter_mut().zip(weights) {
                *sum += value * weight;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whatever vectors are used, the sums are those of the plain loop.
    #[test]
    fn wide_vectors_give_the_same_sums() {
        let mut state = 1_u64;
        let mut random = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) % below
        };
        let mut layer = |inputs: usize| {
            let weights: Vec<f32> =
                (0..9 * inputs * 16).map(|_| random(2000) as f32 / 1000.0 - 1.0).collect();
            let bias: Vec<f32> = (0..16).map(|_| random(100) as f32 / 50.0 - 1.0).collect();
            Convolution::new(&weights, &bias, inputs, 16)
        };
        let none = Linear { weights: Vec::new(), bias: Vec::new() };
        let net = BoardNet {
            rows: 6,
            columns: 6,
            planes: 5,
            channels: 16,
            plane_units: vec![units(1); 5],
            feature_units: Vec::new(),
            input: layer(5),
            features: Vec::new(),
            blocks: vec![[layer(16), layer(16)], [layer(16), layer(16)]],
            cell: none.clone(),
            pool: none.clone(),
            board: none,
        };
        let read: Vec<i16> = (0..64 * 5).map(|_| random(257) as i16).collect();
        let told: Vec<i32> = (0..16).map(|_| random(512) as i32 - 256).collect();
        let [mut plain, mut wide] = [(); 2].map(|()| (vec![0; 64 * 16], vec![0; 64 * 16]));
        net.convolve(&read, &mut plain.0, &mut plain.1, &told);
        net.body(&read, &mut wide.0, &mut wide.1, &told);
        assert_eq!(plain, wide);
        let alive = plain.0.iter().filter(|&&value| value > 0).count();
        assert!(alive > 100, "there is something to compare: {alive}");
    }
}
