//! A policy made ready to run in lanes: lists of equal work, without a branch that depends on a position.
//!
//! What is true in which games is a word with a bit for each of them. Tests and comparisons give such words, gates make
//! others of them, and in the end every kind of move that the policy names has one.

use super::super::primitive::{Chance, Measure, MoveKind, Primitive, Test, Which};
use super::super::program::{Leaf, NumberTest, TestOutcome};
use crate::square::Bitboard;
use oboro_evolve::{Comparison, Tree};
use std::ops::Not;

/// How many words there can be. Trees of 180 parts and some 120 words are mostly quicker in lanes than alone, with 16 games
/// and with 500; those of 350 parts and 230 words took between 0.8 and 2 times as long.
pub(super) const WORDS: usize = 128;

/// The words that are not computed by the plan: nothing, and what is true or false of a position.
pub(super) const NOTHING: u8 = 0;
pub(super) const KEEPER: u8 = 1;
pub(super) const NEXT_TO_BLUE: u8 = 2;
pub(super) const NEXT_TO_RED: u8 = 3;
pub(super) const BLUE_NEAR_GOAL: u8 = 4;
pub(super) const RED_NEAR_GOAL: u8 = 5;
const GIVEN: usize = 6;

/// The numbers that can be compared: the pieces of each colour, distances, and 0.
pub(super) const COUNTS: u8 = 0;
pub(super) const DISTANCES: u8 = 4;
pub(super) const ZERO: u8 = 10;
pub(super) const NUMBERS: usize = 16;

/// The boards from which moves are made. Where there is one for each colour, those of any colour come first, then blues
/// and reds.
pub(super) const OWN: u8 = 0;
pub(super) const ENEMY: u8 = 3;
pub(super) const FREE: u8 = 6;
/// Free and not next to an enemy.
pub(super) const SAFE: u8 = 7;
/// Own pieces next to an enemy.
pub(super) const PURSUED: u8 = 8;
/// Own pieces nearest to the exits, then those nearest to the enemy's.
pub(super) const NEAREST: u8 = 11;
pub(super) const BOARDS: usize = 32;

/// A probability of 1.
pub(super) const CERTAINLY: u64 = 1 << 53;

/// A policy for eight games and more at once.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    /// Where the tests of corners look when each side moves.
    pub(super) corners: [Bitboard; 2],
    /// Whose nearest pieces are wanted: three colours by the exits, then by the enemy's.
    pub(super) nearest: Vec<u8>,
    /// Whether pieces next to an enemy are wanted.
    pub(super) pursues: bool,
    /// Whether a move is ever made by chance only.
    pub(super) dices: bool,
    pub(super) comparisons: Vec<Compared>,
    pub(super) gates: Vec<Gate>,
    /// What is done unless something else is.
    pub(super) usual: MoveChoice,
    pub(super) others: Vec<(Literal, MoveChoice)>,
}

/// A comparison of two numbers, and the word that it gives; see [`NumberTest`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Compared {
    pub(super) left: u8,
    pub(super) right: u8,
    pub(super) pairs: u64,
    pub(super) word: u8,
}

/// Where both of two hold, and the word that it gives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Gate {
    pub(super) both: [Literal; 2],
    pub(super) word: u8,
}

/// A word, or what is not in it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Literal {
    pub(super) word: u8,
    /// All bits for the opposite.
    pub(super) flip: u16,
}

impl Literal {
    const NEVER: Literal = Literal { word: NOTHING, flip: 0 };
    const ALWAYS: Literal = Literal { word: NOTHING, flip: !0 };

    const fn of(word: u8) -> Literal {
        Literal { word, flip: 0 }
    }

    const fn certain(holds: bool) -> Literal {
        if holds { Literal::ALWAYS } else { Literal::NEVER }
    }
}

impl Not for Literal {
    type Output = Literal;

    fn not(self) -> Literal {
        Literal { flip: !self.flip, ..self }
    }
}

