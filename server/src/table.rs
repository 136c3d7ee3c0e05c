//! One table: its state, who is told when it changes, and how far it is on disk.

use crate::Refusal;
use crate::address::Address;
use crate::key::KeyHash;
use crate::message::{QuickPhrase, Viewpoint};
use crate::progress::Progress;
use crate::setup::Setup;
use crate::state::{State, now};
use crate::store::{Content, Entry, Persistent, RecordChange, StoredKind, Writer, load};
use crate::table_event::TableEvent;
use crate::thinking::{HeldMemory, Owner};
use oboro_catalog::{AnyRules, AnyThought, CatalogError};
use oboro_core::LiveError;
use rusqlite::Connection;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::watch;

/// One table. Everybody who watches it waits for its version to change and then asks what is new.
pub(crate) struct Table {
    pub(crate) name: String,
    state: Mutex<State>,
    version: watch::Sender<u64>,
    pub(crate) progress: Progress,
    /// Writes down what is done here; none for tables that are kept in memory only.
    writer: Option<Writer>,
    /// Its rules; none for a study.
    rules: Option<Arc<dyn AnyRules>>,
    /// For whom its agents think.
    owner: Mutex<Owner>,
    /// The memory of its agents.
    _memory: Option<HeldMemory>,
}

/// What a table is made of besides its state.
pub(crate) struct Fittings {
    pub(crate) rules: Arc<dyn AnyRules>,
    pub(crate) owner: Owner,
    pub(crate) memory: HeldMemory,
}

impl std::fmt::Debug for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Table").field("name", &self.name).finish_non_exhaustive()
    }
}

/// Somebody at a table: a connection, the seats it holds, and what it looks at.
#[derive(Clone, Debug)]
pub(crate) struct Client {
    pub(crate) number: u64,
    pub(crate) seats: Vec<usize>,
    pub(crate) eyes: Viewpoint,
    /// The position it looks at; none follows the game.
    pub(crate) ply: Option<usize>,
    /// How many events it has been told, and in which round of telling.
    pub(crate) told: usize,
    pub(crate) retold: u64,
    /// Whether it was shown the position after these events and no other since.
    pub(crate) follows: bool,
    /// The last thing said at the table that it was told.
    pub(crate) heard: u64,
}

impl Client {
    /// It holds a seat no longer, and looks on.
    fn stand_up(&mut self, seat: usize) {
        self.seats.retain(|own| *own != seat);
        self.eyes =
            self.seats.first().map_or(Viewpoint::Spectator, |&own| Viewpoint::Seat(own as u8));
        (self.told, self.follows) = (0, false);
    }
}

/// How a game ended.
pub(crate) struct Ended {
    pub(crate) outcome: oboro_core::Outcome,
    /// Who was expected and never came.
    pub(crate) absent: Vec<bool>,
    /// Why somebody gave it up.
    pub(crate) forfeit: Option<String>,
}

/// The slowest pace of agents among themselves, in milliseconds.
const SLOWEST: u32 = 60_000;

impl Table {
    /// A table that is in memory only.
    pub(crate) fn volatile(name: String, state: State, fittings: Option<Fittings>) -> Table {
        Table::with(name, state, fittings, None, u64::MAX)
    }

    /// A new table, and what is to be written of it: nobody is told of the table before that is on disk.
    pub(crate) fn durable(
        name: String,
        state: State,
        fittings: Fittings,
        setup: &Setup,
        writer: &Writer,
    ) -> (Arc<Table>, Entry) {
        let table = Arc::new(Table::with(name, state, Some(fittings), Some(writer.clone()), 0));
        let text = serde_json::to_string(setup).expect("setups have a JSON form");
        let content = Content { text, record: RecordChange::AsIs };
        let source = Arc::clone(&table) as _;
        (table, Entry { source, epoch: 0, number: 0, content, with: None })
    }

    /// A table that came from disk.
    pub(crate) fn restored(
        name: String,
        state: State,
        fittings: Fittings,
        writer: Writer,
    ) -> Table {
        let on_disk = state.steps + 1;
        Table::with(name, state, Some(fittings), Some(writer), on_disk)
    }

    fn with(
        name: String,
        state: State,
        fittings: Option<Fittings>,
        writer: Option<Writer>,
        on_disk: u64,
    ) -> Table {
        let owner = fittings.as_ref().map_or(Owner::Host, |fittings| fittings.owner);
        let (rules, memory) =
            fittings.map(|Fittings { rules, memory, .. }| (rules, memory)).unzip();
        Table {
            name,
            state: Mutex::new(state),
            version: watch::Sender::new(0),
            progress: Progress::new(on_disk),
            writer,
            rules,
            owner: Mutex::new(owner),
            _memory: memory,
        }
    }

