//! What the trained net says of a position: how good each move is, who will win, which pieces are red.

use crate::Geister;
use crate::action::Action;
use crate::encoding::{LEARNED_FEATURES, LEARNED_PLANES, Memory};
use crate::piece::{Piece, Placement};
use crate::square::{Direction, Square};
use crate::view::View;
use oboro_core::{FastPath, GameEncoding, ObservationBuffer, Rng, SeatView, Shape};
use oboro_nets::{BoardNet, Scratch, Tensors};
use std::sync::OnceLock;

/// The nets as they were trained; `docs/explanation/geister-agent.md` says how. Whoever knows one of them well can beat it, so that a player
/// has several.
const FILES: [&[u8]; 10] = [
    include_bytes!("../nets/first.safetensors"),
    include_bytes!("../nets/second.safetensors"),
    include_bytes!("../nets/third.safetensors"),
    include_bytes!("../nets/fourth.safetensors"),
    include_bytes!("../nets/fifth.safetensors"),
    include_bytes!("../nets/sixth.safetensors"),
    include_bytes!("../nets/seventh.safetensors"),
    include_bytes!("../nets/eighth.safetensors"),
    include_bytes!("../nets/ninth.safetensors"),
    include_bytes!("../nets/tenth.safetensors"),
];

/// How many nets there are.
pub(crate) const NETS: usize = FILES.len();

/// The nets that somebody has asked.
static BRAINS: [OnceLock<Brain>; NETS] = [const { OnceLock::new() }; NETS];

/// ObservationBuffer for each square: one for each direction, and how likely the piece there is red.
const PER_SQUARE: usize = 5;

struct Brain {
    shape: Shape,
    features: Vec<usize>,
    net: BoardNet,
}

/// Which instructions the nets are evaluated by.
pub(crate) fn fast_path() -> FastPath {
    FastPath { work: "nets", by: Brain::get(0).net.fast_path() }
}

impl Brain {
    /// One of the nets, read when it is first asked for.
    fn get(net: usize) -> &'static Brain {
        BRAINS[net].get_or_init(|| {
            Brain::of(&Tensors::read(FILES[net]).expect("the nets in the repository are whole"))
        })
    }

    fn of(tensors: &Tensors) -> Brain {
        let shape = Geister::default().layout().observation;
        let place = |name: &&str| {
            shape.features.iter().position(|channel| channel.name == *name).expect("a feature")
        };
        let features: Vec<usize> = LEARNED_FEATURES.iter().map(place).collect();
        let most = |channel: &oboro_core::Channel| channel.max;
        let planes: Vec<u8> = shape.planes[..LEARNED_PLANES].iter().map(most).collect();
        let told: Vec<u8> = features.iter().map(|&i| most(&shape.features[i])).collect();
        let net = BoardNet::read(tensors, [shape.rows, shape.columns], &planes, &told)
            .expect("the net in the repository reads what views are written as");
        assert_eq!(net.outputs(), [PER_SQUARE, Placement::COUNT + 1], "moves, placements, value");
        Brain { shape, features, net }
    }
}

/// What the net says of a position.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Opinion {
    /// Every legal action with the logarithm of its probability, up to a constant.
    pub(crate) actions: Vec<(Action, f64)>,
    /// What the game is worth to the observer: 0 to 1.
    pub(crate) value: f64,
    /// The log odds that each hidden enemy piece is red, as if nothing were known of how many are.
    pub(crate) odds: [f64; Piece::COUNT],
}

impl Opinion {
    /// How likely the policy plays one of some actions.
    pub(crate) fn share(&self, of: impl Fn(Action) -> bool) -> f64 {
        let all = self.shares(|_| true, 1.0, 0.0);
        all.iter().filter(|(action, _)| of(*action)).map(|(_, share)| share).sum()
    }

    /// How likely each of the open actions is played: probabilities raised to the power of one over the temperature, without what is liked
    /// less than a share of the favourite.
    pub(crate) fn shares(
        &self,
        open: impl Fn(Action) -> bool,
        temperature: f64,
        least: f64,
    ) -> Vec<(Action, f64)> {
        let open = || self.actions.iter().filter(|(action, _)| open(*action));
        let most = open().map(|&(_, log)| log).fold(f64::NEG_INFINITY, f64::max);
        let weigh = |log: f64| match libm::exp(log - most) {
            share if share < least => 0.0,
            _ => libm::exp((log - most) / temperature),
        };
        let total: f64 = open().map(|&(_, log)| weigh(log)).sum();
        open().map(|&(action, log)| (action, weigh(log) / total)).collect()
    }
}

