//! All integration tests of the package in one program: it is linked once.

mod agents;
mod allocation;
mod big_brain_twin;
mod common;
mod golden;
mod heuristics;
mod laws;
mod oboro;
mod pathfinder_twin;
mod rules;
mod scenes;
