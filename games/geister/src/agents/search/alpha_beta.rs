//! Alpha-beta search of a worst-case position.
//!
//! Each enemy piece counts as blue, as red, or as unknown. An unknown piece is the worst of both: red if it is captured, blue
//! if it reaches an exit. So a piece that counts as red may walk to the exit, and one that counts as blue may be hunted.

use super::Step;
use crate::bitboard::{
    BACKWARDS_FIRST, ENEMY_EXITS, FORWARDS_FIRST, OWN_EXITS, enemy_distance, movable, own_distance,
    shifted, unshifted,
};
use crate::square::{Bitboard, squares};
use crate::view::View;
use oboro_core::SeatView;

/// The value of a certain win; a later one is worth its ply less.
pub(crate) const WIN: i32 = 100_000_000;
/// The weights of the evaluation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Weights {
    /// An own blue on the board.
    pub(crate) own_blue: i32,
    /// An own red that was captured.
    pub(crate) own_red_lost: i32,
    /// A step of an own blue, and of an own red, towards an exit.
    pub(crate) blue_step: i32,
    pub(crate) red_step: i32,
    /// A step of an enemy that may be blue away from its exit, and of one that counts as red.
    pub(crate) enemy_step: i32,
    pub(crate) enemy_red_step: i32,
    /// A capture of an enemy that counts as blue, as unknown, or as red.
    pub(crate) capture_blue: i32,
    pub(crate) capture_unknown: i32,
    pub(crate) capture_red: i32,
}

/// A position as one side judges it, that side's home at the bottom.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct WorstCase {
    pub(crate) blues: Bitboard,
    pub(crate) reds: Bitboard,
    pub(crate) enemy_blues: Bitboard,
    pub(crate) enemy_reds: Bitboard,
    pub(crate) unknown: Bitboard,
    /// The enemy's reds on the board: capturing the last of them loses.
    pub(crate) reds_left: u8,
    /// The enemy's blues on the board: capturing the last of them wins.
    pub(crate) blues_left: u8,
    pub(crate) score: i32,
}

/// The largest distance: what a captured piece counts, so that distance alone rewards no capture.
pub(crate) const FAR: i32 = 7;

impl WorstCase {
    /// The position of a view's owner who counts these sets of hidden pieces as red and as blue, without its evaluation.
    pub(crate) fn of(view: &View, reds: u8, blues: u8) -> WorstCase {
        let (board, seat) = (view.public(), view.seat());
        let own = |set| board.squares_of(seat, set, seat);
        let enemy = |set| board.squares_of(view.enemy(), set, seat);
        WorstCase {
            blues: own(view.own_blues()),
            reds: own(view.own_reds()),
            enemy_blues: enemy(blues),
            enemy_reds: enemy(reds),
            unknown: enemy(view.hidden() & !reds & !blues),
            reds_left: view.hidden_reds() as u8,
            blues_left: view.hidden_blues() as u8,
            score: 0,
        }
    }

    /// With its evaluation computed.
    pub(crate) fn scored(mut self, weights: &Weights) -> WorstCase {
        let own = |board, weight| -> i32 {
            squares(board).map(|s| weight * (FAR - own_distance(s.bit()))).sum()
        };
        let enemy = |board, weight| -> i32 {
            squares(board).map(|s| weight * (enemy_distance(s.bit()) - FAR)).sum()
        };
        self.score = weights.own_blue * self.blues.count_ones() as i32
            - weights.own_red_lost * self.reds.count_ones() as i32
            + own(self.blues, weights.blue_step)
            + own(self.reds, weights.red_step)
            + enemy(self.enemy_blues | self.unknown, weights.enemy_step)
            + enemy(self.enemy_reds, weights.enemy_red_step);
        self
    }

    fn own(&self) -> Bitboard {
        self.blues | self.reds
    }

    fn enemies(&self) -> Bitboard {
        self.enemy_blues | self.enemy_reds | self.unknown
    }

    /// The position after an own step, and the sign of how it ended.
    #[inline]
    fn own_step(&self, weights: &Weights, from: Bitboard, direction: usize) -> (WorstCase, i32) {
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
        if self.enemies() & to == 0 {
            return (next, 0);
        }
        let distance = enemy_distance(to) - FAR;
        if self.enemy_blues & to != 0 {
            next.enemy_blues ^= to;
            next.blues_left -= 1;
            next.score += weights.capture_blue - weights.enemy_step * distance;
            return (next, i32::from(next.blues_left == 0));
        }
        if self.unknown & to == 0 {
            next.enemy_reds ^= to;
            next.score += weights.capture_red - weights.enemy_red_step * distance;
        } else {
            next.unknown ^= to;
            next.score += weights.capture_unknown - weights.enemy_step * distance;
        }
        next.reds_left -= 1;
        (next, -i32::from(next.reds_left == 0))
    }

