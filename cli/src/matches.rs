use crate::common::{Rules, Threads, seed_or_one};
use crate::output::{grid, p_value, print, print_json, with_interval};
use crate::progress::bar;
use anyhow::{Result, anyhow, bail};
use oboro_core::Seed;
use oboro_lab::stats::{Decision, Score, Sprt, SprtStatus};
use oboro_lab::{
    FORMAT, Folder, GameResult, Manifest, Match, MatchManifest, MatchPlan, Seating, Summary,
    commit, run as play, version,
};
use serde::Serialize;
use std::fmt::Write as _;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Duration;

/// Plays a match and sums it up
///
/// One agent a seat, as specs. The same seed gives the same games whatever the number of threads. With --out
/// every game is written down as it ends; the same command again goes on where the last one
/// stopped.
///
/// Examples:
///   oboro match sevens eval eval rule rule --games 10000 --seed 1
///   oboro match sevens eval mc:2000 rule rule --games 500 --out results/mine
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
#[allow(clippy::struct_excessive_bools, reason = "flags are what a command line has")]
pub(crate) struct Args {
    /// The game
    game: String,

    /// One agent a seat
    #[arg(required = true)]
    agents: Vec<String>,

    /// How many games
    #[arg(long, default_value_t = 1000)]
    games: u64,

    /// Where everything random comes from
    #[arg(long)]
    seed: Option<Seed>,

    #[command(flatten)]
    threads: Threads,

    /// How seats are given: as written, every deal once in each rotation, or at random
    #[arg(long, value_enum, default_value_t = Seats::Rotate)]
    seats: Seats,

    #[command(flatten)]
    rules: Rules,

    /// A folder for the results; an existing one of the same match is gone on with
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Writes every game down so that it can be replayed (needs --out)
    #[arg(long, requires = "out")]
    records: bool,

    /// Stops as soon as a sequential test (5 % errors) tells Elo below ELO0 from Elo above ELO1; for two different
    /// agents
    #[arg(long, value_name = "ELO0,ELO1", value_parser = elo_bounds, allow_hyphen_values = true)]
    sprt: Option<(f64, f64)>,

    /// Lets agents play that see hidden information
    #[arg(long)]
    allow_oracles: bool,

    /// Goes on with results of another commit
    #[arg(long)]
    any_commit: bool,

    /// Prints JSON
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Seats {
    Fixed,
    Rotate,
    Random,
}

impl From<Seats> for Seating {
    fn from(seats: Seats) -> Seating {
        match seats {
            Seats::Fixed => Seating::Fixed,
            Seats::Rotate => Seating::Rotate,
            Seats::Random => Seating::Random,
        }
    }
}

fn elo_bounds(text: &str) -> Result<(f64, f64), String> {
    let parse = || {
        let (low, high) = text.split_once(',')?;
        Some((low.trim().parse().ok()?, high.trim().parse().ok()?))
    };
    parse().ok_or_else(|| format!("`{text}`: write two Elo differences, such as 0,20"))
}

#[derive(Serialize)]
struct Output<'a> {
    #[serde(flatten)]
    summary: &'a Summary,
    #[serde(skip_serializing_if = "Option::is_none")]
    sprt: Option<SprtStatus>,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    if args.games == 0 {
        bail!("--games 0: at least one game");
    }
    let plan = MatchPlan {
        game: args.game.clone(),
        rules: args.rules.rules.clone(),
        agents: args.agents.clone(),
        seating: args.seats.into(),
        seed: seed_or_one(args.seed),
        games: args.games,
        allow_oracles: args.allow_oracles,
    };
    let contest = plan.prepare()?;
    if contest.is_timed() {
        eprintln!("an agent plays by the clock: these games cannot be played again bit for bit");
    }
    let sprt = match args.sprt {
        None => None,
        Some(_) if contest.entrants().len() != 2 => bail!("--sprt compares two different agents"),
        Some((low, high)) => Some(Sprt::new(low, high, 0.05, 0.05)?),
    };
    let played = play_match(args, &contest, sprt.as_ref())?;
    let summary = Summary::new(&contest, &played.results);
    let status = sprt.as_ref().map(|sprt| sprt.status(&Summary::score(&played.results)));
    if args.json {
        return print_json(&Output { summary: &summary, sprt: status });
    }
    print(&describe(&summary, &played.thinking))?;
    if let (Some(status), Some((low, high))) = (status, args.sprt) {
        print(&format!("SPRT: {}\n", verdict(&status, low, high)))?;
    }
    Ok(())
}

struct PlayedMatch {
    results: Vec<GameResult>,
    /// Decisions and time of each entrant, in this run.
    thinking: Vec<(u64, Duration)>,
}

