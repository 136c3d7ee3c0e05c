use oboro_core::{SpecError, check_range, stopping};
use std::ops::Range;
use std::time::{Duration, Instant};

/// The budget of a decision: a number of playouts, and for tournaments a time limit.
///
/// A search by playouts alone gives the same answer on every machine. One that the clock ends does not, so a time limit is
/// set only on request.
///
/// ```
/// use oboro_search::Budget;
/// assert_eq!(Budget::from(3).playouts().collect::<Vec<_>>(), [0, 1, 2]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budget {
    playouts: u32,
    time: Option<Duration>,
    batch: u32,
}

impl From<u32> for Budget {
    /// So many playouts, however long they take.
    fn from(playouts: u32) -> Budget {
        Budget { playouts, time: None, batch: 1 }
    }
}

impl Budget {
    /// What an agent's parameters ask for: so many playouts, under the name that they have there, and
    /// so many seconds.
    ///
    /// # Errors
    /// If there would be no playout, too many, or no sensible time.
    pub fn new(name: &str, playouts: u32, seconds: Option<f64>) -> Result<Budget, SpecError> {
        check_range(name, playouts, 1..=100_000_000)?;
        if let Some(seconds) = seconds {
            check_range("seconds", seconds, 0.001..=3600.0)?;
        }
        Ok(Budget { playouts, time: seconds.map(Duration::from_secs_f64), batch: 1 })
    }

    /// The same playouts, so many of them together: quicker where the game can play several at once, and with other
    /// random numbers, since each of them has a stream of its own then. In a tree they begin at the same leaf.
    ///
    /// # Errors
    /// If a batch would be empty or too large.
    pub fn in_batches(self, batch: u32) -> Result<Budget, SpecError> {
        check_range("batch", batch, 1..=10_000)?;
        Ok(Budget { batch, ..self })
    }

    /// How many playouts are played together.
    pub fn batch(self) -> u32 {
        self.batch
    }

    /// The largest number of playouts.
    pub fn max_playouts(self) -> u32 {
        self.playouts
    }

    /// Whether the clock may end it.
    pub fn is_timed(self) -> bool {
        self.time.is_some()
    }

    /// An equal share of it for each of `parts` searches.
    #[must_use]
    pub(crate) fn time_shared(self, parts: u32) -> Budget {
        Budget { time: self.time.map(|time| time / parts.max(1)), ..self }
    }

    /// The playouts by number, as long as there is time and nobody stops the thinking
    /// ([`oboro_core::Stop`]); the first in any case. The time runs from this call.
    pub fn playouts(self) -> impl Iterator<Item = u32> {
        Budget { batch: 1, ..self }.batches().map(|batch| batch.start)
    }

    /// The same in batches, each as the numbers of its playouts.
    pub fn batches(self) -> impl Iterator<Item = Range<u32>> {
        let deadline = self.time.map(|time| now() + time);
        // Every search takes its playouts from here, so this is where one is ended early.
        let go_on = move || !stopping() && deadline.is_none_or(|deadline| now() < deadline);
        (0..self.playouts)
            .step_by(self.batch as usize)
            .take_while(move |&n| n == 0 || go_on())
            .map(move |n| n..self.playouts.min(n.saturating_add(self.batch)))
    }
}

#[allow(
    clippy::disallowed_methods,
    reason = "the one clock of a search; it is read only where a limit of time was asked for"
)]
fn now() -> Instant {
    Instant::now()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_limit_ends_a_budget_after_the_first_playout() {
        let budget = Budget::new("playouts", 100_000_000, Some(0.001)).unwrap();
        let mut done = 0;
        for _ in budget.playouts() {
            done += 1;
            std::thread::sleep(Duration::from_millis(2));
        }
        assert_eq!(done, 1);
        assert!(budget.is_timed() && !Budget::from(7).is_timed());
        assert_eq!(Budget::new("playouts", 7, Some(3600.0)).unwrap().playouts().count(), 7);
    }

    #[test]
    fn batches_have_all_playouts_once() {
        let batches: Vec<_> = Budget::from(7).in_batches(3).unwrap().batches().collect();
        assert_eq!(batches, [0..3, 3..6, 6..7]);
        assert!(Budget::from(7).in_batches(0).is_err());
    }

    #[test]
    fn budgets_out_of_range_are_refused() {
        let said =
            |playouts, seconds| Budget::new("worlds", playouts, seconds).unwrap_err().to_string();
        assert_eq!(said(0, None), "worlds=0: from 1 to 100000000");
        assert_eq!(said(1, Some(0.0)), "seconds=0: from 0.001 to 3600");
        assert!(said(1, Some(f64::NAN)).contains("seconds=NaN"));
    }
}
