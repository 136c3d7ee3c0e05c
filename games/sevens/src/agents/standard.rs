use super::{Eval, HandPlayer, Random, Rule};
use crate::{Cards, MAX_PLAYERS, Sevens, View, World};
use oboro_core::{GameWorld, Rng, Seat, SeatView};
use oboro_search::{PlayoutPolicy, Searchable};

impl Searchable for Sevens {
    const ESTIMATE: Option<fn(&World, Seat) -> f64> = Some(share_of_the_rest);

    const REVISE: Option<fn(&mut World, &View, &mut Rng)> = Some(revise);

    fn policies() -> Vec<PlayoutPolicy<Sevens>> {
        vec![
            PlayoutPolicy::new("random", "as `random` does", HandPlayer(Random)),
            PlayoutPolicy::new("rule", "as `rule` does", HandPlayer(Rule)),
            PlayoutPolicy::new("eval", "as `eval` does", HandPlayer(Eval::default())),
        ]
    }

    /// From the last to the first.
    fn payoff_range(&self) -> f64 {
        2.0
    }
}

/// A player that is out has its points; the others share the rest.
fn share_of_the_rest(world: &World, seat: Seat) -> f64 {
    let public = world.public();
    if !public.is_in_play(seat) {
        return world.payoff(seat);
    }
    let won: f64 = Seat::all(public.players.into()).map(|seat| world.payoff(seat)).sum();
    (f64::from(public.players) - won) / f64::from(public.in_play())
}

/// Deals again what a player does not see: cards that were shown go where they came from, and others take their places. If all
/// are in place, two of the others exchange a card.
fn revise(start: &mut World, now: &View, rng: &mut Rng) {
    let own = now.seat().index();
    let public = now.public();
    let mut sizes = now.sizes();
    sizes[own] = 0;
    let mut hidden = start.hands.map(|hand| hand.and(now.unknown()));
    hidden[own] = Cards::EMPTY;
    if hidden.iter().zip(sizes).all(|(hand, size)| hand.len() == usize::from(size)) {
        exchange(&mut hidden, rng);
    } else {
        fill(&mut hidden, sizes, now.unknown(), rng);
    }
    for (seat, hand) in hidden.into_iter().enumerate().filter(|(seat, _)| *seat != own) {
        let shown = public.laid[seat].without(start.public.laid[seat]);
        start.hands[seat] = hand.or(shown);
    }
}

/// Exchanges a card between two hands, if two have any.
fn exchange(hands: &mut [Cards; MAX_PLAYERS], rng: &mut Rng) {
    let holders = hands.iter().filter(|hand| !hand.is_empty()).count();
    if holders < 2 {
        return;
    }
    let nth = |n: usize| {
        let mut held = hands.iter().enumerate().filter(|(_, hand)| !hand.is_empty());
        held.nth(n).expect("so many have cards").0
    };
    let first = rng.below(holders);
    let (a, b) = (nth(first), nth((first + 1 + rng.below(holders - 1)) % holders));
    let (given, taken) = (hands[a].choose_one(rng), hands[b].choose_one(rng));
    hands[a] = hands[a].without(given).or(taken);
    hands[b] = hands[b].without(taken).or(given);
}

