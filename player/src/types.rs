//! How other seats may play where worlds are sampled and replayed: by the simple policies that the game lists, with few or many
//! actions at random, or at random altogether. Each seat has a type of its own, or all have the same.
//!
//! No type is a particular agent, and nothing is carried from one game to the next.

use crate::playable::Playable;
use oboro_core::{GameWorld, Policy, Rng, Seat};
use oboro_search::PlayoutPolicy;

/// The prior probability that a seat plays at random.
const AT_RANDOM: f64 = 0.2;

/// The shares of random actions of the types that follow a policy, with their prior probabilities.
const ERRORS: [(f64, f64); 2] = [(0.02, 0.7), (0.3, 0.3)];

/// The prior probability that all others play alike.
const ALIKE: f64 = 0.5;

/// Below this a product is kept as a logarithm.
const SMALL: f64 = 1e-200;

/// No game here has more seats.
const MOST_SEATS: usize = 16;

/// The types of opponents of a game.
pub(crate) struct Opponents<G: Playable> {
    pub(crate) policies: Policies<G>,
    pub(crate) mixture: Mixture,
}

/// The policies that a game lists.
pub(crate) struct Policies<G: Playable>(Vec<Box<dyn Policy<G::World>>>);

/// The prior probability of every type: at random, then with each share of errors by each policy.
pub(crate) struct Mixture(Vec<f64>);

/// The likelihood of what each seat did in a world, for every type.
#[derive(Clone, Debug)]
pub(crate) struct Evidence {
    /// Seat after seat: a factor, and the logarithm of the rest.
    of_types: Vec<(f64, f64)>,
}

/// The type of each seat.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Types([u8; MOST_SEATS]);

impl<G: Playable> Opponents<G> {
    /// Those of a game; none where worlds are not replayed.
    pub(crate) fn new() -> Opponents<G> {
        let listed = if G::REVISE.is_some() { G::policies() } else { Vec::new() };
        let policies: Vec<_> = listed.iter().map(PlayoutPolicy::copy).collect();
        let share = (1.0 - AT_RANDOM) / policies.len() as f64;
        let of_policies = policies.iter().flat_map(|_| ERRORS).map(|(_, prior)| share * prior);
        let mixture = Mixture([AT_RANDOM].into_iter().chain(of_policies).collect());
        Opponents { policies: Policies(policies), mixture }
    }

    /// Takes in an action of a seat.
    pub(crate) fn witness(
        &mut self,
        evidence: &mut Evidence,
        world: &G::World,
        seat: Seat,
        action: G::Action,
    ) {
        let mut legal = 0;
        world.for_each_legal(|_| legal += 1);
        if legal < 2 {
            return;
        }
        let at_random = 1.0 / f64::from(legal);
        let count = self.mixture.0.len();
        let of_seat = &mut evidence.of_types[seat.index() * count..][..count];
        let (random, followed) = of_seat.split_first_mut().expect("the type that is random");
        multiply(random, at_random);
        let Policies(policies) = &mut self.policies;
        for (policy, types) in policies.iter_mut().zip(followed.chunks_exact_mut(ERRORS.len())) {
            let share = policy.probability(world, action);
            for (of_type, (error, _)) in types.iter_mut().zip(ERRORS) {
                multiply(of_type, (1.0 - error) * share + error * at_random);
            }
        }
    }
}

impl Mixture {
    /// What is known of opponents that have done nothing.
    pub(crate) fn nothing(&self, seats: usize) -> Evidence {
        assert!(seats <= MOST_SEATS, "{seats} seats");
        Evidence { of_types: vec![(1.0, 0.0); seats * self.0.len()] }
    }

    /// The logarithm of the likelihood of what all seats but one did.
    pub(crate) fn likelihood(&self, evidence: &Evidence, but: Seat) -> f64 {
        let (alike, apart) = self.weights(evidence, but);
        log_sum(alike.chain([apart]))
    }

    /// Draws a type for every seat, by what it did in a world.
    pub(crate) fn draw(&self, evidence: &Evidence, but: Seat, rng: &mut Rng) -> Types {
        let (alike, apart) = self.weights(evidence, but);
        let drawn = draw(alike.chain([apart]), rng);
        if drawn < self.0.len() {
            return Types([drawn as u8; MOST_SEATS]);
        }
        let mut types = [0; MOST_SEATS];
        let seats = evidence.of_types.len() / self.0.len();
        for (seat, of_seat) in types[..seats].iter_mut().enumerate() {
            *of_seat = draw(self.of_seat(evidence, seat), rng) as u8;
        }
        Types(types)
    }

