//! Agents written in Python at the engine's tables.
//!
//! Games are played by threads of the engine. A player of theirs that is written in Python sends what it is told to the
//! thread that called, the only one that runs Python, and waits for the answer there. Whatever waits when that thread
//! looks is taken together: a batched agent is asked for all of it at once.

use crate::data::to_python;
use crate::fault::Fault;
use crate::guests::{Guest, Guests, Kind};
use crate::view::View;
use crate::work::{PATIENCE, guarded};
use oboro_catalog::{Ending, EventReport, ExternalAgent, Opening, Turn};
use oboro_core::{Belief, Likelihood, Stop, did_you_mean};
use pyo3::exceptions::{PyException, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyList;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, SyncSender, sync_channel};

/// What the engine has to say to the thread that runs Python.
pub(crate) enum Call {
    /// A player to its Python twin: which agent, which player, what.
    Player(usize, u64, Box<What>),
    /// The engine is done with what it was called for.
    Done,
}

pub(crate) enum What {
    Begin(Opening),
    Observe(EventReport),
    Act(Box<dyn Turn>, SyncSender<Result<String, String>>),
    Believe(Box<dyn Turn>, SyncSender<Vec<Belief>>),
    End(Ending),
    /// Its game is gone, whether it ended or not.
    Gone,
}

/// A player in the engine.
pub(crate) struct Seat {
    guest: usize,
    number: u64,
    desk: Sender<Call>,
}

impl Seat {
    pub(crate) fn new(guest: usize, number: u64, desk: Sender<Call>) -> Seat {
        Seat { guest, number, desk }
    }

    /// Nobody listens any more only if the run is over.
    fn say(&self, what: What) -> bool {
        self.desk.send(Call::Player(self.guest, self.number, Box::new(what))).is_ok()
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        self.say(What::Gone);
    }
}

impl ExternalAgent for Seat {
    fn reads_positions(&self) -> bool {
        false
    }

    fn begin(&mut self, opening: Opening) {
        self.say(What::Begin(opening));
    }

    fn observe(&mut self, event: EventReport, _: &dyn Turn) {
        self.say(What::Observe(event));
    }

    fn act(&mut self, turn: &dyn Turn) -> Result<String, String> {
        let gone = || "the run is over".to_owned();
        let (sender, receiver) = sync_channel(1);
        if !self.say(What::Act(turn.keep(), sender)) {
            return Err(gone());
        }
        receiver.recv().map_err(|_| gone())?
    }

    fn beliefs(&mut self, turn: &dyn Turn) -> Vec<Belief> {
        let (sender, receiver) = sync_channel(1);
        self.say(What::Believe(turn.keep(), sender));
        receiver.recv().unwrap_or_default()
    }

    fn end(&mut self, ending: &Ending) {
        self.say(What::End(ending.clone()));
    }
}

/// A player in Python.
struct Player {
    object: Py<PyAny>,
    rng: Py<PyAny>,
    game: &'static str,
    /// What it raised before it was asked to act.
    failed: Option<String>,
}

/// The thread that runs Python.
pub(crate) struct Desk {
    guests: Arc<Guests>,
    players: BTreeMap<u64, Player>,
    /// What was raised, with the reason that stands in the record.
    raised: Vec<(String, PyErr)>,
    stop: Stop,
    interrupted: Option<PyErr>,
}

impl Desk {
    pub(crate) fn new(guests: &Arc<Guests>, stop: &Stop) -> Desk {
        Desk {
            guests: Arc::clone(guests),
            players: BTreeMap::new(),
            raised: Vec::new(),
            stop: stop.clone(),
            interrupted: None,
        }
    }

    /// Players stay, and another run begins.
    pub(crate) fn continue_with(&mut self, stop: &Stop) {
        (self.stop, self.interrupted) = (stop.clone(), None);
        self.raised.clear();
    }

    /// Ends the run for something that is not an agent's failure, such as Ctrl-C.
    pub(crate) fn interrupt(&mut self, error: PyErr) {
        self.stop.pull();
        self.interrupted.get_or_insert(error);
    }

    /// Lets the engine work on another thread and answers for the agents meanwhile. Ctrl-C ends it. `look` is called now and
    /// then.
    pub(crate) fn serve<T: Send>(
        &mut self,
        py: Python<'_>,
        (sender, calls): (&Sender<Call>, &mut Receiver<Call>),
        task: impl FnOnce() -> Result<T, Fault> + Send,
        mut look: impl FnMut(&mut Desk),
    ) -> PyResult<Result<T, Fault>> {
        let done = std::thread::scope(|scope| {
            let engine = scope.spawn(move || {
                let done = guarded(task);
                // The thread that waits for this holds the receiver.
                let _ = sender.send(Call::Done);
                done
            });
            let mut is_done = false;
            while !is_done {
                let waiting = &mut *calls;
                if let Ok(call) = py.detach(move || waiting.recv_timeout(PATIENCE)) {
                    is_done = self.attend(py, call, calls);
                }
                if let Err(error) = py.check_signals() {
                    self.interrupt(error);
                }
                look(self);
            }
            py.detach(|| engine.join()).unwrap_or_else(|panic| Err(Fault::panic(panic)))
        });
        self.interrupted.take().map_or(Ok(done), Err)
    }

