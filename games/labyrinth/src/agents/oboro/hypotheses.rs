//! What is believed of a position: what each rival looks for, and what comes next on the own pile.

use super::super::tiles::Targets;
use super::reading::{ByManner, Manner, PRIOR, Reading};
use super::standing::Standing;
use crate::View;
use crate::cell::Cell;
use crate::public::{Goal, MAX_SEATS};
use crate::rules::Finish;
use crate::treasure::{Treasure, TreasureSet};
use arrayvec::ArrayVec;
use oboro_core::{Rng, Seat};

/// Treasures with their probabilities.
type Odds = ArrayVec<(Treasure, f64), { Treasure::COUNT }>;

/// What somebody may look for.
#[derive(Clone, Debug)]
#[allow(clippy::large_enum_variant, reason = "a handful for each decision, and none on the heap")]
pub(super) enum Outlook {
    /// Nothing more: the game is won.
    Won,
    /// Its home corner.
    Home(Cell),
    /// One of these.
    Treasures(Odds),
}

impl Outlook {
    /// The chance that the goal is among these tiles.
    #[inline]
    pub(super) fn chance(&self, table: &Standing, targets: &Targets) -> f64 {
        match self {
            Outlook::Won => 1.0,
            Outlook::Home(home) => f64::from(u8::from(targets.contain(Some(*home)))),
            Outlook::Treasures(odds) => {
                let hit = |treasure: Treasure| targets.contain(table.board.place(treasure));
                odds.iter().filter(|(treasure, _)| hit(*treasure)).map(|(_, chance)| chance).sum()
            }
        }
    }
}

/// What is believed of one rival.
#[derive(Clone, Debug)]
pub(super) struct Rival {
    pub(super) seat: usize,
    pub(super) outlook: Outlook,
    reading: Reading,
}

/// One rival as imagined: what it looks for and how it plays.
#[derive(Clone, Copy, Debug)]
pub(super) struct Imagined {
    pub(super) goal: Goal,
    pub(super) manner: Manner,
}

impl Rival {
    /// How likely it plays in each manner if it looks for this treasure, or goes home.
    pub(super) fn manners(&self, goal: Option<Treasure>) -> ByManner {
        let mut weights = self.reading.manners(goal);
        if goal.is_none() {
            // No idler has found all its cards.
            weights[Manner::Idle as usize] = 0.0;
        }
        let total: f64 = weights.iter().sum();
        if total > 0.0 { weights.map(|weight| weight / total) } else { PRIOR }
    }

    /// Whether it is most likely keen: what it does is then known as far as its goal is.
    pub(super) fn is_foreseen(&self) -> bool {
        self.manners(None)[Manner::Keen as usize] > 0.5
    }

    /// Draws what it looks for and how it plays.
    pub(super) fn imagine(&self, rng: &mut Rng) -> Imagined {
        let (goal, treasure) = match &self.outlook {
            Outlook::Treasures(odds) => {
                let mut rest = rng.unit();
                let drawn = odds.iter().find(|(_, chance)| {
                    rest -= chance;
                    rest < 0.0
                });
                let treasure = drawn.or(odds.last()).expect("a rival looks for something").0;
                (Goal::Treasure(treasure), Some(treasure))
            }
            Outlook::Home(home) => (Goal::Home(*home), None),
            Outlook::Won => unreachable!("the game goes on"),
        };
        let mut rest = rng.unit();
        let drawn = Manner::ALL.into_iter().zip(self.manners(treasure)).find(|(_, weight)| {
            rest -= weight;
            rest < 0.0
        });
        Imagined { goal, manner: drawn.map_or(Manner::Seeker, |(manner, _)| manner) }
    }
}

/// What is believed of everybody, the own pile included.
#[derive(Clone, Debug)]
pub(super) struct Forecast {
    /// In order of play after the own seat.
    pub(super) rivals: ArrayVec<Rival, { MAX_SEATS - 1 }>,
    /// What is looked for after the present goal.
    pub(super) next: Outlook,
}

impl Forecast {
    pub(super) fn new(view: &View, readings: &[Reading; MAX_SEATS]) -> Forecast {
        let public = view.public();
        let odds = odds_of_rivals(view, readings);
        let mut taken = [0.0; Treasure::COUNT];
        let rivals = view.others().zip(&odds).map(|(seat, odds)| {
            let outlook = if public.is_going_home(seat) {
                Outlook::Home(public.home(seat))
            } else {
                odds.iter().for_each(|&(treasure, chance)| taken[treasure as usize] += chance);
                Outlook::Treasures(odds.clone())
            };
            Rival { seat: seat.index(), outlook, reading: readings[seat.index()] }
        });
        let rivals = rivals.collect();
        let is_last = public.cards_left(view.seat) <= 1;
        let next = match view.goal() {
            Goal::Home(_) => Outlook::Won,
            Goal::Treasure(_) if is_last && public.finish == Finish::LastCard => Outlook::Won,
            Goal::Treasure(_) if is_last => Outlook::Home(public.home(view.seat)),
            Goal::Treasure(_) => {
                // What is on nobody's pile top may be anywhere below.
                let free = |treasure: Treasure| (1.0 - taken[treasure as usize]).max(0.0);
                Outlook::Treasures(scaled(view.unseen().iter().map(|t| (t, free(t)))))
            }
        };
        Forecast { rivals, next }
    }
}

fn scaled(weights: impl Iterator<Item = (Treasure, f64)>) -> Odds {
    let mut odds: Odds = weights.filter(|(_, weight)| *weight > 0.0).collect();
    let total: f64 = odds.iter().map(|(_, weight)| weight).sum();
    odds.iter_mut().for_each(|(_, weight)| *weight /= total);
    odds
}

/// What each rival looks for, in order of play: as read from its turns, and no two look for the same.
fn odds_of_rivals(
    view: &View,
    readings: &[Reading; MAX_SEATS],
) -> ArrayVec<Odds, { MAX_SEATS - 1 }> {
    let weights = |seat: Seat| readings[seat.index()].goals(view.suspects(seat));
    let seekers: ArrayVec<(Seat, [f64; Treasure::COUNT]), { MAX_SEATS - 1 }> = view
        .others()
        .filter(|&seat| !view.public().is_going_home(seat))
        .map(|seat| (seat, weights(seat)))
        .collect();
    let odds = |seat: Seat| {
        let own = seekers.iter().find(|(seeker, _)| *seeker == seat)?;
        let mut others = seekers.iter().filter(|(seeker, _)| *seeker != seat).map(|(_, w)| w);
        let (a, b) = (others.next(), others.next());
        // The weight of all ways in which the others look for two different treasures, and not for this one.
        let ways = |treasure: Treasure| {
            let without = |w: &[f64; Treasure::COUNT]| w.iter().sum::<f64>() - w[treasure as usize];
            let both = |a: &[f64; Treasure::COUNT], b: &[f64; Treasure::COUNT]| {
                let same = |t: &Treasure| a[*t as usize] * b[*t as usize];
                Treasure::ALL.iter().filter(|t| **t != treasure).map(same).sum::<f64>()
            };
            match (a, b) {
                (Some(a), Some(b)) => without(a) * without(b) - both(a, b),
                (Some(a), None) => without(a),
                _ => 1.0,
            }
        };
        let suspects: TreasureSet = view.suspects(seat);
        let weight = |t: Treasure| own.1[t as usize] * ways(t).max(f64::MIN_POSITIVE);
        Some(scaled(suspects.iter().map(|t| (t, weight(t)))))
    };
    view.others().map(|seat| odds(seat).unwrap_or_default()).collect()
}
