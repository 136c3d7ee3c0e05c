//! Depth-first proof-number search for forced wins.
//!
//! The wins do not depend on hidden colours: see [`Position`]. Up to seven plies all moves are tried, the last five by a few
//! tests on bitboards. For more, every position has a proof number and a disproof number for a win within the plies that
//! remain. What was found within fewer plies says where to begin. Races that nobody can interfere with are decided by counting
//! steps.

mod ending;

use super::position::Position;
use super::race::{can_escape, outruns, runs_free};
use super::{Exhausted, Step, steps};
use crate::action::Action;
use crate::bitboard::{BACKWARDS_FIRST, FORWARDS_FIRST, OWN_EXITS, around, movable, unshifted};
use crate::square::Direction;
use crate::view::View;
use arrayvec::ArrayVec;
use oboro_core::SeatView;

/// So many plies are searched by trying all moves.
const SHALLOW: u32 = 7;
/// A number too large to be reached: nothing can be proved, or refuted.
const NEVER: u16 = u16::MAX;
/// The most steps a side can have.
const STEPS: usize = 32;

/// What a search for a forced win found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Proof {
    /// A forced win, in so many plies if the defender resists longest, the last one included.
    Win(u32),
    /// No forced win within so many plies.
    NoWinWithin(u32),
    /// The budget ran out; there is no forced win within so many plies.
    Undecided(u32),
}

/// Searches for forced wins; keeps its table from one call to the next.
#[derive(Clone, Debug)]
pub(crate) struct Prover {
    table: Vec<TableEntry>,
    /// The step that last refuted the attacker with so many plies to go.
    killers: [Step; SHALLOW as usize],
    nodes: u64,
    budget: u64,
}

/// What is known of a position with one side to move.
#[derive(Clone, Copy, Debug, Default)]
struct TableEntry {
    key: u64,
    /// Its numbers as it was last searched.
    numbers: ProofNumbers,
    /// Won within so many plies; 0 if not known to be.
    won: u8,
    /// Not won within so many plies.
    held: u8,
}

/// The proof and the disproof number of a position: how much is left to prove that the attacker wins, and to refute it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct ProofNumbers {
    proof: u16,
    disproof: u16,
}

impl ProofNumbers {
    const WON: ProofNumbers = ProofNumbers { proof: 0, disproof: NEVER };
    const HELD: ProofNumbers = ProofNumbers { proof: NEVER, disproof: 0 };
    const OPEN: ProofNumbers = ProofNumbers { proof: 1, disproof: 1 };

    fn decided(won: bool) -> ProofNumbers {
        if won { ProofNumbers::WON } else { ProofNumbers::HELD }
    }

    /// What the side to move minimises, and what it adds up.
    fn seen_by(self, attacks: bool) -> (u16, u16) {
        if attacks { (self.proof, self.disproof) } else { (self.disproof, self.proof) }
    }

    fn of((least, total): (u16, u16), attacks: bool) -> ProofNumbers {
        if attacks {
            ProofNumbers { proof: least, disproof: total }
        } else {
            ProofNumbers { proof: total, disproof: least }
        }
    }
}

/// A position one step on.
#[derive(Clone, Copy)]
struct Child {
    position: Position,
    numbers: ProofNumbers,
}

impl Prover {
    /// A prover whose table has 2^`bits` entries of 16 bytes.
    ///
    /// # Panics
    /// If `bits` is above 30.
    pub(crate) fn new(bits: u32) -> Prover {
        assert!(bits <= 30, "a table that fits the memory");
        Prover {
            table: vec![TableEntry::default(); 1 << bits],
            killers: [(0, 0); SHALLOW as usize],
            nodes: 0,
            budget: 0,
        }
    }

    /// How many nodes the last search visited.
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Looks for a forced win of the attacker, who is to move, within `plies` plies, visiting at most `budget` nodes.
    pub(crate) fn prove(&mut self, here: &Position, plies: u32, budget: u64) -> Proof {
        self.nodes = 0;
        self.budget = budget;
        let mut held = 0;
        for depth in (1..=plies.min(99)).step_by(2) {
            match self.is_won(here, depth) {
                Ok(true) => return Proof::Win(depth),
                Ok(false) => held = depth,
                Err(Exhausted) => return Proof::Undecided(held),
            }
        }
        Proof::NoWinWithin(held)
    }

    /// The view's owner's first moves that keep a forced win within `plies` plies, as they are found; the search ends when
    /// the budget does.
    pub(crate) fn winning_moves(
        &mut self,
        view: &View,
        plies: u32,
        budget: u64,
    ) -> impl Iterator<Item = Result<Action, Exhausted>> {
        (self.nodes, self.budget) = (0, budget);
        let here = Position::of(view);
        let (board, seat) = (*view.public(), view.seat());
        steps(movable(here.own()), here.own()).filter_map(move |(from, direction)| {
            let next = here.attacker_step(from, direction)?;
            let action =
                || Action::Move(board.piece_seen_on(seat, from), Direction::ALL[direction]);
            match self.is_won(&next, plies - 1) {
                Ok(wins) => wins.then(|| Ok(action())),
                Err(exhausted) => Some(Err(exhausted)),
            }
        })
    }

