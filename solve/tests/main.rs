//! All integration tests of the package in one program: it is linked once.

mod golden;
mod live_games;
mod shared;
