//! How far an event is, and what is due next.

use super::change::{EventChange, EventError, Round};
use super::{EventScoring, History, Standings, Table, all_pairs, rotated, round_robin};
use crate::GameResult;
use oboro_core::Seed;
use serde::{Deserialize, Serialize};

/// Who meets whom.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EventKind {
    /// Everybody meets everybody, in as many rounds as that needs.
    #[default]
    RoundRobin,
    /// Everybody meets others who stand alike.
    Swiss,
    /// Every round has all pairs, one after another: leagues of programs, which play one game at a time.
    #[serde(skip)]
    AllPairs,
}

/// How an event is played; a round robin of agents unless it says otherwise.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EventFormat {
    /// Who meets whom.
    pub kind: EventKind,
    /// How many rounds; a round robin has as many as it needs.
    pub rounds: Option<u32>,
    /// Games of those who meet, everybody one seat further on each time: two for two players and one for more, if
    /// it is left out.
    pub games_per_meeting: Option<u32>,
    /// How many sit at a table of each game.
    pub seats: Vec<usize>,
    /// By what it is decided.
    pub scoring: EventScoring,
    /// How many people may enter.
    pub people: usize,
    /// The event begins by itself with so many people; without any it begins at once.
    pub begin_with: Option<usize>,
    /// Meetings in a row that an entrant may miss before it is taken out; none: it stays to the end.
    pub patience: Option<u32>,
    /// Whether agents who meet play the same deal again from every seat; people get a new one each time.
    pub repeat_deals: bool,
}

impl EventFormat {
    /// How many games those at a table of so many seats play in a row.
    pub fn meeting(&self, seats: usize) -> usize {
        self.games_per_meeting.map_or(if seats == 2 { 2 } else { 1 }, |games| games as usize)
    }
}

/// How far an event is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stage {
    /// People enter.
    #[serde(rename = "gathering")]
    Registration,
    /// It is played.
    Running,
    /// It is over.
    Over,
}

/// Somebody who takes part.
#[derive(Clone, PartialEq, Debug)]
pub struct Entrant<P = ()> {
    /// The name in the event.
    pub name: String,
    /// Who it is.
    pub player: Player<P>,
    /// Whether the entrant has left.
    pub left: bool,
    /// Meetings missed in a row.
    pub(super) missed: u32,
}

/// A person or an agent.
#[derive(Clone, PartialEq, Debug)]
pub enum Player<P = ()> {
    /// An agent or a program, and what names it.
    Agent(String),
    /// A person, and what identifies them.
    Person(P),
}

impl<P> Entrant<P> {
    pub(super) fn new(name: String, player: Player<P>) -> Entrant<P> {
        Entrant { name, player, left: false, missed: 0 }
    }

    /// An agent or a program.
    pub fn agent(name: &str, spec: &str) -> Entrant<P> {
        Entrant::new(name.to_owned(), Player::Agent(spec.to_owned()))
    }
}

/// A round that has begun.
#[derive(Clone, PartialEq, Debug)]
pub struct PlayedRound {
    /// The game's number.
    pub game: usize,
    /// The boards.
    pub boards: Vec<Board>,
}

/// Those who meet, and their games.
#[derive(Clone, PartialEq, Debug)]
pub struct Board {
    /// Who meets.
    pub players: Table,
    /// Their games so far; at most the last one is in progress.
    pub games: Vec<BoardGame>,
}

/// One game of a board.
#[derive(Clone, PartialEq, Debug)]
pub struct BoardGame {
    /// The table's name.
    pub table: String,
    /// Who sits where.
    pub seats: Table,
    /// The result, once there is one.
    pub result: Option<GameResult>,
}

impl Board {
    /// The results so far.
    pub fn results(&self) -> impl Iterator<Item = &GameResult> {
        self.games.iter().filter_map(|game| game.result.as_ref())
    }
}

/// What is due at an event.
#[derive(Clone, PartialEq, Debug)]
pub enum Due<P = ()> {
    /// A change to apply.
    Change(EventChange<P>),
    /// A game to play, at a board of the last round.
    #[allow(missing_docs, reason = "the fields are what their names say")]
    Game { board: usize, seats: Table },
}

