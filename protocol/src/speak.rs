//! The other way round: an agent of ours plays for somebody else's referee.

use crate::message::{FromProgram, Offer, PROTOCOL, ToProgram, Want, read_line, write_line};
use oboro_catalog::{AnyDelegate, CatalogError, game};
use oboro_core::{LiveError, SpecError};
use serde_json::Value;
use std::io::{self, BufRead, Read as _, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The longest line that is taken from a referee.
const LINE_LIMIT: u64 = 16 << 20;

/// Why a conversation with a referee ended before its time.
#[derive(Debug, thiserror::Error)]
pub enum SpeakError {
    /// There is no such game or agent.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// The line broke.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The referee said something that is no message.
    #[error("line {0}: {1}")]
    Line(u64, String),
}

/// Plays for a referee until it says quit or closes: messages in, answers out, with one flush for each.
///
/// What is wrong with a single game costs that game only: the agent resigns and says why.
///
/// # Errors
/// If there is no such game or agent, or the referee does not speak the protocol.
pub fn speak(
    name: &str,
    agent: &str,
    mut input: impl BufRead,
    mut output: impl Write,
) -> Result<(), SpeakError> {
    let agent = game(name)?.rules(&[])?.canonical(agent)?;
    let mut speaker = Speaker { game: name, agent, sitting: Err("no game has begun".to_owned()) };
    let (mut line, mut number) = (Vec::new(), 0);
    loop {
        line.clear();
        number += 1;
        input.by_ref().take(LINE_LIMIT).read_until(b'\n', &mut line)?;
        if line.is_empty() {
            return Ok(());
        }
        let message = read_line(&line).map_err(|error| SpeakError::Line(number, error))?;
        if message == (ToProgram::Quit {}) {
            return Ok(());
        }
        if let Some(answer) = speaker.hear(message) {
            line.clear();
            write_line(&mut line, &answer);
            output.write_all(&line)?;
            output.flush()?;
        }
    }
}

struct Speaker<'a> {
    game: &'a str,
    agent: String,
    /// The agent that plays, or why it cannot.
    sitting: Result<Box<dyn AnyDelegate>, String>,
}

impl Speaker<'_> {
    /// The answer to a message, where one is wanted.
    fn hear(&mut self, message: ToProgram) -> Option<FromProgram> {
        match message {
            ToProgram::Hello { .. } => Some(FromProgram::Hello {
                protocol: PROTOCOL,
                name: format!("{} of oboro {}", self.agent, env!("CARGO_PKG_VERSION")),
                offers: vec![Offer::Analysis, Offer::Beliefs],
                wants: vec![Want::Positions],
            }),
            ToProgram::NewGame { game, rules, seat, seed, position, .. } => {
                self.sitting = self.sit_down(&game, &rules, seat, seed, position.as_deref());
                None
            }
            ToProgram::Event { parts, position, .. } => {
                self.ask(|agent| agent.observe(parts, position.as_deref())).err();
                None
            }
            ToProgram::Turn(question) => {
                let chosen = self.ask(|agent| agent.act(needed(question.position.as_deref())?));
                Some(match chosen {
                    Ok(action) => FromProgram::Action { action },
                    Err(reason) => FromProgram::Resign { reason },
                })
            }
            ToProgram::Analyse(question) => {
                let thought =
                    self.ask(|agent| agent.analyse(needed(question.position.as_deref())?));
                Some(thought.map_or_else(|reason| FromProgram::Resign { reason }, Into::into))
            }
            ToProgram::Beliefs { question, .. } => {
                let beliefs =
                    self.ask(|agent| agent.beliefs(needed(question.position.as_deref())?));
                Some(FromProgram::Beliefs { beliefs: beliefs.unwrap_or_default() })
            }
            ToProgram::GameOver { .. } | ToProgram::Quit {} => None,
        }
    }

    fn sit_down(
        &self,
        name: &str,
        rules: &Value,
        seat: usize,
        seed: u64,
        position: Option<&str>,
    ) -> Result<Box<dyn AnyDelegate>, String> {
        if name != self.game {
            return Err(format!("this agent plays {}, not {name}", self.game));
        }
        let Value::Object(rules) = rules else {
            return Err("rules: expected a map of options".to_owned());
        };
        let text = |value: &Value| match value {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        let set = rules.iter().filter(|(_, value)| !value.is_null());
        let options: Vec<_> = set.map(|(key, value)| (key.clone(), text(value))).collect();
        let open = || -> Result<Box<dyn AnyDelegate>, CatalogError> {
            let rules = game(name)?.rules(&options)?;
            let mut agent = rules.delegate(&self.agent, seat, seed)?;
            agent.begin(needed(position)?)?;
            Ok(agent)
        };
        guarded(open)
    }

    /// Asks the agent that sits; what goes wrong once is said until the next game begins.
    fn ask<T>(
        &mut self,
        question: impl FnOnce(&mut dyn AnyDelegate) -> Result<T, CatalogError>,
    ) -> Result<T, String> {
        let agent = self.sitting.as_mut().map_err(|reason| reason.clone())?;
        let answer = guarded(|| question(agent.as_mut()));
        if let Err(reason) = &answer {
            self.sitting = Err(reason.clone());
        }
        answer
    }
}

/// The position that was asked for.
fn needed(position: Option<&str>) -> Result<&str, CatalogError> {
    position.ok_or_else(|| CatalogError::Shape {
        path: "position".to_owned(),
        message: "is missing: this program wants positions".to_owned(),
    })
}

/// An agent that falls over, as one may whose referee contradicts itself, loses the game and nothing else.
fn guarded<T>(work: impl FnOnce() -> Result<T, CatalogError>) -> Result<T, String> {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(done)) => Ok(done),
        Ok(Err(CatalogError::Live(LiveError::GaveUp(_, reason)))) => Err(reason),
        Ok(Err(error)) => Err(error.to_string()),
        Err(_) => Err("the agent fell over: what it was told makes no game".to_owned()),
    }
}
