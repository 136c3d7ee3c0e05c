use crate::agents::{Eval, HandPlayer, Random, Rule};
use crate::{Sevens, World};
use oboro_core::{Checksum, Game, GameWorld, Kernel, Policy, Rng, Seat, SeatView, Work};
use oboro_search::playout;

/// The work whose speed matters: whole games by each cheap policy, and imagining worlds.
pub fn kernels() -> Vec<Kernel> {
    vec![
        Kernel {
            name: "random games from a fresh deal",
            unit: "games",
            run: || games(&mut HandPlayer(Random)),
            checksum: 0x772a_bf70_1420_25ab,
        },
        Kernel {
            name: "random games from fresh deals, many together",
            unit: "games",
            run: games_together,
            checksum: 0x3547_15ac_3c34_d8c1,
        },
        Kernel {
            name: "rule games from a fresh deal",
            unit: "games",
            run: || games(&mut HandPlayer(Rule)),
            checksum: 0x43a8_534a_11b4_48ce,
        },
        Kernel {
            name: "eval games from a fresh deal",
            unit: "games",
            run: || games(&mut HandPlayer(Eval::default())),
            checksum: 0xd71c_9a81_d52d_987a,
        },
        Kernel {
            name: "worlds imagined at the start",
            unit: "worlds",
            run: imagine,
            checksum: 0xcf5b_bff3_e24e_73b0,
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

fn games_together() -> Work {
    const TOGETHER: u64 = 1000;
    let game = Sevens::default();
    let mut rng = Rng::from_u64(1);
    let mut checksum = Checksum::default();
    let mut worlds = Vec::new();
    for _ in 0..GAMES / TOGETHER {
        worlds.extend((0..TOGETHER).map(|_| game.deal(&mut rng)));
        HandPlayer(Random).play_out_all(&mut worlds, &mut rng);
        worlds.drain(..).for_each(|world| checksum.add(world.payoff(Seat::FIRST).to_bits()));
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
