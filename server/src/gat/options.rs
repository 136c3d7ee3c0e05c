//! Options that several commands share.

use super::{GatError, SessionOptions, TimeControl};
use oboro_core::Game as _;
use oboro_geister::Geister;
use std::time::Duration;

/// How games are played.
#[derive(clap::Args, Clone, Debug)]
pub struct GameArgs {
    /// A player's time for the whole game, in seconds
    #[arg(long, value_name = "SEC", default_value = "600", value_parser = seconds)]
    pub budget: Duration,

    /// A player's time for a move, on top of what is left of the budget, in seconds
    #[arg(long, value_name = "SEC", default_value = "10", value_parser = seconds)]
    pub timeout: Duration,

    /// The pause after a move, in milliseconds
    #[arg(long, value_name = "MS", default_value = "0", value_parser = millis)]
    pub wait: Duration,

    /// Draws the game after so many moves of both sides together; GAT 2024 plays 200
    #[arg(long, value_name = "N", default_value_t = 300)]
    pub plies: u16,

    /// Lets a player that sent a bad line try again, instead of losing
    #[arg(long)]
    pub no_ng_terminate: bool,

    /// Lets clients give their names (SET:ABCD,NAME:xyz)
    #[arg(long)]
    pub names: bool,

    /// How long players that are both there may take to place their pieces, in seconds
    #[arg(long, value_name = "SEC", default_value = "600", value_parser = seconds)]
    pub idle: Duration,
}

impl GameArgs {
    /// The options of a session.
    ///
    /// # Errors
    /// If the rules do not allow them.
    pub fn session(&self) -> Result<SessionOptions, GatError> {
        let rules = Geister { plies: self.plies, ..Geister::default() };
        rules.validate()?;
        Ok(SessionOptions {
            rules,
            time: TimeControl { budget: self.budget, timeout: self.timeout },
            wait: self.wait,
            ng_terminates: !self.no_ng_terminate,
            names: self.names,
            set_limit: self.idle,
        })
    }
}

/// Reads a number of seconds; decimals are allowed.
///
/// # Errors
/// If it is none, or more than a year.
pub(crate) fn seconds(text: &str) -> Result<Duration, String> {
    duration(text, 1.0)
}

/// Reads a number of milliseconds.
///
/// # Errors
/// If it is none, or more than a year.
pub(crate) fn millis(text: &str) -> Result<Duration, String> {
    duration(text, 1e-3)
}

fn duration(text: &str, unit: f64) -> Result<Duration, String> {
    const YEAR: f64 = 365.0 * 86_400.0;
    match text.parse::<f64>() {
        Ok(number) if (0.0..=YEAR).contains(&(number * unit)) => {
            Ok(Duration::from_secs_f64(number * unit))
        }
        _ => Err("expected a number, 0 or more and not above a year".to_owned()),
    }
}
