//! What was inferred, and what may be said of it.

use oboro_stats::Confidence;
use serde::{Deserialize, Serialize};

/// What was inferred of an experiment: the readings that fit its printed numbers best, and what they leave unexplained.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Inference {
    /// The experiment.
    pub experiment: String,
    /// Its title.
    pub title: String,
    /// The seed of its games.
    pub seed: String,
    /// How many games were played for it.
    pub games: u64,
    /// How many readings were judged.
    pub readings: u64,
    /// The stages, in order.
    pub stages: Vec<StageReport>,
    /// Games of each match from which the numbers are predicted; they judged nobody.
    pub confirmed_by: u64,
    /// By how much errors were widened so that the best reading is off by no more than chance explains; 1 if it was not.
    pub birge_ratio: f64,
    /// The open choices with what was inferred of them.
    pub choices: Vec<ChoicePosterior>,
    /// The printed numbers, those held out last.
    pub numbers: Vec<NumberReport>,
    /// The readings that were confirmed, the best first.
    pub best: Vec<ReadingReport>,
    /// Where the reading stands that the experiment itself plays; `None` in results of older versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub played: Option<PlayedReading>,
}

/// What printed numbers say of a choice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Identification {
    /// One of its values, given that one of the readings that were judged is right.
    Identified,
    /// Nothing, because no reading fits: even the best is off by far more than chance explains.
    NoReadingFits,
    /// No single value.
    Open,
}

/// Above this Birge's ratio no reading fits.
const NO_FIT: f64 = 2.0;

/// What a value's probability must come to.
const SETTLED: f64 = 0.95;

/// By how much its odds must have grown.
const BAYES_FACTOR: f64 = 3.0;

impl Inference {
    /// By how many readings of equal weight the probabilities would be as uncertain: 1/Σw². Readings that were judged last
    /// but not confirmed count as one with all their weight.
    pub fn effective_readings(&self) -> f64 {
        let weights = self.best.iter().map(|reading| reading.posterior);
        let rest = (1.0 - weights.clone().sum::<f64>()).max(0.0);
        let squares: f64 = weights.chain([rest]).map(|weight| weight * weight).sum();
        if squares > 0.0 { 1.0 / squares } else { 0.0 }
    }

    /// Whether every combination of values was judged by all games: then the probabilities are no sample of them.
    fn is_complete(&self) -> bool {
        let combinations: f64 = self.choices.iter().map(|c| c.values.len() as f64).product();
        self.stages.last().is_some_and(|stage| stage.readings as f64 >= combinations)
    }

    /// What the printed numbers say of a choice. A value is *identified* if some reading fits (Birge's ratio at most 2), its
    /// probability is 0.95 or more, and that is clearly away from its prior: its odds are at least three times those before, and
    /// the lower end of the probability's 95 % interval (Wilson's, by [`effective_readings`](Self::effective_readings)) is above
    /// one half and above the prior. Where every combination was judged to the end, the probability is no sample and has no
    /// such interval.
    pub fn identification(&self, choice: &ChoicePosterior) -> Identification {
        let sample = if self.is_complete() { f64::INFINITY } else { self.effective_readings() };
        let is_clear = |value: &ValuePosterior| {
            let (low, odds) = (lower_end(value.posterior, sample), |p: f64| p / (1.0 - p));
            value.posterior >= SETTLED
                && odds(value.posterior) >= BAYES_FACTOR * odds(value.prior)
                && low > f64::max(0.5, value.prior)
        };
        match (self.birge_ratio > NO_FIT, choice.values.iter().any(is_clear)) {
            (true, _) => Identification::NoReadingFits,
            (false, true) => Identification::Identified,
            (false, false) => Identification::Open,
        }
    }

    /// The printed numbers that no confirmed reading explains.
    pub fn unexplained(&self) -> impl Iterator<Item = &NumberReport> {
        self.numbers.iter().filter(|number| number.explained_by == 0)
    }
}

/// The lower end of Wilson's 95 % interval of a share of a sample of so many.
fn lower_end(share: f64, n: f64) -> f64 {
    if n.is_infinite() {
        return share;
    }
    let z = Confidence::P95.z();
    let z2 = z * z;
    let spread = z * (share * (1.0 - share) * n + z2 / 4.0).max(0.0).sqrt();
    (share * n + z2 / 2.0 - spread) / (n + z2)
}

/// Where the reading stands that the experiment itself plays. It is judged in every stage and confirmed, however it fits.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct PlayedReading {
    /// The reading.
    pub reading: ReadingReport,
    /// Whether it has a weight. Where readings are drawn from the prior, one that was not drawn has none.
    pub is_weighed: bool,
    /// Its place by χ² in the last stage; 1 is the best.
    pub rank: u64,
    /// Among how many.
    pub of: u64,
}

/// A stage of an inference.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct StageReport {
    /// How many readings it judged.
    pub readings: u64,
    /// By how many games of each match.
    pub games: u64,
    /// By how many printed numbers.
    pub numbers: u64,
    /// χ² of the best of them.
    pub best_chi_square: f64,
    /// How many it kept.
    pub kept: u64,
}

/// An open choice with what was inferred of it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ChoicePosterior {
    /// What it is called.
    pub name: String,
    /// Where the text leaves it open.
    pub open: String,
    /// What the text says.
    pub quote: String,
    /// Its values.
    pub values: Vec<ValuePosterior>,
}

