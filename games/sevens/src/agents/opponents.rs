//! The opponent model: a mixture over known policies for every other player.

use super::inference::{Decision, HandLikelihood, any_of};
use super::learned::SEARCHER;
use super::{Eval, LearnedPolicy, Random, RandomPlayer, Rule};
use crate::policy::{HandPolicy, Turn};
use crate::{Cards, MAX_PLAYERS, View};
use oboro_core::{Rng, SeatView};
use std::array;

/// A policy that an opponent may follow.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OpponentPolicy {
    /// That of `random`.
    Random,
    /// That of `random:pass=yes`: any legal action.
    RandomOrPass,
    /// That of `rule`.
    Rule,
    /// That of `eval`.
    Eval,
    /// Imitates the search agents.
    Searcher,
}

/// A policy for every seat.
pub(super) type SeatPolicies = [OpponentPolicy; MAX_PLAYERS];

/// The number of known policies.
const POLICIES: usize = 5;

impl OpponentPolicy {
    /// All of them.
    pub const ALL: [OpponentPolicy; POLICIES] = [
        OpponentPolicy::Random,
        OpponentPolicy::RandomOrPass,
        OpponentPolicy::Rule,
        OpponentPolicy::Eval,
        OpponentPolicy::Searcher,
    ];

    /// The prior probability of each policy.
    const PRIOR: [f64; POLICIES] = [0.15, 0.1, 0.15, 0.3, 0.3];

    fn name(self) -> &'static str {
        match self {
            OpponentPolicy::Random => "random",
            OpponentPolicy::RandomOrPass => "random:pass=yes",
            OpponentPolicy::Rule => "rule",
            OpponentPolicy::Eval => "eval",
            OpponentPolicy::Searcher => "searcher",
        }
    }
}

/// A likelihood by policy.
pub(super) type Likelihoods = [f64; POLICIES];

/// A mixture over the policies of the others: with some probability all follow the same policy, otherwise each
/// follows one of its own.
#[derive(Clone, Copy, Debug)]
pub(super) struct OpponentModel {
    /// The other players, those who are out included.
    others: [bool; MAX_PLAYERS],
    /// The probability of a random legal action instead of the policy's.
    error: f64,
    /// The prior probability that all follow the same policy.
    same_policy: f64,
    searcher: &'static LearnedPolicy,
}

impl HandLikelihood for OpponentModel {
    type OfSeat = Likelihoods;

    #[inline]
    fn of_seat(&self, decisions: &[Decision], hand: Cards) -> Likelihoods {
        let mut likelihoods = [1.0; POLICIES];
        for decision in decisions {
            let (hand, cards) = decision.hand(hand);
            if cards.is_empty() {
                // Every policy passes.
                continue;
            }
            let by_policy = self.probabilities(decision, hand, cards);
            for (likelihood, probability) in likelihoods.iter_mut().zip(by_policy) {
                *likelihood *= probability;
            }
        }
        likelihoods
    }

    fn weight(&self, likelihoods: &[Likelihoods; MAX_PLAYERS], _: (usize, usize)) -> f64 {
        let (same, apart) = self.weights(likelihoods);
        same.iter().sum::<f64>() + apart
    }
}

impl OpponentModel {
    pub(super) fn new(view: &View, error: f64, same_policy: f64) -> OpponentModel {
        let players = usize::from(view.public().players);
        let is_other = |seat| seat != view.seat().index() && seat < players;
        let others = array::from_fn(is_other);
        OpponentModel { others, error, same_policy, searcher: &SEARCHER }
    }

    /// The probability of a decision with this hand, by policy.
    #[inline]
    fn probabilities(&self, decision: &Decision, hand: Cards, cards: Cards) -> Likelihoods {
        let action = decision.action;
        let at_random = 1.0 / decision.legal(cards);
        let best = decision.eval.best(hand, cards);
        let by_policy = [
            any_of(cards, action),
            at_random,
            any_of(cards.farthest(), action),
            any_of(best, action),
            self.searcher.probability(&decision.learned, hand, cards, action),
        ];
        by_policy.map(|probability| (1.0 - self.error) * probability + self.error * at_random)
    }

    /// The weight of each policy if all follow it, and the weight of a policy for each.
    fn weights(&self, likelihoods: &[Likelihoods; MAX_PLAYERS]) -> (Likelihoods, f64) {
        let mut same = OpponentPolicy::PRIOR.map(|prior| self.same_policy * prior);
        let mut apart = 1.0 - self.same_policy;
        for (of_seat, _) in likelihoods.iter().zip(self.others).filter(|(_, is_other)| *is_other) {
            for (weight, likelihood) in same.iter_mut().zip(of_seat) {
                *weight *= likelihood;
            }
            apart *= posterior_weights(of_seat).iter().sum::<f64>();
        }
        (same, apart)
    }