/// An event; `P` is what identifies a person.
#[derive(Clone, PartialEq, Debug)]
pub struct Event<P = ()> {
    pub(super) format: EventFormat,
    seed: Seed,
    pub(super) stage: Stage,
    pub(super) entrants: Vec<Entrant<P>>,
    pub(super) schedule: Vec<Round>,
    pub(super) rounds: Vec<PlayedRound>,
    pub(super) changes: u64,
}

impl<P: Clone + PartialEq> Event<P> {
    /// An event to which nobody but these has come.
    pub fn new(format: EventFormat, seed: Seed, entrants: Vec<Entrant<P>>) -> Event<P> {
        Event {
            format,
            seed,
            stage: Stage::Registration,
            entrants,
            schedule: Vec::new(),
            rounds: Vec::new(),
            changes: 0,
        }
    }

    /// How far it is.
    pub fn stage(&self) -> Stage {
        self.stage
    }

    /// Who takes part, those who have left included.
    pub fn entrants(&self) -> &[Entrant<P>] {
        &self.entrants
    }

    /// The rounds that have begun.
    pub fn rounds(&self) -> &[PlayedRound] {
        &self.rounds
    }

    /// How many changes were applied.
    pub fn changes(&self) -> u64 {
        self.changes
    }

    /// The seed of a named part of this event.
    pub fn seed(&self, part: &str) -> Seed {
        self.seed.child(part)
    }

    fn people(&self) -> usize {
        self.entrants.iter().filter(|one| matches!(one.player, Player::Person(_))).count()
    }

    /// Checks that a person may enter under a name.
    ///
    /// # Errors
    /// Why not.
    pub fn check_entry(&self, name: &str, person: &P) -> Result<(), EventError> {
        let refused = if name.is_empty() {
            "say your name"
        } else if self.stage != Stage::Registration {
            "the event has begun: nobody can enter any more"
        } else if self.entrants.iter().any(|one| one.name.to_lowercase() == name.to_lowercase()) {
            "somebody here has this name already"
        } else if self.entrants.iter().any(|one| one.player == Player::Person(person.clone())) {
            "you have entered already"
        } else if self.people() >= self.format.people {
            "all places of this event are taken"
        } else {
            return Ok(());
        };
        Err(EventError(refused))
    }

    /// The change that begins the event.
    ///
    /// # Errors
    /// If it cannot begin.
    pub fn begin(&self) -> Result<EventChange<P>, EventError> {
        if self.stage != Stage::Registration {
            return Err(EventError("the event has begun already"));
        }
        let players = self.entrants.len();
        if players < 2 {
            return Err(EventError("an event needs two who take part"));
        }
        let mut schedule = Vec::new();
        for (game, &seats) in self.format.seats.iter().enumerate() {
            let rounds = match self.format.kind {
                EventKind::Swiss => Vec::new(),
                EventKind::RoundRobin => {
                    let mut rng = self.seed(&format!("schedule {game}")).game(0, 0).seating();
                    round_robin(players, seats, &mut rng)
                }
                EventKind::AllPairs => {
                    let pairs = all_pairs(players).map(|pair| pair.map(Some).to_vec()).collect();
                    vec![pairs; self.format.rounds.unwrap_or(1) as usize]
                }
            };
            schedule.extend(rounds.into_iter().map(|tables| Round { game, tables }));
        }
        Ok(EventChange::Begin { schedule })
    }

    /// Whether it is to begin by itself now.
    fn begins_now(&self) -> bool {
        let enough = self.format.begin_with.is_some_and(|enough| self.people() >= enough);
        self.stage == Stage::Registration && (enough || self.format.people == 0)
    }

    /// How many rounds it will have, as far as that is known.
    pub fn rounds_planned(&self) -> Option<usize> {
        match self.format.kind {
            EventKind::Swiss => self.format.rounds.map(|rounds| rounds as usize),
            _ => (self.stage != Stage::Registration).then_some(self.schedule.len()),
        }
    }

