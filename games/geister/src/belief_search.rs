//! Alpha-beta search over what is believed of the enemy's pieces.
//!
//! Each enemy piece is believed blue, believed red, or purple. Purple is the worst case: red if it is
//! captured, blue if it reaches an exit. Beliefs lift that fear: a believed red may walk to the exit,
//! a believed blue may be hunted.

use crate::purple::{
    BACKWARDS_FIRST, ENEMY_EXITS, FORWARDS_FIRST, OWN_EXITS, enemy_distance, movable, own_distance,
    shifted, unshifted,
};
use crate::square::{Bitboard, squares};

/// The value of a certain win; a later one is worth its ply less.
pub(crate) const WIN: i32 = 1_000_000;
/// Values beyond this are certain wins.
const CERTAIN: i32 = WIN - 1000;

/// Whether a value says how the game ends, and not what a position is worth.
pub(crate) const fn is_certain(value: i32) -> bool {
    value.abs() > CERTAIN
}

/// What the evaluation counts, in hundredths of a step towards an exit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Weights {
    /// An own blue on the board.
    pub(crate) own_blue: i32,
    /// An own red that was captured.
    pub(crate) own_red_lost: i32,
    /// A step of an own blue, and of an own red, towards an exit.
    pub(crate) blue_step: i32,
    pub(crate) red_step: i32,
    /// A step of an enemy that may be blue away from its exit.
    pub(crate) enemy_step: i32,
    /// Capturing a believed blue.
    pub(crate) capture_blue: i32,
    /// Capturing a purple, or a believed red.
    pub(crate) capture_purple: i32,
    pub(crate) capture_red: i32,
}

/// A position as believed, the searching side's home at the bottom.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Believed {
    pub(crate) blues: Bitboard,
    pub(crate) reds: Bitboard,
    pub(crate) enemy_blues: Bitboard,
    pub(crate) enemy_reds: Bitboard,
    pub(crate) purples: Bitboard,
    /// The enemy's reds on the board: capturing the last of them loses.
    pub(crate) reds_left: u8,
    /// The enemy's blues on the board: capturing the last of them wins.
    pub(crate) blues_left: u8,
    pub(crate) score: i32,
}

/// The largest distance: what a captured piece counts, so that distance alone rewards no capture.
const FAR: i32 = 7;

impl Believed {
    /// With its evaluation computed.
    pub(crate) fn scored(mut self, weights: &Weights) -> Believed {
        let own = |board, weight| -> i32 {
            squares(board).map(|s| weight * (FAR - own_distance(s.bit()))).sum()
        };
        let feared: i32 = squares(self.enemy_blues | self.purples)
            .map(|s| weights.enemy_step * (enemy_distance(s.bit()) - FAR))
            .sum();
        self.score = weights.own_blue * self.blues.count_ones() as i32
            - weights.own_red_lost * self.reds.count_ones() as i32
            + own(self.blues, weights.blue_step)
            + own(self.reds, weights.red_step)
            + feared;
        self
    }

    fn enemies(&self) -> Bitboard {
        self.enemy_blues | self.enemy_reds | self.purples
    }

    /// The position after an own step, and the sign of how it ended.
    #[inline]
    fn own_step(&self, weights: &Weights, from: Bitboard, direction: usize) -> (Believed, i32) {
        let to = shifted(from, direction);
        let mut next = *self;
        let gained = own_distance(from) - own_distance(to);
        if self.blues & from == 0 {
            next.reds ^= from | to;
            next.score += weights.red_step * gained;
        } else {
            next.blues ^= from | to;
            next.score += weights.blue_step * gained;
        }
        if self.purples & to != 0 {
            next.purples ^= to;
            next.reds_left -= 1;
            next.score += weights.capture_purple - weights.enemy_step * (enemy_distance(to) - FAR);
            return (next, -i32::from(next.reds_left == 0));
        }
        if self.enemy_blues & to != 0 {
            next.enemy_blues ^= to;
            next.blues_left -= 1;
            next.score += weights.capture_blue - weights.enemy_step * (enemy_distance(to) - FAR);
            return (next, i32::from(next.blues_left == 0));
        }
        if self.enemy_reds & to != 0 {
            next.enemy_reds ^= to;
            next.reds_left -= 1;
            next.score += weights.capture_red;
            return (next, -i32::from(next.reds_left == 0));
        }
        (next, 0)
    }

