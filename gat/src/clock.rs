//! How long a player may think.

use super::flags::seconds;
use oboro_core::Seat;
use std::time::Duration;

/// The time a player has: a budget for the game, then a limit a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::Args)]
pub struct TimeControl {
    /// A player's time for the whole game, in seconds
    #[arg(long, value_name = "SEC", default_value = "600", value_parser = seconds)]
    pub budget: Duration,

    /// A player's time for a move, on top of what is left of the budget, in seconds
    #[arg(long, value_name = "SEC", default_value = "10", value_parser = seconds)]
    pub timeout: Duration,
}

impl TimeControl {
    /// The longest a player may think about the first move.
    pub(crate) fn allowed(self) -> Duration {
        self.budget.saturating_add(self.timeout)
    }
}

/// What is left of both players' budgets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Clock {
    left: [Duration; 2],
    timeout: Duration,
}

impl Clock {
    /// Both players' clocks at the start of a game.
    pub(crate) fn new(control: TimeControl) -> Clock {
        Clock { left: [control.budget; 2], timeout: control.timeout }
    }

    /// How long the next move of `seat` may take.
    pub(crate) fn allowed(&self, seat: Seat) -> Duration {
        self.left[seat.index()].saturating_add(self.timeout)
    }

    /// Takes the time of a move off the budget.
    pub(crate) fn spend(&mut self, seat: Seat, time: Duration) {
        let left = &mut self.left[seat.index()];
        *left = left.saturating_sub(time);
    }
}
