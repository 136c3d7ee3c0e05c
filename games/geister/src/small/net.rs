//! A small net for small boards: one hidden layer over inputs of which few are on at a time.

use oboro_core::Rng;

/// The most units a hidden layer may have.
pub(super) const MOST_UNITS: usize = 256;

/// What the hidden layer says; units beyond the net's are 0.
pub(super) type Hidden = [f32; MOST_UNITS];

/// ObservationBuffer that are learned, with what Adam remembers of their gradients.
#[derive(Clone, Debug)]
pub(super) struct Weights {
    pub(super) values: Vec<f32>,
    /// Uphill, summed since the last step.
    pub(super) gradient: Vec<f32>,
    first: Vec<f32>,
    second: Vec<f32>,
    /// How far the means of gradients are from their start, which is 0.
    decays: [f32; 2],
}

impl Weights {
    pub(super) fn new(values: Vec<f32>) -> Weights {
        let zeros = vec![0.0; values.len()];
        Weights {
            values,
            gradient: zeros.clone(),
            first: zeros.clone(),
            second: zeros,
            decays: [1.0; 2],
        }
    }

    /// A step of Adam up the mean gradient of so many samples.
    pub(super) fn climb(&mut self, rate: f32, samples: usize) {
        self.decays = [self.decays[0] * 0.9, self.decays[1] * 0.999];
        let [first_scale, second_scale] = self.decays.map(|decay| 1.0 / (1.0 - decay));
        let share = 1.0 / samples.max(1) as f32;
        let moments = self.first.iter_mut().zip(&mut self.second);
        let each = self.values.iter_mut().zip(&mut self.gradient).zip(moments);
        for ((value, gradient), (first, second)) in each {
            let g = std::mem::take(gradient) * share;
            *first = 0.9 * *first + 0.1 * g;
            *second = 0.999 * *second + 0.001 * g * g;
            *value += rate * (*first * first_scale) / ((*second * second_scale).sqrt() + 1e-6);
        }
    }
}

/// The net. Its weights lie input by input, then the hidden biases, then output by output, then
/// the output biases.
#[derive(Clone, Debug)]
pub(super) struct Net {
    inputs: usize,
    units: usize,
    outputs: usize,
    pub(super) weights: Weights,
}

impl Net {
    /// A net whose answers are near 0 as yet.
    pub(super) fn new(inputs: usize, units: usize, outputs: usize, rng: &mut Rng) -> Net {
        let count = (inputs + 1) * units + outputs * (units + 1);
        let mut values = vec![0.0; count];
        // About a dozen inputs are on at a time.
        let spread = |rng: &mut Rng, width: f32| width * (2.0 * rng.unit() as f32 - 1.0);
        values[..inputs * units].fill_with(|| spread(rng, 0.5));
        let last = (inputs + 1) * units;
        values[last..last + outputs * units].fill_with(|| spread(rng, 0.01));
        Net { inputs, units, outputs, weights: Weights::new(values) }
    }

    fn input(&self, number: usize) -> usize {
        number * self.units
    }

    fn output(&self, number: usize) -> usize {
        (self.inputs + 1) * self.units + number * self.units
    }

    fn output_bias(&self, number: usize) -> usize {
        self.output(self.outputs) + number
    }

    /// The hidden layer, when these inputs are on.
    pub(super) fn hidden(&self, inputs: &[u16]) -> Hidden {
        let mut hidden = [0.0; MOST_UNITS];
        let layer = &mut hidden[..self.units];
        let values = &self.weights.values;
        layer.copy_from_slice(&values[self.input(self.inputs)..][..self.units]);
        for &input in inputs {
            let row = &values[self.input(input.into())..][..self.units];
            layer.iter_mut().zip(row).for_each(|(sum, weight)| *sum += weight);
        }
        for sum in layer {
            *sum = sum.max(0.0);
        }
        hidden
    }

    /// One answer.
    pub(super) fn answer(&self, hidden: &Hidden, output: usize) -> f32 {
        let row = &self.weights.values[self.output(output)..][..self.units];
        // Eight sums side by side: the same on every processor, and quick on most.
        let mut sums = [0.0; 8];
        let (rows, rest) = row.as_chunks::<8>();
        for (weights, units) in rows.iter().zip(hidden.as_chunks::<8>().0) {
            (0..8).for_each(|i| sums[i] += weights[i] * units[i]);
        }
        debug_assert!(rest.is_empty(), "the number of units is a multiple of eight");
        sums.iter().sum::<f32>() + self.weights.values[self.output_bias(output)]
    }

    /// Adds the gradient of some outputs, each with how much it should grow.
    pub(super) fn learn(
        &mut self,
        inputs: &[u16],
        hidden: &Hidden,
        outputs: impl Iterator<Item = (usize, f32)>,
    ) {
        let mut back = [0.0; MOST_UNITS];
        let units = self.units;
        for (output, push) in outputs {
            let at = self.output(output);
            let bias = self.output_bias(output);
            let Weights { values, gradient, .. } = &mut self.weights;
            gradient[bias] += push;
            let rows = values[at..at + units].iter().zip(&mut gradient[at..at + units]);
            for ((weight, slope), (unit, back)) in rows.zip(hidden.iter().zip(&mut back)) {
                *slope += push * unit;
                *back += push * weight;
            }
        }
        for (back, unit) in back.iter_mut().zip(hidden) {
            *back = if *unit > 0.0 { *back } else { 0.0 };
        }
        let biases = self.inputs as u16;
        for &input in inputs.iter().chain([&biases]) {
            let at = self.input(input.into());
            let row = &mut self.weights.gradient[at..at + units];
            row.iter_mut().zip(&back).for_each(|(slope, back)| *slope += back);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gradients_are_those_of_small_changes() {
        let mut rng = Rng::from_u64(5);
        let mut net = Net::new(6, 16, 3, &mut rng);
        let inputs = [1, 4, 5];
        let pushes = [(0, 0.7), (2, -1.3)];
        let score = |net: &Net| -> f32 {
            let hidden = net.hidden(&inputs);
            pushes.iter().map(|&(output, push)| push * net.answer(&hidden, output)).sum()
        };
        let hidden = net.hidden(&inputs);
        net.learn(&inputs, &hidden, pushes.into_iter());
        for at in 0..net.weights.values.len() {
            let mut moved = net.clone();
            moved.weights.values[at] += 0.01;
            let slope = (score(&moved) - score(&net)) / 0.01;
            let said = net.weights.gradient[at];
            assert!((slope - said).abs() < 0.01, "weight {at}: {slope}, not {said}");
        }
    }

    #[test]
    fn climbing_goes_up() {
        let mut weights = Weights::new(vec![0.0; 2]);
        for _ in 0..2000 {
            weights.gradient =
                weights.values.iter().zip([3.0, -1.0]).map(|(v, top)| top - v).collect();
            weights.climb(0.01, 1);
        }
        assert!((weights.values[0] - 3.0).abs() < 0.1 && (weights.values[1] + 1.0).abs() < 0.1);
    }
}
