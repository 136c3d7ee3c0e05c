//! All integration tests of the package in one program: it is linked once.

mod common;
mod conformance;
mod fuzz;
mod fuzzing;
mod games;
mod spectators;
