//! A fixed-depth worst-case search: our reconstruction of the program that the genetic programming
//! paper takes as its teacher.

use super::{PlacementChoice, check_range};
use crate::Geister;
use crate::action::Action;
use crate::board::Board;
use crate::purple::{
    ENEMY_EXITS, OWN_EXITS, enemy_distance, movable, own_distance, piece_on, shifted, squares_of,
};
use crate::square::{Bitboard, Direction, squares};
use crate::view::View;
use crate::world::World;
use oboro_core::{
    ActionValue, Agent, AgentEntry, Analysis, GameWorld, Oracle, Player, Rng, Seat, SeatView, fresh,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The value of a certain win; a later one is worth its ply less.
pub const WIN: i32 = 100_000_000;
/// The worth of a blue piece.
const BLUE: i32 = 1000;

/// What the program may see.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Information {
    /// The own colours only; enemy pieces are purple.
    #[default]
    Imperfect,
    /// All colours: an oracle, not a fair opponent.
    Perfect,
}

/// The parameters of `naotti`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct NaottiParams {
    /// How many plies it looks ahead.
    pub depth: u32,
    /// What it sees; `perfect` makes it an oracle.
    pub information: Information,
    /// Its red pieces, as in CEFG, or `random`.
    #[schemars(with = "String")]
    pub placement: PlacementChoice,
}

impl Default for NaottiParams {
    fn default() -> NaottiParams {
        NaottiParams {
            depth: 6,
            information: Information::Imperfect,
            placement: PlacementChoice::Random,
        }
    }
}

pub(super) fn entry() -> AgentEntry<Geister> {
    AgentEntry::new(
        "naotti",
        "Tochikawa 2022, 5.1.1 (the teacher program)",
        "Searches the worst case six plies deep, every enemy piece purple (reconstruction)",
        |_, params: &NaottiParams| {
            check_range("depth", params.depth, 1..=20)?;
            let naotti = Naotti { depth: params.depth, placement: params.placement };
            Ok(match params.information {
                Information::Imperfect => fresh(naotti),
                Information::Perfect => Arc::new(move || Player::Oracle(Box::new(naotti.clone()))),
            })
        },
    )
}

/// The program: plays by [`best`] of its [`values`].
#[derive(Clone, Debug)]
struct Naotti {
    depth: u32,
    placement: PlacementChoice,
}

impl Agent<Geister> for Naotti {
    fn act(&mut self, view: &View, rng: &mut Rng) -> Action {
        self.placement.placing(view, rng).unwrap_or_else(|| best_move(view, self.depth))
    }

    fn analyse(&mut self, view: &View, rng: &mut Rng) -> Analysis<Action> {
        let choice = Agent::act(self, view, rng);
        let values = if view.board().has_placed(view.seat()) {
            values(view, self.depth)
        } else {
            Vec::new()
        };
        Analysis {
            choice,
            measure: "worst case",
            values: values
                .into_iter()
                .map(|(action, value)| ActionValue::new(action, value.into()))
                .collect(),
            drawing: None,
        }
    }
}

impl Oracle<Geister> for Naotti {
    fn act(&mut self, world: &World, rng: &mut Rng) -> Action {
        let seat = world.to_act().expect("somebody moves");
        self.placement
            .placing(&world.view(seat), rng)
            .unwrap_or_else(|| best_move_perfect(world, self.depth))
    }
}

/// The value of every legal move of the view's owner, whose turn it is, by the search that sees the
/// own colours only. More is better; a certain win is near [`WIN`].
pub fn values(view: &View, depth: u32) -> Vec<(Action, i32)> {
    valued(&Feared::of_view(view), depth)
        .into_iter()
        .map(|(step, value)| (step.action(view.board(), view.seat()), value))
        .collect()
}

