//! Training positions for policies: positions with a teacher's moves and values. Here one game of the
//! teacher is one call; `oboro evolve` plays many of them on all threads.

use super::field::{Field, Step};
use super::primitive::MoveKind;
use super::program::{Preference, Program};
use super::strategy::{Strategy, step_of};
use crate::action::Action;
use crate::agents::naotti::{Information, Search};
use crate::piece::Placement;
use crate::rules::Geister;
use crate::world::World;
use oboro_core::{Game, GameWorld, NotationError, Rng, SeatView as _, Seed};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// The teacher of a training set, and the size of the set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Teacher {
    /// What the teacher sees when it plays against itself.
    pub information: Information,
    /// How many positions of its games are taken.
    pub positions: usize,
    /// How it finds its move.
    pub search: Search,
    /// How many plies it looks ahead for the value of every move. With another depth than that of
    /// its move, some moves get a better value than the one it made. The paper looks at "the next
    /// move only".
    pub value_depth: u32,
    /// Whether a game goes on after a position comes again, to its end.
    pub whole_games: bool,
}

impl Default for Teacher {
    fn default() -> Teacher {
        Teacher {
            information: Information::Imperfect,
            positions: 10_000,
            search: Search::new(6),
            value_depth: 1,
            whole_games: false,
        }
    }
}

impl Teacher {
    /// Plays a game of the teacher against itself from random placements and writes down its
    /// positions, in order, until it ends or a position comes again: nothing new would follow, and only whole games
    /// go on. Each number is a game of its own.
    pub fn game(&self, seed: Seed, number: u64) -> Vec<TrainingPosition> {
        let rng = &mut seed.child("teacher").game(number, number).deal();
        let placements = [Placement::random(rng), Placement::random(rng)];
        let mut world = World::placed(placements, Geister::default().plies);
        let mut seen = BTreeSet::new();
        let mut examples = Vec::new();
        while let Some(seat) = world.to_act() {
            if !seen.insert((Field::of(&world), seat)) && !self.whole_games {
                break;
            }
            let valuing = Search { depth: self.value_depth, ..self.search };
            let (choice, values) = match self.information {
                Information::Imperfect => {
                    let view = world.view(seat);
                    (self.search.best_move(&view), valuing.values(&view))
                }
                Information::Perfect => {
                    (self.search.best_move_perfect(&world), valuing.values_perfect(&world))
                }
            };
            examples.push(TrainingPosition::new(world, choice, values));
            world.apply(choice);
        }
        examples
    }
}

/// A position, what the teacher played there, and what it thinks of every legal move.
#[derive(Clone, PartialEq, Debug)]
pub struct TrainingPosition {
    world: World,
    choice: Action,
    values: Vec<(Action, i32)>,
    /// The same, ready to be compared with what a policy wants.
    side: usize,
    field: Field,
    chosen: Step,
    chosen_value: i32,
    steps: Vec<(Step, i32)>,
}

impl TrainingPosition {
    /// An example; `values` has every legal move once, `choice` among them.
    fn new(world: World, choice: Action, values: Vec<(Action, i32)>) -> TrainingPosition {
        let valued = values.iter().find(|(action, _)| *action == choice);
        TrainingPosition {
            side: world.public().mover(),
            field: Field::of(&world),
            chosen: step_of(&world, choice),
            chosen_value: valued.expect("the teacher values its own move").1,
            steps: values.iter().map(|&(action, value)| (step_of(&world, action), value)).collect(),
            world,
            choice,
            values,
        }
    }

    /// The position, all colours known.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// What the teacher played.
    pub fn choice(&self) -> Action {
        self.choice
    }

    /// The value of every legal move by the teacher's search.
    pub fn values(&self) -> &[(Action, i32)] {
        &self.values
    }

    /// The probability that a policy makes the teacher's move.
    fn agreement(&self, program: &Program) -> f64 {
        let Preference { moves, probability } = program.preference_of(self.side, &self.field);
        let any = (1.0 - probability) / self.steps.len() as f64;
        if moves.contains(self.side, self.chosen) {
            any + probability / f64::from(moves.count())
        } else {
            any
        }
    }

