//! The worst case to a fixed depth: the search of [`naotti`](crate::agents::naotti).
//!
//! Plain alpha-beta without a table, so the choice depends only on the order in which moves are
//! tried at the root: of equals the first is played. Below the root the order decides what the search
//! costs and nothing else: captures first and forwards first visits a sixth of the nodes that plain
//! north, east, south, west does.

use crate::action::Action;
use crate::public::Public;
use crate::purple::{
    BACKWARDS_FIRST, ENEMY_EXITS, FORWARDS_FIRST, OWN_EXITS, enemy_distance, movable, own_distance,
    piece_on, shifted, squares_of, unshifted,
};
use crate::square::{Bitboard, Direction, squares};
use crate::view::View;
use crate::world::World;
use oboro_core::{GameWorld, Seat, SeatView};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The value of a certain win; a later one is worth its ply less.
pub const WIN: i32 = 100_000_000;
/// The worth of a blue piece.
const BLUE: i32 = 1000;

/// In which order moves are tried at the root; the first of equals is played.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Order {
    /// As the public program: square by square, row by row from the far side, and from each square
    /// north, east, south, west.
    #[default]
    SquareFirst,
    /// All steps north, then east, south, west, each square by square: what the lessons and the squads
    /// that come with the game were made with.
    DirectionFirst,
}

/// Which enemy pieces are taken for red once some stayed on an exit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Lingered {
    /// One of them, as the public program does: it takes the one that stayed most often and, of
    /// equals, the one nearest its home, the rightmost. A view does not count stays, so here it is the
    /// latter.
    #[default]
    One,
    /// All of them.
    All,
}

/// The position as the program searches it, its home at the bottom.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Feared {
    blues: Bitboard,
    reds: Bitboard,
    /// Enemies that may leave: all purples, or the known blues.
    enemy_blues: Bitboard,
    /// Known reds; none where all are purple.
    enemy_reds: Bitboard,
    /// Where all are purple: so many captures lose. Otherwise 0.
    quota: u8,
    /// The evaluation, kept up move by move.
    score: i32,
}

/// A step at the root, or leaving the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum RootStep {
    Step(Bitboard, usize),
    Leave(Bitboard),
}

impl RootStep {
    pub(crate) fn action(self, board: &Public, seat: Seat) -> Action {
        match self {
            RootStep::Step(from, direction) => {
                Action::Move(piece_on(board, seat, from), Direction::ALL[direction])
            }
            RootStep::Leave(from) => Action::Escape(piece_on(board, seat, from)),
        }
    }
}

impl Feared {
    pub(crate) fn of_view(view: &View, lingered: Lingered) -> Feared {
        let (board, seat, enemy) = (view.public(), view.seat(), view.enemy());
        let known = |set: u8| squares_of(board, enemy, set, seat);
        let stayed = known(board.lingered(enemy));
        let enemy_reds = match lingered {
            Lingered::One => last(stayed),
            Lingered::All => stayed,
        };
        Feared {
            blues: squares_of(board, seat, view.own_blues(), seat),
            reds: squares_of(board, seat, view.own_reds(), seat),
            enemy_blues: known(view.hidden()) & !enemy_reds,
            enemy_reds,
            // A piece that stayed on an exit is known red: from then on nothing is purple.
            quota: if enemy_reds == 0 { view.hidden_reds() as u8 } else { 0 },
            score: 0,
        }
        .scored()
    }

    pub(crate) fn of_world(world: &World) -> Feared {
        let board = world.public();
        let seat = world.to_act().expect("somebody moves");
        let enemy = seat.next(2);
        let set = |owner, set: u8| squares_of(board, owner, set & board.alive(owner), seat);
        Feared {
            blues: set(seat, !world.reds(seat)),
            reds: set(seat, world.reds(seat)),
            enemy_blues: set(enemy, !world.reds(enemy)),
            enemy_reds: set(enemy, world.reds(enemy)),
            quota: 0,
            score: 0,
        }
        .scored()
    }

    /// 1000 a blue, less the way to go for the own pieces, plus that of the enemy's; where the
    /// enemy's blues are known, they count against.
    fn scored(mut self) -> Feared {
        let sum = |board: Bitboard, distance: fn(Bitboard) -> i32| -> i32 {
            squares(board).map(|square| distance(square.bit())).sum()
        };
        self.score = BLUE * self.blues.count_ones() as i32
            - sum(self.blues | self.reds, own_distance)
            + sum(self.enemy_blues | self.enemy_reds, enemy_distance);
        if self.quota == 0 {
            self.score -= BLUE * self.enemy_blues.count_ones() as i32;
        }
        self
    }

