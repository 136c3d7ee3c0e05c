//! What a table holds: the game, who sits where, and the clocks.

use crate::Refusal;
use crate::key::KeyHash;
use crate::message::{
    ClockState, QuickPhrase, RoomState, Said, SeatState, Update, Viewpoint, Written,
};
use crate::setup::{EventLink, RoomOptions, SeatHolder, Setup, clean_name};
use crate::store::Saved;
use crate::table::Client;
use crate::table_event::TableEvent;
use oboro_catalog::{
    AnyLive, AnyRules, AnyThinking, AnyThought, CatalogError, OutcomeReport, open_public_record,
};
use oboro_core::{LiveError, Perspective, Seat, Stop};
use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// What is said is kept for browsers that are slow to hear it.
const MOST_SAID: usize = 16;

/// What a table holds.
pub(crate) struct State {
    pub(crate) live: Box<dyn AnyLive>,
    /// What it was set up as; none for a recorded game: nobody plays, and everything may be seen.
    pub(crate) setup: Option<Setup>,
    pub(crate) seat_states: Vec<TableSeat>,
    /// Whether people still take their seats. Nobody is shown anything of the game before it begins: whoever tries
    /// one seat after the other sees no hand.
    gathering: bool,
    thinking: Option<Thinker>,
    /// What an agent came to after the game was halted: played when it goes on.
    held: Option<(usize, u64, Result<AnyThought, String>)>,
    thoughts: u64,
    pub(crate) closed: bool,
    /// Milliseconds between the actions of agents; none while they are halted, where only agents play, and where people do
    /// not want any.
    pub(crate) pace: Option<u32>,
    /// Counts take-backs: what was told before one has to be told again.
    pub(crate) retold: u64,
    /// How many steps were done, and in which epoch.
    pub(crate) steps: u64,
    pub(crate) epoch: u64,
    /// Where the same people go on.
    pub(crate) next: Option<String>,
    /// What people said last, the newest at the end.
    pub(crate) said: VecDeque<Said>,
    pub(crate) connections: usize,
    pub(crate) last_seen: Instant,
    /// When the clock of the seat to move started, and how much of the time since then is booked already.
    turn_began: Instant,
    booked: u64,
    /// Counts the times at which a clock started.
    turns: u64,
    /// Agents sit down at the end of a restoration, not during it.
    asleep: bool,
    /// What the largest of its agents takes while it thinks.
    pub(crate) thinking_kilobytes: u32,
}

/// An agent at work, and the switch that ends it.
struct Thinker {
    seat: usize,
    number: u64,
    stop: Stop,
}

/// Who may move at a seat.
pub(crate) struct TableSeat {
    pub(crate) place: SeatHolder,
    /// An agent plays on for the person who holds it.
    pub(crate) stand_in: bool,
    /// The person has given the game up: the agent plays to the end.
    pub(crate) resigned: bool,
    /// Whether the person has been here at all; it is noted at the tables of events only.
    pub(crate) arrived: bool,
    /// Milliseconds used up.
    spent: u64,
    /// The connection that holds it now.
    pub(crate) holder: Option<u64>,
    /// Since when nobody does.
    away_since: Instant,
}

impl TableSeat {
    /// The person's lock; none for an agent and for nobody.
    pub(crate) fn lock(&self) -> Option<&KeyHash> {
        if let SeatHolder::Person { lock, .. } = &self.place { Some(lock) } else { None }
    }

    fn is_agent(&self) -> bool {
        matches!(self.place, SeatHolder::Agent { .. })
    }
}

/// Somebody who missed more actions than this is told of them all at once.
const MOST_SHOWN_SINGLY: usize = 12;
/// The pace of agents among themselves until somebody chooses another.
const PACE: u32 = 800;
/// What is said when a clock has run out.
const OUT_OF_TIME: &str = "out of time";
/// What is said of somebody who was not there.
const AWAY: &str = "away";

