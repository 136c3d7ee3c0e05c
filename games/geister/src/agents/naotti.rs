//! A fixed-depth worst-case search: our reconstruction of the program that the genetic programming
//! paper takes as its teacher.
//!
//! The search has no table, so the choice depends only on the order in which moves are tried at the root: of equals the
//! first is played.

use super::PlacementChoice;
use super::search::{AlphaBeta, FAR, WIN, Weights, WorstCase};
use crate::Geister;
use crate::action::Action;
use crate::bitboard::{OWN_EXITS, movable};
use crate::piece::Piece;
use crate::public::Public;
use crate::square::{Direction, squares};
use crate::view::View;
use crate::world::World;
use oboro_core::{
    ActionValue, Agent, AgentEntry, Analysis, GameWorld, Oracle, Player, Rng, Seat, SeatView,
    check_range, fresh, params,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// What the program may see.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Information {
    /// The own colours only; enemy pieces are of unknown colour.
    #[default]
    Imperfect,
    /// All colours: an oracle, not a fair opponent.
    Perfect,
}

/// In which order moves are tried at the root; the first of equals is played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Order {
    /// As the public program: square by square, row by row from the far side, and from each square
    /// north, east, south, west.
    SquareFirst,
    /// All steps north, then east, south, west, each square by square: the order with which the evolved
    /// policies that come with the game were made.
    DirectionFirst,
}

/// Which enemy pieces count as red once some stayed on an exit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum KnownReds {
    /// One of them, as in the public program: the one that stayed most often and, of equals, the one nearest its home,
    /// the rightmost. A view does not count stays, so here it is the latter.
    One,
    /// All of them.
    All,
}

params! {
    /// The parameters of `naotti`.
    struct NaottiParams {
        /// Search depth in plies.
        depth: u32 = 6 => {"minimum": 1, "maximum": 6},
        /// What it sees; `perfect` makes it an oracle.
        information: Information = Information::Imperfect,
        /// Its red pieces, as in CEFG, or `random`.
        #[schemars(with = "String")]
        placement: PlacementChoice = PlacementChoice::Random => {"maxLength": 6},
    }
}

pub(super) fn entry() -> AgentEntry<Geister> {
    AgentEntry::new(
        "naotti",
        "Tochikawa 2022, 5.1.1 (the teacher program)",
        "Searches the worst case six plies deep, every enemy piece of unknown colour (reconstruction)",
        |_, params: &NaottiParams| {
            check_range("depth", params.depth, 1..=20)?;
            let naotti = Naotti { search: Search::new(params.depth), placement: params.placement };
            Ok(match params.information {
                Information::Imperfect => fresh(naotti),
                Information::Perfect => Arc::new(move || Player::Oracle(Box::new(naotti.clone()))),
            })
        },
    )
    .public(16, 64)
}

#[derive(Clone, Debug)]
struct Naotti {
    search: Search,
    placement: PlacementChoice,
}

impl Agent<Geister> for Naotti {
    fn act(&mut self, view: &View, rng: &mut Rng) -> Action {
        self.placement.placing(view, rng).unwrap_or_else(|| self.search.best_move(view))
    }

    fn analyse(&mut self, view: &View, rng: &mut Rng) -> Analysis<Action> {
        let choice = Agent::act(self, view, rng);
        let mut values = Vec::new();
        if view.public().has_placed(view.seat()) {
            let valued = self.search.values(view).into_iter();
            values = valued.map(|(action, value)| ActionValue::new(action, value.into())).collect();
        }
        Analysis { choice, measure: "worst case", values, drawing: None }
    }
}

impl Oracle<Geister> for Naotti {
    fn act(&mut self, world: &World, rng: &mut Rng) -> Action {
        let seat = world.to_act().expect("somebody moves");
        self.placement
            .placing(&world.view(seat), rng)
            .unwrap_or_else(|| self.search.best_move_perfect(world))
    }
}

/// A blue piece is worth 1000, a step 1. In the search a captured piece counts as [`FAR`] steps.
const BLUE: i32 = 1000;
const WEIGHTS: Weights = Weights {
    own_blue: BLUE - FAR,
    own_red_lost: FAR,
    blue_step: 1,
    red_step: 1,
    enemy_step: 1,
    enemy_red_step: 1,
    capture_blue: BLUE - FAR,
    capture_unknown: -FAR,
    capture_red: -FAR,
};

