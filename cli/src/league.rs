use crate::common::{Rules, Threads, seed_or_one};
use crate::output::{grid, print, print_json};
use crate::progress::bar;
use anyhow::Result;
use indicatif::ProgressBar;
use oboro_core::Seed;
use oboro_lab::stats::Score;
use oboro_lab::{
    FORMAT, Folder, GameResult, League, LeagueTable, Manifest, MatchManifest, commit, run as play,
    version,
};
use std::fmt::Write as _;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// Plays a round robin and rates the agents
///
/// Every agent meets every other; in games of more than two seats the two take seats in turn. Each deal is played
/// in all rotations. Ratings are Bradley–Terry in Elo points with mean 0; a game is won by the
/// agent whose seats score more on average.
///
/// Example:
///   oboro league sevens random rule eval mc:200 --games 400 --seed 1
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// The game
    game: String,

    /// The agents, two or more
    #[arg(required = true, num_args = 2..)]
    agents: Vec<String>,

    /// Games a pairing
    #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,

    /// Where everything random comes from
    #[arg(long)]
    seed: Option<Seed>,

    #[command(flatten)]
    threads: Threads,

    #[command(flatten)]
    rules: Rules,

    /// A folder for the results; an existing one of the same league is gone on with
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Goes on with results of another commit
    #[arg(long)]
    any_commit: bool,

    /// Prints JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let seed = seed_or_one(args.seed);
    let league = League::plan(&args.game, &args.rules.rules, &args.agents, args.games, seed)?;
    let folder =
        args.out.as_ref().map(|out| folder(&league, out, &seed, args.any_commit)).transpose()?;
    let bar = bar("league", args.games * league.pairings.len() as u64, 0);
    let (results, _) = play_missing(&league, args.threads.count(), folder.as_ref(), &bar)?;
    bar.finish_and_clear();
    let table = league.table(&results);
    if args.json { print_json(&table) } else { print(&describe(&table, args.games)) }
}

fn id(pairing: usize) -> String {
    format!("pairing-{:03}", pairing + 1)
}

/// The folder for the results of a league, new or to be gone on with.
pub(crate) fn folder(league: &League, out: &Path, seed: &Seed, any_commit: bool) -> Result<Folder> {
    let matches =
        league.pairings.iter().enumerate().map(|(i, (_, _, plan))| {
            Ok(MatchManifest::new(id(i), &plan.prepare()?, Some(plan.games)))
        });
    let manifest = Manifest {
        format: FORMAT.to_owned(),
        version: version().to_owned(),
        commit: commit(),
        seed: seed.to_string(),
        experiment: Some("league".to_owned()),
        shard: None,
        matches: matches.collect::<Result<_>>()?,
    };
    Ok(Folder::create(out, manifest, any_commit)?)
}

/// Plays what a folder lacks of a league, with progress on a bar: the games of each pairing, and how many are new.
pub(crate) fn play_missing(
    league: &League,
    threads: usize,
    folder: Option<&Folder>,
    bar: &ProgressBar,
) -> Result<(Vec<Vec<GameResult>>, u64)> {
    let mut all: Vec<Vec<GameResult>> = Vec::new();
    let mut played = 0;
    for (i, (_, _, plan)) in league.pairings.iter().enumerate() {
        let contest = plan.prepare()?;
        bar.set_message(contest.entrants().join(" v "));
        let mut results = Vec::new();
        let mut file = None;
        if let Some(folder) = folder {
            let (opened, earlier) = folder.games(&id(i), 0)?;
            (file, results) = (Some(opened), earlier);
        }
        bar.inc(results.len() as u64);
        let first = results.len() as u64;
        play(&contest, first..plan.games, threads, false, |finished| {
            if let Some(file) = &mut file {
                file.push(&finished.result)?;
            }
            results.push(finished.result);
            bar.inc(1);
            played += 1;
            Ok::<_, anyhow::Error>(ControlFlow::Continue(()))
        })?;
        all.push(results);
    }
    Ok((all, played))
}

fn describe(table: &LeagueTable, games: u64) -> String {
    let mut order: Vec<usize> = (0..table.agents.len()).collect();
    order.sort_by(|&i, &j| table.ratings.players[j].elo.total_cmp(&table.ratings.players[i].elo));
    let rows = order
        .iter()
        .enumerate()
        .map(|(rank, &i)| {
            let rating = &table.ratings.players[i];
            let against: Vec<String> = order
                .iter()
                .map(|&j| {
                    let share = table.scores[i][j].as_ref().and_then(Score::share);
                    share.map_or("  –  ".to_owned(), |share| format!("{:5.1}", 100.0 * share))
                })
                .collect();
            [
                (rank + 1).to_string(),
                table.agents[i].clone(),
                format!(
                    "{:+.0} ({:+.0} to {:+.0})",
                    rating.elo, rating.interval.low, rating.interval.high
                ),
                against.join(" "),
            ]
        })
        .collect();
    let mut text = grid(["", "agent", "Elo (95 %)", "points in % against 1, 2, …"], rows, &[0, 2]);
    let _ = writeln!(text, "{games} games a pairing");
    if !table.ratings.identifiable {
        text.push_str(
            "some agents never lost or never won a point: one drawn game against an average agent was added \
             for each, and the gaps between such groups are lower bounds\n",
        );
    }
    text
}