    /// The position after an enemy step, and the sign of how it ended for us.
    #[inline]
    fn enemy_step(&self, weights: &Weights, from: Bitboard, direction: usize) -> (Believed, i32) {
        let to = shifted(from, direction);
        let mut next = *self;
        if self.enemy_reds & from == 0 {
            if self.purples & from == 0 {
                next.enemy_blues ^= from | to;
            } else {
                next.purples ^= from | to;
            }
            next.score += weights.enemy_step * (enemy_distance(to) - enemy_distance(from));
        } else {
            next.enemy_reds ^= from | to;
        }
        if self.blues & to != 0 {
            next.blues ^= to;
            next.score -= weights.own_blue + weights.blue_step * (FAR - own_distance(to));
            return (next, -i32::from(next.blues == 0));
        }
        if self.reds & to != 0 {
            next.reds ^= to;
            next.score += weights.own_red_lost - weights.red_step * (FAR - own_distance(to));
            return (next, i32::from(next.reds == 0));
        }
        (next, 0)
    }

    #[inline]
    fn key(&self, own_turn: bool) -> u64 {
        let mut hash = self.blues.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        for part in [
            self.reds,
            self.enemy_blues,
            self.enemy_reds,
            self.purples
                | u64::from(self.reds_left) << 40
                | u64::from(self.blues_left) << 44
                | u64::from(own_turn) << 48,
        ] {
            hash = (hash ^ hash >> 32 ^ part).wrapping_mul(0xd6e8_feb8_6659_fd93);
        }
        hash ^ hash >> 32
    }
}

/// A step: where from, and the number of its direction.
pub(crate) type Step = (Bitboard, usize);

const EXACT: u8 = 0;
const AT_LEAST: u8 = 1;
const AT_MOST: u8 = 2;

#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    key: u64,
    value: i32,
    depth: u8,
    bound: u8,
    from: u8,
    direction: u8,
}

/// The search with its table.
#[derive(Clone, Debug)]
pub(crate) struct BeliefSearch {
    weights: Weights,
    table: Vec<Entry>,
    nodes: u64,
    budget: u64,
}

/// Out of budget.
struct Exhausted;

const TABLE_BITS: u32 = 16;

impl BeliefSearch {
    pub(crate) fn new(weights: Weights) -> BeliefSearch {
        BeliefSearch {
            weights,
            table: vec![Entry::default(); 1 << TABLE_BITS],
            nodes: 0,
            budget: 0,
        }
    }

    /// How many nodes the last search visited.
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The values of all own steps after the deepest iteration that the budget allowed, best first.
    /// Steps within `margin` of the best have exact values, others may be overrated up to there.
    pub(crate) fn search(
        &mut self,
        here: &Believed,
        max_depth: u32,
        budget: u64,
        margin: i32,
    ) -> (Vec<(Step, i32)>, u32) {
        self.table.fill(Entry::default());
        self.nodes = 0;
        self.budget = u64::MAX;
        let mut moves: Vec<(Step, i32)> =
            steps(here.blues | here.reds).map(|step| (step, 0)).collect();
        let mut reached = 0;
        for depth in 1..=max_depth {
            // The first iterations always finish, so that there is an answer.
            if depth > 2 {
                self.budget = budget;
            }
            let mut values = moves.clone();
            let mut best = -WIN;
            for (step, value) in &mut values {
                let (next, end) = here.own_step(&self.weights, step.0, step.1);
                *value = if end == 0 {
                    let alpha = (best - margin - 1).max(-WIN);
                    match self.enemy_turn(&next, 1, depth - 1, alpha, WIN) {
                        Ok(value) => value,
                        Err(Exhausted) => return (moves, reached),
                    }
                } else {
                    end * (WIN - 1)
                };
                best = best.max(*value);
            }
            values.sort_by_key(|&(_, value)| -value);
            moves = values;
            reached = depth;
            if is_certain(best) {
                break;
            }
        }
        (moves, reached)
    }

