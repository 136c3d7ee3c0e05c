use crate::common::Rules;
use crate::output::print;
use anyhow::{Result, bail};
use oboro_catalog::Allowed;
use oboro_core::Seed;
use oboro_protocol::Conformity;

/// Checks that a program speaks the protocol for programs and plays by the rules
///
/// Plays games from every seat against random players, repeats one, drops one in the middle, asks for analysis and
/// beliefs if the program offers them, and tells it to quit. Says what it finds, one line a check; a fault ends with
/// exit code 2. docs/reference/protocol.md describes the protocol.
///
/// Examples:
///   oboro check geister "exec:./my-bot --level 3"
///   oboro check saboteur "exec:python3 bot.py,seconds=2" --games 50
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// The game
    game: String,

    /// The program: exec:COMMAND, or tcp:HOST:PORT
    program: String,

    /// Games from every seat
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..), allow_negative_numbers = true)]
    games: u64,

    /// Where everything random comes from
    #[arg(long, default_value = "1")]
    seed: Seed,

    #[command(flatten)]
    rules: Rules,
}

pub(crate) fn run(args: &Args, external: Allowed<'_>) -> Result<()> {
    let rules = args.rules.of(&args.game, external)?;
    let findings = oboro_protocol::check(rules.as_ref(), &args.program, args.games, args.seed)?;
    for finding in &findings {
        print(&format!("{finding}\n"))?;
    }
    let faults = findings.iter().filter(|f| matches!(f.verdict, Conformity::Fault(_))).count();
    if faults > 0 {
        bail!("{faults} of {} checks failed", findings.len());
    }
    Ok(())
}
