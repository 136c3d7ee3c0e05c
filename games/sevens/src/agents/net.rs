//! The trained policy net.

use crate::{Action, Sevens, View};
use oboro_core::{GameEncoding, ObservationBuffer, Shape};
use oboro_nets::{SetNet, SetScratch, Tensors};
use std::sync::LazyLock;

/// The net as it was trained; `docs/explanation/sevens-agent.md` says how.
const FILE: &[u8] = include_bytes!("../../nets/policy.safetensors");

static MODEL: LazyLock<Model> = LazyLock::new(|| {
    let tensors = Tensors::read(FILE).expect("the net in the repository is whole");
    Model::of(&tensors)
});

/// The net reads a pack as eight series, those on either side of each 7, of six cards each.
const SERIES: usize = 8;
const CARDS: usize = 6;
const PACK: usize = 52;

struct Model {
    rules: Sevens,
    shape: Shape,
    net: SetNet,
}

impl Model {
    fn of(tensors: &Tensors) -> Model {
        let rules = Sevens::default();
        let shape = rules.layout().observation;
        let net = SetNet::read(tensors, CARDS * shape.planes.len(), shape.features.len())
            .expect("the net in the repository reads what views are written as");
        assert_eq!(net.outputs(), [CARDS, 2], "cards; the pass and the value");
        Model { rules, shape, net }
    }
}

/// Where a card of a series lies in a plane; cards are counted from the 7 outwards.
fn place(series: usize, card: usize) -> usize {
    let (suit, is_high) = (series / 2, series % 2 == 1);
    13 * suit + if is_high { 7 + card } else { 5 - card }
}

/// The net, with the buffers of its evaluations.
#[derive(Clone, Debug, Default)]
pub(super) struct PolicyNet {
    bytes: Vec<u8>,
    rows: Vec<f32>,
    features: Vec<f32>,
    scratch: SetScratch,
}

impl PolicyNet {
    /// Whether the net was trained for this number of players and passes. Playable cards are an input, so that the
    /// rule for gaps does not matter.
    pub(super) fn supports(rules: &Sevens) -> bool {
        let known = Sevens::default();
        (rules.players, rules.passes) == (known.players, known.passes)
    }

    /// The logarithms of the policy's probabilities of all legal actions.
    ///
    /// # Panics
    /// If the game is not one that it [supports](PolicyNet::supports).
    pub(super) fn evaluate(&mut self, view: &View, actions: &[Action]) -> Vec<f64> {
        let Model { rules, shape, net } = &*MODEL;
        self.bytes.clear();
        self.bytes.resize(shape.len(), 0);
        rules.encode(view, &rules.memory(view), ObservationBuffer::split(shape, &mut self.bytes));
        let (planes, features) = self.bytes.split_at(shape.plane_bytes());
        let scaled = |byte: u8, max: u8| f32::from(byte) / f32::from(max.max(1));
        self.rows.clear();
        for series in 0..SERIES {
            for card in 0..CARDS {
                let packs = planes.chunks_exact(PACK).zip(&shape.planes);
                let row = packs.map(|(pack, plane)| scaled(pack[place(series, card)], plane.max));
                self.rows.extend(row);
            }
        }
        self.features.clear();
        let features = features.iter().zip(&shape.features);
        self.features.extend(features.map(|(&byte, feature)| scaled(byte, feature.max)));

        let outputs = net.evaluate(&self.rows, &self.features, &mut self.scratch);
        let mut logits = [f32::NEG_INFINITY; PACK + 1];
        for (number, &logit) in outputs.cells.iter().enumerate() {
            logits[place(number / CARDS, number % CARDS)] = logit;
        }
        logits[PACK] = outputs.board[0];
        let of = |&action: &Action| f64::from(logits[rules.action_index(view, action)]);
        let logs: Vec<f64> = actions.iter().map(of).collect();
        let max = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let total: f64 = logs.iter().map(|log| libm::exp(log - max)).sum();
        logs.iter().map(|log| log - max - libm::log(total)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Card, Cards, GapRule, Suit, World};
    use oboro_core::{Game, GameWorld, Rng, SeatView};
    use oboro_player::{Evaluator, GameNet};

    #[test]
    fn series_cover_the_pack_but_for_the_sevens() {
        let mut places: Vec<usize> =
            (0..SERIES * CARDS).map(|n| place(n / CARDS, n % CARDS)).collect();
        places.sort_unstable();
        assert!(places.into_iter().eq((0..PACK).filter(|place| place % 13 != 6)));
        // From the 7 of hearts down: 6, 5, ...
        assert_eq!((place(2, 0), place(2, 5), place(3, 0)), (13 + 5, 13, 13 + 7));
    }

    #[test]
    fn probabilities_sum_to_one_and_do_not_depend_on_suits() {
        let rules = Sevens::default();
        let mut rng = Rng::from_u64(3);
        let mut net = PolicyNet::default();
        for _ in 0..10 {
            let mut world = rules.deal(&mut rng);
            // At the start a deal with suits and sides exchanged is the same to the net.
            let seat = world.to_act().unwrap();
            let other = World { hands: world.hands.map(mirrored), ..world };
            let actions = world.view(seat).legal_actions();
            let exchanged: Vec<_> = actions.iter().copied().map(exchanged).collect();
            let logs = net.evaluate(&world.view(seat), &actions);
            for (one, other) in logs.iter().zip(net.evaluate(&other.view(seat), &exchanged)) {
                assert!((one - other).abs() < 1e-4, "{one} {other}");
            }
            while let Some(seat) = world.to_act() {
                let view = world.view(seat);
                let logs = net.evaluate(&view, &view.legal_actions());
                let total: f64 = logs.iter().map(|&log| libm::exp(log)).sum();
                assert!((total - 1.0).abs() < 1e-9, "{logs:?}");
                world.apply(world.random_action(&mut rng));
            }
        }
    }

    fn exchanged(action: Action) -> Action {
        match action {
            Action::Lay(card) => Action::Lay(turned(card)),
            Action::Pass => Action::Pass,
        }
    }

    /// The next suit, low for high.
    fn turned(card: Card) -> Card {
        let suit = (card.index() / 16 + 1) % 4;
        Card::new(Suit::ALL[suit], 14 - (card.index() % 16) as u8)
    }

    fn mirrored(cards: Cards) -> Cards {
        cards.iter().map(turned).collect()
    }

    /// The net as an agent of its own (`net:FILE`) says the same.
    #[test]
    fn the_net_says_the_same_to_every_game() {
        let rules = Sevens::default();
        let mut rng = Rng::from_u64(4);
        let (mut own, mut any) = (PolicyNet::default(), GameNet::read(&rules, FILE).unwrap());
        let mut world = rules.deal(&mut rng);
        while let Some(seat) = world.to_act() {
            let view = world.view(seat);
            let logs = own.evaluate(&view, &view.legal_actions());
            let found = any.evaluate(&view, &rules.memory(&view));
            for (log, (_, share)) in logs.iter().zip(&found.policy) {
                assert!((libm::exp(*log) - share).abs() < 1e-12);
            }
            let value = found.value.unwrap();
            assert!((0.0..=2.0).contains(&value), "{value}");
            world.apply(world.random_action(&mut rng));
        }
    }

    #[test]
    fn the_net_supports_the_games_it_was_trained_for() {
        assert!(PolicyNet::supports(&Sevens { gaps: GapRule::Strict, ..Sevens::default() }));
        assert!(!PolicyNet::supports(&Sevens { players: 3, ..Sevens::default() }));
        assert!(!PolicyNet::supports(&Sevens { passes: 4, ..Sevens::default() }));
    }
}
