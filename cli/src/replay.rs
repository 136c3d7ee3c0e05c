use crate::common::read_text;
use crate::output::print;
use anyhow::{Context, Result, anyhow, bail};
use oboro_catalog::{AnyRules, game, rule_options};
use oboro_core::{Record, Seed};
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

    /// Checks that the deal is that of the record's seed, and prints the seed's hash: the one that the room showed before
    /// seats were taken
    #[arg(long)]
    verify: bool,

    /// The hash that the room showed; any other is refused
    #[arg(long, value_name = "SHA-256", requires = "verify")]
    commitment: Option<String>,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let name = args.record.display();
    let record: Record = read_text(&args.record)?.parse().with_context(|| format!("{name}"))?;
    let options = rule_options(&record.rules).with_context(|| format!("{name}"))?;
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
    if args.verify {
        verify(rules.as_ref(), &record, args.commitment.as_deref())
            .with_context(|| format!("{name}"))?;
    }
    let end = if record.result.is_empty() {
        "still going on".to_owned()
    } else {
        format!("result {}", record.result.join(" "))
    };
    print(&format!("sound: {} actions, {end}\n", record.actions.len()))
}

/// Checks that a record begins with the deal of its seed, and that the seed has the hash that was shown before.
fn verify(rules: &dyn AnyRules, record: &Record, shown: Option<&str>) -> Result<()> {
    let (text, deal) = record.seed.split_once('/').ok_or_else(|| {
        anyhow!("seed: `{}` is not SEED/DEAL: this game was not dealt by a table", record.seed)
    })?;
    let seed: Seed = text.parse().context("seed")?;
    let number: u64 = deal.parse().with_context(|| format!("seed: no deal `{deal}`"))?;
    if rules.deal(number, &seed) != record.start {
        bail!("start: this is not the deal of the seed");
    }
    let hash = oboro_server::commitment(text);
    if shown.is_some_and(|shown| !shown.eq_ignore_ascii_case(&hash)) {
        bail!("seed: its hash is {hash}, which is not what was shown");
    }
    print(&format!("deal: that of the seed, whose hash is {hash}\n"))
}
