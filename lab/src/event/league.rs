//! Leagues of agents: all pairs, each a match of many games.

use super::all_pairs;
use crate::experiment::{Scales, Wanted};
use crate::{
    BeliefScore, Duel, DuelSummary, GameResult, Manifest, MatchPlan, PlanError, Scale, Seating,
};
use oboro_catalog::AnyRules;
use oboro_core::{Scoring, Seed, SpecError};
use oboro_stats::{Confidence, CrossTable, Interval, PayoffRatings, PayoffTable, Ratings};
use serde::{Deserialize, Serialize};
use std::sync::{Arc, LazyLock};

/// A round robin: every agent meets every other, seats filled in turn (a b a b …) and rotated.
#[derive(Clone, Debug)]
pub struct League {
    /// The agents' canonical specs.
    pub agents: Vec<String>,
    /// The numbers of the agents that meet; the first is the first entrant of their match.
    pub pairs: Vec<[usize; 2]>,
    /// All games of each meeting.
    pub wanted: Vec<Wanted>,
    seed: Seed,
}

/// What a league came to.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct LeagueTable {
    /// The agents' canonical specs.
    pub agents: Vec<String>,
    /// What each made against each other; `None` on the diagonal, and where they have not met.
    pub meetings: Vec<Vec<Option<DuelSummary>>>,
    /// Their ratings; the unit of their intervals is a deal, not a game.
    pub ratings: LeagueRatings,
    /// How good the beliefs of each were in all its games, where they were scored and it said any.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub forecasts: Vec<BeliefScore>,
}

/// The ratings of a league, by what counts in its game.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(tag = "counts", rename_all = "kebab-case")]
pub enum LeagueRatings {
    /// In Elo points, by games won, drawn and lost.
    Outcomes(Ratings),
    /// In payoffs.
    Payoffs(PayoffRatings),
}

impl LeagueRatings {
    /// An agent's rating and its interval, which payoffs of a deal or two do not have.
    pub fn of(&self, agent: usize) -> (f64, Option<Interval>) {
        match self {
            LeagueRatings::Outcomes(ratings) => {
                let rating = &ratings.players[agent];
                (rating.elo, Some(rating.interval))
            }
            LeagueRatings::Payoffs(ratings) => {
                let rating = &ratings.players[agent];
                (rating.payoff, rating.interval)
            }
        }
    }

    /// Whether the results alone determine the ratings; see [`Ratings::identifiable`].
    pub fn is_identifiable(&self) -> bool {
        match self {
            LeagueRatings::Outcomes(ratings) => ratings.identifiable,
            LeagueRatings::Payoffs(_) => true,
        }
    }

    /// What counts.
    pub fn scoring(&self) -> Scoring {
        match self {
            LeagueRatings::Outcomes(_) => Scoring::Outcomes,
            LeagueRatings::Payoffs(_) => Scoring::Payoffs,
        }
    }
}

impl League {
    /// Plans a league of `games` games a pairing.
    ///
    /// # Errors
    /// If the game, the rules or an agent are not as they should be, or agents are the same.
    pub fn plan(
        game: &str,
        rules: &[(String, String)],
        agents: &[String],
        games: u64,
        seed: Seed,
    ) -> Result<League, PlanError> {
        League::plan_at(&oboro_catalog::game(game)?.rules(rules)?, agents, games, seed)
    }

    /// Plans a league at a table, to which players from outside may come.
    ///
    /// # Errors
    /// As [`plan`](League::plan).
    pub fn plan_at(
        table: &Arc<dyn AnyRules>,
        agents: &[String],
        games: u64,
        seed: Seed,
    ) -> Result<League, PlanError> {
        let agents: Vec<String> =
            agents.iter().map(|spec| table.canonical(spec)).collect::<Result<_, _>>()?;
        if agents.len() < 2 {
            return Err(SpecError("a league needs two agents or more".to_owned()).into());
        }
        let pairs: Vec<[usize; 2]> = all_pairs(agents.len()).collect();
        let mut wanted = Vec::new();
        for pair in &pairs {
            let [first, second] = pair.map(|one| &agents[one]);
            if first == second {
                return Err(SpecError(format!("{first} is in the league twice")).into());
            }
            let seats = (0..table.seats()).map(|s| if s % 2 == 0 { first } else { second });
            let plan = MatchPlan {
                game: table.game().to_owned(),
                rules: Vec::new(), // the table has them
                agents: seats.cloned().collect(),
                seating: Seating::Rotate,
                seed: seed.child(&format!("{first} v {second}")),
                games,
                allow_oracles: false,
            };
            let id = format!("pairing-{:03}", wanted.len() + 1);
            wanted.push(Wanted::whole(id, plan.prepare_at(Arc::clone(table))?));
        }
        Ok(League { agents, pairs, wanted, seed })
    }

    /// The same league, the agents' beliefs scored.
    #[must_use]
    pub fn scoring_beliefs(mut self) -> League {
        for wanted in &mut self.wanted {
            wanted.the_match = wanted.the_match.clone().scoring_beliefs();
        }
        self
    }

    /// What a folder with its results says.
    pub fn manifest(&self) -> Manifest {
        Manifest::of_all("league", &self.seed, &self.wanted)
    }

