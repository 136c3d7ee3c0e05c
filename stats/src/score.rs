use crate::rate::wilson_of_parts;
use crate::{Confidence, Interval};
use serde::Serialize;

/// Elo points per unit of log odds: 400 points are odds of ten to one.
pub(crate) const ELO_PER_LOGIT: f64 = 400.0 / std::f64::consts::LN_10;

/// The Elo difference at which a side is expected to score this share of the points; `None`
/// unless `score` lies strictly between 0 and 1.
///
/// ```
/// use oboro_stats::{elo_of_score, score_of_elo};
/// assert_eq!(elo_of_score(0.5), Some(0.0));
/// assert_eq!(elo_of_score(1.0), None);
/// assert!((score_of_elo(400.0) - 10.0 / 11.0).abs() < 1e-15);
/// ```
pub fn elo_of_score(score: f64) -> Option<f64> {
    (score > 0.0 && score < 1.0).then(|| ELO_PER_LOGIT * libm::log(score / (1.0 - score)))
}

/// The share of the points expected from a side that is `elo` points stronger.
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + libm::exp(-elo / ELO_PER_LOGIT))
}

/// What one side made of its games against another.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Score {
    /// Games won.
    pub wins: u64,
    /// Games drawn; each counts half a point.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

/// An Elo difference with its interval; a side that is `None` is unbounded.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Elo {
    /// The difference; `None` if all games were won or all lost, which no finite one explains.
    pub difference: Option<f64>,
    /// The lower end; `None` if there is none.
    pub low: Option<f64>,
    /// The upper end; `None` if there is none.
    pub high: Option<f64>,
}

impl Score {
    /// Counts the games of another score in.
    pub fn add(&mut self, other: Score) {
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
    }

    /// How many games.
    pub fn n(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// The points made: a win is 1, a draw a half.
    pub fn points(&self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// The share of the points, or `None` without games.
    pub fn share(&self) -> Option<f64> {
        (self.n() > 0).then(|| self.points() / self.n() as f64)
    }

    /// The same games seen from the other side.
    #[must_use]
    pub fn reversed(&self) -> Score {
        Score { wins: self.losses, draws: self.draws, losses: self.wins }
    }

    /// The interval of the share: Wilson's, with as many games as would vary as much without draws.
    ///
    /// A game of share `s` without draws varies by `s(1−s)`; with a share `d` of draws only by
    /// `s(1−s) − d/4`. The games are therefore counted `s(1−s) / (s(1−s) − d/4)` times, where `d`
    /// is draws / (n + 1), so that even a match of draws alone leaves some doubt: see
    /// [`Moments::within`](crate::Moments::within), which does the same for any part of a point. Without games
    /// it is 0 to 1.
    pub fn interval(&self, confidence: Confidence) -> Interval {
        let Some(share) = self.share() else {
            return Interval { low: 0.0, high: 1.0 };
        };
        let squares = self.n() as f64 * share * (1.0 - share) - self.draws as f64 / 4.0;
        wilson_of_parts(share, self.n(), squares, confidence)
    }

    /// The Elo difference the share speaks for, with the ends of [`Score::interval`]; `None`
    /// without games.
    ///
    /// ```
    /// use oboro_stats::{Confidence, Score};
    /// let swept = Score { wins: 10, draws: 0, losses: 0 };
    /// let elo = swept.elo(Confidence::P95).unwrap();
    /// assert_eq!((elo.difference, elo.high), (None, None));
    /// assert!(elo.low.unwrap() > 150.0);
    /// ```
    pub fn elo(&self, confidence: Confidence) -> Option<Elo> {
        let share = self.share()?;
        let interval = self.interval(confidence);
        Some(Elo {
            difference: elo_of_score(share),
            low: elo_of_score(interval.low),
            high: elo_of_score(interval.high),
        })
    }
}
