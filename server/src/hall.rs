//! All tables of a server, and the threads on which agents think.

use crate::deed::Deed;
use crate::doors::Doors;
use crate::event::{Event, EventState, Listed};
use crate::message::{Reply, Room};
use crate::metrics::Metrics;
use crate::secret::{Lock, random_text};
use crate::setup::{NewTable, Opened, Place, Setup, random_seed};
use crate::state::{State, now};
use crate::store::{Database, Entry, Reader, Shelf, StoreError, Writer, wall_clock};
use crate::table::{Guest, Table};
use crate::{Library, Limits, Refusal};
use oboro_catalog::{CatalogError, ExternalAgents};
use oboro_core::Stop;
use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::Semaphore;

/// All tables of a server.
pub struct Hall {
    pub(crate) limits: Limits,
    pub(crate) library: Library,
    pub(crate) metrics: Arc<Metrics>,
    pub(crate) doors: Arc<Doors>,
    tables: Mutex<BTreeMap<String, Arc<Table>>>,
    events: Mutex<BTreeMap<String, Arc<Event>>>,
    /// What opens the host's door; without it nobody is the host.
    host: OnceLock<Lock>,
    guests: AtomicU64,
    thinkers: Arc<Semaphore>,
    external: OnceLock<Arc<dyn ExternalAgents>>,
    store: Option<Store>,
    /// Tables that were removed lately: somebody may have read them just before.
    forgotten: Mutex<BTreeSet<String>>,
    /// When old ones were last looked for.
    pruned: Mutex<Option<Instant>>,
}

/// Where tables are kept.
struct Store {
    writer: Writer,
    reader: Mutex<Reader>,
}

impl std::fmt::Debug for Hall {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Hall").field("limits", &self.limits).finish_non_exhaustive()
    }
}

/// What came back from disk.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Restored {
    /// How many tables at which a game goes on.
    pub tables: usize,
    /// How many events, those that are over included.
    pub events: usize,
    /// Those that could not be restored, and why. They are left as they are.
    pub broken: Vec<String>,
}

/// Tables at which something was done in this time are there again after a restart; older ones when somebody asks.
const RECENT: Duration = Duration::from_hours(24);
/// How often old tables are looked for.
const PRUNE: Duration = Duration::from_hours(1);
/// Rooms that are listed at most.
const LISTED: usize = 200;

impl Hall {
    /// A hall without tables, kept in memory only; `library` holds the records that can be opened.
    pub fn new(limits: Limits, library: Library) -> Arc<Hall> {
        let metrics = Arc::default();
        Arc::new(Hall::with(limits, library, metrics, None))
    }

