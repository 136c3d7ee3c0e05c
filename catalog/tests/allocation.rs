//! Hot loops do not allocate: imagining a world and playing it out at random touches no heap, in every game, nor do batches of
//! playouts by a policy.

use oboro_testkit::allocations;
use oboro_core::{Game, GameWorld, Policy as _, RandomPolicy, Rng, SeatView};
use oboro_geister::{Geister, gp::StrategySource};
use oboro_search::playout;
use std::hint::black_box;

fn playouts_of<G: Game>(game: &G, count: u32) {
    let mut rng = Rng::from_u64(1);
    let mut world = game.deal(&mut rng);
    for _ in 0..6 {
        world.apply(world.random_action(&mut rng));
    }
    let seat = world.to_act().expect("a game lasts longer than six actions");
    let view = world.view(seat);
    let counted = allocations(|| {
        for _ in 0..count {
            let mut world = view.imagine(&mut rng);
            playout(&mut world, &mut RandomPolicy, &mut rng);
            black_box(world.payoff(seat));
        }
    });
    assert_eq!(counted, 0, "{}", G::NAME);
    let mut worlds: Vec<_> = (0..count).map(|_| view.imagine(&mut rng)).collect();
    let counted = allocations(|| RandomPolicy.play_out_all(&mut worlds, &mut rng));
    assert_eq!(counted, 0, "{}", G::NAME);
}

#[test]
fn playouts_do_not_allocate() {
    playouts_of(&Geister::default(), 50);
    playouts_of(&oboro_labyrinth::Labyrinth::default(), 5);
    playouts_of(&oboro_saboteur::Saboteur::default(), 20);
    playouts_of(&oboro_sevens::Sevens::default(), 50);
}

#[test]
fn playouts_of_policies_do_not_allocate_in_batches() {
    let squad =
        StrategySource::Named("algorithm-1".to_owned()).load().expect("it comes with Geister");
    let mut policy = squad.strategies()[0].playouts();
    let mut rng = Rng::from_u64(1);
    let mut worlds: Vec<_> = (0..50).map(|_| Geister::default().deal(&mut rng)).collect();
    for world in worlds.iter_mut().skip(1) {
        for _ in 0..4 {
            world.apply(world.random_action(&mut rng));
        }
    }
    let counted = allocations(|| policy.play_out_all(&mut worlds, &mut rng));
    assert_eq!(counted, 0);
    assert!(worlds.iter().all(|world| world.to_act().is_none()), "played to their ends");
}
