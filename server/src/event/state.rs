//! What an event holds: who takes part, and what has been played.

use super::plan::{EventKind, EventPlan};
use crate::Refusal;
use crate::secret::Lock;
use crate::setup::tidy;
use crate::store::Saved;
use oboro_core::{Rng, Seed};
use oboro_lab::pairing::{Past, Table, round_robin, turned};
use oboro_lab::{ABSENT, Contest, GameResult, Numbers};
use serde::{Deserialize, Serialize};

/// What an event is set up as, in the database.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) struct EventSetup {
    pub(crate) plan: EventPlan,
    /// All deals and pairings come from it; nobody is told.
    pub(crate) seed: String,
}

/// Everything that changes an event for good. Doing the deeds of an event again, in order, gives the event again.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "deed", rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) enum EventDeed {
    /// A person enters.
    Enter { name: String, lock: Lock },
    /// Somebody takes part no longer.
    Leave { entrant: usize },
    /// It begins; whoever would like to enter is too late. A round robin knows all its rounds then.
    Begin { schedule: Vec<Round> },
    /// A round begins.
    Round { round: Round },
    /// The next game of a board begins, at a table.
    Open { board: usize, table: String, seats: Table },
    /// It is over.
    Over { board: usize, result: GameResult },
    /// The table of a game is lost: the game is played again.
    Lost { board: usize },
    /// The event is over.
    End {},
}

/// A round: which game of the event, and who meets whom.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) struct Round {
    pub(crate) game: usize,
    pub(crate) tables: Vec<Table>,
}

/// How far an event is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Stage {
    /// People enter.
    Gathering,
    /// It is played.
    Running,
    /// It is over.
    Over,
}

/// Somebody who takes part.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Entrant {
    pub(crate) name: String,
    pub(crate) who: Who,
    pub(crate) left: bool,
    /// Meetings in a row to which they did not come.
    missed: u32,
}

/// A person or an agent.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Who {
    Agent(String),
    Person(Lock),
}

/// A round that has begun.
#[derive(Clone, Debug)]
pub(crate) struct Played {
    pub(crate) game: usize,
    pub(crate) boards: Vec<Board>,
}

/// Those who meet, and their games.
#[derive(Clone, Debug)]
pub(crate) struct Board {
    pub(crate) players: Table,
    pub(crate) games: Vec<BoardGame>,
}

/// One game of a board.
#[derive(Clone, Debug)]
pub(crate) struct BoardGame {
    pub(crate) table: String,
    pub(crate) seats: Table,
    pub(crate) result: Option<GameResult>,
}

/// What an event holds.
#[derive(Clone, Debug)]
pub(crate) struct EventState {
    pub(crate) setup: EventSetup,
    pub(crate) stage: Stage,
    pub(crate) entrants: Vec<Entrant>,
    pub(crate) schedule: Vec<Round>,
    pub(crate) rounds: Vec<Played>,
    pub(crate) deeds: u64,
    pub(crate) epoch: u64,
}

/// Whoever misses so many meetings in a row takes part no longer.
const PATIENCE: u32 = 2;

impl EventState {
    /// An event as it was set up.
    pub(crate) fn new(setup: EventSetup) -> EventState {
        let agent = |agent: &super::plan::EventAgent| Entrant {
            name: agent.name(),
            who: Who::Agent(agent.spec.clone()),
            left: false,
            missed: 0,
        };
        EventState {
            entrants: setup.plan.agents.iter().map(agent).collect(),
            setup,
            stage: Stage::Gathering,
            schedule: Vec::new(),
            rounds: Vec::new(),
            deeds: 0,
            epoch: 0,
        }
    }

    /// An event at which everything that was done is done again.
    pub(crate) fn restore(saved: Saved<EventSetup, EventDeed>) -> Result<EventState, Refusal> {
        let mut state = EventState::new(saved.setup);
        for (_, deed) in &saved.deeds {
            state.apply(deed)?;
            state.deeds += 1;
        }
        Ok(state)
    }

    pub(crate) fn plan(&self) -> &EventPlan {
        &self.setup.plan
    }

    /// Where something random of this event comes from.
    pub(crate) fn seed(&self, what: &str) -> Seed {
        let seed: Seed = self.setup.seed.parse().unwrap_or_else(|_| Seed::from_u64(0));
        seed.child(what)
    }

    fn rng(&self, what: &str) -> Rng {
        self.seed(what).game(0, 0).seating()
    }

