//! Measured numbers with their uncertainty.

use crate::measure::{Filter, MeasureError, Value, select};
use crate::{GameResult, Match};
use oboro_stats::distribution::normal_upper;
use oboro_stats::{
    Confidence, Correlation, Interval, Moments, Rate, design_effect, predict_correlation,
    predict_mean, predict_share,
};
use serde::Serialize;

/// The numbers of some games.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Observed {
    /// One a game.
    pub(crate) values: Vec<f64>,
    /// The deal of each: games of one deal are not independent.
    pub(crate) deals: Vec<u64>,
    /// The range that they can lie in, if there is one.
    pub(crate) range: Option<Interval>,
}

impl Observed {
    /// A number of each of the games that pass all conditions, where they have it.
    pub(crate) fn new(
        games: &[GameResult],
        games_per_deal: u64,
        value: &Value,
        filters: &[Filter],
    ) -> Result<Observed, MeasureError> {
        let mut observed = Observed { range: value.range(games), ..Observed::default() };
        for game in select(games, filters)? {
            if let Some(value) = value.of(game)? {
                observed.values.push(value);
                observed.deals.push(game.n / games_per_deal);
            }
        }
        Ok(observed)
    }
}

/// A measured number with its uncertainty.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Estimate {
    /// The mean, the rate or the correlation.
    pub value: f64,
    /// Its 95 % interval: Wilson's for a rate and for a mean of numbers that lie in a range, which it does not leave;
    /// Student's for any other mean, Fisher's for a correlation. Its unit is a deal where games share one.
    /// `None` for a single value.
    pub interval: Option<Interval>,
    /// How many games it rests on; of a correlation, how many pairs.
    pub n: u64,
    #[serde(skip)]
    sample: Sample,
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Sample {
    /// A rate, seen in as many independent trials as the games are worth.
    Share {
        share: f64,
        trials: f64,
    },
    /// A mean of as many independent values as the games are worth.
    Mean {
        moments: Moments,
        range: Option<Interval>,
        /// Whether no value was negative: then no count of moves is shown to be.
        is_positive: bool,
    },
    Correlation(Correlation),
}

/// Where a published number should lie, and whether one that is off would have been noticed.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Prediction {
    /// Where it should lie.
    pub interval: Interval,
    /// The difference worth telling: two standard errors of the published number, but at least one point of a rate and
    /// at most ten. For a mean a point is a fortieth of the standard deviation of a single game; for a correlation it is 0.01, and
    /// the most is 0.25.
    pub yardstick: f64,
    /// The probability that a number that is off by the yardstick lies outside.
    pub power: f64,
    /// Where it should lie before rounding, and before the range of what is possible has its say.
    spread: Interval,
    middle: f64,
}

impl Prediction {
    /// How far a number printed in steps of `step` is from ours, in standard errors of the difference: 1.96 at either end of the
    /// interval. What rounding may have added is taken off.
    pub fn z(&self, published: f64, step: f64) -> f64 {
        /// As far as anybody cares; numbers without any spread would be infinitely far.
        const MOST: f64 = 99.0;
        let off = published - self.middle;
        let distance = (off.abs() - step / 2.0).max(0.0);
        let reach =
            if off < 0.0 { self.middle - self.spread.low } else { self.spread.high - self.middle };
        let z =
            if distance <= 1e-12 { 0.0 } else { Confidence::P95.z() * distance / reach.max(1e-12) };
        z.min(MOST).copysign(off)
    }
}

impl Estimate {
    /// The estimate from one number a game, independent of each other; `None` without any. Numbers that are all 0
    /// or 1 are a rate.
    pub fn new(values: &[f64]) -> Option<Estimate> {
        let deals = (0..values.len() as u64).collect();
        Estimate::of(&Observed { values: values.to_vec(), deals, range: None })
    }

