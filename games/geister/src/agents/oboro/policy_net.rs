//! The trained policy nets: move probabilities, the value of a position, and which enemy pieces are red.

use crate::Geister;
use crate::action::Action;
use crate::encoding::{LEARNED_FEATURES, LEARNED_PLANES, Memory};
use crate::piece::{Piece, Placement};
use crate::square::{Direction, Square};
use crate::view::View;
use oboro_core::{FastPath, GameEncoding, ObservationBuffer, Rng, SeatView, Shape};
use oboro_nets::{BoardNet, Scratch, Tensors};
use std::sync::OnceLock;

macro_rules! nets {
    ($($name:literal),+) => {
        [$(($name, include_bytes!(concat!("../../../nets/", $name, ".safetensors")))),+]
    };
}

/// The nets by name, in the order in which they were trained; `docs/geister-oboro.md` says how.
pub(super) static NETS: [(&str, &[u8]); 10] = nets![
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"
];

/// The nets that have been used.
static LOADED: [OnceLock<LoadedNet>; NETS.len()] = [const { OnceLock::new() }; NETS.len()];

/// Outputs for each square: one for each direction, and the log odds that the piece there is red.
const PER_SQUARE: usize = 5;

struct LoadedNet {
    shape: Shape,
    /// The features that the net reads, by their place in the observation.
    features: Vec<usize>,
    net: BoardNet,
}

/// Which instructions the nets are evaluated by.
pub(crate) fn fast_path() -> FastPath {
    FastPath { work: "nets", by: LoadedNet::get(0).net.fast_path() }
}

impl LoadedNet {
    /// One of the nets, read when it is first used.
    fn get(net: usize) -> &'static LoadedNet {
        LOADED[net].get_or_init(|| {
            LoadedNet::of(
                &Tensors::read(NETS[net].1).expect("the nets in the repository are whole"),
            )
        })
    }

    fn of(tensors: &Tensors) -> LoadedNet {
        let shape = Geister::default().layout().observation;
        let place = |name: &&str| {
            shape.features.iter().position(|channel| channel.name == *name).expect("a feature")
        };
        let features: Vec<usize> = LEARNED_FEATURES.iter().map(place).collect();
        let most = |channel: &oboro_core::Channel| channel.max;
        let planes: Vec<u8> = shape.planes[..LEARNED_PLANES].iter().map(most).collect();
        let inputs: Vec<u8> = features.iter().map(|&i| most(&shape.features[i])).collect();
        let net = BoardNet::read(tensors, [shape.rows, shape.columns], &planes, &inputs)
            .expect("the net in the repository reads what views are written as");
        assert_eq!(net.outputs(), [PER_SQUARE, Placement::COUNT + 1], "moves, placements, value");
        LoadedNet { shape, features, net }
    }
}

/// What a net predicts of a position.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Prediction {
    /// Every legal action with the logarithm of its probability, up to a constant.
    pub(crate) actions: Vec<(Action, f64)>,
    /// The expected payoff of the observer: 0 to 1.
    pub(crate) value: f64,
    /// The log odds that each hidden enemy piece is red, as if nothing were known of how many are.
    pub(crate) red_log_odds: [f64; Piece::COUNT],
}

impl Prediction {
    /// The probability that the policy plays one of some actions.
    pub(super) fn probability(&self, of: impl Fn(Action) -> bool) -> f64 {
        let all = self.probabilities(|_| true, 1.0, 0.0);
        all.iter().filter(|(action, _)| of(*action)).map(|(_, probability)| probability).sum()
    }

    /// The probabilities of the actions that are open, raised to the power of one over the temperature. Actions less likely
    /// than `min_relative` times the likeliest have none.
    pub(super) fn probabilities(
        &self,
        open: impl Fn(Action) -> bool,
        temperature: f64,
        min_relative: f64,
    ) -> Vec<(Action, f64)> {
        let open = || self.actions.iter().filter(|(action, _)| open(*action));
        let most = open().map(|&(_, log)| log).fold(f64::NEG_INFINITY, f64::max);
        let weigh = |log: f64| match libm::exp(log - most) {
            relative if relative < min_relative => 0.0,
            _ => libm::exp((log - most) / temperature),
        };
        let total: f64 = open().map(|&(_, log)| weigh(log)).sum();
        open().map(|&(action, log)| (action, weigh(log) / total)).collect()
    }
}

/// One of some things, in proportion to their weights.
pub(super) fn sample<T: Copy>(weights: &[(T, f64)], rng: &mut Rng) -> T {
    let total: f64 = weights.iter().map(|(_, weight)| weight).sum();
    let mut left = rng.unit() * total;
    for &(thing, weight) in weights {
        left -= weight;
        if left < 0.0 {
            return thing;
        }
    }
    weights.iter().rev().find(|(_, weight)| *weight > 0.0).expect("something to draw from").0
}