impl State {
    /// A table as it was set up, by rules that the setup was [checked](Setup::rules) with.
    pub(crate) fn new(setup: Setup, rules: &dyn AnyRules) -> Result<State, CatalogError> {
        let mut state = State::asleep(setup, rules)?;
        state.wake()?;
        Ok(state)
    }

    /// A table at which everything that was done is done again.
    pub(crate) fn restore(saved: Saved, rules: &dyn AnyRules) -> Result<State, Refusal> {
        let mut state = State::asleep(saved.setup, rules)?;
        let mut turn_at = None;
        for (at, step) in &saved.steps {
            let turns = state.turns;
            state.apply(step)?;
            state.steps += 1;
            if state.turns != turns {
                turn_at = Some(*at);
            }
        }
        state.wake()?;
        // The clock goes on from where the server was last seen alive, not from where it is now. Both times are counted by
        // the server itself: nobody loses a game because somebody set the clock of the machine.
        let turn_at = turn_at.filter(|at| *at > 0);
        let waited = turn_at.map_or(0, |at| saved.pulse.saturating_sub(at));
        let waited = Duration::from_millis(waited);
        state.turn_began = state.turn_began.checked_sub(waited).unwrap_or(state.turn_began);
        Ok(state)
    }

    /// A recorded game to look at.
    pub(crate) fn study(record: &str) -> Result<State, CatalogError> {
        let live = open_public_record(record)?;
        let seats = vec![SeatHolder::Open {}; live.seats().len()];
        let mut state = State::with(live, None, &seats);
        state.asleep = false;
        Ok(state)
    }

    fn asleep(setup: Setup, rules: &dyn AnyRules) -> Result<State, CatalogError> {
        let live = setup.open(rules)?;
        let thinking_kilobytes = setup.footprint(rules).thinking;
        let places = setup.seats.clone();
        Ok(State { thinking_kilobytes, ..State::with(live, Some(setup), &places) })
    }

    fn with(live: Box<dyn AnyLive>, setup: Option<Setup>, places: &[SeatHolder]) -> State {
        let now = now();
        let seat_state = |place: &SeatHolder| TableSeat {
            place: place.clone(),
            stand_in: false,
            resigned: false,
            arrived: false,
            spent: 0,
            holder: None,
            away_since: now,
        };
        let only_agents = places.iter().all(|place| matches!(place, SeatHolder::Agent { .. }));
        let occasion = setup.as_ref().and_then(|setup| setup.occasion.as_ref());
        let pace = occasion.map_or(PACE, |occasion| occasion.pace);
        State {
            live,
            gathering: setup.is_some() && places.contains(&SeatHolder::Open {}),
            setup,
            seat_states: places.iter().map(seat_state).collect(),
            thinking: None,
            held: None,
            thoughts: 0,
            closed: false,
            pace: only_agents.then_some(pace),
            retold: 0,
            steps: 0,
            epoch: 0,
            next: None,
            said: VecDeque::new(),
            connections: 0,
            last_seen: now,
            turn_began: now,
            booked: 0,
            turns: 0,
            asleep: true,
            thinking_kilobytes: 0,
        }
    }

    /// Agents sit down, and people get their names.
    fn wake(&mut self) -> Result<(), CatalogError> {
        self.asleep = false;
        for seat in 0..self.seat_states.len() {
            self.seat(seat)?;
        }
        Ok(())
    }

    /// Lets whoever is to play at a seat do so.
    fn seat(&mut self, seat: usize) -> Result<(), CatalogError> {
        if self.asleep {
            return Ok(());
        }
        let setup = self.setup.as_ref().expect("nobody sits at a study");
        let seeds = setup.seeds(self.live.plies());
        let (spec, name) = match &self.seat_states[seat].place {
            SeatHolder::Agent { spec } => (Some(spec.clone()), None),
            SeatHolder::Person { name, .. } if self.seat_states[seat].stand_in => {
                let spec = setup.stand_in();
                let name = format!("{} ({spec})", if name.is_empty() { "person" } else { name });
                (Some(spec), Some(name))
            }
            SeatHolder::Person { name, .. } => {
                (None, Some(name.clone()).filter(|name| !name.is_empty()))
            }
            SeatHolder::Open {} => (None, None),
        };
        self.live.reseat(seat, spec.as_deref(), &seeds)?;
        if let Some(name) = name {
            self.live.rename(seat, &name)?;
        }
        Ok(())
    }

