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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::Manner;
    use crate::{Card, Sevens};
    use oboro_core::{Game, GameWorld};
    use std::collections::BTreeMap;

    const ERROR: f64 = 0.1;

    /// The view of whoever is to move late in a game of `eval` players who err now and then, when few cards are unknown and
    /// so many players still hold some.
    fn late_view(rules: &Sevens, holders: usize, rng: &mut Rng) -> View {
        loop {
            let mut world = rules.deal(rng);
            while let Some(seat) = world.to_act() {
                let view = world.view(seat);
                let holding = view.sizes().iter().filter(|size| **size > 0).count();
                if view.unknown().len() <= 8 && holding == holders {
                    return view;
                }
                let action = if rng.chance(ERROR) {
                    world.random_action(rng)
                } else {
                    Eval::default().choose_or_pass(world.public(), seat, world.hand(seat), rng)
                };
                world.apply(action);
            }
        }
    }

    /// Every way to deal cards to seats, each getting so many.
    fn deals(cards: Cards, sizes: &[(usize, usize)]) -> Vec<[Cards; MAX_PLAYERS]> {
        let Some((&(seat, size), others)) = sizes.split_first() else {
            return vec![[Cards::NONE; MAX_PLAYERS]];
        };
        let all: Vec<Card> = cards.iter().collect();
        let mut deals_of_all = Vec::new();
        for chosen in (0..1_u32 << all.len()).filter(|set| set.count_ones() as usize == size) {
            let hand: Cards =
                (0..all.len()).filter(|i| chosen >> i & 1 != 0).map(|i| all[i]).collect();
            for mut deal in deals(cards.minus(hand), others) {
                deal[seat] = hand;
                deals_of_all.push(deal);
            }
        }
        deals_of_all
    }

    /// How probable the others made everything they did in a world, found by playing the game once more from its deal:
    /// each is an `eval` player who plays any legal action instead one time in ten.
    fn weight(rules: &Sevens, view: &View, now: &World) -> f64 {
        let mut dealt = now.hands;
        for (hand, laid) in dealt.iter_mut().zip(now.public.laid) {
            *hand = hand.or(laid);
        }
        let mut world = World::start(rules, dealt);
        let mut weight = 1.0;
        for entry in now.public.log.entries() {
            let seat = world.to_act().expect("the game goes on");
            let hand = world.hand(seat);
            let action =
                if let Entry::Laid(card) = entry { Action::Lay(card) } else { Action::Pass };
            let mut legal = Vec::new();
            world.legal(&mut legal);
            assert!(legal.contains(&action));
            if seat != view.seat() && now.public.is_in_play(seat) && legal != [Action::Pass] {
                let cards = world.playable_hand();
                let best = Eval::default().best(&world.public, seat, hand, cards);
                let would = match action {
                    Action::Pass => f64::from(u8::from(best.is_empty())),
                    Action::Lay(card) if best.has(card) => 1.0 / best.len() as f64,
                    Action::Lay(_) => 0.0,
                };
                weight *= (1.0 - ERROR) * would + ERROR / legal.len() as f64;
            }
            world.apply(action);
        }
        assert_eq!(world.public, now.public, "the same game as far as anybody sees");
        weight
    }

    /// Half of what two distributions differ by: 0 if they are the same, 1 if they have nothing in common.
    fn distance(p: &[f64], q: &[f64]) -> f64 {
        p.iter().zip(q).map(|(p, q)| (p - q).abs()).sum::<f64>() / 2.0
    }

    #[test]
    fn worlds_are_visited_in_proportion_to_how_well_they_explain_the_game() {
        for (players, holders) in [(3, 3), (4, 3), (4, 4)] {
            let mut rng = Rng::from_u64(15);
            let rules = Sevens { players, ..Sevens::default() };
            let view = late_view(&rules, holders, &mut rng);
            let mut reading = Reading::new(&view, ERROR, &mut rng);
            let sizes: Vec<(usize, usize)> =
                reading.others.iter().map(|&seat| (seat, view.sizes()[seat].into())).collect();
            let worlds: Vec<World> = deals(view.unknown(), &sizes)
                .into_iter()
                .map(|hands| view.with_hands(hands))
                .collect();
            let weights: Vec<f64> =
                worlds.iter().map(|world| weight(&rules, &view, world)).collect();
            for (world, weight) in worlds.iter().zip(&weights) {
                let likelihood: f64 =
                    reading.others.iter().map(|&s| reading.likelihood(s, world.hands[s])).product();
                assert!((likelihood / weight - 1.0).abs() < 1e-9, "{likelihood} for {weight}");
            }
            let sum: f64 = weights.iter().sum();
            let exact: Vec<f64> = weights.iter().map(|weight| weight / sum).collect();
            let uniform = vec![1.0 / worlds.len() as f64; worlds.len()];
            assert!(distance(&exact, &uniform) > 0.5, "a walk that learns nothing would show");

            let samples = 10_000;
            let mut counts: BTreeMap<[Cards; MAX_PLAYERS], u32> = BTreeMap::new();
            reading.exchange(200, &mut rng);
            for _ in 0..samples {
                reading.exchange(30, &mut rng);
                *counts.entry(reading.world().hands).or_default() += 1;
            }
            let visited: Vec<f64> = worlds
                .iter()
                .map(|world| {
                    f64::from(counts.get(&world.hands).copied().unwrap_or(0)) / f64::from(samples)
                })
                .collect();
            // What as many independent samples would be off by on average; steps of a walk are not quite independent.
            let noise: f64 = exact
                .iter()
                .map(|p| {
                    libm::sqrt(p * (1.0 - p) / (2.0 * std::f64::consts::PI * f64::from(samples)))
                })
                .sum();
            assert!(
                distance(&exact, &visited) < 2.0 * noise,
                "{players} players, {holders} holding cards"
            );
        }
    }
}
