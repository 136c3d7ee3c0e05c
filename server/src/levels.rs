//! Opponents of three strengths, chosen by measured ratings.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// An opponent of a stated strength.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Level {
    /// `easy`, `medium` or `hard`.
    pub(crate) name: String,
    /// Its spec.
    pub(crate) agent: String,
    /// Its rating in the league that `levels.toml` names, where a random player has 0.
    pub(crate) elo: i32,
}

/// The levels of every game, from `levels.toml`, which says how they were measured.
static LEVELS: LazyLock<BTreeMap<String, Vec<Level>>> = LazyLock::new(|| {
    toml::from_str(include_str!("../levels.toml")).expect("the levels are checked by a test")
});

/// The opponents of a game, the weakest first; none where nobody has measured them.
pub(crate) fn levels(game: &str) -> &'static [Level] {
    LEVELS.get(game).map_or(&[], Vec::as_slice)
}

#[cfg(test)]
mod tests {
    use super::*;
    use oboro_catalog::games;

    #[test]
    fn measured_opponents_exist_in_order_of_strength() {
        let measured = games().into_iter().filter(|game| !levels(game.name()).is_empty());
        let measured: Vec<_> = measured.collect();
        assert_eq!(measured.len(), LEVELS.len(), "levels.toml names games that exist");
        for game in measured {
            let levels = levels(game.name());
            let names: Vec<&str> = levels.iter().map(|level| level.name.as_str()).collect();
            assert_eq!(names, ["easy", "medium", "hard"], "{}", game.name());
            assert!(levels.is_sorted_by_key(|level| level.elo), "{}", game.name());
            let rules = game.rules(&[]).unwrap();
            for level in levels {
                assert_eq!(rules.public(&level.agent).unwrap().as_str(), level.agent);
            }
        }
    }
}
