//! All integration tests of the package in one program: it is linked once.

mod assets;
mod browser;
mod common;
mod durable;
mod events;
mod faults;
mod hostile;
mod public;
mod rooms;
mod tables;
