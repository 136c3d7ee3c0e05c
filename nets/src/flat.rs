use crate::dense::{Dense, add};
use crate::tensors::{NetError, Tensors};

/// A residual net over a list of numbers, for games without a board: a linear map, blocks of two linear maps whose result is
/// added to what went in, and a last linear map. Values between layers are not negative.
///
/// Everything is added up in the order of the inputs and nothing is fused, so that every processor gets the same bits.
///
/// ```
/// use oboro_nets::{FlatNet, FlatScratch, Tensors};
///
/// // A net that reads 62 numbers.
/// let file = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/tiny-flat.safetensors"));
/// let net = FlatNet::read(&Tensors::read(file)?, 62)?;
/// let mut scratch = FlatScratch::default();
/// assert_eq!(net.evaluate(&[0.5; 62], &mut scratch).len(), net.outputs());
/// # Ok::<(), oboro_nets::NetError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct FlatNet {
    input: Dense,
    blocks: Vec<[Dense; 2]>,
    board: Dense,
}

/// Memory for evaluations, to be used again and again.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct FlatScratch {
    trunk: Vec<f32>,
    inner: Vec<f32>,
    change: Vec<f32>,
    answers: Vec<f32>,
}

impl FlatNet {
    /// Reads a net for so many numbers.
    ///
    /// # Errors
    /// If an array is missing or has another shape.
    pub fn read(tensors: &Tensors, inputs: usize) -> Result<FlatNet, NetError> {
        let channels = tensors.width("in.bias")?;
        let inner = |name: &str| Dense::read(tensors, name, [channels, channels]);
        let block = |number: usize| {
            Ok([inner(&format!("{number}.first"))?, inner(&format!("{number}.second"))?])
        };
        let blocks = tensors.count(".first.bias");
        Ok(FlatNet {
            input: Dense::read(tensors, "in", [inputs, channels])?,
            blocks: (0..blocks).map(block).collect::<Result<_, NetError>>()?,
            board: Dense::read(tensors, "board", [channels, tensors.width("board.bias")?])?,
        })
    }

    /// How many numbers it answers.
    pub fn outputs(&self) -> usize {
        self.board.bias.len()
    }

    /// Evaluates a list of numbers.
    ///
    /// # Panics
    /// If there are more or fewer than the net reads.
    pub fn evaluate<'a>(&self, inputs: &[f32], scratch: &'a mut FlatScratch) -> &'a [f32] {
        let FlatScratch { trunk, inner, change, answers } = scratch;
        let channels = self.input.bias.len();
        for layer in [&mut *trunk, &mut *inner, &mut *change] {
            layer.resize(channels, 0.0);
        }
        answers.resize(self.outputs(), 0.0);
        self.input.apply(inputs, trunk);
        clip(trunk);
        for [first, second] in &self.blocks {
            first.apply(trunk, inner);
            clip(inner);
            second.apply(inner, change);
            add(trunk, change);
            clip(trunk);
        }
        self.board.apply(trunk, answers);
        answers
    }
}

fn clip(values: &mut [f32]) {
    for x in values {
        *x = x.max(0.0);
    }
}
