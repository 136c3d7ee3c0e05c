//! Flags and input that several commands share.

use anyhow::{Context, Result, anyhow, bail};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use oboro_catalog::{Allowed, AnyLive, AnyRules, open_record, rules};
use oboro_core::{Seed, did_you_mean};
use oboro_lab::{Folder, FolderError, Manifest, PlanError};
use oboro_report::Language;
use oboro_server::Library;
use serde::de::DeserializeOwned;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::str::FromStr;
use std::sync::Arc;

/// A `key=value` pair.
fn pair(text: &str) -> Result<(String, String), String> {
    let (key, value) = text
        .split_once('=')
        .ok_or_else(|| format!("`{text}`: write KEY=VALUE, such as players=3"))?;
    Ok((key.trim().to_owned(), value.trim().to_owned()))
}

/// The game's rules.
#[derive(clap::Args, Debug)]
pub(crate) struct Rules {
    /// Rule options as KEY=VALUE, separated by commas; `oboro games GAME` lists them
    #[arg(long, value_name = "KEY=VALUE,…", value_delimiter = ',', value_parser = pair)]
    pub(crate) rules: Vec<(String, String)>,
}

impl Rules {
    /// The game of that name with these rules, in which specs may name the external agents that are allowed.
    pub(crate) fn of(&self, name: &str, external: Allowed<'_>) -> Result<Arc<dyn AnyRules>> {
        Ok(rules(name, &self.rules, external)?)
    }
}

/// How many threads to use.
#[derive(clap::Args, Debug)]
pub(crate) struct Threads {
    /// Games played at the same time [default: one a core]. Results do not depend on it
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
}

impl Threads {
    pub(crate) fn count(&self) -> usize {
        self.threads.map_or_else(
            || std::thread::available_parallelism().map_or(1, usize::from),
            usize::from,
        )
    }
}

/// Where results are kept.
#[derive(clap::Args)]
pub(crate) struct Keeping {
    /// A folder for the results; an existing one of the same games is resumed
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,

    /// Resumes results of another commit
    #[arg(long)]
    any_commit: bool,
}

impl Keeping {
    /// The folder, if there is to be one.
    pub(crate) fn folder(&self, manifest: Manifest) -> Result<Option<Folder>> {
        let open = |out: &PathBuf| open_folder(out, manifest, self.any_commit);
        self.out.as_ref().map(open).transpose()
    }
}

/// A result folder; what is wrong with it is said with the flag that helps if there is one.
pub(crate) fn open_folder(place: &Path, manifest: Manifest, any_commit: bool) -> Result<Folder> {
    Folder::create(place, manifest, any_commit).map_err(|error| match &error {
        FolderError::Differs { field: "commit", .. } => {
            anyhow!("{error}, or give --any-commit to mix the two")
        }
        _ => error.into(),
    })
}

/// Reads one of a few names, as files write them.
pub(crate) fn one_of<T: DeserializeOwned + Clone + Send + Sync + 'static>(
    names: &'static [&'static str],
) -> impl TypedValueParser<Value = T> {
    let read = |name: String| serde_json::from_value(name.into()).expect("it is one of them");
    PossibleValuesParser::new(names).map(read)
}

/// Reads `en` or `ja`.
pub(crate) fn language() -> impl TypedValueParser<Value = Language> {
    let names = Language::ALL.map(Language::code);
    let read = |name: String| Language::ALL.into_iter().find(|one| one.code() == name);
    PossibleValuesParser::new(names).map(move |name| read(name).expect("it is one of them"))
}

/// The seed given, or 1, said aloud.
pub(crate) fn seed_or_one(seed: Option<Seed>) -> Seed {
    seed.unwrap_or_else(|| {
        eprintln!("no --seed given: using 1");
        Seed::from_u64(1)
    })
}

/// Why a match cannot be played, with the flag that helps if there is one.
pub(crate) fn explain_plan(error: PlanError) -> anyhow::Error {
    match error {
        PlanError::Oracle(_) => anyhow!("{error}; --allow-oracles plays it all the same"),
        PlanError::Spec(error) => error.into(),
    }
}

