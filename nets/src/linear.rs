use crate::tensors::{NetError, Tensors};

/// Outputs that are summed together.
const EIGHT: usize = 8;

/// A linear map in floating point, summed in the order of its inputs.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Linear {
    /// By eight outputs, then by input; beyond the last output there are zeros.
    weights: Vec<[f32; EIGHT]>,
    pub(crate) bias: Vec<f32>,
    inputs: usize,
}

impl Linear {
    pub(crate) fn read(tensors: &Tensors, name: &str, inputs: usize) -> Result<Linear, NetError> {
        let outputs = tensors.any(&format!("{name}.bias"))?.values.len();
        let bias = tensors.get(&format!("{name}.bias"), &[outputs])?.to_vec();
        let weights = tensors.get(&format!("{name}.weight"), &[inputs, outputs])?;
        let eight = |first: usize, input: usize| {
            let weight =
                |output| if output < outputs { weights[input * outputs + output] } else { 0.0 };
            std::array::from_fn(|i| weight(first + i))
        };
        let firsts = (0..outputs).step_by(EIGHT);
        let weights = firsts.flat_map(|first| (0..inputs).map(move |input| eight(first, input)));
        Ok(Linear { weights: weights.collect(), bias, inputs })
    }

    /// Adds its outputs to the list.
    pub(crate) fn apply(&self, inputs: &[f32], out: &mut Vec<f32>) {
        let inputs = &inputs[..self.inputs];
        for (block, bias) in self.bias.chunks(EIGHT).enumerate() {
            let mut first = [0.0; EIGHT];
            first[..bias.len()].copy_from_slice(bias);
            let weights = &self.weights[block * inputs.len()..][..inputs.len()];
            out.extend_from_slice(&sums(first, inputs, weights)[..bias.len()]);
        }
    }
}

/// Eight sums, from what they begin with. By itself, since otherwise each would be kept in memory on its own and not in vectors.
#[inline(never)]
fn sums(mut sums: [f32; EIGHT], inputs: &[f32], weights: &[[f32; EIGHT]]) -> [f32; EIGHT] {
    let weights = &weights[..inputs.len()];
    for input in 0..inputs.len() {
        for i in 0..EIGHT {
            sums[i] += inputs[input] * weights[input][i];
        }
    }
    sums
}
