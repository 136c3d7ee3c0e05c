//! Ratings from a cross table, by the model of Bradley and Terry.

use crate::score::ELO_PER_LOGIT;
use crate::{Confidence, Interval, Score, Trials};
use serde::Serialize;

/// Who met whom, and what they made of it.
///
/// ```
/// use oboro_stats::{Confidence, CrossTable, Score};
/// let mut table = CrossTable::new(3);
/// table.add(0, 1, Score { wins: 60, draws: 0, losses: 40 });
/// table.add(1, 2, Score { wins: 70, draws: 0, losses: 30 });
/// let ratings = table.ratings(Confidence::P95);
/// assert!(ratings.identifiable);
/// let top = ratings.difference(0, 2).unwrap(); // they never met
/// assert_eq!(top.elo.round(), 218.0);
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct CrossTable {
    players: usize,
    meetings: Vec<Meeting>,
}

/// What two players made of some games.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Meeting {
    player: usize,
    opponent: usize,
    /// The log odds of the first if both were equally strong.
    head_start: f64,
    /// How many independent trials there were.
    trials: f64,
    /// How many points the first made of them.
    won: f64,
    /// The sum of the squares of the points, where trials can be worth any part of a point.
    squares: Option<f64>,
}

impl Meeting {
    fn lost(&self) -> f64 {
        self.trials - self.won
    }

    /// How much the points vary around their expectation, where the first is expected to make `p` of a point: for games
    /// as the model says, for trials as they did, with one more of full variance, so that a few equal ones leave
    /// some doubt.
    fn spread(&self, p: f64) -> f64 {
        let full = p * (1.0 - p);
        match self.squares {
            None => self.trials * full,
            Some(squares) => squares - 2.0 * p * self.won + self.trials * p * p + full,
        }
    }
}

/// A rating, or a difference of two, in Elo points.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Rating {
    /// The estimate.
    pub elo: f64,
    /// Its interval.
    pub interval: Interval,
}

/// The ratings of all players of a cross table.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Ratings {
    /// The players' ratings, in their order; the mean is 0.
    pub players: Vec<Rating>,
    /// Whether the results alone determine the ratings: every player has scored against, and lost
    /// points to, every other, at least through others. If not, one virtual draw of each player
    /// against an average one was added, and differences between `groups` say little more than
    /// which side is stronger, if that.
    pub identifiable: bool,
    /// The players in groups within which the results determine the differences; one group if
    /// identifiable.
    pub groups: Vec<Vec<usize>>,
    /// The covariance of the ratings, in squared Elo points.
    #[serde(skip)]
    covariance: Vec<Vec<f64>>,
    #[serde(skip)]
    confidence: Confidence,
}

impl CrossTable {
    /// An empty table of so many players.
    pub fn new(players: usize) -> CrossTable {
        CrossTable { players, meetings: Vec::new() }
    }

    /// How many players.
    pub fn players(&self) -> usize {
        self.players
    }

    /// Adds independent games of `player` against `opponent`; games against oneself say nothing and are left
    /// out.
    ///
    /// # Panics
    /// If either is not below the number of players.
    pub fn add(&mut self, player: usize, opponent: usize, score: Score) {
        self.push(Meeting {
            player,
            opponent,
            head_start: 0.0,
            trials: score.n() as f64,
            won: score.points(),
            squares: None,
        });
    }

    /// Adds trials of `player` against `opponent`, such as deals that were played several times. Equals would make a
    /// share of `fair` of them: a half, but for sides with more seats or fewer (see [`Trials::elo`]).
    ///
    /// # Panics
    /// If either is not below the number of players, or `fair` is not strictly between 0 and 1.
    pub fn add_trials(&mut self, player: usize, opponent: usize, trials: &Trials, fair: f64) {
        assert!(fair > 0.0 && fair < 1.0, "a fair share is a part of the whole");
        let total = |value: fn(f64) -> f64| -> f64 {
            trials.values().map(|(points, count)| value(points) * count as f64).sum()
        };
        self.push(Meeting {
            player,
            opponent,
            head_start: libm::log(fair / (1.0 - fair)),
            trials: trials.n() as f64,
            won: total(|points| points),
            squares: Some(total(|points| points * points)),
        });
    }

    /// Adds a part of a game of `player` against `opponent`, of which the first made `points`, from 0 to 1. At a table of
    /// k everybody meets k−1 others at once: with a weight of 1/(k−1) each, the table counts as one game for everybody
    /// who sat there, and not as k−1 independent ones.
    ///
    /// # Panics
    /// If either is not below the number of players, or a number is out of its range.
    pub fn add_part(&mut self, player: usize, opponent: usize, points: f64, weight: f64) {
        assert!((0.0..=1.0).contains(&points), "points are a part of the whole");
        assert!(weight > 0.0 && weight <= 1.0, "a weight is a part of a game");
        let won = points * weight;
        self.push(Meeting {
            player,
            opponent,
            head_start: 0.0,
            trials: weight,
            won,
            squares: None,
        });
    }

