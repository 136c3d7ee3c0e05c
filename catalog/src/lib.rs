//! Every game and agent by name, behind one type-erased door.
//!
//! ```
//! use oboro_catalog::game;
//! use oboro_core::Seed;
//!
//! let sevens = game("sevens").unwrap();
//! let table = sevens.table(&[]).unwrap();
//! let lineup = table.lineup(&["eval", "rule", "rule", "mc:playouts=20"]).unwrap();
//! let played = lineup.play(&[0, 1, 2, 3], 0, &Seed::from_u64(1).game(0, 0), false).unwrap();
//! assert_eq!(played.outcome.payoffs.len(), 4);
//! ```
//!
//! Dynamic dispatch happens here, once a game played; everything behind the door is compiled
//! for its game.
#![forbid(unsafe_code)]

mod door;
mod table;

pub use door::{AgentInfo, AnyGame};
pub use table::{
    AnalysisReport, Lineup, PlayError, Played, PositionError, ReplayVisitor, Table, ValueReport,
};

use door::Door;
use oboro_core::SpecError;

/// All games, in alphabetical order. Adding a game is one line here.
pub fn games() -> Vec<Box<dyn AnyGame>> {
    vec![
        Door::boxed(
            "Geister: 2 players move eight ghosts each, half of them good, and only their owner knows which",
            oboro_geister::agents,
            oboro_geister::kernels,
        ),
        Door::boxed(
            "Labyrinth: 2 to 4 players push a maze about and look for treasures that others cannot see",
            oboro_labyrinth::agents,
            oboro_labyrinth::kernels,
        ),
        Door::boxed(
            "Saboteur (お邪魔者): 3 to 10 players dig for gold, and some of them secretly prevent it",
            oboro_saboteur::agents,
            oboro_saboteur::kernels,
        ),
        Door::boxed(
            "Sevens (七並べ): 3 to 6 players lay cards next to the 7s and hold back what helps others",
            oboro_sevens::agents,
            oboro_sevens::kernels,
        ),
    ]
}

/// The game with this name.
///
/// # Errors
/// If there is none: what there is, and what may have been meant.
pub fn game(name: &str) -> Result<Box<dyn AnyGame>, SpecError> {
    let games = games();
    let known: Vec<&str> = games.iter().map(|game| game.name()).collect();
    let error = SpecError::unknown("game", name, &known);
    games.into_iter().find(|game| game.name() == name).ok_or(error)
}

/// The recipes for contributors are compiled and run as tests.
#[cfg(doctest)]
#[doc = include_str!("../../CONTRIBUTING.md")]
struct Contributing;
