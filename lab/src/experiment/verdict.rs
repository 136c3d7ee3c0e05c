use crate::{Estimate, Prediction};
use serde::{Deserialize, Serialize};

/// Whether a published number agrees with ours.
///
/// It is *inside* if it lies where a sample of the paper's own size, drawn as our games were, falls 95 times
/// in a hundred: ours ± 1.96·s·√(1/n + 1/k) for a mean, the beta-binomial quantiles for a rate, each
/// widened by half of the last printed digit. Our own uncertainty is counted in.
///
/// A number that lies inside says little if it would lie there anyway. So it *agrees* only if the two samples could have told
/// it from one that is off by a [yardstick](Prediction::yardstick): if such a one would rather lie outside than inside.
/// Otherwise there are *too few games*, the paper's or ours.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Inside, and one that is off would rather have been outside.
    Agrees,
    /// Outside.
    Differs,
    /// Inside, where even one that is off would rather be: the games, the paper's or ours, are too few to tell.
    TooFewGames,
    /// There are no games yet.
    Open,
}

impl std::fmt::Display for Verdict {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(match self {
            Verdict::Agrees => "agrees",
            Verdict::Differs => "differs",
            Verdict::TooFewGames => "too few games",
            Verdict::Open => "not run",
        })
    }
}

/// A number as a paper printed it.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Published {
    pub(crate) text: String,
    value: f64,
    /// The last printed digit's worth; 0 for counts.
    step: f64,
    pub(crate) n: u64,
}

/// What is found of a published number.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Judged {
    pub(crate) verdict: Verdict,
    pub(crate) prediction: Option<Prediction>,
    pub(crate) z: Option<f64>,
}

impl Published {
    pub(crate) fn parse(text: &str, n: Option<u64>) -> Result<Published, String> {
        let bad = || format!("published = \"{text}\": write a number (0.93) or a count (17/25)");
        if let Some((count, of)) = text.split_once('/') {
            let count: u64 = count.trim().parse().map_err(|_| bad())?;
            let of: u64 = of.trim().parse().map_err(|_| bad())?;
            if of == 0 || count > of {
                return Err(bad());
            }
            let value = count as f64 / of as f64;
            return Ok(Published { text: text.to_owned(), value, step: 0.0, n: of });
        }
        let value: f64 = text.trim().parse().map_err(|_| bad())?;
        if !value.is_finite() {
            return Err(bad());
        }
        let decimals = text.trim().split_once('.').map_or(0, |(_, digits)| digits.len());
        let n = n.ok_or_else(|| {
            format!("published = \"{text}\": from how many games? Set published-n")
        })?;
        let step = libm::pow(10.0, -(decimals as f64));
        Ok(Published { text: text.to_owned(), value, step, n })
    }

    /// What may have been rounded to it.
    pub(super) fn range(&self) -> (f64, f64) {
        (self.value - self.step / 2.0, self.value + self.step / 2.0)
    }

    /// The verdict, where the number should lie, and how far it is from there.
    pub(crate) fn judge(&self, ours: Option<&Estimate>) -> Judged {
        let Some(prediction) = ours.and_then(|ours| ours.predict(self.n, self.step)) else {
            return Judged { verdict: Verdict::Open, prediction: None, z: None };
        };
        // A hair of slack: the bounds are sums of decimals.
        let is_inside = prediction.interval.widened(1e-9).contains(self.value);
        let verdict = match (is_inside, prediction.power >= 0.5) {
            (false, _) => Verdict::Differs,
            (true, true) => Verdict::Agrees,
            (true, false) => Verdict::TooFewGames,
        };
        let z = prediction.z(self.value, self.step);
        Judged { verdict, prediction: Some(prediction), z: Some(z) }
    }
}

/// The number that a paper printed, as a number; `None` for no number.
pub fn published_value(text: &str) -> Option<f64> {
    Published::parse(text, Some(1)).ok().map(|published| published.value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn printed_numbers_carry_their_precision() {
        let parse = |text: &str| Published::parse(text, Some(1000));
        let published = parse("0.93").unwrap();
        assert!((published.step - 0.01).abs() < 1e-12);
        let count = parse("17/25").unwrap();
        assert_eq!((count.value, count.step, count.n), (0.68, 0.0, 25));
        for bad in ["", "x", "3/0", "5/4", "inf"] {
            assert!(parse(bad).is_err(), "{bad}");
        }
        assert!(Published::parse("0.5", None).unwrap_err().contains("published-n"));
    }

    #[test]
    fn verdicts_allow_for_both_samples_and_for_rounding() {
        let ours = Estimate::new(&[0.0, 1.0].repeat(5000)).unwrap();
        let judge =
            |text: &str, n| Published::parse(text, Some(n)).unwrap().judge(Some(&ours)).verdict;
        assert_eq!(judge("0.54", 400), Verdict::Agrees);
        assert_eq!(judge("0.59", 110), Verdict::Agrees);
        assert_eq!(judge("0.62", 110), Verdict::Differs);
        assert_eq!(judge("0.53", 10_000), Verdict::Differs);
        assert_eq!(judge("1", 400), Verdict::Agrees, "printed without decimals, 0.5 may be meant");
        let nothing = Published::parse("0.5", Some(10)).unwrap().judge(None);
        assert_eq!((nothing.verdict, nothing.z), (Verdict::Open, None));
    }

    /// A table whose numbers rested on a few games each once passed for reproduced.
    #[test]
    fn a_few_games_agree_with_nothing() {
        let judge = |values: &[f64], text: &str, n| {
            let ours = Estimate::new(values).unwrap();
            Published::parse(text, Some(n)).unwrap().judge(Some(&ours)).verdict
        };
        assert_eq!(judge(&[0.0; 2], "0.5565", 1000), Verdict::TooFewGames);
        assert_eq!(judge(&[0.0; 4], "0.5565", 1000), Verdict::Differs, "enough to tell these two");
        let many = [0.0, 1.0].repeat(100_000);
        assert_eq!(judge(&many[..1000], "0.51", 1000), Verdict::TooFewGames, "ours");
        assert_eq!(judge(&many, "0.51", 1000), Verdict::Agrees);
        assert_eq!(judge(&many, "14/25", 25), Verdict::TooFewGames, "the paper's games");
        let turns: Vec<f64> = (0..4500).map(|n| 20.0 + f64::from(n % 9)).collect();
        assert_eq!(judge(&turns[..45], "24.1", 100), Verdict::TooFewGames);
        assert_eq!(judge(&turns, "24.1", 100), Verdict::Agrees);
    }
}
