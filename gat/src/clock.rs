//! How long a player may think.

use oboro_core::Seat;
use std::time::Duration;

/// The time a player has: a budget for the game, then a limit a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimeControl {
    /// For the whole game.
    pub budget: Duration,
    /// For each move, on top of what is left of the budget.
    pub timeout: Duration,
}

impl Default for TimeControl {
    fn default() -> TimeControl {
        TimeControl { budget: Duration::from_mins(10), timeout: Duration::from_secs(10) }
    }
}

/// What is left of both players' budgets.
///
/// ```
/// use oboro_core::Seat;
/// use oboro_gat::{Clock, TimeControl};
/// use std::time::Duration;
///
/// let seconds = Duration::from_secs;
/// let mut clock = Clock::new(TimeControl { budget: seconds(5), timeout: seconds(2) });
/// assert_eq!(clock.allowed(Seat::FIRST), seconds(7));
/// clock.spend(Seat::FIRST, seconds(6));
/// assert_eq!(clock.allowed(Seat::FIRST), seconds(2));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clock {
    left: [Duration; 2],
    timeout: Duration,
}

impl Clock {
    /// Both players' clocks at the start of a game.
    pub fn new(control: TimeControl) -> Clock {
        Clock { left: [control.budget; 2], timeout: control.timeout }
    }

    /// How long the next move of `seat` may take.
    pub fn allowed(&self, seat: Seat) -> Duration {
        self.left[seat.index()].saturating_add(self.timeout)
    }

    /// Takes the time of a move off the budget.
    pub fn spend(&mut self, seat: Seat, time: Duration) {
        let left = &mut self.left[seat.index()];
        *left = left.saturating_sub(time);
    }
}
