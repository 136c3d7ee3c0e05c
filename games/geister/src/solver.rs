//! Proofs: the side to move wins by force, whatever the hidden colours are and whatever the enemy
//! does.
//!
//! Against all colourings at once the enemy is best served by purple pieces: a captured one was red
//! (capturing reds only ever brings the loss nearer), and one that reaches an exit was blue. So the
//! question is a game of perfect information between an attacker and a defender, see [`Purple`]; it
//! is searched to growing depths with a transposition table.

use crate::action::Action;
use crate::purple::{
    BACKWARDS_FIRST, ENEMY_EXITS, FORWARDS_FIRST, OWN_EXITS, Purple, around, movable, piece_on,
    shifted, unshifted,
};
use crate::square::{Bitboard, Direction, squares};
use crate::view::View;
use oboro_core::SeatView;

/// What a search for a forced win found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// A forced win, in no fewer plies than these if the defender resists longest.
    Win {
        /// Plies to the end, the last one included.
        plies: u32,
        /// The attacker's moves and the longest defence, in turn.
        line: Vec<Action>,
    },
    /// No forced win within so many plies.
    NoWinWithin(u32),
    /// The budget ran out; there is no forced win within so many plies.
    Undecided(u32),
}

/// Searches for forced wins; keeps its table from one call to the next.
#[derive(Clone, Debug)]
pub struct Solver {
    table: Vec<Entry>,
    nodes: u64,
    budget: u64,
}

/// What is known of a position with the attacker to move.
#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    key: u64,
    /// Won within so many plies; 0 if not known to be.
    won: u8,
    /// Not won within so many plies.
    held: u8,
    /// Where the winning step starts, and its direction.
    from: u8,
    direction: u8,
}

/// Out of budget.
struct Exhausted;

impl Solver {
    /// A solver whose table has 2^`bits` entries of 16 bytes.
    ///
    /// # Panics
    /// If `bits` is above 30.
    pub fn new(bits: u32) -> Solver {
        assert!(bits <= 30, "a table that fits the memory");
        Solver { table: vec![Entry::default(); 1 << bits], nodes: 0, budget: 0 }
    }

    /// Looks for a forced win of the view's owner, whose turn it is, within `plies` plies, visiting
    /// at most `budget` nodes.
    pub fn solve(&mut self, view: &View, plies: u32, budget: u64) -> Verdict {
        let here = Purple::of(view);
        match self.prove(&here, plies, budget) {
            Verdict::Win { plies, .. } => {
                Verdict::Win { plies, line: self.line(view, here, plies) }
            }
            other => other,
        }
    }

    /// As [`solve`](Solver::solve) for a bare position with the attacker to move; gives no line.
    pub fn prove(&mut self, here: &Purple, plies: u32, budget: u64) -> Verdict {
        self.nodes = 0;
        self.budget = budget;
        let mut held = 0;
        for depth in (1..=plies.min(99)).step_by(2) {
            match self.attack(here, depth) {
                Ok(true) => {
                    return Verdict::Win { plies: depth, line: Vec::new() };
                }
                Ok(false) => held = depth,
                Err(Exhausted) => return Verdict::Undecided(held),
            }
        }
        Verdict::NoWinWithin(held)
    }

