use crate::convolution::{Convolution, Given};
use crate::linear::Linear;
use crate::tensors::{NetError, Tensors};
#[cfg(target_arch = "x86_64")]
use crate::wide::{avx2, vnni};
use crate::winograd::{GROUP, Tiles};

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
///
/// ```
/// use oboro_nets::{BoardNet, Scratch, Tensors};
///
/// // A net for boards of 4 by 5 cells with three planes and two features; the largest byte of each is given.
/// let file = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/tiny.safetensors"));
/// let net = BoardNet::read(&Tensors::read(file)?, [4, 5], &[1, 15, 1], &[4, 255])?;
/// let answers = net.evaluate(&[0; 3 * 4 * 5], &[1, 100], &mut Scratch::default()).clone();
/// let [for_each_cell, for_the_board] = net.outputs();
/// assert_eq!(answers.cells.len(), for_each_cell * 4 * 5);
/// assert_eq!(answers.board.len(), for_the_board);
/// # Ok::<(), oboro_nets::NetError>(())
/// ```
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

/// The largest bias in these units. A sum of products weighs at most 2^30, so that both fit in 32 bits.
const LARGEST_BIAS: i32 = 1 << 29;

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
    tiles: Tiles,
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
        let channels = tensors.width("in.bias")?;
        let layer = |name: &str, inputs: usize| {
            let weights = tensors.get(&format!("{name}.weight"), &[3, 3, inputs, channels])?;
            let bias = tensors.get(&format!("{name}.bias"), &[channels])?;
            checked(name, Convolution::new(weights, bias, inputs, channels))
        };
        let input = || {
            // Planes are rounded up to whole groups by some that stay empty.
            let weights = tensors.get("in.weight", &[3, 3, planes, channels])?;
            let bias = tensors.get("in.bias", &[channels])?;
            let padded = planes.next_multiple_of(GROUP);
            let none = std::iter::repeat_n(&0.0, (padded - planes) * channels);
            let neighbours = weights.chunks_exact((planes * channels).max(1));
            let weights: Vec<f32> =
                neighbours.flat_map(|of_one| of_one.iter().chain(none.clone())).copied().collect();
            checked("in", Convolution::new(&weights, bias, padded, channels))
        };
        let blocks = tensors.count(".first.bias");
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
            input: input()?,
            features: by_output.collect(),
            blocks: (0..blocks).map(block).collect::<Result<_, NetError>>()?,
            cell: Linear::read(tensors, "cell", channels)?,
            pool: {
                tensors.get("pool.bias", &[channels])?;
                Linear::read(tensors, "pool", channels)?
            },
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
        let Scratch { planes: read, trunk, inner, told, tiles, .. } = scratch;
        // The rim stays zero; everything within is written before it is read.
        clear(read, padded * self.input.inputs);
        clear(trunk, padded * channels);
        clear(inner, padded * channels);
        for (plane, (bytes, units)) in planes.chunks_exact(cells).zip(&self.plane_units).enumerate()
        {
            for (row, bytes) in bytes.chunks_exact(self.columns).enumerate() {
                let first = (row + 1) * wide + 1;
                for (column, &byte) in bytes.iter().enumerate() {
                    read[(first + column) * self.input.inputs + plane] = units[usize::from(byte)];
                }
            }
        }
        told.clear();
        told.extend(&self.input.bias);
        let values = || features.iter().zip(&self.feature_units);
        for (told, weights) in
            told.iter_mut().zip(self.features.chunks_exact(features.len().max(1)))
        {
            let sum: f32 = weights
                .iter()
                .zip(values())
                .map(|(weight, (&byte, units))| weight * f32::from(units[usize::from(byte)]))
                .sum();
            *told = told.saturating_add(rounded(sum)).clamp(-LARGEST_BIAS, LARGEST_BIAS);
        }
        self.best().convolve(self, read, told, Layers { trunk, inner, tiles });
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
        let mut layers = self.blocks.iter().flatten().chain([&self.input]);
        let has_tiles = self.rows.is_multiple_of(2) && self.columns.is_multiple_of(2);
        if has_tiles && layers.all(|layer| !layer.words.is_empty()) {
            Way::widest()
        } else {
            Way::Plain
        }
    }

    #[inline(always)]
    fn convolve(
        &self,
        read: &[i16],
        told: &[i32],
        Layers { trunk, inner, tiles }: Layers<'_>,
        apply: impl Fn(&Convolution, &Given<'_>, &mut [i16], &mut Tiles),
    ) {
        let size = [self.rows, self.columns];
        let given = Given { size, input: read, bias: told, on_top: false };
        apply(&self.input, &given, trunk, tiles);
        for [first, second] in &self.blocks {
            let given = Given { size, input: trunk, bias: &first.bias, on_top: false };
            apply(first, &given, inner, tiles);
            let given = Given { size, input: inner, bias: &second.bias, on_top: true };
            apply(second, &given, trunk, tiles);
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,avx512f,avx512dq,avx512vnni")]
    fn convolve_vnni(&self, read: &[i16], told: &[i32], layers: Layers<'_>) {
        self.convolve(read, told, layers, |layer, given, out, tiles| {
            crate::winograd::apply(layer, given, out, tiles, |a, b, out| vnni::multiply(a, b, out));
        });
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn convolve_avx2(&self, read: &[i16], told: &[i32], layers: Layers<'_>) {
        self.convolve(read, told, layers, |layer, given, out, tiles| {
            crate::winograd::apply(layer, given, out, tiles, |a, b, out| avx2::multiply(a, b, out));
        });
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

/// A convolution whose sums fit in 32 bits.
fn checked(name: &str, layer: Convolution) -> Result<Convolution, NetError> {
    let is_fit = layer.scales.iter().all(|&scale| scale <= 1 << 32)
        && layer.bias.iter().all(|bias| bias.saturating_abs() <= LARGEST_BIAS);
    if is_fit { Ok(layer) } else { Err(NetError::TooLarge(name.to_owned())) }
}

/// What a net writes while it is evaluated.
struct Layers<'a> {
    trunk: &'a mut [i16],
    inner: &'a mut [i16],
    tiles: &'a mut Tiles,
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
    /// The quickest that the processor has for nets that suit it.
    fn widest() -> Way {
        #[cfg(target_arch = "x86_64")]
        {
            if vnni::is_supported() {
                return Way::Vnni;
            }
            if avx2::is_supported() {
                return Way::Avx2;
            }
        }
        Way::Plain
    }

    /// The processor must have the way, and the net suit it, as [`BoardNet::best`] says.
    fn convolve(self, net: &BoardNet, read: &[i16], told: &[i32], layers: Layers<'_>) {
        match self {
            // SAFETY: whoever has the way has asked whether the processor has what the function is compiled for. It takes
            // less than a twentieth of the time of the plain loop.
            #[cfg(target_arch = "x86_64")]
            #[allow(unsafe_code, reason = "nine tenths of a decision are spent here")]
            Way::Vnni => unsafe { net.convolve_vnni(read, told, layers) },
            // SAFETY: as above; less than a tenth of the time.
            #[cfg(target_arch = "x86_64")]
            #[allow(unsafe_code, reason = "nine tenths of a decision are spent here")]
            Way::Avx2 => unsafe { net.convolve_avx2(read, told, layers) },
            Way::Plain => net.convolve(read, told, layers, |layer, given, out, _| {
                layer.apply_plainly(given, out);
            }),
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
    #[cfg(target_arch = "x86_64")]
    use std::io::Write as _;

    /// A net without answers over a board of so many rows and columns, with so many planes and channels. The weights are from `least` to 1.
    fn net(
        random: &mut impl FnMut(u64) -> u64,
        [rows, columns]: [usize; 2],
        [planes, channels]: [usize; 2],
        least: f32,
    ) -> BoardNet {
        let mut layer = |inputs: usize| {
            let mut weight = || least + (1.0 - least) * random(2000) as f32 / 2000.0;
            let weights: Vec<f32> = (0..9 * inputs * channels).map(|_| weight()).collect();
            let bias: Vec<f32> = (0..channels).map(|_| random(100) as f32 / 50.0 - 1.0).collect();
            Convolution::new(&weights, &bias, inputs, channels)
        };
        BoardNet {
            rows,
            columns,
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

    /// Whatever vectors are used, the sums are those of the plain loop, up to the largest that there are.
    #[test]
    fn wide_vectors_give_the_same_sums() {
        #[cfg(target_arch = "x86_64")]
        for (path, is_run) in [("VNNI", vnni::is_supported()), ("AVX2", avx2::is_supported())] {
            if !is_run {
                // Past the test harness, which hides what tests that pass print.
                let _ = writeln!(
                    std::io::stderr(),
                    "not run: nets by {path}, which this processor lacks"
                );
            }
        }
        let mut state = 1_u64;
        let mut random = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) % below
        };
        let suited = [([6, 6], [32, 64]), ([2, 8], [16, 32]), ([4, 10], [16, 96])];
        let others = [([6, 6], [16, 16]), ([6, 6], [6, 64]), ([3, 8], [16, 32]), ([4, 5], [3, 7])];
        for (i, (size, [planes, channels])) in suited.into_iter().chain(others).enumerate() {
            for (least, most) in [(-1.0, 256), (-1.0, CEILING), (1.0, CEILING)] {
                let net = net(&mut random, size, [planes, channels], least);
                let padded = (size[0] + 2) * (size[1] + 2);
                let mut value = || most - random(most as u64 / 4) as i32;
                let read: Vec<i16> = (0..padded * planes).map(|_| value() as i16).collect();
                let told: Vec<i32> = (0..channels).map(|_| random(512) as i32 - 256).collect();
                let body = |way: Way| {
                    let (mut trunk, mut inner) =
                        (vec![0; padded * channels], vec![0; padded * channels]);
                    let mut tiles = Tiles::default();
                    let layers = Layers { trunk: &mut trunk, inner: &mut inner, tiles: &mut tiles };
                    way.convolve(&net, &read, &told, layers);
                    (trunk, inner)
                };
                let plain = body(Way::Plain);
                let alive = plain.0.iter().filter(|&&value| value > 0).count();
                assert!(alive > channels, "there is something to compare: {alive}");
                let what = format!("{size:?}, {planes} planes, {channels} channels, up to {most}");
                assert_eq!(body(net.best()), plain, "{what}");
                #[cfg(target_arch = "x86_64")]
                if avx2::is_supported() {
                    assert_eq!(net.best() != Way::Plain, i < suited.len(), "{what}");
                    if net.best() != Way::Plain {
                        assert_eq!(body(Way::Avx2), plain, "{what}");
                    }
                }
            }
        }
    }
}
