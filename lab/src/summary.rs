use crate::{Duel, GameResult, Match, Numbers, Value};
use oboro_core::Scoring;
use oboro_stats::{Confidence, Difference, Elo, Interval, Moments, Score};
use serde::Serialize;

/// What a match came to.
///
/// The unit of every interval is a deal, not a game: where a deal is played in all rotations its games
/// are averaged first, since they share the luck of the cards.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Summary {
    /// The game.
    pub game: String,
    /// Rule options that differ from the defaults.
    pub rules: String,
    /// The seed.
    pub seed: String,
    /// Games played.
    pub games: u64,
    /// What decides who is stronger: games won, or payoffs.
    pub counts: Scoring,
    /// Every different agent.
    pub entrants: Vec<EntrantSummary>,
    /// The first entrant's mean payoff less the second's, for two entrants.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub difference: Option<Difference>,
    /// Games in which the first of two entrants scored more, the same, or less, where both have as many seats.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<Score>,
    /// The share of wins that the first of two entrants would have if they were equal, where it has more seats or
    /// fewer: its Elo is counted from there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fair_wins: Option<f64>,
    /// The first entrant's Elo above the second's, for two entrants.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub elo: Option<Elo>,
    /// Mean actions a game.
    pub plies: f64,
    /// The mean of each fact that the rules declare for a whole game, in the order declared.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub facts: Vec<FactSummary>,
}

/// What a match came to in one fact of its games.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct FactSummary {
    /// The name of the fact.
    pub name: String,
    /// What it counts.
    pub about: String,
    /// Its mean a game.
    pub value: MeanWithInterval,
}

/// What a match came to for one agent.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct EntrantSummary {
    /// Its canonical spec.
    pub agent: String,
    /// How many seats it had.
    pub seats: usize,
    /// Its mean payoff a seat.
    pub payoff: MeanWithInterval,
    /// Its mean share of wins a game.
    pub wins: MeanWithInterval,
}

/// A mean and its 95 % interval, where there is one.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct MeanWithInterval {
    /// The mean; 0 without games.
    pub mean: f64,
    /// Its interval; `None` below two deals.
    pub interval: Option<Interval>,
}

impl MeanWithInterval {
    /// The mean of one number a deal. Where they lie in a range, the interval does too.
    fn new(deals: &[f64], range: Option<Interval>) -> MeanWithInterval {
        let moments: Moments = deals.iter().copied().collect();
        let within = range.and_then(|range| moments.within(range, Confidence::P95));
        let student = || moments.estimate(Confidence::P95).and_then(|e| e.interval);
        MeanWithInterval {
            mean: moments.mean().unwrap_or(0.0),
            interval: if moments.n() > 1 { within.or_else(student) } else { None },
        }
    }
}

impl Summary {
    /// Sums up the games of a match.
    pub fn new(the_match: &Match, results: &[GameResult]) -> Summary {
        let seats = the_match.agents().len();
        let per_deal = the_match.seating().games_per_deal(seats) as usize;
        let per_unit = |value: &dyn Fn(&GameResult) -> Option<f64>| -> Vec<f64> {
            results
                .chunks(per_deal)
                .filter_map(|deal| {
                    let games: Vec<f64> = deal.iter().filter_map(value).collect();
                    (!games.is_empty()).then(|| games.iter().sum::<f64>() / games.len() as f64)
                })
                .collect()
        };
        let range = |value: &str| value.parse::<Value>().ok()?.range(results);
        let payoffs = |entrant: usize| per_unit(&|game| game.mean_of(&game.payoffs, entrant));
        let entrants: Vec<EntrantSummary> = the_match
            .entrants()
            .iter()
            .enumerate()
            .map(|(entrant, agent)| EntrantSummary {
                agent: agent.clone(),
                seats: the_match.agents().iter().filter(|a| *a == agent).count(),
                payoff: MeanWithInterval::new(&payoffs(entrant), range("payoff[0]")),
                wins: MeanWithInterval::new(
                    &per_unit(&|game| Some(game.win_share(entrant))),
                    range("win[a]"),
                ),
            })
            .collect();
        let declared = the_match.rules().facts().iter().filter(|fact| !fact.per_seat);
        let facts = declared.map(|fact| FactSummary {
            name: fact.name.to_owned(),
            about: fact.about.to_owned(),
            value: MeanWithInterval::new(
                &per_unit(&|game| match game.facts.get(fact.name) {
                    Some(Numbers::Game(value)) => Some(*value),
                    _ => None,
                }),
                None,
            ),
        });
        let facts = facts.collect();
        let duel = Duel::of(the_match, results);
        Summary {
            game: the_match.rules().game().to_owned(),
            rules: the_match.rules().changed(),
            seed: the_match.seed().to_string(),
            games: results.len() as u64,
            counts: the_match.rules().scoring(),
            difference: duel
                .as_ref()
                .and_then(|_| oboro_stats::paired(&payoffs(0), &payoffs(1), Confidence::P95)),
            score: duel.as_ref().and_then(Duel::score),
            fair_wins: duel
                .as_ref()
                .filter(|duel| !duel.is_even() && duel.scoring() == Scoring::Outcomes)
                .map(Duel::fair),
            elo: duel.as_ref().and_then(Duel::elo),
            plies: results
                .iter()
                .map(|game| f64::from(game.plies))
                .collect::<Moments>()
                .mean()
                .unwrap_or(0.0),
            entrants,
            facts,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Twenty games of ten deals, one game lost, once read 0.950 (0.837 to 1.063).
    #[test]
    fn a_share_of_few_deals_stays_between_none_and_all() {
        let deals = [vec![1.0; 9], vec![0.5]].concat();
        let student = MeanWithInterval::new(&deals, None).interval.unwrap();
        assert_eq!(format!("{:.3} to {:.3}", student.low, student.high), "0.837 to 1.063");
        let range = Some(Interval { low: 0.0, high: 1.0 });
        let share = MeanWithInterval::new(&deals, range);
        let interval = share.interval.unwrap();
        assert_eq!(share.mean, 0.95);
        assert_eq!(format!("{:.3} to {:.3}", interval.low, interval.high), "0.758 to 0.991");
        let swept = MeanWithInterval::new(&[1.0; 10], range).interval.unwrap();
        assert!(swept.low < 0.8 && swept.high == 1.0, "ten deals are no certainty: {swept:?}");
        assert_eq!(MeanWithInterval::new(&[1.0], range).interval, None);
    }
}
