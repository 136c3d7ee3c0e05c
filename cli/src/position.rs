use crate::common::{Position, Rules, seed_or_one};
use crate::output::{grid, print, print_json};
use anyhow::Result;
use oboro_core::Seed;
use serde::Serialize;

/// Deals a game and prints the position at its start
///
/// Feed it to the other commands: oboro deal sevens --seed 7 | oboro show sevens
#[derive(clap::Args)]
pub(crate) struct DealArgs {
    /// The game
    game: String,

    /// Where everything random comes from
    #[arg(long)]
    seed: Option<Seed>,

    /// Which deal of the match with that seed
    #[arg(long, default_value_t = 0)]
    number: u64,

    /// Plays these actions first, separated by spaces or commas
    #[arg(long, value_name = "ACTIONS", default_value = "")]
    then: String,

    #[command(flatten)]
    rules: Rules,
}

pub(crate) fn deal(args: &DealArgs) -> Result<()> {
    let table = args.rules.table(&args.game)?;
    let mut position = table.deal(args.number, &seed_or_one(args.seed));
    for action in args.then.split_whitespace() {
        position = table.after(&position, action)?;
    }
    print(&format!("{position}\n"))
}

/// Draws a position
#[derive(clap::Args)]
pub(crate) struct ShowArgs {
    /// The game
    game: String,

    #[command(flatten)]
    position: Position,

    /// Shows only what this seat knows
    #[arg(long)]
    seat: Option<usize>,

    #[command(flatten)]
    rules: Rules,
}

pub(crate) fn show(args: &ShowArgs) -> Result<()> {
    let table = args.rules.table(&args.game)?;
    let drawing = table.show(&args.position.read()?, args.seat)?;
    print(&format!("{}\n", drawing.trim_end()))
}

/// Lists the legal actions of a position
#[derive(clap::Args)]
pub(crate) struct MovesArgs {
    /// The game
    game: String,

    #[command(flatten)]
    position: Position,

    #[command(flatten)]
    rules: Rules,

    /// Prints JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Moves {
    seat: Option<usize>,
    actions: Vec<String>,
}

pub(crate) fn moves(args: &MovesArgs) -> Result<()> {
    let table = args.rules.table(&args.game)?;
    let moves = table.moves(&args.position.read()?)?;
    if args.json {
        let (seat, actions) = moves.map_or((None, Vec::new()), |(seat, a)| (Some(seat.index()), a));
        return print_json(&Moves { seat, actions });
    }
    match moves {
        None => print("the game is over\n"),
        Some((seat, actions)) => {
            eprintln!("seat {seat} to move, {} legal actions", actions.len());
            print(&format!("{}\n", actions.join("\n")))
        }
    }
}

/// Shows what an agent thinks of a position
///
/// The agent sees only what the seat to move knows. Its history is what the position says of it.
///
/// Example:
///   oboro deal sevens --seed 7 | oboro analyse sevens --agent mc:2000
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct AnalyseArgs {
    /// The game
    game: String,

    #[command(flatten)]
    position: Position,

    /// The agent; it may also be written after the position
    #[arg(long, value_name = "AGENT")]
    agent: Option<String>,

    /// The agent, after the position
    #[arg(value_name = "AGENT", conflicts_with = "agent")]
    agent_after: Option<String>,

    /// Where everything random comes from
    #[arg(long)]
    seed: Option<Seed>,

    /// How many actions to list
    #[arg(long, default_value_t = 20)]
    top: usize,

    #[command(flatten)]
    rules: Rules,

    /// Prints JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn analyse(args: &AnalyseArgs) -> Result<()> {
    let table = args.rules.table(&args.game)?;
    let Some(agent) = args.agent.as_ref().or(args.agent_after.as_ref()) else {
        anyhow::bail!("which agent? Write it after the position, or as --agent AGENT");
    };
    let position = args.position.read()?;
    let report =
        table.analyse(&position, agent, &args.seed.unwrap_or_else(|| Seed::from_u64(1)))?;
    if args.json {
        return print_json(&report);
    }
    if let Some(drawing) = &report.drawing {
        print(&format!("{}\n", drawing.trim_end()))?;
    }
    if !report.values.is_empty() {
        let rows = report
            .values
            .iter()
            .take(args.top)
            .map(|v| {
                let visits = v.visits.map_or(String::new(), |n| n.to_string());
                [v.action.clone(), format!("{:.4}", v.value), visits, v.note.clone()]
            })
            .collect();
        print(&grid(["action", &report.measure, "playouts", ""], rows, &[1, 2]))?;
        if report.values.len() > args.top {
            print(&format!("… and {} more (--top)\n", report.values.len() - args.top))?;
        }
    }
    print(&format!("{} plays {} for seat {}\n", report.agent, report.choice, report.seat))
}
