use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What somebody thinks of one hidden thing: what it is about, and how likely each possibility is.
///
/// Subjects and values are short texts that the game's scenes use too, so that a screen can put a
/// belief where the thing lies: in Geister the piece `1:E` is `red` or `blue`, in Sevens the card `S8` is in
/// the hand of seat `2`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Belief {
    /// What it is about.
    pub subject: String,
    /// The possibilities, each with its probability; the probabilities add up to 1.
    pub values: Vec<Likelihood>,
}

/// One possibility and its probability.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Likelihood {
    /// What may be so.
    pub value: String,
    /// How likely it is, from 0 to 1.
    pub probability: f64,
}

impl Belief {
    /// A belief from weights, which are scaled to add up to 1. Without any weight all values are as
    /// likely as each other.
    pub fn weighted<V: ToString>(
        subject: &(impl ToString + ?Sized),
        weights: impl IntoIterator<Item = (V, f64)>,
    ) -> Belief {
        let mut values: Vec<Likelihood> = weights
            .into_iter()
            .map(|(value, weight)| Likelihood {
                value: value.to_string(),
                probability: if weight.is_finite() { weight.max(0.0) } else { 0.0 },
            })
            .collect();
        let total: f64 = values.iter().map(|v| v.probability).sum();
        let even = 1.0 / values.len().max(1) as f64;
        for value in &mut values {
            value.probability = if total > 0.0 { value.probability / total } else { even };
        }
        Belief { subject: subject.to_string(), values }
    }

    /// The probability it gives to a value; 0 for one it does not name.
    pub fn probability(&self, value: &str) -> f64 {
        self.values.iter().find(|v| v.value == value).map_or(0.0, |v| v.probability)
    }

    /// The Brier score where `truth` is so: the squared error over all values, 0 the best and 2 the worst.
    pub fn brier(&self, truth: &str) -> f64 {
        let named: f64 = self
            .values
            .iter()
            .map(|v| (v.probability - f64::from(u8::from(v.value == truth))).powi(2))
            .sum();
        // A truth that was not thought of has probability 0.
        let missed = self.values.iter().all(|v| v.value != truth);
        named + f64::from(u8::from(missed))
    }

    /// The log loss in nats where `truth` is so, with probabilities kept above one in a million so that one
    /// sure error does not count for ever.
    pub fn log_loss(&self, truth: &str) -> f64 {
        const LEAST: f64 = 1e-6;
        -libm::log(self.probability(truth).max(LEAST))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forecasts_are_scored_by_the_formulas() {
        let belief = Belief::weighted("1:A", [("red", 3.0), ("blue", 1.0)]);
        assert_eq!(belief.probability("red"), 0.75);
        assert_eq!(belief.brier("red"), 0.125);
        assert_eq!(belief.brier("blue"), 1.125);
        assert_eq!(belief.brier("green"), 0.625 + 1.0);
        assert!((belief.log_loss("blue") - 1.386_294_361_119_890_6).abs() < 1e-12);
        assert!(belief.log_loss("green") < 14.0);
    }

    #[test]
    fn no_weight_at_all_means_even_odds() {
        let belief = Belief::weighted(&7, [(0, 0.0), (1, f64::NAN)]);
        assert_eq!(belief.probability("0"), 0.5);
    }
}
