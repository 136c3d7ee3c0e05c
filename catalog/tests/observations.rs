//! `docs/reference/observations.md` says channel by channel what the numbers of every game mean; `cargo xtask bless` writes it
//! anew.

use oboro_catalog::{AnyGame, games};
use oboro_core::{Channel, Shape};
use oboro_testkit::check_golden;
use std::fmt::Write as _;

const HEAD: &str = "\
# Observations

How a view becomes numbers for programs that learn, channel by channel, as `GameEncoding` of each game writes it. This page is generated:
a test makes it from the games themselves (`cargo xtask bless` writes it anew), here for the default rules; `layout()` gives
the same for any.

- An observation is what one seat knows and nothing else: it is made of its view and of the events it saw. Views that differ differ
  in it, and a test looks for two that do not.
- It is a row of bytes: planes first, each row after row, then one byte per feature. *Max* is the largest value of a channel, by
  which a learner divides.
- **Players are counted from the observer**: 0 is itself, 1 the next to move, and so on. There are channels for as many players as
  the rules have.
- What is *remembered* comes from events that the view no longer shows. Whoever starts in the middle of a game starts with none.
- The privileged state is what is hidden from the observer, for critics and for the targets of beliefs. It is written apart and is
  never part of an observation.
- A symmetry is a way to rename or turn everything that leaves the game the same game; it moves bytes and action numbers and
  changes no value.
";

/// Channels with one meaning share a row.
fn table(out: &mut String, channels: &[Channel]) {
    out.push_str("\n| from | channels | max | |\n|---|---|---|---|\n");
    let mut place = 0;
    for row in channels.chunk_by(|a, b| a.about == b.about) {
        let names: Vec<String> = row.iter().map(|channel| format!("`{}`", channel.name)).collect();
        let values = || row.iter().map(|channel| channel.max);
        let max = match (values().min(), values().max()) {
            (Some(least), Some(max)) if least < max => format!("{least} to {max}"),
            _ => row[0].max.to_string(),
        };
        writeln!(out, "| {place} | {} | {max} | {} |", names.join(" "), row[0].about)
            .expect("a string takes all");
        place += row.len();
    }
}

fn shape(out: &mut String, title: &str, shape: &Shape) {
    let (planes, features) = (shape.planes.len(), shape.features.len());
    let board = format!("{planes} planes of {} × {}", shape.rows, shape.columns);
    let parts = match (planes, features) {
        (0, _) => format!("{features} features"),
        (_, 0) => board,
        _ => format!("{board} and {features} features"),
    };
    writeln!(out, "\n### {title}: {parts}, {} bytes", shape.len()).expect("a string takes all");
    for (name, channels) in [("Planes", &shape.planes), ("Features", &shape.features)] {
        if !channels.is_empty() {
            writeln!(out, "\n{name}:").expect("a string takes all");
            table(out, channels);
        }
    }
}

fn chapter(out: &mut String, game: &dyn AnyGame, text: &str) {
    let rules = game.rules(&[]).expect("the default rules are sound");
    let (layout, symmetries) = (rules.layout(), rules.symmetries().len());
    let (first, rest) = game.name().split_at(1);
    let title = format!("{}{rest}", first.to_uppercase());
    let actions = layout.actions;
    write!(out, "\n## {title}\n\nActions: {actions}. Symmetries: {symmetries}.\n\n{text}")
        .expect("a string takes all");
    shape(out, "The observation", &layout.observation);
    shape(out, "The privileged state", &layout.truth);
}

/// Games with an encoding of their own explain it in their folder.
#[test]
fn the_page_says_what_the_numbers_mean() {
    let mut page = HEAD.to_owned();
    for game in games() {
        let text = std::fs::read_to_string(format!("../games/{}/observations.md", game.name()));
        if let Ok(text) = text {
            chapter(&mut page, game.as_ref(), &text);
        }
    }
    check_golden("../docs/reference/observations.md", &page);
}
