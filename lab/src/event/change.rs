//! What changes an event for good, and how it is replayed.

use super::state::{Board, BoardGame, Entrant, Event, PlayedRound, Player, Stage};
use super::{ABSENT, Table};
use crate::GameResult;
use serde::{Deserialize, Serialize};

/// Everything that changes an event for good; `P` is what identifies a person. Applying the changes of an event
/// again, in order, gives the event again. Boards are those of the last round.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "deed", rename_all = "kebab-case", deny_unknown_fields)]
#[allow(missing_docs, reason = "the fields are what their names say")]
pub enum EventChange<P = ()> {
    /// A person enters; `lock` identifies them.
    Enter { name: String, lock: P },
    /// An entrant takes part no longer.
    Leave { entrant: usize },
    /// The event begins, and nobody can enter any more. The schedule has all rounds, if the kind of the event fixes them.
    Begin { schedule: Vec<Round> },
    /// A round begins.
    Round { round: Round },
    /// The next game of a board begins at a table.
    Open { board: usize, table: String, seats: Table },
    /// It is over; in its result the house is the player after the last entrant.
    Over { board: usize, result: GameResult },
    /// Its table is lost, so the game is played again.
    Lost { board: usize },
    /// The event is over.
    End {},
}

/// A round: which game of the event, and who meets whom.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Round {
    /// The game's number.
    pub game: usize,
    /// The tables.
    pub tables: Vec<Table>,
}

/// Why an event does not change as asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct EventError(pub &'static str);

/// A journal that was damaged or changed by hand can say this.
const INCONSISTENT: EventError = EventError("the event does not fit together");

impl<P: Clone + PartialEq> Event<P> {
    /// Applies a change.
    ///
    /// # Errors
    /// If the change names an entrant, a game or a board that the event does not have; nothing is changed then.
    pub fn apply(&mut self, change: &EventChange<P>) -> Result<(), EventError> {
        match change {
            EventChange::Enter { name, lock } => {
                self.entrants.push(Entrant::new(name.clone(), Player::Person(lock.clone())));
            }
            EventChange::Leave { entrant } => {
                let found = self.entrants.get_mut(*entrant).ok_or(INCONSISTENT)?;
                if self.stage == Stage::Registration && matches!(found.player, Player::Person(_)) {
                    self.entrants.remove(*entrant);
                } else {
                    found.left = true;
                }
            }
            EventChange::Begin { schedule } => {
                schedule.iter().try_for_each(|round| self.check_round(round))?;
                (self.stage, self.schedule) = (Stage::Running, schedule.clone());
            }
            EventChange::Round { round } => {
                self.check_round(round)?;
                let board = |table: &Table| Board { players: table.clone(), games: Vec::new() };
                let boards = round.tables.iter().map(board).collect();
                self.rounds.push(PlayedRound { game: round.game, boards });
            }
            EventChange::Open { board, table, seats } => {
                self.check_table(seats)?;
                let game = BoardGame { table: table.clone(), seats: seats.clone(), result: None };
                self.board_mut(*board)?.games.push(game);
            }
            EventChange::Over { board, result } => {
                let house = self.house();
                let game = self.board_mut(*board)?.games.last_mut().ok_or(INCONSISTENT)?;
                let seats = game.seats.iter().map(|player| player.unwrap_or(house));
                if !seats.eq(result.seats.iter().copied())
                    || result.payoffs.len() != result.seats.len()
                {
                    return Err(INCONSISTENT);
                }
                game.result = Some(result.clone());
                self.count_absence(*board);
            }
            EventChange::Lost { board } => {
                self.board_mut(*board)?.games.pop();
            }
            EventChange::End {} => self.stage = Stage::Over,
        }
        self.changes += 1;
        Ok(())
    }

    fn check_round(&self, round: &Round) -> Result<(), EventError> {
        let seats = *self.format.seats.get(round.game).ok_or(INCONSISTENT)?;
        let fits = round.tables.iter().all(|table| table.len() == seats);
        if fits {
            round.tables.iter().try_for_each(|t| self.check_table(t))
        } else {
            Err(INCONSISTENT)
        }
    }

    fn check_table(&self, table: &Table) -> Result<(), EventError> {
        let known = table.iter().flatten().all(|&one| one < self.entrants.len());
        if known { Ok(()) } else { Err(INCONSISTENT) }
    }

    fn board_mut(&mut self, board: usize) -> Result<&mut Board, EventError> {
        let round = self.rounds.last_mut();
        round.and_then(|round| round.boards.get_mut(board)).ok_or(INCONSISTENT)
    }

    /// After the last game of a meeting: notes who did not come to any.
    fn count_absence(&mut self, board: usize) {
        let Some(board) = self.rounds.last().and_then(|round| round.boards.get(board)) else {
            return;
        };
        if board.games.len() < self.format.meeting(board.players.len()) {
            return;
        }
        let came = |player: usize| {
            board.results().any(|game| {
                let seat = game.seats.iter().position(|one| *one == player);
                seat.is_none_or(|seat| !game.marks(ABSENT)[seat])
            })
        };
        let met: Vec<(usize, bool)> =
            board.players.iter().flatten().map(|&player| (player, came(player))).collect();
        for (player, came) in met {
            let missed = &mut self.entrants[player].missed;
            *missed = if came { 0 } else { *missed + 1 };
        }
    }
}
