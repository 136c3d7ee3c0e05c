use crate::common::{Threads, explain_plan, language, no_paper, one_of, open_browser, open_folder};
use crate::experiment::{self, SCALES};
use crate::exploit::Question;
use crate::progress;
use crate::via::{Share, Via};
use anyhow::Result;
use indicatif::ProgressBar;
use oboro_catalog::{Allowed, AnyGame};
use oboro_core::Seed;
use oboro_lab::{
    Driver, Experiment, Folder, League, LeagueEntry, Portion, Scale, Wanted, commit, leagues,
    version,
};
use oboro_report::{
    ExperimentReport, Language, LeagueReport, Paper, Reproduction, Results, Run, SmallGame, Study,
    StudyReport, Throughput,
};
use oboro_store::write_whole;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// Plays the papers again and writes a report: every published number beside ours
///
/// Plays what is missing, game by game, and then writes a web page (index.html), report.md, report.json and every figure as SVG.
/// A run that was stopped is resumed by the same command. The same results give the same report, byte for byte; when and
/// where games were played is part of the results (results/sessions.jsonl).
///
/// Examples:
///   oboro reproduce
///   oboro reproduce sevens-2018 --scale paper --out sevens
///   oboro reproduce my-own.toml --lang ja
///   oboro reproduce --scale paper --dry-run
///   oboro reproduce --scale paper --via hyperqueue
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// Papers by name, or experiments of your own as files [default: all papers, leagues and speeds]
    #[arg(value_name = "PAPER")]
    papers: Vec<String>,

    /// How many games: minutes, as many as the papers, or more
    #[arg(long, value_parser = one_of::<Scale>(SCALES), default_value = "quick")]
    scale: Scale,

    /// Where the report goes; the results are below it
    #[arg(long, value_name = "DIR", default_value = "reproduction")]
    out: PathBuf,

    /// Opens the report when it is done
    #[arg(long)]
    open: bool,

    /// The language of index.html and report.md; the page in the other one stands beside it
    #[arg(long, value_parser = language(), default_value = "en")]
    lang: Language,

    #[command(flatten)]
    threads: Threads,

    #[command(flatten)]
    via: Via,

    /// Resumes results of another commit
    #[arg(long)]
    any_commit: bool,
}

pub(crate) fn run(args: &Args, external: Allowed<'_>) -> Result<()> {
    let studies = chosen(&args.papers, external)?;
    let job = Job {
        out: &args.out,
        scale: args.scale,
        threads: args.threads.count(),
        any_commit: args.any_commit,
        via: &args.via,
    };
    if args.via.is_dry() {
        return job.explain(&studies);
    }
    let all = job.reproduce(&studies)?;
    for (name, text) in all.files(args.lang) {
        write_whole(&args.out.join(name), &text)?;
    }
    let index = args.out.join("index.html");
    let index = fs::canonicalize(&index).unwrap_or(index);
    eprintln!("the report is in {}", index.display());
    if args.open {
        open_browser(&index.display().to_string());
    }
    Ok(())
}

/// The papers of these names, or all.
fn chosen(names: &[String], external: Allowed<'_>) -> Result<Vec<Study>> {
    if names.is_empty() {
        return Ok(Study::all());
    }
    names
        .iter()
        .map(|name| {
            if let Some(study) = Study::named(name) {
                return Ok(study);
            }
            if !Path::new(name).exists() && oboro_lab::paper(name).is_none() {
                let known: Vec<&str> = Paper::all().iter().map(Paper::id).collect();
                return Err(no_paper(name, &known));
            }
            Ok(Study { paper: None, experiments: vec![experiment::find(name, external)?] })
        })
        .collect()
}

/// All that is to be played.
struct Plan<'a> {
    experiments: Vec<(&'a Experiment, Vec<Wanted>)>,
    leagues: Vec<(&'static LeagueEntry, League)>,
}

/// What is to be done, and how.
struct Job<'a> {
    out: &'a Path,
    scale: Scale,
    threads: usize,
    any_commit: bool,
    via: &'a Via,
}

