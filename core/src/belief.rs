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

/// How far the probabilities of somebody from outside may be from adding up to 1.
const ROUNDING: f64 = 1e-6;

/// The beginning of somebody's words, in a line.
fn shown(words: &str) -> String {
    words.chars().take(60).map(|c| if c.is_control() { ' ' } else { c }).collect()
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

    /// Checks what somebody from outside believes: it is about one of the secrets, in its words, and a distribution.
    ///
    /// # Errors
    /// What is wrong with it, in a line that names its subject.
    pub fn check(&self, secrets: &[Belief]) -> Result<(), String> {
        let wrong = |said: String| Err(format!("`{}`: {said}", shown(&self.subject)));
        let Some(secret) = secrets.iter().find(|secret| secret.subject == self.subject) else {
            return wrong("it is none of the secrets".to_owned());
        };
        for (n, Likelihood { value, probability }) in self.values.iter().enumerate() {
            let said = shown(value);
            if secret.values.iter().all(|known| known.value != *value) {
                let known = secret.values.iter().map(|known| known.value.as_str());
                let known = known.collect::<Vec<_>>().join(", ");
                return wrong(format!("it cannot be `{said}` (there is: {known})"));
            }
            if self.values[..n].iter().any(|earlier| earlier.value == *value) {
                return wrong(format!("`{said}` is told twice"));
            }
            if !probability.is_finite() || *probability < 0.0 {
                return wrong(format!("the probability of `{said}` is {probability}"));
            }
        }
        let sum = self.values.iter().fold(0.0, |sum, value| sum + value.probability);
        if (sum - 1.0).abs() > ROUNDING {
            return wrong(format!("the probabilities add up to {sum}"));
        }
        Ok(())
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
    fn beliefs_from_outside_are_about_secrets_and_distributions() {
        let secrets = [Belief::weighted("1:A", [("red", 1.0), ("blue", 1.0)])];
        let check = |subject: &str, values: &[(&str, f64)]| {
            let likelihood = |&(value, probability): &(&str, f64)| Likelihood {
                value: value.to_owned(),
                probability,
            };
            let values = values.iter().map(likelihood).collect();
            Belief { subject: subject.to_owned(), values }.check(&secrets)
        };
        assert_eq!(check("1:A", &[("red", 0.25), ("blue", 0.75)]), Ok(()));
        for (subject, values, said) in [
            ("1:\nB", &[("red", 1.0)][..], "`1: B`: it is none of the secrets"),
            ("1:A", &[("green", 1.0)], "`1:A`: it cannot be `green` (there is: red, blue)"),
            ("1:A", &[("red", 0.5), ("red", 0.5)], "`1:A`: `red` is told twice"),
            ("1:A", &[("red", 2.0), ("blue", -1.0)], "`1:A`: the probability of `blue` is -1"),
            ("1:A", &[("red", f64::NAN)], "`1:A`: the probability of `red` is NaN"),
            ("1:A", &[("red", 0.5)], "`1:A`: the probabilities add up to 0.5"),
            ("1:A", &[], "`1:A`: the probabilities add up to 0"),
        ] {
            assert_eq!(check(subject, values), Err(said.to_owned()));
        }
    }

    #[test]
    fn no_weight_at_all_means_even_odds() {
        let belief = Belief::weighted(&7, [(0, 0.0), (1, f64::NAN)]);
        assert_eq!(belief.probability("0"), 0.5);
    }
}
