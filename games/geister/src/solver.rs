//! Proofs: the side to move wins by force, whatever the hidden colours are and whatever the enemy
//! does.
//!
//! Against all colourings at once the enemy is best served by purple pieces: a captured one was red
//! (capturing reds only ever brings the loss nearer), and one that reaches an exit was blue. So the
//! question is a game of perfect information between an attacker and a defender, see [`Purple`]; it
//! is searched to growing depths with a transposition table. Races that nobody can interfere with are
//! decided by counting steps.

use crate::action::Action;
use crate::purple::{
    BACKWARDS_FIRST, ENEMY_EXITS, FORWARDS_FIRST, OWN_EXITS, Purple, around, movable, piece_on,
    shifted, unshifted,
};
use crate::race::{can_escape, outruns, runs_free};
use crate::square::{Bitboard, Direction, squares};
use crate::view::View;
use oboro_core::SeatView;

/// What a search for a forced win found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Proof {
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
    /// The step that last refuted the attacker with so many plies to go.
    killers: [Step; 100],
    nodes: u64,
    budget: u64,
}

/// A step: where from, and the number of its direction. None starts from nowhere.
type Step = (Bitboard, usize);

/// What is known of a position with one side to move.
#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    key: u64,
    /// Won within so many plies; 0 if not known to be.
    won: u8,
    /// Not won within so many plies.
    held: u8,
    /// Where the step that decides starts, and its direction: the attacker's winning one, the
    /// defender's refutation.
    from: u8,
    direction: u8,
}

impl Entry {
    /// Whether the attacker wins within `depth` plies, if that is known.
    fn verdict(&self, depth: u32) -> Option<bool> {
        if self.won != 0 && u32::from(self.won) <= depth {
            return Some(true);
        }
        (u32::from(self.held) >= depth).then_some(false)
    }

