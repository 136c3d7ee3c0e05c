//! Positions as text, in one line:
//!
//! ```text
//! ┌│┬─┬┐┐/…/└─┴│┴─┘ T b2,c3,+,… last=4 ply=12 a1:AB|CDEF g7:G|HIJK-NO
//! ```
//!
//! - the seven rows of the board, each tile drawn by its line;
//! - the shape of the extra tile: `S`, `C` or `T`;
//! - where the twelve movable treasures lie, in the order of their letters `M` to `X`; `+` is the
//!   extra tile;
//! - the last push (`-` before the first) and the number of turns played;
//! - for each seat its pawn, the cards it has found, its pile from the top after `|`, and after `-`
//!   the treasures it is known not to seek.

use crate::board::{Board, MOVABLE_TILES};
use crate::cell::{Cell, scan_cell};
use crate::entry::scan_entry;
use crate::maze::Maze;
use crate::rules::Labyrinth;
use crate::tile::{Shape, Sides};
use crate::treasure::{Treasure, TreasureSet};
use crate::world::World;
use oboro_core::{NotationError, Scanner, Seat, joined};
use std::fmt::Write as _;

pub(crate) fn write(world: &World) -> String {
    let public = &world.public;
    let mut text = String::new();
    for cell in Cell::all() {
        if cell.x() == 0 && cell.y() > 0 {
            text.push('/');
        }
        text.push(public.board.maze.sides(cell).glyph());
    }
    let places = Treasure::movable()
        .map(|treasure| public.board.place(treasure).map_or("+".to_owned(), |c| c.to_string()));
    let last = joined(public.last, "");
    let mut add = |args: std::fmt::Arguments<'_>| text.write_fmt(args).expect("a string takes all");
    add(format_args!(" {} {}", public.board.extra.letter(), joined(places, ",")));
    add(format_args!(" last={last} ply={}", public.ply));
    for seat in Seat::all(public.seats()) {
        let letters: String = world.pile(seat).map(Treasure::letter).collect();
        let (found, pile) = letters.split_at(public.cards_found(seat));
        add(format_args!(" {}:{found}|{pile}", public.pawn(seat)));
        if !public.refused(seat).is_empty() {
            let refused: String = public.refused(seat).iter().map(Treasure::letter).collect();
            add(format_args!("-{refused}"));
        }
    }
    text
}

pub(crate) fn parse(rules: &Labyrinth, text: &str) -> Result<World, NotationError> {
    let mut s = Scanner::new(text);
    let board = scan_board(&mut s)?;
    let mut public = rules.public(board);
    s.expect("last=")?;
    if !s.eat("-") {
        public.last = Some(scan_entry(&mut s, "an entry from 0 to 11, or `-`")?);
    }
    s.expect("ply=")?;
    let start = s.at();
    public.ply = s.number("a number of turns")?;
    if public.ply > public.ply_limit {
        let message = format!("these rules end the game after {} turns", public.ply_limit);
        return Err(s.error_at(start, message));
    }

    let mut cards = [None; Treasure::COUNT];
    let mut dealt = TreasureSet::EMPTY;
    let mut seats_at = s.at();
    for seat in Seat::all(public.seats()) {
        s.skip_space();
        seats_at = s.at();
        public.pawns[seat.index()] = scan_cell(&mut s)?;
        s.expect(":")?;
        let slots = &mut cards[seat.index() * rules.cards_each()..][..rules.cards_each()];
        let found = scan_cards(&mut s, slots, &mut dealt)?;
        s.expect("|")?;
        let start = s.at();
        let left = scan_cards(&mut s, &mut slots[found..], &mut dealt)?;
        if found + left != slots.len() {
            let message = format!("a seat has {} cards, not {}", slots.len(), found + left);
            return Err(s.error_at(start, message));
        }
        public.found[seat.index()] = found as u8;
        if s.eat("-") {
            public.refused[seat.index()] =
                scan_refused(&mut s, slots.get(found).copied().flatten())?;
        }
    }
    s.finish()?;
    let world = World { public, cards };
    check_end(&world, &s, seats_at)?;
    Ok(world)
}