/// A kind of move: which pieces may go onto which squares, and by which ways.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct MoveChoice {
    pub(super) movers: u8,
    pub(super) onto: u8,
    pub(super) ways: Ways,
    /// A draw of 53 bits below it makes the move; otherwise any is made.
    pub(super) threshold: u64,
}

/// Ways to go, a byte each: 1 where pieces may go that way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Ways(pub(super) u64);

impl Ways {
    pub(super) const NORTH: usize = 0;
    pub(super) const SOUTH: usize = 1;
    /// East and west of the left and the right half.
    pub(super) const LEFT_EAST: usize = 2;
    pub(super) const RIGHT_EAST: usize = 3;
    pub(super) const LEFT_WEST: usize = 4;
    pub(super) const RIGHT_WEST: usize = 5;
    /// Off the board.
    pub(super) const OUT: usize = 6;

    const fn of(ways: &[usize]) -> Ways {
        let (mut all, mut at) = (0, 0);
        while at < ways.len() {
            all |= 1 << (8 * ways[at]);
            at += 1;
        }
        Ways(all)
    }
}

const ASIDE: [usize; 4] = [Ways::LEFT_EAST, Ways::RIGHT_EAST, Ways::LEFT_WEST, Ways::RIGHT_WEST];
const EVERY_WAY: Ways =
    Ways::of(&[Ways::NORTH, Ways::SOUTH, ASIDE[0], ASIDE[1], ASIDE[2], ASIDE[3]]);
const EVERY_WAY_AND_OUT: Ways = Ways(EVERY_WAY.0 | Ways::of(&[Ways::OUT]).0);
const TO_GOAL: Ways = Ways::of(&[Ways::NORTH, Ways::LEFT_WEST, Ways::RIGHT_EAST, Ways::OUT]);
const FROM_GOAL: Ways = Ways::of(&[Ways::SOUTH, Ways::LEFT_EAST, Ways::RIGHT_WEST]);
const TO_MY_GOAL: Ways = Ways::of(&[Ways::SOUTH, Ways::LEFT_WEST, Ways::RIGHT_EAST]);

impl MoveChoice {
    fn new(kind: MoveKind, chance: Chance) -> MoveChoice {
        let (movers, onto, ways) = match kind {
            MoveKind::Random => (OWN, FREE, EVERY_WAY_AND_OUT),
            MoveKind::Capture(which) => (OWN, ENEMY + colour(which), EVERY_WAY),
            MoveKind::CloserToGoal(which) => (NEAREST + colour(which), FREE, TO_GOAL),
            MoveKind::EscapeFrom(which) => (PURSUED + colour(which), SAFE, EVERY_WAY),
            MoveKind::LeavingFromGoal(which) => (OWN + colour(which), FREE, FROM_GOAL),
            MoveKind::CloserToMyGoal(which) => (NEAREST + 3 + colour(which), FREE, TO_MY_GOAL),
        };
        MoveChoice { movers, onto, ways, threshold: threshold(chance) }
    }
}

/// The least number of 53 bits that is not below a probability.
fn threshold(chance: Chance) -> u64 {
    (chance.probability() * CERTAINLY as f64).ceil() as u64
}

/// The place of a colour among three.
const fn colour(which: Which) -> u8 {
    match which {
        Which::Any => 0,
        Which::Blue => 1,
        Which::Red => 2,
    }
}