    /// What a player raised last.
    pub(crate) fn last_raised(&mut self) -> Option<PyErr> {
        Some(self.raised.pop()?.1)
    }

    /// What a player raised that failed for this reason.
    pub(crate) fn cause(&mut self, reason: &str) -> Option<PyErr> {
        let place = self.raised.iter().position(|(said, _)| said == reason)?;
        Some(self.raised.swap_remove(place).1)
    }

    /// Deals with everything that waits; whether the engine is done.
    fn attend(&mut self, py: Python<'_>, first: Call, others: &Receiver<Call>) -> bool {
        let mut batches: BTreeMap<usize, Vec<Question>> = BTreeMap::new();
        let mut is_done = false;
        for call in std::iter::once(first).chain(others.try_iter()) {
            is_done |= matches!(call, Call::Done);
            if let Some(question) = self.hear(py, call) {
                batches.entry(question.guest).or_default().push(question);
            }
        }
        for (guest, questions) in batches {
            if matches!(self.guests.guests[guest].kind, Kind::Batched) {
                self.ask_together(py, guest, questions);
            } else {
                for question in questions {
                    self.ask(py, question);
                }
            }
        }
        is_done
    }

    /// Takes in what is no question, and hands back what is one.
    fn hear(&mut self, py: Python<'_>, call: Call) -> Option<Question> {
        let Call::Player(guest, player, what) = call else { return None };
        match *what {
            What::Act(turn, reply) => return Some(Question { guest, player, turn, reply }),
            What::Begin(opening) => {
                if let Err(error) = self.begin(py, guest, player, &opening) {
                    self.fail(py, player, error);
                }
            }
            What::Observe(event) => {
                if let Err(error) = self.tell(py, player, "observe", &event) {
                    self.fail(py, player, error);
                }
            }
            What::End(ending) => {
                let Ending { payoffs, forfeit } = ending;
                let forfeit = forfeit
                    .map(|(seat, reason)| serde_json::json!({"seat": seat, "reason": reason}));
                let ending = serde_json::json!({"payoffs": payoffs, "forfeit": forfeit});
                if let Err(error) = self.tell(py, player, "end", &ending) {
                    self.interrupt(error);
                }
                self.players.remove(&player);
            }
            What::Believe(turn, reply) => {
                let believed = self.believe(py, player, turn).unwrap_or_else(|error| {
                    self.interrupt(error);
                    Vec::new()
                });
                // The game may have been given up meanwhile.
                let _ = reply.send(believed);
            }
            What::Gone => {
                self.players.remove(&player);
            }
        }
        None
    }

    fn begin(
        &mut self,
        py: Python<'_>,
        guest: usize,
        player: u64,
        opening: &Opening,
    ) -> PyResult<()> {
        let guests = Arc::clone(&self.guests);
        let Guest { object, kind, .. } = &guests.guests[guest];
        let rng = py.import("random")?.getattr("Random")?.call1((opening.seed,))?.unbind();
        let game = opening.game;
        // Stands in until the agent is made, so that a failure to make it finds somebody to blame.
        let entry = Player { object: py.None(), rng, game, failed: None };
        self.players.insert(player, entry);
        let object = match kind {
            Kind::Batched => object.clone_ref(py),
            Kind::Factory => object.call0(py)?,
            Kind::Prototype => py.import("copy")?.getattr("deepcopy")?.call1((object,))?.unbind(),
        };
        if let Some(entry) = self.players.get_mut(&player) {
            entry.object = object;
        }
        let Opening { rules, seat, seats, scene, .. } = opening;
        let told = serde_json::json!({
            "game": game, "rules": rules, "seat": seat, "seats": seats, "scene": scene,
        });
        self.tell(py, player, "begin", &told)
    }

    /// Tells a player something, if it wants to hear such things.
    fn tell(
        &self,
        py: Python<'_>,
        player: u64,
        method: &str,
        what: &impl serde::Serialize,
    ) -> PyResult<()> {
        let Some(entry) = self.players.get(&player) else { return Ok(()) };
        if let Some(method) = entry.object.bind(py).getattr_opt(method)? {
            method.call1((to_python(py, what)?,))?;
        }
        Ok(())
    }

    /// A failure before the player's turn is said when it is asked.
    fn fail(&mut self, py: Python<'_>, player: u64, error: PyErr) {
        let reason = self.note(py, error);
        if let Some(entry) = self.players.get_mut(&player) {
            entry.failed.get_or_insert(reason);
        }
    }

    /// Keeps what was raised, and says it in a line.
    fn note(&mut self, py: Python<'_>, error: PyErr) -> String {
        if !error.is_instance_of::<PyException>(py) {
            self.interrupt(error);
            return "interrupted".to_owned();
        }
        let kind = error.get_type(py).name().map_or("error".to_owned(), |name| name.to_string());
        let said = format!("{kind}: {}", error.value(py));
        let said: String =
            said.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(150).collect();
        self.raised.push((said.clone(), error));
        said
    }

