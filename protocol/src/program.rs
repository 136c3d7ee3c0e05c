//! Programs by spec: `exec:./my-bot --level 3`, `tcp:host:port`.

use crate::message::{FromProgram, Offer, PROTOCOL, ToProgram, Want, read_line, write_line};
use crate::peer::{Fault, LOGS, Peer, is_object, quoted};
use crate::player::Guest;
use oboro_catalog::{ExternalAgents, ExternalFactory};
use oboro_core::{Spec, SpecError, changed_params, from_pairs};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The parameters of `exec:` and `tcp:`.
///
/// Times are those of the wall clock: a program that is near its limit may lose on one day and not on another.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct ProgramParams {
    /// The command line that starts it, as a shell reads it; for `tcp:` the address, HOST:PORT. May be left out: it is what
    /// comes first. A command with commas is put in parentheses.
    pub command: String,
    /// Its time for a move, by the wall clock.
    pub seconds: f64,
    /// Its time for all its moves of a game together, by the wall clock.
    pub game_seconds: Option<f64>,
    /// How long it may take to start and say hello, by the wall clock.
    pub start_seconds: f64,
    /// A file to which its error output is appended, up to 4 MiB.
    pub log: Option<String>,
}

impl Default for ProgramParams {
    fn default() -> ProgramParams {
        ProgramParams {
            command: String::new(),
            seconds: 10.0,
            game_seconds: None,
            start_seconds: 30.0,
            log: None,
        }
    }
}

/// What to do about commands that a spec cannot hold as they are.
const PARENTHESES: &str =
    "; a command with commas or parentheses goes in parentheses: exec:(COMMAND)";

/// How a program is had.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Way {
    Exec,
    Tcp,
}

impl Way {
    fn name(self) -> &'static str {
        match self {
            Way::Exec => "exec",
            Way::Tcp => "tcp",
        }
    }
}

/// A program that plays, with the processes of it that run. It is had from [`Programs`].
#[derive(Debug)]
pub struct Program {
    way: Way,
    params: ProgramParams,
    /// See [`Programs`].
    usual_buffering: bool,
    idle: Mutex<Vec<Conversation>>,
    /// The last question that it failed at, by its type, and how.
    fault: Mutex<Option<(&'static str, String)>>,
}

/// A process of a program that has said hello.
#[derive(Debug)]
pub(crate) struct Conversation {
    pub(crate) peer: Peer,
    pub(crate) offers: Vec<Offer>,
    pub(crate) wants: Vec<Want>,
    pub(crate) name: String,
    /// What it is to be told before the next question.
    pub(crate) unsaid: Vec<u8>,
}

impl Conversation {
    /// Tells the process to quit; false if it did not and was ended.
    pub(crate) fn leave(mut self) -> bool {
        write_line(&mut self.unsaid, &ToProgram::Quit {});
        self.peer.dismiss(&self.unsaid)
    }
}

impl Program {
    /// The program that a spec means, and its canonical spec.
    ///
    /// # Errors
    /// If the spec makes no sense.
    pub fn parse(spec: &str) -> Result<(String, Program), SpecError> {
        let hint = if spec.starts_with("exec:") { PARENTHESES } else { "" };
        let parsed: Spec =
            spec.parse().map_err(|error| SpecError(format!("agent `{spec}`: {error}{hint}")))?;
        let way = [Way::Exec, Way::Tcp].into_iter().find(|way| way.name() == parsed.name);
        let way = way.ok_or_else(|| {
            SpecError(format!("`{spec}` is no program: write exec:COMMAND or tcp:HOST:PORT"))
        })?;
        let keyless = parsed.args.iter().filter(|(key, _)| key.is_none()).count();
        let hint = if keyless > 1 { hint } else { "" };
        let params: ProgramParams = from_pairs(way.name(), &parsed.args, &["command"])
            .map_err(|SpecError(error)| SpecError(format!("{error}{hint}")))?;
        check(way, &params)?;
        let spec = canonical(way, &params);
        let (idle, fault) = (Mutex::default(), Mutex::default());
        Ok((spec, Program { way, params, usual_buffering: false, idle, fault }))
    }

    pub(crate) fn time(&self) -> Duration {
        Duration::from_secs_f64(self.params.seconds)
    }