fn play_match(args: &Args, contest: &Match, sprt: Option<&Sprt>) -> Result<PlayedMatch> {
    let mut folder = None;
    let mut results = Vec::new();
    if let Some(out) = &args.out {
        let manifest = Manifest {
            format: FORMAT.to_owned(),
            version: version().to_owned(),
            commit: commit(),
            seed: contest.seed().to_string(),
            experiment: None,
            shard: None,
            matches: vec![MatchManifest::new("games".to_owned(), contest, None)],
        };
        let opened = Folder::create(out, manifest, args.any_commit)?;
        let (file, earlier) = opened.games("games", 0)?;
        results = earlier;
        folder = Some((opened, file));
    }
    let mut thinking = vec![(0, Duration::ZERO); contest.entrants().len()];
    let decided =
        |score: &Score| sprt.is_some_and(|sprt| sprt.status(score).decision != Decision::Continue);
    // An earlier run may have been longer, or may have been decided already.
    results.truncate(args.games as usize);
    let mut score = Score { wins: 0, draws: 0, losses: 0 };
    for (i, game) in results.iter().enumerate() {
        score.add(Summary::score(std::slice::from_ref(game)));
        if decided(&score) {
            results.truncate(i + 1);
            return Ok(PlayedMatch { results, thinking });
        }
    }
    let first = results.len() as u64;
    let bar = bar("playing", args.games, first);
    play(contest, first..args.games, args.threads.count(), args.records, |finished| {
        if let Some((folder, file)) = &mut folder {
            if let Some(record) = &finished.record {
                let name = format!("records/{:06}.txt", finished.result.n);
                folder.write_file(&name, &record.to_string())?;
            }
            file.push(&finished.result)?;
        }
        for (total, one) in thinking.iter_mut().zip(&finished.thinking) {
            total.0 += one.0;
            total.1 += one.1;
        }
        score.add(Summary::score(std::slice::from_ref(&finished.result)));
        results.push(finished.result);
        bar.inc(1);
        let flow = if decided(&score) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
        Ok::<_, anyhow::Error>(flow)
    })?;
    bar.finish_and_clear();
    if results.is_empty() {
        return Err(anyhow!("no game was played"));
    }
    Ok(PlayedMatch { results, thinking })
}

fn describe(summary: &Summary, thinking: &[(u64, Duration)]) -> String {
    let rows = summary
        .entrants
        .iter()
        .zip(thinking)
        .map(|(entrant, (decisions, time))| {
            let think = if *decisions == 0 {
                "–".to_owned()
            } else {
                format!("{:.3}", time.as_secs_f64() * 1e3 / *decisions as f64)
            };
            [
                entrant.agent.clone(),
                entrant.seats.to_string(),
                with_interval(entrant.payoff.mean, entrant.payoff.interval),
                with_interval(entrant.wins.mean, entrant.wins.interval),
                think,
            ]
        })
        .collect();
    let mut text =
        grid(["agent", "seats", "mean payoff", "wins", "ms a move"], rows, &[1, 2, 3, 4]);
    let rules = if summary.rules.is_empty() { "standard rules" } else { &summary.rules };
    let _ = writeln!(
        text,
        "{} games of {} ({rules}), seed {}, {:.1} actions a game; intervals 95 %, by deal",
        summary.games, summary.game, summary.seed, summary.plies
    );
    if let Some(difference) = &summary.difference {
        let _ = writeln!(
            text,
            "difference of payoffs {} (paired by deal, {})",
            with_interval(difference.difference, Some(difference.interval)),
            p_value(difference.test.p)
        );
    }
    if let Some(score) = &summary.score {
        let _ = write!(
            text,
            "games won, drawn, lost by the first: {}, {}, {}",
            score.wins, score.draws, score.losses
        );
        if let Some(elo) = &summary.elo {
            let bound =
                |end: Option<f64>| end.map_or("unbounded".to_owned(), |e| format!("{e:+.0}"));
            let _ = write!(
                text,
                "; Elo {} ({} to {})",
                bound(elo.difference),
                bound(elo.low),
                bound(elo.high)
            );
        }
        text.push('\n');
    }
    text
}

fn verdict(status: &SprtStatus, low: f64, high: f64) -> String {
    let range =
        format!("LLR {:.2}, bounds {:.2} and {:.2}", status.llr, status.lower, status.upper);
    match status.decision {
        Decision::AcceptH1 => {
            format!("the first is stronger: Elo above {high} rather than below {low} ({range})")
        }
        Decision::AcceptH0 => {
            format!("it is not: Elo below {low} rather than above {high} ({range})")
        }
        Decision::Continue => format!("undecided after these games ({range})"),
    }
}
