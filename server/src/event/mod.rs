//! Events: many tables, round by round, with a table of how everybody stands.
//!
//! An event is kept like a table: what it was set up as and everything that was done, in order. Results are read off the
//! tables by the server alone; nobody reports any.

mod drive;
mod export;
pub(crate) mod http;
mod plan;
mod report;
mod state;

pub use plan::{Absent, EventAgent, EventGame, EventKind, EventPlan};
pub(crate) use report::Listed;
pub(crate) use state::{EventDeed, EventSetup, EventState};

use crate::Refusal;
use crate::progress::Progress;
use crate::secret::Lock;
use crate::store::{Content, Entry, Paper, Shelf, Story, Writer, load};
use rusqlite::Connection;
use state::Stage;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// One event.
pub(crate) struct Event {
    pub(crate) name: String,
    state: Mutex<EventState>,
    pub(crate) progress: Progress,
    writer: Option<Writer>,
    /// How it stands, as it was last told: for which deeds of which telling, and what.
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
            let content = Content { text, paper: Paper::AsIs };
            let story = Arc::clone(&event) as _;
            writer.write(Entry { story, epoch: 0, number: 0, content, with: None });
        }
        event
    }

    /// An event that came from disk.
    pub(crate) fn restored(name: String, state: EventState, writer: Writer) -> Arc<Event> {
        let on_disk = state.deeds + 1;
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
        self.lock().stage == Stage::Over
    }

    /// Does something for good.
    fn perform(self: &Arc<Event>, state: &mut EventState, deed: &EventDeed) -> Result<(), Refusal> {
        self.perform_with(state, deed, None)
    }

    /// Does something for good; `with` is on disk with it or not at all.
    fn perform_with(
        self: &Arc<Event>,
        state: &mut EventState,
        deed: &EventDeed,
        with: Option<Entry>,
    ) -> Result<(), Refusal> {
        if self.progress.is_far_behind(state.deeds) {
            return Err(Refusal::Full("the disk is slow"));
        }
        state.apply(deed)?;
        state.deeds += 1;
        if let Some(writer) = &self.writer {
            let text = serde_json::to_string(deed).expect("deeds have a JSON form");
            let content = Content { text, paper: Paper::AsIs };
            let (epoch, number) = (state.epoch, state.deeds);
            let (story, with) = (Arc::clone(self) as _, with.map(Box::new));
            writer.write(Entry { story, epoch, number, content, with });
        }
        Ok(())
    }

    /// Waits until everything that was done up to now is on disk.
    pub(crate) async fn flush(&self) -> Result<(), Refusal> {
        let (deeds, epoch) = {
            let state = self.lock();
            (state.deeds, state.epoch)
        };
        self.progress.wait(deeds, epoch).await
    }

    /// Lets a person in. Asking once more with the same secret, after a lost connection, changes nothing.
    pub(crate) fn enter(self: &Arc<Event>, name: &str, key: &str) -> Result<(), Refusal> {
        let lock = Lock::of_stranger(key)
            .ok_or(Refusal::NotNow("a key has 20 to 64 letters and digits"))?;
        let mut state = self.lock();
        if state.find(key).is_some() {
            return Ok(());
        }
        let name = state.check_free(name, &lock)?;
        self.perform(&mut state, &EventDeed::Enter { name, lock })
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
        if state.entrants.get(entrant).is_none_or(|one| one.name != name) {
            return Err(Refusal::NotNow("there is nobody of that name at that place"));
        }
        self.take_out(&mut state, entrant)
    }

    fn take_out(self: &Arc<Event>, state: &mut EventState, entrant: usize) -> Result<(), Refusal> {
        if state.stage == Stage::Over || state.entrants[entrant].left {
            return Ok(());
        }
        self.perform(state, &EventDeed::Leave { entrant })
    }

    /// Begins it; the host says so.
    pub(crate) fn begin(self: &Arc<Event>) -> Result<(), Refusal> {
        let mut state = self.lock();
        let deed = state.begin()?;
        self.perform(&mut state, &deed)
    }

    /// Ends it before its time; the host says so. Games that go on are not counted.
    pub(crate) fn end(self: &Arc<Event>) -> Result<(), Refusal> {
        let mut state = self.lock();
        if state.stage == Stage::Over {
            return Ok(());
        }
        self.perform(&mut state, &EventDeed::End {})
    }
}

impl Story for Event {
    fn name(&self) -> &str {
        &self.name
    }

    fn shelf(&self) -> Shelf {
        Shelf::Events
    }

    fn progress(&self) -> &Progress {
        &self.progress
    }

    fn go_back(&self, connection: &Connection, path: &Path, why: &str) {
        let saved = load(connection, path, Shelf::Events, &self.name).ok().flatten();
        let mut state = self.lock();
        let epoch = state.epoch + 1;
        if let Some(before) = saved.and_then(|saved| EventState::restore(saved).ok()) {
            *state = EventState { epoch, ..before };
        } else {
            // It never came to be.
            (state.stage, state.epoch) = (Stage::Over, epoch);
        }
        self.progress.fail(state.deeds, state.epoch, why);
    }
}
