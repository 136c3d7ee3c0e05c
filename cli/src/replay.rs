use crate::common::pair;
use crate::output::print;
use anyhow::{Context, Result, anyhow};
use oboro_catalog::game;
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
    let text =
        std::fs::read_to_string(&args.record).with_context(|| format!("cannot read {name}"))?;
    let record: Record = text.parse().with_context(|| format!("{name}"))?;
    let options = record
        .rules
        .split(',')
        .filter(|option| !option.is_empty())
        .map(pair)
        .collect::<Result<Vec<_>, _>>()
        .map_err(|error| anyhow!("{name}: rules: {error}"))?;
    let table = game(&record.game)?.table(&options)?;
    let mut number = 0;
    let mut shown = String::new();
    table
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
    print(&format!("sound: {} actions, result {}\n", record.actions.len(), record.result.join(" ")))
}
