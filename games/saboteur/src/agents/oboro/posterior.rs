//! Who the saboteurs are and where the gold is, jointly: every deal of the roles that the rules allow, with every
//! place of the gold.

use super::deed::{Deed, KINDS};
use crate::{Goal, Role, Saboteur, Seats};
use oboro_core::{Rng, Seat};
use std::array::from_fn;

/// How likely all others at a table play alike.
const ALIKE: f64 = 0.5;

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

/// One way things may stand.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Hypothesis {
    pub(super) saboteurs: Seats,
    pub(super) gold: Goal,
    /// What kind of player sits at each seat.
    pub(super) kinds: [usize; Saboteur::MAX_PLAYERS],
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
        let mut weights = Vec::with_capacity(self.deals.len() * 3);
        for (number, &saboteurs) in self.deals.iter().enumerate() {
            let is_possible = own.is_none_or(|(seat, role)| Role::of(saboteurs, seat) == role);
            for (goal, seen) in seen.into_iter().enumerate() {
                let weight = if is_possible && seen > 0.0 {
                    let (alike, apart) = self.kinds(3 * number + goal, own, habits);
                    seen * (ALIKE * alike.iter().sum::<f64>() + (1.0 - ALIKE) * apart)
                } else {
                    0.0
                };
                weights.push(weight);
            }
        }
        weights
    }

    /// How well a hypothesis explains what the others did: if all of them are of each kind, and if each is of its own.
    fn kinds(
        &self,
        number: usize,
        own: Option<(Seat, Role)>,
        habits: &[f64; KINDS],
    ) -> ([f64; KINDS], f64) {
        let (mut alike, mut apart) = (*habits, 1.0);
        for seat in self.others(own) {
            let row = self.row(seat, number);
            apart *= row.iter().zip(habits).map(|(like, habit)| like * habit).sum::<f64>();
            for (all, like) in alike.iter_mut().zip(row) {
                *all *= like;
            }
        }
        (alike, apart)
    }

    fn others(&self, own: Option<(Seat, Role)>) -> impl Iterator<Item = Seat> {
        Seat::all(self.players).filter(move |&seat| own.is_none_or(|(own, _)| own != seat))
    }

    fn row(&self, seat: Seat, number: usize) -> &[f64; KINDS] {
        &self.likelihoods[seat.index() * self.deals.len() * 3 + number]
    }

    /// Draws a deal, a goal and the kinds of players, by the weights that the same observer gives.
    pub(super) fn draw(
        &self,
        weights: &[f64],
        own: Option<(Seat, Role)>,
        habits: &[f64; KINDS],
        rng: &mut Rng,
    ) -> Hypothesis {
        let number = pick(weights, rng);
        let (alike, apart) = self.kinds(number, own, habits);
        let all = ALIKE * alike.iter().sum::<f64>();
        let together = rng.unit() * (all + (1.0 - ALIKE) * apart) < all;
        let mut kinds = [pick(&alike, rng); Saboteur::MAX_PLAYERS];
        if !together {
            for seat in self.others(own) {
                let row = self.row(seat, number);
                let odds: [f64; KINDS] = from_fn(|kind| row[kind] * habits[kind]);
                kinds[seat.index()] = pick(&odds, rng);
            }
        }
        Hypothesis { saboteurs: self.deals[number / 3], gold: Goal::ALL[number % 3], kinds }
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

/// Draws a number with these odds.
fn pick(odds: &[f64], rng: &mut Rng) -> usize {
    let mut wanted = rng.unit() * odds.iter().sum::<f64>();
    let drawn = odds.iter().position(|odds| {
        wanted -= odds;
        wanted < 0.0
    });
    // Rounding may leave a little: then the last that is possible.
    let last = || odds.iter().rposition(|&odds| odds > 0.0);
    drawn.or_else(last).unwrap_or(0)
}
