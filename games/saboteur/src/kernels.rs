use crate::agents::foreman::{Foreman, ForemanParams};
use crate::agents::path::{Path, PathParams};
use crate::{Card, Saboteur, World};
use oboro_core::{
    Checksum, Factory, Game, GameWorld as _, Kernel, Live, Rng, Seat, SeatView as _, Seed, Work,
    fresh,
};

/// The work whose speed matters: whole rounds of six players, and imagining worlds.
pub fn kernels() -> Vec<Kernel> {
    vec![
        Kernel::new("random rounds, published rules", "rounds", 0xf9bb_893b_6e77_67d3, || {
            random(published())
        }),
        Kernel::new("random rounds, the paper's rules", "rounds", 0x9d15_d6db_8eb1_248e, || {
            random(Saboteur::paper())
        }),
        Kernel::new("rounds of path, the paper's rules", "rounds", 0x7a9c_ebca_4ce1_560e, || {
            agents(10_000, &fresh(Path::new(PathParams::default())))
        }),
        Kernel::new(
            "rounds of foreman, the paper's rules",
            "rounds",
            0x3acf_c96f_23e6_deaf,
            || {
                let foreman = Foreman::new(Saboteur::paper(), ForemanParams::default());
                agents(100, &fresh(foreman.expect("the default parameters are possible")))
            },
        ),
        Kernel::new("worlds imagined after 20 turns", "worlds", 0x725e_55f6_04cc_0d84, imagine),
    ]
}

fn published() -> Saboteur {
    Saboteur { rounds: 1, ..Saboteur::default() }
}

fn random(rules: Saboteur) -> Work {
    const ROUNDS: u64 = 20_000;
    let mut rng = Rng::from_u64(1);
    let mut checksum = Checksum::default();
    for _ in 0..ROUNDS {
        let mut world = rules.deal(&mut rng);
        world.play_out_randomly(&mut rng);
        checksum.add(world.public().board().paths().len() as u64);
    }
    Work { count: ROUNDS, checksum: checksum.value() }
}

fn agents(rounds: u64, factory: &Factory<Saboteur>) -> Work {
    let rules = Saboteur::paper();
    let mut checksum = Checksum::default();
    for number in 0..rounds {
        let seeds = Seed::from_u64(1).game(number, number);
        let world = rules.deal(&mut seeds.deal());
        let agents = vec![factory.clone(); rules.seats()];
        let outcome =
            Live::among(&rules, world, &agents, &seeds).run().expect("agents play legal actions");
        checksum.add(outcome.plies.into());
        checksum.add(outcome.payoffs.iter().sum::<f64>().to_bits());
    }
    Work { count: rounds, checksum: checksum.value() }
}

fn imagine() -> Work {
    const WORLDS: u64 = 100_000;
    let mut rng = Rng::from_u64(2);
    let mut world = published().deal(&mut rng);
    for _ in 0..20 {
        world.apply(world.random_action(&mut rng));
    }
    let view = world.view(Seat::FIRST);
    let mut checksum = Checksum::default();
    let last = |world: &World| world.deck().last().map_or(0, |card: &Card| card.index() as u64);
    for _ in 0..WORLDS {
        checksum.add(last(&view.imagine(&mut rng)));
    }
    Work { count: WORLDS, checksum: checksum.value() }
}
