//! Inference of hands from play: a Metropolis walk over the deals that agree with a view.

use super::Eval;
use super::eval::EvalContext;
use crate::{Action, Cards, LogEntry, MAX_PLAYERS, Public, View, World};
use oboro_core::{Rng, Seat, SeatView};
use std::array;

/// A decision of another player, with the table as it was then.
#[derive(Clone, Copy, Debug)]
pub(super) struct Decision {
    pub(super) action: Action,
    pub(super) eval: EvalContext,
    /// The cards of the player's hand that are on the table now.
    laid_since: Cards,
}

impl Decision {
    /// The player's hand then, if it holds `now` now, and its playable cards.
    #[inline]
    pub(super) fn hand(&self, now: Cards) -> (Cards, Cards) {
        let hand = now.or(self.laid_since);
        (hand, self.eval.playable.and(hand))
    }

    /// The number of legal actions with these playable cards.
    #[inline]
    pub(super) fn legal(&self, cards: Cards) -> f64 {
        (cards.len() + usize::from(self.eval.may_pass)) as f64
    }
}

/// The likelihood of hands, given the decisions that were made with them.
pub(super) trait HandLikelihood {
    /// What is kept for one player.
    type OfSeat: Copy;

    /// The likelihood of a player's decisions if it holds this hand now.
    fn of_seat(&self, decisions: &[Decision], hand: Cards) -> Self::OfSeat;

    /// The likelihood of all decisions, up to a factor that does not depend on the hands of a pair of players.
    fn weight(&self, likelihoods: &[Self::OfSeat; MAX_PLAYERS], pair: (usize, usize)) -> f64;
}

/// Hands that the others may hold, and their likelihoods by player.
#[derive(Clone, Copy, Debug)]
pub(super) struct Particle<T> {
    pub(super) hands: [Cards; MAX_PLAYERS],
    pub(super) likelihoods: [T; MAX_PLAYERS],
}

/// The decisions of the others, and a likelihood for them.
#[derive(Clone, Debug)]
pub(super) struct HandInference<'a, L> {
    view: &'a View,
    /// By player.
    decisions: [Vec<Decision>; MAX_PLAYERS],
    pub(super) likelihood: L,
    /// The other players with cards.
    others: Vec<usize>,
}

impl<'a, L: HandLikelihood> HandInference<'a, L> {
    pub(super) fn new(view: &'a View, likelihood: L) -> HandInference<'a, L> {
        let others = (0..usize::from(view.public().players))
            .filter(|&seat| seat != view.seat().index() && view.sizes()[seat] > 0)
            .collect();
        HandInference { view, decisions: history(view), likelihood, others }
    }

    /// These hands with their likelihoods.
    pub(super) fn particle(&self, hands: [Cards; MAX_PLAYERS]) -> Particle<L::OfSeat> {
        let of_seat = |seat: usize| self.likelihood.of_seat(&self.decisions[seat], hands[seat]);
        Particle { hands, likelihoods: array::from_fn(of_seat) }
    }

    /// The world of a particle.
    pub(super) fn world(&self, particle: &Particle<L::OfSeat>) -> World {
        self.view.with_hands(particle.hands)
    }

    /// Takes so many Metropolis steps, each an exchange of one card between two players. In the long run a particle
    /// visits every deal that agrees with the view in proportion to its likelihood.
    pub(super) fn exchange(&self, particle: &mut Particle<L::OfSeat>, steps: u32, rng: &mut Rng) {
        if self.others.len() < 2 {
            return;
        }
        for _ in 0..steps {
            let i = rng.below(self.others.len());
            let j = (i + 1 + rng.below(self.others.len() - 1)) % self.others.len();
            let (a, b) = (self.others[i], self.others[j]);
            let given = particle.hands[a].choose_one(rng);
            let taken = particle.hands[b].choose_one(rng);
            let hand_a = particle.hands[a].without(given).or(taken);
            let hand_b = particle.hands[b].without(taken).or(given);
            let mut likelihoods = particle.likelihoods;
            likelihoods[a] = self.likelihood.of_seat(&self.decisions[a], hand_a);
            likelihoods[b] = self.likelihood.of_seat(&self.decisions[b], hand_b);
            let weight = |likelihoods| self.likelihood.weight(likelihoods, (a, b));
            let ratio = weight(&likelihoods) / weight(&particle.likelihoods);
            if ratio >= 1.0 || rng.unit() < ratio {
                (particle.hands[a], particle.hands[b]) = (hand_a, hand_b);
                particle.likelihoods = likelihoods;
            }
        }
    }
}

/// Every player follows `eval`, and with a fixed probability plays a random legal action instead.
#[derive(Clone, Copy, Debug)]
pub(super) struct NoisyEval {
    pub(super) error: f64,
}

impl HandLikelihood for NoisyEval {
    /// The probability of the player's decisions.
    type OfSeat = f64;

    fn of_seat(&self, decisions: &[Decision], hand: Cards) -> f64 {
        decisions.iter().map(|decision| self.probability(decision, hand)).product()
    }

