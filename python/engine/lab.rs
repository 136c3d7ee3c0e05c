//! Matches, leagues and experiments.

use crate::agents::{Call, Desk};
use crate::data::{seed, to_python};
use crate::fault::{Fault, Place};
use crate::game::Game;
use crate::guests::{BATCH, Guests};
use oboro_core::{Seed, Stop};
use oboro_lab::{
    BeliefScore, DriveError, Driver, Experiment, ExperimentError, Folder, FolderError, GameResult,
    League, Manifest, Match, MatchPlan, PlanError, Portion, Progress, Scale, Seating,
    SequentialTest, Summary, Task, TestError, Wanted, paper, papers,
};
use oboro_stats::SprtStatus;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use serde::Serialize;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Sender, channel};

impl From<PlanError> for Fault {
    fn from(error: PlanError) -> Fault {
        match error {
            PlanError::Spec(error) => error.into(),
            PlanError::Oracle(_) => Fault::new(
                "SpecError",
                format!("{error}; allow_oracles=True plays it all the same"),
            ),
        }
    }
}

impl From<FolderError> for Fault {
    fn from(error: FolderError) -> Fault {
        let help = match &error {
            FolderError::Differs { field: "commit", .. } => {
                ", or say any_commit=True to mix the two"
            }
            _ => "",
        };
        Fault::new("FolderError", format!("{error}{help}"))
    }
}

impl From<ExperimentError> for Fault {
    fn from(error: ExperimentError) -> Fault {
        Fault::new("ExperimentError", error)
    }
}

impl From<TestError> for Fault {
    fn from(error: TestError) -> Fault {
        Fault::new("SpecError", format!("sprt: {error}"))
    }
}

impl From<DriveError> for Fault {
    fn from(error: DriveError) -> Fault {
        match error {
            DriveError::Folder(error) => error.into(),
            DriveError::Play(error) => Fault::new("AgentError", error),
            DriveError::Stopped => Fault::new("OboroError", error),
            DriveError::GaveUp { game, reason, record, .. } => {
                let ply = record.actions.len();
                let seat = record.forfeit.as_ref().map_or(0, |(seat, _)| seat.index());
                let agent = record.agents.get(seat).map_or("an agent", String::as_str);
                let said = format!("{agent} failed in game {game} after {ply} actions: {reason}");
                let place = Place { game, ply, record: record.to_string(), reason };
                Fault::new("AgentError", said).at(place)
            }
        }
    }
}

/// How a run is watched: called with the games done and all games.
type Watcher<'a, 'py> = Option<&'a Bound<'py, PyAny>>;

/// Plays with Python's lock free, while this thread answers for agents written in Python, shows how far it is, and
/// listens for Ctrl-C.
fn drive<T: Send>(
    py: Python<'_>,
    guests: &Arc<Guests>,
    watcher: Watcher<'_, '_>,
    total: u64,
    task: impl FnOnce(&Sender<Call>, &Stop, &AtomicU64) -> Result<T, Fault> + Send,
) -> PyResult<T> {
    let (stop, done) = (Stop::new(), AtomicU64::new(0));
    let (sender, mut calls) = channel();
    let mut desk = Desk::new(guests, &stop);
    let mut shown = None;
    let mut show = |desk: &mut Desk| {
        let done = done.load(Ordering::Relaxed);
        if let (Some(watcher), true) = (watcher, shown != Some(done)) {
            shown = Some(done);
            if let Err(error) = watcher.call1((done, total)) {
                desk.interrupt(error);
            }
        }
    };
    let task = || task(&sender, &stop, &done);
    let played = desk.serve(py, (&sender, &mut calls), task, &mut show)?;
    show(&mut desk);
    played.map_err(|fault| {
        let cause = fault.place().and_then(|place| desk.cause(&place.reason));
        let error = PyErr::from(fault);
        if cause.is_some() {
            error.set_cause(py, cause);
        }
        error
    })
}