fn scan_board(s: &mut Scanner<'_>) -> Result<Board, NotationError> {
    let mut board = Board {
        maze: Maze::default(),
        extra: Shape::Straight,
        treasures: [None; Treasure::MOVABLE],
    };
    s.skip_space();
    for cell in Cell::all() {
        if cell.x() == 0 && cell.y() > 0 {
            s.expect("/")?;
        }
        let start = s.at();
        let sides = s
            .take()
            .and_then(Sides::from_glyph)
            .ok_or_else(|| s.error_at(start, "expected a tile: one of │─└┌┐┘├┬┤┴"))?;
        if let Some(fixed) = Board::fixed(cell).filter(|fixed| *fixed != sides) {
            let message = format!("the tile fixed on {cell} is {}", fixed.glyph());
            return Err(s.error_at(start, message));
        }
        board.maze.lay(cell, sides);
    }
    s.skip_space();
    let start = s.at();
    board.extra = match s.take() {
        Some('S') => Shape::Straight,
        Some('C') => Shape::Corner,
        Some('T') => Shape::Tee,
        _ => return Err(s.error_at(start, "expected the extra tile: S, C or T")),
    };
    for (shape, expected) in MOVABLE_TILES {
        let is_movable = |cell: &Cell| cell.pushable_lines() > 0;
        let on_board = Cell::all()
            .filter(is_movable)
            .filter(|&cell| board.maze.sides(cell).shape() == Some(shape))
            .count();
        let count = on_board + usize::from(board.extra == shape);
        if count != expected {
            let message = format!(
                "there are {expected} movable tiles of shape {}, not {count}",
                shape.letter()
            );
            return Err(s.error_at(start, message));
        }
    }
    scan_treasures(s, &mut board)?;
    Ok(board)
}

fn scan_treasures(s: &mut Scanner<'_>, board: &mut Board) -> Result<(), NotationError> {
    s.skip_space();
    for (number, treasure) in Treasure::movable().enumerate() {
        if number > 0 {
            s.expect(",")?;
        }
        let start = s.at();
        let place = if s.eat("+") { None } else { Some(scan_cell(s)?) };
        let shape = place.map_or(Some(board.extra), |cell| {
            board.maze.sides(cell).shape().filter(|_| cell.pushable_lines() > 0)
        });
        if shape != Some(treasure.shape()) {
            let message = format!(
                "the {treasure} lies on a movable tile of shape {}",
                treasure.shape().letter()
            );
            return Err(s.error_at(start, message));
        }
        if board.treasures[..number].contains(&place) {
            return Err(s.error_at(start, "two treasures lie on this tile"));
        }
        board.treasures[number] = place;
    }
    Ok(())
}

/// The card whose letter comes next, without passing it.
fn next_card(s: &Scanner<'_>) -> Result<Option<Treasure>, NotationError> {
    let Some(letter) = s.peek().filter(char::is_ascii_uppercase) else { return Ok(None) };
    let card = Treasure::from_letter(letter);
    card.map(Some).ok_or_else(|| s.error("there is no such card: they go from A to X"))
}

/// Reads cards into `slots` and returns their number.
fn scan_cards(
    s: &mut Scanner<'_>,
    slots: &mut [Option<Treasure>],
    dealt: &mut TreasureSet,
) -> Result<usize, NotationError> {
    let mut count = 0;
    while let Some(card) = next_card(s)? {
        if dealt.contains(card) {
            return Err(s.error(format!("the {card} is here for the second time")));
        }
        let Some(slot) = slots.get_mut(count) else {
            return Err(s.error("these are more cards than a seat has"));
        };
        *slot = Some(card);
        dealt.insert(card);
        count += 1;
        s.take();
    }
    Ok(count)
}

