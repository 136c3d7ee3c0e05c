//! Policies as values, and where they come from.

use super::field::{Field, Step, square};
use super::playout::GpPlayouts;
use super::primitive::{Kind, MoveKind, Primitive};
use super::program::Program;
use super::text::{self, StrategyError};
use crate::action::Action;
use crate::square::Direction;
use crate::world::World;
use oboro_core::{GameWorld, Seat};
use oboro_evolve::{Tree, simplify};
use std::fmt;
use std::str::FromStr;

/// A policy over the paper's primitives.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Strategy {
    tree: Tree<Primitive>,
}

impl Strategy {
    /// The policy of a tree.
    ///
    /// # Panics
    /// If the tree is not one of type [`Kind::Move`].
    pub fn new(tree: Tree<Primitive>) -> Strategy {
        tree.check(Kind::Move).expect("a policy chooses a move");
        Strategy { tree }
    }

    /// Its tree.
    pub fn tree(&self) -> &Tree<Primitive> {
        &self.tree
    }

    /// The same policy without dead branches and foregone conclusions.
    #[must_use]
    pub fn simplified(&self) -> Strategy {
        Strategy { tree: simplify(&self.tree, Kind::Move) }
    }

    /// The policy for playouts, the same for both seats.
    pub fn playouts(&self) -> GpPlayouts {
        GpPlayouts::new([Some(self), Some(self)])
    }

    /// The exact probability of every legal move of a world whose sides are placed.
    ///
    /// # Panics
    /// If the game is over, or a side is not placed.
    pub fn probabilities(&self, world: &World) -> Vec<(Action, f64)> {
        let seat = world.to_act().expect("somebody moves");
        assert!(world.board().has_placed(Seat::new(1)), "both sides placed");
        let field = Field::of(world);
        let wish = Program::new(&self.tree).wish_of(seat.index(), &field);
        let any = Program::new(&Strategy::random().tree).wish_of(seat.index(), &field);
        let (wanted, all) = (wish.moves.count(), any.moves.count());
        let chance = wish.probability;
        let mut probabilities = Vec::new();
        world.for_each_legal(|action| {
            let step = step_of(world, action);
            let kept = if wish.moves.contains(seat.index(), step) {
                chance / f64::from(wanted)
            } else {
                0.0
            };
            probabilities.push((action, kept + (1.0 - chance) / f64::from(all)));
        });
        probabilities
    }

    /// The policy that plays any legal move.
    pub fn random() -> Strategy {
        let any = Primitive::Do(MoveKind::Random, super::Chance::ALWAYS);
        Strategy { tree: Tree::new(vec![any], Kind::Move).expect("one move is a policy") }
    }
}

/// The step that an action is in its world.
pub(super) fn step_of(world: &World, action: Action) -> Step {
    let seat = world.to_act().expect("somebody moves");
    let board = world.board();
    let index = |square: Option<crate::Square>| square.expect("on the board").index() as u8;
    match action {
        Action::Move(piece, direction) => {
            Step::To(direction as u8, index(board.target(seat, piece, direction)))
        }
        Action::Escape(piece) => Step::Leave(index(board.square(seat, piece))),
        Action::Place(_) => unreachable!("both sides are placed"),
    }
}

/// The action that a step of the seat to move is.
pub(super) fn action_of(world: &World, step: Step) -> Action {
    let piece_at = |number: u8| {
        let found = world.board().piece_at(square(number));
        found.expect("a piece stands there").1
    };
    match step {
        Step::To(direction, to) => {
            let from = Field::origin(world.board().mover(), direction, to);
            Action::Move(piece_at(from), Direction::ALL[usize::from(direction & 3)])
        }
        Step::Leave(from) => Action::Escape(piece_at(from)),
    }
}

impl fmt::Display for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        text::write(&self.tree, f)
    }
}

impl FromStr for Strategy {
    type Err = StrategyError;

    fn from_str(text: &str) -> Result<Strategy, StrategyError> {
        text::read(text).map(|tree| Strategy { tree })
    }
}