    /// Takes over what is on disk, after something could not be written; those who are here stay.
    pub(crate) fn go_back(&mut self, saved: State) {
        self.stop_thinking();
        let (epoch, retold, thoughts) = (self.epoch + 1, self.retold + 1, self.thoughts);
        let (connections, last_seen) = (self.connections, self.last_seen);
        let seat_states = std::mem::take(&mut self.seat_states);
        let said = std::mem::take(&mut self.said);
        *self = State { thoughts, retold, epoch, said, connections, last_seen, ..saved };
        for (seat_state, before) in self.seat_states.iter_mut().zip(seat_states) {
            if seat_state.lock() == before.lock() {
                seat_state.holder = before.holder;
            }
        }
    }

    pub(crate) fn is_study(&self) -> bool {
        self.setup.is_none()
    }

    /// Whether people still take their seats.
    pub(crate) fn is_gathering(&self) -> bool {
        self.gathering
    }

    /// The options of a room; none for a table that is no room.
    pub(crate) fn options(&self) -> Option<&RoomOptions> {
        self.setup.as_ref().and_then(|setup| setup.room.as_ref())
    }

    /// The event whose table it is; none for a table that people set.
    pub(crate) fn occasion(&self) -> Option<&EventLink> {
        self.setup.as_ref().and_then(|setup| setup.occasion.as_ref())
    }

    /// Checks that an agent may be asked: not during a game between people, unless they chose so.
    pub(crate) fn check_hints(&self) -> Result<(), Refusal> {
        if self.is_open() || self.setup.as_ref().is_none_or(Setup::allows_hints) {
            return Ok(());
        }
        Err(Refusal::NotNow("no agent is asked here before the end"))
    }

    /// Whether people may talk here: more than one has a seat, or may take one.
    pub(crate) fn may_talk(&self) -> bool {
        let agents =
            self.seat_states.iter().filter(|one| matches!(one.place, SeatHolder::Agent { .. }));
        !self.is_study() && self.seat_states.len() - agents.count() > 1
    }

    /// Notes what somebody says.
    pub(crate) fn say(&mut self, seat: usize, phrase: QuickPhrase) -> Result<(), Refusal> {
        if !self.may_talk() {
            return Err(Refusal::NotNow("there is nobody here to talk to"));
        }
        let number = self.said.back().map_or(1, |last| last.number + 1);
        self.said.push_back(Said { number, seat, phrase });
        if self.said.len() > MOST_SAID {
            self.said.pop_front();
        }
        Ok(())
    }

    /// Whether somebody is expected here who has not come yet: no clock runs for them.
    fn awaits(&self, seat: usize) -> bool {
        let seat_state = &self.seat_states[seat];
        self.occasion().is_some() && seat_state.lock().is_some() && !seat_state.arrived
    }

    /// Who was expected here and never came.
    pub(crate) fn absent(&self) -> Vec<bool> {
        (0..self.seat_states.len()).map(|seat| self.awaits(seat)).collect()
    }

