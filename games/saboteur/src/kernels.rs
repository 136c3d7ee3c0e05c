//! Fixed work for benchmarks, with an answer to check: what `cargo bench` and `oboro bench` time.

use crate::Saboteur;
use oboro_core::{
    Factory, Game, GameWorld as _, Player, Rng, Seat, SeatView as _, Seed, play_game,
};

/// Plays random rounds; the number of actions.
pub fn random_rounds(rules: &Saboteur, rounds: u64) -> u64 {
    let mut rng = Rng::from_u64(1);
    let mut plies = 0;
    for _ in 0..rounds {
        let mut world = rules.deal(&mut rng);
        while world.to_act().is_some() {
            world.apply(world.random_action(&mut rng));
            plies += 1;
        }
    }
    plies
}

/// Plays rounds among equal agents; the number of nuggets won.
pub fn agent_rounds(rules: &Saboteur, factory: &Factory<Saboteur>, rounds: u64) -> u64 {
    let mut nuggets = 0.0;
    for number in 0..rounds {
        let seeds = Seed::from_u64(1).game(number, number);
        let mut players: Vec<Player<Saboteur>> = (0..rules.seats()).map(|_| factory()).collect();
        let world = rules.deal(&mut seeds.deal());
        let outcome = play_game(rules, world, &mut players, &seeds, |_| {})
            .expect("agents play legal actions");
        nuggets += outcome.payoffs.iter().sum::<f64>();
    }
    nuggets as u64
}

/// Imagines worlds from a view in the middle of a round; the sum of a card's index in them.
pub fn imagined_worlds(rules: &Saboteur, worlds: u64) -> u64 {
    let mut rng = Rng::from_u64(1);
    let mut world = rules.deal(&mut rng);
    for _ in 0..20 {
        world.apply(world.random_action(&mut rng));
    }
    let view = world.view(Seat::FIRST);
    (0..worlds).map(|_| view.imagine(&mut rng).hand(Seat::new(1))[0].index() as u64).sum()
}
