use crate::convolution::Convolution;
use crate::linear::Linear;
use crate::tensors::{NetError, Tensors};
#[cfg(target_arch = "x86_64")]
use crate::wide::{avx2, vnni};

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
pub(crate) const ONE: f32 = 256.0;
/// The largest value between layers, in these units.
pub(crate) const CEILING: i32 = 8 * 256;
/// Weights are multiples of their unit, up to this.
pub(crate) const FINEST: f32 = 2047.0;
/// Sums of products stay below 2^31 if the weights of an output add up to less than this.
pub(crate) const HEAVIEST: f32 = (1 << 20) as f32 - 1024.0;

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
    row: Vec<i32>,
    told: Vec<i32>,
    sums: Vec<i32>,
    values: Vec<f32>,
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
        let Scratch { planes: read, trunk, inner, row, told, .. } = scratch;
        // The rim stays zero; everything within is written before it is read.
        clear(read, padded * self.planes);
        clear(trunk, padded * channels);
        clear(inner, padded * channels);
        for (plane, (bytes, units)) in planes.chunks_exact(cells).zip(&self.plane_units).enumerate()
        {
            for (row, bytes) in bytes.chunks_exact(self.columns).enumerate() {
                let first = (row + 1) * wide + 1;
                for (column, &byte) in bytes.iter().enumerate() {
                    read[(first + column) * self.planes + plane] = units[usize::from(byte)];
                }
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
        row.resize(self.columns * channels, 0);
        self.best().convolve(self, read, Layers { trunk, inner, row }, told);
        self.answer(scratch);
        &scratch.answers
    }

    /// The instructions that this processor has for it; nothing where it does as any other.
    pub fn fast_path(&self) -> Option<&'static str> {
        match self.best() {
            #[cfg(target_arch = "x86_64")]
            Way::Vnni => Some("AVX-512 with VNNI"),
            #[cfg(target_arch = "x86_64")]
            Way::Avx2 => Some("AVX2"),
            Way::Plain => None,
        }
    }

    /// The quickest way to compute it that the processor has.
    fn best(&self) -> Way {
        #[cfg(target_arch = "x86_64")]
        {
            let mut layers = self.blocks.iter().flatten().chain([&self.input]);
            if vnni::is_supported() && layers.clone().all(vnni::suits) {
                return Way::Vnni;
            }
            if avx2::is_supported() && layers.all(avx2::suits) {
                return Way::Avx2;
            }
        }
        Way::Plain
    }

    #[inline(always)]
    fn convolve(
        &self,
        read: &[i16],
        Layers { trunk, inner, row }: Layers<'_>,
        told: &[i32],
        sums: impl Fn(&Convolution, [&[i16]; 3], &mut [i32]),
    ) {
        let size = [self.rows, self.columns];
        self.input.apply(size, read, trunk, row, &sums, |c, sum, _| sum + told[c]);
        for [first, second] in &self.blocks {
            first.apply(size, trunk, inner, row, &sums, |_, sum, _| sum);
            second.apply(size, inner, trunk, row, &sums, |_, sum, old| sum + i32::from(old));
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,avx512f,avx512dq,avx512vnni")]
    fn convolve_vnni(&self, read: &[i16], layers: Layers<'_>, told: &[i32]) {
        self.convolve(read, layers, told, |layer, lines, out| vnni::sums(layer, lines, out));
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn convolve_avx2(&self, read: &[i16], layers: Layers<'_>, told: &[i32]) {
        self.convolve(read, layers, told, |layer, lines, out| avx2::sums(layer, lines, out));
    }

    fn answer(&self, scratch: &mut Scratch) {
        let (channels, wide) = (self.channels, self.columns + 2);
        let Scratch { trunk, sums, values, pooled, answers, .. } = scratch;
        answers.cells.clear();
        sums.clear();
        sums.resize(channels, 0);
        values.resize(channels, 0.0);
        for row in 1..=self.rows {
            for column in 1..=self.columns {
                let place = (row * wide + column) * channels;
                let of_cell = &trunk[place..][..channels];
                let (sums, values) = (&mut sums[..channels], &mut values[..channels]);
                for channel in 0..channels {
                    sums[channel] += i32::from(of_cell[channel]);
                    values[channel] = f32::from(of_cell[channel]) / ONE;
                }
                self.cell.apply(values, &mut answers.cells);
            }
        }
        let cells = (self.rows * self.columns) as f32;
        for (value, &sum) in values.iter_mut().zip(sums.iter()) {
            *value = sum as f32 / ONE / cells;
        }
        pooled.clear();
        self.pool.apply(values, pooled);
        for value in pooled.iter_mut() {
            *value = value.clamp(0.0, 8.0);
        }
        answers.board.clear();
        self.board.apply(pooled, &mut answers.board);
    }
}

/// What a net writes while it is evaluated: values between layers, and the sums of a row of cells.
struct Layers<'a> {
    trunk: &'a mut [i16],
    inner: &'a mut [i16],
    row: &'a mut [i32],
}

/// How the convolutions are computed. Sums of integers are the same in any order, so what comes out does not depend on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Way {
    #[cfg(target_arch = "x86_64")]
    Vnni,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    Plain,
}