    /// Does something that changes the table for good. What an agent came to is played elsewhere.
    pub(crate) fn apply(&mut self, step: &TableEvent) -> Result<(), Refusal> {
        match step {
            TableEvent::Sit { seat, name, lock } => {
                self.seat_state(*seat)?.place =
                    SeatHolder::Person { name: name.clone(), lock: *lock };
                self.seat_states[*seat].away_since = now();
                self.seat(*seat)?;
                if self.seat_states.iter().all(|seat_state| seat_state.place != SeatHolder::Open {})
                {
                    self.start();
                }
            }
            TableEvent::Stand { seat } => {
                let seat_state = self.seat_state(*seat)?;
                (seat_state.place, seat_state.holder) = (SeatHolder::Open {}, None);
                self.seat(*seat)?;
            }
            TableEvent::Come { seat } => {
                self.seat_state(*seat)?.arrived = true;
                if self.live.to_act() == Some(*seat) {
                    self.start_clock();
                }
            }
            TableEvent::Begin { fill } => {
                for seat in 0..self.seat_states.len() {
                    if self.seat_states[seat].place == (SeatHolder::Open {}) {
                        self.seat_states[seat].place = SeatHolder::Agent { spec: fill.clone() };
                        self.seat(seat)?;
                    }
                }
                self.start();
            }
            TableEvent::Play { seat, action, spent } => {
                self.live.play(*seat, action)?;
                self.moved(*seat, *spent);
            }
            TableEvent::TakeBack { plies } => {
                self.live.take_back(*plies)?;
                self.stop_thinking();
                self.retold += 1;
            }
            TableEvent::Forfeit { seat, reason } => {
                self.live.forfeit(*seat, reason)?;
                self.stop_thinking();
            }
            TableEvent::StandIn { seat, spent } | TableEvent::Resign { seat, spent } => {
                let seat_state = self.seat_state(*seat)?;
                seat_state.stand_in = true;
                seat_state.resigned |= matches!(step, TableEvent::Resign { .. });
                seat_state.spent += spent;
                // The turn's clock goes on: nobody gains time by leaving and coming back.
                self.booked += spent;
                self.seat(*seat)?;
            }
            TableEvent::Return { seat } => {
                if self.thinking.as_ref().is_some_and(|thinker| thinker.seat == *seat) {
                    self.stop_thinking();
                }
                self.seat_state(*seat)?.stand_in = false;
                self.seat(*seat)?;
            }
            TableEvent::Next { table } => self.next = Some(table.clone()),
        }
        Ok(())
    }

    fn start(&mut self) {
        self.gathering = false;
        self.start_clock();
    }

    fn start_clock(&mut self) {
        (self.turn_began, self.booked) = (now(), 0);
        self.turns += 1;
    }

    /// A seat has moved, and the clock of the next one starts.
    fn moved(&mut self, seat: usize, spent: u64) {
        self.seat_states[seat].spent += spent;
        self.start_clock();
    }

    fn seat_state(&mut self, seat: usize) -> Result<&mut TableSeat, Refusal> {
        let seats = self.seat_states.len();
        let error = LiveError::NoSeat(seat, seats.saturating_sub(1));
        self.seat_states.get_mut(seat).ok_or(Refusal::Catalog(CatalogError::Live(error)))
    }

    /// What is still to be booked of the time for this move.
    pub(crate) fn owed(&self) -> u64 {
        self.elapsed().saturating_sub(self.booked)
    }

    /// Milliseconds that the seat to move has used for this move; nothing where nobody counts.
    fn elapsed(&self) -> u64 {
        let counted =
            |room: &RoomOptions| room.move_seconds.is_some() || room.game_seconds.is_some();
        let waits = self.live.to_act().is_some_and(|seat| self.awaits(seat));
        if self.options().is_some_and(counted) && !waits {
            self.turn_began.elapsed().as_millis() as u64
        } else {
            0
        }
    }

    pub(crate) fn check_holds(&self, client: &Client, seat: usize) -> Result<(), Refusal> {
        let holder = self.seat_states.get(seat).and_then(|seat_state| seat_state.holder);
        if client.seats.contains(&seat) && holder == Some(client.number) {
            return Ok(());
        }
        Err(Refusal::NotYours(seat))
    }

    /// As [`check_holds`](State::check_holds), for a game that goes on.
    pub(crate) fn check_plays(&self, client: &Client, seat: usize) -> Result<(), Refusal> {
        self.check_holds(client, seat)?;
        if self.gathering {
            return Err(Refusal::NotNow("the game has not begun"));
        }
        if self.seat_states[seat].resigned {
            return Err(Refusal::NotNow("you have given this game up"));
        }
        if self.seat_states[seat].stand_in {
            return Err(Refusal::NotNow("an agent plays for you: come back first"));
        }
        Ok(())
    }