    /// A hall whose tables are on disk before anybody sees them, and what came back from there.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn durable(
        limits: Limits,
        library: Library,
        database: Database,
    ) -> Result<(Arc<Hall>, Restored), StoreError> {
        let metrics: Arc<Metrics> = Arc::default();
        let reader = database.reader()?;
        let since = wall_clock().saturating_sub(RECENT.as_millis() as u64);
        let names = reader.unfinished(since)?;
        let event_names = reader.events()?;
        let writer = Writer::start(database, Arc::clone(&metrics));
        let store = Store { writer, reader: Mutex::new(reader) };
        let hall = Arc::new(Hall::with(limits, library, metrics, Some(store)));
        let mut restored = Restored::default();
        for name in event_names {
            match hall.restore_event(&name) {
                Ok(()) => restored.events += 1,
                Err(error) => restored.broken.push(error.to_string()),
            }
        }
        for name in names.into_iter().take(limits.tables) {
            match hall.table(&name) {
                Ok(_) => restored.tables += 1,
                Err(error) => restored.broken.push(error.to_string()),
            }
        }
        Ok((hall, restored))
    }

    fn with(limits: Limits, library: Library, metrics: Arc<Metrics>, store: Option<Store>) -> Hall {
        Hall {
            thinkers: Arc::new(Semaphore::new(limits.thinkers.max(1))),
            doors: Arc::new(Doors::new(limits, Arc::clone(&metrics))),
            limits,
            library,
            metrics,
            tables: Mutex::default(),
            events: Mutex::default(),
            host: OnceLock::new(),
            guests: AtomicU64::new(0),
            external: OnceLock::new(),
            store,
            forgotten: Mutex::default(),
            pruned: Mutex::default(),
        }
    }

    fn restore_event(&self, name: &str) -> Result<(), Refusal> {
        let unknown = || Refusal::NoEvent(name.to_owned());
        let store = self.store.as_ref().ok_or_else(unknown)?;
        let saved = store.reader().event(name)?.ok_or_else(unknown)?;
        let broken =
            |error: Refusal| Refusal::Broken(format!("event {name} cannot be restored: {error}"));
        let state = EventState::restore(saved).map_err(broken)?;
        let event = Event::restored(name.to_owned(), state, store.writer.clone());
        self.events().insert(name.to_owned(), event);
        Ok(())
    }

    /// Whoever says this secret is the host. To be called once.
    pub fn entrust(&self, key: &str) {
        let _ = self.host.set(Lock::of(key));
    }

    /// Whether a secret is the host's.
    pub(crate) fn is_host(&self, key: &str) -> bool {
        self.host.get().is_some_and(|lock| lock.opens(key))
    }

    /// What writes things down, where anything is.
    pub(crate) fn writer(&self) -> Option<&Writer> {
        self.store.as_ref().map(|store| &store.writer)
    }

    pub(crate) fn events(&self) -> MutexGuard<'_, BTreeMap<String, Arc<Event>>> {
        lock(&self.events)
    }

    /// The event of that name.
    ///
    /// # Errors
    /// If there is none.
    pub(crate) fn event(&self, name: &str) -> Result<Arc<Event>, Refusal> {
        self.events().get(name).cloned().ok_or_else(|| Refusal::NoEvent(name.to_owned()))
    }

    /// The events that everybody may see.
    pub(crate) async fn listed_events(&self) -> Vec<Listed> {
        let events: Vec<Arc<Event>> = self.events().values().cloned().collect();
        let mut listed = Vec::new();
        for event in events {
            let entry = event.listed();
            if event.flush().await.is_ok() {
                listed.extend(entry);
            }
        }
        listed
    }

    /// Lets players from outside sit at its tables, by their specs; whoever else is named over the network is an agent
    /// of ours. To be called once, before the first table.
    pub fn allow_external(&self, external: Arc<dyn ExternalAgents>) {
        let _ = self.external.set(external);
    }

    fn tables(&self) -> MutexGuard<'_, BTreeMap<String, Arc<Table>>> {
        lock(&self.tables)
    }

    fn all(&self) -> Vec<Arc<Table>> {
        self.tables().values().cloned().collect()
    }

    /// How many tables are in memory.
    pub(crate) fn len(&self) -> usize {
        self.tables().len()
    }

    /// Sets a table. Of a durable hall it is on disk only when [`flush`](Hall::flush) says so.
    ///
    /// # Errors
    /// If there is no such game, rule or agent, or no room.
    pub fn open(self: &Arc<Hall>, wanted: &NewTable) -> Result<Opened, Refusal> {
        let (setup, keys) = Setup::new(wanted);
        if let Some(agent) = setup.room.as_ref().and_then(|room| room.stand_in.as_deref()) {
            setup.check_agent(agent)?;
        }
        let table = self.set(&setup)?;
        Ok(opened(&table.name, keys))
    }

    /// Opens a recorded game to look at.
    ///
    /// # Errors
    /// If the text is no record of a game by its rules, or there is no room.
    pub fn study(self: &Arc<Hall>, record: &str) -> Result<Opened, Refusal> {
        let state = State::study(record)?;
        let keys = vec![None; state.chairs.len()];
        let table = self.add(8, |name| Ok(Arc::new(Table::volatile(name, state))))?;
        Ok(opened(&table.name, keys))
    }

    /// Waits until everything done at a table is on disk.
    ///
    /// # Errors
    /// If there is no such table, or it cannot be written.
    pub async fn flush(&self, table: &str) -> Result<(), Refusal> {
        self.table(table)?.flush().await
    }

    /// Sets a table as it is described.
    pub(crate) fn set(self: &Arc<Hall>, setup: &Setup) -> Result<Arc<Table>, Refusal> {
        self.set_with(setup, |_, entry| {
            if let (Some(writer), Some(entry)) = (self.writer(), entry) {
                writer.write(entry);
            }
            Ok(())
        })
    }

    /// Sets a table as it is described; `note` is told its name and has its beginning written, where anything is
    /// written. If it refuses, there is no table.
    pub(crate) fn set_with(
        self: &Arc<Hall>,
        setup: &Setup,
        note: impl FnOnce(&str, Option<Entry>) -> Result<(), Refusal>,
    ) -> Result<Arc<Table>, Refusal> {
        let state = State::new(setup.clone(), self.external.get().cloned())?;
        // A room's name is read out and typed; all others are clicked.
        let typed = setup.room.is_some() && setup.occasion.is_none();
        let letters = if typed { 6 } else { 8 };
        let table = self.add(letters, |name| {
            let (table, entry) = match self.writer() {
                Some(writer) => {
                    let (table, entry) = Table::durable(name, state, setup, writer);
                    (table, Some(entry))
                }
                None => (Arc::new(Table::volatile(name, state)), None),
            };
            note(&table.name, entry)?;
            Ok(table)
        })?;
        self.nudge(&table);
        Ok(table)
    }

    fn add(
        &self,
        letters: usize,
        make: impl FnOnce(String) -> Result<Arc<Table>, Refusal>,
    ) -> Result<Arc<Table>, Refusal> {
        let mut name = random_text(letters);
        while self.is_known(&name)? {
            name = random_text(letters);
        }
        let mut tables = self.tables();
        self.make_room(&mut tables)?;
        let table = make(name.clone())?;
        tables.insert(name, Arc::clone(&table));
        Metrics::count(&self.metrics.tables_opened);
        Ok(table)
    }

    fn is_known(&self, name: &str) -> Result<bool, Refusal> {
        if self.tables().contains_key(name) {
            return Ok(true);
        }
        self.store.as_ref().map_or(Ok(false), |store| Ok(store.reader().has(name)?))
    }

    fn make_room(&self, tables: &mut BTreeMap<String, Arc<Table>>) -> Result<(), Refusal> {
        if tables.len() >= self.limits.tables {
            // What is on disk comes back when somebody asks for it, so it need not be here.
            let limit = if self.store.is_some() { 1 } else { self.limits.idle_minutes };
            close_idle(tables, Duration::from_mins(limit));
        }
        if tables.len() >= self.limits.tables {
            Metrics::count(&self.metrics.refused);
            return Err(Refusal::Full("all tables are taken"));
        }
        Ok(())
    }

    /// The table of that name, from disk if need be.
    ///
    /// # Errors
    /// If there is none.
    pub(crate) fn table(&self, name: &str) -> Result<Arc<Table>, Refusal> {
        if let Some(table) = self.tables().get(name) {
            return Ok(Arc::clone(table));
        }
        let unknown = || Refusal::NoTable(name.to_owned());
        let store = self.store.as_ref().ok_or_else(unknown)?;
        let saved = store.reader().table(name)?.ok_or_else(unknown)?;
        let broken =
            |error: Refusal| Refusal::Broken(format!("table {name} cannot be restored: {error}"));
        let state = State::restore(saved).map_err(broken)?;
        let mut tables = self.tables();
        if let Some(table) = tables.get(name) {
            return Ok(Arc::clone(table));
        }
        if lock(&self.forgotten).contains(name) {
            return Err(unknown());
        }
        self.make_room(&mut tables)?;
        let table = Arc::new(Table::restored(name.to_owned(), state, store.writer.clone()));
        tables.insert(name.to_owned(), Arc::clone(&table));
        Ok(table)
    }

    /// Lets a connection in.
    ///
    /// # Errors
    /// If the table is full.
    pub(crate) fn join(&self, table: &Arc<Table>, keys: &[String]) -> Result<Guest, Refusal> {
        if table.connections() >= self.limits.guests {
            return Err(Refusal::Full("this table has as many watchers as it can hold"));
        }
        table.join(self.guests.fetch_add(1, Ordering::Relaxed), keys)
    }

    /// The rooms that everybody may see, those that wait for people first.
    pub(crate) async fn rooms(&self) -> Vec<Room> {
        let mut rooms = Vec::new();
        for table in self.all() {
            let (room, deeds, epoch) = {
                let state = table.lock();
                let listed = state.customs().is_some_and(|room| room.listed);
                if !listed || state.closed || state.is_open() {
                    continue;
                }
                let room = Room {
                    table: table.name.clone(),
                    game: state.live.game().to_owned(),
                    gathering: state.is_gathering(),
                    seats: state.seats(None),
                    watchers: state.watchers(),
                    plies: state.live.plies(),
                };
                (room, state.deeds, state.epoch)
            };
            if table.progress.wait(deeds, epoch).await.is_ok() {
                rooms.push(room);
            }
        }
        rooms.sort_by_key(|room| !room.gathering);
        rooms.truncate(LISTED);
        rooms
    }

    /// Closes tables that nobody has visited for long; those on disk only leave the memory.
    pub fn sweep(&self) {
        close_idle(&mut self.tables(), Duration::from_mins(self.limits.idle_minutes));
        self.doors.sweep();
        if let Some(days) = self.limits.keep_days {
            let mut pruned = lock(&self.pruned);
            if pruned.is_none_or(|last| last.elapsed() >= PRUNE) {
                *pruned = Some(now());
                // What cannot be read now is looked at another time.
                let _ = self.prune(Duration::from_hours(24 * u64::from(days)));
            }
        }
    }

    /// Removes tables and events from disk at which nothing has been done for so long and which nobody visits; the records
    /// of their games go with them. Tells how many.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn prune(&self, age: Duration) -> Result<usize, StoreError> {
        let Some(store) = &self.store else { return Ok(0) };
        let before = wall_clock().saturating_sub(age.as_millis() as u64);
        let mut events = store.reader().stale(Shelf::Events, before)?;
        events.retain(|name| self.events().get(name).is_none_or(|event| event.is_over()));
        for name in &events {
            self.events().remove(name);
        }
        let mut names = store.reader().stale(Shelf::Tables, before)?;
        {
            let tables = self.tables();
            names.retain(|name| !tables.contains_key(name));
            *lock(&self.forgotten) = names.iter().cloned().collect();
        }
        let count = events.len() + names.len();
        store.writer.forget(Shelf::Events, events);
        store.writer.forget(Shelf::Tables, names);
        Ok(count)
    }

    /// Looks at all clocks, and lets agents think whose turn it is.
    pub(crate) fn tick(self: &Arc<Hall>) {
        for table in self.all() {
            table.tick();
            self.nudge(&table);
        }
        self.drive();
    }

    /// Closes everything: whatever thinks is stopped, and what was done is on disk.
    pub fn close(&self) {
        for table in std::mem::take(&mut *self.tables()).into_values() {
            table.lock().close();
            table.changed();
        }
        if let Some(store) = &self.store {
            store.writer.finish();
        }
    }

    /// The same people again at a new table, everybody at the own seat or one further on; everybody at the old one is
    /// told where. `keys` are those of the guest: they open the new seats.
    pub(crate) fn again(
        self: &Arc<Hall>,
        table: &Arc<Table>,
        guest: &Guest,
        keys: &[String],
        swap: bool,
    ) -> Result<Reply, Refusal> {
        let moved = |table: String| Reply::Moved { table, keys: keys.to_vec() };
        let (setup, alone) = {
            let state = table.lock();
            let Some(setup) = state.setup.clone().filter(|_| !guest.seats.is_empty()) else {
                return Err(Refusal::NotNow("there is no game of yours to play again"));
            };
            if setup.occasion.is_some() {
                return Err(Refusal::NotNow("the event goes on by itself"));
            }
            let mut seats: Vec<Place> =
                state.chairs.iter().map(|chair| chair.place.clone()).collect();
            let alone = state
                .chairs
                .iter()
                .enumerate()
                .all(|(seat, chair)| chair.lock().is_none() || guest.seats.contains(&seat));
            if !alone {
                if let Some(next) = &state.next {
                    return Ok(moved(next.clone()));
                }
                if !state.is_open() {
                    return Err(Refusal::NotNow("the game is not over"));
                }
            }
            seats.rotate_right(usize::from(swap));
            (Setup { seats, seed: random_seed(!alone), position: None, ..setup }, alone)
        };
        let next = self.set(&setup)?.name.clone();
        if !alone {
            let mut state = table.lock();
            table.perform(&mut state, &Deed::Next { table: next.clone() })?;
            drop(state);
            table.changed();
        }
        Ok(moved(next))
    }

    /// Lets the agent whose turn it is think, if it is one's turn.
    pub(crate) fn nudge(self: &Arc<Hall>, table: &Arc<Table>) {
        let Ok(runtime) = tokio::runtime::Handle::try_current() else {
            return; // The first tick of the server will do it.
        };
        let ((thinking, stop, number), pace) = {
            let mut state = table.lock();
            let Some(thinking) = state.start_thinking() else { return };
            (thinking, state.pace)
        };
        table.changed();
        let (hall, table) = (Arc::clone(self), Arc::clone(table));
        runtime.spawn(async move {
            if let Some(pause) = pace {
                tokio::time::sleep(Duration::from_millis(pause.into())).await;
            }
            let seat = thinking.seat();
            let switch = stop.clone();
            let thought = hall.think(&stop, move || thinking.run(&switch)).await;
            {
                let mut state = table.lock();
                if let Some(deed) = state.finish_thinking(seat, number, thought) {
                    table.note(&mut state, &deed);
                }
            }
            table.changed();
            hall.nudge(&table);
        });
    }

    /// Runs something long on a thread of its own, as soon as there is one to spare, and pulls its switch when it takes
    /// too long. What falls over there is an answer, not the end of the server.
    pub(crate) async fn think<T: Send + 'static>(
        &self,
        stop: &Stop,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, String> {
        let thinkers = Arc::clone(&self.thinkers);
        let _permit = thinkers.acquire_owned().await.expect("the semaphore is never closed");
        self.metrics.thinking.fetch_add(1, Ordering::Relaxed);
        let run = move || catch_unwind(AssertUnwindSafe(work));
        let mut thread = tokio::task::spawn_blocking(run);
        let limit = Duration::from_secs(self.limits.think_seconds);
        let done = if let Ok(done) = tokio::time::timeout(limit, &mut thread).await {
            done
        } else {
            stop.pull();
            thread.await
        };
        self.metrics.thinking.fetch_sub(1, Ordering::Relaxed);
        match done {
            Ok(Ok(done)) => Ok(done),
            _ => Err("the agent fell over".to_owned()),
        }
    }

    /// How a finished game is written down.
    pub(crate) async fn record(&self, name: &str) -> Result<String, Refusal> {
        if let Some(store) = self.store.as_ref().filter(|_| !self.tables().contains_key(name))
            && let Some(text) = store.reader().record(name)?
        {
            return Ok(text);
        }
        let table = self.table(name)?;
        let (text, deeds, epoch) = {
            let state = table.lock();
            if !state.is_open() {
                return Err(Refusal::NotNow(
                    "a record tells everything: it can be had after the end",
                ));
            }
            (state.live.record().to_string(), state.deeds, state.epoch)
        };
        table.progress.wait(deeds, epoch).await?;
        Ok(text)
    }
}