    /// Whether the attacker wins within `depth` plies; an odd number if it is to move.
    fn is_won(&mut self, here: &Position, depth: u32) -> Result<bool, Exhausted> {
        if depth <= SHALLOW {
            return self.try_all(here, depth);
        }
        let numbers = match quick_verdict(here, depth, depth % 2 == 1) {
            Some(verdict) => ProofNumbers::decided(verdict),
            None => self.numbers(here, depth),
        };
        match numbers {
            ProofNumbers::WON => Ok(true),
            ProofNumbers::HELD => Ok(false),
            _ => Ok(self.expand(here, depth, (NEVER, NEVER))? == ProofNumbers::WON),
        }
    }

    /// Counts a node.
    fn visit(&mut self) -> Result<(), Exhausted> {
        self.nodes += 1;
        if self.nodes > self.budget { Err(Exhausted) } else { Ok(()) }
    }

    fn slot(&self, key: u64) -> usize {
        (key >> 1) as usize & (self.table.len() - 1)
    }

    /// The numbers that are known of a position with so many plies to go.
    fn numbers(&self, here: &Position, depth: u32) -> ProofNumbers {
        let key = here.key(depth % 2 == 1);
        let entry = self.table[self.slot(key)];
        if entry.key != key {
            ProofNumbers::OPEN
        } else if entry.won != 0 && u32::from(entry.won) <= depth {
            ProofNumbers::WON
        } else if u32::from(entry.held) >= depth {
            ProofNumbers::HELD
        } else {
            entry.numbers
        }
    }

    /// Stores the numbers of a position with so many plies to go.
    fn store(&mut self, here: &Position, depth: u32, numbers: ProofNumbers) {
        let key = here.key(depth % 2 == 1);
        let slot = self.slot(key);
        let entry = &mut self.table[slot];
        if entry.key != key {
            *entry = TableEntry { key, numbers: ProofNumbers::OPEN, won: 0, held: 0 };
        }
        match numbers {
            ProofNumbers::WON => entry.won = depth as u8,
            ProofNumbers::HELD => entry.held = depth as u8,
            open => entry.numbers = open,
        }
    }

    /// Whether the attacker wins within a few plies, by trying all moves.
    fn try_all(&mut self, here: &Position, depth: u32) -> Result<bool, Exhausted> {
        if depth % 2 == 1 { self.attack(here, depth) } else { self.defend(here, depth) }
    }

    /// Searches below a position with more than a few plies to go until one of its numbers reaches
    /// its limit, for the side to move: what it minimises, what it adds up.
    fn expand(
        &mut self,
        here: &Position,
        depth: u32,
        limits: (u16, u16),
    ) -> Result<ProofNumbers, Exhausted> {
        let attacks = depth % 2 == 1;
        self.visit()?;
        let mut children: ArrayVec<Child, STEPS> = ArrayVec::new();
        if let Some(won) = self.children(here, depth, &mut children) {
            let numbers = ProofNumbers::decided(won);
            self.store(here, depth, numbers);
            return Ok(numbers);
        }
        loop {
            let (mut least, mut second, mut best) = (NEVER, NEVER, 0);
            let (mut most, mut open) = (0, 0);
            for (i, child) in children.iter().enumerate() {
                let (own, other) = child.numbers.seen_by(attacks);
                if own < least {
                    (second, least, best) = (least, own, i);
                } else {
                    second = second.min(own);
                }
                most = most.max(other);
                open += u16::from(other > 0);
            }
            // Lines that meet again would be counted twice by a sum: so the largest, and one for each of the others.
            let total = match most {
                0 | NEVER => most,
                most => (most + open - 1).min(NEVER - 1),
            };
            if least >= limits.0 || total >= limits.1 || least == 0 || total == 0 {
                let numbers = ProofNumbers::of((least, total), attacks);
                self.store(here, depth, numbers);
                return Ok(numbers);
            }
            let child = children[best];
            let next_least = limits.0.min(second.saturating_add(1 + second / 4));
            let next_total = if limits.1 == NEVER { NEVER } else { limits.1 - (open - 1) };
            children[best].numbers = if depth - 1 <= SHALLOW {
                let numbers = ProofNumbers::decided(self.try_all(&child.position, depth - 1)?);
                self.store(&child.position, depth - 1, numbers);
                numbers
            } else {
                self.expand(&child.position, depth - 1, (next_total, next_least))?
            };
        }
    }