    /// A move that a policy makes, with its value.
    fn draw(&self, program: &Program, rng: &mut Rng) -> (Step, i32) {
        let Preference { moves, probability } = program.preference_of(self.side, &self.field);
        let wanted: Vec<(Step, i32)> = self
            .steps
            .iter()
            .copied()
            .filter(|(step, _)| moves.contains(self.side, *step))
            .collect();
        let from =
            if rng.chance(probability) && !wanted.is_empty() { &wanted } else { &self.steps };
        *rng.choose(from).expect("a position has a move")
    }

    /// The expected value of a policy's move less that of the teacher's, each difference kept
    /// within `bounds`.
    fn loss(&self, program: &Program, bounds: &RangeInclusive<i64>) -> f64 {
        let Preference { moves, probability } = program.preference_of(self.side, &self.field);
        let any = (1.0 - probability) / self.steps.len() as f64;
        let wanted = probability / f64::from(moves.count());
        let differences = self.steps.iter().map(|&(step, value)| {
            let chance = if moves.contains(self.side, step) { any + wanted } else { any };
            let difference = i64::from(value) - i64::from(self.chosen_value);
            chance * difference.clamp(*bounds.start(), *bounds.end()) as f64
        });
        differences.sum()
    }
}

/// What a policy is shown of the colours in training positions. The thesis does not say.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum EnemyColours {
    /// The true ones.
    #[default]
    Seen,
    /// None: every question about them is answered with no.
    Hidden,
    /// Drawn at random from those that the mover holds possible, as in a playout.
    Drawn,
}

/// Training positions, in order.
#[derive(Clone, PartialEq, Debug)]
pub struct TrainingSet {
    examples: Vec<TrainingPosition>,
    hides_enemy_colours: bool,
}

impl FromIterator<TrainingPosition> for TrainingSet {
    fn from_iter<I: IntoIterator<Item = TrainingPosition>>(examples: I) -> TrainingSet {
        TrainingSet { examples: examples.into_iter().collect(), hides_enemy_colours: false }
    }
}

impl TrainingSet {
    /// The examples, in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &TrainingPosition> {
        self.examples.iter()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.examples.len()
    }

    /// Whether there is nothing to learn.
    pub fn is_empty(&self) -> bool {
        self.examples.is_empty()
    }

    /// The same positions, as a policy sees them: red and blue exchanged on both sides or not, the enemy's colours as told.
    #[must_use]
    pub fn seen_as(mut self, exchanged: bool, enemy: EnemyColours, seed: Seed) -> TrainingSet {
        self.hides_enemy_colours = enemy == EnemyColours::Hidden;
        for (number, example) in self.examples.iter_mut().enumerate() {
            let mut world = example.world;
            if let (EnemyColours::Drawn, Some(seat)) = (enemy, world.to_act()) {
                let rng = &mut seed.child("enemy colours").game(number as u64, 0).deal();
                world = world.view(seat).imagine(rng);
            }
            let Field { blues, reds } = Field::of(&world);
            example.field =
                if exchanged { Field { blues: reds, reds: blues } } else { Field { blues, reds } };
        }
        self
    }

    /// A policy made ready for what it is shown.
    fn program(&self, strategy: &Strategy) -> Program {
        if self.hides_enemy_colours {
            strategy.without_enemy_colours().program(None)
        } else {
            strategy.program(None)
        }
    }

    /// What a policy does in every example, one move drawn each: a figure of the drawn move's value less that of the
    /// teacher's, and whether it is the teacher's.
    pub(super) fn mean_drawn(
        &self,
        strategy: &Strategy,
        rng: &mut Rng,
        figure: impl Fn(bool, i64) -> f64,
    ) -> f64 {
        let program = self.program(strategy);
        let drawn = self.examples.iter().map(|example| {
            let (step, value) = example.draw(&program, rng);
            let difference = i64::from(value) - i64::from(example.chosen_value);
            figure(step == example.chosen, difference)
        });
        drawn.sum::<f64>() / self.len().max(1) as f64
    }

    /// The mean probability, over all examples, that a policy makes the teacher's move: exact, nothing
    /// is drawn.
    pub fn agreement(&self, strategy: &Strategy) -> f64 {
        let program = self.program(strategy);
        self.mean(|example| example.agreement(&program))
    }

    /// The mean loss: how much more a policy's move is worth than the teacher's by the teacher's
    /// search, in expectation, each difference kept within `bounds`; negative where moves are bad.
    ///
    /// # Panics
    /// If the bounds are the wrong way round.
    pub(crate) fn mean_loss(&self, strategy: &Strategy, bounds: RangeInclusive<i64>) -> f64 {
        let program = self.program(strategy);
        self.mean(|example| example.loss(&program, &bounds))
    }

    fn mean(&self, figure: impl Fn(&TrainingPosition) -> f64) -> f64 {
        self.examples.iter().map(figure).sum::<f64>() / self.len().max(1) as f64
    }
}

