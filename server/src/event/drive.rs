//! What moves events on: tables are set, results are read off them, and rounds follow each other.

use super::state::{EventDeed, EventState, Stage, Who};
use super::{Absent, Event, EventPlan, EventSetup};
use crate::Refusal;
use crate::hall::Hall;
use crate::secret::random_text;
use crate::setup::{Customs, Occasion, Place, Setup, random_seed};
use crate::table::Ended;
use oboro_lab::pairing::Table as Seats;
use oboro_lab::{ABSENT, GameResult, Numbers};
use std::sync::Arc;

/// Events that are not over, at the same time.
const MOST: usize = 50;

impl Hall {
    /// Sets up an event; one of the same name and plan goes on.
    ///
    /// # Errors
    /// If it cannot be played, there is another one of that name, or no room.
    pub fn open_event(self: &Arc<Hall>, plan: &EventPlan) -> Result<String, Refusal> {
        plan.check().map_err(Refusal::Plan)?;
        let mut events = self.events();
        for event in events.values() {
            let state = event.lock();
            if state.plan().name == plan.name {
                if state.plan() == plan {
                    return Ok(event.name.clone());
                }
                return Err(Refusal::NotNow("there is another event of that name"));
            }
        }
        if events.values().filter(|event| event.lock().stage != Stage::Over).count() >= MOST {
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
    pub(crate) fn drive(self: &Arc<Hall>) {
        let events: Vec<Arc<Event>> = self.events().values().cloned().collect();
        for event in events {
            self.advance(&event);
        }
    }

    /// Moves an event on as far as it goes now.
    pub(crate) fn advance(self: &Arc<Hall>, event: &Arc<Event>) {
        // What is refused now, because the house is full or the disk slow, is tried again soon.
        while matches!(self.step(event), Ok(true)) {}
    }

    /// Moves an event on by one deed; tells whether there was any to do.
    fn step(self: &Arc<Hall>, event: &Arc<Event>) -> Result<bool, Refusal> {
        let mut state = event.lock();
        let due = match self.due(&state, true)? {
            Some(Due::Game { board, seats }) => {
                match self.seat(event, &mut state, board, seats) {
                    // The house is full; what else there is to do goes on.
                    Err(Refusal::Full(_)) => self.due(&state, false)?,
                    seated => return seated.map(|()| true),
                }
            }
            due => due,
        };
        let Some(Due::Deed(deed)) = due else { return Ok(false) };
        event.perform(&mut state, &deed)?;
        Ok(true)
    }

    /// What is to be done next at an event; `room` says whether there may be room for another table.
    fn due(self: &Arc<Hall>, state: &EventState, room: bool) -> Result<Option<Due>, Refusal> {
        match state.stage {
            Stage::Running => {}
            Stage::Gathering if state.begins_now() => {
                return state.begin().map(|deed| Some(Due::Deed(deed)));
            }
            Stage::Gathering | Stage::Over => return Ok(None),
        }
        let boards = state.rounds.last().map_or(&[][..], |round| &round.boards);
        for (board, games) in boards.iter().map(|board| &board.games).enumerate() {
            if let Some(game) = games.last().filter(|game| game.result.is_none()) {
                let table = match self.table(&game.table) {
                    Ok(table) => table,
                    Err(Refusal::NoTable(_) | Refusal::Broken(_)) => {
                        return Ok(Some(Due::Deed(EventDeed::Lost { board })));
                    }
                    Err(_) => continue,
                };
                table.keep();
                if let Some(ended) = table.ended() {
                    let result = result(state, &game.seats, ended);
                    return Ok(Some(Due::Deed(EventDeed::Over { board, result })));
                }
            }
            if let Some(seats) = state.next_game(board).filter(|_| room) {
                return Ok(Some(Due::Game { board, seats }));
            }
        }
        if let Some(entrant) = state.gone() {
            return Ok(Some(Due::Deed(EventDeed::Leave { entrant })));
        }
        Ok(state.round_is_over().then(|| Due::Deed(state.next_round())))
    }

    /// Sets the table of the next game of a board, and notes it: both are on disk, or neither.
    fn seat(
        self: &Arc<Hall>,
        event: &Arc<Event>,
        state: &mut EventState,
        board: usize,
        seats: Seats,
    ) -> Result<(), Refusal> {
        let setup = table_for(&event.name, state, board, &seats)?;
        self.set_with(&setup, |table, entry| {
            let deed = EventDeed::Open { board, table: table.to_owned(), seats };
            event.perform_with(state, &deed, entry)
        })?;
        Ok(())
    }
}

/// What is to be done at an event.
enum Due {
    /// Something that is noted.
    Deed(EventDeed),
    /// The next game of a board.
    Game { board: usize, seats: Seats },
}

/// The table of the next game of a board.
fn table_for(
    event: &str,
    state: &EventState,
    board: usize,
    seats: &Seats,
) -> Result<Setup, Refusal> {
    let plan = state.plan();
    let round = state.rounds.len();
    let Some(played) = state.rounds.last() else {
        return Err(Refusal::NotNow("no round has begun"));
    };
    let game = &plan.games[played.game];
    let house = plan.house(game);
    let place = |player: &Option<usize>| match player.map(|one| &state.entrants[one]) {
        None => Place::Agent { spec: house.clone() },
        Some(entrant) => match &entrant.who {
            Who::Agent(spec) => Place::Agent { spec: spec.clone() },
            Who::Person(lock) => Place::Person { name: entrant.name.clone(), lock: *lock },
        },
    };
    // Agents forget: they play a deal again from every seat. People get a new one each time.
    let number = played.boards[board].games.len();
    let again = if state.is_show(seats) { String::new() } else { format!(" game {number}") };
    let seed = state.seed(&format!("round {round} board {board}{again}"));
    let may_lose = seats.len() == 2 && plan.absent == Absent::Forfeit;
    Ok(Setup {
        game: game.name.clone(),
        rules: game.rules.clone(),
        seed: seed.to_string(),
        position: None,
        seats: seats.iter().map(place).collect(),
        room: Some(Customs {
            listed: false,
            move_seconds: plan.move_seconds,
            game_seconds: plan.game_seconds,
            stand_in: Some(house.clone()),
            away_seconds: Some(plan.come_seconds),
            lose_on_time: may_lose,
            lose_when_away: may_lose,
        }),
        occasion: Some(Occasion { event: event.to_owned(), pace: plan.pace }),
    })
}

/// The result of a game, as all contests count it.
fn result(state: &EventState, seats: &Seats, ended: Ended) -> GameResult {
    let number = state.results().count();
    let players = seats.iter().map(|player| player.unwrap_or_else(|| state.house())).collect();
    let mut result = GameResult::new(number as u64, players, ended.outcome);
    result.forfeit = ended.forfeit;
    if ended.absent.contains(&true) {
        let marks = ended.absent.iter().map(|absent| f64::from(u8::from(*absent))).collect();
        result.facts.insert(ABSENT.to_owned(), Numbers::Seats(marks));
    }
    result
}
