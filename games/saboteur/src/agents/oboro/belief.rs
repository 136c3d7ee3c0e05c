//! Who the saboteurs are and where the gold is, jointly: every deal of the roles that the rules allow, with every
//! place of the gold.

use super::deed::{Deed, KINDS};
use crate::{Goal, Role, Saboteur, Seats};
use oboro_core::{Rng, Seat};

/// What everybody's deeds say of every deal of roles and every place of the gold.
///
/// A hypothesis is a set of saboteurs with a place of the gold. For each of them and each seat it keeps how likely the
/// seat's deeds were, had they been done by each known kind of player; whoever plays like none of them is like the kind
/// that plays at random, so that no hypothesis ever dies.
#[derive(Clone, Debug)]
pub(super) struct Joint {
    /// Every possible set of saboteurs. One role card more than players is dealt from, so one saboteur may be
    /// missing, and all sets of either size are equally likely.
    deals: Vec<Seats>,
    players: usize,
    /// By seat, deal and goal.
    likelihoods: Vec<[f64; KINDS]>,
}

/// What one observer makes of it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Marginals {
    /// How likely each seat is a saboteur.
    pub(super) saboteur: [f64; Saboteur::MAX_PLAYERS],
    /// How likely the gold is under each goal.
    pub(super) gold: [f64; 3],
}

impl Joint {
    /// Before anybody has done anything.
    pub(super) fn new(rules: Saboteur) -> Joint {
        let players = usize::from(rules.players);
        let most = rules.saboteur_cards();
        let deals: Vec<Seats> = Seats::all(players)
            .filter(|seats| seats.count() == most || seats.count() + 1 == most)
            .filter(|seats| players - seats.count() <= rules.digger_cards())
            .collect();
        let likelihoods = vec![[1.0; KINDS]; players * deals.len() * 3];
        Joint { deals, players, likelihoods }
    }

    /// Forgets everything: a new round.
    pub(super) fn clear(&mut self) {
        self.likelihoods.fill([1.0; KINDS]);
    }

    /// Takes in what somebody did.
    pub(super) fn learn(&mut self, deed: Deed) {
        let size = self.deals.len() * 3;
        let rows = &mut self.likelihoods[deed.actor().index() * size..][..size];
        let mut most: f64 = 0.0;
        for (of_goals, &saboteurs) in rows.chunks_exact_mut(3).zip(&self.deals) {
            for (row, goal) in of_goals.iter_mut().zip(Goal::ALL) {
                for (kind, likelihood) in row.iter_mut().enumerate() {
                    *likelihood *= deed.likelihood(kind, saboteurs, goal);
                    most = most.max(*likelihood);
                }
            }
        }
        // Only ratios count; this keeps them in the range of numbers.
        for likelihood in rows.iter_mut().flatten() {
            *likelihood /= most;
        }
    }

    /// How likely every deal is with every goal to somebody who knows the own role (or to a spectator), by what that
    /// observer has seen of the goals; not scaled. The own deeds tell it nothing.
    pub(super) fn weights(
        &self,
        own: Option<(Seat, Role)>,
        seen: [f64; 3],
        habits: &[f64; KINDS],
    ) -> Vec<f64> {
        let size = self.deals.len() * 3;
        let mut weights = vec![1.0; size];
        for seat in Seat::all(self.players) {
            if own.is_some_and(|(own, _)| own == seat) {
                continue;
            }
            let rows = &self.likelihoods[seat.index() * size..][..size];
            for (weight, row) in weights.iter_mut().zip(rows) {
                *weight *= row.iter().zip(habits).map(|(like, habit)| like * habit).sum::<f64>();
            }
        }
        for (weights, &saboteurs) in weights.chunks_exact_mut(3).zip(&self.deals) {
            let is_possible = own.is_none_or(|(seat, role)| Role::of(saboteurs, seat) == role);
            for (weight, seen) in weights.iter_mut().zip(seen) {
                *weight = if is_possible { *weight * seen } else { 0.0 };
            }
        }
        weights
    }

    /// Draws a deal and a goal.
    pub(super) fn draw(&self, weights: &[f64], rng: &mut Rng) -> (Seats, Goal) {
        let mut wanted = rng.unit() * weights.iter().sum::<f64>();
        let drawn = weights.iter().position(|weight| {
            wanted -= weight;
            wanted < 0.0
        });
        // Rounding may leave a little: then the last that is possible.
        let last = || weights.iter().rposition(|&weight| weight > 0.0);
        let number = drawn.or_else(last).unwrap_or(0);
        (self.deals[number / 3], Goal::ALL[number % 3])
    }

    /// What weights come to for each seat and each goal.
    pub(super) fn marginals(&self, weights: &[f64]) -> Marginals {
        let mut marginals = Marginals { saboteur: [0.0; Saboteur::MAX_PLAYERS], gold: [0.0; 3] };
        let mut total = 0.0;
        for (weights, &saboteurs) in weights.chunks_exact(3).zip(&self.deals) {
            for (weight, gold) in weights.iter().zip(&mut marginals.gold) {
                total += weight;
                *gold += weight;
                for seat in Seat::all(self.players).filter(|&seat| saboteurs.has(seat)) {
                    marginals.saboteur[seat.index()] += weight;
                }
            }
        }
        marginals.gold = marginals.gold.map(|weight| weight / total);
        marginals.saboteur = marginals.saboteur.map(|weight| weight / total);
        marginals
    }
}
