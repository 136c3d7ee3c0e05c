//! What the flags of the command line have in common.

use clap::{Args, Command};
use oboro_geister::Geister;
use std::num::ParseIntError;
use std::time::Duration;

/// The options that a command line with these words gives: defaults are written down once, with the flags.
pub(crate) fn given<T: Args, const N: usize>(words: [&str; N]) -> T {
    let words = ["oboro"].into_iter().chain(words);
    let given = T::augment_args(Command::new("oboro")).get_matches_from(words);
    T::from_arg_matches(&given).expect("every flag has a default")
}

/// Reads a ply limit: all else of the rules is fixed.
pub(crate) fn rules_of_plies(text: &str) -> Result<Geister, ParseIntError> {
    Ok(Geister { plies: text.parse()?, ..Geister::default() })
}

/// Reads a number of seconds; decimals are allowed.
pub(crate) fn seconds(text: &str) -> Result<Duration, String> {
    duration(text, 1.0)
}

/// Reads a number of milliseconds.
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
