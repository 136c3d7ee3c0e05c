//! How an event stands: points, faults and ratings.

use crate::GameResult;
use oboro_core::Scoring;
use oboro_stats::{Confidence, CrossTable, Interval, Ratings, Score};
use serde::Serialize;

/// The fact of a game that tells who gave it up.
pub const FORFEITED: &str = "forfeited";
/// The fact of a game that tells who never came to it.
pub const ABSENT: &str = "absent";

/// By what an event is decided.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum EventScoring {
    /// By games won: they are points, and ratings are in Elo points.
    #[default]
    Outcomes,
    /// By the mean payoff a game, as in poker. Who wins more games may be paid less, so that there is no Elo.
    Payoffs,
    /// By games won, and nobody is rated: there are several games, and in some of them payoffs count, which cannot be
    /// added to those of others.
    Mixed,
}

impl EventScoring {
    /// By what an event of these games is decided.
    pub fn of(games: &[Scoring]) -> EventScoring {
        if games.iter().all(|game| *game == Scoring::Outcomes) {
            EventScoring::Outcomes
        } else if games.len() == 1 {
            EventScoring::Payoffs
        } else {
            EventScoring::Mixed
        }
    }
}

/// What everybody made of everybody.
///
/// At a table of k, the points of a game are the share of the others whom somebody beat, a tie counting half: two make 1
/// and 0 of it, or a half each. Whoever gave the game up comes last. Whoever never came makes nothing of it, and
/// neither that nor what others made against them says anything about strength: ratings leave it out.
///
/// Where [payoffs count](EventScoring::Payoffs) they are the points. Whoever never came is paid what the worst seat of that
/// game was.
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
    scoring: EventScoring,
    points: Vec<f64>,
    /// By player and deal: what it was paid in how many games.
    paid: Vec<Vec<(f64, f64)>>,
    games: Vec<u64>,
    faults: Vec<u64>,
    scores: Vec<Vec<Score>>,
    cross: CrossTable,
}

impl Standings {
    /// So many players, without games yet, of which games won count.
    pub fn new(players: usize) -> Standings {
        Standings {
            scoring: EventScoring::Outcomes,
            points: vec![0.0; players],
            paid: vec![Vec::new(); players],
            games: vec![0; players],
            faults: vec![0; players],
            scores: vec![vec![Score::default(); players]; players],
            cross: CrossTable::new(players),
        }
    }

    /// The same before the first game, where something else counts.
    #[must_use]
    pub fn scoring(self, scoring: EventScoring) -> Standings {
        Standings { scoring, ..self }
    }

    /// Adds the games of one deal, played with rotated seats or just once. For the ratings they are one trial, since they
    /// share the luck of the cards.
    ///
    /// # Panics
    /// If a game names a player that there is not.
    pub fn add_deal<'a>(&mut self, deal: impl IntoIterator<Item = &'a GameResult>) {
        let mut meetings: Vec<Meeting> = Vec::new();
        let mut paid = vec![(0.0, 0.0); self.points.len()];
        for game in deal {
            self.add_game(game, &mut meetings);
            add_payoffs(game, &mut paid);
        }
        for (player, paid) in paid.into_iter().enumerate().filter(|(_, (_, games))| *games > 0.0) {
            if self.scoring == EventScoring::Payoffs {
                self.points[player] += paid.0;
            }
            self.paid[player].push(paid);
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
                if self.scoring != EventScoring::Payoffs {
                    self.points[i] += score.points() / others;
                    self.points[j] += score.reversed().points() / others;
                }
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

    /// The mean payoff of a player a game, and its 95 % interval, of which the unit is a deal; no interval below two.
    fn payoff(&self, player: usize) -> Option<(f64, Option<Interval>)> {
        let deals = &self.paid[player];
        let (sum, games) =
            deals.iter().fold((0.0, 0.0), |sum, deal| (sum.0 + deal.0, sum.1 + deal.1));
        if games == 0.0 {
            return None;
        }
        let (mean, n) = (sum / games, deals.len() as f64);
        let squares: f64 = deals.iter().map(|(paid, games)| (paid - mean * games).powi(2)).sum();
        let interval = (deals.len() > 1).then(|| {
            let error = (squares * n / (n - 1.0)).sqrt() / games;
            Interval::around(mean, error * Confidence::P95.t(n - 1.0))
        });
        Some((mean, interval))
    }

    /// How everybody stands, by points and then by rating, the best first; and whether the results alone determine the
    /// ratings. `points` says what counts as points.
    pub fn ranking(&self, points: impl Fn(&Standing) -> f64) -> (Vec<Standing>, bool) {
        let rated = self.scoring == EventScoring::Outcomes;
        let ratings = rated.then(|| self.cross.ratings(Confidence::P95));
        let standing = |entrant: usize| {
            let Score { wins, draws, losses } = self.total(entrant);
            let rating = ratings.as_ref().map(|ratings| &ratings.players[entrant]);
            let counts = self.scoring == EventScoring::Payoffs;
            let payoff = self.payoff(entrant).filter(|_| counts);
            Standing {
                entrant,
                points: self.points[entrant],
                games: self.games[entrant],
                won: wins,
                drawn: draws,
                lost: losses,
                faults: self.faults[entrant],
                elo: rating.map(|rating| rating.elo),
                payoff: payoff.map(|(payoff, _)| payoff),
                interval: rating
                    .map(|rating| rating.interval)
                    .or(payoff.and_then(|(_, interval)| interval)),
            }
        };
        let mut standings: Vec<Standing> = (0..self.points.len()).map(standing).collect();
        let rating = |one: &Standing| one.elo.or(one.payoff).unwrap_or(0.0);
        standings
            .sort_by(|a, b| points(b).total_cmp(&points(a)).then(rating(b).total_cmp(&rating(a))));
        (standings, ratings.is_none_or(|Ratings { identifiable, .. }| identifiable))
    }
}

/// How one player stands.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Standing {
    /// The player's number.
    pub entrant: usize,
    /// The points of all games; where payoffs count, all that the player was paid.
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
    /// Where games won count, the rating in Elo points; the mean of all players is 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub elo: Option<f64>,
    /// Where payoffs count, their mean a game; absent before the first game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub payoff: Option<f64>,
    /// The 95 % interval of the rating or the mean; absent where there is none, and for payoffs of a single deal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interval: Option<Interval>,
}