    /// Draws a policy for every seat from the posterior.
    pub(super) fn draw(
        &self,
        likelihoods: &[Likelihoods; MAX_PLAYERS],
        rng: &mut Rng,
    ) -> SeatPolicies {
        let (same, apart) = self.weights(likelihoods);
        if let Some(policy) = drawn(&same, same.iter().sum::<f64>() + apart, rng) {
            return [policy; MAX_PLAYERS];
        }
        likelihoods.map(|of_seat| {
            let weights = posterior_weights(&of_seat);
            // Nothing is left over but for rounding.
            drawn(&weights, weights.iter().sum(), rng).unwrap_or(OpponentPolicy::Searcher)
        })
    }

    /// The posterior over policies by player, averaged over particles.
    pub(super) fn posterior<'a>(
        &self,
        particles: impl Iterator<Item = &'a [Likelihoods; MAX_PLAYERS]>,
    ) -> [Likelihoods; MAX_PLAYERS] {
        let mut sums = [[0.0; POLICIES]; MAX_PLAYERS];
        let mut count = 0.0;
        for likelihoods in particles {
            let (same, apart) = self.weights(likelihoods);
            let total = same.iter().sum::<f64>() + apart;
            for (sum, of_seat) in sums.iter_mut().zip(likelihoods) {
                let weights = posterior_weights(of_seat);
                let own = weights.iter().sum::<f64>();
                for i in 0..POLICIES {
                    sum[i] += (same[i] + apart * weights[i] / own) / total;
                }
            }
            count += 1.0;
        }
        sums.map(|sum| sum.map(|sum| sum / count))
    }

    /// The posterior as text, a line for each of the others.
    pub(super) fn describe<'a>(
        &self,
        particles: impl Iterator<Item = &'a [Likelihoods; MAX_PLAYERS]>,
    ) -> String {
        let mut text = String::new();
        for (seat, of_seat) in self.posterior(particles).into_iter().enumerate() {
            if self.others[seat] {
                let shares = OpponentPolicy::ALL.into_iter().zip(of_seat);
                let shares: Vec<String> = shares
                    .map(|(policy, share)| format!("{} {:.0} %", policy.name(), share * 100.0))
                    .collect();
                text.push_str(&format!("seat {seat} plays like {}\n", shares.join(", ")));
            }
        }
        text
    }
}

/// Prior times likelihood, by policy.
fn posterior_weights(of_seat: &Likelihoods) -> Likelihoods {
    array::from_fn(|i| OpponentPolicy::PRIOR[i] * of_seat[i])
}

/// A policy drawn in proportion to the weights; none with what is left of the total.
fn drawn(weights: &Likelihoods, total: f64, rng: &mut Rng) -> Option<OpponentPolicy> {
    let mut rest = rng.unit() * total;
    let is_drawn = |weight: &f64| {
        rest -= weight;
        rest < 0.0
    };
    weights.iter().position(is_drawn).map(|i| OpponentPolicy::ALL[i])
}

/// A playout policy with a policy for each seat.
#[derive(Clone, Copy, Debug)]
pub(super) struct PolicyBySeat {
    policies: SeatPolicies,
    searcher: &'static LearnedPolicy,
}

impl PolicyBySeat {
    pub(super) fn new(policies: SeatPolicies) -> PolicyBySeat {
        PolicyBySeat { policies, searcher: &SEARCHER }
    }
}