    /// What a match measures: a number of each of its games that pass all conditions; `None` without any.
    ///
    /// # Errors
    /// If its games have no such number.
    pub fn measure(
        the_match: &Match,
        games: &[GameResult],
        value: &Value,
        filters: &[Filter],
    ) -> Result<Option<Estimate>, MeasureError> {
        value.check(the_match)?;
        filters.iter().try_for_each(|filter| filter.check(the_match))?;
        let games_per_deal = the_match.seating().games_per_deal(the_match.agents().len());
        Ok(Estimate::of(&Observed::new(games, games_per_deal, value, filters)?))
    }

    /// The estimate from the numbers of games; `None` without any. Numbers that are all 0 or 1 are a rate.
    pub(crate) fn of(observed: &Observed) -> Option<Estimate> {
        const CONFIDENCE: Confidence = Confidence::P95;
        let Observed { values, deals, range } = observed;
        let n = values.len() as u64;
        let effect = design_effect(values, deals);
        let moments: Moments = values.iter().copied().collect();
        let value = moments.mean()?;
        let thinned = moments.thinned(effect);
        if let Some(rate) = rate_of(values) {
            let all = Interval { low: 0.0, high: 1.0 };
            let interval = if effect > 1.0 { thinned.within(all, CONFIDENCE) } else { None };
            let interval = interval.unwrap_or_else(|| rate.wilson(CONFIDENCE));
            let share = rate.value()?;
            let sample = Sample::Share { share, trials: n as f64 / effect };
            return Some(Estimate { value: share, interval: Some(interval), n, sample });
        }
        let within = range.and_then(|range| thinned.within(range, CONFIDENCE));
        let student = || thinned.estimate(CONFIDENCE).and_then(|estimate| estimate.interval);
        let interval = if n > 1 { within.or_else(student) } else { None };
        let is_positive = values.iter().all(|value| *value >= 0.0);
        let interval = interval.map(|interval| above_zero(interval, is_positive));
        let sample = Sample::Mean { moments: thinned, range: *range, is_positive };
        Some(Estimate { value, interval, n, sample })
    }

    /// A correlation as an estimate; its sample is the pairs.
    pub(crate) fn of_correlation(found: Correlation) -> Estimate {
        Estimate {
            value: found.r,
            interval: Some(found.interval),
            n: found.n,
            sample: Sample::Correlation(found),
        }
    }

    /// Where a published number of a sample of `n`, printed in steps of `step`, should lie if it was
    /// drawn as ours was.
    pub fn predict(&self, n: u64, step: f64) -> Option<Prediction> {
        const CONFIDENCE: Confidence = Confidence::P95;
        let all = |low: f64| Some(Interval { low, high: 1.0 });
        let (interval, range) = match &self.sample {
            Sample::Share { share, trials } => {
                let counts = (share * trials, (1.0 - share) * trials);
                (predict_share(counts, n, step, CONFIDENCE)?, all(0.0))
            }
            Sample::Mean { moments, range, .. } => {
                (predict_mean(moments, n, step, CONFIDENCE)?, *range)
            }
            Sample::Correlation(found) => {
                (predict_correlation(*found, n, step, CONFIDENCE)?, all(-1.0))
            }
        };
        let spread = interval.widened(-step / 2.0);
        let two_errors = 2.0 / (n as f64).sqrt();
        let (yardstick, power) = match &self.sample {
            Sample::Share { share, trials } => {
                // As Jeffreys has it, so that none of a few games is not taken for a precise rate.
                let share = (share * trials + 0.5) / (trials + 1.0);
                let deviation = (share * (1.0 - share)).sqrt();
                let yardstick = (two_errors * deviation).clamp(ONE_POINT, TEN_POINTS);
                let error = deviation * (1.0 / trials + 1.0 / n as f64).sqrt();
                (yardstick, power(yardstick / (CONFIDENCE.z() * error)))
            }
            // In standard deviations, so that a few equal values are not taken for a precise mean.
            Sample::Mean { moments, .. } => {
                let yardstick = two_errors.clamp(FORTIETH, QUARTER);
                let error = (1.0 / moments.n() as f64 + 1.0 / n as f64).sqrt();
                let power = power(yardstick / (CONFIDENCE.z() * error));
                (yardstick * moments.sd().unwrap_or_default(), power)
            }
            Sample::Correlation(_) => {
                let yardstick = two_errors.clamp(ONE_POINT, QUARTER);
                // The farther end.
                let reach = (spread.high - self.value).max(self.value - spread.low);
                (yardstick, power(yardstick / reach))
            }
        };
        let interval = range.map_or(interval, |range| Interval {
            low: interval.low.max(range.low),
            high: interval.high.min(range.high),
        });
        let interval = match &self.sample {
            Sample::Mean { is_positive, .. } => above_zero(interval, *is_positive),
            Sample::Share { .. } | Sample::Correlation(_) => interval,
        };
        Some(Prediction { interval, yardstick, power, spread, middle: self.value })
    }
}

