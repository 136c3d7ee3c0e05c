//! All integration tests of the package in one program: it is linked once.

// The agent of the tutorial finds its game at the root, as it does where the page has it.
use oboro_sevens::{Action, Sevens, View};

mod agents;
mod allocation;
mod common;
mod first_agent;
mod golden;
mod rules;
mod scenes;
