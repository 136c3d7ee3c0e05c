/// Round numbers along an axis.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Ticks {
    /// Where they are, rising.
    pub(crate) values: Vec<f64>,
    labels: Labels,
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Labels {
    /// With so many decimals.
    Decimals(usize),
    /// In millions.
    Millions(usize),
    /// The values are logarithms to base ten.
    Powers,
}

impl Ticks {
    /// Ticks that enclose `low` to `high`, about `wanted` of them, in steps of 1, 2 or 5 times a power of ten.
    /// `whole` keeps the steps whole numbers.
    pub(crate) fn around(low: f64, high: f64, wanted: usize, whole: bool) -> Ticks {
        let (low, high) = if high > low { (low, high) } else { (low - 0.5, low + 0.5) };
        let rough = (high - low) / wanted.max(1) as f64;
        let mut exponent = libm::floor(libm::log10(rough)) as i32;
        let mut power = libm::pow(10.0, f64::from(exponent));
        if whole && power < 1.0 {
            (exponent, power) = (0, 1.0);
        }
        // Dividing by a power of ten keeps 0.3 from becoming 0.30000000000000004.
        let factor = [1.0, 2.0, 5.0, 10.0]
            .into_iter()
            .find(|factor| factor * power >= rough * (1.0 - 1e-9))
            .unwrap_or(10.0);
        if factor == 10.0 {
            exponent += 1;
        }
        let step = factor * power;
        let (first, last) = (libm::floor(low / step + 1e-9), libm::ceil(high / step - 1e-9));
        let count = (last - first) as i64;
        let inverse = libm::round(1.0 / step);
        let exact = |k: f64| if step < 1.0 { k / inverse } else { k * step };
        Ticks {
            values: (0..=count).map(|i| exact(first + i as f64)).collect(),
            labels: match exponent {
                ..0 => Labels::Decimals(exponent.unsigned_abs() as usize),
                0..5 if low.abs().max(high.abs()) < 1e6 => Labels::Decimals(0),
                _ => Labels::Millions((6 - exponent).max(1) as usize),
            },
        }
    }

    /// Ticks of a logarithmic axis that enclose `low` to `high`, both above nought, as logarithms: 1, 2 and 5 times each
    /// power of ten, or the powers alone where those would crowd.
    pub(crate) fn logarithmic(low: f64, high: f64) -> Ticks {
        let ends = (libm::floor(libm::log10(low) + 1e-9), libm::ceil(libm::log10(high) - 1e-9));
        let steps: &[f64] = if ends.1 - ends.0 > 4.0 { &[1.0] } else { &[1.0, 2.0, 5.0] };
        let powers = (ends.0 as i32)..=(ends.1 as i32);
        let all: Vec<f64> = powers
            .flat_map(|power| {
                steps.iter().map(move |step| step * libm::pow(10.0, f64::from(power)))
            })
            .collect();
        let first = all.iter().rposition(|v| *v <= low * (1.0 + 1e-9)).unwrap_or(0);
        let last = all.iter().position(|v| *v >= high * (1.0 - 1e-9)).unwrap_or(all.len() - 1);
        let last = last.max(first + 1).min(all.len() - 1);
        Ticks {
            values: all[first..=last].iter().map(|v| libm::log10(*v)).collect(),
            labels: Labels::Powers,
        }
    }

    /// The ends.
    pub(crate) fn range(&self) -> (f64, f64) {
        (self.values[0], self.values[self.values.len() - 1])
    }

    /// A tick's label, with as many digits as its neighbours.
    pub(crate) fn label(&self, value: f64) -> String {
        match self.labels {
            Labels::Millions(decimals) => format!("{:.decimals$} M", value / 1e6).replace('-', "−"),
            Labels::Decimals(decimals) => format!("{value:.decimals$}").replace('-', "−"),
            Labels::Powers => {
                let number = libm::pow(10.0, value);
                if number < 1.0 { format!("{number:.3}") } else { format!("{number:.0}") }
            }
        }
    }
}

/// A straight map from numbers to pixels.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Scale {
    domain: (f64, f64),
    pixels: (f64, f64),
}

impl Scale {
    pub(crate) fn new(domain: (f64, f64), pixels: (f64, f64)) -> Scale {
        Scale { domain, pixels }
    }

    /// Where a number lies, in pixels.
    pub(crate) fn at(&self, value: f64) -> f64 {
        let ((a, b), (p, q)) = (self.domain, self.pixels);
        p + (value - a) / (b - a) * (q - p)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_enclose_the_data() {
        let labels = |low, high, wanted, whole| {
            let ticks = Ticks::around(low, high, wanted, whole);
            ticks.values.iter().map(|v| ticks.label(*v)).collect::<Vec<_>>()
        };
        assert_eq!(labels(0.72, 1.67, 5, false), ["0.6", "0.8", "1.0", "1.2", "1.4", "1.6", "1.8"]);
        assert_eq!(labels(0.0, 23.0, 4, true), ["0", "10", "20", "30"]);
        assert_eq!(labels(0.0, 2.0, 5, true), ["0", "1", "2"]);
        assert_eq!(labels(-0.02, 0.013, 4, false), ["−0.02", "−0.01", "0.00", "0.01", "0.02"]);
        assert_eq!(labels(5.0, 5.0, 2, false), ["4.5", "5.0", "5.5"]);
        assert_eq!(labels(-5.7e6, -4.9e6, 3, false), ["−6.0 M", "−5.5 M", "−5.0 M", "−4.5 M"]);
        assert_eq!(
            labels(-7.655e6, -7.602e6, 3, false),
            ["−7.66 M", "−7.64 M", "−7.62 M", "−7.60 M"]
        );
        assert_eq!(labels(0.0, 30_000.0, 3, false), ["0", "10000", "20000", "30000"]);
    }

    #[test]
    fn logarithmic_ticks_are_round_numbers_too() {
        let labels = |low, high| {
            let ticks = Ticks::logarithmic(low, high);
            ticks.values.iter().map(|v| ticks.label(*v)).collect::<Vec<_>>()
        };
        assert_eq!(labels(50.0, 4000.0), ["50", "100", "200", "500", "1000", "2000", "5000"]);
        assert_eq!(labels(30.0, 30.0), ["20", "50"]);
        assert_eq!(labels(1.0, 1e6).len(), 7);
    }

    #[test]
    fn every_tick_lies_inside_the_axis_and_steps_are_equal() {
        for (low, high) in [(0.0, 1.0), (0.113, 0.114), (-7.3, 91.0), (1e-7, 3e-6), (0.0, 1e9)] {
            let ticks = Ticks::around(low, high, 5, false);
            let (first, last) = ticks.range();
            assert!(first <= low + 1e-12 && high <= last + 1e-12 * high.abs(), "{low} {high}");
            assert!((3..=12).contains(&ticks.values.len()), "{low} {high}: {ticks:?}");
            let step = ticks.values[1] - ticks.values[0];
            for pair in ticks.values.windows(2) {
                assert!(((pair[1] - pair[0]) / step - 1.0).abs() < 1e-6);
            }
        }
    }

    #[test]
    fn a_scale_maps_ends_to_ends() {
        let scale = Scale::new((10.0, 20.0), (100.0, 0.0));
        assert_eq!([10.0, 15.0, 20.0].map(|v| scale.at(v)), [100.0, 50.0, 0.0]);
    }
}
