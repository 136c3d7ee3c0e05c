//! Whole games by one policy.

mod lanes;

use crate::policy::{HandPolicy, Random, Turn};
use crate::{Cards, Public, World};
use oboro_core::{FastPath, GameWorld, Rng, Seat};
use oboro_lanes::Kind;

/// Plays a world to its end with one policy for every seat, as [`apply`](oboro_core::GameWorld::apply) would turn by
/// turn. The table and the order of seats are kept in local variables, since every turn waits for the table.
#[inline]
pub(crate) fn play_out<P: HandPolicy>(policy: &P, world: &mut World, rng: &mut Rng) {
    let Some(mut seat) = world.public.to_act() else { return };
    let mut circle = Circle::new(&world.public, seat);
    let mut table = world.public.table;
    loop {
        let hand = world.hand(seat);
        let cards = world.public.gaps.playable_of(hand, table);
        let laid = if cards.is_empty() {
            Cards::EMPTY
        } else {
            policy.choose(Turn { public: &world.public, seat, hand, cards }, rng)
        };
        let is_out = world.take_turn(seat, laid);
        let next = circle.next(seat, is_out);
        if is_out {
            if world.public.in_play() == 1 {
                return world.public.end(next);
            }
            // A player that retires lays all its cards.
            table = world.public.table;
        } else {
            table = table.or(laid);
        }
        world.public.turn = next.index() as u8;
        seat = next;
    }
}

/// Plays all worlds to their end at random. Without `PASSES` as [`Random`] does, with it by any legal action. Each world
/// has a random stream forked for it, in order.
pub(crate) fn play_out_all_randomly<const PASSES: bool>(worlds: &mut [World], rng: &mut Rng) {
    play_out_all_by::<PASSES>(Kind::best(), worlds, rng);
}

/// The same in lanes of a kind, where they can be played there, or one after the other.
fn play_out_all_by<const PASSES: bool>(kind: Option<Kind>, worlds: &mut [World], rng: &mut Rng) {
    match kind {
        Some(kind) if worlds.iter().all(lanes::can_play) => {
            kind.run(lanes::PlayOut::<PASSES> { worlds, rng });
        }
        _ => one_by_one::<PASSES>(worlds, rng),
    }
}

fn one_by_one<const PASSES: bool>(worlds: &mut [World], rng: &mut Rng) {
    for world in worlds {
        let mut stream = rng.fork();
        if PASSES {
            world.play_out_randomly(&mut stream);
        } else {
            play_out(&Random, world, &mut stream);
        }
    }
}

/// The fast path of this processor.
pub(crate) fn fast_path() -> FastPath {
    FastPath { work: "random playouts, many together", by: Kind::best().map(Kind::name) }
}

/// The players still in the game, in turn.
struct Circle {
    /// The next player after each. There are more places than seats, so that a masked index needs no check.
    after: [Seat; 8],
    /// The player before the one to move.
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

    /// The next player after the one that moved, which may be out.
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
    use crate::agents::{Eval, Rule};
    use crate::policy::HandPlayer;
    use crate::{GapRule, Sevens};
    use oboro_core::{Game, GameWorld, Policy};
    use oboro_testkit as testkit;

    /// The reference: one turn after the other, through [`GameWorld::apply`].
    fn turn_by_turn<P: HandPolicy>(policy: P, world: &mut World, rng: &mut Rng) {
        while world.to_act().is_some() {
            let action = HandPlayer(policy).choose(world, rng);
            world.apply(action);
        }
    }

    fn check<P: HandPolicy>(policy: P) {
        let mut rng = Rng::from_u64(8);
        for game in 0..400 {
            let gaps = GapRule::ALL[game / 4 % 4];
            let rules = Sevens { players: 3 + (game % 4) as u8, gaps, ..Sevens::default() };
            let mut world = rules.deal(&mut rng);
            // From the deal and from the middle of a game, where some are out.
            for _ in 0..rng.below(60) {
                if world.to_act().is_some() {
                    world.apply(world.random_action(&mut rng));
                }
            }
            let (mut reference, mut stream) = (world, rng.clone());
            turn_by_turn(policy, &mut reference, &mut stream);
            play_out(&policy, &mut world, &mut rng);
            assert_eq!(world, reference);
            assert_eq!(rng, stream, "both streams stand at the same place");
        }
    }

    /// Deals and positions of games that somebody has gone out of, or that are over.
    fn positions(rules: &Sevens, count: usize) -> Vec<World> {
        let mut rng = Rng::from_u64(count as u64);
        let mut position = |_| {
            let mut world = rules.deal(&mut rng);
            let turns = if rng.chance(0.5) { 0 } else { rng.below(60) };
            for _ in 0..turns {
                if world.to_act().is_some() {
                    world.apply(world.random_action(&mut rng));
                }
            }
            world
        };
        (0..count).map(&mut position).collect()
    }

    fn check_together<const PASSES: bool>(start: &[World]) {
        let (mut reference, mut reference_rng) = (start.to_vec(), Rng::from_u64(9));
        one_by_one::<PASSES>(&mut reference, &mut reference_rng);
        for kind in Kind::supported() {
            let (mut together, mut rng) = (start.to_vec(), Rng::from_u64(9));
            play_out_all_by::<PASSES>(Some(kind), &mut together, &mut rng);
            assert_eq!(together, reference, "{kind:?}");
            assert_eq!(rng, reference_rng, "{kind:?}: as many streams are forked");
        }
    }

    #[test]
    fn batches_equal_single_playouts() {
        testkit::say_not_run(&Kind::coverage());
        let many = positions(&Sevens::default(), 3000);
        let is_over = many.iter().filter(|world| world.to_act().is_none()).count();
        let is_late = many.iter().filter(|world| (2..4).contains(&world.public.in_play())).count();
        assert!(is_over > 100 && is_late > 200, "{is_over} are over, {is_late} near it");
        check_together::<false>(&many);
        check_together::<true>(&many);
        for count in [0, 1, 15, 17] {
            check_together::<false>(&positions(&Sevens::default(), count));
        }
        for passes in [0, 1, 7] {
            let few = positions(&Sevens { passes, ..Sevens::default() }, 300);
            check_together::<false>(&few);
            check_together::<true>(&few);
        }
    }

    #[test]
    fn other_rules_fall_back_to_single_playouts() {
        let mut mixed = positions(&Sevens { gaps: GapRule::Strict, ..Sevens::default() }, 20);
        mixed.extend(positions(&Sevens { players: 3, ..Sevens::default() }, 20));
        mixed.extend(positions(&Sevens::default(), 20));
        check_together::<false>(&mixed);
        check_together::<true>(&mixed);
    }

    #[test]
    fn playouts_equal_games_played_turn_by_turn() {
        check(Random);
        check(Rule);
        check(Eval::default());
    }
}
