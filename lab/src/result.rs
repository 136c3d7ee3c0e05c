use oboro_core::{FactValue, Outcome};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// One game as result files keep it: one line of JSON.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameResult {
    /// The game's number in its match.
    pub n: u64,
    /// Which entrant sat at each seat.
    pub seats: Vec<usize>,
    /// What the game was worth to each seat.
    pub payoffs: Vec<f64>,
    /// How many actions it took.
    pub plies: u32,
    /// What the game says besides.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub facts: BTreeMap<String, Numbers>,
    /// Why somebody gave the game up; the fact `forfeited` says who.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forfeit: Option<String>,
}

/// One number for the game, or one for each seat.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Numbers {
    /// For the game.
    Game(f64),
    /// For each seat.
    Seats(Vec<f64>),
}

impl GameResult {
    /// The result of game `n`.
    pub fn new(n: u64, seats: Vec<usize>, outcome: Outcome) -> GameResult {
        let facts = outcome
            .facts
            .into_iter()
            .map(|fact| {
                let value = match fact.value {
                    FactValue::Game(value) => Numbers::Game(value),
                    FactValue::Seats(values) => Numbers::Seats(values),
                };
                (fact.name.to_owned(), value)
            })
            .collect();
        GameResult {
            n,
            seats,
            payoffs: outcome.payoffs,
            plies: outcome.plies,
            facts,
            forfeit: None,
        }
    }

    /// Which seats a fact marks; none if the game has no such fact.
    pub fn marks(&self, fact: &str) -> Vec<bool> {
        let mut marks = match self.facts.get(fact) {
            Some(Numbers::Seats(marks)) => marks.iter().map(|mark| *mark > 0.0).collect(),
            _ => Vec::new(),
        };
        marks.resize(self.seats.len(), false);
        marks
    }

    /// The mean of one number a seat over the seats of an entrant; `None` if it does not play.
    pub fn mean_of(&self, values: &[f64], entrant: usize) -> Option<f64> {
        let own: Vec<f64> = self.each_of(values, entrant).collect();
        (!own.is_empty()).then(|| own.iter().sum::<f64>() / own.len() as f64)
    }

    /// One number a seat, of the seats of an entrant.
    pub fn each_of<'a>(
        &'a self,
        values: &'a [f64],
        entrant: usize,
    ) -> impl Iterator<Item = f64> + 'a {
        self.seats.iter().zip(values).filter(move |(e, _)| **e == entrant).map(|(_, v)| *v)
    }

    /// The share of the win that goes to an entrant: 1 if one of its seats alone has the highest
    /// payoff, a part of it if seats tie.
    pub fn win_share(&self, entrant: usize) -> f64 {
        let best = self.payoffs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let is_best = |payoff: &&f64| **payoff >= best;
        let winners = self.payoffs.iter().filter(is_best).count();
        let own = self.each_of(&self.payoffs, entrant).filter(|payoff| *payoff >= best).count();
        own as f64 / winners as f64
    }
}
