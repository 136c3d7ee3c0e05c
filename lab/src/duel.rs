//! Two agents compared, deal by deal.

use crate::{GameResult, Match};
use oboro_core::Scoring;
use oboro_stats::{
    Confidence, Decision, Elo, Interval, MeanSprt, Moments, Score, Sprt, SprtError, SprtStatus,
    Trials,
};
use serde::Serialize;

/// What the first of two agents makes of their games.
///
/// With as many seats each, a game is won by the agent whose seats score more on average, and equals make half of the
/// points. With uneven seats there is no such score that equals would share evenly in every game, so the share of wins
/// counts ([`GameResult::win_share`]), of which equals make as much as they have of the seats.
///
/// Games of one deal share the luck of the cards, and of `a b a b` at four seats every other rotation even is the same
/// seating: so a deal is one trial, whose points are the mean of its games'.
///
/// In a game in which [payoffs count](Scoring::Payoffs) it is their difference that is compared, and there is no Elo: who wins
/// more often may well be paid less.
#[derive(Clone, PartialEq, Debug)]
pub struct Duel {
    counts: Scoring,
    games_per_deal: usize,
    /// The first's share of the seats.
    fair: f64,
    score: Score,
    deals: Trials,
    /// By deal, what the first was paid more.
    payoffs: Moments,
    /// The points of the games of a deal that is not finished, and what the first was paid more.
    open: Vec<(f64, f64)>,
}

/// How a duel stands, seen from its first agent.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct DuelSummary {
    /// How many games were played.
    pub games: u64,
    /// How many deals they were.
    pub deals: u64,
    /// The share of the points, by deal.
    pub share: f64,
    /// Its 95 % interval.
    pub interval: Interval,
    /// What equals would make.
    pub fair: f64,
    /// What the first was paid more a game, on average over deals.
    pub payoff: f64,
    /// Its 95 % interval; `None` below two deals.
    pub payoff_interval: Option<Interval>,
}

impl Duel {
    /// A duel without games yet; `None` unless two different agents play.
    pub fn new(the_match: &Match) -> Option<Duel> {
        let [first, _] = the_match.entrants() else { return None };
        let seats = the_match.agents().len();
        let own = the_match.agents().iter().filter(|agent| *agent == first).count();
        Some(Duel {
            counts: the_match.rules().scoring(),
            games_per_deal: the_match.seating().games_per_deal(seats) as usize,
            fair: own as f64 / seats as f64,
            score: Score::default(),
            deals: Trials::default(),
            payoffs: Moments::default(),
            open: Vec::new(),
        })
    }

    /// The duel of a match; `None` unless two different agents play.
    pub fn of(the_match: &Match, results: &[GameResult]) -> Option<Duel> {
        let mut duel = Duel::new(the_match)?;
        for game in results {
            duel.push(game);
        }
        Some(duel)
    }

    /// Takes in the next game; whether a deal is finished with it.
    pub fn push(&mut self, game: &GameResult) -> bool {
        let mean = |entrant| game.mean_of(&game.payoffs, entrant).unwrap_or(0.0);
        let points = match mean(0).total_cmp(&mean(1)) {
            std::cmp::Ordering::Greater => {
                self.score.wins += 1;
                1.0
            }
            std::cmp::Ordering::Equal => {
                self.score.draws += 1;
                0.5
            }
            std::cmp::Ordering::Less => {
                self.score.losses += 1;
                0.0
            }
        };
        let points = if self.is_even() { points } else { game.win_share(0) };
        self.open.push((points, mean(0) - mean(1)));
        let is_finished = self.open.len() >= self.games_per_deal;
        if is_finished {
            let (points, payoff) = self.mean_of_open();
            self.deals.push(points);
            self.payoffs.push(payoff);
            self.open.clear();
        }
        is_finished
    }

    /// The mean points and payoffs of the games of the deal that is not finished.
    fn mean_of_open(&self) -> (f64, f64) {
        let n = self.open.len() as f64;
        let sum = |part: fn(&(f64, f64)) -> f64| self.open.iter().map(part).sum::<f64>() / n;
        (sum(|game| game.0), sum(|game| game.1))
    }