/// The value of every legal move in a world, by the search that sees all colours.
pub fn values_perfect(world: &World, depth: u32) -> Vec<(Action, i32)> {
    let seat = world.to_act().expect("somebody moves");
    valued(&Feared::of_world(world), depth)
        .into_iter()
        .map(|(step, value)| (step.action(world.board(), seat), value))
        .collect()
}

/// The move that the program plays for the view's owner, whose turn it is.
pub fn best_move(view: &View, depth: u32) -> Action {
    let (step, _) = best(&Feared::of_view(view), depth);
    step.action(view.board(), view.seat())
}

/// The move that the program plays in a world, all colours seen.
pub fn best_move_perfect(world: &World, depth: u32) -> Action {
    let seat = world.to_act().expect("somebody moves");
    let (step, _) = best(&Feared::of_world(world), depth);
    step.action(world.board(), seat)
}

/// How many nodes the search of a view's best move visits, with that move's value: its cost.
pub fn search_nodes(view: &View, depth: u32) -> (u64, i32) {
    let feared = Feared::of_view(view);
    let mut nodes = 0;
    let value = search_root(&feared, depth, &mut nodes).1;
    (nodes, value)
}

/// The position as the program searches it, its home at the bottom.
#[derive(Clone, Copy, Debug)]
struct Feared {
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
enum RootStep {
    Step(Bitboard, usize),
    Leave(Bitboard),
}

impl RootStep {
    fn action(self, board: &Board, seat: Seat) -> Action {
        match self {
            RootStep::Step(from, direction) => {
                Action::Move(piece_on(board, seat, from), Direction::ALL[direction])
            }
            RootStep::Leave(from) => Action::Escape(piece_on(board, seat, from)),
        }
    }
}

impl Feared {
    fn of_view(view: &View) -> Feared {
        let (board, seat, enemy) = (view.board(), view.seat(), view.enemy());
        let lingered = board.lingered(enemy);
        let known = |set: u8| squares_of(board, enemy, set, seat);
        let hidden = view.hidden();
        Feared {
            blues: squares_of(board, seat, view.own_blues(), seat),
            reds: squares_of(board, seat, view.own_reds(), seat),
            enemy_blues: known(hidden & !lingered),
            enemy_reds: known(hidden & lingered),
            // A piece that stayed on an exit is known red: from then on nothing is purple.
            quota: if lingered == 0 { view.hidden_reds() as u8 } else { 0 },
            score: 0,
        }
        .scored()
    }

