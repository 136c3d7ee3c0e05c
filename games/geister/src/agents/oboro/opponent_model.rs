//! A mixture over opponents: how much the net's guesses of colours are worth, learned while a game is played.
//!
//! The net was trained on opponents whose moves follow their colours. What it reads from the moves of others is worth less, or
//! nothing. So its log odds are scaled by several factors at once, and a factor gains weight when it predicted the colour of a
//! captured piece. One component is an opponent with the net's own policy, which is recognised by its moves.

use crate::piece::Piece;
use crate::view::View;

/// What each component multiplies the net's log odds by. With 0 only the number of reds left counts.
const FACTORS: [f64; 5] = [0.0, 0.25, 0.5, 1.0, 1.0];

/// The prior probability of each component.
const PRIOR: [f64; FACTORS.len()] = [0.43, 0.285, 0.14, 0.095, 0.05];

/// The component that plays like the net.
const SAME_POLICY: usize = FACTORS.len() - 1;

/// Moves of the opponent by which its similarity is measured. Later moves say less: in long games every player goes to and fro.
const FIRST_MOVES: u32 = 8;

/// How often an opponent with the net's policy follows it; otherwise its moves are uniform, as those of others are taken to be.
const FOLLOWS_POLICY: f64 = 0.5;

/// The posterior over the components, and how similar the opponent's first moves are to the net's.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct OpponentModel {
    weights: [f64; FACTORS.len()],
    /// How many of the first moves were observed, and the sum of their log-likelihood ratios.
    observed: u32,
    log_ratio: f64,
}

impl Default for OpponentModel {
    fn default() -> OpponentModel {
        OpponentModel { weights: PRIOR, observed: 0, log_ratio: 0.0 }
    }
}

impl OpponentModel {
    /// The probability that each hidden enemy piece is red, by these log odds of the net.
    pub(super) fn reds(&self, view: &View, log_odds: &[f64; Piece::COUNT]) -> [f64; Piece::COUNT] {
        let mut red = [0.0; Piece::COUNT];
        for (factor, weight) in FACTORS.into_iter().zip(self.weights) {
            let scaled = reds(view, log_odds, factor);
            red.iter_mut().zip(scaled).for_each(|(red, scaled)| *red += weight * scaled);
        }
        red
    }

    /// The red sets that the hidden enemy pieces may have, with their probabilities.
    pub(super) fn colourings(&self, view: &View, log_odds: &[f64; Piece::COUNT]) -> Vec<(u8, f64)> {
        let mut all: Vec<(u8, f64)> = view.colourings().map(|set| (set, 0.0)).collect();
        for (factor, weight) in FACTORS.into_iter().zip(self.weights) {
            for ((_, sum), (_, scaled)) in all.iter_mut().zip(colourings(view, log_odds, factor)) {
                *sum += weight * scaled;
            }
        }
        all
    }

    /// The probability that the net reads nothing from the opponent's moves.
    pub(super) fn uninformative(&self) -> f64 {
        self.weights[0]
    }

    /// How similar the opponent's first moves are to the net's policy: the mean log-likelihood ratio against a uniform policy.
    /// None before its first move.
    pub(super) fn similarity(&self) -> Option<f64> {
        (self.observed > 0).then(|| self.log_ratio / f64::from(self.observed))
    }

    /// A piece was captured and showed its colour; `view` and `log_odds` are those just before.
    pub(super) fn observe_colour(
        &mut self,
        view: &View,
        log_odds: &[f64; Piece::COUNT],
        piece: Piece,
        was_red: bool,
    ) {
        for (factor, weight) in FACTORS.into_iter().zip(&mut self.weights) {
            let red = reds(view, log_odds, factor)[piece.index()];
            *weight *= if was_red { red } else { 1.0 - red };
        }
        self.normalise();
    }

    /// The opponent made one of so many moves, to which the net gives this probability.
    pub(super) fn observe_move(&mut self, probability: f64, moves: usize) {
        let ratio = 1.0 - FOLLOWS_POLICY + FOLLOWS_POLICY * probability * moves as f64;
        if self.observed < FIRST_MOVES {
            self.observed += 1;
            self.log_ratio += libm::log(ratio);
        }
        self.weights[SAME_POLICY] *= ratio;
        self.normalise();
    }

    fn normalise(&mut self) {
        let total: f64 = self.weights.iter().sum();
        if total > 0.0 {
            self.weights.iter_mut().for_each(|weight| *weight /= total);
        } else {
            self.weights = PRIOR;
        }
    }
}