/// Gives hands their sizes: those that are too large lose random cards, those that are too small get them.
fn fill(hands: &mut [Cards; MAX_PLAYERS], sizes: [u8; MAX_PLAYERS], all: Cards, rng: &mut Rng) {
    let mut pool = hands.iter().fold(all, |rest, &hand| rest.without(hand));
    for (hand, size) in hands.iter_mut().zip(sizes) {
        while hand.len() > size.into() {
            let card = hand.choose_one(rng);
            *hand = hand.without(card);
            pool = pool.or(card);
        }
    }
    for (hand, size) in hands.iter_mut().zip(sizes) {
        while hand.len() < size.into() {
            let card = pool.choose_one(rng);
            *hand = hand.or(card);
            pool = pool.without(card);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::inference::tests::{by_eval, late_views, replay, worlds};
    use super::*;
    use crate::agents::agents;
    use crate::{Action, Card, LogEntry};
    use oboro_core::{AgentEntry, GameScenes as _, Player};

    /// The types of opponents, from the documentation of the player: at random, and by `random`, `rule` and `eval`, each with
    /// few or many errors.
    const ERRORS: [(f64, f64); 2] = [(0.02, 0.7), (0.3, 0.3)];
    const TYPES: usize = 7;

    fn prior(of_type: usize) -> f64 {
        if of_type == 0 { 0.2 } else { 0.8 / 3.0 * ERRORS[(of_type - 1) % 2].1 }
    }

    fn by_type(world: &World, seat: Seat, legal: &[Action], action: Action) -> [f64; TYPES] {
        let at_random = 1.0 / legal.len() as f64;
        let one_of = |keep: &dyn Fn(Card) -> bool| {
            let cards: Vec<Card> =
                world.playable_hand().iter().filter(|&card| keep(card)).collect();
            let is_among = matches!(action, Action::Lay(card) if cards.contains(&card));
            if is_among { 1.0 / cards.len() as f64 } else { 0.0 }
        };
        let farthest = world.playable_hand().iter().map(Card::distance).max();
        let policies = [
            one_of(&|_| true),
            one_of(&|card| Some(card.distance()) == farthest),
            by_eval(world, seat, action),
        ];
        std::array::from_fn(|of_type| match of_type.checked_sub(1) {
            None => at_random,
            Some(n) => (1.0 - ERRORS[n % 2].0) * policies[n / 2] + ERRORS[n % 2].0 * at_random,
        })
    }

    /// The likelihood of a world: a sum over all types of all others.
    fn weight(rules: &Sevens, view: &View, now: &World) -> f64 {
        let mut by_seat = [[1.0; TYPES]; MAX_PLAYERS];
        replay(rules, view, now, |world, seat, legal, action| {
            let by_type = by_type(world, seat, legal, action);
            by_seat[seat.index()].iter_mut().zip(by_type).for_each(|(all, one)| *all *= one);
        });
        let others = || by_seat[..rules.players.into()].iter().enumerate();
        let others = || others().filter(|(seat, _)| *seat != view.seat().index()).map(|(_, of)| of);
        let sum_of = |of: &[f64; TYPES]| (0..TYPES).map(|n| prior(n) * of[n]).sum::<f64>();
        let apart: f64 = others().map(sum_of).product();
        let alike = |n| prior(n) * others().map(|of| of[n]).product::<f64>();
        0.5 * apart + 0.5 * (0..TYPES).map(alike).sum::<f64>()
    }

    /// What `oboro` believes after it was shown a game up to a view.
    fn beliefs(rules: &Sevens, view: &View, now: &World) -> Vec<oboro_core::Belief> {
        let spec = "oboro".parse().unwrap();
        let (_, factory) = AgentEntry::resolve(&agents(), rules, &spec).unwrap();
        let Player::Agent(mut agent) = factory() else { panic!("no oracle") };
        let mut dealt = now.hands;
        for (hand, laid) in dealt.iter_mut().zip(now.public.laid) {
            *hand = hand.or(laid);
        }
        let mut world = World::start(rules, dealt);
        agent.begin(&world.view(view.seat()));
        for entry in now.public.log.entries() {
            let action =
                if let LogEntry::Laid(card) = entry { Action::Lay(card) } else { Action::Pass };
            let before = world.view(view.seat());
            agent.observe_from(&|| before, &world.event(action, view.seat()));
            world.apply(action);
        }
        agent.beliefs(view, &mut Rng::from_u64(1))
    }

    #[test]
    fn beliefs_are_near_those_of_enumeration() {
        let (mut off, mut by_counting) = (0.0, 0.0);
        for (seed, (players, holders)) in [(3, 3), (4, 3), (4, 4), (4, 3)].into_iter().enumerate() {
            let rules = Sevens { players, ..Sevens::default() };
            let views = late_views(&rules, holders, &mut Rng::from_u64(15 + seed as u64));
            let view = views.last().expect("a view");
            let worlds = worlds(view);
            let weights: Vec<f64> =
                worlds.iter().map(|world| weight(&rules, view, world)).collect();
            let total: f64 = weights.iter().sum();
            let found = beliefs(&rules, view, &worlds[0]);
            let answers: Vec<Vec<String>> =
                worlds.iter().map(|world| rules.answers(world, view)).collect();
            for (number, (belief, counted)) in found.iter().zip(rules.secrets(view)).enumerate() {
                for (value, counted) in belief.values.iter().zip(&counted.values) {
                    let so =
                        answers.iter().zip(&weights).filter(|(all, _)| all[number] == value.value);
                    let exact = so.map(|(_, weight)| weight).sum::<f64>() / total;
                    off += (value.probability - exact).abs();
                    by_counting += (counted.probability - exact).abs();
                }
            }
        }
        assert!(off < 0.4 * by_counting, "{off}, where counting is {by_counting} away");
    }
}
