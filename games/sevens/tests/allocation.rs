//! A playout must not touch the heap, and a tree only to grow.

use oboro_core::{AgentEntry, Game, GameWorld, Player, Policy, Rng, Seat, SeatView};
use oboro_search::{Ismcts, Observers, playout};
use oboro_sevens::agents::{Eval, HandPlayer, Random, Rule};
use oboro_sevens::{Sevens, World, agents};
use oboro_testkit::allocations;

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
    assert_eq!(allocations(|| playouts(&mut HandPlayer(Random))), 0);
    assert_eq!(allocations(|| playouts(&mut HandPlayer(Rule))), 0);
    assert_eq!(allocations(|| playouts(&mut HandPlayer(Eval::default()))), 0);
    let mut rng = Rng::from_u64(1);
    let mut worlds = [(); 100].map(|()| Sevens::default().deal(&mut rng));
    // What is built once is not counted.
    HandPlayer(Random).play_out_all(&mut [worlds[0]], &mut rng);
    let together = allocations(|| HandPlayer(Random).play_out_all(&mut worlds, &mut rng));
    assert_eq!(together, 0);
}

#[test]
fn playouts_of_oboro_do_not_allocate() {
    let view = Sevens::default().deal(&mut Rng::from_u64(1)).view(Seat::FIRST);
    let count = |playouts: u32| {
        let spec = format!("oboro:{playouts}").parse().expect("a spec");
        let (_, factory) =
            AgentEntry::resolve(&agents(), &Sevens::default(), &spec).expect("an agent");
        let Player::Agent(mut agent) = factory() else { panic!("oboro is no oracle") };
        // What is built once is not counted.
        agent.act(&view, &mut Rng::from_u64(1));
        allocations(|| _ = agent.act(&view, &mut Rng::from_u64(1)))
    };
    assert_eq!(count(100), count(5000));
}

#[test]
fn tree_searches_allocate_only_when_their_lists_grow() {
    let mut rng = Rng::from_u64(1);
    let view = Sevens::default().deal(&mut rng).view(Seat::FIRST);
    for observers in [Observers::Own, Observers::All { seats: 4 }] {
        let search = Ismcts { budget: 3000.into(), c: 1.0, expand_after: 1, observers };
        let mut policy = HandPlayer(Random);
        let count = allocations(|| {
            drop(search.search(Seat::FIRST, |rng| view.imagine(rng), &mut policy, &mut rng));
        });
        assert!(count < 100, "{count} for 3000 playouts, {observers:?}");
    }
}
