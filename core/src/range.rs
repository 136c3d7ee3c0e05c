use crate::SpecError;
use std::fmt::Display;
use std::ops::RangeInclusive;

/// Refuses a parameter that is out of its range.
///
/// ```
/// use oboro_core::check_range;
/// assert!(check_range("depth", 3, 1..=6).is_ok());
/// let error = check_range("depth", 7, 1..=6).unwrap_err();
/// assert_eq!(error.to_string(), "depth=7: from 1 to 6");
/// ```
///
/// # Errors
/// If the value is not in the range; no value of a range is `NaN`.
pub fn check_range<T: PartialOrd + Display + Copy>(
    name: &str,
    value: T,
    range: RangeInclusive<T>,
) -> Result<(), SpecError> {
    if range.contains(&value) {
        return Ok(());
    }
    Err(SpecError(format!("{name}={value}: from {} to {}", range.start(), range.end())))
}
