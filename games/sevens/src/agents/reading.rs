//! Inference of hands from play: a Metropolis walk over the deals that agree with a view.

use super::Eval;
use super::eval::Standing;
use super::style::Situation;
use crate::{Action, Cards, Entry, MAX_PLAYERS, Public, View, World};
use oboro_core::{Rng, Seat, SeatView};
use std::array;

/// A decision that somebody made, and what it saw of the table.
#[derive(Clone, Copy, Debug)]
pub(super) struct Decision {
    pub(super) action: Action,
    /// For the evaluation.
    pub(super) standing: Standing,
    /// For what was learned.
    pub(super) situation: Situation,
    /// The cards of the decider's hand that are on the table now.
    laid_since: Cards,
}

impl Decision {
    /// The decider's hand then, if it holds this one now, and what it could lay.
    #[inline]
    pub(super) fn hand(&self, now: Cards) -> (Cards, Cards) {
        let hand = now.or(self.laid_since);
        (hand, self.standing.playable.and(hand))
    }

    /// How many things it might have done with these playable cards.
    #[inline]
    pub(super) fn legal(&self, cards: Cards) -> f64 {
        (cards.len() + usize::from(self.standing.may_pass)) as f64
    }
}

/// Says how well hands explain what was done with them.
pub(super) trait Explains {
    /// What there is to say of one player.
    type OfSeat: Copy;

    /// How well a player's hand of today explains its decisions.
    fn of_seat(&self, decisions: &[Decision], hand: Cards) -> Self::OfSeat;

    /// How probable everything is, up to a factor that does not depend on the hands of a pair of players.
    fn weight(&self, of_seats: &[Self::OfSeat; MAX_PLAYERS], pair: (usize, usize)) -> f64;
}

/// Hands that the others may hold, and what they say of each.
#[derive(Clone, Copy, Debug)]
pub(super) struct Deal<T> {
    pub(super) hands: [Cards; MAX_PLAYERS],
    pub(super) of_seats: [T; MAX_PLAYERS],
}

/// All that the others did, and how it is explained.
#[derive(Clone, Debug)]
pub(super) struct Reading<'a, E> {
    view: &'a View,
    /// The decisions of each other player.
    decisions: [Vec<Decision>; MAX_PLAYERS],
    pub(super) explains: E,
    /// The other players with cards.
    others: Vec<usize>,
}

impl<'a, E: Explains> Reading<'a, E> {
    pub(super) fn new(view: &'a View, explains: E) -> Reading<'a, E> {
        let others = (0..usize::from(view.public().players))
            .filter(|&seat| seat != view.seat().index() && view.sizes()[seat] > 0)
            .collect();
        Reading { view, decisions: history(view), explains, others }
    }

    /// What these hands say.
    pub(super) fn deal(&self, hands: [Cards; MAX_PLAYERS]) -> Deal<E::OfSeat> {
        let of_seat = |seat: usize| self.explains.of_seat(&self.decisions[seat], hands[seat]);
        Deal { hands, of_seats: array::from_fn(of_seat) }
    }

    /// The world of a deal.
    pub(super) fn world(&self, deal: &Deal<E::OfSeat>) -> World {
        self.view.with_hands(deal.hands)
    }

    /// Tries so many exchanges of one card between two players, keeping each with the probability that
    /// Metropolis gives it: in the long run a deal walks through all of them that agree with the view, visiting
    /// each in proportion to how well it explains what the others did.
    pub(super) fn exchange(&self, deal: &mut Deal<E::OfSeat>, tries: u32, rng: &mut Rng) {
        if self.others.len() < 2 {
            return;
        }
        for _ in 0..tries {
            let i = rng.below(self.others.len());
            let j = (i + 1 + rng.below(self.others.len() - 1)) % self.others.len();
            let (a, b) = (self.others[i], self.others[j]);
            let given = deal.hands[a].choose(rng).expect("the others hold cards");
            let taken = deal.hands[b].choose(rng).expect("the others hold cards");
            let swap = |hand: Cards, out, into| hand.minus(Cards::NONE.with(out)).with(into);
            let hand_a = swap(deal.hands[a], given, taken);
            let hand_b = swap(deal.hands[b], taken, given);
            let mut of_seats = deal.of_seats;
            of_seats[a] = self.explains.of_seat(&self.decisions[a], hand_a);
            of_seats[b] = self.explains.of_seat(&self.decisions[b], hand_b);
            let weight = |of_seats| self.explains.weight(of_seats, (a, b));
            let ratio = weight(&of_seats) / weight(&deal.of_seats);
            if ratio >= 1.0 || rng.unit() < ratio {
                (deal.hands[a], deal.hands[b]) = (hand_a, hand_b);
                deal.of_seats = of_seats;
            }
        }
    }
}

/// Takes everybody for an `eval` player that plays any legal action instead so often.
#[derive(Clone, Copy, Debug)]
pub(super) struct ErringEval {
    pub(super) error: f64,
}

impl Explains for ErringEval {
    /// How probable the player's decisions were.
    type OfSeat = f64;

