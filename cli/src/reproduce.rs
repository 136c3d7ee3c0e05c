use crate::common::Threads;
use crate::experiment::{self, Portion, ScaleArg};
use crate::league;
use crate::progress::bar;
use anyhow::{Context, Result, bail};
use indicatif::ProgressBar;
use oboro_core::did_you_mean;
use oboro_lab::reproduce::{
    ExperimentReport, Language, LeagueEntry, LeagueReport, Paper, Reproduction, Session, Study,
    StudyReport, Throughput, leagues,
};
use oboro_lab::{Experiment, Folder, Scale, commit, version};
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// Plays the papers again and writes a report: every published number beside ours
///
/// Plays what is missing, game by game, and then writes a web page (index.html), report.md, report.json and every figure as SVG.
/// A run that was stopped is gone on with by the same command. The same results give the same report, byte for byte; when and
/// where games were played is part of the results (results/sessions.jsonl).
///
/// Examples:
///   oboro reproduce
///   oboro reproduce sevens-2018 --scale paper --out sevens
///   oboro reproduce my-own.toml --lang ja
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// Papers by name, or experiments of your own as files [default: all papers, leagues and speeds]
    #[arg(value_name = "PAPER")]
    papers: Vec<String>,

    /// How many games: minutes, as many as the papers, or more
    #[arg(long, value_enum, default_value_t = ScaleArg::Quick)]
    scale: ScaleArg,

    /// Where the report goes; the results are below it
    #[arg(long, value_name = "DIR", default_value = "report")]
    out: PathBuf,

    /// Opens the report when it is done
    #[arg(long)]
    open: bool,

    /// The language of index.html and report.md; the page in the other one stands beside it
    #[arg(long, value_enum, default_value_t = Lang::En)]
    lang: Lang,

    #[command(flatten)]
    threads: Threads,

    /// Goes on with results of another commit
    #[arg(long)]
    any_commit: bool,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Lang {
    En,
    Ja,
}

impl From<Lang> for Language {
    fn from(lang: Lang) -> Language {
        match lang {
            Lang::En => Language::English,
            Lang::Ja => Language::Japanese,
        }
    }
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let studies = chosen(&args.papers)?;
    let job = Job {
        out: &args.out,
        scale: args.scale.into(),
        threads: args.threads.count(),
        any_commit: args.any_commit,
    };
    fs::create_dir_all(args.out.join("results"))
        .with_context(|| format!("cannot make {}", args.out.display()))?;
    let all = job.reproduce(&studies)?;
    for (name, text) in all.files(args.lang.into()) {
        write(&args.out.join(name), &text)?;
    }
    let index = args.out.join("index.html");
    let index = fs::canonicalize(&index).unwrap_or(index);
    eprintln!("the report is in {}", index.display());
    if args.open {
        open(&index)?;
    }
    Ok(())
}

/// The papers of these names, or all.
fn chosen(names: &[String]) -> Result<Vec<Study>> {
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
                let known: Vec<&str> = Paper::all().iter().map(|paper| paper.id.as_str()).collect();
                let guess = did_you_mean(name, known.iter().copied())
                    .map(|guess| format!("; did you mean `{guess}`?"))
                    .unwrap_or_default();
                bail!(
                    "there is no paper and no file `{name}`{guess} (papers: {})",
                    known.join(", ")
                );
            }
            Ok(Study { paper: None, experiments: vec![experiment::find(name)?] })
        })
        .collect()
}

/// What is to be done, and how.
struct Job<'a> {
    out: &'a Path,
    scale: Scale,
    threads: usize,
    any_commit: bool,
}

