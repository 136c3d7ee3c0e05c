use super::report::{CellReport, Report, TableReport, TestReport};
use comfy_table::{CellAlignment, ContentArrangement, Table, presets};
use std::fmt::Write as _;

impl Report {
    /// The report as a terminal shows it.
    pub fn to_text(&self) -> String {
        let mut text = self.heading();
        for table in &self.tables {
            let _ = write!(text, "\nTable {}. {}\n", table.id, table.title);
            let _ = writeln!(text, "{}", table.grid(presets::UTF8_FULL_CONDENSED));
            table.notes.iter().for_each(|note| wrap(&mut text, note));
        }
        text.push('\n');
        self.notes.iter().for_each(|note| wrap(&mut text, note));
        text.push_str(&self.closing());
        text
    }

    /// The report as Markdown.
    pub fn to_markdown(&self) -> String {
        let mut text = format!("# {}\n\n{}", self.title, self.heading());
        for table in &self.tables {
            let _ = write!(text, "\n## Table {}. {}\n\n", table.id, table.title);
            let _ = writeln!(text, "{}", table.grid(presets::ASCII_MARKDOWN));
            table.notes.iter().for_each(|note| {
                let _ = write!(text, "\n{note}\n");
            });
        }
        text.push_str("\n## Notes\n\n");
        self.notes.iter().for_each(|note| {
            let _ = writeln!(text, "- {note}");
        });
        let _ = write!(text, "\n{}", self.closing());
        text
    }

    fn heading(&self) -> String {
        let source = self.source.as_deref().unwrap_or("our own experiment");
        format!("{} ({source}), scale {}\n", self.title, self.scale)
    }

    fn closing(&self) -> String {
        let v = &self.verdicts;
        if v.cells == 0 {
            return String::new();
        }
        format!(
            "{} of {} published numbers agree; {} differ, {:.1} would by chance alone (p {}).\n\
             A number agrees if it lies where 95 of 100 samples of the paper's own size would fall, \
             given our games: see `expected`.\n",
            v.cells - v.outside,
            v.cells,
            v.outside,
            v.expected,
            p_value(v.p),
        )
    }
}

/// A note, broken into lines a terminal can show.
fn wrap(text: &mut String, note: &str) {
    const WIDTH: usize = 98;
    let mut column = 0;
    for word in note.split_whitespace() {
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

/// p as people read it.
pub(crate) fn p_value(p: f64) -> String {
    if p < 0.0001 { "< 0.0001".to_owned() } else { format!("= {p:.4}") }
}

impl TableReport {
    fn grid(&self, preset: comfy_table::TableStyle) -> Table {
        let mut grid = Table::new();
        grid.load_style(preset).set_content_arrangement(ContentArrangement::Disabled);
        grid.set_header(["", "", "paper", "ours", "95 %", "n", "expected", "verdict"]);
        for row in &self.rows {
            for (i, cell) in row.cells.iter().enumerate() {
                let label = if i == 0 { row.label.as_str() } else { "" };
                grid.add_row(cell.line(label));
            }
            for (i, test) in row.tests.iter().enumerate() {
                let label = if i == 0 && row.cells.is_empty() { row.label.as_str() } else { "" };
                grid.add_row(test.line(label));
            }
        }
        for column in 2..7 {
            if let Some(column) = grid.column_mut(column) {
                column.set_cell_alignment(CellAlignment::Right);
            }
        }
        grid
    }
}

impl CellReport {
    /// Digits after the point: one more than the paper printed, three where it printed none.
    pub(crate) fn decimals(&self) -> usize {
        match &self.published {
            Some(text) if !text.contains('/') => {
                text.split_once('.').map_or(0, |(_, digits)| digits.len()) + 1
            }
            _ => 3,
        }
    }

    fn line(&self, row: &str) -> [String; 8] {
        let digits = self.decimals();
        let number = |value: f64| format!("{value:.digits$}");
        let range = |low: f64, high: f64| format!("{low:.digits$} to {high:.digits$}");
        let ours = self.ours.as_ref();
        [
            row.to_owned(),
            self.label.clone(),
            self.published.clone().unwrap_or_default(),
            ours.map_or("–".to_owned(), |o| number(o.value)),
            ours.and_then(|o| o.interval).map_or(String::new(), |i| range(i.low, i.high)),
            ours.map_or("0".to_owned(), |o| o.n.to_string()),
            self.expected.map_or(String::new(), |e| range(e.low, e.high)),
            self.verdict.map_or(String::new(), |v| v.to_string()),
        ]
    }
}

impl TestReport {
    fn line(&self, row: &str) -> [String; 8] {
        let figures = match (self.statistic, self.p) {
            (Some(statistic), Some(p)) => {
                let mut text = format!("{statistic:.2}");
                if let Some(df) = self.df {
                    let _ = write!(text, ", df {df:.0}");
                }
                (text, p_value(p))
            }
            _ => ("too few games".to_owned(), String::new()),
        };
        let p = match self.p_holm {
            Some(corrected) => format!("p {}, Holm {}", figures.1, p_value(corrected)),
            None if figures.1.is_empty() => String::new(),
            None => format!("p {}", figures.1),
        };
        let [row, label] = [row.to_owned(), self.label.clone()];
        [row, label, String::new(), figures.0, p, String::new(), String::new(), String::new()]
    }
}
