//! Events: many tables, round by round, with a table of how everybody stands.
//!
//! An event is kept like a table: what it was set up as and everything that was done, in order. Results are read off the
//! tables by the server alone; nobody reports any. [`oboro_lab::event`] pairs, counts and rates; here people and agents
//! are seated at its tables.

mod drive;
mod export;
pub(crate) mod http;
mod plan;
mod report;

pub use oboro_lab::event::EventKind;
pub use plan::{Absent, EventAgent, EventGame, EventPlan};
pub(crate) use report::Listed;

use crate::Refusal;
use crate::key::KeyHash;
use crate::progress::Progress;
use crate::setup::clean_name;
use crate::store::{Content, Entry, Persistent, RecordChange, Saved, StoredKind, Writer, load};
use oboro_core::Seed;
use oboro_lab::event::{self, Entrant, EventChange, EventError, Player, Stage};
use rusqlite::Connection;
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What changes an event of ours.
pub(crate) type EventAction = EventChange<KeyHash>;

/// What an event is set up as, in the database.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) struct EventSetup {
    pub(crate) plan: EventPlan,
    /// All deals and pairings come from it; nobody is told.
    pub(crate) seed: String,
}

/// What an event holds.
#[derive(Clone, Debug)]
pub(crate) struct EventState {
    pub(crate) setup: EventSetup,
    pub(crate) event: event::Event<KeyHash>,
    /// Counts the times when something could not be written and the event went back to what was.
    pub(crate) epoch: u64,
}

impl EventState {
    /// An event as it was set up.
    fn new(setup: EventSetup) -> EventState {
        let seed = setup.seed.parse().unwrap_or_else(|_| Seed::from_u64(0));
        let agents = setup.plan.agents.iter();
        let agents = agents.map(|agent| Entrant::agent(&agent.name(), &agent.spec)).collect();
        let event = event::Event::new(setup.plan.format(), seed, agents);
        EventState { setup, event, epoch: 0 }
    }

    /// An event at which everything that was done is done again.
    pub(crate) fn restore(saved: Saved<EventSetup, EventAction>) -> Result<EventState, Refusal> {
        let mut state = EventState::new(saved.setup);
        for (_, step) in &saved.steps {
            state.event.apply(step)?;
        }
        Ok(state)
    }

    /// The person whom a secret opens.
    pub(crate) fn find(&self, key: &str) -> Option<usize> {
        // Everybody is looked at, whoever it is.
        let entrants = self.event.entrants().iter().enumerate();
        let opens = entrants
            .filter(|(_, one)| matches!(&one.player, Player::Person(lock) if lock.opens(key)));
        opens.map(|(number, _)| number).collect::<Vec<_>>().first().copied()
    }
}

impl From<EventError> for Refusal {
    fn from(error: EventError) -> Refusal {
        Refusal::NotNow(error.0)
    }
}

/// One event.
pub(crate) struct Event {
    pub(crate) name: String,
    state: Mutex<EventState>,
    pub(crate) progress: Progress,
    writer: Option<Writer>,
    /// How it stands, as it was last told: for which steps of which epoch, and what.
    told: Mutex<Option<(u64, u64, Arc<str>)>>,
}

impl std::fmt::Debug for Event {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Event").field("name", &self.name).finish_non_exhaustive()
    }
}

impl Event {
    /// A new event; nobody is told of it before it is on disk, where there is one.
    pub(crate) fn open(name: String, setup: EventSetup, writer: Option<&Writer>) -> Arc<Event> {
        let text = serde_json::to_string(&setup).expect("setups have a JSON form");
        let on_disk = if writer.is_some() { 0 } else { u64::MAX };
        let event = Event::with(name, EventState::new(setup), writer.cloned(), on_disk);
        if let Some(writer) = writer {
            let content = Content { text, record: RecordChange::AsIs };
            let source = Arc::clone(&event) as _;
            writer.write(Entry { source, epoch: 0, number: 0, content, with: None });
        }
        event
    }

    /// An event that came from disk.
    pub(crate) fn restored(name: String, state: EventState, writer: Writer) -> Arc<Event> {
        let on_disk = state.event.changes() + 1;
        Event::with(name, state, Some(writer), on_disk)
    }