    /// The logarithms of the weight of each type if all seats but one have it, and of the weight if each has one of its own.
    fn weights<'a>(
        &'a self,
        evidence: &'a Evidence,
        but: Seat,
    ) -> (impl Iterator<Item = f64> + Clone + 'a, f64) {
        let count = self.0.len();
        let others = (0..evidence.of_types.len() / count).filter(move |&seat| seat != but.index());
        let each = |seat| log_sum(self.of_seat(evidence, seat));
        let apart = libm::log(1.0 - ALIKE) + others.clone().map(each).sum::<f64>();
        let alike = self.0.iter().enumerate().map(move |(number, prior)| {
            let of = |seat| log(evidence.of_types[seat * count + number]);
            libm::log(ALIKE * prior) + others.clone().map(of).sum::<f64>()
        });
        (alike, apart)
    }

    /// The logarithms of the weights of a seat's types.
    fn of_seat<'a>(
        &'a self,
        evidence: &'a Evidence,
        seat: usize,
    ) -> impl Iterator<Item = f64> + Clone + 'a {
        let types = &evidence.of_types[seat * self.0.len()..];
        self.0.iter().zip(types).map(|(prior, of_type)| libm::log(*prior) + log(*of_type))
    }
}

impl Evidence {
    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.of_types.fill((1.0, 0.0));
    }
}

impl<G: Playable> Policies<G> {
    /// Plays a world to its end: the others by their types, a seat by the last of the policies.
    pub(crate) fn play_out(
        &mut self,
        world: &mut G::World,
        seat: Seat,
        Types(types): &Types,
        rng: &mut Rng,
    ) {
        while let Some(actor) = world.to_act() {
            // Types but the first: the errors of each policy.
            let number = usize::from(types[actor.index()]).checked_sub(1);
            let action = match number {
                _ if actor == seat => self.0.last_mut().expect("a policy").choose(world, rng),
                Some(number) if !rng.chance(ERRORS[number % ERRORS.len()].0) => {
                    self.0[number / ERRORS.len()].choose(world, rng)
                }
                _ => world.random_action(rng),
            };
            world.apply(action);
        }
    }
}

fn multiply((factor, rest): &mut (f64, f64), by: f64) {
    *factor *= by;
    if *factor < SMALL {
        *rest += libm::log(*factor);
        *factor = 1.0;
    }
}

fn log((factor, rest): (f64, f64)) -> f64 {
    libm::log(factor) + rest
}

/// The logarithm of a sum of numbers that are given by their logarithms.
fn log_sum(logs: impl Iterator<Item = f64> + Clone) -> f64 {
    let most = logs.clone().fold(f64::NEG_INFINITY, f64::max);
    most + libm::log(logs.map(|log| libm::exp(log - most)).sum())
}

/// A number drawn by weights that are given by their logarithms.
fn draw(logs: impl Iterator<Item = f64> + Clone, rng: &mut Rng) -> usize {
    let most = logs.clone().fold(f64::NEG_INFINITY, f64::max);
    let weights = logs.map(|log| libm::exp(log - most));
    let mut rest = rng.unit() * weights.clone().sum::<f64>();
    let mut last = 0;
    for (number, weight) in weights.enumerate() {
        last = number;
        rest -= weight;
        if rest < 0.0 {
            break;
        }
    }
    last
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A mixture of three types, and what three seats did by them.
    fn example() -> (Mixture, Evidence, [[f64; 3]; 3]) {
        let of_types = [[0.5, 0.1, 0.02], [0.3, 0.9, 1e-3], [0.2, 0.4, 0.7]];
        let flat = of_types.iter().flatten().map(|&likelihood| (likelihood, 0.0)).collect();
        (Mixture(vec![0.2, 0.5, 0.3]), Evidence { of_types: flat }, of_types)
    }

    #[test]
    fn likelihoods_are_sums_over_all_types_of_all_seats() {
        let (mixture, evidence, of_types) = example();
        let priors = [0.2, 0.5, 0.3];
        let mut sum = 0.0;
        for one in 0..3 {
            for other in 0..3 {
                let both = of_types[0][one] * of_types[2][other];
                sum += (1.0 - ALIKE) * priors[one] * priors[other] * both;
                sum += if one == other { ALIKE * priors[one] * both } else { 0.0 };
            }
        }
        let found = libm::exp(mixture.likelihood(&evidence, Seat::new(1)));
        assert!((found - sum).abs() < 1e-12, "{found}, not {sum}");
    }

    #[test]
    fn types_are_drawn_by_their_likelihood() {
        let (mixture, evidence, of_types) = example();
        let mut rng = Rng::from_u64(1);
        let mut counts = [0.0; 3];
        let draws = 20_000;
        for _ in 0..draws {
            let Types(types) = mixture.draw(&evidence, Seat::new(1), &mut rng);
            counts[usize::from(types[0])] += 1.0 / f64::from(draws);
        }
        let priors = [0.2, 0.5, 0.3];
        let sum_of = |seat: usize| (0..3).map(|n| priors[n] * of_types[seat][n]).sum::<f64>();
        let weight = |n: usize| {
            let own = priors[n] * of_types[0][n];
            ALIKE * own * of_types[2][n] + (1.0 - ALIKE) * own * sum_of(2)
        };
        let total: f64 = (0..3).map(weight).sum();
        for (number, count) in counts.into_iter().enumerate() {
            assert!((count - weight(number) / total).abs() < 0.02, "{counts:?}");
        }
    }

    #[test]
    fn long_products_do_not_vanish() {
        let mut of_type = (1.0, 0.0);
        (0..1000).for_each(|_| multiply(&mut of_type, 1e-3));
        assert!((log(of_type) - 1000.0 * libm::log(1e-3)).abs() < 1e-6);
    }
}