impl Plan {
    /// The plan of a tree whose tests of corners look at these squares when each side moves; none for a tree that needs
    /// too many words.
    pub(crate) fn new(tree: &Tree<Primitive>, corners: [Bitboard; 2]) -> Option<Plan> {
        let mut compiler = Compiler {
            tree,
            usual: usual(tree),
            words: GIVEN,
            comparisons: Vec::new(),
            gates: Vec::new(),
            others: Vec::new(),
        };
        compiler.action(0, Literal::ALWAYS);
        let Compiler { usual, words, comparisons, gates, others, .. } = compiler;
        let choices = || others.iter().map(|(_, choice)| *choice).chain([usual]);
        let boards = choices().filter_map(|choice| choice.movers.checked_sub(NEAREST));
        let numbers = comparisons.iter().flat_map(|asked| [asked.left, asked.right]);
        let distances = numbers.filter(|number| (DISTANCES..ZERO).contains(number));
        let mut nearest: Vec<u8> = boards.chain(distances.map(|one| one - DISTANCES)).collect();
        nearest.sort_unstable();
        nearest.dedup();
        let pursues = choices().any(|choice| choice.onto == SAFE);
        let dices = choices().any(|choice| choice.threshold < CERTAINLY);
        let plan = Plan { corners, nearest, pursues, dices, comparisons, gates, usual, others };
        (words <= WORDS).then_some(plan)
    }
}

/// The choice that most leaves of a tree name.
fn usual(tree: &Tree<Primitive>) -> MoveChoice {
    let choices = || tree.tokens().iter().filter_map(|token| choice(*token));
    let often = |one: &MoveChoice| choices().filter(|other| other == one).count();
    choices().max_by_key(often).expect("a policy names a move")
}

fn choice(token: Primitive) -> Option<MoveChoice> {
    match token {
        Primitive::Do(kind, chance) => Some(MoveChoice::new(kind, chance)),
        _ => None,
    }
}

/// Finds out where each choice is made. Equal comparisons and gates share their words.
struct Compiler<'a> {
    tree: &'a Tree<Primitive>,
    /// Nothing has to be known where it is made.
    usual: MoveChoice,
    /// How many words there are.
    words: usize,
    comparisons: Vec<Compared>,
    gates: Vec<Gate>,
    others: Vec<(Literal, MoveChoice)>,
}

/// One side of a comparison.
#[derive(Clone, Copy)]
enum Operand {
    Leaf(Leaf),
    Truth(Literal),
}

