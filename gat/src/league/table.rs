//! How a league stands.

use super::{LeagueFile, LeagueGame, LeagueOutcome};
use comfy_table::{CellAlignment, Table, presets};
use oboro_lab::{ABSENT, Contest, FORFEITED, GameResult, Numbers};
use oboro_stats::{Rating, Score};
use serde::Serialize;
use std::fmt;

/// The table of a league, the best first.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct LeagueStandings {
    /// How many games have been played.
    pub games: u64,
    /// How many there will be.
    pub of: u64,
    /// The players, by points.
    pub players: Vec<Standing>,
    /// Whether the results alone determine the ratings; if not, one drawn game against an average
    /// player was added for each.
    pub identifiable: bool,
}

/// One player's line.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Standing {
    /// Its name.
    pub name: String,
    /// 3 for a win, 1 for a draw, 0 for a loss.
    pub points: u64,
    /// Games, won, drawn and lost.
    pub score: Score,
    /// Games it lost by illegal lines, time, crashes and the like, games that neither came to
    /// included.
    pub faults: u64,
    /// Its rating.
    pub elo: Rating,
    /// What it made against each player, in the order of this table; nothing against itself.
    pub against: Vec<Option<Score>>,
}

impl LeagueStandings {
    /// Counts games.
    pub fn new(league: &LeagueFile, games: &[LeagueGame]) -> LeagueStandings {
        let n = league.players.len();
        let mut contest = Contest::new(n);
        for game in games {
            contest.add_deal(&[result(league, game)]);
        }
        let ratings = contest.ratings();
        let points = |i: usize| 3 * contest.total(i).wins + contest.total(i).draws;
        let mut order: Vec<usize> = (0..n).collect();
        let elo = |i: usize| ratings.players[i].elo;
        order.sort_by(|&i, &j| points(j).cmp(&points(i)).then(elo(j).total_cmp(&elo(i))));
        let players = order
            .iter()
            .map(|&i| Standing {
                name: league.players[i].name.clone(),
                points: points(i),
                score: contest.total(i),
                faults: contest.faults()[i],
                elo: ratings.players[i],
                against: order.iter().map(|&j| (i != j).then(|| contest.score(i, j))).collect(),
            })
            .collect();
        LeagueStandings {
            games: games.len() as u64,
            of: league.schedule().len() as u64,
            players,
            identifiable: ratings.identifiable,
        }
    }

    /// The table as JSON.
    pub fn json(&self) -> String {
        oboro_store::pretty(self)
    }
}

impl fmt::Display for LeagueStandings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut table = Table::new();
        table.load_style(presets::UTF8_FULL_CONDENSED);
        let mut header: Vec<String> =
            ["", "player", "points", "won-drawn-lost", "faults", "Elo (95 %)"]
                .map(str::to_owned)
                .to_vec();
        header.extend((1..=self.players.len()).map(|rank| format!("v {rank}")));
        let columns = header.len();
        table.set_header(header);
        for (rank, player) in self.players.iter().enumerate() {
            let elo = player.elo;
            let mut row = vec![
                (rank + 1).to_string(),
                player.name.clone(),
                player.points.to_string(),
                triple(player.score),
                player.faults.to_string(),
                format!("{:+.0} ({:+.0} to {:+.0})", elo.elo, elo.interval.low, elo.interval.high),
            ];
            let against = player.against.iter();
            row.extend(against.map(|score| score.map_or_else(String::new, triple)));
            table.add_row(row);
        }
        for column in (0..columns).filter(|&column| column != 1) {
            if let Some(column) = table.column_mut(column) {
                column.set_cell_alignment(CellAlignment::Right);
            }
        }
        writeln!(f, "{table}")?;
        write!(f, "{} of {} games; a win counts 3 points, a draw 1", self.games, self.of)?;
        if !self.identifiable {
            write!(
                f,
                "\nsome players never lost or never made a point: for the ratings one draw against an average player was added for each"
            )?;
        }
        Ok(())
    }
}

/// A game as all contests count it.
fn result(league: &LeagueFile, game: &LeagueGame) -> GameResult {
    let index = |name: &str| {
        let found = league.players.iter().position(|player| player.name == name);
        found.expect("games were checked against the league's players")
    };
    let (payoffs, mark) = match game.outcome {
        LeagueOutcome::First => ([1.0, 0.0], game.forfeit.then_some((FORFEITED, [0.0, 1.0]))),
        LeagueOutcome::Second => ([0.0, 1.0], game.forfeit.then_some((FORFEITED, [1.0, 0.0]))),
        LeagueOutcome::Draw => ([0.5, 0.5], None),
        LeagueOutcome::None => ([0.0, 0.0], Some((ABSENT, [1.0, 1.0]))),
    };
    let fact = |(name, seats): (&str, [f64; 2])| (name.to_owned(), Numbers::Seats(seats.to_vec()));
    GameResult {
        n: game.n,
        seats: vec![index(&game.first), index(&game.second)],
        payoffs: payoffs.to_vec(),
        plies: game.plies.into(),
        facts: mark.map(fact).into_iter().collect(),
        forfeit: game.forfeit.then(|| game.how.clone()),
    }
}

fn triple(score: Score) -> String {
    format!("{}-{}-{}", score.wins, score.draws, score.losses)
}