impl ChoicePosterior {
    /// Its values, the likeliest first.
    pub fn likeliest(&self) -> Vec<&ValuePosterior> {
        let mut values: Vec<&ValuePosterior> = self.values.iter().collect();
        values.sort_by(|a, b| b.posterior.total_cmp(&a.posterior));
        values
    }
}

/// A value of an open choice.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ValuePosterior {
    /// The value.
    pub value: String,
    /// Its probability before any game.
    pub prior: f64,
    /// Its probability given the printed numbers, over the readings of the last stage.
    pub posterior: f64,
}

/// A printed number beside the prediction of the readings.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct NumberReport {
    /// Its table.
    pub table: String,
    /// Its row.
    pub row: String,
    /// Its cell.
    pub cell: String,
    /// Whether it judged no reading.
    pub held_out: bool,
    /// As printed.
    pub published: String,
    /// That of the best reading.
    pub ours: f64,
    /// The ends of its 95 % interval.
    pub low: Option<f64>,
    /// The ends of its 95 % interval.
    pub high: Option<f64>,
    /// How many games it rests on.
    pub n: u64,
    /// How far the two are apart, in standard errors of the difference.
    pub z: f64,
    /// The predictive probability of a number at least as far out as the printed one, on either side, over the confirmed
    /// readings by their weights.
    pub p: f64,
    /// How many of the confirmed readings have it within their 95 %.
    pub explained_by: u64,
    /// Of how many.
    pub of: u64,
}

/// A reading that was confirmed.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ReadingReport {
    /// Its values, one a choice.
    pub values: Vec<String>,
    /// Its probability given the printed numbers.
    pub posterior: f64,
    /// χ² of the games that judged it.
    pub judged_chi_square: f64,
    /// The numbers for fitting, by games that judged nobody.
    pub fitted: Fit,
    /// The numbers held out.
    pub held_out: Fit,
}

/// How well a reading fits some numbers.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Fit {
    /// How many.
    pub numbers: u64,
    /// How many of them lie where 95 of 100 samples of the paper's size would.
    pub inside: u64,
    /// χ² of all.
    pub chi_square: f64,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An inference of one choice of two values, by the weights of the confirmed readings.
    fn inference(
        birge_ratio: f64,
        weights: &[f64],
        judged: u64,
        values: [(f64, f64); 2],
    ) -> Inference {
        let fit = Fit { numbers: 1, inside: 1, chi_square: 1.0 };
        let best = weights.iter().map(|weight| ReadingReport {
            values: vec!["a".to_owned()],
            posterior: *weight,
            judged_chi_square: 1.0,
            fitted: fit,
            held_out: fit,
        });
        let values = values.into_iter().zip(["a", "b"]).map(|((prior, posterior), value)| {
            ValuePosterior { value: value.to_owned(), prior, posterior }
        });
        let choice = ChoicePosterior {
            name: "order".to_owned(),
            open: "1".to_owned(),
            quote: "…".to_owned(),
            values: values.collect(),
        };
        Inference {
            experiment: "toy".to_owned(),
            title: "toy".to_owned(),
            seed: "1".to_owned(),
            games: 1,
            readings: 100,
            stages: vec![StageReport {
                readings: judged,
                games: 1,
                numbers: 1,
                best_chi_square: 1.0,
                kept: weights.len() as u64,
            }],
            confirmed_by: 1,
            birge_ratio,
            choices: vec![choice],
            numbers: vec![],
            best: best.collect(),
            played: None,
        }
    }

    #[test]
    fn a_choice_is_identified_only_clearly_away_from_its_prior_given_the_sampling() {
        let found = |birge, weights: &[f64], values| {
            let inference = inference(birge, weights, 1, values);
            inference.identification(&inference.choices[0])
        };
        let clear = [(0.5, 0.99), (0.5, 0.01)];
        let many = [0.1; 10];
        assert_eq!(found(1.3, &many, clear), Identification::Identified);
        assert_eq!(
            found(1.3, &[0.6, 0.3, 0.1], clear),
            Identification::Open,
            "two readings say it"
        );
        assert_eq!(found(1.3, &many, [(0.5, 0.9), (0.5, 0.1)]), Identification::Open);
        assert_eq!(found(3.3, &many, clear), Identification::NoReadingFits);
        let believed_before = [(0.98, 0.99), (0.02, 0.01)];
        assert_eq!(found(1.0, &many, believed_before), Identification::Open, "as it was before");
    }

    #[test]
    fn probabilities_over_all_combinations_are_no_sample() {
        let both = inference(1.0, &[1.0], 2, [(0.5, 0.99), (0.5, 0.01)]);
        assert_eq!(both.identification(&both.choices[0]), Identification::Identified);
        for prior in [0.995, 0.98] {
            let before = inference(1.0, &[1.0], 2, [(prior, 0.99), (1.0 - prior, 0.01)]);
            let found = before.identification(&before.choices[0]);
            assert_eq!(found, Identification::Open, "as good as known before: {prior}");
        }
    }

    #[test]
    fn effective_readings_count_the_rest_as_one() {
        let of = |weights: &[f64]| inference(1.0, weights, 1, [(0.5, 0.5); 2]).effective_readings();
        assert!((of(&[0.25; 4]) - 4.0).abs() < 1e-9);
        assert!((of(&[1.0]) - 1.0).abs() < 1e-9);
        assert!((of(&[0.5]) - 2.0).abs() < 1e-9, "{}", of(&[0.5]));
        assert!((lower_end(1.0, 10.0) - 10.0 / (10.0 + 3.8415)).abs() < 1e-3);
        assert!(lower_end(0.97, 0.0).abs() < 1e-9);
    }
}
