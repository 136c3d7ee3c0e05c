//! A policy that learns by playing itself, as the one of the whole board did.
//!
//! The trainer of nets (`python -m oboro.learn`) steps the game of the engine, whose board is 6 × 6;
//! here a net of one hidden layer is taught by the same objective: proximal policy optimisation
//! with one pass over the games of the policy with itself, advantages traced by a critic that sees
//! the colours, an entropy bonus, and a pull towards a frozen copy of the policy that is renewed
//! now and then. It sees the position and not how it came about.

use super::board::{Board, Position, Step};
use super::net::{MOST_UNITS, Net, Weights};
use super::tree::{LANES, Next, Profile, Row, Tree, has, normalise};
use arrayvec::ArrayVec;
use oboro_core::{Rng, SpecError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How a policy learns.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Learning {
    /// Games played in all.
    pub games: u64,
    /// Games between two passes.
    pub batch: u32,
    /// The learning rate.
    pub rate: f32,
    /// The entropy bonus.
    pub entropy: f32,
    /// The share of learning rate and entropy bonus that is left at the end; they fall evenly.
    pub fall: f32,
    /// The weight of the pull towards the frozen copy; 0 lets it go.
    pub magnet: f32,
    /// Passes after which the copy is renewed.
    pub renew: u32,
    /// How much later plies count in an advantage.
    pub trace: f32,
    /// Units of the hidden layer, a multiple of 8.
    pub units: u16,
}

impl Default for Learning {
    fn default() -> Learning {
        Learning {
            games: 1_000_000,
            batch: 4096,
            rate: 0.001,
            entropy: 0.03,
            fall: 0.1,
            magnet: 0.3,
            renew: 60,
            trace: 0.95,
            units: 128,
        }
    }
}

impl Learning {
    const MOST_BATCH: u32 = 1_000_000;

    /// Whether anything can be learned so.
    ///
    /// # Errors
    /// What is wrong, in words.
    pub fn validate(&self) -> Result<(), SpecError> {
        let numbers = [
            ("rate", self.rate, 1.0),
            ("entropy", self.entropy, 100.0),
            ("fall", self.fall, 1.0),
            ("magnet", self.magnet, 100.0),
            ("trace", self.trace, 1.0),
        ];
        for (name, number, most) in numbers {
            if !(0.0..=most).contains(&number) {
                return Err(SpecError(format!("{name}={number}: 0 to {most}")));
            }
        }
        let counts =
            [("games", self.games), ("batch", self.batch.into()), ("renew", self.renew.into())];
        if let Some((name, _)) = counts.into_iter().find(|(_, count)| *count == 0) {
            return Err(SpecError(format!("{name}=0: at least 1")));
        }
        if self.batch > Learning::MOST_BATCH {
            let (found, most) = (self.batch, Learning::MOST_BATCH);
            return Err(SpecError(format!("batch={found}: up to {most} games fit into memory")));
        }
        let units = usize::from(self.units);
        if units == 0 || units > MOST_UNITS || !units.is_multiple_of(8) {
            return Err(SpecError(format!("units={units}: a multiple of 8, up to {MOST_UNITS}")));
        }
        Ok(())
    }
}

/// A policy that learns, and the critic that sees both colourings.
#[derive(Clone, Debug)]
pub struct Learner<'a> {
    tree: &'a Tree,
    how: Learning,
    rng: Rng,
    games: u64,
    passes: u64,
    policy: Policy,
    magnet: Policy,
    critic: Net,
    samples: Vec<Sample>,
    set_ups: Vec<SetUp>,
}

/// What is learned: the net, and for each seat how it sets up.
#[derive(Clone, Debug)]
struct Policy {
    net: Net,
    set_up: [Weights; 2],
}

/// One decision of a game.
#[derive(Clone, Copy, Debug)]
struct Sample {
    node: u32,
    step: u8,
    /// The mover's colouring, and the other's.
    own: u8,
    other: u8,
    /// How likely the step was.
    likely: f32,
    /// What the critic expected for the mover.
    expected: f32,
    advantage: f32,
}

/// The set-ups of a game, how likely each was, and what seat 0 has won.
#[derive(Clone, Copy, Debug)]
struct SetUp {
    pair: [usize; 2],
    likely: [f32; 2],
    won: f32,
}

/// ObservationBuffer for the steps of one decision.
type Steps = [f32; Tree::STEPS];

/// The inputs that are on: a piece each, four counts of captured pieces, and the plies left.
type Inputs = ArrayVec<u16, { 2 * Board::PIECES + 5 }>;

/// Decisions between two steps of the optimiser.
const MINIBATCH: usize = 2048;

/// How far a step may become likelier, or less, in one pass.
const CLIP: f32 = 0.2;

