//! One table: its state, who is told when it changes, and how far it is on disk.

use crate::deed::Deed;
use crate::message::Gaze;
use crate::progress::Progress;
use crate::secret::Lock;
use crate::setup::Setup;
use crate::state::{State, now};
use crate::store::{Content, Entry, Paper, Shelf, Story, Writer, load};
use crate::{Refusal, Request};
use oboro_catalog::CatalogError;
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
}

impl std::fmt::Debug for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Table").field("name", &self.name).finish_non_exhaustive()
    }
}

/// Somebody at a table: a connection, the seats it holds, and what it looks at.
#[derive(Clone, Debug)]
pub(crate) struct Guest {
    pub(crate) number: u64,
    pub(crate) seats: Vec<usize>,
    pub(crate) eyes: Gaze,
    /// The position it looks at; none follows the game.
    pub(crate) ply: Option<usize>,
    /// How many events it has been told, and in which telling.
    pub(crate) told: usize,
    pub(crate) retold: u64,
}

impl Guest {
    /// It holds a seat no longer, and looks on.
    fn stand_up(&mut self, seat: usize) {
        self.seats.retain(|own| *own != seat);
        self.eyes = self.seats.first().map_or(Gaze::Spectator, |&own| Gaze::Seat(own as u8));
        self.told = 0;
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

impl Table {
    /// A table that is in memory only.
    pub(crate) fn volatile(name: String, state: State) -> Table {
        Table::with(name, state, None, u64::MAX)
    }

    /// A new table, and what is to be written of it: nobody is told of the table before that is on disk.
    pub(crate) fn durable(
        name: String,
        state: State,
        setup: &Setup,
        writer: &Writer,
    ) -> (Arc<Table>, Entry) {
        let table = Arc::new(Table::with(name, state, Some(writer.clone()), 0));
        let text = serde_json::to_string(setup).expect("setups have a JSON form");
        let content = Content { text, paper: Paper::AsIs };
        let story = Arc::clone(&table) as _;
        (table, Entry { story, epoch: 0, number: 0, content, with: None })
    }

    /// A table that came from disk.
    pub(crate) fn restored(name: String, state: State, writer: Writer) -> Table {
        let on_disk = state.deeds + 1;
        Table::with(name, state, Some(writer), on_disk)
    }

    fn with(name: String, state: State, writer: Option<Writer>, on_disk: u64) -> Table {
        Table {
            name,
            state: Mutex::new(state),
            version: watch::Sender::new(0),
            progress: Progress::new(on_disk),
            writer,
        }
    }

    /// The state, for as short a time as possible: nothing is thought about while it is locked.
    pub(crate) fn lock(&self) -> MutexGuard<'_, State> {
        // A panic inside leaves the game as it was before the action that fell over.
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
        let (deeds, epoch) = {
            let state = self.lock();
            (state.deeds, state.epoch)
        };
        self.progress.wait(deeds, epoch).await
    }

    /// Does something for good.
    pub(crate) fn perform(
        self: &Arc<Table>,
        state: &mut State,
        deed: &Deed,
    ) -> Result<(), Refusal> {
        if state.closed {
            return Err(Refusal::NoTable(self.name.clone()));
        }
        if self.progress.is_far_behind(state.deeds) {
            return Err(Refusal::Full("the disk is slow"));
        }
        state.apply(deed)?;
        self.note(state, deed);
        Ok(())
    }

    /// Writes down something that was done.
    pub(crate) fn note(self: &Arc<Table>, state: &mut State, deed: &Deed) {
        state.deeds += 1;
        let Some(writer) = &self.writer else { return };
        let ends = matches!(deed, Deed::Play { .. } | Deed::Forfeit { .. });
        let over = ends && state.live.outcome().is_some();
        let paper = if over {
            Paper::Write(state.live.record().to_string())
        } else if matches!(deed, Deed::TakeBack { .. }) {
            Paper::Remove // The game goes on after all.
        } else {
            Paper::AsIs
        };
        let text = serde_json::to_string(deed).expect("deeds have a JSON form");
        let (epoch, number) = (state.epoch, state.deeds);
        let content = Content { text, paper };
        let story = Arc::clone(self) as _;
        writer.write(Entry { story, epoch, number, content, with: None });
    }

    /// Does what the clock demands; tells whether that was anything.
    pub(crate) fn tick(self: &Arc<Table>) -> bool {
        let mut state = self.lock();
        let Some(deed) = state.due() else { return false };
        let done = self.perform(&mut state, &deed).is_ok();
        drop(state);
        self.changed();
        done
    }

    /// Lets somebody in, at the seats it has keys for; whoever held them before no longer does, and an agent that
    /// played on for them stops.
    ///
    /// # Errors
    /// If the table was closed just now.
    pub(crate) fn join(self: &Arc<Table>, number: u64, keys: &[String]) -> Result<Guest, Refusal> {
        let mut state = self.lock();
        if state.closed {
            return Err(Refusal::NoTable(self.name.clone()));
        }
        let mut seats = Vec::new();
        for (seat, chair) in state.chairs.iter_mut().enumerate() {
            let opens = |lock: &Lock| keys.iter().any(|given| lock.opens(given));
            if chair.lock().is_some_and(opens) && !chair.resigned {
                chair.holder = Some(number);
                seats.push(seat);
            }
        }
        for &seat in &seats {
            if state.occasion().is_some() && !state.chairs[seat].arrived && !state.is_open() {
                self.perform(&mut state, &Deed::Come { seat })?;
            }
            if state.may_return(seat) {
                self.perform(&mut state, &Deed::Return { seat })?;
            }
        }
        state.connections += 1;
        let eyes = match seats.first() {
            _ if state.is_study() => Gaze::Everything,
            Some(&seat) => Gaze::Seat(seat as u8),
            None => Gaze::Spectator,
        };
        let retold = state.retold;
        drop(state);
        self.changed();
        Ok(Guest { number, seats, eyes, ply: None, told: 0, retold })
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
        self.progress.has(state.deeds).then(|| Ended {
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

    /// How many are here.
    pub(crate) fn connections(&self) -> usize {
        self.lock().connections
    }

    /// Closes the table if nobody is here and nothing waits for the disk.
    pub(crate) fn close_if_idle(&self, limit: Duration) -> bool {
        if self.idle() < limit {
            return false;
        }
        let mut state = self.lock();
        let idle = state.connections == 0 && self.progress.has(state.deeds);
        if idle {
            state.close();
        }
        idle
    }

    /// Does what a guest asks, as far as it changes the game, the seats or what is looked at.
    pub(crate) fn obey(
        self: &Arc<Table>,
        guest: &mut Guest,
        request: Request,
    ) -> Result<(), Refusal> {
        let mut state = self.lock();
        match request {
            Request::Play { seat, action, ply } => {
                state.check_plays(guest, seat)?;
                if ply.is_some_and(|ply| ply != state.live.plies()) {
                    return Err(Refusal::NotNow("the game has gone on since"));
                }
                let spent = state.owed();
                self.perform(&mut state, &Deed::Play { seat, action, spent })?;
            }
            Request::Look { ply, eyes } => {
                state.check_may_look(guest, eyes, ply)?;
                (guest.eyes, guest.ply) = (eyes, ply);
                guest.told = 0;
            }
            Request::TakeBack {} => {
                let plies = state.to_take_back(guest)?;
                self.perform(&mut state, &Deed::TakeBack { plies })?;
            }
            Request::Resign { seat } => {
                state.check_plays(guest, seat)?;
                if state.occasion().is_some() && state.chairs.len() > 2 {
                    return Err(Refusal::NotNow("the others play on: leave it to an agent"));
                }
                if state.is_open() {
                    return Err(CatalogError::Live(LiveError::Over).into());
                }
                let deed = state.giving_up(seat, "resigned");
                self.perform(&mut state, &deed)?;
                if state.chairs[seat].resigned {
                    state.chairs[seat].holder = None;
                    guest.stand_up(seat);
                }
            }
            Request::Pace { pause } => {
                if !state.is_show() || state.occasion().is_some() {
                    return Err(Refusal::NotNow("a pace is for agents among themselves"));
                }
                state.pace = pause;
            }
            Request::Sit { seat, name, key } => self.sit(&mut state, guest, seat, &name, &key)?,
            Request::Leave { seat } => self.stand(&mut state, guest, seat)?,
            Request::Return { seat } => {
                state.check_holds(guest, seat)?;
                if !state.may_return(seat) {
                    return Err(Refusal::NotNow(
                        "your time is used up, or the seat is yours already",
                    ));
                }
                self.perform(&mut state, &Deed::Return { seat })?;
            }
            Request::Begin {} => {
                if !state.may_begin(guest) {
                    return Err(Refusal::NotNow("the game is begun by whoever opened the room"));
                }
                let fill = state.setup.as_ref().map(Setup::stand_in).unwrap_or_default();
                self.perform(&mut state, &Deed::Begin { fill })?;
            }
            _ => unreachable!("what needs thought or a new table is done elsewhere"),
        }
        drop(state);
        self.changed();
        Ok(())
    }

    /// Takes an open seat. Asking once more with the same key, after a lost connection, changes nothing.
    fn sit(
        self: &Arc<Table>,
        state: &mut State,
        guest: &mut Guest,
        seat: usize,
        name: &str,
        key: &str,
    ) -> Result<(), Refusal> {
        let lock = Lock::of_stranger(key)
            .ok_or(Refusal::NotNow("a key has 20 to 64 letters and digits"))?;
        if guest.seats.contains(&seat) && state.chairs[seat].lock() == Some(&lock) {
            return Ok(());
        }
        if !guest.seats.is_empty() || state.chairs.iter().any(|chair| chair.lock() == Some(&lock)) {
            return Err(Refusal::NotNow("you have a seat here already"));
        }
        let name = state.check_free(seat, name)?;
        self.perform(state, &Deed::Sit { seat, name, lock })?;
        state.chairs[seat].holder = Some(guest.number);
        guest.seats.push(seat);
        guest.eyes = Gaze::Seat(seat as u8);
        guest.told = 0;
        Ok(())
    }

    /// Gives a seat free before the game begins; after that an agent plays on.
    fn stand(
        self: &Arc<Table>,
        state: &mut State,
        guest: &mut Guest,
        seat: usize,
    ) -> Result<(), Refusal> {
        state.check_holds(guest, seat)?;
        if state.is_gathering() {
            self.perform(state, &Deed::Stand { seat })?;
            guest.stand_up(seat);
            return Ok(());
        }
        state.check_plays(guest, seat)?;
        if state.customs().is_none() || state.is_open() {
            return Err(Refusal::NotNow("there is nothing to leave"));
        }
        if state.customs().is_some_and(|room| room.lose_when_away) {
            return Err(Refusal::NotNow("nobody plays for you here"));
        }
        let spent = if state.live.to_act() == Some(seat) { state.owed() } else { 0 };
        self.perform(state, &Deed::StandIn { seat, spent })
    }
}

impl Story for Table {
    fn name(&self) -> &str {
        &self.name
    }

    fn shelf(&self) -> Shelf {
        Shelf::Tables
    }

    fn progress(&self) -> &Progress {
        &self.progress
    }

    fn go_back(&self, connection: &Connection, path: &Path, why: &str) {
        let saved = load(connection, path, Shelf::Tables, &self.name).ok().flatten();
        let mut state = self.lock();
        let before = saved.and_then(|saved| State::restore(saved).ok());
        if let Some(before) = before {
            state.go_back(before);
        } else {
            state.close();
            state.epoch += 1;
        }
        self.progress.fail(state.deeds, state.epoch, why);
        drop(state);
        self.changed();
    }
}