impl Compiler<'_> {
    /// The number of another word. Where there are too many the numbers do not matter: the plan is given up.
    fn word(&mut self) -> u8 {
        self.words += 1;
        (self.words - 1) as u8
    }

    /// Follows the part of the tree at a place, which is reached where `path` holds.
    fn action(&mut self, at: usize, path: Literal) {
        let parts = &self.tree.tokens()[at..self.tree.end(at)];
        let usual = self.usual;
        if parts.iter().filter_map(|token| choice(*token)).all(|named| named == usual) {
            return;
        }
        if let Some(named) = choice(self.tree.tokens()[at]) {
            let known = self.others.iter().position(|(_, other)| *other == named);
            match known {
                Some(place) => self.others[place].0 = self.or(self.others[place].0, path),
                None => self.others.push((path, named)),
            }
            return;
        }
        let then = self.tree.end(at + 1);
        let condition = self.truth(at + 1);
        for (part, holds) in [(then, condition), (self.tree.end(then), !condition)] {
            let path = self.and(path, holds);
            self.action(part, path);
        }
    }

    fn and(&mut self, one: Literal, other: Literal) -> Literal {
        let both = if one < other { [one, other] } else { [other, one] };
        if one == !other || both.contains(&Literal::NEVER) {
            return Literal::NEVER;
        }
        if one == other || one == Literal::ALWAYS {
            return other;
        }
        if other == Literal::ALWAYS {
            return one;
        }
        let known = self.gates.iter().find(|gate| gate.both == both).map(|gate| gate.word);
        let word = known.unwrap_or_else(|| {
            let word = self.word();
            self.gates.push(Gate { both, word });
            word
        });
        Literal::of(word)
    }

    fn or(&mut self, one: Literal, other: Literal) -> Literal {
        !self.and(!one, !other)
    }

    /// One of two where a truth holds, the other where it does not.
    fn select(&mut self, truth: Literal, yes: Literal, no: Literal) -> Literal {
        if yes == no {
            return yes;
        }
        let (yes, no) = (self.and(truth, yes), self.and(!truth, no));
        self.or(yes, no)
    }

    fn truth(&mut self, at: usize) -> Literal {
        let (left, right) = (at + 1, || self.tree.end(at + 1));
        match self.tree.tokens()[at] {
            Primitive::Is(test) => self.test(test),
            Primitive::Not => !self.truth(left),
            Primitive::And => {
                let (left, right) = (self.truth(left), self.truth(right()));
                self.and(left, right)
            }
            Primitive::Or => {
                let (left, right) = (self.truth(left), self.truth(right()));
                self.or(left, right)
            }
            Primitive::Compare(comparison) => {
                let (left, right) = (self.operand(left), self.operand(right()));
                self.compare(comparison, left, right)
            }
            other => unreachable!("{other} is no condition"),
        }
    }

    fn test(&mut self, test: Test) -> Literal {
        let (which, blue, red) = match test {
            Test::HavingKeeper => return Literal::of(KEEPER),
            Test::NextToOpponents(which) => (which, NEXT_TO_BLUE, NEXT_TO_RED),
            Test::OppNearMyGoal(which) => (which, BLUE_NEAR_GOAL, RED_NEAR_GOAL),
        };
        match which {
            Which::Any => self.or(Literal::of(blue), Literal::of(red)),
            Which::Blue => Literal::of(blue),
            Which::Red => Literal::of(red),
        }
    }

    fn operand(&mut self, at: usize) -> Operand {
        match self.tree.tokens()[at] {
            Primitive::Number(number) => Operand::Leaf(Leaf::Number(number)),
            Primitive::Get(measure) => Operand::Leaf(Leaf::Get(measure)),
            _ => Operand::Truth(self.truth(at)),
        }
    }

    fn compare(&mut self, comparison: Comparison, left: Operand, right: Operand) -> Literal {
        let number = |truth| Operand::Leaf(Leaf::Number(truth));
        match (left, right) {
            (Operand::Truth(truth), right) => {
                let [yes, no] = [1, 0].map(|one| self.compare(comparison, number(one), right));
                self.select(truth, yes, no)
            }
            (left, Operand::Truth(truth)) => {
                let [yes, no] = [1, 0].map(|one| self.compare(comparison, left, number(one)));
                self.select(truth, yes, no)
            }
            (Operand::Leaf(left), Operand::Leaf(right)) => {
                match NumberTest::of(comparison, left, right) {
                    TestOutcome::Certain(holds) => Literal::certain(holds),
                    TestOutcome::Asks(test) => self.ask(test),
                }
            }
        }
    }

    fn ask(&mut self, NumberTest { left, right, pairs }: NumberTest) -> Literal {
        let (left, right) = (number(left), right.map_or(ZERO, number));
        let same =
            |asked: &&Compared| (asked.left, asked.right, asked.pairs) == (left, right, pairs);
        let known = self.comparisons.iter().find(same).map(|asked| asked.word);
        let word = known.unwrap_or_else(|| {
            let word = self.word();
            self.comparisons.push(Compared { left, right, pairs, word });
            word
        });
        Literal::of(word)
    }
}

/// The place of a measure among the numbers.
const fn number(measure: Measure) -> u8 {
    match measure {
        Measure::MyBlue => COUNTS,
        Measure::MyRed => COUNTS + 1,
        Measure::OppBlue => COUNTS + 2,
        Measure::OppRed => COUNTS + 3,
        Measure::DistanceToGoal(which) => DISTANCES + colour(which),
        Measure::DistanceToMyGoal(which) => DISTANCES + 3 + colour(which),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_draw_below_the_threshold_is_a_number_below_the_probability() {
        for thousandth in 0..=1000 {
            let chance = Chance::new(f64::from(thousandth) / 1000.0).unwrap();
            let (limit, probability) = (threshold(chance), chance.probability());
            for draw in [limit.saturating_sub(1), limit, limit + 1] {
                // As `Rng::chance` has it.
                let unit = draw as f64 * (1.0 / CERTAINLY as f64);
                assert_eq!(draw < limit, unit < probability, "{draw} {probability}");
            }
        }
    }
}