impl Store {
    fn reader(&self) -> MutexGuard<'_, Reader> {
        lock(&self.reader)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn opened(name: &str, keys: Vec<Option<String>>) -> Opened {
    Opened { address: format!("/t/{name}"), table: name.to_owned(), keys }
}

/// What an agent is asked.
#[derive(Clone, Debug)]
pub(crate) struct Question {
    pub(crate) agent: String,
    pub(crate) seat: usize,
    pub(crate) ply: Option<usize>,
    pub(crate) seed: oboro_core::Seed,
    pub(crate) depth: u32,
}

impl Question {
    /// Puts it to the agent, for a guest who may look from there.
    pub(crate) fn put(
        &self,
        table: &Table,
        guest: &Guest,
    ) -> Result<Box<dyn oboro_catalog::AnyConsultation>, Refusal> {
        let state = table.lock();
        if state.occasion().is_some() && !state.is_open() {
            return Err(Refusal::NotNow("no agent is asked during a game of an event"));
        }
        state.check_may_look(guest, crate::message::Gaze::Seat(self.seat as u8), self.ply)?;
        let seeds = self.seed.game(self.depth.into(), self.depth.into());
        let live = match self.ply {
            Some(ply) => &state.live.at(ply)?,
            None => &state.live,
        };
        Ok(live.consult(self.seat, &self.agent, &seeds)?)
    }
}

fn close_idle(tables: &mut BTreeMap<String, Arc<Table>>, limit: Duration) {
    tables.retain(|_, table| !table.close_if_idle(limit));
}

impl From<oboro_core::RecordError> for Refusal {
    fn from(error: oboro_core::RecordError) -> Refusal {
        Refusal::Door(CatalogError::Record(error))
    }
}

impl From<StoreError> for Refusal {
    fn from(error: StoreError) -> Refusal {
        Refusal::Disk(error.to_string())
    }
}