    /// Does something that changes the event for good.
    pub(crate) fn apply(&mut self, deed: &EventDeed) -> Result<(), Refusal> {
        match deed {
            EventDeed::Enter { name, lock } => self.entrants.push(Entrant {
                name: name.clone(),
                who: Who::Person(*lock),
                left: false,
                missed: 0,
            }),
            EventDeed::Leave { entrant } => {
                let gathering = self.stage == Stage::Gathering;
                let found = self.entrants.get_mut(*entrant).ok_or(WRONG)?;
                if gathering && matches!(found.who, Who::Person(_)) {
                    self.entrants.remove(*entrant);
                } else {
                    found.left = true;
                }
            }
            EventDeed::Begin { schedule } => {
                (self.stage, self.schedule) = (Stage::Running, schedule.clone());
            }
            EventDeed::Round { round } => {
                let board = |table: &Table| Board { players: table.clone(), games: Vec::new() };
                let boards = round.tables.iter().map(board).collect();
                self.rounds.push(Played { game: round.game, boards });
            }
            EventDeed::Open { board, table, seats } => {
                let game = BoardGame { table: table.clone(), seats: seats.clone(), result: None };
                self.board(*board)?.games.push(game);
            }
            EventDeed::Over { board, result } => {
                let game = self.board(*board)?.games.last_mut().ok_or(WRONG)?;
                game.result = Some(result.clone());
                self.count_absence(*board);
            }
            EventDeed::Lost { board } => {
                self.board(*board)?.games.pop();
            }
            EventDeed::End {} => self.stage = Stage::Over,
        }
        Ok(())
    }

    fn board(&mut self, board: usize) -> Result<&mut Board, Refusal> {
        self.rounds.last_mut().and_then(|round| round.boards.get_mut(board)).ok_or(WRONG)
    }

    /// After the last game of a meeting: notes who did not come to any.
    fn count_absence(&mut self, board: usize) {
        let Some(board) = self.rounds.last().and_then(|round| round.boards.get(board)) else {
            return;
        };
        if board.games.len() < self.plan().meeting(board.players.len()) {
            return;
        }
        let came = |player: usize| {
            let results = board.games.iter().filter_map(|game| game.result.as_ref());
            results.into_iter().any(|game| {
                let seat = game.seats.iter().position(|one| *one == player);
                let marks = game.facts.get(ABSENT);
                !matches!((seat, marks), (Some(seat), Some(Numbers::Seats(marks))) if marks.get(seat) > Some(&0.0))
            })
        };
        let met: Vec<(usize, bool)> =
            board.players.iter().flatten().map(|&player| (player, came(player))).collect();
        for (player, came) in met {
            if let Some(entrant) = self.entrants.get_mut(player) {
                entrant.missed = if came { 0 } else { entrant.missed + 1 };
            }
        }
    }

    /// Checks that somebody may enter, and says under which name.
    pub(crate) fn check_free(&self, name: &str, lock: &Lock) -> Result<String, Refusal> {
        let name = tidy(name);
        if name.is_empty() {
            return Err(Refusal::NotNow("say your name"));
        }
        if self.stage != Stage::Gathering {
            return Err(Refusal::NotNow("the event has begun: nobody can enter any more"));
        }
        if self.entrants.iter().any(|one| one.name.to_lowercase() == name.to_lowercase()) {
            return Err(Refusal::NotNow("somebody here has this name already"));
        }
        if self.entrants.iter().any(|one| one.who == Who::Person(*lock)) {
            return Err(Refusal::NotNow("you have entered already"));
        }
        let people = self.entrants.iter().filter(|one| matches!(one.who, Who::Person(_)));
        if people.count() >= self.plan().people {
            return Err(Refusal::NotNow("all places of this event are taken"));
        }
        Ok(name)
    }

    /// The person whom a secret opens.
    pub(crate) fn find(&self, key: &str) -> Option<usize> {
        // Everybody is looked at, whoever it is.
        let found: Vec<usize> = (0..self.entrants.len())
            .filter(|&one| matches!(&self.entrants[one].who, Who::Person(lock) if lock.opens(key)))
            .collect();
        found.first().copied()
    }

    /// Those who still take part.
    fn active(&self) -> Vec<usize> {
        (0..self.entrants.len()).filter(|&one| !self.entrants[one].left).collect()
    }

    /// What begins the event.
    ///
    /// # Errors
    /// If it cannot begin.
    pub(crate) fn begin(&self) -> Result<EventDeed, Refusal> {
        if self.stage != Stage::Gathering {
            return Err(Refusal::NotNow("the event has begun already"));
        }
        let players = self.entrants.len();
        if players < 2 {
            return Err(Refusal::NotNow("an event needs two who take part"));
        }
        let mut schedule = Vec::new();
        if self.plan().kind == EventKind::RoundRobin {
            for (game, entry) in self.plan().games.iter().enumerate() {
                let mut rng = self.rng(&format!("schedule {game}"));
                let rounds = round_robin(players, entry.seats(), &mut rng);
                schedule.extend(rounds.into_iter().map(|tables| Round { game, tables }));
            }
        }
        Ok(EventDeed::Begin { schedule })
    }

