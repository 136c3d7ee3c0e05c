//! All integration tests of the package in one program: it is linked once.

mod census;
mod laws;
mod mutants;
mod openspiel;
