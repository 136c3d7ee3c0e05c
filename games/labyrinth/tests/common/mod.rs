//! Positions, and what is asked of them, for several test files.

use oboro_core::{Game, GameWorld, Rng, Seat};
use oboro_labyrinth::{Action, Goal, Labyrinth, World};

/// Positions from random play, with seat 0 to move.
pub(crate) fn positions(count: u64) -> impl Iterator<Item = World> {
    let rules = Labyrinth::default();
    (0..count).map(move |seed| {
        let mut rng = Rng::from_u64(seed);
        let mut world = rules.deal(&mut rng);
        for _ in 0..2 * (seed % 8) {
            world.apply(world.random_action(&mut rng));
        }
        world
    })
}

/// Whether a turn of seat 0 reaches what it looks for.
pub(crate) fn is_on_goal(world: &World, action: Action) -> bool {
    let before = world.goal(Seat::FIRST);
    let mut after = *world;
    after.apply(action);
    match before {
        Goal::Treasure(_) => {
            after.public().cards_found(Seat::FIRST) > world.public().cards_found(Seat::FIRST)
        }
        Goal::Home(_) => after.to_act().is_none(),
    }
}
