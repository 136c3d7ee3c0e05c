use crate::experiment::Scales;
use crate::{League, Scale};
use oboro_core::{Seed, SpecError};
use serde::Deserialize;
use std::sync::LazyLock;

/// A league of the front page: agents of one game, everyone against everyone.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LeagueEntry {
    /// The game.
    pub game: String,
    /// Rule options, as on the command line.
    #[serde(default)]
    rules: Vec<(String, String)>,
    seed: u64,
    agents: Vec<String>,
    games: Scales,
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
    /// Its seed.
    pub fn seed(&self) -> Seed {
        Seed::from_u64(self.seed)
    }

    /// Games a pairing.
    pub fn games(&self, scale: Scale) -> u64 {
        self.games.at(scale)
    }

    /// The league at a scale.
    ///
    /// # Errors
    /// If an agent or a rule is not as it should be.
    pub fn plan(&self, scale: Scale) -> Result<League, SpecError> {
        League::plan(&self.game, &self.rules, &self.agents, self.games(scale), self.seed())
    }

    /// What plays it again, alone.
    pub fn command(&self, scale: Scale) -> String {
        let rules: Vec<String> =
            self.rules.iter().map(|(key, value)| format!("{key}={value}")).collect();
        let rules =
            if rules.is_empty() { String::new() } else { format!(" --rules {}", rules.join(",")) };
        format!(
            "oboro league {} {} --games {} --seed {}{rules}",
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
}
