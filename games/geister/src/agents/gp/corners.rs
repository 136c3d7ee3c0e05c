//! Which corners the primitives about the own goal look at.

use oboro_core::SpecError;
use std::fmt;
use std::str::FromStr;

/// Which corners `isHavingKeeper` and the `…OppNearMyGoal` functions look at: the paper's words and
/// its results do not agree (docs/papers/geister-gp-2022.md).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Corners {
    /// Those at the mover's home, where its opponent leaves: the Japanese description.
    Home,
    /// Those by which the mover leaves: the English name.
    #[default]
    Exits,
    /// Those at the home of the side that searches, whoever moves: a board that is never turned.
    /// Without a search, the mover's home.
    Searcher,
}

impl Corners {
    /// All readings.
    pub const ALL: [Corners; 3] = [Corners::Home, Corners::Exits, Corners::Searcher];

    /// Its name in policies and on command lines.
    pub const fn name(self) -> &'static str {
        match self {
            Corners::Home => "home",
            Corners::Exits => "exits",
            Corners::Searcher => "searcher",
        }
    }
}

impl fmt::Display for Corners {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Corners {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Corners, SpecError> {
        let found = Corners::ALL.into_iter().find(|corners| corners.name() == text);
        found.ok_or_else(|| SpecError(format!("corners `{text}`: home, exits or searcher")))
    }
}
