//! Which enemy pieces are red, judged by how they are moved.
//!
//! The enemy is taken to have one of a few habits. A habit says how much each kind of step appeals
//! to a blue and to a red; the enemy picks a step with probability in proportion to the exponential of
//! its appeal. So every step seen re-weighs all pairs of a habit and a colouring by Bayes' rule: a
//! player who keeps blues out of danger gives reds away by exposing them, and one who runs for the
//! exit with whatever is blue is soon known for that instead.

use crate::action::Event;
use crate::board::Board;
use crate::piece::Piece;
use crate::square::{Direction, Square};
use crate::view::View;
use oboro_core::Seat;

/// What can be said of a step, in the order of the weights of a habit.
const FEATURES: usize = 8;

/// How much the features of a step appeal to an owner of blues and of reds.
struct Habit {
    /// How likely an enemy has it, before anything is seen.
    prior: f64,
    blue: [f64; FEATURES],
    red: [f64; FEATURES],
    /// The appeal of any step with a red.
    any_red: f64,
}

/// The habits, fitted by maximum likelihood to games of the other agents: captures, into danger, out
/// of danger, nearer to an exit, farther from it, onto an exit, nearer within two steps of an exit,
/// off the board.
const HABITS: [Habit; 3] = [
    // Blues shun danger, reds do not: the searchers of the worst case, and the rule-based players.
    Habit {
        prior: 0.4,
        blue: [-1.2, -5.9, 4.7, 1.0, -1.1, 1.5, 1.0, 7.4],
        red: [-0.8, 0.3, 1.2, 1.4, -0.4, 0.1, 0.4, 0.0],
        any_red: -1.2,
    },
    // Blues run for the exit whatever is in the way: evolved policies.
    Habit {
        prior: 0.3,
        blue: [-0.1, 0.2, 0.5, 1.0, 0.2, -2.8, 2.7, 4.6],
        red: [-0.1, 0.2, -0.8, 0.3, 0.2, 1.3, 2.2, 0.0],
        any_red: 0.2,
    },
    // Hardly any habit at all: shallow Monte Carlo.
    Habit {
        prior: 0.3,
        blue: [0.1, -0.2, 0.2, 0.0, 0.1, 1.5, 0.4, 3.1],
        red: [-0.2, 0.3, -0.2, 0.0, -0.2, -0.2, -0.2, 0.0],
        any_red: 0.1,
    },
];

/// How often a step is taken out of habit; otherwise any step is as likely as another.
const HABITUAL: f64 = 0.95;

/// What a piece that stayed on an exit weighs against being blue, if its staying was not observed.
const LINGERED: f64 = 5.0;

/// The ways to choose four reds of eight pieces.
const COLOURINGS: usize = 70;

/// What an observer believes of the enemy's colours.
#[derive(Clone, Debug)]
pub(crate) struct Belief {
    /// The logarithm of the weight of each habit with each colouring.
    weights: [[f64; COLOURINGS]; HABITS.len()],
    /// The board as the observed events have left it, once there is one.
    board: Option<Board>,
}

fn colourings() -> impl Iterator<Item = u8> {
    (0..=u8::MAX).filter(|reds| reds.count_ones() == 4)
}

impl Belief {
    pub(crate) fn new() -> Belief {
        let weights = HABITS.map(|habit| [libm::log(habit.prior); COLOURINGS]);
        Belief { weights, board: None }
    }

    /// Takes in what `observer` saw.
    pub(crate) fn observe(&mut self, event: Event, observer: Seat) {
        let Some(before) = self.board else {
            return;
        };
        let Event::Moved { seat, piece, direction, .. } = event else {
            return;
        };
        if seat != observer {
            self.judge(&before, seat, piece, direction);
        }
        let mut after = before;
        after.step(piece, direction);
        self.board = Some(after);
    }

    /// Re-weighs everything by how likely a step was.
    fn judge(&mut self, board: &Board, enemy: Seat, moved: Piece, direction: Direction) {
        for (habit, weights) in HABITS.iter().zip(&mut self.weights) {
            let choice = Choice::new(habit, board, enemy, moved, direction);
            for (reds, weight) in colourings().zip(weights) {
                *weight += libm::log(choice.likelihood(reds));
            }
        }
    }

    /// Makes sure that what was observed led to this view; forgets everything otherwise, as when an
    /// agent is asked about a position out of the blue.
    pub(crate) fn join(&mut self, view: &View) {
        if self.board.is_none_or(|board| board.places != view.board().places) {
            *self = Belief::new();
        }
        self.board = Some(*view.board());
    }

    /// The colourings of the hidden pieces with their probabilities.
    pub(crate) fn colourings(&self, view: &View) -> Vec<(u8, f64)> {
        let joint = self.joint(view);
        let hidden = view.hidden();
        view.colourings()
            .map(|reds| {
                let of_it = joint.iter().filter(|(full, _)| full & hidden == reds);
                (reds, of_it.map(|(_, weights)| weights.iter().sum::<f64>()).sum())
            })
            .collect()
    }

