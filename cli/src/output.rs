//! What commands print.

use comfy_table::{CellAlignment, ContentArrangement, Table, presets};
use oboro_stats::Interval;
use serde::Serialize;
use std::io::Write as _;

/// Writes a result to standard output. A reader that went away (`| head`) is no error.
pub(crate) fn print(text: &str) -> anyhow::Result<()> {
    match std::io::stdout().lock().write_all(text.as_bytes()) {
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        other => Ok(other?),
    }
}

/// Writes a result as JSON.
pub(crate) fn print_json(value: &impl Serialize) -> anyhow::Result<()> {
    print(&format!("{}\n", serde_json::to_string_pretty(value)?))
}

/// A table in the style of all of ours; `right` are the columns of numbers.
pub(crate) fn grid<const N: usize>(
    header: [&str; N],
    rows: Vec<[String; N]>,
    right: &[usize],
) -> String {
    table(&header, rows, right)
}

/// The same, for rows whose length is not known here.
pub(crate) fn table<R: IntoIterator<Item = String>>(
    header: &[&str],
    rows: Vec<R>,
    right: &[usize],
) -> String {
    // A pipe or file has no width of its own; long sentences are wrapped there too.
    const WIDTH: u16 = 120;
    let width = terminal_size::terminal_size().map_or(WIDTH, |(width, _)| width.0.max(40));
    let mut grid = Table::new();
    grid.load_style(presets::UTF8_FULL_CONDENSED)
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_width(width)
        .set_header(header.iter().copied());
    grid.add_rows(rows);
    for &column in right {
        if let Some(column) = grid.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    format!("{grid}\n")
}

/// `0.512 (0.480 to 0.544)`.
pub(crate) fn with_interval(value: f64, interval: Option<Interval>) -> String {
    match interval {
        Some(interval) => format!("{value:.3} ({:.3} to {:.3})", interval.low, interval.high),
        None => format!("{value:.3}"),
    }
}

/// p as people read it.
pub(crate) fn p_value(p: f64) -> String {
    if p < 0.0001 { "p < 0.0001".to_owned() } else { format!("p = {p:.4}") }
}
