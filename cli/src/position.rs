use crate::common::{Rules, Source, count, seed_or_one};
use crate::output::{grid, print, print_json};
use anyhow::Result;
use oboro_catalog::{ActionReport, Allowed, EvaluationReport, InsightReport};
use oboro_core::{Belief, LiveError, Perspective, Seat, Seed, Stop};
use serde::Serialize;
use std::fmt::Write as _;

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
    #[arg(long, default_value_t = 0, value_parser = count::<u64>, allow_negative_numbers = true)]
    number: u64,

    /// Plays these actions first, separated by spaces or commas
    #[arg(long, value_name = "ACTIONS", default_value = "")]
    then: String,

    #[command(flatten)]
    rules: Rules,
}

pub(crate) fn deal(args: &DealArgs) -> Result<()> {
    let rules = args.rules.of(&args.game, None)?;
    let seeds = seed_or_one(args.seed).game(args.number, args.number);
    let mut live = rules.live(&vec![None; rules.seats()], args.number, &seeds, "")?;
    for action in args.then.split_whitespace() {
        live.play(live.to_act().ok_or(LiveError::Over)?, action)?;
    }
    print(&format!("{}\n", live.position()))
}

/// Draws a position
///
/// Examples:
///   oboro deal sevens --seed 7 | oboro show sevens --seat 0
///   oboro show --record mine/records/000000.txt --ply 12
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct ShowArgs {
    #[command(flatten)]
    source: Source,

    /// Shows only what this seat knows
    #[arg(long, value_parser = count::<usize>, allow_negative_numbers = true)]
    seat: Option<usize>,

    /// Shows only what everybody knows
    #[arg(long, conflicts_with = "seat")]
    spectator: bool,

    /// Prints the scene as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn show(args: &ShowArgs) -> Result<()> {
    let live = args.source.live(None)?;
    let eyes = match args.seat {
        Some(seat) if seat > u8::MAX.into() => {
            return Err(LiveError::NoSeat(seat, live.seats().len() - 1).into());
        }
        Some(seat) => Perspective::Seat(Seat::new(seat)),
        None if args.spectator => Perspective::Spectator,
        None => Perspective::Everything,
    };
    if args.json {
        return print_json(&live.scene(eyes)?);
    }
    print(&format!("{}\n", live.drawing(eyes)?.trim_end()))
}

/// Lists the legal actions of a position
#[derive(clap::Args)]
pub(crate) struct MovesArgs {
    #[command(flatten)]
    source: Source,

    /// Says in words what each action does
    #[arg(long)]
    words: bool,

    /// Prints JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Moves {
    seat: Option<usize>,
    actions: Vec<ActionReport>,
}

pub(crate) fn moves(args: &MovesArgs) -> Result<()> {
    let live = args.source.live(None)?;
    if args.json {
        return print_json(&Moves { seat: live.to_act(), actions: live.described_actions() });
    }
    let Some(seat) = live.to_act() else {
        return print("the game is over\n");
    };
    let actions = live.actions();
    eprintln!("seat {seat} to move, {} legal actions", actions.len());
    if args.words {
        let rows = live.described_actions().into_iter().map(|a| [a.action, a.text.en]).collect();
        return print(&grid(["action", "what it does"], rows, &[]));
    }
    print(&format!("{}\n", actions.join("\n")))
}