impl Job<'_> {
    /// Plays what is missing and reads everything.
    #[allow(clippy::disallowed_methods, reason = "a report says when games were played")]
    fn reproduce(&self, studies: &[Study]) -> Result<Reproduction> {
        let (began, clock) = (SystemTime::now(), Instant::now());
        let leagues: Vec<&LeagueEntry> =
            leagues().iter().filter(|entry| has_game(studies, &entry.game)).collect();
        let experiments = || studies.iter().flat_map(|study| &study.experiments);
        let all = |e: &Experiment| Portion::default().of(e, self.scale, &e.default_seed());
        let total = experiments()
            .map(|e| Ok(experiment::count(&all(e)?)))
            .collect::<Result<Vec<u64>>>()?
            .into_iter()
            .chain(
                leagues
                    .iter()
                    .map(|entry| {
                        Ok(entry.plan(self.scale)?.pairings.len() as u64 * entry.games(self.scale))
                    })
                    .collect::<Result<Vec<u64>>>()?,
            )
            .sum();
        let bar = bar("reproduce", total, 0);
        let mut played = 0;
        let mut papers = Vec::new();
        for study in studies {
            let mut reports = Vec::new();
            for experiment in &study.experiments {
                let seed = experiment.default_seed();
                let place = ExperimentReport::place(experiment, self.scale);
                let manifest = experiment.manifest(self.scale, &seed, None);
                let folder = Folder::create(&self.out.join(&place), manifest, self.any_commit)?;
                if bar.is_hidden() {
                    eprintln!("{} …", experiment.id());
                }
                let wanted = all(experiment)?;
                played += experiment::play_missing(wanted, self.threads, (&folder, &bar))?;
                reports.push(ExperimentReport::read(experiment, self.scale, &folder)?);
            }
            papers.push(StudyReport::new(study, reports));
        }
        let mut tables = Vec::new();
        for entry in leagues {
            tables.push(self.league(entry, &bar, &mut played)?);
        }
        bar.finish_and_clear();
        let throughput = self.throughput(studies)?;
        if played > 0 {
            self.add_session(began, clock.elapsed(), played)?;
        }
        Ok(Reproduction {
            format: Reproduction::FORMAT,
            scale: self.scale,
            papers,
            leagues: tables,
            throughput,
            sessions: self.sessions()?,
        })
    }

    fn league(
        &self,
        entry: &LeagueEntry,
        bar: &ProgressBar,
        played: &mut u64,
    ) -> Result<LeagueReport> {
        let league = entry.plan(self.scale)?;
        let place = format!("results/league-{}-{}", entry.game, self.scale);
        let folder =
            league::folder(&league, &self.out.join(&place), &entry.seed(), self.any_commit)?;
        if bar.is_hidden() {
            eprintln!("league of {} …", entry.game);
        }
        let (results, new) = league::play_missing(&league, self.threads, Some(&folder), bar)?;
        *played += new;
        Ok(LeagueReport {
            game: entry.game.clone(),
            games: entry.games(self.scale),
            folder: place,
            command: entry.command(self.scale),
            table: league.table(&results),
        })
    }

    /// How fast the kernels are: measured once, then part of the results.
    fn throughput(&self, studies: &[Study]) -> Result<Vec<Throughput>> {
        let mut lines = Vec::new();
        for game in oboro_catalog::games() {
            if !has_game(studies, game.name()) {
                continue;
            }
            let path = self.out.join(format!("results/throughput-{}.json", game.name()));
            if !path.exists() {
                eprintln!("measuring the speed of {} …", game.name());
                let measured: Vec<Throughput> = game
                    .kernels()
                    .iter()
                    .map(|kernel| Throughput {
                        game: game.name().to_owned(),
                        work: kernel.name.to_owned(),
                        unit: kernel.unit.to_owned(),
                        per_second: kernel.measure(3).rate().round(),
                    })
                    .collect();
                write(&path, &(serde_json::to_string_pretty(&measured)? + "\n"))?;
            }
            let text = read(&path)?;
            let measured: Vec<Throughput> = serde_json::from_str(&text).with_context(|| {
                format!("{}: damaged; remove it to measure again", path.display())
            })?;
            lines.extend(measured);
        }
        Ok(lines)
    }

    fn sessions_file(&self) -> PathBuf {
        self.out.join("results/sessions.jsonl")
    }

    fn add_session(&self, began: SystemTime, took: Duration, games: u64) -> Result<()> {
        let since = began.duration_since(UNIX_EPOCH).unwrap_or_default();
        let session = Session {
            began: utc(since.as_secs()),
            seconds: took.as_secs(),
            games,
            machine: machine(),
            threads: self.threads,
            version: version().to_owned(),
            commit: commit(),
        };
        let path = self.sessions_file();
        let mut file = fs::OpenOptions::new()
            .create(true)
            .append(true)
            .open(&path)
            .with_context(|| format!("cannot open {}", path.display()))?;
        writeln!(file, "{}", serde_json::to_string(&session)?)
            .with_context(|| format!("cannot write {}", path.display()))
    }

    fn sessions(&self) -> Result<Vec<Session>> {
        let path = self.sessions_file();
        if !path.exists() {
            return Ok(vec![]);
        }
        read(&path)?
            .lines()
            .enumerate()
            .map(|(i, line)| {
                serde_json::from_str(line)
                    .with_context(|| format!("{}:{}: damaged", path.display(), i + 1))
            })
            .collect()
    }
}

/// Whether a paper (not somebody's own experiment) plays a game.
fn has_game(studies: &[Study], game: &str) -> bool {
    studies
        .iter()
        .filter(|study| study.paper.is_some())
        .any(|study| study.experiments.iter().any(|experiment| experiment.game() == game))
}

fn read(path: &Path) -> Result<String> {
    fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))
}

/// Writes a whole file under another name first, so that it is never half there.
fn write(path: &Path, text: &str) -> Result<()> {
    let part = path.with_extension("part");
    let write = || {
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(&part, text)?;
        fs::rename(&part, path)
    };
    write().with_context(|| format!("cannot write {}", path.display()))
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

/// Shows a page with the system's own program.
fn open(page: &Path) -> Result<()> {
    let program = match std::env::consts::OS {
        "macos" => "open",
        "windows" => "explorer",
        _ => "xdg-open",
    };
    let status = std::process::Command::new(program).arg(page).status();
    status.map(|_| ()).with_context(|| format!("cannot open the report: there is no {program}"))
}

#[cfg(test)]
mod tests {
    use super::utc;

    #[test]
    fn seconds_become_dates() {
        assert_eq!(utc(0), "1970-01-01 00:00");
        assert_eq!(utc(951_782_399), "2000-02-28 23:59");
        assert_eq!(utc(951_782_400), "2000-02-29 00:00");
        assert_eq!(utc(1_772_323_200), "2026-03-01 00:00");
    }
}
