//! Trained nets as evaluators, for any game.

mod reading;

pub use self::reading::GameNetError;

use self::reading::{Kind, Reading};
use crate::{Evaluator, Prediction};
use oboro_core::{EncodingLayout, GameEncoding, ObservationBuffer, SeatView, Shape};
use oboro_nets::{Answers, BoardNet, FlatNet, FlatScratch, Scratch, SetNet, SetScratch, Tensors};
use std::fmt;
use std::sync::{Arc, OnceLock};

/// A net that the trainer wrote (`python -m oboro.learn train`), as an evaluator of a game.
///
/// Its file says which channels of an observation it reads. Nets of all kinds are evaluated: over a board, of dense layers,
/// and over the series of a pack of cards. The value is scaled to the payoffs that the file names; in a file of a former
/// trainer, which names none, it lies between 0 and the largest payoff in its configuration, by default 1.
///
/// Copies share the weights and have memory for evaluations of their own.
pub struct GameNet<G: GameEncoding> {
    game: G,
    loaded: Arc<Loaded>,
    buffers: Buffers,
    /// What it said last.
    prediction: Prediction<G::Action>,
}

/// What all copies of a net share.
#[derive(Debug)]
struct Loaded {
    layout: EncodingLayout,
    reading: Reading,
    weights: Weights,
}

#[derive(Debug)]
enum Weights {
    Board(BoardNet),
    Flat(FlatNet),
    Series(SetNet),
}

/// Memory for evaluations.
#[derive(Default)]
struct Buffers {
    observation: Vec<u8>,
    planes: Vec<u8>,
    features: Vec<u8>,
    /// The same as numbers from 0 to 1.
    inputs: Vec<f32>,
    scaled: Vec<f32>,
    board: Scratch,
    flat: FlatScratch,
    series: SetScratch,
    answers: Answers,
}

impl<G: GameEncoding> Clone for GameNet<G> {
    fn clone(&self) -> GameNet<G> {
        GameNet::of(&self.game, Arc::clone(&self.loaded))
    }
}

impl<G: GameEncoding> fmt::Debug for GameNet<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GameNet").field("reading", &self.loaded.reading).finish_non_exhaustive()
    }
}

impl<G: GameEncoding> GameNet<G> {
    /// Reads a net from the bytes of its file.
    ///
    /// # Errors
    /// If they are no net of the game, or one of other inputs and outputs than its rules have.
    pub fn read(game: &G, bytes: &[u8]) -> Result<GameNet<G>, GameNetError> {
        Ok(GameNet::of(game, Arc::new(Loaded::read(game, bytes)?)))
    }

    fn of(game: &G, loaded: Arc<Loaded>) -> GameNet<G> {
        let game = game.clone();
        GameNet { game, loaded, buffers: Buffers::default(), prediction: Prediction::default() }
    }

    /// The instructions that this processor has for it; nothing where it does as any other.
    pub fn fast_path(&self) -> Option<&'static str> {
        match &self.loaded.weights {
            Weights::Board(net) => net.fast_path(),
            Weights::Flat(_) | Weights::Series(_) => None,
        }
    }
}

impl Loaded {
    fn read<G: GameEncoding>(game: &G, bytes: &[u8]) -> Result<Loaded, GameNetError> {
        let layout = game.layout();
        let tensors = Tensors::read(bytes)?;
        let reading = Reading::of::<G>(&layout, &tensors)?;
        let weights = Weights::read(&tensors, &reading, &layout.observation)?;
        Ok(Loaded { layout, reading, weights })
    }
}

/// A net that is part of the program. Its weights are read when it is first used, and shared from then on.
#[derive(Debug)]
pub struct ShippedNet {
    bytes: &'static [u8],
    loaded: OnceLock<Arc<Loaded>>,
}

impl ShippedNet {
    /// A net from the bytes of its file.
    pub const fn new(bytes: &'static [u8]) -> ShippedNet {
        ShippedNet { bytes, loaded: OnceLock::new() }
    }

    /// The net for a game with certain rules.
    ///
    /// # Errors
    /// If the bytes are no net of the game, or one of other inputs and outputs than its rules have.
    pub fn get<G: GameEncoding>(&self, game: &G) -> Result<GameNet<G>, GameNetError> {
        match self.loaded.get() {
            Some(loaded) if loaded.layout == game.layout() => {
                Ok(GameNet::of(game, Arc::clone(loaded)))
            }
            _ => {
                let net = GameNet::read(game, self.bytes)?;
                let _ = self.loaded.set(Arc::clone(&net.loaded));
                Ok(net)
            }
        }
    }
}

impl<G: GameEncoding> Evaluator<G> for GameNet<G> {
    fn evaluate(&mut self, view: &G::View, memory: &G::Memory) -> &mut Prediction<G::Action> {
        let Loaded { layout, reading, weights } = &*self.loaded;
        let (game, shape, buffers) = (&self.game, &layout.observation, &mut self.buffers);
        buffers.observation.clear();
        buffers.observation.resize(shape.len(), 0);
        game.encode(view, memory, ObservationBuffer::split(shape, &mut buffers.observation));
        weights.evaluate(reading, shape, buffers);

        let Answers { cells, board } = &buffers.answers;
        let [of_cell, _] = reading.outputs;
        let of_cells = reading.cell_actions * shape.cells();
        let logit = |number: usize| match number.checked_sub(of_cells) {
            Some(number) => finite(board[number]),
            None => finite(
                cells[number / reading.cell_actions * of_cell + number % reading.cell_actions],
            ),
        };
        let Prediction { policy, value: worth, belief_logits } = &mut self.prediction;
        policy.clear();
        view.for_each_legal(|action| policy.push((action, logit(game.action_index(view, action)))));
        softmax(policy);
        let [low, high] = reading.payoffs;
        let value = libm::tanh(finite(*board.last().expect("the value is the last answer")));
        *worth = Some(low + (high - low) * (value + 1.0) / 2.0);
        belief_logits.clear();
        if reading.has_beliefs {
            let of_cells = cells.chunks_exact(of_cell.max(1));
            belief_logits.extend(of_cells.map(|of_cell| finite(of_cell[of_cell.len() - 1])));
        }
        &mut self.prediction
    }
}