impl Way {
    /// The processor must have the way, and the net suit it, as [`BoardNet::best`] says.
    fn convolve(self, net: &BoardNet, read: &[i16], layers: Layers<'_>, told: &[i32]) {
        match self {
            // SAFETY: whoever has the way has asked whether the processor has what the function is compiled for. It takes
            // a tenth of the time of the plain loop compiled for the same processor.
            #[cfg(target_arch = "x86_64")]
            #[allow(unsafe_code, reason = "nine tenths of a decision are spent here")]
            Way::Vnni => unsafe { net.convolve_vnni(read, layers, told) },
            // SAFETY: as above; a quarter of the time.
            #[cfg(target_arch = "x86_64")]
            #[allow(unsafe_code, reason = "nine tenths of a decision are spent here")]
            Way::Avx2 => unsafe { net.convolve_avx2(read, layers, told) },
            Way::Plain => net.convolve(read, layers, told, Convolution::plain_sums),
        }
    }
}

/// What each byte of a channel is worth, in units between layers.
fn units(most: u8) -> [i16; 256] {
    let most = f32::from(most.max(1));
    std::array::from_fn(|byte| rounded(ONE * byte as f32 / most).min(CEILING) as i16)
}

pub(crate) fn rounded(value: f32) -> i32 {
    value.round() as i32
}

fn clear(buffer: &mut Vec<i16>, len: usize) {
    buffer.clear();
    buffer.resize(len, 0);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A net without answers: so many planes and channels, over a board of two rows.
    fn net(random: &mut impl FnMut(u64) -> u64, planes: usize, channels: usize) -> BoardNet {
        let mut layer = |inputs: usize| {
            let weights: Vec<f32> =
                (0..9 * inputs * channels).map(|_| random(2000) as f32 / 1000.0 - 1.0).collect();
            let bias: Vec<f32> = (0..channels).map(|_| random(100) as f32 / 50.0 - 1.0).collect();
            Convolution::new(&weights, &bias, inputs, channels)
        };
        BoardNet {
            rows: 2,
            columns: 8,
            planes,
            channels,
            plane_units: vec![units(1); planes],
            feature_units: Vec::new(),
            input: layer(planes),
            features: Vec::new(),
            blocks: vec![[layer(channels), layer(channels)], [layer(channels), layer(channels)]],
            cell: Linear::default(),
            pool: Linear::default(),
            board: Linear::default(),
        }
    }

    /// Whatever vectors are used, the sums are those of the plain loop.
    #[test]
    fn wide_vectors_give_the_same_sums() {
        let mut state = 1_u64;
        let mut random = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) % below
        };
        for (planes, channels) in [(6, 64), (18, 128), (6, 16), (6, 48), (5, 64), (6, 24), (3, 7)] {
            let net = net(&mut random, planes, channels);
            let read: Vec<i16> = (0..4 * 10 * planes).map(|_| random(257) as i16).collect();
            let told: Vec<i32> = (0..channels).map(|_| random(512) as i32 - 256).collect();
            let body = |way: Way| {
                let size = 4 * 10 * channels;
                let (mut trunk, mut inner) = (vec![0; size], vec![0; size]);
                let mut row = vec![0; 8 * channels];
                let layers = Layers { trunk: &mut trunk, inner: &mut inner, row: &mut row };
                way.convolve(&net, &read, layers, &told);
                (trunk, inner)
            };
            let plain = body(Way::Plain);
            let alive = plain.0.iter().filter(|&&value| value > 0).count();
            assert!(alive > channels, "there is something to compare: {alive}");
            assert_eq!(body(net.best()), plain, "{planes} planes, {channels} channels");
            #[cfg(target_arch = "x86_64")]
            if avx2::is_supported() && net.best() == Way::Vnni {
                assert_eq!(body(Way::Avx2), plain, "{planes} planes, {channels} channels");
            }
        }
    }
}
