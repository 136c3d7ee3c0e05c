//! Batches of playouts by a policy take no memory from the heap. Random playouts are checked for every game by `check_game`.

use oboro_core::{Game, GameWorld, Policy as _, Rng};
use oboro_geister::{Geister, gp::StrategySource};
use oboro_testkit::allocations;

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