/// A logit that can be computed with. Weights that the trainer wrote give no other.
fn finite(logit: f32) -> f64 {
    if logit.is_nan() { 0.0 } else { f64::from(logit.clamp(f32::MIN, f32::MAX)) }
}

/// Turns logits into probabilities.
fn softmax<A>(policy: &mut [(A, f64)]) {
    let most = policy.iter().map(|(_, logit)| *logit).fold(f64::NEG_INFINITY, f64::max);
    let mut total = 0.0;
    for (_, share) in &mut *policy {
        *share = libm::exp(*share - most);
        total += *share;
    }
    for (_, share) in policy {
        *share /= total;
    }
}

impl Weights {
    fn read(tensors: &Tensors, reading: &Reading, shape: &Shape) -> Result<Weights, GameNetError> {
        let planes: Vec<u8> = reading.planes.iter().map(|&i| shape.planes[i].max).collect();
        let features: Vec<u8> = reading.features.iter().map(|&i| shape.features[i].max).collect();
        let [of_cell, of_board] = reading.outputs;
        let (weights, found, wanted) = match reading.kind {
            Kind::Board => {
                let size = [shape.rows, shape.columns];
                let net = BoardNet::read(tensors, size, &planes, &features)?;
                let found = net.outputs();
                (Weights::Board(net), found, reading.outputs)
            }
            Kind::Flat => {
                let inputs = planes.len() * shape.cells() + reading.values.len();
                let net = FlatNet::read(tensors, inputs)?;
                let found = [0, net.outputs()];
                (Weights::Flat(net), found, reading.outputs)
            }
            Kind::Series => {
                let net = SetNet::read(tensors, CARDS * planes.len(), features.len())?;
                let found = net.outputs();
                (Weights::Series(net), found, [CARDS * of_cell, of_board])
            }
        };
        if found == wanted { Ok(weights) } else { Err(GameNetError::Outputs { found, wanted }) }
    }

    /// Evaluates an observation; the answers are written for each cell of the board and for the board.
    fn evaluate(&self, reading: &Reading, shape: &Shape, buffers: &mut Buffers) {
        let (planes, features) = buffers.observation.split_at(shape.plane_bytes());
        let answers = &mut buffers.answers;
        match self {
            Weights::Board(net) => {
                let plane = |&i: &usize| &planes[i * shape.cells()..][..shape.cells()];
                buffers.planes.clear();
                reading.planes.iter().for_each(|i| buffers.planes.extend(plane(i)));
                buffers.features.clear();
                buffers.features.extend(reading.features.iter().map(|&i| features[i]));
                answers.clone_from(net.evaluate(
                    &buffers.planes,
                    &buffers.features,
                    &mut buffers.board,
                ));
            }
            Weights::Flat(net) => {
                buffers.inputs.clear();
                for cell in 0..shape.cells() {
                    buffers.inputs.extend(scaled_cell(reading, shape, planes, cell));
                }
                let has = |&(feature, value): &(usize, u8)| f32::from(features[feature] == value);
                buffers.inputs.extend(reading.values.iter().map(has));
                answers.board.clear();
                answers.board.extend(net.evaluate(&buffers.inputs, &mut buffers.flat));
            }
            Weights::Series(net) => {
                buffers.inputs.clear();
                for place in (0..SERIES * CARDS).map(place) {
                    buffers.inputs.extend(scaled_cell(reading, shape, planes, place));
                }
                let feature = |&i: &usize| scaled(features[i], shape.features[i].max);
                buffers.scaled.clear();
                buffers.scaled.extend(reading.features.iter().map(feature));
                let rows = net.evaluate(&buffers.inputs, &buffers.scaled, &mut buffers.series);
                answers.board.clone_from(&rows.board);
                let [of_cell, _] = reading.outputs;
                answers.cells.clear();
                answers.cells.resize(shape.cells() * of_cell, 0.0);
                for (card, from) in rows.cells.chunks_exact(of_cell.max(1)).enumerate() {
                    answers.cells[place(card) * of_cell..][..of_cell].copy_from_slice(from);
                }
            }
        }
    }
}

/// What a net reads of a cell, plane after plane.
fn scaled_cell<'a>(
    reading: &'a Reading,
    shape: &'a Shape,
    planes: &'a [u8],
    cell: usize,
) -> impl Iterator<Item = f32> + 'a {
    let value = move |&i: &usize| scaled(planes[i * shape.cells() + cell], shape.planes[i].max);
    reading.planes.iter().map(value)
}

fn scaled(byte: u8, max: u8) -> f32 {
    f32::from(byte) / f32::from(max.max(1))
}

/// A pack as the series on either side of each 7, and the cards of each from the 7 outwards.
const SERIES: usize = 8;
const CARDS: usize = 6;

/// Where a card lies in a plane; cards are counted series after series.
fn place(number: usize) -> usize {
    let (series, card) = (number / CARDS, number % CARDS);
    let (suit, is_high) = (series / 2, series % 2 == 1);
    13 * suit + if is_high { 7 + card } else { 5 - card }
}
