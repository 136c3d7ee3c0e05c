//! The text form of a policy, which reads like the listings of the paper.
//!
//! ```text
//! file      = policy { policy }
//! policy    = [ "corners" READING ] move
//! move      = "if" condition "then" move "else" move "end" "if" | NAME [ "with" PROBABILITY ]
//! condition = operand [ OPERATOR operand ]
//! operand   = NAME | NUMBER | "not" operand | "(" condition ")"
//! ```
//! Operators are `<`, `<=`, `>`, `>=`, `==`, `!=`, `and` and `or`; more than one needs parentheses.
//! White space is free; `#` starts a comment that ends with the line.

use super::corners::Corners;
use super::primitive::{Chance, Kind, Primitive};
use oboro_core::{NotationError, did_you_mean};
use oboro_evolve::{Comparison, Token, Tree};
use std::fmt::{self, Write};

/// The deepest nesting of a policy: the stack of the reader is finite.
const DEEPEST: usize = 100;

/// A text that is no policy, with the place where it goes wrong.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}, {fault}")]
pub struct StrategyError {
    /// The line, from 1.
    pub line: usize,
    /// The place in the line, and the reason.
    pub fault: NotationError,
}

/// Writes a policy as the paper prints it, with the reading of its corners where that is not the
/// usual one.
pub(super) fn write(tree: &Tree<Primitive>, corners: Corners, out: &mut impl Write) -> fmt::Result {
    if corners != Corners::default() {
        writeln!(out, "corners {corners}")?;
    }
    let mut writer = Writer { tokens: tree.tokens(), at: 0, out };
    writer.action(0)
}

struct Writer<'a, W> {
    tokens: &'a [Primitive],
    at: usize,
    out: &'a mut W,
}

impl<W: Write> Writer<'_, W> {
    fn next(&mut self) -> Primitive {
        self.at += 1;
        self.tokens[self.at - 1]
    }

    fn indent(&mut self, level: usize) -> fmt::Result {
        write!(self.out, "{:1$}", "", 4 * level)
    }

    fn action(&mut self, level: usize) -> fmt::Result {
        self.indent(level)?;
        let token = self.next();
        if token != Primitive::IfThenElse {
            return writeln!(self.out, "{token}");
        }
        self.out.write_str("if ")?;
        self.condition(false)?;
        self.out.write_str(" then\n")?;
        self.action(level + 1)?;
        self.indent(level)?;
        self.out.write_str("else\n")?;
        self.action(level + 1)?;
        self.indent(level)?;
        self.out.write_str("end if\n")
    }

    /// A condition or number; `inside` another one, infix operators take parentheses.
    fn condition(&mut self, inside: bool) -> fmt::Result {
        let token = self.next();
        match token {
            Primitive::Not => {
                self.out.write_str("not ")?;
                self.condition(true)
            }
            Primitive::And | Primitive::Or | Primitive::Compare(_) => {
                let (open, close) = if inside { ("(", ")") } else { ("", "") };
                self.out.write_str(open)?;
                self.condition(true)?;
                write!(self.out, " {token} ")?;
                self.condition(true)?;
                self.out.write_str(close)
            }
            leaf => write!(self.out, "{leaf}"),
        }
    }
}

/// Reads one policy. Any text at all may come in.
pub(super) fn read(text: &str) -> Result<(Tree<Primitive>, Corners), StrategyError> {
    let mut reader = Reader { words: words(text), at: 0, text };
    let policy = reader.policy()?;
    match reader.peek() {
        Some(word) => Err(reader.fault(word, "nothing more was expected here")),
        None => Ok(policy),
    }
}

/// Reads one policy or more.
pub(super) fn read_all(text: &str) -> Result<Vec<(Tree<Primitive>, Corners)>, StrategyError> {
    let mut reader = Reader { words: words(text), at: 0, text };
    let mut policies = vec![reader.policy()?];
    while reader.peek().is_some() {
        policies.push(reader.policy()?);
    }
    Ok(policies)
}

/// A word of the text and the byte it starts at.
#[derive(Clone, Copy, Debug)]
struct Word<'a> {
    text: &'a str,
    at: usize,
}

fn words(text: &str) -> Vec<Word<'_>> {
    let class = |c: char| match c {
        c if c.is_alphanumeric() || matches!(c, '_' | '.' | '-') => 1,
        '<' | '>' | '=' | '!' => 2,
        _ => 3,
    };
    let mut words = Vec::new();
    let mut letters = text.char_indices().peekable();
    while let Some((at, c)) = letters.next() {
        if c == '#' {
            while letters.next_if(|(_, c)| *c != '\n').is_some() {}
            continue;
        }
        if c.is_whitespace() {
            continue;
        }
        let mut end = at + c.len_utf8();
        while class(c) != 3
            && let Some((more, next)) = letters.next_if(|(_, next)| class(*next) == class(c))
        {
            end = more + next.len_utf8();
        }
        words.push(Word { text: &text[at..end], at });
    }
    words
}

struct Reader<'a> {
    words: Vec<Word<'a>>,
    at: usize,
    text: &'a str,
}

