//! The chance to win by the numbers of goals left.

use crate::public::{Finish, MAX_SEATS, Public};
use oboro_core::Seat;

/// The assumed probability that a turn reaches its goal.
const RATE: f64 = 0.5;

/// By seat the number of goals left, the way home included; an unused seat has one.
pub(super) type Goals = [u8; MAX_SEATS];

/// The numbers of goals left.
pub(super) fn goals_left(public: &Public) -> Goals {
    let home = usize::from(public.finish == Finish::Home);
    let of = |i| (public.cards_left(Seat::new(i)) + home) as u8;
    std::array::from_fn(|i| if i < public.seats() { of(i) } else { 1 })
}

/// The chance of one seat to reach its last goal first, for all numbers of goals left and with the next seat to move. Every
/// turn reaches a goal with the same probability.
#[derive(Clone, Debug, Default)]
pub(super) struct Race {
    own: usize,
    seats: usize,
    /// One more than the largest number of goals of a seat.
    side: usize,
    chances: Vec<f64>,
}

impl Race {
    /// The chances of a seat at this table.
    pub(super) fn new(public: &Public, own: Seat) -> Race {
        let home = usize::from(public.finish == Finish::Home);
        let seats = public.seats();
        let side = public.cards_dealt() + home + 1;
        let mut race = Race { own: own.index(), seats, side, chances: Vec::new() };
        let states = side.pow(seats as u32);
        // For each state and seat to move, in an order in which fewer goals come first.
        let mut chances = vec![0.0; states * seats];
        for state in 0..states {
            let goals: Goals = std::array::from_fn(|i| {
                if i < seats { (state / side.pow(i as u32) % side) as u8 } else { 1 }
            });
            if let Some(winner) = goals.iter().position(|&left| left == 0) {
                let chance = f64::from(u8::from(winner == race.own));
                chances[state * seats..][..seats].fill(chance);
                continue;
            }
            // The mover reaches a goal or not; when nobody does in a round, the state is as before.
            let after = |mover: usize| {
                let next = state - side.pow(mover as u32);
                RATE * chances[next * seats + (mover + 1) % seats]
            };
            let gains: [f64; MAX_SEATS] =
                std::array::from_fn(|i| if i < seats { after(i) } else { 0.0 });
            for mover in 0..seats {
                let (mut sum, mut weight) = (0.0, 1.0);
                for turn in 0..seats {
                    sum += weight * gains[(mover + turn) % seats];
                    weight *= 1.0 - RATE;
                }
                chances[state * seats + mover] = sum / (1.0 - weight);
            }
        }
        let mover = (race.own + 1) % seats;
        race.chances = chances.into_iter().skip(mover).step_by(seats).collect();
        race
    }

    /// Whether it was made for this table and seat.
    pub(super) fn is_for(&self, public: &Public, own: Seat) -> bool {
        let home = usize::from(public.finish == Finish::Home);
        self.seats == public.seats()
            && self.own == own.index()
            && self.side == public.cards_dealt() + home + 1
    }

    /// The chance to win with so many goals left, after an own turn.
    #[inline]
    pub(super) fn chance(&self, goals: Goals) -> f64 {
        let index = goals[..self.seats].iter().rev();
        self.chances[index.fold(0, |index, &left| index * self.side + usize::from(left))]
    }

    /// The chance to win after a round in which the seat itself reaches 0, 1 or 2 goals (no more than it has left). Each
    /// opponent reaches its goal with the chance in `hits`, by seat.
    pub(super) fn after_round(&self, goals: Goals, hits: &[f64; MAX_SEATS]) -> [f64; 3] {
        let mut chances = [0.0; 3];
        for outcome in 0..1usize << self.seats {
            if outcome >> self.own & 1 != 0 {
                continue;
            }
            let mut left = goals;
            let mut weight = 1.0;
            for seat in (0..self.seats).filter(|&seat| seat != self.own) {
                let hit = outcome >> seat & 1;
                left[seat] -= hit as u8;
                weight *= if hit != 0 { hits[seat] } else { 1.0 - hits[seat] };
            }
            let lost = (0..self.seats).any(|seat| seat != self.own && left[seat] == 0);
            if weight == 0.0 || lost {
                continue;
            }
            for chance in chances.iter_mut().take(usize::from(goals[self.own]) + 1) {
                *chance += weight * self.chance(left);
                left[self.own] = left[self.own].saturating_sub(1);
            }
        }
        chances
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Labyrinth;
    use oboro_core::{Game, GameWorld, Rng};

    fn race(rules: &Labyrinth, own: usize) -> Race {
        let world = rules.deal(&mut Rng::from_u64(1));
        let view = world.view(Seat::new(own));
        Race::new(view.public(), Seat::new(own))
    }

    #[test]
    fn the_last_step_of_a_duel_is_a_geometric_series() {
        let race = race(&Labyrinth { cards: Some(3), ..Labyrinth::default() }, 0);
        // The opponent moves first, and each turn succeeds with probability one half.
        assert!((race.chance([1, 1, 1, 1]) - 1.0 / 3.0).abs() < 1e-12);
        assert_eq!(race.chance([0, 1, 1, 1]), 1.0);
        assert_eq!(race.chance([1, 0, 1, 1]), 0.0);
    }

    #[test]
    fn fewer_own_goals_are_better_and_fewer_goals_of_others_worse() {
        let rules = Labyrinth { players: 3, ..Labyrinth::default() };
        let race = race(&rules, 1);
        for (own, other) in [(1, 1), (4, 2), (9, 9), (2, 7)] {
            let chance = race.chance([other, own, 5, 1]);
            assert!(race.chance([other, own - 1, 5, 1]) > chance);
            assert!(race.chance([other - 1, own, 5, 1]) < chance);
        }
    }

    #[test]
    fn a_round_mixes_the_outcomes_of_opponents() {
        let race = race(&Labyrinth::default(), 0);
        let goals = [5, 4, 1, 1];
        let sure = race.after_round(goals, &[0.0, 1.0, 0.0, 0.0]);
        assert_eq!(sure, [5, 4, 3].map(|own| race.chance([own, 3, 1, 1])));
        let half = race.after_round(goals, &[0.0, 0.5, 0.0, 0.0]);
        let none = race.after_round(goals, &[0.0; MAX_SEATS]);
        for i in 0..3 {
            assert!((half[i] - f64::midpoint(sure[i], none[i])).abs() < 1e-12);
        }
        // An opponent that gets home has won.
        assert_eq!(race.after_round([5, 1, 1, 1], &[0.0, 1.0, 0.0, 0.0]), [0.0; 3]);
    }
}
