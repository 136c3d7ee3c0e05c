use crate::common::{Keeping, Rules, Threads, count, explain_plan, one_of, seed_or_one};
use crate::output::{grid, p_value, print, print_json, with_interval};
use crate::progress;
use anyhow::{Context, Result, bail};
use oboro_catalog::Allowed;
use oboro_core::{Scoring, Seed};
use oboro_lab::event::FORFEITED;
use oboro_lab::{
    BeliefScore, Driver, GameResult, Manifest, Match, MatchPlan, Seating, SequentialTest, Summary,
    Task,
};
use oboro_protocol::Programs;
use oboro_stats::{Decision, SprtStatus};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Duration;

/// Plays a match and sums it up
///
/// One agent a seat, as specs. The same seed gives the same games whatever the number of threads. With --out
/// every game is written down as it ends; the same command again resumes where the last one
/// stopped.
///
/// Examples:
///   oboro match sevens eval eval rule rule --games 10000 --seed 1
///   oboro match sevens eval mc:2000 rule rule --games 500 --out results/mine
///   oboro match geister "exec:./my-bot --level 3" oboro --games 200
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
    #[arg(long, default_value_t = 1000, value_parser = count::<u64>, allow_negative_numbers = true)]
    games: u64,

    /// Where everything random comes from
    #[arg(long)]
    seed: Option<Seed>,

    #[command(flatten)]
    threads: Threads,

    /// How seats are given: as written, every deal once in each rotation, or at random
    #[arg(long, value_parser = one_of::<Seating>(&["fixed", "rotate", "random"]), default_value = "rotate")]
    seats: Seating,

    #[command(flatten)]
    rules: Rules,

    #[command(flatten)]
    keeping: Keeping,

    /// Writes every game down so that it can be replayed (needs --out)
    #[arg(long, requires = "out")]
    records: bool,

    /// Stops as soon as a sequential test (5 % errors, deal by deal) tells Elo below LOW from Elo above HIGH; for two
    /// different agents. With uneven seats Elo is counted from a fair share of the wins. In games in which payoffs count
    /// the bounds are mean differences of payoffs
    #[arg(long, value_name = "LOW,HIGH", value_parser = elo_bounds, allow_hyphen_values = true)]
    sprt: Option<(f64, f64)>,

    /// Lets agents play that see hidden information
    #[arg(long)]
    allow_oracles: bool,

    /// Scores what the agents believe of hidden things (Brier score, log loss, calibration) beside the baseline that
    /// only counts what the rules allow
    #[arg(long)]
    beliefs: bool,

    /// Prints JSON
    #[arg(long)]
    json: bool,
}

fn elo_bounds(text: &str) -> Result<(f64, f64), String> {
    let parse = || {
        let (low, high) = text.split_once(',')?;
        Some((low.trim().parse().ok()?, high.trim().parse().ok()?))
    };
    parse().ok_or_else(|| format!("`{text}`: write two differences, such as 0,20"))
}

#[derive(Serialize)]
struct Output<'a> {
    #[serde(flatten)]
    summary: &'a Summary,
    #[serde(skip_serializing_if = "Option::is_none")]
    sprt: Option<SprtStatus>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    beliefs: &'a Vec<BeliefScore>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    forfeits: &'a Vec<Forfeit>,
}

/// Games that an agent gave up for the same reason.
#[derive(Serialize)]
struct Forfeit {
    agent: String,
    reason: String,
    games: u64,
}

pub(crate) fn run(args: &Args, programs: &Programs, external: Allowed<'_>) -> Result<()> {
    if args.games == 0 {
        bail!("--games 0: at least one game");
    }
    let plan = MatchPlan {
        game: args.game.clone(),
        rules: args.rules.rules.clone(),
        agents: args.agents.clone(),
        seating: args.seats,
        seed: seed_or_one(args.seed),
        games: args.games,
        allow_oracles: args.allow_oracles,
    };
    let rules = args.rules.of(&args.game, external)?;
    let mut the_match = plan.prepare_at(rules).map_err(explain_plan)?;
    // A program that cannot even be started would lose every game, and the match would seem to have been played.
    programs.check_start(args.agents.iter().map(String::as_str))?;
    if args.beliefs {
        the_match = the_match.scoring_beliefs();
    }
    if the_match.is_timed() {
        eprintln!("an agent plays by the clock: these games cannot be played again bit for bit");
    }
    let test = args.sprt.map(|(low, high)| SequentialTest::new(&the_match, low, high));
    let stop = test.transpose().context("--sprt")?;
    let folder = args.keeping.folder(Manifest::of_match(&the_match))?;
    let bar = progress::bar("playing", args.games);
    let played = Driver::new(args.threads.count(), &mut progress::on(&bar)).play(&Task {
        folder: folder.as_ref(),
        records: args.records,
        stop,
        ..Task::new(Match::FILE, &the_match)
    })?;
    bar.finish_and_clear();
    let summary = Summary::new(&the_match, &played.results);
    let forecasts = BeliefScore::of(&the_match, &played.results);
    let forfeits = forfeits(&the_match, &played.results);
    if args.json {
        let (sprt, beliefs) = (played.test, &forecasts);
        return print_json(&Output { summary: &summary, sprt, beliefs, forfeits: &forfeits });
    }
    print(&describe(&summary, &played.thinking))?;
    print(&describe_forfeits(&forfeits))?;
    if args.beliefs {
        print(&describe_beliefs(&forecasts))?;
    }
    if let (Some(status), Some((low, high))) = (played.test, args.sprt) {
        print(&format!("SPRT: {}\n", verdict(&status, summary.counts, low, high)))?;
    }
    Ok(())
}