    /// The position after an own step, and how it ended: the sign of a terminal value.
    #[inline]
    fn own_step<const PURPLE: bool>(&self, from: Bitboard, direction: usize) -> (Feared, i32) {
        let to = shifted(from, direction);
        let mut next = *self;
        if self.blues & from == 0 {
            next.reds ^= from | to;
        } else {
            next.blues ^= from | to;
        }
        next.score += own_distance(from) - own_distance(to);
        if (self.enemy_blues | self.enemy_reds) & to == 0 {
            return (next, 0);
        }
        next.score -= enemy_distance(to);
        if PURPLE {
            next.enemy_blues ^= to;
            next.quota -= 1;
            return (next, -i32::from(next.quota == 0));
        }
        if self.enemy_blues & to == 0 {
            next.enemy_reds ^= to;
            (next, -i32::from(next.enemy_reds == 0))
        } else {
            next.enemy_blues ^= to;
            next.score += BLUE;
            (next, i32::from(next.enemy_blues == 0))
        }
    }

    /// The position after an enemy step, and how it ended for us.
    #[inline]
    fn enemy_step(&self, from: Bitboard, direction: usize) -> (Feared, i32) {
        let to = shifted(from, direction);
        let mut next = *self;
        if self.enemy_blues & from == 0 {
            next.enemy_reds ^= from | to;
        } else {
            next.enemy_blues ^= from | to;
        }
        next.score += enemy_distance(to) - enemy_distance(from);
        if (self.blues | self.reds) & to == 0 {
            return (next, 0);
        }
        next.score += own_distance(to);
        if self.blues & to == 0 {
            next.reds ^= to;
            (next, i32::from(next.reds == 0))
        } else {
            next.blues ^= to;
            next.score -= BLUE;
            (next, -i32::from(next.blues == 0))
        }
    }
}

/// The movers that can step in each direction, those that capture first.
#[inline]
fn captures_first(
    movers: Bitboard,
    targets: Bitboard,
    order: [usize; 4],
) -> impl Iterator<Item = (usize, Bitboard)> {
    let movable = movable(movers);
    (0..8).map(move |turn| {
        let direction = order[turn & 3];
        let captures = unshifted(targets, direction);
        (direction, movable[direction] & if turn < 4 { captures } else { !captures })
    })
}

/// Our turn, `ply` plies after the root, `depth` to go.
fn own_turn<const PURPLE: bool>(
    here: &Feared,
    ply: i32,
    depth: u32,
    mut alpha: i32,
    beta: i32,
    nodes: &mut u64,
) -> i32 {
    *nodes += 1;
    if here.blues & OWN_EXITS != 0 {
        return WIN - ply;
    }
    if depth == 0 {
        return here.score;
    }
    let (own, enemies) = (here.blues | here.reds, here.enemy_blues | here.enemy_reds);
    for (direction, mut movers) in captures_first(own, enemies, FORWARDS_FIRST) {
        while movers != 0 {
            let from = movers & movers.wrapping_neg();
            movers ^= from;
            let (next, end) = here.own_step::<PURPLE>(from, direction);
            let value = if end == 0 {
                enemy_turn::<PURPLE>(&next, ply + 1, depth - 1, alpha, beta, nodes)
            } else {
                *nodes += 1;
                end * (WIN - ply - 1)
            };
            alpha = alpha.max(value);
            if alpha >= beta {
                return alpha;
            }
        }
    }
    alpha
}

/// The enemy's turn; the value is still ours.
fn enemy_turn<const PURPLE: bool>(
    here: &Feared,
    ply: i32,
    depth: u32,
    alpha: i32,
    mut beta: i32,
    nodes: &mut u64,
) -> i32 {
    *nodes += 1;
    if here.enemy_blues & ENEMY_EXITS != 0 {
        return ply - WIN;
    }
    if depth == 0 {
        return here.score;
    }
    let (own, enemies) = (here.blues | here.reds, here.enemy_blues | here.enemy_reds);
    for (direction, mut movers) in captures_first(enemies, own, BACKWARDS_FIRST) {
        while movers != 0 {
            let from = movers & movers.wrapping_neg();
            movers ^= from;
            let (next, end) = here.enemy_step(from, direction);
            let value = if end == 0 {
                own_turn::<PURPLE>(&next, ply + 1, depth - 1, alpha, beta, nodes)
            } else {
                *nodes += 1;
                end * (WIN - ply - 1)
            };
            beta = beta.min(value);
            if alpha >= beta {
                return beta;
            }
        }
    }
    beta
}