/// The least difference of a rate that is worth telling, however large a paper's sample is.
const ONE_POINT: f64 = 0.01;

/// A difference of a rate that is always worth telling, however small a paper's sample is.
const TEN_POINTS: f64 = 0.1;

/// The same of a mean, in standard deviations of a single game: ten points are a quarter of that of a rate of 20 or 80 %,
/// and one point a fortieth. A quarter is also the most of a correlation.
const QUARTER: f64 = 0.25;
const FORTIETH: f64 = 0.025;

/// An interval without what lies below zero, where nothing does.
fn above_zero(interval: Interval, is_positive: bool) -> Interval {
    let low = if is_positive { interval.low.max(0.0) } else { interval.low };
    Interval { low, ..interval }
}

/// The probability that a number is found outside of an interval if it is off by so many times the distance from its
/// middle to its end, both in normal errors.
fn power(times: f64) -> f64 {
    normal_upper(Confidence::P95.z() * (1.0 - times))
}

/// The rate behind numbers that are all 0 or 1.
pub(crate) fn rate_of(values: &[f64]) -> Option<Rate> {
    let is_answer = |value: &&f64| **value == 0.0 || **value == 1.0;
    if !values.iter().all(|value| is_answer(&value)) {
        return None;
    }
    Rate::new(values.iter().filter(|&&value| value == 1.0).count() as u64, values.len() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    const UNIT: Interval = Interval { low: 0.0, high: 1.0 };

    fn observed(values: &[f64], games_per_deal: usize, range: Option<Interval>) -> Observed {
        let deals = (0..values.len()).map(|i| (i / games_per_deal) as u64).collect();
        Observed { values: values.to_vec(), deals, range }
    }

    #[test]
    fn rates_are_told_from_means() {
        let rate = Estimate::new(&[1.0, 0.0, 0.0, 1.0]).unwrap();
        assert!(matches!(rate.sample, Sample::Share { share: 0.5, trials: 4.0 }));
        let mean = Estimate::new(&[1.0, 0.5]).unwrap();
        assert!(matches!(mean.sample, Sample::Mean { .. }));
        assert!(Estimate::new(&[]).is_none());
        assert_eq!(Estimate::new(&[0.3]).unwrap().interval, None);
    }

    /// Twenty games, one of them lost and one drawn, once read 0.925 (0.817 to 1.033).
    #[test]
    fn intervals_of_shares_stay_within_what_is_possible() {
        let values = [vec![1.0; 18], vec![0.5, 0.0]].concat();
        let free = Estimate::of(&observed(&values, 1, None)).unwrap();
        assert!(free.interval.unwrap().high > 1.0, "what it was: {free:?}");
        let bounded = Estimate::of(&observed(&values, 1, Some(UNIT))).unwrap();
        let interval = bounded.interval.unwrap();
        assert!(interval.high <= 1.0 && interval.low > 0.7, "{bounded:?}");
        let expected = bounded.predict(20, 0.01).unwrap().interval;
        assert!(expected.high <= 1.0 && expected.low >= 0.0, "{expected:?}");
        let never = Estimate::new(&[0.0; 10]).unwrap().predict(20, 0.1).unwrap().interval;
        assert_eq!(never.low, 0.0);
    }

    /// A few games of 3 to 170 moves once had an interval of −15.8 to 130.3 of them.
    #[test]
    fn counts_are_never_negative_in_an_interval() {
        let moves = Estimate::new(&[3.0, 20.0, 31.0, 170.0]).unwrap();
        assert_eq!(moves.interval.unwrap().low, 0.0);
        assert_eq!(moves.predict(4, 0.1).unwrap().interval.low, 0.0);
        let gains = Estimate::new(&[-3.0, 20.0, 31.0, 170.0]).unwrap();
        assert!(gains.interval.unwrap().low < 0.0);
    }

    #[test]
    fn games_of_one_deal_count_as_far_as_they_differ() {
        let singles = [1.0, 0.0, 0.0, 1.0, 0.5, 1.0, 0.0, 0.5, 0.0, 1.0, 0.5, 1.0];
        let twice: Vec<f64> = singles.iter().flat_map(|value| [*value, *value]).collect();
        let width = |observed: &Observed| {
            let interval = Estimate::of(observed).unwrap().interval.unwrap();
            interval.high - interval.low
        };
        let once = width(&observed(&singles, 1, Some(UNIT)));
        let paired = width(&observed(&twice, 2, Some(UNIT)));
        let unpaired = width(&observed(&twice, 1, Some(UNIT)));
        assert!((paired / once - 1.0).abs() < 0.06, "{paired} {once}");
        assert!(unpaired < 0.8 * once, "{unpaired} {once}");
        let rate: Vec<f64> = [1.0, 1.0, 0.0, 0.0].repeat(10);
        assert!(width(&observed(&rate, 2, None)) > 1.3 * width(&observed(&rate, 1, None)));
    }

    #[test]
    fn power_is_a_half_where_the_yardstick_reaches_the_end_of_the_interval() {
        let even = |n: usize| Estimate::new(&[0.0, 1.0].repeat(n / 2)).unwrap();
        let power = |ours: usize, n| even(ours).predict(n, 0.0).unwrap().power;
        // Two standard errors of a paper's 1 000 games are 3.2 points: ours must hardly add to its chance.
        assert!(power(1000, 1000) < 0.5 && power(20_000, 1000) < 0.5, "both samples count");
        assert!(power(40_000, 1000) > 0.5);
        // A paper's 30 000 rounds tell one point, and so must ours.
        assert!(power(30_000, 30_000) > 0.5 && power(3000, 30_000) < 0.5);
        // However many games of ours: 25 of a paper's do not tell ten points.
        assert!(power(200_000, 25) < 0.5);
        let rounded = even(40_000).predict(1000, 1.0).unwrap().power;
        assert!((rounded - power(40_000, 1000)).abs() < 1e-9, "rounding does not count");
        assert!(Estimate::new(&[0.0; 10]).unwrap().predict(1000, 0.0).unwrap().power < 0.5);
        // A mean is judged by the sizes alone: four games that all took ten turns say little.
        let turns = |n: usize| Estimate::new(&vec![10.0; n]).unwrap().predict(100, 0.1).unwrap();
        assert!(turns(4).power < 0.2 && turns(4000).power > 0.5);
    }

    #[test]
    fn z_is_the_critical_value_at_the_ends_of_the_interval() {
        let ours = Estimate::new(&[0.0, 1.0].repeat(5000)).unwrap();
        for (n, step) in [(110, 0.01), (10_000, 0.0), (30, 0.1)] {
            let predicted = ours.predict(n, step).unwrap();
            for end in [predicted.interval.low, predicted.interval.high] {
                let z = predicted.z(end, step);
                assert!((z.abs() - Confidence::P95.z()).abs() < 1e-6, "{n} {step}: {z}");
            }
            assert_eq!(predicted.z(0.5 + step / 2.0, step), 0.0, "what rounding explains");
        }
        assert!(ours.predict(100, 0.0).unwrap().z(0.4, 0.0) < 0.0, "the sign says which way");
        let same = Estimate::new(&[10.0; 9]).unwrap().predict(100, 0.0).unwrap();
        assert_eq!(same.z(11.0, 0.0), 99.0, "no spread at all");
    }
}
