//! What may be true where it cannot be listed: particles that are carried through a game (sequential Monte Carlo).
//!
//! A particle is a start of the game and what everybody has done since. When the seat is to move again, what contradicts
//! something seen is put right ([`Searchable::REVISE`](oboro_search::Searchable::REVISE)), the game is replayed from its start,
//! and particles are drawn by how much likelier they became. Then each tries to exchange hidden things (Metropolis steps), so
//! that particles drawn twice become different again. In the long run a particle is drawn by the likelihood of all that was
//! done, under the mixture of opponents.

use crate::playable::Playable;
use crate::types::{Evidence, Opponents};
use oboro_core::{Belief, GameWorld, Rng, Seat, SeatView};

/// The particles of a player. Few that take many steps are better than many that take few: in Sevens with three `eval`, 500 with
/// 5 steps had a Brier score of 0.628, 100 with 40 one of 0.603 (60 games), at nearly the same cost.
const PARTICLES: usize = 64;

/// Metropolis steps of a particle whenever the seat is to move.
const STEPS: usize = 64;

/// So many times as many steps when a game is taken in that has gone on for long.
const LATE: usize = 4;

/// How often in these steps all particles are copied to the samples; the first quarter does not count.
const COPIES: usize = 8;

/// How a game may have gone.
struct Particle<G: Playable> {
    start: G::World,
    actions: Vec<G::Action>,
    now: G::World,
    evidence: Evidence,
    /// The logarithm of the likelihood of what the others did.
    likelihood: f64,
}

/// What may be true, and what the others did in it.
#[derive(Clone)]
pub(crate) struct Sample<G: Playable> {
    pub(crate) world: G::World,
    pub(crate) evidence: Evidence,
}

/// Samples of what may be true, each as likely as any other.
#[derive(Clone)]
pub(crate) struct Particles<G: Playable> {
    game: G,
    /// What the seat knew first, and what it has seen since.
    start: G::View,
    seen: Vec<G::Event>,
    /// How much of it the particles have taken in.
    taken_in: usize,
    all: Vec<Particle<G>>,
    samples: Vec<Sample<G>>,
}

impl<G: Playable> Clone for Particle<G> {
    fn clone(&self) -> Particle<G> {
        Particle {
            start: self.start.clone(),
            actions: self.actions.clone(),
            now: self.now.clone(),
            evidence: self.evidence.clone(),
            likelihood: self.likelihood,
        }
    }

    fn clone_from(&mut self, other: &Particle<G>) {
        self.start.clone_from(&other.start);
        self.actions.clone_from(&other.actions);
        self.now.clone_from(&other.now);
        self.evidence.clone_from(&other.evidence);
        self.likelihood = other.likelihood;
    }
}

impl<G: Playable> Particle<G> {
    fn new(start: G::World, nothing: &Evidence) -> Particle<G> {
        let (now, evidence) = (start.clone(), nothing.clone());
        Particle { start, actions: Vec::new(), now, evidence, likelihood: 0.0 }
    }

    /// Plays the game again from its start as it was seen, and weighs what the others did. An action that cannot have been is
    /// replaced by one that looks the same. Tells whether there is always one.
    fn replay(
        &mut self,
        seat: Seat,
        seen: &[G::Event],
        opponents: &mut Opponents<G>,
        rng: &mut Rng,
    ) -> bool {
        let Particle { start, actions, now, evidence, likelihood } = self;
        now.clone_from(start);
        evidence.clear();
        for (ply, event) in seen.iter().enumerate() {
            let Some(actor) = now.to_act() else { return false };
            let fits = |action| now.is_legal(action) && now.event(action, seat) == *event;
            let known = actions.get(ply).copied().filter(|&action| fits(action));
            let Some(action) = known.or_else(|| matching::<G>(now, seat, event, rng)) else {
                return false;
            };
            match actions.get_mut(ply) {
                Some(kept) => *kept = action,
                None => actions.push(action),
            }
            if actor != seat {
                opponents.witness(evidence, now, actor, action);
            }
            now.apply(action);
        }
        *likelihood = opponents.mixture.likelihood(evidence, seat);
        true
    }
}

/// One of the legal actions that a seat would see as this event.
fn matching<G: Playable>(
    world: &G::World,
    seat: Seat,
    event: &G::Event,
    rng: &mut Rng,
) -> Option<G::Action> {
    let (mut found, mut count) = (None, 0);
    world.for_each_legal(|action| {
        if world.event(action, seat) == *event {
            count += 1;
            // Each of them ends up chosen with the same probability.
            if count == 1 || rng.below(count) == 0 {
                found = Some(action);
            }
        }
    });
    found
}

impl<G: Playable> Particles<G> {
    /// Those of a seat that knows a view, as if nothing had been seen before it.
    pub(crate) fn of(game: &G, view: &G::View) -> Particles<G> {
        let (all, samples, seen) = (Vec::new(), Vec::new(), Vec::new());
        let (game, start) = (game.clone(), view.clone());
        Particles { game, start, seen, taken_in: 0, all, samples }
    }

