//! Many deals that explain what the others did, carried through a game.

use super::reading::{Deal, Explains, Reading};
use crate::{Cards, MAX_PLAYERS, View};
use oboro_core::{Rng, SeatView};

/// Deals drawn in proportion to how well they explain a game. Whenever the game has gone on they are mended where cards turned
/// up in other hands, drawn again in proportion to how much better or worse they explain it now, and then each walks
/// a few exchanges: sequential Monte Carlo.
#[derive(Clone, Debug)]
pub(super) struct Crowd<T> {
    deals: Vec<Deal<T>>,
    size: usize,
}

/// The most exchanges a deal walks when a game is read from its beginning.
const MOST_EXCHANGES: u32 = 200;

impl<T: Copy> Crowd<T> {
    /// A crowd of so many that has not seen anything.
    pub(super) fn new(size: usize) -> Crowd<T> {
        Crowd { deals: Vec::new(), size }
    }

    /// The deals.
    pub(super) fn deals(&mut self) -> &mut [Deal<T>] {
        &mut self.deals
    }

    /// Learns what happened since the last time, and walks so many exchanges for each decision that is new.
    pub(super) fn advance<E: Explains<OfSeat = T>>(
        &mut self,
        view: &View,
        reading: &Reading<'_, E>,
        exchanges: u32,
        rng: &mut Rng,
    ) {
        let weight = |deal: &Deal<T>| reading.explains.weight(&deal.of_seats, (0, 0));
        let is_new = self.deals.is_empty();
        let mut moved = Vec::with_capacity(self.size);
        let mut weights = Vec::with_capacity(self.size);
        for i in 0..self.size {
            let (deal, before) = if is_new {
                (reading.deal(view.imagine(rng).hands), 1.0)
            } else {
                let deal = &self.deals[i];
                (reading.deal(mend(view, deal.hands, rng)), weight(deal))
            };
            weights.push(weight(&deal) / before);
            moved.push(deal);
        }
        self.deals.clear();
        self.deals.extend(drawn_again(&weights, rng).map(|i| moved[i]));
        let tries = if is_new {
            (exchanges * (1 + view.public().log.len() as u32)).min(MOST_EXCHANGES)
        } else {
            exchanges
        };
        for deal in &mut self.deals {
            reading.exchange(deal, tries, rng);
        }
    }
}

/// The numbers of as many as there are weights, each drawn in proportion to its weight, with one draw for all: evenly
/// spaced places along the weights laid end to end.
fn drawn_again(weights: &[f64], rng: &mut Rng) -> impl Iterator<Item = usize> {
    let step = weights.iter().sum::<f64>() / weights.len() as f64;
    let mut place = rng.unit() * step;
    let (mut number, mut end) = (0, weights[0]);
    (0..weights.len()).map(move |_| {
        while place > end && number + 1 < weights.len() {
            number += 1;
            end += weights[number];
        }
        place += step;
        number
    })
}

/// Hands as near as can be to these that agree with a view: known cards leave them, whoever has too many then gives
/// random ones to those who have too few.
fn mend(view: &View, hands: [Cards; MAX_PLAYERS], rng: &mut Rng) -> [Cards; MAX_PLAYERS] {
    let me = view.seat().index();
    let mut hands = hands.map(|hand| hand.and(view.unknown()));
    hands[me] = Cards::NONE;
    let mut pool = hands.iter().fold(view.unknown(), |rest, &hand| rest.minus(hand));
    let mut sizes = view.sizes();
    sizes[me] = 0;
    for (hand, size) in hands.iter_mut().zip(sizes) {
        while hand.len() > size.into() {
            let card = hand.choose_one(rng);
            *hand = hand.minus(card);
            pool = pool.or(card);
        }
    }
    for (hand, size) in hands.iter_mut().zip(sizes) {
        while hand.len() < size.into() {
            let card = pool.choose_one(rng);
            *hand = hand.or(card);
            pool = pool.minus(card);
        }
    }
    hands
}
