//! Policies by name, and how far each can be beaten.

use super::cfr::Cfr;
use super::learn::{Learner, Learning};
use super::tree::{Profile, Tree};
use super::value::{best_response, worth};
use oboro_core::{NoParams, Rng, Spec, SpecError, from_pairs};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A policy for small boards, as it is asked for.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Candidate {
    /// [`Profile::uniform`].
    Uniform,
    /// [`Profile::runner`].
    Runner,
    /// [`Profile::pimc`].
    Pimc,
    /// The average of [`Cfr`].
    Cfr(Solving),
    /// What a [`Learner`] has learned.
    Learned(Learning),
}

/// How long regrets are minimised.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Solving {
    /// Iterations.
    pub iterations: u32,
}

impl Default for Solving {
    fn default() -> Solving {
        Solving { iterations: 100 }
    }
}

impl Candidate {
    /// The policy that a spec names.
    ///
    /// # Errors
    /// If there is none of that name, or a parameter is wrong.
    pub fn new(spec: &Spec) -> Result<Candidate, SpecError> {
        let plain = |candidate| {
            from_pairs::<NoParams>(&spec.name, &spec.args, &[]).map(|NoParams {}| candidate)
        };
        match spec.name.as_str() {
            "uniform" => plain(Candidate::Uniform),
            "runner" => plain(Candidate::Runner),
            "pimc" => plain(Candidate::Pimc),
            "cfr" => {
                let how: Solving = from_pairs("cfr", &spec.args, &["iterations"])?;
                if how.iterations == 0 {
                    return Err(SpecError("cfr: iterations=0: at least 1".to_owned()));
                }
                Ok(Candidate::Cfr(how))
            }
            "learned" => {
                let how: Learning = from_pairs("learned", &spec.args, &["games"])?;
                how.validate().map_err(|error| SpecError(format!("learned: {error}")))?;
                Ok(Candidate::Learned(how))
            }
            name => {
                let known = ["uniform", "runner", "pimc", "cfr", "learned"];
                Err(SpecError::unknown("policy for small boards", name, &known))
            }
        }
    }

    /// Computes how far it can be beaten: once, or, while it is solved or learned, again and again,
    /// at steps of about three times as many iterations or games. Only learning draws from `rng`.
    ///
    /// # Errors
    /// If nothing can be learned so.
    pub fn measure(
        &self,
        tree: &Tree,
        rng: Rng,
        mut tell: impl FnMut(Measured),
    ) -> Result<(), SpecError> {
        match *self {
            Candidate::Uniform => tell(Measured::of(tree, &Profile::uniform(tree), None)),
            Candidate::Runner => tell(Measured::of(tree, &Profile::runner(tree), None)),
            Candidate::Pimc => tell(Measured::of(tree, &Profile::pimc(tree), None)),
            Candidate::Cfr(how) => {
                let mut cfr = Cfr::new(tree);
                for after in milestones(how.iterations.into()) {
                    while u64::from(cfr.iterations()) < after {
                        cfr.iterate();
                    }
                    tell(Measured::of(tree, &cfr.average(), Some(after)));
                }
            }
            Candidate::Learned(how) => {
                let mut learner = Learner::new(tree, how, rng)?;
                for after in milestones(how.games) {
                    learner.learn(after);
                    tell(Measured::of(tree, &learner.policy(), Some(after)));
                }
            }
        }
        Ok(())
    }
}

/// How far a policy can be beaten; points a game, a win counted 1 and a draw ½.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Measured {
    /// The iterations or games that it took so far.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<u64>,
    /// What the best opponent scores moving first.
    pub first: f64,
    /// What the best opponent scores moving second.
    pub second: f64,
    /// What it scores above ½ on average of the two.
    pub exploitability: f64,
    /// What the policy scores moving first against itself.
    pub itself: f64,
}

impl Measured {
    /// Of this policy.
    pub fn of(tree: &Tree, policy: &Profile, after: Option<u64>) -> Measured {
        let (first, second) = (best_response(tree, policy, 0), best_response(tree, policy, 1));
        let itself = worth(tree, policy, policy);
        Measured {
            after,
            first,
            second,
            exploitability: f64::midpoint(first, second) - 0.5,
            itself,
        }
    }
}

/// 1, 3, 10, 30 … as far as they are more than a thousandth of the last, and the last.
fn milestones(last: u64) -> Vec<u64> {
    let tens = std::iter::successors(Some(1u64), |ten| ten.checked_mul(10));
    let series = tens.flat_map(|ten| [ten, ten.saturating_mul(3)]);
    let mut chosen: Vec<u64> =
        series.take_while(|&at| at < last).filter(|&at| at > last / 1000).collect();
    chosen.push(last);
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn milestones_end_where_they_should() {
        assert_eq!(milestones(1), [1]);
        assert_eq!(milestones(100), [1, 3, 10, 30, 100]);
        assert_eq!(milestones(2000), [3, 10, 30, 100, 300, 1000, 2000]);
        assert_eq!(milestones(u64::MAX).last(), Some(&u64::MAX));
    }

    #[test]
    fn specs_are_read_and_faults_named() {
        let read = |text: &str| Candidate::new(&text.parse().unwrap());
        assert_eq!(read("cfr:30"), Ok(Candidate::Cfr(Solving { iterations: 30 })));
        let learned = Learning { games: 500, magnet: 0.0, ..Learning::default() };
        assert_eq!(read("learned:500,magnet=0"), Ok(Candidate::Learned(learned)));
        for (bad, said) in [
            ("pimk", "did you mean `pimc`"),
            ("uniform:3", "needs a key"),
            ("cfr:0", "at least 1"),
            ("cfr:x", "iterations=x"),
            ("learned:magnet=-1", "0 to 100"),
            ("learned:trace=2", "0 to 1"),
            ("learned:batch=0", "at least 1"),
            ("learned:batch=4000000000", "up to 1000000"),
            ("learned:units=9", "multiple of 8"),
        ] {
            let error = read(bad).unwrap_err().to_string();
            assert!(error.contains(said), "{bad}: {error}");
        }
    }
}
