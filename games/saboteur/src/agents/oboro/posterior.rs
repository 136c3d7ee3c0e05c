//! The joint posterior over roles and the place of the gold.

use super::action_class::{ActionClass, POLICIES};
use crate::{Goal, Role, Saboteur, Seats};
use oboro_core::{Rng, Seat};
use std::array::from_fn;

/// The prior probability that all others follow the same policy.
const SAME_POLICY: f64 = 0.5;

/// The likelihood of everybody's actions under every deal of roles and every place of the gold.
///
/// A hypothesis is a set of saboteurs with a place of the gold. For each hypothesis and each seat it keeps the likelihood
/// of the seat's actions by policy. One of the policies is random, so that no hypothesis is ever excluded.
#[derive(Clone, Debug)]
pub(super) struct RolePosterior {
    /// Every possible set of saboteurs, all equally likely. There is one role card more than players, so one saboteur may
    /// be missing.
    deals: Vec<Seats>,
    players: usize,
    /// By seat, deal and goal.
    likelihoods: Vec<[f64; POLICIES]>,
}

/// A hypothesis with a policy for every seat.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Hypothesis {
    pub(super) saboteurs: Seats,
    pub(super) gold: Goal,
    /// By seat.
    pub(super) policies: [usize; Saboteur::MAX_PLAYERS],
}

/// The marginals of an observer's posterior.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Marginals {
    /// By seat, the probability of being a saboteur.
    pub(super) saboteur: [f64; Saboteur::MAX_PLAYERS],
    /// By goal, the probability of being the gold.
    pub(super) gold: [f64; 3],
}

impl RolePosterior {
    /// The prior.
    pub(super) fn new(rules: Saboteur) -> RolePosterior {
        let players = usize::from(rules.players);
        let max = rules.saboteur_cards();
        let deals: Vec<Seats> = Seats::all(players)
            .filter(|seats| seats.len() == max || seats.len() + 1 == max)
            .filter(|seats| players - seats.len() <= rules.digger_cards())
            .collect();
        let likelihoods = vec![[1.0; POLICIES]; players * deals.len() * 3];
        RolePosterior { deals, players, likelihoods }
    }

    /// Back to the prior, for a new round.
    pub(super) fn clear(&mut self) {
        self.likelihoods.fill([1.0; POLICIES]);
    }

    /// Updates by an action.
    pub(super) fn update(&mut self, action: ActionClass) {
        let size = self.deals.len() * 3;
        let rows = &mut self.likelihoods[action.actor().index() * size..][..size];
        let mut max: f64 = 0.0;
        for (of_goals, &saboteurs) in rows.chunks_exact_mut(3).zip(&self.deals) {
            for (row, goal) in of_goals.iter_mut().zip(Goal::ALL) {
                for (policy, likelihood) in row.iter_mut().enumerate() {
                    *likelihood *= action.likelihood(policy, saboteurs, goal);
                    max = max.max(*likelihood);
                }
            }
        }
        // Only ratios count; scaling keeps them representable.
        for likelihood in rows.iter_mut().flatten() {
            *likelihood /= max;
        }
    }

    /// The posterior weights of all hypotheses for a seat that knows its own role, or for a spectator; not scaled. `seen`
    /// weighs the goals by what the observer knows. The own actions are no evidence.
    pub(super) fn weights(
        &self,
        own: Option<(Seat, Role)>,
        seen: [f64; 3],
        prior: &[f64; POLICIES],
    ) -> Vec<f64> {
        let mut weights = Vec::with_capacity(self.deals.len() * 3);
        for (number, &saboteurs) in self.deals.iter().enumerate() {
            let is_possible = own.is_none_or(|(seat, role)| Role::of(saboteurs, seat) == role);
            for (goal, seen) in seen.into_iter().enumerate() {
                let weight = if is_possible && seen > 0.0 {
                    let (same, apart) = self.likelihoods(3 * number + goal, own, prior);
                    seen * (SAME_POLICY * same.iter().sum::<f64>() + (1.0 - SAME_POLICY) * apart)
                } else {
                    0.0
                };
                weights.push(weight);
            }
        }
        weights
    }

    /// The likelihood of the others' actions under a hypothesis: by policy if all follow the same, and if each follows
    /// its own.
    fn likelihoods(
        &self,
        number: usize,
        own: Option<(Seat, Role)>,
        prior: &[f64; POLICIES],
    ) -> ([f64; POLICIES], f64) {
        let (mut same, mut apart) = (*prior, 1.0);
        for seat in self.others(own) {
            let row = self.row(seat, number);
            apart *= row.iter().zip(prior).map(|(like, prior)| like * prior).sum::<f64>();
            for (all, like) in same.iter_mut().zip(row) {
                *all *= like;
            }
        }
        (same, apart)
    }

    fn others(&self, own: Option<(Seat, Role)>) -> impl Iterator<Item = Seat> {
        Seat::all(self.players).filter(move |&seat| own.is_none_or(|(own, _)| own != seat))
    }

    fn row(&self, seat: Seat, number: usize) -> &[f64; POLICIES] {
        &self.likelihoods[seat.index() * self.deals.len() * 3 + number]
    }

    /// Draws a hypothesis and policies by the weights of the same observer.
    pub(super) fn draw(
        &self,
        weights: &[f64],
        own: Option<(Seat, Role)>,
        prior: &[f64; POLICIES],
        rng: &mut Rng,
    ) -> Hypothesis {
        let number = pick(weights, rng);
        let (same, apart) = self.likelihoods(number, own, prior);
        let all = SAME_POLICY * same.iter().sum::<f64>();
        let together = rng.unit() * (all + (1.0 - SAME_POLICY) * apart) < all;
        let mut policies = [pick(&same, rng); Saboteur::MAX_PLAYERS];
        if !together {
            for seat in self.others(own) {
                let row = self.row(seat, number);
                let odds: [f64; POLICIES] = from_fn(|policy| row[policy] * prior[policy]);
                policies[seat.index()] = pick(&odds, rng);
            }
        }
        Hypothesis { saboteurs: self.deals[number / 3], gold: Goal::ALL[number % 3], policies }
    }

    /// The marginals of weights.
    pub(super) fn marginals(&self, weights: &[f64]) -> Marginals {
        let mut marginals = Marginals { saboteur: [0.0; Saboteur::MAX_PLAYERS], gold: [0.0; 3] };
        let mut total = 0.0;
        for (weights, &saboteurs) in weights.chunks_exact(3).zip(&self.deals) {
            for (weight, gold) in weights.iter().zip(&mut marginals.gold) {
                total += weight;
                *gold += weight;
                for seat in Seat::all(self.players).filter(|&seat| saboteurs.contains(seat)) {
                    marginals.saboteur[seat.index()] += weight;
                }
            }
        }
        marginals.gold = marginals.gold.map(|weight| weight / total);
        marginals.saboteur = marginals.saboteur.map(|weight| weight / total);
        marginals
    }
}

/// Draws an index in proportion to these odds.
fn pick(odds: &[f64], rng: &mut Rng) -> usize {
    let mut wanted = rng.unit() * odds.iter().sum::<f64>();
    let drawn = odds.iter().position(|odds| {
        wanted -= odds;
        wanted < 0.0
    });
    // Rounding may leave a rest: then the last possible one.
    let last = || odds.iter().rposition(|&odds| odds > 0.0);
    drawn.or_else(last).unwrap_or(0)
}
