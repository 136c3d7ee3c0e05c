//! All integration tests of the package in one program: it is linked once.

mod foreman;
mod formula;
mod gold;
mod golden;
mod laws;
mod oboro;
mod positions;
mod rules;
mod scene;
mod scenes;
mod secrets;
