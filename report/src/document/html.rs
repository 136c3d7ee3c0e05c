use super::{
    Block, Card, Cell, Column, ColumnKind, Document, Emphasis, Figure, Heading, Row, RowKind, Span,
    Table, TableKind, Text, Tone,
};
use crate::plot::{Frame, Marks, STYLE, escape};

impl Document {
    /// The document as one page that needs nothing else.
    pub fn to_html(&self) -> String {
        let mut page = Page(String::new());
        let title = escape(&self.title);
        let links: String = self.links.iter().map(span).collect();
        let nav = if links.is_empty() { links } else { format!("<nav>{links}</nav>") };
        page.line(&format!(
            "<!doctype html>\n<html lang=\"{}\"><head><meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n\
             <title>Oboro 朧: {title}</title>\n<style>{}{STYLE}</style></head><body>\n\
             {nav}<header><p class=\"mark\">朧 Oboro</p><h1>{title}</h1>",
            self.language.code(),
            include_str!("style.css")
        ));
        page.blocks(&self.lead);
        page.line("</header><main>");
        page.blocks(&self.blocks);
        page.line("</main>");
        if !self.foot.is_empty() {
            page.line("<footer>");
            page.blocks(&self.foot);
            page.line("</footer>");
        }
        page.line("</body></html>");
        page.0
    }
}

/// A page in the making.
struct Page(String);

impl Page {
    fn line(&mut self, html: &str) {
        self.0.push_str(html);
        self.0.push('\n');
    }

    fn blocks(&mut self, blocks: &[Block]) {
        for block in blocks {
            self.block(block);
        }
    }

    fn block(&mut self, block: &Block) {
        match block {
            Block::Heading(heading) => self.heading(heading),
            Block::Paragraph(text, tone) => {
                self.line(&format!("<p{}>{}</p>", class_of(*tone), inline(text)));
            }
            Block::List(items, tone) => {
                let items: String =
                    items.iter().map(|item| format!("<li>{}</li>", inline(item))).collect();
                self.line(&format!("<ul{}>{items}</ul>", class_of(*tone)));
            }
            Block::Table(table) => self.table(table),
            Block::Figure(figure) => self.figure(figure),
            Block::Gallery(figures) => {
                self.line("<div class=\"figures\">");
                for figure in figures {
                    self.figure(figure);
                }
                self.line("</div>");
            }
            Block::Cards(cards) => {
                self.line("<div class=\"cards\">");
                for card in cards {
                    self.card(card);
                }
                self.line("</div>");
            }
            Block::Details(summary, blocks) => {
                self.line(&format!("<details><summary>{}</summary>", inline(summary)));
                self.blocks(blocks);
                self.line("</details>");
            }
        }
    }

    fn heading(&mut self, heading: &Heading) {
        let Heading { level, text, anchor, tag } = heading;
        let id = anchor.as_ref().map_or(String::new(), |id| format!(" id=\"{}\"", escape(id)));
        let tag = tag.as_ref().map_or(String::new(), |(word, emphasis)| {
            format!("<span class=\"tag {}\">{}</span>", class(*emphasis), escape(word))
        });
        self.line(&format!("<h{level}{id}>{}{tag}</h{level}>", inline(text)));
    }

    fn table(&mut self, table: &Table) {
        let kind = match table.kind {
            TableKind::Plain => "",
            TableKind::Measured => " class=\"cells plain\"",
            TableKind::Compared => " class=\"cells\"",
        };
        self.line(&format!("<div class=\"scroll\"><table{kind}>"));
        if table.columns.iter().any(|column| !column.head.is_empty()) {
            let heads: String = table
                .columns
                .iter()
                .map(|column| {
                    let classes = classes(column.kind, Emphasis::Plain);
                    format!("<th{classes}>{}</th>", escape(&column.head))
                })
                .collect();
            self.line(&format!("<thead><tr>{heads}</tr></thead>"));
        }
        for row in &table.rows {
            self.row(row, &table.columns);
        }
        self.line("</table></div>");
    }

    fn row(&mut self, row: &Row, columns: &[Column]) {
        if row.kind == RowKind::Remark {
            let said: Vec<String> = row.cells.iter().map(|cell| inline(&cell.text)).collect();
            let (first, name, rest) = match said.as_slice() {
                [first, name, rest @ ..] => (first.as_str(), name.as_str(), rest),
                _ => ("", "", said.as_slice()),
            };
            let rest: Vec<&str> =
                rest.iter().map(String::as_str).filter(|text| !text.is_empty()).collect();
            self.line(&format!(
                "<tr class=\"test\"><td>{first}</td><td colspan=\"{}\">{name}: {}</td></tr>",
                columns.len().saturating_sub(1),
                signed(&rest.join(", "))
            ));
            return;
        }
        let cells: String =
            row.cells.iter().zip(columns).map(|(cell, column)| td(cell, column.kind)).collect();
        let kind = if row.kind == RowKind::First { " class=\"row\"" } else { "" };
        self.line(&format!("<tr{kind}>{cells}</tr>"));
    }