    /// Checks that somebody may take a seat, and says under which name.
    pub(crate) fn check_free(&self, seat: usize, name: &str) -> Result<String, Refusal> {
        let name = clean_name(name);
        if name.is_empty() {
            return Err(Refusal::NotNow("say your name"));
        }
        if !self.gathering {
            return Err(Refusal::NotNow("the game has begun: its seats are taken"));
        }
        match self.seat_states.get(seat).map(|seat_state| &seat_state.place) {
            Some(SeatHolder::Open {}) => {}
            Some(_) => return Err(Refusal::NotNow("this seat is taken")),
            None => return Err(Refusal::NotYours(seat)),
        }
        let same = |seat_state: &TableSeat| matches!(&seat_state.place, SeatHolder::Person { name: other, .. } if other.to_lowercase() == name.to_lowercase());
        if self.seat_states.iter().any(same) {
            return Err(Refusal::NotNow("somebody here has this name already"));
        }
        Ok(name)
    }

    /// Whether a client may begin the game: whoever opened the room, or anybody at a seat once they have left.
    pub(crate) fn may_begin(&self, client: &Client) -> bool {
        let Some(setup) = self.setup.as_ref().filter(|_| self.gathering) else { return false };
        let is_host = |seat: usize| matches!(&setup.seats[seat], SeatHolder::Person { lock, .. } if self.seat_states[seat].lock() == Some(lock));
        if (0..self.seat_states.len()).any(is_host) {
            client.seats.iter().any(|&seat| is_host(seat))
        } else {
            !client.seats.is_empty()
        }
    }

    /// Whether somebody may come back to a seat at which an agent plays on.
    pub(crate) fn may_return(&self, seat: usize) -> bool {
        let left = self.seconds_left(seat);
        let seat_state = &self.seat_states[seat];
        seat_state.stand_in && !seat_state.resigned && !self.is_open() && left != Some(0)
    }

    /// Milliseconds left of the time for the whole game; none where there is no such limit.
    fn seconds_left(&self, seat: usize) -> Option<u64> {
        let all = u64::from(self.options()?.game_seconds?) * 1000;
        let running =
            self.live.to_act() == Some(seat) && !self.seat_states[seat].stand_in && !self.gathering;
        let now = if running { self.owed() } else { 0 };
        Some(all.saturating_sub(self.seat_states[seat].spent + now))
    }

    /// Whether everything may be seen: of a recorded game, and of one that is over.
    pub(crate) fn is_open(&self) -> bool {
        self.is_study() || self.live.outcome().is_some()
    }

    /// What it means that somebody gives the game up: the end where two play, and where nobody else does; else the
    /// others play on, and an agent with them.
    pub(crate) fn giving_up(&self, seat: usize, reason: &str) -> TableEvent {
        let plays = |other: usize| {
            self.seat_states[other].lock().is_some() && !self.seat_states[other].resigned
        };
        let others = (0..self.seat_states.len()).any(|other| other != seat && plays(other));
        if self.seat_states.len() > 2 && others {
            let spent = if self.live.to_act() == Some(seat) { self.owed() } else { 0 };
            TableEvent::Resign { seat, spent }
        } else {
            TableEvent::Forfeit { seat, reason: reason.to_owned() }
        }
    }

    /// What the clock demands now.
    pub(crate) fn due(&self) -> Option<TableEvent> {
        let room = self.options().filter(|_| !self.gathering && !self.closed)?;
        let seat = self.live.to_act()?;
        let seat_state = &self.seat_states[seat];
        if seat_state.stand_in || seat_state.lock().is_none() {
            return None;
        }
        let elapsed = self.elapsed();
        let over =
            |limit: Option<u32>| limit.is_some_and(|limit| elapsed >= u64::from(limit) * 1000);
        if over(room.move_seconds) || self.seconds_left(seat) == Some(0) {
            return Some(if room.lose_on_time {
                self.giving_up(seat, OUT_OF_TIME)
            } else {
                TableEvent::StandIn { seat, spent: self.owed() }
            });
        }
        let limit = Duration::from_secs(room.away_seconds?.into());
        let away = seat_state.holder.is_none() && seat_state.away_since.elapsed() >= limit;
        away.then(|| {
            if room.lose_when_away {
                self.giving_up(seat, AWAY)
            } else {
                TableEvent::StandIn { seat, spent: self.owed() }
            }
        })
    }

