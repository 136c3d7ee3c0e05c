//! Which enemy pieces are red, judged by how they are moved.
//!
//! The enemy is taken to have one of a few habits. A habit says how much each kind of step appeals
//! to a blue and to a red; the enemy picks a step with probability in proportion to the exponential of
//! its appeal. So every step seen re-weighs all pairs of a habit and a colouring by Bayes' rule: a
//! player who keeps blues out of danger gives reds away by exposing them, and one who runs for the
//! exit with whatever is blue is soon known for that instead.

use crate::action::Event;
use crate::piece::{Piece, Placement};
use crate::public::Public;
use crate::square::{Direction, Square};
use crate::view::View;
use oboro_core::Seat;

/// What can be said of a step: it captures, leads into danger, out of danger, nearer to an exit,
/// farther from it, onto an exit, nearer to an exit at most two steps away.
const FEATURES: usize = 7;

/// How much each feature of a step appeals, by the colour of the piece.
struct Habit {
    name: &'static str,
    /// How likely an enemy has it, before anything is seen.
    prior: f64,
    blue: [f64; FEATURES],
    red: [f64; FEATURES],
    /// The appeal of any step with a red.
    any_red: f64,
    /// The appeal of leaving the board with a blue.
    leaving: f64,
}

/// The habits, each fitted to games of other agents: the weights are those of greatest likelihood
/// (multinomial logit, ridge 1) over the steps of 80 to 90 games of each against `oboro` and `naotti`,
/// rounded; those of players who do not see colours are the mean of both.
static HABITS: [Habit; 6] = [
    // Blues shun danger, reds do not: `naotti`, `ssm`, `oboro` itself.
    Habit {
        name: "careful",
        prior: 0.3,
        blue: [-1.2, -5.9, 4.7, 1.0, -1.1, 1.5, 1.0],
        red: [-0.8, 0.3, 1.2, 1.4, -0.4, 0.1, 0.4],
        any_red: -1.2,
        leaving: 7.4,
    },
    // Blues run for the exit whatever is in the way, reds hardly move: `gp:algorithm-1`.
    Habit {
        name: "blues run",
        prior: 0.15,
        blue: [0.0, 0.0, 0.0, 1.1, 0.1, -4.1, 3.3],
        red: [-0.1, 0.2, -0.3, -0.3, 0.1, 0.0, 0.5],
        any_red: 0.1,
        leaving: 5.0,
    },
    // Everything runs for the exit, blue or red: policies that do not see colours.
    Habit {
        name: "all run",
        prior: 0.15,
        blue: [0.8, 0.8, 0.2, 1.9, 0.4, 0.3, 3.9],
        red: [0.8, 0.8, 0.2, 1.9, 0.4, 0.3, 3.9],
        any_red: 0.0,
        leaving: 2.9,
    },
    // Everything captures and runs, reds first: policies evolved from a teacher who sees the colours.
    Habit {
        name: "reds run",
        prior: 0.1,
        blue: [2.9, 0.7, 1.3, 0.7, -0.3, 1.8, 3.9],
        red: [2.2, 0.7, -0.6, 2.4, -0.2, -1.2, 2.1],
        any_red: 1.1,
        leaving: 1.7,
    },
    // Blues are a little shyer than reds: shallow Monte Carlo.
    Habit {
        name: "shy blues",
        prior: 0.15,
        blue: [0.1, -0.2, 0.2, 0.0, 0.1, 1.5, 0.4],
        red: [-0.2, 0.3, -0.2, 0.0, -0.2, -0.2, -0.2],
        any_red: 0.1,
        leaving: 3.1,
    },
    // None but to leave from an exit, so that a long game does not add up to a reading of noise.
    Habit {
        name: "none",
        prior: 0.15,
        blue: [0.0; FEATURES],
        red: [0.0; FEATURES],
        any_red: 0.0,
        leaving: 3.0,
    },
];

/// How often a step is taken out of habit; otherwise any step is as likely as another.
const HABITUAL: f64 = 0.95;

/// What a piece that stayed on an exit before it was watched weighs against being blue. One that is
/// seen to stay is judged by that step, as by any other.
const LINGERED: f64 = 5.0;

/// What an observer believes of the enemy's colours.
#[derive(Clone, Debug)]
pub(crate) struct Belief {
    /// The logarithm of the weight of each habit with each colouring.
    weights: [[f64; Placement::COUNT]; HABITS.len()],
    /// The board as the observed events have left it, once there is one.
    public: Option<Public>,
    /// The enemy pieces that had stayed on an exit when watching began.
    had_lingered: u8,
}

/// All sets of four reds.
fn colourings() -> impl Iterator<Item = u8> {
    Placement::all().map(Placement::reds)
}

