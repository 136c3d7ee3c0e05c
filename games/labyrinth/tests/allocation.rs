//! Playouts, and the agents that search without a list of nodes, must not touch the heap.

use oboro_core::{Agent, Game, GameWorld, Rng, Seat, SeatView};
use oboro_labyrinth::Labyrinth;
use oboro_labyrinth::agents::{
    Exhaustive, ExhaustiveParams, Oboro, OboroParams, Pathfinder, PathfinderParams,
};
use oboro_testkit::allocations;
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

#[test]
fn oboro_does_not_allocate_once_it_sits_down() {
    let mut rng = Rng::from_u64(3);
    let rules = Labyrinth { players: 3, ..Labyrinth::default() };
    let mut exhaustive = Exhaustive::new(ExhaustiveParams::default()).expect("defaults are valid");
    let params = OboroParams { nodes: 500, ..OboroParams::default() };
    let mut oboro = Oboro::new(params).expect("in range");
    let mut world = rules.deal(&mut rng);
    oboro.begin(&world.view(Seat::FIRST));
    let game = || {
        for _ in 0..15 {
            let Some(mover) = world.to_act() else { break };
            let view = world.view(mover);
            let action = if mover == Seat::FIRST {
                oboro.act(&view, &mut rng)
            } else {
                exhaustive.act(&view, &mut rng)
            };
            let (before, event) = (world.view(Seat::FIRST), world.event(action, Seat::FIRST));
            oboro.observe_from(&|| before, &event);
            world.apply(action);
        }
    };
    assert_eq!(allocations(game), 0);
}
