//! Whole games by one strategy.

use crate::agents::Manner;
use crate::{Cards, Public, World};
use oboro_core::{Rng, Seat};

/// Plays a world to its end, every seat by the same strategy: turn by turn what
/// [`apply`](oboro_core::GameWorld::apply) would do. A playout mostly waits for the table, from which follows what can be
/// laid, from which follows the table; so it is kept at hand, and so is who comes after whom.
#[inline]
pub(crate) fn play_out<S: Manner>(strategy: &S, world: &mut World, rng: &mut Rng) {
    let Some(mut seat) = world.public.to_act() else { return };
    let mut circle = Circle::new(&world.public, seat);
    let mut table = world.public.table;
    loop {
        let hand = world.hand(seat);
        let cards = world.public.gaps.playable_of(hand, table);
        let laid = if cards.is_empty() {
            Cards::NONE
        } else {
            strategy.choose(&world.public, seat, hand, cards, rng)
        };
        let is_out = world.take_turn(seat, laid);
        let next = circle.next(seat, is_out);
        if is_out {
            if world.public.in_play() == 1 {
                return world.public.end(next);
            }
            // One that retires lays all it has.
            table = world.public.table;
        } else {
            table = table.or(laid);
        }
        world.public.turn = next.index() as u8;
        seat = next;
    }
}

/// The players still in the game, in turn.
struct Circle {
    /// Who is next after each; more places than seats, so that a masked index needs no check.
    after: [Seat; 8],
    /// Who moved before the player to move.
    before: Seat,
}

impl Circle {
    fn new(public: &Public, to_act: Seat) -> Circle {
        let mut circle = Circle { after: [to_act; 8], before: to_act };
        let mut seat = to_act.next(public.players.into());
        while seat != to_act {
            if public.is_in_play(seat) {
                circle.after[circle.before.index() & 7] = seat;
                circle.before = seat;
            }
            seat = seat.next(public.players.into());
        }
        circle
    }

    /// Who is next after the player that moved, which may be out then.
    #[inline]
    fn next(&mut self, moved: Seat, is_out: bool) -> Seat {
        let next = self.after[moved.index() & 7];
        if is_out {
            self.after[self.before.index() & 7] = next;
        } else {
            self.before = moved;
        }
        next
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::{Eval, PlaysBy, Random, Rule};
    use crate::{Gaps, Sevens};
    use oboro_core::{Game, GameWorld, Policy};

    /// The plain twin: one turn after the other, through [`GameWorld::apply`].
    fn turn_by_turn<S: Manner>(strategy: S, world: &mut World, rng: &mut Rng) {
        while world.to_act().is_some() {
            let action = PlaysBy(strategy).choose(world, rng);
            world.apply(action);
        }
    }

    fn check<S: Manner>(strategy: S) {
        let mut rng = Rng::from_u64(8);
        for game in 0..400 {
            let gaps = Gaps::ALL[game / 4 % 4];
            let rules = Sevens { players: 3 + (game % 4) as u8, gaps, ..Sevens::default() };
            let mut world = rules.deal(&mut rng);
            // From the deal and from the middle of a game, where some are out.
            for _ in 0..rng.below(60) {
                if world.to_act().is_some() {
                    world.apply(world.random_action(&mut rng));
                }
            }
            let (mut plain, mut stream) = (world, rng.clone());
            turn_by_turn(strategy, &mut plain, &mut stream);
            play_out(&strategy, &mut world, &mut rng);
            assert_eq!(world, plain);
            assert_eq!(rng, stream, "both streams stand at the same place");
        }
    }

    #[test]
    fn playouts_are_games_played_turn_by_turn() {
        check(Random);
        check(Rule);
        check(Eval::default());
    }
}