    fn with(name: String, state: EventState, writer: Option<Writer>, on_disk: u64) -> Arc<Event> {
        Arc::new(Event {
            name,
            state: Mutex::new(state),
            progress: Progress::new(on_disk),
            writer,
            told: Mutex::default(),
        })
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, EventState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether nothing will be played in it any more.
    pub(crate) fn is_over(&self) -> bool {
        self.lock().event.stage() == Stage::Over
    }

    /// Does something for good.
    fn perform(
        self: &Arc<Event>,
        state: &mut EventState,
        step: &EventAction,
    ) -> Result<(), Refusal> {
        self.perform_with(state, step, None)
    }

    /// Does something for good; `with` is on disk with it or not at all.
    fn perform_with(
        self: &Arc<Event>,
        state: &mut EventState,
        step: &EventAction,
        with: Option<Entry>,
    ) -> Result<(), Refusal> {
        if self.progress.is_far_behind(state.event.changes()) {
            return Err(Refusal::Full("the disk is slow"));
        }
        state.event.apply(step)?;
        if let Some(writer) = &self.writer {
            let text = serde_json::to_string(step).expect("steps have a JSON form");
            let content = Content { text, record: RecordChange::AsIs };
            let (epoch, number) = (state.epoch, state.event.changes());
            let (source, with) = (Arc::clone(self) as _, with.map(Box::new));
            writer.write(Entry { source, epoch, number, content, with });
        }
        Ok(())
    }

    /// Waits until everything that was done up to now is on disk.
    pub(crate) async fn flush(&self) -> Result<(), Refusal> {
        let (steps, epoch) = {
            let state = self.lock();
            (state.event.changes(), state.epoch)
        };
        self.progress.wait(steps, epoch).await
    }

    /// Lets a person in. Asking once more with the same secret, after a lost connection, changes nothing.
    pub(crate) fn enter(self: &Arc<Event>, name: &str, key: &str) -> Result<(), Refusal> {
        let lock = KeyHash::of_new_key(key)
            .ok_or(Refusal::NotNow("a key has 20 to 64 letters and digits"))?;
        let mut state = self.lock();
        if state.find(key).is_some() {
            return Ok(());
        }
        let name = clean_name(name);
        state.event.check_entry(&name, &lock)?;
        self.perform(&mut state, &EventAction::Enter { name, lock })
    }

    /// Takes a person out, who says so with their secret.
    pub(crate) fn leave(self: &Arc<Event>, key: &str) -> Result<(), Refusal> {
        let mut state = self.lock();
        let entrant = state.find(key).ok_or(Refusal::NotNow("you do not take part"))?;
        self.take_out(&mut state, entrant)
    }

    /// Takes somebody out; the host says so.
    pub(crate) fn remove(self: &Arc<Event>, entrant: usize, name: &str) -> Result<(), Refusal> {
        let mut state = self.lock();
        // The list may have changed since the host looked.
        if state.event.entrants().get(entrant).is_none_or(|one| one.name != name) {
            return Err(Refusal::NotNow("there is nobody of that name at that place"));
        }
        self.take_out(&mut state, entrant)
    }

    fn take_out(self: &Arc<Event>, state: &mut EventState, entrant: usize) -> Result<(), Refusal> {
        if state.event.stage() == Stage::Over || state.event.entrants()[entrant].left {
            return Ok(());
        }
        self.perform(state, &EventAction::Leave { entrant })
    }

    /// Begins it; the host says so.
    pub(crate) fn begin(self: &Arc<Event>) -> Result<(), Refusal> {
        let mut state = self.lock();
        let step = state.event.begin()?;
        self.perform(&mut state, &step)
    }

    /// Ends it before its time; the host says so. Games that go on are not counted.
    pub(crate) fn end(self: &Arc<Event>) -> Result<(), Refusal> {
        let mut state = self.lock();
        if state.event.stage() == Stage::Over {
            return Ok(());
        }
        self.perform(&mut state, &EventAction::End {})
    }
}

impl Persistent for Event {
    fn name(&self) -> &str {
        &self.name
    }

    fn kind(&self) -> StoredKind {
        StoredKind::Events
    }

    fn progress(&self) -> &Progress {
        &self.progress
    }

    fn go_back(&self, connection: &Connection, path: &Path, why: &str) {
        let saved = load(connection, path, StoredKind::Events, &self.name).ok().flatten();
        let mut state = self.lock();
        let epoch = state.epoch + 1;
        if let Some(before) = saved.and_then(|saved| EventState::restore(saved).ok()) {
            *state = EventState { epoch, ..before };
        } else {
            // It never came to be.
            let _ = state.event.apply(&EventAction::End {});
            state.epoch = epoch;
            self.progress.lose(epoch, why);
            return;
        }
        self.progress.fail(state.event.changes(), state.epoch, why);
    }
}