    fn of_seat(&self, decisions: &[Decision], hand: Cards) -> f64 {
        decisions.iter().map(|decision| self.probability(decision, hand)).product()
    }

    fn weight(&self, of_seats: &[f64; MAX_PLAYERS], (a, b): (usize, usize)) -> f64 {
        of_seats[a] * of_seats[b]
    }
}

impl ErringEval {
    fn probability(self, decision: &Decision, hand: Cards) -> f64 {
        let (hand, cards) = decision.hand(hand);
        if cards.is_empty() {
            // It had to pass, and did: only passes are asked about with nothing playable.
            return 1.0;
        }
        let at_random = self.error / decision.legal(cards);
        let best = decision.standing.best(hand, cards);
        (1.0 - self.error) * any_of(best, decision.action) + at_random
    }
}

/// How probable an action is if one of these cards is laid, any with the same probability; without any, a pass.
pub(super) fn any_of(cards: Cards, action: Action) -> f64 {
    match action {
        Action::Pass if cards.is_empty() => 1.0,
        Action::Lay(card) if cards.has(card) => 1.0 / cards.len() as f64,
        _ => 0.0,
    }
}

/// The decisions of the other players, those who are out included, as far as the log goes back.
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
                standing: Eval::default().standing(&public, of),
                situation: Situation::new(&public, of),
                laid_since: laid_since[seat],
            });
        }
    }
    decisions
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::agents::Manner;
    use crate::{Card, Sevens};
    use oboro_core::{Game, GameWorld};
    use std::collections::BTreeMap;

    const ERROR: f64 = 0.1;

    /// What whoever is to move late in a game of `eval` players who err now and then has seen at each of its decisions,
    /// when few cards are unknown and so many players still hold some.
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

    /// Plays the game of a world once more from its deal, and shows every decision of others than the viewer: the world
    /// before it, who decides, what it may do, and what it does.
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
                if let Entry::Laid(card) = entry { Action::Lay(card) } else { Action::Pass };
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

    /// How probable the others made everything they did in a world, found by playing the game once more from its deal:
    /// each is an `eval` player who plays any legal action instead one time in ten.
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

    /// How likely an `eval` player is to do it.
    pub(in crate::agents) fn by_eval(world: &World, seat: Seat, action: Action) -> f64 {
        let best = Eval::default()
            .standing(&world.public, seat)
            .best(world.hand(seat), world.playable_hand());
        match action {
            Action::Pass => f64::from(u8::from(best.is_empty())),
            Action::Lay(card) if best.has(card) => 1.0 / best.len() as f64,
            Action::Lay(_) => 0.0,
        }
    }

    /// Half of what two distributions differ by: 0 if they are the same, 1 if they have nothing in common.
    fn distance(p: &[f64], q: &[f64]) -> f64 {
        p.iter().zip(q).map(|(p, q)| (p - q).abs()).sum::<f64>() / 2.0
    }

    /// Checks that worlds with these weights, which say something, are drawn in proportion to them, within twice what chance
    /// does to independent samples and what is allowed to others.
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
        assert!(distance(&exact, &uniform) > 0.3, "whoever learns nothing would show");
        let mut counts: BTreeMap<[Cards; MAX_PLAYERS], u32> = BTreeMap::new();
        for _ in 0..samples {
            *counts.entry(draw()).or_default() += 1;
        }
        let count = |world: &World| counts.get(&world.hands).copied().unwrap_or(0);
        let drawn: Vec<f64> =
            worlds.iter().map(|world| f64::from(count(world)) / f64::from(samples)).collect();
        // What as many independent samples would be off by on average.
        let noise: f64 = exact
            .iter()
            .map(|p| libm::sqrt(p * (1.0 - p) / (2.0 * std::f64::consts::PI * f64::from(samples))))
            .sum();
        let off = distance(&exact, &drawn);
        assert!(off < 2.0 * noise + allowance, "{off} where {noise} is expected");
    }

    #[test]
    fn worlds_are_visited_in_proportion_to_how_well_they_explain_the_game() {
        for (players, holders) in [(3, 3), (4, 3), (4, 4)] {
            let mut rng = Rng::from_u64(15);
            let rules = Sevens { players, ..Sevens::default() };
            let view = *late_views(&rules, holders, &mut rng).last().expect("a view");
            let reading = Reading::new(&view, ErringEval { error: ERROR });
            let worlds = worlds(&view);
            let weights: Vec<f64> =
                worlds.iter().map(|world| weight(&rules, &view, world)).collect();
            for (world, weight) in worlds.iter().zip(&weights) {
                let of_seats = reading.deal(world.hands).of_seats;
                let likelihood: f64 = reading.others.iter().map(|&s| of_seats[s]).product();
                assert!((likelihood / weight - 1.0).abs() < 1e-9, "{likelihood} for {weight}");
            }
            let mut deal = reading.deal(view.imagine(&mut rng).hands);
            reading.exchange(&mut deal, 200, &mut rng);
            check_drawn(&worlds, &weights, 10_000, 0.0, || {
                reading.exchange(&mut deal, 30, &mut rng);
                reading.world(&deal).hands
            });
        }
    }
}
