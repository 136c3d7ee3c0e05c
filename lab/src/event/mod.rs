//! Events: entrants meet round by round, and a table says how they stand.
//!
//! This is the one engine of leagues and tournaments. It decides who meets whom, keeps what happened as a list of changes that can be replayed ([`EventChange`]), and counts and rates the
//! games ([`Standings`]). It plays nothing: the server seats people and agents at its tables, `oboro gat league` starts
//! programs, and a [`League`] hands matches to the [`Driver`](crate::Driver).
//!
//! ```
//! use oboro_core::Seed;
//! use oboro_lab::GameResult;
//! use oboro_lab::event::{Entrant, Event, EventChange, EventFormat, EventKind};
//!
//! let (kind, rounds, seats) = (EventKind::Swiss, Some(2), vec![2]);
//! let format = EventFormat { kind, rounds, seats, ..EventFormat::default() };
//! let entrants = ["a", "b", "c", "d"].map(|name| Entrant::agent(name, "random"));
//! let mut event: Event = Event::new(format, Seed::from_u64(1), entrants.into());
//! while let Some((board, seats)) = event.advance() {
//!     let players: Vec<usize> = seats.iter().flatten().copied().collect();
//!     // The lower number wins; a real game would be played here.
//!     let payoffs = players.iter().map(|&one| -(one as f64)).collect();
//!     let result = GameResult { n: 0, seats: players, payoffs, plies: 1, facts: Default::default(), forfeit: None };
//!     event.apply(&EventChange::Open { board, table: String::new(), seats }).unwrap();
//!     event.apply(&EventChange::Over { board, result }).unwrap();
//! }
//! assert_eq!(event.results().count(), 2 * 2 * 2, "two rounds, two boards, both sides");
//! let (ranking, _) = event.standings().ranking(|standing| standing.points);
//! assert_eq!(ranking[0].entrant, 0);
//! ```

mod change;
mod export;
mod league;
mod pairing;
mod standings;
mod state;

pub use change::{EventChange, EventError, Round};
pub use league::{GameName, League, LeagueEntry, LeagueRatings, LeagueTable, leagues};
use pairing::{History, rotated, round_robin};
pub use pairing::{Table, all_pairs};
pub use standings::{ABSENT, EventScoring, FORFEITED, Standing, Standings};
pub use state::{
    Board, BoardGame, Due, Entrant, Event, EventFormat, EventKind, PlayedRound, Player, Stage,
};
