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
/// let ratings = table.ratings(Confidence::P95);
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
    /// Its interval; `None` where the meetings that link the players are of one deal each, which says nothing of chance.
    pub interval: Option<Interval>,
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

    /// The ratings. If somebody has not met the others in two deals or more, not even through third ones, all deals weigh
    /// alike, and there are no intervals; players that have not met at all are rated in groups with a mean of 0 each.
    pub fn ratings(&self, confidence: Confidence) -> PayoffRatings {
        // A meeting without any variance still leaves some doubt.
        const LEAST: f64 = 1e-6;
        let n = self.players;
        let mut groups = self.groups(2);
        let known = groups.iter().all(|group| *group == groups[0]);
        if !known {
            groups = self.groups(1);
        }
        // The weights of the meetings, with the mean of the ratings of each group held at 0.
        let hold = |i: usize, j: usize| {
            let size = groups.iter().filter(|group| **group == groups[i]).count();
            if groups[i] == groups[j] { 1.0 / size as f64 } else { 0.0 }
        };
        let mut weights: Vec<Vec<f64>> =
            (0..n).map(|i| (0..n).map(|j| hold(i, j)).collect()).collect();
        let mut sums = vec![0.0; n];
        for &(i, j, differences) in &self.meetings {
            let variance = if known { differences.variance() } else { Some(1.0) };
            let (Some(mean), Some(variance)) = (differences.mean(), variance) else { continue };
            let weight = differences.n() as f64 / variance.max(LEAST);
            for (player, other, sign) in [(i, j, 1.0), (j, i, -1.0)] {
                weights[player][player] += weight;
                weights[player][other] -= weight;
                sums[player] += sign * weight * mean;
            }
        }
        let covariance = inverse(weights);
        let players = (0..n).map(|i| {
            let payoff = covariance[i].iter().zip(&sums).map(|(share, sum)| share * sum).sum();
            let error = (covariance[i][i] - hold(i, i)).max(0.0).sqrt();
            let interval = known.then(|| Interval::around(payoff, confidence.z() * error));
            PayoffRating { payoff, interval }
        });
        PayoffRatings { players: players.collect() }
    }

    /// By player, the first of those whom it has met in so many deals or more, be it through third ones.
    fn groups(&self, least: u64) -> Vec<usize> {
        let mut groups: Vec<usize> = (0..self.players).collect();
        for (i, j, _) in self.meetings.iter().filter(|(.., differences)| differences.n() >= least) {
            let (one, other) = (groups[*i], groups[*j]);
            groups.iter_mut().filter(|group| **group == other).for_each(|group| *group = one);
        }
        groups
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_players_have_half_of_their_difference_each_with_its_error() {
        let mut table = PayoffTable::new(2);
        let nobody = PayoffRating { payoff: 0.0, interval: None };
        assert_eq!(table.ratings(Confidence::P95).players, [nobody; 2]);
        table.add(1, 0, Moments::from_summary(100, 2.0, 5.0).unwrap());
        let [first, second] = table.ratings(Confidence::P95).players[..] else {
            panic!("two players");
        };
        assert!((second.payoff - 1.0).abs() < 1e-9 && (first.payoff + 1.0).abs() < 1e-9);
        // The difference has a standard error of 0.5, each rating half of that.
        let high = second.interval.unwrap().high;
        assert!((high - 1.0 - 0.25 * 1.96).abs() < 1e-3, "{second:?}");
    }

    #[test]
    fn one_deal_says_who_was_paid_more_and_nothing_of_chance() {
        let mut table = PayoffTable::new(4);
        table.add(0, 1, Moments::from_summary(1, 4.0, 0.0).unwrap());
        table.add(1, 2, Moments::from_summary(300, 1.0, 2.0).unwrap());
        let players = table.ratings(Confidence::P95).players;
        assert!(players.iter().all(|player| player.interval.is_none()));
        let payoffs: Vec<f64> = players.iter().map(|player| player.payoff).collect();
        let apart = |i: usize, j: usize| payoffs[i] - payoffs[j];
        assert!((apart(0, 1) - 4.0).abs() < 1e-9 && (apart(1, 2) - 1.0).abs() < 1e-9);
        assert_eq!(payoffs[3], 0.0, "who has met nobody");
    }

    #[test]
    fn precise_meetings_weigh_more() {
        let mut table = PayoffTable::new(3);
        table.add(0, 1, Moments::from_summary(10_000, 1.0, 1.0).unwrap());
        table.add(1, 2, Moments::from_summary(10_000, 1.0, 1.0).unwrap());
        table.add(0, 2, Moments::from_summary(4, -5.0, 10.0).unwrap());
        let players = table.ratings(Confidence::P95).players;
        let apart = players[0].payoff - players[2].payoff;
        assert!((apart - 2.0).abs() < 0.01, "{apart}");
    }
}
