use crate::board::Answers;
use crate::dense::{Dense, add};
use crate::tensors::{NetError, Tensors};

/// A residual net over a few rows that are alike, such as the series of a pack of cards: in whatever order they come, each
/// is answered the same.
///
/// - every row becomes channels by a linear map, to which one of the features is added;
/// - blocks: a linear map of each row and one of the mean of all rows are added up, and a linear map of that is added to the row;
/// - for each row a linear map; for all together a linear map of the mean, clipped, and another.
///
/// All values between layers are clipped to 0 to 8. Everything is added up in the order of the inputs and nothing is fused, so that
/// every processor gets the same bits, however many outputs it works on at a time.
///
/// ```
/// use oboro_nets::{SetNet, SetScratch, Tensors};
///
/// // A net for any number of rows of 18 numbers, and two features.
/// let file = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/tiny-set.safetensors"));
/// let net = SetNet::read(&Tensors::read(file)?, 18, 2)?;
/// let mut scratch = SetScratch::default();
/// let answers = net.evaluate(&[0.5; 8 * 18], &[0.0, 1.0], &mut scratch);
/// assert_eq!(answers.cells.len(), net.outputs()[0] * 8);
/// assert_eq!(answers.cells[..4], answers.cells[12..16], "rows that are alike are answered alike");
/// # Ok::<(), oboro_nets::NetError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct SetNet {
    input: Dense,
    features: Dense,
    blocks: Vec<Block>,
    row: Dense,
    pool: Dense,
    board: Dense,
}

#[derive(Clone, PartialEq, Debug)]
struct Block {
    own: Dense,
    mean: Dense,
    back: Dense,
}

/// Memory for evaluations, to be used again and again.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct SetScratch {
    rows: Vec<f32>,
    mean: Vec<f32>,
    shared: Vec<f32>,
    inner: Vec<f32>,
    answers: Answers,
}

impl SetNet {
    /// Reads a net for rows of so many numbers, and so many features.
    ///
    /// # Errors
    /// If an array is missing or has another shape.
    pub fn read(tensors: &Tensors, inputs: usize, features: usize) -> Result<SetNet, NetError> {
        let channels = tensors.width("in.bias")?;
        let dense = |name: &str, inputs| Dense::read(tensors, name, [inputs, channels]);
        let last = |name: &str| {
            Dense::read(tensors, name, [channels, tensors.width(&format!("{name}.bias"))?])
        };
        let unbiased = |name: &str, inputs| {
            let weights = tensors.get(name, &[inputs, channels])?.to_vec();
            Ok::<_, NetError>(Dense { weights, bias: vec![0.0; channels] })
        };
        let blocks = tensors.count(".own.bias");
        let block = |number: usize| {
            Ok(Block {
                own: dense(&format!("{number}.own"), channels)?,
                mean: unbiased(&format!("{number}.mean"), channels)?,
                back: dense(&format!("{number}.back"), channels)?,
            })
        };
        Ok(SetNet {
            input: dense("in", inputs)?,
            features: unbiased("in.features", features)?,
            blocks: (0..blocks).map(block).collect::<Result<_, NetError>>()?,
            row: last("row")?,
            pool: dense("pool", channels)?,
            board: last("board")?,
        })
    }

    /// How many numbers it answers for each row, and for all together.
    pub fn outputs(&self) -> [usize; 2] {
        [self.row.bias.len(), self.board.bias.len()]
    }

    /// Evaluates rows, one after the other, and features.
    ///
    /// # Panics
    /// If they have other lengths than the net reads.
    pub fn evaluate<'a>(
        &self,
        rows: &[f32],
        features: &[f32],
        scratch: &'a mut SetScratch,
    ) -> &'a Answers {
        let SetScratch { rows: trunk, mean, shared, inner, answers } = scratch;
        let channels = self.input.bias.len();
        let count = rows.len() / self.input.inputs();
        assert_eq!(rows.len(), count * self.input.inputs(), "whole rows");
        trunk.resize(count * channels, 0.0);
        inner.resize(channels, 0.0);
        shared.resize(channels, 0.0);
        mean.resize(channels, 0.0);

        self.features.apply(features, shared);
        for (from, to) in rows.chunks(self.input.inputs()).zip(trunk.chunks_mut(channels)) {
            self.input.apply(from, to);
            add(to, shared);
            clip(to);
        }
        for block in &self.blocks {
            average(trunk, mean);
            block.mean.apply(mean, shared);
            for row in trunk.chunks_mut(channels) {
                block.own.apply(row, inner);
                add(inner, shared);
                clip(inner);
                block.back.accumulate(inner, row);
                clip(row);
            }
        }
        let [of_row, of_all] = self.outputs();
        answers.cells.resize(count * of_row, 0.0);
        answers.board.resize(of_all, 0.0);
        for (row, to) in trunk.chunks(channels).zip(answers.cells.chunks_mut(of_row)) {
            self.row.apply(row, to);
        }
        average(trunk, mean);
        self.pool.apply(mean, inner);
        clip(inner);
        self.board.apply(inner, &mut answers.board);
        answers
    }
}

/// The largest value between layers.
const CEILING: f32 = 8.0;

fn clip(values: &mut [f32]) {
    for x in values {
        *x = x.clamp(0.0, CEILING);
    }
}

/// The mean of rows, of which there are as many as fit.
fn average(rows: &[f32], mean: &mut [f32]) {
    mean.fill(0.0);
    let count = rows.len() / mean.len();
    rows.chunks(mean.len()).for_each(|row| add(mean, row));
    for x in mean {
        *x /= count as f32;
    }
}
