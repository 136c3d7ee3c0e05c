//! The gold cards: what a finished round pays, who sees which of them, and the deal of a round.

use crate::public::{FinishedRound, Public, Seats};
use crate::{Card, Cards, GoalCard, Hand, Saboteur, World};
use oboro_core::{Rng, Seat};

/// The gold cards of a bundle, the most valuable first; 0 stands for one that a seat has not seen.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Bundle {
    pub(crate) nuggets: [u8; 9],
    pub(crate) len: u8,
}

impl Bundle {
    /// The nuggets on each card.
    pub fn as_slice(&self) -> &[u8] {
        &self.nuggets[..usize::from(self.len)]
    }

    pub(crate) fn from_slice(nuggets: &[u8]) -> Bundle {
        let mut bundle = Bundle { len: nuggets.len() as u8, ..Bundle::default() };
        bundle.nuggets[..nuggets.len()].copy_from_slice(nuggets);
        bundle
    }

    /// The bundle as a seat sees it that is handed it after `before` cards were taken.
    pub(crate) fn seen_after(&self, before: usize) -> Bundle {
        let mut seen = *self;
        seen.nuggets[..before.min(self.len.into())].fill(0);
        seen
    }
}

/// The gold cards nobody has won yet: how many of 1, 2 and 3 nuggets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Supply([u8; 3]);

impl Supply {
    pub(crate) const FULL: Supply = Supply([16, 8, 4]);

    /// Takes the cards of a bundle; `None` if there are not so many.
    pub(crate) fn without(mut self, bundle: &Bundle) -> Option<Supply> {
        for &nuggets in bundle.as_slice() {
            let left = &mut self.0[usize::from(nuggets).checked_sub(1)?];
            *left = left.checked_sub(1)?;
        }
        Some(self)
    }

    /// Takes what the saboteurs win: each its nuggets in as few cards as there are. (Should small
    /// cards ever run out, which takes three rounds of ten players, they are owed the rest.)
    pub(crate) fn without_saboteurs(mut self, saboteurs: usize) -> Supply {
        for _ in 0..saboteurs {
            let mut owed = Saboteur::saboteur_nuggets(saboteurs);
            for nuggets in [3, 2, 1] {
                let left = &mut self.0[usize::from(nuggets) - 1];
                let taken = (owed / nuggets).min(*left);
                *left -= taken;
                owed -= taken * nuggets;
            }
        }
        self
    }

    /// Draws a bundle.
    fn draw(self, cards: usize, rng: &mut Rng) -> Bundle {
        let mut deck = [0; 28];
        let mut len = 0;
        for (count, nuggets) in self.0.into_iter().zip(1..) {
            deck[len..len + usize::from(count)].fill(nuggets);
            len += usize::from(count);
        }
        rng.shuffle(&mut deck[..len]);
        let drawn = &mut deck[..cards.min(len)];
        drawn.sort_unstable_by(|a, b| b.cmp(a));
        Bundle::from_slice(drawn)
    }
}

impl FinishedRound {
    /// The diggers in the order in which they pick: first who reached the gold, then against the
    /// direction of play.
    pub(crate) fn pickers(self, players: usize) -> impl Iterator<Item = Seat> + Clone {
        let first = self.reached_by.map_or(0, Seat::index);
        (0..players)
            .map(move |i| Seat::new((first + players - i) % players))
            .filter(move |&seat| !self.saboteurs.contains(seat))
    }

    /// The nuggets of a seat in the round. Everybody takes the most valuable card that is left.
    pub(crate) fn nuggets(self, players: usize, bundle: &Bundle, seat: Seat) -> u32 {
        if self.reached_by.is_some() {
            let picks = self.pickers(players).cycle();
            let taken = bundle.as_slice().iter().zip(picks);
            taken
                .filter(|(_, picker)| *picker == seat)
                .map(|(&nuggets, _)| u32::from(nuggets))
                .sum()
        } else if self.saboteurs.contains(seat) {
            Saboteur::saboteur_nuggets(self.saboteurs.len()).into()
        } else {
            0
        }
    }

    /// How many gold cards are gone when the bundle first comes to a seat; all of them for a
    /// saboteur.
    pub(crate) fn taken_before(self, players: usize, seat: Seat) -> usize {
        self.pickers(players).position(|picker| picker == seat).unwrap_or(usize::MAX)
    }
}

/// Deals the first round of a game.
pub(crate) fn draw_round(rules: Saboteur, rng: &mut Rng) -> World {
    deal(&Public::new(rules, Seat::FIRST), rng)
}

/// Deals roles, goals, hands and deck to a fresh table.
fn deal(public: &Public, rng: &mut Rng) -> World {
    let rules = public.rules;
    let mut cards = FULL_DECK;
    rng.shuffle(&mut cards);
    let (dealt, deck) = cards.split_at(usize::from(rules.players) * rules.hand_size());
    let mut world = World {
        saboteurs: draw_roles(rules, None, rng),
        goals: GoalCard::ALL,
        hands: [Hand::default(); Saboteur::MAX_PLAYERS],
        deck: Cards::from_slice(deck).expect("a deck has room for all cards"),
        pile: [Card::default(); Card::DECK],
        bundles: [Bundle::default(); Saboteur::MAX_ROUNDS],
        chance: 0,
        public: *public,
    };
    rng.shuffle(&mut world.goals);
    for (hand, cards) in world.hands.iter_mut().zip(dealt.chunks_exact(rules.hand_size())) {
        *hand = Hand::from_slice(cards).expect("a hand has room for the cards dealt");
    }
    world.chance = rng.bits();
    world
}