    fn push(&mut self, meeting: Meeting) {
        let Meeting { player, opponent, trials, .. } = meeting;
        assert!(player < self.players && opponent < self.players, "players are numbered from 0");
        if player != opponent && trials > 0.0 {
            self.meetings.push(meeting);
        }
    }

    /// The most likely ratings, with mean 0.
    ///
    /// The model: `i` makes a point against `j` with odds `exp(rᵢ − rⱼ)`, times those of a fair share where that
    /// is not a half. The likelihood, draws counted as half a win for each side, is climbed by Newton's method. The
    /// intervals of games that were added as scores come from the inverse Fisher information; as a draw there
    /// weighs like a decided game, they are somewhat too wide where many games are drawn. Those of trials come from
    /// how much the trials varied (the sandwich estimator), so games that share a deal are not taken for
    /// independent ones.
    ///
    /// The likelihood has a highest point only if the players cannot be split in two groups of
    /// which one never made a point against the other (Ford's condition). Otherwise each player
    /// gets one virtual draw against a player of rating 0, which keeps all ratings finite, and
    /// [`Ratings::identifiable`] is false.
    pub fn ratings(&self, confidence: Confidence) -> Ratings {
        let groups = self.groups();
        let identifiable = groups.len() <= 1;
        let prior = if identifiable { 0.0 } else { 1.0 };
        let (logits, mut covariance) = self.climb(prior);

        // Ratings count from their own mean, and so must their covariance.
        centre(&mut covariance);
        for entry in covariance.iter_mut().flatten() {
            *entry *= ELO_PER_LOGIT * ELO_PER_LOGIT;
        }
        let mean = logits.iter().sum::<f64>() / logits.len().max(1) as f64;
        let players = logits
            .iter()
            .enumerate()
            .map(|(i, logit)| {
                Rating::new((logit - mean) * ELO_PER_LOGIT, covariance[i][i], confidence)
            })
            .collect();
        Ratings { players, identifiable, groups, covariance, confidence }
    }

    /// The players in groups whose members have all made points against each other, at least
    /// through other members (the strongly connected components of "made a point against").
    fn groups(&self) -> Vec<Vec<usize>> {
        let n = self.players();
        let mut reaches = vec![vec![false; n]; n];
        for meeting in &self.meetings {
            reaches[meeting.player][meeting.opponent] |= meeting.won > 0.0;
            reaches[meeting.opponent][meeting.player] |= meeting.lost() > 0.0;
        }
        for through in 0..n {
            let onwards = reaches[through].clone();
            for row in &mut reaches {
                if row[through] {
                    row.iter_mut().zip(&onwards).for_each(|(to, &on)| *to |= on);
                }
            }
        }
        let mut groups: Vec<Vec<usize>> = Vec::new();
        for (i, forth) in reaches.iter().enumerate() {
            let home = groups.iter_mut().find(|group| forth[group[0]] && reaches[group[0]][i]);
            match home {
                Some(group) => group.push(i),
                None => groups.push(vec![i]),
            }
        }
        groups
    }

    /// The highest point of the likelihood in log odds, and the covariance of the ratings there.
    fn climb(&self, prior: f64) -> (Vec<f64>, Vec<Vec<f64>>) {
        let mut logits = vec![0.0; self.players()];
        let mut height = self.log_likelihood(&logits, prior);
        // Newton converges in about ten steps; the limit only guards against rounding noise.
        for _ in 0..100 {
            let (slope, information) = self.slope_and_information(&logits, prior);
            let covariance = inverse(information);
            let step: Vec<f64> = covariance
                .iter()
                .map(|row| row.iter().zip(&slope).map(|(c, s)| c * s).sum())
                .collect();
            let mut scale = 1.0;
            let (next, next_height) = loop {
                let next: Vec<f64> =
                    logits.iter().zip(&step).map(|(x, dx)| x + scale * dx).collect();
                let next_height = self.log_likelihood(&next, prior);
                if next_height >= height || scale < 1e-6 {
                    break (next, next_height);
                }
                scale /= 2.0;
            };
            logits = next;
            height = next_height;
            if step.iter().all(|dx| dx.abs() < 1e-12) {
                break;
            }
        }
        let (_, information) = self.slope_and_information(&logits, prior);
        let bread = inverse(information);
        let filling = self.matrix(&logits, prior, Meeting::spread);
        let covariance = product(&product(&bread, &filling), &bread);
        (logits, covariance)
    }

    /// The chance that the first of a meeting makes a point.
    fn chance(meeting: &Meeting, logits: &[f64]) -> f64 {
        chance(logits[meeting.player] - logits[meeting.opponent] + meeting.head_start)
    }