    fn figure(&mut self, figure: &Figure) {
        let caption = inline(&figure.caption);
        let Some(chart) = &figure.chart else {
            self.line(&format!("<figure><figcaption>{caption}</figcaption></figure>"));
            return;
        };
        let wide = if matches!(chart.marks, Marks::Lines { .. }) { " class=\"wide\"" } else { "" };
        let svg = chart.svg(Frame::Page);
        self.line(&format!("<figure{wide}>{svg}<figcaption>{caption}</figcaption></figure>"));
    }

    fn card(&mut self, card: &Card) {
        let whole = card.parts.iter().sum::<u64>().max(1) as f64;
        let [good, bad, _] = card.parts.map(|part| 100.0 * part as f64 / whole);
        let bar = if card.parts == [0; 3] {
            String::new()
        } else {
            format!(
                "<div class=\"bar\"><i style=\"width:{good:.2}%\"></i><b style=\"width:{bad:.2}%\"></b></div>"
            )
        };
        let text = if card.text.is_empty() {
            String::new()
        } else {
            format!("<p>{}</p>", escape(&card.text))
        };
        self.line(&format!(
            "<div class=\"card\"><h3>{}</h3><p class=\"small soft\">{}</p>{text}{bar}<p class=\"small\">{}</p></div>",
            span(&card.title),
            escape(&card.source),
            escape(&card.line)
        ));
    }
}

fn td(cell: &Cell, column: ColumnKind) -> String {
    let text = inline(&cell.text);
    let text = match column {
        ColumnKind::Words | ColumnKind::Name => text,
        ColumnKind::Number | ColumnKind::Interval | ColumnKind::Extra => signed(&text),
    };
    let mark = match cell.emphasis {
        Emphasis::Good => "✓ ",
        Emphasis::Bad => "≠ ",
        Emphasis::Open => "– ",
        Emphasis::Plain | Emphasis::Soft => "",
    };
    format!("<td{}>{mark}{text}</td>", classes(column, cell.emphasis))
}

/// Numbers with a proper minus sign. A hyphen that begins a word is one; names keep theirs, and so do links.
fn signed(html: &str) -> String {
    let mut out = String::new();
    let mut before = ' ';
    for c in html.chars() {
        let begins = matches!(before, ' ' | '>' | '(');
        out.push(if c == '-' && begins { '−' } else { c });
        before = c;
    }
    out
}

fn classes(column: ColumnKind, emphasis: Emphasis) -> String {
    let column = match column {
        ColumnKind::Words => "",
        ColumnKind::Name => "name",
        ColumnKind::Number => "n",
        ColumnKind::Interval => "n interval",
        ColumnKind::Extra => "n wide-only",
    };
    let both: Vec<&str> =
        [column, class(emphasis)].into_iter().filter(|class| !class.is_empty()).collect();
    if both.is_empty() { String::new() } else { format!(" class=\"{}\"", both.join(" ")) }
}

fn class(emphasis: Emphasis) -> &'static str {
    match emphasis {
        Emphasis::Plain => "",
        Emphasis::Good => "agrees",
        Emphasis::Bad => "differs",
        Emphasis::Open => "open",
        Emphasis::Soft => "soft",
    }
}

fn class_of(tone: Tone) -> &'static str {
    match tone {
        Tone::Plain => "",
        Tone::Lead => " class=\"lead\"",
        Tone::Soft => " class=\"soft\"",
        Tone::Small => " class=\"small soft\"",
    }
}

fn inline(text: &Text) -> String {
    text.0.iter().map(span).collect()
}

fn span(span: &Span) -> String {
    match span {
        Span::Plain(text) => escape(text),
        Span::Code(text) => format!("<code>{}</code>", escape(text)),
        Span::Strong(text) => format!("<b>{}</b>", escape(text)),
        Span::Aside(text) => format!("<small class=\"soft\">{}</small>", escape(text)),
        Span::Link { text, to, title } => {
            let title = if title.is_empty() {
                String::new()
            } else {
                format!(" title=\"{}\"", escape(title))
            };
            format!("<a href=\"{}\"{title}>{}</a>", escape(to), escape(text))
        }
    }
}
