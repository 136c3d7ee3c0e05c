use crate::stats::{Confidence, CrossTable, Ratings, Score};
use crate::{GameResult, MatchPlan, Seating, Summary};
use oboro_core::{Seed, SpecError};
use serde::Serialize;

/// A round robin: every agent meets every other, seats filled in turn (a b a b …) and rotated.
#[derive(Clone, Debug)]
pub struct League {
    /// The agents' canonical specs.
    pub agents: Vec<String>,
    /// The matches: the two agents' numbers, and the plan.
    pub pairings: Vec<(usize, usize, MatchPlan)>,
}

/// What a league came to.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct LeagueTable {
    /// The agents' canonical specs.
    pub agents: Vec<String>,
    /// What each made against each other; `None` on the diagonal.
    pub scores: Vec<Vec<Option<Score>>>,
    /// Their ratings.
    pub ratings: Ratings,
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
    ) -> Result<League, SpecError> {
        let table = oboro_catalog::game(game)?.rules(rules)?;
        let agents: Vec<String> =
            agents.iter().map(|spec| table.canonical(spec)).collect::<Result<_, _>>()?;
        if agents.len() < 2 {
            return Err(SpecError("a league needs two agents or more".to_owned()));
        }
        let mut pairings = Vec::new();
        for (i, first) in agents.iter().enumerate() {
            if agents[..i].contains(first) {
                return Err(SpecError(format!("{first} is in the league twice")));
            }
            for (j, second) in agents.iter().enumerate().skip(i + 1) {
                let seats = (0..table.seats()).map(|s| if s % 2 == 0 { first } else { second });
                let plan = MatchPlan {
                    game: game.to_owned(),
                    rules: rules.to_vec(),
                    agents: seats.cloned().collect(),
                    seating: Seating::Rotate,
                    seed: seed.child(&format!("{first} v {second}")),
                    games,
                    allow_oracles: false,
                };
                pairings.push((i, j, plan));
            }
        }
        Ok(League { agents, pairings })
    }

    /// The table, from the games of each pairing in order.
    pub fn table(&self, results: &[Vec<GameResult>]) -> LeagueTable {
        let players = self.agents.len();
        let mut scores = vec![vec![None; players]; players];
        let mut cross = CrossTable::new(players);
        for ((i, j, _), games) in self.pairings.iter().zip(results) {
            let score = Summary::score(games);
            cross.add(*i, *j, score);
            scores[*i][*j] = Some(score);
            scores[*j][*i] = Some(score.reversed());
        }
        let ratings = cross.ratings(Confidence::P95);
        LeagueTable { agents: self.agents.clone(), scores, ratings }
    }
}
