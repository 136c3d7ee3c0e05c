//! How an event stands: points, faults and ratings.

use crate::GameResult;
use oboro_stats::{Confidence, CrossTable, Interval, Rating, Ratings, Score};
use serde::Serialize;

/// The fact of a game that tells who gave it up.
pub const FORFEITED: &str = "forfeited";
/// The fact of a game that tells who never came to it.
pub const ABSENT: &str = "absent";

/// What everybody made of everybody.
///
/// At a table of k, the points of a game are the share of the others whom somebody beat, a tie counting half: two make 1
/// and 0 of it, or a half each. Whoever gave the game up comes last. Whoever never came makes nothing of it, and
/// neither that nor what others made against them says anything about strength: ratings leave it out.
///
/// ```
/// use oboro_lab::GameResult;
/// use oboro_lab::event::Standings;
/// let game = |payoffs: [f64; 3]| GameResult {
///     n: 0, seats: vec![2, 0, 1], payoffs: payoffs.into(), plies: 9, facts: Default::default(), forfeit: None,
/// };
/// let mut standings = Standings::new(3);
/// standings.add_deal(&[game([1.0, 0.5, 0.5])]);
/// assert_eq!(standings.points(), [0.25, 0.25, 1.0]);
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Standings {
    points: Vec<f64>,
    games: Vec<u64>,
    faults: Vec<u64>,
    scores: Vec<Vec<Score>>,
    cross: CrossTable,
}

impl Standings {
    /// So many players, without games yet.
    pub fn new(players: usize) -> Standings {
        Standings {
            points: vec![0.0; players],
            games: vec![0; players],
            faults: vec![0; players],
            scores: vec![vec![Score::default(); players]; players],
            cross: CrossTable::new(players),
        }
    }

    /// Adds the games of one deal, played with rotated seats or just once. For the ratings they are one trial, since they
    /// share the luck of the cards.
    ///
    /// # Panics
    /// If a game names a player that there is not.
    pub fn add_deal<'a>(&mut self, deal: impl IntoIterator<Item = &'a GameResult>) {
        let mut meetings: Vec<Meeting> = Vec::new();
        for game in deal {
            self.add_game(game, &mut meetings);
        }
        for Meeting { players: [i, j], points, games, weight } in meetings {
            self.cross.add_part(i, j, points / games, weight);
        }
    }

    fn add_game(&mut self, game: &GameResult, meetings: &mut Vec<Meeting>) {
        let others = (game.seats.len() - 1).max(1) as f64;
        let (gone, absent) = (game.marks(FORFEITED), game.marks(ABSENT));
        for (seat, &player) in game.seats.iter().enumerate() {
            self.games[player] += 1;
            self.faults[player] += u64::from(gone[seat] || absent[seat]);
        }
        let key = |seat: usize| (!gone[seat] && !absent[seat], game.payoffs[seat]);
        for (one, &i) in game.seats.iter().enumerate() {
            for (other, &j) in game.seats.iter().enumerate().skip(one + 1) {
                // Nobody beats oneself, and of two who did not come neither gets anything.
                if i == j || (absent[one] && absent[other]) {
                    continue;
                }
                let score = match key(one).partial_cmp(&key(other)) {
                    Some(std::cmp::Ordering::Greater) => Score { wins: 1, ..Score::default() },
                    Some(std::cmp::Ordering::Less) => Score { losses: 1, ..Score::default() },
                    _ => Score { draws: 1, ..Score::default() },
                };
                self.scores[i][j].add(score);
                self.scores[j][i].add(score.reversed());
                self.points[i] += score.points() / others;
                self.points[j] += score.reversed().points() / others;
                if !absent[one] && !absent[other] {
                    meet(meetings, [i, j], score.points(), 1.0 / others);
                }
            }
        }
    }

    /// What everybody has made.
    pub fn points(&self) -> &[f64] {
        &self.points
    }

    /// What `player` made against `opponent`, game by game.
    pub fn score(&self, player: usize, opponent: usize) -> Score {
        self.scores[player][opponent]
    }

    /// What `player` made against everybody together.
    fn total(&self, player: usize) -> Score {
        let mut total = Score::default();
        for score in &self.scores[player] {
            total.add(*score);
        }
        total
    }

    /// How everybody stands, by points and then by rating, the best first; and whether the results alone determine the
    /// ratings. `points` says what counts as points.
    pub fn ranking(&self, points: impl Fn(&Standing) -> f64) -> (Vec<Standing>, bool) {
        let Ratings { players, identifiable, .. } = self.cross.ratings(Confidence::P95);
        let standing = |(entrant, rating): (usize, &Rating)| {
            let Score { wins, draws, losses } = self.total(entrant);
            Standing {
                entrant,
                points: self.points[entrant],
                games: self.games[entrant],
                won: wins,
                drawn: draws,
                lost: losses,
                faults: self.faults[entrant],
                elo: rating.elo,
                interval: rating.interval,
            }
        };
        let mut standings: Vec<Standing> = players.iter().enumerate().map(standing).collect();
        standings.sort_by(|a, b| points(b).total_cmp(&points(a)).then(b.elo.total_cmp(&a.elo)));
        (standings, identifiable)
    }
}

