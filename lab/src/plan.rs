use oboro_catalog::{AnyRules, Keep, Lineup, game};
use oboro_core::{GameSeeds, Seed, Spec, SpecError};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// How agents are given seats.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Seating {
    /// In the order given, always.
    Fixed,
    /// Every deal is played once in each rotation of the order given.
    #[default]
    Rotate,
    /// Drawn anew for every game.
    Random,
}

impl Seating {
    /// How many games share one deal.
    pub fn games_per_deal(self, seats: usize) -> u64 {
        if self == Seating::Rotate { seats as u64 } else { 1 }
    }

    /// Which agent sits where in game `n`, and the number of its deal.
    fn of_game(self, n: u64, seats: usize, seed: &Seed) -> (Vec<usize>, u64, GameSeeds) {
        let deal = n / self.games_per_deal(seats);
        let seeds = seed.game(deal, n);
        let mut seating: Vec<usize> = (0..seats).collect();
        match self {
            Seating::Fixed => {}
            Seating::Rotate => seating.rotate_left((n % seats as u64) as usize),
            Seating::Random => seeds.seating().shuffle(&mut seating),
        }
        (seating, deal, seeds)
    }
}

/// A match to be played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MatchPlan {
    /// The game's name.
    pub game: String,
    /// Rule options that differ from the defaults.
    pub rules: Vec<(String, String)>,
    /// One agent a seat, as specs.
    pub agents: Vec<String>,
    /// How they are seated.
    pub seating: Seating,
    /// The seed everything random grows from.
    pub seed: Seed,
    /// How many games.
    pub games: u64,
    /// Whether agents may see what is hidden.
    pub allow_oracles: bool,
}

/// Why a match cannot be played.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PlanError {
    /// Something is unknown or does not fit.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// An agent sees what is hidden, and nobody allowed that.
    #[error("{0} sees hidden information: no fair match")]
    Oracle(String),
}

/// A match whose game, rules and agents have been found and checked.
#[derive(Clone)]
pub struct Match {
    rules: Arc<dyn AnyRules>,
    lineup: Arc<dyn Lineup>,
    seating: Seating,
    seed: Seed,
    games: u64,
    entrants: Vec<String>,
    entrant_of: Vec<usize>,
    beliefs: bool,
}

impl std::fmt::Debug for Match {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Match").field("agents", &self.lineup.specs()).finish_non_exhaustive()
    }
}

impl MatchPlan {
    /// Finds the game and builds the agents.
    ///
    /// # Errors
    /// If something is unknown or does not fit.
    pub fn prepare(&self) -> Result<Match, PlanError> {
        self.prepare_at(game(&self.game)?.rules(&self.rules)?)
    }

    /// Builds the agents for rules that were chosen already: those of this plan, to which players from outside may come.
    ///
    /// # Errors
    /// If something is unknown or does not fit.
    pub fn prepare_at(&self, rules: Arc<dyn AnyRules>) -> Result<Match, PlanError> {
        let specs: Vec<&str> = self.agents.iter().map(String::as_str).collect();
        let lineup: Arc<dyn Lineup> = rules.lineup(&specs)?.into();
        let oracles = lineup.oracles();
        if let (Some(oracle), false) = (oracles.first(), self.allow_oracles) {
            return Err(PlanError::Oracle(oracle.clone()));
        }
        let mut entrants: Vec<String> = Vec::new();
        let entrant_of = lineup
            .specs()
            .iter()
            .map(|spec| {
                entrants.iter().position(|known| known == spec).unwrap_or_else(|| {
                    entrants.push(spec.clone());
                    entrants.len() - 1
                })
            })
            .collect();
        let (seating, seed, games) = (self.seating, self.seed, self.games);
        Ok(Match { rules, lineup, seating, seed, games, entrants, entrant_of, beliefs: false })
    }
}

impl Match {
    /// The name of the journal of games in the folder of a match.
    pub const FILE: &str = "games";

    /// The same match from another seed, with another number of games.
    #[must_use]
    pub fn with(&self, seed: Seed, games: u64) -> Match {
        Match { seed, games, ..self.clone() }
    }

    /// The same match, in which the agents are asked before every decision what they believe, and scored
    /// ([`BeliefScore`](crate::BeliefScore)). The games are the same.
    #[must_use]
    pub fn scoring_beliefs(self) -> Match {
        Match { beliefs: true, ..self }
    }

    /// Whether the agents' beliefs are scored.
    pub fn scores_beliefs(&self) -> bool {
        self.beliefs
    }

    /// The rules it is played by.
    pub fn rules(&self) -> &Arc<dyn AnyRules> {
        &self.rules
    }

    /// Canonical specs of the agents, one a seat in the order given.
    pub fn agents(&self) -> &[String] {
        self.lineup.specs()
    }

    /// Whether an agent plays by the clock: then the same seed need not give the same games.
    pub fn is_timed(&self) -> bool {
        self.agents().iter().any(|spec| spec.parse().is_ok_and(|spec: Spec| spec.is_timed()))
    }

    /// The different agents among them, in order of appearance; results name them by number.
    pub fn entrants(&self) -> &[String] {
        &self.entrants
    }

    /// How agents are seated.
    pub fn seating(&self) -> Seating {
        self.seating
    }

    /// The seed.
    pub fn seed(&self) -> &Seed {
        &self.seed
    }

    /// How many games are planned.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Plays game `n`, which depends on nothing but the plan and `n`.
    ///
    /// # Errors
    /// If an agent plays against the rules.
    pub(crate) fn play(
        &self,
        n: u64,
        record: bool,
    ) -> Result<(Vec<usize>, oboro_catalog::Played), oboro_catalog::PlayError> {
        let (seating, deal, seeds) = self.seating.of_game(n, self.entrant_of.len(), &self.seed);
        let keep = Keep { record, beliefs: self.beliefs };
        let played = self.lineup.play(&seating, deal, &seeds, keep)?;
        Ok((seating.into_iter().map(|agent| self.entrant_of[agent]).collect(), played))
    }

    /// The number of the entrant that is agent `agent` of the lineup.
    pub(crate) fn entrant_of(&self, agent: usize) -> usize {
        self.entrant_of[agent]
    }
}