    fn view(&self, py: Python<'_>, player: u64, turn: Box<dyn Turn>) -> PyResult<Py<View>> {
        let entry = self.players.get(&player);
        let entry = entry.ok_or_else(|| Fault::new("EngineError", "nobody began this game"))?;
        Py::new(py, View::new(turn, entry.game, player, Some(entry.rng.clone_ref(py))))
    }

    /// What a player thinks of hidden things, if it says so.
    fn believe(&self, py: Python<'_>, player: u64, turn: Box<dyn Turn>) -> PyResult<Vec<Belief>> {
        let entry = self.players.get(&player).filter(|entry| entry.failed.is_none());
        let Some(entry) = entry else { return Ok(Vec::new()) };
        let Some(method) = entry.object.bind(py).getattr_opt("beliefs")? else {
            return Ok(Vec::new());
        };
        let secrets = turn.secrets();
        let given = method.call1((self.view(py, player, turn)?,))?;
        beliefs(&given, &secrets)
    }

    fn ask(&mut self, py: Python<'_>, question: Question) {
        let Question { player, turn, reply, .. } = question;
        let answer = self.failure(player).map_or_else(
            || {
                let choose = || {
                    let view = self.view(py, player, turn)?;
                    let object = &self.players[&player].object;
                    let answer = object.bind(py).call_method1("act", (&view,))?;
                    understand(py, &view, &answer)
                };
                choose().map_err(|error| self.note(py, error))
            },
            Err,
        );
        // The game may have been given up meanwhile.
        let _ = reply.send(answer);
    }

    fn ask_together(&mut self, py: Python<'_>, guest: usize, questions: Vec<Question>) {
        let mut views = Vec::new();
        let mut replies = Vec::new();
        for Question { player, turn, reply, .. } in questions {
            let failure = self.failure(player);
            let view = failure.map_or_else(
                || self.view(py, player, turn).map_err(|error| self.note(py, error)),
                Err,
            );
            match view {
                Ok(view) => {
                    views.push(view);
                    replies.push(reply);
                }
                Err(reason) => {
                    let _ = reply.send(Err(reason));
                }
            }
        }
        if views.is_empty() {
            return;
        }
        let choose = || -> PyResult<Vec<Bound<'_, PyAny>>> {
            let list = PyList::new(py, views.iter().map(|view| view.clone_ref(py)))?;
            let object = self.guests.guests[guest].object.bind(py);
            let answers = object.call_method1("act_batch", (list,))?;
            let answers: Vec<Bound<'_, PyAny>> = answers.try_iter()?.collect::<PyResult<_>>()?;
            if answers.len() == views.len() {
                return Ok(answers);
            }
            Err(PyValueError::new_err(format!(
                "act_batch was handed {} views and gave {} actions",
                views.len(),
                answers.len()
            )))
        };
        match choose() {
            Ok(answers) => {
                for ((view, answer), reply) in views.iter().zip(&answers).zip(replies) {
                    let answer = understand(py, view, answer).map_err(|error| self.note(py, error));
                    let _ = reply.send(answer);
                }
            }
            Err(error) => {
                let reason = self.note(py, error);
                for reply in replies {
                    let _ = reply.send(Err(reason.clone()));
                }
            }
        }
    }

    /// Why a player cannot be asked, if so.
    fn failure(&self, player: u64) -> Option<String> {
        if self.stop.is_pulled() {
            return Some("the run was stopped".to_owned());
        }
        self.players.get(&player)?.failed.clone()
    }
}

/// The beliefs that an agent gave: a dict by subject, each a dict of probabilities by value. They are of things that are hidden.
fn beliefs(given: &Bound<'_, PyAny>, secrets: &[Belief]) -> PyResult<Vec<Belief>> {
    let given: BTreeMap<String, BTreeMap<String, f64>> = given.extract()?;
    let mut believed = Vec::new();
    for (subject, values) in given {
        let values = values.into_iter();
        let likelihood = |(value, probability)| Likelihood { value, probability };
        let belief = Belief { subject, values: values.map(likelihood).collect() };
        let wrong = |said: String| Fault::new("SpecError", format!("beliefs: {said}"));
        belief.check(secrets).map_err(wrong)?;
        let Belief { subject, values } = belief;
        let weights = values.into_iter().map(|one| (one.value, one.probability));
        believed.push(Belief::weighted(&subject, weights));
    }
    Ok(believed)
}

/// A player waits for an answer.
struct Question {
    guest: usize,
    player: u64,
    turn: Box<dyn Turn>,
    reply: SyncSender<Result<String, String>>,
}

/// The text of a legal action that an answer means.
fn understand(py: Python<'_>, view: &Py<View>, answer: &Bound<'_, PyAny>) -> PyResult<String> {
    let view = view.bind(py).get();
    let text = view.answer(answer)?;
    let actions = view.turn.actions();
    if actions.contains(&text) {
        return Ok(text);
    }
    let guess = did_you_mean(&text, actions.iter().map(String::as_str));
    let guess = guess.map(|guess| format!("; did you mean `{guess}`?")).unwrap_or_default();
    Err(Fault::new("IllegalAction", format!("`{text}` is no legal action here{guess}")).into())
}