    /// What decides who is stronger in this game.
    pub fn scoring(&self) -> Scoring {
        self.counts
    }

    /// Whether both have as many seats.
    pub fn is_even(&self) -> bool {
        self.fair == 0.5
    }

    /// What the first would make if the two were equal: its share of the seats.
    pub fn fair(&self) -> f64 {
        self.fair
    }

    /// The deals as trials; one that is not finished counts with the games it has.
    pub fn trials(&self) -> Trials {
        let mut trials = self.deals.clone();
        if !self.open.is_empty() {
            trials.push(self.mean_of_open().0);
        }
        trials
    }

    /// By deal, what the first was paid more than the second.
    pub fn payoffs(&self) -> Moments {
        let mut payoffs = self.payoffs;
        if !self.open.is_empty() {
            payoffs.push(self.mean_of_open().1);
        }
        payoffs
    }

    /// Games in which the first scored more, the same, or less; `None` where payoffs count, and where seats are uneven and
    /// equals would not share them evenly.
    pub fn score(&self) -> Option<Score> {
        (self.counts == Scoring::Outcomes && self.is_even()).then_some(self.score)
    }

    /// The first's Elo above the second's; `None` without games, and where payoffs count.
    pub fn elo(&self) -> Option<Elo> {
        if self.counts == Scoring::Payoffs {
            return None;
        }
        self.trials().elo(self.fair, Confidence::P95)
    }

    /// How it stands; `None` without games.
    pub fn summary(&self) -> Option<DuelSummary> {
        let trials = self.trials();
        Some(DuelSummary {
            games: self.score.n(),
            deals: trials.n(),
            share: trials.share()?,
            interval: trials.interval(Confidence::P95),
            fair: self.fair,
            payoff: self.payoffs().mean()?,
            payoff_interval: self.payoffs().estimate(Confidence::P95)?.interval,
        })
    }
}

impl DuelSummary {
    /// The same seen from the other agent.
    #[must_use]
    pub fn reversed(&self) -> DuelSummary {
        let Interval { low, high } = self.interval;
        let reversed = |Interval { low, high }| Interval { low: -high, high: -low };
        DuelSummary {
            payoff: -self.payoff,
            payoff_interval: self.payoff_interval.map(reversed),
            share: 1.0 - self.share,
            interval: Interval { low: 1.0 - high, high: 1.0 - low },
            fair: 1.0 - self.fair,
            ..*self
        }
    }
}

/// Why two agents cannot be tested.
#[derive(Clone, Copy, PartialEq, Debug, thiserror::Error)]
pub enum TestError {
    /// There are more agents, or just one.
    #[error("a sequential test compares two different agents")]
    NotTwo,
    /// The bounds make no test.
    #[error(transparent)]
    Bounds(#[from] SprtError),
}

/// A sequential test of two agents, deal by deal: it is decided as soon as their games tell one Elo difference from
/// another or, where payoffs count, one mean difference of payoffs.
#[derive(Clone, PartialEq, Debug)]
pub struct SequentialTest {
    duel: Duel,
    sprt: TestKind,
}

#[derive(Clone, PartialEq, Debug)]
enum TestKind {
    Elo(Sprt),
    Payoff(MeanSprt),
}

impl SequentialTest {
    /// A test of a match with 5 % errors either way: is the first `low` stronger, or `high`? In Elo or, where payoffs
    /// count, in payoffs a game.
    ///
    /// # Errors
    /// If there are not two agents, or the bounds make no test.
    pub fn new(the_match: &Match, low: f64, high: f64) -> Result<SequentialTest, TestError> {
        let duel = Duel::new(the_match).ok_or(TestError::NotTwo)?;
        let sprt = match duel.counts {
            Scoring::Outcomes => {
                TestKind::Elo(Sprt::new(low, high, 0.05, 0.05)?.with_fair_share(duel.fair)?)
            }
            Scoring::Payoffs => TestKind::Payoff(MeanSprt::new(low, high, 0.05, 0.05)?),
        };
        Ok(SequentialTest { duel, sprt })
    }

