//! Reports: the published numbers beside ours, as a web page, Markdown and JSON.
//!
//! A report is a pure function of a results folder: the same results give the same bytes. What is not a result of
//! games (when and where they were played, how fast the kernels are) is kept there too, as `sessions.jsonl` and
//! `throughput-GAME.json`, written when it happened and only read here. So is how far policies can be beaten on small boards, which is
//! computed and not played (`exploit-GAME-BOARD-SCALE.json`).
//!
//! [`Reproduction`] reads the results, a page is built of it as a [`document`], and [`plot`] draws.
#![forbid(unsafe_code)]

mod beliefs;
mod charts;
pub mod document;
mod exploit;
mod inference;
mod page;
mod paper;
pub mod plot;
mod reproduction;
mod stored;
mod study_page;
mod tables;
mod words;

pub use exploit::{ExploitReport, Exploitability, Exploited, SmallGame};
pub use inference::inference_document;
pub use paper::{Item, ItemReport, Paper, Status};
pub use reproduction::{
    ExperimentReport, LeagueReport, Reproduction, Results, Run, Study, StudyReport, Throughput,
};
pub use stored::{StoredExperiment, StoredPart, StoredResults, fill_verdicts};
pub use tables::experiment_document;
pub use words::{Language, Words};

/// A name for a file or an anchor: letters, digits, points and hyphens.
fn slug(text: &str) -> String {
    let mut slug = String::new();
    for c in text.chars() {
        if c.is_ascii_alphanumeric() || c == '.' {
            slug.push(c.to_ascii_lowercase());
        } else if !slug.ends_with('-') {
            slug.push('-');
        }
    }
    slug.trim_matches('-').to_owned()
}

#[cfg(test)]
mod tests;
