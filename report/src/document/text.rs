//! Running text, and the little Markdown that our own prose uses: headings, paragraphs, lists, `code` and **weight**.

use super::{Block, Tone};

/// A run of text.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Text(pub Vec<Span>);

/// A piece of text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Span {
    /// As it is.
    Plain(String),
    /// What is typed or named exactly.
    Code(String),
    /// With weight.
    Strong(String),
    /// In small print.
    Aside(String),
    /// A link.
    Link {
        /// What it says.
        text: String,
        /// Where it leads.
        to: String,
        /// What is said of it on the way.
        title: String,
    },
}

impl From<&str> for Text {
    fn from(text: &str) -> Text {
        Text(if text.is_empty() { Vec::new() } else { vec![Span::Plain(text.to_owned())] })
    }
}

impl From<String> for Text {
    fn from(text: String) -> Text {
        Text::from(text.as_str())
    }
}

impl From<&String> for Text {
    fn from(text: &String) -> Text {
        Text::from(text.as_str())
    }
}

impl From<Span> for Text {
    fn from(span: Span) -> Text {
        Text(vec![span])
    }
}

impl Span {
    /// A link without further words.
    pub fn link(text: impl Into<String>, to: impl Into<String>) -> Span {
        Span::Link { text: text.into(), to: to.into(), title: String::new() }
    }
}

impl Text {
    /// Reads `code` and **weight**; lines are joined. A mark without a partner stays as it is.
    pub fn parse(text: &str) -> Text {
        let joined = join_lines(text);
        let mut spans = Vec::new();
        for (is_code, part) in alternate(&joined, "`") {
            if is_code {
                spans.push(Span::Code(part));
                continue;
            }
            for (is_strong, part) in alternate(&part, "**") {
                if !part.is_empty() {
                    spans.push(if is_strong { Span::Strong(part) } else { Span::Plain(part) });
                }
            }
        }
        Text(spans)
    }

    /// Whether it says nothing.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The words alone.
    pub fn plain(&self) -> String {
        let words = self.0.iter().map(|span| match span {
            Span::Plain(text) | Span::Code(text) | Span::Strong(text) | Span::Aside(text) => {
                text.as_str()
            }
            Span::Link { text, .. } => text.as_str(),
        });
        words.collect()
    }

    /// Adds a piece.
    #[must_use]
    pub fn and(mut self, span: Span) -> Text {
        self.0.push(span);
        self
    }
}

impl Block {
    /// Prose as blocks; `##` is a heading of the third level.
    pub fn prose(text: &str) -> Vec<Block> {
        let blocks = text.split("\n\n").map(str::trim).filter(|block| !block.is_empty());
        let blocks = blocks.map(|block| {
            if let Some(heading) = block.strip_prefix("## ") {
                Block::heading(3, Text::parse(heading))
            } else if let Some(list) = block.strip_prefix("- ") {
                Block::List(list.split("\n- ").map(Text::parse).collect(), Tone::Plain)
            } else {
                Block::paragraph(Text::parse(block))
            }
        });
        blocks.collect()
    }
}

/// Lines of a source file joined: with a space, but not between Japanese characters.
fn join_lines(text: &str) -> String {
    let mut joined = String::new();
    for line in text.lines().map(str::trim) {
        let wide = |c: Option<char>| c.is_some_and(|c| c as u32 >= 0x2e80);
        if !joined.is_empty() && !wide(joined.chars().last()) && !wide(line.chars().next()) {
            joined.push(' ');
        }
        joined.push_str(line);
    }
    joined
}

/// The parts of a text outside and inside pairs of a mark, in turn; the first is outside.
fn alternate(text: &str, mark: &str) -> Vec<(bool, String)> {
    let parts: Vec<&str> = text.split(mark).collect();
    let paired = (parts.len() - 1) / 2 * 2;
    let mut found: Vec<(bool, String)> = Vec::new();
    for (i, part) in parts.iter().enumerate() {
        match found.last_mut() {
            Some((_, last)) if i > paired => {
                last.push_str(mark);
                last.push_str(part);
            }
            _ => found.push((i % 2 == 1, (*part).to_owned())),
        }
    }
    found
}