    /// The step that decided.
    fn step(&self) -> Step {
        (1 << (self.from & 63), usize::from(self.direction & 3))
    }
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
        Solver {
            table: vec![Entry::default(); 1 << bits],
            killers: [(0, 0); 100],
            nodes: 0,
            budget: 0,
        }
    }

    /// Looks for a forced win of the view's owner, whose turn it is, within `plies` plies, visiting
    /// at most `budget` nodes.
    pub fn solve(&mut self, view: &View, plies: u32, budget: u64) -> Proof {
        let here = Purple::of(view);
        match self.prove(&here, plies, budget) {
            Proof::Win { plies, .. } => Proof::Win { plies, line: self.line(view, here, plies) },
            other => other,
        }
    }

    /// As [`solve`](Solver::solve) for a bare position with the attacker to move; gives no line.
    pub fn prove(&mut self, here: &Purple, plies: u32, budget: u64) -> Proof {
        self.nodes = 0;
        self.budget = budget;
        let mut held = 0;
        for depth in (1..=plies.min(99)).step_by(2) {
            match self.attack(here, depth) {
                Ok(true) => {
                    return Proof::Win { plies: depth, line: Vec::new() };
                }
                Ok(false) => held = depth,
                Err(Exhausted) => return Proof::Undecided(held),
            }
        }
        Proof::NoWinWithin(held)
    }

    /// How many nodes the last search visited.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Counts a node.
    fn visit(&mut self) -> Result<(), Exhausted> {
        self.nodes += 1;
        if self.nodes > self.budget { Err(Exhausted) } else { Ok(()) }
    }

    /// What is known of the position with this key.
    fn known(&self, key: u64) -> Entry {
        let entry = self.table[self.slot(key)];
        if entry.key == key { entry } else { Entry { key, ..Entry::default() } }
    }

    fn slot(&self, key: u64) -> usize {
        (key >> 1) as usize & (self.table.len() - 1)
    }

    /// Writes down whether a position is won within `depth` plies, and by which step that is so.
    fn learn(&mut self, mut entry: Entry, depth: u32, won: bool, step: Option<Step>) {
        if won {
            entry.won = depth as u8;
        } else {
            entry.held = depth as u8;
        }
        if let Some((from, direction)) = step {
            entry.from = from.trailing_zeros() as u8;
            entry.direction = direction as u8;
        }
        let slot = self.slot(entry.key);
        self.table[slot] = entry;
    }

    /// Whether the attacker, to move, wins within `depth` plies (an odd number).
    fn attack(&mut self, here: &Purple, depth: u32) -> Result<bool, Exhausted> {
        if here.blues & OWN_EXITS != 0 {
            return Ok(true);
        }
        // Otherwise the enemy would have to take all reds, and moves less often.
        if !(can_escape(here.blues, depth) || here.reds.count_ones() <= depth / 2)
            || is_outrun(here, 1)
        {
            return Ok(false);
        }
        if depth == 3 && !has_one(here.reds) {
            return Ok(enters_safely(here));
        }
        if runs_free(here.blues, here.reds, here.enemies, here.enemies, depth) {
            return Ok(true);
        }
        self.visit()?;
        let known = self.known(key(here, true));
        if let Some(verdict) = known.verdict(depth) {
            return Ok(verdict);
        }
        let found = self.winning_step(here, known.step(), depth)?;
        self.learn(known, depth, found.is_some(), found);
        Ok(found.is_some())
    }

    /// The first step that wins within `depth` plies. The remembered one is tried first, then blues, and
    /// forwards: most wins are runs to an exit.
    fn winning_step(
        &mut self,
        here: &Purple,
        hint: Step,
        depth: u32,
    ) -> Result<Option<Step>, Exhausted> {
        let movable = movable(here.own());
        let remembered = movable[hint.1] & hint.0;
        if remembered != 0 && self.wins_by(here, hint, depth)? {
            return Ok(Some(hint));
        }
        for movers in [here.blues, here.reds] {
            for direction in FORWARDS_FIRST {
                let mut rest = movable[direction] & movers;
                while rest != 0 {
                    let step = (rest & rest.wrapping_neg(), direction);
                    rest ^= step.0;
                    if !(step == hint && remembered != 0) && self.wins_by(here, step, depth)? {
                        return Ok(Some(step));
                    }
                }
            }
        }
        Ok(None)
    }

    /// Whether a step of the attacker wins within `depth` plies.
    fn wins_by(&mut self, here: &Purple, step: Step, depth: u32) -> Result<bool, Exhausted> {
        match attacker_step(here, step.0, step.1) {
            Some(next) => self.defend(&next, depth - 1),
            None => Ok(false),
        }
    }

    /// Whether the attacker wins within `depth` plies (an even number) whatever the defender, to
    /// move, does.
    fn defend(&mut self, here: &Purple, depth: u32) -> Result<bool, Exhausted> {
        if here.enemies & ENEMY_EXITS != 0 {
            return Ok(false);
        }
        if depth == 2 && !has_one(here.reds) {
            // Only a blue that stands on an exit and cannot be taken wins at once; or two of them.
            let leaving = here.blues & OWN_EXITS;
            return Ok(leaving & !around(here.enemies) != 0 || leaving == OWN_EXITS);
        }
        if depth < 2
            || !(can_escape(here.blues, depth - 1) || here.reds.count_ones() <= depth / 2)
            || is_outrun(here, 0)
        {
            return Ok(false);
        }
        self.visit()?;
        // So near the end a search is cheaper than a look into the table.
        let remembers = depth > 4;
        let known = if remembers { self.known(key(here, false)) } else { Entry::default() };
        if let Some(verdict) = known.verdict(depth) {
            return Ok(verdict);
        }
        let refutation = self.refutation(here, known.step(), depth)?;
        if let Some(step) = refutation {
            self.killers[depth as usize] = step;
        }
        if remembers {
            self.learn(known, depth, refutation.is_none(), refutation);
        }
        Ok(refutation.is_none())
    }

    /// The first step after which the attacker does not win within the rest of `depth` plies. What
    /// refuted the attacker here at a smaller depth, or elsewhere at this one, is tried first, then
    /// captures.
    fn refutation(
        &mut self,
        here: &Purple,
        hint: Step,
        depth: u32,
    ) -> Result<Option<Step>, Exhausted> {
        let movable = movable(here.enemies);
        let mut tried = [0; 4];
        for step in [hint, self.killers[depth as usize]] {
            if movable[step.1] & step.0 & !tried[step.1] != 0 {
                tried[step.1] |= step.0;
                if self.refutes(here, step, depth)? {
                    return Ok(Some(step));
                }
            }
        }
        for capturing in [true, false] {
            for direction in BACKWARDS_FIRST {
                let captures = unshifted(here.own(), direction);
                let wanted = if capturing { captures } else { !captures };
                let mut rest = movable[direction] & wanted & !tried[direction];
                while rest != 0 {
                    let step = (rest & rest.wrapping_neg(), direction);
                    rest ^= step.0;
                    if self.refutes(here, step, depth)? {
                        return Ok(Some(step));
                    }
                }
            }
        }
        Ok(None)
    }

    /// Whether the attacker no longer wins within the rest of `depth` plies after a defender's step.
    fn refutes(&mut self, here: &Purple, step: Step, depth: u32) -> Result<bool, Exhausted> {
        let next = defender_step(here, step.0, step.1);
        // A capture of the last blue wins, and one of the last red loses.
        Ok(next.blues == 0 || next.reds != 0 && !self.attack(&next, depth - 1)?)
    }

    /// The winning line from a position won in `plies`: attacker's proven moves, and the defence
    /// that lasts longest.
    fn line(&mut self, view: &View, mut here: Purple, mut plies: u32) -> Vec<Action> {
        self.nodes = 0;
        self.budget = u64::MAX;
        let mut board = *view.public();
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
pub(crate) fn steps(
    movable: [Bitboard; 4],
    movers: Bitboard,
) -> impl Iterator<Item = (usize, Bitboard)> {
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

/// Whether a defender reaches an exit before the attacker can stop it or escape.
#[inline]
fn is_outrun(here: &Purple, ahead: usize) -> bool {
    outruns(here.blues, here.own(), here.enemies, 0, ahead)
}

/// Whether a set has one square, or none.
#[inline]
pub(crate) const fn has_one(board: Bitboard) -> bool {
    board & board.wrapping_sub(1) == 0
}

/// Whether a blue of the attacker, to move, steps onto an exit where nobody can capture it, so that it
/// leaves two plies later.
#[inline]
fn enters_safely(here: &Purple) -> bool {
    let mut exits = around(here.blues) & OWN_EXITS & !here.reds;
    if here.enemies & ENEMY_EXITS != 0 {
        return false;
    }
    while exits != 0 {
        let exit = exits & exits.wrapping_neg();
        exits ^= exit;
        let may_enter = here.enemies & exit == 0 || here.quota > 1;
        if may_enter && around(here.enemies & !exit) & exit == 0 {
            return true;
        }
    }
    false
}

/// A key for the table; never 0.
#[inline]
fn key(here: &Purple, attacker_moves: bool) -> u64 {
    let rest = u64::from(here.quota) << 40 | u64::from(attacker_moves) << 48;
    let mut hash = here.blues.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    hash = (hash ^ hash >> 32 ^ here.reds).wrapping_mul(0xd6e8_feb8_6659_fd93);
    hash = (hash ^ hash >> 32 ^ here.enemies ^ rest).wrapping_mul(0xa076_1d64_78bd_642f);
    (hash ^ hash >> 29) | 1
}
