//! Policies followed word by word, square by square: what the fast ones are checked against.

use super::corners::Corners;
use super::field::{Field, corners};
use super::primitive::{Measure, MoveKind, Primitive, PrimitiveSet, Test, Which};
use super::program::Program;
use super::strategy::step_of;
use crate::action::Action;
use crate::piece::{Colour, Piece};
use crate::square::{Direction, Square};
use crate::world::World;
use crate::{Geister, Placements};
use oboro_core::{Game, GameWorld, Rng, Seat};
use oboro_evolve::{Breeder as _, Crossover, Shape, Tree, TreeBreeder};

/// A position as the seat that moves sees it.
struct ReferencePosition<'a> {
    world: &'a World,
    me: Seat,
    opponent: Seat,
    /// Whose home has the corners that tests look at.
    home: Seat,
}

impl ReferencePosition<'_> {
    /// The squares of a seat's pieces of a colour.
    fn squares(&self, seat: Seat, which: Which) -> Vec<Square> {
        let pieces = Piece::of_set(self.world.public().alive(seat));
        let wanted = pieces.filter(|piece| self.is(seat, *piece, which));
        wanted.map(|piece| self.world.public().square(seat, piece).expect("alive")).collect()
    }

    fn is(&self, seat: Seat, piece: Piece, which: Which) -> bool {
        let colour = self.world.colour(seat, piece);
        match which {
            Which::Any => true,
            Which::Blue => colour == Some(Colour::Blue),
            Which::Red => colour == Some(Colour::Red),
        }
    }

    /// The steps from the nearest own piece of a colour to the exits of a seat; 7 without any.
    fn distance(&self, which: Which, exits_of: Seat) -> u8 {
        let own = self.squares(self.me, which).into_iter();
        own.map(|square| square.distance_to_exit(exits_of)).min().unwrap_or(7)
    }

    fn measure(&self, measure: Measure) -> i64 {
        let count = |seat, which| self.squares(seat, which).len() as i64;
        match measure {
            Measure::MyBlue => count(self.me, Which::Blue),
            Measure::MyRed => count(self.me, Which::Red),
            Measure::OppBlue => count(self.opponent, Which::Blue),
            Measure::OppRed => count(self.opponent, Which::Red),
            Measure::DistanceToGoal(which) => self.distance(which, self.me).into(),
            Measure::DistanceToMyGoal(which) => self.distance(which, self.opponent).into(),
        }
    }

    fn is_near_corner(&self, square: Square) -> bool {
        let seen = square.seen_by(self.home);
        seen.y() >= 4 && (seen.x() <= 1 || seen.x() >= 4)
    }

    fn is_next_to(&self, square: Square, which: Which) -> bool {
        self.squares(self.opponent, which).into_iter().any(|other| other.distance(square) == 1)
    }

    fn test(&self, test: Test) -> bool {
        let own = || self.squares(self.me, Which::Any).into_iter();
        match test {
            Test::HavingKeeper => own().any(|square| self.is_near_corner(square)),
            Test::NextToOpponents(which) => own().any(|square| self.is_next_to(square, which)),
            Test::OppNearMyGoal(which) => {
                let theirs = self.squares(self.opponent, which).into_iter();
                theirs.into_iter().any(|square| self.is_near_corner(square))
            }
        }
    }

    /// The value of the part of a policy that begins at a place; a truth is 0 or 1.
    fn value(&self, tree: &Tree<Primitive>, at: usize) -> i64 {
        let left = || self.value(tree, at + 1);
        let right = || self.value(tree, tree.end(at + 1));
        match tree.tokens()[at] {
            Primitive::Number(number) => number.into(),
            Primitive::Get(measure) => self.measure(measure),
            Primitive::Is(test) => self.test(test).into(),
            Primitive::Not => 1 - left(),
            Primitive::And => left() * right(),
            Primitive::Or => left().max(right()),
            Primitive::Compare(comparison) => comparison.holds(left(), right()).into(),
            Primitive::IfThenElse | Primitive::Do(..) => unreachable!("no value"),
        }
    }

    /// The kind of move that the part at a place names, and its probability.
    fn decision(&self, tree: &Tree<Primitive>, at: usize) -> (MoveKind, f64) {
        if let Primitive::Do(kind, chance) = tree.tokens()[at] {
            return (kind, chance.probability());
        }
        let then = tree.end(at + 1);
        let branch = if self.value(tree, at + 1) == 1 { then } else { tree.end(then) };
        self.decision(tree, branch)
    }

    /// Whether a legal move is of a kind.
    fn fits(&self, action: Action, kind: MoveKind) -> bool {
        let (piece, direction) = match action {
            Action::Move(piece, direction) => (piece, Some(direction)),
            Action::Escape(piece) => (piece, None),
            Action::Place(_) => return false,
        };
        let board = self.world.public();
        let from = board.square(self.me, piece).expect("it moves");
        let to = direction.and_then(|direction| board.target(self.me, piece, direction));
        let captured = direction.and_then(|direction| board.capture(self.me, piece, direction));
        let (inwards, outwards) = if from.seen_by(self.me).x() < 3 {
            (Direction::East, Direction::West)
        } else {
            (Direction::West, Direction::East)
        };
        let is_nearest = |which, exits_of| {
            self.is(self.me, piece, which)
                && from.distance_to_exit(exits_of) == self.distance(which, exits_of)
        };
        let goes = |ways: [Direction; 2]| direction.is_some_and(|way| ways.contains(&way));
        match kind {
            MoveKind::Random => true,
            MoveKind::Capture(which) => {
                captured.is_some_and(|captured| self.is(self.opponent, captured, which))
            }
            MoveKind::CloserToGoal(which) => {
                let on = direction.is_none() || goes([Direction::North, outwards]);
                on && is_nearest(which, self.me)
            }
            MoveKind::EscapeFrom(which) => {
                self.is_next_to(from, which)
                    && captured.is_none()
                    && to.is_some_and(|to| !self.is_next_to(to, Which::Any))
            }
            MoveKind::LeavingFromGoal(which) => {
                self.is(self.me, piece, which) && goes([Direction::South, inwards])
            }
            MoveKind::CloserToMyGoal(which) => {
                is_nearest(which, self.opponent) && goes([Direction::South, outwards])
            }
        }
    }
}