    /// For whom its agents think.
    pub(crate) fn owner(&self) -> Owner {
        *self.owner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The state, for as short a time as possible: nothing is thought about while it is locked.
    pub(crate) fn lock(&self) -> MutexGuard<'_, State> {
        // A panic inside leaves the game as it was before the action that panicked.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A way to be told when something changes.
    pub(crate) fn watch(&self) -> watch::Receiver<u64> {
        self.version.subscribe()
    }

    /// Tells everybody who watches that something has changed.
    pub(crate) fn changed(&self) {
        self.version.send_modify(|version| *version += 1);
    }

    /// Whether it outlives the server.
    pub(crate) fn is_durable(&self) -> bool {
        self.writer.is_some()
    }

    /// Waits until everything that was done up to now is on disk.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(crate) async fn flush(&self) -> Result<(), Refusal> {
        let (steps, epoch) = {
            let state = self.lock();
            (state.steps, state.epoch)
        };
        self.progress.wait(steps, epoch).await
    }

    /// Does something for good.
    pub(crate) fn perform(
        self: &Arc<Table>,
        state: &mut State,
        event: &TableEvent,
    ) -> Result<(), Refusal> {
        self.perform_with(state, event, None)
    }

    /// Does something for good; `with` is on disk with it or not at all.
    pub(crate) fn perform_with(
        self: &Arc<Table>,
        state: &mut State,
        event: &TableEvent,
        with: Option<Entry>,
    ) -> Result<(), Refusal> {
        if state.closed {
            return Err(Refusal::NoTable(self.name.clone()));
        }
        if self.progress.is_far_behind(state.steps) {
            return Err(Refusal::Full("the disk is slow"));
        }
        state.apply(event)?;
        self.note(state, event, with);
        self.release(state);
        Ok(())
    }

    /// Writes down something that was done.
    fn note(self: &Arc<Table>, state: &mut State, event: &TableEvent, with: Option<Entry>) {
        state.steps += 1;
        let Some(writer) = &self.writer else { return };
        let ends = matches!(event, TableEvent::Play { .. } | TableEvent::Forfeit { .. });
        let over = ends && state.live.outcome().is_some();
        let record = if over {
            RecordChange::Write(state.live.record().to_string())
        } else if matches!(event, TableEvent::TakeBack { .. }) {
            RecordChange::Remove // The game goes on after all.
        } else {
            RecordChange::AsIs
        };
        let text = serde_json::to_string(event).expect("events have a JSON form");
        let (epoch, number) = (state.epoch, state.steps);
        let content = Content { text, record };
        let (source, with) = (Arc::clone(self) as _, with.map(Box::new));
        writer.write(Entry { source, epoch, number, content, with });
    }

    /// Plays what an agent came to.
    pub(crate) fn finish_thinking(
        self: &Arc<Table>,
        seat: usize,
        number: u64,
        thought: Result<AnyThought, String>,
    ) {
        let mut state = self.lock();
        if let Some(event) = state.finish_thinking(seat, number, thought) {
            self.note(&mut state, &event, None);
        }
    }

    /// Plays what was held back while the game was halted, if it goes on.
    fn release(self: &Arc<Table>, state: &mut State) {
        if let Some(event) = state.release() {
            self.note(state, &event, None);
        }
    }

    /// Does what the clock demands; tells whether that was anything.
    pub(crate) fn tick(self: &Arc<Table>) -> bool {
        let mut state = self.lock();
        let Some(step) = state.due() else { return false };
        let done = self.perform(&mut state, &step).is_ok();
        drop(state);
        self.changed();
        done
    }

