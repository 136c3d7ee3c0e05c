use crate::common::{Rules, Threads, seed_or_one};
use crate::output::{grid, print, print_json, with_interval};
use crate::progress;
use anyhow::{Context as _, Result, bail};
use oboro_catalog::{Allowed, AnyRules};
use oboro_core::{Rng, Seed, Stop};
use oboro_lab::in_parallel;
use oboro_stats::{Confidence, Interval, Rate};
use serde::Serialize;

/// Checks the values that a game's best agent gives against how games end
///
/// Plays games of an agent against itself and asks what the last action of each game was worth, and what the positions of
/// some other decisions were. Values and results are scaled so that the worst payoff seen is 0 and the best 1. A last value is
/// right if it is on the same side of the mean payoff as the result; --json lists those that are not. The Brier score is the
/// mean squared difference of value and result over the other decisions, and there is none without them; beside it stands that
/// of the mean payoff, which knows nothing.
///
/// Whether hints are as good as the agent's own play is a match: oboro match GAME hint AGENT.
///
/// Examples:
///   oboro coach geister --games 200
///   oboro coach saboteur --games 200 --positions 3 --rules players=5
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// The game; `oboro games` lists them
    game: String,

    /// The agent that plays [default: the game's best one]
    #[arg(long, value_name = "AGENT")]
    agent: Option<String>,

    /// Number of games
    #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u64).range(1..=1_000_000), allow_negative_numbers = true)]
    games: u64,

    /// Decisions of each game that are judged besides the last
    #[arg(long, default_value_t = 4)]
    positions: usize,

    #[command(flatten)]
    rules: Rules,

    #[command(flatten)]
    threads: Threads,

    /// Where everything random comes from
    #[arg(long)]
    seed: Option<Seed>,

    /// Prints JSON
    #[arg(long)]
    json: bool,
}

/// A judged decision: what its position was said to be worth, and what the game came to.
struct Judged {
    value: f64,
    payoff: f64,
    /// Of the last decision, what was decided.
    last: Option<LastDecision>,
}

/// The decision that ended a game.
#[derive(Clone, Serialize)]
#[serde(rename_all = "kebab-case")]
struct LastDecision {
    game: u64,
    position: String,
    seat: usize,
    action: String,
    /// What it was said to be worth.
    value: f64,
    /// What the best action was said to be worth.
    best_value: f64,
    /// What it came to.
    payoff: f64,
}

/// How well values foretold results.
#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct Calibration {
    game: String,
    agent: String,
    games: u64,
    last_right: f64,
    last_interval: [f64; 2],
    positions: usize,
    /// Of the other decisions, if there are any.
    brier: Option<f64>,
    /// The same, had the mean payoff been said every time.
    constant: Option<f64>,
    /// The games whose last value was wrong.
    missed: Vec<LastDecision>,
}

pub(crate) fn run(args: &Args, external: Allowed<'_>) -> Result<()> {
    let rules = args.rules.of(&args.game, external)?;
    let champion = oboro_catalog::game(&args.game)?.champion();
    let agent = args.agent.clone().unwrap_or_else(|| champion.to_owned());
    let seed = seed_or_one(args.seed);
    let (mut judged, mut payoffs) = (Vec::new(), Vec::new());
    for game in play(args, rules.as_ref(), &agent, &seed)? {
        judged.extend(game.0);
        payoffs.extend(game.1);
    }
    let calibration = calibrate(args, agent, &judged, &payoffs)?;
    if args.json {
        return print_json(&calibration);
    }
    let Calibration {
        game,
        agent,
        games,
        last_right,
        last_interval,
        positions,
        brier,
        constant,
        ..
    } = calibration;
    let [low, high] = last_interval;
    let row = [
        game,
        agent,
        games.to_string(),
        with_interval(last_right, Some(Interval { low, high })),
        positions.to_string(),
        score(brier),
        score(constant),
    ];
    let header =
        ["game", "agent", "games", "last value right (95 %)", "positions", "Brier", "of the mean"];
    print(&grid(header, vec![row], &[2, 4, 5, 6]))
}