    fn weight(&self, likelihoods: &[f64; MAX_PLAYERS], (a, b): (usize, usize)) -> f64 {
        likelihoods[a] * likelihoods[b]
    }
}

impl NoisyEval {
    fn probability(self, decision: &Decision, hand: Cards) -> f64 {
        let (hand, cards) = decision.hand(hand);
        if cards.is_empty() {
            // The player had to pass.
            return 1.0;
        }
        let at_random = self.error / decision.legal(cards);
        let best = decision.eval.best(hand, cards);
        (1.0 - self.error) * any_of(best, decision.action) + at_random
    }
}

/// The probability of an action of a player that lays one of these cards with equal probability, and passes if there
/// are none.
pub(super) fn any_of(cards: Cards, action: Action) -> f64 {
    match action {
        Action::Pass if cards.is_empty() => 1.0,
        Action::Lay(card) if cards.contains(card) => 1.0 / cards.len() as f64,
        _ => 0.0,
    }
}

/// The decisions of the other players, those who are out included, as far as the log goes back.
fn history(view: &View) -> [Vec<Decision>; MAX_PLAYERS] {
    let now = view.public();
    let owner = |card| (0..MAX_PLAYERS).find(|&seat| now.laid[seat].contains(card)).unwrap_or(0);
    let mut decisions: [Vec<Decision>; MAX_PLAYERS] = Default::default();
    let mut public = *now;
    // Back through the log: each entry is undone before it is noted.
    let mut laid_since = [Cards::EMPTY; MAX_PLAYERS];
    let logged = now.log.cards();
    for entry in now.log.entries().rev() {
        let (seat, action) = match entry {
            LogEntry::Laid(card) => {
                let seat = owner(card);
                public.table.remove(card);
                laid_since[seat].insert(card);
                if public.ranks[seat] != Public::IN_PLAY {
                    // Its last card: before, it was still in the game.
                    public.ranks[seat] = Public::IN_PLAY;
                    public.finished = public.finished.saturating_sub(1);
                }
                (seat, Action::Lay(card))
            }
            LogEntry::Passed(seat) => {
                public.passes[seat.index()] += 1;
                (seat.index(), Action::Pass)
            }
            LogEntry::Retired(seat) => {
                let shown = now.shown_by_retiring(seat, logged);
                public.table = public.table.without(shown);
                laid_since[seat.index()] = shown;
                public.ranks[seat.index()] = Public::IN_PLAY;
                public.retired = public.retired.saturating_sub(1);
                continue;
            }
        };
        if seat != view.seat().index() {
            let of = Seat::new(seat);
            decisions[seat].push(Decision {
                action,
                eval: Eval::default().context(&public, of),
                laid_since: laid_since[seat],
            });
        }
    }
    decisions
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::policy::HandPolicy;
    use crate::{Card, Sevens};
    use oboro_core::{Game, GameWorld};
    use std::collections::BTreeMap;

    const ERROR: f64 = 0.1;

    /// The views of one player at all its decisions in a game of noisy `eval` players, up to a position with few
    /// unknown cards and so many players that hold some.
    pub(in crate::agents) fn late_views(
        rules: &Sevens,
        holders: usize,
        rng: &mut Rng,
    ) -> Vec<View> {
        loop {
            let mut world = rules.deal(rng);
            let mut views: [Vec<View>; MAX_PLAYERS] = Default::default();
            while let Some(seat) = world.to_act() {
                let view = world.view(seat);
                let seen = &mut views[seat.index()];
                seen.push(view);
                let holding = view.sizes().iter().filter(|size| **size > 0).count();
                if view.unknown().len() <= 8 && holding == holders {
                    return std::mem::take(seen);
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

    /// Every world that agrees with a view.
    pub(in crate::agents) fn worlds(view: &View) -> Vec<World> {
        let sizes: Vec<(usize, usize)> = (0..MAX_PLAYERS)
            .filter(|&seat| seat != view.seat().index())
            .map(|seat| (seat, view.sizes()[seat].into()))
            .collect();
        deals(view.unknown(), &sizes).into_iter().map(|hands| view.with_hands(hands)).collect()
    }

    /// Every way to deal cards to seats, each getting so many.
    fn deals(cards: Cards, sizes: &[(usize, usize)]) -> Vec<[Cards; MAX_PLAYERS]> {
        let Some((&(seat, size), others)) = sizes.split_first() else {
            return vec![[Cards::EMPTY; MAX_PLAYERS]];
        };
        let all: Vec<Card> = cards.iter().collect();
        let mut all_deals = Vec::new();
        for chosen in (0..1_u32 << all.len()).filter(|set| set.count_ones() as usize == size) {
            let hand: Cards =
                (0..all.len()).filter(|i| chosen >> i & 1 != 0).map(|i| all[i]).collect();
            for mut deal in deals(cards.without(hand), others) {
                deal[seat] = hand;
                all_deals.push(deal);
            }
        }
        all_deals
    }

    /// Replays the game of a world from its deal. Calls `visit` for every decision of the other players, with the
    /// world before it, the seat, its legal actions and its action.
    pub(in crate::agents) fn replay(
        rules: &Sevens,
        view: &View,
        now: &World,
        mut visit: impl FnMut(&World, Seat, &[Action], Action),
    ) {
        let mut dealt = now.hands;
        for (hand, laid) in dealt.iter_mut().zip(now.public.laid) {
            *hand = hand.or(laid);
        }
        let mut world = World::start(rules, dealt);
        for entry in now.public.log.entries() {
            let seat = world.to_act().expect("the game goes on");
            let action =
                if let LogEntry::Laid(card) = entry { Action::Lay(card) } else { Action::Pass };
            let mut legal = Vec::new();
            world.legal(&mut legal);
            assert!(legal.contains(&action));
            if seat != view.seat() && legal != [Action::Pass] {
                visit(&world, seat, &legal, action);
            }
            world.apply(action);
        }
        assert_eq!(world.public, now.public, "the same game as far as anybody sees");
    }

    /// The probability of the others' decisions in a world, found by replaying the game from its deal.
    fn weight(rules: &Sevens, view: &View, now: &World) -> f64 {
        let mut weight = 1.0;
        replay(rules, view, now, |world, seat, legal, action| {
            if now.public.is_in_play(seat) {
                let would = by_eval(world, seat, action);
                weight *= (1.0 - ERROR) * would + ERROR / legal.len() as f64;
            }
        });
        weight
    }

    /// The probability that an `eval` player takes an action.
    pub(in crate::agents) fn by_eval(world: &World, seat: Seat, action: Action) -> f64 {
        let best = Eval::default()
            .context(&world.public, seat)
            .best(world.hand(seat), world.playable_hand());
        match action {
            Action::Pass => f64::from(u8::from(best.is_empty())),
            Action::Lay(card) if best.contains(card) => 1.0 / best.len() as f64,
            Action::Lay(_) => 0.0,
        }
    }

    /// The total variation distance of two distributions.
    fn distance(p: &[f64], q: &[f64]) -> f64 {
        p.iter().zip(q).map(|(p, q)| (p - q).abs()).sum::<f64>() / 2.0
    }

    /// Checks that worlds are drawn in proportion to these weights, which must not be uniform. The distance may be
    /// twice that of independent samples, and `allowance` more.
    pub(in crate::agents) fn check_drawn(
        worlds: &[World],
        weights: &[f64],
        samples: u32,
        allowance: f64,
        mut draw: impl FnMut() -> [Cards; MAX_PLAYERS],
    ) {
        let sum: f64 = weights.iter().sum();
        let exact: Vec<f64> = weights.iter().map(|weight| weight / sum).collect();
        let uniform = vec![1.0 / worlds.len() as f64; worlds.len()];
        assert!(distance(&exact, &uniform) > 0.3, "the weights differ from uniform ones");
        let mut counts: BTreeMap<[Cards; MAX_PLAYERS], u32> = BTreeMap::new();
        for _ in 0..samples {
            *counts.entry(draw()).or_default() += 1;
        }
        let count = |world: &World| counts.get(&world.hands).copied().unwrap_or(0);
        let drawn: Vec<f64> =
            worlds.iter().map(|world| f64::from(count(world)) / f64::from(samples)).collect();
        // The mean distance of as many independent samples.
        let noise: f64 = exact
            .iter()
            .map(|p| libm::sqrt(p * (1.0 - p) / (2.0 * std::f64::consts::PI * f64::from(samples))))
            .sum();
        let off = distance(&exact, &drawn);
        assert!(off < 2.0 * noise + allowance, "{off} where {noise} is expected");
    }

    #[test]
    fn worlds_are_visited_in_proportion_to_their_likelihood() {
        for (players, holders) in [(3, 3), (4, 3), (4, 4)] {
            let mut rng = Rng::from_u64(15);
            let rules = Sevens { players, ..Sevens::default() };
            let view = *late_views(&rules, holders, &mut rng).last().expect("a view");
            let inference = HandInference::new(&view, NoisyEval { error: ERROR });
            let worlds = worlds(&view);
            let weights: Vec<f64> =
                worlds.iter().map(|world| weight(&rules, &view, world)).collect();
            for (world, weight) in worlds.iter().zip(&weights) {
                let by_seat = inference.particle(world.hands).likelihoods;
                let likelihood: f64 = inference.others.iter().map(|&s| by_seat[s]).product();
                assert!((likelihood / weight - 1.0).abs() < 1e-9, "{likelihood} for {weight}");
            }
            let mut particle = inference.particle(view.imagine(&mut rng).hands);
            inference.exchange(&mut particle, 200, &mut rng);
            check_drawn(&worlds, &weights, 10_000, 0.0, || {
                inference.exchange(&mut particle, 30, &mut rng);
                inference.world(&particle).hands
            });
        }
    }
}