fn scan_refused(
    s: &mut Scanner<'_>,
    sought: Option<Treasure>,
) -> Result<TreasureSet, NotationError> {
    let mut refused = TreasureSet::EMPTY;
    let start = s.at();
    while let Some(card) = next_card(s)? {
        if sought.is_none_or(|sought| sought == card) {
            return Err(s.error("a seat refuses only what it does not seek"));
        }
        refused.insert(card);
        s.take();
    }
    if refused.is_empty() {
        return Err(s.error_at(start, "expected the treasures that are not sought"));
    }
    Ok(refused)
}

/// Only who moved last can have won, and once a game is won it is over.
fn check_end(world: &World, s: &Scanner<'_>, at: usize) -> Result<(), NotationError> {
    let public = &world.public;
    let seats = public.seats();
    let last_mover = (public.turns_played() + seats - 1) % seats;
    let won = |seat: &Seat| public.has_won(*seat);
    if Seat::all(seats).filter(won).any(|seat| public.ply == 0 || seat.index() != last_mover) {
        return Err(s.error_at(at, "a seat that did not move last has won already"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use oboro_core::{Game, GameWorld, Rng};

    fn example() -> (Labyrinth, String) {
        let rules = Labyrinth { cards: Some(2), ..Labyrinth::default() };
        let mut rng = Rng::from_u64(5);
        let mut world = rules.deal(&mut rng);
        for _ in 0..9 {
            world.apply(world.random_action(&mut rng));
        }
        let text = rules.write_position(&world);
        (rules, text)
    }

    fn said(rules: &Labyrinth, text: &str) -> String {
        rules.parse_position(text).unwrap_err().to_string()
    }

    #[test]
    fn bad_boards_are_explained() {
        let (rules, good) = example();
        assert!(rules.parse_position(&good).is_ok());
        let with = |from: &str, to: &str| said(&rules, &good.replacen(from, to, 1));
        assert_eq!(said(&rules, ""), "column 1 (the end): expected a tile: one of │─└┌┐┘├┬┤┴");
        assert!(with("┌", "└").contains("the tile fixed on a1 is ┌"));
        assert!(with("/", "").contains("expected `/`"));
        assert!(with("last=", "last=12").contains("no such entry"));
        assert!(with("ply=9", "ply=2001").contains("end the game after 2000 turns"));
        assert!(with("ply=9", "ply=99999").contains("expected a number of turns"));
    }

    #[test]
    fn bad_piles_are_explained() {
        let (rules, good) = example();
        let (head, piles) = good.split_once("ply=9 ").unwrap();
        let with = |piles: &str| said(&rules, &format!("{head}ply=9 {piles}"));
        assert!(piles.contains('|'));
        assert!(with("a1:|AB g7:|AC").contains("the helmet is here for the second time"));
        assert!(with("a1:|ABC g7:|DE").contains("more cards than a seat has"));
        assert!(with("a1:|A g7:|DE").contains("a seat has 2 cards, not 1"));
        assert!(with("a1:|AZ g7:|DE").contains("no such card"));
        assert!(with("a1:|AB").contains("expected a cell"));
        assert!(with("a1:|AB g7:|CD-C").contains("refuses only what it does not seek"));
        assert!(with("a1:|AB g7:CD|").contains("did not move last"));
        assert!(with("a1:|AB g7:|CD x").contains("nothing more was expected"));
    }

    #[test]
    fn tiles_and_treasures_must_fit() {
        let (rules, good) = example();
        let places = good.split(' ').nth(2).unwrap();
        let first = places.split(',').next().unwrap();
        let doubled = places.replacen(
            &format!(",{}", places.split(',').nth(1).unwrap()),
            &format!(",{first}"),
            1,
        );
        assert!(said(&rules, &good.replacen(places, &doubled, 1)).contains("two treasures"));
        let fixed = places.replacen(first, "a1", 1);
        assert!(
            said(&rules, &good.replacen(places, &fixed, 1)).contains("movable tile of shape C")
        );
    }
}