    /// The position after an enemy step, and the sign of how it ended for us.
    #[inline]
    fn enemy_step(&self, weights: &Weights, from: Bitboard, direction: usize) -> (WorstCase, i32) {
        let to = shifted(from, direction);
        let mut next = *self;
        let lost = enemy_distance(to) - enemy_distance(from);
        if self.enemy_reds & from != 0 {
            next.enemy_reds ^= from | to;
            next.score += weights.enemy_red_step * lost;
        } else {
            if self.unknown & from == 0 {
                next.enemy_blues ^= from | to;
            } else {
                next.unknown ^= from | to;
            }
            next.score += weights.enemy_step * lost;
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
}

/// The search: every value is that of minimax to exactly the depth asked for.
#[derive(Clone, Debug)]
pub(crate) struct AlphaBeta {
    weights: Weights,
    nodes: u64,
}

impl AlphaBeta {
    pub(crate) fn new(weights: Weights) -> AlphaBeta {
        AlphaBeta { weights, nodes: 0 }
    }

    /// How many nodes were visited.
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The value of an own step searched to a depth: exact if it is above `alpha`, at most `alpha` otherwise.
    pub(crate) fn step_value(
        &mut self,
        here: &WorstCase,
        (from, direction): Step,
        depth: u32,
        alpha: i32,
    ) -> i32 {
        let (next, end) = here.own_step(&self.weights, from, direction);
        if end == 0 { self.turn::<false>(&next, 1, depth - 1, alpha, WIN) } else { end * (WIN - 1) }
    }

    /// The value of a position to the searching side, `ply` plies after the root and `depth` to go; whose turn it is.
    fn turn<const OWN: bool>(
        &mut self,
        here: &WorstCase,
        ply: i32,
        depth: u32,
        mut alpha: i32,
        mut beta: i32,
    ) -> i32 {
        self.nodes += 1;
        if OWN && here.blues & OWN_EXITS != 0 {
            return WIN - ply;
        }
        if !OWN && (here.enemy_blues | here.unknown) & ENEMY_EXITS != 0 {
            return ply - WIN;
        }
        if depth == 0 {
            return here.score;
        }
        let (movers, targets, order) = if OWN {
            (here.own(), here.enemies(), FORWARDS_FIRST)
        } else {
            (here.enemies(), here.own(), BACKWARDS_FIRST)
        };
        let movable = movable(movers);
        let mut best = if OWN { -WIN } else { WIN };
        for capturing in [true, false] {
            for direction in order {
                let captures = unshifted(targets, direction);
                let mut rest = movable[direction] & if capturing { captures } else { !captures };
                while rest != 0 {
                    let from = rest & rest.wrapping_neg();
                    rest ^= from;
                    let value =
                        self.value_after::<OWN>(here, (from, direction), ply, depth, alpha, beta);
                    if OWN {
                        best = best.max(value);
                        alpha = alpha.max(value);
                    } else {
                        best = best.min(value);
                        beta = beta.min(value);
                    }
                    if alpha >= beta {
                        return best;
                    }
                }
            }
        }
        best
    }

    /// The value after a step of the side whose turn it is.
    #[inline]
    fn value_after<const OWN: bool>(
        &mut self,
        here: &WorstCase,
        (from, direction): Step,
        ply: i32,
        depth: u32,
        alpha: i32,
        beta: i32,
    ) -> i32 {
        let (next, end) = if OWN {
            here.own_step(&self.weights, from, direction)
        } else {
            here.enemy_step(&self.weights, from, direction)
        };
        match (end, OWN) {
            (0, true) => self.turn::<false>(&next, ply + 1, depth - 1, alpha, beta),
            (0, false) => self.turn::<true>(&next, ply + 1, depth - 1, alpha, beta),
            _ => end * (WIN - ply - 1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::steps;
    use super::*;
    use oboro_core::Rng;

    /// Every weight another, so that none can stand in for another.
    const WEIGHTS: Weights = Weights {
        own_blue: 1000,
        own_red_lost: 300,
        blue_step: 10,
        red_step: 5,
        enemy_step: 7,
        enemy_red_step: 3,
        capture_blue: 900,
        capture_unknown: -100,
        capture_red: -250,
    };

    /// A few pieces of every kind, none on an exit by which it could leave.
    fn random_position(rng: &mut Rng) -> WorstCase {
        let mut free: Vec<u32> = (0..36).collect();
        rng.shuffle(&mut free);
        let mut some = |count: usize, barred: Bitboard| -> Bitboard {
            let mut place = || {
                let at = free.iter().position(|s| barred >> s & 1 == 0).expect("a square");
                1 << free.remove(at)
            };
            (0..count).map(|_| place()).sum()
        };
        let (blues, enemies) = (1 + rng.below(2), 1 + rng.below(2));
        WorstCase {
            blues: some(blues, OWN_EXITS),
            reds: some(1 + rng.below(2), 0),
            unknown: some(enemies, ENEMY_EXITS),
            enemy_blues: some(rng.below(2), ENEMY_EXITS),
            enemy_reds: some(rng.below(2), 0),
            reds_left: 1 + rng.below(2) as u8,
            blues_left: 1 + rng.below(3) as u8,
            score: 0,
        }
        .scored(&WEIGHTS)
    }

    /// All steps of a side with what comes of them.
    fn after(here: &WorstCase, own: bool) -> Vec<(Step, WorstCase, i32)> {
        let movers = if own { here.own() } else { here.enemies() };
        let steps = steps(movable(movers), movers);
        steps
            .map(|step| {
                let (next, end) = if own {
                    here.own_step(&WEIGHTS, step.0, step.1)
                } else {
                    here.enemy_step(&WEIGHTS, step.0, step.1)
                };
                (step, next, end)
            })
            .collect()
    }

    /// The value of a position, the whole tree searched.
    fn minimax(here: &WorstCase, ply: i32, depth: u32) -> i32 {
        let own = ply % 2 == 0;
        if own && here.blues & OWN_EXITS != 0 {
            return WIN - ply;
        }
        if !own && (here.enemy_blues | here.unknown) & ENEMY_EXITS != 0 {
            return ply - WIN;
        }
        if depth == 0 {
            return here.score;
        }
        let values = after(here, own).into_iter().map(|(_, next, end)| match end {
            0 => minimax(&next, ply + 1, depth - 1),
            end => end * (WIN - ply - 1),
        });
        // A side whose pieces were all captured has no step; games end before that.
        if own { values.max().unwrap_or(-WIN) } else { values.min().unwrap_or(WIN) }
    }

    #[test]
    fn values_are_those_of_minimax() {
        let mut rng = Rng::from_u64(11);
        let mut search = AlphaBeta::new(WEIGHTS);
        let (mut certain, mut cut) = (0, 0);
        for _ in 0..120 {
            let here = random_position(&mut rng);
            for depth in 1..=4 {
                let mut best = -WIN;
                for (step, next, end) in after(&here, true) {
                    let exact =
                        if end == 0 { minimax(&next, 1, depth - 1) } else { end * (WIN - 1) };
                    assert_eq!(search.step_value(&here, step, depth, -WIN), exact, "{here:?}");
                    // Above the best so far it is exact, elsewhere a bound.
                    let found = search.step_value(&here, step, depth, best);
                    if exact > best {
                        assert_eq!(found, exact, "{here:?}");
                    } else {
                        assert!((exact..=best).contains(&found), "{found}, not {exact}: {here:?}");
                        cut += 1;
                    }
                    best = best.max(exact);
                }
                certain += u32::from(best.abs() > WIN - 1000);
            }
        }
        assert!((20..450).contains(&certain) && cut > 1000, "{certain} decided, {cut} cut off");
    }

    /// The score that steps keep up is that of the position, but for what captures add.
    #[test]
    fn scores_follow_the_pieces() {
        let mut rng = Rng::from_u64(12);
        for _ in 0..200 {
            let here = random_position(&mut rng);
            for own in [true, false] {
                for (_, next, _) in after(&here, own) {
                    let added = next.score - next.scored(&WEIGHTS).score;
                    let left = |board: fn(&WorstCase) -> Bitboard| {
                        (board(&here).count_ones() - board(&next).count_ones()) as i32
                    };
                    let captures = WEIGHTS.capture_blue * left(|here| here.enemy_blues)
                        + WEIGHTS.capture_unknown * left(|here| here.unknown)
                        + WEIGHTS.capture_red * left(|here| here.enemy_reds);
                    assert_eq!(added, captures, "{here:?} to {next:?}");
                }
            }
        }
    }
}