    /// The positions that are open one step on; or the verdict, if one of them decides or none is there.
    fn children(
        &self,
        here: &Position,
        depth: u32,
        children: &mut ArrayVec<Child, STEPS>,
    ) -> Option<bool> {
        let attacks = depth % 2 == 1;
        let (movers, order) =
            if attacks { (here.own(), FORWARDS_FIRST) } else { (here.enemies, BACKWARDS_FIRST) };
        let movable = movable(movers);
        for direction in order {
            let mut rest = movable[direction];
            while rest != 0 {
                let step = (rest & rest.wrapping_neg(), direction);
                rest ^= step.0;
                let position = if attacks {
                    let Some(next) = here.attacker_step(step.0, direction) else { continue };
                    next
                } else {
                    let next = here.defender_step(step.0, direction);
                    if next.blues == 0 {
                        return Some(false);
                    }
                    if next.reds == 0 {
                        continue;
                    }
                    next
                };
                let numbers = match quick_verdict(&position, depth - 1, !attacks) {
                    Some(verdict) => ProofNumbers::decided(verdict),
                    None => self.numbers(&position, depth - 1),
                };
                match numbers {
                    ProofNumbers::WON if attacks => return Some(true),
                    ProofNumbers::HELD if !attacks => return Some(false),
                    ProofNumbers::WON | ProofNumbers::HELD => {}
                    _ => children.push(Child { position, numbers }),
                }
            }
        }
        children.is_empty().then_some(!attacks)
    }

    /// Whether the attacker, to move, wins within `depth` plies (an odd number).
    fn attack(&mut self, here: &Position, depth: u32) -> Result<bool, Exhausted> {
        if let Some(verdict) = quick_verdict(here, depth, true) {
            return Ok(verdict);
        }
        self.visit()?;
        if depth == 5 && ending::is_ample(here) {
            return Ok(ending::wins_in_five(here));
        }
        let movable = movable(here.own());
        for movers in [here.blues, here.reds] {
            for direction in FORWARDS_FIRST {
                let mut rest = movable[direction] & movers;
                while rest != 0 {
                    let from = rest & rest.wrapping_neg();
                    rest ^= from;
                    if let Some(next) = here.attacker_step(from, direction)
                        && self.defend(&next, depth - 1)?
                    {
                        return Ok(true);
                    }
                }
            }
        }
        Ok(false)
    }

    /// Whether the attacker wins within `depth` plies (an even number) whatever the defender, to move, does. What refuted
    /// the attacker elsewhere is tried first, then captures.
    fn defend(&mut self, here: &Position, depth: u32) -> Result<bool, Exhausted> {
        if let Some(verdict) = quick_verdict(here, depth, false) {
            return Ok(verdict);
        }
        self.visit()?;
        let movable = movable(here.enemies);
        let killer = self.killers[depth as usize];
        let tried = movable[killer.1] & killer.0;
        if tried != 0 && self.refutes(here, killer, depth)? {
            return Ok(false);
        }
        for capturing in [true, false] {
            for direction in BACKWARDS_FIRST {
                let captures = unshifted(here.own(), direction);
                let mut rest = movable[direction] & if capturing { captures } else { !captures };
                while rest != 0 {
                    let step = (rest & rest.wrapping_neg(), direction);
                    rest ^= step.0;
                    if !(tried != 0 && step == killer) && self.refutes(here, step, depth)? {
                        self.killers[depth as usize] = step;
                        return Ok(false);
                    }
                }
            }
        }
        Ok(true)
    }

    /// Whether the attacker no longer wins within the rest of `depth` plies after a defender's step.
    fn refutes(&mut self, here: &Position, step: Step, depth: u32) -> Result<bool, Exhausted> {
        let next = here.defender_step(step.0, step.1);
        // A capture of the last blue wins, and one of the last red loses.
        Ok(next.blues == 0 || next.reds != 0 && !self.attack(&next, depth - 1)?)
    }
}

/// The verdict on a position, if it can be told without a search.
#[inline]
fn quick_verdict(here: &Position, depth: u32, attacks: bool) -> Option<bool> {
    let leaving = here.blues & OWN_EXITS;
    if attacks {
        if leaving != 0 {
            return Some(true);
        }
    } else if depth == 0 || here.enemy_leaves() {
        return Some(false);
    }
    // Unless a blue leaves, all reds must be captured.
    if !attacks && depth == 2 && ending::has_quiet_step(here) {
        // Only a blue that stands on an exit and cannot be taken wins at once; or two of them.
        return Some(leaving & !around(here.enemies) != 0 || leaving == OWN_EXITS);
    }
    let ahead = usize::from(attacks);
    let odd = depth - u32::from(!attacks);
    let in_time = can_escape(here.blues, odd);
    if !(in_time || here.reds.count_ones() <= depth / 2)
        || outruns(here.blues, here.own(), here.enemies, ahead)
    {
        return Some(false);
    }
    if !attacks {
        return None;
    }
    if depth == 3 && ending::is_free(here) {
        return Some(here.safe_entries() != 0);
    }
    runs_free(here.blues, here.reds, here.enemies, depth).then_some(true)
}
