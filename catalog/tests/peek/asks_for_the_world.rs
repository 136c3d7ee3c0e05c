//! Agents that want to be handed the truth instead of their view.
use oboro_core::{Agent, Rng};

struct Peeker;

impl Agent<oboro_geister::Geister> for Peeker {
    fn act(&mut self, world: &oboro_geister::World, _: &mut Rng) -> oboro_geister::Action {
        let _ = world;
        unreachable!()
    }
}

impl Agent<oboro_labyrinth::Labyrinth> for Peeker {
    fn act(&mut self, world: &oboro_labyrinth::World, _: &mut Rng) -> oboro_labyrinth::Action {
        let _ = world;
        unreachable!()
    }
}

impl Agent<oboro_saboteur::Saboteur> for Peeker {
    fn act(&mut self, world: &oboro_saboteur::World, _: &mut Rng) -> oboro_saboteur::Action {
        let _ = world;
        unreachable!()
    }
}

impl Agent<oboro_sevens::Sevens> for Peeker {
    fn act(&mut self, world: &oboro_sevens::World, _: &mut Rng) -> oboro_sevens::Action {
        let _ = world;
        unreachable!()
    }
}

fn main() {}
