//! Proofs that the side to move wins by force, whatever the hidden colours are and whatever the enemy does.
//!
//! That is a game of perfect information between an attacker and a defender, see [`Position`]. It is searched to growing
//! depths with a transposition table. Races that nobody can interfere with are decided by counting steps.

use super::position::{Position, Stepped};
use super::proof::{PlayOut, Proof};
use super::race::{can_escape, outruns, runs_free};
use super::{Exhausted, Step, has_one, steps};
use crate::bitboard::{
    BACKWARDS_FIRST, ENEMY_EXITS, FORWARDS_FIRST, OWN_EXITS, around, movable, unshifted,
};
use crate::view::View;

/// Searches for forced wins; keeps its table from one call to the next.
#[derive(Clone, Debug)]
pub(crate) struct Solver {
    table: Vec<TableEntry>,
    /// The step that last refuted the attacker with so many plies to go.
    killers: [Step; 100],
    nodes: u64,
    budget: u64,
}

/// What is known of a position with one side to move.
#[derive(Clone, Copy, Debug, Default)]
struct TableEntry {
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

impl TableEntry {
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

impl Solver {
    /// A solver whose table has 2^`bits` entries of 16 bytes.
    ///
    /// # Panics
    /// If `bits` is above 30.
    pub(crate) fn new(bits: u32) -> Solver {
        assert!(bits <= 30, "a table that fits the memory");
        Solver {
            table: vec![TableEntry::default(); 1 << bits],
            killers: [(0, 0); 100],
            nodes: 0,
            budget: 0,
        }
    }

    /// Looks for a forced win of the view's owner, whose turn it is, within `plies` plies, visiting
    /// at most `budget` nodes.
    pub(crate) fn solve(&mut self, view: &View, plies: u32, budget: u64) -> Proof {
        let here = Position::of(view);
        let proof = self.prove(&here, plies, budget);
        let Proof::Win { plies, .. } = proof else { return proof };
        (self.nodes, self.budget) = (0, u64::MAX);
        Proof::Win { plies, line: self.line(view, here, plies) }
    }

    /// As [`solve`](Solver::solve) for a bare position with the attacker to move; gives no line.
    pub(crate) fn prove(&mut self, here: &Position, plies: u32, budget: u64) -> Proof {
        self.nodes = 0;
        self.budget = budget;
        let mut held = 0;
        for depth in (1..=plies.min(99)).step_by(2) {
            match self.attack(here, depth) {
                Ok(true) => return Proof::Win { plies: depth, line: Vec::new() },
                Ok(false) => held = depth,
                Err(Exhausted) => return Proof::Undecided(held),
            }
        }
        Proof::NoWinWithin(held)
    }

    /// How many nodes the last search visited.
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Counts a node.
    fn visit(&mut self) -> Result<(), Exhausted> {
        self.nodes += 1;
        if self.nodes > self.budget { Err(Exhausted) } else { Ok(()) }
    }

    /// What is known of the position with this key.
    fn known(&self, key: u64) -> TableEntry {
        let entry = self.table[self.slot(key)];
        if entry.key == key { entry } else { TableEntry { key, ..TableEntry::default() } }
    }

    fn slot(&self, key: u64) -> usize {
        (key >> 1) as usize & (self.table.len() - 1)
    }

    /// Writes down whether a position is won within `depth` plies, and by which step that is so.
    fn learn(&mut self, mut entry: TableEntry, depth: u32, won: bool, step: Option<Step>) {
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
    fn attack(&mut self, here: &Position, depth: u32) -> Result<bool, Exhausted> {
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
            return Ok(here.safe_entries() != 0);
        }
        if runs_free(here.blues, here.reds, here.enemies, here.enemies, depth) {
            return Ok(true);
        }
        self.visit()?;
        let known = self.known(here.key(true));
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
        here: &Position,
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
    fn wins_by(&mut self, here: &Position, step: Step, depth: u32) -> Result<bool, Exhausted> {
        match here.attacker_step(step.0, step.1) {
            Stepped::On(next) => self.defend(&next, depth - 1),
            Stepped::Won | Stepped::Lost => Ok(false),
        }
    }

    /// Whether the attacker wins within `depth` plies (an even number) whatever the defender, to
    /// move, does.
    fn defend(&mut self, here: &Position, depth: u32) -> Result<bool, Exhausted> {
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
        let known = if remembers { self.known(here.key(false)) } else { TableEntry::default() };
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
        here: &Position,
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
    fn refutes(&mut self, here: &Position, step: Step, depth: u32) -> Result<bool, Exhausted> {
        let next = here.defender_step(step.0, step.1);
        // A capture of the last blue wins, and one of the last red loses.
        Ok(next.blues == 0 || next.reds != 0 && !self.attack(&next, depth - 1)?)
    }
}

impl PlayOut for Solver {
    fn winning_step(&mut self, here: &Position, plies: u32) -> Option<(Step, Stepped)> {
        steps(movable(here.own()), here.own()).find_map(|step| {
            let Stepped::On(next) = here.attacker_step(step.0, step.1) else { return None };
            let wins = self.defend(&next, plies - 1).unwrap_or(false);
            wins.then_some((step, Stepped::On(next)))
        })
    }

    fn longest_defence(&mut self, here: &Position, plies: u32) -> Option<(Step, Position, u32)> {
        let mut best: Option<(Step, Position, u32)> = None;
        for step in steps(movable(here.enemies), here.enemies) {
            let next = here.defender_step(step.0, step.1);
            let needed = if next.reds == 0 {
                0
            } else {
                (1..=plies).step_by(2).find(|&depth| self.attack(&next, depth).unwrap_or(false))?
            };
            if best.is_none_or(|(.., most)| needed > most) {
                best = Some((step, next, needed));
            }
        }
        best
    }
}

/// Whether a defender reaches an exit before the attacker can stop it or escape.
#[inline]
fn is_outrun(here: &Position, ahead: usize) -> bool {
    outruns(here.blues, here.own(), here.enemies, 0, ahead)
}