    /// Lets somebody in, at the seats it has keys for; whoever held them before no longer does, and an agent that
    /// played on for them stops. Without a seat one is a watcher, of whom there are so many at most.
    ///
    /// # Errors
    /// If the table was closed just now, or for a watcher too many.
    pub(crate) fn join(
        self: &Arc<Table>,
        number: u64,
        keys: &[String],
        address: Address,
        most_watchers: usize,
    ) -> Result<Client, Refusal> {
        let mut state = self.lock();
        if state.closed {
            return Err(Refusal::NoTable(self.name.clone()));
        }
        let watchers = state.watchers();
        let mut seats = Vec::new();
        for (seat, seat_state) in state.seat_states.iter_mut().enumerate() {
            let opens = |lock: &KeyHash| keys.iter().any(|given| lock.opens(given));
            if seat_state.lock().is_some_and(opens) && !seat_state.resigned {
                seat_state.holder = Some(number);
                seats.push(seat);
            }
        }
        if seats.is_empty() && watchers >= most_watchers {
            return Err(Refusal::Full("this table has as many watchers as it can hold"));
        }
        let mut owner = self.owner.lock().unwrap_or_else(PoisonError::into_inner);
        if *owner == Owner::Restored && !seats.is_empty() {
            *owner = Owner::Address(address);
        }
        drop(owner);
        for &seat in &seats {
            if state.occasion().is_some() && !state.seat_states[seat].arrived && !state.is_open() {
                self.perform(&mut state, &TableEvent::Come { seat })?;
            }
            if state.may_return(seat) {
                self.perform(&mut state, &TableEvent::Return { seat })?;
            }
        }
        state.connections += 1;
        let eyes = match seats.first() {
            _ if state.is_study() => Viewpoint::Everything,
            Some(&seat) => Viewpoint::Seat(seat as u8),
            None => Viewpoint::Spectator,
        };
        let retold = state.retold;
        let heard = state.said.back().map_or(0, |said| said.number);
        drop(state);
        self.changed();
        Ok(Client { number, seats, eyes, ply: None, told: 0, retold, follows: false, heard })
    }

    /// Says something to everybody here.
    ///
    /// # Errors
    /// If the seat is not the client's, or nobody else plays here.
    pub(crate) fn say(
        &self,
        client: &Client,
        seat: usize,
        phrase: QuickPhrase,
    ) -> Result<(), Refusal> {
        if !client.seats.contains(&seat) {
            return Err(Refusal::NotYours(seat));
        }
        self.lock().say(seat, phrase)
    }

    /// Somebody has gone.
    pub(crate) fn leave(&self, number: u64) {
        self.lock().leave(number);
        self.changed();
    }

    /// How its game ended, once that is on disk; else nothing.
    pub(crate) fn ended(&self) -> Option<Ended> {
        let state = self.lock();
        let outcome = state.live.outcome()?;
        let record = state.live.record();
        self.progress.has(state.steps).then(|| Ended {
            outcome,
            absent: state.absent(),
            forfeit: record.forfeit.map(|(_, reason)| reason),
        })
    }

    /// Somebody counts on this table: it does not count as left.
    pub(crate) fn keep(&self) {
        self.lock().last_seen = now();
    }

    /// How long nobody has been here; nothing while somebody is.
    pub(crate) fn idle(&self) -> Duration {
        let state = self.lock();
        if state.connections > 0 { Duration::ZERO } else { state.last_seen.elapsed() }
    }

    /// Closes the table if nobody is here and nothing waits for the disk.
    pub(crate) fn close_if_idle(&self, limit: Duration) -> bool {
        if self.idle() < limit {
            return false;
        }
        let mut state = self.lock();
        let written = self.progress.has(state.steps) || self.progress.is_lost();
        let idle = state.connections == 0 && written;
        if idle {
            state.close();
        }
        idle
    }

    /// Plays an action for a seat of the client.
    pub(crate) fn play(
        self: &Arc<Table>,
        client: &Client,
        seat: usize,
        action: String,
        ply: Option<usize>,
    ) -> Result<(), Refusal> {
        let mut state = self.lock();
        state.check_plays(client, seat)?;
        if ply.is_some_and(|ply| ply != state.live.plies()) {
            return Err(Refusal::NotNow("the game has gone on since"));
        }
        let spent = state.owed();
        self.perform(&mut state, &TableEvent::Play { seat, action, spent })
    }

    /// Chooses what the client is shown from now on.
    pub(crate) fn look(
        &self,
        client: &mut Client,
        eyes: Viewpoint,
        ply: Option<usize>,
    ) -> Result<(), Refusal> {
        self.lock().check_may_look(client, eyes, ply)?;
        (client.eyes, client.ply, client.told, client.follows) = (eyes, ply, 0, false);
        Ok(())
    }

    /// Takes the client's own last move back.
    pub(crate) fn take_back(self: &Arc<Table>, client: &Client) -> Result<(), Refusal> {
        let mut state = self.lock();
        let plies = state.to_take_back(client)?;
        self.perform(&mut state, &TableEvent::TakeBack { plies })
    }

    /// Gives the game up for a seat.
    pub(crate) fn resign(
        self: &Arc<Table>,
        client: &mut Client,
        seat: usize,
    ) -> Result<(), Refusal> {
        let mut state = self.lock();
        state.check_plays(client, seat)?;
        if state.occasion().is_some() && state.seat_states.len() > 2 {
            return Err(Refusal::NotNow("the others play on: leave it to an agent"));
        }
        if state.is_open() {
            return Err(CatalogError::Live(LiveError::Over).into());
        }
        let event = state.giving_up(seat, "resigned");
        self.perform(&mut state, &event)?;
        if state.seat_states[seat].resigned {
            state.seat_states[seat].holder = None;
            client.stand_up(seat);
        }
        Ok(())
    }

