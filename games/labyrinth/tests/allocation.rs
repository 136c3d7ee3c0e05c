//! Playouts, and the agents that search without a list of nodes, must not touch the heap.

#[path = "../../testing/allocations.rs"]
mod allocations;

use allocations::allocations;
use oboro_core::{Agent, Game, GameWorld, Rng, Seat, SeatView};
use oboro_labyrinth::Labyrinth;
use oboro_labyrinth::agents::{Exhaustive, ExhaustiveParams, Pathfinder, PathfinderParams};
use std::hint::black_box;

#[test]
fn playouts_do_not_allocate() {
    let mut rng = Rng::from_u64(1);
    let view = Labyrinth::default().deal(&mut rng).view(Seat::FIRST);
    let playouts = || {
        for _ in 0..5 {
            let mut world = view.imagine(&mut rng);
            while world.to_act().is_some() {
                world.apply(world.random_action(&mut rng));
            }
            black_box(world.payoff(Seat::FIRST));
        }
    };
    assert_eq!(allocations(playouts), 0);
}

#[test]
fn exhaustive_and_pathfinder_do_not_allocate() {
    let mut rng = Rng::from_u64(2);
    let mut exhaustive = Exhaustive::new(ExhaustiveParams::default()).expect("defaults are valid");
    let mut pathfinder = Pathfinder::new(PathfinderParams::default()).expect("defaults are valid");
    let mut world = Labyrinth::default().deal(&mut rng);
    let game = || {
        for _ in 0..10 {
            world.apply(exhaustive.act(&world.view(Seat::FIRST), &mut rng));
            world.apply(pathfinder.act(&world.view(Seat::new(1)), &mut rng));
        }
    };
    assert_eq!(allocations(game), 0);
}