impl Belief {
    pub(crate) fn new() -> Belief {
        let weights = std::array::from_fn(|h| [libm::log(HABITS[h].prior); Placement::COUNT]);
        Belief { weights, public: None, had_lingered: 0 }
    }

    /// Takes in what `observer` saw.
    pub(crate) fn observe(&mut self, event: Event, observer: Seat) {
        let Some(before) = self.public else {
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
        self.public = Some(after);
    }

    /// Re-weighs everything by how likely a step was.
    fn judge(&mut self, board: &Public, enemy: Seat, moved: Piece, direction: Direction) {
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
        if self.public.is_none_or(|board| board.places != view.public().places) {
            *self = Belief::new();
            self.had_lingered = view.public().lingered(view.enemy());
        }
        self.public = Some(*view.public());
    }

    /// The probability of each hidden piece to be red; 0 for pieces that are not hidden.
    pub(crate) fn reds(&self, view: &View) -> [f64; Piece::COUNT] {
        let mut share = [0.0; Piece::COUNT];
        for (reds, _, probability) in self.joint(view) {
            for piece in Piece::of_set(reds & view.hidden()) {
                share[piece.index()] += probability;
            }
        }
        share
    }

    /// The habits by name, with their probabilities.
    pub(crate) fn habits(&self, view: &View) -> [(&'static str, f64); HABITS.len()] {
        let mut share = HABITS.each_ref().map(|habit| (habit.name, 0.0));
        for (_, habit, probability) in self.joint(view) {
            share[habit].1 += probability;
        }
        share
    }

    /// The probability of every colouring that agrees with what was shown, with every habit.
    fn joint(&self, view: &View) -> Vec<(u8, usize, f64)> {
        let is_possible =
            |reds: u8| reds & view.shown_reds == view.shown_reds && reds & view.shown_blues == 0;
        let mut joint = Vec::new();
        for (habit, weights) in self.weights.iter().enumerate() {
            for (reds, weight) in colourings().zip(weights).filter(|&(reds, _)| is_possible(reds)) {
                let doubt = LINGERED * f64::from((self.had_lingered & !reds).count_ones());
                joint.push((reds, habit, weight - doubt));
            }
        }
        let largest = joint.iter().map(|&(.., log)| log).fold(f64::MIN, f64::max);
        let mut total = 0.0;
        for (.., weight) in &mut joint {
            *weight = libm::exp(*weight - largest);
            total += *weight;
        }
        for (.., weight) in &mut joint {
            *weight /= total;
        }
        joint
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
    fn new(
        habit: &Habit,
        board: &Public,
        enemy: Seat,
        moved: Piece,
        direction: Direction,
    ) -> Choice {
        let mut choice = Choice {
            sums: [[0.0; 2]; Piece::COUNT],
            counts: [[0.0; 2]; Piece::COUNT],
            moved,
            chosen: [0.0; 2],
        };
        for piece in Piece::of_set(board.alive(enemy)) {
            let from = board.square(enemy, piece).expect("on the board");
            let (sums, counts) =
                (&mut choice.sums[piece.index()], &mut choice.counts[piece.index()]);
            for way in Direction::ALL {
                let Some(to) = board.target(enemy, piece, way) else { continue };
                let features = features(board, enemy, from, to);
                let weights = [
                    libm::exp(appeal(&habit.blue, features)),
                    libm::exp(appeal(&habit.red, features) + habit.any_red),
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
                sums[0] += libm::exp(habit.leaving);
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
fn features(board: &Public, enemy: Seat, from: Square, to: Square) -> [bool; FEATURES] {
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
    ]
}

fn appeal(weights: &[f64; FEATURES], features: [bool; FEATURES]) -> f64 {
    weights.iter().zip(features).map(|(weight, is_so)| if is_so { *weight } else { 0.0 }).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Geister;
    use crate::agents::agents;
    use oboro_core::{Game as _, GameWorld as _, Live, Seed, Spec};

    /// What a spectator in the first seat believes after games of a random player with an agent.
    fn believed_after_games_of(agent: &str) -> [f64; HABITS.len()] {
        let rules = Geister::default();
        let build = |text: &str| {
            let spec: Spec = text.parse().unwrap();
            let entry = agents().into_iter().find(|entry| entry.name == spec.name).unwrap();
            entry.build(&rules, &spec).unwrap().1
        };
        let mut mean = [0.0; HABITS.len()];
        let games = 4;
        for game in 0..games {
            let seeds = "7".parse::<Seed>().unwrap().game(game, game);
            let world = rules.deal(&mut seeds.deal());
            let mut belief = Belief::new();
            let mut last = None;
            let players = [build("random"), build(agent)];
            let mut live = Live::among(&rules, world, &players, &seeds);
            while live.to_act().is_some() {
                let before = *live.world();
                let (_, action) = live.step().unwrap();
                if before.public().has_placed(Seat::new(1)) {
                    let view = before.view(Seat::FIRST);
                    if belief.public.is_none() {
                        belief.join(&view);
                    }
                    belief.observe(before.event(action, Seat::FIRST), Seat::FIRST);
                    last = Some(view);
                }
            }
            let habits = belief.habits(&last.unwrap());
            for (mean, (_, habit)) in mean.iter_mut().zip(habits) {
                *mean += habit / games as f64;
            }
        }
        mean
    }

    #[test]
    fn a_habit_is_soon_recognised() {
        let careful = believed_after_games_of("naotti:depth=2");
        let running = believed_after_games_of("gp:algorithm-1");
        let random = believed_after_games_of("random");
        assert!(careful[0] > 0.9, "{careful:?}");
        assert!(running[1] > 0.9, "{running:?}");
        assert!(random[4] + random[5] > 0.9, "{random:?}");
    }

    #[test]
    fn the_same_step_tells_opposite_things_of_opposite_habits() {
        // Seat 1 to move; its A may step into the reach of seat 0's pieces.
        let rules = Geister::default();
        let text = "21 14B24B33R44R15B25B35R45R 42B31B21B11B40R30R20R10R";
        let world = rules.parse_position(text).unwrap();
        let redness = |habit: usize| {
            let board = world.public();
            let choice =
                Choice::new(&HABITS[habit], board, Seat::new(1), Piece::new(0), Direction::North);
            let mean = |is_red: bool| -> f64 {
                colourings()
                    .filter(|reds| (reds & 1 == 1) == is_red)
                    .map(|reds| choice.likelihood(reds))
                    .sum()
            };
            mean(true) / mean(false)
        };
        assert!(redness(0) > 3.0, "{}", redness(0));
        assert!(redness(1) < 0.5, "{}", redness(1));
        assert!((redness(5) - 1.0).abs() < 1e-9, "{}", redness(5));
    }

    #[test]
    fn colours_that_were_shown_leave_the_others() {
        let rules = Geister::default();
        let text = "20 14B24B34R44R15B25B35R45R 99R31R99R11B40R30B20B10B";
        let world = rules.parse_position(text).unwrap();
        let view = world.view(Seat::FIRST);
        let mut belief = Belief::new();
        belief.join(&view);
        let red = belief.reds(&view);
        // Two reds are left among six pieces, and nothing else is known.
        for piece in Piece::of_set(view.hidden()) {
            assert!((red[piece.index()] - 1.0 / 3.0).abs() < 1e-9, "{red:?}");
        }
        assert!(red[0] == 0.0 && red[2] == 0.0);
    }

    /// Seat 1's A stands on its exit; it stays, as D moves.
    const ON_THE_EXIT: &str = "21 14B24B33R44R15B25B35R45R 05R31B21B11B40R30R20R10B";

    #[test]
    fn a_stay_that_was_seen_is_judged_once() {
        let rules = Geister::default();
        let mut world = rules.parse_position(ON_THE_EXIT).unwrap();
        let mut watching = Belief::new();
        watching.join(&world.view(Seat::FIRST));
        let before = *world.public();
        let action = "DN".parse().unwrap();
        watching.observe(world.event(action, Seat::FIRST), Seat::FIRST);
        world.play(action).unwrap();
        let view = world.view(Seat::FIRST);
        assert_eq!(view.public().lingered(view.enemy()), 1);
        watching.join(&view);
        // By Bayes' rule and nothing else: every colouring as likely as the step was.
        let (mut red, mut all) = (0.0, 0.0);
        for habit in &HABITS {
            let choice = Choice::new(habit, &before, Seat::new(1), Piece::new(3), Direction::North);
            for reds in colourings() {
                let weight = habit.prior * choice.likelihood(reds);
                all += weight;
                red += if reds & 1 == 1 { weight } else { 0.0 };
            }
        }
        let believed = watching.reds(&view)[0];
        assert!((believed - red / all).abs() < 1e-9, "{believed}, not {}", red / all);
        assert!(believed > 0.6, "staying tells of a red: {believed}");
    }

    #[test]
    fn a_stay_before_anything_was_seen_weighs_too() {
        let lingered = ON_THE_EXIT.replace("05R", "05R*").replace("21 ", "22 ");
        let world = Geister::default().parse_position(&lingered).unwrap();
        let view = world.view(Seat::FIRST);
        let mut belief = Belief::new();
        belief.join(&view);
        assert!(belief.reds(&view)[0] > 0.99);
    }
}