/// One line an example: `POSITION | MOVE | MOVE=VALUE …`.
impl fmt::Display for TrainingSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rules = Geister::default();
        for example in &self.examples {
            let position = rules.write_position(&example.world);
            write!(f, "{position} | {} |", example.choice)?;
            for (action, value) in &example.values {
                write!(f, " {action}={value}")?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

/// A text that is no list of examples, with the place where it goes wrong.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}, {fault}")]
pub struct TrainingSetError {
    /// The line, from 1.
    pub line: usize,
    /// The place in the line, and the reason.
    pub fault: NotationError,
}

impl FromStr for TrainingSet {
    type Err = TrainingSetError;

    fn from_str(text: &str) -> Result<TrainingSet, TrainingSetError> {
        let numbered = text.lines().enumerate();
        let examples = numbered.map(|(number, line)| {
            read_example(line).map_err(|fault| TrainingSetError { line: number + 1, fault })
        });
        examples.collect()
    }
}

fn read_example(line: &str) -> Result<TrainingPosition, NotationError> {
    let place = |part: &str| part.as_ptr() as usize - line.as_ptr() as usize;
    let fault = |part: &str, message: &str| NotationError::new(line, place(part), message);
    let mut parts = line.split('|').map(str::trim);
    let (Some(position), Some(choice), Some(list), None) =
        (parts.next(), parts.next(), parts.next(), parts.next())
    else {
        return Err(NotationError::new(
            line,
            line.len(),
            "expected POSITION | MOVE | MOVE=VALUE …",
        ));
    };
    let world = Geister::default().parse_position(position)?;
    let move_of = |text: &str| {
        let action = text.parse::<Action>().ok();
        let legal = action.filter(|a| world.is_legal(*a) && !matches!(a, Action::Place(_)));
        legal.ok_or_else(|| fault(text, "expected a legal move of this position"))
    };
    let chosen = move_of(choice)?;
    let mut values = Vec::new();
    for pair in list.split_whitespace() {
        let Some((action, value)) = pair.split_once('=') else {
            return Err(fault(pair, "expected MOVE=VALUE"));
        };
        let value = value.parse().map_err(|_| fault(value, "expected a whole number"))?;
        let action = move_of(action)?;
        if values.iter().any(|(known, _)| *known == action) {
            return Err(fault(pair, "this move has a value already"));
        }
        values.push((action, value));
    }
    let legal = Field::of(&world);
    let legal = if world.public().mover() == 0 {
        legal.moves::<0>(MoveKind::Random)
    } else {
        legal.moves::<1>(MoveKind::Random)
    };
    if values.len() != legal.count() as usize {
        return Err(NotationError::new(
            line,
            line.len(),
            format!("expected a value for each of {} moves", legal.count()),
        ));
    }
    Ok(TrainingPosition::new(world, chosen, values))
}