/// All cards, sorted.
const FULL_DECK: [Card; Card::DECK] = {
    let mut cards = [Card::from_index(0); Card::DECK];
    let mut count = 0;
    let mut index = 0;
    while index < Card::KINDS {
        let card = Card::from_index(index);
        let mut copies = card.copies();
        while copies > 0 {
            cards[count] = card;
            count += 1;
            copies -= 1;
        }
        index += 1;
    }
    cards
};

/// Shuffles the role cards, one more than players, and deals them; `fixed` is a seat whose role is
/// known.
pub(crate) fn draw_roles(rules: Saboteur, fixed: Option<(Seat, bool)>, rng: &mut Rng) -> Seats {
    let mut saboteurs_left = rules.saboteur_cards();
    let mut cards_left = rules.saboteur_cards() + rules.digger_cards();
    let mut saboteurs = Seats::EMPTY;
    if let Some((seat, is_saboteur)) = fixed {
        cards_left -= 1;
        if is_saboteur {
            saboteurs_left -= 1;
            saboteurs.insert(seat);
        }
    }
    for seat in Seat::all(rules.players.into()) {
        if fixed.is_some_and(|(known, _)| known == seat) {
            continue;
        }
        if rng.below(cards_left) < saboteurs_left {
            saboteurs_left -= 1;
            saboteurs.insert(seat);
        }
        cards_left -= 1;
    }
    saboteurs
}

impl World {
    /// The gold cards nobody has won yet.
    pub(crate) fn supply(&self) -> Supply {
        let rounds = self.public.past().iter().zip(&self.bundles);
        rounds.fold(Supply::FULL, |supply, (past, bundle)| after(*past, bundle, supply))
    }

    /// Pays the round that just ended, and deals the next if there is one.
    pub(crate) fn finish_round(&mut self, last: Seat, reached_by: Option<Seat>) {
        let rules = self.public.rules;
        let mut rng = Rng::from_u64(self.chance);
        let round = usize::from(self.public.past_len);
        let bundle = match reached_by {
            Some(_) => self.supply().draw(rules.gold_cards(), &mut rng),
            None => Bundle::default(),
        };
        self.bundles[round] = bundle;
        self.public.past[round] = FinishedRound { reached_by, saboteurs: self.saboteurs };
        self.public.past_len += 1;
        if self.public.past_len == rules.rounds {
            self.public.turn = None;
            return;
        }
        let mut public = Public::new(rules, last.next(rules.players.into()));
        public.past = self.public.past;
        public.past_len = self.public.past_len;
        *self = World { bundles: self.bundles, ..deal(&public, &mut rng) };
    }
}

/// Fills in what a seat has not seen of the bundles of finished rounds, with the probability of
/// the draws that agree with what it has seen.
pub(crate) fn imagine_bundles(past: &[FinishedRound], seen: &mut [Bundle], rng: &mut Rng) {
    let mut supply = Supply::FULL;
    for round in 0..past.len() {
        if past[round].reached_by.is_some() {
            let mut wanted = rng.unit() * ways(&past[round..], &seen[round..], supply);
            let mut chosen = None;
            for_each_completion(&seen[round], supply, |bundle, weight, left| {
                let weight = weight * ways(&past[round + 1..], &seen[round + 1..], left);
                if wanted >= 0.0 && weight > 0.0 {
                    chosen = Some(bundle);
                    wanted -= weight;
                }
            });
            seen[round] = chosen.expect("what a seat has seen can be completed");
        }
        supply = after(past[round], &seen[round], supply);
    }
}

/// What a finished round leaves of the supply.
fn after(past: FinishedRound, bundle: &Bundle, supply: Supply) -> Supply {
    match past.reached_by {
        Some(_) => supply.without(bundle).expect("bundles are drawn from the supply"),
        None => supply.without_saboteurs(past.saboteurs.len()),
    }
}

/// In how many ways the gold cards can have been drawn so that the bundles look as they were seen.
fn ways(past: &[FinishedRound], seen: &[Bundle], supply: Supply) -> f64 {
    let Some(first) = past.first() else {
        return 1.0;
    };
    if first.reached_by.is_none() {
        return ways(&past[1..], &seen[1..], after(*first, &seen[0], supply));
    }
    let mut total = 0.0;
    for_each_completion(&seen[0], supply, |_, weight, left| {
        total += weight * ways(&past[1..], &seen[1..], left);
    });
    total
}

/// Calls `visit` with every way to fill the unseen front of a bundle (none of it is worth less than
/// what was seen), the number of draws that give it, and what they leave.
fn for_each_completion(seen: &Bundle, supply: Supply, mut visit: impl FnMut(Bundle, f64, Supply)) {
    let seen_from = seen.as_slice().iter().position(|&nuggets| nuggets > 0);
    let unseen = seen_from.unwrap_or(seen.len.into());
    let min = seen.as_slice().get(unseen).copied().unwrap_or(1);
    for threes in 0..=unseen {
        for twos in 0..=unseen - threes {
            let ones = unseen - threes - twos;
            if ones > 0 && min > 1 || twos > 0 && min > 2 {
                continue;
            }
            let mut bundle = *seen;
            bundle.nuggets[..threes].fill(3);
            bundle.nuggets[threes..threes + twos].fill(2);
            bundle.nuggets[threes + twos..unseen].fill(1);
            if let Some(left) = supply.without(&bundle) {
                let weight = (0..3).map(|i| choose(supply.0[i], supply.0[i] - left.0[i])).product();
                visit(bundle, weight, left);
            }
        }
    }
}

/// The binomial coefficient.
fn choose(n: u8, k: u8) -> f64 {
    (0..k).fold(1.0, |product, i| product * f64::from(n - i) / f64::from(i + 1))
}