    /// Somebody has gone: the seats it held are nobody's until it is back.
    pub(crate) fn leave(&mut self, number: u64) {
        for seat_state in &mut self.seat_states {
            if seat_state.holder == Some(number) {
                seat_state.holder = None;
                seat_state.away_since = now();
            }
        }
        self.connections -= 1;
        self.last_seen = now();
    }

    /// Whether a client may look through these eyes.
    pub(crate) fn check_may_look(
        &self,
        client: &Client,
        eyes: Viewpoint,
        ply: Option<usize>,
    ) -> Result<(), Refusal> {
        if self.gathering {
            return Err(Refusal::NotNow("the game has not begun"));
        }
        let own = match eyes {
            Viewpoint::Seat(seat) => client.seats.contains(&seat.into()),
            Viewpoint::Spectator => true,
            Viewpoint::Everything => false,
        };
        if !own && !self.hides_nothing() {
            return Err(Refusal::NotYourEyes);
        }
        if let Viewpoint::Seat(seat) = eyes {
            let seats = self.seat_states.len();
            if usize::from(seat) >= seats {
                return Err(CatalogError::Live(LiveError::NoSeat(seat.into(), seats - 1)).into());
            }
        }
        if ply.is_some_and(|ply| ply > self.live.plies()) {
            return Err(Refusal::NotNow("the game has not come that far"));
        }
        Ok(())
    }

    /// Whether a client may take moves back: its rivals are all agents, and it is no room, where others may watch or
    /// wait for the result.
    pub(crate) fn may_take_back(&self, client: &Client) -> bool {
        let others_are_agents = self
            .seat_states
            .iter()
            .enumerate()
            .all(|(seat, seat_state)| seat_state.is_agent() || client.seats.contains(&seat));
        !self.is_study()
            && self.options().is_none()
            && !client.seats.is_empty()
            && others_are_agents
    }

    /// How many actions a client takes back to be at its own last decision.
    pub(crate) fn to_take_back(&self, client: &Client) -> Result<usize, Refusal> {
        if !self.may_take_back(client) {
            return Err(Refusal::NotNow("moves are taken back among agents only"));
        }
        let plies = self.live.plies();
        let own = |ply: &usize| {
            let turn = self.live.at(*ply).ok().and_then(|live| live.to_act());
            turn.is_some_and(|seat| client.seats.contains(&seat))
        };
        let ply = (0..plies).rev().find(own);
        ply.map(|ply| plies - ply).ok_or(Refusal::NotNow("there is nothing to take back"))
    }

    /// The agent whose turn it is, if it is one's and it does not think yet.
    pub(crate) fn start_thinking(&mut self) -> Option<(Box<dyn AnyThinking>, Stop, u64)> {
        let idle = self.is_study() || self.gathering || self.closed || self.is_halted();
        if idle || self.thinking.is_some() {
            return None;
        }
        let thinking = self.live.start_thinking().ok()?;
        let stop = Stop::new();
        self.thoughts += 1;
        let (seat, number) = (thinking.seat(), self.thoughts);
        self.thinking = Some(Thinker { seat, number, stop: stop.clone() });
        Some((thinking, stop, number))
    }

    /// Nobody waits any longer for what is being thought about.
    fn stop_thinking(&mut self) {
        if let Some(thinker) = self.thinking.take() {
            thinker.stop.pull();
        }
    }

    /// Nothing happens here any more.
    pub(crate) fn close(&mut self) {
        self.closed = true;
        self.stop_thinking();
    }