/// How the program searches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Search {
    /// Search depth in plies.
    pub depth: u32,
    /// In which order it tries its moves.
    pub(crate) order: Order,
    /// How many pieces that stayed on an exit are red; without effect where all colours are seen.
    pub(crate) known_reds: KnownReds,
}

/// What a move at the root does: a step, or leaving the board from a square.
type RootMove = (u64, Option<usize>);

impl Search {
    /// As the public program searches, to this depth.
    pub fn new(depth: u32) -> Search {
        Search { depth, order: Order::SquareFirst, known_reds: KnownReds::One }
    }

    /// As this program searched before the order of the public one was known: the evolved policies that come with the game
    /// rest on it.
    pub fn direction_first(depth: u32) -> Search {
        Search { depth, order: Order::DirectionFirst, known_reds: KnownReds::All }
    }

    /// The move for the view's owner, whose turn it is, who sees the own colours only.
    pub(crate) fn best_move(self, view: &View) -> Action {
        self.best(&self.worst_case(view), view.public(), view.seat()).0
    }

    /// The value of every legal move of the view's owner, in the order in which they are tried. More
    /// is better; a certain win is near 10⁸.
    pub(crate) fn values(self, view: &View) -> Vec<(Action, i32)> {
        self.all_values(&self.worst_case(view), view.public(), view.seat())
    }

    /// The move in a world, all colours seen.
    pub(crate) fn best_move_perfect(self, world: &World) -> Action {
        let seat = world.to_act().expect("somebody moves");
        self.best(&known_colours(world, seat), world.public(), seat).0
    }

    /// The value of every legal move in a world, all colours seen.
    pub(crate) fn values_perfect(self, world: &World) -> Vec<(Action, i32)> {
        let seat = world.to_act().expect("somebody moves");
        self.all_values(&known_colours(world, seat), world.public(), seat)
    }

    /// How many nodes the search of a view's best move visits, with that move's value: its cost.
    pub(crate) fn cost(self, view: &View) -> (u64, i32) {
        let (_, value, nodes) = self.best(&self.worst_case(view), view.public(), view.seat());
        (nodes, value)
    }

    /// The position that the program searches. A piece that stayed on an exit is known red: from then on all colours count
    /// as known.
    fn worst_case(self, view: &View) -> WorstCase {
        let stayed = view.public().stayed(view.enemy());
        let square = |piece: &Piece| {
            view.public().square(view.enemy(), *piece).map(|square| square.seen_by(view.seat()))
        };
        let reds = match self.known_reds {
            KnownReds::One => Piece::of_set(stayed).max_by_key(square).map_or(0, Piece::bit),
            KnownReds::All => stayed,
        };
        if reds == 0 {
            return with_score(WorstCase::of(view, 0, 0));
        }
        let known = WorstCase::of(view, reds, view.hidden() & !reds);
        with_score(counted(known))
    }

    /// The best move, the first of equals, with its value and the nodes visited.
    fn best(self, here: &WorstCase, board: &Public, seat: Seat) -> (Action, i32, u64) {
        let mut search = AlphaBeta::new(WEIGHTS);
        let mut best = ((0, None), -WIN - 1);
        for tried in self.root_moves(here) {
            let value = self.value(&mut search, here, tried, best.1.max(-WIN));
            if value > best.1 {
                best = (tried, value);
            }
            if tried.1.is_none() {
                break;
            }
        }
        (action(best.0, board, seat), best.1, search.nodes())
    }

    /// Every move with its exact value, in the order in which they are tried.
    fn all_values(self, here: &WorstCase, board: &Public, seat: Seat) -> Vec<(Action, i32)> {
        let mut search = AlphaBeta::new(WEIGHTS);
        let moves = self.root_moves(here).into_iter();
        moves
            .map(|tried| (action(tried, board, seat), self.value(&mut search, here, tried, -WIN)))
            .collect()
    }

    fn value(self, search: &mut AlphaBeta, here: &WorstCase, tried: RootMove, alpha: i32) -> i32 {
        let (from, Some(direction)) = tried else { return WIN };
        search.step_value(here, (from, direction), self.depth, alpha)
    }

