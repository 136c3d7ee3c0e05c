use serde::{Deserialize, Serialize};
use std::fmt;

/// How large an experiment is run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scale {
    /// Minutes: enough to see the shape.
    #[default]
    Quick,
    /// As many games as the paper played.
    Paper,
    /// More than the paper: narrow intervals.
    Full,
}

impl fmt::Display for Scale {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Scale::Quick => "quick",
            Scale::Paper => "paper",
            Scale::Full => "full",
        })
    }
}

/// Games at each scale: `{ quick = 100, paper = 1000, full = 10000 }`, or one number for all.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(untagged, expecting = "expected a number, or { quick = …, paper = …, full = … }")]
pub(crate) enum Scales {
    All(u64),
    Each(Each),
}

/// Games at each scale.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Each {
    quick: u64,
    paper: u64,
    full: u64,
}

impl Scales {
    pub(crate) fn at(self, scale: Scale) -> u64 {
        match (self, scale) {
            (Scales::All(games), _) => games,
            (Scales::Each(games), Scale::Quick) => games.quick,
            (Scales::Each(games), Scale::Paper) => games.paper,
            (Scales::Each(games), Scale::Full) => games.full,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Deserialize)]
    struct File {
        games: Scales,
    }

    #[test]
    fn games_are_one_number_or_one_a_scale() {
        let at = |text: &str| {
            let games = toml::from_str::<File>(text).unwrap().games;
            [Scale::Quick, Scale::Paper, Scale::Full].map(|scale| games.at(scale))
        };
        assert_eq!(at("games = 200"), [200; 3]);
        assert_eq!(at("games = { quick = 1, paper = 2, full = 3 }"), [1, 2, 3]);
        for bad in ["games = -1", "games = \"x\"", "games = { quick = 1 }"] {
            let error = toml::from_str::<File>(bad).unwrap_err().to_string();
            assert!(error.contains("expected a number, or { quick"), "{bad}: {error}");
        }
    }
}