impl<'a> Reader<'a> {
    fn peek(&self) -> Option<Word<'a>> {
        self.words.get(self.at).copied()
    }

    /// The next word, or an empty one at the end.
    fn next(&mut self) -> Word<'a> {
        let end = Word { text: "", at: self.text.len() };
        let word = self.peek().unwrap_or(end);
        self.at += 1;
        word
    }

    fn fault(&self, word: Word<'_>, message: impl Into<String>) -> StrategyError {
        let before = &self.text[..word.at];
        let start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let line = self.text[start..].lines().next().unwrap_or_default();
        StrategyError {
            line: before.matches('\n').count() + 1,
            fault: NotationError::new(line, word.at - start, message),
        }
    }

    fn expect(&mut self, wanted: &str) -> Result<(), StrategyError> {
        let word = self.next();
        if word.text == wanted {
            Ok(())
        } else {
            Err(self.fault(word, format!("expected `{wanted}`")))
        }
    }

    fn policy(&mut self) -> Result<(Tree<Primitive>, Corners), StrategyError> {
        let mut corners = Corners::default();
        if self.peek().is_some_and(|word| word.text == "corners") {
            self.next();
            let word = self.next();
            corners = word
                .text
                .parse()
                .map_err(|_| self.fault(word, "expected which corners: home, exits or searcher"))?;
        }
        let mut tokens = Vec::new();
        self.action(&mut tokens, 0)?;
        let tree = Tree::new(tokens, Kind::Move).expect("the grammar admits only policies");
        Ok((tree, corners))
    }

    fn action(&mut self, tokens: &mut Vec<Primitive>, depth: usize) -> Result<(), StrategyError> {
        let word = self.next();
        self.check_depth(word, depth)?;
        if word.text != "if" {
            tokens.push(self.named_move(word)?);
            return Ok(());
        }
        tokens.push(Primitive::IfThenElse);
        self.condition(tokens, Kind::Truth, depth + 1)?;
        self.expect("then")?;
        self.action(tokens, depth + 1)?;
        self.expect("else")?;
        self.action(tokens, depth + 1)?;
        self.expect("end")?;
        self.expect("if")
    }

    fn check_depth(&self, word: Word<'_>, depth: usize) -> Result<(), StrategyError> {
        if depth > DEEPEST {
            return Err(self.fault(word, format!("more than {DEEPEST} parts inside each other")));
        }
        Ok(())
    }

    fn named_move(&mut self, word: Word<'_>) -> Result<Primitive, StrategyError> {
        let Primitive::Do(kind, _) = self.function(word, "`if` or a move")? else {
            return Err(self.fault(word, "expected `if` or a move, not a value"));
        };
        if self.peek().is_none_or(|word| word.text != "with") {
            return Ok(Primitive::Do(kind, Chance::ALWAYS));
        }
        self.next();
        let number = self.next();
        let chance = number.text.parse().ok().and_then(Chance::new);
        let chance =
            chance.ok_or_else(|| self.fault(number, "expected a probability between 0 and 1"))?;
        Ok(Primitive::Do(kind, chance))
    }

    fn function(&self, word: Word<'_>, wanted: &str) -> Result<Primitive, StrategyError> {
        Primitive::function(word.text).ok_or_else(|| {
            let guess = did_you_mean(word.text, Primitive::function_names());
            let guess = guess.map(|name| format!("; did you mean `{name}`?"));
            self.fault(word, format!("expected {wanted}{}", guess.unwrap_or_default()))
        })
    }

    /// Reads a condition and puts its tokens after those that are there.
    fn condition(
        &mut self,
        tokens: &mut Vec<Primitive>,
        wanted: Kind,
        depth: usize,
    ) -> Result<(), StrategyError> {
        let start = self.next();
        self.at -= 1;
        let mut left = Vec::new();
        self.operand(&mut left, depth)?;
        let operator = match self.peek().map(|word| word.text) {
            Some("and") => Some(Primitive::And),
            Some("or") => Some(Primitive::Or),
            Some(symbol) => {
                Comparison::ALL.into_iter().find(|c| c.symbol() == symbol).map(Primitive::Compare)
            }
            None => None,
        };
        let Some(operator) = operator else {
            self.check_kind(start, left[0], wanted)?;
            tokens.extend(left);
            return Ok(());
        };
        self.next();
        let [first, second] = operator.takes() else {
            unreachable!("an infix operator has two operands")
        };
        self.check_kind(start, left[0], *first)?;
        tokens.push(operator);
        tokens.extend(left);
        let start = self.next();
        self.at -= 1;
        let at = tokens.len();
        self.operand(tokens, depth)?;
        self.check_kind(start, tokens[at], *second)
    }

    fn check_kind(
        &self,
        word: Word<'_>,
        token: Primitive,
        wanted: Kind,
    ) -> Result<(), StrategyError> {
        if Primitive::fits(token.returns(), wanted) {
            return Ok(());
        }
        Err(self.fault(word, "expected a truth value, not a number"))
    }

    fn operand(&mut self, tokens: &mut Vec<Primitive>, depth: usize) -> Result<(), StrategyError> {
        let word = self.next();
        self.check_depth(word, depth)?;
        match word.text {
            "(" => {
                self.condition(tokens, Kind::Number, depth + 1)?;
                self.expect(")")
            }
            "not" => {
                tokens.push(Primitive::Not);
                let start = self.next();
                self.at -= 1;
                let at = tokens.len();
                self.operand(tokens, depth + 1)?;
                self.check_kind(start, tokens[at], Kind::Truth)
            }
            digits if digits.starts_with(|c: char| c.is_ascii_digit()) => {
                let number = digits.parse();
                let number =
                    number.map_err(|_| self.fault(word, "expected a whole number below 256"))?;
                tokens.push(Primitive::Number(number));
                Ok(())
            }
            _ => match self.function(word, "a value")? {
                Primitive::Do(..) => Err(self.fault(word, "expected a value, not a move")),
                value => {
                    tokens.push(value);
                    Ok(())
                }
            },
        }
    }
}
