//! What the trained net says of a position: how likely it would do each thing.

use crate::{Action, Sevens, View};
use oboro_core::{GameEncoding, ObservationBuffer, Shape};
use oboro_nets::{SetNet, SetScratch, Tensors};
use std::sync::LazyLock;

/// The net as it was trained; `docs/explanation/sevens-agent.md` says how.
const FILE: &[u8] = include_bytes!("../nets/policy.safetensors");

static BRAIN: LazyLock<Brain> = LazyLock::new(|| {
    let tensors = Tensors::read(FILE).expect("the net in the repository is whole");
    Brain::of(&tensors)
});

/// The net reads a pack as eight series, those on either side of each 7, of six cards each.
const SERIES: usize = 8;
const CARDS: usize = 6;
const PACK: usize = 52;

struct Brain {
    rules: Sevens,
    shape: Shape,
    net: SetNet,
}

impl Brain {
    fn of(tensors: &Tensors) -> Brain {
        let rules = Sevens::default();
        let shape = rules.layout().observation;
        let net = SetNet::read(tensors, CARDS * shape.planes.len(), shape.features.len())
            .expect("the net in the repository reads what views are written as");
        assert_eq!(net.outputs(), [CARDS, 2], "cards; the pass and the value");
        Brain { rules, shape, net }
    }
}

/// Where a card of a series lies in a plane; cards are counted from the 7 outwards.
fn place(series: usize, card: usize) -> usize {
    let (suit, is_high) = (series / 2, series % 2 == 1);
    13 * suit + if is_high { 7 + card } else { 5 - card }
}

/// Memory for evaluations.
#[derive(Clone, Debug, Default)]
pub(crate) struct Mind {
    bytes: Vec<u8>,
    rows: Vec<f32>,
    told: Vec<f32>,
    scratch: SetScratch,
}

impl Mind {
    /// Whether the net was trained for games like these: as many players and passes. What is playable in a suit with holes it is told.
    pub(crate) fn knows(rules: &Sevens) -> bool {
        let known = Sevens::default();
        (rules.players, rules.passes) == (known.players, known.passes)
    }

    /// The logarithm of the probability that the policy gives each of some actions, which are all there are.
    ///
    /// # Panics
    /// If the game is not one that it [knows](Mind::knows).
    pub(crate) fn consider(&mut self, view: &View, actions: &[Action]) -> Vec<f64> {
        let Brain { rules, shape, net } = &*BRAIN;
        self.bytes.clear();
        self.bytes.resize(shape.len(), 0);
        rules.encode(view, &rules.memory(view), ObservationBuffer::split(shape, &mut self.bytes));
        let (planes, features) = self.bytes.split_at(shape.plane_bytes());
        let part = |byte: u8, most: u8| f32::from(byte) / f32::from(most.max(1));
        self.rows.clear();
        for series in 0..SERIES {
            for card in 0..CARDS {
                let packs = planes.chunks_exact(PACK).zip(&shape.planes);
                let told = packs.map(|(pack, plane)| part(pack[place(series, card)], plane.max));
                self.rows.extend(told);
            }
        }
        self.told.clear();
        let told = features.iter().zip(&shape.features);
        self.told.extend(told.map(|(&byte, feature)| part(byte, feature.max)));

        let answers = net.evaluate(&self.rows, &self.told, &mut self.scratch);
        let mut by_number = [f32::NEG_INFINITY; PACK + 1];
        for (number, &answer) in answers.cells.iter().enumerate() {
            by_number[place(number / CARDS, number % CARDS)] = answer;
        }
        by_number[PACK] = answers.board[0];
        let of = |&action: &Action| f64::from(by_number[rules.action_index(view, action)]);
        let logs: Vec<f64> = actions.iter().map(of).collect();
        let most = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let total: f64 = logs.iter().map(|log| libm::exp(log - most)).sum();
        logs.iter().map(|log| log - most - libm::log(total)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Card, Cards, Gaps, Suit, World};
    use oboro_core::{Game, GameWorld, Rng, SeatView};

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
    fn opinions_are_probabilities_and_know_no_suit_from_another() {
        let rules = Sevens::default();
        let mut rng = Rng::from_u64(3);
        let mut mind = Mind::default();
        for _ in 0..10 {
            let mut world = rules.deal(&mut rng);
            // Nobody has done anything yet, so that a deal with all suits and both sides exchanged is the same to the net.
            let seat = world.to_act().unwrap();
            let other = World { hands: world.hands.map(mirrored), ..world };
            let actions = world.view(seat).legal_actions();
            let exchanged: Vec<_> = actions.iter().copied().map(exchanged).collect();
            let logs = mind.consider(&world.view(seat), &actions);
            for (one, other) in logs.iter().zip(mind.consider(&other.view(seat), &exchanged)) {
                assert!((one - other).abs() < 1e-4, "{one} {other}");
            }
            while let Some(seat) = world.to_act() {
                let view = world.view(seat);
                let logs = mind.consider(&view, &view.legal_actions());
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

    #[test]
    fn it_knows_the_games_it_was_trained_for() {
        assert!(Mind::knows(&Sevens { gaps: Gaps::Strict, ..Sevens::default() }));
        assert!(!Mind::knows(&Sevens { players: 3, ..Sevens::default() }));
        assert!(!Mind::knows(&Sevens { passes: 4, ..Sevens::default() }));
    }
}
