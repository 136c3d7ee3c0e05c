use crate::tensors::{NetError, Tensors};

/// A linear map in floating point, summed in the order of its inputs: by input, then by output. It has at least one output.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Dense {
    pub(crate) weights: Vec<f32>,
    pub(crate) bias: Vec<f32>,
}

impl Dense {
    pub(crate) fn read(
        tensors: &Tensors,
        name: &str,
        [inputs, outputs]: [usize; 2],
    ) -> Result<Dense, NetError> {
        let bias = tensors.get(&format!("{name}.bias"), &[outputs])?.to_vec();
        let weights = tensors.get(&format!("{name}.weight"), &[inputs, outputs])?.to_vec();
        Ok(Dense { weights, bias })
    }

    pub(crate) fn inputs(&self) -> usize {
        self.weights.len() / self.bias.len()
    }

    pub(crate) fn apply(&self, from: &[f32], to: &mut [f32]) {
        to.fill(0.0);
        self.accumulate(from, to);
    }

    /// Adds the map of `from` to `to`.
    pub(crate) fn accumulate(&self, from: &[f32], to: &mut [f32]) {
        assert_eq!(from.len(), self.inputs(), "as many numbers as the net reads");
        add(to, &self.bias);
        for (&x, weights) in from.iter().zip(self.weights.chunks_exact(self.bias.len())) {
            // Half of all values are clipped to 0.
            if x != 0.0 {
                for (to, weight) in to.iter_mut().zip(weights) {
                    *to += x * weight;
                }
            }
        }
    }
}

pub(crate) fn add(to: &mut [f32], other: &[f32]) {
    to.iter_mut().zip(other).for_each(|(to, x)| *to += x);
}