    /// How many nodes the last search visited.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Whether the attacker, to move, wins within `depth` plies (an odd number).
    fn attack(&mut self, here: &Purple, depth: u32) -> Result<bool, Exhausted> {
        if here.blues & OWN_EXITS != 0 {
            return Ok(true);
        }
        // Otherwise the enemy would have to take all reds, and moves less often.
        if !(can_escape(here, depth) || here.reds.count_ones() <= depth / 2) {
            return Ok(false);
        }
        self.nodes += 1;
        if self.nodes > self.budget {
            return Err(Exhausted);
        }
        let key = key(here);
        let slot = (key >> 1) as usize & (self.table.len() - 1);
        let known = self.table[slot];
        let hit = known.key == key;
        if hit && known.won != 0 && u32::from(known.won) <= depth {
            return Ok(true);
        }
        if hit && u32::from(known.held) >= depth {
            return Ok(false);
        }
        let mut found = None;
        let hint = (hit && known.won != 0).then(|| (1 << known.from, usize::from(known.direction)));
        if let Some((from, direction)) = hint
            && let Some(next) = attacker_step(here, from, direction)
            && self.defend(&next, depth - 1)?
        {
            found = hint;
        }
        if found.is_none() {
            found = self.winning_step(here, depth)?;
        }
        let entry = &mut self.table[slot];
        if entry.key != key {
            *entry = Entry { key, ..Entry::default() };
        }
        if let Some((from, direction)) = found {
            entry.won = depth as u8;
            entry.from = from.trailing_zeros() as u8;
            entry.direction = direction as u8;
        } else {
            entry.held = entry.held.max(depth as u8);
        }
        Ok(found.is_some())
    }

    /// The first step that wins within `depth` plies. Blues are tried first, and forwards first: most
    /// wins are runs to an exit.
    fn winning_step(
        &mut self,
        here: &Purple,
        depth: u32,
    ) -> Result<Option<(Bitboard, usize)>, Exhausted> {
        let movable = movable(here.own());
        for movers in [here.blues, here.reds] {
            for direction in FORWARDS_FIRST {
                let mut rest = movable[direction] & movers;
                while rest != 0 {
                    let from = rest & rest.wrapping_neg();
                    rest ^= from;
                    if let Some(next) = attacker_step(here, from, direction)
                        && self.defend(&next, depth - 1)?
                    {
                        return Ok(Some((from, direction)));
                    }
                }
            }
        }
        Ok(None)
    }

    /// Whether the attacker wins within `depth` plies (an even number) whatever the defender, to
    /// move, does.
    fn defend(&mut self, here: &Purple, depth: u32) -> Result<bool, Exhausted> {
        if here.enemies & ENEMY_EXITS != 0 {
            return Ok(false);
        }
        let last_red = here.reds & here.reds.wrapping_sub(1) == 0;
        if depth == 2 && !last_red {
            // Only a blue that stands on an exit and cannot be taken wins at once; or two of them.
            let leaving = here.blues & OWN_EXITS;
            return Ok(leaving & !around(here.enemies) != 0 || leaving == OWN_EXITS);
        }
        if depth < 2 || !(can_escape(here, depth - 1) || here.reds.count_ones() <= depth / 2) {
            return Ok(false);
        }
        self.nodes += 1;
        let movable = movable(here.enemies);
        // Captures refute most often.
        for capturing in [true, false] {
            for direction in BACKWARDS_FIRST {
                let captures = unshifted(here.own(), direction);
                let mut rest = movable[direction] & if capturing { captures } else { !captures };
                while rest != 0 {
                    let from = rest & rest.wrapping_neg();
                    rest ^= from;
                    let next = defender_step(here, from, direction);
                    if next.blues == 0 {
                        return Ok(false);
                    }
                    if next.reds != 0 && !self.attack(&next, depth - 1)? {
                        return Ok(false);
                    }
                }
            }
        }
        Ok(true)
    }

