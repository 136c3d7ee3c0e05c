//! Games played by other machines: `--via` and `--dry-run` of the commands that play many.

use crate::output::{grid, print};
use crate::progress;
use anyhow::{Context, Result};
use indicatif::ProgressBar;
use oboro_catalog::Allowed;
use oboro_lab::cluster::{
    self, ClusterError, Collector, CollectorEvent, HyperQueue, Job, ManualQueue, Missing, Planned,
    Queue, Slurm, TaskList, missing, plan,
};
use oboro_lab::{Folder, Wanted};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Where games are played.
#[derive(clap::Args, Debug)]
pub(crate) struct Via {
    /// Has the games played by other machines that share this disk; the results are the same, byte for byte. The same
    /// command again resumes. docs/how-to/run-on-a-cluster.md teaches it
    #[arg(long = "via", value_name = "ENGINE", value_enum)]
    engine: Option<Engine>,

    /// With --via: about how long a task takes, in seconds on one core
    #[arg(long, value_name = "S", default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..))]
    task_seconds: u32,

    /// Says how many games are missing, in how many tasks and how long they take; plays only what measuring needs
    #[arg(long)]
    dry_run: bool,
}

/// Who plays.
#[allow(clippy::doc_markdown, reason = "a terminal shows it as it is written")]
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
enum Engine {
    /// The workers of a running HyperQueue (`hq server start`, `hq worker start`)
    Hyperqueue,
    /// A Slurm cluster, as a job array
    Slurm,
    /// Whoever runs `oboro work` on the folder: Kubernetes, other schedulers, a second machine
    Folder,
}

impl Engine {
    fn queue(self) -> &'static dyn Queue {
        match self {
            Engine::Hyperqueue => &HyperQueue,
            Engine::Slurm => &Slurm,
            Engine::Folder => &ManualQueue,
        }
    }
}

/// A result folder and the games that are wanted in it.
#[derive(Clone, Copy)]
pub(crate) struct Share<'a> {
    /// Its path from the folder of the whole; empty if it is that.
    pub(crate) name: &'a str,
    /// All games that are wanted.
    pub(crate) wanted: &'a [Wanted],
}

impl Share<'_> {
    /// What is missing of it below a folder, which may not be there yet.
    fn missing(&self, root: &Path) -> Result<Vec<Missing>> {
        let path = if self.name.is_empty() { root.to_owned() } else { root.join(self.name) };
        let folder =
            path.join("manifest.json").exists().then(|| Folder::open(&path)).transpose()?;
        Ok(missing(self.name, folder.as_ref(), self.wanted)?)
    }
}

impl Via {
    /// Whether only a plan was asked for.
    pub(crate) fn is_dry(&self) -> bool {
        self.dry_run
    }

    /// Whether other machines are to play.
    pub(crate) fn is_elsewhere(&self) -> bool {
        self.engine.is_some()
    }