    fn of_world(world: &World) -> Feared {
        let board = world.board();
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
    for (direction, mut movers) in movable(here.blues | here.reds).into_iter().enumerate() {
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
    let movers = movable(here.enemy_blues | here.enemy_reds);
    for (direction, mut movers) in movers.into_iter().enumerate() {
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

fn root_steps(here: &Feared) -> Vec<RootStep> {
    let leave = squares(here.blues & OWN_EXITS).map(|s| RootStep::Leave(s.bit()));
    let steps =
        movable(here.blues | here.reds).into_iter().enumerate().flat_map(|(direction, movers)| {
            squares(movers).map(move |s| RootStep::Step(s.bit(), direction))
        });
    leave.chain(steps).collect()
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

/// Every step with its exact value.
fn valued(here: &Feared, depth: u32) -> Vec<(RootStep, i32)> {
    let mut nodes = 0;
    root_steps(here)
        .into_iter()
        .map(|step| (step, step_value(here, step, depth, -WIN, &mut nodes)))
        .collect()
}

/// The best step, the first of equals, with its value.
fn best(here: &Feared, depth: u32) -> (RootStep, i32) {
    search_root(here, depth, &mut 0)
}

fn search_root(here: &Feared, depth: u32, nodes: &mut u64) -> (RootStep, i32) {
    let mut best = (RootStep::Leave(0), -WIN - 1);
    for step in root_steps(here) {
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
    use crate::piece::Piece;
    use oboro_core::Game;

    fn view(text: &str) -> View {
        let world = Geister::default().parse_position(text).unwrap();
        world.view(world.to_act().unwrap())
    }

    #[test]
    fn the_start_is_worth_four_blues() {
        let start = view("0 14R24R34R44R15B25B35B45B 41B31B21B11B40R30R20R10R");
        assert_eq!(Feared::of_view(&start).score, 4 * BLUE);
    }

    #[test]
    fn an_escape_is_played_at_once() {
        let leaving = view("20 00R50B34R44R15B25B35B45R 41B31B21B11B40R30R20R10R");
        let mut naotti = Naotti { depth: 2, placement: PlacementChoice::Random };
        let mut rng = Rng::from_u64(0);
        assert_eq!(Agent::act(&mut naotti, &leaving, &mut rng).to_string(), "B!");
    }

    /// Alpha-beta gives the same values as plain minimax, here written with the game's own moves.
    #[test]
    fn values_are_those_of_plain_minimax_with_all_colours_known() {
        fn minimax(world: &World, us: Seat, depth: u32, ply: i32) -> i32 {
            if let Some(ending) = world.board().ending() {
                let sign = if ending.winner() == Some(us) { 1 } else { -1 };
                // The search ends a ply before the piece leaves.
                let left = matches!(ending, crate::Ending::Escape(_));
                return sign * (WIN - ply + i32::from(left));
            }
            let mover = world.to_act().unwrap();
            let leaver = Piece::of_set(world.board().alive(mover) & !world.reds(mover))
                .find(|&p| world.board().is_on_exit(mover, p));
            if depth == 0 && leaver.is_none() {
                return score(world, us);
            }
            let mut values = Vec::new();
            world.for_each_legal(|action| {
                if leaver.is_none() || matches!(action, Action::Escape(_)) {
                    let mut next = *world;
                    next.apply(action);
                    values.push(minimax(&next, us, depth.saturating_sub(1), ply + 1));
                }
            });
            let best =
                if mover == us { values.into_iter().max() } else { values.into_iter().min() };
            best.unwrap()
        }
        fn score(world: &World, us: Seat) -> i32 {
            let them = us.next(2);
            let side = |seat| {
                let way: i32 = Piece::of_set(world.board().alive(seat))
                    .filter_map(|p| world.board().square(seat, p))
                    .map(|s| i32::from(s.distance_to_exit(seat)))
                    .sum();
                let blues = (world.board().alive(seat) & !world.reds(seat)).count_ones();
                BLUE * blues as i32 - way
            };
            side(us) - side(them)
        }
        let mut rng = Rng::from_u64(7);
        let rules = Geister { placements: crate::Placements::Random, ..Geister::default() };
        for _ in 0..30 {
            let mut world = rules.deal(&mut rng);
            for _ in 0..20 + rng.below(60) {
                let mut next = world;
                next.apply(next.random_action(&mut rng));
                if next.to_act().is_some() {
                    world = next;
                }
            }
            let us = world.to_act().unwrap();
            for (action, value) in values_perfect(&world, 3) {
                let mut next = world;
                next.apply(action);
                if matches!(action, Action::Escape(_)) {
                    assert_eq!(value, WIN);
                } else {
                    assert_eq!(value, minimax(&next, us, 2, 1), "{action} in\n{world}");
                }
            }
        }
    }

    #[test]
    fn a_piece_that_stayed_on_an_exit_is_known_red() {
        // Seat 1's A stood on its exit (0,5) and did not leave.
        let known = view("40 14R24R34R44R15B25B99B99B 05R*31B21B11B40R30R20R10B");
        let feared = Feared::of_view(&known);
        assert_eq!((feared.quota, feared.enemy_reds.count_ones()), (0, 1));
        let value_of = |wanted: &str| {
            let all = values(&known, 3);
            let found = all.iter().find(|(a, _)| a.to_string() == wanted);
            found.unwrap().1
        };
        // Capturing the only known red loses.
        assert_eq!(value_of("EW"), 1 - WIN);
    }
}