impl Job<'_> {
    /// Plays what is missing and reads everything.
    #[allow(clippy::disallowed_methods, reason = "a report says when games were played")]
    fn reproduce(&self, studies: &[Study]) -> Result<Reproduction> {
        let (began, clock) = (SystemTime::now(), Instant::now());
        let results = Results::of(self.out);
        let plan = self.plan(studies)?;
        let elsewhere = self.elsewhere(&plan)?;
        let Plan { experiments, leagues } = plan;
        let games = experiments.iter().map(|(_, wanted)| Wanted::count(wanted)).sum::<u64>()
            + leagues.iter().map(|(_, league)| Wanted::count(&league.wanted)).sum::<u64>();
        let bar = progress::bar("reproduce", games);
        let mut shown = progress::on(&bar);
        let mut driver = Driver::new(self.threads, &mut shown);
        let mut wanted = experiments.iter();
        let mut papers = Vec::new();
        for study in studies {
            let mut reports = Vec::new();
            for (experiment, wanted) in wanted.by_ref().take(study.experiments.len()) {
                say(&bar, experiment.id());
                reports.push(self.experiment(experiment, wanted, &mut driver)?);
            }
            papers.push(StudyReport::new(study, reports));
        }
        let mut tables = Vec::new();
        for (entry, league) in &leagues {
            say(&bar, &format!("league of {}", entry.game));
            let folder = self.league_folder(entry, league)?;
            let table = league.table(&driver.play_all(&league.wanted, Some(&folder))?);
            tables.push(LeagueReport::new(entry, self.scale, table));
        }
        let played = driver.played() + elsewhere;
        bar.finish_and_clear();
        let mut exploitability = Vec::new();
        for game in SmallGame::all().iter().filter(|game| has_game(studies, &game.beside)) {
            if !game.agents(self.scale).is_empty() {
                let compute = || question(game, self.scale)?.answer(&Seed::from_u64(game.seed));
                exploitability.push(results.exploitability(game, self.scale, compute)?);
            }
        }
        let mut throughput = Vec::new();
        for game in oboro_catalog::games().iter().filter(|game| has_game(studies, game.name())) {
            throughput.extend(results.throughput(game.name(), || measure(game.as_ref()))?);
        }
        if played > 0 {
            results.add_run(&self.run(began, clock.elapsed(), played))?;
        }
        Ok(Reproduction {
            format: Reproduction::FORMAT,
            scale: self.scale,
            games,
            papers,
            leagues: tables,
            exploitability,
            throughput,
            sessions: results.runs()?,
        })
    }

    /// All that is to be played.
    fn plan<'a>(&self, studies: &'a [Study]) -> Result<Plan<'a>> {
        let entries = leagues().iter().filter(|entry| has_game(studies, &entry.game));
        let leagues =
            entries.map(|entry| Ok((entry, entry.plan(self.scale).map_err(explain_plan)?)));
        let experiments = studies.iter().flat_map(|study| &study.experiments).map(|experiment| {
            let seed = experiment.default_seed();
            Ok((experiment, Portion::default().of(experiment, self.scale, &seed)?))
        });
        Ok(Plan {
            experiments: experiments.collect::<Result<_>>()?,
            leagues: leagues.collect::<Result<_>>()?,
        })
    }

    /// What is wanted in each result folder.
    fn with_shares<T>(
        &self,
        Plan { experiments, leagues }: &Plan<'_>,
        then: impl FnOnce(&[Share<'_>]) -> Result<T>,
    ) -> Result<T> {
        let of_experiments = experiments.iter().map(|(experiment, wanted)| {
            (Results::of_experiment(experiment, self.scale), wanted.clone())
        });
        let of_leagues = leagues
            .iter()
            .map(|(entry, league)| (Results::of_league(entry, self.scale), league.wanted.clone()));
        let all: Vec<(String, Vec<Wanted>)> = of_experiments.chain(of_leagues).collect();
        let shares: Vec<Share<'_>> =
            all.iter().map(|(name, wanted)| Share { name, wanted }).collect();
        then(&shares)
    }

    /// Says what would be played.
    fn explain(&self, studies: &[Study]) -> Result<()> {
        let plan = self.plan(studies)?;
        self.with_shares(&plan, |shares| self.via.explain(self.out, shares, self.threads))
    }

    /// Has everything played by other machines, if that was asked for; how many games they played.
    fn elsewhere(&self, plan: &Plan<'_>) -> Result<u64> {
        if !self.via.is_elsewhere() {
            return Ok(0);
        }
        for (experiment, _) in &plan.experiments {
            self.folder(experiment)?;
        }
        for (entry, league) in &plan.leagues {
            self.league_folder(entry, league)?;
        }
        self.with_shares(plan, |shares| self.via.play("reproduce", self.out, shares, self.threads))
    }

    fn folder(&self, experiment: &Experiment) -> Result<Folder> {
        let manifest = experiment.manifest(self.scale, &experiment.default_seed(), None);
        let place = self.out.join(Results::of_experiment(experiment, self.scale));
        open_folder(&place, manifest, self.any_commit)
    }

    fn league_folder(&self, entry: &LeagueEntry, league: &League) -> Result<Folder> {
        let place = self.out.join(Results::of_league(entry, self.scale));
        open_folder(&place, league.manifest(), self.any_commit)
    }

    fn experiment(
        &self,
        experiment: &Experiment,
        wanted: &[Wanted],
        driver: &mut Driver<'_>,
    ) -> Result<ExperimentReport> {
        let folder = self.folder(experiment)?;
        driver.play_experiment(wanted, &folder)?;
        Ok(ExperimentReport::read(experiment, self.scale, &folder)?)
    }

    fn run(&self, began: SystemTime, took: Duration, games: u64) -> Run {
        let since = began.duration_since(UNIX_EPOCH).unwrap_or_default();
        // Each task of an engine is played on one core, wherever that is.
        let (machine, threads) = match self.via.players() {
            Some(players) => (format!("tasks played by {players}"), 1),
            None => (machine(), self.threads),
        };
        Run {
            began: utc(since.as_secs()),
            seconds: took.as_secs(),
            games,
            machine,
            threads,
            version: version().to_owned(),
            commit: commit(),
        }
    }
}

/// What is played now, where no bar shows it.
fn say(bar: &ProgressBar, name: &str) {
    if bar.is_hidden() {
        eprintln!("{name} …");
    }
}

/// What is asked of a small game.
fn question(game: &SmallGame, scale: Scale) -> Result<Question> {
    let options = oboro_catalog::rule_options(&game.rules)?;
    Question::new(
        oboro_catalog::rules(&game.game, &options, None)?,
        game.agents(scale),
        game.samples,
    )
}

/// How fast the kernels of a game are.
fn measure(game: &dyn AnyGame) -> Vec<Throughput> {
    eprintln!("measuring the speed of {} …", game.name());
    let kernels = game.kernels();
    let measured = kernels.iter().map(|kernel| Throughput {
        game: game.name().to_owned(),
        work: kernel.name.to_owned(),
        unit: kernel.unit.to_owned(),
        per_second: kernel.measure(3).rate().round(),
    });
    measured.collect()
}

/// Whether a paper (not somebody's own experiment) plays a game.
fn has_game(studies: &[Study], game: &str) -> bool {
    studies
        .iter()
        .filter(|study| study.paper.is_some())
        .any(|study| study.experiments.iter().any(|experiment| experiment.game() == game))
}

/// The processor and the system, in a few words.
fn machine() -> String {
    let processor = fs::read_to_string("/proc/cpuinfo").ok().and_then(|text| {
        let line = text.lines().find(|line| line.starts_with("model name"))?;
        Some(line.split_once(':')?.1.trim().to_owned())
    });
    let system = format!("{} {}", std::env::consts::OS, std::env::consts::ARCH);
    processor.map_or(system.clone(), |processor| format!("{processor}, {system}"))
}

/// Seconds since 1970 as a date and time (Howard Hinnant's civil-from-days).
fn utc(seconds: u64) -> String {
    let (days, rest) = (seconds / 86_400 + 719_468, seconds % 86_400);
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let shifted = (5 * day + 2) / 153;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let date = day - (153 * shifted + 2) / 5 + 1;
    let year = era * 400 + year + u64::from(month <= 2);
    format!("{year:04}-{month:02}-{date:02} {:02}:{:02}", rest / 3600, rest / 60 % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_small_games_of_the_report_can_all_be_asked_for() {
        for game in SmallGame::all() {
            for scale in [Scale::Quick, Scale::Paper, Scale::Full] {
                question(game, scale).unwrap();
            }
        }
    }

    #[test]
    fn seconds_become_dates() {
        assert_eq!(utc(0), "1970-01-01 00:00");
        assert_eq!(utc(951_782_399), "2000-02-28 23:59");
        assert_eq!(utc(951_782_400), "2000-02-29 00:00");
        assert_eq!(utc(1_772_323_200), "2026-03-01 00:00");
    }
}
