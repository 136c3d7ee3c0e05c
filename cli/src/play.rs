//! `oboro play`: a person at the table, in the browser or in the terminal.

mod browser;
mod text;

use crate::common::{Rules, count, language};
use anyhow::{Result, bail};
use oboro_catalog::{Allowed, AnyRules, game};
use oboro_core::Seed;
use oboro_report::Language;

pub(crate) use browser::{ViewArgs, view};

/// Plays a game with you at the table
///
/// Opens the browser: choose a game there, or name it here to go straight to a table. You hold seat 0 unless --seat says
/// otherwise; agents hold the others, in order, the last one repeated. Without any, our best agent for the game
/// plays. With --text you play in the terminal; `help` at its prompt lists what you can say.
///
/// Examples:
///   oboro play
///   oboro play geister oboro
///   oboro play sevens eval reader rule --seat 2 --seed 7
///   oboro play --text saboteur --rules players=5 --seat 0,1
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// The game
    #[arg(required_if_eq("text", "true"))]
    game: Option<String>,

    /// Agents for the seats that are not yours
    agents: Vec<String>,

    /// Plays in the terminal
    #[arg(long)]
    text: bool,

    /// The seats you hold
    #[arg(long, value_name = "SEAT,…", value_delimiter = ',', default_value = "0", value_parser = count::<usize>, allow_negative_numbers = true)]
    seat: Vec<usize>,

    /// Where everything random comes from [default: a new seed every time]
    #[arg(long)]
    seed: Option<Seed>,

    /// Speaks English or Japanese in the terminal [default: as LANG says]
    #[arg(long, value_parser = language(), requires = "text")]
    lang: Option<Language>,

    /// The port of this machine [default: any that is free]
    #[arg(long, default_value_t = 0, conflicts_with = "text")]
    port: u16,

    /// Prints the address and opens no browser
    #[arg(long, conflicts_with = "text")]
    no_browser: bool,

    #[command(flatten)]
    rules: Rules,
}

/// Who sits where: an agent's spec, or nobody for a person's seat.
fn seats(args: &Args, best: &str, rules: &dyn AnyRules) -> Result<Vec<Option<String>>> {
    let count = rules.seats();
    if let Some(seat) = args.seat.iter().find(|seat| **seat >= count) {
        bail!("--seat {seat}: seats go from 0 to {}", count - 1);
    }
    let free = (0..count).filter(|seat| !args.seat.contains(seat));
    if args.agents.len() > free.clone().count() {
        bail!("{} agents for {} free seats", args.agents.len(), free.count());
    }
    let mut seats = vec![None; count];
    for (i, seat) in free.enumerate() {
        let agent = args.agents.get(i).or(args.agents.last());
        seats[seat] = Some(agent.map_or(best, String::as_str).to_owned());
    }
    Ok(seats)
}

pub(crate) fn run(args: &Args, external: Allowed<'_>) -> Result<()> {
    let Some(name) = &args.game else {
        return browser::play(args, None, external);
    };
    let best = game(name)?.champion();
    let rules = args.rules.of(name, external)?;
    let seats = seats(args, best, rules.as_ref())?;
    if !args.text {
        return browser::play(args, Some((name, &seats)), external);
    }
    let seed = args.seed.unwrap_or_else(seed_of_the_moment);
    let specs: Vec<Option<&str>> = seats.iter().map(Option::as_deref).collect();
    let live = rules.live(&specs, 0, &seed.game(0, 0), &format!("{seed}/0"))?;
    let language = args.lang.unwrap_or_else(text::language_of_environment);
    let stdin = std::io::stdin().lock();
    text::Sitting::new(live, &args.seat, best.to_owned(), seed, language)
        .run(stdin, &mut std::io::stdout())
}

/// A game for a person should be a new one every time; the seed is shown, so that it can be had again.
#[allow(clippy::disallowed_methods, reason = "a new game for a person, not a result")]
fn seed_of_the_moment() -> Seed {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    Seed::from_u64(now.map_or(1, |now| now.as_micros() as u64 % 1_000_000_000))
}