impl HandPolicy for PolicyBySeat {
    #[inline]
    fn choose(&self, turn: Turn<'_>, rng: &mut Rng) -> Cards {
        match self.policies[turn.seat.index()] {
            OpponentPolicy::Random => Random.choose(turn, rng),
            OpponentPolicy::RandomOrPass => RandomPlayer { pass: true }.choose(turn, rng),
            OpponentPolicy::Rule => Rule.choose(turn, rng),
            OpponentPolicy::Eval => Eval::default().choose(turn, rng),
            OpponentPolicy::Searcher => self.searcher.choose(turn, rng),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::inference::tests::{by_eval, check_drawn, late_views, replay, worlds};
    use super::super::inference::{HandInference, Particle};
    use super::super::particles::ParticleSet;
    use super::*;
    use crate::{Action, Card, Sevens, World};
    use oboro_core::{Game, GameWorld, Seat};

    const ERROR: f64 = 0.05;
    const SAME_POLICY: f64 = 0.5;

    /// The probability of an action by policy, written from the descriptions of the policies.
    fn reference(world: &World, seat: Seat, legal: &[Action], action: Action) -> Likelihoods {
        let one_of = |set: Vec<Action>| {
            if set.contains(&action) { 1.0 / set.len() as f64 } else { 0.0 }
        };
        let cards = world.playable_hand();
        let farthest = cards.iter().map(Card::distance).max();
        let lay = |keep: &dyn Fn(Card) -> bool| {
            cards.iter().filter(|&card| keep(card)).map(Action::Lay).collect()
        };
        let (mut sum, mut chosen) = (0.0, 0.0);
        let turn = Turn { public: world.public(), seat, hand: world.hand(seat), cards };
        LearnedPolicy::for_each_action(turn, |of| {
            let weight = SEARCHER.weight(of);
            sum += weight;
            chosen += if of.action == action { weight } else { 0.0 };
        });
        [
            one_of(lay(&|_| true)),
            one_of(legal.to_vec()),
            one_of(lay(&|card| Some(card.distance()) == farthest)),
            by_eval(world, seat, action),
            f64::from(chosen / sum),
        ]
        .map(|probability| (1.0 - ERROR) * probability + ERROR / legal.len() as f64)
    }

    /// The likelihood of a world: a sum over all assignments of policies to the others.
    fn weight(rules: &Sevens, view: &View, now: &World) -> f64 {
        let mut by_seat = [[1.0; POLICIES]; MAX_PLAYERS];
        replay(rules, view, now, |world, seat, legal, action| {
            let by_policy = reference(world, seat, legal, action);
            for (likelihood, probability) in by_seat[seat.index()].iter_mut().zip(by_policy) {
                *likelihood *= probability;
            }
        });
        let others: Vec<usize> =
            (0..rules.players.into()).filter(|&seat| seat != view.seat().index()).collect();
        let mut sum = 0.0;
        for number in 0..POLICIES.pow(others.len() as u32) {
            let policy = |i: usize| number / POLICIES.pow(i as u32) % POLICIES;
            let all_same = (0..others.len()).all(|i| policy(i) == policy(0));
            let apart: f64 = (0..others.len()).map(|i| OpponentPolicy::PRIOR[policy(i)]).product();
            let same = if all_same { OpponentPolicy::PRIOR[policy(0)] } else { 0.0 };
            let likelihoods = others.iter().enumerate().map(|(i, &s)| by_seat[s][policy(i)]);
            sum +=
                (SAME_POLICY * same + (1.0 - SAME_POLICY) * apart) * likelihoods.product::<f64>();
        }
        sum
    }

    #[test]
    fn particles_are_distributed_by_the_likelihood_of_hands_and_policies() {
        for (players, holders) in [(3, 3), (4, 3), (4, 4)] {
            let mut rng = Rng::from_u64(15);
            let rules = Sevens { players, ..Sevens::default() };
            let views = late_views(&rules, holders, &mut rng);
            let view = views.last().expect("a view");
            let inference = HandInference::new(view, OpponentModel::new(view, ERROR, SAME_POLICY));
            let worlds = worlds(view);
            let weights: Vec<f64> =
                worlds.iter().map(|world| weight(&rules, view, world)).collect();
            for (world, weight) in worlds.iter().zip(&weights) {
                let likelihoods = inference.particle(world.hands).likelihoods;
                let found = inference.likelihood.weight(&likelihoods, (0, 0));
                assert!((found / weight - 1.0).abs() < 1e-5, "{found} for {weight}");
            }
            // Once carried through the game, and once read from its end alone.
            for views in [&views[..], &views[views.len() - 1..]] {
                let mut particles = ParticleSet::new(4000);
                for view in views {
                    let inference =
                        HandInference::new(view, OpponentModel::new(view, ERROR, SAME_POLICY));
                    particles.advance(view, &inference, 40, &mut rng);
                }
                let mut drawn = particles.particles().iter();
                check_drawn(&worlds, &weights, 4000, 0.08, || {
                    let particle: &Particle<_> = drawn.next().expect("as many as were asked for");
                    inference.world(particle).hands
                });
            }
        }
    }

    #[test]
    fn the_posterior_finds_the_policy_of_the_opponents() {
        let rules = Sevens::default();
        let me = Seat::FIRST;
        for truth in OpponentPolicy::ALL.into_iter().take(4) {
            let mut rng = Rng::from_u64(16);
            let mut policies = [truth; MAX_PLAYERS];
            policies[me.index()] = OpponentPolicy::Eval;
            let policy = PolicyBySeat::new(policies);
            let games = 6;
            let mut found = [0.0; POLICIES];
            for _ in 0..games {
                let mut world = rules.deal(&mut rng);
                let mut particles = ParticleSet::new(100);
                let mut last = [[0.0; POLICIES]; MAX_PLAYERS];
                while let Some(seat) = world.to_act() {
                    if seat == me {
                        let view = world.view(me);
                        let model = OpponentModel::new(&view, ERROR, SAME_POLICY);
                        let inference = HandInference::new(&view, model);
                        particles.advance(&view, &inference, 5, &mut rng);
                        let likelihoods = particles.particles().iter().map(|p| &p.likelihoods);
                        last = inference.likelihood.posterior(likelihoods);
                    }
                    let action =
                        policy.choose_or_pass(world.public(), seat, world.hand(seat), &mut rng);
                    world.apply(action);
                }
                for (sum, share) in found.iter_mut().zip(last[1]) {
                    *sum += share / f64::from(games);
                }
            }
            let max = found.iter().copied().fold(0.0, f64::max);
            let share = found[truth as usize];
            assert!(share == max && share > 0.5, "{truth:?}: {found:?}");
        }
    }
}