    /// The probability of each habit.
    pub(crate) fn habits(&self, view: &View) -> [f64; HABITS.len()] {
        let joint = self.joint(view);
        std::array::from_fn(|habit| joint.iter().map(|(_, weights)| weights[habit]).sum())
    }

    /// The probability of each colouring that agrees with what was shown, by habit.
    fn joint(&self, view: &View) -> Vec<(u8, [f64; HABITS.len()])> {
        let lingered = view.board().lingered(view.enemy());
        let possible = |reds: u8| {
            reds & view.shown_reds == view.shown_reds && reds & view.shown_blues == 0
        };
        let logs = |index: usize, reds: u8| {
            let doubt = LINGERED * f64::from((lingered & !reds).count_ones());
            std::array::from_fn::<f64, { HABITS.len() }, _>(|h| self.weights[h][index] - doubt)
        };
        let mut joint: Vec<(u8, [f64; HABITS.len()])> = colourings()
            .enumerate()
            .filter(|&(_, reds)| possible(reds))
            .map(|(index, reds)| (reds, logs(index, reds)))
            .collect();
        let largest = joint.iter().flat_map(|(_, logs)| logs).copied().fold(f64::MIN, f64::max);
        let weights = |joint: &mut Vec<(u8, [f64; HABITS.len()])>, f: &dyn Fn(f64) -> f64| {
            joint.iter_mut().flat_map(|(_, weights)| weights).for_each(|w| *w = f(*w));
        };
        weights(&mut joint, &|log| libm::exp(log - largest));
        let total: f64 = joint.iter().flat_map(|(_, weights)| weights).sum();
        weights(&mut joint, &|weight| weight / total);
        joint
    }

    /// The probability of each hidden piece to be red; 0 for pieces that are not hidden.
    pub(crate) fn reds(&self, view: &View) -> [f64; Piece::COUNT] {
        let mut share = [0.0; Piece::COUNT];
        for (reds, weight) in self.colourings(view) {
            for piece in Piece::of_set(reds) {
                share[piece.index()] += weight;
            }
        }
        share
    }
}

/// A step that was chosen among others, as one habit sees it.
struct Choice {
    /// The sum over the steps of each piece of their weights, if the piece is blue and if it is red.
    sums: [[f64; 2]; Piece::COUNT],
    /// How many steps each piece has; a blue may have one more, off the board.
    counts: [[f64; 2]; Piece::COUNT],
    moved: Piece,
    /// The weights of the step chosen.
    chosen: [f64; 2],
}

impl Choice {
    fn new(habit: &Habit, board: &Board, enemy: Seat, moved: Piece, direction: Direction) -> Choice {
        let mut choice = Choice {
            sums: [[0.0; 2]; Piece::COUNT],
            counts: [[0.0; 2]; Piece::COUNT],
            moved,
            chosen: [0.0; 2],
        };
        for piece in Piece::of_set(board.alive(enemy)) {
            let from = board.square(enemy, piece).expect("on the board");
            let (sums, counts) = (&mut choice.sums[piece.index()], &mut choice.counts[piece.index()]);
            for way in Direction::ALL {
                let Some(to) = board.target(enemy, piece, way) else { continue };
                let features = features(board, enemy, from, to);
                let weights = [
                    libm::exp(appeal(&habit.blue, &features)),
                    libm::exp(appeal(&habit.red, &features) + habit.any_red),
                ];
                for colour in 0..2 {
                    sums[colour] += weights[colour];
                    counts[colour] += 1.0;
                }
                if piece == moved && way == direction {
                    choice.chosen = weights;
                }
            }
            if from.distance_to_exit(enemy) == 0 {
                sums[0] += libm::exp(habit.blue[FEATURES - 1]);
                counts[0] += 1.0;
            }
        }
        choice
    }

    /// How likely the step was if these pieces are red.
    fn likelihood(&self, reds: u8) -> f64 {
        let colour = |piece: usize| usize::from(reds >> piece & 1);
        let over = |values: &[[f64; 2]; Piece::COUNT]| -> f64 {
            values.iter().enumerate().map(|(piece, value)| value[colour(piece)]).sum()
        };
        let habitual = self.chosen[colour(self.moved.index())] / over(&self.sums);
        HABITUAL * habitual + (1.0 - HABITUAL) / over(&self.counts)
    }
}

/// What can be said of a step.
fn features(board: &Board, enemy: Seat, from: Square, to: Square) -> [bool; FEATURES] {
    let observer = enemy.next(2);
    let (far, near) = (from.distance_to_exit(enemy), to.distance_to_exit(enemy));
    let captures = board.occupied(observer) & to.bit() != 0;
    [
        captures,
        board.is_attacked(to, observer),
        board.is_attacked(from, observer),
        near < far,
        near > far,
        near == 0,
        near < far && near <= 2,
        false,
    ]
}

fn appeal(weights: &[f64; FEATURES], features: &[bool; FEATURES]) -> f64 {
    weights.iter().zip(features).map(|(weight, &is_so)| if is_so { *weight } else { 0.0 }).sum()
}
