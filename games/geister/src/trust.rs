//! How far the net's guesses of colours are to be trusted, learned while a game is played.
//!
//! The net was trained on players who mean something by their moves. What it reads from the moves of a player without a plan is
//! worth nothing, and in between there is everything. So its log odds are believed to several degrees at once, and whenever
//! a captured piece shows its colour, the degrees that foretold it gain. Who moves as the net itself would is soon known for one
//! of its own school, and believed fully.

use crate::piece::Piece;
use crate::view::View;

/// The degrees: what the net's log odds are multiplied by. With 0 only the count of reds left speaks. The last is that of a pupil
/// of the same school, who is known by its moves.
const DEGREES: [f64; 5] = [0.0, 0.25, 0.5, 1.0, 1.0];

/// How likely each is the right one before anything was shown: most strangers are no pupils of the same school.
const AT_FIRST: [f64; DEGREES.len()] = [0.43, 0.285, 0.14, 0.095, 0.05];

/// Which of them is the pupil's.
const PUPIL: usize = DEGREES.len() - 1;

/// By how many moves of the other it is told whether it moves like the net on the whole: at the beginning only pupils do, but in
/// long games everybody goes to and fro at times.
const TELLING: u32 = 8;

/// How often a pupil is expected to move as the net would; otherwise it may do anything, as others always may.
const LIKE_THE_NET: f64 = 0.5;

/// What is made of the other by its moves and by the colours that its captured pieces showed.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Trust {
    /// How likely each degree is the right one.
    degrees: [f64; DEGREES.len()],
    /// How many of the other's telling moves were watched, and the sum of their likenesses.
    watched: u32,
    likeness: f64,
}

impl Default for Trust {
    fn default() -> Trust {
        Trust { degrees: AT_FIRST, watched: 0, likeness: 0.0 }
    }
}

impl Trust {
    /// How likely each hidden enemy piece is red, by these log odds of the net.
    pub(crate) fn reds(&self, view: &View, odds: &[f64; Piece::COUNT]) -> [f64; Piece::COUNT] {
        let mut red = [0.0; Piece::COUNT];
        for (degree, trust) in DEGREES.into_iter().zip(self.degrees) {
            let believed = reds(view, odds, degree);
            red.iter_mut().zip(believed).for_each(|(red, believed)| *red += trust * believed);
        }
        red
    }

    /// The red sets that the hidden enemy pieces may have, with their probabilities.
    pub(crate) fn colourings(&self, view: &View, odds: &[f64; Piece::COUNT]) -> Vec<(u8, f64)> {
        let mut all: Vec<(u8, f64)> = view.colourings().map(|set| (set, 0.0)).collect();
        for (degree, trust) in DEGREES.into_iter().zip(self.degrees) {
            for ((_, sum), (_, weight)) in all.iter_mut().zip(colourings(view, odds, degree)) {
                *sum += trust * weight;
            }
        }
        all
    }

    /// How likely the net reads nothing from the other's moves.
    pub(crate) fn blindness(&self) -> f64 {
        self.degrees[0]
    }

    /// How like the net the other moved at first: what such a move says on average, as a logarithm, for a pupil of the same school
    /// against anybody else. None before it moved.
    pub(crate) fn likeness(&self) -> Option<f64> {
        (self.watched > 0).then(|| self.likeness / f64::from(self.watched))
    }

    /// A piece was captured and showed its colour; `view` and `odds` are those just before.
    pub(crate) fn learn(
        &mut self,
        view: &View,
        odds: &[f64; Piece::COUNT],
        piece: Piece,
        was_red: bool,
    ) {
        for (degree, trust) in DEGREES.into_iter().zip(&mut self.degrees) {
            let red = reds(view, odds, degree)[piece.index()];
            *trust *= if was_red { red } else { 1.0 - red };
        }
        self.normalise();
    }

    /// The other made one of so many moves; the net would have played that with probability `share`.
    pub(crate) fn watch(&mut self, share: f64, moves: usize) {
        let ratio = 1.0 - LIKE_THE_NET + LIKE_THE_NET * share * moves as f64;
        if self.watched < TELLING {
            self.watched += 1;
            self.likeness += libm::log(ratio);
        }
        self.degrees[PUPIL] *= ratio;
        self.normalise();
    }

    /// Makes probabilities of the weights.
    fn normalise(&mut self) {
        let total: f64 = self.degrees.iter().sum();
        if total > 0.0 {
            self.degrees.iter_mut().for_each(|trust| *trust /= total);
        } else {
            self.degrees = AT_FIRST;
        }
    }
}

