use super::{Block, ColumnKind, Document, Table, Text};
use comfy_table::{CellAlignment, ContentArrangement, TableStyle, presets};

impl Document {
    /// The document as a terminal shows it; pictures are left out.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        for blocks in [&self.lead, &self.blocks, &self.foot] {
            print(blocks, &mut text);
        }
        text
    }
}

fn print(blocks: &[Block], text: &mut String) {
    for block in blocks {
        match block {
            Block::Heading(heading) => {
                text.push('\n');
                wrap(text, &heading.text.plain());
            }
            Block::Paragraph(paragraph, _) => wrap(text, &paragraph.plain()),
            Block::List(items, _) => items.iter().for_each(|item| wrap(text, &item.plain())),
            Block::Table(table) => {
                text.push_str(&grid(table, presets::UTF8_FULL_CONDENSED, Text::plain));
                text.push('\n');
            }
            Block::Figure(_) | Block::Gallery(_) | Block::Cards(_) => {}
            Block::Details(summary, blocks) => {
                wrap(text, &summary.plain());
                print(blocks, text);
            }
        }
    }
}

/// A table drawn with characters, its numbers to the right.
pub(super) fn grid(table: &Table, style: TableStyle, print: impl Fn(&Text) -> String) -> String {
    let mut grid = comfy_table::Table::new();
    grid.load_style(style).set_content_arrangement(ContentArrangement::Disabled);
    grid.set_header(table.columns.iter().map(|column| column.head.as_str()));
    for row in &table.rows {
        grid.add_row(row.cells.iter().map(|cell| print(&cell.text)));
    }
    for (i, column) in table.columns.iter().enumerate() {
        let is_number = !matches!(column.kind, ColumnKind::Words | ColumnKind::Name);
        if let Some(column) = grid.column_mut(i).filter(|_| is_number) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    grid.to_string()
}

/// Text broken into lines a terminal can show.
fn wrap(text: &mut String, words: &str) {
    const WIDTH: usize = 98;
    let mut column = 0;
    for word in words.split_whitespace() {
        let length = word.chars().count();
        if column > 0 && column + 1 + length > WIDTH {
            text.push('\n');
            column = 0;
        } else if column > 0 {
            text.push(' ');
            column += 1;
        }
        text.push_str(word);
        column += length;
    }
    text.push('\n');
}
