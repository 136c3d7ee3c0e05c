//! Who the others may be: the manners that are known, and how likely each is to have done what somebody did.

use super::reading::{Decision, Explains, any_of};
use super::style::SEARCHER;
use super::{Eval, Manner, Random, RandomPlayer, Rule, Style};
use crate::{Cards, MAX_PLAYERS, Public, View};
use oboro_core::{Rng, Seat, SeatView};
use std::array;

/// A manner that a player may have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Suspect {
    /// As `random` plays.
    Random,
    /// As `random:pass=yes` plays: anything it may do.
    Anything,
    /// As `rule` plays.
    Rule,
    /// As `eval` plays.
    Eval,
    /// As players that search do, learned from their games.
    Searcher,
}

/// A manner for every seat.
pub type Manners = [Suspect; MAX_PLAYERS];

/// How many manners there are.
const SUSPECTS: usize = 5;

impl Suspect {
    /// All of them.
    pub const ALL: [Suspect; SUSPECTS] =
        [Suspect::Random, Suspect::Anything, Suspect::Rule, Suspect::Eval, Suspect::Searcher];

    /// How likely it is that somebody has each manner, before anything was played.
    const PRIOR: [f64; SUSPECTS] = [0.15, 0.1, 0.15, 0.3, 0.3];

    fn name(self) -> &'static str {
        match self {
            Suspect::Random => "random",
            Suspect::Anything => "random:pass=yes",
            Suspect::Rule => "rule",
            Suspect::Eval => "eval",
            Suspect::Searcher => "searcher",
        }
    }
}

/// How likely each manner makes what somebody did.
pub(super) type Likelihoods = [f64; SUSPECTS];

/// Takes each of the others for one of the suspects: with some probability all for the same, otherwise each for its own.
#[derive(Clone, Copy, Debug)]
pub(super) struct Suspicion {
    /// The other players, those who are out included.
    others: [bool; MAX_PLAYERS],
    /// How often anybody is taken to do anything at all instead.
    error: f64,
    /// How likely it is that all have one manner.
    alike: f64,
    searcher: &'static Style,
}

impl Explains for Suspicion {
    type OfSeat = Likelihoods;

    #[inline]
    fn of_seat(&self, decisions: &[Decision], hand: Cards) -> Likelihoods {
        let mut likelihoods = [1.0; SUSPECTS];
        for decision in decisions {
            let (hand, cards) = decision.hand(hand);
            if cards.is_empty() {
                // It had to pass, whoever it is.
                continue;
            }
            let by_suspect = self.probabilities(decision, hand, cards);
            for (likelihood, probability) in likelihoods.iter_mut().zip(by_suspect) {
                *likelihood *= probability;
            }
        }
        likelihoods
    }

    fn weight(&self, of_seats: &[Likelihoods; MAX_PLAYERS], _: (usize, usize)) -> f64 {
        let (alike, apart) = self.weights(of_seats);
        alike.iter().sum::<f64>() + apart
    }
}

impl Suspicion {
    pub(super) fn new(view: &View, error: f64, alike: f64) -> Suspicion {
        let players = usize::from(view.public().players);
        let is_other = |seat| seat != view.seat().index() && seat < players;
        Suspicion { others: array::from_fn(is_other), error, alike, searcher: &SEARCHER }
    }

    /// How likely each suspect would have done it with this hand.
    #[inline]
    fn probabilities(&self, decision: &Decision, hand: Cards, cards: Cards) -> Likelihoods {
        let action = decision.action;
        let anything = 1.0 / decision.legal(cards);
        let best = decision.standing.best(hand, cards);
        let by_manner = [
            any_of(cards, action),
            anything,
            any_of(cards.farthest(), action),
            any_of(best, action),
            self.searcher.probability(&decision.situation, hand, cards, action),
        ];
        by_manner.map(|probability| (1.0 - self.error) * probability + self.error * anything)
    }

    /// How probable everything is if all have one manner, by manner; and if each has its own.
    fn weights(&self, of_seats: &[Likelihoods; MAX_PLAYERS]) -> (Likelihoods, f64) {
        let mut alike = Suspect::PRIOR.map(|prior| self.alike * prior);
        let mut apart = 1.0 - self.alike;
        for (of_seat, _) in of_seats.iter().zip(self.others).filter(|(_, is_other)| *is_other) {
            for (weight, likelihood) in alike.iter_mut().zip(of_seat) {
                *weight *= likelihood;
            }
            apart *= by_itself(of_seat).iter().sum::<f64>();
        }
        (alike, apart)
    }

