//! Results counted.

use super::End;
use oboro_core::Seat;
use oboro_geister::Ending;
use oboro_stats::{Confidence, Interval, Score};
use std::collections::BTreeMap;
use std::fmt;

/// The results of games on one server.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// What the first player made of them.
    pub first: Score,
    /// How the games ended: `escape`, `out of time` and so on.
    pub endings: BTreeMap<String, u64>,
}

impl Tally {
    /// Counts a game; one that was abandoned does not count.
    pub fn add(&mut self, end: End) {
        match end {
            End::Abandoned => return,
            End::Rules(Ending::Draw) => self.first.draws += 1,
            _ if end.winner() == Some(Seat::FIRST) => self.first.wins += 1,
            _ => self.first.losses += 1,
        }
        *self.endings.entry(end.to_string()).or_default() += 1;
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Score { wins, draws, losses } = self.first;
        write!(f, "{} games: first {wins}, second {losses}, drawn {draws}", self.first.n())?;
        if let Some(share) = share(self.first) {
            write!(f, "\nfirst {share}")?;
        }
        let endings: Vec<String> =
            self.endings.iter().map(|(how, count)| format!("{how} {count}")).collect();
        if !endings.is_empty() {
            write!(f, "\nendings: {}", endings.join(", "))?;
        }
        Ok(())
    }
}

/// The share of the points with its interval, if there were games.
pub(crate) fn share(score: Score) -> Option<String> {
    let Interval { low, high } = score.interval(Confidence::P95);
    Some(format!("scores {:.3} ({low:.3} to {high:.3}, 95 %)", score.share()?))
}