/// One of the nets, with memory for evaluations.
#[derive(Clone, Debug)]
pub(crate) struct PolicyNet {
    net: usize,
    bytes: Vec<u8>,
    features: Vec<u8>,
    scratch: Scratch,
}

impl PolicyNet {
    /// The net with this number, from 0.
    pub(crate) fn new(net: usize) -> PolicyNet {
        PolicyNet { net, bytes: Vec::new(), features: Vec::new(), scratch: Scratch::default() }
    }

    /// Uses another net from now on.
    pub(super) fn select(&mut self, net: usize) {
        self.net = net;
    }

    /// Evaluates the net for the owner of a view.
    pub(crate) fn evaluate(&mut self, view: &View, memory: &Memory) -> Prediction {
        let loaded = LoadedNet::get(self.net);
        let rules = Geister::default();
        self.bytes.clear();
        self.bytes.resize(loaded.shape.len(), 0);
        rules.encode(view, memory, ObservationBuffer::split(&loaded.shape, &mut self.bytes));
        let (planes, features) = self.bytes.split_at(loaded.shape.plane_bytes());
        self.features.clear();
        self.features.extend(loaded.features.iter().map(|&i| features[i]));
        let planes = &planes[..LEARNED_PLANES * Square::COUNT];
        let outputs = loaded.net.evaluate(planes, &self.features, &mut self.scratch);
        let mut prediction = Prediction::default();
        view.for_each_legal(|action| {
            let number = rules.action_index(view, action);
            let moves = Direction::ALL.len() * Square::COUNT;
            let log = if number < moves {
                let (square, direction) = (number / 4, number % 4);
                outputs.cells[square * PER_SQUARE + direction]
            } else {
                outputs.board[number - moves]
            };
            prediction.actions.push((action, f64::from(log)));
        });
        prediction.value = 0.5 + 0.5 * libm::tanh(f64::from(outputs.board[Placement::COUNT]));
        for piece in Piece::of_set(view.hidden()) {
            let square = view.public().square(view.enemy(), piece).expect("it is on the board");
            let cell = square.seen_by(view.seat()).index();
            prediction.red_log_odds[piece.index()] =
                f64::from(outputs.cells[cell * PER_SQUARE + 4]);
        }
        prediction
    }
}

#[cfg(test)]
mod tests {
    use super::super::opponent_model::OpponentModel;
    use super::*;
    use oboro_core::{Game, GameWorld, Seat};

    #[test]
    fn nets_read_the_channels_they_were_trained_on() {
        let listed: Vec<String> =
            LEARNED_FEATURES.iter().map(|name| format!("\"{name}\"")).collect();
        let ignored = Geister::default().layout().observation.planes;
        for (_, file) in NETS {
            let tensors = Tensors::read(file).unwrap();
            let config = &tensors.about()["config"];
            assert!(config.contains(&format!("\"features\": [{}]", listed.join(", "))), "{config}");
            for channel in &ignored[LEARNED_PLANES..] {
                assert!(config.contains(&format!("\"{}\"", channel.name)), "{}", channel.name);
            }
        }
    }

    #[test]
    fn probabilities_add_up() {
        let escape = |number: usize| Action::Escape(Piece::all().nth(number).unwrap());
        let actions = vec![(escape(0), 7.0 + libm::log(3.0)), (escape(1), 7.0)];
        let prediction = Prediction { actions, ..Prediction::default() };
        let probability = |of: &dyn Fn(Action) -> bool| prediction.probability(of);
        assert!((probability(&|action| action == escape(0)) - 0.75).abs() < 1e-12);
        assert!((probability(&|_| true) - 1.0).abs() < 1e-12 && probability(&|_| false) == 0.0);
    }

    #[test]
    fn predictions_are_of_legal_actions_and_reds_add_up() {
        let rules = Geister::default();
        let mut rng = Rng::from_u64(3);
        let mut world = rules.deal(&mut rng);
        let mut net = PolicyNet::new(0);
        let mut memories = Seat::all(2).map(|s| rules.memory(&world.view(s))).collect::<Vec<_>>();
        while let Some(seat) = world.to_act() {
            let view = world.view(seat);
            net.select(rng.below(NETS.len()));
            let prediction = net.evaluate(&view, &memories[seat.index()]);
            let actions: Vec<Action> = prediction.actions.iter().map(|&(a, _)| a).collect();
            assert_eq!(actions, view.legal_actions());
            assert!((0.0..=1.0).contains(&prediction.value));
            if view.public().has_placed(view.enemy()) {
                let reds = OpponentModel::default().reds(&view, &prediction.red_log_odds);
                let sum: f64 = reds.iter().sum();
                assert!((sum - f64::from(view.hidden_reds())).abs() < 1e-9, "{sum}");
            }
            let action = world.random_action(&mut rng);
            for (seat, memory) in Seat::all(2).zip(&mut memories) {
                rules.remember(memory, &world.view(seat), &world.event(action, seat));
            }
            world.apply(action);
        }
    }
}
