//! All tables of a server, and the threads on which agents think.

use crate::message::Reply;
use crate::secret::{Key, random_text};
use crate::table::{Guest, Table};
use crate::{Library, Refusal};
use oboro_catalog::{AnyLive, DoorError, Foreigners, NewGame, open_record};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;
use tokio::sync::Semaphore;

/// How much of everything there may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Tables open at the same time.
    pub tables: usize,
    /// Connections to one table.
    pub guests: usize,
    /// Agents and analyses that think at the same time.
    pub thinkers: usize,
    /// Minutes after which a table that nobody visits is closed.
    pub idle_minutes: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Limits { tables: 500, guests: 64, thinkers: cores, idle_minutes: 60 }
    }
}

/// All tables of a server.
pub struct Hall {
    limits: Limits,
    pub(crate) library: Library,
    tables: Mutex<BTreeMap<String, Arc<Table>>>,
    guests: AtomicU64,
    thinkers: Arc<Semaphore>,
    foreigners: OnceLock<Arc<dyn Foreigners>>,
}

impl std::fmt::Debug for Hall {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Hall").field("limits", &self.limits).finish_non_exhaustive()
    }
}

/// What a browser asks for when it sets a table.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct NewTable {
    /// The game's name.
    pub game: String,
    /// Rule options.
    #[serde(default)]
    pub rules: Map<String, Value>,
    /// Who sits where.
    pub seats: Vec<Sitter>,
    /// Where everything random comes from; drawn if it is left out.
    #[serde(default)]
    pub seed: Option<String>,
    /// A position to go on from, instead of a deal.
    #[serde(default)]
    pub position: Option<String>,
}

/// Who is to sit at a seat.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Sitter {
    /// A person.
    Person {
        /// What it is called.
        #[serde(default)]
        name: String,
    },
    /// An agent of ours.
    Agent {
        /// Its spec.
        spec: String,
    },
}

/// A table that was set.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Opened {
    /// Its name in addresses.
    pub table: String,
    /// The key of every seat that a person holds.
    pub keys: Vec<Option<String>>,
    /// Where it is to be found.
    pub address: String,
}

/// Letters of a person's name that are kept.
const NAME_LENGTH: usize = 40;

impl Hall {
    /// A hall without tables; `library` holds the records that can be opened.
    pub fn new(limits: Limits, library: Library) -> Arc<Hall> {
        Arc::new(Hall {
            thinkers: Arc::new(Semaphore::new(limits.thinkers.max(1))),
            limits,
            library,
            tables: Mutex::default(),
            guests: AtomicU64::new(0),
            foreigners: OnceLock::new(),
        })
    }

    /// Lets players from outside sit at its tables, by their specs; whoever else is named over the network is an agent
    /// of ours. To be called once, before the first table.
    pub fn welcome(&self, foreigners: Arc<dyn Foreigners>) {
        let _ = self.foreigners.set(foreigners);
    }

    fn tables(&self) -> std::sync::MutexGuard<'_, BTreeMap<String, Arc<Table>>> {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sets a table.
    ///
    /// # Errors
    /// If there is no such game, rule or agent, or no room.
    pub fn open(self: &Arc<Hall>, wanted: &NewTable) -> Result<Opened, Refusal> {
        let spec = |sitter: &Sitter| match sitter {
            Sitter::Person { .. } => None,
            Sitter::Agent { spec } => Some(spec.clone()),
        };
        let request = NewGame {
            game: wanted.game.clone(),
            rules: wanted.rules.clone(),
            seats: wanted.seats.iter().map(spec).collect(),
            seed: wanted.seed.clone().unwrap_or_else(random_seed),
            deal: 0,
            position: wanted.position.clone(),
        };
        let mut live = request.open_among(self.foreigners.get().cloned())?;
        for (seat, sitter) in wanted.seats.iter().enumerate() {
            if let Sitter::Person { name } = sitter {
                let name: String = name.trim().chars().take(NAME_LENGTH).collect();
                if !name.is_empty() {
                    live.rename(seat, &name)?;
                }
            }
        }
        let is_person = |sitter: &Sitter| matches!(sitter, Sitter::Person { .. });
        let keys = wanted.seats.iter().map(|s| is_person(s).then(Key::new)).collect();
        self.add(live, keys, false)
    }

    /// Opens a recorded game to look at.
    ///
    /// # Errors
    /// If the text is no record of a game by its rules, or there is no room.
    pub fn study(self: &Arc<Hall>, record: &str) -> Result<Opened, Refusal> {
        let live = open_record(record)?;
        let keys = vec![None; live.seats().len()];
        self.add(live, keys, true)
    }

    fn add(
        self: &Arc<Hall>,
        live: Box<dyn AnyLive>,
        keys: Vec<Option<Key>>,
        study: bool,
    ) -> Result<Opened, Refusal> {
        let texts = keys.iter().map(|key| key.as_ref().map(|k| k.text().to_owned())).collect();
        let mut tables = self.tables();
        if tables.len() >= self.limits.tables {
            close_idle(&mut tables, Duration::from_mins(self.limits.idle_minutes));
        }
        if tables.len() >= self.limits.tables {
            return Err(Refusal::Full("all tables are taken"));
        }
        let name = random_text(8);
        let table = Arc::new(Table::new(name.clone(), live, keys, study));
        tables.insert(name.clone(), Arc::clone(&table));
        drop(tables);
        self.nudge(&table);
        Ok(Opened { address: format!("/t/{name}"), table: name, keys: texts })
    }

