use crate::common::Threads;
use crate::output::{print, print_json};
use crate::progress::bar;
use anyhow::{Context, Result, bail};
use indicatif::ProgressBar;
use oboro_core::{Seed, did_you_mean};
use oboro_lab::{Experiment, Folder, MatchPlan, Scale, Shard, merge, paper, papers, run as play};
use std::ops::{ControlFlow, Range};
use std::path::{Path, PathBuf};

/// Runs an experiment and fills its tables, the paper's numbers beside ours
///
/// Experiments are TOML files; those of the papers come with the program and are run by name. Every game is
/// written down as it ends: the same command again goes on where the last one stopped.
///
/// Examples:
///   oboro experiment sevens-2018
///   oboro experiment sevens-2018 --scale paper --out results/sevens
///   oboro experiment my-own.toml --shard 1/4 --out part1
///   oboro experiment geister-gp-2022 --scale paper --only 'algorithm-*' --at-most 50
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// A file, or the name of a paper; leave it out to see the papers
    experiment: Option<String>,

    /// How many games: minutes, as many as the paper, or more
    #[arg(long, value_enum, default_value_t = ScaleArg::Quick)]
    scale: ScaleArg,

    /// Where the results go [default: results/NAME-SCALE]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    #[command(flatten)]
    portion: Portion,

    /// Another seed than the experiment's own
    #[arg(long)]
    seed: Option<Seed>,

    #[command(flatten)]
    threads: Threads,

    /// Goes on with results of another commit
    #[arg(long)]
    any_commit: bool,

    /// Prints JSON
    #[arg(long)]
    json: bool,
}

/// Which of an experiment's games to play now.
#[derive(Clone, Default, Debug, clap::Args)]
pub(crate) struct Portion {
    /// Plays only the I-th of N equal parts; `oboro merge` puts the parts together
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,

    /// Plays only the first N games of every match; the same command without it goes on from there
    #[arg(long, value_name = "N")]
    at_most: Option<u64>,

    /// Plays only the matches whose names fit, * being anything; can be given several times
    #[arg(long, value_name = "PATTERN")]
    only: Vec<String>,
}

impl Portion {
    /// The matches with the games to play of each.
    pub(crate) fn of(
        &self,
        experiment: &Experiment,
        scale: Scale,
        seed: &Seed,
    ) -> Result<Vec<Wanted>> {
        let plans = experiment.plans(scale, seed);
        for pattern in &self.only {
            if !plans.iter().any(|(id, _)| fits(id, pattern)) {
                let names: Vec<&str> = plans.iter().map(|(id, _)| id.as_str()).collect();
                let guess = did_you_mean(pattern, names.iter().copied())
                    .map(|guess| format!("; did you mean `{guess}`?"))
                    .unwrap_or_default();
                bail!("no match fits `{pattern}`{guess} (matches: {})", names.join(", "));
            }
        }
        let is_wanted =
            |id: &str| self.only.is_empty() || self.only.iter().any(|pattern| fits(id, pattern));
        let part = |games| {
            let range = self.shard.map_or(0..games, |shard| shard.range(games));
            let end = self.at_most.map_or(range.end, |most| range.end.min(range.start + most));
            range.start..end
        };
        let wanted = plans.into_iter().filter(|(id, _)| is_wanted(id));
        Ok(wanted.map(|(id, plan)| Wanted { id, games: part(plan.games), plan }).collect())
    }
}

/// Whether a name fits a pattern in which * stands for anything.
fn fits(name: &str, pattern: &str) -> bool {
    let Some((start, rest)) = pattern.split_once('*') else {
        return name == pattern;
    };
    let Some(name) = name.strip_prefix(start) else {
        return false;
    };
    name.char_indices().map(|(i, _)| i).chain([name.len()]).any(|i| fits(&name[i..], rest))
}

/// How many games.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub(crate) enum ScaleArg {
    Quick,
    Paper,
    Full,
}

impl From<ScaleArg> for Scale {
    fn from(scale: ScaleArg) -> Scale {
        match scale {
            ScaleArg::Quick => Scale::Quick,
            ScaleArg::Paper => Scale::Paper,
            ScaleArg::Full => Scale::Full,
        }
    }
}

