//! The mine and the table for a terminal.

use crate::public::Public;
use crate::{Card, Cell, Goal, GoalCard, Role, Side, View, World};
use oboro_core::{Seat, SeatView as _};
use std::fmt;

/// A card as three lines of three characters: its open sides, and a cross in a blocked centre.
fn card_rows(public: &Public, cell: Cell, goals: [Option<GoalCard>; 3]) -> [String; 3] {
    let board = public.board();
    if let Some(goal) = Goal::at(cell).filter(|&goal| public.turned_up(goal).is_none()) {
        let mark = match goals[goal.index()] {
            None => '?',
            Some(GoalCard::Gold) => '$',
            Some(_) => 'o',
        };
        return ["┌─┐".into(), format!("│{mark}│"), "└─┘".into()];
    }
    let Some(sides) = board.sides(cell) else {
        let mark = if board.open_ends().contains(cell) { '·' } else { ' ' };
        return ["   ".into(), format!(" {mark} "), "   ".into()];
    };
    let pick = |side, mark: char| if sides.contains(side) { mark } else { ' ' };
    let centre = match Goal::at(cell).and_then(|goal| public.turned_up(goal)) {
        Some(GoalCard::Gold) => '$',
        Some(_) => 'o',
        None if cell == Cell::START => 'S',
        None if !board.is_passable(cell) => 'x',
        None => CENTRES[usize::from(sides.bits())],
    };
    [
        format!(" {} ", pick(Side::Up, '│')),
        format!("{}{centre}{}", pick(Side::Left, '─'), pick(Side::Right, '─')),
        format!(" {} ", pick(Side::Down, '│')),
    ]
}

/// The character that joins a set of sides (bits: left, up, right, down).
const CENTRES: [char; 16] =
    [' ', '╴', '╵', '┘', '╶', '─', '└', '┴', '╷', '┐', '│', '┤', '┌', '┬', '├', '┼'];

fn draw(f: &mut fmt::Formatter<'_>, public: &Public, goals: [Option<GoalCard>; 3]) -> fmt::Result {
    let (mut left, mut right, mut top, mut bottom) = (0, 8, -2, 2);
    for cell in public.board().paths().iter() {
        left = left.min(cell.x());
        right = right.max(cell.x());
        top = top.min(cell.y());
        bottom = bottom.max(cell.y());
    }
    let columns: Vec<String> = (left..=right).map(|x| format!("{x:^3}")).collect();
    writeln!(f, "   {}", columns.concat().trim_end())?;
    for y in top..=bottom {
        let row: Vec<[String; 3]> = (left..=right)
            .map(|x| {
                let cell = Cell::new(x, y).expect("cards lie inside the grid");
                card_rows(public, cell, goals)
            })
            .collect();
        for line in 0..3 {
            let label = if line == 1 { format!("{y:>2} ") } else { "   ".to_owned() };
            let text: String = row.iter().map(|card| card[line].as_str()).collect();
            writeln!(f, "{}", format!("{label}{text}").trim_end())?;
        }
    }
    let round = public.past().len() + usize::from(public.turn().is_some());
    write!(
        f,
        "round {round} of {}, deck {}, pile {}",
        public.rules().rounds,
        public.deck_left(),
        public.pile().len()
    )?;
    match public.turn() {
        Some(seat) => writeln!(f, ", seat {seat} to move"),
        None => writeln!(f, ", the game is over"),
    }
}

fn cards(hand: &[Card]) -> String {
    let texts: Vec<String> = hand.iter().map(Card::to_string).collect();
    texts.join(" ")
}

fn seat_line(public: &Public, seat: Seat, role: Option<Role>, hand: &str) -> String {
    let role = match role {
        Some(Role::Digger) => "digger",
        Some(Role::Saboteur) => "saboteur",
        None => "?",
    };
    let broken = public.broken(seat);
    let broken = if broken.is_empty() { String::new() } else { format!("  broken: {broken}") };
    format!("seat {seat}: {role:8} {hand}{broken}").trim_end().to_owned()
}

impl fmt::Display for World {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        draw(f, &self.public, self.goals.map(Some))?;
        for seat in self.public.seats() {
            let hand = cards(self.hand(seat));
            writeln!(f, "{}", seat_line(&self.public, seat, Some(self.role(seat)), &hand))?;
        }
        Ok(())
    }
}

impl fmt::Display for View {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let public = self.public();
        draw(f, public, Goal::ALL.map(|goal| self.goal(goal)))?;
        for seat in public.seats() {
            let own = seat == self.seat();
            let hand =
                if own { cards(self.hand()) } else { format!("{} cards", public.hand_size(seat)) };
            let role = own.then(|| self.role());
            writeln!(f, "{}", seat_line(public, seat, role, &hand))?;
        }
        Ok(())
    }
}
