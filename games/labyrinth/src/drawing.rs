//! Boards for a terminal.

use crate::action::Action;
use crate::cell::{Cell, CellSet, SIZE};
use crate::entry::Entry;
use crate::public::{Finish, Goal, Public};
use crate::tile::{Rotation, Side, Sides};
use crate::treasure::Treasure;
use crate::view::View;
use crate::world::World;
use oboro_core::Seat;
use std::fmt::{self, Write as _};

/// Room for the row numbers and the entries at the left.
const MARGIN: &str = "      ";

/// The three lines of a tile, five characters each: its ways as lines that meet in the middle, where
/// pawns stand by their seat numbers and the treasure lies by its letter.
fn tile_lines(sides: Sides, treasure: Option<Treasure>, pawns: &str) -> [String; 3] {
    let arm = |side, drawn: char| if sides.contains(side) { drawn } else { ' ' };
    let (left, right) = (arm(Side::Left, '─'), arm(Side::Right, '─'));
    let letter = treasure.map(|treasure| treasure.letter().to_string()).unwrap_or_default();
    let inside = format!("{pawns}{letter}");
    let middle = match inside.chars().count() {
        0 => format!("{left}{left}{}{right}{right}", sides.glyph()),
        1 => format!("{left}{left}{inside}{right}{right}"),
        2 => format!("{left}{left}{inside}{right}"),
        3 => format!("{left}{inside}{right}"),
        _ => format!("{inside:<5}"),
    };
    let end = |side| format!("  {}  ", arm(side, '│'));
    [end(Side::Up), middle, end(Side::Down)]
}

fn arrow(entry: Entry, forbidden: Option<Entry>) -> String {
    if Some(entry) == forbidden {
        return "×".to_owned();
    }
    let sign = match entry.towards() {
        Side::Up => '▲',
        Side::Right => '▶',
        Side::Down => '▼',
        Side::Left => '◀',
    };
    format!("{sign}{entry}")
}

fn entry_at(cell: Cell, towards: Side) -> Option<Entry> {
    Entry::all().find(|entry| entry.cell() == cell && entry.towards() == towards)
}

/// A label for each column, above or below the board.
fn column_labels(label: impl Fn(usize) -> String) -> String {
    let mut line = MARGIN.to_owned();
    for x in 0..SIZE {
        write!(line, "{:^5}", label(x)).expect("a string takes all");
    }
    line.truncate(line.trim_end().len());
    line
}

/// The entries at the top or the bottom.
fn column_entries(y: usize, towards: Side, forbidden: Option<Entry>) -> String {
    column_labels(|x| {
        let entry = entry_at(Cell::new(x, y), towards);
        entry.map(|entry| arrow(entry, forbidden)).unwrap_or_default()
    })
}

fn draw_board(public: &Public, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let forbidden = public.last.map(Entry::opposite);
    writeln!(f, "{}", column_labels(|x| char::from(b'a' + x as u8).to_string()))?;
    writeln!(f, "{}", column_entries(0, Side::Down, forbidden))?;
    for y in 0..SIZE {
        let tiles: Vec<[String; 3]> = (0..SIZE)
            .map(|x| {
                let cell = Cell::new(x, y);
                let pawns: String = Seat::all(public.seats())
                    .filter(|&seat| public.pawn(seat) == cell)
                    .map(|seat| seat.to_string())
                    .collect();
                let sides = public.board.maze.sides(cell);
                tile_lines(sides, public.board.treasure_at(cell), &pawns)
            })
            .collect();
        for line in 0..3 {
            let row: String = tiles.iter().map(|tile| tile[line].as_str()).collect();
            let (left, right) = if line == 1 {
                let label = |x, side| entry_at(Cell::new(x, y), side).map(|e| arrow(e, forbidden));
                let left = label(0, Side::Right).unwrap_or_default();
                let right = label(SIZE - 1, Side::Left).unwrap_or_default();
                (format!("{} {left:<3}", y + 1), format!(" {right}"))
            } else {
                (String::new(), String::new())
            };
            writeln!(f, "{}", format!("{left:<6}{row}{right}").trim_end())?;
        }
    }
    writeln!(f, "{}", column_entries(SIZE - 1, Side::Up, forbidden))?;
    write!(f, "extra tile: {}", public.board.extra.turned(Rotation::ALL[0]).glyph())?;
    if let Some(treasure) = public.board.extra_treasure() {
        write!(f, " with {} the {treasure}", treasure.letter())?;
    }
    if let Some(entry) = forbidden {
        write!(f, "; entry {entry} is blocked")?;
    }
    writeln!(f)
}