/// Puts the shards of an experiment together
///
/// The result is the same, byte for byte, as that of one whole run.
#[derive(clap::Args)]
pub(crate) struct MergeArgs {
    /// The folder to make
    out: PathBuf,

    /// The folders of all shards
    #[arg(required = true)]
    shards: Vec<PathBuf>,
}

/// An experiment that comes with the program, or one in a file.
pub(crate) fn find(name: &str) -> Result<Experiment> {
    if let Some(text) = paper(name) {
        return Ok(Experiment::parse(name, text)?);
    }
    let path = Path::new(name);
    if !path.exists() {
        let known: Vec<&str> = papers().iter().map(|(name, _)| *name).collect();
        let guess = did_you_mean(name, known.iter().copied())
            .map(|guess| format!("; did you mean `{guess}`?"))
            .unwrap_or_default();
        bail!("there is no file and no paper `{name}`{guess} (papers: {})", known.join(", "));
    }
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {name}"))?;
    Ok(Experiment::parse(name, &text)?)
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let Some(name) = &args.experiment else {
        for (name, text) in papers() {
            print(&format!("{name:<24}{}\n", Experiment::parse(name, text)?.title()))?;
        }
        return Ok(());
    };
    let experiment = find(name)?;
    let scale = args.scale.into();
    let seed = args.seed.unwrap_or_else(|| experiment.default_seed());
    let shard = args.portion.shard;
    let wanted = args.portion.of(&experiment, scale, &seed)?;
    let out = args.out.clone().unwrap_or_else(|| {
        let part = shard.map(|s| format!("-shard-{}", s.to_string().replace('/', "-of-")));
        PathBuf::from(format!("results/{}-{scale}{}", experiment.id(), part.unwrap_or_default()))
    });
    let folder = Folder::create(&out, experiment.manifest(scale, &seed, shard), args.any_commit)?;
    let bar = bar(experiment.id(), count(&wanted), 0);
    play_missing(wanted, args.threads.count(), (&folder, &bar))?;
    bar.finish_and_clear();
    if let Some(shard) = shard {
        eprintln!(
            "shard {shard} is in {}: put all shards together with oboro merge",
            out.display()
        );
        return Ok(());
    }
    let report = experiment.report_of(scale, &folder)?;
    folder.write_file("tables.json", &format!("{}\n", serde_json::to_string_pretty(&report)?))?;
    folder.write_file("tables.md", &report.to_markdown())?;
    if args.json {
        print_json(&report)?;
    } else {
        print(&report.to_text())?;
    }
    eprintln!("results, tables.md and tables.json are in {}", out.display());
    Ok(())
}

/// A match with the games of it that are wanted.
pub(crate) struct Wanted {
    id: String,
    plan: MatchPlan,
    pub(crate) games: Range<u64>,
}

/// How many games are wanted of some matches.
pub(crate) fn count(wanted: &[Wanted]) -> u64 {
    wanted.iter().map(|wanted| wanted.games.end - wanted.games.start).sum()
}

/// Plays what a folder lacks of some matches, with progress on a bar; says how many games that was.
pub(crate) fn play_missing(
    wanted: Vec<Wanted>,
    threads: usize,
    (folder, bar): (&Folder, &ProgressBar),
) -> Result<u64> {
    let mut played = 0;
    for Wanted { id, plan, games } in wanted {
        let contest = plan.prepare()?;
        let (mut file, earlier) = folder.games(&id, games.start)?;
        // An earlier run may have played more than is wanted now.
        let first = games.end.min(games.start + earlier.len() as u64);
        bar.inc(first - games.start);
        bar.reset_eta();
        bar.set_message(id);
        play(&contest, first..games.end, threads, false, |finished| {
            file.push(&finished.result)?;
            bar.inc(1);
            played += 1;
            Ok::<_, anyhow::Error>(ControlFlow::Continue(()))
        })?;
    }
    Ok(played)
}

pub(crate) fn run_merge(args: &MergeArgs) -> Result<()> {
    let shards =
        args.shards.iter().map(|path| Folder::open(path)).collect::<Result<Vec<_>, _>>()?;
    let merged = merge(&shards, &args.out)?;
    let what = merged.manifest().experiment.clone().unwrap_or_default();
    eprintln!(
        "{} shards of {what} are together in {}: oboro experiment with --out there fills the tables",
        shards.len(),
        args.out.display()
    );
    Ok(())
}
