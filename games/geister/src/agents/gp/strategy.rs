//! Policies as values.

use super::corners::Corners;
use super::field::{Field, Step, corners, square};
use super::lanes::Plan;
use super::primitive::{Chance, Kind, MoveKind, Primitive, Test, Which};
use super::program::Program;
use super::text::{self, StrategyError};
use crate::action::Action;
use crate::square::Direction;
use crate::world::World;
use oboro_core::{GameWorld, Seat};
use oboro_evolve::{Comparison, Tree, simplify};
use std::fmt;
use std::str::FromStr;

/// A policy over the paper's primitives.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Strategy {
    tree: Tree<Primitive>,
    corners: Corners,
}

impl Strategy {
    /// The policy of a tree.
    ///
    /// # Panics
    /// If the tree is not one of type `Kind::Move`.
    pub fn new(tree: Tree<Primitive>) -> Strategy {
        tree.check(Kind::Move).expect("a policy chooses a move");
        Strategy { tree, corners: Corners::default() }
    }

    /// The same tree, its primitives about corners read in a certain way.
    #[must_use]
    pub fn with_corners(self, corners: Corners) -> Strategy {
        Strategy { corners, ..self }
    }

    /// Its tree.
    pub fn tree(&self) -> &Tree<Primitive> {
        &self.tree
    }

    /// How its primitives about corners are read.
    pub fn corners(&self) -> Corners {
        self.corners
    }

    /// The same policy without dead branches and foregone conclusions.
    #[must_use]
    pub fn simplified(&self) -> Strategy {
        Strategy { tree: simplify(&self.tree, Kind::Move), corners: self.corners }
    }

    /// The policy made ready to run, in the search of a seat or without a search.
    pub(super) fn program(&self, searcher: Option<Seat>) -> Program {
        Program::new(&self.tree, corners(self.corners, searcher))
    }

    /// The policy made ready to run in lanes, unless it is too large for them.
    pub(super) fn plan(&self, searcher: Option<Seat>) -> Option<Plan> {
        Plan::new(&self.tree, corners(self.corners, searcher))
    }

    /// The same policy, its moves made with these probabilities, to a thousandth; what has none
    /// stays as it is.
    #[must_use]
    pub fn with_chances(&self, probabilities: &[f64]) -> Strategy {
        let mut next = probabilities.iter();
        let tokens = self.tree.tokens().iter().map(|&token| match token {
            Primitive::Do(kind, chance) => {
                let given = next.next().copied().and_then(Chance::new);
                Primitive::Do(kind, given.unwrap_or(chance))
            }
            other => other,
        });
        let tree = Tree::new(tokens.collect(), Kind::Move);
        Strategy { tree: tree.expect("only probabilities have changed"), corners: self.corners }
    }

    /// The same policy where the colours of the opponent's pieces are not known: no piece is next to a red or a blue one, and
    /// none can be taken or fled from by its colour. How many of each are left is known.
    #[must_use]
    pub(super) fn without_enemy_colours(&self) -> Strategy {
        use Which::{Blue, Red};
        let never =
            [Primitive::Compare(Comparison::Less), Primitive::Number(0), Primitive::Number(0)];
        let any = [Primitive::Do(MoveKind::Random, Chance::ALWAYS)];
        let tokens = self.tree.tokens().iter().flat_map(|&token| match token {
            Primitive::Is(Test::NextToOpponents(Blue | Red) | Test::OppNearMyGoal(Blue | Red)) => {
                never.to_vec()
            }
            Primitive::Do(MoveKind::Capture(Blue | Red) | MoveKind::EscapeFrom(Blue | Red), _) => {
                any.to_vec()
            }
            other => vec![other],
        });
        let tree = Tree::new(tokens.collect(), Kind::Move);
        Strategy { tree: tree.expect("types have not changed"), corners: self.corners }
    }

    /// The policy of one move alone.
    pub(crate) fn single(kind: MoveKind) -> Strategy {
        let tokens = vec![Primitive::Do(kind, Chance::ALWAYS)];
        Strategy::new(Tree::new(tokens, Kind::Move).expect("one move is a policy"))
    }

    /// How many moves it names, each with a probability of its own.
    pub fn moves(&self) -> usize {
        self.tree.tokens().iter().filter(|token| matches!(token, Primitive::Do(..))).count()
    }

    /// The exact probability of every legal move of a world whose sides are placed.
    ///
    /// # Panics
    /// If the game is over, or a side is not placed.
    pub fn probabilities(&self, world: &World) -> Vec<(Action, f64)> {
        let seat = world.to_act().expect("somebody moves");
        assert!(world.public().has_placed(Seat::new(1)), "both sides placed");
        let field = Field::of(world);
        let preference = self.program(None).preference_of(seat.index(), &field);
        let any = Strategy::random().program(None).preference_of(seat.index(), &field);
        let (wanted, all) = (preference.moves.count(), any.moves.count());
        let chance = preference.probability;
        let mut probabilities = Vec::new();
        world.for_each_legal(|action| {
            let step = step_of(world, action);
            let kept = if preference.moves.contains(seat.index(), step) {
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
        Strategy::single(MoveKind::Random)
    }
}

/// The step that an action is in its world.
pub(super) fn step_of(world: &World, action: Action) -> Step {
    let seat = world.to_act().expect("somebody moves");
    let board = world.public();
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
        let found = world.public().piece_at(square(number));
        found.expect("a piece stands there").1
    };
    match step {
        Step::To(direction, to) => {
            let from = Field::origin(world.public().mover(), direction, to);
            Action::Move(piece_at(from), Direction::ALL[usize::from(direction & 3)])
        }
        Step::Leave(from) => Action::Escape(piece_at(from)),
    }
}

impl fmt::Display for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        text::write(&self.tree, self.corners, f)
    }
}

impl FromStr for Strategy {
    type Err = StrategyError;

    fn from_str(text: &str) -> Result<Strategy, StrategyError> {
        text::read(text).map(|(tree, corners)| Strategy { tree, corners })
    }
}