/// How likely each hidden piece is red, the log odds believed to one degree.
fn reds(view: &View, odds: &[f64; Piece::COUNT], degree: f64) -> [f64; Piece::COUNT] {
    let mut red = [0.0; Piece::COUNT];
    for (set, weight) in colourings(view, odds, degree) {
        Piece::of_set(set).for_each(|piece| red[piece.index()] += weight);
    }
    red
}

/// The red sets that there may be with their probabilities, weighed as if each piece were red by its log odds times `degree` on its own.
fn colourings(
    view: &View,
    odds: &[f64; Piece::COUNT],
    degree: f64,
) -> impl Iterator<Item = (u8, f64)> {
    let odds = odds.map(|odds| libm::exp((degree * odds).clamp(-12.0, 12.0)));
    let weigh = move |set| -> f64 { Piece::of_set(set).map(|piece| odds[piece.index()]).product() };
    let total: f64 = view.colourings().map(weigh).sum();
    view.colourings().map(move |set| (set, weigh(set) / total))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Geister;
    use oboro_core::{Game, GameWorld, Rng, Seat};

    fn start() -> View {
        let game = Geister { placements: "ABCD/EFGH".parse().unwrap(), ..Geister::default() };
        game.deal(&mut Rng::from_u64(1)).view(Seat::FIRST)
    }

    #[test]
    fn without_odds_it_counts_and_with_odds_it_leans() {
        let (view, trust) = (start(), Trust::default());
        let close = |x: f64, y: f64| (x - y).abs() < 1e-12;
        assert!(trust.reds(&view, &[0.0; Piece::COUNT]).iter().all(|&red| close(red, 0.5)));
        let mut odds = [0.0; Piece::COUNT];
        odds[2] = 2.0;
        let red = trust.reds(&view, &odds);
        assert!(red[2] > 0.55 && red[0] < 0.5 && close(red.iter().sum(), 4.0), "{red:?}");
        // Less than the net alone would say.
        assert!(red[2] < reds(&view, &odds, 1.0)[2]);
    }

    #[test]
    fn what_is_foretold_is_trusted_and_what_is_not_is_not() {
        let (view, mut odds) = (start(), [0.0; Piece::COUNT]);
        odds[2] = 3.0;
        let (mut good, mut bad) = (Trust::default(), Trust::default());
        for _ in 0..4 {
            good.learn(&view, &odds, Piece::new(2), true);
            bad.learn(&view, &odds, Piece::new(2), false);
        }
        let before = Trust::default().reds(&view, &odds)[2];
        assert!(good.reds(&view, &odds)[2] > before && bad.reds(&view, &odds)[2] < before);
        assert!(
            bad.blindness() > 0.7 && good.degrees[3] + good.degrees[PUPIL] > 0.2,
            "{bad:?} {good:?}"
        );
        assert!((good.degrees.iter().sum::<f64>() - 1.0).abs() < 1e-12);
    }

    #[test]
    fn who_moves_as_the_net_would_is_believed() {
        let (view, mut odds) = (start(), [0.0; Piece::COUNT]);
        odds[2] = 2.0;
        let (mut pupil, mut stranger) = (Trust::default(), Trust::default());
        for _ in 0..6 {
            pupil.watch(0.6, 10);
            stranger.watch(0.001, 10);
        }
        assert!(pupil.blindness() < 0.02 && pupil.degrees[PUPIL] > 0.95, "{pupil:?}");
        assert!((pupil.reds(&view, &odds)[2] - reds(&view, &odds, 1.0)[2]).abs() < 0.01);
        // That somebody moves otherwise says nothing of how well the net reads it.
        assert!(
            (stranger.degrees[0] / stranger.degrees[3] - AT_FIRST[0] / AT_FIRST[3]).abs() < 1e-9
        );
        assert!(stranger.degrees[PUPIL] < 0.01);
        assert!(stranger.blindness() > Trust::default().blindness());
        // A move as likely as any other speaks for nobody.
        let mut either = Trust::default();
        either.watch(0.1, 10);
        assert!((either.blindness() - Trust::default().blindness()).abs() < 1e-12);
        assert!(either.likeness().unwrap().abs() < 1e-12 && Trust::default().likeness().is_none());
    }

    #[test]
    fn the_first_moves_tell_who_moves_alike_and_on_average() {
        let mut trust = Trust::default();
        for _ in 0..TELLING / 2 {
            trust.watch(0.3, 10);
            trust.watch(0.02, 10);
        }
        let likeness = trust.likeness().unwrap();
        assert!((likeness - libm::log(2.0 * 0.6) / 2.0).abs() < 1e-12, "{likeness}");
        (0..40).for_each(|_| trust.watch(0.9, 10));
        assert!((trust.likeness().unwrap() - likeness).abs() < 1e-12);
        assert!(trust.degrees[PUPIL] > 0.99, "though it is believed");
    }
}