    fn own_turn(
        &mut self,
        here: &Believed,
        ply: i32,
        depth: u32,
        mut alpha: i32,
        beta: i32,
    ) -> Result<i32, Exhausted> {
        self.nodes += 1;
        if here.blues & OWN_EXITS != 0 {
            return Ok(WIN - ply);
        }
        if depth == 0 {
            return Ok(here.score);
        }
        if self.nodes > self.budget {
            return Err(Exhausted);
        }
        let key = here.key(true);
        let slot = key as usize & ((1 << TABLE_BITS) - 1);
        let known = self.table[slot];
        let mut hint = (0, 0);
        if known.key == key {
            if u32::from(known.depth) >= depth
                && let Some(value) = known.decides(ply, alpha, beta)
            {
                return Ok(value);
            }
            hint = (1 << (known.from & 63), usize::from(known.direction));
        }
        let start = alpha;
        let mut best = (-WIN, hint);
        let own = here.blues | here.reds;
        let enemies = here.enemies();
        let movable = movable(own);
        'search: for stage in STAGES {
            for direction in FORWARDS_FIRST {
                let mut rest = stage.steps(movable[direction], enemies, direction, hint);
                while rest != 0 {
                    let from = rest & rest.wrapping_neg();
                    rest ^= from;
                    let (next, end) = here.own_step(&self.weights, from, direction);
                    let value = if end == 0 {
                        self.enemy_turn(&next, ply + 1, depth - 1, alpha, beta)?
                    } else {
                        end * (WIN - ply - 1)
                    };
                    if value > best.0 {
                        best = (value, (from, direction));
                        alpha = alpha.max(value);
                        if alpha >= beta {
                            break 'search;
                        }
                    }
                }
            }
        }
        self.table[slot] = Entry::new(key, best.0, best.1, depth, ply, start, beta);
        Ok(best.0)
    }

    fn enemy_turn(
        &mut self,
        here: &Believed,
        ply: i32,
        depth: u32,
        alpha: i32,
        mut beta: i32,
    ) -> Result<i32, Exhausted> {
        self.nodes += 1;
        if (here.enemy_blues | here.purples) & ENEMY_EXITS != 0 {
            return Ok(ply - WIN);
        }
        if depth == 0 {
            return Ok(here.score);
        }
        let key = here.key(false);
        let slot = key as usize & ((1 << TABLE_BITS) - 1);
        let known = self.table[slot];
        let mut hint = (0, 0);
        if known.key == key {
            if u32::from(known.depth) >= depth
                && let Some(value) = known.decides(ply, alpha, beta)
            {
                return Ok(value);
            }
            hint = (1 << (known.from & 63), usize::from(known.direction));
        }
        let end_beta = beta;
        let mut best = (WIN, hint);
        let enemies = here.enemies();
        let own = here.blues | here.reds;
        let movable = movable(enemies);
        'search: for stage in STAGES {
            for direction in BACKWARDS_FIRST {
                let mut rest = stage.steps(movable[direction], own, direction, hint);
                while rest != 0 {
                    let from = rest & rest.wrapping_neg();
                    rest ^= from;
                    let (next, end) = here.enemy_step(&self.weights, from, direction);
                    let value = if end == 0 {
                        self.own_turn(&next, ply + 1, depth - 1, alpha, beta)?
                    } else {
                        end * (WIN - ply - 1)
                    };
                    if value < best.0 {
                        best = (value, (from, direction));
                        beta = beta.min(value);
                        if alpha >= beta {
                            break 'search;
                        }
                    }
                }
            }
        }
        self.table[slot] = Entry::new(key, best.0, best.1, depth, ply, alpha, end_beta);
        Ok(best.0)
    }
}

impl Entry {
    fn new(key: u64, value: i32, step: Step, depth: u32, ply: i32, alpha: i32, beta: i32) -> Entry {
        // Certain results are stored as counted from here.
        let stored = if value > CERTAIN {
            value + ply
        } else if value < -CERTAIN {
            value - ply
        } else {
            value
        };
        Entry {
            key,
            value: stored,
            depth: depth as u8,
            bound: if value <= alpha {
                AT_MOST
            } else if value >= beta {
                AT_LEAST
            } else {
                EXACT
            },
            from: step.0.trailing_zeros() as u8 & 63,
            direction: step.1 as u8,
        }
    }

    fn decides(&self, ply: i32, alpha: i32, beta: i32) -> Option<i32> {
        let value = if self.value > CERTAIN {
            self.value - ply
        } else if self.value < -CERTAIN {
            self.value + ply
        } else {
            self.value
        };
        let decided = match self.bound {
            EXACT => true,
            AT_LEAST => value >= beta,
            _ => value <= alpha,
        };
        decided.then_some(value)
    }
}

/// All steps of some pieces, forwards first.
fn steps(movers: Bitboard) -> impl Iterator<Item = Step> {
    let movable = movable(movers);
    FORWARDS_FIRST.into_iter().flat_map(move |direction| {
        squares(movable[direction]).map(move |square| (square.bit(), direction))
    })
}

/// Steps are tried in stages: the one the table remembers, then captures, then the others.
#[derive(Clone, Copy)]
enum Stage {
    Remembered,
    Captures,
    Others,
}

const STAGES: [Stage; 3] = [Stage::Remembered, Stage::Captures, Stage::Others];

impl Stage {
    /// The pieces to step in a direction, among those that can.
    #[inline]
    fn steps(self, movable: Bitboard, targets: Bitboard, direction: usize, hint: Step) -> Bitboard {
        let remembered = if hint.1 == direction { hint.0 } else { 0 };
        let captures = unshifted(targets, direction);
        movable
            & match self {
                Stage::Remembered => remembered,
                Stage::Captures => captures & !remembered,
                Stage::Others => !captures & !remembered,
            }
    }
}

#[cfg(test)]
mod tests;
