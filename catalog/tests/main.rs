//! All integration tests of the package in one program: it is linked once.

mod allocation;
mod batch;
mod broken_games;
mod coach;
mod door;
mod external;
mod glossary;
mod kernels;
mod nobody_peeks;
mod novice;
mod observations;
mod searches;
mod solve;
mod text;
mod web_types;