    /// The winning line from a position won in `plies`: attacker's proven moves, and the defence
    /// that lasts longest.
    fn line(&mut self, view: &View, mut here: Purple, mut plies: u32) -> Vec<Action> {
        self.nodes = 0;
        self.budget = u64::MAX;
        let mut board = *view.board();
        let (seat, enemy) = (view.seat(), view.enemy());
        let mut line = Vec::new();
        loop {
            let leaving = here.blues & OWN_EXITS;
            if leaving != 0 {
                line.push(Action::Escape(piece_on(&board, seat, leaving)));
                return line;
            }
            let won = steps(movable(here.own()), here.own()).find_map(|(direction, from)| {
                let next = attacker_step(&here, from, direction)?;
                let wins = self.defend(&next, plies - 1).unwrap_or(false);
                wins.then_some((direction, from, next))
            });
            let Some((direction, from, next)) = won else {
                return line;
            };
            let piece = piece_on(&board, seat, from);
            line.push(Action::Move(piece, Direction::ALL[direction]));
            board.step(piece, Direction::ALL[direction]);
            here = next;
            let Some((direction, from, next, left)) = self.longest_defence(&here, plies - 2) else {
                return line;
            };
            let piece = piece_on(&board, seat, from);
            // The defender's directions are its own.
            let own = Direction::ALL[direction].reversed();
            debug_assert!(board.target(enemy, piece, own).is_some());
            line.push(Action::Move(piece, own));
            board.step(piece, own);
            here = next;
            plies = left;
            if here.reds == 0 {
                return line;
            }
        }
    }

    /// The enemy's step after which the attacker needs most plies, at most `plies`.
    fn longest_defence(
        &mut self,
        here: &Purple,
        plies: u32,
    ) -> Option<(usize, Bitboard, Purple, u32)> {
        let mut best: Option<(usize, Bitboard, Purple, u32)> = None;
        for (direction, from) in steps(movable(here.enemies), here.enemies) {
            let next = defender_step(here, from, direction);
            let needed = if next.reds == 0 {
                0
            } else {
                (1..=plies).step_by(2).find(|&depth| self.attack(&next, depth).unwrap_or(false))?
            };
            if best.is_none_or(|(.., most)| needed > most) {
                best = Some((direction, from, next, needed));
            }
        }
        best
    }
}

/// The steps of some movers, forwards first.
fn steps(movable: [Bitboard; 4], movers: Bitboard) -> impl Iterator<Item = (usize, Bitboard)> {
    FORWARDS_FIRST.into_iter().flat_map(move |direction| {
        squares(movable[direction] & movers).map(move |square| (direction, square.bit()))
    })
}

/// The position after a defender's step; it may capture.
#[inline]
fn defender_step(here: &Purple, from: Bitboard, direction: usize) -> Purple {
    let to = shifted(from, direction);
    Purple {
        blues: here.blues & !to,
        reds: here.reds & !to,
        enemies: here.enemies ^ (from | to),
        quota: here.quota,
    }
}

/// The position after an attacker's step; `None` if it captures one purple too many.
#[inline]
fn attacker_step(here: &Purple, from: Bitboard, direction: usize) -> Option<Purple> {
    let to = shifted(from, direction);
    let mut next = *here;
    if here.blues & from == 0 {
        next.reds ^= from | to;
    } else {
        next.blues ^= from | to;
    }
    if here.enemies & to != 0 {
        next.enemies ^= to;
        next.quota -= 1;
        if next.quota == 0 {
            return None;
        }
    }
    Some(next)
}

/// Whether a blue of the attacker, to move, is near enough to an exit to leave within `depth` plies:
/// at distance d it leaves with the d + 1st move.
#[inline]
fn can_escape(here: &Purple, depth: u32) -> bool {
    let steps = depth.div_ceil(2).saturating_sub(1) as usize;
    here.blues & WITHIN[steps.min(10)] != 0
}

/// The squares within so many steps of an own exit.
static WITHIN: [Bitboard; 11] = within();

const fn within() -> [Bitboard; 11] {
    let mut table = [OWN_EXITS; 11];
    let mut distance = 1;
    while distance < 11 {
        table[distance] = table[distance - 1] | around(table[distance - 1]);
        distance += 1;
    }
    table
}

/// A key for the table; never 0.
#[inline]
fn key(here: &Purple) -> u64 {
    let mut hash = here.blues.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    hash = (hash ^ hash >> 32 ^ here.reds).wrapping_mul(0xd6e8_feb8_6659_fd93);
    hash = (hash ^ hash >> 32 ^ here.enemies ^ u64::from(here.quota) << 40)
        .wrapping_mul(0xa076_1d64_78bd_642f);
    (hash ^ hash >> 29) | 1
}
