use super::terminal::grid;
use super::{Block, Card, ColumnKind, Document, Figure, Heading, Span, Table, Text};
use comfy_table::presets;

impl Document {
    /// The document as Markdown; pictures are links to `figures/LANGUAGE/FILE.svg`.
    pub fn to_markdown(&self) -> String {
        let mut parts = vec![format!("# {}", line(&self.title))];
        for blocks in [&self.lead, &self.blocks, &self.foot] {
            print(blocks, self.language.code(), &mut parts);
        }
        parts.join("\n\n") + "\n"
    }
}

fn print(blocks: &[Block], language: &str, parts: &mut Vec<String>) {
    for block in blocks {
        match block {
            Block::Heading(heading) => parts.push(print_heading(heading)),
            Block::Paragraph(text, _) => parts.push(inline(text)),
            Block::List(items, _) => {
                let items: Vec<String> =
                    items.iter().map(|item| format!("- {}", inline(item))).collect();
                parts.push(items.join("\n"));
            }
            Block::Table(table) => parts.push(print_table(table)),
            Block::Figure(figure) => parts.push(print_figure(figure, language)),
            Block::Gallery(figures) => {
                parts.extend(figures.iter().map(|figure| print_figure(figure, language)));
            }
            Block::Cards(cards) => {
                let cards: Vec<String> = cards.iter().map(print_card).collect();
                parts.push(cards.join("\n"));
            }
            Block::Details(summary, blocks) => {
                parts.push(format!("**{}**", inline(summary)));
                print(blocks, language, parts);
            }
        }
    }
}

fn print_heading(heading: &Heading) -> String {
    let Heading { level, text, anchor, tag } = heading;
    let anchor = anchor.as_ref().map_or(String::new(), |id| format!("<a id=\"{id}\"></a>\n\n"));
    let tag = tag.as_ref().map_or(String::new(), |(word, _)| format!(" ({word})"));
    format!("{anchor}{} {}{tag}", "#".repeat(usize::from(*level)), inline(text))
}

fn print_figure(figure: &Figure, language: &str) -> String {
    let caption = inline(&figure.caption);
    match &figure.chart {
        Some(chart) => {
            let alt = line(&chart.title).replace(['[', ']'], "");
            format!("![{alt}](figures/{language}/{}.svg)\n\n{caption}", figure.file)
        }
        None => caption,
    }
}

fn print_card(card: &Card) -> String {
    let said = format!("{} {}", card.text, card.line);
    format!("- **{}** ({}): {}", span(&card.title), card.source, said.trim())
}

/// A table with its numbers to the right.
fn print_table(table: &Table) -> String {
    let grid = grid(table, presets::ASCII_MARKDOWN, |text| inline(text).replace('|', "\\|"));
    let mut lines: Vec<String> = grid.lines().map(str::to_owned).collect();
    if let Some(rule) = lines.get_mut(1) {
        let dashes =
            rule.trim_matches('|').split('|').zip(&table.columns).map(|(dashes, column)| {
                let is_number = !matches!(column.kind, ColumnKind::Words | ColumnKind::Name);
                if is_number { format!("{}:", &dashes[1..]) } else { dashes.to_owned() }
            });
        *rule = format!("|{}|", dashes.collect::<Vec<_>>().join("|"));
    }
    lines.join("\n")
}

fn inline(text: &Text) -> String {
    text.0.iter().map(span).collect()
}

fn span(span: &Span) -> String {
    match span {
        Span::Plain(text) | Span::Aside(text) => line(text),
        Span::Code(text) => format!("`{text}`"),
        Span::Strong(text) => format!("**{}**", line(text)),
        Span::Link { text, to, .. } => format!("[{}]({to})", line(text)),
    }
}

/// A text in which nothing looks like a tag.
fn line(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        let is_tag =
            c == '<' && rest.peek().is_some_and(|c| c.is_alphabetic() || "/!".contains(*c));
        if is_tag {
            out.push('\\');
        }
        out.push(c);
    }
    out
}