    /// Draws a manner for everybody, in proportion to how well they explain what was done with these hands.
    pub(super) fn draw(&self, of_seats: &[Likelihoods; MAX_PLAYERS], rng: &mut Rng) -> Manners {
        let (alike, apart) = self.weights(of_seats);
        let one_for_all = drawn(&alike, alike.iter().sum::<f64>() + apart, rng);
        if let Some(suspect) = one_for_all {
            return [suspect; MAX_PLAYERS];
        }
        of_seats.map(|of_seat| {
            let weights = by_itself(&of_seat);
            // Nothing is left over but for rounding.
            drawn(&weights, weights.iter().sum(), rng).unwrap_or(Suspect::Searcher)
        })
    }

    /// How likely each player has each manner, over these deals.
    pub(super) fn posterior<'a>(
        &self,
        deals: impl Iterator<Item = &'a [Likelihoods; MAX_PLAYERS]>,
    ) -> [Likelihoods; MAX_PLAYERS] {
        let mut sums = [[0.0; SUSPECTS]; MAX_PLAYERS];
        let mut count = 0.0;
        for of_seats in deals {
            let (alike, apart) = self.weights(of_seats);
            let total = alike.iter().sum::<f64>() + apart;
            for (sum, of_seat) in sums.iter_mut().zip(of_seats) {
                let weights = by_itself(of_seat);
                let own = weights.iter().sum::<f64>();
                for i in 0..SUSPECTS {
                    sum[i] += (alike[i] + apart * weights[i] / own) / total;
                }
            }
            count += 1.0;
        }
        sums.map(|sum| sum.map(|sum| sum / count))
    }

    /// Who the others seem to be, a line each.
    pub(super) fn describe<'a>(
        &self,
        deals: impl Iterator<Item = &'a [Likelihoods; MAX_PLAYERS]>,
    ) -> String {
        let mut text = String::new();
        for (seat, of_seat) in self.posterior(deals).into_iter().enumerate() {
            if self.others[seat] {
                let shares = Suspect::ALL.into_iter().zip(of_seat);
                let shares: Vec<String> = shares
                    .map(|(suspect, share)| format!("{} {:.0} %", suspect.name(), share * 100.0))
                    .collect();
                text.push_str(&format!("seat {seat} plays like {}\n", shares.join(", ")));
            }
        }
        text
    }
}

/// How probable it is that a player has each manner and did what it did, whatever the others are.
fn by_itself(of_seat: &Likelihoods) -> Likelihoods {
    array::from_fn(|i| Suspect::PRIOR[i] * of_seat[i])
}

/// One of the suspects, each in proportion to its weight; none with what is left of the total.
fn drawn(weights: &Likelihoods, total: f64, rng: &mut Rng) -> Option<Suspect> {
    let mut rest = rng.unit() * total;
    let is_it = |weight: &f64| {
        rest -= weight;
        rest < 0.0
    };
    weights.iter().position(is_it).map(|i| Suspect::ALL[i])
}

/// Everybody by a manner of its own.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cast {
    manners: Manners,
    searcher: &'static Style,
}

impl Cast {
    pub(super) fn new(manners: Manners) -> Cast {
        Cast { manners, searcher: &SEARCHER }
    }
}

