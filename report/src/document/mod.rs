//! Documents: what a report says, as plain data, and three ways to print it: a web page, Markdown, and text for a
//! terminal.
//!
//! ```
//! use oboro_report::document::{Block, Document, Text};
//!
//! let mut document = Document::new("A report");
//! document.push(Block::heading(2, "Scores"));
//! document.push(Block::paragraph(Text::parse("All **one** of them, by `oboro match`.")));
//! assert!(document.to_html().contains("<p>All <b>one</b> of them, by <code>oboro match</code>.</p>"));
//! assert!(document.to_markdown().contains("All **one** of them, by `oboro match`."));
//! ```

mod html;
mod markdown;
mod terminal;
mod text;

pub use text::{Span, Text};

use crate::plot::Chart;
use crate::words::Language;

/// A document.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Document {
    /// The language it is in.
    pub language: Language,
    /// What it is called.
    pub title: String,
    /// What it is about, before everything else.
    pub lead: Vec<Block>,
    /// Where one may want to go from there.
    pub links: Vec<Span>,
    /// What it says.
    pub blocks: Vec<Block>,
    /// Where it comes from, after everything else.
    pub foot: Vec<Block>,
}

/// A part of a document.
#[derive(Clone, PartialEq, Debug)]
pub enum Block {
    /// A heading.
    Heading(Heading),
    /// A paragraph.
    Paragraph(Text, Tone),
    /// A list.
    List(Vec<Text>, Tone),
    /// A table.
    Table(Table),
    /// A picture across the page.
    Figure(Figure),
    /// Pictures side by side.
    Gallery(Vec<Figure>),
    /// Short summaries side by side.
    Cards(Vec<Card>),
    /// What is shown only to those who ask for it, where that can be.
    Details(Text, Vec<Block>),
}

/// How loudly something is said.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Tone {
    /// As everything is.
    #[default]
    Plain,
    /// What opens a document.
    Lead,
    /// Aside.
    Soft,
    /// Aside, in small print.
    Small,
}

/// A heading.
#[derive(Clone, PartialEq, Debug)]
pub struct Heading {
    /// From 1, the title, to 4.
    pub level: u8,
    /// What it says.
    pub text: Text,
    /// What links to it name.
    pub anchor: Option<String>,
    /// A word on what follows.
    pub tag: Option<(String, Emphasis)>,
}

/// What a word in a table or beside a heading is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Emphasis {
    /// Nothing in particular.
    #[default]
    Plain,
    /// Something agrees.
    Good,
    /// Something differs.
    Bad,
    /// Something is not known.
    Open,
    /// An aside.
    Soft,
}

/// A table.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Table {
    /// What it is for.
    pub kind: TableKind,
    /// Its columns.
    pub columns: Vec<Column>,
    /// Its rows, each with a cell a column.
    pub rows: Vec<Row>,
}

/// What a table is for: narrow screens fold the two kinds of measurements.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum TableKind {
    /// Anything.
    #[default]
    Plain,
    /// Measured numbers: row, cell, ours, interval, n.
    Measured,
    /// Measured numbers beside others: row, cell, theirs, ours, interval, n, expected, verdict.
    Compared,
}

/// A column of a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Column {
    /// What it holds.
    pub head: String,
    /// How it is shown.
    pub kind: ColumnKind,
}

/// How a column is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ColumnKind {
    /// Words.
    #[default]
    Words,
    /// Words that are not broken into lines.
    Name,
    /// Numbers.
    Number,
    /// Intervals.
    Interval,
    /// Numbers that a narrow screen leaves out.
    Extra,
}

/// A row of a table.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Row {
    /// Its cells.
    pub cells: Vec<Cell>,
    /// What it is.
    pub kind: RowKind,
}

/// What a row of a table is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum RowKind {
    /// A row.
    #[default]
    Plain,
    /// The first of some that belong together.
    First,
    /// A remark on the rows before it; what its cells say is one sentence.
    Remark,
}

/// A cell of a table.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Cell {
    /// What it says.
    pub text: Text,
    /// What that is about.
    pub emphasis: Emphasis,
}

/// A picture.
#[derive(Clone, PartialEq, Debug)]
pub struct Figure {
    /// What is drawn.
    pub chart: Option<Chart>,
    /// The name of its own file, without folder and ending.
    pub file: String,
    /// What is said below it.
    pub caption: Text,
}

/// A short summary.
#[derive(Clone, PartialEq, Debug)]
pub struct Card {
    /// What it is of, and where to read on.
    pub title: Span,
    /// Whose it is.
    pub source: String,
    /// What it says, in a sentence.
    pub text: String,
    /// Parts of a whole: good, bad and open.
    pub parts: [u64; 3],
    /// What the parts are.
    pub line: String,
}

impl Document {
    /// An empty document.
    pub fn new(title: &str) -> Document {
        Document { title: title.to_owned(), ..Document::default() }
    }

    /// Adds to what it says.
    pub fn push(&mut self, block: Block) {
        self.blocks.push(block);
    }

    /// Every picture in it.
    pub fn figures(&self) -> Vec<&Figure> {
        fn visit<'a>(blocks: &'a [Block], found: &mut Vec<&'a Figure>) {
            for block in blocks {
                match block {
                    Block::Figure(figure) => found.push(figure),
                    Block::Gallery(figures) => found.extend(figures),
                    Block::Details(_, blocks) => visit(blocks, found),
                    _ => {}
                }
            }
        }
        let mut found = Vec::new();
        for blocks in [&self.lead, &self.blocks, &self.foot] {
            visit(blocks, &mut found);
        }
        found
    }
}

impl Block {
    /// A plain heading.
    pub fn heading(level: u8, text: impl Into<Text>) -> Block {
        Block::Heading(Heading { level, text: text.into(), anchor: None, tag: None })
    }

    /// A heading that links can name.
    pub fn anchored(level: u8, text: impl Into<Text>, anchor: &str) -> Block {
        let anchor = Some(anchor.to_owned());
        Block::Heading(Heading { level, text: text.into(), anchor, tag: None })
    }

    /// A plain paragraph.
    pub fn paragraph(text: impl Into<Text>) -> Block {
        Block::Paragraph(text.into(), Tone::Plain)
    }
}

impl Table {
    /// A table with these columns.
    pub fn new<const N: usize>(kind: TableKind, columns: [(&str, ColumnKind); N]) -> Table {
        let columns = columns.map(|(head, kind)| Column { head: head.to_owned(), kind });
        Table { kind, columns: columns.into(), rows: Vec::new() }
    }

    /// Adds a row.
    pub fn push(&mut self, kind: RowKind, cells: impl IntoIterator<Item = impl Into<Cell>>) {
        self.rows.push(Row { cells: cells.into_iter().map(Into::into).collect(), kind });
    }
}

impl<T: Into<Text>> From<T> for Cell {
    fn from(text: T) -> Cell {
        Cell { text: text.into(), emphasis: Emphasis::Plain }
    }
}

impl Cell {
    /// A cell that is about something.
    pub fn about(emphasis: Emphasis, text: impl Into<Text>) -> Cell {
        Cell { text: text.into(), emphasis }
    }
}

#[cfg(test)]
mod tests;