    /// Who plays, for reports.
    pub(crate) fn players(&self) -> Option<&'static str> {
        self.engine.map(|engine| engine.queue().info().name)
    }

    /// Prints what would be played.
    pub(crate) fn explain(&self, root: &Path, shares: &[Share<'_>], threads: usize) -> Result<()> {
        let all = all_missing(root, shares)?;
        let planned = self.plan(&all, threads)?;
        let row = |(missing, time): (&Missing, &Duration)| {
            let own = planned
                .chunks
                .iter()
                .filter(|chunk| (&chunk.folder, &chunk.id) == (&missing.folder, &missing.id));
            let folder = Path::new(&missing.folder).file_name().unwrap_or_default();
            let name = Path::new(folder).join(&missing.id);
            [
                name.display().to_string(),
                missing.count().to_string(),
                own.count().to_string(),
                span(*time),
            ]
        };
        if all.is_empty() {
            return print("nothing is missing: the command only reads what is there\n");
        }
        let rows = all.iter().zip(&planned.times).map(row).collect();
        print(&grid(["match", "games missing", "tasks", "on one core"], rows, &[1, 2, 3]))?;
        print(&format!(
            "{} games in {} tasks: about {} on one core of this machine, {} on {threads}, {} on 100 such cores\n",
            planned.games(),
            planned.chunks.len(),
            span(planned.time()),
            span(planned.time_on(threads)),
            span(planned.time_on(100)),
        ))
    }

    /// Has what is missing played elsewhere, if that was asked for; how many games that was. The result folders are there.
    pub(crate) fn play(
        &self,
        label: &str,
        root: &Path,
        shares: &[Share<'_>],
        threads: usize,
    ) -> Result<u64> {
        let Some(engine) = self.engine else { return Ok(0) };
        let queue = engine.queue();
        let root = fs::canonicalize(root).with_context(|| root.display().to_string())?;
        let program = std::env::current_exe().context("where is this program?")?;
        let job = Job::new(program, root.clone());
        let mut gathering = Collector::open(&root)?;
        let missing = all_missing(&root, shares)?;
        if !missing.is_empty() {
            // Whether anybody answers is found out before minutes are spent on a plan.
            queue.is_busy(&job)?;
        }
        let planned = self.plan(&gathering.unlisted(&missing), threads)?;
        if !planned.chunks.is_empty() {
            eprintln!(
                "{} games in {} tasks, about {} on one core, for {}",
                planned.games(),
                planned.chunks.len(),
                span(planned.time()),
                queue.info().name
            );
        }
        gathering.add(planned.chunks)?;
        if engine == Engine::Folder && !missing.is_empty() {
            eprintln!("waiting for oboro work {}", root.display());
        }
        let wanted: u64 = shares.iter().map(|share| Wanted::count(share.wanted)).sum();
        let due: u64 = missing.iter().map(Missing::count).sum();
        let bar = progress::bar(label, wanted);
        bar.set_position(wanted - due);
        bar.reset_eta();
        gathering.run(&missing, &job, queue, &mut |news| tell(&bar, queue, news))?;
        bar.finish_and_clear();
        Ok(due)
    }

    fn plan(&self, missing: &[Missing], threads: usize) -> Result<Planned> {
        let most = self.engine.map_or(usize::MAX, |engine| engine.queue().info().most_tasks);
        if !missing.is_empty() {
            eprintln!("measuring how long the games of {} matches take …", missing.len());
        }
        Ok(plan(missing, Duration::from_secs(self.task_seconds.into()), most, threads)?)
    }
}

fn all_missing(root: &Path, shares: &[Share<'_>]) -> Result<Vec<Missing>> {
    let all = shares.iter().map(|share| share.missing(root));
    Ok(all.collect::<Result<Vec<_>>>()?.concat())
}

/// Shows what happens elsewhere.
fn tell(bar: &ProgressBar, queue: &dyn Queue, news: CollectorEvent<'_>) {
    let say = |text: String| bar.suspend(|| eprintln!("{text}"));
    match news {
        CollectorEvent::Games { count, before } => {
            bar.inc(count);
            if before {
                bar.reset_eta();
            }
        }
        CollectorEvent::Submitted(tasks) => {
            say(format!("tasks given to {}: {tasks}", queue.info().name));
        }
        CollectorEvent::Silent(error) => {
            bar.set_message(format!("({} does not answer)", queue.info().name));
            if bar.is_hidden() {
                say(format!("{} does not answer, and is asked again: {error}", queue.info().name));
            }
        }
        CollectorEvent::Back => {
            bar.set_message("");
            say(format!("{} answers again", queue.info().name));
        }
    }
}

/// A time as people say it.
fn span(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    match seconds {
        ..1.0 => format!("{:.0} ms", seconds * 1e3),
        ..120.0 => format!("{seconds:.0} s"),
        ..7200.0 => format!("{:.0} min", seconds / 60.0),
        _ => format!("{:.1} h", seconds / 3600.0),
    }
}

/// The folder of results, seen from the folder of the whole.
pub(crate) fn whole(wanted: &[Wanted]) -> [Share<'_>; 1] {
    [Share { name: "", wanted }]
}

/// Plays tasks of a folder: what engines start on every machine
///
/// `oboro experiment`, `oboro league` and `oboro reproduce` with --via list tasks in a folder; this plays one of them and
/// leaves its part of the results there. Any scheduler can run it, on any machine that shares the folder, as often as it
/// likes: a task that is done is done. One task takes one core.
///
/// Examples:
///   oboro work results/thesis                                          all that is missing, one after the other
///   oboro work results/thesis --task 17
///   oboro work results/thesis --task-from SLURM_ARRAY_TASK_ID
///   oboro work results/thesis --task-from JOB_COMPLETION_INDEX --of 8  one of eight machines
#[allow(clippy::doc_markdown, reason = "a terminal shows it as it is written")]
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct WorkArgs {
    /// The folder that was given to --out
    folder: PathBuf,

    /// The number of the task, from 0 [default: all tasks]
    #[arg(long, value_name = "N", conflicts_with = "task_from")]
    task: Option<usize>,

    /// The environment variable that has the number of the task
    #[arg(long, value_name = "VARIABLE")]
    task_from: Option<String>,

    /// Plays every M-th task from there on: a share of the whole for each of M machines, numbered from 0
    #[arg(long, value_name = "M", value_parser = clap::value_parser!(u32).range(1..))]
    of: Option<u32>,
}

pub(crate) fn work(args: &WorkArgs, external: Allowed<'_>) -> Result<()> {
    let count = match TaskList::read(&args.folder) {
        Ok(list) => list.chunks().len(),
        Err(error) => return finished(args, error),
    };
    let first = match &args.task_from {
        Some(variable) => {
            let value = std::env::var(variable)
                .with_context(|| format!("--task-from {variable}: there is no such variable"))?;
            let number = value.trim().parse();
            Some(number.with_context(|| format!("{variable}={value} is no number of a task"))?)
        }
        None => args.task,
    };
    let tasks: Vec<usize> = match (first, args.of) {
        (Some(task), None) => vec![task],
        (first, of) => (first.unwrap_or(0)..count).step_by(of.unwrap_or(1) as usize).collect(),
    };
    for task in tasks {
        match cluster::work(&args.folder, task, external) {
            Ok(games) => eprintln!("task {task}: {games} games"),
            Err(error) => return finished(args, error),
        }
    }
    Ok(())
}

/// When everything was put together the list goes away, and a worker that comes late has nothing to do.
fn finished(args: &WorkArgs, error: ClusterError) -> Result<()> {
    let has_results = fs::read_dir(&args.folder).is_ok_and(|mut entries| entries.next().is_some());
    match error {
        ClusterError::NoTasks(folder) if has_results => {
            eprintln!(
                "{}: there are results and no tasks: nothing is left to play",
                folder.display()
            );
            Ok(())
        }
        error => Err(error.into()),
    }
}