    pub(crate) fn game_time(&self) -> Option<Duration> {
        self.params.game_seconds.map(Duration::from_secs_f64)
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Conversation>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps what it did wrong when it was asked something.
    pub(crate) fn note_fault(&self, kind: &'static str, reason: &str) {
        *self.fault.lock().unwrap_or_else(PoisonError::into_inner) =
            Some((kind, reason.to_owned()));
    }

    /// How it failed, if the last question that it failed at was of this type.
    pub(crate) fn fault(&self, kind: &str) -> Option<String> {
        let fault = self.fault.lock().unwrap_or_else(PoisonError::into_inner);
        fault.as_ref().filter(|(at, _)| *at == kind).map(|(_, reason)| reason.clone())
    }

    /// A process that is free, or a new one.
    pub(crate) fn take(&self) -> Result<Conversation, String> {
        let idle = self.idle().pop();
        idle.map_or_else(|| self.start(), Ok)
    }

    /// Gives a process back that can play on.
    pub(crate) fn give_back(&self, session: Conversation) {
        self.idle().push(session);
    }

    fn start(&self) -> Result<Conversation, String> {
        let patience = Duration::from_secs_f64(self.params.start_seconds);
        let reason = |fault: Fault| fault.to_string();
        let mut peer = match self.way {
            Way::Exec => {
                let log = self.params.log.as_ref().map(PathBuf::from);
                Peer::start(&self.params.command, log.as_deref(), self.usual_buffering)
            }
            Way::Tcp => Peer::connect(&self.params.command, patience),
        }
        .map_err(reason)?;
        let mut hello = Vec::new();
        let referee = concat!("oboro ", env!("CARGO_PKG_VERSION")).to_owned();
        write_line(&mut hello, &ToProgram::Hello { protocol: PROTOCOL, referee });
        let answer = peer.greet(&hello, patience).map_err(reason)?;
        match read_answer("hello", &answer)? {
            FromProgram::Hello { protocol: PROTOCOL, name, offers, wants } => {
                Ok(Conversation { peer, offers, wants, name, unsaid: Vec::new() })
            }
            FromProgram::Hello { protocol, .. } => Err(format!(
                "it speaks version {protocol} of the protocol; version {PROTOCOL} is spoken here"
            )),
            _ => Err("it did not answer hello with hello".to_owned()),
        }
    }
}

impl Program {
    /// Lets all processes go that play no game.
    fn close(&self) {
        let idle = std::mem::take(&mut *self.idle());
        for session in idle {
            session.leave();
        }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        self.close();
    }
}

/// Reads what a program said.
///
/// # Errors
/// What is wrong with the line, in words for the author of the program.
pub(crate) fn read_answer(what: &str, line: &[u8]) -> Result<FromProgram, String> {
    if !is_object(line) {
        return Err(format!("its {what} is no JSON object: `{}`; {LOGS}", quoted(line)));
    }
    read_line(line)
        .map_err(|error| format!("its {what} cannot be read: {error}: `{}`", quoted(line)))
}

fn check(way: Way, params: &ProgramParams) -> Result<(), SpecError> {
    let fail = |message: String| Err(SpecError(format!("{}: {message}", way.name())));
    let command = params.command.trim();
    if command.is_empty() {
        return fail("a command is missing, as in exec:./my-bot --level 3".to_owned());
    }
    // Records are lines, and separate the names of agents by bars.
    if command.chars().any(char::is_control) || command.contains(" | ") {
        return fail("a command is one line without ` | `; put the pipe into a script".to_owned());
    }
    let times = [
        ("seconds", Some(params.seconds)),
        ("game-seconds", params.game_seconds),
        ("start-seconds", Some(params.start_seconds)),
    ];
    for (key, time) in times {
        if time.is_some_and(|time| !(time > 0.0 && time <= 1e6)) {
            return fail(format!("{key}: more than 0 and at most 1000000"));
        }
    }
    Ok(())
}

/// The spec with only what differs from the defaults. The command goes first, without its key where that reads the
/// same.
fn canonical(way: Way, params: &ProgramParams) -> String {
    let mut args: Vec<(Option<String>, String)> =
        changed_params(params).into_iter().map(|(key, value)| (Some(key), value)).collect();
    let keyless = Spec { name: way.name().to_owned(), args: vec![(None, params.command.clone())] };
    if keyless.to_string().parse() == Ok(keyless) {
        args[0].0 = None;
    }
    Spec { name: way.name().to_owned(), args }.to_string()
}

/// All programs that specs have named, each with its processes: games and matches of the same program share them, and
/// each plays one game at a time. When this is dropped, nothing is left running.
#[derive(Debug, Default)]
pub struct Programs {
    known: Mutex<BTreeMap<String, Arc<Program>>>,
    /// Whether variables of ours that change how a program buffers its output are kept from it.
    usual_buffering: bool,
}

impl Programs {
    /// No programs yet.
    pub fn new() -> Programs {
        Programs::default()
    }

