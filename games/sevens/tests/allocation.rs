//! A playout must not touch the heap.

#[path = "../../testing/allocations.rs"]
mod allocations;

use allocations::allocations;
use oboro_core::{Game, GameWorld, Policy, Rng, Seat, SeatView};
use oboro_search::playout;
use oboro_sevens::agents::{ByHand, Eval, Random, Rule};
use oboro_sevens::{Sevens, World};

fn playouts(policy: &mut impl Policy<World>) {
    let game = Sevens::default();
    let mut rng = Rng::from_u64(1);
    let view = game.deal(&mut rng).view(Seat::FIRST);
    for _ in 0..100 {
        let mut world = view.imagine(&mut rng);
        playout(&mut world, policy, &mut rng);
        std::hint::black_box(world.payoff(Seat::FIRST));
    }
}

#[test]
fn playouts_do_not_allocate() {
    assert_eq!(allocations(|| playouts(&mut ByHand(Random))), 0);
    assert_eq!(allocations(|| playouts(&mut ByHand(Rule))), 0);
    assert_eq!(allocations(|| playouts(&mut ByHand(Eval::default()))), 0);
}