    /// Chooses how fast agents play, among themselves or with the one person at the table.
    pub(crate) fn set_pace(
        self: &Arc<Table>,
        client: &Client,
        pause: Option<u32>,
    ) -> Result<(), Refusal> {
        let mut state = self.lock();
        let is_own = !client.seats.is_empty() && state.people() == 1;
        if !(state.is_show() || is_own) || state.occasion().is_some() {
            return Err(Refusal::NotNow("a pace is for agents among themselves"));
        }
        state.pace = pause.map(|pause| pause.min(SLOWEST));
        self.release(&mut state);
        Ok(())
    }

    /// Comes back to a seat at which an agent plays on.
    pub(crate) fn return_to(
        self: &Arc<Table>,
        client: &Client,
        seat: usize,
    ) -> Result<(), Refusal> {
        let mut state = self.lock();
        state.check_holds(client, seat)?;
        if !state.may_return(seat) {
            return Err(Refusal::NotNow("your time is used up, or the seat is yours already"));
        }
        self.perform(&mut state, &TableEvent::Return { seat })
    }

    /// Begins the game of a room.
    pub(crate) fn begin(self: &Arc<Table>, client: &Client) -> Result<(), Refusal> {
        let mut state = self.lock();
        if !state.may_begin(client) {
            return Err(Refusal::NotNow("the game is begun by whoever opened the room"));
        }
        let fill = state.setup.as_ref().map(Setup::stand_in).unwrap_or_default();
        self.perform(&mut state, &TableEvent::Begin { fill })
    }

    /// Takes an open seat. Asking once more with the same key, after a lost connection, changes nothing.
    pub(crate) fn sit(
        self: &Arc<Table>,
        client: &mut Client,
        seat: usize,
        name: &str,
        key: &str,
    ) -> Result<(), Refusal> {
        let mut state = self.lock();
        let lock = KeyHash::of_new_key(key)
            .ok_or(Refusal::NotNow("a key has 20 to 64 letters and digits"))?;
        if client.seats.contains(&seat) && state.seat_states[seat].lock() == Some(&lock) {
            return Ok(());
        }
        if !client.seats.is_empty()
            || state.seat_states.iter().any(|seat_state| seat_state.lock() == Some(&lock))
        {
            return Err(Refusal::NotNow("you have a seat here already"));
        }
        let name = state.check_free(seat, name)?;
        self.perform(&mut state, &TableEvent::Sit { seat, name, lock })?;
        state.seat_states[seat].holder = Some(client.number);
        client.seats.push(seat);
        client.eyes = Viewpoint::Seat(seat as u8);
        client.told = 0;
        Ok(())
    }

    /// Gives a seat free before the game begins; after that an agent plays on.
    pub(crate) fn stand(
        self: &Arc<Table>,
        client: &mut Client,
        seat: usize,
    ) -> Result<(), Refusal> {
        let mut state = self.lock();
        state.check_holds(client, seat)?;
        if state.is_gathering() {
            self.perform(&mut state, &TableEvent::Stand { seat })?;
            client.stand_up(seat);
            return Ok(());
        }
        state.check_plays(client, seat)?;
        if state.options().is_none() || state.is_open() {
            return Err(Refusal::NotNow("there is nothing to leave"));
        }
        if state.options().is_some_and(|room| room.lose_when_away) {
            return Err(Refusal::NotNow("nobody plays for you here"));
        }
        let spent = if state.live.to_act() == Some(seat) { state.owed() } else { 0 };
        self.perform(&mut state, &TableEvent::StandIn { seat, spent })
    }
}

impl Persistent for Table {
    fn name(&self) -> &str {
        &self.name
    }

    fn kind(&self) -> StoredKind {
        StoredKind::Tables
    }

    fn progress(&self) -> &Progress {
        &self.progress
    }

    fn go_back(&self, connection: &Connection, path: &Path, why: &str) {
        let saved = load(connection, path, StoredKind::Tables, &self.name).ok().flatten();
        let mut state = self.lock();
        let never = saved.is_none();
        let rules = self.rules.as_deref();
        let before = saved.zip(rules).and_then(|(saved, rules)| State::restore(saved, rules).ok());
        if let Some(before) = before {
            state.go_back(before);
        } else {
            state.close();
            state.epoch += 1;
        }
        if never {
            self.progress.lose(state.epoch, why);
        } else {
            self.progress.fail(state.steps, state.epoch, why);
        }
        drop(state);
        self.changed();
    }
}