/// Counts games for the watcher.
fn count(done: &AtomicU64) -> impl FnMut(Progress<'_>) {
    |progress| {
        let games = match progress {
            Progress::Match { done, .. } => done,
            Progress::Game => 1,
        };
        done.fetch_add(games, Ordering::Relaxed);
    }
}

/// How many games are played at the same time.
fn threads(asked: Option<usize>, game: &Game, guests: &Guests) -> usize {
    match asked {
        Some(threads) => threads,
        None if guests.has_batched() => BATCH,
        // Python runs in one thread at a time.
        None if game.is_own() => 1,
        None => cores(),
    }
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

fn seating(name: &str) -> PyResult<Seating> {
    match name {
        "fixed" => Ok(Seating::Fixed),
        "rotate" => Ok(Seating::Rotate),
        "random" => Ok(Seating::Random),
        _ => {
            Err(PyValueError::new_err(format!("seats: `{name}`: expected fixed, rotate or random")))
        }
    }
}

fn driver<'a>(
    threads: usize,
    stop: &Stop,
    strict: bool,
    progress: &'a mut dyn FnMut(Progress<'_>),
) -> Driver<'a> {
    let driver = Driver::new(threads, progress).stopped_by(stop);
    if strict { driver.strict() } else { driver }
}

#[derive(Serialize)]
struct Outcome {
    agents: Vec<String>,
    entrants: Vec<String>,
    games_per_deal: u64,
    summary: Summary,
    sprt: Option<SprtStatus>,
    beliefs: Vec<BeliefScore>,
    games: Vec<GameResult>,
}

/// Plays a match. See `oboro.match`.
#[pyfunction]
#[pyo3(signature = (game, agents, *, games, seed, span, seats, threads, out, records, sprt, allow_oracles, beliefs, any_commit, forfeits, progress))]
#[allow(
    clippy::too_many_arguments,
    clippy::fn_params_excessive_bools,
    reason = "the Python function has keywords"
)]
pub(crate) fn play_match<'py>(
    py: Python<'py>,
    game: &Game,
    agents: &Bound<'py, PyAny>,
    games: u64,
    seed: &Bound<'py, PyAny>,
    span: Option<(u64, u64)>,
    seats: &str,
    threads: Option<usize>,
    out: Option<PathBuf>,
    records: bool,
    sprt: Option<(f64, f64)>,
    allow_oracles: bool,
    beliefs: bool,
    any_commit: bool,
    forfeits: bool,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    if records && out.is_none() {
        return Err(PyValueError::new_err("records are written where the results are: say out="));
    }
    let guests = Arc::new(Guests::new(agents, game.rules.as_ref())?);
    let threads = self::threads(threads, game, &guests);
    let plan = MatchPlan {
        game: game.rules.game().to_owned(),
        rules: Vec::new(), // the table has them
        agents: guests.specs.clone(),
        seating: seating(seats)?,
        seed: self::seed(seed)?,
        games,
        allow_oracles,
    };
    let rules = &game.rules;
    let outcome = drive(py, &guests, progress, games, |desk, stop, done| {
        let mut the_match = plan.prepare_at(rules.allow_external(guests.external(desk)))?;
        if beliefs {
            the_match = the_match.scoring_beliefs();
        }
        let test = sprt.map(|(low, high)| SequentialTest::new(&the_match, low, high));
        let folder = out
            .as_ref()
            .map(|out| Folder::create(out, Manifest::of_match(&the_match), any_commit))
            .transpose()?;
        let mut count = count(done);
        let played = driver(threads, stop, !forfeits, &mut count).play(&Task {
            games: span.map_or(0..games, |(start, end)| start..end.max(start)),
            folder: folder.as_ref(),
            records,
            stop: test.transpose()?,
            ..Task::new(Match::FILE, &the_match)
        })?;
        Ok(Outcome {
            agents: the_match.agents().to_vec(),
            entrants: the_match.entrants().to_vec(),
            games_per_deal: the_match.seating().games_per_deal(the_match.agents().len()),
            summary: Summary::new(&the_match, &played.results),
            sprt: played.test,
            beliefs: BeliefScore::of(&the_match, &played.results),
            games: played.results,
        })
    })?;
    to_python(py, &outcome)
}

