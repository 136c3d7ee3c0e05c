use super::search::Search;
use super::ways::Ways;
use crate::{Action, Board, Bounds, Card, Goal, Goals, Saboteur};
use std::sync::Arc;

/// The evaluation of a mine for the diggers: their chance of the gold, as a number of cards they are short of it.
///
/// Every open end counts by the number of cards from there to the goal, and by the share of the cards to come that
/// lead on from it. Several ways are safer than a single one.
#[derive(Clone, Debug)]
pub(in crate::agents) struct Prospect<'a> {
    pub(in crate::agents) rules: Saboteur,
    /// By goal, the probability of being the gold.
    pub(in crate::agents) gold: [f64; 3],
    pub(in crate::agents) odds: &'a DrawOdds,
}

/// More cards than any way is long: there is none.
const NO_WAY: f64 = 16.0;

/// Whether the logarithm of a chance is lower than another's in spite of rounding.
pub(super) fn is_clearly_less(chance: f64, other: f64) -> bool {
    chance < other * (1.0 - 1e-9)
}

/// The odds of continuing at an open end, by the path cards that may still come.
#[derive(Clone, Debug)]
pub(in crate::agents) struct DrawOdds {
    /// The discount factor per card, and its logarithm.
    discount: f64,
    log_discount: f64,
    /// A little more than the chance of the gold without a way to it.
    no_chance: f64,
    /// The number of draws for a card that leads on.
    tries: u32,
    /// The number of cards that may still come.
    all: u8,
    /// By set of passable cards, a bit each, the number of them that may still come.
    of: [u8; 1 << Card::PASSABLE],
    /// By the number of cards that may still come.
    misses: Arc<[Misses]>,
}

/// The chance to fail at an open end, by the number of cards that lead nearer to the goal and by the
/// distance to it.
type Misses = [[f64; DrawOdds::NEAR]; DrawOdds::CARDS];

impl DrawOdds {
    /// One more than there are passable cards.
    const CARDS: usize = 32;
    /// One more than there are path cards.
    const ALL: u8 = 41;
    /// Distances that are worked out beforehand.
    const NEAR: usize = 16;

    /// From the numbers of the cards that may still come, by card.
    pub(in crate::agents) fn new(
        discount: f64,
        tries: u32,
        counts: &[u8; Card::PATHS],
    ) -> DrawOdds {
        let log_discount = libm::log(discount);
        let mut odds = DrawOdds {
            discount,
            log_discount,
            no_chance: if discount > 0.0 {
                libm::exp(NO_WAY * log_discount) * 1.001
            } else {
                f64::INFINITY
            },
            tries,
            all: 0,
            of: [0; 1 << Card::PASSABLE],
            misses: Arc::default(),
        };
        let misses = |all: u8| -> Misses {
            odds.all = all;
            std::array::from_fn(|useful| {
                let mut chance = odds.chance(useful as u8);
                [0.0; DrawOdds::NEAR].map(|_| {
                    let miss = 1.0 - chance;
                    chance *= discount;
                    miss
                })
            })
        };
        odds.misses = (0..DrawOdds::ALL).map(misses).collect();
        odds.update(counts);
        odds
    }

    /// Takes other numbers of cards.
    pub(in crate::agents) fn update(&mut self, counts: &[u8; Card::PATHS]) {
        self.all = counts.iter().sum();
        for (card, &count) in counts[..Card::PASSABLE].iter().enumerate() {
            // The sets with this card as their last are those before it, with it.
            let (without, with) = self.of.split_at_mut(1 << card);
            for (with, without) in with.iter_mut().zip(without) {
                *with = *without + count;
            }
        }
    }

    /// The chance that somebody soon has one of so many cards.
    #[inline]
    fn chance(&self, useful: u8) -> f64 {
        let lacking = 1.0 - f64::from(useful) / f64::from(self.all.max(1));
        1.0 - (0..self.tries).fold(1.0, |none, _| none * lacking)
    }

    /// How many cards the diggers are short of the gold, by their chance of it.
    pub(super) fn short(&self, value: f64) -> f64 {
        if value > 0.0 { (libm::log(value) / self.log_discount).min(NO_WAY) } else { NO_WAY }
    }

