use crate::{Confidence, Elo, Interval, Moments, elo_of_score};
use std::collections::BTreeMap;

/// Independent trials, each worth a part of a point from 0 to 1.
///
/// A deal that is played several times, seats rotated, is one trial: its games share the luck of the cards, so their
/// mean is what counts.
///
/// ```
/// use oboro_stats::{Confidence, Trials};
/// let deals: Trials = [0.5, 1.0, 0.75, 0.5].into_iter().collect();
/// assert_eq!(deals.share(), Some(0.6875));
/// assert!(deals.interval(Confidence::P95).contains(0.5)); // four deals are few
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Trials {
    /// How often each value occurred, by its bits: of numbers that are not negative those rise with the value.
    counts: BTreeMap<u64, u64>,
    moments: Moments,
}

impl Trials {
    /// Takes in a trial; a value outside of 0 to 1 counts as the nearer end, and NaN is left out.
    pub fn push(&mut self, value: f64) {
        if !value.is_nan() {
            let value = value.clamp(0.0, 1.0) + 0.0; // no negative nought
            *self.counts.entry(value.to_bits()).or_default() += 1;
            self.moments.push(value);
        }
    }

    /// How many trials.
    pub fn n(&self) -> u64 {
        self.moments.n()
    }

    /// The mean; `None` without trials.
    pub fn share(&self) -> Option<f64> {
        self.moments.mean()
    }

    /// The interval of the mean, [`Moments::within`] 0 and 1; all of that without trials.
    pub fn interval(&self, confidence: Confidence) -> Interval {
        let all = Interval { low: 0.0, high: 1.0 };
        self.moments.within(all, confidence).unwrap_or(all)
    }

    /// The Elo difference that the mean speaks for, if a share of `fair` is expected of equals; `None` without trials,
    /// or if `fair` is not strictly between 0 and 1.
    ///
    /// Where one side has more seats than the other, a fair share is not a half. If the winner is drawn with
    /// probabilities in proportion to the seats' strengths, a side's odds are those of its number of seats times those
    /// of its strength; so the Elo points of the fair share are taken off.
    ///
    /// ```
    /// use oboro_stats::{Confidence, Trials};
    /// let won: Trials = (0..40).map(|game| f64::from(u8::from(game % 4 == 0))).collect();
    /// let elo = won.elo(0.25, Confidence::P95).unwrap(); // one of four seats won one game in four
    /// assert!(elo.difference.unwrap().abs() < 1e-9);
    /// ```
    pub fn elo(&self, fair: f64, confidence: Confidence) -> Option<Elo> {
        let offset = elo_of_score(fair)?;
        let share = self.share()?;
        let interval = self.interval(confidence);
        let elo = |share: f64| elo_of_score(share).map(|elo| elo - offset);
        Some(Elo { difference: elo(share), low: elo(interval.low), high: elo(interval.high) })
    }

    /// Every value with its count, rising.
    pub(crate) fn values(&self) -> impl Iterator<Item = (f64, u64)> {
        self.counts.iter().map(|(bits, count)| (f64::from_bits(*bits), *count))
    }
}

impl Extend<f64> for Trials {
    fn extend<I: IntoIterator<Item = f64>>(&mut self, values: I) {
        values.into_iter().for_each(|value| self.push(value));
    }
}

impl FromIterator<f64> for Trials {
    fn from_iter<I: IntoIterator<Item = f64>>(values: I) -> Trials {
        let mut trials = Trials::default();
        trials.extend(values);
        trials
    }
}