/// Plays a round robin. See `oboro.league`.
#[pyfunction]
#[pyo3(signature = (game, agents, *, games, seed, threads, out, any_commit, forfeits, progress))]
#[allow(clippy::too_many_arguments, reason = "the Python function has keywords")]
pub(crate) fn play_league<'py>(
    py: Python<'py>,
    game: &Game,
    agents: &Bound<'py, PyAny>,
    games: u64,
    seed: &Bound<'py, PyAny>,
    threads: Option<usize>,
    out: Option<PathBuf>,
    any_commit: bool,
    forfeits: bool,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let guests = Arc::new(Guests::new(agents, game.rules.as_ref())?);
    let threads = self::threads(threads, game, &guests);
    let seed = self::seed(seed)?;
    let rules = &game.rules;
    let entrants = guests.specs.len() as u64;
    let total = entrants * entrants.saturating_sub(1) / 2 * games;
    let table = drive(py, &guests, progress, total, |desk, stop, done| {
        let table = rules.allow_external(guests.external(desk));
        let league = League::plan_at(&table, &guests.specs, games, seed)?;
        let folder = out
            .as_ref()
            .map(|out| Folder::create(out, league.manifest(), any_commit))
            .transpose()?;
        let mut count = count(done);
        let results = driver(threads, stop, !forfeits, &mut count)
            .play_all(&league.wanted, folder.as_ref())?;
        let table = league.table(&results);
        Ok(serde_json::json!({"ranking": table.ranking(), "table": table}))
    })?;
    to_python(py, &table)
}

/// The names of the papers whose experiments come with the program, and their titles.
#[pyfunction]
pub(crate) fn experiments() -> PyResult<Vec<(String, String)>> {
    let title = |(name, text): (String, &str)| {
        let experiment = Experiment::parse(&name, text).map_err(Fault::from)?;
        Ok((name, experiment.title().to_owned()))
    };
    papers().into_iter().map(title).collect()
}

/// Runs an experiment. See `oboro.experiment`.
#[pyfunction]
#[pyo3(signature = (name, text, *, scale, seed, threads, out, at_most, only, any_commit, progress))]
#[allow(clippy::too_many_arguments, reason = "the Python function has keywords")]
pub(crate) fn play_experiment<'py>(
    py: Python<'py>,
    name: &str,
    text: Option<&str>,
    scale: &str,
    seed: Option<&Bound<'py, PyAny>>,
    threads: Option<usize>,
    out: PathBuf,
    at_most: Option<u64>,
    only: Vec<String>,
    any_commit: bool,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let scale = match scale {
        "quick" => Scale::Quick,
        "paper" => Scale::Paper,
        "full" => Scale::Full,
        _ => {
            let said = format!("scale: `{scale}`: expected quick, paper or full");
            return Err(PyValueError::new_err(said));
        }
    };
    let Some(text) = text.or_else(|| paper(name)) else {
        let known: Vec<String> = papers().into_iter().map(|(name, _)| name).collect();
        let said = format!("there is no paper `{name}` (papers: {})", known.join(", "));
        return Err(Fault::new("ExperimentError", said).into());
    };
    let experiment = Experiment::parse(name, text).map_err(Fault::from)?;
    let seed: Seed = seed.map_or_else(|| Ok(experiment.default_seed()), self::seed)?;
    let portion = Portion { shard: None, at_most, only };
    let wanted = portion.of(&experiment, scale, &seed).map_err(Fault::from)?;
    let guests = Arc::new(Guests::none());
    let total = Wanted::count(&wanted);
    let report = drive(py, &guests, progress, total, |_, stop, done| {
        let folder = Folder::create(&out, experiment.manifest(scale, &seed, None), any_commit)?;
        let mut count = count(done);
        driver(threads.unwrap_or_else(cores), stop, true, &mut count)
            .play_experiment(&wanted, &folder)?;
        Ok(experiment.report_of(scale, &folder)?)
    })?;
    to_python(py, &report)
}