    /// Whether only agents play here.
    pub(crate) fn is_show(&self) -> bool {
        !self.is_study() && self.seat_states.iter().all(TableSeat::is_agent)
    }

    /// How many seats are not held by agents.
    pub(crate) fn people(&self) -> usize {
        self.seat_states.iter().filter(|seat_state| !seat_state.is_agent()).count()
    }

    /// Everybody may look from every seat: the game is over, or agents play among themselves outside of events.
    fn hides_nothing(&self) -> bool {
        self.is_open() || (self.is_show() && self.occasion().is_none())
    }

    /// Only agents play here, and somebody has halted them.
    fn is_halted(&self) -> bool {
        self.pace.is_none() && self.is_show()
    }

    /// Plays what an agent came to, and says what that was; an answer to a question that no longer stands is dropped.
    pub(crate) fn finish_thinking(
        &mut self,
        seat: usize,
        number: u64,
        thought: Result<AnyThought, String>,
    ) -> Option<TableEvent> {
        if self.thinking.as_ref().is_none_or(|thinker| thinker.number != number) {
            return None;
        }
        if self.is_halted() {
            self.held = Some((seat, number, thought));
            return None;
        }
        self.thinking = None;
        let reason = match thought.map(|thought| self.live.finish_thinking(thought)) {
            Ok(Ok((seat, action))) => {
                self.moved(seat, 0);
                return Some(TableEvent::Play { seat, action, spent: 0 });
            }
            // An agent of ours that breaks the rules has lost the game, and says why.
            Ok(Err(CatalogError::Live(LiveError::Illegal(_, error)))) => error.to_string(),
            Ok(Err(_)) => return None,
            Err(reason) => reason,
        };
        let step = TableEvent::Forfeit { seat, reason };
        self.apply(&step).ok().map(|()| step)
    }

    /// Plays what was held back, if the game goes on with it.
    pub(crate) fn release(&mut self) -> Option<TableEvent> {
        let (seat, number, thought) = self.held.take()?;
        self.finish_thinking(seat, number, thought)
    }

    /// Who sits where, as one client is told.
    pub(crate) fn seats(&self, client: Option<&Client>) -> Vec<SeatState> {
        let report = |report: oboro_catalog::SeatReport| {
            let seat_state = &self.seat_states[report.seat];
            SeatState {
                seat: report.seat,
                name: match &seat_state.place {
                    SeatHolder::Person { name, .. } if !name.is_empty() && !seat_state.resigned => {
                        name.clone()
                    }
                    _ => report.name,
                },
                agent: report.agent,
                open: self.gathering && seat_state.place == SeatHolder::Open {},
                stand_in: seat_state.stand_in && !seat_state.resigned,
                you: client.is_some_and(|client| client.seats.contains(&report.seat)),
                here: seat_state.holder.is_some(),
            }
        };
        self.live.seats().into_iter().map(report).collect()
    }

    /// What a client is told of the room; none where there is none.
    pub(crate) fn room(&self, client: &Client) -> Option<RoomState> {
        let room = self.options()?;
        let stand_in = self.setup.as_ref().map(Setup::stand_in).unwrap_or_default();
        Some(RoomState {
            gathering: self.gathering,
            host: self.may_begin(client),
            options: RoomOptions { stand_in: Some(stand_in), ..room.clone() },
        })
    }

    /// How many look on without a seat.
    pub(crate) fn watchers(&self) -> usize {
        let mut seated: Vec<u64> =
            self.seat_states.iter().filter_map(|seat_state| seat_state.holder).collect();
        seated.sort_unstable();
        seated.dedup();
        self.connections.saturating_sub(seated.len())
    }

    /// Whether another window holds a seat of this client now.
    pub(crate) fn is_taken_over(&self, client: &Client) -> bool {
        client.seats.iter().any(|&seat| self.seat_states[seat].holder != Some(client.number))
    }