impl<'a> Learner<'a> {
    /// A learner that plays at random as yet.
    ///
    /// # Errors
    /// If nothing can be learned so.
    pub fn new(tree: &'a Tree, how: Learning, mut rng: Rng) -> Result<Learner<'a>, SpecError> {
        how.validate()?;
        let squares = usize::from(tree.board.width * tree.board.height);
        let inputs = 4 * squares + 4 * Board::PIECES + usize::from(tree.board.plies);
        let units = usize::from(how.units);
        let count = tree.colourings.len();
        let policy = Policy {
            net: Net::new(inputs, units, 4 * squares, &mut rng),
            set_up: [0, 1].map(|_| Weights::new(vec![0.0; count])),
        };
        let critic = Net::new(inputs, units, 1, &mut rng);
        let magnet = policy.clone();
        let (samples, set_ups) = (Vec::new(), Vec::new());
        Ok(Learner {
            tree,
            how,
            rng,
            games: 0,
            passes: 0,
            policy,
            magnet,
            critic,
            samples,
            set_ups,
        })
    }

    /// Plays and learns until so many games were played in all.
    pub fn learn(&mut self, games: u64) {
        while self.games < games {
            let batch = u64::from(self.how.batch).min(games - self.games);
            (0..batch).for_each(|_| self.play());
            self.games += batch;
            self.pass();
        }
    }

    /// The policy as it is now.
    pub fn policy(&self) -> Profile {
        let mut policy = Profile::by(self.tree, |node, colouring, weights| {
            let (_, _, likely) = self.policy.decide(self.tree, node, colouring);
            weights.copy_from_slice(&likely[..weights.len()]);
        });
        policy.set_up = [0, 1].map(|seat| self.policy.set_up(seat));
        policy
    }

    /// One game of the policy with itself.
    fn play(&mut self) {
        let set_ups = [0, 1].map(|seat| self.policy.set_up(seat));
        let pair = set_ups.map(|row| draw(&mut self.rng, &row));
        let begin = self.samples.len();
        let mut node = 0;
        let result = loop {
            let mover = usize::from(self.tree.nodes[node as usize].mover);
            let (own, other) = (pair[mover], pair[1 - mover]);
            let (_, _, likely) = self.policy.decide(self.tree, node, own);
            let step = draw(&mut self.rng, &likely);
            let hidden = self.critic.hidden(&inputs(self.tree, node, own, Some(other)));
            self.samples.push(Sample {
                node,
                step: step as u8,
                own: own as u8,
                other: other as u8,
                likely: likely[step],
                expected: self.critic.answer(&hidden, 0),
                advantage: 0.0,
            });
            let edge = &self.tree.edges[self.tree.steps_of(node)][step];
            let outcome = edge.outcomes.iter().find(|(mask, _)| has(*mask, other));
            match outcome.expect("a captured piece has a colour").1 {
                Next::Node(next) => node = next,
                Next::Won(winner) if usize::from(winner) == mover => break 1.0,
                Next::Won(_) => break -1.0,
                Next::Drawn => break 0.0,
            }
        };
        // Back from the end, always as the mover sees it: what one wins the other loses.
        let (mut ahead, mut traced) = (-result, 0.0);
        for sample in self.samples[begin..].iter_mut().rev() {
            traced = -ahead - sample.expected - self.how.trace * traced;
            ahead = sample.expected;
            sample.advantage = traced;
        }
        let likely = [0, 1].map(|seat| set_ups[seat][pair[seat]]);
        self.set_ups.push(SetUp { pair, likely, won: ahead + traced });
    }

    /// One pass over what was played.
    fn pass(&mut self) {
        let left = (self.games as f32 / self.how.games as f32).min(1.0);
        let left = 1.0 - (1.0 - self.how.fall) * left;
        let rate = self.how.rate * left;
        let hill = Hill { entropy: self.how.entropy * left, magnet: self.how.magnet };
        let samples = std::mem::take(&mut self.samples);
        let squares: f64 = samples.iter().map(|s| f64::from(s.advantage * s.advantage)).sum();
        let scale = 1.0 / libm::sqrt(squares / samples.len() as f64 + 1e-8) as f32;
        for part in samples.chunks(MINIBATCH) {
            for sample in part {
                let (own, other) = (sample.own.into(), sample.other.into());
                let (inputs_on, hidden, likely) = self.policy.decide(self.tree, sample.node, own);
                let (_, _, pull) = self.magnet.decide(self.tree, sample.node, own);
                let count = self.tree.steps_of(sample.node).len();
                let step = usize::from(sample.step);
                let gain = (step, sample.likely, scale * sample.advantage);
                let pushes = hill.pushes(&likely[..count], &pull[..count], gain);
                let outputs = outputs(self.tree, sample.node);
                let net = &mut self.policy.net;
                net.learn(&inputs_on, &hidden, outputs.into_iter().zip(pushes));
                let inputs_on = inputs(self.tree, sample.node, own, Some(other));
                let hidden = self.critic.hidden(&inputs_on);
                let target = sample.expected + sample.advantage;
                let wrong = target - self.critic.answer(&hidden, 0);
                self.critic.learn(&inputs_on, &hidden, std::iter::once((0, wrong)));
            }
            self.policy.net.weights.climb(rate, part.len());
            self.critic.weights.climb(rate, part.len());
        }
        self.samples = samples;
        self.samples.clear();
        self.learn_set_ups(&hill, rate);
        self.passes += 1;
        if self.passes.is_multiple_of(self.how.renew.into()) {
            self.magnet = self.policy.clone();
        }
    }

    fn learn_set_ups(&mut self, hill: &Hill, rate: f32) {
        let count = self.set_ups.len();
        let mean = self.set_ups.iter().map(|s| s.won).sum::<f32>() / count as f32;
        let squares: f32 = self.set_ups.iter().map(|s| (s.won - mean) * (s.won - mean)).sum();
        let scale = 1.0 / (squares / count as f32 + 1e-8).sqrt();
        let colourings = self.tree.colourings.len();
        for part in self.set_ups.chunks(MINIBATCH / 8) {
            for (seat, sign) in [(0, scale), (1, -scale)] {
                let (likely, pull) = (self.policy.set_up(seat), self.magnet.set_up(seat));
                let weights = &mut self.policy.set_up[seat];
                for game in part {
                    let gain = (game.pair[seat], game.likely[seat], sign * (game.won - mean));
                    let pushes = hill.pushes(&likely[..colourings], &pull[..colourings], gain);
                    let slopes = weights.gradient.iter_mut();
                    slopes.zip(pushes).for_each(|(slope, push)| *slope += push);
                }
                weights.climb(rate, part.len());
            }
        }
        self.set_ups.clear();
    }
}

impl Policy {
    /// How likely each step is at a node with a colouring of its mover, and how the net came to it.
    fn decide(&self, tree: &Tree, node: u32, own: usize) -> (Inputs, [f32; MOST_UNITS], Steps) {
        let inputs = inputs(tree, node, own, None);
        let hidden = self.net.hidden(&inputs);
        let mut likely = [0.0; Tree::STEPS];
        let outputs = outputs(tree, node);
        let edges = &tree.edges[tree.steps_of(node)];
        for (at, (edge, output)) in edges.iter().zip(&outputs).enumerate() {
            let able = has(edge.able, own);
            likely[at] = if able { self.net.answer(&hidden, *output) } else { f32::NEG_INFINITY };
        }
        soften(&mut likely[..edges.len()]);
        (inputs, hidden, likely)
    }