/// The probability that each hidden piece is red, the log odds multiplied by a factor.
fn reds(view: &View, log_odds: &[f64; Piece::COUNT], factor: f64) -> [f64; Piece::COUNT] {
    let mut red = [0.0; Piece::COUNT];
    for (set, probability) in colourings(view, log_odds, factor) {
        Piece::of_set(set).for_each(|piece| red[piece.index()] += probability);
    }
    red
}

/// The possible red sets with their probabilities, as if each piece were red by its scaled log odds, independently of the
/// others.
fn colourings(
    view: &View,
    log_odds: &[f64; Piece::COUNT],
    factor: f64,
) -> impl Iterator<Item = (u8, f64)> {
    let odds = log_odds.map(|odds| libm::exp((factor * odds).clamp(-12.0, 12.0)));
    let weigh = move |set| -> f64 { Piece::of_set(set).map(|piece| odds[piece.index()]).product() };
    let total: f64 = view.colourings().map(weigh).sum();
    view.colourings().map(move |set| (set, weigh(set) / total))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Geister;
    use oboro_core::{Game, GameWorld, Rng, Seat};

    /// The first move of a game, and log odds that speak of piece C alone.
    fn start(log_odds: f64) -> (View, [f64; Piece::COUNT]) {
        let game = Geister { placements: "ABCD/EFGH".parse().unwrap(), ..Geister::default() };
        let view = game.deal(&mut Rng::from_u64(1)).view(Seat::FIRST);
        let mut all = [0.0; Piece::COUNT];
        all[2] = log_odds;
        (view, all)
    }

    fn close(x: f64, y: f64) -> bool {
        (x - y).abs() < 1e-9
    }

    #[test]
    fn reds_are_counted_without_odds_and_shrunk_towards_the_count_with_odds() {
        let model = OpponentModel::default();
        let (view, none) = start(0.0);
        assert!(model.reds(&view, &none).iter().all(|&red| close(red, 0.5)));
        let (view, odds) = start(2.0);
        let red = model.reds(&view, &odds);
        assert!(red[2] > 0.55 && red[0] < 0.5 && close(red.iter().sum(), 4.0), "{red:?}");
        assert!(red[2] < reds(&view, &odds, 1.0)[2]);
    }

    #[test]
    fn factors_that_predict_colours_gain_weight() {
        let (view, odds) = start(3.0);
        let [mut right, mut wrong] = [OpponentModel::default(); 2];
        for _ in 0..4 {
            right.observe_colour(&view, &odds, Piece::new(2), true);
            wrong.observe_colour(&view, &odds, Piece::new(2), false);
        }
        let before = OpponentModel::default().reds(&view, &odds)[2];
        assert!(right.reds(&view, &odds)[2] > before && wrong.reds(&view, &odds)[2] < before);
        assert!(wrong.uninformative() > 0.7, "{wrong:?}");
        assert!(right.weights[3] + right.weights[SAME_POLICY] > 0.2, "{right:?}");
        assert!(close(right.weights.iter().sum(), 1.0));
    }

    #[test]
    fn an_opponent_with_the_policy_of_the_net_is_recognised_by_its_moves() {
        let (view, odds) = start(2.0);
        let [mut same, mut other, mut either] = [OpponentModel::default(); 3];
        for _ in 0..6 {
            same.observe_move(0.6, 10);
            other.observe_move(0.001, 10);
        }
        assert!(same.uninformative() < 0.02 && same.weights[SAME_POLICY] > 0.95, "{same:?}");
        assert!((same.reds(&view, &odds)[2] - reds(&view, &odds, 1.0)[2]).abs() < 0.01);
        // Unlikely moves say nothing of how well the net reads the opponent otherwise.
        assert!(close(other.weights[0] / other.weights[3], PRIOR[0] / PRIOR[3]));
        assert!(other.weights[SAME_POLICY] < 0.01 && other.uninformative() > PRIOR[0]);
        // A move as likely as any other is no evidence.
        either.observe_move(0.1, 10);
        assert!(
            close(either.uninformative(), PRIOR[0]) && close(either.similarity().unwrap(), 0.0)
        );
        assert_eq!(OpponentModel::default().similarity(), None);
    }

    #[test]
    fn similarity_is_a_mean_over_the_first_moves() {
        let mut model = OpponentModel::default();
        for _ in 0..FIRST_MOVES / 2 {
            model.observe_move(0.3, 10);
            model.observe_move(0.02, 10);
        }
        let similarity = model.similarity().unwrap();
        assert!(close(similarity, libm::log(2.0 * 0.6) / 2.0), "{similarity}");
        (0..40).for_each(|_| model.observe_move(0.9, 10));
        assert!(close(model.similarity().unwrap(), similarity));
        assert!(model.weights[SAME_POLICY] > 0.99, "later moves count for the weights");
    }
}
