//! How good the beliefs of agents were, from the facts of a match that was told to keep them.

use crate::{GameResult, Match, Numbers};
use oboro_catalog::CLASSES;
use oboro_stats::{Confidence, Interval, Moments};
use serde::Serialize;

/// How good the beliefs of one agent were, beside the baseline that only counts what the rules allow.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct BeliefScore {
    /// The agent's canonical spec.
    pub agent: String,
    /// How many beliefs were scored.
    pub beliefs: u64,
    /// Its Brier score, the mean squared error over all values: less is better.
    pub brier: f64,
    /// The score of counting for the same things at the same times.
    pub brier_by_counting: f64,
    /// By how much it is better than counting in a game, with its interval over games; above 0 is better.
    pub gain: f64,
    /// The interval of the gain.
    pub gain_interval: Option<Interval>,
    /// Its log loss in nats.
    pub log_loss: f64,
    /// The log loss of counting.
    pub log_loss_by_counting: f64,
    /// What it said against what was so, by class of probability.
    pub calibration: Vec<Calibrated>,
}

/// One class of probabilities: what was said and how often it was so.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Calibrated {
    /// How often such a probability was given.
    pub said: f64,
    /// The mean of what was given.
    pub probability: f64,
    /// The share of times in which the thing was so.
    pub share: f64,
}

impl BeliefScore {
    /// The forecasts of a match, for every agent that said anything.
    pub fn of(the_match: &Match, results: &[GameResult]) -> Vec<BeliefScore> {
        let entrants = the_match.entrants().iter().enumerate();
        entrants
            .filter_map(|(entrant, agent)| BeliefScore::one(agent, &[(entrant, results)]))
            .collect()
    }

    /// The forecast of an agent in the games of several matches, with its number among the entrants of each; `None` if it
    /// said nothing.
    pub(crate) fn one(agent: &str, matches: &[(usize, &[GameResult])]) -> Option<BeliefScore> {
        let results = || {
            matches.iter().flat_map(|(entrant, games)| games.iter().map(|game| (*entrant, game)))
        };
        // Facts are sums over the beliefs of a game at a seat.
        let in_game = |(entrant, game): (usize, &GameResult), fact: &str| -> f64 {
            let Some(Numbers::Seats(values)) = game.facts.get(fact) else { return 0.0 };
            let seats = game.seats.iter().zip(values);
            seats.filter(|(who, _)| **who == entrant).map(|(_, value)| value).sum()
        };
        let sum = |fact: &str| results().map(|game| in_game(game, fact)).sum::<f64>();
        let beliefs = sum("beliefs");
        if beliefs == 0.0 {
            return None;
        }
        let gains: Moments = results()
            .map(|game| (game, in_game(game, "beliefs")))
            .filter(|(_, count)| *count > 0.0)
            .map(|(game, count)| {
                (in_game(game, "brier-by-counting") - in_game(game, "brier")) / count
            })
            .collect();
        let class = |class: usize| {
            let said = sum(&format!("said-{class}"));
            let mean = |total: f64| if said > 0.0 { total / said } else { 0.0 };
            Calibrated {
                said,
                probability: mean(sum(&format!("sure-{class}"))),
                share: mean(sum(&format!("true-{class}"))),
            }
        };
        Some(BeliefScore {
            agent: agent.to_owned(),
            beliefs: beliefs as u64,
            brier: sum("brier") / beliefs,
            brier_by_counting: sum("brier-by-counting") / beliefs,
            gain: gains.mean().unwrap_or(0.0),
            gain_interval: gains.estimate(Confidence::P95).and_then(|estimate| estimate.interval),
            log_loss: sum("log-loss") / beliefs,
            log_loss_by_counting: sum("log-loss-by-counting") / beliefs,
            calibration: (0..CLASSES).map(class).filter(|class| class.said > 0.0).collect(),
        })
    }
}
