//! All integration tests of the package in one program: it is linked once.

mod bad_input;
mod claims;
mod cluster;
mod common;
mod counts;
mod documentation;
mod evolve;
mod exploit;
mod programs;
mod reproduce;
mod results;
mod tutorials;