/// One of some things, in proportion to their weights.
pub(crate) fn draw<T: Copy>(weights: &[(T, f64)], rng: &mut Rng) -> T {
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

/// One of the nets, and memory for evaluations.
#[derive(Clone, Debug)]
pub(crate) struct Mind {
    net: usize,
    bytes: Vec<u8>,
    told: Vec<u8>,
    scratch: Scratch,
}

impl Mind {
    /// A mind with a net, by its number from 0.
    pub(crate) fn new(net: usize) -> Mind {
        Mind { net, bytes: Vec::new(), told: Vec::new(), scratch: Scratch::default() }
    }

    /// Thinks with another net from now on.
    pub(crate) fn change(&mut self, net: usize) {
        self.net = net;
    }

    /// Asks the net.
    pub(crate) fn consider(&mut self, view: &View, memory: &Memory) -> Opinion {
        let brain = Brain::get(self.net);
        let rules = Geister::default();
        self.bytes.clear();
        self.bytes.resize(brain.shape.len(), 0);
        rules.encode(view, memory, ObservationBuffer::split(&brain.shape, &mut self.bytes));
        let (planes, features) = self.bytes.split_at(brain.shape.plane_bytes());
        self.told.clear();
        self.told.extend(brain.features.iter().map(|&i| features[i]));
        let planes = &planes[..LEARNED_PLANES * Square::COUNT];
        let answers = brain.net.evaluate(planes, &self.told, &mut self.scratch);
        let mut opinion = Opinion::default();
        view.for_each_legal(|action| {
            let number = rules.action_index(view, action);
            let moves = Direction::ALL.len() * Square::COUNT;
            let log = if number < moves {
                let (square, direction) = (number / 4, number % 4);
                answers.cells[square * PER_SQUARE + direction]
            } else {
                answers.board[number - moves]
            };
            opinion.actions.push((action, f64::from(log)));
        });
        opinion.value = 0.5 + 0.5 * libm::tanh(f64::from(answers.board[Placement::COUNT]));
        for piece in Piece::of_set(view.hidden()) {
            let square = view.public().square(view.enemy(), piece).expect("it is on the board");
            let cell = square.seen_by(view.seat()).index();
            opinion.odds[piece.index()] = f64::from(answers.cells[cell * PER_SQUARE + 4]);
        }
        opinion
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trust::Trust;
    use oboro_core::{Game, GameWorld, Seat};

    #[test]
    fn the_nets_read_what_they_were_trained_on() {
        let listed: Vec<String> =
            LEARNED_FEATURES.iter().map(|name| format!("\"{name}\"")).collect();
        let ignored = Geister::default().layout().observation.planes;
        for file in FILES {
            let tensors = Tensors::read(file).unwrap();
            let config = &tensors.about()["config"];
            assert!(config.contains(&format!("\"features\": [{}]", listed.join(", "))), "{config}");
            for channel in &ignored[LEARNED_PLANES..] {
                assert!(config.contains(&format!("\"{}\"", channel.name)), "{}", channel.name);
            }
        }
    }

    #[test]
    fn shares_of_a_policy_add_up() {
        let leave = |number: usize| Action::Escape(Piece::all().nth(number).unwrap());
        let actions = vec![(leave(0), 7.0 + libm::log(3.0)), (leave(1), 7.0)];
        let opinion = Opinion { actions, value: 0.5, odds: [0.0; Piece::COUNT] };
        assert!((opinion.share(|action| action == leave(0)) - 0.75).abs() < 1e-12);
        assert!((opinion.share(|_| true) - 1.0).abs() < 1e-12 && opinion.share(|_| false) == 0.0);
    }

    #[test]
    fn opinions_are_about_what_is_legal_and_reds_add_up() {
        let rules = Geister::default();
        let mut rng = Rng::from_u64(3);
        let mut world = rules.deal(&mut rng);
        let mut mind = Mind::new(0);
        let mut memories = Seat::all(2).map(|s| rules.memory(&world.view(s))).collect::<Vec<_>>();
        while let Some(seat) = world.to_act() {
            let view = world.view(seat);
            mind.change(rng.below(NETS));
            let opinion = mind.consider(&view, &memories[seat.index()]);
            let actions: Vec<Action> = opinion.actions.iter().map(|&(action, _)| action).collect();
            assert_eq!(actions, view.legal_actions());
            assert!((0.0..=1.0).contains(&opinion.value));
            if view.public().has_placed(view.enemy()) {
                let reds: f64 = Trust::default().reds(&view, &opinion.odds).iter().sum();
                assert!((reds - f64::from(view.hidden_reds())).abs() < 1e-9, "{reds}");
            }
            let action = world.random_action(&mut rng);
            for (seat, memory) in Seat::all(2).zip(&mut memories) {
                rules.remember(memory, &world.view(seat), &world.event(action, seat));
            }
            world.apply(action);
        }
    }
}
