//! Bytes cut into lines.

/// One line as it came, without its CR LF.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Line {
    /// All of it.
    Whole(Vec<u8>),
    /// It was longer than [`Lines::LIMIT`] and has been thrown away.
    Overlong,
}

/// Cuts a stream of bytes into lines that end with CR LF; a CR or an LF alone ends nothing.
///
/// It holds no more than one line of [`Lines::LIMIT`] bytes, whatever comes in.
///
/// ```
/// use oboro_gat::{Line, Lines};
/// let mut lines = Lines::default();
/// let mut input: &[u8] = b"SET:ABCD\r\nMOV:A,";
/// assert_eq!(lines.next(&mut input), Some(Line::Whole(b"SET:ABCD".to_vec())));
/// assert_eq!(lines.next(&mut input), None);
/// let mut input: &[u8] = b"N\r\n";
/// assert_eq!(lines.next(&mut input), Some(Line::Whole(b"MOV:A,N".to_vec())));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Lines {
    kept: Vec<u8>,
    after_cr: bool,
    overlong: bool,
}

impl Lines {
    /// The longest line that is read, CR LF not counted. The longest one of the protocol, a SET
    /// with a name, needs half of it.
    pub const LIMIT: usize = 128;

    /// Takes bytes off the front of `input` up to the end of a line and returns that line; `None`
    /// if the input ends first. What was taken is remembered.
    pub fn next(&mut self, input: &mut &[u8]) -> Option<Line> {
        while let Some((&byte, rest)) = input.split_first() {
            *input = rest;
            if self.after_cr && byte == b'\n' {
                return Some(self.end());
            }
            self.after_cr = byte == b'\r';
            // One more than the limit: the last byte may be the CR that ends the line.
            if self.kept.len() <= Self::LIMIT {
                self.kept.push(byte);
            } else {
                self.overlong = true;
            }
        }
        None
    }

    fn end(&mut self) -> Line {
        let mut bytes = std::mem::take(&mut self.kept);
        let overlong = std::mem::take(&mut self.overlong);
        self.after_cr = false;
        if overlong {
            return Line::Overlong;
        }
        bytes.pop();
        Line::Whole(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(chunks: &[&[u8]]) -> Vec<Line> {
        let mut lines = Lines::default();
        let mut found = Vec::new();
        for chunk in chunks {
            let mut input = *chunk;
            while let Some(line) = lines.next(&mut input) {
                found.push(line);
            }
        }
        found
    }

    fn whole(text: &str) -> Line {
        Line::Whole(text.as_bytes().to_vec())
    }

    #[test]
    fn only_cr_lf_ends_a_line() {
        assert_eq!(all(&[b"a\nb\rc\r\n"]), [whole("a\nb\rc")]);
        assert_eq!(all(&[b"a\n"]), []);
        assert_eq!(all(&[b"a\r\r\n\r\n"]), [whole("a\r"), whole("")]);
        assert_eq!(all(&[b"\n\r\n"]), [whole("\n")]);
    }

    #[test]
    fn cr_and_lf_may_come_apart() {
        assert_eq!(all(&[b"a\r", b"\nb", b"\r", b"\n"]), [whole("a"), whole("b")]);
    }

    #[test]
    fn a_line_at_the_limit_is_whole_and_one_above_is_overlong() {
        let fits = "x".repeat(Lines::LIMIT);
        assert_eq!(all(&[format!("{fits}\r\n").as_bytes()]), [whole(&fits)]);
        assert_eq!(all(&[format!("{fits}x\r\nok\r\n").as_bytes()]), [Line::Overlong, whole("ok")]);
        let mut lines = Lines::default();
        let long = vec![b'x'; 100_000];
        let mut input: &[u8] = &long;
        assert_eq!(lines.next(&mut input), None);
        assert!(lines.kept.capacity() <= 2 * (Lines::LIMIT + 1));
    }
}