/// Who gave games up, and why: the reasons that came up most first.
fn forfeits(the_match: &Match, results: &[GameResult]) -> Vec<Forfeit> {
    let mut counts: BTreeMap<(usize, &str), u64> = BTreeMap::new();
    for game in results {
        let Some(reason) = &game.forfeit else { continue };
        let marks = game.marks(FORFEITED).into_iter().zip(&game.seats);
        for (_, &entrant) in marks.filter(|(gave_up, _)| *gave_up) {
            *counts.entry((entrant, reason)).or_default() += 1;
        }
    }
    let forfeit = |((entrant, reason), games): ((usize, &str), u64)| Forfeit {
        agent: the_match.entrants()[entrant].clone(),
        reason: reason.to_owned(),
        games,
    };
    let mut forfeits: Vec<Forfeit> = counts.into_iter().map(forfeit).collect();
    forfeits.sort_by_key(|forfeit| std::cmp::Reverse(forfeit.games));
    forfeits
}

fn describe_forfeits(forfeits: &[Forfeit]) -> String {
    const SHOWN: usize = 5;
    let mut text = String::new();
    for Forfeit { agent, reason, games } in forfeits.iter().take(SHOWN) {
        let _ = writeln!(text, "{games} games forfeited by {agent}: {reason}");
    }
    if forfeits.len() > SHOWN {
        let _ = writeln!(text, "… for {} more reasons", forfeits.len() - SHOWN);
    }
    text
}

/// How good beliefs were, and how well what was said fits what was so.
pub(crate) fn describe_beliefs(forecasts: &[BeliefScore]) -> String {
    if forecasts.is_empty() {
        return "none of these agents says what it believes\n".to_owned();
    }
    let row = |forecast: &BeliefScore| {
        [
            forecast.agent.clone(),
            forecast.beliefs.to_string(),
            format!("{:.4}", forecast.brier),
            format!("{:.4}", forecast.brier_by_counting),
            with_interval(forecast.gain, forecast.gain_interval),
            format!("{:.4}", forecast.log_loss),
            format!("{:.4}", forecast.log_loss_by_counting),
        ]
    };
    let mut text = grid(
        ["agent", "beliefs", "Brier", "by counting", "gain a game", "log loss", "by counting"],
        forecasts.iter().map(row).collect(),
        &[1, 2, 3, 4, 5, 6],
    );
    for forecast in forecasts {
        let classes = forecast.calibration.iter();
        let said = classes.map(|c| format!("{:.2} → {:.2}", c.probability, c.share));
        let _ = writeln!(
            text,
            "{} said → was so: {}",
            forecast.agent,
            said.collect::<Vec<_>>().join(", ")
        );
    }
    text
}

fn describe(summary: &Summary, thinking: &[(u64, Duration)]) -> String {
    let rows: Vec<[String; 5]> = summary
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
    let mut text = match summary.counts {
        Scoring::Outcomes => {
            grid(["agent", "seats", "mean payoff", "wins", "ms a move"], rows, &[1, 2, 3, 4])
        }
        // How often an agent is paid more does not count.
        Scoring::Payoffs => {
            let rows = rows
                .into_iter()
                .map(|[agent, seats, payoff, _, think]| [agent, seats, payoff, think]);
            grid(["agent", "seats", "mean payoff", "ms a move"], rows.collect(), &[1, 2, 3])
        }
    };
    let rules = if summary.rules.is_empty() { "standard rules" } else { &summary.rules };
    let _ = writeln!(
        text,
        "{} games of {} ({rules}), seed {}, {:.1} actions a game; intervals 95 %, by deal",
        summary.games, summary.game, summary.seed, summary.plies
    );
    for fact in &summary.facts {
        let value = with_interval(fact.value.mean, fact.value.interval);
        let _ = writeln!(text, "{} {value} a game: {}", fact.name, fact.about);
    }
    if let Some(difference) = &summary.difference {
        let _ = writeln!(
            text,
            "difference of payoffs {} (paired by deal, {})",
            with_interval(difference.difference, Some(difference.interval)),
            p_value(difference.test.p)
        );
    }
    let counts = match (&summary.score, summary.fair_wins) {
        (Some(score), _) => {
            let (wins, draws, losses) = (score.wins, score.draws, score.losses);
            Some(format!("games won, drawn, lost by the first: {wins}, {draws}, {losses}"))
        }
        (None, Some(fair)) => Some(format!("a fair share of wins for the first is {fair:.3}")),
        (None, None) => None,
    };
    if let (Some(counts), Some(elo)) = (counts, &summary.elo) {
        let bound = |end: Option<f64>| end.map_or("unbounded".to_owned(), |e| format!("{e:+.0}"));
        let _ = writeln!(
            text,
            "{counts}; Elo {} ({} to {})",
            bound(elo.difference),
            bound(elo.low),
            bound(elo.high)
        );
    }
    text
}

fn verdict(status: &SprtStatus, counts: Scoring, low: f64, high: f64) -> String {
    let what = match counts {
        Scoring::Outcomes => "Elo",
        Scoring::Payoffs => "difference of payoffs",
    };
    let range =
        format!("LLR {:.2}, bounds {:.2} and {:.2}", status.llr, status.lower, status.upper);
    match status.decision {
        Decision::AcceptH1 => {
            format!("the first is stronger: {what} above {high} rather than below {low} ({range})")
        }
        Decision::AcceptH0 => {
            format!("it is not: {what} below {low} rather than above {high} ({range})")
        }
        Decision::Continue => format!("undecided after these games ({range})"),
    }
}