impl Standing {
    /// What decides: the mean payoff where payoffs count, and points elsewhere.
    pub fn decisive(&self) -> f64 {
        self.payoff.unwrap_or(self.points)
    }
}

/// Adds what every player of a game was paid, on average over its seats, and that it was a game. Whoever never came is
/// paid what the worst seat was.
fn add_payoffs(game: &GameResult, paid: &mut [(f64, f64)]) {
    let absent = game.marks(ABSENT);
    let worst = game.payoffs.iter().copied().fold(f64::INFINITY, f64::min);
    let seats = game.seats.iter().zip(&game.payoffs).zip(&absent);
    for ((&player, payoff), absent) in seats {
        let share = 1.0 / game.seats.iter().filter(|one| **one == player).count() as f64;
        paid[player].0 += share * if *absent { worst } else { *payoff };
        paid[player].1 += share;
    }
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
    fn where_payoffs_count_who_wins_more_games_may_come_last() {
        let play = |scoring| {
            let mut standings = Standings::new(2).scoring(scoring);
            for _ in 0..4 {
                let small = [game(&[0, 1], &[1.0, -1.0]), game(&[1, 0], &[-1.0, 1.0])];
                let large = [game(&[0, 1], &[1.0, -1.0]), game(&[1, 0], &[13.0, -13.0])];
                standings.add_deal(&small);
                standings.add_deal(&large);
            }
            standings
        };
        let (won, _) = play(EventScoring::Outcomes).ranking(|one| one.points);
        assert_eq!((won[0].entrant, won[0].points, won[0].payoff), (0, 12.0, None));
        assert!(won[0].elo > Some(0.0));
        let standings = play(EventScoring::Payoffs);
        let (paid, identifiable) = standings.ranking(Standing::decisive);
        let [first, last] = paid[..] else { panic!("two players") };
        assert!((first.entrant, first.won, last.won, identifiable) == (1, 4, 12, true));
        assert_eq!((first.points, first.payoff, first.elo), (40.0, Some(2.5), None));
        // By deals: −1 and 6 a game, four times each.
        let Interval { low, high } = first.interval.unwrap();
        assert!((low + high - 5.0).abs() < 1e-9 && (high - 2.5 - 3.128).abs() < 1e-3, "{high}");
        let (mixed, _) = play(EventScoring::Mixed).ranking(Standing::decisive);
        assert_eq!((mixed[0].entrant, mixed[0].points), (0, 12.0));
        assert_eq!((mixed[0].elo, mixed[0].payoff, mixed[0].interval), (None, None, None));
    }

    #[test]
    fn whoever_never_came_is_paid_like_the_worst() {
        let mut standings = Standings::new(2).scoring(EventScoring::Payoffs);
        standings.add_deal(&[with(ABSENT, &[1.0, 0.0], game(&[0, 1], &[2.0, -2.0]))]);
        assert_eq!(standings.points(), [-2.0, -2.0]);
        let (standings, _) = standings.ranking(Standing::decisive);
        assert!(standings.iter().all(|one| one.interval.is_none()), "a single deal");
    }

    #[test]
    fn payoffs_of_one_game_count_and_those_of_several_are_not_added() {
        let (won, paid) = (Scoring::Outcomes, Scoring::Payoffs);
        assert_eq!(EventScoring::of(&[won, won]), EventScoring::Outcomes);
        assert_eq!(EventScoring::of(&[paid]), EventScoring::Payoffs);
        assert_eq!(EventScoring::of(&[paid, paid]), EventScoring::Mixed);
        assert_eq!(EventScoring::of(&[won, paid]), EventScoring::Mixed);
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