    /// No programs yet; they buffer their output as they do by themselves.
    pub(crate) fn with_usual_buffering() -> Programs {
        Programs { usual_buffering: true, ..Programs::default() }
    }

    /// Lets all processes go that play no game: what a program does before it ends, so that they can end in peace.
    pub fn close(&self) {
        for program in self.known().values() {
            program.close();
        }
    }

    /// Checks that the programs among some specs start and say hello; the processes wait for their first games.
    ///
    /// # Errors
    /// Which of them does not, and why.
    pub fn check_start<'a>(
        &self,
        specs: impl IntoIterator<Item = &'a str>,
    ) -> Result<(), SpecError> {
        for spec in specs {
            if self.find(spec).is_none() {
                continue;
            }
            let (name, program) = self.get(spec)?;
            let session =
                program.take().map_err(|reason| SpecError(format!("{name}: {reason}")))?;
            program.give_back(session);
        }
        Ok(())
    }

    fn known(&self) -> MutexGuard<'_, BTreeMap<String, Arc<Program>>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The program that a spec means, and its canonical spec.
    ///
    /// # Errors
    /// If the spec makes no sense.
    pub fn get(&self, spec: &str) -> Result<(String, Arc<Program>), SpecError> {
        let (spec, mut program) = Program::parse(spec)?;
        program.usual_buffering = self.usual_buffering;
        let mut known = self.known();
        let program = known.entry(spec.clone()).or_insert_with(|| Arc::new(program));
        Ok((spec, Arc::clone(program)))
    }
}

impl ExternalAgents for Programs {
    fn find(&self, spec: &str) -> Option<Result<(String, ExternalFactory), SpecError>> {
        let name = spec.split_once(':')?.0;
        [Way::Exec, Way::Tcp].iter().find(|way| way.name() == name)?;
        Some(self.get(spec).map(|(spec, program)| {
            let factory: ExternalFactory = Arc::new(move || Box::new(Guest::new(&program)));
            (spec, factory)
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn canonical(spec: &str) -> Result<String, String> {
        Program::parse(spec).map(|(spec, _)| spec).map_err(|error| error.to_string())
    }

    #[test]
    fn specs_are_read_and_written_back() {
        for (spec, same) in [
            ("exec:./my-bot --level 3", "exec:./my-bot --level 3"),
            ("exec:command=./my-bot,seconds=10", "exec:./my-bot"),
            ("exec:./bot,seconds=2,game-seconds=60", "exec:./bot,seconds=2.0,game-seconds=60.0"),
            ("exec:(python3 -c 'f(1,2)'),log=x.txt", "exec:(python3 -c 'f(1,2)'),log=x.txt"),
            ("exec:(A=1 ./bot)", "exec:command=A=1 ./bot"),
            ("tcp:localhost:7777", "tcp:localhost:7777"),
        ] {
            assert_eq!(canonical(spec).as_deref(), Ok(same));
            assert_eq!(canonical(same).as_deref(), Ok(same), "it is its own canonical form");
        }
    }

    #[test]
    fn bad_specs_are_explained() {
        for (spec, says) in [
            ("exec", "command is missing"),
            ("exec:a | b", "put the pipe into a script"),
            ("exec:./bot,seconds=0", "more than 0"),
            ("exec:./bot,seconds=NaN", "seconds="),
            ("exec:./bot,second=1", "did you mean `seconds`"),
            ("tcp:a:1,b:2", "needs a key"),
            ("exec:python3 -c f(1)", "goes in parentheses: exec:(COMMAND)"),
            ("exec:./bot a,b", "goes in parentheses: exec:(COMMAND)"),
            ("random", "no program"),
        ] {
            let error = canonical(spec).unwrap_err();
            assert!(error.contains(says), "{spec}: {error}");
        }
    }
}