    fn root_moves(self, here: &WorstCase) -> Vec<RootMove> {
        let own = here.blues | here.reds;
        let movable = movable(own);
        let mut moves: Vec<RootMove> =
            squares(here.blues & OWN_EXITS).map(|s| (s.bit(), None)).collect();
        let mut add = |from: u64, direction: usize| {
            if movable[direction] & from != 0 {
                moves.push((from, Some(direction)));
            }
        };
        match self.order {
            Order::SquareFirst => squares(own).for_each(|s| (0..4).for_each(|d| add(s.bit(), d))),
            Order::DirectionFirst => {
                (0..4).for_each(|d| squares(own).for_each(|s| add(s.bit(), d)));
            }
        }
        moves
    }
}

fn action((from, direction): RootMove, board: &Public, seat: Seat) -> Action {
    let piece = board.piece_seen_on(seat, from);
    direction.map_or(Action::Escape(piece), |way| Action::Move(piece, Direction::ALL[way]))
}

/// The position of a world with all colours known.
fn known_colours(world: &World, seat: Seat) -> WorstCase {
    let view = world.view(seat);
    let reds = world.reds(view.enemy()) & view.hidden();
    with_score(WorstCase::of(&view, reds, view.hidden() & !reds))
}

/// The same position, its pieces counted by the colours that they count as.
fn counted(here: WorstCase) -> WorstCase {
    let [reds_left, blues_left] =
        [here.enemy_reds, here.enemy_blues].map(|pieces| pieces.count_ones() as u8);
    WorstCase { reds_left, blues_left, ..here }
}

/// The evaluation of the public program: 1000 a blue, less the way to go for the own pieces, plus that of the enemy's; where
/// the enemy's blues are known, they count against.
fn with_score(here: WorstCase) -> WorstCase {
    let mut here = here.scored(&WEIGHTS);
    let enemies = here.enemy_blues | here.enemy_reds | here.unknown;
    here.score += FAR * enemies.count_ones() as i32 - BLUE * here.enemy_blues.count_ones() as i32;
    here
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bitboard::ENEMY_EXITS;
    use crate::kernels::view;

    #[test]
    fn the_start_is_worth_four_blues() {
        let start = view("0 14R24R34R44R15B25B35B45B 41B31B21B11B40R30R20R10R");
        assert_eq!(Search::new(1).worst_case(&start).score, 4 * BLUE);
    }

    #[test]
    fn steps_are_tried_square_by_square_or_direction_by_direction() {
        let here = view("40 12B99B99B99B34R99R99R99R 41B31B21B11B40R30R20R10R");
        let tried = |order| -> String {
            let search = Search { order, ..Search::new(1) };
            let moves = search.root_moves(&search.worst_case(&here)).into_iter();
            moves
                .map(|(from, way)| {
                    let way = Direction::ALL[way.expect("nobody is on an exit")].letter();
                    format!("{}{way} ", from.trailing_zeros())
                })
                .collect()
        };
        assert_eq!(tried(Order::SquareFirst), "13N 13E 13S 13W 27N 27E 27S 27W ");
        assert_eq!(tried(Order::DirectionFirst), "13N 27N 13E 27E 13S 27S 13W 27W ");
    }

    #[test]
    fn one_or_all_of_the_pieces_that_stayed_count_as_red() {
        // Seat 1's A and B both stood on exits, (0,5) and (5,5) as seat 0 sees them.
        let both = view("40 14R24R34R44R15B25B99B99B 05R*55R*21B11B40R30R20B10B");
        let known = |known_reds| {
            let here = Search { known_reds, ..Search::new(1) }.worst_case(&both);
            (here.enemy_reds, here.reds_left, here.blues_left, here.unknown)
        };
        assert_eq!(known(KnownReds::One), (1 << 35, 1, 7, 0));
        assert_eq!(known(KnownReds::All), (ENEMY_EXITS, 2, 6, 0));
        // Capturing the only known red loses.
        let one = view("40 14R24R34R44R15B25B99B99B 05R*31B21B11B40R30R20R10B");
        let values = Search::new(3).values(&one);
        let found = values.iter().find(|(action, _)| action.to_string() == "EW");
        assert_eq!(found.unwrap().1, 1 - WIN);
    }
}

#[cfg(test)]
mod twin;