    /// The table, from the games of each pairing in order.
    pub fn table(&self, results: &[Vec<GameResult>]) -> LeagueTable {
        let players = self.agents.len();
        let mut meetings = vec![vec![None; players]; players];
        let (mut cross, mut paid) = (CrossTable::new(players), PayoffTable::new(players));
        let counts =
            self.wanted.first().map_or(Scoring::Outcomes, |w| w.the_match.rules().scoring());
        for ((&[i, j], wanted), games) in self.pairs.iter().zip(&self.wanted).zip(results) {
            let Some(duel) = Duel::of(&wanted.the_match, games) else { continue };
            cross.add_trials(i, j, &duel.trials(), duel.fair());
            paid.add(i, j, duel.payoffs());
            meetings[i][j] = duel.summary();
            meetings[j][i] = duel.summary().map(|summary| summary.reversed());
        }
        let ratings = match counts {
            Scoring::Payoffs => LeagueRatings::Payoffs(paid.ratings(Confidence::P95)),
            Scoring::Outcomes => LeagueRatings::Outcomes(cross.ratings(Confidence::P95)),
        };
        let forecasts = self.agents.iter().enumerate().filter_map(|(number, agent)| {
            let played = self.pairs.iter().zip(results).filter_map(|(pair, games)| {
                let entrant = pair.iter().position(|one| *one == number)?;
                Some((entrant, games.as_slice()))
            });
            BeliefScore::one(agent, &played.collect::<Vec<_>>())
        });
        LeagueTable {
            agents: self.agents.clone(),
            meetings,
            ratings,
            forecasts: forecasts.collect(),
        }
    }
}

impl LeagueTable {
    /// How many deals a pairing has at most.
    pub fn deals(&self) -> u64 {
        self.meetings.iter().flatten().flatten().map(|meeting| meeting.deals).max().unwrap_or(0)
    }

    /// The agents' numbers, the strongest first.
    pub fn ranking(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.agents.len()).collect();
        order.sort_by(|&i, &j| self.ratings.of(j).0.total_cmp(&self.ratings.of(i).0));
        order
    }
}

/// A league that comes with the program: agents of one game, everyone against everyone.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LeagueEntry {
    /// The game.
    pub game: String,
    /// What the game is called in print, by language.
    pub name: GameName,
    /// Rule options, as on the command line.
    #[serde(default)]
    rules: Vec<(String, String)>,
    seed: u64,
    agents: Vec<String>,
    games: Scales,
}

/// A game's name in print.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameName {
    /// In English.
    pub en: String,
    /// In Japanese.
    pub ja: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Leagues {
    league: Vec<LeagueEntry>,
}

static LEAGUES: LazyLock<Leagues> = LazyLock::new(|| {
    toml::from_str(include_str!("../../../papers/leagues.toml")).expect("a test reads it")
});

/// The leagues that come with the program.
pub fn leagues() -> &'static [LeagueEntry] {
    &LEAGUES.league
}

impl LeagueEntry {
    /// Games a pairing.
    pub fn games(&self, scale: Scale) -> u64 {
        self.games.at(scale)
    }

    /// The league at a scale, beliefs scored.
    ///
    /// # Errors
    /// If an agent or a rule is not as it should be.
    pub fn plan(&self, scale: Scale) -> Result<League, PlanError> {
        let seed = Seed::from_u64(self.seed);
        let games = self.games(scale);
        Ok(League::plan(&self.game, &self.rules, &self.agents, games, seed)?.scoring_beliefs())
    }

    /// What plays it again, alone.
    pub fn command(&self, scale: Scale) -> String {
        let rules: Vec<String> =
            self.rules.iter().map(|(key, value)| format!("{key}={value}")).collect();
        let rules =
            if rules.is_empty() { String::new() } else { format!(" --rules {}", rules.join(",")) };
        format!(
            "oboro league {} {} --games {} --seed {}{rules} --beliefs",
            self.game,
            self.agents.join(" "),
            self.games(scale),
            self.seed
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_league_can_be_played() {
        for entry in leagues() {
            entry.plan(Scale::Quick).unwrap_or_else(|error| panic!("{}: {error}", entry.game));
        }
    }

    /// However few the games are: who wins more of them may be paid less.
    #[test]
    fn where_payoffs_count_no_league_is_rated_in_elo() {
        let agents = ["random", "mc:2"].map(str::to_owned);
        for (games, known) in [(2, false), (8, true)] {
            let league = League::plan("kuhn", &[], &agents, games, Seed::from_u64(1)).unwrap();
            let results =
                crate::Driver::new(1, &mut |_| {}).play_all(&league.wanted, None).unwrap();
            let table = league.table(&results);
            assert_eq!(table.ratings.scoring(), Scoring::Payoffs, "{games} games");
            let (payoff, interval) = table.ratings.of(0);
            assert_eq!(interval.is_some(), known, "{games} games: {:?}", table.ratings);
            let paid = table.meetings[0][1].unwrap().payoff;
            assert!((payoff - paid / 2.0).abs() < 1e-9, "half of the difference each");
        }
    }
}