    /// What is due: a change, or the next game; `room` says whether there may be room for another table.
    pub fn due(&self, room: bool) -> Option<Due<P>> {
        match self.stage {
            Stage::Registration if self.begins_now() => {
                return self.begin().ok().map(Due::Change);
            }
            Stage::Registration | Stage::Over => return None,
            Stage::Running => {}
        }
        let boards = self.rounds.last().map_or(0, |round| round.boards.len());
        let next = |board| Some(Due::Game { board, seats: self.next_seats(board)? });
        if let Some(game) = (0..boards).filter(|_| room).find_map(next) {
            return Some(game);
        }
        if let Some(entrant) = self.absentee() {
            return Some(Due::Change(EventChange::Leave { entrant }));
        }
        self.round_is_over().then(|| Due::Change(self.next_round()))
    }

    /// Applies every change that is due; gives the board and the seats of the next game, or nothing at the end.
    pub fn advance(&mut self) -> Option<(usize, Table)> {
        loop {
            match self.due(true)? {
                Due::Game { board, seats } => return Some((board, seats)),
                Due::Change(change) => self.apply(&change).ok()?,
            }
        }
    }

    /// An entrant who has missed too much and is not yet taken out.
    fn absentee(&self) -> Option<usize> {
        let patience = self.format.patience?;
        self.entrants.iter().position(|one| !one.left && one.missed >= patience)
    }

    /// What comes when all games of the last round are over: the next round, or the end.
    fn next_round(&self) -> EventChange<P> {
        let number = self.rounds.len();
        let active: Vec<usize> =
            (0..self.entrants.len()).filter(|&one| !self.entrants[one].left).collect();
        if active.len() < 2 || self.rounds_planned().is_none_or(|rounds| number >= rounds) {
            return EventChange::End {};
        }
        if let Some(round) = self.schedule.get(number) {
            // The house plays for those who have left.
            let stays = |player: Option<usize>| player.filter(|one| active.contains(one));
            let table = |table: &Table| table.iter().map(|player| stays(*player)).collect();
            let mut tables: Vec<Table> = round.tables.iter().map(table).collect();
            tables.retain(|table| table.iter().any(Option::is_some));
            return EventChange::Round { round: Round { game: round.game, tables } };
        }
        let mut history = History::new(self.entrants.len());
        for board in self.boards() {
            history.add(&board.players);
        }
        let game = number % self.format.seats.len();
        let standings = self.standings();
        let mut rng = self.seed(&format!("round {number}")).game(0, 0).seating();
        let points = Some(standings.points());
        let tables = history.tables(&active, self.format.seats[game], points, &mut rng);
        EventChange::Round { round: Round { game, tables } }
    }

    /// The seats of the next game of a board, if there is to be one.
    fn next_seats(&self, board: usize) -> Option<Table> {
        let Board { players, games } = self.rounds.last()?.boards.get(board)?;
        let played = games.iter().all(|game| game.result.is_some());
        let meeting = self.format.meeting(players.len());
        (played && games.len() < meeting).then(|| rotated(players, games.len()))
    }

    fn round_is_over(&self) -> bool {
        let is_over =
            |board: &Board| board.results().count() >= self.format.meeting(board.players.len());
        self.rounds.last().is_none_or(|round| round.boards.iter().all(is_over))
    }

    /// Whether the games of these players share a deal.
    pub fn shares_deal(&self, players: &Table) -> bool {
        let is_agent = |one: usize| matches!(self.entrants[one].player, Player::Agent(_));
        self.format.repeat_deals && players.iter().flatten().all(|&one| is_agent(one))
    }

    fn boards(&self) -> impl Iterator<Item = &Board> {
        self.rounds.iter().flat_map(|round| &round.boards)
    }

    /// All results, in the order of rounds and boards.
    pub fn results(&self) -> impl Iterator<Item = &GameResult> {
        self.boards().flat_map(Board::results)
    }

    /// The number of the house in results: it comes after all entrants.
    pub fn house(&self) -> usize {
        self.entrants.len()
    }