/// There is no file and no paper of that name.
pub(crate) fn no_paper(name: &str, known: &[&str]) -> anyhow::Error {
    let guess = did_you_mean(name, known.iter().copied())
        .map(|guess| format!("; did you mean `{guess}`?"))
        .unwrap_or_default();
    anyhow!("there is no file and no paper `{name}`{guess} (papers: {})", known.join(", "))
}

/// Shows a page with the system's own program; without one, the address is printed.
pub(crate) fn open_browser(address: &str) {
    let program = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    let quiet = Command::new(program)
        .arg(address)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    if quiet.is_err() {
        eprintln!("open {address} in your browser");
    }
}

/// A position: written down, or reached in a recorded game.
#[derive(clap::Args, Debug)]
pub(crate) struct Source {
    /// The game
    #[arg(required_unless_present = "record")]
    game: Option<String>,

    /// The position, as `oboro deal` prints one; `-` or nothing reads it from standard input
    #[arg(value_name = "POSITION", conflicts_with = "record")]
    position: Option<String>,

    /// Reads the position from a file
    #[arg(long, value_name = "FILE", conflicts_with_all = ["position", "record"])]
    file: Option<PathBuf>,

    /// Takes the position from a recorded game
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,

    /// The position after so many actions of the record [default: all]
    #[arg(long, value_name = "N", requires = "record", value_parser = count::<usize>, allow_negative_numbers = true)]
    ply: Option<usize>,

    #[command(flatten)]
    rules: Rules,
}

impl Source {
    /// The game at that position, every seat left to us.
    pub(crate) fn live(&self, external: Allowed<'_>) -> Result<Box<dyn AnyLive>> {
        if let Some(file) = &self.record {
            return self.recorded(file);
        }
        let name = self.game.as_deref().unwrap_or_default();
        let rules = self.rules.of(name, external)?;
        let seeds = Seed::from_u64(1).game(0, 0);
        Ok(rules.live_at(&self.read()?, &vec![None; rules.seats()], &seeds)?)
    }

    fn recorded(&self, file: &Path) -> Result<Box<dyn AnyLive>> {
        let live = open_record(&read_text(file)?).with_context(|| file.display().to_string())?;
        if let Some(name) = self.game.as_deref().filter(|name| *name != live.game()) {
            bail!("{} is a game of {}, not of {name}", file.display(), live.game());
        }
        if !self.rules.rules.is_empty() {
            bail!("{} says by which rules it was played: leave --rules out", file.display());
        }
        let played = live.plies();
        match self.ply {
            None => Ok(live),
            Some(ply) if ply <= played => Ok(live.at(ply)?),
            Some(ply) => bail!("--ply {ply}: {} has {played} actions", file.display()),
        }
    }

    fn read(&self) -> Result<String> {
        let text = match (&self.file, self.position.as_deref()) {
            (Some(file), _) => read_text(file)?,
            (None, Some(text)) if text != "-" => text.to_owned(),
            _ => {
                let mut text = String::new();
                // No position is near this long: a wrong pipe must not fill the memory.
                std::io::stdin()
                    .take(1 << 20)
                    .read_to_string(&mut text)
                    .context("cannot read the position from standard input")?;
                text
            }
        };
        let text = text.trim();
        if text.is_empty() {
            bail!(
                "no position was given: write it as an argument, in --file, or on standard input"
            );
        }
        Ok(text.to_owned())
    }
}

/// The records below a path.
pub(crate) fn open_library(path: &Path) -> Result<Library> {
    Library::open(path).with_context(|| format!("cannot read {}", path.display()))
}

/// The text of a file.
pub(crate) fn read_text(file: &Path) -> Result<String> {
    std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))
}

/// A number that counts from 0: of a seat, a ply or a game.
///
/// # Errors
/// If it is no such number.
pub(crate) fn count<T: FromStr>(text: &str) -> Result<T, String> {
    text.parse().map_err(|_| "expected a whole number from 0 on".to_owned())
}
