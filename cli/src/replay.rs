use crate::common::read_text;
use crate::output::print;
use anyhow::{Context, Result};
use oboro_catalog::{game, record_options};
use oboro_core::Record;
use std::fmt::Write as _;
use std::path::PathBuf;

/// Steps through a recorded game and checks it against the rules
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The record, as `oboro match --records` writes it
    record: PathBuf,

    /// Draws the position after every action
    #[arg(long)]
    draw: bool,

    /// Says nothing but whether the record is sound
    #[arg(long, conflicts_with = "draw")]
    quiet: bool,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let name = args.record.display();
    let record: Record = read_text(&args.record)?.parse().with_context(|| format!("{name}"))?;
    let options = record_options(&record).with_context(|| format!("{name}"))?;
    let rules = game(&record.game)?.rules(&options)?;
    let mut number = 0;
    let mut shown = String::new();
    rules
        .replay(&record, &mut |action, draw| {
            if args.quiet {
                return;
            }
            if let Some((seat, action)) = action {
                number += 1;
                let agent = record.agents.get(seat.index()).map_or("", String::as_str);
                let _ = writeln!(shown, "{number}. seat {seat} {agent}: {action}");
            }
            if args.draw || number == 0 {
                let _ = writeln!(shown, "{}", draw().trim_end());
            }
        })
        .with_context(|| format!("{name}"))?;
    print(&shown)?;
    let end = if record.result.is_empty() {
        "still going on".to_owned()
    } else {
        format!("result {}", record.result.join(" "))
    };
    print(&format!("sound: {} actions, {end}\n", record.actions.len()))
}
