//! `oboro play`: a person at the table.

mod text;

use crate::common::Rules;
use anyhow::{Result, bail};
use oboro_catalog::game;
use oboro_core::Seed;

/// Plays a game with you at the table
///
/// You hold seat 0 unless --seat says otherwise; agents hold the others, in order, the last one repeated. Without
/// any, our best agent for the game plays. `help` at the prompt lists what you can say.
///
/// Examples:
///   oboro play --text geister
///   oboro play --text sevens eval reader rule --seat 2 --seed 7
///   oboro play --text saboteur --rules players=5 --seat 0,1
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// The game
    game: String,

    /// Agents for the seats that are not yours
    agents: Vec<String>,

    /// Plays in the terminal
    #[arg(long)]
    text: bool,

    /// The seats you hold
    #[arg(long, value_name = "SEAT,…", value_delimiter = ',', default_value = "0")]
    seat: Vec<usize>,

    /// Where everything random comes from [default: the time]
    #[arg(long)]
    seed: Option<Seed>,

    /// Speaks English or Japanese [default: as LANG says]
    #[arg(long, value_enum)]
    lang: Option<text::Language>,

    #[command(flatten)]
    rules: Rules,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    if !args.text {
        bail!("say --text to play in the terminal");
    }
    let best = game(&args.game)?.champion().to_owned();
    let rules = args.rules.of(&args.game)?;
    if let Some(seat) = args.seat.iter().find(|seat| **seat >= rules.seats()) {
        bail!("--seat {seat}: seats go from 0 to {}", rules.seats() - 1);
    }
    let free = (0..rules.seats()).filter(|seat| !args.seat.contains(seat));
    if args.agents.len() > free.clone().count() {
        bail!("{} agents for {} free seats", args.agents.len(), free.count());
    }
    let mut seats: Vec<Option<&str>> = vec![None; rules.seats()];
    for (i, seat) in free.enumerate() {
        let agent = args.agents.get(i).or(args.agents.last()).unwrap_or(&best);
        seats[seat] = Some(agent);
    }
    let seed = args.seed.unwrap_or_else(seed_of_the_moment);
    let live = rules.live(&seats, 0, &seed.game(0, 0), &format!("{seed}/0"))?;
    let language = args.lang.unwrap_or_else(text::Language::of_environment);
    let stdin = std::io::stdin().lock();
    text::Session::new(live, &args.seat, best, seed, language).run(stdin, &mut std::io::stdout())
}

/// A game for a person should be a new one every time; the seed is shown, so that it can be had again.
#[allow(clippy::disallowed_methods, reason = "a new game for a person, not a result")]
fn seed_of_the_moment() -> Seed {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    Seed::from_u64(now.map_or(1, |now| now.as_micros() as u64 % 1_000_000_000))
}