    /// Whether it is to begin by itself now.
    pub(crate) fn begins_now(&self) -> bool {
        let people = self.entrants.iter().filter(|one| matches!(one.who, Who::Person(_))).count();
        let enough = self.plan().begin_with.is_some_and(|enough| people >= enough);
        self.stage == Stage::Gathering && (enough || self.plan().people == 0)
    }

    /// How many rounds it will have, as far as that is known.
    pub(crate) fn rounds_planned(&self) -> Option<usize> {
        let swiss = self.plan().rounds.map(|rounds| rounds as usize);
        swiss.or_else(|| (self.stage != Stage::Gathering).then_some(self.schedule.len()))
    }

    /// Somebody who has missed too much and is not yet taken out.
    pub(crate) fn gone(&self) -> Option<usize> {
        self.entrants.iter().position(|one| !one.left && one.missed >= PATIENCE)
    }

    /// What comes when all games of the last round are over: the next round, or the end.
    pub(crate) fn next_round(&self) -> EventDeed {
        let number = self.rounds.len();
        let active = self.active();
        if active.len() < 2 || self.rounds_planned().is_none_or(|rounds| number >= rounds) {
            return EventDeed::End {};
        }
        if let Some(round) = self.schedule.get(number) {
            // Whoever has left is played for by the house.
            let stays = |player: Option<usize>| player.filter(|one| active.contains(one));
            let table = |table: &Table| table.iter().map(|player| stays(*player)).collect();
            let mut tables: Vec<Table> = round.tables.iter().map(table).collect();
            tables.retain(|table| table.iter().any(Option::is_some));
            return EventDeed::Round { round: Round { game: round.game, tables } };
        }
        let mut past = Past::new(self.entrants.len());
        for board in self.rounds.iter().flat_map(|round| &round.boards) {
            past.add(&board.players);
        }
        let game = number % self.plan().games.len();
        let contest = self.contest();
        let points = &contest.points()[..self.entrants.len()];
        let mut rng = self.rng(&format!("round {number}"));
        let seats = self.plan().games[game].seats();
        let tables = past.tables(&active, seats, Some(points), &mut rng);
        EventDeed::Round { round: Round { game, tables } }
    }

    /// The seats of the next game of a board, if there is to be one.
    pub(crate) fn next_game(&self, board: usize) -> Option<Table> {
        let round = self.rounds.last()?;
        let Board { players, games } = round.boards.get(board)?;
        let played = games.iter().all(|game| game.result.is_some());
        let meeting = self.plan().meeting(players.len());
        (played && games.len() < meeting).then(|| turned(players, games.len()))
    }

    /// Whether everything of the last round has been played.
    pub(crate) fn round_is_over(&self) -> bool {
        self.rounds.last().is_none_or(|round| {
            round.boards.iter().all(|board| {
                let played = board.games.iter().filter(|game| game.result.is_some()).count();
                played >= self.plan().meeting(board.players.len())
            })
        })
    }

    /// Whether only agents sit at a board.
    pub(crate) fn is_show(&self, players: &Table) -> bool {
        let agent = |one: usize| matches!(self.entrants[one].who, Who::Agent(_));
        players.iter().flatten().all(|&one| agent(one))
    }

    /// All results, in the order of rounds and boards.
    pub(crate) fn results(&self) -> impl Iterator<Item = &GameResult> {
        let boards = self.rounds.iter().flat_map(|round| &round.boards);
        boards.flat_map(|board| &board.games).filter_map(|game| game.result.as_ref())
    }

    /// The number of the house in results: it comes after all who take part.
    pub(crate) fn house(&self) -> usize {
        self.entrants.len()
    }

    /// How it stands; the house is the last player.
    pub(crate) fn contest(&self) -> Contest {
        let mut contest = Contest::new(self.house() + 1);
        for board in self.rounds.iter().flat_map(|round| &round.boards) {
            let results: Vec<GameResult> =
                board.games.iter().filter_map(|game| game.result.clone()).collect();
            if self.is_show(&board.players) {
                contest.add_deal(&results); // They share a deal.
            } else {
                for game in &results {
                    contest.add_deal(std::slice::from_ref(game));
                }
            }
        }
        contest
    }
}

/// What a damaged database could say.
const WRONG: Refusal = Refusal::NotNow("the event does not fit together");