impl Manner for Cast {
    #[inline]
    fn choose(
        &self,
        public: &Public,
        seat: Seat,
        hand: Cards,
        cards: Cards,
        rng: &mut Rng,
    ) -> Cards {
        match self.manners[seat.index()] {
            Suspect::Random => Random.choose(public, seat, hand, cards, rng),
            Suspect::Anything => RandomPlayer { pass: true }.choose(public, seat, hand, cards, rng),
            Suspect::Rule => Rule.choose(public, seat, hand, cards, rng),
            Suspect::Eval => Eval::default().choose(public, seat, hand, cards, rng),
            Suspect::Searcher => self.searcher.choose(public, seat, hand, cards, rng),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::crowd::Crowd;
    use super::super::reading::tests::{by_eval, check_drawn, late_views, replay, worlds};
    use super::super::reading::{Deal, Reading};
    use super::*;
    use crate::{Action, Card, Sevens, World};
    use oboro_core::{Game, GameWorld};

    const ERROR: f64 = 0.05;
    const ALIKE: f64 = 0.5;

    /// How likely each suspect is to do it, from what the manners are said to be.
    fn plainly(world: &World, seat: Seat, legal: &[Action], action: Action) -> Likelihoods {
        let one_of = |set: Vec<Action>| {
            if set.contains(&action) { 1.0 / set.len() as f64 } else { 0.0 }
        };
        let cards = world.playable_hand();
        let farthest = cards.iter().map(Card::distance).max();
        let lay = |keep: &dyn Fn(Card) -> bool| {
            cards.iter().filter(|&card| keep(card)).map(Action::Lay).collect()
        };
        let (mut sum, mut of_it) = (0.0, 0.0);
        Style::choices(world.public(), seat, world.hand(seat), cards, |choice| {
            let weight = SEARCHER.weight(choice);
            sum += weight;
            of_it += if choice.action == action { weight } else { 0.0 };
        });
        [
            one_of(lay(&|_| true)),
            one_of(legal.to_vec()),
            one_of(lay(&|card| Some(card.distance()) == farthest)),
            by_eval(world, seat, action),
            f64::from(of_it / sum),
        ]
        .map(|probability| (1.0 - ERROR) * probability + ERROR / legal.len() as f64)
    }

    /// How probable everything is in a world: summed over every manner of each of the others.
    fn weight(rules: &Sevens, view: &View, now: &World) -> f64 {
        let mut of_seats = [[1.0; SUSPECTS]; MAX_PLAYERS];
        replay(rules, view, now, |world, seat, legal, action| {
            let by_suspect = plainly(world, seat, legal, action);
            for (likelihood, probability) in of_seats[seat.index()].iter_mut().zip(by_suspect) {
                *likelihood *= probability;
            }
        });
        let others: Vec<usize> =
            (0..rules.players.into()).filter(|&seat| seat != view.seat().index()).collect();
        let mut sum = 0.0;
        for number in 0..SUSPECTS.pow(others.len() as u32) {
            let manner = |i: usize| number / SUSPECTS.pow(i as u32) % SUSPECTS;
            let all_alike = (0..others.len()).all(|i| manner(i) == manner(0));
            let apart: f64 = (0..others.len()).map(|i| Suspect::PRIOR[manner(i)]).product();
            let alike = if all_alike { Suspect::PRIOR[manner(0)] } else { 0.0 };
            let likelihoods = others.iter().enumerate().map(|(i, &s)| of_seats[s][manner(i)]);
            sum += (ALIKE * alike + (1.0 - ALIKE) * apart) * likelihoods.product::<f64>();
        }
        sum
    }

    #[test]
    fn a_crowd_is_drawn_in_proportion_to_how_well_hands_and_manners_explain_the_game() {
        for (players, holders) in [(3, 3), (4, 3), (4, 4)] {
            let mut rng = Rng::from_u64(15);
            let rules = Sevens { players, ..Sevens::default() };
            let views = late_views(&rules, holders, &mut rng);
            let view = views.last().expect("a view");
            let reading = Reading::new(view, Suspicion::new(view, ERROR, ALIKE));
            let worlds = worlds(view);
            let weights: Vec<f64> =
                worlds.iter().map(|world| weight(&rules, view, world)).collect();
            for (world, weight) in worlds.iter().zip(&weights) {
                let found = reading.explains.weight(&reading.deal(world.hands).of_seats, (0, 0));
                assert!((found / weight - 1.0).abs() < 1e-5, "{found} for {weight}");
            }
            // Once carried through the game, and once read from its end alone.
            for views in [&views[..], &views[views.len() - 1..]] {
                let mut crowd = Crowd::new(4000);
                for view in views {
                    let reading = Reading::new(view, Suspicion::new(view, ERROR, ALIKE));
                    crowd.advance(view, &reading, 40, &mut rng);
                }
                let mut deals = crowd.deals().iter();
                check_drawn(&worlds, &weights, 4000, 0.08, || {
                    let deal: &Deal<_> = deals.next().expect("as many as were asked for");
                    reading.world(deal).hands
                });
            }
        }
    }

    #[test]
    fn players_are_told_apart_by_what_they_do() {
        let rules = Sevens::default();
        let me = Seat::FIRST;
        for suspect in [Suspect::Random, Suspect::Anything, Suspect::Rule, Suspect::Eval] {
            let mut rng = Rng::from_u64(16);
            let mut manners = [suspect; MAX_PLAYERS];
            manners[me.index()] = Suspect::Eval;
            let cast = Cast::new(manners);
            let games = 6;
            let mut found = [0.0; SUSPECTS];
            for _ in 0..games {
                let mut world = rules.deal(&mut rng);
                let mut crowd = Crowd::new(100);
                let mut last = [[0.0; SUSPECTS]; MAX_PLAYERS];
                while let Some(seat) = world.to_act() {
                    if seat == me {
                        let view = world.view(me);
                        let reading = Reading::new(&view, Suspicion::new(&view, ERROR, ALIKE));
                        crowd.advance(&view, &reading, 5, &mut rng);
                        let deals = crowd.deals().iter().map(|deal| &deal.of_seats);
                        last = reading.explains.posterior(deals);
                    }
                    let action =
                        cast.choose_or_pass(world.public(), seat, world.hand(seat), &mut rng);
                    world.apply(action);
                }
                for (sum, share) in found.iter_mut().zip(last[1]) {
                    *sum += share / f64::from(games);
                }
            }
            let most = found.iter().copied().fold(0.0, f64::max);
            let of_it = found[Suspect::ALL.iter().position(|&s| s == suspect).unwrap()];
            assert!(of_it == most && of_it > 0.5, "{suspect:?}: {found:?}");
        }
    }
}