    /// How it stands. The house is the last player if it has played: one without games would make the ratings
    /// undetermined.
    pub fn standings(&self) -> Standings {
        let house = self.house();
        let has_played = self.results().any(|game| game.seats.contains(&house));
        let players = house + usize::from(has_played);
        let mut standings = Standings::new(players).scoring(self.format.scoring);
        for board in self.boards() {
            let results: Vec<&GameResult> = board.results().collect();
            let deal = if self.shares_deal(&board.players) { results.len().max(1) } else { 1 };
            for games in results.chunks(deal) {
                standings.add_deal(games.iter().copied());
            }
        }
        standings
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Plays every game that is due; the lower number wins.
    fn play(event: &mut Event, games: usize) -> usize {
        for played in 0..games {
            let Some((board, seats)) = event.advance() else { return played };
            let house = event.house();
            let players: Vec<usize> = seats.iter().map(|one| one.unwrap_or(house)).collect();
            let result = GameResult {
                n: played as u64,
                payoffs: players.iter().map(|&one| -(one as f64)).collect(),
                seats: players,
                plies: 1,
                facts: std::collections::BTreeMap::new(),
                forfeit: None,
            };
            let open = EventChange::Open { board, table: String::new(), seats };
            event.apply(&open).unwrap();
            event.apply(&EventChange::Over { board, result }).unwrap();
        }
        games
    }

    fn event(kind: EventKind, rounds: Option<u32>, entrants: usize) -> Event {
        let format = EventFormat { kind, rounds, seats: vec![2], ..EventFormat::default() };
        let agent = |number: usize| Entrant::agent(&number.to_string(), "random");
        Event::new(format, Seed::from_u64(1), (0..entrants).map(agent).collect())
    }

    #[test]
    fn every_kind_ends_and_the_house_is_rated_only_if_it_played() {
        for (kind, rounds, entrants, games, rated) in [
            (EventKind::AllPairs, Some(3), 4, 3 * 6 * 2, 4),
            (EventKind::RoundRobin, None, 4, 3 * 2 * 2, 4),
            (EventKind::RoundRobin, None, 5, 5 * 3 * 2, 6),
            (EventKind::Swiss, Some(2), 6, 2 * 3 * 2, 6),
        ] {
            let mut event = event(kind, rounds, entrants);
            assert_eq!(play(&mut event, 1000), games, "{kind:?}");
            assert_eq!((event.stage(), event.results().count()), (Stage::Over, games));
            let standings = event.standings();
            assert_eq!(standings.points().len(), rated, "{kind:?}");
            let best = standings.ranking(|standing| standing.points).0[0];
            assert_eq!(standings.points()[0], best.points, "{kind:?}: the strongest");
        }
    }

    #[test]
    fn all_pairs_play_both_sides_in_order() {
        let mut event = event(EventKind::AllPairs, Some(2), 3);
        assert_eq!(play(&mut event, 1000), 12);
        let seats: Vec<&[usize]> = event.results().map(|game| &game.seats[..]).collect();
        assert_eq!(seats[..6], [[0, 1], [1, 0], [0, 2], [2, 0], [1, 2], [2, 1]]);
        assert_eq!(seats[..6], seats[6..]);
    }

    #[test]
    fn whoever_leaves_is_replaced_by_the_house() {
        let mut event = event(EventKind::RoundRobin, None, 4);
        play(&mut event, 4);
        event.apply(&EventChange::Leave { entrant: 3 }).unwrap();
        play(&mut event, 1000);
        let of_leaver = event.results().filter(|game| game.seats.contains(&3)).count();
        let of_house = event.results().filter(|game| game.seats.contains(&4)).count();
        assert_eq!((of_leaver, of_house), (2, 4));
    }

    #[test]
    fn changes_that_do_not_fit_are_refused_and_change_nothing() {
        let mut event = event(EventKind::Swiss, Some(1), 2);
        event.advance().expect("a game");
        let table = |players: &[usize]| players.iter().copied().map(Some).collect::<Table>();
        let round = |game, tables| EventChange::Round { round: Round { game, tables } };
        let open = |board, seats| EventChange::Open { board, table: String::new(), seats };
        let before = event.clone();
        for change in [
            EventChange::Leave { entrant: 2 },
            round(1, vec![table(&[0, 1])]),
            round(0, vec![table(&[0, 2])]),
            round(0, vec![table(&[0, 1, 1])]),
            open(1, table(&[0, 1])),
            open(0, table(&[0, 7])),
            EventChange::Lost { board: 9 },
        ] {
            event.apply(&change).unwrap_err();
            assert_eq!(event, before, "{change:?}");
        }
    }
}
