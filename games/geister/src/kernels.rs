//! The hot loops by themselves, for benchmarks.

use crate::piece::Placement;
use crate::world::World;
use oboro_core::{GameWorld, Rng, Seat};

/// Plays random games from random placements; how many moves they took and how many seat 0 won.
pub fn random_games(games: u64, rng: &mut Rng) -> (u64, u64) {
    let (mut moves, mut won) = (0, 0);
    for _ in 0..games {
        let mut world = World::placed([Placement::random(rng), Placement::random(rng)], 300);
        world.play_out_randomly(rng);
        moves += u64::from(world.board().ply());
        won += u64::from(world.payoff(Seat::FIRST) > 0.75);
    }
    (moves, won)
}

/// Counts the sequences of legal moves of a length, both sides' colours known.
pub fn perft(world: &World, depth: u32) -> u64 {
    let mut count = 0;
    world.for_each_legal(|action| {
        count += if depth <= 1 {
            1
        } else {
            let mut next = *world;
            next.apply(action);
            perft(&next, depth - 1)
        };
    });
    count
}