    /// The sum over the meetings of a weight, by the two players' places, and over the players of the prior's. Without a
    /// prior all ratings may shift together: holding the mean fixed by a constant makes the matrix invertible
    /// and changes nothing else.
    fn matrix(
        &self,
        logits: &[f64],
        prior: f64,
        weight: impl Fn(&Meeting, f64) -> f64,
    ) -> Vec<Vec<f64>> {
        let n = self.players();
        let fixed_mean = if prior > 0.0 { 0.0 } else { 1.0 / n as f64 };
        let mut matrix = vec![vec![fixed_mean; n]; n];
        for meeting in &self.meetings {
            let weight = weight(meeting, CrossTable::chance(meeting, logits));
            let (i, j) = (meeting.player, meeting.opponent);
            matrix[i][i] += weight;
            matrix[j][j] += weight;
            matrix[i][j] -= weight;
            matrix[j][i] -= weight;
        }
        for (i, &logit) in logits.iter().enumerate() {
            let p = chance(logit);
            matrix[i][i] += prior * p * (1.0 - p);
        }
        matrix
    }

    fn log_likelihood(&self, logits: &[f64], prior: f64) -> f64 {
        // ln of the probability of winning with log odds x, also for large x.
        let ln_chance = |x: f64| -libm::log1p(libm::exp(-x.abs())) + x.min(0.0);
        let games: f64 = self
            .meetings
            .iter()
            .map(|meeting| {
                let x = logits[meeting.player] - logits[meeting.opponent] + meeting.head_start;
                meeting.won * ln_chance(x) + meeting.lost() * ln_chance(-x)
            })
            .sum();
        let draws: f64 = logits.iter().map(|&x| ln_chance(x) + ln_chance(-x)).sum();
        games + prior / 2.0 * draws
    }

    fn slope_and_information(&self, logits: &[f64], prior: f64) -> (Vec<f64>, Vec<Vec<f64>>) {
        let mut slope: Vec<f64> =
            logits.iter().map(|&logit| prior * (0.5 - chance(logit))).collect();
        for meeting in &self.meetings {
            let p = CrossTable::chance(meeting, logits);
            let surprise = meeting.won * (1.0 - p) - meeting.lost() * p;
            slope[meeting.player] += surprise;
            slope[meeting.opponent] -= surprise;
        }
        let weight = |meeting: &Meeting, p: f64| meeting.trials * p * (1.0 - p);
        (slope, self.matrix(logits, prior, weight))
    }
}

fn chance(logit: f64) -> f64 {
    1.0 / (1.0 + libm::exp(-logit))
}

impl Rating {
    fn new(elo: f64, variance: f64, confidence: Confidence) -> Rating {
        Rating { elo, interval: Interval::around(elo, confidence.z() * variance.max(0.0).sqrt()) }
    }
}

impl Ratings {
    /// How much stronger player `i` is than player `j`; `None` if there is no such player.
    pub fn difference(&self, i: usize, j: usize) -> Option<Rating> {
        let elo = self.players.get(i)?.elo - self.players.get(j)?.elo;
        let c = &self.covariance;
        Some(Rating::new(elo, c[i][i] + c[j][j] - 2.0 * c[i][j], self.confidence))
    }

    /// The ratings counted from one player's, who gets 0 without doubt; `None` if there is no such
    /// player.
    pub fn anchored(&self, anchor: usize) -> Option<Vec<Rating>> {
        (0..self.players.len()).map(|i| self.difference(i, anchor)).collect()
    }
}

/// Takes the mean of every row and column off a covariance.
fn centre(matrix: &mut [Vec<f64>]) {
    let n = matrix.len() as f64;
    let means: Vec<f64> = matrix.iter().map(|row| row.iter().sum::<f64>() / n).collect();
    let mean = means.iter().sum::<f64>() / n;
    for (row, row_mean) in matrix.iter_mut().zip(&means) {
        for (entry, column_mean) in row.iter_mut().zip(&means) {
            *entry += mean - row_mean - column_mean;
        }
    }
}

/// The product of two square matrices.
fn product(a: &[Vec<f64>], b: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let entry = |row: &[f64], j: usize| row.iter().zip(b).map(|(x, other)| x * other[j]).sum();
    a.iter().map(|row| (0..row.len()).map(|j| entry(row, j)).collect()).collect()
}

/// The inverse of a symmetric positive definite matrix, by Gauss and Jordan.
pub(crate) fn inverse(mut matrix: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    // Such a matrix needs no exchange of rows, and its inverse can grow in its own place.
    for k in 0..matrix.len() {
        let pivot = matrix[k][k];
        matrix[k][k] = 1.0;
        matrix[k].iter_mut().for_each(|entry| *entry /= pivot);
        let pivot_row = matrix[k].clone();
        for (i, row) in matrix.iter_mut().enumerate() {
            if i != k {
                let factor = std::mem::replace(&mut row[k], 0.0);
                row.iter_mut().zip(&pivot_row).for_each(|(entry, p)| *entry -= factor * p);
            }
        }
    }
    matrix
}
