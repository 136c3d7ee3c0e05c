//! Inference of hands from play: a Metropolis walk over the deals that agree with a view.

use super::Eval;
use crate::{Action, Cards, Entry, MAX_PLAYERS, Public, View, World};
use oboro_core::{Rng, Seat, SeatView};

/// A decision that somebody made.
#[derive(Clone, Debug)]
struct Decision {
    /// What everybody knew before it.
    public: Public,
    action: Action,
    /// The cards of the decider's hand that are on the table now.
    laid_since: Cards,
}

/// A world that walks through those that agree with a view, in the long run visiting each in
/// proportion to how well it explains what the others did.
#[derive(Clone, Debug)]
pub(super) struct Reading<'a> {
    view: &'a View,
    /// The decisions of each other player still in the game.
    decisions: [Vec<Decision>; MAX_PLAYERS],
    error: f64,
    hands: [Cards; MAX_PLAYERS],
    likelihoods: [f64; MAX_PLAYERS],
    /// The other players with cards.
    others: Vec<usize>,
}

impl<'a> Reading<'a> {
    pub(super) fn new(view: &'a View, error: f64, rng: &mut Rng) -> Reading<'a> {
        let world = view.imagine(rng);
        let others = (0..usize::from(view.public().players))
            .filter(|&seat| seat != view.seat().index() && view.sizes()[seat] > 0)
            .collect();
        let mut reading = Reading {
            view,
            decisions: history(view),
            error,
            hands: world.hands,
            likelihoods: [1.0; MAX_PLAYERS],
            others,
        };
        for seat in 0..MAX_PLAYERS {
            reading.likelihoods[seat] = reading.likelihood(seat, reading.hands[seat]);
        }
        reading
    }

    /// The world it stands at.
    pub(super) fn world(&self) -> World {
        self.view.with_hands(self.hands)
    }

    /// Tries so many exchanges of one card between two players, keeping each with the probability that
    /// Metropolis gives it.
    pub(super) fn exchange(&mut self, tries: u32, rng: &mut Rng) {
        if self.others.len() < 2 {
            return;
        }
        for _ in 0..tries {
            let i = rng.below(self.others.len());
            let j = (i + 1 + rng.below(self.others.len() - 1)) % self.others.len();
            let (a, b) = (self.others[i], self.others[j]);
            let given = self.hands[a].choose(rng).expect("the others hold cards");
            let taken = self.hands[b].choose(rng).expect("the others hold cards");
            let swap = |hand: Cards, out, into| hand.minus(Cards::NONE.with(out)).with(into);
            let hand_a = swap(self.hands[a], given, taken);
            let hand_b = swap(self.hands[b], taken, given);
            let (new_a, new_b) = (self.likelihood(a, hand_a), self.likelihood(b, hand_b));
            let ratio = new_a * new_b / (self.likelihoods[a] * self.likelihoods[b]);
            if ratio >= 1.0 || rng.unit() < ratio {
                (self.hands[a], self.hands[b]) = (hand_a, hand_b);
                (self.likelihoods[a], self.likelihoods[b]) = (new_a, new_b);
            }
        }
    }

    /// How probable a player's decisions were, if it holds this hand now.
    fn likelihood(&self, seat: usize, hand: Cards) -> f64 {
        self.decisions[seat]
            .iter()
            .map(|decision| self.probability(seat, decision, hand.or(decision.laid_since)))
            .product()
    }

    fn probability(&self, seat: usize, decision: &Decision, hand: Cards) -> f64 {
        let public = &decision.public;
        let cards = public.playable_of(hand);
        if cards.is_empty() {
            // It had to pass, and did: only passes are asked about with nothing playable.
            return 1.0;
        }
        let legal = cards.len() + usize::from(public.passes[seat] > 0);
        let at_random = self.error / legal as f64;
        let best = Eval::default().best(public, Seat::new(seat), hand, cards);
        let by_choice = match decision.action {
            Action::Pass if best.is_empty() => 1.0,
            Action::Lay(card) if best.has(card) => 1.0 / best.len() as f64,
            _ => 0.0,
        };
        (1.0 - self.error) * by_choice + at_random
    }
}

/// The decisions of the players whose hands are still hidden, as far as the log goes back.
fn history(view: &View) -> [Vec<Decision>; MAX_PLAYERS] {
    let now = view.public();
    let owner = |card| (0..MAX_PLAYERS).find(|&seat| now.laid[seat].has(card)).unwrap_or(0);
    let mut decisions: [Vec<Decision>; MAX_PLAYERS] = Default::default();
    let mut public = *now;
    // Back through the log: each entry is undone before it is noted.
    let mut laid_since = [Cards::NONE; MAX_PLAYERS];
    let logged: Cards = now
        .log
        .entries()
        .filter_map(|entry| if let Entry::Laid(card) = entry { Some(card) } else { None })
        .collect();
    for entry in now.log.entries().rev() {
        let (seat, action) = match entry {
            Entry::Laid(card) => {
                let seat = owner(card);
                let one = Cards::NONE.with(card);
                public.table = public.table.minus(one);
                laid_since[seat] = laid_since[seat].or(one);
                if public.ranks[seat] != Public::IN_PLAY {
                    // Its last card: before, it was still in the game.
                    public.ranks[seat] = Public::IN_PLAY;
                    public.finished = public.finished.saturating_sub(1);
                }
                (seat, Action::Lay(card))
            }
            Entry::Passed(seat) => {
                public.passes[seat.index()] += 1;
                (seat.index(), Action::Pass)
            }
            Entry::Retired(seat) => {
                let shown = now.laid[seat.index()].minus(logged).minus(Cards::SEVENS);
                public.table = public.table.minus(shown);
                public.ranks[seat.index()] = Public::IN_PLAY;
                public.retired = public.retired.saturating_sub(1);
                continue;
            }
        };
        let is_hidden = seat != view.seat().index() && now.is_in_play(Seat::new(seat));
        if is_hidden {
            decisions[seat].push(Decision { public, action, laid_since: laid_since[seat] });
        }
    }
    decisions
}