/// The pawn of a seat and the number of its found cards.
fn draw_seat(public: &Public, seat: Seat, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let (found, dealt) = (public.cards_found(seat), public.cards_dealt());
    write!(f, "seat {seat} on {}: found {found} of {dealt}", public.pawn(seat))
}

fn draw_turn(public: &Public, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match (public.to_act(), public.winner()) {
        (Some(seat), _) => writeln!(f, "turn {}: seat {seat} to move", public.turns_played() + 1),
        (None, Some(seat)) => {
            let feat = match public.finish {
                Finish::Home => "got home",
                Finish::LastCard => "found its last card",
            };
            writeln!(f, "seat {seat} {feat} after {} turns", public.own_turns(seat))
        }
        (None, None) => writeln!(f, "a draw: the turn limit is reached"),
    }
}

fn describe(treasure: Treasure) -> String {
    format!("{} {treasure}", treasure.letter())
}

fn list(treasures: impl Iterator<Item = Treasure>) -> String {
    let names: Vec<String> = treasures.map(describe).collect();
    if names.is_empty() { "nothing".to_owned() } else { names.join(", ") }
}

/// The goal of a player, and its cell.
pub(crate) fn seeks(public: &Public, goal: Goal) -> String {
    match goal {
        Goal::Home(cell) => format!("goes home to {cell}"),
        Goal::Treasure(treasure) => {
            let place = public.board.place(treasure);
            let place = place.map_or("on the extra tile".to_owned(), |cell| format!("on {cell}"));
            format!("seeks {} {place}", describe(treasure))
        }
    }
}

impl fmt::Display for World {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let public = &self.public;
        draw_board(public, f)?;
        for seat in Seat::all(public.seats()) {
            draw_seat(public, seat, f)?;
            write!(f, ", {}", seeks(public, self.goal(seat)))?;
            let later: Vec<Treasure> = self.pile(seat).skip(public.cards_found(seat) + 1).collect();
            if !later.is_empty() {
                write!(f, ", then {}", list(later.into_iter()))?;
            }
            writeln!(f)?;
        }
        draw_turn(public, f)
    }
}

impl fmt::Display for View {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let public = &self.public;
        draw_board(public, f)?;
        for seat in Seat::all(public.seats()) {
            draw_seat(public, seat, f)?;
            if public.cards_found(seat) > 0 {
                write!(f, " ({})", list(self.cards_found(seat)))?;
            }
            if seat == self.seat {
                write!(f, ", {} (you)", seeks(public, self.goal()))?;
            } else if public.is_going_home(seat) {
                write!(f, ", goes home to {}", public.home(seat))?;
            }
            writeln!(f)?;
        }
        writeln!(f, "not seen yet: {}", list(self.unseen().iter()))?;
        draw_turn(public, f)
    }
}

/// A number for each cell, as the thesis draws its valuations: in brackets the cell that is chosen, in
/// parentheses those that cannot be reached.
pub(crate) fn draw_values(values: &[i32; Cell::COUNT], reached: CellSet, chosen: Action) -> String {
    let mut text = format!("after the push {}/{}:\n", chosen.entry, chosen.rotation);
    for cell in Cell::all() {
        let value = values[cell.index()];
        let value = if cell == chosen.to {
            format!("[{value}]")
        } else if reached.contains(cell) {
            format!("{value} ")
        } else {
            format!("({value})")
        };
        write!(text, "{value:>7}").expect("a string takes all");
        if cell.x() == SIZE - 1 {
            text.push('\n');
        }
    }
    text
}