/// A Brier score, where there is one.
fn score(brier: Option<f64>) -> String {
    brier.map_or_else(|| "–".to_owned(), |brier| format!("{brier:.4}"))
}

/// What some decisions of a game were said to be worth, and what the game was worth to each seat.
type Played = (Vec<Judged>, Vec<f64>);

/// Plays and judges all games, each by itself, on several threads.
fn play(args: &Args, rules: &dyn AnyRules, agent: &str, seed: &Seed) -> Result<Vec<Played>> {
    let bar = progress::bar("coach", args.games);
    let played = in_parallel(args.games, args.threads.count(), |number| {
        let found = judge(rules, agent, number, args.positions, seed);
        bar.inc(1);
        found.with_context(|| format!("game {number}"))
    });
    bar.finish_and_clear();
    played
}

/// Plays one game and judges some of its decisions; also says what it was worth to each seat.
fn judge(
    rules: &dyn AnyRules,
    agent: &str,
    number: u64,
    positions: usize,
    seed: &Seed,
) -> Result<Played> {
    let seats = vec![Some(agent); rules.seats()];
    let seeds = seed.game(number, number);
    let mut live = rules.live(&seats, number, &seeds, "")?;
    while live.outcome().is_none() {
        live.step()?;
    }
    let outcome = live.outcome().context("the game is over")?;
    let last = live.plies().saturating_sub(1);
    let actions = live.record().actions;
    let mut rng = Rng::from_u64(number);
    let mut plies: Vec<usize> = (0..last).collect();
    rng.shuffle(&mut plies);
    plies.truncate(positions);
    plies.push(last);
    let mut judged = Vec::new();
    for ply in plies {
        let before = live.at(ply)?;
        let seat = before.to_act().context("somebody moved here")?;
        let coach = before.coach(seat, &Seed::from_u64(1).game(0, 0))?;
        let Some(said) = coach.evaluate(&Stop::new()) else { bail!("no value at ply {ply}") };
        let payoff = outcome.payoffs[seat];
        if ply < last {
            judged.push(Judged { value: said.value, payoff, last: None });
            continue;
        }
        // What the game came to follows from what was played, which need not have been the best.
        let action = actions[ply].1.clone();
        let played = said.values.iter().find(|one| one.action == action);
        let value = played.map_or(said.value, |one| one.value);
        let position = before.position();
        let best_value = said.value;
        let last = LastDecision { game: number, position, seat, action, value, best_value, payoff };
        judged.push(Judged { value, payoff, last: Some(last) });
    }
    Ok((judged, outcome.payoffs))
}

fn calibrate(
    args: &Args,
    agent: String,
    judged: &[Judged],
    payoffs: &[f64],
) -> Result<Calibration> {
    let mean = payoffs.iter().sum::<f64>() / payoffs.len() as f64;
    let low = payoffs.iter().copied().fold(f64::INFINITY, f64::min);
    let high = payoffs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let range = high - low;
    if range <= 0.0 {
        bail!("all games ended alike: play more of them");
    }
    let is_right = |one: &Judged| {
        let (said, came) = (one.value - mean, one.payoff - mean);
        if came.abs() < 1e-9 { said.abs() < range / 4.0 } else { said * came > 0.0 }
    };
    let (last, others): (Vec<&Judged>, Vec<&Judged>) =
        judged.iter().partition(|one| one.last.is_some());
    let missed: Vec<_> =
        last.iter().filter(|one| !is_right(one)).filter_map(|one| one.last.clone()).collect();
    let right = last.len() - missed.len();
    let rate = Rate::new(right as u64, last.len() as u64).context("more were right than judged")?;
    let score = |said: &dyn Fn(&Judged) -> f64| {
        let squares = others.iter().map(|one| ((said(one) - one.payoff) / range).powi(2));
        (!others.is_empty()).then(|| squares.sum::<f64>() / others.len() as f64)
    };
    let interval = rate.wilson(Confidence::P95);
    Ok(Calibration {
        game: args.game.clone(),
        agent,
        games: args.games,
        last_right: right as f64 / last.len() as f64,
        last_interval: [interval.low, interval.high],
        positions: others.len(),
        brier: score(&|one| one.value),
        constant: score(&|_| mean),
        missed,
    })
}
