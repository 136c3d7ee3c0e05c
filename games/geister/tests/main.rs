//! All integration tests of the package in one program: it is linked once.

mod agents;
mod gp;
mod rules;
mod scenes;
mod search;
