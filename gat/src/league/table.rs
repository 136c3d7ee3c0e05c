//! How a league stands.

use super::LeagueFile;
use comfy_table::{CellAlignment, Table, presets};
use oboro_lab::event::{Event, Standing};
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
    pub players: Vec<LeagueRow>,
    /// Whether the results alone determine the ratings; if not, one drawn game against an average
    /// player was added for each.
    pub identifiable: bool,
}

/// One player's line.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct LeagueRow {
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
    /// How the league stands.
    pub(super) fn new(league: &LeagueFile, event: &Event) -> LeagueStandings {
        let standings = event.standings();
        let points = |one: &Standing| 3 * one.won + one.drawn;
        let (order, identifiable) = standings.ranking(|one| points(one) as f64);
        let row = |one: &Standing| LeagueRow {
            name: league.players[one.entrant].name.clone(),
            points: points(one),
            score: Score { wins: one.won, draws: one.drawn, losses: one.lost },
            faults: one.faults,
            elo: {
                let rating = one.elo.zip(one.interval);
                let (elo, interval) = rating.expect("in Geister games won count");
                Rating { elo, interval }
            },
            against: order
                .iter()
                .map(|other| {
                    let [one, other] = [one.entrant, other.entrant];
                    (one != other).then(|| standings.score(one, other))
                })
                .collect(),
        };
        LeagueStandings {
            games: event.results().count() as u64,
            of: league.total(),
            players: order.iter().map(row).collect(),
            identifiable,
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

fn triple(score: Score) -> String {
    format!("{}-{}-{}", score.wins, score.draws, score.losses)
}
