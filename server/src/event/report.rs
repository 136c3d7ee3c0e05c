//! An event as everybody may see it.

use super::state::{Board, EventState, Stage, Who};
use super::{Event, EventKind, EventPlan};
use oboro_lab::{ABSENT, Contest, GameResult, Numbers};
use oboro_stats::Interval;
use serde::Serialize;
use std::sync::{Arc, PoisonError};

/// An event in the list.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct Listed {
    event: String,
    name: String,
    kind: EventKind,
    stage: Stage,
    games: Vec<String>,
    entrants: usize,
    round: usize,
    rounds: Option<usize>,
}

/// Everything that everybody may know of an event.
#[derive(Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) struct Report<'a> {
    event: &'a str,
    stage: Stage,
    plan: &'a EventPlan,
    /// How many sit at a table of each game.
    seats: Vec<usize>,
    /// The agent of the house at each game.
    house: Vec<String>,
    entrants: Vec<EntrantReport<'a>>,
    /// The best first; the house last.
    standings: Vec<Standing>,
    /// Whether the results alone determine the ratings.
    identifiable: bool,
    rounds_planned: Option<usize>,
    rounds: Vec<RoundReport>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
struct EntrantReport<'a> {
    name: &'a str,
    /// An agent's spec; none for a person.
    agent: Option<&'a str>,
    left: bool,
}

/// How somebody stands.
#[derive(Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
struct Standing {
    /// Their number; that of the house is none's.
    entrant: usize,
    points: f64,
    games: u64,
    won: u64,
    drawn: u64,
    lost: u64,
    faults: u64,
    elo: f64,
    interval: Interval,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
struct RoundReport {
    game: usize,
    boards: Vec<BoardReport>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
struct BoardReport {
    /// Who meets; none is the house.
    players: Vec<Option<usize>>,
    games: Vec<GameReport>,
    /// How many games they play.
    of: usize,
    /// What each of the players has made of the games so far.
    points: Vec<f64>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
struct GameReport {
    table: String,
    seats: Vec<Option<usize>>,
    payoffs: Option<Vec<f64>>,
    forfeit: Option<String>,
    absent: Vec<bool>,
}

impl Event {
    /// The event in the list; nothing if it is not to stand there.
    pub(crate) fn listed(&self) -> Option<Listed> {
        let state = self.lock();
        let plan = state.plan();
        plan.listed.then(|| Listed {
            event: self.name.clone(),
            name: plan.name.clone(),
            kind: plan.kind,
            stage: state.stage,
            games: plan.games.iter().map(|game| game.name.clone()).collect(),
            entrants: state.entrants.len(),
            round: state.rounds.len(),
            rounds: state.rounds_planned(),
        })
    }

    /// Everything that everybody may know, as JSON; for which deeds of which telling, and the number of whoever asks with
    /// a secret.
    pub(crate) fn report(&self, key: Option<&str>) -> (Arc<str>, u64, u64, Option<usize>) {
        let state = self.lock();
        let you = key.and_then(|key| state.find(key));
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        let (deeds, epoch) = (state.deeds, state.epoch);
        let text = match &*told {
            Some((for_deeds, for_epoch, text)) if (*for_deeds, *for_epoch) == (deeds, epoch) => {
                Arc::clone(text)
            }
            _ => {
                let text = serde_json::to_string(&report(&self.name, &state));
                let text: Arc<str> = text.expect("reports have a JSON form").into();
                *told = Some((deeds, epoch, Arc::clone(&text)));
                text
            }
        };
        (text, deeds, epoch, you)
    }
}

/// Everything that everybody may know of an event.
pub(super) fn report<'a>(event: &'a str, state: &'a EventState) -> Report<'a> {
    let plan = state.plan();
    let contest = state.contest();
    let (standings, identifiable) = standings(state, &contest);
    Report {
        event,
        stage: state.stage,
        plan,
        seats: plan.games.iter().map(super::EventGame::seats).collect(),
        house: plan.games.iter().map(|game| plan.house(game)).collect(),
        entrants: state
            .entrants
            .iter()
            .map(|one| EntrantReport {
                name: &one.name,
                agent: if let Who::Agent(spec) = &one.who { Some(spec) } else { None },
                left: one.left,
            })
            .collect(),
        standings,
        identifiable,
        rounds_planned: state.rounds_planned(),
        rounds: state
            .rounds
            .iter()
            .map(|round| RoundReport {
                game: round.game,
                boards: round.boards.iter().map(|one| board(state, one)).collect(),
            })
            .collect(),
    }
}

fn standings(state: &EventState, contest: &Contest) -> (Vec<Standing>, bool) {
    let ratings = contest.ratings();
    let house = state.house();
    let standing = |entrant: usize| {
        let total = contest.total(entrant);
        let rating = ratings.players[entrant];
        Standing {
            entrant,
            points: contest.points()[entrant],
            games: contest.games()[entrant],
            won: total.wins,
            drawn: total.draws,
            lost: total.losses,
            faults: contest.faults()[entrant],
            elo: rating.elo,
            interval: rating.interval,
        }
    };
    let mut standings: Vec<Standing> = (0..house).map(standing).collect();
    standings.sort_by(|a, b| b.points.total_cmp(&a.points).then(b.elo.total_cmp(&a.elo)));
    if contest.games()[house] > 0 {
        standings.push(standing(house));
    }
    (standings, ratings.identifiable)
}

fn board(state: &EventState, board: &Board) -> BoardReport {
    let mut contest = Contest::new(state.house() + 1);
    for game in board.games.iter().filter_map(|game| game.result.as_ref()) {
        contest.add_deal(std::slice::from_ref(game));
    }
    let points = |player: &Option<usize>| contest.points()[player.unwrap_or(state.house())];
    let marks = |result: &GameResult| match result.facts.get(ABSENT) {
        Some(Numbers::Seats(marks)) => marks.iter().map(|mark| *mark > 0.0).collect(),
        _ => vec![false; result.seats.len()],
    };
    BoardReport {
        of: state.plan().meeting(board.players.len()),
        points: board.players.iter().map(points).collect(),
        games: board
            .games
            .iter()
            .map(|game| GameReport {
                table: game.table.clone(),
                seats: game.seats.clone(),
                payoffs: game.result.as_ref().map(|result| result.payoffs.clone()),
                forfeit: game.result.as_ref().and_then(|result| result.forfeit.clone()),
                absent: game.result.as_ref().map_or_else(Vec::new, marks),
            })
            .collect(),
        players: board.players.clone(),
    }
}