    /// How likely each colouring is set up by a seat.
    fn set_up(&self, seat: usize) -> Row {
        let weights = &self.set_up[seat].values;
        let mut row = [0.0; LANES];
        row[..weights.len()].copy_from_slice(weights);
        soften(&mut row[..weights.len()]);
        row
    }
}

/// What a net is shown of a node by the mover, who has this colouring: its own pieces by colour,
/// the other's, by colour if that is shown, the captures, and the plies left.
fn inputs(tree: &Tree, node: u32, own: usize, other: Option<usize>) -> Inputs {
    let position = &tree.positions[node as usize];
    let board = tree.board;
    let squares = u16::from(board.width * board.height);
    let mover = position.mover();
    let mut inputs = Inputs::new();
    let colour = |reds: u8, piece: u8| u16::from(reds >> piece & 1);
    for (piece, place) in position.pieces(mover) {
        let plane = colour(tree.colourings[own], piece);
        inputs.push(plane * squares + u16::from(place));
    }
    for (piece, place) in position.pieces(1 - mover) {
        let plane = 2 + other.map_or(0, |other| colour(tree.colourings[other], piece));
        inputs.push(plane * squares + u16::from(board.turned(place)));
    }
    let mut from = 4 * squares;
    for side in [mover, 1 - mover] {
        for lost in position.lost[side] {
            inputs.push(from + lost.count_ones() as u16);
            from += Board::PIECES as u16;
        }
    }
    inputs.push(from + u16::from(board.plies - 1 - position.ply));
    inputs
}

/// Which output stands for each step: four for each square, one a direction.
fn outputs(tree: &Tree, node: u32) -> ArrayVec<usize, { Tree::STEPS }> {
    let position: &Position = &tree.positions[node as usize];
    let place = |piece: u8| usize::from(position.places[position.mover()][usize::from(piece)]);
    let output = |step: &Step| match *step {
        Step::Escape { piece } => 4 * place(piece),
        Step::To { piece, direction, .. } => 4 * place(piece) + direction as usize,
    };
    position.steps(tree.board).iter().map(output).collect()
}

fn draw(rng: &mut Rng, likely: &[f32]) -> usize {
    let mut left = rng.unit() as f32;
    let mut last = 0;
    for (at, &share) in likely.iter().enumerate().filter(|(_, share)| **share > 0.0) {
        last = at;
        left -= share;
        if left < 0.0 {
            break;
        }
    }
    last
}

/// Logits become probabilities.
fn soften(weights: &mut [f32]) {
    let most = weights.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    for weight in &mut *weights {
        *weight = libm::expf(*weight - most);
    }
    normalise(weights);
}

/// Which way is up for the logits of a decision.
struct Hill {
    entropy: f32,
    magnet: f32,
}

impl Hill {
    /// The gradient of what was gained by a step, plus that of the entropy bonus, less that of the
    /// distance to the magnet. `gain` names the step, how likely it was, and its advantage.
    fn pushes(&self, likely: &[f32], pull: &[f32], gain: (usize, f32, f32)) -> Steps {
        let (step, before, advantage) = gain;
        let ratio = likely[step] / before;
        let clipped = if advantage > 0.0 { ratio > 1.0 + CLIP } else { ratio < 1.0 - CLIP };
        let gain = if clipped { 0.0 } else { ratio * advantage };
        let log = |share: f32| libm::logf(share.max(1e-30));
        let mut logs = [(0.0, 0.0); Tree::STEPS];
        let (mut entropy, mut distance) = (0.0, 0.0);
        for ((logs, &p), &q) in logs.iter_mut().zip(likely).zip(pull) {
            *logs = (log(p), log(q));
            entropy -= p * logs.0;
            distance += p * (logs.0 - logs.1);
        }
        let mut pushes = [0.0; Tree::STEPS];
        for (at, &p) in likely.iter().enumerate() {
            let (log_p, log_q) = logs[at];
            let chosen = f32::from(u8::from(at == step));
            pushes[at] = gain * (chosen - p)
                - self.entropy * p * (log_p + entropy)
                - self.magnet * p * (log_p - log_q - distance);
        }
        pushes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::small::worth;

    #[test]
    fn pushes_are_the_slopes_of_gain_entropy_and_distance() {
        let hill = Hill { entropy: 0.4, magnet: 0.7 };
        let (logits, pull) = ([0.3, -0.5, 0.1], [0.2, 0.5, 0.3]);
        let (step, before, advantage) = (1, 0.2, -1.5);
        let likely = |logits: [f32; 3]| {
            let mut likely = logits;
            soften(&mut likely);
            likely
        };
        let height = |logits: [f32; 3]| {
            let likely = likely(logits);
            let each = likely.iter().zip(pull);
            let rest: f32 = each
                .map(|(p, q)| {
                    -hill.entropy * p * libm::logf(*p) - hill.magnet * p * libm::logf(p / q)
                })
                .sum();
            likely[step] / before * advantage + rest
        };
        let pushes = hill.pushes(&likely(logits), &pull, (step, before, advantage));
        for (at, push) in pushes[..3].iter().enumerate() {
            let moved = |by: f32| {
                let mut logits = logits;
                logits[at] += by;
                height(logits)
            };
            let slope = (moved(0.01) - moved(-0.01)) / 0.02;
            assert!((push - slope).abs() < 1e-3, "{at}: {push} is not {slope}");
        }
        // What has become likely enough in this pass is pushed no further.
        let free = Hill { entropy: 0.0, magnet: 0.0 };
        assert_eq!(free.pushes(&[0.7, 0.3], &[0.5, 0.5], (0, 0.5, 1.0))[..2], [0.0, 0.0]);
        assert!(free.pushes(&[0.7, 0.3], &[0.5, 0.5], (0, 0.5, -1.0))[0] < 0.0);
    }

    #[test]
    fn learning_beats_random_play_and_the_magnet_holds_it_back() {
        let tree = Tree::new(Board::smallest()).unwrap();
        let uniform = Profile::uniform(&tree);
        let after = |magnet| {
            let how = Learning {
                games: 6000,
                batch: 50,
                rate: 0.02,
                renew: 1000,
                units: 16,
                magnet,
                ..Learning::default()
            };
            let mut learner = Learner::new(&tree, how, Rng::from_u64(3)).unwrap();
            learner.learn(how.games);
            learner.policy()
        };
        let score = |policy: &Profile| {
            f64::midpoint(worth(&tree, policy, &uniform), 1.0 - worth(&tree, &uniform, policy))
        };
        let (free, held) = (score(&after(0.0)), score(&after(30.0)));
        assert!(free > 0.55, "{free}");
        assert!((held - 0.5).abs() < 0.5 * (free - 0.5), "{held} and {free}");
    }
}
