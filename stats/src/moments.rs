use serde::Serialize;

/// A running mean and variance (Welford), in one pass and without keeping the values.
///
/// The same values pushed in the same order give the same bits. Merging is not quite pushing in
/// floating point, so work spread over threads must be cut into blocks that do not depend on the
/// number of threads, and the blocks merged in game order.
///
/// ```
/// use oboro_stats::Moments;
/// let points: Moments = [2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0].into_iter().collect();
/// assert_eq!(points.mean(), Some(5.0));
/// assert_eq!(points.variance(), Some(32.0 / 7.0));
/// ```
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct Moments {
    n: u64,
    mean: f64,
    /// The sum of the squared distances from the mean.
    squares: f64,
}

impl Moments {
    /// The moments a paper prints; `None` unless the mean is finite and the standard deviation
    /// (with n − 1) finite and not negative, and 0 where n is below 2.
    pub fn from_summary(n: u64, mean: f64, sd: f64) -> Option<Moments> {
        let usable = mean.is_finite() && sd.is_finite() && sd >= 0.0 && (n >= 2 || sd == 0.0);
        usable.then(|| Moments { n, mean, squares: sd * sd * n.saturating_sub(1) as f64 })
    }

    /// The moments of so many values fewer as are worth as much as these, of which one value tells only `1 / effect`: see
    /// [`design_effect`](crate::design_effect). Mean and standard deviation stay; an effect of 1 or less changes
    /// nothing.
    #[must_use]
    pub fn thinned(self, effect: f64) -> Moments {
        if !(effect > 1.0 && effect.is_finite() && self.n > 1) {
            return self;
        }
        let n = ((self.n as f64 / effect) as u64).max(1);
        let squares = self.squares * (n - 1) as f64 / (self.n - 1) as f64;
        Moments { n, squares, ..self }
    }

    /// Takes in one more value.
    pub fn push(&mut self, value: f64) {
        self.n += 1;
        let from_old = value - self.mean;
        self.mean += from_old / self.n as f64;
        self.squares += from_old * (value - self.mean);
    }

    /// The moments of these values followed by `other`'s (Chan's formula).
    #[must_use]
    pub fn merged(self, other: Moments) -> Moments {
        if self.n == 0 {
            return other;
        }
        if other.n == 0 {
            return self;
        }
        let n = self.n + other.n;
        let share = other.n as f64 / n as f64;
        let apart = other.mean - self.mean;
        Moments {
            n,
            mean: self.mean + apart * share,
            squares: self.squares + other.squares + apart * apart * self.n as f64 * share,
        }
    }

    /// How many values there were.
    pub fn n(&self) -> u64 {
        self.n
    }

    /// The mean; `None` without values or if one was not finite.
    pub fn mean(&self) -> Option<f64> {
        (self.n > 0 && self.mean.is_finite()).then_some(self.mean)
    }

    /// The variance with n − 1; `None` below two values or if one was not finite.
    pub fn variance(&self) -> Option<f64> {
        (self.n > 1 && self.squares.is_finite()).then(|| self.squares / (self.n - 1) as f64)
    }

    /// The sum of the squared distances from the mean; `None` without values or if one was not finite.
    pub(crate) fn squares(&self) -> Option<f64> {
        (self.n > 0 && self.squares.is_finite()).then_some(self.squares)
    }

    /// The standard deviation with n − 1; `None` like the variance.
    pub fn sd(&self) -> Option<f64> {
        self.variance().map(f64::sqrt)
    }
}

impl Extend<f64> for Moments {
    fn extend<I: IntoIterator<Item = f64>>(&mut self, values: I) {
        values.into_iter().for_each(|value| self.push(value));
    }
}

impl FromIterator<f64> for Moments {
    fn from_iter<I: IntoIterator<Item = f64>>(values: I) -> Moments {
        let mut moments = Moments::default();
        moments.extend(values);
        moments
    }
}
