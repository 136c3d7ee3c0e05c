//! What moves events on: tables are set, results are read off them, and rounds follow each other.

use super::{Absent, Event, EventAction, EventPlan, EventSetup, EventState};
use crate::Refusal;
use crate::key::random_text;
use crate::registry::TableRegistry;
use crate::setup::{EventLink, RoomOptions, SeatHolder, Setup, random_seed};
use crate::table::Ended;
use crate::thinking::Owner;
use oboro_lab::event::{ABSENT, Due, Player, Stage, Table as Seats};
use oboro_lab::{GameResult, Numbers};
use std::sync::Arc;

/// Events that are not over, at the same time.
const MOST: usize = 50;

impl TableRegistry {
    /// Sets up an event; one of the same name and plan goes on.
    ///
    /// # Errors
    /// If it cannot be played, there is another one of that name, or no room.
    pub fn open_event(self: &Arc<TableRegistry>, plan: &EventPlan) -> Result<String, Refusal> {
        plan.check().map_err(Refusal::Plan)?;
        let mut events = self.events();
        for event in events.values() {
            let state = event.lock();
            if state.setup.plan.name == plan.name {
                if state.setup.plan == *plan {
                    return Ok(event.name.clone());
                }
                return Err(Refusal::NotNow("there is another event of that name"));
            }
        }
        if events.values().filter(|event| !event.is_over()).count() >= MOST {
            return Err(Refusal::Full("there are too many events"));
        }
        let mut name = random_text(6);
        while events.contains_key(&name) {
            name = random_text(6);
        }
        let setup = EventSetup { plan: plan.clone(), seed: random_seed(true) };
        events.insert(name.clone(), Event::open(name.clone(), setup, self.writer()));
        Ok(name)
    }

    /// Waits until everything of an event is on disk.
    ///
    /// # Errors
    /// If there is no such event, or it cannot be written.
    pub async fn flush_event(&self, name: &str) -> Result<(), Refusal> {
        let event = self.event(name)?;
        let flushed = event.flush().await;
        if flushed.is_err() && event.is_over() {
            self.events().remove(name); // It never came to be.
        }
        flushed
    }

    /// Moves every event on as far as it goes now.
    pub(crate) fn drive(self: &Arc<TableRegistry>) {
        let events: Vec<Arc<Event>> = self.events().values().cloned().collect();
        for event in events {
            self.advance(&event);
        }
    }

    /// Moves an event on as far as it goes now.
    pub(crate) fn advance(self: &Arc<TableRegistry>, event: &Arc<Event>) {
        // What is refused now, because the house is full or the disk slow, is tried again soon.
        while matches!(self.step(event), Ok(true)) {}
    }

    /// Moves an event on by one step; tells whether there was any to do.
    fn step(self: &Arc<TableRegistry>, event: &Arc<Event>) -> Result<bool, Refusal> {
        let mut state = event.lock();
        if let Some(step) = self.ended_game(&state) {
            event.perform(&mut state, &step)?;
            return Ok(true);
        }
        let due = match state.event.due(true) {
            Some(Due::Game { board, seats }) => {
                match self.seat(event, &mut state, board, seats) {
                    // The house is full; what else there is to do goes on.
                    Err(Refusal::Full(_)) => state.event.due(false),
                    seated => return seated.map(|()| true),
                }
            }
            due => due,
        };
        let Some(Due::Change(step)) = due else { return Ok(false) };
        event.perform(&mut state, &step)?;
        Ok(true)
    }

    /// A game of the last round that has ended, or whose table is lost.
    fn ended_game(&self, state: &EventState) -> Option<EventAction> {
        if state.event.stage() != Stage::Running {
            return None;
        }
        let boards = &state.event.rounds().last()?.boards;
        boards.iter().enumerate().find_map(|(board, one)| {
            let game = one.games.last().filter(|game| game.result.is_none())?;
            let table = match self.table(&game.table) {
                Ok(table) => table,
                Err(Refusal::NoTable(_) | Refusal::Broken(_)) => {
                    return Some(EventAction::Lost { board });
                }
                Err(_) => return None,
            };
            table.keep();
            let result = result(state, &game.seats, table.ended()?);
            Some(EventAction::Over { board, result })
        })
    }

    /// Sets the table of the next game of a board, and notes it: both are on disk, or neither.
    fn seat(
        self: &Arc<TableRegistry>,
        event: &Arc<Event>,
        state: &mut EventState,
        board: usize,
        seats: Seats,
    ) -> Result<(), Refusal> {
        let setup = table_for(&event.name, state, board, &seats)?;
        self.set_with(&setup, Owner::Host, |table, entry| {
            let step = EventAction::Open { board, table: table.to_owned(), seats };
            event.perform_with(state, &step, entry)
        })?;
        Ok(())
    }
}

/// The table of the next game of a board.
fn table_for(
    name: &str,
    state: &EventState,
    board: usize,
    seats: &Seats,
) -> Result<Setup, Refusal> {
    let EventState { setup: EventSetup { plan, .. }, event, .. } = state;
    let round = event.rounds().len();
    let Some(played) = event.rounds().last() else {
        return Err(Refusal::NotNow("no round has begun"));
    };
    let game = &plan.games[played.game];
    let house = plan.house(game);
    let place = |player: &Option<usize>| match player.map(|one| &event.entrants()[one]) {
        None => SeatHolder::Agent { spec: house.clone() },
        Some(entrant) => match &entrant.player {
            Player::Agent(spec) => SeatHolder::Agent { spec: spec.clone() },
            Player::Person(lock) => SeatHolder::Person { name: entrant.name.clone(), lock: *lock },
        },
    };
    // Agents forget: they play a deal again from every seat. People get a new one each time.
    let number = played.boards[board].games.len();
    let again = if event.shares_deal(seats) { String::new() } else { format!(" game {number}") };
    let seed = event.seed(&format!("round {round} board {board}{again}"));
    let may_lose = seats.len() == 2 && plan.absent == Absent::Forfeit;
    Ok(Setup {
        game: game.name.clone(),
        rules: game.rules.clone(),
        seed: seed.to_string(),
        position: None,
        seats: seats.iter().map(place).collect(),
        room: Some(RoomOptions {
            listed: false,
            move_seconds: plan.move_seconds,
            game_seconds: plan.game_seconds,
            stand_in: Some(house.clone()),
            away_seconds: Some(plan.come_seconds),
            lose_on_time: may_lose,
            lose_when_away: may_lose,
            hints: Some(false),
        }),
        occasion: Some(EventLink { event: name.to_owned(), pace: plan.pace }),
        trusted: true,
    })
}

/// The result of a game, as the standings count it.
fn result(state: &EventState, seats: &Seats, ended: Ended) -> GameResult {
    let number = state.event.results().count();
    let house = state.event.house();
    let players = seats.iter().map(|player| player.unwrap_or(house)).collect();
    let mut result = GameResult::new(number as u64, players, ended.outcome);
    result.forfeit = ended.forfeit;
    if ended.absent.contains(&true) {
        let marks = ended.absent.iter().map(|absent| f64::from(u8::from(*absent))).collect();
        result.facts.insert(ABSENT.to_owned(), Numbers::Seats(marks));
    }
    result
}
