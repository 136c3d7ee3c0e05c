use std::fmt;

/// A text that is not what it should be, with the place where it goes wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NotationError {
    /// The whole text, one line.
    pub text: String,
    /// The byte at which it goes wrong; the length of the text if it ends too early.
    pub at: usize,
    /// What is wrong and what would be right.
    pub message: String,
}

impl NotationError {
    /// An error at a byte of `text`.
    pub fn new(text: &str, at: usize, message: impl Into<String>) -> NotationError {
        NotationError { text: text.to_owned(), at: at.min(text.len()), message: message.into() }
    }

    /// The character column of the error, from 1.
    pub fn column(&self) -> usize {
        self.text.char_indices().take_while(|(i, _)| *i < self.at).count() + 1
    }
}

impl fmt::Display for NotationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 24;
        let rest: String = self.text.chars().skip(self.column() - 1).take(SHOWN).collect();
        if rest.is_empty() {
            write!(f, "column {} (the end): {}", self.column(), self.message)
        } else {
            write!(f, "column {} at `{rest}`: {}", self.column(), self.message)
        }
    }
}

impl std::error::Error for NotationError {}

/// Walks over a text from left to right and knows where it is: the base of every parser here.
///
/// ```
/// use oboro_core::Scanner;
/// let mut s = Scanner::new("hand 12 x");
/// s.expect("hand").unwrap();
/// assert_eq!(s.number::<u8>("a hand size").unwrap(), 12);
/// let error = s.number::<u8>("passes left").unwrap_err();
/// assert_eq!(error.to_string(), "column 9 at `x`: expected passes left");
/// ```
#[derive(Clone, Debug)]
pub struct Scanner<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Scanner<'a> {
    /// Starts at the beginning of a text.
    pub fn new(text: &'a str) -> Scanner<'a> {
        Scanner { text, at: 0 }
    }

    /// The byte it stands at.
    pub fn at(&self) -> usize {
        self.at
    }

    /// What is left.
    pub fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Passes over white space.
    pub fn skip_space(&mut self) {
        let trimmed = self.rest().trim_start();
        self.at = self.text.len() - trimmed.len();
    }

    /// Whether nothing but white space is left.
    pub fn is_done(&self) -> bool {
        self.rest().trim_start().is_empty()
    }

    /// The next character, without passing it.
    pub fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// The next character, passing it.
    pub fn take(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += c.len_utf8();
        Some(c)
    }

    /// Passes `literal` if it comes next.
    pub fn eat(&mut self, literal: &str) -> bool {
        let found = self.rest().starts_with(literal);
        if found {
            self.at += literal.len();
        }
        found
    }

    /// Passes white space and then `literal`.
    ///
    /// # Errors
    /// If something else comes next.
    pub fn expect(&mut self, literal: &str) -> Result<(), NotationError> {
        self.skip_space();
        if self.eat(literal) { Ok(()) } else { Err(self.error(format!("expected `{literal}`"))) }
    }

    /// Passes white space and then everything up to the next white space. Empty at the end.
    pub fn word(&mut self) -> &'a str {
        self.skip_space();
        self.take_while(|c| !c.is_whitespace())
    }

    /// Passes the characters for which `keep` holds.
    pub fn take_while(&mut self, keep: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let end = rest.find(|c| !keep(c)).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    /// Passes white space and a whole number, signed if the type is.
    ///
    /// # Errors
    /// If no number of that type comes next; `what` names what was wanted.
    pub fn number<T: std::str::FromStr>(&mut self, what: &str) -> Result<T, NotationError> {
        self.skip_space();
        let start = self.at;
        self.eat("-");
        self.take_while(|c| c.is_ascii_digit());
        self.text[start..self.at]
            .parse()
            .map_err(|_| NotationError::new(self.text, start, format!("expected {what}")))
    }

    /// Nothing but white space may be left.
    ///
    /// # Errors
    /// If something is.
    pub fn finish(&mut self) -> Result<(), NotationError> {
        self.skip_space();
        if self.at == self.text.len() {
            Ok(())
        } else {
            Err(self.error("nothing more was expected here"))
        }
    }

    /// An error at this place.
    pub fn error(&self, message: impl Into<String>) -> NotationError {
        NotationError::new(self.text, self.at, message)
    }

    /// An error at an earlier place.
    pub fn error_at(&self, at: usize, message: impl Into<String>) -> NotationError {
        NotationError::new(self.text, at, message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_count_characters_not_bytes() {
        let mut s = Scanner::new("♠♥x");
        s.take();
        s.take();
        assert_eq!(s.error("no").to_string(), "column 3 at `x`: no");
        s.take();
        assert_eq!(s.error("more").to_string(), "column 4 (the end): more");
    }

    #[test]
    fn numbers_respect_their_type() {
        assert_eq!(Scanner::new(" -3").number::<i8>("y"), Ok(-3));
        assert!(Scanner::new("300").number::<u8>("a byte").is_err());
        assert!(Scanner::new("").number::<u8>("a byte").is_err());
    }
}
