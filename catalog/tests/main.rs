//! All integration tests of the package in one program: it is linked once.

mod allocation;
mod batch;
mod coach;
mod door;
mod external;
mod glossary;
mod kernels;
mod nobody_peeks;
mod observations;
mod web_types;