/// How one player stands.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Standing {
    /// The player's number.
    pub entrant: usize,
    /// The points of all games.
    pub points: f64,
    /// How many games.
    pub games: u64,
    /// Players beaten, game by game.
    pub won: u64,
    /// Players tied with.
    pub drawn: u64,
    /// Players lost to.
    pub lost: u64,
    /// Games that were given up, lost by a fault, or missed.
    pub faults: u64,
    /// The rating in Elo points; the mean of all players is 0.
    pub elo: f64,
    /// Its 95 % interval.
    pub interval: Interval,
}

/// What two made against each other in the games of one deal.
struct Meeting {
    players: [usize; 2],
    points: f64,
    games: f64,
    weight: f64,
}

fn meet(meetings: &mut Vec<Meeting>, [i, j]: [usize; 2], points: f64, weight: f64) {
    let (players, points) = if i < j { ([i, j], points) } else { ([j, i], 1.0 - points) };
    match meetings.iter_mut().find(|meeting| meeting.players == players) {
        Some(meeting) => {
            meeting.points += points;
            meeting.games += 1.0;
        }
        None => meetings.push(Meeting { players, points, games: 1.0, weight }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Numbers;
    use std::collections::BTreeMap;

    fn game(seats: &[usize], payoffs: &[f64]) -> GameResult {
        GameResult {
            n: 0,
            seats: seats.into(),
            payoffs: payoffs.into(),
            plies: 1,
            facts: BTreeMap::new(),
            forfeit: None,
        }
    }

    fn with(fact: &str, marks: &[f64], mut game: GameResult) -> GameResult {
        game.facts.insert(fact.to_owned(), Numbers::Seats(marks.into()));
        game
    }

    #[test]
    fn points_are_the_share_of_the_others_that_one_beat() {
        let mut standings = Standings::new(4);
        standings.add_deal(&[game(&[3, 1, 0, 2], &[9.0, 4.0, 4.0, 1.0])]);
        let [a, b, c, d] = standings.points() else { panic!("four players") };
        assert_eq!((a, c, d), (b, &0.0, &1.0));
        assert!((a - 0.5).abs() < 1e-12, "beat one of three and tied with another: {a}");
        assert_eq!(standings.score(0, 1).draws, 1);
        assert_eq!(standings.total(3), Score { wins: 3, ..Score::default() });
    }

    #[test]
    fn whoever_gives_up_comes_last_and_whoever_never_came_is_not_rated() {
        let mut standings = Standings::new(3);
        standings.add_deal(&[with(FORFEITED, &[0.0, 1.0, 0.0], game(&[0, 1, 2], &[0.0; 3]))]);
        assert_eq!(standings.points(), [0.75, 0.0, 0.75]);
        assert_eq!(standings.faults, [0, 1, 0]);
        let rated = standings.cross.clone();
        // An agent won for player 0, who was not there: nothing for it, and its rating stays.
        standings.add_deal(&[with(ABSENT, &[1.0, 0.0], game(&[0, 2], &[1.0, 0.0]))]);
        assert_eq!((standings.points()[0], standings.points()[2]), (0.75, 1.75));
        assert_eq!(standings.cross, rated);
        standings.add_deal(&[with(ABSENT, &[1.0, 1.0], game(&[0, 1], &[1.0, 0.0]))]);
        assert_eq!(standings.points(), [0.75, 0.0, 1.75]);
        assert_eq!(standings.faults, [2, 2, 0]);
    }

    #[test]
    fn a_table_counts_once_for_everybody_and_so_does_a_deal() {
        let width = |standings: &Standings| {
            let interval = standings.cross.ratings(Confidence::P95).players[0].interval;
            interval.high - interval.low
        };
        let both = [game(&[0, 1], &[1.0, 0.0]), game(&[1, 0], &[1.0, 0.0])];
        let (mut one_deal, mut two_deals) = (Standings::new(2), Standings::new(2));
        one_deal.add_deal(&both);
        for game in &both {
            two_deals.add_deal([game]);
        }
        assert_eq!(one_deal.points(), two_deals.points());
        let ratio = width(&one_deal) / width(&two_deals);
        assert!((ratio - 2f64.sqrt()).abs() < 1e-9, "{ratio}");
        // Ten at a table are not nine games each.
        let ten: Vec<usize> = (0..10).collect();
        let payoffs: Vec<f64> = (0..10).map(f64::from).collect();
        let turned: Vec<f64> = payoffs.iter().rev().copied().collect();
        let (mut table, mut pairs) = (Standings::new(10), Standings::new(10));
        for payoffs in [&payoffs, &turned] {
            table.add_deal(&[game(&ten, payoffs)]);
            for i in 0..10 {
                for j in i + 1..10 {
                    pairs.add_deal(&[game(&[i, j], &[payoffs[i], payoffs[j]])]);
                }
            }
        }
        let ratio = width(&table) / width(&pairs);
        assert!((ratio - 3.0).abs() < 1e-6, "{ratio}");
    }
}