    /// Takes in what the seat saw of an action.
    pub(crate) fn follow(&mut self, event: &G::Event) {
        self.seen.push(event.clone());
    }

    /// Takes in all that was seen up to a view.
    pub(crate) fn agree_with(
        &mut self,
        view: &G::View,
        opponents: &mut Opponents<G>,
        rng: &mut Rng,
    ) {
        self.advance(view, opponents, rng);
        if !self.samples.first().is_some_and(|one| one.world.view(view.seat()) == *view) {
            // It was not told everything: what it knows begins here.
            *self = Particles::of(&self.game, view);
            self.advance(view, opponents, rng);
        }
    }

    fn advance(&mut self, view: &G::View, opponents: &mut Opponents<G>, rng: &mut Rng) {
        let Particles { game, start, seen, taken_in, all: particles, samples } = self;
        let Some(revise) = G::REVISE.filter(|_| samples.is_empty() || *taken_in < seen.len())
        else {
            return;
        };
        let steps = if particles.is_empty() { LATE * STEPS } else { STEPS };
        *taken_in = seen.len();
        samples.clear();
        let nothing = opponents.mixture.nothing(game.seats());
        if seen.is_empty() {
            samples.extend(
                (0..PARTICLES * COPIES)
                    .map(|_| Sample { world: start.imagine(rng), evidence: nothing.clone() }),
            );
            return;
        }
        if particles.is_empty() {
            particles.extend((0..PARTICLES).map(|_| Particle::new(start.imagine(rng), &nothing)));
        }
        let mut gains = Vec::with_capacity(PARTICLES);
        for one in &mut *particles {
            let before = one.likelihood;
            let mut fits = one.replay(view.seat(), seen, opponents, rng);
            if !fits {
                revise(&mut one.start, view, rng);
                fits = one.replay(view.seat(), seen, opponents, rng);
            }
            gains.push(if fits { one.likelihood - before } else { f64::NEG_INFINITY });
        }
        resample(particles, &gains, rng);
        let mut proposal = particles[0].clone();
        for step in 1..=steps {
            for one in &mut *particles {
                proposal.clone_from(one);
                revise(&mut proposal.start, view, rng);
                if proposal.start == one.start
                    || !proposal.replay(view.seat(), seen, opponents, rng)
                {
                    continue;
                }
                let gain = proposal.likelihood - one.likelihood;
                if gain >= 0.0 || rng.unit() < libm::exp(gain) {
                    std::mem::swap(one, &mut proposal);
                }
            }
            if step % (steps / COPIES) == 0 && 4 * step > steps {
                let copy = |one: &Particle<G>| Sample {
                    world: one.now.clone(),
                    evidence: one.evidence.clone(),
                };
                samples.extend(particles.iter().map(copy));
            }
        }
    }

    pub(crate) fn samples(&self) -> &[Sample<G>] {
        &self.samples
    }

    /// What is believed of everything hidden, in the words of the game.
    pub(crate) fn beliefs(&self, view: &G::View) -> Vec<Belief> {
        beliefs_of(&self.game, view, self.samples.iter().map(|one| (&one.world, 1.0)))
    }
}

/// What is believed of everything hidden if these worlds have these weights.
pub(crate) fn beliefs_of<'a, G: Playable>(
    game: &G,
    view: &G::View,
    worlds: impl Iterator<Item = (&'a G::World, f64)>,
) -> Vec<Belief> {
    let mut beliefs = game.secrets(view);
    let all = beliefs.iter_mut().flat_map(|belief| &mut belief.values);
    all.for_each(|value| value.probability = 0.0);
    let mut total = 0.0;
    for (world, weight) in worlds {
        total += weight;
        for (belief, truth) in beliefs.iter_mut().zip(game.answers(world, view)) {
            let so = belief.values.iter_mut().find(|value| value.value == truth);
            if let Some(value) = so {
                value.probability += weight;
            }
        }
    }
    let all = beliefs.iter_mut().flat_map(|belief| &mut belief.values);
    all.for_each(|value| value.probability /= total);
    beliefs
}

/// Draws as many as there are, in proportion to weights that are given by their logarithms: systematic resampling. If all are
/// impossible, nothing changes.
fn resample<T: Clone>(all: &mut Vec<T>, logs: &[f64], rng: &mut Rng) {
    let most = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if most == f64::NEG_INFINITY {
        return;
    }
    let weights: Vec<f64> = logs.iter().map(|log| libm::exp(log - most)).collect();
    let step = weights.iter().sum::<f64>() / weights.len() as f64;
    let (mut next, mut sum) = (step * rng.unit(), 0.0);
    let mut drawn = Vec::with_capacity(all.len());
    for (one, weight) in all.iter().zip(&weights) {
        sum += weight;
        while next < sum && drawn.len() < all.len() {
            drawn.push(one.clone());
            next += step;
        }
    }
    // What rounding left out.
    let last = weights.iter().rposition(|weight| *weight > 0.0).unwrap_or(0);
    drawn.resize_with(all.len(), || all[last].clone());
    *all = drawn;
}
