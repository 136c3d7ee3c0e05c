use oboro_core::{Belief, Fact};

/// How many classes of probability a calibration has.
pub const CLASSES: usize = 10;

/// How good somebody's beliefs were over a game, beside the baseline that only counts what the rules allow.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) struct Scorecard {
    beliefs: u32,
    brier: f64,
    baseline_brier: f64,
    log_loss: f64,
    baseline_log_loss: f64,
    /// By class of the probability given: how often it was given, the sum of it, and how often the thing was so.
    classes: [(u32, f64, u32); CLASSES],
}

/// The names of the facts a calibration is kept in, class by class: times said, mean probability, times so.
const SAID: [&str; CLASSES] = [
    "said-0", "said-1", "said-2", "said-3", "said-4", "said-5", "said-6", "said-7", "said-8",
    "said-9",
];
const SURE: [&str; CLASSES] = [
    "sure-0", "sure-1", "sure-2", "sure-3", "sure-4", "sure-5", "sure-6", "sure-7", "sure-8",
    "sure-9",
];
const TRUE: [&str; CLASSES] = [
    "true-0", "true-1", "true-2", "true-3", "true-4", "true-5", "true-6", "true-7", "true-8",
    "true-9",
];

impl Scorecard {
    /// Scores one belief against the truth, and the baseline with it.
    pub(crate) fn add(&mut self, belief: &Belief, baseline: &Belief, truth: &str) {
        self.beliefs += 1;
        self.brier += belief.brier(truth);
        self.baseline_brier += baseline.brier(truth);
        self.log_loss += belief.log_loss(truth);
        self.baseline_log_loss += baseline.log_loss(truth);
        for value in &belief.values {
            let class = ((value.probability * CLASSES as f64) as usize).min(CLASSES - 1);
            let (said, sum, so) = &mut self.classes[class];
            *said += 1;
            *sum += value.probability;
            *so += u32::from(value.value == truth);
        }
    }

    /// The scorecards of all seats as facts: sums over the beliefs of a game, so that games add up.
    pub(crate) fn facts(cards: &[Scorecard]) -> Vec<Fact> {
        let fact =
            |name, value: &dyn Fn(&Scorecard) -> f64| Fact::seats(name, cards.iter().map(value));
        let mut facts = vec![
            fact("beliefs", &|card| card.beliefs.into()),
            fact("brier", &|card| card.brier),
            fact("brier-by-counting", &|card| card.baseline_brier),
            fact("log-loss", &|card| card.log_loss),
            fact("log-loss-by-counting", &|card| card.baseline_log_loss),
        ];
        for class in 0..CLASSES {
            facts.push(fact(SAID[class], &|card| card.classes[class].0.into()));
            facts.push(fact(SURE[class], &|card| card.classes[class].1));
            facts.push(fact(TRUE[class], &|card| card.classes[class].2.into()));
        }
        facts
    }
}
