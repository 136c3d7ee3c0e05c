use crate::common::{Threads, no_paper, one_of, open_folder, read_text};
use crate::output::{print, print_json};
use crate::progress;
use crate::via::{self, Via};
use anyhow::{Context, Result};
use oboro_catalog::Allowed;
use oboro_core::Seed;
use oboro_lab::{
    Driver, Experiment, Folder, Manifest, Portion, Report, Scale, Shard, Wanted, merge, paper,
    papers,
};
use oboro_report::document::Document;
use oboro_report::{StoredExperiment, StoredResults, experiment_document};
use oboro_store::{pretty, read_if_there, write_whole};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// Runs an experiment and fills its tables, the paper's numbers beside ours
///
/// Experiments are TOML files; those of the papers come with the program and are run by name. Every game is
/// written down as it ends: the same command again resumes where the last one stopped.
///
/// Examples:
///   oboro experiment sevens-2018
///   oboro experiment sevens-2018 --scale paper --out results/sevens
///   oboro experiment my-own.toml --shard 1/4 --out part1
///   oboro experiment geister-gp-2022 --scale paper --only 'algorithm-*' --at-most 50
///   oboro experiment saboteur-2019 --scale paper --store papers/saboteur-2019/results.toml
///   oboro experiment geister-gp-2022 --scale paper --dry-run
///   oboro experiment geister-gp-2022 --scale paper --via hyperqueue
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// A file, or the name of a paper; leave it out to see the papers
    experiment: Option<String>,

    /// How many games: minutes, as many as the paper, or more
    #[arg(long, value_parser = one_of::<Scale>(SCALES), default_value = "quick")]
    scale: Scale,

    /// Where the results go [default: results/NAME-SCALE]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Plays only the I-th of N equal parts; `oboro merge` puts the parts together
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,

    /// Plays only the first N games of every match; the same command without it resumes from there
    #[arg(long, value_name = "N")]
    at_most: Option<u64>,

    /// Plays only the matches whose names fit, * being anything; can be given several times
    #[arg(long, value_name = "PATTERN")]
    only: Vec<String>,

    #[command(flatten)]
    playing: Playing,

    /// Keeps the verdicts in a file, as papers/PAPER/results.toml has them; documents and reports repeat what is stored there
    #[arg(long, value_name = "FILE")]
    store: Option<PathBuf>,
}

/// The scales of experiments.
pub(crate) const SCALES: &[&str] = &["quick", "paper", "full"];

/// How the games of a paper are played and told of.
#[derive(clap::Args)]
pub(crate) struct Playing {
    /// Another seed than the experiment's own
    #[arg(long)]
    pub(crate) seed: Option<Seed>,

    #[command(flatten)]
    threads: Threads,

    #[command(flatten)]
    via: Via,

    /// Resumes results of another commit
    #[arg(long)]
    any_commit: bool,

    /// Prints JSON
    #[arg(long)]
    json: bool,
}

impl Playing {
    /// Says what would be played, if only that was asked for.
    pub(crate) fn explains(&self, out: &Path, wanted: &[Wanted]) -> Result<bool> {
        if self.via.is_dry() {
            self.via.explain(out, &via::whole(wanted), self.threads.count())?;
        }
        Ok(self.via.is_dry())
    }

    pub(crate) fn folder(&self, out: &Path, manifest: Manifest) -> Result<Folder> {
        open_folder(out, manifest, self.any_commit)
    }

    /// Plays what a folder lacks, here or elsewhere.
    pub(crate) fn play(&self, label: &str, wanted: &[Wanted], folder: &Folder) -> Result<()> {
        let threads = self.threads.count();
        self.via.play(label, folder.path(), &via::whole(wanted), threads)?;
        let bar = progress::bar(label, Wanted::count(wanted));
        Driver::new(threads, &mut progress::on(&bar)).play_experiment(wanted, folder)?;
        bar.finish_and_clear();
        Ok(())
    }

    /// Writes what came out beside the games, as JSON and as a document, and prints one of them.
    pub(crate) fn tell(
        &self,
        folder: &Folder,
        name: &str,
        found: &impl Serialize,
        document: &Document,
    ) -> Result<()> {
        folder.write_file(&format!("{name}.json"), &pretty(found))?;
        folder.write_file(&format!("{name}.md"), &document.to_markdown())?;
        if self.json {
            print_json(found)?;
        } else {
            print(&document.to_text())?;
        }
        eprintln!("games, {name}.md and {name}.json are in {}", folder.path().display());
        Ok(())
    }
}

impl Args {
    /// What plays the same games again.
    fn command(&self, experiment: &Experiment) -> String {
        let mut command = format!("oboro experiment {} --scale {}", experiment.id(), self.scale);
        for pattern in &self.only {
            command += &format!(" --only '{pattern}'");
        }
        if let Some(most) = self.at_most {
            command += &format!(" --at-most {most}");
        }
        if let Some(seed) = &self.playing.seed {
            command += &format!(" --seed {seed}");
        }
        command
    }
}

/// Puts the verdicts of a report into a file, in place of older ones of the same experiment.
fn store(report: &Report, seed: &Seed, command: String, path: &Path) -> Result<()> {
    let name = path.display();
    let text = read_if_there(path)?.unwrap_or_default();
    let mut results =
        StoredResults::parse(&text).with_context(|| format!("{name} has no stored verdicts"))?;
    results.put(StoredExperiment::new(report, &seed.to_string(), command));
    write_whole(path, &results.to_text())?;
    eprintln!("the verdicts are in {name}");
    Ok(())
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
pub(crate) fn find(name: &str, external: Allowed<'_>) -> Result<Experiment> {
    if let Some(text) = paper(name) {
        return Ok(Experiment::parse(name, text)?);
    }
    let path = Path::new(name);
    if !path.exists() {
        let papers = papers();
        let known: Vec<&str> = papers.iter().map(|(name, _)| name.as_str()).collect();
        return Err(no_paper(name, &known));
    }
    Ok(Experiment::parse_among(name, &read_text(path)?, external)?)
}

pub(crate) fn run(args: &Args, external: Allowed<'_>) -> Result<()> {
    let Some(name) = &args.experiment else {
        for (name, text) in papers() {
            print(&format!("{name:<24}{}\n", Experiment::parse(&name, text)?.title()))?;
        }
        return Ok(());
    };
    let experiment = find(name, external)?;
    let &Args { scale, shard, at_most, .. } = args;
    let seed = args.playing.seed.unwrap_or_else(|| experiment.default_seed());
    let portion = Portion { shard, at_most, only: args.only.clone() };
    let wanted = portion.of(&experiment, scale, &seed)?;
    let out = args.out.clone().unwrap_or_else(|| {
        let part = shard.map(|s| format!("-shard-{}", s.to_string().replace('/', "-of-")));
        PathBuf::from(format!("results/{}-{scale}{}", experiment.id(), part.unwrap_or_default()))
    });
    if args.playing.explains(&out, &wanted)? {
        return Ok(());
    }
    let folder = args.playing.folder(&out, experiment.manifest(scale, &seed, shard))?;
    args.playing.play(experiment.id(), &wanted, &folder)?;
    if let Some(shard) = shard {
        eprintln!(
            "shard {shard} is in {}: put all shards together with oboro merge",
            out.display()
        );
        return Ok(());
    }
    let report = experiment.report_of(scale, &folder)?;
    if let Some(path) = &args.store {
        store(&report, &seed, args.command(&experiment), path)?;
    }
    args.playing.tell(&folder, "tables", &report, &experiment_document(&report))
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
