use crate::agents::{Eval, PlaysBy, Random, Rule};
use crate::{Sevens, World};
use oboro_core::{Checksum, Game, GameWorld, Kernel, Policy, Rng, Seat, SeatView, Work};
use oboro_search::playout;

/// The work whose speed matters: whole games by each cheap policy, and imagining worlds.
pub fn kernels() -> Vec<Kernel> {
    vec![
        Kernel {
            name: "random games from a fresh deal",
            unit: "games",
            run: || games(&mut PlaysBy(Random)),
            checksum: 0x7863_6a24_c3cc_bcf7,
        },
        Kernel {
            name: "rule games from a fresh deal",
            unit: "games",
            run: || games(&mut PlaysBy(Rule)),
            checksum: 0x8e93_408d_7f18_8c5f,
        },
        Kernel {
            name: "eval games from a fresh deal",
            unit: "games",
            run: || games(&mut PlaysBy(Eval::default())),
            checksum: 0x0fa9_0ae9_8c0d_55bd,
        },
        Kernel {
            name: "worlds imagined at the start",
            unit: "worlds",
            run: imagine,
            checksum: 0x85d4_8c1a_e543_6cf9,
        },
    ]
}

const GAMES: u64 = 100_000;

fn games(policy: &mut impl Policy<World>) -> Work {
    let game = Sevens::default();
    let mut rng = Rng::from_u64(1);
    let mut checksum = Checksum::default();
    for _ in 0..GAMES {
        let mut world = game.deal(&mut rng);
        playout(&mut world, policy, &mut rng);
        checksum.add(world.payoff(Seat::FIRST).to_bits());
    }
    Work { count: GAMES, checksum: checksum.value() }
}

fn imagine() -> Work {
    let mut rng = Rng::from_u64(2);
    let view = Sevens::default().deal(&mut rng).view(Seat::FIRST);
    let mut checksum = Checksum::default();
    for _ in 0..GAMES {
        checksum.add(view.imagine(&mut rng).hand(Seat::new(1)).len() as u64);
    }
    checksum.add(rng.bits());
    Work { count: GAMES, checksum: checksum.value() }
}