    /// Takes in the next game; whether the test is decided with it. It never is in the middle of a deal.
    pub fn push(&mut self, game: &GameResult) -> bool {
        self.duel.push(game) && self.status().decision != Decision::Continue
    }

    /// What the finished deals say.
    pub fn status(&self) -> SprtStatus {
        match &self.sprt {
            TestKind::Elo(sprt) => sprt.trials_status(&self.duel.deals),
            TestKind::Payoff(sprt) => sprt.status(&self.duel.payoffs),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{MatchPlan, Seating};
    use oboro_core::{Rng, Seed};
    use std::collections::BTreeMap;

    fn the_match(agents: [&str; 4]) -> Match {
        let plan = MatchPlan {
            game: "sevens".to_owned(),
            rules: vec![],
            agents: agents.map(str::to_owned).into(),
            seating: Seating::Rotate,
            seed: Seed::from_u64(1),
            games: 1000,
            allow_oracles: false,
        };
        plan.prepare().unwrap()
    }

    /// Games of a match in which one seat, `winner(deal, game)`, takes everything.
    fn games(
        the_match: &Match,
        deals: u64,
        mut winner: impl FnMut(u64, u64) -> usize,
    ) -> Vec<GameResult> {
        let own = |n: u64, seat: u64| the_match.entrant_of(((seat + n) % 4) as usize);
        let game = |n: u64, winner: usize| GameResult {
            n,
            seats: (0..4).map(|seat| own(n, seat)).collect(),
            payoffs: (0..4).map(|seat| f64::from(u8::from(seat == winner))).collect(),
            plies: 1,
            facts: BTreeMap::new(),
            forfeit: None,
        };
        (0..4 * deals).map(|n| game(n, winner(n / 4, n))).collect()
    }

    /// Three against one, all equally strong, a winner drawn among four: the score by means made +189 Elo of it, and
    /// a test called the three stronger after 88 games.
    #[test]
    fn equal_agents_three_against_one_are_not_called_stronger() {
        let uneven = the_match(["eval", "eval", "eval", "rule"]);
        let mut rng = Rng::from_u64(3);
        let results = games(&uneven, 300, |_, _| rng.below(4));
        let duel = Duel::of(&uneven, &results).unwrap();
        let by_means = duel.score.elo(Confidence::P95).unwrap();
        assert!(by_means.low.unwrap() > 150.0, "what it was: {by_means:?}");
        assert_eq!(duel.score(), None);
        let elo = duel.elo().unwrap();
        assert!(elo.low.unwrap() < 0.0 && elo.high.unwrap() > 0.0, "{elo:?}");
        assert!(elo.difference.unwrap().abs() < 40.0, "{elo:?}");
        let summary = duel.summary().unwrap();
        assert_eq!((summary.fair, summary.deals, summary.games), (0.75, 300, 1200));
        assert!(summary.interval.contains(0.75));
        let mut test = SequentialTest::new(&uneven, 0.0, 60.0).unwrap();
        let end = results.iter().position(|game| test.push(game));
        assert!(end.is_some(), "{:?}", test.status());
        assert_eq!(test.status().decision, Decision::AcceptH0);
    }

    #[test]
    fn a_stronger_one_of_four_is_found_out() {
        let uneven = the_match(["eval", "rule", "rule", "rule"]);
        let mut rng = Rng::from_u64(4);
        // Four times as strong: it wins four games in seven, which are 241 Elo points.
        let results = games(&uneven, 500, |_, n| {
            let own = ((4 - n % 4) % 4) as usize;
            if rng.below(7) < 4 { own } else { (own + 1 + rng.below(3)) % 4 }
        });
        let elo = Duel::of(&uneven, &results).unwrap().elo().unwrap();
        assert!(elo.low.unwrap() < 241.0 && elo.high.unwrap() > 241.0, "{elo:?}");
        let mut test = SequentialTest::new(&uneven, 0.0, 60.0).unwrap();
        assert!(results.iter().any(|game| test.push(game)));
        assert_eq!(test.status().decision, Decision::AcceptH1);
    }

    #[test]
    fn games_that_are_played_twice_do_not_count_twice() {
        let even = the_match(["eval", "rule", "eval", "rule"]);
        let mut rng = Rng::from_u64(5);
        // Agents without chance: the same deal and seating give the same game.
        let mut seats = [0; 2];
        let results = games(&even, 500, |_, n| {
            if n % 4 < 2 {
                seats[(n % 2) as usize] = rng.below(4);
            }
            seats[(n % 2) as usize]
        });
        let duel = Duel::of(&even, &results).unwrap();
        let summary = duel.summary().unwrap();
        assert_eq!((summary.games, summary.deals, summary.fair), (2000, 500, 0.5));
        let by_game = duel.score().unwrap().interval(Confidence::P95);
        let width = |interval: Interval| interval.high - interval.low;
        // Two different games a deal: 1000 of them, not 2000.
        let ratio = width(summary.interval) / width(by_game);
        assert!((1.3..1.5).contains(&ratio), "{ratio}");
    }

    #[test]
    fn a_test_is_decided_at_the_end_of_a_deal_and_needs_two_agents() {
        let even = the_match(["eval", "rule", "eval", "rule"]);
        let results = games(&even, 40, |_, n| (n % 2) as usize);
        let mut test = SequentialTest::new(&even, 0.0, 50.0).unwrap();
        let last = results.iter().position(|game| test.push(game)).unwrap();
        assert_eq!(last % 4, 3, "{last}");
        let one = the_match(["eval", "eval", "eval", "eval"]);
        assert_eq!(SequentialTest::new(&one, 0.0, 50.0), Err(TestError::NotTwo));
        let many = the_match(["eval", "rule", "random", "eval"]);
        assert!(Duel::new(&many).is_none());
        assert!(matches!(SequentialTest::new(&even, 5.0, 0.0), Err(TestError::Bounds(_))));
    }

    /// One side of a bet wins little and often, the other much and seldom: the second is paid more.
    #[test]
    fn where_payoffs_count_the_larger_ones_win() {
        let plan = MatchPlan {
            game: "leduc".to_owned(),
            rules: vec![],
            agents: ["random", "mc"].map(str::to_owned).into(),
            seating: Seating::Rotate,
            seed: Seed::from_u64(1),
            games: 1000,
            allow_oracles: false,
        };
        let leduc = plan.prepare().unwrap();
        let mut rng = Rng::from_u64(6);
        let results: Vec<GameResult> = (0..400u64)
            .map(|n| {
                let (first, second) = if n % 2 == 0 { (0, 1) } else { (1, 0) };
                // The entrant 0 wins one chip of three games in four, and loses seven in the fourth.
                let gain = if rng.below(4) == 0 { -7.0 } else { 1.0 };
                let payoffs = if n % 2 == 0 { vec![gain, -gain] } else { vec![-gain, gain] };
                let seats = vec![first, second];
                let facts = BTreeMap::new();
                GameResult { n, seats, payoffs, plies: 2, facts, forfeit: None }
            })
            .collect();
        let duel = Duel::of(&leduc, &results).unwrap();
        assert_eq!((duel.scoring(), duel.elo(), duel.score()), (Scoring::Payoffs, None, None));
        let summary = duel.summary().unwrap();
        assert!(summary.share > 0.7, "it wins most games: {summary:?}");
        let interval = summary.payoff_interval.unwrap();
        assert!(summary.payoff < -1.0 && interval.high < 0.0, "and is paid less: {summary:?}");
        assert_eq!(summary.reversed().payoff, -summary.payoff);
        let mut test = SequentialTest::new(&leduc, 0.0, 1.0).unwrap();
        assert!(results.iter().any(|game| test.push(game)));
        assert_eq!(test.status().decision, Decision::AcceptH0);
    }
}
