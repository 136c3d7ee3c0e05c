//! Ratings on the scale of payoffs.

use crate::bradley_terry::inverse;
use crate::{Confidence, Interval, Moments};
use serde::Serialize;

/// Who met whom, and by how much the first was paid more.
///
/// The expected difference of payoffs of two players is taken for the difference of their ratings, which are fitted by least
/// squares, each meeting weighted by its precision.
///
/// ```
/// use oboro_stats::{Confidence, Moments, PayoffTable};
/// let mut table = PayoffTable::new(3);
/// table.add(0, 1, Moments::from_summary(400, 1.0, 4.0).unwrap());
/// table.add(1, 2, Moments::from_summary(400, 0.5, 4.0).unwrap());
/// let ratings = table.ratings(Confidence::P95).unwrap();
/// let apart = ratings.players[0].payoff - ratings.players[2].payoff; // they never met
/// assert!((apart - 1.5).abs() < 1e-9);
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct PayoffTable {
    players: usize,
    meetings: Vec<(usize, usize, Moments)>,
}

/// What a player is expected to be paid more than an average one, in a game between them.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct PayoffRating {
    /// The estimate.
    pub payoff: f64,
    /// Its interval.
    pub interval: Interval,
}

/// The ratings of all players, in their order; the mean is 0.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct PayoffRatings {
    /// One for each player.
    pub players: Vec<PayoffRating>,
}

impl PayoffTable {
    /// An empty table of so many players.
    pub fn new(players: usize) -> PayoffTable {
        PayoffTable { players, meetings: Vec::new() }
    }

    /// Adds the differences of payoffs of two players, one for each independent deal.
    ///
    /// # Panics
    /// If either is not below the number of players.
    pub fn add(&mut self, player: usize, opponent: usize, differences: Moments) {
        assert!(player.max(opponent) < self.players, "a player of the table");
        self.meetings.push((player, opponent, differences));
    }

    /// The ratings; `None` if somebody has not met the others, not even through third ones, in two deals or more.
    pub fn ratings(&self, confidence: Confidence) -> Option<PayoffRatings> {
        // A meeting without any variance still leaves some doubt.
        const LEAST: f64 = 1e-6;
        let n = self.players;
        let mean = 1.0 / n as f64;
        // The weights of the meetings, with the mean of all ratings held at 0.
        let mut weights = vec![vec![mean; n]; n];
        let mut sums = vec![0.0; n];
        let mut linked: Vec<usize> = (0..n).collect();
        for &(i, j, differences) in &self.meetings {
            let (Some(mean), Some(variance)) = (differences.mean(), differences.variance()) else {
                continue;
            };
            let weight = differences.n() as f64 / variance.max(LEAST);
            for (player, other, sign) in [(i, j, 1.0), (j, i, -1.0)] {
                weights[player][player] += weight;
                weights[player][other] -= weight;
                sums[player] += sign * weight * mean;
            }
            let (one, other) = (linked[i], linked[j]);
            linked.iter_mut().filter(|group| **group == other).for_each(|group| *group = one);
        }
        if linked.iter().any(|group| *group != linked[0]) {
            return None;
        }
        let covariance = inverse(weights);
        let players = (0..n).map(|i| {
            let payoff = covariance[i].iter().zip(&sums).map(|(share, sum)| share * sum).sum();
            let error = (covariance[i][i] - mean).max(0.0).sqrt();
            PayoffRating { payoff, interval: Interval::around(payoff, confidence.z() * error) }
        });
        Some(PayoffRatings { players: players.collect() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_players_have_half_of_their_difference_each_with_its_error() {
        let mut table = PayoffTable::new(2);
        assert_eq!(table.ratings(Confidence::P95), None);
        table.add(1, 0, Moments::from_summary(100, 2.0, 5.0).unwrap());
        let [first, second] = table.ratings(Confidence::P95).unwrap().players[..] else {
            panic!("two players");
        };
        assert!((second.payoff - 1.0).abs() < 1e-9 && (first.payoff + 1.0).abs() < 1e-9);
        // The difference has a standard error of 0.5, each rating half of that.
        assert!((second.interval.high - 1.0 - 0.25 * 1.96).abs() < 1e-3, "{second:?}");
    }

    #[test]
    fn precise_meetings_weigh_more() {
        let mut table = PayoffTable::new(3);
        table.add(0, 1, Moments::from_summary(10_000, 1.0, 1.0).unwrap());
        table.add(1, 2, Moments::from_summary(10_000, 1.0, 1.0).unwrap());
        table.add(0, 2, Moments::from_summary(4, -5.0, 10.0).unwrap());
        let players = table.ratings(Confidence::P95).unwrap().players;
        let apart = players[0].payoff - players[2].payoff;
        assert!((apart - 2.0).abs() < 0.01, "{apart}");
    }
}
