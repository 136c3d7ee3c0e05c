use crate::common::{Keeping, Rules, Threads, explain_plan, seed_or_one};
use crate::matches::describe_beliefs;
use crate::output::{grid, print, print_json};
use crate::progress;
use crate::via::{self, Via};
use anyhow::{Result, bail};
use oboro_catalog::Allowed;
use oboro_core::{Scoring, Seed};
use oboro_lab::{Driver, League, LeagueTable, Wanted};
use oboro_stats::Interval;
use std::fmt::Write as _;
use std::path::Path;

/// Plays a round robin and rates the agents
///
/// Every agent meets every other; in games of more than two seats the two take seats in turn. Each deal is played
/// in all rotations. Ratings are Bradley–Terry in Elo points with mean 0; a game is won by the
/// agent whose seats score more on average. Of an odd number of seats one agent has more: then wins are shared,
/// and related to the seats. In games in which payoffs count, such as poker, ratings are mean differences of payoffs.
/// Intervals count deals, not games.
///
/// Examples:
///   oboro league sevens random rule eval mc:200 --games 400 --seed 1
///   oboro league sevens random rule eval mc:200 --games 4000 --seed 1 --via hyperqueue --out league
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
#[allow(clippy::struct_excessive_bools, reason = "flags of the command line")]
pub(crate) struct Args {
    /// The game
    game: String,

    /// The agents, two or more
    #[arg(required = true, num_args = 2..)]
    agents: Vec<String>,

    /// Games a pairing
    #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u64).range(1..), allow_negative_numbers = true)]
    games: u64,

    /// Where everything random comes from
    #[arg(long)]
    seed: Option<Seed>,

    #[command(flatten)]
    threads: Threads,

    #[command(flatten)]
    via: Via,

    #[command(flatten)]
    rules: Rules,

    #[command(flatten)]
    keeping: Keeping,

    /// Scores what the agents believe of hidden things (Brier score, log loss, calibration) beside the baseline that
    /// only counts what the rules allow
    #[arg(long)]
    beliefs: bool,

    /// Prints an entry of server/levels.toml: opponents of three strengths, rated above `random`, which comes first
    #[arg(long, conflicts_with = "json")]
    levels: bool,

    /// Prints JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, external: Allowed<'_>) -> Result<()> {
    let seed = seed_or_one(args.seed);
    let rules = args.rules.of(&args.game, external)?;
    let league = League::plan_at(&rules, &args.agents, args.games, seed).map_err(explain_plan)?;
    let league = if args.beliefs { league.scoring_beliefs() } else { league };
    let (wanted, threads) = (&league.wanted, args.threads.count());
    let place = args.keeping.out.as_deref();
    if args.via.is_dry() {
        let place = place.unwrap_or(Path::new(""));
        return args.via.explain(place, &via::whole(wanted), threads);
    }
    if args.via.is_elsewhere() && place.is_none() {
        bail!("--via needs --out DIR: a folder that all machines share");
    }
    let folder = args.keeping.folder(league.manifest())?;
    if let Some(place) = place {
        args.via.play("league", place, &via::whole(wanted), threads)?;
    }
    let bar = progress::bar("league", Wanted::count(wanted));
    let results =
        Driver::new(threads, &mut progress::on(&bar)).play_all(wanted, folder.as_ref())?;
    bar.finish_and_clear();
    let table = league.table(&results);
    if args.json {
        return print_json(&table);
    }
    if args.levels {
        return print(&levels(args, seed, &table)?);
    }
    print(&describe(&table, args.games))?;
    if args.beliefs { print(&describe_beliefs(&table.forecasts)) } else { Ok(()) }
}

/// The opponents of a game for people, the weakest first, and the command that rated them.
fn levels(args: &Args, seed: Seed, table: &LeagueTable) -> Result<String> {
    let [random, agents @ ..] = &table.agents[..] else { bail!("--levels: a league has agents") };
    if random != "random" || agents.len() != 3 {
        bail!("--levels rates three agents above random: {} random EASY MEDIUM HARD", args.game);
    }
    if table.ratings.scoring() == Scoring::Payoffs {
        bail!("--levels: payoffs count in {}, and levels are in Elo", args.game);
    }
    let (game, games) = (&args.game, args.games);
    let command =
        format!("oboro league {game} {} --games {games} --seed {seed}", table.agents.join(" "));
    let (ground, _) = table.ratings.of(0);
    let rated = table.ranking().into_iter().rev().filter(|agent| *agent > 0);
    let mut text = format!("# {command}\n");
    for (name, agent) in ["easy", "medium", "hard"].into_iter().zip(rated) {
        let elo = table.ratings.of(agent).0 - ground;
        let agent = &table.agents[agent];
        let _ =
            write!(text, "[[{game}]]\nname = \"{name}\"\nagent = \"{agent}\"\nelo = {elo:.0}\n\n");
    }
    Ok(text)
}

fn describe(table: &LeagueTable, games: u64) -> String {
    let (order, counts) = (table.ranking(), table.ratings.scoring());
    let digits = if counts == Scoring::Outcomes { 0 } else { 3 };
    let rows = order
        .iter()
        .enumerate()
        .map(|(rank, &i)| {
            let (value, interval) = table.ratings.of(i);
            let interval = interval.map_or_else(String::new, |Interval { low, high }| {
                format!(" ({low:+.digits$} to {high:+.digits$})")
            });
            let against: Vec<String> = order
                .iter()
                .map(|&j| {
                    let value = table.meetings[i][j].map(|meeting| match counts {
                        Scoring::Outcomes => format!("{:5.1}", 100.0 * meeting.share),
                        Scoring::Payoffs => format!("{:+6.2}", meeting.payoff),
                    });
                    value.unwrap_or_else(|| "  –  ".to_owned())
                })
                .collect();
            [
                (rank + 1).to_string(),
                table.agents[i].clone(),
                format!("{value:+.digits$}{interval}"),
                against.join(" "),
            ]
        })
        .collect();
    let [rating, against] = match counts {
        Scoring::Outcomes => ["Elo (95 %)", "points in % against 1, 2, …"],
        Scoring::Payoffs => ["payoff (95 %)", "payoff more than 1, 2, …"],
    };
    let mut text = grid(["", "agent", rating, against], rows, &[0, 2]);
    let deals = table.deals();
    let _ = writeln!(text, "{games} games a pairing, {deals} deals; intervals by deal");
    if !table.ratings.is_identifiable() {
        text.push_str(
            "some agents never lost or never won a point: one drawn game against an average agent was added \
             for each, and the gaps between such groups are lower bounds\n",
        );
    }
    text
}
