use crate::common::{Keeping, Rules, Threads, explain_plan, seed_or_one};
use crate::output::{grid, print, print_json, with_interval};
use crate::progress;
use anyhow::Result;
use oboro_catalog::Allowed;
use oboro_core::Seed;
use oboro_lab::{Driver, Estimate, Measure, Population, PopulationTable, Wanted};
use std::fmt::Write as _;

/// Rates agents by what they add to the tables of a population
///
/// For games of more than two seats, where a player may win by what others do. Tables are drawn
/// from the members of a population; of each table one chair is given to every agent in turn,
/// while the others, the deals and everything random stay as they are. What an agent adds is what
/// it makes of that chair less what the members make of it on average, paired by deal. Every deal
/// is played in all rotations.
///
/// --by tells apart what a seat was dealt, such as its role: a fact of the seat that the game
/// declares (`oboro games GAME` lists them) and that the deal decides. --value measures a fact
/// instead of the payoff.
///
/// Examples:
///   oboro population saboteur foreman path random --by saboteur --rules rounds=1 --seed 1
///   oboro population saboteur foreman path --guests oboro --by saboteur --value gold --rules rounds=1
///   oboro population sevens random rule eval --deals 100 --seed 1
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// The game
    game: String,

    /// The members of the population
    #[arg(required = true)]
    members: Vec<String>,

    /// Agents that are rated too, but sit at no other chair
    #[arg(long, num_args = 1.., value_name = "AGENT")]
    guests: Vec<String>,

    /// A fact of the seat by which results are told apart, such as its role
    #[arg(long, value_name = "FACT")]
    by: Option<String>,

    /// What is measured: a fact of the seat or of the game [default: the payoff]
    #[arg(long, value_name = "FACT")]
    value: Option<String>,

    /// How many tables are drawn from the population
    #[arg(long, default_value_t = 12, value_parser = clap::value_parser!(u64).range(1..=999))]
    tables: u64,

    /// Deals at each table; every agent plays each of them once from every seat
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    deals: u64,

    /// Where everything random comes from
    #[arg(long)]
    seed: Option<Seed>,

    #[command(flatten)]
    threads: Threads,

    #[command(flatten)]
    rules: Rules,

    #[command(flatten)]
    keeping: Keeping,

    /// Prints JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, external: Allowed<'_>) -> Result<()> {
    let table = args.rules.of(&args.game, external)?;
    let measure = Measure { value: args.value.clone(), by: args.by.clone() };
    let size = (args.tables, args.deals);
    let seed = seed_or_one(args.seed);
    let population = Population::plan(&table, &args.members, &args.guests, measure, size, seed)
        .map_err(explain_plan)?;
    let folder = args.keeping.folder(population.manifest())?;
    let bar = progress::bar("population", Wanted::count(&population.wanted));
    let results = Driver::new(args.threads.count(), &mut progress::on(&bar))
        .play_all(&population.wanted, folder.as_ref())?;
    bar.finish_and_clear();
    let rated = population.table(&results)?;
    if args.json { print_json(&rated) } else { print(&describe(&rated, size)) }
}

fn describe(rated: &PopulationTable, (tables, deals): (u64, u64)) -> String {
    let mut text = String::new();
    for group in &rated.groups {
        if let (Some(by), Some(is)) = (&rated.by, group.is) {
            let _ = writeln!(text, "{by} = {is}");
        }
        let show = |estimate: &Estimate| with_interval(estimate.value, estimate.interval);
        let rows = group.standings.iter().enumerate().map(|(rank, standing)| {
            let guest = if standing.member { "" } else { " (guest)" };
            [
                (rank + 1).to_string(),
                format!("{}{guest}", standing.agent),
                show(&standing.mean),
                show(&standing.added),
                standing.added.n.to_string(),
            ]
        });
        let header = ["", "agent", &format!("mean {}", rated.value), "added", "deals"];
        text += &grid(header, rows.collect(), &[0, 2, 3, 4]);
    }
    let _ = writeln!(
        text,
        "{tables} tables of {}, {deals} deals each in all rotations, {} games an agent; added: more than the members \
         make on average of the same chair; intervals 95 %, by deal",
        rated.members.join(", "),
        rated.games
    );
    if let (Some(by), true) = (&rated.by, rated.left_out > 0) {
        let _ = writeln!(
            text,
            "{} games an agent were left out: there {by} was not the same whoever sat at the chair",
            rated.left_out
        );
    }
    text
}