    /// The clocks, where there are any.
    fn clock(&self) -> Option<ClockState> {
        let room = self.options()?;
        room.move_seconds.or(room.game_seconds)?;
        let turn = self.live.to_act().filter(|&seat| self.seat_states[seat].lock().is_some());
        let running = turn.filter(|&seat| !self.seat_states[seat].stand_in);
        let for_move =
            room.move_seconds.map(|limit| (u64::from(limit) * 1000).saturating_sub(self.elapsed()));
        Some(ClockState {
            seats: (0..self.seat_states.len())
                .map(|seat| self.seat_states[seat].lock().and_then(|_| self.seconds_left(seat)))
                .collect(),
            running,
            for_move: for_move.filter(|_| running.is_some()),
        })
    }

    /// What is new for a client. Where several people play, it is told action by action, so that a browser can show
    /// one after the other.
    pub(crate) fn updates(&self, client: &mut Client) -> Result<Vec<Update>, Refusal> {
        let missed = client.told..self.live.plies();
        let follows = client.follows && client.retold == self.retold;
        let mut updates = Vec::new();
        if follows && self.people() > 1 && missed.len() <= MOST_SHOWN_SINGLY {
            for ply in missed.skip(1) {
                updates.push(self.update_then(client, ply)?);
            }
        }
        updates.push(self.update(client)?);
        Ok(updates)
    }

    /// The position after some actions, as it was when nothing more had been played.
    fn update_then(&self, client: &mut Client, ply: usize) -> Result<Update, Refusal> {
        let eyes = Perspective::from(client.eyes);
        let shown = self.live.at(ply)?;
        let events_from = std::mem::replace(&mut client.told, ply);
        Ok(Update {
            ply,
            plies: ply,
            eyes: client.eyes,
            to_act: shown.to_act(),
            thinking: None,
            scene: Written(shown.scene_as_text(eyes)?),
            events: shown.story(eyes, events_from)?,
            events_from,
            actions: None,
            outcome: None,
            ending: None,
            clock: self.clock().filter(|_| !self.is_open()),
        })
    }

    /// What is new for a client, in one piece.
    fn update(&self, client: &mut Client) -> Result<Update, Refusal> {
        if client.retold != self.retold {
            (client.retold, client.told, client.ply) = (self.retold, 0, None);
        }
        let plies = self.live.plies();
        let ply = client.ply.unwrap_or(plies).min(plies);
        let eyes = Perspective::from(client.eyes);
        let events = self.live.story(eyes, client.told)?;
        let events_from = client.told;
        (client.told, client.follows) = (plies, client.ply.is_none());
        let earlier = if ply < plies { Some(self.live.at(ply)?) } else { None };
        let shown: &dyn AnyLive = earlier.as_deref().unwrap_or(self.live.as_ref());
        let turn = shown.to_act();
        let own = |seat: usize| client.seats.contains(&seat) && !self.seat_states[seat].stand_in;
        let own_turn = ply == plies && turn.is_some_and(own);
        // Whoever looks back, or at a study, may still want to know what could have been done.
        let may_ask = own_turn || (self.hides_nothing() && turn.is_some());
        // Whoever played is told the end as a player, though everything is shown then.
        let told = match client.seats[..] {
            [seat] => Perspective::Seat(Seat::new(seat)),
            _ => eyes,
        };
        Ok(Update {
            ply,
            plies,
            eyes: client.eyes,
            to_act: turn,
            thinking: self
                .thinking
                .as_ref()
                .filter(|_| self.held.is_none())
                .map(|thinker| thinker.seat),
            scene: Written(shown.scene_as_text(eyes)?),
            events,
            events_from,
            actions: may_ask.then(|| Written(shown.actions_as_text())),
            outcome: self.live.outcome().as_ref().map(OutcomeReport::from),
            ending: self.live.ending(told),
            clock: self.clock().filter(|_| !self.is_open()),
        })
    }
}

/// Tables that nobody uses are closed after a while, and people's time runs out: what needs a clock.
#[allow(clippy::disallowed_methods, reason = "idle tables and people's time go by the clock")]
pub(crate) fn now() -> Instant {
    Instant::now()
}
