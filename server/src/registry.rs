//! All tables of a server, and the threads on which agents think.

use crate::address::{Address, AddressLimits};
use crate::event::{Event, EventState, Listed};
use crate::key::{KeyHash, random_text};
use crate::message::{Reply, Room, Viewpoint};
use crate::metrics::Metrics;
use crate::setup::{NewTable, Opened, Setup};
use crate::state::{State, TableSeat, now};
use crate::store::{Database, Entry, Reader, StoreError, StoredKind, Writer, wall_clock};
use crate::table::{Client, Fittings, Table};
use crate::table_event::TableEvent;
use crate::thinking::{Owner, Thinkers};
use crate::{Library, Limits, Refusal};
use oboro_catalog::{
    AnyConsultation, CatalogError, EvaluationReport, ExternalAgents, InsightReport, PublicSpec,
};
use oboro_core::Stop;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// All tables of a server.
pub struct TableRegistry {
    pub(crate) limits: Limits,
    pub(crate) library: Library,
    pub(crate) metrics: Arc<Metrics>,
    pub(crate) addresses: Arc<AddressLimits>,
    tables: Mutex<BTreeMap<String, Arc<Table>>>,
    events: Mutex<BTreeMap<String, Arc<Event>>>,
    /// What opens the host's door; without it nobody is the host.
    host: OnceLock<KeyHash>,
    clients: AtomicU64,
    pub(crate) thinkers: Arc<Thinkers>,
    external: OnceLock<Arc<dyn ExternalAgents>>,
    store: Option<Store>,
    /// Tables that were removed lately: somebody may have read them just before.
    forgotten: Mutex<BTreeSet<String>>,
    /// What has been found to be old.
    sightings: Mutex<Sightings>,
}

/// A table or an event on disk.
type Stored = (StoredKind, String);

/// Since when tables and events have been found to be old. One look is not enough: the clock of the machine may be wrong.
#[derive(Debug, Default)]
struct Sightings {
    since: BTreeMap<Stored, Instant>,
    /// The last look: by the clock of the machine, and by one that nobody can set.
    last: Option<(u64, Instant)>,
}

impl Sightings {
    /// What has been old for long enough, whenever it was looked. `wall` is the clock of the machine. If that was set in
    /// the meantime, it says nothing, and everything begins anew.
    fn old_for_long(&mut self, stale: Vec<Stored>, wall: u64, at: Instant) -> Vec<Stored> {
        let was_set = self.last.is_some_and(|(before, then)| {
            let passed = at.duration_since(then).as_millis() as u64;
            wall.abs_diff(before + passed) > PRUNE.as_millis() as u64
        });
        if was_set {
            self.since.clear();
        }
        self.last = Some((wall, at));
        let since = |name: &Stored| (name.clone(), self.since.get(name).copied().unwrap_or(at));
        self.since = stale.iter().map(since).collect();
        let mut due = stale;
        due.retain(|name| at.duration_since(self.since[name]) >= CERTAIN);
        due
    }
}

/// Where tables are kept.
struct Store {
    writer: Writer,
    reader: Mutex<Reader>,
}

impl std::fmt::Debug for TableRegistry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TableRegistry").field("limits", &self.limits).finish_non_exhaustive()
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
/// For how long they have to be found old, at every look, before they are removed.
const CERTAIN: Duration = Duration::from_hours(24);
/// Rooms that are listed at most.
const LISTED: usize = 200;

impl TableRegistry {
    /// A registry without tables, kept in memory only; `library` holds the records that can be opened.
    pub fn new(limits: Limits, library: Library) -> Arc<TableRegistry> {
        let metrics = Arc::default();
        Arc::new(TableRegistry::with(limits, library, metrics, None))
    }

