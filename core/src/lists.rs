//! What the notations of several games have in common: whole texts, seats and lists.

use crate::{NotationError, Scanner, Seat};
use std::fmt::Display;

impl<'a> Scanner<'a> {
    /// Reads a whole text with `scan`; nothing but white space may be left.
    ///
    /// # Errors
    /// If `scan` fails or leaves something.
    pub fn whole<T>(
        text: &'a str,
        scan: impl FnOnce(&mut Scanner<'a>) -> Result<T, NotationError>,
    ) -> Result<T, NotationError> {
        let mut s = Scanner::new(text);
        let value = scan(&mut s)?;
        s.finish()?;
        Ok(value)
    }

    /// Reads a list that [`joined`] writes: items between separators, or `-` for none.
    ///
    /// # Errors
    /// If an item cannot be read.
    pub fn list(
        &mut self,
        separator: &str,
        mut item: impl FnMut(&mut Scanner<'a>) -> Result<(), NotationError>,
    ) -> Result<(), NotationError> {
        if self.eat("-") {
            return Ok(());
        }
        loop {
            item(self)?;
            if !self.eat(separator) {
                return Ok(());
            }
        }
    }

    /// Reads the number of a seat of a table with so many seats.
    ///
    /// # Errors
    /// If there is no number, or no such seat.
    pub fn seat(&mut self, seats: usize) -> Result<Seat, NotationError> {
        let at = self.at();
        let number: u8 = self.number("a seat")?;
        if usize::from(number) < seats {
            Ok(Seat::new(number.into()))
        } else {
            Err(self.error_at(at, format!("the table has seats 0 to {}", seats - 1)))
        }
    }
}

/// Items as text with a separator between them; `-` for none.
pub fn joined<T: Display>(items: impl IntoIterator<Item = T>, separator: &str) -> String {
    let texts: Vec<String> = items.into_iter().map(|item| item.to_string()).collect();
    if texts.is_empty() { "-".to_owned() } else { texts.join(separator) }
}

/// Implements `FromStr` for a type by a function that reads it from a [`Scanner`]; with `serde`, also what
/// [`serde_as_text!`](crate::serde_as_text) does.
#[macro_export]
macro_rules! text_form {
    ($Type:ty, $scan:expr) => {
        impl std::str::FromStr for $Type {
            type Err = $crate::NotationError;

            fn from_str(text: &str) -> Result<$Type, $crate::NotationError> {
                $crate::Scanner::whole(text, $scan)
            }
        }
    };
    ($Type:ty, $scan:expr, serde) => {
        $crate::text_form!($Type, $scan);
        $crate::serde_as_text!($Type);
    };
}

/// Implements the conversions from and to `String` that `#[serde(try_from = "String", into = "String")]` asks for, by the
/// text that a type is written and read as.
#[macro_export]
macro_rules! serde_as_text {
    ($Type:ty) => {
        impl TryFrom<String> for $Type {
            type Error = <$Type as std::str::FromStr>::Err;

            fn try_from(text: String) -> Result<$Type, Self::Error> {
                text.parse()
            }
        }

        impl From<$Type> for String {
            fn from(value: $Type) -> String {
                value.to_string()
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(text: &str) -> Result<Vec<u8>, NotationError> {
        let mut numbers = Vec::new();
        Scanner::whole(text, |s| {
            s.list(",", |s| {
                numbers.push(s.number("a number")?);
                Ok(())
            })
        })?;
        Ok(numbers)
    }

    #[test]
    fn lists_are_read_as_they_are_written() {
        for list in [vec![], vec![7], vec![1, 2, 3]] {
            assert_eq!(numbers(&joined(&list, ",")), Ok(list));
        }
        for bad in ["", "1,", "- 1", "1;2"] {
            assert!(numbers(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn seats_are_those_of_the_table() {
        assert_eq!(Scanner::whole("2", |s| s.seat(3)), Ok(Seat::new(2)));
        let error = Scanner::whole("3", |s| s.seat(3)).unwrap_err();
        assert_eq!(error.message, "the table has seats 0 to 2");
    }
}
