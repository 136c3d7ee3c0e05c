//! One table: a live game, who may move at it, and who is told.

use crate::message::{Gaze, SeatState, Update};
use crate::secret::Key;
use crate::{Refusal, Request};
use oboro_catalog::{AnyLive, AnyThinking, AnyThought, DoorError, OutcomeReport};
use oboro_core::{Eyes, Stop};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// One table. Everybody who watches it waits for its version to change and then asks what is new.
pub(crate) struct Table {
    pub(crate) name: String,
    state: Mutex<State>,
    version: watch::Sender<u64>,
}

/// What a table holds.
pub(crate) struct State {
    pub(crate) live: Box<dyn AnyLive>,
    chairs: Vec<Chair>,
    /// A recorded game: nobody plays, and everything may be seen.
    pub(crate) study: bool,
    thinking: Option<Thinker>,
    pub(crate) closed: bool,
    /// Milliseconds between the actions of agents, where only agents play; none while they are halted.
    pub(crate) pace: Option<u32>,
    /// Counts take-backs: what was told before one has to be told again.
    pub(crate) retold: u64,
    connections: usize,
    last_seen: Instant,
}

/// An agent at work, and the switch that ends it.
struct Thinker {
    seat: usize,
    stop: Stop,
}

/// Who may move at a seat.
struct Chair {
    /// The secret of the person who holds it; none for an agent.
    key: Option<Key>,
    /// The connection that holds it now.
    holder: Option<u64>,
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

/// The pace of agents among themselves until somebody chooses another.
const PACE: u32 = 800;

impl Table {
    /// A table for a game; seats that are not agents' belong to whoever has their key.
    pub(crate) fn new(
        name: String,
        live: Box<dyn AnyLive>,
        keys: Vec<Option<Key>>,
        study: bool,
    ) -> Table {
        let pace = keys.iter().all(Option::is_none).then_some(PACE);
        let state = State {
            live,
            chairs: keys.into_iter().map(|key| Chair { key, holder: None }).collect(),
            study,
            thinking: None,
            closed: false,
            pace,
            retold: 0,
            connections: 0,
            last_seen: now(),
        };
        Table { name, state: Mutex::new(state), version: watch::Sender::new(0) }
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

    /// Lets somebody in, at the seats it has keys for; whoever held them before no longer does.
    pub(crate) fn join(&self, number: u64, keys: &[String]) -> Guest {
        let mut state = self.lock();
        let mut seats = Vec::new();
        for (seat, chair) in state.chairs.iter_mut().enumerate() {
            if chair.key.as_ref().is_some_and(|key| keys.iter().any(|given| key.opens(given))) {
                chair.holder = Some(number);
                seats.push(seat);
            }
        }
        state.connections += 1;
        let eyes = match seats.first() {
            _ if state.study => Gaze::Everything,
            Some(&seat) => Gaze::Seat(seat as u8),
            None => Gaze::Spectator,
        };
        let retold = state.retold;
        drop(state);
        self.changed();
        Guest { number, seats, eyes, ply: None, told: 0, retold }
    }

    /// Somebody has gone.
    pub(crate) fn leave(&self, number: u64) {
        let mut state = self.lock();
        for chair in &mut state.chairs {
            if chair.holder == Some(number) {
                chair.holder = None;
            }
        }
        state.connections -= 1;
        state.last_seen = now();
        drop(state);
        self.changed();
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

    /// Does what a guest asks, as far as it changes the game or what is looked at.
    pub(crate) fn obey(&self, guest: &mut Guest, request: &Request) -> Result<(), Refusal> {
        let mut state = self.lock();
        match request {
            Request::Play { seat, action } => {
                state.check_holds(guest, *seat)?;
                state.live.play(*seat, action)?;
            }
            Request::Look { ply, eyes } => {
                state.check_may_look(guest, *eyes, *ply)?;
                (guest.eyes, guest.ply) = (*eyes, *ply);
                guest.told = 0;
            }
            Request::TakeBack {} => state.take_back(guest)?,
            Request::Resign { seat } => {
                state.check_holds(guest, *seat)?;
                state.live.forfeit(*seat, "resigned")?;
                state.hush();
            }
            Request::Pace { pause } => {
                if state.study || state.chairs.iter().any(|chair| chair.key.is_some()) {
                    return Err(Refusal::NotNow("a pace is for agents among themselves"));
                }
                state.pace = *pause;
            }
            _ => unreachable!("what needs thought or a new table is done elsewhere"),
        }
        drop(state);
        self.changed();
        Ok(())
    }
}

impl State {
    fn check_holds(&self, guest: &Guest, seat: usize) -> Result<(), Refusal> {
        let holder = self.chairs.get(seat).and_then(|chair| chair.holder);
        if guest.seats.contains(&seat) && holder == Some(guest.number) {
            return Ok(());
        }
        Err(Refusal::NotYours(seat))
    }

    /// Whether everything may be seen: of a recorded game, and of one that is over.
    pub(crate) fn is_open(&self) -> bool {
        self.study || self.live.outcome().is_some()
    }

    /// Whether a guest may look through these eyes.
    pub(crate) fn check_may_look(
        &self,
        guest: &Guest,
        eyes: Gaze,
        ply: Option<usize>,
    ) -> Result<(), Refusal> {
        let own = match eyes {
            Gaze::Seat(seat) => guest.seats.contains(&seat.into()),
            Gaze::Spectator => true,
            Gaze::Everything => false,
        };
        if !own && !self.is_open() {
            return Err(Refusal::NotYourEyes);
        }
        if let Gaze::Seat(seat) = eyes {
            let seats = self.chairs.len();
            if usize::from(seat) >= seats {
                let error = oboro_core::LiveError::NoSeat(seat.into(), seats - 1);
                return Err(DoorError::Live(error).into());
            }
        }
        if ply.is_some_and(|ply| ply > self.live.plies()) {
            return Err(Refusal::NotNow("the game has not come that far"));
        }
        Ok(())
    }

    /// Whether a guest may take moves back: its rivals are all agents.
    pub(crate) fn may_take_back(&self, guest: &Guest) -> bool {
        let others_are_agents = self
            .chairs
            .iter()
            .enumerate()
            .all(|(seat, chair)| chair.key.is_none() || guest.seats.contains(&seat));
        !self.study && !guest.seats.is_empty() && others_are_agents
    }

    fn take_back(&mut self, guest: &Guest) -> Result<(), Refusal> {
        if !self.may_take_back(guest) {
            return Err(Refusal::NotNow("moves are taken back among agents only"));
        }
        let plies = self.live.plies();
        let own = |ply: &usize| {
            let turn = self.live.at(*ply).ok().and_then(|live| live.to_act());
            turn.is_some_and(|seat| guest.seats.contains(&seat))
        };
        let Some(ply) = (0..plies).rev().find(own) else {
            return Err(Refusal::NotNow("there is nothing to take back"));
        };
        self.live.take_back(plies - ply)?;
        self.hush();
        self.retold += 1;
        Ok(())
    }

    /// The agent whose turn it is, if it is one's and it does not think yet.
    pub(crate) fn start_thinking(&mut self) -> Option<(Box<dyn AnyThinking>, Stop)> {
        if self.study || self.closed || self.thinking.is_some() || self.is_halted() {
            return None;
        }
        let thinking = self.live.start_thinking().ok()?;
        let stop = Stop::new();
        self.thinking = Some(Thinker { seat: thinking.seat(), stop: stop.clone() });
        Some((thinking, stop))
    }

    /// Nobody waits any longer for what is being thought about.
    fn hush(&mut self) {
        if let Some(thinker) = self.thinking.take() {
            thinker.stop.pull();
        }
    }

    /// Nothing happens here any more.
    pub(crate) fn close(&mut self) {
        self.closed = true;
        self.hush();
    }

    /// Only agents play here, and somebody has halted them.
    fn is_halted(&self) -> bool {
        self.pace.is_none() && self.chairs.iter().all(|chair| chair.key.is_none())
    }

    /// Plays what an agent came to; an answer to a question that no longer stands is dropped.
    pub(crate) fn finish_thinking(
        &mut self,
        seat: usize,
        stop: &Stop,
        thought: Result<AnyThought, String>,
    ) {
        if stop.is_pulled() {
            return;
        }
        self.thinking = None;
        let played = match thought {
            Ok(thought) => self.live.finish_thinking(thought).map(|_| ()),
            Err(reason) => self.live.forfeit(seat, &reason),
        };
        if let Err(DoorError::Live(oboro_core::LiveError::Illegal(_, error))) = played {
            // An agent of ours that breaks the rules has lost the game, and says why.
            let _ = self.live.forfeit(seat, &error.to_string());
        }
    }

    /// Who sits where, as one guest is told.
    pub(crate) fn seats(&self, guest: &Guest) -> Vec<SeatState> {
        let report = |report: oboro_catalog::SeatReport| SeatState {
            seat: report.seat,
            name: report.name,
            agent: report.agent,
            you: guest.seats.contains(&report.seat),
            here: self.chairs[report.seat].holder.is_some(),
        };
        self.live.seats().into_iter().map(report).collect()
    }

    /// Whether another window holds a seat of this guest now.
    pub(crate) fn is_taken_over(&self, guest: &Guest) -> bool {
        guest.seats.iter().any(|&seat| self.chairs[seat].holder != Some(guest.number))
    }

    /// What is new for a guest.
    pub(crate) fn update(&self, guest: &mut Guest) -> Result<Update, Refusal> {
        if guest.retold != self.retold {
            (guest.retold, guest.told, guest.ply) = (self.retold, 0, None);
        }
        let plies = self.live.plies();
        let ply = guest.ply.unwrap_or(plies).min(plies);
        let eyes = Eyes::from(guest.eyes);
        let events = self.live.story(eyes, guest.told)?;
        let events_from = guest.told;
        guest.told = plies;
        let earlier = if ply < plies { Some(self.live.at(ply)?) } else { None };
        let shown: &dyn AnyLive = earlier.as_deref().unwrap_or(self.live.as_ref());
        let turn = shown.to_act();
        let own_turn = ply == plies && turn.is_some_and(|seat| guest.seats.contains(&seat));
        // Whoever looks back, or at a study, may still want to know what could have been done.
        let may_ask = own_turn || (self.is_open() && turn.is_some());
        Ok(Update {
            ply,
            plies,
            eyes: guest.eyes,
            to_act: turn,
            thinking: self.thinking.as_ref().map(|thinker| thinker.seat),
            scene: shown.scene(eyes)?,
            events,
            events_from,
            actions: may_ask.then(|| shown.described_actions()),
            outcome: self.live.outcome().as_ref().map(OutcomeReport::from),
        })
    }
}

/// Tables that nobody visits are closed after a while: the one thing here that needs a clock.
#[allow(clippy::disallowed_methods, reason = "idle tables are closed by the clock")]
fn now() -> Instant {
    Instant::now()
}