    /// Whether the diggers are nearer to the gold with one chance of it than they were with another.
    pub(super) fn is_nearer(&self, before: f64, after: f64) -> bool {
        if is_clearly_less(after, before) {
            return false;
        }
        self.is_clearly_nearer(before, after) || self.short(before) - self.short(after) > 0.0
    }

    /// Whether that is so whichever way the numbers of cards are rounded.
    #[inline]
    pub(super) fn is_clearly_nearer(&self, before: f64, after: f64) -> bool {
        after > self.no_chance && is_clearly_less(before, after)
    }

    /// The chances by the numbers of cards.
    #[inline]
    pub(super) fn chances(&self) -> Chances<'_> {
        Chances { odds: self, misses: &self.misses[usize::from(self.all)] }
    }
}

/// The chances by one odds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chances<'a> {
    odds: &'a DrawOdds,
    misses: &'a Misses,
}

impl Chances<'_> {
    /// Distances that are worked out beforehand.
    pub(super) const NEAR: usize = DrawOdds::NEAR;

    /// The chance to fail at an open end so many cards from the goal, where these cards lead
    /// nearer to it.
    #[inline]
    pub(super) fn miss(self, distance: usize, cards: u8) -> f64 {
        self.misses[self.useful(cards)][distance % DrawOdds::NEAR]
    }

    /// The same for any distance.
    #[cold]
    pub(super) fn far_miss(self, distance: u8, cards: u8) -> f64 {
        let DrawOdds { discount, .. } = *self.odds;
        let chance = self.odds.chance(self.useful(cards) as u8);
        1.0 - (0..distance).fold(chance, |chance, _| chance * discount)
    }

    /// How many of these cards may still come.
    #[inline]
    fn useful(self, cards: u8) -> usize {
        let useful = self.odds.of[usize::from(cards % (1 << Card::PASSABLE))];
        usize::from(useful) % DrawOdds::CARDS
    }
}

/// The chance to fail somewhere, by goal. One more place makes all of them fit in two registers.
pub(super) type Fails = [f64; 4];

/// The chance to fail both here and there.
#[inline]
pub(super) fn times(here: Fails, there: &Fails) -> Fails {
    std::array::from_fn(|goal| here[goal] * there[goal])
}

/// How many cards nearer to the gold one action brings the diggers.
pub(in crate::agents) fn progress(prospect: &Prospect<'_>, board: &Board, action: Action) -> f64 {
    let mut changed = *board;
    let touched = changed.change(prospect.rules, action);
    let before = prospect.chance(board, Goals::EMPTY);
    let after = prospect.chance(&changed, touched);
    prospect.odds.short(before) - prospect.odds.short(after)
}

impl Prospect<'_> {
    /// The goals under which the gold may be.
    pub(super) fn likely(&self) -> Goals {
        Goal::ALL.into_iter().filter(|goal| self.gold[goal.index()] > 0.0).collect()
    }

    /// The chance of the gold in a mine whose `touched` goals are about to be turned up.
    pub(super) fn chance(&self, board: &Board, touched: Goals) -> f64 {
        match self.rules.bounds {
            Bounds::Paper => self.value_by(&Ways::<1>::new(self, board), touched),
            Bounds::Three => self.value_by(&Ways::<2>::new(self, board), touched),
            Bounds::None => self.value_by(&Ways::<3>::new(self, board), touched),
        }
    }

    /// The chance of the gold by the ways of a mine whose `touched` goals are about to be turned up.
    pub(super) fn value_by<const W: usize>(&self, ways: &Ways<'_, W>, touched: Goals) -> f64 {
        let search = Search::new(&ways.loose, ways.empty);
        let misses =
            ways.ends().iter().fold([1.0; 4], |all, &end| times(all, &search.misses(ways, end, 0)));
        self.value(touched, misses)
    }

    /// The chance of the gold, by the chance to fail at all ways to each goal; those that are touched
    /// are as good as reached.
    #[inline]
    pub(super) fn value(&self, touched: Goals, mut misses: Fails) -> f64 {
        for goal in touched {
            misses[goal.index()] = 0.0;
        }
        self.gold.iter().zip(misses).fold(0.0, |value, (gold, miss)| value + gold * (1.0 - miss))
    }
}