#[test]
fn programs_agree_with_the_reference() {
    let breeder = TreeBreeder {
        vocabulary: PrimitiveSet::All.vocabulary(),
        shape: Shape::default(),
        crossover: Crossover::Node,
    };
    let rules = Geister { placements: Placements::Random, ..Geister::default() };
    let mut rng = Rng::from_u64(11);
    let (mut asked, mut unfit) = (0, 0);
    for number in 0..400 {
        let tree = breeder.create(number, &mut rng);
        let reading = Corners::ALL[number % 3];
        let searcher = [None, Some(Seat::new(0)), Some(Seat::new(1))][number / 3 % 3];
        let program = Program::new(&tree, corners(reading, searcher));
        let mut world = rules.deal(&mut rng);
        while let Some(me) = world.to_act() {
            let opponent = me.next(2);
            let home = match reading {
                Corners::Home => me,
                Corners::Exits => opponent,
                Corners::Searcher => searcher.unwrap_or(me),
            };
            let reference = ReferencePosition { world: &world, me, opponent, home };
            let (kind, probability) = reference.decision(&tree, 0);
            let actions = world.legal_actions();
            let fitting = |action: &Action| reference.fits(*action, kind);
            let fits = actions.iter().any(fitting);
            let preference = program.preference_of(me.index(), &Field::of(&world));
            assert_eq!(
                preference.probability,
                if fits { probability } else { 1.0 },
                "{tree:?}\n{world}"
            );
            for action in &actions {
                let wanted = preference.moves.contains(me.index(), step_of(&world, *action));
                assert_eq!(wanted, !fits || fitting(action), "{kind:?} {action}\n{world}");
            }
            asked += 1;
            unfit += u32::from(!fits);
            world.apply(world.random_action(&mut rng));
        }
    }
    assert!(asked > 10_000 && unfit > 100, "{asked} positions, {unfit} without a fitting move");
}