    /// The table of that name.
    ///
    /// # Errors
    /// If there is none.
    pub(crate) fn table(&self, name: &str) -> Result<Arc<Table>, Refusal> {
        self.tables().get(name).cloned().ok_or_else(|| Refusal::NoTable(name.to_owned()))
    }

    /// Lets a connection in.
    ///
    /// # Errors
    /// If the table is full.
    pub(crate) fn join(&self, table: &Table, keys: &[String]) -> Result<Guest, Refusal> {
        if table.connections() >= self.limits.guests {
            return Err(Refusal::Full("this table has as many watchers as it can hold"));
        }
        Ok(table.join(self.guests.fetch_add(1, Ordering::Relaxed), keys))
    }

    /// Closes tables that nobody has visited for long.
    pub fn sweep(&self) {
        close_idle(&mut self.tables(), Duration::from_mins(self.limits.idle_minutes));
    }

    /// Closes everything: whatever thinks is stopped.
    pub fn close(&self) {
        for table in std::mem::take(&mut *self.tables()).into_values() {
            table.lock().close();
            table.changed();
        }
    }

    /// The same game again at a new table, the guest at its seat or one further on.
    pub(crate) fn again(
        self: &Arc<Hall>,
        table: &Table,
        guest: &Guest,
        swap: bool,
    ) -> Result<Reply, Refusal> {
        let (wanted, seats) = {
            let state = table.lock();
            if state.study || guest.seats.is_empty() {
                return Err(Refusal::NotNow("there is no game of yours to play again"));
            }
            let mut seats: Vec<Sitter> = state
                .live
                .seats()
                .into_iter()
                .map(|seat| {
                    let name = seat.name;
                    if seat.agent { Sitter::Agent { spec: name } } else { Sitter::Person { name } }
                })
                .collect();
            let shift = usize::from(swap);
            seats.rotate_right(shift);
            let own: Vec<usize> =
                guest.seats.iter().map(|seat| (seat + shift) % seats.len()).collect();
            let Value::Object(rules) = state.live.rules() else {
                unreachable!("rules are a map of options");
            };
            (
                NewTable {
                    game: state.live.game().to_owned(),
                    rules,
                    seats,
                    seed: None,
                    position: None,
                },
                own,
            )
        };
        let opened = self.open(&wanted)?;
        let keys = seats.into_iter().filter_map(|seat| opened.keys[seat].clone()).collect();
        Ok(Reply::Moved { table: opened.table, keys })
    }

    /// Lets the agent whose turn it is think, if it is one's turn.
    pub(crate) fn nudge(self: &Arc<Hall>, table: &Arc<Table>) {
        let ((thinking, stop), pace) = {
            let mut state = table.lock();
            let Some(thinking) = state.start_thinking() else { return };
            (thinking, state.pace)
        };
        table.changed();
        let (hall, table) = (Arc::clone(self), Arc::clone(table));
        tokio::spawn(async move {
            if let Some(pause) = pace {
                tokio::time::sleep(Duration::from_millis(pause.into())).await;
            }
            let seat = thinking.seat();
            let switch = stop.clone();
            let thought = hall.think(move || thinking.run(&switch)).await;
            table.lock().finish_thinking(seat, &stop, thought);
            table.changed();
            hall.nudge(&table);
        });
    }

    /// Runs something long on a thread of its own, as soon as there is one to spare. What falls over there is an
    /// answer, not the end of the server.
    pub(crate) async fn think<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, String> {
        let thinkers = Arc::clone(&self.thinkers);
        let _permit = thinkers.acquire_owned().await.expect("the semaphore is never closed");
        let run = move || catch_unwind(AssertUnwindSafe(work));
        match tokio::task::spawn_blocking(run).await {
            Ok(Ok(done)) => Ok(done),
            _ => Err("the agent fell over".to_owned()),
        }
    }

    /// How a finished game is written down.
    pub(crate) fn record(table: &Table) -> Result<String, Refusal> {
        let state = table.lock();
        if state.is_open() {
            Ok(state.live.record().to_string())
        } else {
            Err(Refusal::NotNow("a record tells everything: it can be had after the end"))
        }
    }
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
    tables.retain(|_, table| {
        let keep = table.idle() < limit;
        if !keep {
            table.lock().close();
        }
        keep
    });
}

/// A new game for people should be a new one every time; its record says which seed it was.
fn random_seed() -> String {
    let mut bytes = [0; 4];
    getrandom::fill(&mut bytes).expect("the system gives random numbers");
    u32::from_le_bytes(bytes).to_string()
}

impl From<oboro_core::RecordError> for Refusal {
    fn from(error: oboro_core::RecordError) -> Refusal {
        Refusal::Door(DoorError::Record(error))
    }
}
