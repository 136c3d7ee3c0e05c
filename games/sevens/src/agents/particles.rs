//! Particles: sampled deals that are carried through a game (sequential Monte Carlo).

use super::inference::{HandInference, HandLikelihood, Particle};
use crate::{Cards, MAX_PLAYERS, View};
use oboro_core::{Rng, SeatView};

/// Deals sampled from the posterior over hands.
///
/// When the game has gone on, each deal is adjusted to the cards that were shown. The particles are then resampled
/// by the ratio of new to old weight, and each takes a few Metropolis steps.
#[derive(Clone, Debug)]
pub(super) struct ParticleSet<T> {
    particles: Vec<Particle<T>>,
    size: usize,
}

/// The largest number of Metropolis steps a particle takes when a game is read from its beginning.
const MAX_EXCHANGES: u32 = 200;

impl<T: Copy> ParticleSet<T> {
    /// A set of `size` particles that has not seen anything.
    pub(super) fn new(size: usize) -> ParticleSet<T> {
        ParticleSet { particles: Vec::new(), size }
    }

    pub(super) fn particles(&mut self) -> &mut [Particle<T>] {
        &mut self.particles
    }

    /// Updates to what happened since the last time, with so many Metropolis steps for each new decision.
    pub(super) fn advance<L: HandLikelihood<OfSeat = T>>(
        &mut self,
        view: &View,
        inference: &HandInference<'_, L>,
        exchanges: u32,
        rng: &mut Rng,
    ) {
        let weight =
            |particle: &Particle<T>| inference.likelihood.weight(&particle.likelihoods, (0, 0));
        let is_new = self.particles.is_empty();
        let mut moved = Vec::with_capacity(self.size);
        let mut weights = Vec::with_capacity(self.size);
        for i in 0..self.size {
            let (particle, before) = if is_new {
                (inference.particle(view.imagine(rng).hands), 1.0)
            } else {
                let old = &self.particles[i];
                (inference.particle(adjusted(view, old.hands, rng)), weight(old))
            };
            weights.push(weight(&particle) / before);
            moved.push(particle);
        }
        self.particles.clear();
        self.particles.extend(resampled(&weights, rng).map(|i| moved[i]));
        let tries = if is_new {
            (exchanges * (1 + view.public().log.len() as u32)).min(MAX_EXCHANGES)
        } else {
            exchanges
        };
        for particle in &mut self.particles {
            inference.exchange(particle, tries, rng);
        }
    }
}

/// Indices drawn in proportion to their weights, as many as there are weights: systematic resampling with one draw.
fn resampled(weights: &[f64], rng: &mut Rng) -> impl Iterator<Item = usize> {
    let step = weights.iter().sum::<f64>() / weights.len() as f64;
    let mut place = rng.unit() * step;
    let (mut index, mut end) = (0, weights[0]);
    (0..weights.len()).map(move |_| {
        while place > end && index + 1 < weights.len() {
            index += 1;
            end += weights[index];
        }
        place += step;
        index
    })
}

/// Hands close to these that agree with a view. Known cards are removed; then hands that are too large give random
/// cards to hands that are too small.
fn adjusted(view: &View, hands: [Cards; MAX_PLAYERS], rng: &mut Rng) -> [Cards; MAX_PLAYERS] {
    let own = view.seat().index();
    let mut hands = hands.map(|hand| hand.and(view.unknown()));
    hands[own] = Cards::EMPTY;
    let mut pool = hands.iter().fold(view.unknown(), |rest, &hand| rest.without(hand));
    let mut sizes = view.sizes();
    sizes[own] = 0;
    for (hand, size) in hands.iter_mut().zip(sizes) {
        while hand.len() > size.into() {
            let card = hand.choose_one(rng);
            *hand = hand.without(card);
            pool = pool.or(card);
        }
    }
    for (hand, size) in hands.iter_mut().zip(sizes) {
        while hand.len() < size.into() {
            let card = pool.choose_one(rng);
            *hand = hand.or(card);
            pool = pool.without(card);
        }
    }
    hands
}