/// The last square of a set, as a bit; nothing of nothing.
fn last(board: Bitboard) -> Bitboard {
    board.checked_ilog2().map_or(0, |bit| 1 << bit)
}

fn root_steps(here: &Feared, order: Order) -> Vec<RootStep> {
    let own = here.blues | here.reds;
    let movable = movable(own);
    let mut steps: Vec<RootStep> =
        squares(here.blues & OWN_EXITS).map(|s| RootStep::Leave(s.bit())).collect();
    let mut add = |from: Bitboard, direction: usize| {
        if movable[direction] & from != 0 {
            steps.push(RootStep::Step(from, direction));
        }
    };
    match order {
        Order::SquareFirst => squares(own).for_each(|s| (0..4).for_each(|d| add(s.bit(), d))),
        Order::DirectionFirst => (0..4).for_each(|d| squares(own).for_each(|s| add(s.bit(), d))),
    }
    steps
}

fn step_value(here: &Feared, step: RootStep, depth: u32, alpha: i32, nodes: &mut u64) -> i32 {
    let RootStep::Step(from, direction) = step else {
        return WIN;
    };
    let purple = here.quota > 0;
    let (next, end) = if purple {
        here.own_step::<true>(from, direction)
    } else {
        here.own_step::<false>(from, direction)
    };
    if end != 0 {
        return end * (WIN - 1);
    }
    if purple {
        enemy_turn::<true>(&next, 1, depth - 1, alpha, WIN, nodes)
    } else {
        enemy_turn::<false>(&next, 1, depth - 1, alpha, WIN, nodes)
    }
}

/// Every step with its exact value, in the order in which they are tried.
pub(crate) fn valued(here: &Feared, order: Order, depth: u32) -> Vec<(RootStep, i32)> {
    let mut nodes = 0;
    root_steps(here, order)
        .into_iter()
        .map(|step| (step, step_value(here, step, depth, -WIN, &mut nodes)))
        .collect()
}

/// The best step, the first of equals, with its value; counts the nodes visited.
pub(crate) fn best(here: &Feared, order: Order, depth: u32, nodes: &mut u64) -> (RootStep, i32) {
    let mut best = (RootStep::Leave(0), -WIN - 1);
    for step in root_steps(here, order) {
        let value = step_value(here, step, depth, best.1.max(-WIN), nodes);
        if value > best.1 {
            best = (step, value);
        }
        if let RootStep::Leave(_) = step {
            break;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Geister;
    use oboro_core::Game;

    fn view(text: &str) -> View {
        let world = Geister::default().parse_position(text).unwrap();
        world.view(world.to_act().unwrap())
    }

    #[test]
    fn the_start_is_worth_four_blues() {
        let start = view("0 14R24R34R44R15B25B35B45B 41B31B21B11B40R30R20R10R");
        assert_eq!(Feared::of_view(&start, Lingered::One).score, 4 * BLUE);
    }

    #[test]
    fn the_last_square_is_the_highest_bit() {
        assert_eq!(
            (last(0), last(1), last(1 << 35 | 1 << 30), last(1 << 63)),
            (0, 1, 1 << 35, 1 << 63)
        );
    }

    #[test]
    fn steps_are_tried_square_by_square_or_direction_by_direction() {
        let here = view("40 12B99B99B99B34R99R99R99R 41B31B21B11B40R30R20R10R");
        let tried = |order| -> String {
            let here = Feared::of_view(&here, Lingered::One);
            let steps = root_steps(&here, order).into_iter();
            steps
                .map(|step| match step {
                    RootStep::Step(from, direction) => {
                        format!("{}{} ", from.trailing_zeros(), Direction::ALL[direction].letter())
                    }
                    RootStep::Leave(_) => unreachable!("nobody is on an exit"),
                })
                .collect()
        };
        assert_eq!(tried(Order::SquareFirst), "13N 13E 13S 13W 27N 27E 27S 27W ");
        assert_eq!(tried(Order::DirectionFirst), "13N 27N 13E 27E 13S 27S 13W 27W ");
    }

    #[test]
    fn of_several_that_stayed_one_is_red_or_all_are() {
        // Seat 1's A and B both stood on exits, (0,5) and (5,5) as seat 0 sees them.
        let both = view("40 14R24R34R44R15B25B99B99B 05R*55R*21B11B40R30R20B10B");
        let [one, all] = [Lingered::One, Lingered::All].map(|l| Feared::of_view(&both, l));
        assert_eq!((one.enemy_reds, one.enemy_blues.count_ones(), one.quota), (1 << 35, 7, 0));
        assert_eq!((all.enemy_reds, all.enemy_blues.count_ones(), all.quota), (ENEMY_EXITS, 6, 0));
    }
}