    /// A registry whose tables are on disk before anybody sees them, and what came back from there.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn durable(
        limits: Limits,
        library: Library,
        database: Database,
    ) -> Result<(Arc<TableRegistry>, Restored), StoreError> {
        let metrics: Arc<Metrics> = Arc::default();
        let reader = database.reader()?;
        let since = wall_clock().saturating_sub(RECENT.as_millis() as u64);
        let names = reader.unfinished(since)?;
        let event_names = reader.events()?;
        let writer = Writer::start(database, Arc::clone(&metrics));
        let store = Store { writer, reader: Mutex::new(reader) };
        let registry = Arc::new(TableRegistry::with(limits, library, metrics, Some(store)));
        let mut restored = Restored::default();
        for name in event_names {
            match registry.restore_event(&name) {
                Ok(()) => restored.events += 1,
                Err(error) => restored.broken.push(error.to_string()),
            }
        }
        for name in names.into_iter().take(limits.tables) {
            match registry.table(&name) {
                Ok(_) => restored.tables += 1,
                Err(error) => restored.broken.push(error.to_string()),
            }
        }
        Ok((registry, restored))
    }

    fn with(
        limits: Limits,
        library: Library,
        metrics: Arc<Metrics>,
        store: Option<Store>,
    ) -> TableRegistry {
        TableRegistry {
            thinkers: Thinkers::new(limits, Arc::clone(&metrics)),
            addresses: Arc::new(AddressLimits::new(limits, Arc::clone(&metrics))),
            limits,
            library,
            metrics,
            tables: Mutex::default(),
            events: Mutex::default(),
            host: OnceLock::new(),
            clients: AtomicU64::new(0),
            external: OnceLock::new(),
            store,
            forgotten: Mutex::default(),
            sightings: Mutex::default(),
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
    pub fn set_host_key(&self, key: &str) {
        let _ = self.host.set(KeyHash::of(key));
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

    /// What the server has done and how much it holds, for those who watch over it.
    pub(crate) fn metrics_text(&self) -> String {
        let (held, thinking) = self.thinkers.kilobytes();
        let most = (self.limits.held_megabytes, self.limits.thinking_megabytes);
        let memory = [(held.div_ceil(1024), most.0), (thinking.div_ceil(1024), most.1)];
        self.metrics.text(self.tables().len(), memory)
    }

    /// Sets a table for whoever runs the server: with any rules, agents and deal. Of a durable registry it is on disk
    /// only when [`flush`](TableRegistry::flush) says so.
    ///
    /// # Errors
    /// If there is no such game, rule or agent, or no room.
    pub fn open(self: &Arc<TableRegistry>, wanted: &NewTable) -> Result<Opened, Refusal> {
        let (setup, keys) = Setup::new(wanted, true)?;
        Ok(opened(&self.set(&setup, Owner::Host)?.name, keys))
    }

    /// Sets a table for a stranger: with public rules and agents alone, and without a say in the deal among people.
    ///
    /// # Errors
    /// As [`open`](TableRegistry::open), and if something is not for strangers.
    pub(crate) fn open_public(
        self: &Arc<TableRegistry>,
        wanted: &NewTable,
        address: Address,
    ) -> Result<Opened, Refusal> {
        let (setup, keys) = Setup::new(wanted, false)?;
        Ok(opened(&self.set(&setup, Owner::Address(address))?.name, keys))
    }

    /// Opens a recorded game to look at.
    ///
    /// # Errors
    /// If the text is no record of a game by its rules, or there is no room.
    pub fn study(self: &Arc<TableRegistry>, record: &str) -> Result<Opened, Refusal> {
        let state = State::study(record)?;
        let keys = vec![None; state.seat_states.len()];
        let table = self.add(8, |name| Ok(Arc::new(Table::volatile(name, state, None))))?;
        Ok(opened(&table.name, keys))
    }

    /// Waits until everything done at a table is on disk.
    ///
    /// # Errors
    /// If there is no such table, or it cannot be written.
    pub async fn flush(&self, table: &str) -> Result<(), Refusal> {
        let here = self.tables().get(table).cloned();
        let found = match here {
            Some(found) => found,
            None => self.table(table)?,
        };
        let flushed = found.flush().await;
        if found.progress.is_lost() {
            self.tables().remove(table); // It never came to be.
        }
        flushed
    }

    /// Sets a table as it is described.
    fn set(self: &Arc<TableRegistry>, setup: &Setup, owner: Owner) -> Result<Arc<Table>, Refusal> {
        self.set_with(setup, owner, |_, entry| {
            if let (Some(writer), Some(entry)) = (self.writer(), entry) {
                writer.write(entry);
            }
            Ok(())
        })
    }

    /// Sets a table as it is described; `note` is told its name and has its beginning written, where anything is
    /// written. If it refuses, there is no table.
    pub(crate) fn set_with(
        self: &Arc<TableRegistry>,
        setup: &Setup,
        owner: Owner,
        note: impl FnOnce(&str, Option<Entry>) -> Result<(), Refusal>,
    ) -> Result<Arc<Table>, Refusal> {
        let fittings = self.fit(setup, owner)?;
        let state = State::new(setup.clone(), fittings.rules.as_ref())?;
        // A room's name is read out and typed; all others are clicked.
        let typed = setup.room.is_some() && setup.occasion.is_none();
        let letters = if typed { 6 } else { 8 };
        let table = self.add(letters, |name| {
            let (table, entry) = match self.writer() {
                Some(writer) => {
                    let (table, entry) = Table::durable(name, state, fittings, setup, writer);
                    (table, Some(entry))
                }
                None => (Arc::new(Table::volatile(name, state, Some(fittings))), None),
            };
            note(&table.name, entry)?;
            Ok(table)
        })?;
        self.start_agent(&table);
        Ok(table)
    }

    /// Checks what a table is to be, and sets its memory aside.
    fn fit(&self, setup: &Setup, owner: Owner) -> Result<Fittings, Refusal> {
        let rules = setup.rules(self.external.get().cloned())?;
        let kilobytes = setup.footprint(rules.as_ref()).held;
        let memory = self.thinkers.hold(owner, kilobytes).or_else(|_| {
            self.close_idle_tables(&mut self.tables());
            self.thinkers.hold(owner, kilobytes)
        })?;
        Ok(Fittings { rules, owner, memory })
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

    /// Closes tables that nobody uses, sooner than else: somebody else needs the room.
    fn close_idle_tables(&self, tables: &mut BTreeMap<String, Arc<Table>>) {
        // What is on disk comes back when somebody asks for it, so it need not be here.
        let limit = if self.store.is_some() { 1 } else { self.limits.idle_minutes };
        close_idle(tables, Duration::from_mins(limit.min(self.limits.idle_minutes)));
    }

    fn make_room(&self, tables: &mut BTreeMap<String, Arc<Table>>) -> Result<(), Refusal> {
        if tables.len() >= self.limits.tables {
            self.close_idle_tables(tables);
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
        let found = self.tables().get(name).cloned();
        if let Some(table) = found {
            if !table.progress.is_lost() {
                return Ok(table);
            }
            self.tables().remove(name); // It never came to be.
        }
        let unknown = || Refusal::NoTable(name.to_owned());
        let store = self.store.as_ref().ok_or_else(unknown)?;
        let saved = store.reader().table(name)?.ok_or_else(unknown)?;
        let broken =
            |error: Refusal| Refusal::Broken(format!("table {name} cannot be restored: {error}"));
        let fittings = self.fit(&saved.setup, Owner::Restored).map_err(|error| match error {
            Refusal::Full(_) => error,
            error => broken(error),
        })?;
        let state = State::restore(saved, fittings.rules.as_ref()).map_err(broken)?;
        let mut tables = self.tables();
        if let Some(table) = tables.get(name) {
            return Ok(Arc::clone(table));
        }
        if lock(&self.forgotten).contains(name) {
            return Err(unknown());
        }
        self.make_room(&mut tables)?;
        let table =
            Arc::new(Table::restored(name.to_owned(), state, fittings, store.writer.clone()));
        tables.insert(name.to_owned(), Arc::clone(&table));
        Ok(table)
    }

    /// Lets a connection in.
    ///
    /// # Errors
    /// If the table was closed, or has as many watchers as it can hold.
    pub(crate) fn join(
        &self,
        table: &Arc<Table>,
        keys: &[String],
        address: Address,
    ) -> Result<Client, Refusal> {
        let number = self.clients.fetch_add(1, Ordering::Relaxed);
        table.join(number, keys, address, self.limits.watchers)
    }

    /// The rooms that everybody may see, those that wait for people first.
    pub(crate) async fn rooms(&self) -> Vec<Room> {
        let mut rooms = Vec::new();
        for table in self.all() {
            let (room, steps, epoch) = {
                let state = table.lock();
                let listed = state.options().is_some_and(|room| room.listed);
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
                (room, state.steps, state.epoch)
            };
            if table.progress.wait(steps, epoch).await.is_ok() {
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
        self.addresses.sweep();
        if let Some(days) = self.limits.keep_days {
            let mut sightings = lock(&self.sightings);
            if sightings.last.is_none_or(|(_, last)| last.elapsed() >= PRUNE) {
                // What cannot be read now is looked at another time.
                let stale = self.stale(Duration::from_hours(24 * u64::from(days)));
                let due = sightings.old_for_long(stale.unwrap_or_default(), wall_clock(), now());
                self.forget(due);
            }
        }
    }

    /// Removes tables and events from disk at which nothing has been done for so long, by the clock of this machine, and
    /// which nobody uses; the records of their games go with them. Tells how many.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn prune(&self, age: Duration) -> Result<usize, StoreError> {
        let stale = self.stale(age)?;
        Ok(self.forget(stale))
    }

    /// Tables and events on disk at which nothing has been done for so long.
    fn stale(&self, age: Duration) -> Result<Vec<Stored>, StoreError> {
        let Some(store) = &self.store else { return Ok(Vec::new()) };
        let before = wall_clock().saturating_sub(age.as_millis() as u64);
        let mut stale = Vec::new();
        for kind in [StoredKind::Events, StoredKind::Tables] {
            stale.extend(store.reader().stale(kind, before)?.into_iter().map(|name| (kind, name)));
        }
        Ok(stale)
    }

    /// Removes what nobody uses of some tables and events. Tells how many.
    fn forget(&self, stored: Vec<Stored>) -> usize {
        let Some(store) = &self.store else { return 0 };
        let (mut events, mut names) = (Vec::new(), Vec::new());
        for (kind, name) in stored {
            if kind == StoredKind::Events { events.push(name) } else { names.push(name) }
        }
        events.retain(|name| self.events().get(name).is_none_or(|event| event.is_over()));
        for name in &events {
            self.events().remove(name);
        }
        {
            let tables = self.tables();
            names.retain(|name| !tables.contains_key(name));
            *lock(&self.forgotten) = names.iter().cloned().collect();
        }
        let count = events.len() + names.len();
        store.writer.forget(StoredKind::Events, events);
        store.writer.forget(StoredKind::Tables, names);
        count
    }

    /// Looks at all clocks, and lets agents think whose turn it is.
    pub(crate) fn tick(self: &Arc<TableRegistry>) {
        for table in self.all() {
            table.tick();
            self.start_agent(&table);
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
    /// told where. `keys` are those of the client: they open the new seats.
    pub(crate) fn again(
        self: &Arc<TableRegistry>,
        table: &Arc<Table>,
        client: &Client,
        keys: &[String],
        swap: bool,
    ) -> Result<(String, Reply), Refusal> {
        let moved = |table: String| (table.clone(), Reply::Moved { table, keys: keys.to_vec() });
        let (setup, alone) = {
            let state = table.lock();
            let Some(setup) = state.setup.as_ref().filter(|_| !client.seats.is_empty()) else {
                return Err(Refusal::NotNow("there is no game of yours to play again"));
            };
            if setup.occasion.is_some() {
                return Err(Refusal::NotNow("the event goes on by itself"));
            }
            let seats = state.seat_states.iter().map(|seat| seat.place.clone()).collect();
            let own = |(seat, held): (usize, &TableSeat)| {
                held.lock().is_none() || client.seats.contains(&seat)
            };
            (setup.again(seats, swap), state.seat_states.iter().enumerate().all(own))
        };
        if alone {
            return Ok(moved(self.set(&setup, table.owner())?.name.clone()));
        }
        // The old table says where the others are to go: that is on disk with the new one, or neither is.
        let next = self.set_with(&setup, table.owner(), |name, entry| {
            let mut state = table.lock();
            if !state.is_open() {
                return Err(Refusal::NotNow("the game is not over"));
            }
            if state.next.is_some() {
                return Err(Refusal::NotNow("the others have gone on already"));
            }
            table.perform_with(&mut state, &TableEvent::Next { table: name.to_owned() }, entry)
        });
        let decided = table.lock().next.clone();
        table.changed();
        match (next, decided) {
            (Ok(next), _) => Ok(moved(next.name.clone())),
            (Err(_), Some(next)) => Ok(moved(next)),
            (Err(error), None) => Err(error),
        }
    }

    /// Lets the agent whose turn it is think, if it is one's turn.
    pub(crate) fn start_agent(self: &Arc<TableRegistry>, table: &Arc<Table>) {
        let Ok(runtime) = tokio::runtime::Handle::try_current() else {
            return; // The first tick of the server will do it.
        };
        let ((thinking, stop, number), pace, kilobytes) = {
            let mut state = table.lock();
            let Some(thinking) = state.start_thinking() else { return };
            (thinking, state.pace, state.thinking_kilobytes)
        };
        table.changed();
        let (registry, table) = (Arc::clone(self), Arc::clone(table));
        runtime.spawn(async move {
            if let Some(pause) = pace {
                tokio::time::sleep(Duration::from_millis(pause.into())).await;
            }
            let seat = thinking.seat();
            let (switch, place) = (stop.clone(), Arc::clone(&table));
            // What the others make of the action is thought about there, too.
            let work = move || place.finish_thinking(seat, number, Ok(thinking.run(&switch)));
            let thinkers = &registry.thinkers;
            if let Err(reason) = thinkers.run(table.owner(), kilobytes, &stop, work).await {
                table.finish_thinking(seat, number, Err(reason));
            }
            table.changed();
            registry.start_agent(&table);
        });
    }

    /// How a finished game is written down.
    pub(crate) async fn record(self: &Arc<TableRegistry>, name: &str) -> Result<String, Refusal> {
        let (registry, name) = (Arc::clone(self), name.to_owned());
        let found = off_worker(move || {
            if let Some(store) =
                registry.store.as_ref().filter(|_| !registry.tables().contains_key(&name))
                && let Some(text) = store.reader().record(&name)?
            {
                return Ok(Err(text));
            }
            registry.table(&name).map(Ok)
        });
        let table = match found.await? {
            Ok(table) => table,
            Err(text) => return Ok(text),
        };
        let (text, steps, epoch) = {
            let state = table.lock();
            if !state.is_open() {
                return Err(Refusal::NotNow(
                    "a record tells everything: it can be had after the end",
                ));
            }
            (state.live.record().to_string(), state.steps, state.epoch)
        };
        table.progress.wait(steps, epoch).await?;
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

/// Runs something that takes a while, such as building agents, away from the threads that answer everybody.
pub(crate) async fn off_worker<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|_| {
        Err(Refusal::Broken("the server failed here: this is a fault of the program".to_owned()))
    })
}

/// What an agent is asked.
#[derive(Clone, Debug)]
pub(crate) struct AnalysisRequest {
    pub(crate) agent: PublicSpec,
    pub(crate) seat: usize,
    pub(crate) ply: usize,
    pub(crate) seed: oboro_core::Seed,
    pub(crate) depth: u32,
}

impl AnalysisRequest {
    /// Checks that a client may ask this.
    pub(crate) fn check(&self, state: &State, client: &Client) -> Result<(), Refusal> {
        state.check_may_look(client, Viewpoint::Seat(self.seat as u8), Some(self.ply))?;
        state.check_hints()
    }

    /// Asks the agent, on this thread, for a client who may look from there.
    pub(crate) fn run(
        &self,
        table: &Table,
        client: &Client,
        stop: &Stop,
    ) -> Result<InsightReport, Refusal> {
        Ok(self.consultation(table, client)?.run(stop))
    }

    /// As [`run`](AnalysisRequest::run), for what actions are worth alone; nothing where the seat is not to move.
    pub(crate) fn evaluate(
        &self,
        table: &Table,
        client: &Client,
        stop: &Stop,
    ) -> Result<Option<EvaluationReport>, Refusal> {
        Ok(self.consultation(table, client)?.evaluate(stop))
    }

    fn consultation(
        &self,
        table: &Table,
        client: &Client,
    ) -> Result<Box<dyn AnyConsultation>, Refusal> {
        let live = {
            let state = table.lock();
            self.check(&state, client)?;
            state.live.at(self.ply)?
        };
        let seeds = self.seed.game(self.depth.into(), self.depth.into());
        Ok(live.consult(self.seat, self.agent.as_str(), &seeds)?)
    }
}

fn close_idle(tables: &mut BTreeMap<String, Arc<Table>>, limit: Duration) {
    tables.retain(|_, table| !table.close_if_idle(limit));
}

impl From<oboro_core::RecordError> for Refusal {
    fn from(error: oboro_core::RecordError) -> Refusal {
        Refusal::Catalog(CatalogError::Record(error))
    }
}

impl From<StoreError> for Refusal {
    fn from(error: StoreError) -> Refusal {
        Refusal::Disk(error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_removed_by_a_clock_that_jumped() {
        const HOUR: u64 = 3_600_000;
        let mut sightings = Sightings::default();
        let start = now();
        let stale = || vec![(StoredKind::Tables, "old".to_owned())];
        let mut look = |hour: u64, jump: u64, found: Vec<Stored>| {
            let at = start + Duration::from_hours(hour);
            sightings.old_for_long(found, 1_000 * HOUR + (hour + jump) * HOUR, at).len()
        };
        assert_eq!(look(0, 0, stale()), 0, "one look is not enough");
        assert_eq!(look(23, 0, stale()), 0);
        assert_eq!(look(24, 0, stale()), 1);
        // The clock is 400 days ahead: a day begins anew. It is set right within it, and nothing is old any more.
        assert_eq!(look(25, 9600, stale()), 0);
        assert_eq!(look(48, 9600, stale()), 0);
        assert_eq!(look(49, 0, Vec::new()), 0);
        assert_eq!(look(60, 0, stale()), 0);
        assert_eq!(look(84, 0, stale()), 1);
    }
}
