//! `docs/reference/observations.md` says channel by channel what the numbers of every game mean; `cargo xtask bless` writes it
//! anew.

use oboro_core::{Channel, GameEncoding, Shape};
use oboro_geister::Geister;
use oboro_labyrinth::Labyrinth;
use oboro_saboteur::Saboteur;
use oboro_sevens::Sevens;
use oboro_testkit::check_golden;
use std::fmt::Write as _;

const HEAD: &str = "\
# Observations

How a view becomes numbers for programs that learn, channel by channel, as `GameEncoding` of each game writes it. This page is generated:
a test makes it from the games themselves (`cargo xtask bless` writes it anew), here for the default rules; `layout()` gives
the same for any.

- An observation is what one seat knows and nothing else: it is made of its view and of the events it saw. Views that differ differ
  in it, and a test looks for two that do not.
- It is a row of bytes: planes first, each row after row, then one byte per feature. *Most* is the largest value of a channel, by
  which a learner divides.
- **Players are counted from the observer**: 0 is itself, 1 the next to move, and so on. There are channels for as many players as
  the rules have.
- What is *remembered* comes from events that the view no longer shows. Whoever starts in the middle of a game starts with none.
- The truth is what is hidden from the observer, for critics and for the targets of beliefs. It is written apart and is never part
  of an observation.
- A symmetry is a way to rename or turn everything that leaves the game the same game; it moves bytes and action numbers and
  changes no value.
";

const GEISTER: &str = "\
The board is seen from the observer's home, with its exits at the top. Remembered: the planes `own last from` to `passed by`.

Actions: `4 * square + direction` for a step (north, east, south, west; squares row by row as the observer sees them), where a
step north from an exit leaves the board; then the placements.

Symmetries: left and right exchanged.
";

const SEVENS: &str = "\
A plane is the pack: a row per suit (spades, hearts, diamonds, clubs) from ace to king. Remembered: `passed by`, which can also be
had from the log that a view keeps.

Actions: a card by its cell, then the pass.

Symmetries: the suits in any order, and in each of them low and high cards exchanged or not: 383.
";

const SABOTEUR: &str = "\
A plane is the mine as far as the rules let it reach, a row per y from the top: by default columns -12 to 17 and rows -11 to 11;
`bounds=paper` and `bounds=three` make it 5 × 9 and 7 × 9. Remembered, and forgotten with the round: `laid at`, `rocks`, `laid
by`, `turns`, and what players did (`ways` to `mended`).

Actions: every way for a card to lie × cells; a rock fall on each cell; a map for each goal; each tool broken, by player; each card
and tool mended, by player; each card discarded. Ways to lie are those of the path cards in order, unturned before turned.

Symmetries: the tools exchanged. The mine cannot be mirrored: there are four curves from left to up and five from left to down.
";

const LABYRINTH: &str = "\
The board is turned so that the observer's home is at the top left; a treasure on a fixed tile goes by the cell it comes to then.
Remembered: `walked from`, `pushed`, `passed up`.

Actions: `(4 * entry + rotation) * 49 + cell`: where the extra tile goes in (clockwise from the top left), its quarter turns, and
where the walk ends. The two rotations of a straight tile that look the same are two actions, as in the rules.

Symmetries: exchanges of two movable treasures on tiles of one shape; the thirty of them make up all others. Turning the board is
none any more, and it cannot be mirrored.
";

/// Channels with one meaning share a row.
fn table(out: &mut String, channels: &[Channel]) {
    out.push_str("\n| from | channels | most | |\n|---|---|---|---|\n");
    let mut place = 0;
    for row in channels.chunk_by(|a, b| a.about == b.about) {
        let names: Vec<String> = row.iter().map(|channel| format!("`{}`", channel.name)).collect();
        let values = || row.iter().map(|channel| channel.max);
        let most = match (values().min(), values().max()) {
            (Some(least), Some(most)) if least < most => format!("{least} to {most}"),
            _ => row[0].max.to_string(),
        };
        writeln!(out, "| {place} | {} | {most} | {} |", names.join(" "), row[0].about)
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

fn chapter<G: GameEncoding>(out: &mut String, title: &str, text: &str, game: &G) {
    let layout = game.layout();
    let (actions, symmetries) = (layout.actions, game.symmetries().len());
    write!(out, "\n## {title}\n\nActions: {actions}. Symmetries: {symmetries}.\n\n{text}")
        .expect("a string takes all");
    shape(out, "The observation", &layout.observation);
    shape(out, "The truth", &layout.truth);
}

#[test]
fn the_page_says_what_the_numbers_mean() {
    let mut page = HEAD.to_owned();
    chapter(&mut page, "Geister", GEISTER, &Geister::default());
    chapter(&mut page, "Labyrinth", LABYRINTH, &Labyrinth::default());
    chapter(&mut page, "Saboteur", SABOTEUR, &Saboteur::default());
    chapter(&mut page, "Sevens", SEVENS, &Sevens::default());
    check_golden("../docs/reference/observations.md", &page);
}
