//! A program at a table.

use crate::message::{FromProgram, Offer, TimeLimits, ToProgram, Want, write_line, write_question};
use crate::program::{Conversation, Program, read_answer};
use oboro_catalog::{AnalysisReport, Ending, EventReport, ExternalAgent, Opening, Turn};
use oboro_core::Belief;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A program that plays one game. What it is told is kept and sent with its next question, all at once.
pub(crate) struct Guest {
    program: Arc<Program>,
    /// The process that plays, from the first question on.
    session: Option<Conversation>,
    /// How the game began and what happened, each event with the position before it, as long as nobody was asked.
    opening: Option<Opening>,
    events: Vec<(EventReport, String)>,
    /// What is left of its time for the game.
    left: Option<Duration>,
    /// Why it has lost the game.
    failed: Option<String>,
}

impl Guest {
    pub(crate) fn new(program: &Arc<Program>) -> Guest {
        Guest {
            left: program.game_time(),
            program: Arc::clone(program),
            session: None,
            opening: None,
            events: Vec::new(),
            failed: None,
        }
    }

    /// The process that plays this game.
    fn session(&mut self) -> Result<&mut Conversation, String> {
        if let Some(reason) = &self.failed {
            return Err(reason.clone());
        }
        if self.session.is_none() {
            let mut session = self.program.take().inspect_err(|reason| {
                self.failed = Some(reason.clone());
            })?;
            if let Some(opening) = self.opening.take() {
                let mut message = ToProgram::new_game(opening, self.clock());
                if let ToProgram::NewGame { position, .. } = &mut message
                    && !session.wants.contains(&Want::Positions)
                {
                    *position = None;
                }
                write_line(&mut session.unsaid, &message);
            }
            for (event, before) in self.events.drain(..) {
                tell(&mut session, event, || before);
            }
            self.session = Some(session);
        }
        Ok(self.session.as_mut().expect("it was just put there"))
    }

    fn clock(&self) -> TimeLimits {
        TimeLimits {
            step: Some(self.program.time().as_secs_f64()),
            game: self.left.map(|left| left.as_secs_f64()),
        }
    }

    /// Asks something, and reads the answer. Whatever goes wrong ends the process and loses the game.
    #[allow(clippy::disallowed_methods, reason = "a program plays by the clock")]
    fn ask(
        &mut self,
        kind: &'static str,
        turn: &dyn Turn,
        secrets: Option<&[Belief]>,
    ) -> Result<FromProgram, String> {
        let clock = self.clock();
        let session = self.session()?;
        write_question(&mut session.unsaid, kind, turn, clock, &session.wants, secrets);
        let message = std::mem::take(&mut session.unsaid);
        let began = Instant::now();
        let limit = clock.game.unwrap_or(f64::INFINITY).min(clock.step.unwrap_or(f64::INFINITY));
        let answer = session
            .peer
            .ask(&message, Duration::from_secs_f64(limit))
            .map_err(|fault| fault.to_string())
            .and_then(|line| read_answer("answer", &line));
        // The buffer is used again: a game allocates for its longest message only.
        session.unsaid = message;
        session.unsaid.clear();
        if let Some(left) = &mut self.left {
            *left = left.saturating_sub(began.elapsed());
        }
        answer.map_err(|reason| self.fail(kind, reason))
    }

    /// The game is lost, and the process is not to be trusted any more.
    fn fail(&mut self, kind: &'static str, reason: String) -> String {
        self.program.note_fault(kind, &reason);
        self.session = None;
        self.failed = Some(reason.clone());
        reason
    }

    fn offers(&mut self, offer: Offer) -> Result<bool, String> {
        Ok(self.session()?.offers.contains(&offer))
    }
}

/// Adds an event to what a process is to be told, with the position before it if it wants positions.
fn tell(session: &mut Conversation, event: EventReport, before: impl FnOnce() -> String) {
    let position = session.wants.contains(&Want::Positions).then(before);
    let texts = session.wants.contains(&Want::Texts);
    write_line(&mut session.unsaid, &ToProgram::event(event, position, texts));
}

impl ExternalAgent for Guest {
    fn begin(&mut self, opening: Opening) {
        self.opening = Some(opening);
    }

    fn observe(&mut self, event: EventReport, before: &dyn Turn) {
        match &mut self.session {
            Some(session) => tell(session, event, || before.position()),
            None => self.events.push((event, before.position())),
        }
    }

    fn act(&mut self, turn: &dyn Turn) -> Result<String, String> {
        match self.ask("turn", turn, None)? {
            FromProgram::Action { action } => Ok(action),
            FromProgram::Resign { reason } if reason.is_empty() => Err("it resigned".to_owned()),
            FromProgram::Resign { reason } => Err(format!("it resigned: {reason}")),
            _ => {
                let reason = "it answered turn neither with action nor with resign".to_owned();
                Err(self.fail("turn", reason))
            }
        }
    }

    fn analyse(&mut self, turn: &dyn Turn) -> Result<Option<AnalysisReport>, String> {
        if !self.offers(Offer::Analysis)? {
            return Ok(None);
        }
        match self.ask("analyse", turn, None)? {
            FromProgram::Analysis { choice, measure, values } => {
                let values = values.into_iter().map(Into::into).collect();
                Ok(Some(AnalysisReport { choice, measure, values, drawing: None }))
            }
            _ => Err(self.fail("analyse", "it did not answer analyse with analysis".to_owned())),
        }
    }

    fn beliefs(&mut self, turn: &dyn Turn) -> Vec<Belief> {
        if !self.offers(Offer::Beliefs).unwrap_or(false) {
            return Vec::new();
        }
        let secrets = turn.secrets();
        match self.ask("beliefs", turn, Some(&secrets)) {
            Ok(FromProgram::Beliefs { beliefs }) => beliefs,
            Ok(_) => {
                self.fail("beliefs", "it did not answer beliefs with beliefs".to_owned());
                Vec::new()
            }
            Err(_) => Vec::new(),
        }
    }

    fn end(&mut self, ending: &Ending) {
        if let Some(session) = &mut self.session {
            write_line(&mut session.unsaid, &ToProgram::game_over(ending));
        }
    }
}

impl Drop for Guest {
    fn drop(&mut self) {
        if let Some(session) = self.session.take() {
            self.program.give_back(session);
        }
    }
}