/// Shows what an agent thinks of a position
///
/// The agent sees only what its seat knows. From a record it is first shown everything its seat saw up to
/// there; of a bare position it knows what the position says.
///
/// Examples:
///   oboro deal sevens --seed 7 | oboro analyse sevens --agent mc:2000
///   oboro analyse --record mine/records/000000.txt --ply 12 --agent oboro
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct AnalyseArgs {
    #[command(flatten)]
    source: Source,

    /// The agent; it may also be written after the position
    #[arg(long, value_name = "AGENT")]
    agent: Option<String>,

    /// The agent, after the position
    #[arg(value_name = "AGENT", conflicts_with = "agent")]
    agent_after: Option<String>,

    /// Looks from this seat [default: the one to move]; a seat that is not to move has beliefs only
    #[arg(long, value_parser = count::<usize>, allow_negative_numbers = true)]
    seat: Option<usize>,

    /// Where everything random comes from
    #[arg(long)]
    seed: Option<Seed>,

    /// How many actions to list
    #[arg(long, default_value_t = 20)]
    top: usize,

    /// Prints JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn analyse(args: &AnalyseArgs, external: Allowed<'_>) -> Result<()> {
    let Some(agent) = args.agent.as_ref().or(args.agent_after.as_ref()) else {
        anyhow::bail!("which agent? Write it after the position, or as --agent AGENT");
    };
    let live = args.source.live(external)?;
    let seat = match args.seat {
        Some(seat) => seat,
        None => live.to_act().ok_or(LiveError::Over)?,
    };
    let seeds = args.seed.unwrap_or_else(|| Seed::from_u64(1)).game(0, 0);
    let report = live.consult(seat, agent, &seeds)?.run(&Stop::new());
    if args.json {
        return print_json(&report);
    }
    print(&in_words(&report, args.top))
}

/// What an agent thinks, as text.
pub(crate) fn in_words(report: &InsightReport, top: usize) -> String {
    let mut text = String::new();
    if let Some(analysis) = &report.analysis {
        if let Some(drawing) = &analysis.drawing {
            text.push_str(drawing.trim_end());
            text.push('\n');
        }
        if !analysis.values.is_empty() {
            let rows = analysis
                .values
                .iter()
                .take(top)
                .map(|v| {
                    let visits = v.visits.map_or(String::new(), |n| n.to_string());
                    [v.action.clone(), format!("{:.4}", v.value), visits, v.note.clone()]
                })
                .collect();
            text.push_str(&grid(["action", &analysis.measure, "playouts", ""], rows, &[1, 2]));
        }
        if analysis.values.len() > top {
            let _ = writeln!(text, "… and {} more (--top)", analysis.values.len() - top);
        }
    }
    if let Some(evaluation) = &report.evaluation {
        let rows = evaluation.values.iter().take(top);
        let rows = rows.map(|one| {
            [one.action.clone(), format!("{:.3}", one.value), format!("{:.3}", one.error)]
        });
        text.push_str(&grid(["action", "expected payoff", "±"], rows.collect(), &[1, 2]));
    }
    if !report.beliefs.is_empty() {
        text.push_str(&beliefs(&report.beliefs, &report.baseline));
    }
    if let Some(EvaluationReport { agent, best, value, error, .. }) = &report.evaluation {
        let _ = writeln!(text, "{agent} advises {best}, worth {value:.3} ± {error:.3}");
    }
    match &report.analysis {
        Some(analysis) => {
            let _ = writeln!(
                text,
                "{} plays {} for seat {}",
                report.agent, analysis.choice, report.seat
            );
        }
        None if report.beliefs.is_empty() => {
            let _ = writeln!(
                text,
                "{} says nothing: seat {} is not to move",
                report.agent, report.seat
            );
        }
        None => {}
    }
    text
}

/// Beliefs beside what the rules alone say.
fn beliefs(beliefs: &[Belief], baseline: &[Belief]) -> String {
    let row = |belief: &Belief| {
        let counted = baseline.iter().find(|b| b.subject == belief.subject);
        let said = |belief: &Belief| {
            let mut values = belief.values.clone();
            values.sort_by(|a, b| b.probability.total_cmp(&a.probability));
            let shown = values.iter().take(4).map(|v| format!("{} {:.2}", v.value, v.probability));
            shown.collect::<Vec<_>>().join(", ")
        };
        [belief.subject.clone(), said(belief), counted.map(said).unwrap_or_default()]
    };
    grid(["hidden", "believed", "by counting"], beliefs.iter().map(row).collect(), &[])
}
