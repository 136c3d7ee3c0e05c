//! The laboratory: matches, experiments and the statistics that judge them.
#![forbid(unsafe_code)]

pub mod stats;
